"""Long work in lines: said once on a terminal, and never for short work or into a pipe."""

import threading
from io import StringIO

import pytest

from melleafy_tui.cli import console as patience
from melleafy_tui.cli.console import Console, told_when_long


class Stream(StringIO):
    """A stream that tells when something was written to it."""

    def __init__(self, *, terminal: bool) -> None:
        super().__init__()
        self._terminal = terminal
        self.written = threading.Event()

    def isatty(self) -> bool:
        return self._terminal

    def write(self, text: str) -> int:
        count = super().write(text)
        if text.endswith("\n"):
            self.written.set()
        return count


def console(stream: Stream) -> Console:
    return Console(out=StringIO(), messages=stream)


def test_long_work_is_said_once_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "LONG", 0.0)
    stream = Stream(terminal=True)
    with told_when_long(console(stream), "desk is being read …"):
        assert stream.written.wait(30)
    assert stream.getvalue() == "desk is being read …\n"


@pytest.mark.parametrize(("terminal", "long"), [(True, 3600.0), (False, 0.0)], ids=["short", "piped"])
def test_nothing_is_said_of_short_work_or_into_a_pipe(
    monkeypatch: pytest.MonkeyPatch, *, terminal: bool, long: float
) -> None:
    monkeypatch.setattr(patience, "LONG", long)
    stream = Stream(terminal=terminal)
    with told_when_long(console(stream), "desk is being read …"):
        pass
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer):
            thread.join(30)
    assert not stream.getvalue()
