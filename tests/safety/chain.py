"""The whole chain on one workspace, as its owner would run it, and what must hold of every output (spec/safety.md)."""

import ast
import io
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from melleafy_tui.cli.main import EXIT_CODES, EXIT_DONE, main
from tests.safety.hostile_texts import ACTS, MARK, SPRUNG

AS_OF: Final = "2026-11-01"
LOOKING: Final = ("detect", "inventory", "plan", "preview", "context")
DOCUMENTED: Final = frozenset({EXIT_DONE, *EXIT_CODES.values()})
COPIED: Final = ("scripts", "assets", "references", "memory")
"""Folders of a package that hold files of the source byte for byte."""

IMPORT: Final = """
import sys
sys.path.insert(0, sys.argv[1])
import mellea
touched = []
def watch(event, arguments):
    if event == "open" and isinstance(arguments[1], str) and set(arguments[1]) & set("wax+"):
        touched.append((event, str(arguments[0])))
    elif event.startswith(("socket.", "subprocess.", "os.system", "os.exec", "os.spawn", "os.mkdir", "os.remove",
                           "os.rename", "shutil.", "urllib.", "http.")):
        touched.append((event, str(arguments)[:200]))
sys.dont_write_bytecode = True
sys.addaudithook(watch)
import importlib, pkgutil
for name in sys.argv[2:]:
    package = importlib.import_module(name)
    for found in pkgutil.walk_packages(package.__path__, name + "."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)
print(*touched, sep="\\n", end="")
"""


@dataclass(frozen=True)
class Said:
    """What one run of the command line gave: exit code, standard output, messages."""

    code: int
    out: str
    messages: str


def run(*words: object) -> Said:
    """Run the command line in this process."""
    out, messages = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(messages):
        try:
            code = main([str(word) for word in words])
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 1
    return Said(code, out.getvalue(), messages.getvalue())


def safely(*words: object) -> Said:
    """Run the command line; its exit code must be documented, and nothing it prints may act on a terminal."""
    said = run(*words)
    assert said.code in DOCUMENTED, (words, said.code, said.messages[-2000:])
    for printed in (said.out, said.messages):
        found = ACTS.search(printed)
        assert found is None, (words, found, printed[max(0, found.start() - 80) : found.end() + 20])
    return said


def look(root: Path) -> None:
    """Run the commands that only look, for people and for programs."""
    for command in LOOKING:
        for options in ((), ("--json",)):
            safely(command, root, "--as-of", AS_OF, *options)


def converted(root: Path, out: Path) -> Path:
    """Convert a workspace; nothing but the output folder may change, and what is in it must be ours."""
    before = tree(root.parent)
    said = safely(root, "--dependencies=auto", "--as-of", AS_OF, "--out", out)
    assert said.code == EXIT_DONE, said.messages[-500:]
    assert tree(root.parent) == before
    check_package(out)
    for words in (("lint", out), ("check", root, "--out", out, "--as-of", AS_OF)):
        said = safely(*words)
        assert said.code == EXIT_DONE, (words, said.out[-1500:], said.messages[-500:])
    return out


def check_package(out: Path) -> None:
    """Check that the code is Python, calls nothing that texts planted, and that no text of ours acts on a terminal."""
    for path in sorted(out.rglob("*")):
        assert not path.is_symlink(), path
        if not path.is_file() or any(part in COPIED for part in path.relative_to(out).parts):
            continue
        text = path.read_bytes().decode("utf-8")
        found = ACTS.search(text)
        assert found is None, (str(path), found, text[max(0, found.start() - 80) : found.end() + 20])
        if path.suffix == ".py":
            nodes = list(ast.walk(ast.parse(text)))
            calls = [node for node in nodes if isinstance(node, ast.Call)]
            named = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == MARK]
            steps = {node.name for node in nodes if isinstance(node, ast.FunctionDef) and node.args.args}
            assert all(call.args and MARK in steps for call in named), path  # a step may have a text's name


def imported(out: Path) -> str:
    """Import every module of a package in another process; return what that wrote, started or connected to."""
    (manifest,) = out.glob("*/melleafy.json")
    done = subprocess.run(
        [sys.executable, "-c", IMPORT, str(out), manifest.parent.name],
        capture_output=True,
        text=True,
        check=False,
        cwd=out,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def sprung(*folders: Path) -> list[Path]:
    """Return what a text managed to make, which must be nothing."""
    return [found for folder in folders for found in folder.rglob(f"*{SPRUNG}*") if found.name == SPRUNG]


def tree(folder: Path) -> dict[str, tuple[int, int]]:
    """Return every name below a folder with its mode and time of change, links as links."""
    found: dict[str, tuple[int, int]] = {}
    for home, folders, names in os.walk(os.fsencode(folder)):
        for name in (*folders, *names):
            path = os.path.join(home, name)  # noqa: PTH118 - names that are no text
            state = os.lstat(path)
            found[os.fsdecode(path)] = (state.st_mode, state.st_mtime_ns)
    return found
