"""The table of lints: name, tier, what each one checks, and its function."""

from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct

from melleafy_tui.core.lint.code import (
    check_parseable,
    check_template_text,
    check_validator_soundness,
    check_variable_safety,
)
from melleafy_tui.core.lint.consistency import (
    check_manifest_consistency,
    check_persona_channel,
    check_runtime_defaults,
)
from melleafy_tui.core.lint.files import check_asset_paths, check_coverage, check_cross_reference
from melleafy_tui.core.lint.fixtures import check_fixture_files, check_fixture_inputs, check_fixtures_contract
from melleafy_tui.core.lint.import_effects import check_import_side_effects
from melleafy_tui.core.lint.imports import check_import_soundness, check_importable
from melleafy_tui.core.lint.mellea_calls import (
    check_format_annotation,
    check_generative_parameters,
    check_grounding_context,
    check_result_parse,
    check_session_boundary,
    check_stdlib_arity,
)
from melleafy_tui.core.lint.modules import Module, Problem
from melleafy_tui.core.lint.provenance import check_module_provenance, check_provenance
from melleafy_tui.core.lint.secrets import check_secrets, check_tool_names
from melleafy_tui.core.lint.view import ENVIRONMENT_EXAMPLE, PATHS, PackageView
from melleafy_tui.core.models.file_set import EmittedFile


class Lint(Struct, frozen=True):
    """One lint: functions that yield problems, or raise NotValidatable if the package lacks what they need.

    `check` runs on the package, `check_file` on each file, `check_module` on each Python file, and `check_in_package`
    on each Python file and the files that it names. `reads` declares the other files that a check reads: path patterns
    relative to the package, or to the output folder for files outside the package, and `PATHS`. Only `check` may also
    read `reads_once`. `holds` says in one sentence what is true of a sound package, `fails_on` names an example of what
    isn't; the documents list both.
    """

    name: str
    tier: int
    check: Callable[[PackageView], Iterator[Problem]] | None = None
    check_module: Callable[[Module], Iterator[Problem]] | None = None
    check_in_package: Callable[[PackageView, Module], Iterator[Problem]] | None = None
    check_file: Callable[[PackageView, EmittedFile], Iterator[Problem]] | None = None
    reads: tuple[str, ...] = ()
    reads_once: tuple[str, ...] = ()
    holds: str = ""
    fails_on: str = ""


_CODE: Final = "*.py"
_FIXTURES: Final = "fixtures/*.py"
_INVENTORY: Final = "intermediate/inventory.json"
_MAPPING: Final = "intermediate/element_mapping.json"
_PLAN: Final = "intermediate/dependency_plan.json"
_DIRECTIVE: Final = "intermediate/runtime_directive.json"

