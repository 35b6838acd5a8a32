"""The time words of seven languages, and the English words that the cadence forms match in their place.

Each language has a pattern that says whether a text needs it, phrases whose order of words differs from English, and
plain words. To teach the reader a word, add it here.
"""

# ruff: noqa: E501 - a word list is easier to read in one piece, and has letters of other scripts

import re
from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct

from melleafy_tui.core.language.scripts import CYRILLIC, HAN, KANA, has_any
from melleafy_tui.core.language.time import calendar_phrases
from melleafy_tui.core.lazy_regex import LazyRegex

Replacement = str | Callable[[re.Match[str]], str]


class Language(Struct, frozen=True):
    """The time words of one language.

    Attributes:
        name: Its English name.
        is_needed: Returns whether a text may contain its time words.
        phrases: Patterns with their English, applied in order before the words.
        words: Words and fixed phrases with their English.
    """

    name: str
    is_needed: Callable[[str], object]
    phrases: tuple[tuple[LazyRegex, Replacement], ...]
    words: LazyRegex
    meanings: Mapping[str, str]

    def english(self, match: re.Match[str]) -> str:
        """Return the English of a matched word."""
        return self.meanings[" ".join(match.group().split()).casefold()]


def _language(
    name: str,
    is_needed: Callable[[str], object],
    phrases: tuple[tuple[str, Replacement], ...],
    words: Mapping[str, str],
) -> Language:
    longest_first = sorted(words, key=len, reverse=True)
    any_word = "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in longest_first)
    return Language(
        name,
        is_needed,
        tuple((LazyRegex(pattern, re.IGNORECASE), replacement) for pattern, replacement in phrases),
        LazyRegex(rf"(?<!\w)(?:{any_word})(?!\w)", re.IGNORECASE),
        {word.casefold(): english for word, english in words.items()},
    )


def _any_of(pattern: str) -> Callable[[str], object]:
    return LazyRegex(pattern, re.IGNORECASE).search


_AFTERNOON: Final = frozenset(["晚", "晩", "夕", "下午", "傍晚", "晚上", "夜里", "夜晚", "午後", "夜", "夕方", "noche", "tarde", "noite", "soir", "après-midi", "nachmittags", "abends", "вечера", "дня"])  # fmt: skip
_MORNING: Final = frozenset(
    [
        "早",
        "凌晨",
        "早上",
        "上午",
        "午前",
        "朝",
        "madrugada",
        "mañana",
        "manhã",
        "matin",
        "morgens",
        "vormittags",
        "утра",
        "ночи",
    ]
)
_NUMERALS: Final = {"一": 1, "两": 2, "兩": 2, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10, "十一": 11, "十二": 12}  # fmt: skip


def _hour(digits: str, half: str) -> int:
    hour = _NUMERALS.get(digits) or int(digits)
    if half in _AFTERNOON and 1 <= hour < 12:
        return hour + 12
    return 0 if half in _MORNING and hour == 12 else hour


def _clock(match: re.Match[str]) -> str:
    """Return `at 9:30` for a clock time; the groups are hour, minute, half_hour and half (of the day)."""
    found = match.groupdict()
    hour = _hour(match["hour"], (found.get("half") or found.get("part") or "").lower())
    minute = 30 if found.get("half_hour") else int(found.get("minute") or found.get("minutes") or 0)
    return match.group() if hour > 24 else f" at {hour}:{minute:02d} "


def _every_half(match: re.Match[str]) -> str:
    return f" every {'morning' if match['half'] in _MORNING else 'evening'} {_clock(match)}"


def _morning_and_evening(match: re.Match[str]) -> str:
    hour = _hour(match["hour"], "")
    return f" at {hour}:00, {hour + 12}:00 " if 1 <= hour < 12 else match.group()


def _range(match: re.Match[str]) -> str:
    """Return `from 9:00 to 18:00` for a window of bare hours."""
    found = match.groupdict()
    first, last = int(match["first"]), int(match["last"])
    if max(first, last) > 24:
        return match.group()
    return f" from {first}:{found.get('first_minute') or '00'} to {last}:{found.get('last_minute') or '00'} "


def _marked_range(match: re.Match[str]) -> str:
    """Return the window if a word or colon shows that the numbers are hours, else the text as it is."""
    return (
        _range(match)
        if re.search(r"\d\s*(?:h|:|uhr|час)|\blas?\b|\bàs?\b|\bas\b", match.group(), re.IGNORECASE)
        else match.group()
    )


def _times_a(match: re.Match[str]) -> str:
    number = str(_NUMERALS.get(match["number"], match["number"]))
    unit = {"天": "day", "日": "day", "周": "week", "週": "week", "月": "month", "时": "hour", "時": "hour"}[
        match["per"][-1]
    ]
    return f" {'once' if number == '1' else number + ' times'} a {unit} "


