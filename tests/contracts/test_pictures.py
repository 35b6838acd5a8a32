"""The pictures of README and docs show the wizard as it is, and each one is shown somewhere."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import PROJECT

PICTURES = PROJECT / "docs" / "pictures"
PAGES = (PROJECT / "README.md", *(PROJECT / "docs").rglob("*.md"))


def test_each_picture_is_shown_and_each_shown_picture_is_there() -> None:
    shown = {
        (page.parent / target).resolve()
        for page in PAGES
        for target in re.findall(r"!\[[^\]]+\]\(([^)]+\.svg)\)", page.read_text(encoding="utf-8"))
    }
    assert shown == set(PICTURES.glob("*.svg"))


def test_no_picture_asks_another_server() -> None:
    for picture in PICTURES.glob("*.svg"):
        addresses = set(re.findall(r"https?://[^\s\"')<]+", picture.read_text(encoding="utf-8")))
        assert {address.partition("//")[2].partition("/")[0] for address in addresses} <= {
            "www.w3.org",
            "www.textualize.io",
        }, picture.name


@pytest.mark.slow
def test_the_pictures_are_of_this_release(tmp_path: Path) -> None:
    made = subprocess.run(
        [sys.executable, PROJECT / "scripts" / "make_pictures.py", tmp_path],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    taken = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    kept = {file.name: file.read_bytes() for file in PICTURES.iterdir()}
    assert sorted(taken) == sorted(kept)
    assert [name for name in taken if taken[name] != kept[name]] == [], "look at them after `make pictures`"
