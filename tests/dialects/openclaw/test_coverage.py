"""Coverage is 100 %, exactly once, and `content_full` is what stands on the lines (spec/conversion.md 3)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from melleafy_tui.core.models.inventory import PART
from melleafy_tui.core.source.markdown import is_blank
from melleafy_tui.generators.literals import json_bytes
from tests.dialects.openclaw.in_memory import inventory_of, snapshot_of
from tests.rows import every_row
from tests.unit.test_inventory_markdown import markdown

CUT = ["SOUL.md", "IDENTITY.md", "AGENTS.md", "docs/AGENTS.md", "USER.md", "TOOLS.md", "MEMORY.md", "DREAMS.md", "HEARTBEAT.md",
       "BOOT.md", "BOOTSTRAP.md", "memory-wiki/entities/a.md", "hooks/h/HOOK.md", "skills/s/SKILL.md"]  # fmt: skip

BESIDE = (PART, "variable")
"""What stands beside the element that has its lines: a judged rule of a persona, a variable for a secret."""

WILD_LINES = st.sampled_from(
    [
        "## Tools", "- **Name:** Ada", "- **Role:**", "  _(pick one)_", "**Timezone:** Europe/Oslo", "| Field | Value |", "|---|---|",
        "| Emoji | 🥐 |", "名字：小明", "tasks:", "- name: a", "  interval: 30m", "Run every 30m", "## Name", "Never lie.", "**Must never:**",
        "<!-- observed: 2026-01-01 | status: superseded -->", "- [ ] Check mail", "", "", "```", "`curl https://x.example`", "Ada", "> - no",
        "<!-- openclaw:dreaming:x:start -->", "- Token: ghp_abcdefghijklmnopqrstuvwxyz0123456789", "[[reply_to_current]]", "---",
    ]
)  # fmt: skip


@st.composite
def wild(draw: st.DrawFn) -> str:
    return "\n".join(draw(st.lists(WILD_LINES, max_size=25))) + draw(st.sampled_from(["", "\n"]))


@pytest.mark.parametrize("path", CUT)
@settings(max_examples=40, deadline=None)
@given(text=st.one_of(markdown(), wild()))
def test_every_line_belongs_to_exactly_one_element(path: str, text: str) -> None:
    snapshot = snapshot_of({path: text})
    source = snapshot.file(path)
    assert source is not None
    inventory = inventory_of({path: text})
    held: list[int] = []
    for element in inventory.elements:
        assert element.source_file == path
        first, last = element.line_range
        if element.kind in BESIDE:
            assert set(range(first, last + 1)) <= set(held)
            continue
        held += range(first, last + 1)
        assert element.content_full == source.cut(first, last)
        assert len(element.content_summary) <= 100
    assert len(held) == len(set(held))
    assert {number for number, line in enumerate(source.lines, 1) if not is_blank(line)} <= set(held)
    assert all(not report.uncovered_lines for report in inventory.coverage)


@every_row(
    "text",
    [
        '{"agents": {"defaults": {"heartbeat": {"every": "30m"}}}}',
        "{\n// c\nagents: {\n list: [{id: 'a'},\n\n {id: 'b'}]\n}\n}\n",
        "{broken",
        "",
    ],
)
def test_every_line_of_a_configuration_is_held(text: str) -> None:
    inventory = inventory_of({"openclaw.json": text, "SOUL.md": "x"})
    assert all(not report.uncovered_lines for report in inventory.coverage)


def test_ids_follow_the_order_of_files_and_lines() -> None:
    inventory = inventory_of({"AGENTS.md": "- Never lie.\n- Be kind.\n", "SOUL.md": "Warm.\n"})
    assert [(element.element_id, element.location) for element in inventory.elements] == [
        ("elem_001", "SOUL.md:1"),
        ("elem_002", "AGENTS.md:1"),
        ("elem_003", "AGENTS.md:2"),
        ("elem_004", "SOUL.md:1"),  # a judged line of the persona, beside it
    ]


def test_the_same_source_gives_the_same_inventory() -> None:
    tree = {"AGENTS.md": "- Never lie.\n", "USER.md": "- **Name:** Ada\n", ".env": "A=\n"}
    assert json_bytes(inventory_of(tree)) == json_bytes(inventory_of(tree))
