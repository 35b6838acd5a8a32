"""Interprets wording in several languages: orders and prohibitions, times, checkable rules."""
