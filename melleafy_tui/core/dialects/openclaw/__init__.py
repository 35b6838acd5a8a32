"""The OpenClaw dialect: SOUL.md, IDENTITY.md, AGENTS.md, the other bootstrap files, and openclaw.json."""
