"""The table of lints: the texts of `lints.toml`, each with its function."""

from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from melleafy_tui.core.lint import (
    code,
    consistency,
    files,
    fixtures,
    import_effects,
    imports,
    mellea_calls,
    provenance,
)
from melleafy_tui.core.lint.linted_package import NotValidatable, Package
from melleafy_tui.core.lint.modules import Module, Problem
from melleafy_tui.core.lint.package_reader import read_package
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
        yield from files.check_secrets(package, file)
    for module in package.printed_modules.values():
        yield from files.check_tool_names(module)


CHECKS: Final[dict[str, Check]] = {
    "parseable": code.check_parseable,
    "importable": imports.check_importable,
    "static-modules": code.check_static_modules,
    "cross-reference": files.check_cross_reference,
    "validator-soundness": _in_package(code.check_validator_soundness),
    "session-boundary": _each_module(mellea_calls.check_session_boundary),
    "variable-safety": _each_module(code.check_variable_safety),
    "import-side-effects": _in_package(import_effects.check_import_side_effects),
    "import-soundness": _in_package(imports.check_import_soundness),
    "stdlib-arity": _each_module(mellea_calls.check_stdlib_arity),
    "grounding-context-types": _each_module(mellea_calls.check_grounding_context),
    "format-annotation": _in_package(mellea_calls.check_format_annotation),
    "instruct-result-parse": _each_module(mellea_calls.check_result_parse),
    "fixtures-loader-contract": fixtures.check_fixtures_contract,
    "fixture-inputs": fixtures.check_fixture_inputs,
    "fixture-data-files": fixtures.check_fixture_files,
    "generative-reserved-params": _each_module(mellea_calls.check_generative_parameters),
    "bundled-asset-path-resolution": _in_package(files.check_asset_paths),
    "runtime-defaults-bound": consistency.check_runtime_defaults,
    "persona-channel": consistency.check_persona_channel,
    "no-template-text": _each_module(code.check_template_text),
    "category-specific": _check_category,
    "melleafy-json": consistency.check_manifest_consistency,
    "provenance-complete": provenance.check_provenance,
    "coverage": files.check_coverage,
}

_ROWS: Final = table_beside(__file__, "lints.toml")
LINTS: Final = tuple(Lint(name=name, check=CHECKS[name], **row) for name, row in _ROWS.items())


PASSED: Final = "passed"
FAILED: Final = "failed"
NOT_VALIDATABLE: Final = "not validatable"


def lint_file_set(emitted: FileSet) -> LintReport:
    """Lint a package in memory; `importable`, which needs it on disk, is reported as not validatable.

    Args:
        emitted: The package. Its static modules aren't analysed: they are the same in every package.
    """
    return _report(Package(emitted))


def lint_package(folder: Path, own_modules: Collection[str], *, import_modules: bool = False) -> LintReport:
    """Lint a package on disk, which may have been edited by hand or downloaded.

    Args:
        folder: The package, or the output folder that holds it.
        own_modules: SHA-256 of the static modules of this release; an edited one is a finding.
        import_modules: Whether to import each module, too, which runs its top-level code.

    Raises:
        UnusableInput: The folder holds no package.
    """
    found, root = read_package(folder)
    return _report(Package(found, root if import_modules else None, own_modules))


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
