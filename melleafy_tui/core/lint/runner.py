"""Runs the lints over a file set in memory or over a package folder on disk."""

from collections.abc import Collection
from pathlib import Path
from typing import Final

from melleafy_tui.core.lint.linted_package import NotValidatable, Package
from melleafy_tui.core.lint.modules import Problem
from melleafy_tui.core.lint.package_reader import read_package
from melleafy_tui.core.lint.table import LINTS, Lint
from melleafy_tui.core.models.file_set import FileSet
from melleafy_tui.core.models.reports import LintFinding, LintReport, LintResult

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
