"""Reads time zones in text: IANA names, abbreviations, offsets from UTC, and cities in eight languages."""

import re
from typing import Final

from msgspec import Struct

from melleafy_tui.core.language.text_measures import HAN, has_any
from melleafy_tui.core.language.words import PatternTable
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.tables import table_beside

_ZONES: Final[dict[str, dict[str, str]]] = {
    kind: {name: zone for zone, names in by_zone.items() for name in names}
    for kind, by_zone in table_beside(__file__, "zones.toml").items()
}
_BY_NAME: Final = {name.casefold(): zone for name, zone in _ZONES["places"].items()}

_IANA: Final = (
    r"\b(?:(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc)"
    r"/[A-Za-z][A-Za-z_+-]*(?:/[A-Za-z_+-]+)?(?:[+-]\d{1,2})?)"
)
_NAMES: Final = "|".join(sorted((re.escape(name) for name in _ZONES["places"]), key=len, reverse=True))
_LONG: Final = "|".join(
    sorted((name for name in _ZONES["abbreviations"] if len(name) > 2), key=len, reverse=True)
)
_TABLE: Final = PatternTable(table_beside(__file__, "zone_forms.toml"), IANA=_IANA, LONG=_LONG, NAMES=_NAMES)
_FORMS: Final = tuple(LazyRegex(_TABLE.filled(form), re.IGNORECASE) for form in _TABLE.table["forms"])
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
            return _ZONES["abbreviations"].get(abbreviation, "")
    return ""


def _offset(match: re.Match[str]) -> str:
    """Return the zone of an offset; the signs of `Etc/GMT-8` are the opposite of those that people write."""
    hours, minutes = int(match["hours"]), int(match["minutes"] or 0)
    east = match["sign"] == "+"
    if minutes:
        return _ZONES["offsets"].get(f"{'+' if east else '-'}{hours}:{minutes:02d}", "")
    return f"Etc/GMT{'-' if east else '+'}{hours}" if hours else "UTC"
