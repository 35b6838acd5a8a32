"""Packages made of the skills on disk: what a reader of the skill recognises, our lints, and every fixture on Mellea."""

from datetime import date
from pathlib import Path

import pytest

from melleafy_tui.core.models.facts import ToolFact
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.core.package.dispositions import allowed_for
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.smoke.fake_server import FakeModelServer
from melleafy_tui.engine import open_conversion
from tests.converted import conversion_of
from tests.dialects.agent_skills.goldens import FOLDERS, NAMES
from tests.generators.emitting import loaded_package
from tests.rows import every_row


def converted(name: str) -> Conversion:
    return conversion_of(FOLDERS[name])


def text(conversion: Conversion, file: str) -> str:
    files = conversion.rendered
    return files.by_path[f"{files.package_name}/{file}"].text


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_package_passes_our_lints(name: str) -> None:
    assert [finding for result in converted(name).lints.results for finding in result.findings] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_package_runs_on_mellea(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("mellea")
    conversion = converted(name)
    with FakeModelServer() as server:
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        with loaded_package(conversion.rendered, tmp_path) as pipeline:
            reply = pipeline.run_pipeline("Please handle this one.")
        assert reply.text
        assert conversion.cost is not None
        ended = getattr(reply, "stopped", "")
        if not reply.unmet and not ended:  # an unmet requirement is tried again
            assert len(server.calls) == conversion.cost.calls


def test_grants_become_tools() -> None:
    conversion = converted("incident-postmortem")
    tools, slots = text(conversion, "tools.py"), text(conversion, "constrained_slots.py")
    assert 'hosts=("status.example.com", "*.statuspage.example")' in tools
    assert "def timeline(" in tools
    for name in (
        "run_bash",
        "read_file",
        "write_file",
        "mcp__pager__list_alerts",
        "mcp__pager__get_alert",
    ):
        assert f"def {name}(" in slots
    guide = text(conversion, "SETUP.md")
    backend = guide[guide.index("## §3") : guide.index("## §8")]
    assert "| `pager` | `mcp__pager__list_alerts`, `mcp__pager__get_alert` |" in backend


def test_placeholders_of_the_form_describe_its_fields() -> None:
    schemas = text(converted("contract-review"), "schemas.py")
    assert 'max_length=20, description="number: risk: what to change"' in schemas
    assert 'governing_law: str = Field(max_length=2000, description="country")' in schemas


@every_row(
    ("body", "row", "tag"),
    [
        ("## Rules\n\n- The letter has no more than 250 words.", "skill.rule", "VALIDATE_OUTPUT"),
        ("## Guardrails\n\n- This is not legal advice; say so.", "skill.rule", "DECIDE"),
        ("## Rules\n\n- `rules.csv` is the old list.", "skill.rule", "DECIDE"),
        ("## Background\n\n- The letter has no more than 250 words.", "skill.rule", "VALIDATE_OUTPUT"),
        ("# Sample tracker\n\n## Rules\n\n- Never accept a sample without a label.", "skill.rule", "DECIDE"),
        ("# Sample tracker\n\n- Never accept a sample without a label.", "skill.rule", "DECIDE"),
        ("# Desk\n\n## Sample letter\n\n- Never mind the label.", "skill.rule", "DECIDE"),
        ("# Examples\n\n# More\n\n- Never mind the label.", "skill.rule", "DECIDE"),
    ],
)
def test_what_stands_under_rules_is_a_rule(tmp_path: Path, body: str, row: str, tag: str) -> None:
    root = tmp_path / "a-skill"
    root.mkdir()
    (root / "SKILL.md").write_text(f"---\nname: a-skill\ndescription: Lends works.\n---\n{body}\n")
    conversion = open_conversion(root, as_of=date(2026, 1, 15), generated_at="2026-01-15T00:00:00Z")
    element = conversion.inventory.elements[-1]
    assert (element.mapping_row, element.tag.value) == (row, tag)
    if row == "skill.rule":
        rules = text(conversion, "requirements.py")
        assert element.statement in rules
        assert ("asks=" in rules) == (tag != "DECIDE"), "only a rule about the reply is checked"


@every_row(
    "order",
    [
        "Read the whole invoice before you judge any part of it.",
        "通读全部材料。",
        "Read the contract for clauses about liability.",
        "Review the report.",
    ],
)
def test_a_step_costs_no_call_of_its_own(tmp_path: Path, order: str) -> None:
    root = tmp_path / "a-skill"
    root.mkdir()
    (root / "SKILL.md").write_text(
        f"---\nname: a-skill\ndescription: Lends works.\n---\n## Phase 1\n\n1. {order}\n", encoding="utf-8"
    )
    conversion = open_conversion(root, as_of=date(2026, 1, 15), generated_at="2026-01-15T00:00:00Z")
    assert conversion.inventory.elements[-1].tag.value == "ORCHESTRATE"
    assert conversion.cost is not None
    assert conversion.cost.calls == 1
    (written,) = (
        file.text
        for file in conversion.files.files
        if order in file.text and file.path.endswith(".py") and "/fixtures/" not in file.path
    )
    assert written.count(order) == 1


def test_references_are_no_memory_of_anybody() -> None:
    guide = text(converted("contract-review"), "SETUP.md")
    assert "The source looks things up in `references/limits.json`, `references/playbook.md`." in guide
    assert guide.count("is read at start") == 1
    assert "private" not in guide


def test_a_tool_is_not_told_its_own_name_twice() -> None:
    config = text(converted("contract-review"), "config.py")
    assert '"read_file": "read a file"' in config


def test_the_report_says_what_a_skill_has_not() -> None:
    report = text(converted("incident-postmortem"), "mapping_report.md")
    assert "No invocation contract" in report
    assert "evals/" in report


def test_a_form_can_only_be_taken_or_left() -> None:
    assert allowed_for(EntryKind.SCHEMA) == (Disposition.BUNDLE, Disposition.REMOVE)


TIDE = """---
name: tide
description: Tells how high the water is. USE this skill when a skipper asks.
---
# Tide

USE this skill when a skipper asks how high the water is.

## Now

Shows the tide of a port:

```bash
curl -s "https://tide.example/{port}?format=3"
```

## Next week

```bash
curl -s "https://tide.example/week/{port}"
```
"""


def test_fenced_requests_are_tools_and_routing_is_no_rule(tmp_path: Path) -> None:
    (tmp_path / "SKILL.md").write_text(TIDE)
    conversion = open_conversion(tmp_path, as_of=date(2026, 1, 15), generated_at="2026-01-15T00:00:00Z")
    tools = text(conversion, "tools.py")
    assert ("def shows_the_tide_of_a_port(port" in tools, "def next_week(port" in tools) == (True, True)
    assert "judged(" not in text(conversion, "requirements.py")
    assert "USE this skill when a skipper asks." in text(conversion, "melleafy.json")


@every_row(
    "body",
    [
        "Use this skill when:\n\n- a skipper asks for the tide\n- a harbour master plans a week\n",
        "## When to use this skill\n\n- Never for rivers.\n- Use proactively when: a storm comes.\n",
        "## When NOT to use\n\nSkip when:\n\n- the port is closed\n",
        '## Triggers\n\n- If the skipper says "tide", check the table.\n',
        "## 触发条件\n\n- 用户必须提到潮汐。\n",
        "## Scope\n\n- Do not use this skill for rivers.\n",
        "# Tide\n\nUse when a skipper asks how high the water is. Never for rivers.\n",
    ],
)
def test_routing_text_is_never_a_requirement(tmp_path: Path, body: str) -> None:
    root = tmp_path / "tide"
    root.mkdir()
    (root / "SKILL.md").write_text(
        f"---\nname: tide\ndescription: Tells the tide.\n---\n{body}", encoding="utf-8"
    )
    conversion = open_conversion(root, as_of=date(2026, 1, 15), generated_at="2026-01-15T00:00:00Z")
    assert "judged(" not in text(conversion, "requirements.py")


COMMANDS = """# Labels

## Setup

```bash
npm install -g labelctl
press --calibrate
```

## Print a label

Print it on the small printer:

```bash
# the size comes first
labelctl print --size 40x30 --text <words>
drawer open
```

```bash
PRINTER=small
cat <<EOF > label.txt
rye bread
EOF
feeder run label.txt
```

## Never do this

```bash
wipe --all
```
"""


@every_row(
    ("head", "tools", "stubs"),
    [
        ("", ["labelctl print", "drawer open"], []),
        ("allowed-tools: Read\n", [], []),
        ("allowed-tools: Bash(labelctl:*)\n", [], ["run_bash"]),
    ],
)
def test_programs_that_fences_run_are_tools_unless_tools_are_listed(
    tmp_path: Path, head: str, tools: list[str], stubs: list[str]
) -> None:
    (tmp_path / "SKILL.md").write_text(f"---\nname: labels\ndescription: Prints.\n{head}---\n{COMMANDS}")
    conversion = open_conversion(tmp_path, as_of=date(2026, 1, 15), generated_at="2026-01-15T00:00:00Z")
    facts = [element.facts[ToolFact] for element in conversion.inventory.elements]
    assert [fact.name for fact in facts if fact.program] == tools
    assert [fact.name for fact in facts if fact.grant == "Bash"] == stubs
    code = "".join(file.text for file in conversion.files.files if file.path.endswith(".py"))
    assert "labelctl print --size 40x30" in code


REQUESTS = """# Tides

Run it once: `curl -fsSL https://tide.example/cli.sh | sudo bash`

## 1. Install

```bash
curl -s "https://tide.example/client.tar.gz" -o client.tar.gz
```

## Start the watch

```bash
sh -c "$(curl -fsSL https://tide.example/watch.sh)"
```

## Look up

```bash
# Tide of one port
curl -s "https://tide.example/PORT_NAME/now?key=YOUR_API_KEY"

# All tides
curl -s "https://tide.example/all/GBR"
```

The service is slow in about ten of a hundred cases, so try again if it says nothing:

```bash
for i in 1 2 3; do
  curl -s "https://tide.example/moon/CITY" && break
done
```

## 2. Read the log

```bash
curl -s "https://tide.example/log"
```
"""


def test_requests_are_named_by_what_stands_above_them_and_installers_are_no_tools(tmp_path: Path) -> None:
    (tmp_path / "SKILL.md").write_text(f"---\nname: tide\ndescription: Tells the tide.\n---\n{REQUESTS}")
    conversion = open_conversion(tmp_path, as_of=date(2026, 1, 15), generated_at="2026-01-15T00:00:00Z")
    tools = text(conversion, "tools.py")
    made = [line for line in tools.splitlines() if line.startswith("def ")]
    assert made == [
        "def tide_of_one_port(port_name: str) -> str:",
        'def all_tides(request: str = "") -> str:',
        "def look_up(city: str) -> str:",
        'def read_the_log(request: str = "") -> str:',
    ]
    assert "https://tide.example/{port_name}/now?key=YOUR_API_KEY" in tools
    assert "https://tide.example/all/GBR" in tools
