"""The wizard in a browser: a server on loopback that runs one wizard a page (needs the extra `serve`)."""
