"""Run the lints of step 7 over a file set in memory, or over a package folder on disk (spec/package.md 7)."""

from pathlib import Path
from typing import Final

from melleafy_tui.core.lint.reading import read_package
from melleafy_tui.core.lint.table import LINTS, Lint
from melleafy_tui.core.lint.view import NotValidatable, PackageView, Problem
from melleafy_tui.core.models.lint import LintFinding, LintReport, LintResult
from melleafy_tui.core.models.package import FileSet
from melleafy_tui.core.models.plan import CommittedPlan

PASSED: Final = "passed"
FAILED: Final = "failed"
NOT_VALIDATABLE: Final = "not validatable"


def lint_file_set(files: FileSet, committed: CommittedPlan | None = None) -> LintReport:
    """Return what the lints say of a package in memory; what needs it on disk is not validatable.

    Args:
        files: The package.
        committed: What it was made from; the lints read the same from the artifacts, as they do on disk.
    """
    del committed
    return _report(PackageView(files))


def lint_package(folder: Path) -> LintReport:
    """Return what the lints say of a package on disk, hand-edited ones included.

    Args:
        folder: The package, or the output folder that holds it.

    Raises:
        UnusableInput: there is no package there.
    """
    files, root = read_package(folder)
    return _report(PackageView(files, root))


def _report(view: PackageView) -> LintReport:
    return LintReport(results=tuple(_result(lint, view) for lint in LINTS))


def _result(lint: Lint, view: PackageView) -> LintResult:
    found: list[Problem] = []
    try:
        found += lint.check(view)
    except NotValidatable as missing:
        if not found:
            return LintResult(lint.name, lint.tier, NOT_VALIDATABLE, note=str(missing))
    except RecursionError:
        return LintResult(lint.name, lint.tier, NOT_VALIDATABLE, note="the code is nested too deeply")
    findings = tuple(
        sorted(
            (
                LintFinding(
                    lint.name,
                    lint.tier,
                    problem.file,
                    problem.line,
                    problem.column,
                    problem.message,
                    problem.hint,
                )
                for problem in dict.fromkeys(found)
            ),
            key=lambda finding: (finding.file, finding.line, finding.column, finding.message),
        )
    )
    return LintResult(lint.name, lint.tier, FAILED if findings else PASSED, findings)
