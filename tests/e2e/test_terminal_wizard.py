"""The wizard in a real terminal, driven by tmux: keys and clicks in, screens read back and kept, packages compared."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from melleafy_tui.cli.main import main
from tests.ui.conftest import EPOCH, TICKET_TRIAGE, write_workspace

PROJECT = Path(__file__).resolve().parents[2]
PATIENCE = 120.0
SCREENS = PROJECT / "snapshots" / "terminal"
STILL = 12
"""Looks at a screen, one after the other, that must be the same before it is compared."""

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]


class Terminal:
    """One tmux server of our own with one pane."""

    def __init__(self, folder: Path, columns: int, rows: int, environment: dict[str, str]) -> None:
        self._socket = str(folder / "tmux.sock")
        self._environment = environment
        self._ended = folder / "ended"
        self._size = (str(columns), str(rows))

    def run(self, *arguments: str) -> str:
        done = subprocess.run(
            ["tmux", "-f", "/dev/null", "-S", self._socket, *arguments],
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=30,
            check=True,
        )
        return done.stdout

    def start(self, *command: str, cwd: Path) -> None:
        columns, rows = self._size
        self._ended.unlink(missing_ok=True)
        script = f"{shlex.join(command)}; echo $? > {shlex.quote(str(self._ended))}"
        self.run(
            "new-session", "-d", "-x", columns, "-y", rows, "-c", str(cwd), "sh", "-c", f"{script}; sleep 600"
        )

    @property
    def screen(self) -> str:
        return self.run("capture-pane", "-p")

    @property
    def ended(self) -> str:
        """The exit status of the command, or `""` while it runs."""
        return self._ended.read_text().strip() if self._ended.exists() else ""

    def start_again(self) -> None:
        self._ended.unlink(missing_ok=True)
        self.run("respawn-pane", "-k")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.run("send-keys", key)

    def type(self, text: str) -> None:
        self.run("send-keys", "-l", text)

    def click(self, words: str) -> None:
        """Click on the lowest place of these words."""
        lines = list(enumerate(self.wait_for(words).splitlines(), 1))
        row, line = [each for each in lines if words in each[1]][-1]
        for state in "Mm":
            self.type(f"\x1b[<0;{line.index(words) + 2};{row}{state}")

    def kept(self, name: str, *, without: str = "") -> None:
        """Compare the screen at rest with the one that was looked at; UPDATE_GOLDEN=1 keeps it.

        Args:
            name: The name of its file.
            without: A message that must be gone first.
        """
        seen: list[str] = []

        def is_still(screen: str) -> bool:
            seen.append(screen)
            last = seen[-STILL:]
            return len(last) == STILL and len(set(last)) == 1 and not (without and without in screen)

        lines = [line.rstrip() for line in self.wait_for(is_still, "a still screen").rstrip().splitlines()]
        file = SCREENS / f"{name}.txt"
        if os.environ.get("UPDATE_GOLDEN"):
            SCREENS.mkdir(exist_ok=True)
            file.write_text("\n".join([*lines, ""]), encoding="utf-8")
        assert lines == file.read_text(encoding="utf-8").splitlines()

    def wait_for(self, text: str | Callable[[str], bool], description: str = "") -> str:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            screen = self.screen
            if text in screen if isinstance(text, str) else text(screen):
                return screen
            time.sleep(0.05)
        raise AssertionError(f"never saw {description or text!r} on:\n{self.screen}")

    def wait_for_end(self) -> int:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if self.ended:
                return int(self.ended)
            time.sleep(0.05)
        raise AssertionError(f"the wizard did not end:\n{self.screen}")


SMALL = pytest.param((80, 24), id="80x24")
LARGE = pytest.param((160, 48), id="160x48")
SMALL_LATER = pytest.param((80, 24), id="80x24", marks=pytest.mark.slow)
LARGE_LATER = pytest.param((160, 48), id="160x48", marks=pytest.mark.slow)


@pytest.fixture
def terminal(request: pytest.FixtureRequest, tmp_path: Path, own_world: Path) -> Iterator[Terminal]:
    """Give a terminal of the size that the test is called with."""
    inherited = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    environment = {
        **inherited,
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "PYTHONPATH": str(PROJECT),
        "SOURCE_DATE_EPOCH": EPOCH,
        "PYTHONFAULTHANDLER": "1",  # CI saw one segmentation fault (28 November 2026); the next one says where
    }
    short = Path(f"/tmp/mel-{os.getpid()}-{request.param[0]}")
    short.mkdir(exist_ok=True)
    columns, rows = request.param
    made = Terminal(short, columns, rows, environment)
    yield made
    subprocess.run(
        ["tmux", "-S", str(short / "tmux.sock"), "kill-server"], capture_output=True, check=False, timeout=30
    )
    shutil.rmtree(short, ignore_errors=True)
    deadline = time.monotonic() + PATIENCE
    while left := wizards_in(own_world):
        assert time.monotonic() < deadline, f"still running without a terminal: {left}"
        time.sleep(0.05)


def wizards_in(folder: Path) -> list[str]:
    """Return the processes that still have a workspace of this test open."""
    lines = subprocess.run(
        ["ps", "-eo", "pid,args"], capture_output=True, text=True, check=True, timeout=30
    ).stdout
    return [line for line in lines.splitlines() if "melleafy_tui" in line and str(folder) in line]


@pytest.fixture
def workspace(own_world: Path) -> Path:
    return write_workspace(own_world / "ticket-triage", TICKET_TRIAGE)


def open_steps(terminal: Terminal, workspace: Path) -> None:
    """Start the wizard, and close the review that opens first."""
    terminal.start(sys.executable, "-m", "melleafy_tui", str(workspace), cwd=workspace.parent)
    card_with_keys(terminal)
    terminal.press("!")
    terminal.wait_for(lambda screen: not CARD.search(screen), "the review closed")


CARD = re.compile(r"  card \d of \d · ")


def card_with_keys(terminal: Terminal, left: int | None = None) -> str:
    """Wait for a card that takes keys, with this many left to accept."""
    mark = "Decide" if left is None else f"Decide !{left}" if left else "Decide ·"
    return terminal.wait_for(
        lambda screen: bool(CARD.search(screen)) and mark in screen and "? Help" in screen,
        "a card with its keys",
    )


def find(terminal: Terminal, words: str) -> None:
    """Narrow the table to one row and stand on it."""
    terminal.press("/")
    terminal.type(words)
    terminal.wait_for(lambda screen: screen.count("dep_") <= 3, f"only the rows with {words!r}")
    terminal.press("Enter", "G")


@pytest.mark.slow
@pytest.mark.parametrize("terminal", [SMALL, LARGE], indirect=True)
def test_override_two_rows_undo_one_save_preview_and_write(terminal: Terminal, workspace: Path) -> None:
    open_steps(terminal, workspace)
    terminal.press("3")
    terminal.wait_for("Entries by category")
    find(terminal, "auto-close")
    terminal.press("s")
    terminal.wait_for("stub ◆")
    terminal.press("Escape")
    find(terminal, "four people")
    terminal.press("x")
    terminal.wait_for("remove ◆")
    terminal.press("u")
    terminal.wait_for(lambda screen: "remove ◆" not in screen, "the second override taken back")
    terminal.press("Escape", "C-s")
    terminal.wait_for("Save decisions")
    terminal.press("Enter")
    terminal.wait_for(lambda screen: "unsaved" not in screen and "Save decisions" not in screen, "saved")
    terminal.press("4")
    terminal.wait_for("pipeline.py")
    terminal.press("5")
    terminal.wait_for(lambda screen: "none is kept" in screen, "the plan")
    terminal.press("w")
    terminal.wait_for("Written to")
    terminal.press("q")
    assert terminal.wait_for_end() == 0

    saved = json.loads((workspace / "melleafy-decisions.json").read_text())
    assert [override["disposition"] for override in saved["overrides"]] == ["stub"]
    package = workspace.parent / "ticket-triage_mellea" / "ticket_triage_mellea"
    plan = json.loads((package / "intermediate" / "dependency_plan.json").read_text())
    [chosen] = [entry for entry in plan["entries"] if entry["source_of_decision"] == "user"]
    assert chosen["disposition"] == "stub"
    assert "NotImplementedError" in (package / "constrained_slots.py").read_text()
    assert "four people" in (package / "config.py").read_text()


@pytest.mark.parametrize("terminal", [SMALL, LARGE_LATER], indirect=True)
def test_closing_the_terminal_keeps_the_decisions_for_the_next_start(
    terminal: Terminal, workspace: Path
) -> None:
    open_steps(terminal, workspace)
    terminal.press("3")
    terminal.wait_for("Entries by category")
    find(terminal, "auto-close")
    terminal.press("s")
    terminal.wait_for("stub ◆")
    terminal.press("C-c")
    assert terminal.wait_for_end() == 130

    terminal.start_again()
    terminal.wait_for("Unsaved decisions from an earlier session")
    terminal.press("Enter")
    terminal.wait_for("unsaved decisions")
    terminal.press("3", "D")
    terminal.wait_for("stub ◆")
    assert not (workspace / "melleafy-decisions.json").exists()


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


@pytest.mark.parametrize("terminal", [SMALL_LATER, LARGE], indirect=True)
def test_all_defaults_give_the_package_of_the_command_line(
    terminal: Terminal, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_steps(terminal, workspace)
    terminal.press("n", "n", "n")
    terminal.wait_for("pipeline.py")
    terminal.press("n")
    terminal.wait_for(lambda screen: "none is kept" in screen, "the plan")
    terminal.press("w")
    terminal.wait_for("Written to")
    terminal.press("q")
    assert terminal.wait_for_end() == 0
    monkeypatch.setenv("SOURCE_DATE_EPOCH", EPOCH)
    other = workspace.parent / "by-command"
    assert main([str(workspace), "--dependencies=auto", "--out", str(other)]) == 0
    assert files_of(workspace.parent / "ticket-triage_mellea") == files_of(other)


@pytest.mark.slow
@pytest.mark.parametrize("terminal", [SMALL, LARGE], indirect=True)
def test_all_memory_becomes_a_sqlite_store_in_one_act(
    terminal: Terminal, own_world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = "# Memory\n\n" + "".join(f"## Topic {number}\n\nFact {number}.\n\n" for number in range(6))
    folder = write_workspace(own_world / "desk", {"SOUL.md": "# Soul\n\nKind.\n", "MEMORY.md": memory})
    open_steps(terminal, folder)
    terminal.press("3")
    terminal.wait_for("Entries by category")
    terminal.press("/")
    terminal.type("Fact")
    terminal.wait_for(lambda screen: "dep_002" in screen and "dep_001" not in screen, "only the facts")
    terminal.press("Enter", "A", "i")
    terminal.wait_for("real_impl")
    terminal.press("Escape", "C-s")
    terminal.wait_for("Save decisions")
    terminal.press("Enter")
    terminal.wait_for(lambda screen: "unsaved" not in screen and "Save decisions" not in screen, "saved")
    terminal.press("5")
    terminal.wait_for(lambda screen: "none is kept" in screen, "the plan")
    terminal.press("w")
    terminal.wait_for("Written to")
    terminal.press("q")
    assert terminal.wait_for_end() == 0
    decisions = folder / "melleafy-decisions.json"
    assert len(json.loads(decisions.read_text())["overrides"]) == 6
    package = own_world / "desk_mellea"
    assert "sqlite3" in "".join(path.read_text() for path in package.rglob("*.py"))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", EPOCH)
    other = own_world / "by-command"
    options = ["--decisions", str(decisions), "--dependencies=auto", "--out", str(other)]
    assert main([str(folder), *options]) == 0
    assert files_of(package) == files_of(other)


@pytest.mark.slow
@pytest.mark.parametrize("terminal", [SMALL, LARGE], indirect=True)
def test_everything_is_accepted_with_a_key_a_card_and_one_to_write(
    terminal: Terminal, workspace: Path, request: pytest.FixtureRequest
) -> None:
    size = request.node.callspec.id
    terminal.start(sys.executable, "-m", "melleafy_tui", str(workspace), cwd=workspace.parent)
    cards = int(re.findall(r"Decide !(\d+)", card_with_keys(terminal))[0])
    terminal.kept(f"review-{size}")
    for left in range(cards - 1, -1, -1):
        terminal.press("n")
        card_with_keys(terminal, left)
    terminal.kept(f"ready-{size}")
    terminal.press("w")
    terminal.wait_for("fixtures completed")
    terminal.kept(f"written-{size}", without="The package is written")
    terminal.press("q")
    assert terminal.wait_for_end() == 0
    assert_imports(workspace.parent / "ticket-triage_mellea")


def assert_imports(package: Path) -> None:
    [found] = package.glob("*/pipeline.py")
    code = f"import {found.parent.name}.pipeline"
    subprocess.run([sys.executable, "-c", code], cwd=package, check=True, capture_output=True, timeout=120)


@pytest.mark.slow
@pytest.mark.parametrize("terminal", [pytest.param((120, 36), id="120x36")], indirect=True)
def test_only_the_mouse_is_used(terminal: Terminal, workspace: Path) -> None:
    terminal.start(sys.executable, "-m", "melleafy_tui", str(workspace), cwd=workspace.parent)
    for left in range(int(re.findall(r"Decide !(\d+)", card_with_keys(terminal))[0]) - 1, -1, -1):
        terminal.click("n Accept")
        card_with_keys(terminal, left)
    terminal.click("3 Decide")
    terminal.wait_for("Entries by category")
    terminal.click("Rule: keep every reply")
    terminal.wait_for("dep_006  AGENTS.md:6")
    terminal.click("x remove")
    terminal.wait_for("→ 1 changed by you")
    terminal.click("5 Write")
    terminal.wait_for("none is kept")
    terminal.click("w Write")
    terminal.wait_for("Written to")
    assert_imports(workspace.parent / "ticket-triage_mellea")


@pytest.mark.slow
@pytest.mark.parametrize("terminal", [LARGE], indirect=True)
def test_a_conflict_with_edits_becomes_a_package_that_imports(
    terminal: Terminal, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", EPOCH)
    assert main([str(workspace), "--dependencies=auto"]) == 0
    package = workspace.parent / "ticket-triage_mellea"
    [rules] = package.glob("*/requirements.py")
    rules.write_text(rules.read_text().replace("at_most(119", "at_most(100"))
    assert "at_most(100" in rules.read_text()
    source = workspace / "AGENTS.md"
    source.write_text(source.read_text().replace("under 120 words", "under 90 words"))
    open_steps(terminal, workspace)
    terminal.press("5")
    terminal.wait_for("conflicts with your edits")
    terminal.press("j")
    terminal.wait_for("⏎ Open")
    terminal.press("Enter")
    terminal.wait_for("m keep mine")
    terminal.kept("conflict-160x48")
    terminal.press("t")
    terminal.wait_for("overwritten, with a backup  1")
    terminal.press("w")
    terminal.wait_for("Written to")
    terminal.press("q")
    assert terminal.wait_for_end() == 0
    assert "at_most(89" in rules.read_text()
    assert not list(package.rglob("*.new"))
    assert_imports(package)
