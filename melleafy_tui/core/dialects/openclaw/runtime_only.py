"""Recognises instructions that only make sense on OpenClaw, with the reason.

They are removed by default and listed for rewriting, so that none disappears silently.
"""

# ruff: noqa: E501 - a pattern is easier to read in one piece

import re
from typing import Final

from msgspec import Struct

from melleafy_tui.core.language.directives import polarity_of
from melleafy_tui.core.language.wording import plain_text, sentences
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.vocabulary import Polarity


class RuntimeOnly(Struct, frozen=True):
    """One row: the pattern of the instruction, and why the package doesn't need it."""

    name: str
    pattern: LazyRegex
    reason: str


_BOOTSTRAP_FILES: Final = r"(?:SOUL|IDENTITY|AGENTS|USER|TOOLS|HEARTBEAT|MEMORY|BOOTSTRAP|BOOT)\.md"


def _cased(pattern: str) -> LazyRegex:
    return LazyRegex(pattern)


RUNTIME_ONLY: Final[tuple[RuntimeOnly, ...]] = (
    RuntimeOnly(
        "reply-token",
        _cased(r"\b(?:HEARTBEAT_OK|NO_REPLY|ANNOUNCE_SKIP|REPLY_SKIP)\b"),
        "The reply token is OpenClaw's wire protocol; the package returns whether it skipped, and the host translates it.",
    ),
    RuntimeOnly(
        "reply-tag",
        _cased(r"(?<![.!?。] )\[\[\s*(?:reply_to_current|reply_to\s*:|audio_as_voice)"),
        "Reply tags are read by OpenClaw's channels only.",
    ),
    RuntimeOnly(
        "openclaw-command",
        _cased(r"(?<![\w./-])openclaw\s+(?:gateway|cron|system|agents?|skills?|hooks?|config|doctor|channels?|message|status"
                   r"|sessions?|memory|logs|update|onboard|heartbeat|nodes?|browser|plugins?|setup|restart|start|stop)\b"),
        "The openclaw command line does not exist where the package runs.",
    ),
    RuntimeOnly(
        "openclaw-tool",
        LazyRegex(r"\bsessions_(?:spawn|send|list|history|status|yield)\b|\bsession_status\b|\bmemory_(?:search|get)\b"
                   r"|\bthe\s+[`'\"]?(?:message|cron|gateway|canvas|nodes?|sessions)[`'\"]?\s+tool\b"
                   r"|\b[`'\"](?:message|cron|gateway|canvas)[`'\"]\s+tool\b", re.IGNORECASE),
        "The tool is built into OpenClaw and is not there at run time.",
    ),
    RuntimeOnly(
        "read-bootstrap-file",
        LazyRegex(rf"\b(?:re-?read|read|load|open|check|review|follow)\s+(?:\w+\s+){{0,3}}?[`*_(\[]*(?:memory/YYYY-MM-DD\.md|{_BOOTSTRAP_FILES})"
                   rf"|(?:读取?|阅读|查看)\s*[`*]*{_BOOTSTRAP_FILES}", re.IGNORECASE),
        "The package carries the file's text already; there is no file to read at run time.",
    ),
    RuntimeOnly(
        "bootstrap-ritual",
        LazyRegex(r"\bBOOTSTRAP\.md\b.{0,120}\bdelete\b|\bdelete\b.{0,80}\bBOOTSTRAP\.md\b", re.IGNORECASE),
        "BOOTSTRAP.md is a first-run ritual that the package does not have.",
    ),
    RuntimeOnly(
        "slash-command",
        _cased(r"(?:^|[\s`(])/(?:new|reset|compact|status|think|verbose|approve|restart)(?=[\s`.,)]|$)"
),
        "Slash commands are read by OpenClaw's chat only.",
    ),
)  # fmt: skip
"""Ordered rows; the first match gives the reason."""


_MARKER: Final = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+(?:\[.\]\s+)?")
_CLAUSE: Final = re.compile(
    r"[;；]\s*(?:(?:otherwise|or else|else|sonst)\b,?\s*)?|[,，—–] ?(?:otherwise|or else|else|sonst)\b,?\s*|[,，]?否则",
    re.IGNORECASE,
)
"""Separators between an order and the token to answer with when there is nothing to do."""

_CONDITION: Final = re.compile(r"(?:if|when(?:ever)?|unless|for (?:each|every)|如果|当)\b", re.IGNORECASE)


def runtime_only(text: str) -> str:
    """Return why a text only makes sense on OpenClaw, or `""`.

    A text that also gives another order is kept whole, so that the order isn't lost.
    """
    row = runtime_only_row(text)
    if row is None:
        return ""
    said = [
        plain_text(clause).strip()
        for line in text.splitlines()
        for part in sentences(_MARKER.sub("", line))
        for clause in _CLAUSE.split(part)
    ]
    rest = [part for part in said if runtime_only_row(part) is None]
    return "" if any(_orders(part) for part in rest) else row.reason


def _orders(sentence: str) -> bool:
    return bool(_CONDITION.match(sentence)) or polarity_of(sentence) is not Polarity.DESCRIBES


def runtime_only_row(text: str) -> RuntimeOnly | None:
    """Return the row that matches a text, or None."""
    return next((row for row in RUNTIME_ONLY if row.pattern.search(text)), None)
