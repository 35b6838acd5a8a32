"""Lints a package on disk that holds the user's edits, which the lints of the emitted text didn't see."""

from collections.abc import Iterable
from typing import Final

from melleafy_tui.core.models.reports import LintFinding
from melleafy_tui.core.output.write_plan import Action
from melleafy_tui.core.output.writer import WriteResult

_WITH_EDITS: Final = (Action.MERGE, Action.CONFLICT, Action.KEEP_EDITS)
_FATAL: Final = ("import-soundness", "variable-safety")  # names that aren't there


def findings_on_disk(result: WriteResult) -> tuple[LintFinding, ...]:
    """Return what the lints find in the files on disk if the user's edits are among them."""
    if not any(map(result.plan.doing, _WITH_EDITS)):
        return ()
    from melleafy_tui.core.lint.table import lint_package  # most writes meet no edits
    from melleafy_tui.generators.static_modules import own_modules

    package = result.out / result.plan.emission.package_name
    return lint_package(package if package.is_dir() else result.out, own_modules()).findings


def are_fatal(findings: Iterable[LintFinding]) -> bool:
    """Return whether a package with these findings can't be used; others may be what the user wanted."""
    return any(found.tier == 1 or found.lint in _FATAL for found in findings)
