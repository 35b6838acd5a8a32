"""Lints of a generated package, as a table of checks grouped by what they look at."""
