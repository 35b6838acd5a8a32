"""Finds what HEARTBEAT.md and lists of jobs only speak of: offers, plans, what is switched off, and examples."""

# ruff: noqa: E501 - a word list is easier to read in one piece, and has letters of other scripts

import re
from collections.abc import Sequence
from itertools import chain, repeat
from typing import Final

from msgspec import Struct

from melleafy_tui.core.dialects.openclaw.schedule_words import starts_with
from melleafy_tui.core.language.wording import plain_text
from melleafy_tui.core.lazy_regex import LONGEST_READ, LazyRegex
from melleafy_tui.core.source.segments import Segment

_ROW_OF_SIGNS: Final = re.compile(r"([^\w\s]{3})[^\w\s]+|\s{2,}")
LONGEST_STATUS: Final = 300
"""Characters of a heading or line that are read for a status."""


class _Status(LazyRegex):
    """A pattern of a status, which reads the beginning of a text, and of a row of signs three.

    Its optional words take a high power of the length of a row such as `-----`.
    """

    def fullmatch(self, text: str) -> re.Match[str] | None:
        return super().fullmatch(_without_rows(text))

    def match(self, text: str, start: int = 0) -> re.Match[str] | None:
        return super().match(_without_rows(text[start:]))

    def search(self, text: str) -> re.Match[str] | None:
        return super().search(_without_rows(text))


def _without_rows(text: str) -> str:
    return _ROW_OF_SIGNS.sub(lambda row: row[1] or " ", text)[:LONGEST_STATUS]


