"""Every command of README and docs is run, and every output shown is what it prints.

A `console` block has commands after `$ ` and what they print. The blocks of one page run in order, in a folder that holds
`examples/` as a clone does; a line `…` stands for any lines. `UPDATE_GOLDEN=1` writes what is printed into the pages.
Commands in other blocks stand for the reader's own folder, `./my-agent`: they run on a copy of an example.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from melleafy_tui.cli.argument_table import COMMANDS_BY_NAME, parse
from tests.conftest import PROJECT
from tests.contracts.test_docs import DOCUMENTS, commands_in
from tests.safety.chain import run

FENCE: Final = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES: Final = [name for name in DOCUMENTS if FENCE.search((PROJECT / name).read_text(encoding="utf-8"))]
UPDATE: Final = bool(os.environ.get("UPDATE_GOLDEN"))


class Step(NamedTuple):
    """A command as it stands in the page, what the shell gets of it, and what the page says that it prints."""

    written: str
    command: str
    shown: str


def steps_of(block: str) -> list[Step]:
    """The commands of a block, each with its output; a line after `> ` continues a command."""
    found = re.findall(r"^(\$ .*\n(?:> ?.*\n)*)((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
    return [
        Step(written, re.sub(r"^[$>] ?", "", written, flags=re.MULTILINE), shown) for written, shown in found
    ]


HOME: Final = "/home/you"
"""Where the reader works, in the pages."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the examples, in which `melleafy-tui` and `python` are these."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, words in (("melleafy-tui", "-m melleafy_tui"), ("python", "")):
        (programs / name).write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {words} "$@"\n')
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(PROJECT))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("GIT_AUTHOR", "GIT_COMMITTER"):
        monkeypatch.setenv(f"{name}_NAME", "reader")
        monkeypatch.setenv(f"{name}_EMAIL", "reader@example.org")
    work = tmp_path / "work"
    shutil.copytree(PROJECT / "examples", work / "examples")
    return work


def printed(command: str, folder: Path) -> str:
    """What a terminal shows of a command, without colours."""
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, f"$ {command}\nexit {done.returncode}\n{done.stdout}"
    lines = [line.rstrip() for line in done.stdout.splitlines()]
    return "".join(f"{line}\n" for line in lines).replace(str(folder), HOME)


def agrees(shown: str, real: str) -> bool:
    """Whether an output is what the page shows; a line `…` stands for any lines."""
    parts = [re.escape(part) for part in re.split(r"^…\n", shown, flags=re.MULTILINE)]
    return re.fullmatch(r"(?:.*\n)*?".join(parts), real) is not None


GROWN: Final = 3
"""The most lines by which a shown part of an output may have grown."""


def renewed(shown: str, real: str) -> str:
    """The real output, shortened where the shown one is: each part stands where the lines are most alike."""
    *parts, last = re.split(r"^…\n", shown, flags=re.MULTILINE)
    lines = real.splitlines(keepends=True)
    at, end = 0, len(lines) - len(last.splitlines())
    kept: list[str] = []
    for part in parts:
        length = len(part.splitlines())
        windows = [
            (start, stop)
            for start in (range(at, end + 1) if kept else [0])
            for stop in range(start + length, min(end, start + length + (GROWN if length else 0)) + 1)
        ]
        if not windows:
            return real
        start, at = max(windows, key=lambda window: _likeness(part, "".join(lines[slice(*window)])))
        kept.append("".join(lines[start:at]))
    text = "…\n".join([*kept, "".join(lines[end:])])
    return text if parts and agrees(text, real) else real


def _likeness(left: str, right: str) -> float:
    return SequenceMatcher(None, left, right, autojunk=False).ratio()


def test_a_renewed_output_stays_as_short_as_it_was() -> None:
    real = "Wrote: x\n  40 new\nStubs to write: 3\nRead in x:\n  §5 Memory\nOne run costs 2\nNext:\n  y\n"
    assert renewed("Wrote: x\n  39 new\n…\nOne run costs 1\n…\n", real) == (
        "Wrote: x\n  40 new\n…\nOne run costs 2\n…\n"
    )
    assert renewed("…\n  z\n", real) == "…\n  y\n"
    assert renewed("Wrote: z\n", real) == real
    assert renewed("Wrote: x\n  39 new\nRead in x:\n…\n", real) == (
        "Wrote: x\n  40 new\nStubs to write: 3\nRead in x:\n…\n"
    )


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_every_output_is_what_the_command_prints(page: str, folder: Path) -> None:
    path = PROJECT / page
    text = path.read_text(encoding="utf-8")
    wrong: list[str] = []

    def checked(block: re.Match[str]) -> str:
        lines: list[str] = []
        for step in steps_of(block[1]):
            real = printed(step.command, folder)
            fits = agrees(step.shown, real)
            wrong.extend([] if fits else [f"{step.written}--- shown\n{step.shown}--- printed\n{real}"])
            lines.append(step.written + (step.shown if fits else renewed(step.shown, real)))
        return "```console\n" + "".join(lines) + "```"

    updated = FENCE.sub(checked, text)
    if UPDATE:
        path.write_text(updated, encoding="utf-8")
    else:
        assert not wrong, "\n".join(wrong)


