"""The workflows name only what exists, pin every action by commit, and pass actionlint and zizmor."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

PROJECT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((PROJECT / ".github" / "workflows").glob("*.yml"))
ACTION = PROJECT / "action.yml"
BESIDE_PYTHON = Path(sys.executable).parent
# Written by the workflow itself, or by `make install`.
MADE_BY_THE_RUN = ("dist/", "notes/", "distributions/", ".venv/")


def steps() -> list[dict[str, Any]]:
    found = []
    for workflow in WORKFLOWS:
        for job in yaml.safe_load(workflow.read_text(encoding="utf-8"))["jobs"].values():
            found += job["steps"]
    return found


def words_of_runs() -> list[list[str]]:
    return [line.split() for step in steps() for line in step.get("run", "").splitlines()]


def test_every_make_target_exists() -> None:
    makefile = (PROJECT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    used = {
        word
        for words in words_of_runs()
        if words[0] == "make"
        for word in words[1:]
        if "=" not in word and not word.startswith("-")
    }
    assert used
    assert used <= targets


def test_every_path_and_dependency_group_exists() -> None:
    groups = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]
    missing, paths = [], 0
    for words in words_of_runs():
        for before, word in zip(["", *words], words, strict=False):
            if before == "--group":
                missing += [] if word in groups else [word]
            elif re.fullmatch(r"[\w./-]+(?:/[\w.-]+|\.(?:py|txt|toml|md))", word):
                made = word.startswith(MADE_BY_THE_RUN) or before in (">", "--notes-file")
                paths += not made
                missing += [] if made or (PROJECT / word).exists() else [word]
    assert missing == []
    assert paths >= 3


def test_every_action_is_pinned_by_its_commit_and_names_its_version() -> None:
    lines = [line for path in (*WORKFLOWS, ACTION) for line in path.read_text(encoding="utf-8").splitlines()]
    used = [line.strip() for line in lines if "uses:" in line]
    assert used
    assert [line for line in used if not re.search(r"@[0-9a-f]{40} # v\d+\.\d+\.\d+$", line)] == []
    pins: dict[str, set[str]] = {}
    for line in used:
        action, _, pin = line.partition("uses: ")[2].partition("@")
        pins.setdefault(action, set()).add(pin)
    assert {action: found for action, found in pins.items() if len(found) > 1} == {}


def check_with(program: str, *arguments: str) -> None:
    done = subprocess.run(
        [program, *arguments], cwd=PROJECT, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_zizmor_finds_nothing() -> None:
    check_with(
        str(BESIDE_PYTHON / "zizmor"),
        "--offline",
        "--no-progress",
        "--persona=auditor",
        ".github",
        ACTION.name,
    )


@pytest.mark.slow
def test_actionlint_finds_nothing() -> None:
    program = shutil.which("actionlint", path=BESIDE_PYTHON) or shutil.which("actionlint")
    if program is None:
        pytest.skip("actionlint is not installed: .venv/bin/python -m pip install --group workflows")
    check_with(program, "-no-color", *(str(path.relative_to(PROJECT)) for path in WORKFLOWS))
