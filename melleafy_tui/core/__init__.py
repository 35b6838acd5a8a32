"""The headless core: from a workspace to a file set, without terminal, templates or command line."""