_OFF_WORDS: Final = (
    r"disabled|paused|inactive|deactivated|suspended|retired|deprecated|obsolete|stopped|on hold|(?:turned|switched) off"
    r"|desactivad[oa]s?|desativad[oa]s?|deaktiviert|pausiert|désactivée?s?|отключен\w*|вимкнен\w*"
)
_OFF_CJK: Final = (
    r"已?(?:停用|禁用|暂停|暫停|关闭|關閉|废弃|廢棄|弃用|棄用)|未(?:启用|啟用|开启|開啟)|無効|停止中"
)
_OFF_HEADING: Final = _Status(
    rf"(?:^|[(（\[:：—–-])\W*(?:(?:currently |now |temporarily )?(?:{_OFF_WORDS}|removed|archived|planned|proposed|draft"
    rf"|not (?:yet )?(?:active|enabled|in use|implemented)|coming soon)|{_OFF_CJK}|计划中|計劃中)\W*$",
    re.IGNORECASE,
)
"""A heading that says at its end that what is below it doesn't run."""
_STOPPED_HEADING: Final = _Status(
    r"\W*(?:(?:proposed|planned|future|retired|deprecated|disabled|inactive|archived|old|former|past|previous|legacy|removed|obsolete|completed)"
    r"\W+(?:[\w-]+\W+){0,2}?(?:tasks?|checks?|jobs?|crons?|schedules?|heartbeats?|cadences?|routines?|entries|items|ideas|additions)"
    r"|planned|backlog|future|someday|wish ?list|retired|deprecated|archived?|history|change ?log|obsolete|completed|removed)\W*"
    r"|\W*(?:implementation )?roadmap\W*|\W*(?:实施|實施|开发|開發)?(?:路线图|路線圖)\W*"
    r"|\W*(?:可添加|可增加|可启用|计划中|計劃中|规划中|待启用|未启用|已废弃|已弃用|历史|歷史|旧)的?[^\s]{0,8}\W*",
    re.IGNORECASE,
)
"""A heading of plans, or of what doesn't run any more."""
_EXAMPLE_HEADING: Final = _Status(
    r"\W*(?:(?:example|sample)s?(?:\W+[\w-]+){0,4}|(?:[\w-]+\W+){0,3}examples?)\W*|\W*[^\s]{0,6}(?:示例|例子|样例|範例|范例)[^\s(（]{0,6}(?:[(（].{0,40})?\W*",
    re.IGNORECASE,
)
"""A heading of examples, whose times are no schedule."""
_TO_ADD: Final = _Status(
    r"\bto (?:enable|activate|schedule|add|(?:switch|turn)\b.{0,20}\bon)\b.{0,60}\b(?:add|copy|write|uncomment|paste)\b.*(?:[:：]|\bbelow\.?)\s*$"
    r"|\b(?:you|we|i) (?:can|could|may|might) (?:also |later )?(?:add|enable|schedule)\b.*(?:[:：]|\bbelow\.?)\s*$"
    r"|(?:(?:可以|可)(?:再)?(?:添加|加入|增加|启用)|(?:需要|如需|如要)(?:开启|启用|添加)|按(?:以下|下面|如下)[^\s，。]{0,6}(?:添加|填写|增加)).*[:：]\s*$",
    re.IGNORECASE,
)
"""A line that says how more could be added: what follows in its section doesn't run."""
_LOG_HEADING: Final = _Status(
    r"\W*(?:(?:heart-?beat|execution|run|runs|activity|check|checks|task|tasks|status|work|event|cron|job|recent|last|latest|previous|today['’]?s)\s+){0,2}"
    r"(?:logs?|history|records?)\W*|\W*(?:last|latest|recent|previous|completed|past)\s+(?:[\w-]+\s+)?(?:runs?|checks?|heart-?beats?|executions?|results?)\W*"
    r"|\W*(?:completed|done|finished|sent)(?: (?:today|this week|yesterday|tasks?))\W*"
    r"|\W*(?:心跳|执行|執行|运行|運行|检查|檢查|任务|任務|最近|操作|历史|歷史|今日)*(?:日志|日誌|记录|記錄|记錄|履歴|ログ)\W*|\W*(?:今日)?已完成[^\s]{0,6}\W*"
    r"|\W*(?:registro|historial|bitácora|histórico|protokoll|verlauf|historique|журнал|история)(?: (?:de|do|da|der|des|du)\s+\w+|\s+\w+)?\W*",
    re.IGNORECASE,
)
"""A heading over what has been done, whose times are no schedule."""
_EXAMPLE_LINE: Final = _Status(
    r"\W*(?:examples?|e\.g\.|ejemplo|exemplo|exemple|beispiel|пример|示例|例子|例)\W{0,3}(?:\s[—–-]\s|[:：(（—])",
    re.IGNORECASE,
)
"""A line that is an example: `Example (weekly): …`."""
_EXAMPLE_LEAD: Final = _Status(
    r"\b(?:for example|for instance|examples?|e\.g\.)\W*$|(?:例如|比如|示例|例)\W*$",
    re.IGNORECASE,
)
"""A lead-in whose list is an example."""
_OFF_STATUS: Final = _Status(
    rf"\W*(?:current |当前|當前|目前)?(?:status|state|enabled|active|estado|状态|狀態|启用)\W{{0,4}}[:：=]\W*(?:{_OFF_WORDS}|off|no|false|planned|{_OFF_CJK})(?:\W.{{0,60}})?$",
    re.IGNORECASE,
)
"""A line that gives its section a state in which nothing runs."""
_SWITCH: Final = _Status(
    r"\W*(?P<name>\w[\w &/'’-]{2,60}?)\s+(?:is )?(?:enabled|active|on)\W{0,4}[:：=]\W*(?:(?P<off>no|off|false|disabled)|yes|on|true|enabled)\W*$",
    re.IGNORECASE,
)
"""A setting that switches a named task: `Daily brief enabled: no`; it is no schedule itself."""
_OFF_LINE: Final = _Status(
    rf"\W*~~.+~~\W*$|.*[\"']enabled[\"']\s*:\s*false\b|.*[(（][^()（）]{{1,30}}[,，;；]\s*(?:currently )?(?:{_OFF_WORDS}|{_OFF_CJK})(?:\W[^()（）]{{0,20}})?[)）]|\W*[\[(（【]\W*(?:{_OFF_WORDS}|off|planned|draft|{_OFF_CJK})\W*[\])）】]"
    rf"|.*[(（\[]\W*(?:currently |now |temporarily )?(?:{_OFF_WORDS}|not (?:yet )?(?:active|enabled|in use)|{_OFF_CJK})(?:\W[^()（）\[\]]{{0,40}})?[)）\]]\W*$",
    re.IGNORECASE,
)
"""A line that is struck out or says in brackets that it doesn't run."""
_OFF_CELL: Final = _Status(
    rf"\W*(?:{_OFF_WORDS}|off|removed|planned|draft|{_OFF_CJK})(?:\W.{{0,30}})?", re.IGNORECASE
)
_NO_CELL: Final = _Status(r"\W*(?:no|false|否|nein|non|нет|❌|✗|✘)\W*", re.IGNORECASE)
_STATE_HEADER: Final = _Status(
    r"\W*(?:status|state|enabled\??|active\??|on\??|live\??|estado|状态|狀態|启用|是否启用)\W*", re.IGNORECASE
)
_HEARTBEAT_OFF: Final = _Status(
    rf"(?:^|[.!。:：]\s)\W*(?:(?:the|this|our|all|periodic|scheduled)\s)*heart-?beats?(?: checks?| tasks?| polling)?\b\W{{0,5}}(?:(?:is|are|status|=)\W{{0,3}})?"
    rf"(?:currently |now |temporarily )*(?:{_OFF_WORDS}|off\b(?! hours)|not (?:enabled|active|used|in use))"
    r"|^\W*this file is (?:currently |intentionally )?(?:empty|disabled)\b"
    rf"|(?:{_OFF_CJK}|没有(?:开启|启用))[^。\n]{{0,8}}心跳|心跳[^。\n]{{0,6}}(?:{_OFF_CJK})|文件.{{0,24}}(?:当前|目前|现在)为空",
    re.IGNORECASE,
)
"""A sentence of HEARTBEAT.md that switches all of it off."""
_TOP: Final = 2
"""The most headings above a line that is about the whole file."""


