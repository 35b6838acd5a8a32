"""What the model is asked about open decisions, and what counts as an answer.

The elements' text is data: it is sent as JSON with its secrets masked, and an answer can only choose among values that
this module allows. Whatever else a model says is dropped.
"""

import json
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final

from msgspec import Struct

from melleafy_tui.core.decisions.state import Retag
from melleafy_tui.core.errors import UsageError
from melleafy_tui.core.language.reply_checks import possible_checks
from melleafy_tui.core.language.time.cadence import read_cadences
from melleafy_tui.core.language.wording import plain_text, shorten
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Category
from melleafy_tui.core.pipeline.schedule_changes import read_changes
from melleafy_tui.core.tables import table_beside

MOST_PER_CALL: Final = 20
"""Elements that one call asks about."""

MOST_CHARACTERS: Final = 6_000
"""About how many characters of elements one call shows: a small local model loses track of longer prompts."""

LONGEST_TEXT: Final = 420
"""Characters of an element's text that the model sees; a rule is decided by its first sentences."""

LONGEST_HEADING: Final = 80
LONGEST_LEAD_IN: Final = 160
LONGEST_NEIGHBOUR: Final = 80
LONGEST_ANSWER: Final = 100_000
"""Characters of an answer that are read; twenty readings have about two thousand."""

NEVER_ASKED: Final = Category.C7
"""Elements of this category aren't sent: their values are secret."""

RULES: Final = (Category.C1, Category.C2, Category.C3)
"""Categories of the lines that a reply can be judged by."""

YES: Final = "yes"
ANSWERS: Final = (YES, "no")
"""What a model can say of a line: whether it is judged on every reply, and whether it is left out."""

NONE: Final = "none"
MOST_CHOICES: Final = 12
"""Checks and times of one line that a model may choose from."""

_WORDS: Final = table_beside(__file__, "questions.toml")
_TASK: Final[str] = _WORDS["task"]
_ABOUT: Final[dict[str, str]] = _WORDS["about"]
"""What the fields mean that only some calls have."""


class Question(Struct, frozen=True):
    """One element with an open decision: its key in the decisions, and its neighbours.

    Attributes:
        around: Neighbours in its section that aren't asked about, by where they stand: `before`, `after`.
        checks: The checks that its own numbers and things allow.
        times: The times that it gives.
        is_rule: Whether it can be judged; else only its time is asked about.
    """

    key: str
    element: Element
    around: Mapping[str, Element] = {}
    checks: tuple[str, ...] = ()
    times: tuple[str, ...] = ()
    is_rule: bool = True

    def offers(self, reading: Mapping[str, str]) -> bool:
        """Return whether the check and the time of a reading are none, or of those of this line."""
        chosen = ((reading.get("checked", NONE), self.checks), (reading.get("when", NONE), self.times))
        return all(value == NONE or value in own for value, own in chosen)


class Reading(Struct, frozen=True):
    """What a model said of one line: the decision about it, and the tool that asks because of it."""

    retag: Retag
    asks: str = ""


class Batch(Struct, frozen=True):
    """The questions of one call, by the id that the model answers with; `tools` are names that it may choose."""

    questions: Mapping[str, Question]
    tools: tuple[str, ...] = ()

    def prompt(self) -> str:
        """Return the text of the call."""
        lines = (_shown(name, question) for name, question in self.questions.items())
        about = (_ABOUT[name].format(values=", ".join(self.tools)) for name in self.allowed if name in _ABOUT)
        return _TASK.format(lines="[\n " + ",\n ".join(lines) + "\n]", about_others="".join(about))

    def answers(self, text: str, model: str) -> dict[str, Reading]:
        """Return the usable readings of an answer, by the element's key.

        A reading is usable if it has exactly the fields that were asked for, names an element of this call, names it
        once, and chooses allowed values.

        Args:
            text: What the model said.
            model: Backend and model, which the readings carry.
        """
        allowed = self.allowed
        found: dict[str, Reading | None] = {}
        for reading in _readings(text, frozenset(allowed)):
            name = reading["id"]
            is_allowed = all(reading[field] in values for field, values in allowed.items())
            if is_allowed and self.questions[name].offers(reading):
                found[name] = None if name in found else _reading(self.questions[name], reading, model)
            elif name in self.questions:
                found[name] = None
        return {self.questions[name].key: each for name, each in found.items() if each is not None}

    @property
    def allowed(self) -> dict[str, list[str]]:
        """Return the values that each field of a reading can have."""
        asked = self.questions.values()
        choices = {
            "asks": self.tools,
            "checked": dict.fromkeys(check for each in asked for check in each.checks),
            "when": dict.fromkeys(time for each in asked for time in each.times),
        }
        fields = {"id": list(self.questions), "judged": list(ANSWERS), "left_out": list(ANSWERS)}
        return {**fields, **{name: [NONE, *values] for name, values in choices.items() if values}}


