"""The headless core: converts a workspace into a file set, without terminal, templates or command line."""
