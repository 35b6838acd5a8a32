"""What the program talks to: a terminal, a browser behind `serve`, or a pipe; and in which form it asks."""

import sys
from collections.abc import Mapping


def in_browser(environment: Mapping[str, str]) -> bool:
    """Return whether this process was started by `serve`, which names the driver that speaks to the page."""
    return environment.get("TEXTUAL_DRIVER", "").endswith(":WebDriver")


def on_terminal() -> bool:
    """Return whether questions can be asked and answered."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def wants_lines(environment: Mapping[str, str]) -> bool:
    """Return whether the environment asks for plain lines instead of screens (spec/cli.md)."""
    return environment.get("ACCESSIBLE", "") not in ("", "0") or environment.get("TERM") == "dumb"
