"""Infers archetype, shape and tool involvement from the wording and form of the source, each with a confidence.

This works without a model, by counting words from lists. The evidence is shown to the user, and nothing else depends
on it. Stock text doesn't count, since the owner didn't write it.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Final, Generic, TypeVar

from msgspec import Struct

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.classification import AxisEvidence
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.vocabulary import Archetype, Shape, ToolInvolvement
from melleafy_tui.core.source.json5 import Json5Error, parse_json5
from melleafy_tui.core.source.limits import LINES_READ
from melleafy_tui.core.tables import table_beside

IsStock = Callable[[str], bool]
OwnLine = tuple[str, int, str]
"""Path, line number and text of a line."""

ValueT = TypeVar("ValueT")

MOST_EVIDENCE: Final = 5
"""Most lines shown as evidence for an axis."""

LONGEST_LINE: Final = 400
ORDERED_STEPS: Final = 3
"""Fewest consecutive numbered items that count as a sequence."""

_TABLE: Final = table_beside(__file__, "inferred_axes.toml")
_WORDS: Final = {Archetype(name): "|".join(forms) for name, forms in _TABLE["archetype"].items()}
_ARCHETYPES: Final = tuple(
    (archetype, LazyRegex(rf"\b(?:{forms})\b", re.IGNORECASE)) for archetype, forms in _WORDS.items()
)
_ANY_ARCHETYPE: Final = LazyRegex(rf"\b(?:{'|'.join(_WORDS.values())})\b", re.IGNORECASE)
"""All patterns in one: 96 % of the lines of a real workspace match none, and testing once takes 0.6 of the time."""

_ROLE_LINE: Final = LazyRegex(_TABLE["role_line"], re.IGNORECASE)
_WEIGHTS: Final[dict[str, float]] = _TABLE["weights"]
_ROLE_WEIGHT: Final = 4.0
_NOT_ABOUT_THE_AGENT: Final = frozenset(_TABLE["not_about_the_agent"])

_ORDERED: Final = re.compile(r"^\s{0,3}(\d{1,3})[.)]\s+\S")
_SEQUENCE_WORDS: Final = LazyRegex(_TABLE["shape"]["sequence"], re.IGNORECASE)


class _Sign(Struct, frozen=True):
    """One row of the table of tools; its place is where the pattern is searched, a path limits it to one file."""

    value: ToolInvolvement
    rule: str
    place: str
    pattern: LazyRegex
    path: str = ""


_SIGNS: Final = tuple(
    _Sign(
        ToolInvolvement(row["value"]), row["rule"], row["in"], LazyRegex(row["pattern"]), row.get("path", "")
    )
    for row in _TABLE["tools"]
)


class Inferred(Struct, Generic[ValueT], frozen=True):
    """The value of an axis with its evidence and confidence."""

    value: ValueT
    evidence: tuple[AxisEvidence, ...]
    confidence: float


def infer_archetype(lines: Sequence[OwnLine]) -> Inferred[Archetype]:
    """Return the archetype whose words occur most in the text about the agent."""
    votes: dict[Archetype, float] = dict.fromkeys(Archetype, 0.0)
    places: list[tuple[Archetype, AxisEvidence]] = []
    for path, number, line in lines:
        if path in _NOT_ABOUT_THE_AGENT or not _ANY_ARCHETYPE.search(line):
            continue
        weight = _ROLE_WEIGHT if _ROLE_LINE.match(line) else _WEIGHTS.get(path, 1.0)
        for archetype, words in _ARCHETYPES:
            match = words.search(line)
            if match:
                votes[archetype] += weight
                places.append((archetype, AxisEvidence("words", path, number, match.group().lower(), weight)))
    best = max(votes, key=lambda archetype: votes[archetype])
    if not votes[best]:
        none = AxisEvidence("default", note="no words about a kind of work were found")
        return Inferred(Archetype.KNOWLEDGE, (none,), 0.2)
    share = votes[best] / sum(votes.values())
    # A few words are weaker evidence than many with the same share.
    confidence = share * votes[best] / (votes[best] + 2.0)
    found = (place for archetype, place in places if archetype is best)
    shown = sorted(found, key=lambda place: -place.weight)[:MOST_EVIDENCE]
    return Inferred(best, tuple(shown), round(min(0.95, max(0.2, confidence)), 2))


def infer_shape(lines: Sequence[OwnLine]) -> Inferred[Shape]:
    """Return whether the source describes ordered steps: a numbered list of three or more, or words like "then"."""
    own = [line for line in lines if line[0] not in _NOT_ABOUT_THE_AGENT]
    lists = [AxisEvidence("numbered list", path, first) for path, first in _numbered_lists(own)]
    words = [
        AxisEvidence("words of sequence", path, number, weight=0.5)
        for path, number, line in own
        if not _ORDERED.match(line) and _SEQUENCE_WORDS.search(line)
    ]
    if lists:
        return Inferred(Shape.SEQUENTIAL, (*lists, *words)[:MOST_EVIDENCE], 0.8)
    if len(words) > 1:
        return Inferred(Shape.SEQUENTIAL, tuple(words[:MOST_EVIDENCE]), 0.6)
    return Inferred(Shape.ONE_SHOT, (AxisEvidence("default", note="no ordered steps were found"),), 0.6)


def _numbered_lists(lines: Iterable[OwnLine]) -> Iterator[tuple[str, int]]:
    """Yield path and first line of each numbered list with enough items; other lines may stand between them."""
    expected, first, where = 1, 0, ""
    for path, number, line in lines:
        if path != where:
            expected, where = 1, path
        if match := _ORDERED.match(line):
            value = int(match.group(1))
            first = number if value == 1 else first
            expected = value + 1 if value in (1, expected) else 1
            if value == ORDERED_STEPS and expected == ORDERED_STEPS + 1:
                yield path, first


def infer_tools(snapshot: Snapshot, lines: Sequence[OwnLine]) -> Inferred[ToolInvolvement]:
    """Return how tools are used: the model calls them, code calls them, they provide the input, or there are none."""
    for value in dict.fromkeys(sign.value for sign in _SIGNS):
        signs = [sign for sign in _SIGNS if sign.value is value]
        places = (place for sign in signs for place in _places(sign, snapshot))
        found = tuple(islice(chain(places, _spoken(signs, lines)), MOST_EVIDENCE))
        if found:
            sure = 0.9 if any(place.weight >= 1 for place in found) else 0.6
            return Inferred(value, found, sure)
    return Inferred(ToolInvolvement.NO_TOOLS, (AxisEvidence("default", note="no tool is named"),), 0.8)


def _places(sign: _Sign, snapshot: Snapshot) -> Iterator[AxisEvidence]:
    """Yield the files that show a use of tools, and the lines in specs and code that do."""
    if sign.place == "names":
        yield from (AxisEvidence(sign.rule, name) for name in snapshot.names if sign.pattern.fullmatch(name))
    for file in snapshot.files if sign.place in ("spec", "above", "code", "settings") else ():
        is_spec = sign.place == "spec" and file.path == (snapshot.primary or "SKILL.md")
        is_named = sign.place in ("above", "settings") and sign.pattern.fullmatch(file.path)
        if is_spec or (sign.place == "code" and file.path.endswith(".py")):
            lines = enumerate(file.lines, start=1)
            found = (number for number, line in lines if sign.pattern.match(line))
            for number in islice(found, 1 if is_spec else None):
                yield AxisEvidence(sign.rule, file.path, number)
        elif is_named and (sign.place == "above" or (line := _allowed_in(file))):
            yield AxisEvidence(sign.rule, file.path, 0 if sign.place == "above" else line)


def _spoken(signs: Iterable[_Sign], lines: Iterable[OwnLine]) -> Iterator[AxisEvidence]:
    """Yield the lines whose words show a use of tools, each with the first sign that fits."""
    spoken = [sign for sign in signs if sign.place == "lines"]
    for path, number, line in lines:
        fits = (sign.rule for sign in spoken if sign.path in ("", path) and sign.pattern.search(line))
        if rule := next(fits, ""):
            yield AxisEvidence(rule, path, number, weight=0.5)


def _allowed_in(settings: SourceFile) -> int:
    """Return the line of the settings that allows tools, or 0."""
    try:
        allowed = parse_json5(settings.text or "").at("permissions.allow")
    except Json5Error:
        return 0
    names = allowed is not None and any(isinstance(item.value, str) for item in allowed.items())
    return allowed.key_line if allowed is not None and names else 0


def own_lines(snapshot: Snapshot, is_stock: IsStock) -> Iterator[OwnLine]:
    """Yield the Markdown lines in the workspace's root that the owner wrote, up to the limit of a file."""
    for file in snapshot.files:
        if "/" in file.path or not file.path.endswith(".md"):
            continue
        filled = ((number, line) for number, line in enumerate(file.lines, start=1) if line.strip())
        for number, line in islice(filled, LINES_READ):
            if not is_stock(line):
                yield file.path, number, line[:LONGEST_LINE]
