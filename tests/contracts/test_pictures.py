"""Every picture under snapshots/ui belongs to a test that is collected: one that is left over looks like a check."""

import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from tests.conftest import PROJECT, SNAPSHOTS
from tests.ui import test_gallery, test_scenes

Shot = tuple[str, tuple[int, int]]


def named(shots: Iterable[Shot]) -> set[str]:
    """Return the names that pictures in these themes and sizes have."""
    return {f"{theme.removeprefix('melleafy-')}-{width}x{height}" for theme, (width, height) in shots}


SHOT_NAMES = {
    "test_gallery": named((*test_gallery.STEP_SHOTS, *test_gallery.EVERY_SHOT)),
    "test_scenes": named((*test_scenes.SHOTS, *test_scenes.FURTHER_SHOTS)),
}


def collected() -> set[tuple[str, str]]:
    """Return the module and name of every test of the screens, as pytest names them."""
    command = [sys.executable, "-m", "pytest", "tests/ui", "--collect-only", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True, timeout=120)
    lines = [line.partition("::") for line in done.stdout.splitlines() if "::" in line]
    return {(Path(module).stem, name) for module, _, name in lines}


def test_every_picture_belongs_to_a_test() -> None:
    tests = collected()
    pictures = sorted((SNAPSHOTS / "ui").rglob("*.svg"))
    assert len(pictures) > 150
    unused = []
    for picture in pictures:
        shot = re.fullmatch(r"(.+)\[([a-z]+-\d+x\d+)\]", picture.stem)
        name = shot[1] if shot and shot[2] in SHOT_NAMES.get(picture.parent.name, ()) else picture.stem
        if (picture.parent.name, name) not in tests:
            unused.append(picture.name)
    assert unused == []
