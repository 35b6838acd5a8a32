"""The frontmatter of a skill: each field of the standard with its limit, and what is said where it is not kept."""

from datetime import date
from pathlib import Path

import pytest

from melleafy_tui.core.dialects.agent_skills.dialect import declared_schedule
from melleafy_tui.core.models.facts import ToolFact
from melleafy_tui.core.models.vocabulary import Category
from melleafy_tui.engine import open_conversion
from tests.dialects.agent_skills.in_memory import (
    HEAD,
    NAME,
    body,
    codes,
    finding,
    inventory_of,
    skill,
    snapshot_of,
)
from tests.rows import every_row
from tests.safety.hostile_workspaces import put

USUAL = ["skill-modality-inferred", "skill-no-contract"]


def head(**fields: str) -> str:
    values = {"name": NAME, "description": "Writes notes on parcels.", **fields}
    return "---\n" + "".join(f"{key}: {value}\n" for key, value in values.items() if value) + "---\n"


def test_a_good_frontmatter_raises_nothing() -> None:
    assert codes(skill(head(license="MIT", compatibility="Any host.", when_to_use="On request."))) == USUAL


@every_row(
    ("fields", "code", "lines"),
    [
        ({"name": ""}, "skill-field-missing", "1-3"),
        ({"description": ""}, "skill-field-missing", "1-3"),
        ({"name": "Parcel_Notes"}, "skill-name-form", "2"),
        ({"name": "parcel--notes"}, "skill-name-form", "2"),
        ({"name": "-parcel"}, "skill-name-form", "2"),
        ({"name": "p" * 65}, "skill-name-form", "2"),
        ({"name": "other-notes"}, "skill-name-folder", "2"),
        ({"description": "d" * 1025}, "skill-field-long", "3"),
        ({"compatibility": "c" * 501}, "skill-field-long", "4"),
        ({"mood": "large"}, "skill-key-unknown", "4"),
        ({"metadata": "just words"}, "skill-metadata-no-mapping", "4"),
    ],
)
def test_limit(fields: dict[str, str], code: str, lines: str) -> None:
    found = finding(skill(head(**fields)), code)
    assert found.lines == lines


@every_row(
    "fields",
    [{"description": "d" * 1024}, {"compatibility": "c" * 500}],
)
def test_the_limit_itself_is_allowed(fields: dict[str, str]) -> None:
    assert codes(skill(head(**fields))) == USUAL


def test_a_name_of_64_is_allowed() -> None:
    name = "p" * 64
    text = f"---\nname: {name}\ndescription: d\n---\n"
    assert "skill-name-form" not in codes(inventory_of({"SKILL.md": text}, name=name))


def test_no_frontmatter_is_said_and_the_body_is_read() -> None:
    inventory = inventory_of({"SKILL.md": "# Notes\n\nNever guess a weight.\n"})
    assert finding(inventory, "skill-frontmatter-missing").severity == "error"
    assert [element.statement for element in inventory.elements if element.category is Category.C2] == [
        "Never guess a weight."
    ]


def test_loose_yaml_is_read_line_by_line() -> None:
    text = (
        f"---\nname: {NAME}\ndescription: Notes: for parcels, letters: and more\n---\nNever guess a weight.\n"
    )
    inventory = skill(text)
    assert finding(inventory, "skill-frontmatter-loose").lines == "1-4"
    described = next(element for element in inventory.elements if element.label == "description")
    assert described.value == "Notes: for parcels, letters: and more"
    assert [element.source_lines for element in inventory.elements if element.category is Category.C2] == [
        "5"
    ]


def test_when_to_use_is_appended_to_the_description() -> None:
    text = f"---\nwhen_to_use: When a parcel is late.\nname: {NAME}\ndescription: Writes notes.\n---\n"
    said = [element for element in skill(text).elements if element.mapping_row == "skill.description"]
    assert [element.value for element in said] == ["Writes notes.", "When a parcel is late."]
    assert said[1].notes == ("Appended to the description.",)


@pytest.mark.parametrize(
    "key",
    [
        "license: MIT",
        "metadata: {short-description: zx}",
        "disable-model-invocation: true",
        "allowed-tools: Read",
    ],
)
@pytest.mark.parametrize("body", ["Write a note.", "## Step 1: Describe\n\nIt.\n\n## Step 2: Label\n\nIt."])
def test_a_model_is_told_no_key_but_name_and_description(key: str, body: str, tmp_path: Path) -> None:
    """They stood in the persona of six of ten public skills."""
    put(
        tmp_path,
        {f"{NAME}/SKILL.md": f"---\nname: {NAME}\ndescription: Writes notes.\n{key}\n---\n\n{body}\n"},
    )
    files = open_conversion(tmp_path / NAME, as_of=date(2026, 1, 1), generated_at="").files
    told = [files.by_path[f"{files.package_name}/{name}.py"].text for name in ("config", "requirements")]
    assert [text for text in told if key.partition(":")[0] in text or "zx" in text] == []


def test_compatibility_is_a_fact_of_the_environment() -> None:
    (found,) = [e for e in skill(head(compatibility="Python 3.11")).elements if e.category is Category.C8]
    assert (found.mapping_row, found.value) == ("skill.compatibility", "Python 3.11")


