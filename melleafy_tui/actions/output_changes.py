"""Computes what a decision changes in the output: the diff between two packages, shortened for a side pane."""

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
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

_MARGIN: Final = 200
"""Common lines kept around a difference so that difflib can align it; more than any diff context."""

_SURE: Final = 8
"""Common lines that suffice to resynchronise two texts."""

_Stretch = tuple[int, int, int, int]
"""Start and end of the old lines, then of the new ones, counted from 0, end excluded."""

_PLACE: Final = re.compile(r"([-+])(\d+)")
_KEPT_EFFECTS: Final = 200
_DOCUMENTS: Final = ("mapping_report.md", "README.md", "melleafy.json")
"""Files that describe the others; an effect leaves them out, so they aren't rendered for it."""


class Effect(Struct, frozen=True):
    """What an override changes in the output: a shortened unified diff, and the files it touches."""

    title: str
    lines: tuple[str, ...]
    files: tuple[str, ...]
    left_out: int = 0


class KnownEffects:
    """Caches effects, each for the plan that it was computed for.

    Args:
        conversion: The conversion, which may change between calls.
    """

    def __init__(self, conversion: Conversion) -> None:
        self._conversion = conversion
        self._effects: dict[tuple[object, ...], Effect] = {}

    def of(self, entry: PlanEntry) -> Effect | None:
        """Return a cached effect that is valid for the current decisions, or None."""
        return self._effects.get(self._key(entry))

    def keep(self, entry: PlanEntry, found: Effect) -> None:
        """Cache an effect for the current decisions."""
        if len(self._effects) > _KEPT_EFFECTS:
            self._effects.clear()
        self._effects[self._key(entry)] = found

    def _key(self, entry: PlanEntry) -> tuple[object, ...]:
        return (id(self._conversion.plan), entry.entry_id, entry.disposition)


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

    It skips long common stretches: most commands change a few lines of files as long as the source.
    """
    before, after = _lines(old), _lines(new)
    made: list[str] = []
    for first_old, end_old, first_new, end_new in _stretches(before, after):
        part = difflib.unified_diff(
            before[first_old:end_old],
            after[first_new:end_new],
            f"before/{path}",
            f"after/{path}",
            n=context,
            lineterm="",
        )
        lines = [_moved(line, first_old, first_new) if line.startswith("@@") else line for line in part]
        made += lines[2:] if made else lines
    return made


def _stretches(before: Sequence[str], after: Sequence[str]) -> list[_Stretch]:
    """Return where two texts differ, with up to `_MARGIN` common lines above and below."""
    joined: list[_Stretch] = []
    for found in _differing(before, after):
        if joined and found[0] - joined[-1][1] <= 2 * _MARGIN:
            first_old, _, first_new, _ = joined.pop()
            found = (first_old, found[1], first_new, found[3])
        joined.append(found)
    stretches = []
    for first_old, end_old, first_new, end_new in joined:
        above, below = min(_MARGIN, first_old), min(_MARGIN, len(before) - end_old)
        stretches.append((first_old - above, end_old + below, first_new - above, end_new + below))
    return stretches


def _differing(before: Sequence[str], after: Sequence[str]) -> Iterator[_Stretch]:
    """Yield the stretches that differ between common lines."""
    old = new = 0
    while True:
        alike = _alike_from(before, old, after, new)
        old, new = old + alike, new + alike
        if old == len(before) and new == len(after):
            return
        end_old, end_new = _alike_again(before, old, after, new)
        yield old, end_old, new, end_new
        old, new = end_old, end_new


def _alike_from(before: Sequence[str], old: int, after: Sequence[str], new: int) -> int:
    """Return how many lines are equal from two positions on."""
    start = old
    while (some := before[old : old + _MARGIN]) == after[new : new + _MARGIN] and some:
        old, new = old + len(some), new + len(some)
    return old - start + _alike(some, after[new : new + _MARGIN])


def _alike_again(before: Sequence[str], old: int, after: Sequence[str], new: int) -> tuple[int, int]:
    """Return where two differing texts are equal again: near by, or else at their common end."""
    near: dict[str, int] = {}
    for place, line in enumerate(after[new : new + _MARGIN], new):
        near.setdefault(line, place)
    for place, line in enumerate(before[old : old + _MARGIN], old):
        other = near.get(line)
        if other is not None and before[place : place + _SURE] == after[other : other + _SURE]:
            return place, other
    below = _alike(reversed(before[old:]), reversed(after[new:]))
    return len(before) - below, len(after) - below


def _alike(some: Iterable[str], others: Iterable[str]) -> int:
    """Return how many lines two texts have in common at their start."""
    return sum(takewhile(bool, map(eq, some, others)))


def _moved(head: str, old: int, new: int) -> str:
    """Return the head of a hunk, `@@ -1,4 +1,5 @@`, shifted down by some lines."""
    return _PLACE.sub(lambda found: f"{found[1]}{int(found[2]) + (old if found[1] == '-' else new)}", head)


def _lines(text: str) -> list[str]:
    """Return the lines of a file; a missing file has none."""
    return text.split("\n") if text else []


def _is_read(path: str) -> bool:
    return "/intermediate/" not in path and not path.endswith(_DOCUMENTS)


def _reading_order(path: str) -> tuple[int, str]:
    return (0 if path.endswith(".py") and "/fixtures/" not in path else 1, path)
