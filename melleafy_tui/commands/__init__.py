"""The headless commands, one module each (spec/cli.md)."""
