"""melleafy-tui: agent workspaces become typed Mellea packages."""
