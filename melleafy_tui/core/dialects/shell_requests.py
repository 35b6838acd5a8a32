"""Separates the requests of a fenced shell example, so that each can become a tool of its own."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.snapshot import SourceFile
from melleafy_tui.core.source.segments import Segment

_SCRIPT: Final = r"(?:(?:(?:ba|z)?sh|python3?|node)\s+)?[\w./~-]+\.(?:sh|py|m?js|rb|pl)(?:\s|$)"
_REQUEST: Final = LazyRegex(rf"^\s*(?:\$\s+)?(?:curl(?:\.exe)?\s|{_SCRIPT})")
_COMMENT: Final = LazyRegex(r"^\s*#+\s*(?P<words>\S.*)$")
_FENCE_END: Final = ("```", "~~~")


def split_requests(segments: Sequence[Segment], file: SourceFile) -> Iterator[Segment]:
    """Yield the segments; a fence with several calls of addresses or scripts as one segment each.

    A command takes the comments directly above it; the first of them counts as its heading.

    Args:
        segments: The segments of the file.
        file: The file.
    """
    for segment in segments:
        end = file.lines[segment.last - 1].lstrip("> \t")
        fenced = segment.kind == "fence" and end.startswith(_FENCE_END)
        starts = _starts(segment.lines) if fenced else []
        if len(starts) < 2:
            yield segment
        else:
            yield from _pieces(segment, starts)


def _starts(lines: Sequence[str]) -> list[int]:
    """Return the index of the first line of each request, comments above it included."""
    starts: list[int] = []
    for number, line in enumerate(lines):
        if not _REQUEST.match(line):
            continue
        first = number
        while first and (not lines[first - 1].strip() or _COMMENT.match(lines[first - 1])):
            first -= 1
        starts.append(first if starts else 0)
    return starts


def _pieces(segment: Segment, starts: Sequence[int]) -> Iterator[Segment]:
    top = segment.last - len(segment.lines)  # the line of the fence's first content line
    for start, after in zip(starts, (*starts[1:], len(segment.lines)), strict=True):
        lines = segment.lines[start:after]
        said = next((found["words"] for line in lines if (found := _COMMENT.match(line))), "")
        first = segment.first if start == 0 else top + start
        last = segment.last if after == len(segment.lines) else top + after - 1
        yield replace(
            segment,
            first=first,
            last=last,
            lines=lines,
            text=" ".join(line.strip() for line in lines if line.strip()),
            section=(*segment.section, said) if said else segment.section,
        )
