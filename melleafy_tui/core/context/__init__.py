"""What OpenClaw puts into an agent's system prompt, assembled from a snapshot alone (seeds 002 and 004)."""
