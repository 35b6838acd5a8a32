"""Says which extra files a release accepts, and takes the lines of policy of one for a digest."""

import re
from re import Pattern
from typing import Final

from msgspec import Struct

from melleafy_tui.core.openclaw.prompt.releases import MEMORY_OTHER, Assembly, Digest, MemoryName
from melleafy_tui.core.openclaw.prompt.utf16 import WHITE_SPACE, before, line_spans, units
from melleafy_tui.core.tables import table_beside


def accepted(assembly: Assembly, path: str) -> bool:
    """Return whether a release accepts an extra file with this name."""
    name = path.rpartition("/")[2]
    if name == MEMORY_OTHER:
        return assembly.memory is not MemoryName.CAPITALS
    return name in assembly.order


_WORDS: Final[dict[str, list[str]]] = table_beside(__file__, "policy_words.toml")
_LONGEST: Final = 240
_STRUCTURE = re.compile(r"(?:#{1,6}|[-*+]|[0-9]+[.)]) \S")
_FENCE = re.compile(r"`{3}|~{3}")
_SPACES = re.compile(f"[{WHITE_SPACE}]+")


class _Candidate(Struct, frozen=True):
    text: str
    places: tuple[int, ...]
    first: bool


def digest_of(text: str, digest: Digest, room: int) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Return the candidates in order, each with the positions of its lines; one that doesn't fit has the text `""`.

    Args:
        text: The whole file, in code units.
        digest: What a candidate is.
        room: Most code units of the digest.
    """
    if room <= 0:
        return ()
    candidates = _candidates(text, digest)
    taken: set[int] = set()
    used = 0
    for place in sorted(range(len(candidates)), key=lambda place: not candidates[place].first):
        length = len(candidates[place].text) + (1 if taken else 0)
        if used + length <= room:
            taken.add(place)
            used += length
    # Later releases retry the lines of the first round that had no room in another order; that changes nothing: what
    # had no room then has none later.
    return tuple(
        (candidate.text if place in taken else "", candidate.places)
        for place, candidate in enumerate(candidates)
    )


def _candidates(text: str, digest: Digest) -> list[_Candidate]:
    words, first_words = _patterns_of_policy_digest(digest)
    with_lead_in = digest is Digest.LINES_WITH_LEAD_IN
    found: list[_Candidate] = []
    lead_in: tuple[str, int] | None = None
    for start, end in _policy_lines(text):
        line = _normalised(text[start:end])
        if not line or (with_lead_in and _FENCE.match(line)):
            lead_in = None
        elif _STRUCTURE.match(line) or words.search(line):
            lead, places = ("", (start,)) if lead_in is None else (f"{lead_in[0]}\n", (lead_in[1], start))
            found.append(_Candidate(lead + line, places, bool(first_words.search(line))))
            lead_in = None
        elif with_lead_in:
            lead_in = (line, start)
    return found


def _policy_lines(text: str) -> list[tuple[int, int]]:
    """Return the start and end of each line; a lone CR does not end a line."""
    if "\r" not in text.replace("\r\n", "\n"):
        return line_spans(text)
    spans, start = [], 0
    for match in re.finditer(r"\r?\n", text):
        spans.append((start, match.start()))
        start = match.end()
    return [*spans, (start, len(text))]


def _normalised(line: str) -> str:
    text = _SPACES.sub(" ", line).strip(" ")
    if len(text) <= _LONGEST:
        return text
    return text[: before(text, _LONGEST - 1, whole=True)] + "…"


def _patterns_of_policy_digest(digest: Digest) -> tuple[Pattern[str], Pattern[str]]:
    chinese = digest is Digest.LINES_WITH_LEAD_IN
    first = _pattern(_WORDS["first"], _WORDS["first_chinese"] if chinese else [])
    free = [*_WORDS["first_chinese"], *_WORDS["also_chinese"]] if chinese else []
    return _pattern([*_WORDS["first"], *_WORDS["also"]], free), first


def _pattern(words: list[str], without_bounds: list[str]) -> Pattern[str]:
    bounded = "|".join(re.escape(word) for word in words)
    free = "".join(f"|{re.escape(units(word))}" for word in without_bounds)
    # Word boundaries are ASCII, as in JavaScript; letters are compared case-insensitively.
    return re.compile(rf"(?a:\b)(?:{bounded})(?a:\b){free}", re.IGNORECASE)
