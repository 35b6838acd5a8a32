"""Finds what a text with a cadence is about: the words around the cadence, and whether they name a task."""

import re
from typing import Final

from msgspec import Struct

from melleafy_tui.core.dialects.openclaw.wake_words import is_about_waking_only
from melleafy_tui.core.language.time.cadence import readable_line
from melleafy_tui.core.language.time.zones import zone_at
from melleafy_tui.core.models.classification import Schedule

_CLAUSE_END: Final = re.compile(r"[—–(（:：;；,，.。!]|\s-\s|→")


class CadenceSubject(Struct, frozen=True):
    """What a text with a cadence is about.

    Attributes:
        words: The words before the cadence; if they are nothing but filler, the clause directly after it.
        cadence_first: Whether the text starts with the cadence.
        more: What it says beyond the cadence and its subject.
    """

    words: str
    cadence_first: bool
    more: str = ""

    @property
    def is_waking(self) -> bool:
        """Return whether the subject is the agent's wake-up, or nothing at all."""
        return is_about_waking_only(self.words)

    @property
    def announces(self) -> bool:
        """Return whether the text has no task of its own, but gives the time of what follows."""
        empty = self.is_waking or self.words.rstrip("* ").endswith((":", "："))
        return empty and not (self.cadence_first and self.more)


def subject_of(text: str, found: Schedule) -> CadenceSubject:
    """Return what a cadence in a text is about."""
    text = readable_line(text)
    zone = zone_at(text)
    if zone is not None and text[zone.start : zone.end] not in found.cadence:
        text = re.sub(r"\s+(?=[)）])", "", f"{text[: zone.start]} {text[zone.end :]}")
    before, _, after = text.partition(found.cadence) if found.cadence in text else (text, "", "")
    cadence_first = not re.search(r"[^\W\d_]", before)
    before = re.sub(r"[(（][^)）]*$", "", before)
    if not is_about_waking_only(before):
        return CadenceSubject(before.strip(), cadence_first)
    end = _CLAUSE_END.search(after)
    clause = after[: end.start()] if end else after
    rest = after[end.end() :] if end else ""
    more = rest.strip(" .。)）")
    return CadenceSubject(
        f"{before} {clause}".strip(), cadence_first, "" if is_about_waking_only(more) else more
    )