def _so_many_times_a(match: re.Match[str]) -> str:
    unit = {"天": "day", "日": "day", "周": "week", "週": "week", "月": "month"}[match["per"]]
    return f" {match['least']}-{match['most']}x a {unit} "


def _every_number(match: re.Match[str]) -> str:
    number = str(_NUMERALS.get(match["number"], match["number"])).replace("半", "half an")
    units = {
        "秒": "seconds",
        "分": "minutes",
        "小": "hours",
        "時": "hours",
        "时": "hours",
        "鐘": "hours",
        "钟": "hours",
        "天": "days",
        "日": "days",
        "周": "weeks",
        "週": "weeks",
        "个": "hours",
        "個": "hours",
    }
    return f" every {number} {units[match['unit'][0]]} "


def _every_range(match: re.Match[str]) -> str:
    unit = {"分": "minutes", "時": "hours", "日": "days", "週": "weeks"}[match["unit"][0]]
    return f" every {match['least']}-{match['most']} {unit} "


_CJK_DAYS: Final = {"一": "Monday", "二": "Tuesday", "三": "Wednesday", "四": "Thursday", "五": "Friday", "六": "Saturday", "日": "Sunday", "天": "Sunday", "月": "Monday", "火": "Tuesday", "水": "Wednesday", "木": "Thursday", "金": "Friday", "土": "Saturday"}  # fmt: skip


def _named_days(match: re.Match[str]) -> str:
    days = ", ".join(_CJK_DAYS[day] for day in match["days"] if day in _CJK_DAYS)
    return f" {'every ' if match['every'] else ''}{days} "


def _day_range(match: re.Match[str]) -> str:
    return f" {_CJK_DAYS[match['first']]} to {_CJK_DAYS[match['last']]} "


def _per(match: re.Match[str]) -> str:
    """Return `3 times a day` for the Russian `3 раза в день`."""
    units = {"с": "day", "д": "day", "ч": "hour", "н": "week", "м": "month"}
    number = match["number"] or "1"
    number = {"один": "1", "два": "2", "три": "3", "четыре": "4"}.get(number.lower(), number)
    return f" {'once' if number == '1' else number + ' times'} a {units[match['per'][0].lower()]} "


_DIGITS: Final = r"\d{1,4}|半|十[一二]?|[一两兩二三四五六]"
_HOURS: Final = r"\d{1,2}|十[一二]?|[一二两三四五六七八九]"
_WEEK: Final = r"(?:周|週|星期|礼拜|禮拜)"
_HM: Final = r"(?P<{0}>2[0-4]|[01]?\d)(?!\d)(?:\s*[:.h]\s*(?P<{0}_minute>[0-5]\d))?"
_FIRST: Final = _HM.format("first")
_LAST: Final = _HM.format("last")
_HOUR_IN_REMARK: Final = r"(?<=[,(:;–—-])\s?(?P<hour>2[0-4]|1\d|0\d|[5-9])\s?h(?:s\b)?(?P<minute>[0-5]\d)?(?=\s*(?:[),;]|$|(?-i:[A-Z])))"
"""`8h` or `18h30` alone in a remark, as in "every day (8h BRT)"; "2h" there is how long something takes."""

