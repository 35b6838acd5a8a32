"""`lint` finds what belongs to a package wherever the user points, and asks for nothing that was not to be there."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]


def melleafy(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "melleafy_tui", *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("lint") / "parcels"
    shutil.copytree(PROJECT / "examples" / "tool-heavy", place)
    return place


@pytest.fixture(scope="module")
def out(workspace: Path) -> Path:
    target = workspace.parent / "out"
    done = melleafy(str(workspace), "--dependencies=auto", "--out", str(target))
    assert done.returncode == 0, done.stderr
    return target


@pytest.mark.parametrize("where", ["output folder", "package"])
def test_the_variables_file_beside_the_package_is_seen(out: Path, where: str) -> None:
    place = out if where == "output folder" else next(out.glob("*_mellea"))
    done = melleafy("lint", str(place))
    assert done.returncode == 0, done.stdout


def test_a_missing_variables_file_is_a_finding(out: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(out, copy)
    (copy / ".env.example").unlink()
    done = melleafy("lint", str(copy))
    assert done.returncode == 11
    assert ".env.example:TRACKING_API_KEY: there is no such file" in done.stdout


def test_a_package_in_its_workspace_has_no_files_beside_it(workspace: Path) -> None:
    assert melleafy(str(workspace), "--dependencies=auto", "--in-place").returncode == 0
    done = melleafy("lint", str(workspace))
    assert done.returncode == 0, done.stdout


def test_a_package_without_a_manifest_is_linted_too(out: Path, tmp_path: Path) -> None:
    package = next(out.glob("*_mellea"))
    copy = tmp_path / package.name
    shutil.copytree(package, copy)
    (copy / "melleafy.json").unlink()
    done = melleafy("lint", str(copy))
    assert "not validatable" in done.stdout
    assert done.returncode == 0, done.stdout
