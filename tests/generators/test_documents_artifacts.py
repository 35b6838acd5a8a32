"""melleafy.json, intermediate/*.json, dependencies.yaml, .env.example and pyproject.toml: valid, exact, without secrets."""

import ast
import json
import re
import sys
import tomllib
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import jsonschema
import msgspec
import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec import structs
from msgspec.structs import replace

from melleafy_tui.cli.commands.schema import json_schema
from melleafy_tui.core.language.time.clock import short_interval
from melleafy_tui.core.models.classification import Classification, Schedule
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.conversion_settings import Settings
from melleafy_tui.core.models.facts import DetailsFact, Facts, SecretFact
from melleafy_tui.core.models.inventory import RecordedInventory
from melleafy_tui.core.models.manifest import Manifest
from melleafy_tui.core.models.mapping import ElementMapping
from melleafy_tui.core.models.plan import DependencyPlan
from melleafy_tui.core.models.vocabulary import (
    CATEGORIES,
    Category,
    DecisionSource,
    Disposition,
    EntryKind,
    Modality,
)
from melleafy_tui.core.source.json5 import read_record
from melleafy_tui.engine import open_conversion
from melleafy_tui.generators.intermediate import ARTIFACTS
from melleafy_tui.generators.literals import json_bytes, toml_array, toml_string
from melleafy_tui.generators.manifest import manifest, plain_line
from melleafy_tui.generators.render import render_package
from tests.converted import conversion_of
from tests.dialects.hybrid import goldens as hybrids
from tests.generators.committed import (
    REFERENCE_FILES,
    REFERENCE_PIECES,
    Piece,
    committed_plan,
    reference_plan,
)

PACKAGE = "ticket_triage_mellea"
SECRET = "swordfish-on-tuesday"


def files_of(committed: CommittedPlan) -> dict[str, str]:
    return {path: file.text for path, file in render_package(committed).by_path.items()}


def manifest_of(committed: CommittedPlan) -> dict[str, object]:
    document = json.loads(files_of(committed)[f"{committed.package_name}/melleafy.json"])
    assert isinstance(document, dict)
    return document


def secretive() -> CommittedPlan:
    """Return a plan with a secret in a tool line, a credential entry, and a rule that quotes one."""
    files = {
        **REFERENCE_FILES,
        "TOOLS.md": f"The desk's password: {SECRET}\n",
        "SOUL.md": f"Say {SECRET} at the door.\n",
        ".env": f"DESK_KEY={SECRET}\n",
    }
    flagged = Facts(SecretFact(secret=True), DetailsFact({"raw": SECRET}))
    return committed_plan(
        files,
        [
            Piece(
                ".env",
                "1",
                EntryKind.CREDENTIAL,
                Disposition.EXTERNAL_INPUT,
                label="DESK_KEY",
                value=SECRET,
                statement="DESK_KEY",
                facts=flagged,
            ),
            Piece("AGENTS.md", "6", EntryKind.RULE),
            Piece(
                "TOOLS.md",
                "1",
                EntryKind.TOOL_NARRATIVE,
                statement="The desk's password: [masked]",
                facts=flagged,
            ),
            Piece(
                "SOUL.md",
                "1",
                EntryKind.IDENTITY,
                statement="Say [masked] at the door.",
                facts=flagged,
                form="section",
            ),
        ],
    )


def test_the_manifest_obeys_its_own_schema() -> None:
    document = manifest_of(reference_plan())
    jsonschema.validate(document, json_schema("manifest"))
    assert msgspec.convert(document, Manifest).manifest_version == "1.1.0"