_ALONE: Final = (
    r"(?:^|(?<=[\s（(:：,，;；、]))(?:在|仅|僅|只)?{0}(?=\s*(?:$|[\d:：,，;；)）]|at\b|[上下早晚中]))"
)
"""Days that stand alone or before a clock time; in a sentence they are only spoken of."""
_DAILY_THING: Final = (
    r"(?:计划|計劃|日志|日誌|记录|記錄|笔记|筆記|目录|目錄|总结|總結|数据|數據|小结|自动化|自動化)"
)
"""What a Chinese "daily" names, rather than says when."""
_MEASURES: Final = (
    r"(?:篇|条|條|张|張|份|字|元|分[钟鐘間]|个?個?小[时時]|時間|杯|步|页|頁|集|首|件|本|%|万|萬|千|公里)"
)
"""What a number after a Chinese or Japanese "daily" counts, so that it's an amount a day: `每天1篇`."""
CHINESE_AND_JAPANESE: Final = _language(
    "Chinese and Japanese",
    lambda text: has_any(text, KANA, HAN),
    (
        *calendar_phrases.CHINESE_AND_JAPANESE,
        (
            rf"[每毎][天日周週月]\s?(?:\d{{1,5}}\s?[-~～到至〜]\s?)?\d{{1,5}}\s?{_MEASURES}",
            " ",
        ),
        (
            rf"^\W*(?:\d+[.)]\s*)?每[日周](?=(?:日志|日誌|笔记|筆記|记录|記錄)\s*(?:[-—–:：]|$))|(?<=[\u4e00-\u9fff ])每[日周](?={_DAILY_THING})|^\W*每[日周]{_DAILY_THING}(?=目录|目錄|文件|路径|路徑|格式|模板)",
            " ",
        ),
        (
            rf"[每毎][天日]?(?P<half>早|晚|朝|晩|夕)の?\s?(?P<hour>{_HOURS})\s?(?:[点點]|[时時](?!間|间))(?:(?P<half_hour>半)|(?P<minute>[0-5]?\d)分?)?",
            _every_half,
        ),
        (r"[每毎][天日]?(?P<half>早|晚|朝|晩|夕)の?\s?(?P<hour>\d{1,2}):(?P<minute>[0-5]\d)", _every_half),
        (
            rf"(?:早晚|朝晩|朝夕)各?の?\s?(?P<hour>{_HOURS})\s?(?:[点點]|[时時](?!間|间))",
            _morning_and_evening,
        ),
        (
            rf"(?P<half>上午|早上|早晨|凌晨|中午|下午|傍晚|晚上|夜里|夜晚|午前|午後|朝|夜|夕方)?の?\s?(?P<hour>{_HOURS})\s?(?:[点點]|[时時](?!間|间))(?:(?P<half_hour>半)|(?P<minute>[0-5]?\d)分?|整|钟|鐘)?",
            _clock,
        ),
        (
            r"(?P<half>上午|早上|早晨|凌晨|中午|下午|傍晚|晚上|夜里|夜晚|午前|午後|朝|夜|夕方)の?\s?(?P<hour>\d{1,2}):(?P<minute>[0-5]\d)",
            _clock,
        ),
        (
            r"(?<![\d两兩二三四五六半个個])(?<!\d\s)(?P<per>每?(?:一|1)?[天日]|每(?:周|週|星期|月|小时|小時)|毎(?:日|週|月|時)|[周週](?=に?\d回))に?\s*(?P<number>\d{1,2}|[一两兩二三四五六])\s?[次回](?!会话|會話)",
            _times_a,
        ),
        (
            r"[每毎]?(?P<per>[天日周週月])に?\s*(?P<least>\d{1,2})\s*[-–~～〜到至]\s*(?P<most>\d{1,2})\s*[次回](?!会话|會話)",
            _so_many_times_a,
        ),
        (
            r"每\s*(?P<least>\d{1,3})\s*[-–~～到至]\s*(?P<most>\d{1,3})\s*个?個?\s*(?:天|日)",
            r" every \g<least>-\g<most> days ",
        ),
        (
            r"每\s*(?P<least>\d{1,3})\s*[-–~～到至]\s*(?P<most>\d{1,3})\s*个?個?\s*(?:小时|小時)",
            r" every \g<least>-\g<most> hours ",
        ),
        (
            r"(?P<least>\d{1,3})\s*[-–~～〜到至]\s*(?P<most>\d{1,3})\s*(?P<unit>分|時間|日|週)間?(?:ごと|おき)に?",
            _every_range,
        ),
        (
            r"[每毎]个?個?月の?(?:最后|最後)(?:一天|一日|の日)|[每毎]个?個?月[末底]",
            " on the last day of every month ",
        ),
        (
            rf"每(?:隔)?\s*(?P<number>{_DIGITS})\s*个?個?\s*(?P<unit>秒钟?|分钟?|分鐘|小时|小時|钟头|鐘頭|天|日|周|週)(?:一次)?",
            _every_number,
        ),
        (r"(?P<number>\d{1,4})\s*(?P<unit>秒|分|時間|日|週)間?(?:ごと|毎|おき)(?:に)?", _every_number),
        (
            r"(?P<number>\d{1,4})\s*个?個?\s*(?P<unit>分钟|分鐘|小时|小時|天)(?=一次|定时|定時|轮询|輪詢|巡检|巡檢|循环|循環)",
            _every_number,
        ),
        (r"每(?:个|個)?(?:小时|小時)(?:一次)?|毎時|1?時間ごと", " every hour "),
        (r"每分钟|每分鐘|毎分", " every minute "),
        (r"半小时一次|半小時一次|30分に1回", " every 30 minutes "),
        (
            rf"每?{_WEEK}(?P<first>[一二三四五六日天])\s*(?:至|到|-|–|~|—)\s*{_WEEK}?(?P<last>[一二三四五六日天])(?!次)",
            _day_range,
        ),
        (
            r"(?P<first>[月火水木金土日])曜?日?\s*(?:から|~|-|–)\s*(?P<last>[月火水木金土日])(?:曜日?|(?=\s*\d))",
            _day_range,
        ),
        (
            rf"(?P<every>每|毎)?{_WEEK}(?P<days>[一二三四五六日天](?:[、,和/]?(?:{_WEEK})?[一二三四五六日天])*)(?![次回期])",
            _named_days,
        ),
        (
            r"(?P<every>毎週)の?(?P<days>[月火水木金土日](?:[、,・/と]?[月火水木金土日](?!曜?日?の))*)(?:曜日?)?",
            _named_days,
        ),
        (r"(?P<every>)(?P<days>[月火水木金土日](?:[、・/][月火水木金土日])*)曜日?", _named_days),
        (
            r"(?<![\u4e00-\u9fff])(?P<every>)(?P<days>[月火水木金土日](?:[、・/][月火水木金土日])+)(?=の?\s*(?:\d{1,2}[:時]|at |午[前後]|朝))",
            _named_days,
        ),
        (r"(?:每|毎)(?:个|個)?月\s*(?P<number>\d{1,2})\s*[号號日]", r" every month on day \g<number> "),
        (r"每天早上|每天上午|每天早晨|每早|每日早上|每日清晨|毎朝", " every morning "),
        (r"每天晚上|每晚|毎晩", " every evening "),
        (r"每天下午", " every afternoon "),
        (r"每天|每日|毎日", " every day "),
        (rf"每个?工作日|{_ALONE.format('工作日')}|平日(?:は|の)?", " every weekday "),
        (rf"每(?:个|個)?(?:周末|週末)|{_ALONE.format('(?:周末|週末)')}|土日", " every weekend "),
        (r"(?:每周|每週|每星期|毎週)(?:一次)?", " every week "),
        (r"每个?月|每個月|毎月", " every month "),
        (
            r"每次会话(?:开始|启动)?(?:时)?|每次會話開始|每个会话开始时|セッション開始時",
            " every session start ",
        ),
        (r"最多|至多|不超过|不超過|不得超过|最大で?|多くとも", " at most "),
        (r"不要|别|勿|禁止|不再", " never "),
        (
            r"静默(?:时间|时段)?|安静(?:时间|时段)?|安靜(?:時間|時段)?|免打扰(?:时间|时段)?|免打擾(?:時段)?|勿扰|サイレント(?:時間|タイム)?|静かな時間|おやすみ時間|深夜",
            " quiet hours ",
        ),
        (r"活跃(?:时间|时段)|活躍時[間段]|活动时间|活動時間|稼働時間|运行时段", " active hours "),
        (r"工作时间|工作時間|营业时间|営業時間|業務時間", " business hours "),
        (r"(?<=[\d ])\s*(?:至|到|から|まで)\s*(?=at|\d| )", " to "),
        (r"[〜～]", "-"),
        (r"[、和与與と](?=\s*at \d)", ", "),
        (r"(?<=\d )(?:に|の|は)", " "),
    ),
    {},
)

