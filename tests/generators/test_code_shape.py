"""What spec/package.md 2 says of the emitted code, over packages of very different shape."""

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from melleafy_tui.core.package.naming import RESERVED_NAMES
from melleafy_tui.core.smoke.fake_server import FakeModelServer
from melleafy_tui.generators.config import RUN_SETTINGS, TOOL_BUDGET
from tests.conftest import PROJECT
from tests.converted import conversion_of
from tests.generators.emitting import loaded_package
from tests.generators.variants import shape_files, shapes

SHAPES = sorted(shapes())
WITHOUT_SOURCE = {"PREFIX_TEXT", "BACKEND", "MODEL_ID", "MEMORY_FOLDER", "TOOL_BUDGET", *dict(RUN_SETTINGS)}
"""Constants that may come from settings alone, or from a source that has no persona."""


def module(name: str, file: str) -> ast.Module:
    return ast.parse(text(name, file))


def text(name: str, file: str) -> str:
    files = shape_files(name)
    return files.by_path[f"{files.package_name}/{file}"].text


def calls(tree: ast.AST, attribute: str) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == attribute:
            yield node


def names_in(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def entry(name: str) -> ast.FunctionDef:
    tree = module(name, "pipeline.py")
    (found,) = (
        node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "run_pipeline"
    )
    return found


@pytest.mark.parametrize("name", SHAPES)
def test_a_constant_is_final_a_literal_and_names_its_source(name: str) -> None:
    lines = text(name, "config.py").splitlines()
    constants = [
        node
        for node in module(name, "config.py").body
        if not isinstance(node, ast.Expr | ast.Import | ast.ImportFrom)
    ]
    assert constants
    for node in constants:
        assert isinstance(node, ast.AnnAssign)
        assert node.value is not None
        ast.literal_eval(node.value)
        annotation = ast.unparse(node.annotation)
        assert annotation == "Final" or annotation.startswith(("Final[dict[", "Final[tuple["))
        target = ast.unparse(node.target)
        if target not in WITHOUT_SOURCE:
            assert node.end_lineno is not None
            assert lines[node.end_lineno].startswith("# PROVENANCE: "), target
    headers = [line for line in lines if line.startswith("# === ")]
    assert headers == [*sorted(headers[:-1]), "# === Run settings ==="]
    run_settings = [f"{setting}: Final = {number}" for setting, number in RUN_SETTINGS]
    tools = [f"TOOL_BUDGET: Final = {TOOL_BUDGET}"] if "ToolCalls(" in text(name, "pipeline.py") else []
    *settings, last = lines[lines.index(headers[-1]) + 1 :]
    decided = last.startswith("DECISION_TOKENS: Final = ")
    assert decided == ("config.DECISION_TOKENS" in text(name, "pipeline.py"))
    assert [*settings, *([] if decided else [last])] == ["", *run_settings, *tools]


@pytest.mark.parametrize("name", SHAPES)
def test_no_argument_can_have_a_name_that_a_run_uses_for_itself(name: str) -> None:
    """A command with the argument `document` gave a package that called the argument as a function."""
    imported = [node for node in module(name, "pipeline.py").body if isinstance(node, ast.ImportFrom)]
    offered = {each.name for node in imported if node.module == "_runtime" for each in node.names}
    nodes = [node for node in ast.walk(entry(name)) if isinstance(node, ast.Name)]
    own = {node.id for node in nodes if isinstance(node.ctx, ast.Store)} - {
        "answer_sheet",
        "output_format",
        "report",
    }
    assert {each for each in offered | own if each.islower()} <= RESERVED_NAMES


@pytest.mark.parametrize("name", SHAPES)
def test_a_run_chooses_its_context_window_once(name: str) -> None:
    assert text(name, "pipeline.py").count("session_options(") == 1


@pytest.mark.parametrize("name", SHAPES)
def test_every_parameter_is_annotated_and_has_a_literal_default(name: str) -> None:
    function = entry(name)
    arguments = function.args.args
    assert arguments[0].arg == "message"
    assert ast.unparse(arguments[0].annotation or ast.Constant(None)) in ("str", "str | None")
    assert arguments[1].arg == "history"
    assert all(argument.annotation for argument in arguments)
    assert len(function.args.defaults) >= len(arguments) - 1
    for default in function.args.defaults:
        ast.literal_eval(default)


@pytest.mark.parametrize("name", SHAPES)
def test_the_message_is_the_instruction_and_never_a_document(name: str) -> None:
    tree = module(name, "pipeline.py")
    instructions = list(calls(tree, "instruct"))
    assert instructions
    for call in instructions:
        given = {keyword.arg: keyword.value for keyword in call.keywords}
        assert "user_variables" not in given
        assert "requirements" in given
        assert {"prefix", "model_options"} & given.keys()
        assert "grounding_context" not in given, "what is known stands above the message"
    prompts = list(calls(tree, "prompt"))
    assert all(ast.unparse(call).count("message=request") == 1 for call in prompts)
    replies = [call for call in instructions if "return_sampling_results" in ast.unparse(call)]
    assert replies
    assert all({"instruction", "prompt"} & names_in(call.args[0]) for call in replies)


@pytest.mark.parametrize("name", SHAPES)
def test_sessions_are_named_m_never_nested_and_hold_one_format_at_most(name: str) -> None:
    tree = module(name, "pipeline.py")
    sessions = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.With)
        and any(True for item in node.items for _ in calls(item, "start_session"))
    ]
    assert sessions
    for session in sessions:
        named = [ast.unparse(item.optional_vars) for item in session.items if item.optional_vars]
        assert named == ["m"]
        inner = ast.Module(body=session.body, type_ignores=[])
        assert not list(calls(inner, "start_session"))
        formats = [
            keyword
            for call in calls(inner, "instruct")
            for keyword in call.keywords
            if keyword.arg == "format"
        ]
        assert len(formats) <= 1
    for call in calls(tree, "instruct"):
        given = {keyword.arg: ast.unparse(keyword.value) for keyword in call.keywords}
        if "format" in given:
            assert f"well_formed({given['format']})" in given["requirements"]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[FakeModelServer]:
    pytest.importorskip("mellea")
    with FakeModelServer() as started:
        monkeypatch.setenv("OLLAMA_HOST", started.url)
        yield started


