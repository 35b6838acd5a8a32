"""Reproduces the agent's system prompt as each OpenClaw release assembles it."""
