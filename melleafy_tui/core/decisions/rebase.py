"""Finds the elements that the entries of a decisions file refer to, even if the workspace has changed since.

Each decision ends in one of seven states (docs/decisions.md). None is lost: decisions that can't be applied are kept
unchanged, and a decision that moves to another element is always marked.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from melleafy_tui.core.decisions.keys import (
    BACKEND_KEY,
    element_digest,
    fold,
    key_file,
    key_stem,
    normalised_text,
    text_digest,
)
from melleafy_tui.core.language.text_measures import ALIKE, UNLIKE, similarity
from melleafy_tui.core.models.inventory import Element

if TYPE_CHECKING:  # few sessions have a decisions file
    from melleafy_tui.core.models.decisions import DecisionItem, Expectations

LONGEST_WORDS: Final = 400
"""Most characters of an element's text that a decisions file stores."""

_MOST_REPEATED: Final = 200
"""A text that two workspaces hold more often is found by its key alone, or each would be compared with each."""

_WHOLE_DIGEST: Final = len(text_digest(""))
_SHORTEST_DIGEST: Final = len("sha256:") + 4


class DecisionState(StrEnum):
    """The state of one decision after a decisions file was loaded."""

    APPLIED = "applied"
    CHANGED = "changed"
    MOVED = "moved"
    SUGGESTED = "suggested"
    ORPHANED = "orphaned"
    STALE_DEFAULT = "stale default"
    REFUSED = "refused"
    NO_LONGER_ASKED = "no longer asked"


APPLIED_STATES: Final = frozenset(
    {DecisionState.APPLIED, DecisionState.CHANGED, DecisionState.MOVED, DecisionState.STALE_DEFAULT}
)
UNRESOLVED_STATES: Final = frozenset({DecisionState.SUGGESTED, DecisionState.ORPHANED})
"""States for which `--strict-decisions` exits with code 13."""


class OverrideState(Struct, frozen=True):
    """The state of one decision of a file, with what is needed to show it.

    Attributes:
        name: The key or `entry_id` in the file.
        key: Its current key, or the suggested one, or `""`.
        choice: The choice in the file, for display.
        message: One sentence for display.
        old_text: The element's text at the time of the decision, as far as the file has it.
        similarity: The similarity of both texts from 0 to 1, if it was computed.
    """

    section: str
    name: str
    state: DecisionState
    key: str
    choice: str
    message: str
    old_text: str = ""
    new_text: str = ""
    similarity: float | None = None
    item: "DecisionItem | None" = None

    @property
    def applied(self) -> bool:
        """Return whether the decision takes effect."""
        return self.state in APPLIED_STATES

    @property
    def unresolved(self) -> bool:
        """Return whether the decision is suggested or orphaned."""
        return self.state in UNRESOLVED_STATES

    @property
    def assisted(self) -> bool:
        """Return whether an assisting model made the decision, and no person has accepted it."""
        return getattr(self.item, "assisted_by", None) is not None

    @property
    def refused(self) -> bool:
        """Return whether the decision isn't allowed for its element."""
        return self.state is DecisionState.REFUSED

    @property
    def text_differs(self) -> bool:
        """Return whether the element's text has changed since the decision, so that both texts should be shown."""
        shown = self.state in (DecisionState.CHANGED, DecisionState.SUGGESTED, DecisionState.ORPHANED)
        return shown and bool(self.old_text or self.new_text) and self.old_text != self.new_text

    @property
    def another_text(self) -> bool:
        """Return whether it was applied by key alone, to an element with an entirely different text."""
        return self.applied and self.similarity is not None and self.similarity < UNLIKE


class Place(Struct, frozen=True):
    """An element's key together with the text and digests that identify it."""

    key: str
    text: str = ""
    digest: str = ""
    lead_in: str = ""
    words: str = ""
    follows: str = ""
    precedes: str = ""


