"""The tables of releases: budgets and retired files are those of the given data, and every release has all its tables."""

import json
from typing import Final

import pytest

from melleafy_tui.core.context.assembly import assemble
from melleafy_tui.core.context.releases import ASSEMBLIES
from melleafy_tui.core.context.sections import sections_of
from melleafy_tui.core.dialects.openclaw.budgets import BUDGETS, RETIRED, release_order
from melleafy_tui.core.models.context import PromptMode, SessionKind
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from tests.conftest import SHARED

DATA: Final = SHARED / "data" / "openclaw-releases.json"
BETWEEN: Final = ("2026.2.12", "2026.3.24", "2026.5.1", "2026.7.33", "2026.9.1", "2027.1.1")
"""Releases that no table names."""


@pytest.mark.skipif(not DATA.is_file(), reason="needs ../shared/data/openclaw-releases.json")
def test_the_budgets_and_retired_files_are_those_of_the_data() -> None:
    given = json.loads(DATA.read_text("utf-8"))
    assert [
        {
            "from": row.release,
            "per_file": row.per_file,
            "total": row.total,
            "user_md": row.user_md,
            "subagent": list(row.subagent),
        }
        for row in BUDGETS
    ] == given["releases"]
    assert given["retired"] == RETIRED


@pytest.mark.parametrize("release", ["dialect-1.0", *(row.release for row in ASSEMBLIES), *BETWEEN])
@pytest.mark.parametrize("mode", PromptMode)
def test_every_release_has_a_prompt_in_every_mode_and_session(release: str, mode: PromptMode) -> None:
    text = "# Soul\n\nCalm.\n"
    snapshot = Snapshot("w", "/w", (SourceFile("SOUL.md", text.encode(), text),), ("SOUL.md",))
    sections = [section.heading for section in sections_of(release, mode)]
    assert len(sections) == len(set(sections))
    assert bool(sections) == (mode is not PromptMode.NONE)
    for session in SessionKind:
        context = assemble(snapshot, release=release, session=session, mode=mode)
        assert [section.heading for section in context.sections] == sections
        shown = [line.text for line in context.lines if line.text in set(sections)]
        assert shown == [heading for heading in sections if heading in shown]


def test_minimal_leaves_out_and_adds_only_the_sub_agent_s_context() -> None:
    for release in ("dialect-1.0", *(row.release for row in ASSEMBLIES), *BETWEEN):
        full, minimal = (
            {section.heading for section in sections_of(release, mode)}
            for mode in (PromptMode.FULL, PromptMode.MINIMAL)
        )
        assert minimal - full == {"## Subagent Context"}
        assert {"## Messaging", "## Voice (TTS)", "## Silent Replies"} <= full - minimal


def test_the_rows_are_in_order_of_release() -> None:
    for rows in (BUDGETS, ASSEMBLIES):
        orders = [release_order(row.release) for row in rows]
        assert orders == sorted(orders)
