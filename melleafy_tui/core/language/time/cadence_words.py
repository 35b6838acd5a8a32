"""Translates cadence words in other languages and abbreviations to the English that the cadence forms match.

Source positions are kept, since a schedule quotes the source and not this translation.
"""

import re
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from melleafy_tui.core.lazy_regex import LazyRegex

Replacement = str | Callable[[re.Match[str]], str]


class EnglishText(Struct, frozen=True):
    """A text in English words; `starts` and `ends` give the source position of each of its characters."""

    text: str
    source: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def source_words(self, start: int, end: int) -> str:
        """Return the source text between two offsets of the English text."""
        if start >= end:
            return ""
        return self.source[self.starts[start] : self.ends[end - 1]]


_CJK_UNITS: Final = {
    "秒": "seconds",
    "分": "minutes",
    "小": "hours",
    "時": "hours",
    "天": "days",
    "日": "days",
    "周": "weeks",
    "週": "weeks",
}
_CJK_NUMBERS: Final = {
    "一": "1",
    "两": "2",
    "兩": "2",
    "二": "2",
    "三": "3",
    "四": "4",
    "五": "5",
    "六": "6",
    "十": "10",
    "半": "half an",
}
_DAYS: Final = {
    "понедельник": "Monday", "вторник": "Tuesday", "среду": "Wednesday", "четверг": "Thursday", "пятницу": "Friday",
    "субботу": "Saturday", "воскресенье": "Sunday",
    "lunes": "Monday", "martes": "Tuesday", "miércoles": "Wednesday", "jueves": "Thursday", "viernes": "Friday",
    "sábados?": "Saturday", "domingos?": "Sunday",
    "segunda(?:-feira)?": "Monday", "terça(?:-feira)?": "Tuesday", "quarta(?:-feira)?": "Wednesday",
    "quinta(?:-feira)?": "Thursday", "sexta(?:-feira)?": "Friday",
}  # fmt: skip
_DAY: Final = LazyRegex("|".join(f"(?:{day})" for day in _DAYS), re.IGNORECASE)


def _cjk_interval(match: re.Match[str]) -> str:
    number = match.group("number")
    return f" every {_CJK_NUMBERS.get(number, number)} {_CJK_UNITS[match.group('unit')[0]]} "


def _cjk_times(match: re.Match[str]) -> str:
    number = match.group("number")
    return f" {_CJK_NUMBERS.get(number, number)} times a day "


def _named_day(match: re.Match[str]) -> str:
    word = match.group("day").lower()
    english = next((name for day, name in _DAYS.items() if re.fullmatch(day, word)), word)
    return f"every {english}"


def _slavic_interval(match: re.Match[str]) -> str:
    units = {"с": "seconds", "м": "minutes", "ч": "hours", "д": "days", "н": "weeks"}
    return f"every {match.group('number')} {units[match.group('unit')[0].lower()]}"


def _bare_hour(match: re.Match[str]) -> str:
    return f"at {match.group('hour')}:00"


_TABLE: Final[tuple[tuple[str, Replacement], ...]] = (
    (
        r"每(?:隔)?\s*(?P<number>\d{1,4}|半|[一两兩二三四五六十])\s*个?個?"
        r"\s*(?P<unit>秒钟?|分钟?|分鐘|小时|小時|天|周|週)",
        _cjk_interval,
    ),
    (r"(?P<number>\d{1,4})\s*(?P<unit>秒|分|時間|日|週間)(?:ごと|毎|おき)(?:に)?", _cjk_interval),
    (r"每(?:个|個)?(?:小时|小時)|毎時|1?時間ごと", " every hour "),
    (r"每分钟|每分鐘|毎分", " every minute "),
    (r"(?:每天|每日|毎日)\s*(?P<number>\d{1,2}|[一两兩二三四五六])\s*[次回]", _cjk_times),
    (r"每天早上|每天上午|每早", " every day 早上"),
    (r"每天晚上|每晚", " every day 晚上"),
    (r"每天下午", " every day 下午"),
    (r"每天|每日|毎日", " every day "),
    (r"每个?工作日|平日(?:は|の)?", " every weekday "),
    (r"(?:每周|每週|毎週)(?![一二三四五六日天月火水木金土])", " every week "),
    (r"每个?月|每個月|毎月", " every month "),
    (r"每次会话(?:开始|启动)|每次會話開始|セッション開始時", " every session start "),
    (r"\bкаждые\s+(?P<number>\d{1,4})\s*(?P<unit>секунд\w*|минут\w*|час\w*|дн\w*|недел\w*)", _slavic_interval),
    (r"\b(?:каждый час|ежечасно)\b", "every hour"),
    (r"\b(?:каждый день|ежедневно|щодня)\b", "every day"),
    (r"\b(?:каждую неделю|еженедельно)\b", "every week"),
    (r"\b(?:по будням|каждый будний день)\b", "every weekday"),
    (rf"\b(?:каждый|каждую|каждое|cada|todos los|todas as|toda|todo)\s+(?P<day>{_DAY.text})\b", _named_day),
    (r"\b(?:todos los días|todos os dias|diariamente|a diario|cada día|todo dia|setiap hari)\b", "every day"),
    (r"\b(?:a\s+)?cada\s+(?=\d|media|hora|minuto|semana)|\bsetiap\s+(?=\d)", "every "),
    (r"(?<=every )media\s+hora\b", "half an hour"),
    (r"(?<=\d )minutos?\b|(?<=\d )menit\b|(?<=every )minuto\b", "minutes"),
    (r"(?<=\d )horas\b|(?<=\d )jam\b", "hours"),
    (r"(?<=every )hora\b", "hour"),
    (r"(?<=\d )días?\b|(?<=\d )dias?\b|(?<=\d )hari\b", "days"),
    (r"(?<=\d )semanas?\b", "weeks"),
    (r"(?<=every )semana\b", "week"),
    (r"(?<=\w )(?:a las?|às|в|о|pukul)(?= \d)", "at"),
    (r"\bat (?P<hour>(?:[01]?\d|2[0-3]))(?: ?o['’]clock)?(?= ?(?:$|[,;)&]|\.(?!\d)|and\b))", _bare_hour),
)  # fmt: skip
_PATTERNS: Final = tuple((LazyRegex(pattern, re.IGNORECASE), replacement) for pattern, replacement in _TABLE)
_MAY_NEED: Final = LazyRegex(
    r"[^\x00-\u024f]|\bcada\b|\btod[oa]s?\b|\bdiari|\bsetiap\b|\bat \d", re.IGNORECASE
)


def in_english(text: str) -> EnglishText:
    """Return a text with its cadence words in English."""
    english = EnglishText(text, text, tuple(range(len(text))), tuple(range(1, len(text) + 1)))
    if not _MAY_NEED.search(text):
        return english
    for pattern, replacement in _PATTERNS:
        english = _replaced(english, pattern, replacement)
    return english


def _replaced(english: EnglishText, pattern: LazyRegex, replacement: Replacement) -> EnglishText:
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    position = 0
    for match in pattern.finditer(english.text):
        parts.append(english.text[position : match.start()])
        starts += english.starts[position : match.start()]
        ends += english.ends[position : match.start()]
        words = replacement if isinstance(replacement, str) else replacement(match)
        parts.append(words)
        starts += [english.starts[match.start()]] * len(words)
        ends += [english.ends[match.end() - 1]] * len(words)
        position = match.end()
    if not position:
        return english
    parts.append(english.text[position:])
    starts += english.starts[position:]
    ends += english.ends[position:]
    return EnglishText("".join(parts), english.source, tuple(starts), tuple(ends))
