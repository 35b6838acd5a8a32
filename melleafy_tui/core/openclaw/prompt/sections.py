"""OpenClaw's own prompt sections by release and prompt mode, as data: headings only, not their text.

Whether a section appears can depend on the host (tools, channels, sandbox); each row states its condition.
"""

from typing import Final

from melleafy_tui.core.dialects.openclaw.budgets import DIALECT, release_order
from melleafy_tui.core.models.context import PromptMode, PromptSection

INTRODUCTION: Final = "You are a personal assistant running inside OpenClaw."
"""The only line of mode `none`, and the first line of the other modes."""

SOUL_INSTRUCTION: Final = (
    "If SOUL.md is present, embody its persona and tone. Avoid stiff, generic replies; follow its guidance unless "
    "higher-priority instructions override it."
)
"""Precedes the files if SOUL.md is one of them."""

PROJECT_CONTEXT: Final = "# Project Context"
APART: Final = "# Dynamic Project Context"

_TOOLS: Final = "the session has tools that control OpenClaw"
_SKILLS: Final = "there are skills"
_SUBAGENT: Final = "the session was given extra instructions"

_FULL: Final = frozenset({PromptMode.FULL})
_BOTH: Final = frozenset({PromptMode.FULL, PromptMode.MINIMAL})
_MINIMAL: Final = frozenset({PromptMode.MINIMAL})

_Row = tuple[str, frozenset[PromptMode], str]

FEBRUARY: Final[tuple[_Row, ...]] = (
    ("## Tooling", _BOTH, ""),
    ("## Tool Call Style", _BOTH, ""),
    ("## Safety", _BOTH, ""),
    ("## OpenClaw CLI Quick Reference", _BOTH, ""),
    ("## Skills (mandatory)", _FULL, _SKILLS),
    ("## Memory Recall", _FULL, "there are memory tools"),
    ("## OpenClaw Self-Update", _FULL, "there is the gateway tool"),
    ("## Model Aliases", _FULL, "there are aliases"),
    ("## Workspace", _BOTH, ""),
    ("## Documentation", _FULL, "the documentation is installed"),
    ("## Sandbox", _BOTH, "the session is sandboxed"),
    ("## User Identity", _FULL, "owner numbers are set"),
    ("## Current Date & Time", _BOTH, "a time zone is set"),
    ("## Workspace Files (injected)", _BOTH, ""),
    ("## Reply Tags", _FULL, ""),
    ("## Messaging", _FULL, ""),
    ("## Voice (TTS)", _FULL, "speech is set up"),
    ("## Group Chat Context", _FULL, _SUBAGENT),
    ("## Subagent Context", _MINIMAL, _SUBAGENT),
    ("## Reactions", _BOTH, "the channel has reactions"),
    ("## Reasoning Format", _BOTH, "the model needs reasoning tags"),
    (PROJECT_CONTEXT, _BOTH, "there are files"),
    ("## Silent Replies", _FULL, ""),
    ("## Heartbeats", _FULL, ""),
    ("## Runtime", _BOTH, ""),
)
"""`dialect-1.0`, and the packages of February 2026."""

JANUARY: Final = tuple(row for row in FEBRUARY if row[0] != "## Safety")
"""The packages up to January 2026."""

_SENDERS: Final[_Row] = ("## Authorized Senders", _FULL, "owner numbers are set")
MARCH: Final[tuple[_Row, ...]] = tuple(
    {"## User Identity": _SENDERS, "## Skills (mandatory)": ("## Skills (mandatory)", _BOTH, _SKILLS)}.get(
        row[0], row
    )
    for row in FEBRUARY
)
"""The packages from the end of February to April 2026."""

APRIL: Final[tuple[_Row, ...]] = (
    ("## Tooling", _BOTH, ""),
    ("## Tool Call Style", _BOTH, ""),
    ("## Execution Bias", _FULL, ""),
    ("## Safety", _BOTH, ""),
    ("## OpenClaw CLI Quick Reference", _BOTH, ""),
    ("## Skills (mandatory)", _BOTH, _SKILLS),
    ("## OpenClaw Self-Update", _FULL, "there is the gateway tool"),
    ("## Model Aliases", _FULL, "there are aliases"),
    ("## Workspace", _BOTH, ""),
    ("## Documentation", _FULL, "the documentation is installed"),
    ("## Sandbox", _BOTH, "the session is sandboxed"),
    _SENDERS,
    ("## Current Date & Time", _BOTH, "a time zone is set"),
    ("## Workspace Files (injected)", _BOTH, ""),
    ("## Assistant Output Directives", _FULL, ""),
    ("## Messaging", _FULL, ""),
    ("## Voice (TTS)", _FULL, "speech is set up"),
    (PROJECT_CONTEXT, _BOTH, "there are files"),
    ("## Silent Replies", _FULL, ""),
    (APART, _BOTH, "HEARTBEAT.md is there"),
    ("## Group Chat Context", _FULL, _SUBAGENT),
    ("## Subagent Context", _MINIMAL, _SUBAGENT),
    ("## Heartbeats", _FULL, "the heartbeat is on"),
    ("## Runtime", _BOTH, ""),
)
"""The packages from April 2026."""

