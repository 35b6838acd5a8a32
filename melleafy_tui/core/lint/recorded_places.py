"""Reads `intermediate/provenance.json`: which source lines the lines of an emitted file come from, edited or not."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from typing import Final, Self

from msgspec import MsgspecError, Struct

from melleafy_tui.core.lint.linted_package import PROVENANCE
from melleafy_tui.core.models.file_set import EmittedFile, LineProvenance
from melleafy_tui.core.output.emitted import EMITTED_TEXTS_NAME
from melleafy_tui.core.source.json5 import read_json, read_record

_LINES: Final = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?", re.ASCII)
_MOST_COMPARED: Final = 4_000_000
"""Pairs of lines that are compared to find where an edited file's lines are now; that takes a second or two."""


def spelled_lines(text: str) -> tuple[int, int] | None:
    """Return the first and last line that `12` or `15-22` names, or None if it names none."""
    found = _LINES.fullmatch(text)
    return (int(found[1]), int(found[2] or found[1])) if found else None


class RecordedPlace(Struct, frozen=True, omit_defaults=True):
    """Emitted lines with the text of one element; `entry_id` is `""` for one that needs no decision."""

    lines: str
    source_file: str
    source_lines: str
    element_id: str
    entry_id: str = ""


class ProvenanceRecord(Struct, frozen=True):
    """The content of `provenance.json`; a file is named by its path in the package, `.env.example` beside it."""

    format_version: str
    files: dict[str, tuple[RecordedPlace, ...]]


class RecordedPlaces:
    """The places of a package's files as they are now.

    Args:
        files: The files as they are, by path in the output folder.
        package_name: The package's folder.
        record: The places in the files as they were emitted.
        emitted: The texts that were emitted; a file without one is taken to be as it was.
    """

    def __init__(
        self,
        files: Mapping[str, EmittedFile],
        package_name: str,
        record: ProvenanceRecord,
        emitted: Mapping[str, object],
    ) -> None:
        self._files = files
        self._folder = f"{package_name}/"
        self._record = record
        self._emitted = emitted
        self._moves: dict[str, _Moves | None] = {}

    @classmethod
    def of(cls, files: Mapping[str, EmittedFile], package_name: str) -> Self | None:
        """Return the places of a package, or None if it has no readable record of them."""
        record = files.get(f"{package_name}/{PROVENANCE}")
        texts = files.get(f"{package_name}/{EMITTED_TEXTS_NAME}")
        try:
            places = read_record(record.data if record is not None else b"", ProvenanceRecord)
            emitted = read_json(texts.data) if texts is not None else {}
        except (ValueError, RecursionError, MsgspecError):
            return None
        return cls(files, package_name, places, emitted if isinstance(emitted, dict) else {})

    def places(self, path: str) -> tuple[LineProvenance, ...]:
        """Return the places in a file, by its path in the output folder; those whose lines are gone are left out."""
        found: list[LineProvenance] = []
        moves = self._moves_in(path)
        for place in self._record.files.get(path.removeprefix(self._folder), ()):
            lines = spelled_lines(place.lines) or (1, 0)
            now = moves.now(*lines) if moves is not None else lines
            if now[0] <= now[1]:
                found.append(LineProvenance(*now, place.element_id, place.source_file, place.source_lines))
        return tuple(found)

    def is_emitted(self, path: str, first: int, last: int) -> bool:
        """Return whether some of a file's lines are as they were emitted, not written or changed by the user."""
        moves = self._moves_in(path)
        return moves is None or moves.has_unchanged(first, last)

    def _moves_in(self, path: str) -> "_Moves | None":
        """Return how a file was edited, or None if it wasn't."""
        if path not in self._moves:
            # In a package beside its workspace, the paths of the emitted texts are relative to the package.
            before = self._emitted.get(path, self._emitted.get(path.removeprefix(self._folder)))
            now = self._files[path].text
            edited = isinstance(before, str) and before != now
            self._moves[path] = _Moves(str(before).split("\n"), now.split("\n")) if edited else None
        return self._moves[path]


class _Moves:
    """Where the lines of an emitted text are in its edited text; lines that replace others count as theirs."""

    def __init__(self, before: list[str], now: list[str]) -> None:
        pairs = enumerate(zip(before, now, strict=False))
        same = next((n for n, (old, new) in pairs if old != new), min(len(before), len(now)))
        if (len(before) - same) * (len(now) - same) > _MOST_COMPARED:
            codes: Iterable[tuple[str, int, int, int, int]] = [("equal", 0, same, 0, same)]
        else:
            from difflib import SequenceMatcher  # only an edited package needs it

            codes = SequenceMatcher(None, before, now, autojunk=False).get_opcodes()
        self._before: list[int] = []
        self._spans: list[tuple[int, int]] = []
        self._unchanged: list[int] = []
        for tag, start, end, new_start, new_end in codes:
            for number in range(start, end) if tag in ("equal", "replace") else ():
                self._before.append(number + 1)
                moved = new_start + number - start + 1
                self._spans.append((moved, moved) if tag == "equal" else (new_start + 1, new_end))
            if tag == "equal":
                self._unchanged += range(new_start + 1, new_end + 1)

    def now(self, first: int, last: int) -> tuple[int, int]:
        """Return where emitted lines are now; the first one is past the last if they are gone."""
        start, end = bisect_left(self._before, first), bisect_right(self._before, last)
        return (self._spans[start][0], self._spans[end - 1][1]) if start < end else (1, 0)

    def has_unchanged(self, first: int, last: int) -> bool:
        """Return whether one of the lines of the edited text is as it was emitted."""
        place = bisect_left(self._unchanged, first)
        return place < len(self._unchanged) and self._unchanged[place] <= last
