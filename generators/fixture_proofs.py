"""Finds what proves a text in a prompt: lines of the owner's files, word for word.

So a text that is lost, replaced or turned round is noticed, whatever the frame around it looks like.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from functools import cached_property
from typing import Final
from zoneinfo import ZoneInfo

from msgspec import Struct

from melleafy_tui.core.language.text_measures import HAN, has_any
from melleafy_tui.core.models.committed import PlannedElement
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.generators.config import identity_fields
from melleafy_tui.generators.documents import GUIDANCE, PERSONA, RULES, USER, WAKE_UPS, Documents, scoped
from melleafy_tui.generators.package_shape import (
    FACTS,
    is_argument,
    of_kind,
    pipeline_parameters,
    tool_description,
    whole_statement_of,
)
from melleafy_tui.generators.pipeline_parts import PipelineParts
from melleafy_tui.generators.provenance import rule_places
from melleafy_tui.generators.requirements import (
    is_guidance,
    is_stub,
    judge_calls,
    rules_without_text,
    sorted_rules,
)
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


class Required(Struct, frozen=True):
    """A rule that a run checks or judges, with the source that a run names for it."""

    item: PlannedElement
    source: str

    @property
    def is_judged(self) -> bool:
        """Return whether the panel judges it."""
        return self.item.mapping.check is None and not is_stub(self.item)

    @property
    def asks(self) -> str:
        """Return the start of the rule as it stands alone."""
        return cut(whole_statement_of(self.item.element).split("\n", 1)[0])


class Proofs:
    """What the prompts of a package must have.

    Args:
        documents: The texts of the package.
    """

    def __init__(self, documents: Documents) -> None:
        self._committed = committed = documents.committed
        self._documents = documents
        self._without_text = rules_without_text(documents)
        self.parts: Final = PipelineParts(committed)
        self.rules: Final = sorted_rules(committed)
        self.parameters: Final = {
            each.name: each for each in pipeline_parameters(committed) if not each.is_callable
        }

    @cached_property
    def needs_user(self) -> bool:
        """Return whether the caller must say who the user is, since the package doesn't hold it."""
        user = self.parameters.get("user_context")
        return user is not None and not user.default

    @cached_property
    def overridable(self) -> list[str]:
        """Return the facts that what the caller passes replaces."""
        external = of_kind(self._committed, FACTS, Disposition.EXTERNAL_INPUT)
        return [item.element.element_id for item in external if not is_argument(item)]

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
            "TOOLS": tuple(line for tool in tools for line in telling(tool_description(tool))[:1]),
        }
        for place, rules in enumerate(self.calls(EVERYWHERE), 1):
            found[block_of_judge(place)] = numbered_asks(rules)
        return {name: texts for name, texts in found.items() if texts}

    @property
    def everything(self) -> tuple[str, ...]:
        """Return the names of the blocks that stand in the prompt of a reply."""
        return tuple(name for name in _IN_EVERY_REPLY if name in self.blocks)

    def lines(self, text: str) -> tuple[str, ...]:
        """Return lines that prove a text: the first of each piece and others, evenly thinned where they are many."""
        required = {item.element.element_id for item in self.rules.required}
        without = self.overridable if text == USER and self.needs_user else []
        found = self._documents.pieces(text, apart=required, without=without)
        pieces = [telling(piece.text) for piece in found]
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

    def required(self, scope: str) -> list[Required]:
        """Return the rules that a run checks or judges, in the order of their numbers."""
        apart = {item.element.element_id for item in self.rules.required}
        texts = [RULES] + ([scoped(scope)] if scope != EVERYWHERE else [])
        found = [
            Required(piece.item, piece.source.location)
            for text in texts
            for piece in self._documents.pieces(text, apart=apart)
            if piece.item is not None and not is_guidance(piece.item)
        ]
        loaded = of_kind(self._committed, EntryKind.RULE, Disposition.LOAD_FROM_DISK)
        others = [item for item in loaded if not is_guidance(item) and not item.element.scope]
        others += self._without_text
        return [*found, *(Required(item, rule_places(item.element)) for item in others)]

    def calls(self, scope: str) -> list[list[Required]]:
        """Return the judged rules by the judge's call."""
        judged = {id(rule.item): rule for rule in self.required(scope) if rule.is_judged}
        shared = judge_calls([rule.item for rule in judged.values()])
        return [[judged[id(item)] for item in call] for call in shared]

    @cached_property
    def checked(self) -> list[Required]:
        """Return the rules that Python checks in a run without a scope."""
        required = self.required(EVERYWHERE)
        return [rule for rule in required if rule.item.mapping.check and not is_stub(rule.item)]

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


def numbered_asks(rules: Sequence[Required]) -> tuple[str, ...]:
    """Return rules as the judge is asked for them."""
    return tuple(f"{number}. {rule.asks}" for number, rule in enumerate(rules, 1))


def telling(text: str) -> list[str]:
    """Return the lines of a text that show that it is there, cut to a start that is short enough to read."""
    found = []
    for line in text.splitlines():
        start = cut(line.strip())
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
