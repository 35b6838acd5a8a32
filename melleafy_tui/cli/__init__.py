"""The command line: argument parsing, one module per command, and everything that prints."""
