"""Lints of a generated package: a table of checks, grouped by what they check."""