MAY: Final[tuple[_Row, ...]] = (
    ("## Tooling", _BOTH, ""),
    ("## Tool Call Style", _BOTH, ""),
    ("## Execution Bias", _FULL, ""),
    ("## Safety", _BOTH, ""),
    ("## OpenClaw Control", _BOTH, ""),
    ("## Skills", _BOTH, _SKILLS),
    ("## OpenClaw Self-Update", _FULL, "there is the gateway tool"),
    ("## Model Aliases", _FULL, "there are aliases"),
    ("## Workspace", _BOTH, ""),
    ("## Documentation", _FULL, "the documentation is installed"),
    ("## Sandbox", _BOTH, "the session is sandboxed"),
    _SENDERS,
    ("## Current Date & Time", _BOTH, "a time zone is set"),
    ("## Workspace Files (injected)", _BOTH, ""),
    ("## Assistant Output Directives", _FULL, ""),
    ("## Reasoning Format", _BOTH, "the model needs reasoning tags"),
    (PROJECT_CONTEXT, _BOTH, "there are files"),
    ("## Silent Replies", _FULL, ""),
    (APART, _BOTH, "HEARTBEAT.md is there"),
    ("## Messaging", _FULL, ""),
    ("## Voice (TTS)", _FULL, "speech is set up"),
    ("## Group Chat Context", _FULL, _SUBAGENT),
    ("## Subagent Context", _MINIMAL, _SUBAGENT),
    ("## Reactions", _BOTH, "the channel has reactions"),
    ("## Heartbeats", _FULL, "the heartbeat is on"),
    ("## Runtime", _BOTH, ""),
)
"""The packages from May 2026."""

JULY: Final[tuple[_Row, ...]] = tuple(
    row
    for each in MAY
    if each != _SENDERS
    for row in {
        "## Messaging": (_SENDERS, each),
        "## Group Chat Context": (("## Conversation Context", _FULL, _SUBAGENT),),
    }.get(each[0], (each,))
)
"""The packages from July 2026."""

SEPTEMBER: Final[tuple[_Row, ...]] = (
    ("## Tooling", _BOTH, ""),
    ("## Tool Call Style", _BOTH, ""),
    ("## Execution Bias", _FULL, ""),
    ("## Promised Work", _BOTH, ""),
    ("## Safety", _BOTH, ""),
    ("## Runtime Context", _BOTH, ""),
    ("## OpenClaw Control", _BOTH, _TOOLS),
    ("## Skills", _BOTH, _SKILLS),
    ("## Model Aliases", _FULL, "there are aliases"),
    ("## Workspace", _BOTH, ""),
    ("## Documentation", _FULL, "the documentation is installed"),
    ("## Sandbox", _BOTH, "the session is sandboxed"),
    ("## Workspace Files (injected)", _BOTH, ""),
    (PROJECT_CONTEXT, _BOTH, "there are files"),
    ("## Assistant Output Directives", _FULL, ""),
    ("## Silent Replies", _FULL, ""),
    _SENDERS,
    ("## Messaging", _FULL, ""),
    ("## Voice (TTS)", _FULL, "speech is set up"),
    ("## Conversation Context", _FULL, _SUBAGENT),
    ("## Subagent Context", _MINIMAL, _SUBAGENT),
    ("## Runtime", _BOTH, ""),
)
"""The packages of September 2026."""

_DIRECTIVES: Final[_Row] = ("## Assistant Output Directives", _FULL, "")
AUGUST: Final[tuple[_Row, ...]] = tuple(
    row
    for each in SEPTEMBER
    if each not in (_DIRECTIVES, ("## Runtime Context", _BOTH, ""))
    for row in ((_DIRECTIVES, each) if each[0] == PROJECT_CONTEXT else (each,))
)
"""The packages from August 2026."""

_SINCE: Final = (
    ("2026.9.6", SEPTEMBER),
    ("2026.8.2", AUGUST),
    ("2026.7.1", JULY),
    ("2026.5.28", MAY),
    ("2026.4.20", APRIL),
    ("2026.2.26", MARCH),
    ("2026.2.6", FEBRUARY),
    ("2026.1.30", JANUARY),
)
"""The sections from each release on, newest first."""

# `dialect-1.0` loads HEARTBEAT.md dynamically too, in a section of its own.
_DIALECT: Final = tuple(
    row
    for each in FEBRUARY
    for row in (
        (each, (APART, _BOTH, "HEARTBEAT.md is there")) if each[0] == "## Silent Replies" else (each,)
    )
)


def sections_of(release: str, mode: PromptMode) -> tuple[PromptSection, ...]:
    """Return the sections that a prompt of this mode can have, in order.

    Args:
        release: A known release, or `dialect-1.0`.
        mode: The prompt mode.
    """
    rows = _DIALECT
    if release not in (DIALECT.release, ""):
        order = release_order(release)
        rows = next(rows for since, rows in _SINCE if release_order(since) <= order)
    return tuple(PromptSection(heading, condition) for heading, modes, condition in rows if mode in modes)
