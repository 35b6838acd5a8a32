"""Finds secrets by form (`known_forms`, `seed_phrases`) and label (`labelled_values`), and masks them at reading."""
