"""The OpenClaw dialect (seed 000)."""
