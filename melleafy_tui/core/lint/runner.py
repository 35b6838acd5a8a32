"""Run the lints of step 7 over a file set in memory, or over a package folder on disk (spec/package.md 7)."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from melleafy_tui.core.lint.module import Kept, Module, Problem
from melleafy_tui.core.lint.reading import read_package
from melleafy_tui.core.lint.table import LINTS, Lint
from melleafy_tui.core.lint.view import Linted, NotValidatable, PackageView
from melleafy_tui.core.models.committed import CommittedPlan, Earlier
from melleafy_tui.core.models.lint import LintFinding, LintReport, LintResult
from melleafy_tui.core.models.package import FileSet

PASSED: Final = "passed"
FAILED: Final = "failed"
NOT_VALIDATABLE: Final = "not validatable"


def lint_file_set(files: FileSet, committed: CommittedPlan | None = None) -> LintReport:
    """Return what the lints say of a package in memory; what needs it on disk is not validatable.

    Args:
        files: The package.
        committed: What it was made from, which keeps what was found; the lints themselves read the artifacts alone, as
            they do on disk.
    """
    return lint_after(committed.earlier if committed is not None else Earlier(), files)


def lint_after(earlier: Earlier, files: FileSet) -> LintReport:
    """Return what the lints say of a package in memory, taking over what they said of the same files before.

    Args:
        earlier: What the last state of the conversion left.
        files: The package.
    """
    linted = earlier.kept("lints", (), Linted)
    report = _report(PackageView(files, last=linted.files), linted.found)
    linted.files = files.by_path
    return report


def lint_package(folder: Path) -> LintReport:
    """Return what the lints say of a package on disk, hand-edited ones included.

    Args:
        folder: The package, or the output folder that holds it.

    Raises:
        UnusableInput: there is no package there.
    """
    files, root = read_package(folder)
    return _report(PackageView(files, root), {})


def _report(view: PackageView, kept: dict[object, Kept]) -> LintReport:
    report = LintReport(results=tuple(_result(lint, view, kept) for lint in LINTS))
    view.forget()
    return report


def _result(lint: Lint, view: PackageView, kept: dict[object, Kept]) -> LintResult:
    found: list[Problem] = []
    try:
        if lint.check is not None:
            found += view.kept(kept, lint.name, partial(lint.check, view))
        for module in view.modules.values() if lint.check_module or lint.check_in_package else ():
            found += view.kept(module.kept, lint.name, partial(_in_module, lint, view, module))
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


def _in_module(lint: Lint, view: PackageView, module: Module) -> list[Problem]:
    """Return what a lint finds in a module; where it finds anything, in the whole of it."""
    found = list(_looked_at(lint, view, module))
    return list(_looked_at(lint, view, module)) if found and module.unfold() else found


def _looked_at(lint: Lint, view: PackageView, module: Module) -> Iterator[Problem]:
    if lint.check_module is not None:
        yield from lint.check_module(module)
    if lint.check_in_package is not None:
        yield from lint.check_in_package(view, module)
