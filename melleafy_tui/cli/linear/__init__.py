"""The wizard's questions in plain lines, for screen readers, dumb terminals and logs."""
