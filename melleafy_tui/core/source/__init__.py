"""Reading a folder into an immutable snapshot: limits, formats, secrets."""
