"""Phrases about weeks and months in seven languages: short weekdays in lists, every second week, the first Monday.

Each is a pattern with its English, for the table in `languages.py`. A single short weekday is a word of its own in
most languages ("do", "mar", "ter"), so only lists and ranges of them count.
"""

# ruff: noqa: E501 - a word list is easier to read in one piece, and has letters of other scripts

import re
from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct

Phrase = tuple[str, str | Callable[[re.Match[str]], str]]


class CalendarPhrases(Struct, frozen=True):
    """The phrases of a language, and a pattern of what a text with one of them has."""

    needed: str
    phrases: tuple[Phrase, ...]


_ENGLISH_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_EVERY_OTHER_WEEK: Final = " every 2 weeks "


def _short_days(days: str, joints: str, *, capitals: bool = False) -> Phrase:
    """Return the phrase for a list or range of short weekdays, Monday first; spellings of a day are joined by `|`."""
    names = {
        name.casefold(): english
        for spellings, english in zip(days.split(), _ENGLISH_DAYS, strict=True)
        for name in spellings.split("|")
    }
    spelled = "|".join(
        sorted((name for each in days.split() for name in each.split("|")), key=len, reverse=True)
    )
    day = rf"(?-i:{spelled})" if capitals else rf"(?:{spelled})"
    words = re.compile(rf"(?P<day>{day})(?!\w)\.?|\s*(?P<joint>\b(?:{joints})\b)\s*", re.IGNORECASE)

    def in_english(match: re.Match[str]) -> str:
        return words.sub(_of, match.group())

    def _of(word: re.Match[str]) -> str:
        if word["day"]:
            return names[word["day"].casefold()]
        return " to " if word["joint"].casefold() in _RANGES else ", "

    joint = rf"\.?\s*(?:[-–—+/&,]|\b(?:{joints})\b)\s*"
    return rf"(?<!\w){day}(?:{joint}{day})+(?!\w)\.?", in_english


_RANGES: Final = ("a", "até", "à", "bis", "au", "по")


def _place_in_month(places: Mapping[str, str], days: str, before: str, after: str) -> Phrase:
    """Return the phrase for `the first Monday of the month`; the weekday is translated with the other words."""
    spelled = "|".join(places)

    def in_english(match: re.Match[str]) -> str:
        return f" on the {places[match['place'].casefold()]} {match['day']} of every month "

    return rf"(?:\b(?:{before})\s+)?\b(?P<place>{spelled})\s+(?P<day>{days})\s+(?:{after})(?!\w)", in_english


def _asian_place(match: re.Match[str]) -> str:
    places = [_NUMBERS[number] for number in re.findall("|".join(_NUMBERS), match["place"])]
    return f" on the {', '.join(places)} {_ASIAN_DAYS[match['day']]} of every month "


_NUMBERS: Final = {"最後": "last", "最后": "last", "最終": "last", "首": "first", "1": "first", "一": "first", "2": "second", "二": "second", "3": "third", "三": "third", "4": "fourth", "四": "fourth"}  # fmt: skip
_ASIAN_DAYS: Final = {**dict(zip("月火水木金土日", _ENGLISH_DAYS, strict=True)), **dict(zip("一二三四五六天", _ENGLISH_DAYS, strict=True))}  # fmt: skip


def _minute_of_hour(match: re.Match[str]) -> str:
    return f" every hour at :{int(match['minute'] or 0):02d} "


CHINESE_AND_JAPANESE: Final[tuple[Phrase, ...]] = (
    (r"每个?個?月的?\s*(?P<place>第\s*[一二三四1-4]|最[后後]一?|首)\s*个?個?(?:周|週|星期|礼拜|禮拜)(?P<day>[一二三四五六日天])", _asian_place),
    (r"(?:毎月の?)?(?P<place>第\s?[1-4一二三四](?:\s?[・、,/と]\s?第?\s?[1-4一二三四])*|最終)\s?(?P<day>[月火水木金土日])曜日?の?", _asian_place),
    (r"隔(?:周|週|星期)一次|每隔一个?個?(?:周|週|星期)|[1一]週間?おき|隔週の?|每?隔(?:周|週|星期)(?![一二三四五六日天])", _EVERY_OTHER_WEEK),
    (r"隔(?P<week>周|週|星期)(?=[一二三四五六日天])", r" every 2 weeks \g<week>"),
    (r"每?隔一?[天日](?!\d)|[1一]日おき", " every 2 days "),
    (r"每个?個?(?:小时|小時)的?\s*(?:第\s*(?P<minute>[0-5]?\d)\s*分[钟鐘]?|(?P<plain>[0-5]?\d)\s*分(?![钟鐘]))", lambda match: f" every hour at :{int(match['minute'] or match['plain']):02d} "),
    (r"毎時\s?(?P<minute>[0-5]?\d)\s?分", _minute_of_hour),
)  # fmt: skip

