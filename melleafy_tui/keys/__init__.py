"""The table of keys as data, and what a user may change in it."""