def questions_about(elements: Sequence[Element], keys: Mapping[int, str]) -> tuple[Question, ...]:
    """Return the questions about some elements of a workspace.

    Args:
        elements: All elements, in source order.
        keys: The keys of those to ask about, by their place among the elements.
    """
    return tuple(
        Question(
            key,
            elements[place],
            _around(elements, place, keys),
            possible_checks(elements[place].content_full)[:MOST_CHOICES],
            _times(elements[place]),
            elements[place].category in RULES,
        )
        for place, key in keys.items()
    )


def _times(element: Element) -> tuple[str, ...]:
    """Return the times that an element's words or its heading give, in words that a setting can have."""
    texts = (*element.section[-1:], *element.context, element.statement)
    found = dict.fromkeys(each.cadence for text in texts for each in read_cadences(plain_text(text)))
    return tuple(time for time in found if _is_due_time(time))[:MOST_CHOICES]


def _is_due_time(time: str) -> bool:
    with suppress(UsageError):
        return bool(read_changes([f"task = {time}"]))
    return False


def _around(elements: Sequence[Element], place: int, asked: Container[int]) -> dict[str, Element]:
    """Return the neighbours of an element in its section that are neither asked about, its lead-in nor secret."""
    element = elements[place]
    return {
        name: elements[at]
        for name, at in (("before", place - 1), ("after", place + 1))
        if 0 <= at < len(elements)
        and at not in asked
        and (elements[at].source_file, elements[at].section) == (element.source_file, element.section)
        and elements[at].statement not in element.context
        and elements[at].category is not NEVER_ASKED
    }


def batches(questions: Sequence[Question], tools: Iterable[str] = ()) -> tuple[Batch, ...]:
    """Return the questions in calls of at most twenty that aren't too long."""
    named = tuple(tools)
    parts: list[list[Question]] = []
    room = 0
    for each in questions:
        size = len(_shown("", each))
        if not parts or len(parts[-1]) == MOST_PER_CALL or size > room:
            parts.append([])
            room = MOST_CHARACTERS
        parts[-1].append(each)
        room -= size
    return tuple(
        Batch({f"line{number}": each for number, each in enumerate(part, 1)}, named) for part in parts
    )


def _headings(element: Element) -> list[str]:
    """Return the headings that say most: the last two, without one that only names the file."""
    return [heading for heading in element.section if element.source_file not in heading][-2:]


def _shown(name: str, question: Question) -> str:
    return json.dumps(_line(name, question), ensure_ascii=False)


def _line(name: str, question: Question) -> dict[str, object]:
    """Return what the model sees of an element."""
    element = question.element

    def shown(text: str) -> str:
        return " ".join(text.split())

    def own_words(of: Element) -> str:
        text = shown(of.statement)
        for above in (*of.section[-1:], *of.context):
            lead_in = shown(above).rstrip(" :：") + ": "
            if text[: len(lead_in)].casefold() == lead_in.casefold():
                text = text[len(lead_in) :]
        return text

    line: dict[str, object] = {
        "id": name,
        "file": shorten(shown(element.source_file), LONGEST_HEADING),
        "under": [shorten(shown(heading), LONGEST_HEADING) for heading in _headings(element)],
        "below": [shorten(shown(lead_in), LONGEST_LEAD_IN) for lead_in in element.context],
        "text": shorten(own_words(element), LONGEST_TEXT),
    }
    line["checks"] = [*question.checks]
    line["times"] = [*question.times]
    for place, neighbour in question.around.items():
        line[place] = shorten(own_words(neighbour), LONGEST_NEIGHBOUR)
    return {label: value for label, value in line.items() if value}


def _readings(text: str, fields: frozenset[str]) -> Iterator[dict[str, str]]:
    """Yield the objects of an answer that have the form of a reading."""
    if len(text) > LONGEST_ANSWER:
        return
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return
    listed = document.get("readings") if isinstance(document, dict) and len(document) == 1 else None
    for item in listed if isinstance(listed, list) else ():
        is_reading = isinstance(item, dict) and item.keys() == fields
        if is_reading and all(isinstance(value, str) for value in item.values()):
            yield item


def _reading(question: Question, reading: Mapping[str, str], model: str) -> Reading:
    """Return the answer as a decision; what is left out or due at a time isn't judged as well."""
    asks, check, when = (reading.get(name, NONE) for name in _ABOUT)
    asks = "" if asks == NONE else asks
    if when != NONE:
        return Reading(Retag(due=when, assisted_by=model), asks)
    if reading["left_out"] == YES and question.is_rule:
        return Reading(Retag(left_out=True, assisted_by=model), "")
    judged = reading["judged"] == YES and question.is_rule
    wording = check if judged and check != NONE else ""
    return Reading(Retag(judged=judged, wording=wording, assisted_by=model), asks)
