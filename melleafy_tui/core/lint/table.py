"""The lints as a table: name, tier, what each holds, and the function that looks (spec/package.md 7)."""

from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct

from melleafy_tui.core.lint import (
    asset_paths,
    category_specific,
    coverage,
    cross_reference,
    fixture_files,
    fixture_inputs,
    fixtures_contract,
    format_annotation,
    generative_parameters,
    grounding_context,
    import_side_effects,
    import_soundness,
    importable,
    manifest_consistency,
    parseable,
    persona_channel,
    provenance,
    result_parse,
    runtime_defaults,
    session_boundary,
    stdlib_arity,
    template_text,
    validator_soundness,
    variable_safety,
)
from melleafy_tui.core.lint.module import Module, Problem
from melleafy_tui.core.lint.view import ENVIRONMENT_EXAMPLE, PATHS, PackageView
from melleafy_tui.core.models.package import EmittedFile


class Lint(Struct, frozen=True):
    """One row: functions that yield problems, or raise NotValidatable where the package lacks what they need.

    `check` looks at the package, `check_file` at each file, `check_module` at each Python file, `check_in_package` at
    each and at what it names. `reads` declares what a check looks into beside the file that it is given: patterns of
    paths relative to the package, or to the output folder for files beside it, and `PATHS`. `check` alone also reads
    `reads_once`.
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
    Lint("parseable", 1, check_file=parseable.check_file),
    Lint("importable", 1, importable.check, reads=(_CODE,)),
    Lint("cross-reference", 2, cross_reference.check, reads=("*", PATHS)),
    Lint(
        "validator-soundness",
        2,
        check_in_package=validator_soundness.check_in_package,
        reads=(_CODE,),
    ),
    Lint("session-boundary", 2, check_module=session_boundary.check_module),
    Lint("variable-safety", 2, check_module=variable_safety.check_module),
    Lint("import-side-effects", 2, check_module=import_side_effects.check_module),
    Lint(
        "import-soundness",
        2,
        check_in_package=import_soundness.check_in_package,
        reads=(_CODE, "pyproject.toml", PATHS),
    ),
    Lint("stdlib-arity", 2, check_module=stdlib_arity.check_module),
    Lint("grounding-context-types", 2, check_module=grounding_context.check_module),
    Lint("format-annotation", 2, check_in_package=format_annotation.check_in_package, reads=(_CODE,)),
    Lint("instruct-result-parse", 2, check_module=result_parse.check_module),
    Lint("fixtures-loader-contract", 2, fixtures_contract.check, reads=(_FIXTURES, PATHS)),
    Lint("fixture-inputs", 2, fixture_inputs.check, reads=(_FIXTURES, "pipeline.py", PATHS)),
    Lint("fixture-data-files", 2, fixture_files.check, reads=(_FIXTURES, PATHS)),
    Lint("generative-reserved-params", 2, check_module=generative_parameters.check_module),
    Lint("bundled-asset-path-resolution", 2, check_in_package=asset_paths.check_in_package, reads=(PATHS,)),
    Lint("runtime-defaults-bound", 2, runtime_defaults.check, reads=(_CODE, _DIRECTIVE)),
    Lint("persona-channel", 2, persona_channel.check, reads=(_CODE, _DIRECTIVE)),
    Lint("no-template-text", 2, check_module=template_text.check_module),
    Lint(
        "category-specific",
        3,
        check_module=category_specific.check_module,
        check_file=category_specific.check_file,
        reads=(_INVENTORY,),
    ),
    Lint(
        "melleafy-json",
        3,
        manifest_consistency.check,
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
        provenance.check,
        check_in_package=provenance.check_in_package,
        reads=(_INVENTORY,),
        reads_once=(_CODE, PATHS),
    ),
    Lint(
        "coverage",
        3,
        coverage.check,
        reads=("intermediate/coverage_report.json", _INVENTORY, _MAPPING, _PLAN),
    ),
)
