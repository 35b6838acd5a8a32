"""No planted secret in any output, log, journal, decisions file, report, picture or message (spec/safety.md 4)."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import pytest

from melleafy_tui.cli.argument_table import COMMANDS_BY_NAME
from tests.conftest import PROJECT
from tests.safety.chain import run
from tests.safety.planted import PLANTED, Planter, files_with

AS_OF: Final = ("--as-of", "2026-11-01")
OTHER: Final = PROJECT / "examples" / "persona-only"
Words = tuple[object, ...]
Runs = Callable[[Path, Path], list[Words]]
"""Returns the runs of one command, given the workspace and a folder that holds its package in `out`."""

RUNS: Final[dict[str, Runs]] = {
    "convert": lambda root, to: [
        (root, "--dependencies=auto", "--out", to / "auto", *AS_OF),
        (root, "--dependencies=auto", "--out", to / "auto", "--dry-run", "--json", *AS_OF),
        (root, "--dependencies=strict", "--out", to / "strict", *AS_OF),
        (root, "--show-settings", "--json"),
    ],
    **{
        name: lambda root, to, name=name: [(name, root, *AS_OF), (name, root, "--json", *AS_OF)]  # type: ignore[misc]
        for name in ("detect", "inventory", "context")
    },
    "plan": lambda root, to: [
        ("plan", root, "--save", to / "d.json", *AS_OF),
        ("plan", root, "--verbose", *AS_OF),
        ("plan", root, "--decisions", to / "d.json", "--json", *AS_OF),
    ],
    "preview": lambda root, to: [
        ("preview", root, *AS_OF),
        ("preview", root, "--diff", *AS_OF),
        ("preview", root, "--json", *AS_OF),
    ],
    "explain": lambda root, to: [
        ("explain", root, "AGENTS.md", *AS_OF),
        *(
            words
            for path in sorted(root.rglob("*"))
            if path.is_file()
            for words in (
                ("explain", root, f"{path}:1-2", *AS_OF),
                ("explain", to / "out", path.relative_to(root), "--json"),
            )
        ),
    ],
    "diff": lambda root, to: [
        ("diff", *sides, *form, *AS_OF)
        for sides in ((OTHER, root), (root, OTHER), (root, to / "out"))
        for form in ((), ("--format=markdown",), ("--json",))
    ],
    "check": lambda root, to: [("check", root, "--out", to / "out", "--json", *AS_OF)],
    "lint": lambda root, to: [("lint", to / "out"), ("lint", to / "out", "--json")],
    "smoke": lambda root, to: [("smoke", to / "out", "--json")],
    "run": lambda root, to: [("run", to / "out", "Hello", "--json")],
    "export": lambda root, to: [("export", to / "out", to / "exported", "--host=openclaw")],
    "history": lambda root, to: [
        ("history", root.parent / "state"),
        ("history", root.parent / "state", "--session", "all", "--json"),
    ],
    "materialize": lambda root, to: [
        ("materialize", root, to / "w", "--json"),
        ("materialize", root, to / "w"),
    ],
    "serve": lambda root, to: [("serve", root, "--port=nothing")],
    "doctor": lambda root, to: [],
    "schema": lambda root, to: [("schema", "inventory")],
    "completion": lambda root, to: [("completion", "bash")],
    "help": lambda root, to: [("help", "plan")],
}
NOT_RUN: Final = {"doctor": "reads no workspace and would ask the configured backend"}


BYTE_FOR_BYTE: Final = frozenset({"materialize"})
"""Commands that copy the user's own files as they are; what they print holds no secret all the same."""


def test_every_command_has_its_runs() -> None:
    assert set(RUNS) == set(COMMANDS_BY_NAME)
    assert {name for name, runs in RUNS.items() if not runs(Path("w"), Path("to"))} == set(NOT_RUN)


def with_history(plant: Planter, root: Path) -> None:
    sessions = root.parent / "state" / "agents" / "main" / "sessions"
    sessions.mkdir(parents=True)
    lines = [
        {"type": "session", "id": "s", "timestamp": "2026-01-01T00:00:00Z"},
        {"type": "message", "message": {"role": "user", "content": f"my token is {plant.token()}"}},
        {"type": "message", "message": {"role": "assistant", "content": f"password: {plant.password()}"}},
    ]
    (sessions / "s.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n{broken " + plant.token())


USUAL: Final = ("convert", "inventory", "plan", "lint")


def test_no_planted_secret_comes_out_of_the_usual_commands(tmp_path: Path, own_world: Path) -> None:
    come_out("openclaw", USUAL, tmp_path, own_world)


@pytest.mark.slow
@pytest.mark.parametrize("form", PLANTED)
def test_no_planted_secret_comes_out(form: str, tmp_path: Path, own_world: Path) -> None:
    come_out(form, [name for name in RUNS if name not in (*NOT_RUN, "smoke", "run")], tmp_path, own_world)


@pytest.mark.slow
def test_no_planted_secret_comes_out_of_a_package_that_runs(tmp_path: Path, own_world: Path) -> None:
    come_out("openclaw", ["smoke", "run"], tmp_path, own_world)


def come_out(form: str, commands: Sequence[str], place: Path, home: Path) -> None:
    """Run commands on a workspace of this form; what they print, write and keep holds no planted value."""
    plant = Planter()
    root = PLANTED[form](plant, place / "source" / "workspace")
    with_history(plant, root)
    to = place / "to"
    convert: Words = (root, "--dependencies=auto", "--out", to / "out", "--quiet", *AS_OF)
    for command in ("", *commands):
        folder = place / "bytes" if command in BYTE_FOR_BYTE else to
        folder.mkdir(exist_ok=True)
        for words in RUNS[command](root, folder) if command else [convert]:
            said = run(*words)
            # Only what a run complains of has a traceback to show.
            for each in (said, run(*words, "--debug")) if said.code else (said,):
                assert plant.found_in(each.out) == [], words
                assert plant.found_in(each.messages) == [], words
                assert each.code != 1, (words, each.messages[-1000:])
    assert files_with(plant, (to, home)) == []