def test_every_console_block_has_commands() -> None:
    texts = {page: (PROJECT / page).read_text(encoding="utf-8") for page in PAGES}
    assert [
        page for page, text in texts.items() for block in FENCE.findall(text) if not steps_of(block)
    ] == []
    assert "README.md" in PAGES
    assert len(PAGES) > 10


# --- commands for the reader's own folder -------------------------------------------------------

NOT_RUN: Final = {
    "serve": "a server that waits for Ctrl+C",
    "doctor": "asks for a model",
    "run": "asks for a model",
    "--live": "asks for a model",
    "--local": "asks for a model",
    "--assist": "asks for a model",
    "--linear": "asks questions",
    "history": "reads the state folder of an agent",
    "materialize": "reads surfaces, or writes over the folder",
    "--workspace": "reads a package of another workspace",
}
"""Words of commands that are parsed only, with the reason; each command has tests of its own."""


def own_commands() -> Iterator[tuple[str, list[str]]]:
    """Each document with a command; those of docs/reference are examples of the help, whose test runs them."""
    for document in DOCUMENTS:
        if document.startswith("docs/reference/"):
            continue
        text = FENCE.sub("", (PROJECT / document).read_text(encoding="utf-8"))
        for words in commands_in(text):
            yield document, words


def test_every_command_for_the_reader_s_folder_is_read() -> None:
    """The parser takes it, values of options included."""
    wrong = []
    for document, words in own_commands():
        try:
            if "--help" not in words and "--version" not in words:
                parse(shlex.split(" ".join(words)))
        except Exception as error:
            wrong.append((document, words, str(error)))
    assert wrong == []


def runs(words: list[str]) -> bool:
    """Whether a command needs no terminal, model, server, state folder, or folder of another machine."""
    if any("$" in word or word.startswith("/") for word in words):
        return False
    headless = any(word.startswith("--dependencies=") for word in words) or "--show-settings" in words
    return not set(words) & set(NOT_RUN) and (words[0] in COMMANDS_BY_NAME or headless)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The reader's folder: a workspace, an earlier release of it, its package, and its decisions."""
    place = tmp_path_factory.mktemp("reader") / "here"
    agent = place / "my-agent"
    beside = ("last-release", "examples/ticket-triage", "agents/desk", "../my-agent-1.2")
    for copy in (agent, *(place / name for name in beside)):
        shutil.copytree(PROJECT / "examples" / "ticket-triage", copy)
    (agent / "openclaw.json").write_text('{agents: {list: [{id: "desk"}, {id: "scout"}]}}', encoding="utf-8")
    assert run("plan", agent, "--save", place / "my.json").code == 0
    shutil.copy(place / "my.json", agent / "melleafy-decisions.json")
    shutil.copy(place / "my.json", place / "decisions.json")
    assert run(agent, "--dependencies=auto", "--out", place / "my-agent_mellea").code == 0
    return place


ENDS: Final = {0: "done", 10: "strict", 15: "stale or different"}
"""The exit codes that a command in the docs may have on the prepared folder."""


@pytest.mark.slow
def test_every_command_for_the_reader_s_folder_runs(
    prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = {tuple(words): document for document, words in own_commands() if runs(words)}
    wrong = []
    for number, (words, document) in enumerate(commands.items()):
        place = tmp_path / str(number)
        shutil.copytree(prepared.parent, place)
        monkeypatch.chdir(place / "here")
        said = run(*shlex.split(" ".join(words)))
        if said.code not in ENDS:
            wrong.append(f"{document}: {' '.join(words)}: exit {said.code}: {said.messages[-500:]}")
    assert not wrong, "\n".join(wrong)
    assert len(commands) > 10
