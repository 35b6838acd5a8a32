"""The document is the prompt: the texts of a package are the owner's files line by line, without what is left out."""

import ast
import re
from collections.abc import Iterator
from datetime import date
from itertools import groupby
from pathlib import Path

import pytest

from melleafy_tui.core.models.file_set import FileSet
from melleafy_tui.core.models.inventory import PART
from melleafy_tui.core.models.vocabulary import Disposition
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.engine import open_conversion
from melleafy_tui.generators.package_shape import is_secret
from tests.conftest import PROJECT
from tests.converted import conversion_of, repository_of

SOURCES = [
    *sorted(path for path in (PROJECT / "examples").iterdir() if path.is_dir()),
    *sorted(path for path in (PROJECT / "tests" / "dialects").glob("*/workspaces/*") if path.is_dir()),
]
INLINED = re.compile(r"^\[(\S+\.md):\]\n.*?^\[end of \1\]\n", re.MULTILINE | re.DOTALL)
Range = tuple[str, int, int]


def texts_of(files: FileSet) -> Iterator[tuple[str, str, list[Range]]]:
    """Yield the name, the text and the source lines of each text in requirements.py and config.py."""
    rules = files.by_path.get(f"{files.package_name}/requirements.py")
    for node in ast.walk(ast.parse(rules.text if rules else "")):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Piece":
            text, source = (ast.literal_eval(each) for each in node.args)
            yield "rules", text, list(ranges(source)) if text else []
    code = files.by_path[f"{files.package_name}/config.py"].text
    lines = code.split("\n")
    for node in ast.parse(code).body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Constant):
            found = []
            for comment in lines[node.end_lineno or 0 :]:
                if not comment.startswith("# PROVENANCE: "):
                    break
                found += [comment] if "inlined" not in comment else []
            if all(".md:" in comment for comment in found):
                yield ast.unparse(node.target), str(node.value.value), [*ranges("\n".join(found))]


def ranges(text: str) -> Iterator[Range]:
    for file, first, last in re.findall(r"([^\s:,]+\.md):(\d+)(?:-(\d+))?", text):
        yield file, int(first), int(last or first)


def as_written(conversion: Conversion, found: list[Range]) -> str:
    """Return the lines of some ranges as they stand, those of different files apart."""
    texts = []
    for file, group in groupby(found, key=lambda each: each[0]):
        source = conversion.snapshot.file(file)
        assert source is not None
        assert source.text is not None
        lines = re.findall(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$", source.text)
        texts.append("".join("".join(lines[first - 1 : last]) for _, first, last in group))
    return "\n\n".join(text.rstrip("\r\n") for text in texts)


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: f"{path.parent.parent.name}-{path.name}")
def test_the_texts_joined_are_the_documents_without_what_is_left_out(source: Path) -> None:
    conversion = conversion_of(repository_of(source) if "claude_code" in source.parts else source)
    files = conversion.files
    phases = "WORKFLOW_PHASES" in files.by_path[f"{files.package_name}/config.py"].text
    taken: dict[tuple[str, int], str] = {}
    for name, text, found in texts_of(files):
        plain = name in ("rules", "PREFIX_TEXT", "USER_CONTEXT", "TOOL_GUIDANCE", "HEARTBEAT_CHECKLIST")
        if not plain or not found or text.startswith("["):  # the text of another file, inlined
            continue
        if "---" not in as_written(conversion, [(found[0][0], 1, 1)]):  # but for a value of the frontmatter
            own = INLINED.sub("", text)
            assert own.rstrip("\r\n") == as_written(conversion, found)
        for file, first, last in found:
            assert not any((file, number) in taken for number in range(first, last + 1))
            taken |= {(file, number): name for number in range(first, last + 1)}
    for item in conversion.committed.planned:
        element = item.element
        if not element.source_file.endswith(".md") or element.kind == PART or is_secret(element):
            continue
        lines = {
            (element.source_file, number)
            for number in range(element.line_range[0], element.line_range[1] + 1)
        }
        if item.entry.disposition is Disposition.REMOVE:
            assert not lines & taken.keys(), element.location
        elif item.entry.target.startswith(("requirements.py:", "config.py:TOOL", "config.py:USER")):
            assert lines <= taken.keys() or phases, element.location


SOUL = "# SOUL.md\n\nYou keep a lock.\n"

CHECKLIST = """## Each round

1. **Pump**
   - Check: the gauge reads below 4
   - Above 4 → close the red valve

2. When the tide turns, ring the bell:
   ```
   tide --log
   ```
3. At the change of shift (boats gone, gates shut), run:
   - `lock --report`

| Gate | Check |
|---|---|
| East | hinges |
| West | chains |

> Never open both gates.

### Afterwards

If a boat waits:
- tell its skipper how long
- open the east gate"""


