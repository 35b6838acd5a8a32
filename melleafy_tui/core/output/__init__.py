"""Writing a file set to disk: all files or none, merged with what the user edited."""