@every_row(
    ("text", "said"),
    [
        ("line\n" * 501, True),
        ("line\n" * 490, False),
        ("word " * 4_100, True),
        ("字" * 7_600, True),
        ("字" * 7_400, False),
    ],
)
def test_a_long_skill_is_a_warning(text: str, said: bool) -> None:
    assert ("skill-long" in codes(skill(body=text))) is said


@every_row("path", ["evals/case.md", "agents/grader.md", "themes/plain.md", "details.md", "core/a/b/c.json"])
def test_a_file_that_the_text_names_is_read_wherever_it_lies(path: str) -> None:
    for named in (path, path.upper(), path.replace("/", "%2f")):
        inventory = inventory_of({"SKILL.md": f"{HEAD}Follow {named} first.\n", path: '["Weigh it."]\n'})
        assert [each.source_file for each in inventory.elements][-1] == path
    inventory = inventory_of({"SKILL.md": HEAD, path: "Weigh it.\n"})
    assert [(file.path, file.status) for file in inventory.files][-1] == (path, "carried")


def test_a_field_says_when_a_skill_runs() -> None:
    timed = declared_schedule(snapshot_of({"SKILL.md": head(schedule="0 9 * * 1-5") + "# Tide\n"}))
    asked = declared_schedule(snapshot_of({"SKILL.md": head(cron="now and then") + "# Tide\n"}))
    assert (timed.cron, timed.lines) == ("0 9 * * 1-5", "4")
    assert [row.state for row in asked.rows] == ["asked"]
    assert asked.type == ""


def test_modality_is_inferred_and_said() -> None:
    said = finding(skill(), "skill-modality-inferred").message
    assert "synchronous_oneshot" in said
    assert "0.8" in said


def test_there_is_no_invocation_contract() -> None:
    assert "no invocation contract" in finding(skill(), "skill-no-contract").message


@every_row(
    ("path", "text", "reason"),
    [
        ("scripts/a.ts", "console.log(1)\n", "written in ts"),
        ("scripts/a.py", "def broken(:\n", "does not parse"),
        ("scripts/a.py", "def main():\n    raise NotImplementedError\n\nmain()\n", "unfinished"),
        ("scripts/a.sh", "#!/bin/sh\n# nothing yet\n", "holds no command"),
        ("scripts/a.sh", "echo 1  # TODO: implement the rest\n", "unfinished"),
    ],
)
def test_a_script_that_cannot_be_called_is_a_stub(path: str, text: str, reason: str) -> None:
    inventory = inventory_of({"SKILL.md": f"{HEAD}Run `{path}`.\n", path: text})
    assert reason in finding(inventory, "skill-script-stub").message
    (found,) = [element for element in inventory.elements if element.source_file == path]
    assert (found.mapping_row, found.facts[ToolFact].subtype) == ("skill.script.stub", "abstract")


@every_row(
    ("path", "text"),
    [
        ("scripts/a.py", '"""Weighs."""\nimport sys\nif __name__ == "__main__":\n    print(sys.argv)\n'),
        ("scripts/a.py", "print(1)\n"),
        ("scripts/a.sh", "#!/bin/sh\necho hello\n"),
    ],
)
def test_a_script_that_can_be_called_is_real(path: str, text: str) -> None:
    inventory = inventory_of({"SKILL.md": f"{HEAD}Run `{path}`.\n", path: text})
    (found,) = [element for element in inventory.elements if element.source_file == path]
    assert (found.mapping_row, found.facts[ToolFact].script) == ("skill.script", path)


def test_a_module_is_only_imported() -> None:
    inventory = inventory_of({"SKILL.md": HEAD, "scripts/weights.py": "def weigh() -> int:\n    return 1\n"})
    (found,) = [element for element in inventory.elements if element.source_file.startswith("scripts/")]
    assert (found.category, found.rationale) == (Category.NONE, "script.module")
    assert "skill-script-stub" not in codes(inventory)


def test_nothing_above_the_folder_is_wanted() -> None:
    inventory = inventory_of({"SKILL.md": HEAD, "../shared.md": "x", "../scripts/a.py": "print(1)\n"})
    assert not [file for file in inventory.files if file.path.startswith("..")]
    assert body("") == ()


@every_row(
    "rest", ["\n# Bread\n\n- Never bake it twice.\n", "\n- Never bake it twice.\n\n---\n\nCool it: slowly.\n"]
)
def test_the_fields_of_a_block_that_nobody_closed_are_read(rest: str) -> None:
    inventory = skill(head=f"---\nname: {NAME}\ndescription: Writes notes on parcels.\n", body=rest)
    named = {element.label: element.value for element in inventory.elements if element.label}
    assert (named["name"], named["description"]) == (NAME, "Writes notes on parcels.")
    assert "Never bake it twice." in [element.statement for element in inventory.elements]
    assert finding(inventory, "skill-frontmatter-loose").lines == "1-3"
    lines = [
        line
        for element in inventory.elements
        for line in range(element.line_range[0], element.line_range[1] + 1)
    ]
    assert len(lines) == len(set(lines))
