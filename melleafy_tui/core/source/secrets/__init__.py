"""Finds secrets by form (`forms`, `seed_phrases`) and by label (`labels`), and masks them when a file is read."""
