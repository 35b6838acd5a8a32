"""What a decision changes in the output: the diff between two packages, cut to what a side pane shows."""

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from operator import eq
from typing import Final

from melleafy_tui.core.decisions.commands import SetDisposition
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.core.models.file_set import EmittedFile, FileSet
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import Disposition
from melleafy_tui.core.pipeline.conversion import Conversion

EFFECT_LINES: Final = 60
"""Lines of a diff that the side pane shows."""

_MARGIN: Final = 200
"""Lines in common round what differs that a difference may still place otherwise; more than any context."""

_SURE: Final = 8
"""So many lines in common show where two texts go on alike."""

_Stretch = tuple[int, int, int, int]
"""First line and the one after the last of the old text, and of the new one, counted from 0."""

_PLACE: Final = re.compile(r"([-+])(\d+)")
_KEPT_EFFECTS: Final = 200
_DOCUMENTS: Final = ("mapping_report.md", "README.md", "melleafy.json")
"""Files that say what the others do; an effect shows the others, and these are not made for it."""


@dataclass(frozen=True)
class Effect:
    """What an override changes in the output: a unified diff, cut to a readable length, and the files it reaches."""

    title: str
    lines: tuple[str, ...]
    files: tuple[str, ...]
    left_out: int = 0


class KnownEffects:
    """The effects that were worked out, each for the plan it was worked out for.

    Args:
        conversion: The conversion, which may go on while this is asked.
    """

    def __init__(self, conversion: Conversion) -> None:
        self._conversion = conversion
        self._effects: dict[tuple[object, ...], Effect] = {}

    def of(self, entry: PlanEntry) -> Effect | None:
        """Return an effect that was worked out for the decisions as they stand."""
        return self._effects.get(self._key(entry))

    def keep(self, entry: PlanEntry, found: Effect) -> None:
        """Keep an effect for the decisions as they stand."""
        if len(self._effects) > _KEPT_EFFECTS:
            self._effects.clear()
        self._effects[self._key(entry)] = found

    def _key(self, entry: PlanEntry) -> tuple[object, ...]:
        return (id(self._conversion.plan), entry.entry_id, entry.disposition)


def effect(conversion: Conversion, entry: PlanEntry) -> Effect:
    """Return what an entry's disposition changes in the output of a conversion.

    An overridden entry is compared with its default; one at its default with the package without it.
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
    """Return the difference between two file sets, code first, bookkeeping files left out."""
    lines: list[str] = []
    reached: list[str] = []
    old, new = before.some(_is_read), after.some(_is_read)
    for path in sorted({*old, *new}, key=_reading_order):
        changed = file_difference(old.get(path), new.get(path), path, context=1)
        if changed:
            reached.append(path)
            lines.append(f"── {path.removeprefix(after.package_name + '/')}")
            lines.extend(changed[2:])
    return Effect(title, tuple(lines[:EFFECT_LINES]), tuple(reached), max(0, len(lines) - EFFECT_LINES))


def file_difference(
    old: EmittedFile | None, new: EmittedFile | None, path: str, *, context: int = 3
) -> list[str]:
    """Return the unified diff of two states of one file, without line ends, empty where nothing differs."""
    if old is not None and new is not None and old.data == new.data:
        return []
    return unified(old.text if old else "", new.text if new else "", path, context=context)


def unified(old: str, new: str, path: str, *, context: int = 3) -> list[str]:
    """Return the unified diff of two texts, without line ends.

    Most acts change a few lines of files that are as long as the source: long stretches in common are passed over.
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
    """Return where two texts differ, with up to `_MARGIN` lines in common above and below."""
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
    """Yield stretches between which two texts have the same lines."""
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
    """Return how many lines are the same from two places on."""
    start = old
    while (some := before[old : old + _MARGIN]) == after[new : new + _MARGIN] and some:
        old, new = old + len(some), new + len(some)
    return old - start + _alike(some, after[new : new + _MARGIN])


def _alike_again(before: Sequence[str], old: int, after: Sequence[str], new: int) -> tuple[int, int]:
    """Return where two texts that differ go on alike: near by, else at the lines that both end with."""
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
    """Return how many lines two texts begin with in common."""
    return sum(takewhile(bool, map(eq, some, others)))


def _moved(head: str, old: int, new: int) -> str:
    """Return the head of a hunk, `@@ -1,4 +1,5 @@`, for places some lines further down."""
    return _PLACE.sub(lambda found: f"{found[1]}{int(found[2]) + (old if found[1] == '-' else new)}", head)


def _lines(text: str) -> list[str]:
    """Return the lines; a file that is not there has none."""
    return text.split("\n") if text else []


def _is_read(path: str) -> bool:
    return "/intermediate/" not in path and not path.endswith(_DOCUMENTS)


def _reading_order(path: str) -> tuple[int, str]:
    return (0 if path.endswith(".py") and "/fixtures/" not in path else 1, path)
