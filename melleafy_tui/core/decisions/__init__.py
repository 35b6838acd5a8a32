"""The user's decisions: state, commands, keys that survive edits, file format, journal (spec/decisions.md)."""