def test_the_signature_is_that_of_the_emitted_code() -> None:
    committed = reference_plan()
    document = manifest_of(committed)
    assert document["entry_signature"] == (
        "run_pipeline(message: str | None, history: list[dict[str, str]] | str | None = None, "
        'user_context: str = "") -> AgentReply'
    )
    tree = ast.parse(files_of(committed)[f"{PACKAGE}/pipeline.py"])
    (entry,) = [
        node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "run_pipeline"
    ]
    assert [argument.arg for argument in entry.args.args] == ["message", "history", "user_context"]
    assert document["pipeline_parameters"] == [
        {"name": "message", "type": "str | None", "required": True},
        {
            "name": "history",
            "type": "list[dict[str, str]] | str | None",
            "required": False,
            "default": None,
        },
        {"name": "user_context", "type": "str", "required": False, "default": ""},
    ]


def test_all_nine_categories_are_there_and_count_every_entry() -> None:
    committed = secretive()
    resolved = manifest_of(committed)["categories_resolved"]
    assert isinstance(resolved, dict)
    assert list(resolved) == [
        facts.plan_name for category, facts in CATEGORIES.items() if category is not Category.NONE
    ]
    listed = [entry["entry_id"] for found in resolved.values() for entry in found["entries"]]
    assert sorted(listed) == sorted(entry.entry_id for entry in committed.plan.entries)
    assert all(found["count"] == len(found["entries"]) for found in resolved.values())


def test_an_override_is_recorded_as_the_users() -> None:
    committed = reference_plan()
    entries = list(committed.plan.entries)
    entries[0] = replace(entries[0], source_of_decision=DecisionSource.USER, disposition=Disposition.REMOVE)
    plan = replace(committed.plan, entries=tuple(entries))
    files = files_of(structs.replace(committed, plan=plan))
    recorded = json.loads(files[f"{PACKAGE}/intermediate/dependency_plan.json"])["entries"][0]
    assert (recorded["source_of_decision"], recorded["disposition"]) == ("user", "remove")
    listed = json.loads(files[f"{PACKAGE}/melleafy.json"])["categories_resolved"]["c2_operating_rules"][
        "entries"
    ][0]
    assert (listed["source_of_decision"], listed["disposition"]) == ("user", "remove")


@settings(max_examples=40)
@given(st.text(max_size=300))
@example('"""\nimport os\n"""')
@example("name: x # y")
@example("- [a](b): {c}")
@example("\\N{SNOWMAN} \\")
@example("'''' \"")
def test_a_description_stays_prose_in_a_docstring_and_as_a_bare_yaml_value(text: str) -> None:
    line = plain_line(text)
    assert "\n" not in line
    if line:
        tree = ast.parse(f'def f() -> str:\n    """{line}"""\n    return ""\n')
        assert isinstance(tree.body[0], ast.FunctionDef)
        assert len(tree.body[0].body) == 2
        assert isinstance(yaml.safe_load(f"description: {line}"), dict)
        assert list(yaml.safe_load(f"description: {line}")) == ["description"]


@pytest.mark.parametrize(
    ("seconds", "words"), [(1800, "30m"), (3600, "1h"), (5400, "90m"), (90, "90s"), (172800, "2d")]
)
def test_an_interval_in_its_largest_whole_unit(seconds: int, words: str) -> None:
    assert short_interval(seconds) == words


ARTIFACT_SCHEMAS = [
    ("intermediate/classification", "classification"),
    ("intermediate/inventory", "inventory.json"),
    ("intermediate/element_mapping", "mapping"),
    ("intermediate/dependency_plan", "dependency_plan.json"),
    ("intermediate/source_layout", "source_layout.json"),
    ("melleafy", "manifest"),
]


@pytest.mark.parametrize(("artifact", "schema"), ARTIFACT_SCHEMAS)
def test_an_artifact_obeys_the_published_schema(artifact: str, schema: str) -> None:
    document = json.loads(files_of(secretive())[f"{PACKAGE}/{artifact}.json"])
    jsonschema.validate(document, json_schema(schema))


