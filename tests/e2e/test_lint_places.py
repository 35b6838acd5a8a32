"""`lint` finds what belongs to a package wherever the user points, and asks for nothing that was not to be there."""

import shutil
from pathlib import Path

import pytest

from tests.conftest import PROJECT
from tests.safety.chain import run


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("lint") / "parcels"
    shutil.copytree(PROJECT / "examples" / "tool-heavy", place)
    return place


@pytest.fixture(scope="module")
def out(workspace: Path) -> Path:
    target = workspace.parent / "out"
    done = run(workspace, "--dependencies=auto", "--out", target)
    assert done.code == 0, done.messages
    return target


@pytest.mark.slow
def test_the_variables_file_beside_the_package_is_seen_from_its_folder_and_from_the_package(
    out: Path,
) -> None:
    for place in (out, next(out.glob("*_mellea"))):
        done = run("lint", place)
        assert done.code == 0, (place, done.out)


def test_a_missing_variables_file_is_a_finding(out: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(out, copy)
    (copy / ".env.example").unlink()
    done = run("lint", copy)
    assert done.code == 11
    assert ".env.example:TRACKING_API_KEY: there is no such file" in done.out


def test_a_package_in_its_workspace_has_no_files_beside_it(workspace: Path) -> None:
    assert run(workspace, "--dependencies=auto", "--in-place").code == 0
    done = run("lint", workspace)
    assert done.code == 0, done.out


def test_a_package_without_a_manifest_is_linted_too(out: Path, tmp_path: Path) -> None:
    package = next(out.glob("*_mellea"))
    copy = tmp_path / package.name
    shutil.copytree(package, copy)
    (copy / "melleafy.json").unlink()
    done = run("lint", copy)
    assert "not validatable" in done.out
    assert done.code == 0, done.out
