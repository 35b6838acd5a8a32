"""Writes a file set to disk: all files or none, merged with the user's edits."""