def constants(root: Path, **files: str) -> dict[str, object]:
    """Return the constants of the package of a workspace with these files."""
    for name, text in {"SOUL": SOUL, **files}.items():
        (root / f"{name}.md").write_text(text, encoding="utf-8")
    conversion = open_conversion(root, as_of=date(2026, 1, 15), generated_at="2026-01-15T00:00:00Z")
    assert conversion.lints.passed
    files_ = conversion.rendered
    return {
        ast.unparse(node.target): ast.literal_eval(node.value)
        for node in ast.parse(files_.by_path[f"{files_.package_name}/config.py"].text).body
        if isinstance(node, ast.AnnAssign) and node.value is not None
    }


def test_a_checklist_is_as_written_without_stock_lines(tmp_path: Path) -> None:
    stock = (
        "# Keep this file empty (or with only comments) to skip heartbeat API calls.\n\n"
        "# Add tasks below when you want the agent to check something periodically.\n\n"
    )
    found = constants(tmp_path, HEARTBEAT=f"{stock}# HEARTBEAT.md - Lock\n\n{CHECKLIST}\n")
    assert found["HEARTBEAT_CHECKLIST"] == f"# HEARTBEAT.md - Lock\n\n{CHECKLIST}\n"


def test_a_wake_up_has_its_days_and_a_time_of_the_persona_wakes_nobody(tmp_path: Path) -> None:
    soul = "# SOUL.md\n\nYou keep a lock.\n\n### Tide report (7:00 AM PT)\n- Read the gauge\n"
    heartbeat = "On each heartbeat (weekdays only, PT):\n1. Count the boats\n2. Look at the gate\n"
    values = constants(tmp_path, SOUL=soul, HEARTBEAT=heartbeat)
    assert "### Tide report (7:00 AM PT)\n- Read the gauge" in str(values["PREFIX_TEXT"])
    found = values["SCHEDULE_CONFIG"]
    assert isinstance(found, dict)
    assert (found["type"], found["days"]) == ("", ("mon", "tue", "wed", "thu", "fri"))
    assert not found.keys() & {"cron", "times", "wake_ups"}


def test_several_titles_are_headings(tmp_path: Path) -> None:
    text = "# Gates\n- Check the hinges\n\n# Boats\n- Count the boats"
    assert constants(tmp_path, HEARTBEAT=text)["HEARTBEAT_CHECKLIST"] == text


def test_what_is_left_out_leaves_no_hole(tmp_path: Path) -> None:
    text = "- Check the hinges\n- If all is well, reply HEARTBEAT_OK\n  - Count the boats\n- Sweep the quay\n"
    found = constants(tmp_path, HEARTBEAT=text)
    assert found["HEARTBEAT_CHECKLIST"] == "- Check the hinges\n  - Count the boats\n- Sweep the quay\n"


def test_a_task_is_its_part_of_the_file(tmp_path: Path) -> None:
    task = (
        "### Gate round (every 3 hours)\nWalk along the quay:\n1. Read the gauge\n   - Round up\n"
        "2. Oil the hinges\n\nRules:\n- Never skip a gate"
    )
    rest = "\n\n### Boats\n- Count the boats\n"
    found = constants(tmp_path, HEARTBEAT=f"# HEARTBEAT.md\n\n## Rounds\n\n{task}{rest}")
    rows = found["SCHEDULED_TASKS"]
    assert isinstance(rows, tuple)
    assert [(row["name"], row["text"]) for row in rows] == [("Gate round", task)]
    assert found["HEARTBEAT_CHECKLIST"] == "## Rounds\n\n### Boats\n- Count the boats\n"


def test_lead_ins_of_one_wording_stay_in_their_sections(tmp_path: Path) -> None:
    first, second = (
        "## Gates (every 2 hours)\nRules:\n- Oil them",
        "## Boats (every 3 hours)\nRules:\n- Count them",
    )
    rows = constants(tmp_path, HEARTBEAT=f"{first}\n\n{second}\n")["SCHEDULED_TASKS"]
    assert isinstance(rows, tuple)
    assert [row["text"] for row in rows] == [first, second]


def test_facts_stand_below_their_headings(tmp_path: Path) -> None:
    user = "# USER.md\n\n- **Trade:** baker\n\n## What annoys her\n\n- Puns\n- Long mails"
    found = constants(tmp_path, USER=user)
    assert f"# USER.md\n\n{found['USER_CONTEXT']}" == user


@pytest.mark.parametrize("line", ["- Wi-Fi password: brightKettle77", "Wi-Fi password: brightKettle77"])
def test_a_line_with_a_secret_keeps_its_marker_and_loses_the_value(tmp_path: Path, line: str) -> None:
    tools = f"# TOOLS.md\n\n## Gate\n\n- Opens inwards\n\n{line}\n\n- Never force it\n"
    guidance = str(constants(tmp_path, TOOLS=tools)["TOOL_GUIDANCE"])
    assert "Kettle" not in guidance
    assert "\n\n" + line.partition("bright")[0] + "${" in guidance


