"""Step 7b: running the fixtures of a package against a stand-in model server (spec/package.md 8)."""
