"""Suggests another category for an element whose wording contradicts its file's category.

The file's category stays the default; a strong contrary signal is recorded with its reason, so that the user can
accept it.
"""

# ruff: noqa: E501 - a word list is easier to read in one piece

import re
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.dialects.openclaw.rules import MACHINE_BLOCK, MachineWritten
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Category


class Suggestion(Struct, frozen=True):
    """One row: a signal in the wording, the category it suggests, and where it applies."""

    name: str
    category: Category
    pattern: LazyRegex
    reason: str
    within: frozenset[Category]


def _pattern(pattern: str) -> LazyRegex:
    return LazyRegex(pattern, re.IGNORECASE)


_C = Category
SUGGESTIONS: Final[tuple[Suggestion, ...]] = (
    Suggestion(
        "approval_rule",
        _C.C2,
        _pattern(
            r"\b(?:without|requires?|needs?|ask(?:ing)? for|get|wait for)\s+(?:\w+\s+){0,2}?(?:approval|permission|confirmation|consent)\b"
            r"|\b(?:must never|must not|never (?:send|delete|post|share|buy|pay|run|publish|execute|reveal|commit|push)|always (?:ask|confirm|verify|check))\b"
            r"|\bask (?:first|before)\b|必须(?:先)?(?:询问|确认)|禁止|严禁|нельзя\b|никогда не\b"
        ),
        "it reads like an approval rule or a prohibition",
        frozenset({_C.C1, _C.C3, _C.C5, _C.C6}),
    ),
    Suggestion(
        "prohibition",
        _C.C2,
        _pattern(r"^(?:never|do not|don['’]t)\s+(?!\w+s\b)\w+|^(?:不要|切勿|不得)|^nunca\s|^jangan\s"),
        "it forbids something to the agent",
        frozenset({_C.C3}),
    ),
    Suggestion(
        "schedule",
        _C.C9,
        _pattern(r"(?:^|\s)(?:[\d*/,-]+\s+){4}[\d*/,A-Z-]+(?=\s|$)"),
        "it reads like a schedule",
        frozenset({_C.C1, _C.C2, _C.C3, _C.C6}),
    ),
    Suggestion(
        "schedule",
        _C.C9,
        _pattern(
            r"\bevery (?:\d+|few|two|three|five|ten|fifteen|thirty) ?(?:m|min|minutes?|h|hours?|days?)\b|\bevery (?:hour|morning|evening|night|weekday|monday|tuesday|wednesday"
            r"|thursday|friday|saturday|sunday)\b|\b(?:daily|weekly|hourly) at\b|\bopenclaw cron add\b|每天.{0,6}点|每隔"
        ),
        "it reads like a schedule",
        frozenset({_C.C1, _C.C2, _C.C3, _C.C6}),
    ),
    Suggestion(
        "tool",
        _C.C6,
        _pattern(
            r"\b(?:GET|POST|PUT|DELETE)\s+https?://|\bcurl\s+(?:-|https?:)|\bhttps?://(?:api\.|localhost|127\.0\.0\.1)[^\s]*"
        ),
        "it names a command or an address to call",
        frozenset({_C.C1, _C.C2, _C.C3}),
    ),
    Suggestion(
        "runtime_fact",
        _C.C8,
        _pattern(
            r"\b(?:default |primary |fallback )?model\s*(?:is|:)\s*[`\"]?[\w.:/-]*(?:gpt|claude|gemini|llama|granite|qwen|mistral|opus|sonnet|haiku)"
            r"|\bruns? on (?:a )?(?:mac ?mini|raspberry pi|vps|docker|ubuntu|debian|macos|windows|linux|aws|gcp|azure)\b|\bcontext window\b"
        ),
        "it states a fact about the runtime",
        frozenset({_C.C1, _C.C2, _C.C3, _C.C5, _C.C6}),
    ),
    Suggestion(
        "persona",
        _C.C1,
        _pattern(
            r"^(?:rule: )?you(?:['’]re| are) (?:an?|the|not an?) \w+|^your (?:name|personality|persona|role) is\b|^你是|^ты\s[—-]"
        ),
        "it describes who the agent is",
        frozenset({_C.C2, _C.C3, _C.C6}),
    ),
)
"""Ordered rows; the first one that suggests another category is recorded."""

PROSE: Final[dict[str, Category]] = {"agents.prose": Category.C2, "agents.item": Category.C2}
"""Prose that isn't converted, with its default category; it can still get a suggestion."""

_CREDENTIAL_WORDS: Final = _pattern(
    r"\b(?:password|passphrase|api key|access token|secret key|credentials?)\s*(?:is|:|=)\s*\S"
)


def with_suggestion(element: Element) -> Element:
    """Return the element with the category that its wording suggests, if it differs."""
    category = element.category
    if category is Category.NONE:
        category = PROSE.get(element.rationale, category)
    if category in (Category.NONE, Category.C7) or element.template or element.kind == "file":
        return element
    if _is_machine_written(element):
        return element
    suggested, reason = _suggestion(element.statement, category)
    if suggested is None:
        return element
    return replace(element, suggested_category=suggested, suggestion_reason=reason)


def _is_machine_written(element: Element) -> bool:
    full = element.content_full
    return element.facts[MachineWritten].machine_written or bool(
        "<!--" in full and MACHINE_BLOCK.search(full)
    )


def _suggestion(text: str, category: Category) -> tuple[Category | None, str]:
    """Return another category that a text suggests, and why."""
    for row in SUGGESTIONS:
        if category in row.within and row.category is not category and row.pattern.search(text):
            return row.category, f"{row.reason} ({row.name})"
    if _CREDENTIAL_WORDS.search(text):
        return Category.C7, "it speaks of a credential (credential_words)"
    return None, ""
