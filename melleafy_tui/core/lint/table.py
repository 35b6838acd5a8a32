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
from melleafy_tui.core.lint.view import PackageView


class Lint(Struct, frozen=True):
    """One row: functions that yield problems, or raise NotValidatable where the package lacks what they need.

    `check` looks at the package, `check_module` at one Python file, `check_in_package` at one and what it names.
    """

    name: str
    tier: int
    check: Callable[[PackageView], Iterator[Problem]] | None = None
    check_module: Callable[[Module], Iterator[Problem]] | None = None
    check_in_package: Callable[[PackageView, Module], Iterator[Problem]] | None = None


LINTS: Final = (
    Lint("parseable", 1, parseable.check),
    Lint("importable", 1, importable.check),
    Lint("cross-reference", 2, cross_reference.check),
    Lint("validator-soundness", 2, check_in_package=validator_soundness.check_in_package),
    Lint("session-boundary", 2, check_module=session_boundary.check_module),
    Lint("variable-safety", 2, check_module=variable_safety.check_module),
    Lint("import-side-effects", 2, check_module=import_side_effects.check_module),
    Lint("import-soundness", 2, check_in_package=import_soundness.check_in_package),
    Lint("stdlib-arity", 2, check_module=stdlib_arity.check_module),
    Lint("grounding-context-types", 2, check_module=grounding_context.check_module),
    Lint("format-annotation", 2, check_in_package=format_annotation.check_in_package),
    Lint("instruct-result-parse", 2, check_module=result_parse.check_module),
    Lint("fixtures-loader-contract", 2, fixtures_contract.check),
    Lint("fixture-inputs", 2, fixture_inputs.check),
    Lint("fixture-data-files", 2, fixture_files.check),
    Lint("generative-reserved-params", 2, check_module=generative_parameters.check_module),
    Lint("bundled-asset-path-resolution", 2, check_in_package=asset_paths.check_in_package),
    Lint("runtime-defaults-bound", 2, runtime_defaults.check),
    Lint("persona-channel", 2, persona_channel.check),
    Lint("no-template-text", 2, check_module=template_text.check_module),
    Lint("category-specific", 3, category_specific.check, category_specific.check_module),
    Lint("melleafy-json", 3, manifest_consistency.check),
    Lint("provenance-complete", 3, provenance.check, check_in_package=provenance.check_in_package),
    Lint("coverage", 3, coverage.check),
)
