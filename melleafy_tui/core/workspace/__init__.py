"""Reading a workspace: the snapshot, its limits, and the parsers of its formats."""
