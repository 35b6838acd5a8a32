"""The Agent Skills dialect: one skill folder with its SKILL.md (issue 7, spec/conversion.md 2.1)."""