_SPANISH_DAYS: Final = {
    "lunes": "Monday",
    "martes": "Tuesday",
    "miércoles": "Wednesday",
    "jueves": "Thursday",
    "viernes": "Friday",
    "sábado": "Saturday",
    "sábados": "Saturdays",
    "domingo": "Sunday",
    "domingos": "Sundays",
}
SPANISH: Final = _language(
    "Spanish",
    _any_of(rf"\b(?:{calendar_phrases.SPANISH.needed}|cada|tod[oa]s? l[oa]s|diari\w+|a diario|semanal\w*|mensual\w*|veces|una vez|a las? \d|lunes|martes|miércoles|jueves|viernes|silencio|tranquil\w+|laborables|hábiles|entre semana|máximo)\b"),
    (
        *calendar_phrases.SPANISH.phrases,
        (r"\bde\s+(?P<a>lunes|martes|miércoles|jueves|viernes|sábado|domingo)\s+a\s+(?P<b>lunes|martes|miércoles|jueves|viernes|sábado|domingo)\b", r"\g<a> to \g<b>"),
        (rf"\b(?:de|desde|entre)\s+(?:las?\s+)?{_FIRST}\s*(?:h|hs|horas)?\s*(?:a|hasta|y|-|–)\s*(?:las?\s+)?{_LAST}(?:\s*(?:h|hs|horas)\b)?", _marked_range),
        (r"(?:\by\s+)?\ba\s+las?\s+(?P<hour>2[0-4]|[01]?\d)(?!\d)(?:[:.](?P<minute>[0-5]\d))?(?:\s*(?:hs?|horas)\b)?(?:\s+de\s+la\s+(?P<half>mañana|tarde|noche|madrugada))?", _clock),
        (_HOUR_IN_REMARK, _clock),
        (r"\b(?P<number>\d{1,2})\s+veces\b", r"\g<number> times"),
        (r"\b(?:el|un|del|tu|su|al|mi)\s+diario\b", "the journal"),
        (r"\ba\s+cada\b", "every"),
    ),
    {
        **_SPANISH_DAYS,
        "cada": "every", "todos los": "every", "todas las": "every", "todos los días": "every day", "cada día": "every day", "diariamente": "daily", "a diario": "daily", "diario": "daily", "diaria": "daily",
        "día": "day", "días": "days", "hora": "hour", "horas": "hours", "minuto": "minute", "minutos": "minutes", "segundos": "seconds", "semana": "week", "semanas": "weeks", "mes": "month", "media hora": "half hour", "cada hora": "every hour", "todas las horas": "every hour",
        "todas las semanas": "every week", "semanalmente": "weekly", "semanal": "weekly", "mensualmente": "monthly", "mensual": "monthly",
        "entre semana": "weekdays", "días laborables": "weekdays", "días hábiles": "weekdays", "todos los días laborables": "every weekday", "cada día laborable": "every weekday", "fines de semana": "weekends",
        "último día de": "last day of", "el último día de": "on the last day of", "una vez": "once", "dos veces": "twice", "tres veces": "three times", "cuatro veces": "four times", "al día": "a day", "por día": "a day", "por hora": "an hour", "a la semana": "a week", "por semana": "a week", "al mes": "a month",
        "dos": "two", "tres": "three", "cuatro": "four", "cinco": "five", "seis": "six", "diez": "ten", "doce": "twelve", "quince": "fifteen", "veinte": "twenty", "treinta": "thirty",
        "cada mañana": "every morning", "todas las mañanas": "every morning", "cada tarde": "every afternoon", "cada noche": "every evening", "todas las noches": "every evening", "al mediodía": "at noon", "a medianoche": "at midnight",
        "como máximo": "at most", "máximo": "at most", "no más de": "at most", "por ejemplo": "for example", "no": "never", "nunca": "never", "sin": "never", "quizás": "maybe", "podría": "might",
        "horas de silencio": "quiet hours", "horario de silencio": "quiet hours", "horas tranquilas": "quiet hours", "silencio": "quiet hours", "horario activo": "active hours", "horas activas": "active hours", "horario laboral": "business hours", "horario de oficina": "business hours", "horario de trabajo": "business hours", "y": "and", "hasta": "to",
    },
)  # fmt: skip

