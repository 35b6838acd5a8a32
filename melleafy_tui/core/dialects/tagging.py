"""How tag rules look: ordered, named, each with a confidence and what it looks at; the first that matches wins.

The tables themselves belong to the dialects (spec/conversion.md 3.2).
"""

from collections.abc import Callable, Sequence

from msgspec import Struct

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.vocabulary import Polarity, Tag
from melleafy_tui.core.workspace.pieces import Piece


class Wording(Struct, frozen=True):
    """What a tag rule may look at.

    Attributes:
        piece: The piece with its form and surroundings.
        text: Its own words, markers dropped.
        statement: Its words with lead-in and polarity.
        polarity: What it does to the agent, lead-ins counted.
        own_polarity: What its own words do.
        lead_in: Names of the lead-in rows above it.
        heading: The innermost heading above it.
        list_role: For items of a numbered list: `procedure`, `choice`, `rules` or `""`.
    """

    piece: Piece
    text: str
    statement: str
    polarity: Polarity
    own_polarity: Polarity
    lead_in: tuple[str, ...] = ()
    heading: str = ""
    list_role: str = ""


class TagRule(Struct, frozen=True):
    """One row of a tag table: `looks_at` says in words what the test reads, for documents and the wizard."""

    name: str
    tag: Tag
    confidence: float
    looks_at: str
    matches: Callable[[Wording], bool]


class Tagged(Struct, frozen=True):
    """The tag of a piece with the rule that gave it."""

    tag: Tag
    confidence: float
    rationale: str


def first_match(rules: Sequence[TagRule], wording: Wording) -> Tagged:
    """Return the tag of the first rule that matches.

    Raises:
        LookupError: no rule matches; each table ends with one that always does.
    """
    for rule in rules:
        if rule.matches(wording):
            return Tagged(rule.tag, rule.confidence, rule.name)
    raise LookupError("The table has no rule for everything else.")


class IsKind:
    """Tests a piece's form.

    Args:
        kinds: The forms that match.
    """

    def __init__(self, *kinds: str) -> None:
        self._kinds = kinds

    def __call__(self, wording: Wording) -> bool:
        """Return whether the piece has one of the forms."""
        return wording.piece.kind in self._kinds


class Says:
    """Tests the words of a piece, or its statement.

    Args:
        pattern: What is looked for.
        statement: Look at the words with their lead-in.
    """

    def __init__(self, pattern: LazyRegex, *, statement: bool = False) -> None:
        self._pattern = pattern
        self._statement = statement

    def __call__(self, wording: Wording) -> bool:
        """Return whether the pattern is found."""
        return bool(self._pattern.search(wording.statement if self._statement else wording.text))


def anything(wording: Wording) -> bool:  # noqa: ARG001 - the shape of every test
    """Match everything: the test of a table's last rule."""
    return True


def is_directive(wording: Wording) -> bool:
    """Return whether a piece orders, forbids or permits something."""
    return wording.polarity is not Polarity.DESCRIBES
