"""Reads an agent's sessions from a state folder and proposes fixtures from them."""
