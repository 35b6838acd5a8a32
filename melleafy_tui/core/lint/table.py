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
    read `reads_once`.
    """

    name: str
    tier: int
    check: Callable[[PackageView], Iterator[Problem]] | None = None
    check_module: Callable[[Module], Iterator[Problem]] | None = None
    check_in_package: Callable[[PackageView, Module], Iterator[Problem]] | None = None
    check_file: Callable[[PackageView, EmittedFile], Iterator[Problem]] | None = None
    reads: tuple[str, ...] = ()
    reads_once: tuple[str, ...] = ()


_CODE: Final = "*.py"
_FIXTURES: Final = "fixtures/*.py"
_INVENTORY: Final = "intermediate/inventory.json"
_MAPPING: Final = "intermediate/element_mapping.json"
_PLAN: Final = "intermediate/dependency_plan.json"
_DIRECTIVE: Final = "intermediate/runtime_directive.json"

LINTS: Final = (
    Lint("parseable", 1, check_file=check_parseable),
    Lint("importable", 1, check_importable, reads=(_CODE,)),
    Lint("cross-reference", 2, check_cross_reference, reads=("*", PATHS)),
    Lint(
        "validator-soundness",
        2,
        check_in_package=check_validator_soundness,
        reads=(_CODE,),
    ),
    Lint("session-boundary", 2, check_module=check_session_boundary),
    Lint("variable-safety", 2, check_module=check_variable_safety),
    Lint("import-side-effects", 2, check_in_package=check_import_side_effects, reads=(_CODE,)),
    Lint(
        "import-soundness",
        2,
        check_in_package=check_import_soundness,
        reads=(_CODE, "pyproject.toml", PATHS),
    ),
    Lint("stdlib-arity", 2, check_module=check_stdlib_arity),
    Lint("grounding-context-types", 2, check_module=check_grounding_context),
    Lint("format-annotation", 2, check_in_package=check_format_annotation, reads=(_CODE,)),
    Lint("instruct-result-parse", 2, check_module=check_result_parse),
    Lint("fixtures-loader-contract", 2, check_fixtures_contract, reads=(_FIXTURES, PATHS)),
    Lint("fixture-inputs", 2, check_fixture_inputs, reads=(_FIXTURES, "pipeline.py", PATHS)),
    Lint("fixture-data-files", 2, check_fixture_files, reads=(_FIXTURES, PATHS)),
    Lint("generative-reserved-params", 2, check_module=check_generative_parameters),
    Lint("bundled-asset-path-resolution", 2, check_in_package=check_asset_paths, reads=(PATHS,)),
    Lint("runtime-defaults-bound", 2, check_runtime_defaults, reads=(_CODE, _DIRECTIVE)),
    Lint("persona-channel", 2, check_persona_channel, reads=(_CODE, _DIRECTIVE)),
    Lint("no-template-text", 2, check_module=check_template_text),
    Lint(
        "category-specific",
        3,
        check_module=check_tool_names,
        check_file=check_secrets,
        reads=(_INVENTORY,),
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
    ),
    Lint(
        "provenance-complete",
        3,
        check_provenance,
        check_in_package=check_module_provenance,
        reads=(_INVENTORY,),
        reads_once=(_CODE, PATHS),
    ),
    Lint(
        "coverage",
        3,
        check_coverage,
        reads=("intermediate/coverage_report.json", _INVENTORY, _MAPPING, _PLAN),
    ),
)
