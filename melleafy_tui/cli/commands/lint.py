"""`lint`: runs the lints on a package on disk, including hand-edited files."""

import argparse
from pathlib import Path

from melleafy_tui.cli.console import Console
from melleafy_tui.core.errors import LintFailed
from melleafy_tui.core.lint.runner import lint_package


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the findings of each lint.

    Raises:
        LintFailed: at least one lint failed.
    """
    package = Path(arguments.package)
    report = lint_package(package, import_modules=arguments.import_modules)
    console.document(report)
    console.table(
        [(result.status, f"tier {result.tier}", result.lint, result.note) for result in report.results]
    )
    for finding in report.findings:
        console.line(finding.spelled)
    if not report.passed:
        raise LintFailed(
            f"{len(report.findings)} findings in {package}", hint="Each line above says what to do."
        )
    return 0
