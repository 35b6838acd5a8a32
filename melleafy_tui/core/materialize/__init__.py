"""Named surfaces become an OpenClaw workspace byte for byte, and a workspace becomes surfaces (seed 001)."""