PORTUGUESE: Final = _language(
    "Portuguese",
    _any_of(rf"\b(?:{calendar_phrases.PORTUGUESE.needed}|cada|tod[oa]s? [oa]s?|toda|todo|diari\w+|diário|diária|semanal\w*|mensal\w*|vezes|uma vez|[àa]s \d|segunda|terça|quarta|quinta|sexta|silêncio|úteis|máximo)\b"),
    (
        *calendar_phrases.PORTUGUESE.phrases,
        (r"\b(?:de|da)\s+(?P<a>segunda|terça|quarta|quinta|sexta)(?:-feira)?\s+(?:a|à|até)\s+(?P<b>terça|quarta|quinta|sexta|sábado|domingo)(?:-feira)?\b", r"\g<a> to \g<b>"),
        (rf"\b(?:das?|de|desde|entre)\s+(?:as\s+)?{_FIRST}\s*h?\s*(?:às|as|à|a|até|e|-|–)\s*(?:as\s+)?{_LAST}(?:\s*(?:h|horas)\b)?", _marked_range),
        (r"(?:\be\s+)?(?<!\w)(?:às|as|à)\s+(?P<hour>2[0-4]|[01]?\d)(?!\d)(?:\s?[:.h]\s?(?P<minute>[0-5]\d)|\s?(?:h|horas)\b)?(?!\w)(?:\s+da\s+(?P<half>manhã|tarde|noite|madrugada))?", _clock),
        (_HOUR_IN_REMARK, _clock),
        (r"\b(?P<number>\d{1,2})\s+vezes\b", r"\g<number> times"),
        (r"\b(?:a\s+)?cada\b", "every"),
    ),
    {
        "segunda": "Monday", "segunda-feira": "Monday", "segundas": "Mondays", "segundas-feiras": "Mondays", "terça": "Tuesday", "terça-feira": "Tuesday", "terças": "Tuesdays", "quarta": "Wednesday", "quarta-feira": "Wednesday", "quinta": "Thursday", "quinta-feira": "Thursday", "sexta": "Friday", "sexta-feira": "Friday", "sextas": "Fridays", "sábado": "Saturday", "sábados": "Saturdays", "domingo": "Sunday", "domingos": "Sundays",
        "todos os": "every", "todas as": "every", "toda": "every", "todo": "every", "todos os dias": "every day", "todo dia": "every day", "todo o dia": "every day", "diariamente": "daily", "diário": "daily", "diária": "daily",
        "dia": "day", "dias": "days", "hora": "hour", "horas": "hours", "minuto": "minute", "minutos": "minutes", "segundos": "seconds", "semana": "week", "semanas": "weeks", "mês": "month", "meia hora": "half hour", "todas as horas": "every hour", "toda hora": "every hour",
        "semanalmente": "weekly", "semanal": "weekly", "mensalmente": "monthly", "mensal": "monthly", "dias úteis": "weekdays", "todos os dias úteis": "every weekday", "fins de semana": "weekends", "nos dias úteis": "weekdays",
        "último dia de": "last day of", "no último dia de": "on the last day of", "uma vez": "once", "duas vezes": "twice", "três vezes": "three times", "quatro vezes": "four times", "por dia": "a day", "ao dia": "a day", "por hora": "an hour", "por semana": "a week", "por mês": "a month",
        "duas": "two", "dois": "two", "três": "three", "quatro": "four", "cinco": "five", "seis": "six", "dez": "ten", "doze": "twelve", "quinze": "fifteen", "vinte": "twenty", "trinta": "thirty",
        "toda manhã": "every morning", "todas as manhãs": "every morning", "toda tarde": "every afternoon", "toda noite": "every evening", "todas as noites": "every evening", "ao meio-dia": "at noon", "à meia-noite": "at midnight",
        "no máximo": "at most", "máximo": "at most", "por exemplo": "for example", "não": "never", "nunca": "never", "talvez": "maybe", "poderia": "might",
        "horário de silêncio": "quiet hours", "horas de silêncio": "quiet hours", "período de silêncio": "quiet hours", "silêncio": "quiet hours", "horário ativo": "active hours", "horas ativas": "active hours", "horário comercial": "business hours", "horário de trabalho": "business hours", "horário de expediente": "business hours", "até": "to",
    },
)  # fmt: skip

