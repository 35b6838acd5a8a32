"""Running the fixtures of a package against a fake model server."""
