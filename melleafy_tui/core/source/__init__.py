"""Reading a folder on disk into a snapshot."""
