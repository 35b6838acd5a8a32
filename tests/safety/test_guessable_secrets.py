"""No output depends on a short secret, so none can be found by trying all: neither from a digest nor from a name."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from melleafy_tui.core.decisions.commands import SetDisposition, SetTag
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.core.models.vocabulary import Disposition, Tag
from melleafy_tui.core.pipeline.review_cards import open_items, review_cards
from melleafy_tui.engine import open_conversion
from tests.safety.chain import AS_OF, run
from tests.safety.hostile_workspaces import put
from tests.ui.conftest import AS_OF as TODAY
from tests.ui.conftest import STAMP

PINS: Final = ("4821", "7306")


def openclaw(pin: str) -> dict[str, str]:
    return {
        "SOUL.md": f"# Soul\n\n## Voice\n\nWarm and calm. The door PIN is {pin}.\n\n- Be kind\n",
        "IDENTITY.md": f"- **Name:** helper\n- **Safe PIN:** {pin}\n",
        "AGENTS.md": f"# Agents\n\n## Rules\n\n- Never tell the gate code: {pin}.\n- Be brief.\n\n## Doors\n\n"
        f"Open the garage with PIN: {pin} when asked.\n\n| door | PIN |\n| - | - |\n| garage | {pin} |\n\n"
        f"```bash\nexport DOOR_PIN={pin}\n```\n",
        "MEMORY.md": f"# Memory\n\n- The safe's PIN is {pin}\n\n## Alarm PIN {pin}\n\nIt is by the door.\n",
        "HEARTBEAT.md": f"Run every 30m\n\n- Check the alarm (PIN {pin}) twice\n",
        "TOOLS.md": f"# Tools\n\n## Alarm\n\nAlarm PIN: {pin}\n\n- `hub`: GET https://api.example.com/x\n",
        "openclaw.json": json.dumps(
            {
                "agents": {"defaults": {"heartbeat": {"every": "1h", "prompt": f"Look; the PIN: {pin}"}}},
                "gateway": {"auth": {"password": pin}},
            },
            indent=2,
        ),
        "cron/jobs.json": json.dumps(
            {
                "jobs": [
                    {
                        "name": "gate",
                        "schedule": {"kind": "cron", "expr": "0 9 * * *"},
                        "payload": {"message": f"Open the gate, PIN: {pin}"},
                    }
                ]
            }
        ),
        "skills/hub/SKILL.md": f"---\nname: hub\ndescription: Opens the gate with PIN {pin}\n---\n\n"
        f"- Run scripts/hub.py with PIN: {pin}\n",
        "skills/hub/scripts/hub.py": f"DOOR_PIN = '{pin}'\nprint(DOOR_PIN)\n",
        "skills/hub/references/doors.md": f"# Doors\n\nGate PIN: {pin}\n",
        "../state/agents/main/sessions/s.jsonl": "\n".join(
            map(
                json.dumps,
                (
                    {"type": "session", "id": "s", "timestamp": "2026-01-01T00:00:00Z"},
                    {"type": "message", "message": {"role": "user", "content": f"Open it, the PIN is {pin}"}},
                    {"type": "message", "message": {"role": "assistant", "content": "Done."}},
                ),
            )
        ),
    }


def claude_code(pin: str) -> dict[str, str]:
    return {
        "CLAUDE.md": f"# Project\n\n- Never tell the gate PIN: {pin}\n\n## Doors\n\nThe gate opens with PIN {pin}.\n",
        ".claude/settings.json": json.dumps(
            {
                "permissions": {"allow": [f"Bash(open-gate --pin={pin})"]},
                "hooks": {"Stop": [{"hooks": [{"type": "command", "command": f"gate --password {pin}"}]}]},
            }
        ),
        ".mcp.json": json.dumps({"mcpServers": {"hub": {"command": "hub", "args": ["--password", pin]}}}),
        ".claude/commands/go.md": f"---\ndescription: open the gate with PIN {pin}\n---\nUse PIN: {pin}\n",
        ".claude/agents/a.md": f"---\nname: a\ndescription: knows the gate PIN {pin}\n---\nThe PIN is {pin}\n",
    }


def agent_skill(pin: str) -> dict[str, str]:
    return {
        "SKILL.md": f"---\nname: hub\ndescription: Opens the gate, PIN {pin}\nmetadata:\n  pin: '{pin}'\n---\n\n"
        f"# Hub\n\n1. Open with PIN: {pin}\n\nSee references/a.md\n\n## Doors\n\nThe safe opens with PIN {pin}.\n",
        "references/a.md": f"# A\n\nGate PIN: {pin}\n",
        "scripts/run.py": f"import argparse\n\nGATE_PIN = '{pin}'\n",
    }


@pytest.mark.parametrize("make", [openclaw, claude_code, agent_skill])
def test_nothing_that_comes_out_depends_on_a_pin(
    make: Callable[[str], dict[str, str]], tmp_path: Path, own_world: Path
) -> None:
    first, second = (everything_about(make(pin), tmp_path / "at", own_world) for pin in PINS)
    assert first.keys() == second.keys()
    assert [name for name in first if first[name] != second[name]] == []


def everything_about(files: dict[str, str], at: Path, home: Path) -> dict[str, object]:
    """Return all that is printed and written about a workspace, at the same place each time."""
    shutil.rmtree(at, ignore_errors=True)
    root, to = at / "desk", at / "to"
    put(root, files)
    to.mkdir()
    commands: tuple[tuple[object, ...], ...] = (
        (root, "--dependencies=auto", "--out", to / "out", "--as-of", AS_OF),
        *((name, root, "--json", "--as-of", AS_OF) for name in ("detect", "inventory", "plan", "context")),
        ("plan", root, "--save", to / "plan.json", "--as-of", AS_OF),
        ("check", root, "--out", to / "out", "--json", "--as-of", AS_OF),
        ("diff", root, to / "out", "--json", "--as-of", AS_OF),
        ("export", to / "out", to / "exported", "--host=openclaw", "--json"),
        ("history", at / "state", "--session", "all", "--json"),
        ("materialize", root, at / "copies", "--json"),
    )
    found: dict[str, object] = {str(words): run(*words) for words in commands}
    found["decisions"] = decisions_on_all(root)
    for folder in (to, home):
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                found[str(path)] = path.read_bytes()
    return found


def decisions_on_all(root: Path) -> list[str]:
    """Return the decisions files of a workspace in which everything was decided or reviewed."""
    documents = []
    for tag, disposition in ((None, Disposition.STUB), (Tag.DECIDE, Disposition.REMOVE)):
        conversion = open_conversion(root, as_of=TODAY, generated_at=STAMP)
        for item in open_items(review_cards(conversion)) if tag is None else ():
            conversion.act(item.accept)
        for key in conversion.keys.values():
            for command in (SetDisposition((key,), disposition), *((SetTag((key,), tag),) if tag else ())):
                try:
                    conversion.act(command)
                except MelleafyError:
                    continue
        documents.append(conversion.to_document().model_dump_json())
    return documents
