"""Guidance stands in requirements.py as in the source: one entry a section, below its headings and lead-ins."""

from datetime import date
from pathlib import Path

from melleafy_tui.engine import open_conversion
from melleafy_tui.generators.runtime.rule_panel import Rule, guidance_text

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

### Floods

1. Carry the flour upstairs.
   - The rye first, `sessions_spawn` a hand if it's late
2. Never mention the rye in a reply.
3. Open the drain.

| Water | What happens |
|---|---|
| an inch | The pump starts. |
| a foot | `sessions_spawn` a hand. |
| a yard | The owner comes. |

## Safety

- Don't exfiltrate private data. Ever.
- The cat stays out.
"""

GUIDANCE = [
    "## Style\n\nBe:\n\n- crisp",
    "## Output format\n\n**State:** Draft / Ready to bake\n\n**Next step:**\n- <what happens next>",
    """## The cellar

They keep the flour dry there.

It was built in 1950. You may produce the following:
- a list
- a label

### Floods

1. Carry the flour upstairs.
   - The rye first, `sessions_spawn` a hand if it's late
2. Never mention the rye in a reply.
3. Open the drain.

| Water | What happens |
|---|---|
| an inch | The pump starts. |
| a yard | The owner comes. |""",
    "## Safety\n- The cat stays out.",
    "## Safety\n\n- Don't exfiltrate private data. Ever.",
]
"""The stock line stands last. A step that is judged stands in its order as well, and a row that asks
for a tool of the old runtime is left out."""


def test_guidance_stands_as_in_the_source(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text(BAKERY)
    (tmp_path / "SOUL.md").write_text("You are Ada, a baker.\n")
    conversion = open_conversion(tmp_path, as_of=date(2026, 1, 15), generated_at="2026-01-15T00:00:00Z")
    files = conversion.rendered
    code = files.by_path[f"{files.package_name}/requirements.py"].text
    found: dict[str, list[Rule]] = {}
    exec(code.replace("from ._runtime ", "from melleafy_tui.generators.runtime.rule_panel "), found)
    rules = found["OPERATING_REQUIREMENTS"]
    assert [rule.text for rule in rules if rule.kind == "guidance"] == GUIDANCE
    assert guidance_text(rules) == "\n\n".join(GUIDANCE)
    assert rules[2].source == "AGENTS.md:18, 21-22, 26-29, 33, 35"
    judged = [rule.text for rule in rules if rule.kind == "judged"]
    assert judged == ["Never mention the rye in a reply."]


def test_what_an_owner_adds_below_a_stock_lead_in_stands_below_it(tmp_path: Path) -> None:
    """Without it, when to keep quiet would read as one more thing to check."""
    (tmp_path / "AGENTS.md").write_text(
        "# AGENTS.md\n\n## Heartbeats\n\n**Things to check (rotate through these, 2-4 times per day):**\n"
        "- **Oven** - Is it still warm?\n\n**When to stay quiet (HEARTBEAT_OK):**\n- Ada is kneading\n"
        "- Human is clearly busy\n\n**When to reach out:**\n- The yeast died\n"
    )
    (tmp_path / "SOUL.md").write_text("You are Ada, a baker.\n")
    (tmp_path / "HEARTBEAT.md").write_text("- Look at the oven\n")
    conversion = open_conversion(tmp_path, as_of=date(2026, 1, 15), generated_at="2026-01-15T00:00:00Z")
    files = conversion.files
    found: dict[str, list[Rule]] = {}
    code = files.by_path[f"{files.package_name}/requirements.py"].text
    exec(code.replace("from ._runtime ", "from melleafy_tui.generators.runtime.rule_panel "), found)
    own = next(rule.text for rule in found["OPERATING_REQUIREMENTS"] if "Oven" in rule.text)
    assert own == (
        "## Heartbeats\n\n**Things to check (rotate through these, 2-4 times per day):**\n- **Oven** - Is it still warm?\n\n"
        "**When to stay quiet (HEARTBEAT_OK):**\n- Ada is kneading\n\n**When to reach out:**\n- The yeast died"
    )
