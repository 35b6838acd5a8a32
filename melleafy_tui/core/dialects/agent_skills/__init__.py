"""The Agent Skills dialect: one skill folder with its SKILL.md."""
