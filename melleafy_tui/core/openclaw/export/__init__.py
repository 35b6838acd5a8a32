"""Exports a converted package back to a workspace."""
