"""What surrounds the OpenClaw runtime: its prompt by release, sessions, surfaces, and the way back."""
