"""`engine.read_workspace`: what is read when a hook of the workspace adds files to the prompt."""

import json
from pathlib import Path

from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.engine import read_workspace

HOOK = {
    "hooks": {"internal": {"entries": {"bootstrap-extra-files": {"paths": ["ships/*/SOUL.md", "note.txt"]}}}}
}
"""Asks for a bootstrap file that no dialect wants by name, and for one that is none."""


def _repository(base: Path, *, hook: bool) -> Path:
    """Write a workspace that OpenClaw and Claude Code share, in a repository with instructions of its own above it."""
    tree = {
        ".git/HEAD": "ref: refs/heads/main\n",
        "CLAUDE.md": "- Never push to main.\n",
        "shared/style.md": "- Write plainly.\n",
        "agent/SOUL.md": "# Soul\n\nCalm.\n",
        "agent/CLAUDE.md": "@../shared/style.md\n",
        "agent/ships/one/SOUL.md": "A small ship.\n",
        "agent/note.txt": "No bootstrap name.\n",
    }
    if hook:
        tree["agent/openclaw.json"] = json.dumps(HOOK)
    for path, text in tree.items():
        place = base / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    return base / "agent"


def _paths(snapshot: Snapshot) -> set[str]:
    return {file.path for file in snapshot.files}


def test_a_hook_opens_its_files_and_nothing_that_was_read_before_is_lost(tmp_path: Path) -> None:
    dialects = Dialects.default()
    without = read_workspace(_repository(tmp_path / "without", hook=False), dialects)
    with_hook = read_workspace(_repository(tmp_path / "with", hook=True), dialects)
    around = {"../CLAUDE.md", "../shared/style.md"}
    assert around <= _paths(without)
    assert _paths(with_hook) == _paths(without) | {"openclaw.json", "ships/one/SOUL.md"}


def test_the_home_folder_is_known_in_the_second_reading_too(tmp_path: Path) -> None:
    root = _repository(tmp_path, hook=True)
    read = _paths(read_workspace(root, Dialects.default(), home=tmp_path))
    assert "ships/one/SOUL.md" in read
    assert not any(path.startswith("../") for path in read)
