"""A file of another runtime that nothing reads is named; one that is read, or has no text, is not."""

from datetime import date
from pathlib import Path

import pytest

from melleafy_tui.core.models.conversion_settings import Settings
from melleafy_tui.engine import open_conversion

WORKSPACE = {
    "SOUL.md": "# Soul\n\nSteady.\n",
    "IDENTITY.md": "- **Name:** Loam\n",
    "HEARTBEAT.md": "- Look at the queue\n",
    "AGENTS.md": "# Rules\n\n- Never guess.\n",
}


def unread(folder: Path, files: dict[str, str], settings: Settings | None = None) -> list[tuple[str, str]]:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    conversion = open_conversion(
        folder, as_of=date(2026, 11, 1), generated_at="2026-11-01T00:00:00Z", settings=settings
    )
    return [
        (found.file, found.hint) for found in conversion.diagnostics if found.code == "not-of-this-runtime"
    ]


def test_a_file_that_only_another_runtime_reads_is_named_with_the_way_to_read_it(tmp_path: Path) -> None:
    ((file, hint),) = unread(tmp_path, {**WORKSPACE, "CLAUDE.md": "Never run `rm -rf`.\n"})
    assert file == "CLAUDE.md"
    assert "--source-runtime hybrid --contributing-runtimes openclaw,claude_code" in hint


@pytest.mark.parametrize("text", ["", " \n\n"])
def test_a_file_without_text_is_not_named(tmp_path: Path, text: str) -> None:
    assert not unread(tmp_path, {**WORKSPACE, "CLAUDE.md": text})


def test_nothing_is_named_where_every_file_is_read(tmp_path: Path) -> None:
    assert not unread(tmp_path, WORKSPACE)


def test_the_hint_does_what_it_says(tmp_path: Path) -> None:
    hybrid = Settings(source_runtime="hybrid", contributing_runtimes=("openclaw", "claude_code"))
    assert not unread(tmp_path, {**WORKSPACE, "CLAUDE.md": "Never run `rm -rf`.\n"}, hybrid)
