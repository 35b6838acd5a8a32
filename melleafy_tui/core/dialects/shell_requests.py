"""Separates the requests of a fenced shell example, so that each can become a tool of its own.

A program of the machine is one tool a sub-command: `gh pr list` and `gh pr view <n>` are the tool `gh pr`.
"""

import re
import shlex
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.language.examples import is_setup
from melleafy_tui.core.language.words import PatternTable
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.snapshot import SourceFile
from melleafy_tui.core.source.segments import Segment
from melleafy_tui.core.tables import table_beside

_SCRIPT: Final = r"(?:(?:(?:ba|z)?sh|python3?|node)\s+)?[\w./~-]+\.(?:sh|py|m?js|rb|pl)(?:\s|$)"
_REQUEST: Final = LazyRegex(rf"^\s*(?:\$\s+)?(?:curl(?:\.exe)?\s|{_SCRIPT})")
_COMMENT: Final = LazyRegex(r"^\s*#+\s*(?P<words>\S.*)$")
_FENCE_END: Final = ("```", "~~~")

tool_form: Final = PatternTable(table_beside(__file__, "tool_forms.toml")).form
"""Returns a pattern of `tool_forms.toml` by its name."""
_PROGRAM: Final = tool_form("program", re.NOFLAG)
_NO_PROGRAM: Final = tool_form("no_program", re.NOFLAG)
_SUB_COMMAND: Final = LazyRegex(r"[a-z][a-z0-9_-]*")
_SCRIPT_LINE: Final = tool_form("script_line", re.NOFLAG)
COMMAND_HEAD: Final = tool_form("command_head", re.NOFLAG)
_OPEN_CALL: Final = tool_form("open_call", re.NOFLAG)
_SHELLS: Final = frozenset({"bash", "console", "sh", "shell", "shell-session", "terminal", "zsh"})
"""What a fence is marked with whose programs are tools; in others only what is surely a command is one.

In a code span, what has an option or a placeholder counts as well.
"""
COMMAND_FENCES: Final = _SHELLS | {"powershell"}
"""What a fence of commands is marked with."""


class ProgramCall(Struct, frozen=True):
    """A command that runs a program of the machine: the program with its sub-command, and the whole line."""

    name: str
    line: str


def program_call(line: str, segment: Segment) -> ProgramCall | None:
    """Return the call of a program that a line is, or None.

    Args:
        line: A line of a fence, or a code span.
        segment: Where it stands; lines of a script and of what is set up once call none.
    """
    call = line.strip().removeprefix("$ ").partition(" #")[0].rstrip()
    match = _PROGRAM.fullmatch(call)
    words = call.split()
    if match is None or _NO_PROGRAM.fullmatch(match["program"]) or is_setup(" ".join(words[:3])):
        return None
    is_fence = segment.kind == "fence"
    is_shown = segment.info.lower() in _SHELLS if is_fence else _OPEN_CALL.search(call)
    is_command = is_shown or COMMAND_HEAD.match(call)
    if not is_command or is_setup(" ".join(segment.section[-1:])) or (is_fence and _is_script(segment.lines)):
        return None
    return ProgramCall(" ".join(words[: 2 if _SUB_COMMAND.fullmatch(words[1]) else 1]), call)


def is_command(line: str) -> bool:
    """Return whether a code span is surely a command, and none that sets something up or acts on files alone."""
    words = line.split()
    is_shown = bool(COMMAND_HEAD.match(line) or _OPEN_CALL.search(line)) and len(words) > 1
    is_named = line[:1].islower() or line[:1] in "~./"
    return is_shown and is_named and not _NO_PROGRAM.fullmatch(words[0]) and not is_setup(" ".join(words[:3]))


@lru_cache(maxsize=16)  # asked for each line
def _is_script(lines: Sequence[str]) -> bool:
    """Return whether some lines are code that runs as a whole, with assignments, loops or texts of several lines."""
    return any(_SCRIPT_LINE.search(line) or _is_open(line) for line in lines if not _COMMENT.match(line))


def _is_open(line: str) -> bool:
    try:
        shlex.split(line, comments=True)
    except ValueError:
        return True
    return False


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
        starts = _starts(segment) if fenced else []
        if len(starts) < 2:
            yield segment
        else:
            yield from _pieces(segment, starts)


def _starts(segment: Segment) -> list[int]:
    """Return the index of the first line of each request, comments above it included."""
    starts: list[int] = []
    lines = segment.lines
    for number, line in enumerate(lines):
        if not _REQUEST.match(line) and program_call(line, segment) is None:
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
