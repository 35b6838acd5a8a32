"""The OpenClaw dialect."""
