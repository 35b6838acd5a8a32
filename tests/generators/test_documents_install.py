"""The emitted project installs with pip into a fresh environment, whole, and its commands exist there."""

import json
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from melleafy_tui.core.models.vocabulary import Disposition
from melleafy_tui.generators.render import render_package
from tests.generators.committed import reference_plan

PACKAGE = "ticket_triage_mellea"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    for file in render_package(reference_plan(changed={"SOUL.md:7-9": Disposition.LOAD_FROM_DISK})).files:
        path = folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.data)
    return folder


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the interpreter of a fresh environment that sees the libraries of this one, so that nothing is downloaded."""
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder, with_pip=True, symlinks=True)
    libraries = next(Path(folder).glob("lib/python*/site-packages"))
    ours = [path for path in map(Path, sys.path) if path.name == "site-packages"]
    (libraries / "borrowed.pth").write_text("".join(f"{path}\n" for path in ours), encoding="utf-8")
    return Path(folder) / "bin" / "python"


@pytest.mark.slow
def test_the_wheel_holds_code_and_data_and_runs_away_from_its_source(
    project: Path, python: Path, tmp_path: Path
) -> None:
    source = shutil.copytree(project, tmp_path / "source")
    done = subprocess.run(
        [
            python,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-deps",
            source,
        ],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    shutil.rmtree(source)
    listing = subprocess.run(
        [
            python,
            "-c",
            f"import importlib.resources as r, json; f = r.files('{PACKAGE}'); "
            "print(json.dumps(sorted(p.name for p in f.iterdir())))",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    names = set(json.loads(listing.stdout))
    assert names >= {
        "py.typed",
        "melleafy.json",
        "README.md",
        "SETUP.md",
        "mapping_report.md",
        "dependencies.yaml",
    }
    assert names >= {"references", "fixtures"}
    assert "intermediate" not in names
    version = subprocess.run(
        [python.with_name("ticket-triage"), "--version"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert version.stdout.strip() == "ticket-triage 0.1.0", version.stderr


@pytest.mark.slow
def test_each_command_of_the_documents_that_needs_no_backend_works(
    project: Path, python: Path, tmp_path: Path
) -> None:
    done = subprocess.run(
        [
            python,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-deps",
            "-e",
            project,
        ],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    shown = subprocess.run(
        [python.with_name("ticket-triage"), "--help"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    guide = (project / PACKAGE / "SETUP.md").read_text(encoding="utf-8")
    readme = (project / PACKAGE / "README.md").read_text(encoding="utf-8")
    words = (word.strip("`,.;").partition("=")[0] for word in f"{guide} {readme}".split())
    flags = {word for word in words if word.startswith("--")}
    own = flags - {"--persona-channel", "--all", "--host=openclaw"}
    assert own
    assert {flag for flag in own if flag not in shown.stdout} == set()
