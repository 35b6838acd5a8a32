"""Generators: turn a committed plan into the files of a package, in memory."""
