"""The user's decisions: state, commands, stable keys, decisions file, journal."""
