"""Claude Code: CLAUDE.md, settings, MCP servers, hooks, and specs under `.claude/`."""
