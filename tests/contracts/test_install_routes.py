"""Every way to install works as it does for a user, and what it installs converts an example.

The routes share one cache of downloads; set PIP_CACHE_DIR and UV_CACHE_DIR to keep it for the next run.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import pytest
import yaml

from melleafy_tui.version import __version__
from tests.contracts.test_packaging import data_files_on_disk

pytestmark = pytest.mark.slow

PROJECT: Final = Path(__file__).resolve().parents[2]
EXAMPLE: Final = "ticket-triage"
CONVERSION: Final = (EXAMPLE, "--dependencies=auto")


class Route(NamedTuple):
    """What a user types in a clone, and how the installed programs are started; no word holds a space."""

    steps: tuple[str, ...]
    tool: str = "{place}/venv/bin/melleafy-tui"


VENV: Final = "{python} -m venv {place}/venv"
PIP: Final = "{place}/venv/bin/python -m pip install"
UVX: Final = "{python} -m uv tool run --from {place}/clone"

ROUTES: Final = {
    "pip of the venv": Route((VENV, f"{PIP} .")),
    "newest pip": Route((VENV, f"{PIP} --upgrade pip", f"{PIP} .")),
    "pip from git": Route((VENV, f"{PIP} git+file://{{project}}")),
    "pip, wheel": Route((VENV, f"{PIP} {{wheel}}")),
    "pip, sdist": Route((VENV, f"{PIP} {{sdist}}")),
    "pipx with pip": Route(
        ("{python} -m pipx install --backend pip .",),
        "{place}/bin/melleafy-tui",
    ),
    "uv tool": Route(("{python} -m uv tool install .",), "{place}/bin/melleafy-tui"),
    "uvx": Route((), f"{UVX} melleafy-tui"),
}


def run(command: Sequence[str | Path], folder: Path) -> str:
    """Return what a command printed."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, f"{command}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def commit_all(folder: Path) -> None:
    """Make a repository of a folder, with one commit."""
    run(["git", "init", "-q"], folder)
    run(["git", "add", "-A"], folder)
    run(
        ["git", "-c", "user.name=tester", "-c", "user.email=tester@example.org", "commit", "-qm", "all"],
        folder,
    )


@pytest.fixture(scope="module", autouse=True)
def shared_caches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let all routes share one cache, and take uv to the registry that this user's pip is set to."""
    asked = run([sys.executable, "-m", "pip", "config", "list"], PROJECT)
    configured = dict(line.split("=", 1) for line in asked.splitlines())
    registry = configured.get(":env:.index-url", configured.get("global.index-url", "")).strip("'")
    settings = {
        "PIP_CACHE_DIR": str(tmp_path_factory.mktemp("pip")),
        "UV_CACHE_DIR": str(tmp_path_factory.mktemp("uv")),
        "PIP_NO_COMPILE": "1",  # bytecode is half the time of an installation
        **({"PIP_INDEX_URL": registry, "UV_DEFAULT_INDEX": registry} if registry else {}),
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in settings.items():
            patch.setenv(name, os.environ.get(name, value))
        yield


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a repository of the files as they are here, committed or not."""
    copy = tmp_path_factory.mktemp("project")
    listed = run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], PROJECT)
    for name in listed.split("\0")[:-1]:
        if os.path.lexists(PROJECT / name):
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(PROJECT / name, copy / name, follow_symlinks=False)
    commit_all(copy)
    return copy


@pytest.fixture(scope="module")
def built(project: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return the sdist, and the wheel that was made from it."""
    out = tmp_path_factory.mktemp("dist")
    run([sys.executable, "-m", "build", "--outdir", out, project], out)
    return {"sdist": next(out.glob("*.tar.gz")), "wheel": next(out.glob("*.whl"))}


@pytest.fixture
def place(tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a clone, an example outside of it, and room for what is installed."""
    for name, folder in {
        "PIPX_HOME": "pipx",
        "PIPX_BIN_DIR": "bin",
        "UV_TOOL_DIR": "uv",
        "UV_TOOL_BIN_DIR": "bin",
    }.items():
        monkeypatch.setenv(name, str(tmp_path / folder))
    run(["git", "clone", "-q", project, "clone"], tmp_path)
    shutil.copytree(PROJECT / "examples" / EXAMPLE, tmp_path / "work" / EXAMPLE)
    return tmp_path


def package_of(work: Path) -> set[str]:
    """Return the modules of the package that was written."""
    return {path.name for path in (work / f"{EXAMPLE}_mellea").glob("*/*.py")}


@pytest.mark.parametrize("name", ROUTES)
def test_what_is_installed_converts_an_example(
    name: str, place: Path, project: Path, built: dict[str, Path]
) -> None:
    def words(command: str) -> list[str]:
        return command.format(python=sys.executable, place=place, project=project, **built).split()

    route = ROUTES[name]
    for step in route.steps:
        run(words(step), place / "clone")
    work = place / "work"
    assert run([*words(route.tool), "--version"], work).split()[-1] == __version__
    run([*words(route.tool), *CONVERSION], work)
    assert {"pipeline.py", "main.py"} <= package_of(work)


def test_the_hook_is_installed_by_pre_commit(place: Path) -> None:
    """`try-repo` throws its environment away, so what else it is to show are hooks beside ours."""
    manifest = place / "clone" / ".pre-commit-hooks.yaml"
    [ours] = yaml.safe_load(manifest.read_text(encoding="utf-8"))
    entries = [
        ("version", ["melleafy-tui", "--version"]),
        ("convert", ["melleafy-tui", *CONVERSION]),
    ]
    beside = [{**ours, "id": id_, "name": id_, "entry": shlex.join(entry)} for id_, entry in entries]
    manifest.write_text(json.dumps([*beside, {**ours, "args": [EXAMPLE]}]), encoding="utf-8")
    run(
        ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-qam", "hooks"],
        place / "clone",
    )
    work = place / "work"
    commit_all(work)
    shown = run(
        [sys.executable, "-m", "pre_commit", "try-repo", "../clone", "--all-files", "--verbose"], work
    )
    assert shown.count("Passed") == 3, shown
    assert __version__ in shown
    assert {"pipeline.py", "main.py"} <= package_of(work)


def test_the_wheel_holds_the_product_and_all_its_data(built: dict[str, Path]) -> None:
    wheel = zipfile.ZipFile(built["wheel"])
    names = wheel.namelist()
    for table in (name for name in names if name.endswith(".toml")):
        rows = json.loads(wheel.read(f"{table.removesuffix('.toml')}.json"))
        assert rows == tomllib.loads(wheel.read(table).decode("utf-8")), table
    roots = {name.split("/")[0] for name in names}
    assert {root for root in roots if not root.endswith(".dist-info")} == {"melleafy_tui"}
    assert data_files_on_disk() <= set(names)


def test_the_sdist_holds_what_a_packager_needs(project: Path, built: dict[str, Path]) -> None:
    """All that is committed except links and what only a clone has a use for."""
    with tarfile.open(built["sdist"]) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    committed = run(["git", "ls-files"], project).splitlines()
    files = {name for name in committed if not (project / name).is_symlink()}
    assert files - held == {".ci/run", ".gitattributes", ".gitignore", "action.yml", "budgets.toml"}
