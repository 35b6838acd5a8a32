"""The generic dialect: the inventory of a source whose runtime has no dialect of its own."""
