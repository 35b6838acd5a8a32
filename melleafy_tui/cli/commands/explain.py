"""`explain`, which the plain lines have too."""

from melleafy_tui.cli.explanation import run

__all__ = ["run"]