@pytest.mark.parametrize(
    ("name", "absents"),
    [
        ("all_external", ("", None)),
        pytest.param("all_external", (0, False), marks=pytest.mark.slow),
        pytest.param("all_loaded", ("", None, 0, False), marks=pytest.mark.slow),
        pytest.param("both", ("", None, 0, False), marks=pytest.mark.slow),
    ],
)
def test_an_absent_value_of_any_parameter_is_its_default(
    name: str, absents: tuple[object, ...], server: FakeModelServer, tmp_path: Path
) -> None:
    optional = [argument.arg for argument in entry(name).args.args[1:]]
    assert optional

    def said(run: Callable[..., Any], **given: object) -> tuple[list[str], Any]:
        server.calls.clear()
        reply = run("Who handles the billing queue?", **given)
        # The tag of the judged answer differs in each call.
        return [
            re.sub(r"(?<=answer)-[0-9a-f]+", "", call.prompt) for call in server.calls
        ], reply.model_dump()

    with loaded_package(shape_files(name), tmp_path) as pipeline:
        run = pipeline.run_pipeline
        expected = said(run)
        for absent in absents:
            assert said(run, **dict.fromkeys(optional, absent)) == expected, absent


@pytest.mark.parametrize("name", SHAPES)
def test_code_that_mellea_reads_the_types_of_has_them_as_they_are(name: str) -> None:
    files = shape_files(name)
    for file in files.files:
        if file.path.endswith(".py") and "@generative" in file.text:
            assert "from __future__ import annotations" not in file.text


NEEDED = {
    "rule_panel.py": "(?:asks=|read_rules)",
    "tool_calls.py": r"\bTool\(",
    "typed_answers.py": r"\(TypedAnswer\)|Steps\(",
    "call_rules.py": r"CallRules\(",
    "scheduled_tasks.py": "SCHEDULED_TASKS",
    "memory.py": r"return recall\(|daily_notes\(|MemoryStore\(",
}
"""What in a package's own code needs a module of the runtime that not every package has."""


@pytest.mark.parametrize("name", [*SHAPES, "market-crew", "memory-heavy", "parcel-claims", "tool-heavy"])
def test_a_module_of_the_runtime_is_there_if_the_package_needs_it(name: str) -> None:
    """87 of 133 real packages carried the panel without a rule, 10 of 15 procedures the tools without any."""
    files = shape_files(name) if name in SHAPES else conversion_of(PROJECT / "examples" / name).files
    folder = f"{files.package_name}/"
    own = "".join(f.text for f in files.files if re.fullmatch(rf"{folder}\w+\.py", f.path))
    for module, needs in NEEDED.items():
        carried = f"{folder}_runtime/{module}" in files.by_path
        assert carried is bool(re.search(needs, own)), module
