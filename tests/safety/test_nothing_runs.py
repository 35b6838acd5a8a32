"""Nothing of a downloaded folder runs: no module of the current folder, and no code that the lints don't read."""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from melleafy_tui.cli.argument_table import COMMANDS_BY_NAME, parser_of
from melleafy_tui.cli.commands import serve
from melleafy_tui.cli.main import main
from melleafy_tui.engine import decisions_beside
from tests.safety.chain import AS_OF, run
from tests.safety.hostile_workspaces import put

SHADOWED = ("multiprocessing", "json", "struct", "pydantic", "textual", "melleafy_tui")
"""Modules that a new process imports first; Python would take the current folder's."""


@pytest.fixture
def ran(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a file that comes to be if a module of the current folder is imported."""
    place = tmp_path / "ran"
    folder = tmp_path / "downloaded"
    code = f"open({os.fspath(place)!r}, 'a').close()\nraise ImportError\n"
    put(folder, {f"{name}.py": code for name in SHADOWED})
    put(folder, {"agent/SOUL.md": "# Soul\n\nWarm.\n", "agent/IDENTITY.md": "- **Name:** Loam\n"})
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(folder)
    return place


def test_processes_of_convert_all_import_nothing_of_the_current_folder(ran: Path, tmp_path: Path) -> None:
    code = main(["convert", "--all", "agent", "--jobs", "1", "--out", str(tmp_path / "out"), "--dry-run"])
    assert (code, ran.exists()) == (0, False)
    assert "PYTHONSAFEPATH" not in os.environ


def test_a_served_wizard_imports_nothing_of_the_current_folder(ran: Path) -> None:
    arguments = parser_of(COMMANDS_BY_NAME["serve"]).parse_args(["agent"])
    arguments.command = "serve"
    words = shlex.split(serve._command(arguments))
    done = subprocess.run([*words, "--version"], capture_output=True, text=True, check=False)
    assert (done.returncode, ran.exists()) == (0, False), done.stderr
    assert words[0] == sys.executable


# --- code that a lint can't read --------------------------------------------------------------

EVIL = "import os\nos.mkdir('ran')\n"


def _add(module: str, place: Path) -> None:
    with (place / "__init__.py").open("a") as stream:
        stream.write(f"\nfrom . import {module} as {module}\n")


def _linked_module(package: Path) -> None:
    (package.parent / "x.txt").write_text(EVIL)
    (package / "__init__.py").unlink()
    (package / "__init__.py").symlink_to("../x.txt")


def _linked_folder(package: Path) -> None:
    put(package.parent, {"other/__init__.py": EVIL})
    (package / "other").symlink_to("../other")
    _add("other", package)


def _skipped_folder(package: Path) -> None:
    put(package, {"build.py": '"""Harmless."""\n', "build/__init__.py": EVIL})
    _add("build", package)


def _carried_folder(package: Path) -> None:
    put(package, {"scripts/__init__.py": EVIL})
    _add("scripts", package)


def _carried_module(package: Path) -> None:
    put(package, {"scripts/x.py": EVIL + "y = 1\n"})
    with (package / "__init__.py").open("a") as stream:
        stream.write("\nfrom .scripts.x import y as y\n")


def _pipe(package: Path) -> None:
    (package / "config.py").unlink()
    os.mkfifo(package / "config.py")


def _many(package: Path) -> None:
    put(package, {f"a/{number}.txt": "" for number in range(5_001)})


UNREAD: dict[str, Callable[[Path], object]] = {
    "a module that is a link": _linked_module,
    "a folder that is a link": _linked_folder,
    "a folder that lints leave out": _skipped_folder,
    "a package among the scripts": _carried_folder,
    "a module among the scripts": _carried_module,
    "a large module": lambda place: (place / "__init__.py").write_text(EVIL + "#" * 10_000_000),
    "a library in place of a module": lambda place: (place / "config.abi3.so").write_bytes(b"\x7fELF"),
    "compiled code": lambda place: (place / "extra.pyc").write_bytes(b"x"),
    "a folder in place of a module": lambda place: put(place, {"config/__init__.py": EVIL}),
    "a module in place of one of Python": lambda place: put(place.parent, {"json.py": EVIL}),
    "a package in place of Mellea": lambda place: put(place.parent, {"mellea/__init__.py": EVIL}),
    "a module that Python runs at its start": lambda place: put(place.parent, {"sitecustomize.py": EVIL}),
    "a pipe": _pipe,
    "more files than are read": _many,
}


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a package as it was emitted."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    put(tmp_path / "w", {"SOUL.md": "# Soul\n\nWarm.\n", "IDENTITY.md": "- **Name:** Loam\n"})
    assert run(tmp_path / "w", "--dependencies=auto", "--as-of", AS_OF, "--out", tmp_path / "out").code == 0
    return tmp_path / "out" / "loam_mellea"


def test_no_package_passes_whose_import_runs_what_the_lints_did_not_read(written: Path) -> None:
    passed = []
    for number, (name, change) in enumerate(UNREAD.items()):
        out = written.parents[1] / str(number)
        shutil.copytree(written.parent, out)
        change(out / written.name)
        said = run("lint", out)
        if said.code not in (2, 11) or not said.messages:
            passed.append((name, said))
    assert run("lint", written).code == 0
    assert passed == []


PROJECTS = (
    "tool = 1\n",
    "[tool]\nsetuptools = [1]\n",
    "[tool.setuptools]\npackages = 1\n",
    "[tool.setuptools]\npackages = ['loam_mellea']\n[project]\ndependencies = 1\n",
    "[tool.setuptools]\npackages = ['loam_mellea']\n[project]\ndependencies = [1]\n",
    "project = 1\n[tool.setuptools]\npackages = ['loam_mellea']\n",
    "a = " + "[" * 50_000,
    "\0",
)


def test_a_project_file_of_any_shape_is_linted_or_refused(written: Path) -> None:
    codes = {}
    for text in PROJECTS:
        (written.parent / "pyproject.toml").write_text(text)
        codes[text[:60]] = run("lint", written).code
    assert set(codes.values()) <= {0, 2, 11}, codes


# --- records that are no files ----------------------------------------------------------------

RECORDS = (
    "melleafy.json",
    "intermediate/emitted.json",
    "intermediate/emitted_texts.json",
    "intermediate/inventory.json",
    "intermediate/source_layout.json",
    "config.py",
)
COMMANDS: dict[str, Callable[[Path, Path], tuple[object, ...]]] = {
    "lint": lambda root, out: ("lint", out),
    "check": lambda root, out: ("check", root, "--out", out, "--as-of", AS_OF),
    "convert": lambda root, out: (root, "--out", out, "--as-of", AS_OF, "--dependencies=auto"),
    "diff": lambda root, out: ("diff", out, root),
    "explain": lambda root, out: ("explain", out, "config.py"),
    "export": lambda root, out: ("export", out, out.parent / "e", "--host=openclaw", "--dry-run"),
}


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["pipe", "device"])
def test_a_record_without_an_end_is_never_waited_for(shape: str, written: Path, tmp_path: Path) -> None:
    """A pipe to which nobody writes, and a link to a device: each once waited, or filled the memory."""
    for number, name in enumerate(RECORDS):
        out = tmp_path / f"{shape}-{number}"
        shutil.copytree(written.parent, out)
        place = out / written.name / name
        place.unlink()
        if shape == "pipe":
            os.mkfifo(place)
        else:
            place.symlink_to("/dev/zero")
        for command, words in COMMANDS.items():
            said = run(*words(tmp_path / "w", out))
            assert said.code in (0, 2, 11, 14, 15), (name, command, said)


def test_a_link_in_a_package_shows_nothing_of_what_it_leads_to(written: Path, tmp_path: Path) -> None:
    (tmp_path / "private").write_text("dear diary\n")
    (written / "config.py").unlink()
    (written / "config.py").symlink_to(tmp_path / "private")
    for command, words in COMMANDS.items():
        said = run(*words(tmp_path / "w", written.parent))
        assert "dear diary" not in said.out + said.messages, command
    kept = [place for place in written.rglob("*") if place.is_file() and not place.is_symlink()]
    assert not [place for place in kept if b"dear diary" in place.read_bytes()]


def test_decisions_beside_the_workspace_that_are_a_link_are_not_offered(
    written: Path, tmp_path: Path
) -> None:
    (tmp_path / "private").write_text("{}")
    (tmp_path / "w" / "melleafy-decisions.json").symlink_to(tmp_path / "private")
    assert decisions_beside(tmp_path / "w") is None