class Match(Struct, frozen=True):
    """The element that a decision belongs to now; `place` is None if it is orphaned."""

    state: DecisionState
    place: Place | None = None
    similarity: float | None = None
    lead_in_changed: bool = False
    in_its_place: bool = False


def places_of(elements: Iterable[Element], keys: Mapping[str, str]) -> dict[str, Place]:
    """Return the places of all elements and of the backend, by key.

    Args:
        elements: The inventory's elements before retags, in source order.
        keys: Key of each element by `element_id`.
    """
    ordered = list(elements)
    digests = [element_digest(element) for element in ordered]
    sections = [(element.source_file, element.section) for element in ordered]

    def beside(number: int, other: int) -> str:
        """Return the digest of a neighbour in the same section, or `""`."""
        is_near = 0 <= other < len(ordered) and sections[other] == sections[number]
        return digests[other] if is_near else ""

    places = {
        keys[element.element_id]: Place(
            key=keys[element.element_id],
            text=normalised_text(element),
            digest=digests[number],
            lead_in=text_digest(fold(" ".join(element.context))) if element.context else "",
            words=shown_words(element),
            follows=beside(number, number - 1),
            precedes=beside(number, number + 1),
        )
        for number, element in enumerate(ordered)
    }
    return {**places, BACKEND_KEY: Place(BACKEND_KEY)}


def shown_words(element: Element) -> str:
    """Return the part of an element's text that a decisions file can store; it never contains a secret."""
    statement, own = fold(element.statement), normalised_text(element)
    return (own if own in statement else statement)[:LONGEST_WORDS]


def find_places(
    expected: "Iterable[tuple[str, Expectations | None]]",
    places: Mapping[str, Place],
    *,
    most_compared: int | None = None,
) -> tuple[Match, ...]:
    """Return the match of each decision, in the same order; no two decisions get the same place.

    Certain matches are made first, so that a guess never takes an element from a certain match.

    Args:
        expected: The key of each decision, or `""`, and what its element looked like.
        places: All elements by key.
        most_compared: How many pairs of texts are compared by similarity; a decision beyond it is orphaned.
    """
    from melleafy_tui.core.models.decisions import Expectations

    return _Search(
        [(key, expects or Expectations()) for key, expects in expected], places, most_compared
    ).matches()


def find_earlier(
    earlier: Iterable[Place], places: Mapping[str, Place], *, most_compared: int
) -> tuple[Match, ...]:
    """Return the match of each place of an earlier workspace, as `find_places` finds that of a decision."""
    from melleafy_tui.core.models.decisions import Expectations

    before = tuple(earlier)
    times = Counter(place.digest for place in (*before, *places.values()))
    expected = [
        (
            place.key,
            Expectations.model_construct(
                text=place.digest if place.digest and times[place.digest] <= _MOST_REPEATED else None,
                lead_in=place.lead_in or None,
                words=place.words or None,
            ),
        )
        for place in before
    ]
    return find_places(expected, places, most_compared=most_compared)


