"""Reads time zones in text: IANA names, abbreviations, offsets from UTC, and cities in eight languages."""

import re
from typing import Final

from msgspec import Struct

from melleafy_tui.core.language.scripts import HAN, has_any
from melleafy_tui.core.lazy_regex import LazyRegex

_ABBREVIATIONS: Final = {
    "EST": "America/New_York", "EDT": "America/New_York", "ET": "America/New_York",
    "CST": "America/Chicago", "CDT": "America/Chicago", "CT": "America/Chicago",
    "MST": "America/Denver", "MDT": "America/Denver", "MT": "America/Denver",
    "PST": "America/Los_Angeles", "PDT": "America/Los_Angeles", "PT": "America/Los_Angeles",
    "BRT": "America/Sao_Paulo", "ART": "America/Argentina/Buenos_Aires",
    "UTC": "UTC", "GMT": "GMT", "BST": "Europe/London", "WET": "Europe/Lisbon", "CET": "Europe/Paris",
    "CEST": "Europe/Paris", "MEZ": "Europe/Berlin", "MESZ": "Europe/Berlin", "EET": "Europe/Athens",
    "EEST": "Europe/Athens", "MSK": "Europe/Moscow", "МСК": "Europe/Moscow", "IST": "Asia/Kolkata",
    "SGT": "Asia/Singapore", "HKT": "Asia/Hong_Kong", "JST": "Asia/Tokyo", "KST": "Asia/Seoul",
    "AEST": "Australia/Sydney", "AEDT": "Australia/Sydney", "AET": "Australia/Sydney", "NZST": "Pacific/Auckland",
    "NZDT": "Pacific/Auckland",
}  # fmt: skip
"""People write EST all year round, so an abbreviation means the zone with its summer time."""

_PLACES: Final = {
    "New York": "America/New_York", "Nueva York": "America/New_York", "Nova York": "America/New_York",
    "Нью-Йорку": "America/New_York", "纽约": "America/New_York", "eastern": "America/New_York",
    "Toronto": "America/Toronto", "Chicago": "America/Chicago", "central": "America/Chicago",
    "Denver": "America/Denver", "mountain": "America/Denver", "Los Angeles": "America/Los_Angeles",
    "San Francisco": "America/Los_Angeles", "Seattle": "America/Los_Angeles", "pacific": "America/Los_Angeles",
    "Mexico City": "America/Mexico_City", "Ciudad de México": "America/Mexico_City",
    "México": "America/Mexico_City", "CDMX": "America/Mexico_City", "Bogotá": "America/Bogota",
    "Bogota": "America/Bogota", "Colombia": "America/Bogota", "Lima": "America/Lima",
    "Buenos Aires": "America/Argentina/Buenos_Aires", "Santiago": "America/Santiago",
    "São Paulo": "America/Sao_Paulo", "Sao Paulo": "America/Sao_Paulo", "Brasília": "America/Sao_Paulo",
    "Brasilia": "America/Sao_Paulo", "London": "Europe/London", "Londres": "Europe/London",
    "UK": "Europe/London", "Dublin": "Europe/Dublin", "Lisbon": "Europe/Lisbon", "Lisboa": "Europe/Lisbon",
    "Madrid": "Europe/Madrid", "Barcelona": "Europe/Madrid", "España": "Europe/Madrid", "Paris": "Europe/Paris",
    "París": "Europe/Paris", "Brussels": "Europe/Brussels", "Bruxelles": "Europe/Brussels",
    "Amsterdam": "Europe/Amsterdam", "Zurich": "Europe/Zurich", "Zürich": "Europe/Zurich",
    "Zürch": "Europe/Zurich", "Vienna": "Europe/Vienna", "Wien": "Europe/Vienna", "Rome": "Europe/Rome",
    "Berlin": "Europe/Berlin", "Munich": "Europe/Berlin", "München": "Europe/Berlin",
    "Hamburg": "Europe/Berlin", "Берлину": "Europe/Berlin", "Stockholm": "Europe/Stockholm",
    "Warsaw": "Europe/Warsaw", "Kyiv": "Europe/Kyiv", "Киеву": "Europe/Kyiv", "Moscow": "Europe/Moscow",
    "Москве": "Europe/Moscow", "Moscú": "Europe/Moscow", "Moscou": "Europe/Moscow", "Istanbul": "Europe/Istanbul",
    "Dubai": "Asia/Dubai", "India": "Asia/Kolkata", "Delhi": "Asia/Kolkata", "Singapore": "Asia/Singapore",
    "新加坡": "Asia/Singapore", "Jakarta": "Asia/Jakarta", "Beijing": "Asia/Shanghai", "Shanghai": "Asia/Shanghai",
    "China": "Asia/Shanghai", "北京": "Asia/Shanghai", "上海": "Asia/Shanghai", "中国": "Asia/Shanghai",
    "Taipei": "Asia/Taipei", "Taiwan": "Asia/Taipei", "台北": "Asia/Taipei", "台灣": "Asia/Taipei",
    "台湾": "Asia/Taipei", "Hong Kong": "Asia/Hong_Kong", "香港": "Asia/Hong_Kong", "Tokyo": "Asia/Tokyo",
    "Japan": "Asia/Tokyo", "東京": "Asia/Tokyo", "东京": "Asia/Tokyo", "日本": "Asia/Tokyo",
    "Seoul": "Asia/Seoul", "Sydney": "Australia/Sydney", "Auckland": "Pacific/Auckland",
}  # fmt: skip
_BY_NAME: Final = {name.casefold(): zone for name, zone in _PLACES.items()}
_HALF_HOURS: Final = {
    "+5:30": "Asia/Kolkata",
    "+5:45": "Asia/Kathmandu",
    "+9:30": "Australia/Darwin",
    "+3:30": "Asia/Tehran",
}

