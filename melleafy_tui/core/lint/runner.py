"""Runs the lints over a file set in memory or over a package folder on disk."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

from msgspec import Struct

from melleafy_tui.core.lint.modules import Module, Problem
from melleafy_tui.core.lint.table import LINTS, Lint
from melleafy_tui.core.lint.view import NotValidatable, Package, PackageView, read_package
from melleafy_tui.core.models.file_set import FileSet
from melleafy_tui.core.models.reports import LintFinding, LintReport, LintResult
from melleafy_tui.core.result_cache import ResultCache

PASSED: Final = "passed"
FAILED: Final = "failed"
NOT_VALIDATABLE: Final = "not validatable"
TOO_DEEP: Final = "the code is nested too deeply"

Check = Callable[[], Iterable[Problem]]


def lint_file_set(files: FileSet, results: ResultCache | None = None) -> LintReport:
    """Lint a package in memory; `importable`, which needs it on disk, is reported as not validatable.

    Static modules are read where another file refers to them, but not linted again: their bytes are the same in every
    package, and the tests lint them.

    Args:
        files: The package.
        results: Keeps the findings by lint and file; a lint runs again only when the files that it read have changed.
    """
    return _report(files, None, results or ResultCache())


def lint_package(folder: Path, *, import_modules: bool = False) -> LintReport:
    """Lint a package on disk, which may have been edited by hand or downloaded.

    Args:
        folder: The package, or the output folder that holds it.
        import_modules: Whether to import each module, too, which runs its top-level code.

    Raises:
        UnusableInput: The folder holds no package.
    """
    files, root = read_package(folder)
    return _report(files, root if import_modules else None, ResultCache())


class _Outcome(Struct, frozen=True):
    """The findings of one check; `note` says why it couldn't run to its end, `""` if it did."""

    problems: tuple[Problem, ...]
    note: str = ""


def _report(files: FileSet, root: Path | None, results: ResultCache) -> LintReport:
    package = Package(files, root, results)
    return LintReport(results=tuple(_result(lint, package, results) for lint in LINTS))


def _result(lint: Lint, package: Package, results: ResultCache) -> LintResult:
    found: list[Problem] = []
    for looked_at, inputs, check in _checks(lint, package):
        outcome = results.result((lint.name, *looked_at), inputs, partial(_outcome, check))
        found += outcome.problems
        if outcome.note == TOO_DEEP or (outcome.note and not found):
            return LintResult(lint.name, lint.tier, NOT_VALIDATABLE, note=outcome.note)
        if outcome.note:
            break
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


def _checks(lint: Lint, package: Package) -> Iterator[tuple[tuple[str, str], tuple[object, ...], Check]]:
    """Yield the checks of a lint (package, files, modules), each with its name and the inputs that it reads."""
    if lint.check is not None:
        whole = PackageView(package, (*lint.reads, *lint.reads_once))
        yield ("package", ""), whole.inputs, partial(lint.check, whole)
    view = PackageView(package, lint.reads)
    if lint.check_file is not None:
        for file in package.printed:
            yield ("file", file.path), (file.data, *view.inputs), partial(lint.check_file, view, file)
    if lint.check_module is None and lint.check_in_package is None:
        return
    for module in package.printed_modules:
        if module.unreadable is None:
            inputs = (module.data, *view.inputs) if lint.check_in_package is not None else (module.data,)
            yield ("module", module.path), inputs, partial(_in_module, lint, view, module)


def _outcome(check: Check) -> _Outcome:
    found: list[Problem] = []
    try:
        found.extend(check())
    except NotValidatable as missing:
        return _Outcome(tuple(found), str(missing))
    except RecursionError:
        return _Outcome(tuple(found), TOO_DEEP)
    return _Outcome(tuple(found))


def _in_module(lint: Lint, view: PackageView, module: Module) -> Iterator[Problem]:
    """Yield the problems in a module."""
    if lint.check_module is not None:
        yield from lint.check_module(module)
    if lint.check_in_package is not None:
        yield from lint.check_in_package(view, module)