@pytest.mark.slow
@pytest.mark.parametrize("name", hybrids.NAMES)
def test_the_artifacts_of_a_hybrid_obey_it_too(name: str) -> None:
    conversion = hybrids.conversion_of(name)
    for artifact, schema in ARTIFACT_SCHEMAS:
        document = next(
            json.loads(file.text)
            for file in conversion.files.files
            if file.path.endswith(f"/{artifact}.json")
        )
        jsonschema.validate(document, json_schema(schema))
        if artifact == "intermediate/inventory":
            assert len(document.get("claims", [])) == len(conversion.inventory.claims)


def test_the_schedule_keeps_the_declared_words() -> None:
    schedule = Schedule(type="words", cadence="when it rains", active_hours="business hours")
    kept = manifest(committed_plan(REFERENCE_FILES, [], schedule=schedule)).schedule_config
    assert (kept.type, kept.cadence, kept.active_hours, kept.heartbeat) == (
        "words",
        "when it rains",
        "business hours",
        None,
    )


def test_every_artifact_reads_back_as_the_model_it_came_from() -> None:
    committed = reference_plan()
    files = files_of(committed)
    folder = f"{PACKAGE}/intermediate"
    assert (
        read_record(files[f"{folder}/classification.json"].encode(), Classification)
        == committed.classification
    )
    assert read_record(files[f"{folder}/dependency_plan.json"].encode(), DependencyPlan) == committed.plan
    mapping = read_record(files[f"{folder}/element_mapping.json"].encode(), ElementMapping)
    assert mapping.mappings == committed.mapping.mappings
    inventory = read_record(files[f"{folder}/inventory.json"].encode(), RecordedInventory)
    assert inventory.elements == committed.inventory.elements


@pytest.mark.parametrize("name", ARTIFACTS)
def test_an_artifact_has_two_spaces_and_a_final_line_end(name: str) -> None:
    text = files_of(reference_plan())[f"{PACKAGE}/intermediate/{name}.json"]
    assert text.startswith('{\n  "')
    assert text.endswith("}\n")
    json.loads(text)


def test_amendments_tell_what_the_decisions_moved() -> None:
    committed = reference_plan(
        changed={"MEMORY.md:1-3": Disposition.REAL_IMPL, "AGENTS.md:7": Disposition.REMOVE}
    )
    found = json.loads(files_of(committed)[f"{PACKAGE}/intermediate/element_mapping_amendments.json"])
    moved = {row["element_id"]: (row["mapped_to"], row["amended_to"]) for row in found["moved"]}
    assert moved["elem_011"] == ("constrained_slots.py:recall_memory", "tools.py:recall_memory")
    assert [row["element_id"] for row in found["removed"]] == ["elem_004"]


def test_the_runtime_directive_equals_the_constants() -> None:
    committed = reference_plan(settings=Settings(backend="openai", model_id="gpt-oss:20b"))
    files = files_of(committed)
    directive = json.loads(files[f"{PACKAGE}/intermediate/runtime_directive.json"])
    assert f'BACKEND: Final = "{directive["backend"]}"' in files[f"{PACKAGE}/config.py"]
    assert f'MODEL_ID: Final = "{directive["model_id"]}"' in files[f"{PACKAGE}/config.py"]


def test_variables_are_named_and_have_no_value() -> None:
    files = files_of(secretive())
    lines = [line for line in files[".env.example"].splitlines() if line and not line.startswith("#")]
    assert lines == ["DESK_KEY="]
    assert json.loads(files[f"{PACKAGE}/melleafy.json"])["declared_env_vars"] == ["DESK_KEY"]


def test_no_variable_no_file() -> None:
    assert ".env.example" not in files_of(reference_plan())