SPANISH: Final = CalendarPhrases(
    r"(?:lun|mar|mi[ée]|jue|vie|s[áa]b|dom)\.?\s?(?:[-–—+/&,]|[ya] )|mes|quincenal(?:mente)?|una semana sí|sábado|domingo",
    (
        _short_days("lun mar mié|mie jue vie sáb|sab dom", "y|a"),
        _place_in_month({"primer": "first", "segundo": "second", "tercer": "third", "cuarto": "fourth", "último": "last"}, r"\w+", "el", "de cada mes|del mes"),
        (r"\bquincenal(?:mente)?\b|\buna semana sí y otra no\b", _EVERY_OTHER_WEEK),
        (r"\b(?:(?:en|a) el|no) minuto (?=\d)", "at minute "),
    ),
)  # fmt: skip

PORTUGUESE: Final = CalendarPhrases(
    r"(?:seg|ter|qua|qui|sex|s[áa]b|dom)\.?\s?(?:[-–—+/&,]|[eaà] |até )|mês|quinzenal(?:mente)?|semana sim|sábado|domingo",
    (
        _short_days("seg ter qua qui sex sáb|sab dom", "e|a|até|à"),
        _place_in_month({"primeira": "first", "primeiro": "first", "segunda": "second", "segundo": "second", "terceira": "third", "terceiro": "third", "última": "last", "último": "last"}, r"[\w-]+", "na|no|a|o", "de cada mês|do mês"),
        (r"\bquinzenal(?:mente)?\b|\bsemana sim,? semana não\b", _EVERY_OTHER_WEEK),
        (r"\bno minuto (?=\d)", "at minute "),
    ),
)  # fmt: skip

GERMAN: Final = CalendarPhrases(
    r"(?-i:(?:Mo|Di|Mi|Do|Fr|Sa|So)\.?\s?(?:[-–—+/&,]|und |bis ))|monat(?:s|es)?|(?:14|vierzehn)-?tägig\w*|zweiwöch\w+|dienstag|mittwoch|donnerstag|samstag|sonnabend",
    (
        _short_days("Mo Di Mi Do Fr Sa So", "und|bis", capitals=True),
        _place_in_month({"ersten": "first", "zweiten": "second", "dritten": "third", "vierten": "fourth", "letzten": "last"}, r"\w+", "am|jeden", "des monats|im monat|jedes monats"),
        (r"\b(?:14|vierzehn)-?tägig\w*|\bzweiwöch(?:entlich|ig)\w*|\bjede zweite woche\b", _EVERY_OTHER_WEEK),
        (r"\bjeden zweiten (?=(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend)", "every other "),
    ),
)  # fmt: skip

FRENCH: Final = CalendarPhrases(
    r"(?:lun|mar|mer|jeu|ven|sam|dim)\.?\s?(?:[-–—+/&,]|et |au? |à )|mois|sur deux|\d{1,2}\s?[x×] par|samedi|dimanche",
    (
        _short_days("lun mar mer jeu ven sam dim", "et|au|à"),
        _place_in_month({"premier": "first", "deuxième": "second", "troisième": "third", "quatrième": "fourth", "dernier": "last"}, r"\w+", "le|chaque", "du mois|de chaque mois"),
        (r"\b(?:une semaine sur deux|tous les quinze jours)\b", _EVERY_OTHER_WEEK),
        (r"\bun (?P<day>lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche) sur deux\b", r"every other \g<day>"),
        (r"\bà la minute (?=\d)", "at minute "),
    ),
)  # fmt: skip

RUSSIAN: Final[tuple[Phrase, ...]] = (
    _short_days("пн вт ср чт пт сб вс", "и|по"),
    _place_in_month({"первый": "first", "первую": "first", "первое": "first", "второй": "second", "вторую": "second", "второе": "second", "третий": "third", "последний": "last", "последнюю": "last", "последнее": "last"}, r"\w+", "в|во|каждый|каждую|каждое", "месяца|каждого месяца"),
    (r"\bраз в (?:две|2) недели\b|\bкаждую вторую неделю\b", _EVERY_OTHER_WEEK),
    (r"\bкажд(?:ый|ую|ое) втор(?:ой|ую|ое) (?=понед|втор|сред|четв|пятн|субб|воскр)", "every other "),
    (r"(?:\bкаждый час,?\s+)?\b(?:в|на) (?P<minute>[0-5]?\d)(?:-й)? минут[уе]\b", _minute_of_hour),
)  # fmt: skip
