"""`lint` and `smoke`: check a package on disk by reading it, and by running its fixtures."""

import argparse
from functools import partial
from pathlib import Path

from melleafy_tui.cli.console import Console, counted
from melleafy_tui.core.errors import LintFailed, SmokeFailed, UsageError
from melleafy_tui.core.models.reports import FixtureRun, FixtureStatus
from melleafy_tui.core.smoke.runner import SmokeRequest, run_smoke
from melleafy_tui.core.smoke.scripted_model import Behaviour


def lint(arguments: argparse.Namespace, console: Console) -> int:
    """Print the findings of each lint.

    Raises:
        LintFailed: at least one lint failed.
    """
    from melleafy_tui.core.lint.runner import lint_package  # smoke needs none of it
    from melleafy_tui.generators.static_modules import own_modules

    package = Path(arguments.package)
    report = lint_package(package, own_modules(), import_modules=arguments.import_modules)
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


def smoke(arguments: argparse.Namespace, console: Console) -> int:
    """Run fixtures and print the result of each.

    Raises:
        SmokeFailed: a fixture failed, or its environment is missing.
    """
    request = _request(arguments)
    report = run_smoke(request, on_run=partial(_say, console))
    console.document(report)
    where = "the configured backend" if report.live else "the fake model server"
    version = f" with Mellea {report.mellea_version}" if report.mellea_version else ""
    console.line(f"{counted(len(report.runs), 'fixture')} of {report.package_name} against {where}{version}.")
    if not report.passed:
        failed = [
            found
            for found in report.runs
            if found.status in (FixtureStatus.FAILED, FixtureStatus.ENVIRONMENT)
        ]
        raise SmokeFailed(
            f"{len(failed)} of {counted(len(report.runs), 'fixture')} did not pass",
            hint="Each fixture's line says why.",
        )
    return 0


def _request(arguments: argparse.Namespace) -> SmokeRequest:
    """Return what to run.

    Raises:
        UsageError: two options contradict each other.
    """
    if arguments.fixture and arguments.all:
        raise UsageError("--fixture and --all contradict each other", hint="Give one of them.")
    if arguments.live and arguments.behaviour != Behaviour.PLAIN:
        raise UsageError("--live and --behaviour contradict each other", hint="Give one of them.")
    return SmokeRequest(
        Path(arguments.package),
        fixture_ids=tuple(arguments.fixture or ()),
        every_rule=arguments.every_rule,
        live=arguments.live,
        behaviour=Behaviour(arguments.behaviour),
    )


def _say(console: Console, found: FixtureRun) -> None:
    console.line(_row(found))
    told = (*(f"unmet: {rule}" for rule in found.unmet), *(f"note: {note}" for note in found.notes))
    for text in (*told, *found.faults):
        console.line(f"    {text}")


def _row(found: FixtureRun) -> str:
    calls = f", {counted(found.calls, 'model call')}" if found.calls is not None else ""
    skipped = ", nothing to do" if found.skipped else ""
    return f"{found.status.value:<12}{found.fixture_id}{calls}{skipped}"
