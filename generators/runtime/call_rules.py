# Static module of melleafy-tui 0.2.0, not to be edited.
"""What the source's permission rules say of a call of a tool."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

Policy = Callable[[str, str], str]
"""Takes a tool and a request; returns the permission rule that holds for it, or ""."""


@dataclass(frozen=True)
class CallRules:
    """The permission rules for the calls of one tool, as Tool.rules takes them."""

    called: str = ""
    """The source's name of the tool, such as "Bash"; its own name where it is empty."""
    request: str = ""
    """How a call reads in rules, such as "git push {branch} [--to {remote}]".

    An option in brackets is read where it is given. Empty, the values stand for it.
    """
    denied: Policy | None = None
    """Says which rule denies a call."""
    ask: Policy | None = None
    """Says which rule wants a call confirmed."""
    allowed: Policy | None = None
    """Says which rule allows a call; without one the call is confirmed first."""

    def __call__(self, name: str, values: Mapping[str, object]) -> tuple[str, str]:
        """Return the rule that denies a call, and the one that wants it confirmed."""
        called = self.called or name
        request = re.sub(
            r" ?\[(\S+) \{(\w+)\}\]",
            lambda found: _option(found[1], values.get(found[2])),
            self.request or " ".join(map(str, values.values())),
        )
        request = re.sub(
            r"\{(\w+)\}", lambda found: str(values.get(found[1], found[0])), request
        )
        denies = self.denied(called, request) if self.denied else ""
        asks = self.ask(called, request) if self.ask else ""
        if self.allowed and not self.allowed(called, request):
            asks = asks or "the grant, which leaves it out,"
        return denies, asks


def _option(name: str, value: object) -> str:
    """Return the words of an option, or "" where it is left out."""
    if value is None or value is False or value == "" or value == []:
        return ""
    values = value if isinstance(value, list) else [value]
    return f" {name}" if value is True else f" {name} {' '.join(map(str, values))}"
