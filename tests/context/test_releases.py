"""The tables of releases: budgets and retired files are those of the given data, and every release has all its tables."""

import json
from itertools import product
from pathlib import Path
from typing import Final

import pytest

from melleafy_tui.core.dialects.openclaw.budgets import BUDGETS, RETIRED, release_order
from melleafy_tui.core.models.context import PromptMode, SessionKind
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.openclaw.prompt.assembly import assemble
from melleafy_tui.core.openclaw.prompt.releases import ASSEMBLIES, sections_of

BETWEEN: Final = ("2026.2.26", "2026.3.24", "2026.5.1", "2026.7.33", "2026.9.1", "2027.1.1")
"""Releases that no table names."""

EVERY_RELEASE: Final = ("dialect-1.0", *(row.release for row in ASSEMBLIES), *BETWEEN)


@pytest.mark.slow
def test_the_budgets_and_retired_files_are_those_of_the_data(shared: Path) -> None:
    given = json.loads((shared / "data" / "openclaw-releases.json").read_text("utf-8"))
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


def test_every_release_has_a_prompt_in_every_mode_and_session() -> None:
    text = "# Soul\n\nCalm.\n"
    snapshot = Snapshot("w", "/w", (SourceFile("SOUL.md", text.encode(), text),), ("SOUL.md",))
    for release, mode in product(EVERY_RELEASE, PromptMode):
        sections = [section.heading for section in sections_of(release, mode)]
        assert len(sections) == len(set(sections)), (release, mode)
        assert bool(sections) == (mode is not PromptMode.NONE), (release, mode)
        for session in SessionKind:
            context = assemble(snapshot, release=release, session=session, mode=mode)
            assert [section.heading for section in context.sections] == sections, (release, mode, session)
            shown = [line.text for line in context.lines if line.text in set(sections)]
            assert shown == [heading for heading in sections if heading in shown], (release, mode, session)


def test_minimal_leaves_out_and_adds_only_the_sub_agent_s_context() -> None:
    for release in EVERY_RELEASE:
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
