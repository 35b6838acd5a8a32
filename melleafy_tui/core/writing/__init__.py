"""Putting a file set on disk, whole or not at all (spec/decisions.md, Writing)."""
