"""Telling real user turns from what OpenClaw itself puts into the user's role, and taking its wrapping off."""

import re
from typing import Final

SHORTEST_TURN: Final = 3
LONGEST_TURN: Final = 4_000
"""Characters; longer turns are pasted documents and make poor fixtures."""

_METADATA: Final = re.compile(
    r"\s*[A-Z][\w ()]{0,60}\((?:untrusted|trusted)[\w ,]{0,40}\):\s*```(?:json)?\s*\n[^`]{0,8000}```\s*"
)
_ENVELOPE: Final = re.compile(r"\s*\[[^\[\]\n]{1,200}\d{1,2}:\d{2}[^\[\]\n]{0,80}\]\s*")
_OWN_LINE: Final = re.compile(
    r"^[ \t]*(?:\[message_id: ?[^\]\n]*\]|Current time: [^\n]*|System: [^\n]*|\[media attached[^\]\n]*\])[ \t]*$\n?",
    re.MULTILINE,
)
_REPLY_TAG: Final = re.compile(r"\[\[[a-z_]{1,40}(?::[^\]\n]{0,80})?\]\]\s*")

PASSED_OVER: Final = (
    ("command", re.compile(r"/[a-z][\w-]{0,30}(?:\s|$)")),
    (
        "heartbeat",
        re.compile(r"(?=.{0,4000}HEARTBEAT_OK)(?=.{0,4000}(?:HEARTBEAT\.md|heartbeat))", re.DOTALL),
    ),
    ("session start", re.compile(r"A new session was started via ")),
    ("memory flush", re.compile(r"Pre-compaction memory flush|.{0,200}reply with NO_REPLY", re.DOTALL)),
    ("scheduled", re.compile(r"\[cron:|A (?:scheduled|cron) (?:reminder|job) ")),
)
"""What OpenClaw writes in the user's name, by what it is; each pattern is held against the beginning of a turn."""


def real_turn(text: str) -> tuple[str, str]:
    """Return a turn without its wrapping, or `""` with the reason why it is passed over.

    Args:
        text: The text of a line whose role is user.
    """
    if len(text) > 4 * LONGEST_TURN:
        return "", "too long"
    for _ in range(6):
        match = _METADATA.match(text) or _ENVELOPE.match(text)
        if match is None:
            break
        text = text[match.end() :]
    text = _REPLY_TAG.sub("", _OWN_LINE.sub("", text)).strip()
    for reason, pattern in PASSED_OVER:
        if pattern.match(text):
            return "", reason
    if len(text) > LONGEST_TURN:
        return "", "too long"
    if len(text) < SHORTEST_TURN:
        return "", "nothing said"
    return text, ""
