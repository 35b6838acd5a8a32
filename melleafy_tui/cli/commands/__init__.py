"""One module a command: each has `run`, which prints its result and returns the exit code."""
