"""Journeys in a real terminal: keys and clicks as bytes, screens as a terminal draws them, each kept and looked at."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pexpect
import pyte
import pytest

from tests.conftest import PROJECT
from tests.ui.conftest import EPOCH, TICKET_TRIAGE, write_workspace

pytestmark = [pytest.mark.slow, pytest.mark.terminal]

SCREENS = PROJECT / "snapshots" / "terminal"
PATIENCE = 120
MESSAGE = "▌ "
"""How a message begins, which goes by itself."""

QUIET = 0.4
"""Seconds without output after which a screen is at rest."""

COLOUR = re.compile(rb"\x1b\[(?:\d+;)*(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;\d+)*m")


class Terminal:
    """A wizard in a terminal of some size."""

    def __init__(self, workspace: Path, size: tuple[int, int], **environment: str) -> None:
        columns, rows = size
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self.written = b""
        self.child: pexpect.spawn[bytes] = pexpect.spawn(
            sys.executable,
            ["-m", "melleafy_tui", str(workspace)],
            env={**os.environ, "TERM": "xterm-256color", "SOURCE_DATE_EPOCH": EPOCH, **environment},
            timeout=PATIENCE,
            dimensions=(rows, columns),
        )

    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)

    def _read(self, seconds: float) -> bool:
        """Take in what is written, and return whether there was anything."""
        try:
            data = self.child.read_nonblocking(65_536, timeout=seconds)
        except (pexpect.TIMEOUT, pexpect.EOF):
            return False
        self.written += data
        self._stream.feed(data)
        return True

    def wait(self, words: str) -> str:
        """Wait until the screen has these words and is at rest, and return it."""
        while True:
            while self._read(QUIET):
                pass
            if words in self.text():
                return self.text()
            assert self._read(PATIENCE), f"never {words!r} on\n{self.text()}"

    def wait_gone(self, words: str) -> str:
        """Wait until the screen no longer has these words, and return it."""
        while words in self.text():
            assert self._read(PATIENCE), f"still {words!r} on\n{self.text()}"
        return self.wait("")

    def press(self, keys: str) -> None:
        self.child.send(keys)

    def click(self, words: str) -> None:
        """Click on the lowest place of these words."""
        rows = [(row, line) for row, line in enumerate(self.screen.display, 1) if words in line]
        row, line = rows[-1]
        column = line.index(words) + 1
        for state in "Mm":
            self.child.send(f"\x1b[<0;{column + 1};{row}{state}")

    def end(self) -> int:
        self.child.expect(pexpect.EOF)
        self.child.close()
        return int(self.child.exitstatus or 0)


@pytest.fixture
def workspace(own_world: Path) -> Path:
    return write_workspace(own_world / "ticket-triage", TICKET_TRIAGE)


@pytest.fixture
def start(workspace: Path) -> Iterator[Callable[..., Terminal]]:
    started: list[Terminal] = []

    def call(size: tuple[int, int], **environment: str) -> Terminal:
        started.append(Terminal(workspace, size, **environment))
        return started[-1]

    yield call
    for terminal in started:
        terminal.child.close(force=True)


def kept(name: str, screen: str) -> None:
    """Compare a screen with the one that was looked at; UPDATE_GOLDEN=1 keeps it."""
    file = SCREENS / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        SCREENS.mkdir(exist_ok=True)
        file.write_text(screen + "\n", encoding="utf-8")
    assert screen.splitlines() == file.read_text(encoding="utf-8").splitlines()


def imports(package: Path) -> None:
    found = next(file.parent for file in package.glob("*/pipeline.py"))
    subprocess.run(
        [sys.executable, "-c", f"import {found.name}.pipeline"], cwd=package, check=True, capture_output=True
    )


@pytest.mark.parametrize("size", [(80, 24), (160, 48)], ids=["80x24", "160x48"])
def test_everything_is_accepted_with_a_key_a_card_and_one_to_write(
    start: Callable[..., Terminal], workspace: Path, size: tuple[int, int]
) -> None:
    name = "x".join(map(str, size))
    terminal = start(size)
    cards = int(re.findall(r"Review: (\d+) to go", terminal.wait("to go"))[0])
    kept(f"review-{name}", terminal.text())
    for left in range(cards - 1, -1, -1):
        terminal.press("\r")
        terminal.wait(f"Review: {left} to go" if left else "Ready to write")
    kept(f"ready-{name}", terminal.wait("Ready to write"))
    terminal.press("\r")
    terminal.wait("Written to")
    kept(f"written-{name}", terminal.wait_gone(MESSAGE))
    terminal.press("q")
    assert terminal.end() == 0
    imports(workspace.parent / "ticket-triage_mellea")


def test_only_the_mouse_is_used(start: Callable[..., Terminal], workspace: Path) -> None:
    terminal = start((120, 36))
    while "Ready to write" not in (screen := terminal.wait("⏎")):
        title = re.findall(r"Review: \d+ to go", screen)[0]
        terminal.click("⏎ a")
        while title in terminal.wait("⏎"):
            pass
    terminal.click("Esc close")
    terminal.wait("Modality")
    terminal.click("3 Decide")
    terminal.wait("Entries by category")
    terminal.click("Rule: keep every reply")
    terminal.wait("dep_006  AGENTS.md:6")
    terminal.click("x remove")
    terminal.wait("→ 1 overridden")
    terminal.click("5 Write")
    terminal.wait("writes this")
    terminal.click("w Write")
    terminal.wait("Written to")
    assert (workspace.parent / "ticket-triage_mellea").is_dir()


def test_a_conflict_with_edits_becomes_a_package_that_imports(
    start: Callable[..., Terminal], workspace: Path
) -> None:
    def convert() -> None:
        command = [sys.executable, "-m", "melleafy_tui", str(workspace), "--dependencies=auto"]
        subprocess.run(
            command, check=True, capture_output=True, env={**os.environ, "SOURCE_DATE_EPOCH": EPOCH}
        )

    convert()
    package = workspace.parent / "ticket-triage_mellea"
    rules = next(package.glob("*/requirements.py"))
    rules.write_text(rules.read_text().replace("at_most_words(119)", "at_most_words(100)"))
    assert "at_most_words(100)" in rules.read_text()
    source = workspace / "AGENTS.md"
    source.write_text(source.read_text().replace("under 120 words", "under 90 words"))
    terminal = start((160, 48))
    terminal.wait("to go")
    terminal.press("!")
    terminal.wait("Modality")
    terminal.press("5")
    terminal.wait("conflicts with your edits")
    terminal.press("j")
    terminal.wait("⏎ Open")
    terminal.press("\r")
    kept("conflict-160x48", terminal.wait("m keep mine"))
    terminal.press("t")
    terminal.wait("overwritten, with a backup  1")
    terminal.press("w")
    terminal.wait("Written to")
    terminal.press("q")
    assert terminal.end() == 0
    assert "at_most_words(89)" in rules.read_text()
    assert not list(package.rglob("*.new"))
    imports(package)


def test_no_color_writes_no_colour(start: Callable[..., Terminal]) -> None:
    terminal = start((80, 24), NO_COLOR="1")
    terminal.wait("to go")
    terminal.press("!")
    terminal.wait("Modality")
    for step, words in (("2", "Elements by file"), ("3", "Entries by"), ("4", "Package"), ("5", "Folder")):
        terminal.press(step)
        terminal.wait(words)
    assert COLOUR.findall(terminal.written) == []
