"""The command line: argument parsing, one module per command, and all printing."""
