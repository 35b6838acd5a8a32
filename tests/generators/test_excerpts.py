"""Checklists, tasks, facts and guidance stand in the package as their files have them."""

import ast
from datetime import date
from pathlib import Path

import pytest

from melleafy_tui.engine import open_conversion

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


def test_a_checklist_is_as_written_without_title_and_stock_lines(tmp_path: Path) -> None:
    stock = (
        "# Keep this file empty (or with only comments) to skip heartbeat API calls.\n\n"
        "# Add tasks below when you want the agent to check something periodically.\n\n"
    )
    found = constants(tmp_path, HEARTBEAT=f"{stock}# HEARTBEAT.md - Lock\n\n{CHECKLIST}\n")
    assert found["HEARTBEAT_CHECKLIST"] == CHECKLIST


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
    assert found["HEARTBEAT_CHECKLIST"] == "- Check the hinges\n- Count the boats\n- Sweep the quay"


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
    assert found["HEARTBEAT_CHECKLIST"] == "## Rounds\n\n### Boats\n- Count the boats"


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
    assert found["HEARTBEAT_CHECKLIST"] == "1. Count the boats\n3. Look at the gate"


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
