"""Guidance stands in the prompt as in the source: below its heading and its lead-in."""

from datetime import date
from pathlib import Path

from melleafy_tui.engine import open_conversion
from melleafy_tui.generators.runtime.rule_panel import Rule, guidance, guidance_text, judged

BAKERY = """# Bakery

## Style

Be:

- crisp

## Output format

**State:** Draft / Ready to bake

**Next step:**
- <what happens next>

## The cellar

They keep the flour dry there.

It was built in 1950. You may produce the following:
- a list
- a label
"""

PROMPT = """## Output format
State: Draft / Ready to bake
Next step: <what happens next>

## The cellar
They keep the flour dry there.
It was built in 1950.
You may produce the following:
- a list
- a label"""


def test_guidance_stands_below_its_heading_and_its_lead_in(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text(BAKERY)
    (tmp_path / "SOUL.md").write_text("You are Ada, a baker.\n")
    conversion = open_conversion(tmp_path, as_of=date(2026, 1, 15), generated_at="2026-01-15T00:00:00Z")
    files = conversion.rendered
    code = files.by_path[f"{files.package_name}/requirements.py"].text
    found: dict[str, list[Rule]] = {}
    exec(code.replace("from .", "from melleafy_tui.generators.runtime."), found)
    assert guidance_text(found["OPERATING_REQUIREMENTS"]) == PROMPT
    assert [rule.text for rule in found["OPERATING_REQUIREMENTS"] if rule.kind == "judged"] == ["Be: crisp"]


def test_guidance_is_told_by_topic_and_lead_in() -> None:
    rules = [
        guidance("Before all headings."),
        guidance("Ask: who?", topic="Order"),
        judged("Never shout."),
        guidance("Ask: where?"),
        guidance("One: alone"),
        guidance("Free: read", topic="Free"),
        guidance("Rest", topic="Order"),
    ]
    assert guidance_text(rules).split("\n") == [
        "Before all headings.", "", "## Order", "Ask:", "- who?", "- where?", "One: alone",
        "", "## Free", "- read", "", "## Order", "Rest",
    ]  # fmt: skip
