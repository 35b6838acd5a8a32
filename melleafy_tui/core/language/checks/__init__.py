"""Compiles the wording of a rule to a Python check, and evaluates the check on a text."""
