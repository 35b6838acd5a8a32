"""Scripts that tool guidance names travel with the tool wherever they lie; what cannot be read is no tool of its own."""

from datetime import date
from pathlib import Path

from melleafy_tui.core.models.vocabulary import EntryKind
from melleafy_tui.core.package.carried_files import carried_files
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.engine import open_conversion
from tests.rows import every_row
from tests.safety.hostile_workspaces import put

SCRIPT = "#!/bin/sh\necho tide\n"
PASSWORD = "-".join(("harbour", "Kiosk", "2041"))


def converted(folder: Path, tree: dict[str, str]) -> Conversion:
    put(folder, tree)
    return open_conversion(folder, as_of=date(2026, 11, 1), generated_at="2026-11-01T09:00:00Z")


def carried(conversion: Conversion) -> dict[str, bytes]:
    """The emitted files that are carried from the workspace, by their path in the package."""
    folder = f"{conversion.committed.package_name}/"
    places = [place for _, place in carried_files(conversion.committed)]
    return {place: conversion.files.by_path[folder + place].data for place in places}


PLACES = ("bin/tide.sh", "skills/tide/table.sh", "scripts/a/b/ebb.sh", "flood.py")


@every_row("guidance", ["TOOLS.md", "AGENTS.md"])
def test_a_script_travels_with_its_tool_wherever_it_lies(tmp_path: Path, guidance: str) -> None:
    tools = "".join(f"- `./{path}`: prints the tide\n" for path in PLACES)
    tree = {"SOUL.md": "Calm.\n", guidance: f"## Tools\n\n{tools}", **dict.fromkeys(PLACES, SCRIPT)}
    conversion = converted(tmp_path / "w", tree)
    assert conversion.lints.findings == ()
    assert carried(conversion) == {f"source/{path}": SCRIPT.encode() for path in PLACES}


NO_PYTHON = {
    "another Python": 'print "old"\n',
    "a null": "x = '\0'\n",
    "brackets": "(" * 500,
    "no text": "\udc80",
    "a library": "import requests\n",
}


@every_row("folder", ["scripts", "references", "assets", "bin"])
def test_a_script_is_carried_as_it_is_whatever_it_holds(tmp_path: Path, folder: str) -> None:
    scripts = {f"{folder}/tide_{number}.py": text for number, text in enumerate(NO_PYTHON.values())}
    tools = "".join(f"- `{path}`: prints the tide\n" for path in scripts)
    conversion = converted(tmp_path / "w", {"SOUL.md": "Calm.\n", "TOOLS.md": tools, **scripts})
    assert conversion.lints.findings == ()
    assert carried(conversion) == {path: (tmp_path / "w" / path).read_bytes() for path in scripts}


def test_a_script_beside_a_skill_travels_too(tmp_path: Path) -> None:
    skill = "---\nname: tide\ndescription: Tells the tide\n---\n\n1. Run `sh table.sh` and read it out.\n"
    conversion = converted(tmp_path / "tide", {"SKILL.md": skill, "table.sh": SCRIPT})
    assert conversion.lints.findings == ()
    assert carried(conversion) == {"table.sh": SCRIPT.encode()}


def test_a_tool_takes_along_what_its_script_imports_and_opens(tmp_path: Path) -> None:
    needs = {
        "tools/lib/__init__.py": "",
        "tools/lib/tables.py": "from .north import ROWS\n",
        "tools/lib/north.py": "ROWS = 3\n",
        "tools/data/south.csv": "1\n",
        "rates.json": "{}\n",
    }
    script = (
        "import sys\nfrom lib import tables\nopen('data/south.csv')\nopen('../rates.json')\nopen('SOUL.md')\n"
    )
    others = {"tools/other.py": "x = 1\n", "tools/lib/unused.py": "x = 1\n"}
    tree = {"SOUL.md": "Calm.\n", "TOOLS.md": "- `python3 tools/tide.py`: prints the tide\n"}
    conversion = converted(tmp_path / "w", {**tree, **needs, **others, "tools/tide.py": script})
    moved = {f"source/{path}" if path.startswith("tools/") else path for path in (*needs, "tools/tide.py")}
    assert carried(conversion).keys() == moved
    assert {each.path for each in conversion.account.named} == others.keys()