GERMAN: Final = _language(
    "German",
    _any_of(rf"\b(?:{calendar_phrases.GERMAN.needed}|alle|jede[nrsm]?|täglich\w*|stündlich|wöchentlich\w*|monatlich|werktags|werktäglich|\w+tags|uhr|\w*mal (?:am|pro|täglich|in der)|ruhezeit\w*|nachtruhe|geschäftszeiten|arbeitszeit\w*|montag|freitag|sonntag|mo\s?[-–]\s?fr)\b"),
    (
        *calendar_phrases.GERMAN.phrases,
        (rf"(?:\b(?:von)\s+)?{_FIRST}(?:\s*uhr)?\s*(?:bis|-|–)\s*{_LAST}\s*(?:uhr|h\b)", _range),
        (rf"\bzwischen\s+{_FIRST}(?:\s*uhr)?\s*und\s*{_LAST}(?:\s*uhr)?", _range),
        (r"\bund\s+(?=\d{1,2}(?:[:.]\d\d)?\s*uhr)", "and "),
        (r"(?:\b(?:um|gegen|ab)\s+)?\b(?P<hour>2[0-4]|[01]?\d)(?!\d)(?:[:.](?P<minute>[0-5]\d))?\s*uhr(?:\s*(?P<minutes>[0-5]\d)\b)?(?:\s*(?P<half>morgens|vormittags|nachmittags|abends)\b)?", _clock),
        (r"\b(?P<number>\d{1,2})\s?-?\s?mal\b", r"\g<number> times"),
        (r"\bmo\.?\s*(?:-|–|bis)\s*fr\b\.?", "Monday to Friday"),
        (r"\bmo\.?\s*(?:-|–|bis)\s*so\b\.?", "Monday to Sunday"),
    ),
    {
        "montag": "Monday", "dienstag": "Tuesday", "mittwoch": "Wednesday", "donnerstag": "Thursday", "freitag": "Friday", "samstag": "Saturday", "sonnabend": "Saturday", "sonntag": "Sunday",
        "montags": "Mondays", "dienstags": "Tuesdays", "mittwochs": "Wednesdays", "donnerstags": "Thursdays", "freitags": "Fridays", "samstags": "Saturdays", "sonntags": "Sundays",
        "alle": "every", "jede": "every", "jeden": "every", "jeder": "every", "jedes": "every", "täglich": "daily", "tägliche": "daily", "täglicher": "daily", "tägliches": "daily", "wöchentliches": "weekly", "monatliche": "monthly", "monatlicher": "monthly", "stündlich": "hourly", "wöchentlich": "weekly", "wöchentliche": "weekly", "wöchentlicher": "weekly", "monatlich": "monthly",
        "tag": "day", "tage": "days", "tagen": "days", "stunde": "hour", "stunden": "hours", "minute": "minute", "minuten": "minutes", "sekunden": "seconds", "woche": "week", "wochen": "weeks", "monat": "month", "halbe stunde": "half hour",
        "werktags": "weekdays", "werktäglich": "every weekday", "an werktagen": "weekdays", "werktag": "weekday", "wochentags": "weekdays", "am wochenende": "weekends",
        "am letzten tag jedes monats": "on the last day of every month", "einmal": "once", "zweimal": "twice", "dreimal": "three times", "viermal": "four times", "am tag": "a day", "pro tag": "a day", "pro stunde": "an hour", "pro woche": "a week", "in der woche": "a week", "pro monat": "a month", "einmal täglich": "once daily", "zweimal täglich": "twice daily", "dreimal täglich": "three times daily",
        "zwei": "two", "drei": "three", "vier": "four", "fünf": "five", "sechs": "six", "zehn": "ten", "zwölf": "twelve", "fünfzehn": "fifteen", "zwanzig": "twenty", "dreißig": "thirty",
        "jeden morgen": "every morning", "jeden vormittag": "every morning", "jeden nachmittag": "every afternoon", "jeden abend": "every evening", "jede nacht": "every night", "mittags": "at noon", "um mitternacht": "at midnight",
        "höchstens": "at most", "maximal": "at most", "nicht öfter als": "at most", "zum beispiel": "for example", "z. b.": "for example", "z.b.": "for example", "nicht": "never", "nie": "never", "niemals": "never", "vielleicht": "maybe", "könnte": "might",
        "ruhezeit": "quiet hours", "ruhezeiten": "quiet hours", "nachtruhe": "quiet hours", "aktive zeiten": "active hours", "aktive zeit": "active hours", "geschäftszeiten": "business hours", "arbeitszeit": "business hours", "arbeitszeiten": "business hours", "bürozeiten": "business hours", "bis": "to", "und": "and", "zwischen": "between", "von": "from",
    },
)  # fmt: skip

