"""Compares two workspaces, or their packages: what was added, removed, reworded, moved or is read differently."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final, Literal

from msgspec import Struct

from melleafy_tui.actions.choices import decision_words
from melleafy_tui.actions.compared_side import (
    ElementState,
    PackageFacts,
    Side,
    carries,
    is_long,
    section_of,
)
from melleafy_tui.core.decisions.keys import normalised_text
from melleafy_tui.core.decisions.rebase import DecisionState, Match, Place, find_earlier, places_of
from melleafy_tui.core.language.text_measures import UNLIKE, similarity
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.record import Record
from melleafy_tui.core.models.vocabulary import CATEGORIES, Category
from melleafy_tui.generators.markdown_text import shortened

Group = Literal["Rules", "Tools", "Schedules", "Facts", "Persona", "Memory", "Credentials", "Other"]
Change = Literal["added", "removed", "reworded", "read differently", "moved"]

GROUPS: Final[tuple[Group, ...]] = (
    *("Rules", "Tools", "Schedules", "Facts"),
    *("Persona", "Memory", "Credentials", "Other"),
)
CHANGES: Final[tuple[Change, ...]] = ("added", "removed", "reworded", "read differently", "moved")

MOST_COMPARED: Final = 100_000
"""Pairs of texts that are compared by similarity, a few seconds' work; beyond it texts are added and removed."""

_GROUP_OF: Final[dict[Category, Group]] = {
    Category.C1: "Persona",
    Category.C2: "Rules",
    Category.C3: "Facts",
    Category.C4: "Memory",
    Category.C5: "Memory",
    Category.C6: "Tools",
    Category.C7: "Credentials",
    Category.C8: "Other",
    Category.C9: "Schedules",
    Category.NONE: "Other",
}
_UNORDERED: Final = frozenset({"field", "json", "variable"})
"""Kinds of elements whose order means nothing."""

_LIKE_A_NEIGHBOUR: Final = 0.5
"""Minimum similarity of texts in the same place: unrelated English rules have up to 0.48, reworded ones 0.55."""

_LONGEST_OPENING: Final = 80
_ROUNDS: Final = 3
"""How often texts look for the most similar one, when several had the same candidate."""


class Detail(Record, frozen=True):
    """One thing that differs besides the text, such as tag, disposition or section.

    For `order`, these are the openings of the elements that it followed and follows in its section.
    """

    what: str
    old: str
    new: str


class ElementChange(Record, frozen=True):
    """One element that differs; `old` is null if it was added, `new` if it was removed."""

    group: Group
    change: Change
    old: ElementState | None
    new: ElementState | None
    details: tuple[Detail, ...] = ()


class RenamedSection(Record, frozen=True):
    """A section or file whose elements are all or mostly in another one now: file, then headings."""

    old: tuple[str, ...]
    new: tuple[str, ...]
    elements: int


class FileDifference(Record, frozen=True):
    """A file without elements, such as a script, that was added, removed or changed."""

    path: str
    change: Literal["added", "removed", "changed"]


class Comparison(Struct, frozen=True):
    """The differences of two sides."""

    old: PackageFacts
    new: PackageFacts
    changes: tuple[ElementChange, ...]
    renamed: tuple[RenamedSection, ...]
    files: tuple[FileDifference, ...]

    @property
    def differs(self) -> bool:
        """Return whether anything differs besides the names of the two sides."""
        parts = (self.changes, self.renamed, self.files)
        return any(parts) or _differ(self.old, self.new)


def compare(old: Side, new: Side) -> Comparison:
    """Return what differs between two sides, sorted by group."""
    pairs = _pairs(old, new)
    renamed, places = _renamed(old, new, pairs)
    moves = _Moves(places, _reordered(pairs), _texts_before(old), _texts_before(new))
    matched = {after.element_id for _, after in pairs}
    kept = {before.element_id for before, _ in pairs}
    rows = [_change(old, new, before, after, moves) for before, after in pairs]
    rows += [_one_sided(old, each, "removed") for each in old.elements if each.element_id not in kept]
    rows += [_one_sided(new, each, "added") for each in new.elements if each.element_id not in matched]
    return Comparison(
        old=old.facts,
        new=new.facts,
        changes=tuple(sorted((row for row in rows if row is not None), key=_order)),
        renamed=renamed,
        files=tuple(_files(old, new)),
    )


def _differ(old: PackageFacts, new: PackageFacts) -> bool:
    """Return whether the packages differ; names and orders don't matter, nor does what one side doesn't know."""
    return (
        (old.runtime, old.trigger) != (new.runtime, new.trigger)
        or set(old.variables) != set(new.variables)
        or set(old.callable_tools) != set(new.callable_tools)
        or (None not in (old.model_calls, new.model_calls) and old.model_calls != new.model_calls)
    )


def _order(row: ElementChange) -> tuple[int, bool, str, int, bool]:
    """Sort by group and place; what only reads differently, often a consequence of other changes, comes last."""
    state = row.new or row.old
    assert state is not None
    first = int(state.source_lines.partition("-")[0])
    consequence = row.change == "read differently"
    return GROUPS.index(row.group), consequence, state.source_file, first, row.change != "removed"