def test_what_is_nested_in_a_task_belongs_to_it(tmp_path: Path) -> None:
    task = "2. **Rope test** (every 3 days)\n   - Pull each rope\n   - Write down which gave way"
    found = constants(tmp_path, HEARTBEAT=f"1. Count the boats\n{task}\n3. Look at the gate\n")
    rows = found["SCHEDULED_TASKS"]
    assert isinstance(rows, tuple)
    assert [row["text"] for row in rows] == [task]
    assert found["HEARTBEAT_CHECKLIST"] == "1. Count the boats\n3. Look at the gate\n"


AGENTS = """# AGENTS.md

## Scheduled jobs

### Tide report
- Time: every day at 9:00
- Read the gauge and send the figures

### Monthly bill
- Time: on the last day of the month at 17:00
- Add up the tolls

### Bell (every day at 22:00)
Ring it twice.

## Rules
- Be brief
"""


def test_jobs_of_another_file_wake_nobody_until_the_owner_says_so(tmp_path: Path) -> None:
    assert not constants(tmp_path, AGENTS=AGENTS).keys() & {"SCHEDULED_TASKS", "SCHEDULE_CONFIG"}
    conversion = open_conversion(tmp_path, as_of=date(2026, 1, 15), generated_at="2026-01-15T00:00:00Z")
    rows = [row for row in conversion.classification.schedule.rows if row.schedule.file == "AGENTS.md"]
    assert [(row.state, row.title, row.schedule.cadence) for row in rows] == [
        ("elsewhere", "Tide report: 1 time", "every day at 9:00"),
        ("elsewhere", "Monthly bill: 1 time", "on the last day of the month at 17:00"),
        ("elsewhere", "Scheduled jobs: 1 time", "every day at 22:00"),
    ]
    package = conversion.rendered.package_name
    rules = conversion.rendered.by_path[f"{package}/requirements.py"].text
    assert all(words in rules for words in ("send the figures", "Add up the tolls", "Ring it twice."))


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

See [the plan](plan.md). It was built in 1950. You may produce the following:
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


def test_the_rules_stand_as_in_the_source(tmp_path: Path) -> None:
    """A row that asks for a tool of the old runtime is left out; a rule that is judged stays where it stands."""
    (tmp_path / "AGENTS.md").write_text(BAKERY)
    (tmp_path / "SOUL.md").write_text("You are Ada, a baker.\n")
    conversion = open_conversion(tmp_path, as_of=date(2026, 1, 15), generated_at="2026-01-15T00:00:00Z")
    pieces = [text for name, text, _ in texts_of(conversion.files) if name == "rules"]
    assert "".join(pieces) == BAKERY.replace("| a foot | `sessions_spawn` a hand. |\n", "")
    assert "2. Never mention the rye in a reply.\n" in pieces


def test_a_section_of_which_nothing_is_left_leaves_no_heading(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text(
        "# AGENTS.md\n\n## Start\n\nBefore anything else:\n\n1. Read `SOUL.md`\n2. Read `USER.md`\n\n"
        "## Bread\n\n- Rye on Mondays.\n"
    )
    (tmp_path / "SOUL.md").write_text("You are Ada, a baker.\n")
    conversion = open_conversion(tmp_path, as_of=date(2026, 1, 15), generated_at="2026-01-15T00:00:00Z")
    pieces = [text for name, text, _ in texts_of(conversion.files) if name == "rules"]
    assert "".join(pieces) == "## Bread\n\n- Rye on Mondays.\n"


def test_what_an_owner_adds_below_a_stock_lead_in_stands_below_it(tmp_path: Path) -> None:
    """Without it, when to keep quiet would read as one more thing to check."""
    text = (
        "## Heartbeats\n\n**Things to check (rotate through these, 2-4 times per day):**\n"
        "- **Oven** - Is it still warm?\n\n**When to stay quiet (HEARTBEAT_OK):**\n- Ada is kneading\n"
        "- Human is clearly busy\n\n**When to reach out:**\n- The yeast died\n"
    )
    (tmp_path / "AGENTS.md").write_text(f"# AGENTS.md\n\n{text}")
    (tmp_path / "SOUL.md").write_text("You are Ada, a baker.\n")
    (tmp_path / "HEARTBEAT.md").write_text("- Look at the oven\n")
    conversion = open_conversion(tmp_path, as_of=date(2026, 1, 15), generated_at="2026-01-15T00:00:00Z")
    pieces = [text for name, text, _ in texts_of(conversion.files) if name == "rules"]
    assert "".join(pieces) == text


def test_a_fence_of_which_one_line_became_a_tool_is_not_torn(tmp_path: Path) -> None:
    fence = (
        '```bash\ncurl -s "https://wttr.in/Lisbon?format=3"\ncurl -s "https://wttr.in/Porto?format=3"\n```\n'
    )
    tools = f"# TOOLS.md\n\n## Weather\n\nNo key needed:\n\n{fence}"
    guidance = constants(tmp_path, TOOLS=tools).get("TOOL_GUIDANCE", "")
    assert guidance in (tools.removeprefix("# TOOLS.md\n\n"), "## Weather\n\nNo key needed:\n\n")