def test_variables_that_only_a_tool_names_are_declared_and_told(tmp_path: Path) -> None:
    tools = (
        "# Tools\n\n## Tickets\n\n"
        '- `curl -H "Authorization: Bearer $TICKET_TOKEN" https://api.example.com/tickets/{id}/comments`\n'
        "\n## Rooms\n\n- `GET https://rooms.example/api/{room}?token=${HOTEL_TOKEN}`\n"
    )
    (tmp_path / "SOUL.md").write_text("Warm.\n")
    (tmp_path / "TOOLS.md").write_text(tools)
    package = open_conversion(
        tmp_path, as_of=date(2026, 11, 1), generated_at="2026-11-01T00:00:00Z"
    ).committed
    files = files_of(package)
    lines = [line for line in files[".env.example"].splitlines() if line and not line.startswith("#")]
    assert lines == ["TICKET_TOKEN=", "HOTEL_TOKEN="]
    folder = f"{package.package_name}/"
    assert json.loads(files[folder + "melleafy.json"])["declared_env_vars"] == ["TICKET_TOKEN", "HOTEL_TOKEN"]
    assert "| `HOTEL_TOKEN` |" in files[folder + "SETUP.md"].partition("## §2 ")[2].partition("## §3 ")[0]


def test_backend_variables_are_declared_when_they_are_read() -> None:
    declared = manifest_of(reference_plan(backend=Disposition.EXTERNAL_INPUT))["declared_env_vars"]
    assert declared == ["MELLEA_BACKEND", "MELLEA_MODEL"]


def test_dependencies_list_what_comes_from_outside() -> None:
    committed = reference_plan()
    document = yaml.safe_load(files_of(committed)[f"{PACKAGE}/dependencies.yaml"])
    listed = {entry: row["disposition"] for row in document["dependencies"] for entry in row["entries"]}
    assert listed == {
        entry.entry_id: entry.disposition.value
        for entry in committed.plan.entries
        if entry.disposition is not Disposition.BUNDLE
    }


def test_nothing_from_outside_no_file() -> None:
    bare = committed_plan(REFERENCE_FILES, [Piece("SOUL.md", "3-5", EntryKind.IDENTITY, form="section")])
    assert f"{bare.package_name}/dependencies.yaml" not in files_of(bare)


def test_the_project_file_names_entry_point_packages_and_requirements() -> None:
    project = tomllib.loads(files_of(reference_plan())["pyproject.toml"])
    assert project["project"]["name"] == "ticket-triage-mellea"
    assert project["project"]["scripts"] == {"ticket-triage": f"{PACKAGE}.main:main"}
    assert "mellea>=0.8,<0.9" in project["project"]["dependencies"]
    assert project["tool"]["setuptools"]["packages"] == [
        PACKAGE,
        f"{PACKAGE}._runtime",
        f"{PACKAGE}.fixtures",
    ]
    assert "optional-dependencies" not in project["project"]  # no runner of its own needs APScheduler


def test_an_agent_without_schedule_has_no_extra() -> None:
    bare = committed_plan(REFERENCE_FILES, [Piece("SOUL.md", "3-5", EntryKind.IDENTITY, form="section")])
    assert "optional-dependencies" not in tomllib.loads(files_of(bare)["pyproject.toml"])["project"]


def test_checkers_leave_copied_code_alone(tmp_path: Path) -> None:
    carried = {
        "references/a.py": "x=1\n",
        "b/c.sh": "x\n",
        "scripts/run.sh": "x\n",
        "d.md": "x\n",
        "e.csv": "x\n",
    }
    for path, text in {**carried, "SKILL.md": "---\nname: s\ndescription: d\n---\n\nSay it.\n"}.items():
        (tmp_path / "s" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "s" / path).write_text(text, encoding="utf-8")
    conversion = conversion_of(tmp_path / "s")
    tools = tomllib.loads(conversion.files.by_path["pyproject.toml"].text)["tool"]
    excluded = [f"{conversion.committed.package_name}/{name}" for name in ("d.md", "references", "scripts")]
    for tool, key in (("ruff", "extend-exclude"), ("mypy", "exclude"), ("pyright", "ignore")):
        assert tools[tool][key] == excluded


