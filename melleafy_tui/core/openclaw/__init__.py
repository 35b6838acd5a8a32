"""Features specific to OpenClaw: the prompt of each release, sessions, surfaces, and export to a workspace."""
