"""From the wording of a rule to a check that Python can make, and its verdict on a text."""