class _Search:
    def __init__(
        self,
        expected: "Sequence[tuple[str, Expectations]]",
        places: Mapping[str, Place],
        most_compared: int | None,
    ) -> None:
        self._expected, self._places = expected, places
        self._most_compared, self._compared = most_compared, 0
        self._free = dict(places)
        self._found: dict[int, Match] = {}
        self._by_digest: dict[str, list[Place]] = {}
        for place in places.values():
            self._by_digest.setdefault(place.digest, []).append(place)

    def matches(self) -> tuple[Match, ...]:
        for step in (self._same_key_and_text, self._same_text_in_section, self._same_key, self._same_text):
            for number, (key, expects) in enumerate(self._expected):
                match = step(key, expects) if number not in self._found and key else None
                if match is not None and match.place is not None:
                    self._found[number] = match
                    if match.state is not DecisionState.SUGGESTED:
                        self._free.pop(match.place.key, None)
        free: dict[str, list[Place]] = {}
        for place in self._free.values():
            free.setdefault(key_file(place.key), []).append(place)
        for number, (key, expects) in enumerate(self._expected):
            if number not in self._found:
                self._found[number] = self._alike(key, expects, free.get(key_file(key), ()))
        return tuple(map(self._found.__getitem__, range(len(self._expected))))

    def _same_key_and_text(self, key: str, expects: "Expectations") -> Match | None:
        place = self._free.get(key)
        if place is None or (expects.text is not None and not _agrees(expects.text, place.digest)):
            return None
        if expects.lead_in is not None and not _agrees(expects.lead_in, place.lead_in):
            return Match(DecisionState.CHANGED, place, 1.0, lead_in_changed=True)
        return Match(DecisionState.APPLIED, place)

    def _same_text_in_section(self, key: str, expects: "Expectations") -> Match | None:
        """Find an element whose repeat number changed because an earlier repeat was added or removed."""
        twins = [place for place in self._with_text(expects) if key_stem(place.key) == key_stem(key)]
        return Match(DecisionState.MOVED, twins[0], 1.0) if twins else None

    def _same_key(self, key: str, expects: "Expectations") -> Match | None:
        place = self._free.get(key)
        if place is None:
            return None
        alike = similarity(expects.words, place.words) if expects.words else None
        elsewhere = self._with_text(expects)
        if len(elsewhere) == 1 and (alike is None or alike < ALIKE):
            return None
        return Match(DecisionState.CHANGED, place, alike)

    def _same_text(self, key: str, expects: "Expectations") -> Match | None:
        candidates = self._with_text(expects)
        near = [place for place in candidates if key_file(place.key) == key_file(key)] or candidates
        if not near:
            return None
        return Match(DecisionState.MOVED if len(near) == 1 else DecisionState.SUGGESTED, near[0], 1.0)

    def _alike(self, key: str, expects: "Expectations", candidates: Sequence[Place]) -> Match:
        """Return the most similar of the free places of the file, else the one between the same neighbours."""
        best: Place | None = None
        most = 0.0
        wanted = expects.words or _words_of_key(key)
        for place in candidates if wanted else ():
            if self._compared == self._most_compared:
                break
            self._compared += 1
            alike = similarity(wanted, place.words if expects.words else _words_of_key(place.key))
            if alike > most:
                best, most = place, alike
        if best is not None and most >= ALIKE:
            return Match(DecisionState.SUGGESTED, best, most)
        follows, precedes = expects.follows or "", expects.precedes or ""
        between = [
            place
            for place in candidates
            if (follows or precedes) and _agrees(follows, place.follows) and _agrees(precedes, place.precedes)
        ]
        if len(between) != 1:
            return Match(DecisionState.ORPHANED)
        alike = similarity(wanted, between[0].words)
        return Match(DecisionState.SUGGESTED, between[0], alike, in_its_place=True)

    def _with_text(self, expects: "Expectations") -> list[Place]:
        """Return the free places with the expected text, those with the expected lead-in if there are any."""
        text, lead_in = expects.text or "", expects.lead_in or ""
        is_whole = len(text) == _WHOLE_DIGEST
        found = self._by_digest.get(text, ()) if is_whole else self._places.values() if text else ()
        same = [each for each in found if _agrees(text, each.digest) and each.text and each.key in self._free]
        return [place for place in same if _agrees(lead_in, place.lead_in)] or same


def _agrees(expected: str, actual: str) -> bool:
    """Return whether a digest from a file, which may be shortened by hand, matches the actual one; `""` does all."""
    short = expected.rstrip("…")
    return not expected or actual == short or (len(short) >= _SHORTEST_DIGEST and actual.startswith(short))


def _words_of_key(key: str) -> str:
    return key_stem(key).rpartition("/")[2].rpartition("#")[2].replace("-", " ")