def test_every_third_party_import_is_a_requirement() -> None:
    committed = reference_plan(
        changed={"MEMORY.md:1-3": Disposition.REAL_IMPL, "HEARTBEAT.md:1": Disposition.REAL_IMPL}
    )
    rendered = render_package(committed)
    project = tomllib.loads(rendered.by_path["pyproject.toml"].text)["project"]
    asked = " ".join([*project["dependencies"], *project["optional-dependencies"]["scheduler"]])
    trees = [ast.parse(file.data) for file in rendered.files if file.path.endswith(".py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    named = {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
    named |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom) and not node.level}
    imported = {name.partition(".")[0] for name in named} - sys.stdlib_module_names
    assert {"mellea", "pydantic"} <= imported
    for name in imported - {"pydantic_core", "ollama"}:  # brought along
        assert name in asked


@settings(max_examples=40)
@given(st.text())
@example('\x7f\x00\x1f"\\\n\r\n')
@example("\U0001f3ab é")
def test_a_toml_string_comes_back(text: str) -> None:
    sound = text.encode("utf-8", "replace").decode("utf-8")
    assert tomllib.loads(f"x = {toml_string(text)}\n")["x"] == (text if sound == text else sound)
    assert tomllib.loads(f"x = {toml_array([text, text])}\n")["x"] == [sound, sound]


any_text = st.text(st.characters(), max_size=40)


@settings(max_examples=40)
@given(
    st.recursive(
        any_text
        | st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False, allow_infinity=False),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(any_text, inner, max_size=3),
    )
)
@example("\ud800 \u202e \U000e0041 \x7f")
@example([2**64, -(2**63) - 1, 1e22])
def test_json_reads_back_and_hides_nothing(value: object) -> None:
    data = json_bytes(value)
    assert json.loads(data) == value
    assert not re.search("[\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069]", data.decode("utf-8"))


def hostile_plan(words: str) -> CommittedPlan:
    files = {"SOUL.md": f"{words}\n", "AGENTS.md": f"- {words}\n"}
    return committed_plan(
        files,
        [
            Piece("AGENTS.md", "1", EntryKind.RULE, statement=words or "x"),
            Piece("SOUL.md", "1", EntryKind.IDENTITY, label="role", value=words, form="field"),
            Piece("SOUL.md", "1", EntryKind.MEMORY, Disposition.DELEGATE_TO_RUNTIME, statement=words or "x"),
        ],
        modality=Modality.HEARTBEAT,
    )


def documents(committed: CommittedPlan) -> Iterator[tuple[str, str]]:
    return ((path, text) for path, text in files_of(committed).items() if not path.endswith(".py"))


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"]), max_size=60))
@example("{{ 7 * 7 }} {% raw %} {# x #}")
def test_all_formats_hold_any_text(words: str) -> None:
    for path, text in documents(hostile_plan(words)):
        if path.endswith(".json"):
            json.loads(text)
        elif path.endswith(".toml"):
            tomllib.loads(text)
        elif path.endswith(".yaml"):
            yaml.safe_load(text)


def test_a_template_in_the_workspace_stays_text() -> None:
    files = dict(documents(hostile_plan("{{ 7 * 7 }} {% raw %}")))
    shown = [path for path, text in files.items() if "7 * 7 }}" in text or "7 \\* 7 }}" in text]
    assert {path.rpartition("/")[2] for path in shown} >= {"README.md", "mapping_report.md", "inventory.json"}


def test_the_same_plan_gives_the_same_bytes() -> None:
    first, second = render_package(reference_plan()), render_package(reference_plan())
    assert [(file.path, file.data) for file in first.files] == [
        (file.path, file.data) for file in second.files
    ]


def test_every_reference_element_is_in_the_inventory_artifact_with_the_seeds_fields() -> None:
    elements = json.loads(files_of(reference_plan())[f"{PACKAGE}/intermediate/inventory.json"])["elements"]
    assert len(elements) == len(REFERENCE_PIECES)
    wanted = ("element_id", "source_file", "source_lines", "tag", "category", "content_summary")
    assert all(name in element for element in elements for name in wanted)
