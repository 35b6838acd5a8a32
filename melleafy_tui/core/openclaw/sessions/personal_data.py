"""Masks secrets and recognizable personal data in transcripts.

Names of people have no pattern, so the caller lists the ones to mask. Masking twice changes nothing.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from melleafy_tui.core.models.decisions import PickedFixture
from melleafy_tui.core.models.visible_text import visible
from melleafy_tui.core.source.secrets.detector import find_secrets, mask_secrets
from melleafy_tui.core.tables import table_beside

_HIDDEN: Final = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_PLACEHOLDER: Final = re.compile(
    r"(\$\{\w+\}|\[(?:password|email|handle|account|ip|number|user|name)\])", re.ASCII
)
_ROUNDS: Final = 6
"""The text that one mask leaves can match another; after this many rounds no matches are left."""


class PersonalRow(Struct, frozen=True):
    """One kind of personal data: its name, its pattern, and its replacement."""

    kind: str
    pattern: re.Pattern[str]
    replacement: str


EMAIL: Final = "e-mail address"
LONGEST_PLACE: Final = 1_000
"""Most characters of a place shown in a fixture; only the end of a longer one is shown."""

_TABLE: Final[dict[str, Any]] = table_beside(__file__, "personal_data.toml")


def _row(kind: Mapping[str, Any]) -> PersonalRow:
    pattern = re.sub(r"<([A-Z]+)>", lambda part: _TABLE["part"][part[1]], kind["pattern"])
    flags = re.NOFLAG if kind.get("case") else re.IGNORECASE
    return PersonalRow(kind["name"], re.compile(pattern, flags), kind["replacement"])


PERSONAL_DATA: Final = tuple(map(_row, _TABLE["kind"]))
"""Checked in order."""


class Masked(Struct, frozen=True):
    """A masked text, and how many matches of each kind were masked."""

    text: str
    found: dict[str, int]


def mask_private(text: str, names: Sequence[str] = ()) -> Masked:
    """Return the text with secrets, personal data and the given names masked.

    Args:
        text: A turn of a transcript.
        names: Additional words to mask, such as names of people.
    """
    found: Counter[str] = Counter()
    text = _HIDDEN.sub("", text.encode("utf-8", "replace").decode())
    for _ in range(_ROUNDS):
        before = text
        text = _masked_once(text, names, found)
        if text == before:
            break
    return Masked(text, dict(sorted(found.items())))


def mask_place(text: str) -> str:
    """Return a path or an id with e-mail addresses masked; numbers stay, because ids consist of them."""
    for row in PERSONAL_DATA:
        if row.kind == EMAIL:
            text = row.pattern.sub(row.replacement, text)
    shown = visible(text)
    return shown if len(shown) <= LONGEST_PLACE else f"…{shown[1 - LONGEST_PLACE :]}"


def _masked_once(text: str, names: Sequence[str], found: Counter[str]) -> str:
    secrets = find_secrets(text)
    if secrets:
        found["secret"] += len(secrets)
        text = mask_secrets(text)
    for row in PERSONAL_DATA:
        text, count = row.pattern.subn(row.replacement, text)
        if count:
            found[row.kind] += count
    for name in filter(None, map(str.strip, names)):
        pattern = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
        parts = _PLACEHOLDER.split(text)
        for place in range(0, len(parts), 2):
            parts[place], count = pattern.subn("[name]", parts[place])
            if count:
                found["name"] += count
        text = "".join(parts)
    return text


def masked_fixture(fixture: PickedFixture) -> PickedFixture:
    """Return a picked fixture with its text masked; the decisions file may have been edited by hand."""
    return fixture.model_copy(
        update={
            "message": mask_private(fixture.message).text or "[empty]",
            "expected": mask_private(fixture.expected).text,
        }
    )
