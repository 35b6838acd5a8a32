"""The workspace of the package that was written by hand as the mark: what is emitted from it has the mark's shape.

The reference's tests of that package, on the emitted one. It differs on purpose where these lines say so:

- What is left out stands in mapping_report.md, not in a constant `LEFT_OUT`. Less is left out: lines that say what
  memory is for, or to follow the checklist strictly, also say something here, and no fingerprint of a template knows
  the last section.
- What AGENTS.md and TOOLS.md say of tools is one constant, `TOOL_GUIDANCE`. A fence stays whole unless each of its
  commands became a tool.
- Name, role and the rest of IDENTITY.md have names that hosts know (`AGENT_NAME`, ...).
- Tasks whose time isn't read are lines of the checklist and rows of the review.
- Judged are rules about the reply's form and what SOUL.md says of the voice; others only when the owner ticks them.
"""

import ast
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

pytest.importorskip("mellea")

from melleafy_tui.core.models.file_set import FileSet
from tests.converted import conversion_of
from tests.generators.emitting import imported, write_files

DESK = Path(__file__).parents[1] / "data" / "desk_workspace"
Emitted = tuple[FileSet, ModuleType, ModuleType]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Emitted:
    folder = tmp_path_factory.mktemp("desk")
    files = conversion_of(DESK).files
    write_files(files, folder)
    with imported(files.package_name, folder):
        modules = [sys.modules[f"{files.package_name}.{name}"] for name in ("config", "requirements")]
        return files, modules[0], modules[1]


def lines_of(source: str) -> tuple[list[int], str]:
    """Return the numbers of the lines of a source such as "AGENTS.md:3-12", and their text."""
    name, _, lines = source.partition(":")
    first, _, last = lines.partition("-")
    numbers = list(range(int(first), int(last or first) + 1))
    text = (DESK / name).read_text("utf-8").splitlines(keepends=True)
    return numbers, "".join(text[number - 1] for number in numbers)


def joined(*sources: str) -> str:
    return "".join(lines_of(source)[1] for source in sources)


def test_pieces_are_the_document(desk: Emitted) -> None:
    covered: list[int] = []
    for piece in desk[2].OPERATING_REQUIREMENTS:
        numbers, text = lines_of(piece.source)
        assert piece.text == text
        covered += numbers
    assert covered == sorted(set(covered))
    told, left_out = lines_of("AGENTS.md:91-94")[0], lines_of("AGENTS.md:1-14")[0]
    assert sorted([*covered, *told, *left_out]) == list(range(1, 98))
    assert joined("AGENTS.md:91-94", "TOOLS.md:3-16", "TOOLS.md:22-34") == desk[1].TOOL_GUIDANCE


def test_constants_are_verbatim(desk: Emitted) -> None:
    config: Any = desk[1]
    assert joined("SOUL.md:1-13") == config.PREFIX_TEXT
    assert joined("USER.md:3-7") == config.USER_CONTEXT
    assert joined("HEARTBEAT.md:3-9", "HEARTBEAT.md:12-13") == config.HEARTBEAT_CHECKLIST
    said = {"name": config.AGENT_NAME, "creature": config.AGENT_ROLE, **config.AGENT_METADATA}
    fields = re.findall(r"- \*\*(\w+):\*\* (.+)", joined("IDENTITY.md:3-6"))
    assert said == {name.lower(): text for name, text in fields}


def test_tasks_keep_the_owner_s_words(desk: Emitted) -> None:
    said = "".join(f"- {task['text']}\n" for task in desk[1].SCHEDULED_TASKS)
    assert said == joined("HEARTBEAT.md:10-11")


def test_judged_rules_are_few_and_stand_alone(desk: Emitted) -> None:
    pieces = [*desk[2].OPERATING_REQUIREMENTS, *desk[2].PERSONA_RULES]
    judged = [piece.asks for piece in pieces if piece.asks and piece.check is None]
    assert len(judged) <= 12
    assert all(re.match(r"\w", text) and len(text.split()) > 3 for text in judged)
    checked = [piece.source for piece in pieces if piece.check is not None]
    assert {"AGENTS.md:32", "AGENTS.md:33"} <= set(checked)


def test_denied_tools_are_not_offered(desk: Emitted) -> None:
    """openclaw.json denies exec, so nothing in the package starts a process."""
    tools = desk[0].by_path[f"{desk[0].package_name}/tools.py"].text
    names = {node.name for node in ast.parse(tools).body if isinstance(node, ast.FunctionDef)}
    assert {"weather_on_site", "bookings"} <= names
    assert "run_script" not in tools
    assert not any("run_script" in file.text for file in desk[0].files if "/_runtime/" in file.path)
