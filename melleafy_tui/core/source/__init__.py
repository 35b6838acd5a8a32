"""Reads a workspace folder into an immutable snapshot: limits, file formats, secrets."""