# --- which elements belong together -----------------------------------------------------------

Pair = tuple[Element, Element]


def _pairs(old: Side, new: Side) -> list[Pair]:
    """Return the elements that are on both sides, in the order of the old source."""
    before = {old.keys[each.element_id]: each for each in old.elements}
    after = {new.keys[each.element_id]: each for each in new.elements}
    places = _places(old)
    free = _places(new)
    found: dict[str, str] = {}
    waiting: Sequence[Place] = tuple(places.values())
    for _ in range(_ROUNDS):
        matches = find_earlier(waiting, free, most_compared=MOST_COMPARED)
        taken = _taken(waiting, matches, before)
        found.update(taken)
        for key in taken.values():
            free.pop(key, None)
        waiting = [
            place
            for place, match in zip(waiting, matches, strict=True)
            if match.state is DecisionState.SUGGESTED and place.key not in taken
        ]
        if not waiting:
            break
    _add_neighbours(tuple(places), tuple(_places(new)), found, before, after)
    return [(element, after[found[key]]) for key, element in before.items() if key in found]


def _places(side: Side) -> dict[str, Place]:
    known = {side.keys[each.element_id] for each in side.elements}
    return {key: place for key, place in places_of(side.elements, side.keys).items() if key in known}


def _taken(
    waiting: Sequence[Place], matches: Sequence[Match], before: Mapping[str, Element]
) -> dict[str, str]:
    """Return the keys that belong together; of several texts with one candidate, the most similar one takes it."""
    taken: dict[str, str] = {}
    used: set[str] = set()
    ranked = sorted(
        zip(waiting, matches, strict=True),
        key=lambda both: (both[1].state is DecisionState.SUGGESTED, -(both[1].similarity or 0)),
    )
    for place, match in ranked:
        if match.place is None or match.place.key in used or _is_another(before[place.key], match):
            continue
        taken[place.key] = match.place.key
        used.add(match.place.key)
    return taken


def _is_another(element: Element, match: Match) -> bool:
    """Return whether only the first words are the same; a field is the same one whatever its value is."""
    unlike = match.similarity is not None and match.similarity < UNLIKE
    return unlike and not element.label and element.kind != "file"


def _add_neighbours(
    old: Sequence[str],
    new: Sequence[str],
    found: dict[str, str],
    before: Mapping[str, Element],
    after: Mapping[str, Element],
) -> None:
    """Pair the remaining texts that follow the same element in the same section, if they are somewhat similar."""
    following = dict(pairwise(new))
    used = set(found.values())
    for earlier, key in pairwise(old):
        if key in found or earlier not in found:
            continue
        candidate = following.get(found[earlier])
        if candidate is None or candidate in used:
            continue
        one, other = before[key], after[candidate]
        alike = carries(one) and carries(other) and _at(one) == _at(other)
        if alike and similarity(one.statement, other.statement) >= _LIKE_A_NEIGHBOUR:
            found[key] = candidate
            used.add(candidate)


# --- sections and order -----------------------------------------------------------------------


class _Moves(Struct, frozen=True):
    """Where elements went: the new place of each old one, who changed the order, and whom each follows on each side."""

    places: Mapping[tuple[str, ...], tuple[str, ...]]
    reordered: frozenset[str]
    before: Mapping[str, str]
    after: Mapping[str, str]

    def details(self, one: Element, other: Element) -> tuple[Detail, ...]:
        """Return where an element went, unless its section was renamed."""
        source, target = _at(one), _at(other)
        if source == target or self.places.get(source) == target:
            if other.element_id not in self.reordered:
                return ()
            return (Detail("order", self.before[one.element_id], self.after[other.element_id]),)
        rows = (
            ("file", one.source_file, other.source_file),
            ("section", " / ".join(source[1:]), " / ".join(target[1:])),
        )
        return tuple(Detail(what, old, new) for what, old, new in rows if old != new)


def _texts_before(side: Side) -> dict[str, str]:
    """Return for each element the opening of the one before it in its section, `""` for the first one."""
    last: dict[tuple[str, ...], str] = {}
    found: dict[str, str] = {}
    for element in filter(carries, side.elements):
        found[element.element_id] = last.get(_at(element), "")
        last[_at(element)] = shortened(element.statement, _LONGEST_OPENING)
    return found


def _at(element: Element) -> tuple[str, ...]:
    return (element.source_file, *section_of(element))


def _renamed(
    old: Side, new: Side, pairs: Iterable[Pair]
) -> tuple[tuple[RenamedSection, ...], Mapping[tuple[str, ...], tuple[str, ...]]]:
    """Return the renamed sections and files, and for each place in the old source the new one."""
    before, after = Counter(map(_at, old.elements)), Counter(map(_at, new.elements))
    ways = Counter((_at(one), _at(other)) for one, other in pairs)
    places: dict[tuple[str, ...], tuple[str, ...]] = {}
    renamed: Counter[tuple[tuple[str, ...], tuple[str, ...]]] = Counter()
    for (source, target), count in ways.items():
        if source not in after and target not in before and 2 * count >= before[source]:
            places[source] = target
            renamed[_without_common_end(source, target)] += count
    rows = (RenamedSection(source, target, count) for (source, target), count in renamed.items())
    return tuple(rows), places


