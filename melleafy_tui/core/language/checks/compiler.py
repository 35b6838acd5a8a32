"""Compiles the wording of a rule to a check in Python, where possible.

A rule gets a check only if a wording table covers the whole statement and its polarity agrees. Anything else, such as a
condition, an exception, a second sentence or a narrower scope, is left to the model that judges.
"""

# ruff: noqa: E501 - a word list is easier to read in one piece

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from melleafy_tui.core.language.checks.chinese import read_chinese, read_forbidden_chinese_act
from melleafy_tui.core.language.checks.english import read_english, read_forbidden_act
from melleafy_tui.core.language.checks.kinds import RuleReading
from melleafy_tui.core.language.orders import Polarity
from melleafy_tui.core.language.scripts import HAN, has_any
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.mapping import RuleCheck

LONGEST_STATEMENT: Final = 300

_FORBIDDING_LEADS: Final = LazyRegex(
    r"(?:must |you must |you should |should )?never(?: ever)?(?: do| use| say| include)?|do not|don'?ts?|must not|forbidden|prohibited|avoid|not allowed|no-?go"
    r"|禁止|[严嚴]禁|不要|[绝絕]不|避免|禁忌|不[许許]|不得",
    re.IGNORECASE,
)
_NEUTRAL_LEADS: Final = LazyRegex(
    r"(?:always|must|do|dos|rules?|style|tone|voice|format(?:ting)?|output(?: format| style)?|length|(?:reply|response|answer|message|writing|communication)"
    r"(?: style| length| format| rules?)?|repl(?:ies|y)|responses?|answers?|language|brevity|emojis?|conciseness|concise|brief|short|punctuation|hard rules?|limits?)"
    r"|[规規][则則]|格式|[长長]度|[风風]格|[语語][气氣调調]|回复|回答|回覆|字[数數]|必[须須]|[总總]是|[标標][点點]|[输輸]出|表情",
    re.IGNORECASE,
)
_NARROW_SECTION: Final = LazyRegex(
    r"discord|slack|whatsapp|telegram|signal|imessage|twitter|\bx\b|sms|e-?mail|group|channel|commit|pull request|\bpr\b|code|memory|"
    r"heartbeat|cron|voice|\btts\b|blog|report|summar|digest|newsletter|docs?\b|documentation|title|tweet|social|headline|caption|log|"
    r"example|template|群|邮件|郵件|代码|日报|周报|摘要|标题|提交|记忆|语音",
    re.IGNORECASE,
)
_OPENINGS: Final = LazyRegex(
    r"(?:(?:please|always|you must|you should|you shall|you have to|must|should|important|note|also|strictly|ensure that|make sure(?: that)?|make sure to)[, ]+)+",
    re.IGNORECASE,
)
_QUOTED_SPAN: Final = LazyRegex(r"([\"“「『][^\"“”「」『』]*[\"”」』])")


def compile_rule(statement: str, polarity: Polarity, section: Sequence[str] = ()) -> RuleCheck | None:
    """Return the check for a rule's wording, or None if the model has to judge it.

    Args:
        statement: The rule as one self-contained sentence, with lead-in and polarity.
        polarity: The rule's polarity; only obligations and prohibitions are compiled.
        section: Headings above the rule, outermost first; no check if one narrows it to a channel or document.
    """
    if polarity not in (Polarity.OBLIGES, Polarity.FORBIDS) or len(statement) > LONGEST_STATEMENT:
        return None
    if any(map(_narrows, section[1:] or section)):
        return None
    reading = _read(_normalised(statement))
    if reading is None or reading.check is None:
        return None
    if reading.negative is False and polarity is Polarity.FORBIDS:
        return None
    return reading.check


@lru_cache(maxsize=64)  # many rules share a heading
def _narrows(heading: str) -> bool:
    return bool(_NARROW_SECTION.search(heading))


def _read(text: str) -> RuleReading | None:
    lead, rest = _lead_in(text)
    if lead and _FORBIDDING_LEADS.fullmatch(lead):
        return read_forbidden_chinese_act(_closed_up(rest)) if _is_chinese(rest) else read_forbidden_act(rest)
    if lead and not _NEUTRAL_LEADS.fullmatch(lead):
        return None
    if _is_chinese(rest):
        return read_chinese(_closed_up(rest))
    return read_english(rest) or read_english(
        _OPENINGS.sub("", rest, count=1) if _OPENINGS.match(rest) else rest
    )


def _normalised(statement: str) -> str:
    text = " ".join(statement.split())
    if "*" in text or "_" in text:
        text = re.sub(r"(?<!\w)(\*\*|__|\*|_)(?=\S)(.+?)(?<=\S)\1(?!\w)", r"\2", text)
    if not text[:1].isalpha():
        text = re.sub(r"^(?:[-*+•]|\d+[.)])\s+", "", text)
    if not text.isascii():
        text = text.replace("’", "'") if "‘" not in text else text
        pieces = _QUOTED_SPAN.split(text)
        text = "".join(piece if index % 2 else _half_width(piece) for index, piece in enumerate(pieces))
    return text.rstrip(_ENDS)


_ENDS: Final = ".。!;； "


def _half_width(text: str) -> str:
    kept = "：，。；！？"
    return "".join(
        c if c in kept else unicodedata.normalize("NFKC", c) if "！" <= c <= "～" else c for c in text
    )


def _lead_in(text: str) -> tuple[str, str]:
    if not any(mark in text for mark in ":：—–-"):
        return "", text
    found = re.match(r"([^:：\"“'「]{1,40}?)\s*(?:[:：]|\s[—–-]\s)\s*(.+)$", text)
    return (found[1].strip(), found[2].strip()) if found else ("", text)


def _is_chinese(text: str) -> bool:
    return has_any(_QUOTED_SPAN.sub("", text), HAN)


def _closed_up(text: str) -> str:
    pieces = _QUOTED_SPAN.split(text)
    return "".join(
        piece if index % 2 else re.sub(r"\s+", "", piece).replace("，", ",")
        for index, piece in enumerate(pieces)
    )
