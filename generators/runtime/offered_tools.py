"""The tools that a model may call: as data, as the model sees them, and how a call reads.

Static module of melleafy-tui 0.2.0: identical in every package of that release that has
it, not to be edited.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, wraps
from inspect import getdoc

from mellea.backends import MelleaTool

from .runtime import visible

Policy = Callable[[str, str], str]
"""Takes a tool and a request; returns the permission rule that holds for it, or ""."""


@dataclass(frozen=True)
class Tool:
    """A function that the model may call; it returns text or data."""

    function: Callable[..., object]
    description: str = ""
    """What it is for; the function's docstring where it is empty."""
    name: str = ""
    """The name that the model uses; the function's own where it is empty."""
    called: str = ""
    """The source's name of the tool in permission rules, such as "Bash"."""
    request: str = ""
    """How a call reads in permission rules, such as "git push {branch} [--to {remote}]".

    An option in brackets is read where it is given. Empty, the values stand for it.
    """
    ask: bool | Policy = False
    """Whether calls are confirmed first: all of them, or those under a rule."""
    denied: Policy | None = None
    """Says which rule denies a call."""
    allowed: Policy | None = None
    """Says which rule allows a call; without one the call is confirmed first."""

    @cached_property
    def offered(self) -> MelleaTool[..., object]:
        """The tool as Mellea offers it to the model."""

        @wraps(self.function)  # partial() and the like have no name, which Mellea wants
        def plain(**given: object) -> object:
            return self.function(**given)

        words = getdoc(self.function) or ""
        _, mark, args = words.partition("\nArgs:")
        plain.__doc__ = f"{self.description}{mark}{args}" if self.description else words
        return MelleaTool.from_callable(plain, self.name or None)

    def action(self, values: Mapping[str, object]) -> str:
        """Return a call as people read it, on one line of visible characters."""
        shown = (
            f"{key}={json.dumps(value, default=str, ensure_ascii=False)}"
            for key, value in values.items()
        )
        return visible(f"{self.offered.name}({', '.join(shown)})")

    def objection(
        self, values: Mapping[str, object], confirmed: Callable[[], bool]
    ) -> str:
        """Return why a call may not be made, or ""."""
        called = self.called or self.offered.name
        request = re.sub(
            r" ?\[(\S+) \{(\w+)\}\]",
            lambda found: _option(found[1], values.get(found[2])),
            self.request or " ".join(map(str, values.values())),
        )
        request = re.sub(
            r"\{(\w+)\}", lambda found: str(values.get(found[1], found[0])), request
        )
        if rule := self.denied(called, request) if self.denied else "":
            return f"{rule} denies it"
        rule = "" if isinstance(self.ask, bool) else self.ask(called, request)
        if self.allowed and not self.allowed(called, request):
            rule = rule or "the grant, which leaves it out,"
        if (rule or self.ask is True) and not confirmed():
            return f"{rule or 'the source'} wants it confirmed, and it was not"
        return ""


def _option(name: str, value: object) -> str:
    """Return the words of an option, or "" where it is left out."""
    if value is None or value is False or value == "" or value == []:
        return ""
    values = value if isinstance(value, list) else [value]
    return f" {name}" if value is True else f" {name} {' '.join(map(str, values))}"
