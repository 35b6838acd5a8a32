"""The table of lints: the texts of `lints.toml`, each with its function."""

import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from melleafy_tui.core.lint.code import (
    check_parseable,
    check_static_modules,
    check_template_text,
    check_validator_soundness,
    check_variable_safety,
)
from melleafy_tui.core.lint.consistency import (
    check_manifest_consistency,
    check_persona_channel,
    check_runtime_defaults,
)
from melleafy_tui.core.lint.files import (
    check_asset_paths,
    check_coverage,
    check_cross_reference,
    check_secrets,
    check_tool_names,
)
from melleafy_tui.core.lint.fixtures import check_fixture_files, check_fixture_inputs, check_fixtures_contract
from melleafy_tui.core.lint.import_effects import check_import_side_effects
from melleafy_tui.core.lint.importable import check_importable
from melleafy_tui.core.lint.imports import check_import_soundness
from melleafy_tui.core.lint.linted_package import Package
from melleafy_tui.core.lint.mellea_calls import (
    check_format_annotation,
    check_generative_parameters,
    check_grounding_context,
    check_result_parse,
    check_session_boundary,
    check_stdlib_arity,
)
from melleafy_tui.core.lint.modules import Module, Problem
from melleafy_tui.core.lint.provenance import check_provenance

Check = Callable[[Package], Iterator[Problem]]


class Lint(Struct, frozen=True):
    """One lint.

    Attributes:
        name: Its id.
        tier: 1: the package can be used; 2: its code is sound; 3: it says the truth.
        holds: What is true of a sound package, in one sentence.
        fails_on: An example of what isn't.
        do: What to do about a finding that says nothing of its own.
        check: Yields problems, or raises NotValidatable if the package lacks what it needs.
    """

    name: str
    tier: int
    holds: str
    fails_on: str
    do: str
    check: Check


def _each_module(check: Callable[[Module], Iterator[Problem]]) -> Check:
    """Return a check of all printed modules, made of a check of one."""
    return lambda package: (
        problem for module in package.printed_modules.values() for problem in check(module)
    )


def _in_package(check: Callable[[Package, Module], Iterator[Problem]]) -> Check:
    """Return a check of all printed modules, made of a check of one among the others."""
    return lambda package: (
        problem for module in package.printed_modules.values() for problem in check(package, module)
    )


def _check_category(package: Package) -> Iterator[Problem]:
    for file in package.printed:
        yield from check_secrets(package, file)
    for module in package.printed_modules.values():
        yield from check_tool_names(module)


CHECKS: Final[dict[str, Check]] = {
    "parseable": check_parseable,
    "importable": check_importable,
    "static-modules": check_static_modules,
    "cross-reference": check_cross_reference,
    "validator-soundness": _in_package(check_validator_soundness),
    "session-boundary": _each_module(check_session_boundary),
    "variable-safety": _each_module(check_variable_safety),
    "import-side-effects": _in_package(check_import_side_effects),
    "import-soundness": _in_package(check_import_soundness),
    "stdlib-arity": _each_module(check_stdlib_arity),
    "grounding-context-types": _each_module(check_grounding_context),
    "format-annotation": _in_package(check_format_annotation),
    "instruct-result-parse": _each_module(check_result_parse),
    "fixtures-loader-contract": check_fixtures_contract,
    "fixture-inputs": check_fixture_inputs,
    "fixture-data-files": check_fixture_files,
    "generative-reserved-params": _each_module(check_generative_parameters),
    "bundled-asset-path-resolution": _in_package(check_asset_paths),
    "runtime-defaults-bound": check_runtime_defaults,
    "persona-channel": check_persona_channel,
    "no-template-text": _each_module(check_template_text),
    "category-specific": _check_category,
    "melleafy-json": check_manifest_consistency,
    "provenance-complete": check_provenance,
    "coverage": check_coverage,
}

_ROWS: Final = tomllib.loads(Path(__file__).with_name("lints.toml").read_text(encoding="utf-8"))
LINTS: Final = tuple(Lint(name=name, check=CHECKS[name], **row) for name, row in _ROWS.items())
