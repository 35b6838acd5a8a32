"""The table of lints: the texts of `lints.toml`, each with its function."""

from collections.abc import Callable, Collection, Iterator
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
from melleafy_tui.core.lint.imports import check_import_soundness, check_importable
from melleafy_tui.core.lint.linted_package import NotValidatable, Package
from melleafy_tui.core.lint.mellea_calls import (
    check_format_annotation,
    check_generative_parameters,
    check_grounding_context,
    check_result_parse,
    check_session_boundary,
    check_stdlib_arity,
)
from melleafy_tui.core.lint.modules import Module, Problem
from melleafy_tui.core.lint.package_reader import read_package
from melleafy_tui.core.lint.provenance import check_provenance
from melleafy_tui.core.lint.steps import check_steps
from melleafy_tui.core.models.file_set import FileSet
from melleafy_tui.core.models.reports import LintFinding, LintReport, LintResult
from melleafy_tui.core.tables import table_beside

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
    "steps": check_steps,
    "no-template-text": _each_module(check_template_text),
    "category-specific": _check_category,
    "melleafy-json": check_manifest_consistency,
    "provenance-complete": check_provenance,
    "coverage": check_coverage,
}

_ROWS: Final = table_beside(__file__, "lints.toml")
LINTS: Final = tuple(Lint(name=name, check=CHECKS[name], **row) for name, row in _ROWS.items())


PASSED: Final = "passed"
FAILED: Final = "failed"
NOT_VALIDATABLE: Final = "not validatable"


def lint_file_set(files: FileSet) -> LintReport:
    """Lint a package in memory; `importable`, which needs it on disk, is reported as not validatable.

    Args:
        files: The package. Its static modules aren't analysed: they are the same in every package.
    """
    return _report(Package(files))


def lint_package(folder: Path, own_modules: Collection[str], *, import_modules: bool = False) -> LintReport:
    """Lint a package on disk, which may have been edited by hand or downloaded.

    Args:
        folder: The package, or the output folder that holds it.
        own_modules: SHA-256 of the static modules of this release; an edited one is a finding.
        import_modules: Whether to import each module, too, which runs its top-level code.

    Raises:
        UnusableInput: The folder holds no package.
    """
    files, root = read_package(folder)
    return _report(Package(files, root if import_modules else None, own_modules))


def _report(package: Package) -> LintReport:
    return LintReport(results=tuple(_result(lint, package) for lint in LINTS))


def _result(lint: Lint, package: Package) -> LintResult:
    found: dict[Problem, None] = {}
    try:
        for problem in lint.check(package):
            found[problem] = None
    except NotValidatable as missing:
        if not found:
            return LintResult(lint.name, lint.tier, NOT_VALIDATABLE, note=str(missing))
    except RecursionError:
        return LintResult(lint.name, lint.tier, NOT_VALIDATABLE, note="the code is nested too deeply")
    findings = tuple(
        LintFinding(
            lint.name, lint.tier, each.file, each.line, each.column, each.message, each.hint or lint.do
        )
        for each in sorted(found, key=lambda each: (each.file, each.line, each.column, each.message))
    )
    return LintResult(lint.name, lint.tier, FAILED if findings else PASSED, findings)
