"""Dialects: one package for each source runtime, with its tables and its reader."""
