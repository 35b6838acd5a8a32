"""Rows of the preview: the package as a tree with marks, and the lints."""

from collections.abc import Callable
from typing import Final

from rich.cells import cell_len

from melleafy_tui.core.models.lint import LintFinding, LintReport
from melleafy_tui.core.models.package import FileSet
from melleafy_tui.core.writing.plan import Action, WritePlan
from melleafy_tui.provenance import emitted_path
from melleafy_tui.widgets.rows import Row
from melleafy_tui.widgets.tones import Line, Tone, fit, fit_end, shorten

ACTION_MARKS: Final[dict[Action, tuple[str, str, Tone]]] = {
    Action.UNTOUCHED: ("=", "same", Tone.MUTED),
    Action.CREATE: ("+", "new", Tone.GOOD),
    Action.REPLACE: ("~", "changed", Tone.ACCENT),
    Action.REMOVE: ("-", "removed", Tone.BAD),
    Action.MERGE: ("&", "merged with your edits", Tone.KEYWORD),
    Action.CONFLICT: ("!", "conflicts with your edits", Tone.WARN),
    Action.KEEP_EDITS: ("e", "edited by you, kept", Tone.INFO),
    Action.STAY_DELETED: ("x", "deleted by you", Tone.WARN),
    Action.FORGET: ("x", "gone", Tone.MUTED),
    Action.OVERWRITE: ("!", "overwritten, with a backup", Tone.WARN),
}

ACTION_TERMS: Final = tuple((mark, f"{words}.") for mark, words, _ in ACTION_MARKS.values())


def tree_rows(files: FileSet, plan: WritePlan | None, lints: LintReport) -> list[Row]:
    """Return the emitted files as a tree."""
    actions = {file.path: file.action for file in plan.files} if plan is not None else {}
    failing: dict[str, int] = {}
    for finding in lints.findings:
        path = emitted_path(files, finding.file)
        failing[path] = failing.get(path, 0) + 1
    rows: list[Row] = []
    open_folders: tuple[str, ...] = ()
    for path in sorted(files.by_path, key=_tree_order):
        *folders, name = path.split("/")
        common = 0
        for old, new in zip(open_folders, folders, strict=False):
            if old != new:
                break
            common += 1
        for level in range(common, len(folders)):
            row_id = "folder:" + "/".join(folders[: level + 1])
            rows.append(Row(row_id, ((folders[level] + "/", Tone.HEADING),), depth=level, group=True))
        open_folders = tuple(folders)
        rows.append(
            Row(
                path,
                _file_line(name, actions.get(path), failing.get(path, 0)),
                depth=len(folders),
                search=path.casefold(),
            )
        )
    return rows


def _file_line(name: str, action: Action | None, failing: int) -> Callable[[int], Line]:
    mark, words, tone = ACTION_MARKS[action] if action is not None else (" ", "", Tone.MUTED)
    lint = f" ✗{failing}" if failing else ""

    def line(width: int) -> Line:
        remark = f" {words}" if width >= len(name) + len(words) + 10 else ""
        room = max(4, width - 2 - len(remark) - len(lint))
        return (
            (f"{mark} ", tone),
            (fit(name, min(room, max(len(name), room))), Tone.TEXT),
            (remark, Tone.MUTED),
            (lint, Tone.BAD),
        )

    return line


def _tree_order(path: str) -> list[tuple[int, str]]:
    *folders, name = path.split("/")
    return [*((1, folder) for folder in folders), (0, name)]


def lint_rows(lints: LintReport) -> list[Row]:
    """Return the lint failures."""
    return [
        Row(
            f"lint:{number}",
            _lint_line(finding),
            search=f"{finding.lint} {finding.file} {finding.message}".casefold(),
        )
        for number, finding in enumerate(lints.findings)
    ]


def _lint_line(finding: LintFinding) -> Callable[[int], Line]:
    where = f"{finding.file}:{finding.line}" if finding.line else finding.file

    def line(width: int) -> Line:
        place = fit_end(where, min(cell_len(where), max(8, width * 2 // 3)))
        rest = max(0, width - cell_len(place) - 4)
        return (
            ("✗ ", Tone.BAD),
            (place, Tone.INFO),
            (shorten(f" {finding.message} [{finding.lint}]", rest), Tone.TEXT),
        )

    return line
