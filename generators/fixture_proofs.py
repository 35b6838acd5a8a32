"""Cases of fixtures, and what proves a text in a prompt: lines of the owner's files, word for word.

So a text that is lost, replaced or turned round is noticed, whatever the frame around it looks like.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import ClassVar, Final
from zoneinfo import ZoneInfo

from msgspec import Struct

from melleafy_tui.core.language.text_measures import HAN, has_any
from melleafy_tui.core.models.committed import PlannedElement
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Disposition
from melleafy_tui.generators import package_shape as shape
from melleafy_tui.generators.config import identity_fields
from melleafy_tui.generators.documents import GUIDANCE, PERSONA, RULES, USER, WAKE_UPS, Documents
from melleafy_tui.generators.fixture_texts import Reply
from melleafy_tui.generators.pipeline import PipelineParts
from melleafy_tui.generators.provenance import rule_places
from melleafy_tui.generators.requirements import Rules, pieces_apart, rules_of_run
from melleafy_tui.generators.runtime.fixtures.case import Case
from melleafy_tui.generators.runtime.prompts import spoken
from melleafy_tui.generators.tools import working_tools

EVERYWHERE: Final = "general"
"""The scope of a run that names none."""

NOW: Final = "2026-11-27T17:40+00:00"
"""The time of all runs, as in fixtures/case.py: a Friday, late enough for what is due once a day."""


_IN_EVERY_REPLY: Final = ("PERSONA", "RULES", "IDENTITY", "FACTS", "TOOL_NOTES")
_MOST_LINES: Final = {PERSONA: 8, USER: 16, GUIDANCE: 12, WAKE_UPS: 12, RULES: 32}
"""How many lines prove a text."""

_LONGEST_PROOF: Final = 72
_FEWEST_LETTERS: Final = 4
"""The fewest letters of a line that proves something; a Chinese one says as much as three."""


class Code(str):
    """A text that stands in fixtures/__init__.py as code, not as a literal."""

    is_code: ClassVar = True


@dataclass(frozen=True)
class CasePlan(Case):
    """A case as the package has it, and what is known of it besides.

    Attributes:
        elements: The elements that it was made from.
        proves: It proves something of this agent; others fill up where there are few.
    """

    elements: tuple[Element, ...] = ()
    proves: bool = True


class Attempt(Struct, frozen=True):
    """An answer of a run, and what the prompts around it must have.

    Attributes:
        reply: The answer.
        has: What its prompt must have.
        seen: What the judge must see besides the rules.
        broken: The numbers, in all calls, of the rules that the judge finds broken.
        lacks: What its prompt must not have.
    """

    reply: Reply
    has: Sequence[str] = ()
    seen: Sequence[str] = ()
    broken: Sequence[int] = ()
    lacks: Sequence[str] = ()


def answers(
    attempts: Iterable[Attempt],
    rules: Rules,
    schema: str,
    asked: Callable[[int, list[PlannedElement]], Iterable[str]],
) -> Iterator[Reply]:
    """Yield attempts at an answer, and the judge's calls on each.

    Args:
        attempts: The attempts.
        rules: The rules.
        schema: The schema of the answer, `""` for a text.
        asked: Returns what the prompt of a judge's call must have of its rules.
    """
    for attempt in attempts:
        has, lacks = distinct(attempt.has), tuple(attempt.lacks)
        yield replace(attempt.reply, schema=schema, has=has, lacks=lacks)
        before = 0
        for place, call in enumerate(rules.calls, 1):
            own = tuple(number - before for number in attempt.broken if 0 < number - before <= len(call))
            seen = distinct((*asked(place, call), *attempt.seen))
            yield Reply(schema="Verdicts", has=seen, broken=own)
            before += len(call)


def broken_by(attempt: Attempt, rules: Rules) -> list[PlannedElement]:
    """Return the rules that a run reports for an answer."""
    judged = [rules.judged[number - 1] for number in attempt.broken if 0 < number <= len(rules.judged)]
    wrong = [item for item in rules.checked if not keeps(attempt.reply, item)]
    found = {id(item) for item in (*judged, *wrong)}
    return [item for item in rules.required if id(item) in found]


def best(attempts: Sequence[Attempt], rules: Rules) -> tuple[Reply, tuple[str, ...]]:
    """Return the answer that breaks the fewest rules, the last of several, with the sources of those rules."""
    found = [(attempt.reply, broken_by(attempt, rules)) for attempt in reversed(attempts)]
    reply, broken = min(found, key=lambda pair: len(pair[1]))
    return reply, tuple(rule_places(item.element) for item in broken)


def keeps(reply: Reply, item: PlannedElement) -> bool:
    """Return whether an answer keeps what Python checks of a rule."""
    return item.mapping.check is None or reply.keeps(item.mapping.check)


def distinct(texts: Iterable[str]) -> tuple[str, ...]:
    """Return each text once, without empty ones."""
    return tuple(dict.fromkeys(filter(None, texts)))


class Proofs:
    """What the prompts of a package must have.

    Args:
        documents: The texts of the package.
    """

    def __init__(self, documents: Documents) -> None:
        self._committed = committed = documents.committed
        self._documents = documents
        self.parts: Final = PipelineParts(committed)
        self.rules: Final = rules_of_run(documents)
        self.parameters: Final = {
            each.name: each for each in shape.pipeline_parameters(committed) if not each.is_callable
        }

    @cached_property
    def needs_user(self) -> bool:
        """Return whether the caller must say who the user is, since the package doesn't hold it."""
        user = self.parameters.get("user_context")
        return user is not None and not user.default

    @cached_property
    def overridable(self) -> list[str]:
        """Return the facts that what the caller passes replaces."""
        external = shape.of_kind(self._committed, shape.FACTS, Disposition.EXTERNAL_INPUT)
        return [item.element.element_id for item in external if not shape.is_argument(item)]

    @cached_property
    def blocks(self) -> dict[str, tuple[str, ...]]:
        """Return what a prompt must have, by the name of the constant that lists it."""
        tools = [function for function, _ in working_tools(self._committed).callable]
        found = {
            "PERSONA": self.lines(PERSONA),
            "RULES": self.lines(RULES),
            "IDENTITY": self._identity(),
            "FACTS": self.lines(USER),
            "TOOL_NOTES": self.lines(GUIDANCE),
            "CHECKLIST": self.lines(WAKE_UPS),
            "TOOLS": tuple(line for tool in tools for line in telling(shape.tool_description(tool))[:1]),
        }
        for place, call in enumerate(self.rules.calls, 1):
            found[block_of_judge(place)] = numbered_asks(call)
        return {name: texts for name, texts in found.items() if texts}

    @property
    def everything(self) -> list[str]:
        """Return the names of the blocks that stand in the prompt of a reply."""
        return [name for name in _IN_EVERY_REPLY if name in self.blocks]

    def named(self, *names: str) -> list[str]:
        """Return those of the blocks that the package has, as code; all that a reply is told have one name."""
        found, all_told = [name for name in names if name in self.blocks], self.everything
        if len(all_told) > 1 and found[: len(all_told)] == all_told:
            found = ["EVERYTHING", *found[len(all_told) :]]
        return [Code(f"*{name}") for name in found]

    def lines(self, text: str) -> tuple[str, ...]:
        """Return lines that prove a text: the first of each piece and others, evenly thinned where they are many."""
        without = self.overridable if text == USER and self.needs_user else []
        pieces = [telling(piece.text) for piece in pieces_apart(self._documents, text, without=without)]
        lines = [line for lines_of_piece in pieces for line in lines_of_piece]
        most = _MOST_LINES.get(text, 4)
        firsts = [lines_of_piece[0] for lines_of_piece in pieces if lines_of_piece]
        wanted = {*_spread(firsts, most // 2), *_spread(lines, most // 2)}
        return tuple(dict.fromkeys(line for line in lines if line in wanted))

    def _identity(self) -> tuple[str, ...]:
        """Return the values of the agent's own fields; one that another text has as well proves nothing."""
        others = "".join(
            piece.text for text in (PERSONA, RULES, USER) for piece in self._documents.pieces(text)
        )
        values = [item.element.value.strip() for item in identity_fields(self._committed)]
        return tuple(value for value in values if value and "\n" not in value and value not in others)

    @cached_property
    def clock(self) -> str:
        """Return date, time and zone of the runs as prompts say them."""
        now, zone = datetime.fromisoformat(NOW), self._committed.classification.schedule.home_zone
        if zone:
            with suppress(KeyError, OSError, ValueError):  # a zone that isn't known
                now = now.astimezone(ZoneInfo(zone))
        return spoken(now)


def block_of_judge(place: int) -> str:
    """Return the constant with the rules of a call of the judge, the first of which is 1."""
    return f"JUDGED_{place}" if place > 1 else "JUDGED"


def asks(item: PlannedElement) -> str:
    """Return the start of a rule as it stands alone."""
    return cut(shape.whole_statement_of(item.element).split("\n", 1)[0])


def numbered_asks(rules: Sequence[PlannedElement]) -> tuple[str, ...]:
    """Return rules as the judge is asked for them."""
    return tuple(f"{number}. {asks(item)}" for number, item in enumerate(rules, 1))


def telling(text: str) -> list[str]:
    """Return the lines of a text that show that it is there, cut to a start that is short enough to read."""
    found = []
    for line in text.splitlines():
        start = cut(line.strip())
        letters = sum(map(str.isalnum, start))
        if letters < _FEWEST_LETTERS and has_any(start, HAN):  # a sign says as much as three letters
            letters = sum(3 if has_any(sign, HAN) else sign.isalnum() for sign in start)
        if letters >= _FEWEST_LETTERS and "</" not in start:
            found.append(start)
    return found


def cut(line: str) -> str:
    """Return the start of a line that is short enough to read."""
    if len(line) <= _LONGEST_PROOF:
        return line
    return line[:_LONGEST_PROOF].rpartition(" ")[0] or line[:_LONGEST_PROOF]


def _spread(lines: Sequence[str], most: int) -> Iterator[str]:
    """Yield at most so many lines, the first, the last and evenly what is between."""
    if len(lines) <= most:
        yield from lines
        return
    yield from (lines[round(number * (len(lines) - 1) / (most - 1))] for number in range(most))