def test_a_script_with_a_secret_stays_where_it_is(tmp_path: Path) -> None:
    tree = {
        "SOUL.md": "Calm.\n",
        "TOOLS.md": "- `bin/tide.sh`: prints the tide\n",
        "bin/tide.sh": f"PASSWORD={PASSWORD}\ncurl -u desk:$PASSWORD https://tides.example\n",
    }
    conversion = converted(tmp_path / "w", tree)
    assert conversion.lints.findings == ()
    assert carried(conversion) == {}
    assert not any(PASSWORD.encode() in file.data for file in conversion.files.files)


def test_a_script_that_is_too_large_is_no_tool_that_runs_it(tmp_path: Path) -> None:
    tree = {
        "SOUL.md": "Calm.\n",
        "TOOLS.md": "- `bin/tide.sh`: prints the tide\n",
        "bin/tide.sh": "# tide\n" * 1_600_000,
    }
    conversion = converted(tmp_path / "w", tree)
    assert conversion.lints.findings == ()
    assert carried(conversion) == {}
    assert [(found.code, found.file) for found in conversion.diagnostics if found.file == "bin/tide.sh"] == [
        ("file-too-large", "bin/tide.sh")
    ]


def test_a_link_out_of_the_workspace_is_not_followed(tmp_path: Path) -> None:
    put(tmp_path / "elsewhere", {"tide.sh": "echo private\n"})
    put(tmp_path / "w", {"SOUL.md": "Calm.\n", "TOOLS.md": "- `bin/tide.sh`: prints the tide\n", "bin/a": ""})
    (tmp_path / "w" / "bin" / "tide.sh").symlink_to(tmp_path / "elsewhere" / "tide.sh")
    conversion = converted(tmp_path / "w", {})
    assert conversion.lints.findings == ()
    assert not any(b"private" in file.data for file in conversion.files.files)


def test_a_tool_has_its_name_though_a_sentence_about_it_stands_above(tmp_path: Path) -> None:
    tools = "## departures\n\nWhat leaves next.\n\n```\ncurl https://tides.example/next\n```\n"
    conversion = converted(tmp_path / "w", {"SOUL.md": "Calm.\n", "TOOLS.md": tools})
    (tool,) = [entry for entry in conversion.plan.entries if entry.kind is EntryKind.TOOL_CONCRETE]
    assert tool.target == "tools.py:departures"


def test_what_no_tool_uses_stays_in_the_workspace(tmp_path: Path) -> None:
    """A skill's folder is part of it; an agent's `assets/` can hold anything, such as letters of others."""
    unused = {"assets/letter.pdf": "\0letter", "scripts/nightly.sh": SCRIPT, "references/tides.md": "Low.\n"}
    plain = converted(tmp_path / "w", {"SOUL.md": "Calm.\n", **unused})
    folders = ("/assets/", "/scripts/", "/references/")
    assert not [file.path for file in plain.files.files if any(folder in file.path for folder in folders)]
    assert not [told.file for told in plain.diagnostics if told.file in unused]

    tools = "- `scripts/tide.sh`: prints the tide\n"
    used = converted(
        tmp_path / "u", {"SOUL.md": "Calm.\n", "TOOLS.md": tools, "scripts/tide.sh": SCRIPT, **unused}
    )
    assert [*carried(used)] == ["scripts/tide.sh"]
    skill = "---\nname: tide\ndescription: Tells the tide\n---\n\nRead references/tides.md.\n"
    assert carried(converted(tmp_path / "tide", {"SKILL.md": skill, **unused})).keys() == unused.keys()


@every_row(
    "line",
    [
        "| `skills/oven/scripts/read_heat.sh` | 오븐 온도를 읽는다 |",
        "| `skills/oven/scripts/read_heat.sh` | 读取烤箱温度 |",
        "| `skills/oven/scripts/read_heat.sh` | Reads the oven's heat |",
    ],
)
def test_a_script_in_a_table_names_its_tool_in_any_language(line: str, tmp_path: Path) -> None:
    tree = {
        "SOUL.md": "# Ada\n\nYou bake.\n",
        "AGENTS.md": "# Rules\n\n| 요청 | 도구 |\n|---|---|\n| 온도 | oven |\n",
        "TOOLS.md": f"# 스크립트\n\n| 스크립트 | 용도 |\n|---|---|\n{line}\n",
        "skills/oven/SKILL.md": "---\nname: oven\ndescription: 오븐\n---\n",
        "skills/oven/scripts/read_heat.sh": SCRIPT,
    }
    files = converted(tmp_path / "bakery", tree).files.files
    (tools,) = (file.data.decode() for file in files if file.path.endswith("/tools.py"))
    assert "def read_heat(" in tools
    assert "def oven(" in tools
