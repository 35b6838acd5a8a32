"""Every lint passes a sound package and fails the same package with one thing broken, at the right place."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from melleafy_tui.core.errors import UnusableInput
from melleafy_tui.core.lint.table import LINTS, lint_file_set, lint_package
from melleafy_tui.core.models.file_set import FileSet
from melleafy_tui.core.models.reports import LintReport, LintResult
from melleafy_tui.generators.static_modules import own_modules
from tests.unit.lint.conftest import case_of

MakeFileSet = Callable[..., FileSet]
Edit = tuple[str, str] | str | None

WITH = "    with start_session(config.BACKEND, config.MODEL_ID) as m:\n        thought"
NO_REASON = 'return count <= 119, f"the reply has {count} words"'

BROKEN: list[tuple[str, str, dict[str, Edit], str]] = [
    (
        "parseable",
        "python",
        {"schemas.py": ("class Decision(BaseModel):", "class Decision(BaseModel:")},
        "schemas.py",
    ),
    ("parseable", "json", {"melleafy.json": ('"run_pipeline(', "run_pipeline(")}, "melleafy.json"),
    ("parseable", "toml", {"pyproject.toml": ("name = ", "name : ")}, "pyproject.toml"),
    (
        "static-modules",
        "edited",
        {"fixtures/case.py": ("import os\n", "import os\n\nMINE = 1\n")},
        "differs from this release's",
    ),
    ("cross-reference", "symbol", {"config.py": ("PREFIX_TEXT", "PERSONA")}, "PREFIX_TEXT"),
    ("cross-reference", "key", {"config.py": ('"cadence"', '"every"')}, "cadence"),
    ("cross-reference", "file", {"constrained_slots.py": None}, "there is no such file"),
    (
        "cross-reference",
        "flag",
        {"pipeline.py": ('user_context: str = ""', 'context: str = ""')},
        "--user-context",
    ),
    (
        "cross-reference",
        "document",
        {"intermediate/dependency_plan.json": ("config.py:PREFIX_TEXT", "SETUP.md:Stubs")},
        "SETUP.md",
    ),
    (
        "validator-soundness",
        "always-true",
        {"requirements.py": (NO_REASON, 'return True, f"{count}"')},
        "passes every reply",
    ),
    (
        "validator-soundness",
        "blind",
        {"requirements.py": ("len(reply.split())", "12")},
        "does not look at the reply",
    ),
    (
        "validator-soundness",
        "wrong-kind",
        {"requirements.py": (NO_REASON, 'return f"{count}"')},
        "other than a bool",
    ),
    (
        "validator-soundness",
        "no-return",
        {"requirements.py": (NO_REASON, "count += 1")},
        "returns nothing",
    ),
    (
        "validator-soundness",
        "lambda",
        {"requirements.py": ("simple_validate(_at_most_119_words)", "simple_validate(lambda r: True)")},
        "does not look",
    ),
    (
        "validator-soundness",
        "unknown",
        {"requirements.py": ("simple_validate(_at_most_119_words)", "simple_validate(_missing)")},
        "_missing is not defined",
    ),
    (
        "session-boundary",
        "other-name",
        {"pipeline.py": ("MODEL_ID) as m:\n        thought = m.", "MODEL_ID) as s:\n        thought = s.")},
        "not named m",
    ),
    (
        "session-boundary",
        "no-with",
        {
            "pipeline.py": (
                "    memory = ",
                "    n = start_session(config.BACKEND, config.MODEL_ID)\n    memory = ",
            )
        },
        "outside a with",
    ),
    (
        "session-boundary",
        "nested",
        {
            "pipeline.py": (
                WITH,
                "    with start_session(config.BACKEND, config.MODEL_ID) as m:\n      with start_session(config.BACKEND, config.MODEL_ID) as m:\n        thought",
            )
        },
        "inside another",
    ),
    (
        "session-boundary",
        "two-formats",
        {
            "pipeline.py": (
                "format=Decision)",
                'format=Decision)\n        other = m.instruct("x", prefix=config.PREFIX_TEXT, format=AgentReply)',
            )
        },
        "more than one format",
    ),
    (
        "session-boundary",
        "used-outside",
        {"pipeline.py": ("    decision = ", "    m.reset()\n    decision = ")},
        "outside its with",
    ),
    (
        "variable-safety",
        "undefined-submodule",
        {"pipeline.py": ("from . import config", "from . import schemas")},
        "config is not defined",
    ),
    (
        "variable-safety",
        "undefined",
        {"pipeline.py": ("recall_memory(message)", "recall_memory(question)")},
        "question is not defined",
    ),
    (
        "variable-safety",
        "undefined-import",
        {"pipeline.py": ("from pathlib import Path\n", "")},
        "Path is not defined",
    ),
    (
        "import-side-effects",
        "call",
        {"pipeline.py": ("\n\ndef run_pipeline", "\nprint('hello')\n\n\ndef run_pipeline")},
        "called at import",
    ),
    (
        "import-side-effects",
        "read",
        {"config.py": ("LOOP_BUDGET: Final = 2", 'LOOP_BUDGET: Final = len(open("x").read())')},
        "open is called at import",
    ),
    (
        "import-side-effects",
        "environment",
        {"config.py": ('BACKEND: Final = "ollama"', 'import os\nBACKEND: Final = os.environ["B"]')},
        "environment is read",
    ),
    (
        "import-side-effects",
        "default",
        {"slots.py": ("ticket: str", "ticket: str = input()")},
        "input is called at import",
    ),
    (
        "import-soundness",
        "mellea-name",
        {"pipeline.py": ("import start_session", "import start_session, open_session")},
        "has no open_session",
    ),
    (
        "import-soundness",
        "mellea-module",
        {"pipeline.py": ("mellea.stdlib.sampling", "mellea.sampling")},
        "no module mellea.sampling",
    ),
    (
        "import-soundness",
        "own-name",
        {"pipeline.py": ("import AgentReply, Decision", "import AgentReply, Decision, Choice")},
        "schemas.py has no Choice",
    ),
    (
        "import-soundness",
        "standard-name",
        {"config.py": ("import Final", "import Final, Finally")},
        "typing has no Finally",
    ),
    (
        "import-soundness",
        "own-module",
        {"pipeline.py": ("from . import config", "from . import config, tools")},
        "has no tools",
    ),
    (
        "import-soundness",
        "undeclared",
        {"pipeline.py": ("from pathlib import Path", "from pathlib import Path\n\nimport httpx")},
        "httpx is neither",
    ),
    ("stdlib-arity", "unknown-keyword", {"pipeline.py": ("loop_budget=", "loops=")}, "no parameter loops"),
    (
        "stdlib-arity",
        "too-many",
        {
            "requirements.py": (
                "simple_validate(_at_most_119_words)",
                "simple_validate(_at_most_119_words, 1)",
            )
        },
        "at most 1 positional",
    ),
    (
        "stdlib-arity",
        "missing",
        {"requirements.py": ("simple_validate(_at_most_119_words)", "simple_validate()")},
        "needs fn",
    ),
    (
        "stdlib-arity",
        "no-such-method",
        {"pipeline.py": ('m.instruct("Decide."', 'm.instructs("Decide."')},
        "no method instructs",
    ),
    (
        "grounding-context-types",
        "value",
        {"pipeline.py": ('"memory": str(memory)', '"memory": memory')},
        "not made by str",
    ),
    (
        "grounding-context-types",
        "key",
        {"pipeline.py": ('"memory": str(memory)', "message: str(memory)")},
        "not a string literal",
    ),
    (
        "grounding-context-types",
        "call",
        {
            "pipeline.py": (
                'grounding_context={"user": str(user_context), "memory": str(memory), "guide": str(guide)}',
                "grounding_context=dict(user=guide)",
            )
        },
        "not a dict literal",
    ),
    (
        "format-annotation",
        "no-model",
        {"schemas.py": ("class Decision(BaseModel)", "class Decision")},
        "not a pydantic model",
    ),
    (
        "format-annotation",
        "dict",
        {"pipeline.py": ("format=Decision", 'format={"act": bool}')},
        "format is not a class",
    ),
    (
        "format-annotation",
        "untyped-field",
        {"schemas.py": ("    act: bool", "    act: bool\n    why = 1")},
        "has no type",
    ),
    (
        "instruct-result-parse",
        "attribute",
        {"pipeline.py": ("str(thought)", "thought.value")},
        "thought.value is read",
    ),
    (
        "instruct-result-parse",
        "unstringed",
        {"pipeline.py": ("model_validate_json(str(thought))", "model_validate_json(thought)")},
        "parsed without str",
    ),
    (
        "instruct-result-parse",
        "chained",
        {"pipeline.py": ("format=Decision)", "format=Decision).value")},
        "taken apart",
    ),
    ("instruct-result-parse", "indexed", {"pipeline.py": ("str(sampling))", "sampling[0])")}, "indexed"),
    (
        "fixtures-loader-contract",
        "no-list",
        {"fixtures/__init__.py": ("ALL_FIXTURES = [", "ALL_FIXTURES = list()\nREST = [")},
        "fixtures",
    ),
    (
        "fixtures-loader-contract",
        "too-few",
        {"fixtures/__init__.py": (case_of("rule_b"), "")},
        "there are 4 fixtures",
    ),
    (
        "fixtures-loader-contract",
        "leads-nowhere",
        {"fixtures/__init__.py": ("ALL_FIXTURES = [", "ALL_FIXTURES = [make_rule_a,")},
        "make_rule_a in ALL_FIXTURES is no case",
    ),
    (
        "fixtures-loader-contract",
        "climbs",
        {"fixtures/__init__.py": ('"""Fixtures."""', '"""Fixtures."""\n\nfrom ..config import BACKEND')},
        "above fixtures/",
    ),
    (
        "fixtures-loader-contract",
        "climbs-by-name",
        {
            "fixtures/__init__.py": (
                '"""Fixtures."""',
                '"""Fixtures."""\n\nfrom desk_mellea.config import BACKEND',
            )
        },
        "above fixtures/",
    ),
    (
        "fixtures-loader-contract",
        "case-without-inputs",
        {"fixtures/__init__.py": ('        {"message": "About a_case", "user_context": ""},\n', "")},
        "the inputs of Case a_case are not a dict",
    ),
    (
        "fixtures-loader-contract",
        "case-of-two-parts",
        {
            "fixtures/__init__.py": (
                """        {"message": "About a_case", "user_context": ""},
        [Answer("Done.")],
