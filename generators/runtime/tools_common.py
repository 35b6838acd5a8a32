# Static module of melleafy-tui 0.2.0, not to be edited.
"""What HTTP and script tools share: errors, secrets and canned answers."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

Policy = Callable[[str, str], str]
"""Takes a tool and a request; returns the permission rule that holds for it, or ""."""
Secrets = Mapping[str, Callable[[], str]]
"""Functions that supply secrets instead of the environment, by variable."""

_canned: ContextVar[Mapping[str, object] | None] = ContextVar("canned", default=None)


class ToolError(RuntimeError):
    """A tool call failed."""


class ToolRefused(ToolError):
    """A tool call leaves what the package allows; nothing was called."""


class ToolTimeout(ToolError):
    """A tool did not finish in time."""


def secret(name: str, secrets: Secrets | None = None) -> str:
    """Return a secret from its function or variable, or raise ToolError."""
    supply = (secrets or {}).get(name)
    value = (supply() if supply else os.environ.get(name, "")).strip()
    if not value:
        raise ToolError(f"{name} is not set, see SETUP.md §2")
    if not value.isprintable():
        raise ToolError(f"{name} holds a line break or another control character")
    return value


@contextmanager
def canned(answers: Mapping[str, object]) -> Iterator[None]:
    """Use canned answers instead of the network and of programs, as fixtures do.

    Keys are addresses (with the method before any other than GET: "POST https://…"), or
    command lines. A number from 400 to 599 is an HTTP error.
    """
    token = _canned.set(answers)
    try:
        yield
    finally:
        _canned.reset(token)


def canned_answer(*keys: str) -> tuple[bool, object]:
    """Return whether canned answers are in use, and the one for the first known key.

    Raises:
        ToolError: canned answers are in use, and there is none for the keys.
    """
    answers = _canned.get()
    if answers is None:
        return False, None
    for key in keys:
        if key in answers:
            return True, answers[key]
    raise ToolError(f"{keys[0]}: no canned response")
