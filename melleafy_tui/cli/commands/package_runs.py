"""`lint`, `smoke` and `run`: check a package on disk by reading it, run its fixtures, or run it once."""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from melleafy_tui.actions.plurals import counted
from melleafy_tui.cli.console import Console
from melleafy_tui.cli.printed_results import say_run
from melleafy_tui.core.errors import LintFailed, SmokeFailed, UnusableInput, UsageError
from melleafy_tui.core.models.reports import RunReport
from melleafy_tui.core.output.emitted import find_package
from melleafy_tui.core.smoke.local_model import BACKEND, LocalModel, find_model
from melleafy_tui.core.smoke.runner import SmokeRequest, first_parameter, run_smoke
from melleafy_tui.core.smoke.scripted_model import Behaviour
from melleafy_tui.version import INSTALL_HINT

LOCAL_SECONDS: Final = 900.0
"""Time limit of all fixtures on a model in this process, which may take half a minute for each."""
_PROGRAM: Final = """\
import importlib, sys
name = sys.argv.pop(1)
try:
    main = importlib.import_module(f"{name}.main").main
except KeyboardInterrupt:
    sys.exit(130)
except Exception as error:
    sys.exit(f"{name} can't be imported: {type(error).__name__}: {error}")
sys.exit(main())
"""
"""Runs a package as its own command does; an interrupt while Mellea is imported is no traceback."""
_PASSED_ON: Final = (0, 2, 130)
"""Exit codes of a package that mean the same here; each other one is a run that failed."""
_RUN_FAILED: Final = 12


def lint(arguments: argparse.Namespace, console: Console) -> int:
    """Print the findings of each lint.

    Raises:
        LintFailed: at least one lint failed.
    """
    from melleafy_tui.core.lint.table import lint_package  # smoke needs none of it
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
    with _local_model(arguments, console) as model:
        if model:
            request = replace(request, model=model, time_limit=LOCAL_SECONDS)
        report = run_smoke(request, on_run=partial(say_run, console))
    console.document(report)
    where = "the configured backend" if report.live else model.name if model else "the fake model server"
    version = f" with Mellea {report.mellea_version}" if report.mellea_version else ""
    console.line(f"{counted(len(report.runs), 'fixture')} of {report.package_name} against {where}{version}.")
    if report.made_up_memory:
        console.line(f"The memory of these runs is made up: {report.made_up_memory} of the package.")
    if not report.passed:
        failed = sum(not found.completed for found in report.runs)
        raise SmokeFailed(
            f"{failed} of {counted(len(report.runs), 'fixture')} did not pass",
            hint="Each fixture's line says why.",
        )
    return 0


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Run a package once or in a chat; it prints its reply itself.

    Raises:
        UnusableInput: Mellea or the model for `--local` is missing.
        UsageError: two options contradict each other.
        SmokeFailed: the run of `--json` failed.
    """
    if arguments.chat and console.json:
        raise UsageError("--chat and --json contradict each other", hint="Give one of them.")
    package = find_package(Path(arguments.package))
    if find_spec("mellea") is None:
        raise UnusableInput("Mellea is not installed here", hint=INSTALL_HINT.format("smoke"))
    with _local_model(arguments, console) as model:
        words = _words(arguments, package)
        if model:
            words += ["--backend", BACKEND, "--model", model.name]
        done = subprocess.run(
            [sys.executable, "-B", "-P", "-c", _PROGRAM, package.name, *words],
            env={**os.environ, "PYTHONPATH": str(package.parent), **(model.environment if model else {})},
            stdout=subprocess.PIPE if console.json else None,
            check=False,
        )
    if console.json:
        if done.returncode:
            raise SmokeFailed(f"The run of {package.name} failed", hint="Standard error says why.")
        name = model.name if model else ""
        console.document(RunReport(package_name=package.name, model=name, reply=json.loads(done.stdout)))
    return done.returncode if done.returncode in _PASSED_ON else _RUN_FAILED


def _words(arguments: argparse.Namespace, package: Path) -> list[str]:
    """Return the command line of the package."""
    words = [flag for flag in ("--chat", "--json") if getattr(arguments, flag.removeprefix("--"))]
    if arguments.message is not None:
        words.append(f"--{first_parameter(package).replace('_', '-')}={arguments.message}")
    return words


@contextmanager
def _local_model(arguments: argparse.Namespace, console: Console) -> Iterator[LocalModel | None]:
    """Run the model of `--local` or `--gguf` during the block, and tell what it did; without them there is none."""
    if not (arguments.local or arguments.gguf):
        yield None
        return
    with LocalModel(find_model(Path(arguments.gguf) if arguments.gguf else None)) as model:
        if not arguments.gguf:
            console.message(f"{model.name} shows that the package runs, not how well it could answer.")
        yield model
        console.message(f"{model.usage()}.")


def _request(arguments: argparse.Namespace) -> SmokeRequest:
    """Return what to run.

    Raises:
        UsageError: two options contradict each other.
    """
    if arguments.fixture and arguments.all:
        raise UsageError("--fixture and --all contradict each other", hint="Give one of them.")
    chosen = {
        "--live": arguments.live,
        "--local": arguments.local or arguments.gguf,
        "--behaviour": arguments.behaviour != Behaviour.PLAIN,
    }
    (first, second, *_) = (*(name for name, given in chosen.items() if given), "", "")
    if second:
        raise UsageError(f"{first} and {second} contradict each other", hint="Give one of them.")
    return SmokeRequest(
        Path(arguments.package),
        fixture_ids=tuple(arguments.fixture or ()),
        live=arguments.live,
        behaviour=Behaviour(arguments.behaviour),
    )
