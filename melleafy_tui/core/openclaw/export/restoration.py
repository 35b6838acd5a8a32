"""Restores a source file from its elements and layout, and verifies the result by its digest."""

import codecs
from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import compress
from typing import Final

from msgspec import Struct

from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.manifest import LaidOutFile
from melleafy_tui.core.package.source_layout import line_numbers, split_lines

MOST_LINES: Final = 2_000_000
_MARKS: Final[Mapping[str, tuple[tuple[bytes, str], ...]]] = {
    "utf-8": ((b"", "utf-8"),),
    "utf-8-sig": ((codecs.BOM_UTF8, "utf-8"),),
    "utf-16": ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")),
}
"""Byte order marks and codecs to try for each encoding of the layout, most likely first."""


class Restored(Struct, frozen=True):
    """A restored file: its bytes, whether they are identical to the source, and what differs."""

    data: bytes
    identical: bool
    reasons: tuple[str, ...] = ()


def restore_text(
    laid_out: LaidOutFile, elements: Sequence[Element], dropped: Sequence[Element]
) -> Restored | None:
    """Return the original text file without the lines that the user dropped, or None if lines are missing.

    Args:
        laid_out: The file's layout.
        elements: The file's elements, from the package's inventory.
        dropped: The elements that the user dropped.
    """
    if laid_out.encoding not in _MARKS or laid_out.lines > MOST_LINES:
        return None
    lines = _lines(laid_out, elements)
    if lines is None:
        return None
    ends = _line_ends(laid_out)
    reasons = [_secret(laid_out.path, numbers) for numbers in _runs(sorted(laid_out.masked))]
    if not dropped:
        return _encoded(laid_out, lines, ends, reasons)
    kept = line_numbers(element for element in elements if element not in dropped)
    gone = line_numbers(dropped) - kept
    reasons += [_removal(element, shares_all=line_numbers([element]) <= kept) for element in dropped]
    stays = [number not in gone for number in range(1, laid_out.lines + 1)]
    return _encoded(laid_out, [*compress(lines, stays)], [*compress(ends, stays)], reasons)


def _line_ends(laid_out: LaidOutFile) -> list[str]:
    ends = [laid_out.line_end] * laid_out.lines
    for number, end in laid_out.other_line_ends.items():
        if 1 <= number <= len(ends):
            ends[number - 1] = end
    return ends


def _removal(element: Element, *, shares_all: bool) -> str:
    shared = "; its lines stay, because another element shares them" if shares_all else ""
    return f"{element.location} was removed by your decision: {element.content_summary}{shared}"


def _lines(laid_out: LaidOutFile, elements: Sequence[Element]) -> list[str] | None:
    recorded = {**laid_out.gaps, **laid_out.masked}
    lines: dict[int, str] = {}
    for element in elements:
        first, last = element.line_range
        numbers = range(first, last + 1)
        if first < 1 or last > laid_out.lines or laid_out.masked.keys() >= set(numbers):
            continue
        own = split_lines(element.content_full)[0]
        own += [""] * (len(numbers) - len(own))
        if len(own) != len(numbers):
            return None
        lines.update(zip(numbers, own, strict=True))
    lines.update(recorded)
    return [lines.get(number, "") for number in range(1, laid_out.lines + 1)]


def _encoded(
    laid_out: LaidOutFile, lines: Sequence[str], ends: Sequence[str], reasons: Sequence[str]
) -> Restored:
    text = "".join(line + end for line, end in zip(lines, ends, strict=True))
    candidates = [mark + text.encode(codec, "surrogatepass") for mark, codec in _MARKS[laid_out.encoding]]
    for data in candidates:
        if not laid_out.secrets_masked and sha256(data).hexdigest() == laid_out.sha256:
            return Restored(data, True, ())
    if not reasons:
        reasons = ("its bytes could not be restored; bytes that could not be decoded are shown as U+FFFD",)
    return Restored(candidates[0], False, tuple(reasons))


def _runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs


def _secret(path: str, run: tuple[int, int]) -> str:
    lines = str(run[0]) if run[0] == run[1] else f"{run[0]}-{run[1]}"
    return f"{path}:{lines} had a secret, which the package never contained; a placeholder replaces it"
