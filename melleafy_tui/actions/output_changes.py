"""Computes what a decision changes in the output: the diff between two packages, shortened for a side pane."""

import difflib
import re
from collections.abc import Iterable
from itertools import takewhile
from operator import eq
from typing import Final

from msgspec import Struct

from melleafy_tui.core.decisions.commands import SetDisposition
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.core.models.file_set import EmittedFile, FileSet
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import Disposition
from melleafy_tui.core.pipeline.conversion import Conversion

EFFECT_LINES: Final = 60
"""Lines of a diff that the side pane shows."""

_PLACE: Final = re.compile(r"([-+])(\d+)")
_DOCUMENTS: Final = ("mapping_report.md", "README.md", "melleafy.json")
"""Files that describe the others; an effect leaves them out, so they aren't rendered for it."""


class Effect(Struct, frozen=True):
    """What an override changes in the output: a shortened unified diff, and the files it touches."""

    title: str
    lines: tuple[str, ...]
    files: tuple[str, ...]
    left_out: int = 0


def effect(conversion: Conversion, entry: PlanEntry) -> Effect:
    """Return what an entry's disposition changes in the output of a conversion.

    An overridden entry is compared with its default; an entry at its default is compared with the package
    without it.
    """
    if entry.overridden:
        other, title = None, f"against the default, {entry.default_disposition.value}"
    else:
        other, title = Disposition.REMOVE, "against the package without it"
    try:
        command = SetDisposition((entry.key,), other)
        before = conversion.with_decisions(command.apply(conversion.decisions)).rendered
    except MelleafyError:
        return Effect("It cannot be left out, so there is nothing to compare with.", (), ())
    return difference(before, conversion.rendered, title)


def difference(before: FileSet, after: FileSet, title: str) -> Effect:
    """Return the difference between two file sets, code first, without bookkeeping files."""
    lines: list[str] = []
    reached: list[str] = []
    for path in sorted(filter(_is_read, {*before.by_path, *after.by_path}), key=_reading_order):
        changed = file_difference(before.file(path), after.file(path), path, context=1)
        if changed:
            reached.append(path)
            lines.append(f"── {path.removeprefix(after.package_name + '/')}")
            lines.extend(changed[2:])
    return Effect(title, tuple(lines[:EFFECT_LINES]), tuple(reached), max(0, len(lines) - EFFECT_LINES))


def file_difference(
    old: EmittedFile | None, new: EmittedFile | None, path: str, *, context: int = 3
) -> list[str]:
    """Return the unified diff of two versions of a file, without line ends; empty if they are equal."""
    if old is not None and new is not None and old.data == new.data:
        return []
    return unified(old.text if old else "", new.text if new else "", path, context=context)


def unified(old: str, new: str, path: str, *, context: int = 3) -> list[str]:
    """Return the unified diff of two texts, without line ends.

    Most commands change a few lines of files as long as the source, so difflib, which takes longer for common lines
    than this does, gets what is between the common start and the common end.
    """
    before, after = _lines(old), _lines(new)
    start = max(0, alike(before, after) - context)
    end = max(0, alike(reversed(before[start:]), reversed(after[start:])) - context)
    made = difflib.unified_diff(
        before[start : len(before) - end],
        after[start : len(after) - end],
        f"before/{path}",
        f"after/{path}",
        n=context,
        lineterm="",
    )
    return [_moved(line, start) if line.startswith("@@") else line for line in made]


def alike(some: Iterable[str], others: Iterable[str]) -> int:
    """Return how many lines two texts, or folders two paths, have in common at their start."""
    return sum(takewhile(bool, map(eq, some, others)))


def _moved(head: str, by: int) -> str:
    """Return the head of a hunk, `@@ -1,4 +1,5 @@`, shifted down by some lines."""
    return _PLACE.sub(lambda found: f"{found[1]}{int(found[2]) + by}", head)


def _lines(text: str) -> list[str]:
    """Return the lines of a file; a missing file has none."""
    return text.split("\n") if text else []


def _is_read(path: str) -> bool:
    return "/intermediate/" not in path and not path.endswith(_DOCUMENTS)


def _reading_order(path: str) -> tuple[int, str]:
    return (0 if path.endswith(".py") and "/fixtures/" not in path else 1, path)
