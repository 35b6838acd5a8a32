"""The Claude Code dialect: CLAUDE.md, settings, MCP servers, hooks, and specs under `.claude/`."""
