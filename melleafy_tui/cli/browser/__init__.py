"""Serves the wizard to a browser on loopback, one wizard per page (extra `serve`)."""
