"""Reads a transcript line by line, in bounded memory; handles a torn last line, unknown roles and structured content.

A line has one of two forms: `{"role": …, "content": …}`, and the entry of later releases,
`{"type": "message", "id": …, "parentId": …, "message": {"role": …, "content": […]}}`.
"""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Final, TypeGuard

from msgspec import Struct

from melleafy_tui.core.errors import UnusableInput
from melleafy_tui.core.output.paths import opened_without_links

LONGEST_LINE: Final = 8_000_000
"""In bytes; a longer line, such as one with a picture, is counted and skipped."""

_DEEPEST_CONTENT: Final = 4
_LONGEST_NAME: Final = 40


class Role(StrEnum):
    """The role of a line."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    TOOL_RESULT = "tool_result"
    OTHER = "other"
    MALFORMED = "malformed"
    TORN = "torn"


_ROLES: Final = {
    "user": Role.USER,
    "human": Role.USER,
    "assistant": Role.ASSISTANT,
    "tool": Role.TOOL,
    "tool_call": Role.TOOL,
    "toolcall": Role.TOOL,
    "tool_result": Role.TOOL_RESULT,
    "toolresult": Role.TOOL_RESULT,
    "function": Role.TOOL_RESULT,
}


class Line(Struct, frozen=True):
    """One line of a transcript.

    `text` is the text of a user turn, `""` for any other line. `unknown` is the name of an unknown role.
    """

    number: int
    role: Role
    text: str = ""
    timestamp: str = ""
    turn_id: str = ""
    parent_id: str = ""
    unknown: str = ""


def read_transcript(path: Path) -> Iterator[Line]:
    """Yield the lines of a transcript.

    Raises:
        UnusableInput: The file can't be read, or is a link.
    """
    number = 0
    try:
        with opened_without_links(path) as stream:
            while data := stream.readline(LONGEST_LINE):
                number += 1
                if not data.endswith(b"\n") and len(data) == LONGEST_LINE:
                    while (rest := stream.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
                        pass
                    yield Line(number, Role.MALFORMED)
                elif data.strip():
                    yield _line(number, data, last=not data.endswith(b"\n"))
    except OSError as error:
        raise UnusableInput(
            f"The transcript cannot be read ({error.strerror or error})",
            hint="Check its permissions; links are not followed.",
            location=str(path),
        ) from error


def moment(value: object) -> str:
    """Return a time (ISO text or milliseconds since 1970) as ISO text in UTC, or `""` if it isn't one."""
    try:
        if isinstance(value, str):
            read = datetime.fromisoformat(value)
            aware = read if read.tzinfo else read.replace(tzinfo=UTC)
            return aware.astimezone(UTC).isoformat(timespec="seconds")
        if isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
            return datetime.fromtimestamp(value / 1000, UTC).isoformat(timespec="seconds")
    except (ValueError, OverflowError, OSError):
        pass
    return ""


def _line(number: int, data: bytes, *, last: bool) -> Line:
    try:
        entry: object = json.loads(data)
    except (ValueError, RecursionError):
        return Line(number, Role.TORN if last else Role.MALFORMED)
    if not _is_object(entry):
        return Line(number, Role.MALFORMED)
    inner = entry.get("message")
    turn = inner if _is_object(inner) else entry
    role_name = turn.get("role")
    if not isinstance(role_name, str):
        return Line(number, Role.OTHER, timestamp=moment(entry.get("timestamp")))
    role = _ROLES.get(role_name.lower(), Role.OTHER)
    return Line(
        number,
        role,
        text=_text(turn.get("content"), _DEEPEST_CONTENT).strip() if role is Role.USER else "",
        timestamp=moment(entry.get("timestamp")) or moment(turn.get("timestamp")),
        turn_id=_name(entry.get("id")),
        parent_id=_name(entry.get("parentId", entry.get("parent_id"))),
        unknown=_name(role_name) if role is Role.OTHER else "",
    )


def _text(content: object, depth: int) -> str:
    """Return the text parts of plain or structured content, without tool results, pictures and thoughts."""
    if isinstance(content, str):
        return content
    if depth <= 0:
        return ""
    if isinstance(content, list):
        return "\n".join(filter(None, (_text(part, depth - 1) for part in content)))
    if _is_object(content):
        if content.get("type", "text") not in ("text", "input_text"):
            return ""
        return next(
            (_text(content[name], depth - 1) for name in ("text", "content", "parts") if name in content), ""
        )
    return ""


def _name(value: object) -> str:
    return str(value)[:_LONGEST_NAME] if isinstance(value, str | int) and not isinstance(value, bool) else ""


def _is_object(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)