class Aside(Struct, frozen=True):
    """The first lines of the segments that are no schedule.

    Attributes:
        stopped: Offers, plans, what is switched off or given up.
        examples: Examples, and what a log says was done.
    """

    stopped: frozenset[int] = frozenset()
    examples: frozenset[int] = frozenset()

    def __contains__(self, line: int) -> bool:
        """Return whether what starts on a line is no schedule."""
        return line in self.stopped or line in self.examples


def aside_in(segments: Sequence[Segment]) -> Aside:
    """Return what a file only speaks of."""
    states = {segment.section for segment in segments if _OFF_STATUS.match(_words(segment))} - {()}
    switches = [found for segment in segments if (found := _SWITCH.match(_words(segment)))]
    names = [set(each["name"].casefold().split()) for each in switches if each["off"]]
    states |= {
        _opened(segment)
        for segment in segments
        if segment.kind == "heading" and any(name <= _heading_words(segment) for name in names)
    }
    title = next((each for each in segments if each.kind == "heading" and each.level == 1), None)
    offered: tuple[str, ...] | None = None
    stopped: set[int] = set()
    examples: set[int] = set()
    for segment in segments:
        if offered is not None and segment.section[: len(offered)] != offered:
            offered = None
        if offered is not None or _is_below_stopped(segment, states) or _is_off(segment):
            stopped.add(segment.first)
        elif _is_example(segment, _words(title) if title else ""):
            examples.add(segment.first)
        if segment.kind in ("paragraph", "lead_in") and _TO_ADD.search(_words(segment)):
            offered = segment.section
    return Aside(frozenset(stopped), frozenset(examples))


def is_switched_off(segments: Sequence[Segment]) -> bool:
    """Return whether a HEARTBEAT.md says of itself that it is empty or that the heartbeat is off."""
    return any(
        segment.kind in ("paragraph", "lead_in", "heading")
        and len(segment.section) <= _TOP
        and not starts_with("condition", words := _words(segment))
        and _HEARTBEAT_OFF.search(words) is not None
        for segment in segments
    )


def _heading_words(segment: Segment) -> set[str]:
    return set(re.findall(r"[\w'’-]+", _words(segment).casefold()))


def _opened(segment: Segment) -> tuple[str, ...]:
    return (*segment.section, _words(segment)) if segment.kind == "heading" else segment.section


def _is_below_stopped(segment: Segment, states: set[tuple[str, ...]]) -> bool:
    """Return whether a segment's headings, or a line below them, say that it doesn't run."""
    opened = _opened(segment)
    return any(
        _STOPPED_HEADING.fullmatch(heading) or _OFF_HEADING.search(heading) for heading in opened
    ) or any(opened[: len(section)] == section for section in states)


def _is_example(segment: Segment, title: str) -> bool:
    """Return whether a segment is an example, or stands below a heading of examples or a log, other than the title."""
    lead = plain_text(segment.lead_in)
    return (
        any(
            _EXAMPLE_HEADING.fullmatch(each) or (each != title and _LOG_HEADING.fullmatch(each))
            for each in _opened(segment)
        )
        or bool(_EXAMPLE_LEAD.search(lead))
        or (segment.kind in ("item", "paragraph") and bool(_EXAMPLE_LINE.match(_words(segment))))
    )


def _is_off(segment: Segment) -> bool:
    """Return whether a line or table row says itself that it doesn't run."""
    if segment.kind == "table_row":
        cells = zip(segment.cells, chain(segment.header, repeat("")), strict=False)
        return any(
            _OFF_CELL.fullmatch(cell) or (_STATE_HEADER.fullmatch(header) and _NO_CELL.fullmatch(cell))
            for cell, header in cells
        )
    if segment.kind not in ("item", "paragraph", "heading"):
        return False
    words = _words(segment)
    label = re.match(r"[^:：\n]{3,40}(?=[:：]\s)", words)
    return bool(
        _OFF_LINE.match(segment.text[:LONGEST_READ])
        or _SWITCH.match(words)
        or (label and _STOPPED_HEADING.fullmatch(label.group()))
    )


def _words(segment: Segment) -> str:
    return plain_text(segment.text[:LONGEST_READ])
