"""The wizard in plain lines: the same questions, one after the other, for screen readers, dumb terminals and logs."""
