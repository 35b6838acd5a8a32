"""Commands run in this process, and the dialogue in plain lines with a script of answers."""

import io
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import pytest

from melleafy_tui.cli.commands import convert_all
from melleafy_tui.cli.main import main
from tests.ui.conftest import EPOCH, TICKET_TRIAGE, write_workspace

AS_OF = "2026-11-01"


@dataclass(frozen=True)
class Done:
    """How a command or a dialogue ended, and all it said."""

    code: int
    out: str
    messages: str

    @property
    def document(self) -> dict[str, object]:
        value = json.loads(self.out)
        assert isinstance(value, dict)
        return value


def rows(document: dict[str, object], key: str) -> list[dict[str, object]]:
    """Return a list of a JSON document."""
    found = document[key]
    assert isinstance(found, list)
    return found


Run = Callable[..., Done]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in this process, from the test's folder."""
    monkeypatch.chdir(tmp_path)

    def call(*words: object) -> Done:
        capsys.readouterr()
        try:
            code = main([str(word) for word in words])
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 1
        printed = capsys.readouterr()
        return Done(code, printed.out, printed.err)

    return call


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Convert many in this process: starting others costs a second each."""

    def run(words: Sequence[str]) -> subprocess.CompletedProcess[str]:
        out, messages = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(messages):
            code = main(words)
        return subprocess.CompletedProcess(words, code, out.getvalue(), messages.getvalue())

    monkeypatch.setattr(convert_all, "_run", run)
    monkeypatch.setattr(convert_all, "_jobs", lambda _words: 1)


Answering = Callable[..., Done]


@pytest.fixture
def workspace(own_world: Path) -> Path:
    return write_workspace(own_world / "ticket-triage", TICKET_TRIAGE)


@pytest.fixture
def answer(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, workspace: Path) -> Answering:
    """Run the dialogue with these lines as answers; one that can be called is carried out when its turn comes."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", EPOCH)

    def call(*lines: str | Callable[[], object], at: Path = workspace, options: tuple[str, ...] = ()) -> Done:
        monkeypatch.setattr(sys, "stdin", _Answers(lines))
        capsys.readouterr()
        code = main([str(at), "--linear", "--as-of", AS_OF, *options])
        printed = capsys.readouterr()
        return Done(code, printed.out, printed.err)

    return call


class _Answers:
    """Standard input with answers, and with what happens on the disk between two of them."""

    def __init__(self, lines: tuple[str | Callable[[], object], ...]) -> None:
        self._lines = list(lines)

    def isatty(self) -> bool:
        return False

    def readline(self) -> str:
        while self._lines:
            line = self._lines.pop(0)
            if isinstance(line, str):
                return f"{line}\n"
            line()
        return ""


def tree(folder: Path) -> dict[str, bytes]:
    """Return every file of a written folder but the lock."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != ".melleafy.lock"
    }