FRENCH: Final = _language(
    "French",
    _any_of(rf"\b(?:{calendar_phrases.FRENCH.needed}|toutes les|tous les|chaque|quotidien\w*|hebdomadaire\w*|mensuel\w*|fois par|[àa] \d{1,2} ?h|\d ?h ?\d|lundi|mardi|mercredi|jeudi|vendredi|heures calmes|silenc\w+|ouvrés|ouvrables|en semaine)\b"),
    (
        *calendar_phrases.FRENCH.phrases,
        (r"\bdu\s+(?P<a>lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)\s+au\s+(?P<b>lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)\b", r"\g<a> to \g<b>"),
        (r"\b(?P<every>toutes les|tous les)\s+(?P<least>\d{1,3})\s*(?:à|ou|-|–)\s*(?=\d{1,3}\s+(?:minutes|heures|jours|semaines))", r"every \g<least>-"),
        (rf"(?:\b(?:de|entre|dès)\s+)?{_FIRST}\s*h?\s*(?:à|a|et|-|–)\s*{_LAST}(?:\s*h\b)?", _marked_range),
        (r"(?:\bet\s+)?(?<!\w)(?:à|vers|dès)\s+(?P<hour>2[0-4]|[01]?\d)(?!\d)\s?(?:[:h]\s?(?P<minute>[0-5]\d)|h\b|heures\b)(?:\s+d[ue]\s+(?:l['’])?(?P<half>matin|soir|après-midi))?", _clock),
        (r"(?<![\w:])(?P<hour>2[0-4]|[01]?\d)(?!\d)\s?h\s?(?P<minute>[0-5]\d)\b", _clock),
        (_HOUR_IN_REMARK, _clock),
        (r"\b(?P<number>\d{1,2})\s+fois\b", r"\g<number> times"),
    ),
    {
        "lundi": "Monday", "mardi": "Tuesday", "mercredi": "Wednesday", "jeudi": "Thursday", "vendredi": "Friday", "samedi": "Saturday", "dimanche": "Sunday",
        "lundis": "Mondays", "mardis": "Tuesdays", "mercredis": "Wednesdays", "jeudis": "Thursdays", "vendredis": "Fridays", "samedis": "Saturdays", "dimanches": "Sundays",
        "toutes les": "every", "tous les": "every", "chaque": "every", "tous les jours": "every day", "quotidiennement": "daily", "quotidien": "daily", "quotidienne": "daily", "toutes les heures": "every hour", "toutes les semaines": "every week", "tous les mois": "every month",
        "jour": "day", "jours": "days", "heure": "hour", "heures": "hours", "minute": "minute", "minutes": "minutes", "secondes": "seconds", "semaine": "week", "semaines": "weeks", "mois": "month", "demi-heure": "half hour", "toutes les demi-heures": "every half hour",
        "hebdomadaire": "weekly", "mensuel": "monthly", "mensuelle": "monthly", "en semaine": "weekdays", "les jours ouvrés": "weekdays", "jours ouvrés": "weekdays", "tous les jours ouvrés": "every weekday", "chaque jour ouvré": "every weekday", "jours ouvrables": "weekdays", "le week-end": "weekends",
        "le dernier jour de chaque mois": "on the last day of every month", "une fois": "once", "deux fois": "twice", "trois fois": "three times", "quatre fois": "four times", "par jour": "a day", "par heure": "an hour", "par semaine": "a week", "par mois": "a month",
        "deux": "two", "trois": "three", "quatre": "four", "cinq": "five", "six": "six", "dix": "ten", "douze": "twelve", "quinze": "fifteen", "vingt": "twenty", "trente": "thirty",
        "chaque matin": "every morning", "tous les matins": "every morning", "chaque après-midi": "every afternoon", "chaque soir": "every evening", "tous les soirs": "every evening", "à midi": "at noon", "à minuit": "at midnight",
        "au plus": "at most", "au maximum": "at most", "maximum": "at most", "pas plus de": "at most", "par exemple": "for example", "jamais": "never", "pas": "never", "peut-être": "maybe", "pourrait": "might",
        "heures calmes": "quiet hours", "heures de silence": "quiet hours", "heures silencieuses": "quiet hours", "silence": "quiet hours", "heures actives": "active hours", "plage active": "active hours", "heures de bureau": "business hours", "heures de travail": "business hours", "heures ouvrables": "business hours", "et": "and",
    },
)  # fmt: skip

