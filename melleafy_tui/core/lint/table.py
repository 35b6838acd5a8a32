"""The lints as a table: name, tier, what each holds, and the function that looks (spec/package.md 7)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

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
from melleafy_tui.core.lint.view import PackageView, Problem


@dataclass(frozen=True, slots=True)
class Lint:
    """One row: `check` yields problems, or raises NotValidatable where the package lacks what it needs."""

    name: str
    tier: int
    check: Callable[[PackageView], Iterator[Problem]]


LINTS: Final = (
    Lint("parseable", 1, parseable.check),
    Lint("importable", 1, importable.check),
    Lint("cross-reference", 2, cross_reference.check),
    Lint("validator-soundness", 2, validator_soundness.check),
    Lint("session-boundary", 2, session_boundary.check),
    Lint("variable-safety", 2, variable_safety.check),
    Lint("import-side-effects", 2, import_side_effects.check),
    Lint("import-soundness", 2, import_soundness.check),
    Lint("stdlib-arity", 2, stdlib_arity.check),
    Lint("grounding-context-types", 2, grounding_context.check),
    Lint("format-annotation", 2, format_annotation.check),
    Lint("instruct-result-parse", 2, result_parse.check),
    Lint("fixtures-loader-contract", 2, fixtures_contract.check),
    Lint("fixture-inputs", 2, fixture_inputs.check),
    Lint("fixture-data-files", 2, fixture_files.check),
    Lint("generative-reserved-params", 2, generative_parameters.check),
    Lint("bundled-asset-path-resolution", 2, asset_paths.check),
    Lint("runtime-defaults-bound", 2, runtime_defaults.check),
    Lint("persona-channel", 2, persona_channel.check),
    Lint("no-template-text", 2, template_text.check),
    Lint("category-specific", 3, category_specific.check),
    Lint("melleafy-json", 3, manifest_consistency.check),
    Lint("provenance-complete", 3, provenance.check),
    Lint("coverage", 3, coverage.check),
)
