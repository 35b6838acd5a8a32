"""Every picture under snapshots/ui belongs to a test that is collected, and there are few enough to be looked at."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import PROJECT, SNAPSHOTS
from tests.ui import shots, test_pictures

MOST = 120
"""Pictures that a person still looks at; what differs in size or theme alone is read by the scenes instead."""

SHOT_NAMES = {
    "test_pictures": {shots.shot_name(shot) for shot in (shots.SHOT, *test_pictures.FURTHER_SHOTS)},
    "test_scenes": {shots.shot_name(shots.SHOT)},
}


def collected() -> set[tuple[str, str]]:
    """Return the module and name of every test of the screens, as pytest names them."""
    modules = [f"tests/ui/{name}.py" for name in SHOT_NAMES]
    command = [sys.executable, "-m", "pytest", *modules, "--collect-only", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True, timeout=120)
    lines = [line.partition("::") for line in done.stdout.splitlines() if "::" in line]
    return {(Path(module).stem, name) for module, _, name in lines}


@pytest.mark.slow
def test_every_picture_belongs_to_a_test() -> None:
    tests = collected()
    pictures = sorted((SNAPSHOTS / "ui").rglob("*.svg"))
    assert 50 < len(pictures) <= MOST
    unused = []
    for picture in pictures:
        shot = re.fullmatch(r"(.+)\[([a-z]+-\d+x\d+)\]", picture.stem)
        name = shot[1] if shot and shot[2] in SHOT_NAMES.get(picture.parent.name, ()) else picture.stem
        if (picture.parent.name, name) not in tests:
            unused.append(picture.name)
    assert unused == []
