"""The agent's system prompt as each OpenClaw release assembles it."""