""",
                "",
            )
        },
        "Case a_case lacks inputs",
    ),
    (
        "fixtures-loader-contract",
        "case-with-more",
        {"fixtures/__init__.py": ("expect=", "expects=")},
        "Case a_case takes no expects",
    ),
    (
        "fixtures-loader-contract",
        "case-of-same-id",
        {"fixtures/__init__.py": ('"a_case"', '"rule_a"')},
        "two fixtures are called rule_a",
    ),
    (
        "fixture-inputs",
        "case-unknown",
        {"fixtures/__init__.py": ('"user_context"', '"context"')},
        "no parameter context",
    ),
    (
        "fixture-data-files",
        "case-missing",
        {
            "fixtures/__init__.py": (
                "expect=",
                'environment={"X": str(Path(__file__).parent / "memory")}, expect=',
            )
        },
        "fixtures/memory",
    ),
    (
        "fixture-inputs",
        "lacks",
        {"fixtures/__init__.py": ('"message": "About rule_a", ', "")},
        "lack message",
    ),
    (
        "fixture-inputs",
        "wrong-type",
        {"fixtures/__init__.py": ('"user_context": ""', '"user_context": 3')},
        "user_context takes str",
    ),
    (
        "fixture-inputs",
        "model-typed",
        {"pipeline.py": ("user_context: str", "user_context: Decision")},
        "user_context takes Decision",
    ),
    (
        "fixture-data-files",
        "missing",
        {"fixtures/__init__.py": ('"About rule_a"', '(Path(__file__).parent / "ticket.txt").read_text()')},
        "fixtures/ticket.txt",
    ),
    (
        "generative-reserved-params",
        "reserved",
        {"slots.py": ("ticket: str", "context: str")},
        "context, which Mellea keeps",
    ),
    ("generative-reserved-params", "untyped", {"slots.py": ("ticket: str", "ticket")}, "has no type"),
    ("generative-reserved-params", "no-return-type", {"slots.py": (" -> str:", ":")}, "no return type"),
    (
        "generative-reserved-params",
        "body",
        {"slots.py": ("raise NotImplementedError", "return ticket")},
        "has a body",
    ),
    (
        "generative-reserved-params",
        "future",
        {"slots.py": ("from mellea", "from __future__ import annotations\n\nfrom mellea")},
        "annotations become texts",
    ),
    (
        "bundled-asset-path-resolution",
        "missing",
        {"references/guide.md": None},
        "references/guide.md is not in the package",
    ),
    (
        "bundled-asset-path-resolution",
        "relative",
        {
            "pipeline.py": (
                '(Path(__file__).parent / "references" / "guide.md")',
                'Path("references/guide.md")',
            )
        },
        "current folder",
    ),
    (
        "bundled-asset-path-resolution",
        "climbs",
        {"pipeline.py": ("Path(__file__).parent /", "Path(__file__).parent.parent /")},
        "leaves the package",
    ),
    (
        "runtime-defaults-bound",
        "missing",
        {"config.py": ('MODEL_ID: Final = "granite4.1:3b"\n', "")},
        "no constant MODEL_ID",
    ),
    (
        "runtime-defaults-bound",
        "differs",
        {"config.py": ("granite4.1:3b", "llama3")},
        "the runtime directive says",
    ),
    (
        "runtime-defaults-bound",
        "literal",
        {"pipeline.py": ("start_session(config.BACKEND,", 'start_session("ollama",')},
        "literal 'ollama'",
    ),
    (
        "runtime-defaults-bound",
        "nothing",
        {"pipeline.py": ("start_session(config.BACKEND, config.MODEL_ID)", "start_session()")},
        "without backend and model",
    ),
    (
        "runtime-defaults-bound",
        "no-literal-default",
        {"pipeline.py": ('user_context: str = ""', "user_context: str = config.BACKEND")},
        "not a literal",
    ),
    (
        "persona-channel",
        "absent",
        {"pipeline.py": ('"Decide.", prefix=config.PREFIX_TEXT,', '"Decide.",')},
        "does not reach",
    ),
    (
        "persona-channel",
        "other",
        {"intermediate/runtime_directive.json": ('"prefix"', '"system"')},
        "goes by prefix",
    ),
    (
        "no-template-text",
        "user-variables",
        {"pipeline.py": ('"Decide.",', '"Decide.", user_variables={},')},
        "user_variables",
    ),
    (
        "no-template-text",
        "unpacked",
        {"pipeline.py": ("format=Decision)", "format=Decision, **{})")},
        "unpacked",
    ),
    (
        "no-template-text",
        "engine",
        {"schemas.py": ("from pydantic import BaseModel", "import jinja2\nfrom pydantic import BaseModel")},
        "template engine",
    ),
    (
        "category-specific",
        "secret",
        {"config.py": ("Warm, curious tone.", "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8")},
        "secret",
    ),
    (
        "category-specific",
        "mcp",
        {"config.py": ("Warm, curious tone.", "mcp__search")},
        "does not name server and tool",
    ),
    (
        "melleafy-json",
        "field",
        {"melleafy.json": ('"modality": "heartbeat"', '"modality": "daily"')},
        "modality",
    ),
    (
        "melleafy-json",
        "signature",
        {"pipeline.py": ('user_context: str = ""', 'user_context: str = "", scope: str = ""')},
        "entry_signature differs",
    ),
    (
        "melleafy-json",
        "package-name",
        {"melleafy.json": ('"package_name": "desk_mellea"', '"package_name": "other"')},
        "the folder desk_mellea",
    ),
    (
        "melleafy-json",
        "disposition",
        {"intermediate/dependency_plan.json": ('"disposition": "external_input"', '"disposition": "remove"')},
        "dep_006 differs",
    ),
    (
        "melleafy-json",
        "counts",
        {"melleafy.json": ('"count": 2', '"count": 3')},
        "counts of c2_operating_rules",
    ),
    (
        "melleafy-json",
        "classification",
        {"intermediate/classification.json": ('"C"', '"A"')},
        "archetype is C",
    ),
    ("melleafy-json", "variable", {".env.example": ("DESK_REGION", "DESK_REALM")}, "DESK_REGION"),
    (
        "provenance-complete",
        "other-element",
        {"intermediate/provenance.json": ('"element_id": "elem_001"', '"element_id": "elem_004"')},
        "its text is not in the lines",
    ),
    (
        "provenance-complete",
        "no-element",
        {"intermediate/provenance.json": ('"element_id": "elem_004"', '"element_id": "elem_099"')},
        "elem_099 is in no inventory",
    ),
    (
        "provenance-complete",
        "constant",
        {"intermediate/provenance.json": ('"config.py": [', '"other/config.py": [')},
        "does not say where PREFIX_TEXT comes from",
    ),
    (
        "provenance-complete",
        "rule",
        {"intermediate/provenance.json": ('"requirements.py": [', '"other/requirements.py": [')},
        "does not say where a rule comes from",
    ),
    (
        "provenance-complete",
        "stub",
        {"intermediate/provenance.json": ('"constrained_slots.py": [', '"other/constrained_slots.py": [')},
        "does not say where recall_memory comes from",
    ),
    (
        "provenance-complete",
        "step",
        {"intermediate/provenance.json": ('"slots.py": [', '"other/slots.py": [')},
        "does not say where triage comes from",
    ),
    (
        "provenance-complete",
        "no-such-file",
        {"intermediate/provenance.json": ('"source_file": "SOUL.md"', '"source_file": "SPIRIT.md"')},
        "SPIRIT.md is not a file",
    ),
    (
        "provenance-complete",
        "no-such-line",
        {"intermediate/provenance.json": ('"source_lines": "2"', '"source_lines": "9"')},
        "AGENTS.md has no line 9",
    ),
    (
        "provenance-complete",
        "name",
        {"config.py": ('"Warm, curious tone."', '"SECRET"')},
        "its text is not in the lines",
    ),
    (
        "provenance-complete",
        "other-text",
        {"config.py": ("Warm, curious tone.", "Cold and bossy.")},
        "not in the lines",
    ),
    (
        "coverage",
        "line",
        {"intermediate/coverage_report.json": ('"uncovered_lines": []', '"uncovered_lines": [7]')},
        "no element has line 7",
    ),
    (
        "coverage",
        "mapping",
        {"intermediate/element_mapping.json": ("elem_003", "elem_002")},
        "elem_003 (AGENTS.md:2) has no mapping",
    ),
    (
        "coverage",
        "plan",
        {"intermediate/dependency_plan.json": ("elem_003", "elem_002")},
        "elem_003 (AGENTS.md:2) has no plan entry",
    ),
    (
        "coverage",
        "unknown",
        {"intermediate/inventory.json": ('"element_id": "elem_006"', '"element_id": "elem_007"')},
        "elem_006 is in no inventory",
    ),
]

MISSING: list[tuple[str, dict[str, Edit]]] = [
    ("cross-reference", {"intermediate/element_mapping.json": None}),
    (
        "fixtures-loader-contract",
        {f"fixtures/{name}.py": None for name in ("__init__", "case")},
    ),
    ("fixture-inputs", {"pipeline.py": None}),
    (
        "fixture-data-files",
        {f"fixtures/{name}.py": None for name in ("__init__", "case")},
    ),
    ("runtime-defaults-bound", {"config.py": None}),
    ("persona-channel", {"config.py": None}),
    ("melleafy-json", {"melleafy.json": None}),
    ("coverage", {"intermediate/coverage_report.json": None}),
]


def result_of(report: LintReport, lint: str) -> LintResult:
    return next(result for result in report.results if result.lint == lint)


def write(files: FileSet, folder: Path) -> None:
    for file in files.files:
        path = folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.data)


@pytest.mark.parametrize("lint", [lint.name for lint in LINTS if lint.name != "importable"])
def test_a_sound_package_passes(lint: str, make_file_set: MakeFileSet) -> None:
    result = result_of(lint_file_set(make_file_set()), lint)
    assert (result.status, result.findings) == ("passed", ())


@pytest.mark.parametrize(
    ("lint", "case", "edits", "said"), BROKEN, ids=[f"{lint}-{case}" for lint, case, _, _ in BROKEN]
)
def test_a_broken_package_fails(
    lint: str, case: str, edits: dict[str, Edit], said: str, make_file_set: MakeFileSet
) -> None:
    result = result_of(lint_file_set(make_file_set(edits)), lint)
    assert result.status == "failed"
    assert any(said in f"{finding.file} {finding.message}" for finding in result.findings), result.findings
    assert all(
        finding.hint and finding.tier == result.tier and finding.lint == lint for finding in result.findings
    )


@pytest.mark.parametrize(("lint", "edits"), MISSING, ids=[lint for lint, _ in MISSING])
def test_what_is_missing_is_not_validatable(
    lint: str, edits: dict[str, Edit], make_file_set: MakeFileSet
) -> None:
    result = result_of(lint_file_set(make_file_set(edits)), lint)
    assert result.status == "not validatable"
    assert result.note


def test_every_lint_has_a_package_that_fails_it() -> None:
    assert {lint for lint, _, _, _ in BROKEN} | {"importable"} == {lint.name for lint in LINTS}


def test_a_finding_has_line_and_column(make_file_set: MakeFileSet) -> None:
    report = lint_file_set(
        make_file_set({"pipeline.py": ("recall_memory(message)", "recall_memory(question)")})
    )
    (finding,) = result_of(report, "variable-safety").findings
    text = make_file_set().by_path["desk_mellea/pipeline.py"].text.split("\n")
    assert "recall_memory(message)" in text[finding.line - 1]
    assert finding.column == text[finding.line - 1].index("message") + 1


def test_a_file_that_does_not_parse_fails_one_lint_and_spares_the_others(make_file_set: MakeFileSet) -> None:
    report = lint_file_set(make_file_set({"slots.py": "def (:\n"}))
    assert {finding.lint for finding in report.findings} == {"parseable"}


def test_a_package_in_memory_cannot_be_imported(make_file_set: MakeFileSet) -> None:
    assert result_of(lint_file_set(make_file_set()), "importable").status == "not validatable"


def test_a_sound_package_on_disk_passes_whole_no_link_out_of_it_is_followed_and_no_trace_left(
    tmp_path: Path, make_file_set: MakeFileSet
) -> None:
    pytest.importorskip("mellea")
    (tmp_path / "secret.md").write_text(
        "api_key = ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8", encoding="utf-8"
    )
    out = tmp_path / "out"
    write(make_file_set(), out)
    (out / "desk_mellea" / "references" / "link.md").symlink_to(tmp_path / "secret.md")
    before = sorted(out.rglob("*"))
    report = lint_package(out, own_modules(), import_modules=True)
    assert report.findings == ()
    assert {result.status for result in report.results} == {"passed"}
    assert sorted(out.rglob("*")) == before


def test_importable_names_each_module_that_cannot_be_imported_cleanly_in_a_bare_environment(
    tmp_path: Path, make_file_set: MakeFileSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("mellea")
    monkeypatch.setenv("DESK_TOKEN", "there")
    modules = {
        "raises.py": ("NUMBER = 1 // 0\n", "ZeroDivisionError"),
        "prints.py": ('print("x")\n', "prints"),
        "absent.py": ("import no_such_module_here\n", "no_such_module_here"),
        "bare.py": ('import os\n\nLENGTH = len(os.environ["DESK_TOKEN"])\n', "DESK_TOKEN"),
    }
    write(make_file_set({name: code for name, (code, _) in modules.items()}), tmp_path)
    result = result_of(
        lint_package(tmp_path / "desk_mellea", own_modules(), import_modules=True), "importable"
    )
    assert result.status == "failed"
    assert len(result.findings) == len(modules)
    for finding in result.findings:
        assert modules[finding.file.rpartition("/")[2]][1] in finding.message


@pytest.mark.slow
def test_a_package_that_forges_the_report_of_its_import_or_leaves_a_program_behind_is_no_fault(
    tmp_path: Path, make_file_set: MakeFileSet
) -> None:
    pytest.importorskip("mellea")
    printed = ("5", '{"found": 5}', '{"found": [["x"]]}', '{"found": [["no.module", "x", ""]]}', "[" * 5000)
    left = "import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
    for number, code in enumerate(
        (*(f"import atexit\natexit.register(print, {text!r})\n" for text in printed), left)
    ):
        write(make_file_set({"odd.py": code}), tmp_path / str(number))
        started = time.monotonic()
        result = result_of(
            lint_package(tmp_path / str(number), own_modules(), import_modules=True), "importable"
        )
        assert result.status == ("passed" if code is left else "not validatable"), code
        assert time.monotonic() - started < 30, code


@pytest.mark.parametrize("what", ["absent", "empty", "two"])
def test_a_folder_without_one_package_is_refused(what: str, tmp_path: Path) -> None:
    folder = tmp_path / what
    if what != "absent":
        folder.mkdir()
    if what == "two":
        for name in ("a", "b"):
            (folder / name).mkdir()
            (folder / name / "__init__.py").touch()
    with pytest.raises(UnusableInput) as refused:
        lint_package(folder, own_modules())
    assert refused.value.hint


def test_the_documentation_has_each_lint_in_its_tier() -> None:
    text = (Path(__file__).resolve().parents[3] / "docs" / "reference" / "lints.md").read_text("utf-8")
    for tier in (1, 2, 3):
        section = text.split(f"## Tier {tier}")[1].split("\n## ")[0]
        listed = [line.split("`")[1] for line in section.split("\n") if line.startswith("| `")]
        assert listed == [lint.name for lint in LINTS if lint.tier == tier]