RUSSIAN: Final = _language(
    "Russian",
    lambda text: has_any(text, CYRILLIC),
    (
        *calendar_phrases.RUSSIAN,
        (r"\bраз\s+в\s+(?P<number>\d{1,4})\s+(?=минут|час|дн|недел)", r"every \g<number> "),
        (r"\b(?:(?P<number>\d{1,2}|один|два|три|четыре)\s+)?раза?\s+в\s+(?P<per>день|сутки|час|неделю|месяц)\b", _per),
        (rf"\bс\s+{_FIRST}(?:\s*час\w*)?\s+(?:до|по)\s+{_LAST}(?:\s*час\w*)?", _range),
        (rf"\b(?:между)\s+{_FIRST}\s+и\s+{_LAST}", _range),
        (r"(?:\bи\s+)?\b(?:в|к)\s+(?P<hour>2[0-4]|[01]?\d)(?!\d)(?:[:.](?P<minute>[0-5]\d))?(?!\s*(?:[-–]|раз|мин|д[нe]|недел))(?:\s*час\w*)?(?:\s+(?P<half>утра|дня|вечера|ночи)\b)?", _clock),
        (r"\bс\s+(?P<a>понедельника|вторника|среды|четверга|пятницы)\s+по\s+(?P<b>вторник|среду|четверг|пятницу|субботу|воскресенье)\b", r"\g<a> to \g<b>"),
        (r"\bпн\s*[-–]\s*пт\b", "Monday to Friday"),
    ),
    {
        "понедельник": "Monday", "вторник": "Tuesday", "среду": "Wednesday", "четверг": "Thursday", "пятницу": "Friday", "субботу": "Saturday", "воскресенье": "Sunday", "понедельника": "Monday", "вторника": "Tuesday", "среды": "Wednesday", "четверга": "Thursday", "пятницы": "Friday",
        "по понедельникам": "Mondays", "по вторникам": "Tuesdays", "по средам": "Wednesdays", "по четвергам": "Thursdays", "по пятницам": "Fridays", "по субботам": "Saturdays", "по воскресеньям": "Sundays",
        "каждый": "every", "каждую": "every", "каждые": "every", "каждое": "every", "ежедневно": "daily", "щодня": "daily", "каждый день": "every day", "ежечасно": "hourly", "каждый час": "every hour", "еженедельно": "weekly", "еженедельный": "weekly", "ежедневная": "daily", "ежедневные": "daily", "еженедельная": "weekly", "еженедельные": "weekly", "ежемесячная": "monthly", "ежемесячный": "monthly", "ежедневный": "daily", "ежемесячно": "monthly", "каждую неделю": "every week", "каждый месяц": "every month",
        "день": "day", "дня": "days", "дней": "days", "час": "hour", "часа": "hours", "часов": "hours", "минута": "minute", "минуту": "minute", "минуты": "minutes", "минут": "minutes", "секунд": "seconds", "неделю": "week", "недели": "weeks", "недель": "weeks", "месяц": "month", "полчаса": "half hour",
        "по будням": "weekdays", "в будние дни": "weekdays", "по рабочим дням": "weekdays", "каждый будний день": "every weekday", "каждый рабочий день": "every weekday", "по выходным": "weekends",
        "два": "two", "две": "two", "три": "three", "четыре": "four", "пять": "five", "шесть": "six", "десять": "ten", "двенадцать": "twelve", "пятнадцать": "fifteen", "двадцать": "twenty", "тридцать": "thirty", "дважды": "twice", "трижды": "thrice", "в день": "a day", "в неделю": "a week", "в час": "an hour",
        "каждое утро": "every morning", "каждый вечер": "every evening", "каждую ночь": "every night", "в полдень": "at noon", "в полночь": "at midnight",
        "не более": "at most", "не чаще": "at most", "максимум": "at most", "например": "for example", "не": "never", "никогда": "never", "возможно": "maybe",
        "тихие часы": "quiet hours", "часы тишины": "quiet hours", "время тишины": "quiet hours", "не беспокоить": "quiet hours", "тихий час": "quiet hours", "активные часы": "active hours", "рабочее время": "business hours", "рабочие часы": "business hours", "в рабочее время": "during business hours", "и": "and",
    },
)  # fmt: skip

INDONESIAN: Final = _language(
    "Malay and Indonesian",
    _any_of(r"\bsetiap\b"),
    ((r"\bpukul\s+(?=\d)", "at "),),
    {"setiap": "every", "setiap hari": "every day", "menit": "minutes", "jam": "hours", "hari": "days"},
)

LANGUAGES: Final = (CHINESE_AND_JAPANESE, SPANISH, PORTUGUESE, GERMAN, FRENCH, RUSSIAN, INDONESIAN)
"""In this order; the first words that match a text are translated, so a text in two languages is no problem."""
