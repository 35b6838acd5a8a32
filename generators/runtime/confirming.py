# Static module of melleafy-tui 0.2.0, not to be edited.
"""Asks on the terminal before an action that the source wants confirmed."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from .runtime import visible

TERMINAL = "/dev/tty"

_asked: ContextVar[Callable[[str], bool] | None] = ContextVar("asked", default=None)


@contextmanager
def asking(ask: Callable[[str], bool]) -> Iterator[None]:
    """Let confirmed() ask with this function inside."""
    token = _asked.set(ask)
    try:
        yield
    finally:
        _asked.reset(token)


def confirmed(action: str) -> bool:
    """Return whether whoever can be asked allows an action; outside asking() nobody can."""
    ask = _asked.get()
    return ask is not None and ask(action)


def asking_on_terminal(program: str) -> Any:
    """Let confirmed() ask on the terminal inside; the end of the input means no.

    Standard input that isn't the terminal may hold words of others, so the answer never
    comes from there.
    """

    def ask(action: str) -> bool:
        question = f"{program}: {visible(action)}: go on? [y/N] "
        print(question, end="", file=sys.stderr, flush=True)
        at_terminal = sys.stdin.isatty()
        try:
            terminal = Path(TERMINAL)
            opened = None if at_terminal else terminal.open(errors="replace")
            with opened or nullcontext(sys.stdin) as asked:
                return asked.readline().strip().lower() in ("y", "yes")
        except OSError:
            said = "there is no terminal to ask on, so the answer is no"
            print(f"\n{program}: {said}", file=sys.stderr)
            return False

    return asking(ask)