_IANA: Final = (
    r"\b(?:(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc)"
    r"/[A-Za-z][A-Za-z_+-]*(?:/[A-Za-z_+-]+)?(?:[+-]\d{1,2})?)"
)
_NAMES: Final = "|".join(sorted((re.escape(name) for name in _PLACES), key=len, reverse=True))
_LONG: Final = "|".join(sorted((name for name in _ABBREVIATIONS if len(name) > 2), key=len, reverse=True))
_FORMS: Final = tuple(
    LazyRegex(form, re.IGNORECASE)
    for form in (
        rf"(?P<iana>{_IANA})",
        r"\b(?:UTC|GMT)\s?(?P<sign>[+−-])(?P<hours>1[0-4]|0?\d)(?::?(?P<minutes>[0-5]\d))?(?!\d)",
        rf"\b(?P<abbreviation>{_LONG})\b(?!\s*/\s*[A-Z]{{2,4}}\b|[-_]\w)",
        r"(?:(?<=[\d)])|(?<=[ap]m)|(?<=[ap]\.m\.)|\b(?:days?|week-?days(?: only)?|mornings?|midday|noon|evenings?"
        r"|nights?|times?|mon|tue|wed|thu|fri|sat|sun)\b|[(,])[\s,(（]{0,3}(?P<abbreviation>ET|CT|MT|PT)\b(?![-_/]?\w)",
        rf"\b(?P<place>{_NAMES})(?:\s(?:local|standard|daylight))?[\s-](?:time(?:zone)?)\b",
        r"(?:(?<=[ap]m)|(?<=[ap]\.m\.))\s(?P<place>Pacific|Eastern|Mountain)\b",
        r"\b(?:hora|heure|horário|horario|Zeitzone)\s(?:local\s)?(?:d[eo]\s|du\s|da\s)?(?:la\s)?"
        rf"(?P<place>{_NAMES})\b",
        rf"\b(?P<place>{_NAMES})e?r\sZeit\b",
        rf"\bпо\s(?P<place>{_NAMES})\b",
        r"(?P<moscow>московско\w+ врем\w+)",
        rf"(?P<place>{_NAMES})(?:时间|時間|标准时间|標準時)",
    )
)
"""Ways to name a zone; where several match, the first in the text counts, and of those the first of this list."""


class Zone(Struct, frozen=True):
    """A time zone that a text names: its IANA name, and where the words start and end."""

    name: str
    start: int
    end: int


def zone_at(text: str) -> Zone | None:
    """Return the first time zone that a text names, or None if it names none that is certain."""
    matches = sorted((match for form in _FORMS for match in form.finditer(text)), key=re.Match.start)
    end = 0
    for match in matches:
        if match.start() < end:
            continue
        name = _name(match)
        end = match.end()
        if name:
            start = match.start("abbreviation") if "abbreviation" in match.groupdict() else match.start()
            return Zone(name, start, end)
    return None


def zone_in(text: str) -> str:
    """Return the IANA name of the first zone that a text names, or `""`."""
    found = zone_at(text)
    return found.name if found is not None else ""


def _name(match: re.Match[str]) -> str:
    match match.groupdict():
        case {"iana": str(name)}:
            return name
        case {"sign": _}:
            return _offset(match)
        case {"moscow": _}:
            return "Europe/Moscow"
        case {"place": str(place)}:
            return _BY_NAME.get(place.casefold(), "")
        case {"abbreviation": "CST"} if has_any(match.string, HAN):
            return "Asia/Shanghai"
        case {"abbreviation": str(abbreviation)}:
            # Zones are written in capitals: "et" is French, and "est" a verb in two languages.
            return _ABBREVIATIONS.get(abbreviation, "")
    return ""


def _offset(match: re.Match[str]) -> str:
    """Return the zone of an offset; the signs of `Etc/GMT-8` are the opposite of those that people write."""
    hours, minutes = int(match["hours"]), int(match["minutes"] or 0)
    east = match["sign"] == "+"
    if minutes:
        return _HALF_HOURS.get(f"{'+' if east else '-'}{hours}:{minutes:02d}", "")
    return f"Etc/GMT{'-' if east else '+'}{hours}" if hours else "UTC"
