"""What both doors offer to choose from: triggers, tags, categories, and treatments of a conflict.

The first frame imports this, so the records of the core are named for the type checker only.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import permutations
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from melleafy_tui.core.models.vocabulary import (
    CATEGORIES,
    DECISION_MEANINGS,
    HYBRID,
    MODALITY_TITLES,
    TAG_MEANINGS,
    Category,
    DecisionKind,
    Modality,
    Runtime,
    Tag,
    allowed_together,
)

if TYPE_CHECKING:
    from melleafy_tui.core.decisions.commands import SetTag
    from melleafy_tui.core.models.classification import RuntimeScore
    from melleafy_tui.core.models.conversion_settings import Settings
    from melleafy_tui.core.models.inventory import Element

AS_DETECTED: Final = "as detected"


class Choice(Struct, frozen=True):
    """One thing to choose: the value returned, its label and its meaning.

    `refusal` says why it can't be chosen now; such a choice is shown but not accepted.
    """

    value: str
    label: str
    note: str = ""
    current: bool = False
    refusal: str = ""


class Field(Struct, frozen=True):
    """One input line: its name, its initial text, and a check that returns what is wrong (`""` for nothing)."""

    name: str
    label: str
    value: str = ""
    check: Callable[[str], str] | None = None


# --- triggers ---------------------------------------------------------------------------------

_MODALITY_NOTES: Final[dict[Modality, str]] = {
    Modality.HEARTBEAT: "again and again; it decides whether to act",
    Modality.EVENT_TRIGGERED: "by an event, such as a hook",
    Modality.SCHEDULED: "at set times",
    Modality.REVIEW_GATED: "when it is called, and asks before it acts",
    Modality.SYNCHRONOUS_ONESHOT: "when it is called",
}

_DETECTED: Final = "detected"


def modality_choices(chosen: Modality | None) -> list[Choice]:
    """Return the triggers; `chosen` is the user's own, None if it is detected."""
    return [
        Choice(_DETECTED, AS_DETECTED, "what the source says", current=chosen is None),
        *(
            Choice(each.value, MODALITY_TITLES[each], _MODALITY_NOTES[each], current=each is chosen)
            for each in Modality
        ),
    ]


def chosen_modality(value: str) -> Modality | None:
    """Return the trigger of a choice, None for the detected one."""
    return None if value == _DETECTED else Modality(value)


# --- elements ---------------------------------------------------------------------------------


def tag_choices(element: "Element") -> list[Choice]:
    """Return the tags that are allowed in an element's category."""
    return [
        Choice(tag.value, tag.value, TAG_MEANINGS[tag], current=tag is element.tag)
        for tag in Tag
        if allowed_together(tag, element.category)
    ]


def category_choices(element: "Element") -> list[Choice]:
    """Return the categories that are allowed with an element's tag."""
    return [
        Choice(
            each.value,
            category_words(each),
            CATEGORIES[each].meaning,
            current=each is element.category,
        )
        for each in Category
        if allowed_together(element.tag, each)
    ]


class DecisionAnswer(Struct, frozen=True):
    """One decision about an element that a person can take: what it is called, and yes or no."""

    value: str
    kind: DecisionKind
    yes: bool

    @property
    def words(self) -> str:
        """Return what the element is then."""
        return decision_words(self.kind) if self.yes else f"not {decision_words(self.kind)}"

    def command(self, key: str) -> "SetTag":
        """Return the command for the element with this key."""
        from melleafy_tui.core.decisions.commands import SetTag

        if self.kind is DecisionKind.JUDGED:
            return SetTag((key,), judged=self.yes)
        if self.kind is DecisionKind.TRAVELS:
            return SetTag((key,), travels=self.yes)
        return SetTag((key,), left_out=self.yes)


