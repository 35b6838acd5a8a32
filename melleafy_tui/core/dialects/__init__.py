"""Dialects: one package a source runtime, each a set of tables and a reader."""