LINTS: Final = (
    Lint(
        "parseable",
        1,
        check_file=check_parseable,
        holds="Every Python, JSON and TOML file can be read by its own parser.",
        fails_on="a missing bracket",
    ),
    Lint(
        "importable",
        1,
        check_importable,
        reads=(_CODE,),
        holds=(
            "Every module can be imported in a fresh interpreter with a bare environment, and prints nothing "
            "meanwhile."
        ),
        fails_on="an exception, `print` at the top level, an import of what is not installed",
    ),
    Lint(
        "cross-reference",
        2,
        check_cross_reference,
        reads=("*", PATHS),
        holds=(
            "Every target of `element_mapping.json` and `dependency_plan.json` exists in the file it names."
        ),
        fails_on="a renamed constant",
    ),
    Lint(
        "validator-soundness",
        2,
        check_in_package=check_validator_soundness,
        reads=(_CODE,),
        holds="A validator looks at the reply, can fail, and gives back a bool or `(bool, reason)`.",
        fails_on="`lambda r: True`",
    ),
    Lint(
        "session-boundary",
        2,
        check_module=check_session_boundary,
        holds=(
            "`with start_session(…) as m:`, one after another, never nested, one `format=` class in each, "
            "`m` used only inside."
        ),
        fails_on="a session inside a session",
    ),
    Lint(
        "variable-safety",
        2,
        check_module=check_variable_safety,
        holds="Every name that is read is bound somewhere.",
        fails_on="a misspelt name",
    ),
    Lint(
        "import-side-effects",
        2,
        check_in_package=check_import_side_effects,
        reads=(_CODE,),
        holds=(
            "Importing only defines: at the top level, only what a list allows (definitions, imports, plain "
            "values, constructors that make a value); functions of the package that are called there are "
            "read by the same rules."
        ),
        fails_on="a file read into a constant, `os.environ` at the top level",
    ),
    Lint(
        "import-soundness",
        2,
        check_in_package=check_import_soundness,
        reads=(_CODE, "pyproject.toml", PATHS),
        holds=(
            "Every import exists: in Mellea 0.8 (`mellea_api_0_8.json`), in the package, in the standard "
            "library, or declared in `pyproject.toml`; and every name that is used is defined."
        ),
        fails_on="`from mellea.sampling import …`",
    ),
    Lint(
        "stdlib-arity",
        2,
        check_module=check_stdlib_arity,
        holds="Calls of Mellea's functions, classes and session methods pass what those take.",
        fails_on="`m.instruct(…, loops=2)`",
    ),
    Lint(
        "grounding-context-types",
        2,
        check_module=check_grounding_context,
        holds="`grounding_context` is a dict of texts, each made by `str(…)` or a literal.",
        fails_on='`{"memory": memory}`',
    ),
    Lint(
        "format-annotation",
        2,
        check_in_package=check_format_annotation,
        reads=(_CODE,),
        holds="`format=` is a pydantic model of the package with typed fields.",
        fails_on='`format={"act": bool}`',
    ),
    Lint(
        "instruct-result-parse",
        2,
        check_module=check_result_parse,
        holds="Answers are read through `str(…)` or `Model.model_validate_json(str(…))`.",
        fails_on="`answer.value`",
    ),
    Lint(
        "fixtures-loader-contract",
        2,
        check_fixtures_contract,
        reads=(_FIXTURES, PATHS),
        holds=(
            "`ALL_FIXTURES` lists five to eight cases (`Case(…)` with id, description and inputs) or "
            "functions that return `(inputs, id, description)`, and imports nothing from above `fixtures/`; "
            "the number counts where `melleafy.json` is there."
        ),
        fails_on="two fixtures with one id",
    ),
    Lint(
        "fixture-inputs",
        2,
        check_fixture_inputs,
        reads=(_FIXTURES, "pipeline.py", PATHS),
        holds="The inputs fit the signature of `run_pipeline`.",
        fails_on="a key that is no parameter",
    ),
    Lint(
        "fixture-data-files",
        2,
        check_fixture_files,
        reads=(_FIXTURES, PATHS),
        holds="Data files that fixtures name exist.",
        fails_on="a deleted sample",
    ),
    Lint(
        "generative-reserved-params",
        2,
        check_module=check_generative_parameters,
        holds=(
            "Slots of `@generative` use no name that Mellea keeps, have types, and have no body; no `from "
            "__future__ import annotations` there."
        ),
        fails_on="a parameter `context`",
    ),
    Lint(
        "bundled-asset-path-resolution",
        2,
        check_in_package=check_asset_paths,
        reads=(PATHS,),
        holds="Bundled files are found from `Path(__file__).parent` and exist.",
        fails_on='`open("references/x.md")`',
    ),
    Lint(
        "runtime-defaults-bound",
        2,
        check_runtime_defaults,
        reads=(_CODE, _DIRECTIVE),
        holds=(
            "`BACKEND` and `MODEL_ID` equal the runtime directive and reach every session; defaults of "
            "`run_pipeline` are literals."
        ),
        fails_on="`start_session()`",
    ),
    Lint(
        "persona-channel",
        2,
        check_persona_channel,
        reads=(_CODE, _DIRECTIVE),
        holds="The persona travels on every `m.instruct()` the way the settings say.",
        fails_on="a call without `prefix`",
    ),
    Lint(
        "no-template-text",
        2,
        check_module=check_template_text,
        holds="Nothing renders text as a template: no `user_variables`, no template engine.",
        fails_on="`user_variables={…}`",
    ),
    Lint(
        "category-specific",
        3,
        check_module=check_tool_names,
        check_file=check_secrets,
        reads=(_INVENTORY,),
        holds=(
            "No file holds a secret or a random-looking string; tools of MCP servers are named "
            "`mcp__<server>__<tool>`."
        ),
        fails_on="a token in a constant",
    ),
    Lint(
        "melleafy-json",
        3,
        check_manifest_consistency,
        reads=(
            "melleafy.json",
            "pipeline.py",
            "intermediate/classification.json",
            _DIRECTIVE,
            _PLAN,
            ENVIRONMENT_EXAMPLE,
            PATHS,
        ),
        holds="The manifest agrees with code, plan, classification and `.env.example`.",
        fails_on="a parameter added to `run_pipeline` only",
    ),
    Lint(
        "provenance-complete",
        3,
        check_provenance,
        check_in_package=check_module_provenance,
        reads=(_INVENTORY,),
        reads_once=(_CODE, PATHS),
        holds=(
            "Every constant, rule, step and stub names source lines, which exist and hold at least half of "
            "its words."
        ),
        fails_on="a rule whose text was changed",
    ),
    Lint(
        "coverage",
        3,
        check_coverage,
        reads=("intermediate/coverage_report.json", _INVENTORY, _MAPPING, _PLAN),
        holds="Every source line is in an element, every element mapped, every category planned.",
        fails_on="a dropped element",
    ),
)
