"""The user's decisions: state, commands, keys that survive edits, file, journal."""
