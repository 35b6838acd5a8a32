"""The project file and the folders agree, and the wheel holds melleafy_tui and nothing else."""

import os
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
SOURCE_FOLDERS = {
    "melleafy_tui": "melleafy_tui",
    "screens": "melleafy_tui.screens",
    "generators": "melleafy_tui.generators",
}


def packages_on_disk() -> set[str]:
    found = set()
    for folder, package in SOURCE_FOLDERS.items():
        for marker in sorted((PROJECT / folder).rglob("__init__.py")):
            inside = marker.parent.relative_to(PROJECT / folder)
            if "__pycache__" in inside.parts or (
                folder == "melleafy_tui" and inside.parts[:1] in (("screens",), ("generators",))
            ):
                continue
            found.add(".".join((package, *inside.parts)))
    return found


def data_files_on_disk() -> set[str]:
    found = set()
    for folder in SOURCE_FOLDERS:
        for path in (PROJECT / folder).rglob("*"):
            inside = path.relative_to(PROJECT / folder)
            linked = folder == "melleafy_tui" and inside.parts[0] in ("screens", "generators")
            if path.is_file() and path.suffix not in (".py", ".pyc") and not linked:
                prefix = "melleafy_tui" if folder == "melleafy_tui" else f"melleafy_tui/{folder}"
                found.add(f"{prefix}/{inside.as_posix()}")
    return found


def test_every_package_on_disk_is_listed_in_the_project_file() -> None:
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    assert set(settings["tool"]["setuptools"]["packages"]) == packages_on_disk()


@pytest.mark.parametrize("name", ["screens", "generators"])
def test_the_committed_links_lead_to_the_top_level_folders(name: str) -> None:
    link = PROJECT / "melleafy_tui" / name
    assert link.is_symlink()
    assert link.readlink().as_posix() == f"../{name}"
    assert link.resolve() == (PROJECT / name).resolve()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--outdir", str(out), str(PROJECT)],
        check=True,
        capture_output=True,
        timeout=300,
    )
    return next(out.glob("*.whl"))


@pytest.mark.slow
def test_the_wheel_holds_melleafy_tui_and_all_its_data(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    roots = {name.split("/")[0] for name in names}
    assert {root for root in roots if not root.endswith(".dist-info")} == {"melleafy_tui"}
    assert data_files_on_disk() <= set(names)


@pytest.mark.slow
def test_the_wheel_brings_its_templates_compiled(installed: Path) -> None:
    told = subprocess.run(
        [
            str(installed),
            "-c",
            "from melleafy_tui.generators import environment as e;"
            "before = sorted(e.COMPILED.iterdir()); e.compile_templates(e.COMPILED);"
            "assert len(before) == 1 and sorted(e.COMPILED.iterdir()) == before, before",
        ],
        cwd=installed.parent,  # in the project's folder, Python would take the modules there
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert told.returncode == 0, told.stderr


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("environment")
    venv.create(place, with_pip=True)
    python = place / ("Scripts" if os.name == "nt" else "bin") / "python"
    subprocess.run(
        [
            str(python),
            "-m",
            "pip",
            "install",
            "--quiet",
            "--constraint",
            str(PROJECT / "constraints.txt"),
            str(wheel),
        ],
        check=True,
        capture_output=True,
        timeout=600,
    )
    return python


@pytest.mark.slow
def test_the_installed_wheel_converts_a_workspace(installed: Path, tmp_path: Path) -> None:
    workspace = tmp_path / "desk"
    workspace.mkdir()
    (workspace / "SOUL.md").write_text("Calm and exact.\n", encoding="utf-8")
    (workspace / "IDENTITY.md").write_text("- **Name:** desk\n", encoding="utf-8")
    command = installed.with_name("melleafy-tui")
    done = subprocess.run(
        [str(command), str(workspace), "--dependencies=auto"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "desk_mellea" / "desk_mellea" / "pipeline.py").is_file()
