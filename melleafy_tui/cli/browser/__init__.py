"""The wizard in a browser: a server on loopback that runs one wizard per page (extra `serve`)."""
