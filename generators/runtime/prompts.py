# Static module of melleafy-tui 0.2.0, not to be edited.
"""What the model reads: the owner's document, what is known in tags, the message last.

The document of this agent is in requirements.py.
"""

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

NOW = "MELLEA_AGENT_NOW"
"""The environment variable with an ISO time that a run takes for now, as fixtures do."""
ASKED = "The user's message:"


@dataclass(frozen=True)
class Piece:
    """Consecutive lines of the owner's document, as they stand there.

    Args:
        text: The lines; joined, the pieces are the document. It is empty where the
            lines stand elsewhere in the prompt, such as in the persona.
        source: File and lines, such as "AGENTS.md:3-12".
        asks: A rule as it stands alone; it is judged if there is no check.
        check: What Python checks: returns a reason, or "" for a text that keeps it.
        own_call: The rule is judged in a call of its own.
    """

    text: str
    source: str = ""
    asks: str = ""
    check: Callable[[str], str] | None = None
    own_call: bool = False


def document(pieces: Iterable[Piece]) -> str:
    """Return the document of the pieces; an empty line parts those of two files."""
    joined, file = "", ""
    for piece in pieces:
        if piece.text and joined and piece.source.partition(":")[0] != file:
            joined = joined.rstrip("\r\n") + "\n\n"
        joined += piece.text
        file = piece.source.partition(":")[0] if piece.text else file
    return joined


def tagged(sections: Mapping[str, str]) -> str:
    """Return the sections that have text, each in a tag that its text can't close."""
    return "\n\n".join(
        f"<{name}>\n{_held(text, name)}\n</{name}>"
        for name, text in sections.items()
        if text.strip()
    )


def _held(text: str, name: str) -> str:
    closing = rf"</(?=\s*{name}\s*>)"
    return re.sub(closing, "< /", text.strip("\r\n"), flags=re.IGNORECASE)


def prompt(text: str, *, message: str, label: str = ASKED, **known: str) -> str:
    """Return an instruction: a text as it is, what is known by name, the message last."""
    said = tagged({"message": message})
    parts = (text.strip("\r\n"), tagged(known), said and f"{label}\n\n{said}")
    return "\n\n".join(part for part in parts if part)


def clock(zone: str = "") -> datetime:
    """Return the time of the run in a zone; in this machine's if the zone is not known."""
    given = os.environ.get(NOW, "")
    now = datetime.fromisoformat(given) if given else datetime.now().astimezone()
    try:
        there = ZoneInfo(zone) if zone else now.tzinfo
    except (LookupError, OSError, ValueError):
        there = now.tzinfo
    return now.astimezone(there)


def spoken(now: datetime) -> str:
    """Return date, time and zone, such as "Friday, 27 November 2026, 21:40 (Europe/Lisbon)"."""
    return f"{now:%A}, {now.day} {now:%B %Y, %H:%M} ({now.tzinfo})"