def _without_common_end(
    one: tuple[str, ...], other: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    while len(one) > 1 and len(other) > 1 and one[-1] == other[-1]:
        one, other = one[:-1], other[:-1]
    return one, other


def _reordered(pairs: Iterable[Pair]) -> frozenset[str]:
    """Return the new ids of elements that stand elsewhere among those that stayed in their section."""
    by_place: dict[tuple[tuple[str, ...], tuple[str, ...]], list[Element]] = {}
    for one, other in pairs:
        if carries(one) and carries(other) and other.kind not in _UNORDERED:
            by_place.setdefault((_at(one), _at(other)), []).append(other)
    moved: set[str] = set()
    for found in by_place.values():
        stayed = _longest_rising([each.line_range[0] for each in found])
        moved.update(each.element_id for number, each in enumerate(found) if number not in stayed)
    return frozenset(moved)


def _longest_rising(numbers: Sequence[int]) -> set[int]:
    """Return the positions of a longest subsequence that never falls."""
    ends: list[tuple[int, int]] = []
    previous: list[int] = []
    for position, number in enumerate(numbers):
        place = bisect_left(ends, (number, position))
        previous.append(ends[place - 1][1] if place else -1)
        ends[place : place + 1] = [(number, position)]
    found: set[int] = set()
    position = ends[-1][1] if ends else -1
    while position >= 0:
        found.add(position)
        position = previous[position]
    return found


# --- what differs -----------------------------------------------------------------------------


def _one_sided(side: Side, element: Element, change: Change) -> ElementChange | None:
    if not carries(element):
        return None
    state = side.state(element, verbatim=is_long(element))
    old, new = (state, None) if change == "removed" else (None, state)
    return ElementChange(_GROUP_OF[element.category], change, old, new)


def _change(
    old: Side,
    new: Side,
    one: Element,
    other: Element,
    moves: _Moves,
) -> ElementChange | None:
    """Return how an element differs, or None if it doesn't or carries nothing."""
    if not (carries(one) or carries(other)):
        return None
    reworded = _is_reworded(one, other, by_statement=old.shares_lines(one) or new.shares_lines(other))
    same_statement = reworded and one.statement == other.statement
    verbatim = same_statement or is_long(one) or is_long(other)
    before, after = old.state(one, verbatim=verbatim), new.state(other, verbatim=verbatim)
    readings = _readings(before, after, known=old.mappings is not None and new.mappings is not None)
    if verbatim and one.context != other.context:
        readings = (Detail("lead-in", before.lead_in, after.lead_in), *readings)
    ways = moves.details(one, other)
    if not (reworded or readings or ways):
        return None
    change: Change = "reworded" if reworded else "read differently" if readings else "moved"
    shown = other if carries(other) else one
    return ElementChange(_GROUP_OF[shown.category], change, before, after, (*readings, *ways))


def _is_reworded(one: Element, other: Element, *, by_statement: bool) -> bool:
    """Return whether the words or those of the lead-in differ.

    Elements with a line in common, as of a list of tools, differ by their statements only. Otherwise a statement
    doesn't tell, since it may hold the number of a step.
    """
    if by_statement or "json" in (one.kind, other.kind):
        return one.statement != other.statement
    return normalised_text(one) != normalised_text(other) or (
        one.context != other.context and one.statement != other.statement
    )


def _readings(before: ElementState, after: ElementState, *, known: bool) -> tuple[Detail, ...]:
    """Return what is read differently; `known` says whether both sides know who checks a rule."""
    rows = (
        ("tag", before.tag.value, after.tag.value),
        ("category", _titled(before.category), _titled(after.category)),
        ("decisions", _kinds(before), _kinds(after)),
        ("checked by", before.checked_by if known else "", after.checked_by if known else ""),
        ("disposition", before.disposition, after.disposition),
        ("target", before.target, after.target),
    )
    return tuple(Detail(what, old, new) for what, old, new in rows if old != new)


def _kinds(element: ElementState) -> str:
    return ", ".join(map(decision_words, element.decisions)) or "none"


def _titled(category: Category) -> str:
    title = CATEGORIES[category].title
    return title if category is Category.NONE else f"{category.value} {title}"


def _files(old: Side, new: Side) -> Iterable[FileDifference]:
    """Yield the differing files that have no elements on either side."""
    if old.files is None or new.files is None:
        return
    covered = {element.source_file for side in (old, new) for element in side.elements}
    for path in sorted({*old.files, *new.files} - covered):
        before, after = old.files.get(path), new.files.get(path)
        if before is None:
            yield FileDifference(path, "added")
        elif after is None:
            yield FileDifference(path, "removed")
        elif before != after:
            yield FileDifference(path, "changed")
