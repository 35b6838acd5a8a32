"""The generic dialect, for sources whose runtime has no dialect of its own."""
