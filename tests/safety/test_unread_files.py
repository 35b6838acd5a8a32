"""What can't be read is an error or a finding, never an empty text."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from melleafy_tui.core.source.bootstrap_files import BOOTSTRAP_FILES
from melleafy_tui.core.source.limits import DEFAULT_LIMITS
from tests.safety.chain import AS_OF, run
from tests.safety.hostile_workspaces import put


def _link_out(place: Path) -> None:
    (place.parents[1] / "elsewhere.md").write_text("- Elsewhere\n", encoding="utf-8")
    place.symlink_to("../elsewhere.md")


def _large(place: Path) -> None:
    with place.open("wb") as file:
        file.truncate(DEFAULT_LIMITS.file_bytes + 1)


CAUSES: dict[str, tuple[Callable[[Path], object], str]] = {
    "NUL bytes": (lambda place: place.write_bytes(b"# Soul\n\0\0"), "binary"),
    "too large": (_large, "over the limit"),
    "link outside": (_link_out, "leads out of the workspace"),
    "link to a device": (lambda place: place.symlink_to("/dev/zero"), "leads out of the workspace"),
    "UTF-32": (lambda place: place.write_bytes("# Soul\n".encode("utf-32")), "binary"),
    "broken link": (lambda place: place.symlink_to("nowhere.md"), "leads nowhere"),
    "link onto itself": (lambda place: place.symlink_to(place.name), "back to"),
    "link to a private file": (lambda place: place.symlink_to("credentials/soul.md"), "private"),
    "folder": (lambda place: place.mkdir(), "It is a folder"),
    "pipe": (lambda place: os.mkfifo(place), "It is a pipe"),
    "I/O error": (lambda place: place.write_text("# Soul\n"), "input/output error"),
    "no permission": (lambda place: place.write_text("# Soul\n"), "permission denied"),
}
ERRORS = {"I/O error": 5, "no permission": 13}


@pytest.fixture
def refuse(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path, str], None]:
    """Make opening one file fail, which no mode bits do for root."""

    def refuse(place: Path, cause: str) -> None:
        opens = os.open

        def failing(path: str | Path, flags: int, *rest: int, **options: int) -> int:
            if str(path) == str(place):
                raise OSError(ERRORS[cause], os.strerror(ERRORS[cause]), str(path))
            return opens(path, flags, *rest, **options)

        if cause in ERRORS:
            monkeypatch.setattr(os, "open", failing)

    return refuse


def workspace(folder: Path, name: str, cause: str) -> Path:
    """Return a workspace in which one file can't be read."""
    root = folder / cause.replace(" ", "-").replace("/", "") / f"w-{name.rpartition('/')[2]}"
    texts = {file: f"- {file}\n" for file in sorted(BOOTSTRAP_FILES) if file != name}
    put(root, {**texts, "credentials/soul.md": "x", "memory/2026-10-01.md": "- Rain\n"})
    place = root / name
    place.unlink(missing_ok=True)
    CAUSES[cause][0](place)
    return root


@pytest.mark.parametrize("cause", CAUSES)
def test_an_unreadable_bootstrap_file_ends_the_run(
    cause: str, tmp_path: Path, refuse: Callable[[Path, str], None]
) -> None:
    for name in sorted(BOOTSTRAP_FILES):
        root, out = workspace(tmp_path, name, cause), tmp_path / "out"
        refuse(root / name, cause)
        said = run(root, "--dependencies=auto", "--as-of", AS_OF, "--out", out)
        assert said.code == 2, (name, said.out, said.messages)
        assert f"{name} can't be read" in said.messages
        assert CAUSES[cause][1] in said.messages
        assert not out.exists()


def test_another_unreadable_file_is_a_finding(tmp_path: Path, refuse: Callable[[Path, str], None]) -> None:
    for cause in CAUSES:
        name = "BOOT.md"
        root = workspace(tmp_path, name, cause)
        refuse(root / name, cause)
        said = run("detect", root, "--json")
        assert said.code == 0, (cause, said.messages)
        found = [row["message"] for row in json.loads(said.out)["diagnostics"] if row["file"] == name]
        assert any(CAUSES[cause][1] in message for message in found), (cause, found)
