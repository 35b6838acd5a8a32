"""What the published exporters (LangGraph, MCP, Claude Code) read of a manifest, held against every example.

Written from a reading of mellea-skills-compiler's `export/`, which is on no package registry; it is not run here.
"""

import ast
import json
import re
from datetime import date

import pytest
import yaml

from melleafy_tui.engine import open_conversion
from tests.conftest import PROJECT
from tests.converted import files_of

EXAMPLES = sorted(path.name for path in (PROJECT / "examples").iterdir() if path.is_dir())
MODALITIES = (
    "synchronous_oneshot",
    "streaming",
    "conversational_session",
    "scheduled",
    "event_triggered",
    "heartbeat",
)


@pytest.fixture(scope="module", params=EXAMPLES)
def package(request: pytest.FixtureRequest) -> dict[str, str]:
    source = PROJECT / "examples" / str(request.param)
    conversion = open_conversion(source, as_of=date(2026, 11, 1), generated_at="2026-11-01T00:00:00Z")
    return {file.path: file.text for file in conversion.files.files}


def manifest_of(package: dict[str, str]) -> dict[str, object]:
    text = next(text for path, text in package.items() if path.endswith("/melleafy.json"))
    document = json.loads(text)
    assert isinstance(document, dict)
    return document


def test_version_name_and_folder(package: dict[str, str]) -> None:
    manifest = manifest_of(package)
    version = [int(part) for part in str(manifest["manifest_version"]).split(".")]
    assert version >= [1, 0, 0]
    name = str(manifest["package_name"])
    assert f"{name}/__init__.py" in package
    assert f"{name}/melleafy.json" in package
    assert name.endswith("_mellea")


def test_the_signature_splits_into_parameters_that_a_wrapper_can_repeat(package: dict[str, str]) -> None:
    manifest = manifest_of(package)
    found = re.fullmatch(r"(\w+)\(([^)]*)\)\s*(?:->\s*(.+))?", str(manifest["entry_signature"]))
    assert found is not None
    assert found[1] == "run_pipeline"
    pipeline = ast.parse(package[f"{manifest['package_name']}/pipeline.py"])
    function = next(
        node for node in pipeline.body if isinstance(node, ast.FunctionDef) and node.name == found[1]
    )
    depth, parts = 0, [""]
    for character in found[2]:
        depth += (character in "[({") - (character in "])}")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    names = [part.partition(":")[0].strip() for part in parts]
    assert names == [argument.arg for argument in (*function.args.args, *function.args.kwonlyargs)]
    for part in parts:
        _, equals, default = part.partition("=")
        if equals:
            ast.literal_eval(default.strip())
    required = [part.strip() for part in parts if "=" not in part]
    if manifest["modality"] == "scheduled":  # a schedule calls without arguments
        assert required == []
    else:
        own = ["town: str", "day: str", "notes_value: str"]  # the placeholders of a crew
        assert required in (["message: str"], ["message: str | None"], own)


def test_modality_variables_and_schedule(package: dict[str, str]) -> None:
    manifest = manifest_of(package)
    assert manifest["modality"] in MODALITIES
    variables = manifest["declared_env_vars"]
    assert isinstance(variables, list)
    assert all(isinstance(name, str) and re.fullmatch(r"[A-Z_][A-Z0-9_]*", name) for name in variables)
    schedule = manifest["schedule_config"]
    assert isinstance(schedule, dict)
    if manifest["modality"] == "heartbeat":
        assert re.fullmatch(r"([0-9]+[smhd])?", (schedule.get("heartbeat") or {"every": ""})["every"])


def test_a_scheduled_agent_runs_without_arguments_and_an_event_may_be_a_payload() -> None:
    dialects = PROJECT / "tests" / "dialects"
    scheduled = dialects / "openclaw" / "workspaces" / "cron-jobs"
    files = {file.path: file.text for file in files_of(scheduled).files}
    assert manifest_of(files)["modality"] == "scheduled"
    assert "run_pipeline(message: str | None = None, " in str(manifest_of(files)["entry_signature"])
    event = dialects / "openclaw" / "workspaces" / "hooks-folder"
    files = {file.path: file.text for file in files_of(event).files}
    assert manifest_of(files)["modality"] == "event_triggered"
    pipeline = next(text for path, text in files.items() if path.endswith("/pipeline.py"))
    assert 'request = payload_text(message) or ""' in pipeline


def test_only_sessions_have_methods_of_a_session() -> None:
    """The published lints take any call of these names for one of Mellea's session, and count its arguments."""
    methods = {"act", "aact", "instruct", "ainstruct", "chat", "achat", "query", "transform", "validate"}
    calls = [
        node
        for path in (PROJECT / "generators" / "runtime").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in methods
    ]
    assert [ast.unparse(call) for call in calls if not call.args and not call.keywords] == []


def test_the_first_description_is_prose_in_a_docstring_and_in_yaml(package: dict[str, str]) -> None:
    categories = manifest_of(package)["categories_resolved"]
    assert isinstance(categories, dict)
    entries = categories["c1_identity"]["entries"]
    description = entries[0].get("description", "") if entries else ""
    assert "\n" not in description
    assert ast.get_docstring(ast.parse(f'"""{description}"""'), clean=False) == description
    if description:
        assert yaml.safe_load(f"description: {description}\n") == {"description": description}


def test_the_readme_says_how_to_serve_it(package: dict[str, str]) -> None:
    manifest = manifest_of(package)
    readme = package[f"{manifest['package_name']}/README.md"]
    section = readme.split("## Serve it elsewhere")[1].split("\n## ")[0]
    assert f"the folder that holds `{manifest['package_name']}/`" in section
    assert 'json.dumps(reply.model_dump(mode="json"))' in section