DECISION_ANSWERS: Final[Mapping[str, DecisionAnswer]] = {
    answer.value: answer
    for answer in (
        DecisionAnswer("judged", DecisionKind.JUDGED, yes=True),
        DecisionAnswer("not_judged", DecisionKind.JUDGED, yes=False),
        DecisionAnswer("left_out", DecisionKind.LEFT_OUT, yes=True),
        DecisionAnswer("kept", DecisionKind.LEFT_OUT, yes=False),
        DecisionAnswer("travels", DecisionKind.TRAVELS, yes=True),
        DecisionAnswer("stays", DecisionKind.TRAVELS, yes=False),
    )
}
"""The decisions that can be taken for any element, by name."""


def decision_choices(element: "Element") -> list[Choice]:
    """Return the decisions that a person can take about an element."""
    return [
        Choice(
            answer.value,
            answer.words,
            DECISION_MEANINGS[answer.kind] if answer.yes else _NOT[answer.kind],
            current=_holds(element, answer.kind) is answer.yes,
        )
        for answer in DECISION_ANSWERS.values()
        if answer.kind is not DecisionKind.TRAVELS or element.decided(DecisionKind.OVERRIDABLE) is not None
    ]


_NOT: Final = {
    DecisionKind.JUDGED: "It is text of the prompt, and nothing judges or checks it.",
    DecisionKind.LEFT_OUT: "It is in the package, in the place of its file.",
    DecisionKind.TRAVELS: "Its value is in no file of the package; the caller must give it.",
}


def choice_command(key: str, value: str) -> "SetTag":
    """Return the command that gives the element with this key a tag, a category or a decision, by its value."""
    from melleafy_tui.core.decisions.commands import SetTag

    if value in DECISION_ANSWERS:
        return DECISION_ANSWERS[value].command(key)
    if value in list(Tag):
        return SetTag((key,), tag=Tag(value))
    return SetTag((key,), category=Category(value))


def _holds(element: "Element", kind: DecisionKind) -> bool:
    kinds = (kind, DecisionKind.CHECKED) if kind is DecisionKind.JUDGED else (kind,)
    return element.decided(*kinds) is not None


def decision_words(kind: DecisionKind) -> str:
    """Return a decision as people read it."""
    return kind.value.replace("_", " ")


def category_words(category: Category) -> str:
    """Return a category as `C2 Operating rules`."""
    title = CATEGORIES[category].title
    return title if category is Category.NONE else f"{category.value} {title}"


# --- runtimes -------------------------------------------------------------------------------

_BOTH: Final = " + "
_MOST_PAIRED: Final = 3
"""How many runtimes, those with the highest scores, are offered in hybrids."""


def runtime_choices(scores: "Iterable[RuntimeScore]", settings: "Settings") -> list[Choice]:
    """Return the source runtimes: as detected, each one, hybrids of two with signals, and always the current one."""
    from melleafy_tui.core.pipeline.classify import NEVER_HYBRID

    chosen = _BOTH.join(settings.contributing_runtimes) or settings.source_runtime or AS_DETECTED
    by_runtime = {score.runtime: score.score for score in scores}
    names = sorted((runtime.value for runtime in Runtime), key=lambda name: -by_runtime.get(name, 0.0))
    with_signals = [name for name in names if by_runtime.get(name, 0.0) > 0][:_MOST_PAIRED]
    offered = {AS_DETECTED: "what the signals say"}
    offered |= {name: f"score {by_runtime.get(name, 0.0):.1f}" for name in names}
    for pair in permutations(with_signals, 2):
        if set(pair) != set(NEVER_HYBRID):
            offered[_BOTH.join(pair)] = f"a hybrid; {pair[0]} leads"
    offered.setdefault(chosen, "as you chose it")
    return [Choice(name, name, note, current=name == chosen) for name, note in offered.items()]


def chosen_runtime(value: str) -> dict[str, str | tuple[str, ...] | None]:
    """Return the settings that make a choice."""
    both = tuple(value.split(_BOTH))
    if len(both) > 1:
        return {"source_runtime": HYBRID, "contributing_runtimes": both}
    return {"source_runtime": None if value == AS_DETECTED else value, "contributing_runtimes": ()}
