"""Plans the cases of a package: what stands in which prompt, what the scripted model answers, what must come of it.

What a prompt must have are lines of the owner's files, word for word, so that a text that is lost, replaced or turned
round is noticed whatever the frame around it looks like.
"""

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import cached_property
from typing import Final
from zoneinfo import ZoneInfo

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.language.text_measures import HAN, has_any
from melleafy_tui.core.models.committed import PlannedElement
from melleafy_tui.core.models.facts import ArgumentFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.core.package.left_memory import MEMORY_COPIED
from melleafy_tui.generators.config import TOOL_BUDGET, always_requested, identity_fields
from melleafy_tui.generators.documents import (
    GUIDANCE,
    PERSONA,
    RULES,
    USER,
    WAKE_UPS,
    Documents,
    scoped,
    step_text,
)
from melleafy_tui.generators.fixture_ideas import LONG, REMEMBER, message_about, name_of_broken, named
from melleafy_tui.generators.fixture_scripts import Replies, Reply, replies_for, sample_form
from melleafy_tui.generators.model_steps import FORMS
from melleafy_tui.generators.package_shape import (
    FACTS,
    Function,
    call_arguments,
    is_argument,
    of_kind,
    pipeline_parameters,
    symbol_of,
    task_of,
    tool_description,
    whole_statement_of,
)
from melleafy_tui.generators.pipeline_parts import PipelineParts
from melleafy_tui.generators.provenance import locations, rule_places
from melleafy_tui.generators.requirements import is_guidance, is_stub, rules_without_text, sorted_rules
from melleafy_tui.generators.runtime.prompts import spoken
from melleafy_tui.generators.runtime.schedule import due_tasks
from melleafy_tui.generators.schedule_rows import task_rows
from melleafy_tui.generators.tools import WorkingTools, memory_variable, script_call, working_tools

EVERYWHERE: Final = "general"
"""The scope of a run that names none."""

RULES_PER_CALL: Final = 12
"""The most rules that the panel judges in one call, as in rule_panel.py."""

MEMORY_FILE: Final = "fixtures/memory/MEMORY.md"
MADE_UP_FACT: Final = "The spare key of the archive hangs behind the blue door."
_QUESTION: Final = "Where is the spare key of the archive?"
_FACT_PROOF: Final = "hangs behind the blue door"
TURNS: Final = (
    ("user", "Can you help me with something?"),
    ("assistant", "Gladly. Which matter is it about?"),
)
_TURN_PROOFS: Final = tuple(text for _, text in TURNS)
_MADE_UP_USER: Final = "The user of a test"
_FINDING: Final = "The phase {} found a grey heron."
_DEFAULTS: Final = {"int": 0, "bool": False, "list[dict[str, str]] | str | None": None}
"""The default of an input by its type; inputs of other types default to an empty text."""

NOW: Final = "2026-11-27T17:40+00:00"
"""The time of all runs, as in fixtures/case.py: a Friday, late enough for what is due once a day."""

_IN_EVERY_REPLY: Final = ("PERSONA", "RULES", "STEPS", "IDENTITY", "FACTS", "TOOL_NOTES")
_MOST_LINES: Final = {PERSONA: 8, USER: 16, GUIDANCE: 12, WAKE_UPS: 12, RULES: 32}
"""How many lines prove a text."""

_LONGEST_PROOF: Final = 72
_FEWEST_LETTERS: Final = 4
"""The fewest letters of a line that proves something; a Chinese one says as much as three."""


class Code(Struct, frozen=True):
    """An input that is given as code."""

    code: str


MEMORY_FOLDER: Final = "MEMORY_FOLDER"


class Scripted(Struct, frozen=True):
    """One answer of a case's script.

    Attributes:
        reply: The answer; None for verdicts, and where any answer will do.
        value: An answer of another kind, such as the call of a tool.
        schema: The title of its schema; `*` for any.
        blocks: The constants that list what its prompt must have.
        has: What its prompt must have besides.
        lacks: What its prompt must not have.
        broken: The numbers of the rules that the verdicts find broken.
        offers: The call is the first that offers tools, where the package has any.
    """

    reply: Reply | None = None
    value: object = None
    schema: str = ""
    blocks: tuple[str, ...] = ()
    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    broken: tuple[int, ...] = ()
    offers: bool = False


class CasePlan(Struct, frozen=True):
    """One case to print, with the fields of `Case` in fixtures/case.py.

    Attributes:
        name: Its id.
        said: What it shows.
        inputs: The arguments of `run_pipeline`.
        script: The answers of its script.
        expect: Values of the result by path.
        unmet: The sources of exactly the rules that are unmet.
        error: The error that the run must raise.
        memory: It runs on the made-up memory.
        web: Canned answers by address.
        elements: The elements that it was made from.
        proves: It proves something of this agent; others fill up where there are few.
    """

    name: str
    said: str
    inputs: Mapping[str, object]
    script: tuple[Scripted, ...] = ()
    expect: Mapping[str, object] = {}
    unmet: tuple[str, ...] = ()
    error: str = ""
    memory: bool = False
    web: Mapping[str, object] = {}
    elements: tuple[Element, ...] = ()
    proves: bool = True

    @property
    def has_memory(self) -> bool:
        """Return whether the made-up memory is read."""
        return self.memory or any(isinstance(given, Code) for given in self.inputs.values())

    @property
    def description(self) -> str:
        """Return what it shows, with the source lines."""
        said = " ".join(self.said.split())
        return f"{said} ({locations(self.elements)})" if self.elements else said


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
        return _cut(whole_statement_of(self.item.element).split("\n", 1)[0])


_Called = tuple[Function, tuple[str, ...], str]
"""A tool that a case calls: its parameters, and the key of its canned answer."""


class CaseMaker:
    """Makes the cases of a package.

    Args:
        documents: The texts of the package.
    """

    def __init__(self, documents: Documents) -> None:
        self._committed = committed = documents.committed
        self._documents = documents
        self._parts = PipelineParts(documents)
        self._without_text = rules_without_text(documents)
        self._parameters = {
            each.name: each for each in pipeline_parameters(committed) if not each.is_callable
        }
        self._rules = sorted_rules(committed)

    @cached_property
    def _needs_user(self) -> bool:
        """Return whether the caller must say who the user is, since the package doesn't hold it."""
        user = self._parameters.get("user_context")
        return user is not None and not user.default

    @cached_property
    def _overridable(self) -> list[str]:
        """Return the facts that what the caller passes replaces."""
        external = of_kind(self._committed, FACTS, Disposition.EXTERNAL_INPUT)
        return [item.element.element_id for item in external if not is_argument(item)]

    # --- what proves a text -------------------------------------------------------------------

    @cached_property
    def blocks(self) -> dict[str, tuple[str, ...]]:
        """Return what a prompt must have, by the name of the constant that lists it."""
        found = {
            "PERSONA": self._lines(PERSONA),
            "RULES": self._lines(RULES),
            "STEPS": tuple(line for name in self._last_phase for line in self._lines(step_text(name))),
            "IDENTITY": self._identity(),
            "FACTS": self._lines(USER),
            "TOOL_NOTES": self._lines(GUIDANCE),
            "CHECKLIST": self._lines(WAKE_UPS),
            "TOOLS": tuple(
                line
                for function, _ in working_tools(self._committed).callable
                for line in _telling(tool_description(function))[:1]
            ),
        }
        for place, rules in enumerate(self._calls(EVERYWHERE)):
            name = f"JUDGED_{place + 1}" if place else "JUDGED"
            found[name] = tuple(f"{number}. {rule.asks}" for number, rule in enumerate(rules, 1))
        return {name: texts for name, texts in found.items() if texts}

    @property
    def _last_phase(self) -> tuple[str, ...]:
        return (self._parts.last_phase.name,) if self._parts.last_phase is not None else ()

    @property
    def everything(self) -> tuple[str, ...]:
        """Return the names of the blocks that stand in the prompt of a reply."""
        return tuple(name for name in _IN_EVERY_REPLY if name in self.blocks)

    def _lines(self, text: str) -> tuple[str, ...]:
        """Return lines that prove a text: the first of each piece and others, evenly thinned where they are many."""
        required = {item.element.element_id for item in self._rules.required}
        without = self._overridable if text == USER and self._needs_user else []
        found = self._documents.pieces(text, apart=required, without=without)
        pieces = [_telling(piece.text) for piece in found]
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

    def _required(self, scope: str) -> list[Required]:
        """Return the rules that a run checks or judges, in the order of their numbers."""
        apart = {item.element.element_id for item in self._rules.required}
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

    def _calls(self, scope: str) -> list[list[Required]]:
        """Return the judged rules by the judge's call: calls are evenly filled, single rules come last."""
        judged = [rule for rule in self._required(scope) if rule.is_judged]
        shared = [rule for rule in judged if not rule.item.entry.judge_individually]
        size = -(-len(shared) // (-(-len(shared) // RULES_PER_CALL) or 1)) or 1
        chunks = [shared[at : at + size] for at in range(0, len(shared), size)]
        return [*chunks, *([rule] for rule in judged if rule.item.entry.judge_individually)]

    @cached_property
    def replies(self) -> Replies:
        """Return the answers that suit the checks of a run without a scope."""
        checks = [rule.item.mapping.check for rule in self._checked]
        forms = self._parts.schemas
        form: dict[str, object] | None = sample_form(forms[0].fields) if forms else None
        if len(forms) > 1:
            form = {schema.attribute: sample_form(schema.fields) for schema in forms}
        said = [whole_statement_of(item.element) for item in self._rules.required[:20]]
        chinese = any(has_any(text, HAN) for text in said)
        return replies_for([check for check in checks if check is not None], form, chinese=chinese)

    @property
    def _checked(self) -> list[Required]:
        required = self._required(EVERYWHERE)
        return [rule for rule in required if rule.item.mapping.check and not is_stub(rule.item)]

    def _kept(self, number: int) -> Reply:
        """Return an answer that keeps the checks; different numbers are just within different limits."""
        return self.replies.kept[number % len(self.replies.kept)]

    def _broken_by(
        self, reply: Reply, scope: str = EVERYWHERE, judged: Iterable[Required] = ()
    ) -> tuple[str, ...]:
        """Return the sources of the rules that a run reports for an answer."""
        found = {id(rule.item) for rule in judged}
        return tuple(
            rule.source for rule in self._required(scope) if id(rule.item) in found or not _keeps(reply, rule)
        )

    # --- the calls of a run -------------------------------------------------------------------

    def _attempt(
        self,
        reply: Reply,
        has: Sequence[str],
        *,
        seen: Sequence[str] = (),
        broken: Sequence[int] = (),
        scope: str = EVERYWHERE,
        lacks: Sequence[str] = (),
        without: Sequence[str] = (),
    ) -> Iterator[Scripted]:
        """Yield an answer and the judge's calls on it.

        Args:
            reply: The answer.
            has: What the prompt must have besides the blocks.
            seen: What the judge must see besides the rules.
            broken: The numbers, in all calls, of the rules that the judge finds broken.
            scope: The scope of the run.
            lacks: What no prompt of the answer may have.
            without: The blocks that the run has not.
        """
        blocks = [name for name in self.everything if name not in without]
        told = (*has, *self._findings)
        offers = not self._form and self._parts.replies_with_tools
        yield Scripted(
            reply, schema=self._form, blocks=tuple(blocks), has=told, lacks=tuple(lacks), offers=offers
        )
        facts = ("FACTS",) if "FACTS" in blocks else ()
        before = 0
        for place, rules in enumerate(self._calls(scope)):
            own = tuple(number - before for number in broken if 0 < number - before <= len(rules))
            name = f"JUDGED_{place + 1}" if place else "JUDGED"
            yield Scripted(
                schema="Verdicts",
                blocks=(*((name,) if scope == EVERYWHERE else ()), *facts),
                has=(
                    *(
                        ()
                        if scope == EVERYWHERE
                        else (f"{n}. {rule.asks}" for n, rule in enumerate(rules, 1))
                    ),
                    *seen,
                    *self._findings,
                    *_start_of(reply),
                ),
                broken=own,
            )
            before += len(rules)

    @property
    def _form(self) -> str:
        forms = self._parts.schemas
        return FORMS if len(forms) > 1 else forms[0].class_name if forms else ""

    def _before(
        self, message: str, scope: str = EVERYWHERE, without: Sequence[str] = ()
    ) -> Iterator[Scripted]:
        """Yield the calls before the reply: steps, and the choice of tools where it comes first."""
        first = self._parts.offers and not self._parts.replies_with_tools
        choice = Scripted(Reply("No tool is needed."), has=(message, self._clock), offers=True)
        chosen = False
        for number, step in enumerate(self._parts.steps):
            if first and step.checks and not chosen:
                chosen = True
                yield choice
            if not step.taken_by_model or (step.scope and step.scope != scope):
                continue
            if not step.in_config:
                yield Scripted(schema="*", has=(message,))
                continue
            found = self._findings[:number] if self._parts.workflow else ()
            lines = self._lines(step_text(step.name))
            blocks = tuple(
                name for name in ("PERSONA", "FACTS") if name in self.blocks and name not in without
            )
            yield Scripted(Reply(_FINDING.format(step.name)), blocks=blocks, has=(message, *lines, *found))
        if first and not chosen:
            yield choice

    @cached_property
    def _findings(self) -> tuple[str, ...]:
        """Return what the phases found, which the calls after them are told."""
        steps = [step for step in self._parts.steps if step.in_config and not step.scope]
        return tuple(_FINDING.format(step.name) for step in steps)

    def _inputs(self, message: object, **given: object) -> dict[str, object]:
        inputs = {
            name: EVERYWHERE if name == "scope" else _DEFAULTS.get(parameter.annotation, "")
            for name, parameter in self._parameters.items()
        }
        if self._needs_user:
            inputs["user_context"] = _MADE_UP_USER
        return {
            **inputs,
            "message": message,
            **{name: value for name, value in given.items() if name in inputs},
        }

    def _run(
        self, name: str, said: str, message: str, reply: Reply, elements: Iterable[Element] = ()
    ) -> CasePlan:
        """Return the case of a message whose first answer is taken."""
        script = (*self._before(message), *self._attempt(reply, [message], seen=[message]))
        return CasePlan(
            name,
            said,
            self._inputs(message),
            script,
            self._result(reply),
            self._final(reply),
            elements=tuple(elements),
        )

    def _result(self, reply: Reply) -> dict[str, object]:
        """Return what the result must hold of a reply."""
        if isinstance(reply.value, str) and not reply.times:
            return {"skipped": False, "text": reply.value.strip()}
        if isinstance(reply.value, dict) and len(self._parts.schemas) == 1:
            form = self._parts.schemas[0].attribute
            return {"skipped": False, **{f"{form}.{name}": said for name, said in reply.value.items()}}
        return {"skipped": False}

    def _final(self, reply: Reply) -> tuple[str, ...]:
        return self._broken_by(reply)

    # --- the cases ----------------------------------------------------------------------------

    def all(self) -> Iterator[CasePlan]:
        """Yield the cases of the package, the most important first."""
        yield from self._everything()
        yield from self._judged()
        yield from self._faulty()
        yield from self._memory()
        yield from self._second_turn()
        yield from self._wake_ups()
        yield from self._tool()
        yield from (replace(case, proves=False) for case in self._everyday())

    def picked(self) -> Iterator[CasePlan]:
        """Yield a case for each message that the user picked from the agent's history."""
        for picked in self._committed.fixtures:
            place = picked.came_from or "the agent's history"
            said = f"{picked.expected or 'Answers a message of an earlier session'} (from {place})"
            yield self._run(picked.fixture_id, said, picked.message, self.replies.kept[0])

    @property
    def _plain_message(self) -> str:
        judged = [rule.item for rule in self._required(EVERYWHERE)]
        return message_about(judged[0]) if judged else "What can you do for me?"

    def _everything(self) -> Iterator[CasePlan]:
        message = self._plain_message
        case = self._run(
            "message_is_answered",
            "A message: persona, rules, facts and date are in the prompt, the message last",
            message,
            self._kept(-1),
        )
        tools = ("TOOLS",) if "TOOLS" in self.blocks else ()
        yield replace(
            case,
            script=tuple(
                replace(
                    entry,
                    blocks=(*entry.blocks, *(tools if entry.offers else ())),
                    has=(*entry.has, *((self._clock,) if entry.blocks and entry.reply else ())),
                )
                for entry in case.script
            ),
        )

    @cached_property
    def _clock(self) -> str:
        """Return date, time and zone of the runs as prompts say them."""
        now, zone = datetime.fromisoformat(NOW), self._parts.texts.zone
        if zone:
            with suppress(KeyError, OSError, ValueError):  # a zone that isn't known
                now = now.astimezone(ZoneInfo(zone))
        return spoken(now)

    def _judged(self) -> Iterator[CasePlan]:
        """Yield the case of a reply that breaks the first judged rule and is too long, and one that breaks the last."""
        rules = [rule for call in self._calls(EVERYWHERE) for rule in call]
        limits = self.replies.over
        if not rules and not limits:
            return
        first = limits[0][1] if limits else self.replies.kept[0]
        wrong = [rule for rule in self._checked if not _keeps(first, rule)]
        second = limits[0][0] if limits else first
        if len(limits) > 1 and len(self._broken_by(limits[1][1])) <= len(wrong):
            second = limits[1][1]
        message = message_about(rules[0].item) if rules else LONG.of(self._checked[0].asks)
        again = (*_start_of(first), *(f"* {rule.asks}" for rule in (*rules[:1], *wrong)))
        named_for = (*rules[-1:], *wrong)[0]
        checks = [rule.item.mapping.check for rule in wrong if rule.item.mapping.check]
        yield CasePlan(
            named("breaks", named_for.asks, named_for.source)
            if rules
            else f"{name_of_broken(checks[:1])}_is_mended",
            "A reply breaks rules, the next one breaks others: exactly those are reported"
            if rules
            else "A reply is just over its limit; the next one is told so",
            self._inputs(message),
            (
                *self._before(message),
                *self._attempt(first, [message], seen=[message], broken=[1]),
                *self._attempt(second, [message, *again], seen=[message], broken=[len(rules)]),
            ),
            self._result(second),
            self._broken_by(second, judged=rules[-1:]),
            elements=(named_for.item.element,),
        )

    def _two_attempts(self, name: str, said: str, first: Reply, second: Reply) -> CasePlan:
        """Return the case of two answers that break checks: the second is shown what the first breaks."""
        broken = [rule for rule in self._checked if not _keeps(first, rule)]
        message = LONG.of(self._checked[0].asks)
        script = (
            *self._before(message),
            *self._attempt(first, [message], seen=[message]),
            *self._attempt(second, [message, *(f"* {rule.asks}" for rule in broken)], seen=[message]),
        )
        best = min((second, first), key=lambda reply: len(self._broken_by(reply)))
        elements = [rule.item.element for rule in self._checked if rule.source in self._broken_by(second)]
        return CasePlan(
            name,
            said,
            self._inputs(message),
            script,
            self._result(best),
            self._broken_by(best),
            elements=tuple(elements),
        )

    def _faulty(self) -> Iterator[CasePlan]:
        if not self.replies.faulty:
            return
        first, second = self.replies.faulty
        broken = [rule.item.mapping.check for rule in self._checked if not _keeps(second, rule)]
        said = "Two replies break what Python checks: exactly that is reported"
        yield self._two_attempts(name_of_broken(filter(None, broken)), said, first, second)

    def _memory(self) -> Iterator[CasePlan]:
        items = of_kind(self._committed, EntryKind.MEMORY, *Disposition)
        kept = [item for item in items if item.entry.disposition is not Disposition.REMOVE]
        elements = tuple(item.element for item in kept[:1])
        if "memory_context" in self._parameters:
            inputs = self._inputs(_QUESTION, memory_context=MADE_UP_FACT)
            yield self._remembering("memory_is_passed", _QUESTION, _FACT_PROOF, elements, inputs)
            return
        for item in kept:
            if item.entry.disposition in MEMORY_COPIED and (found := _halves(item.element)) is not None:
                message = REMEMBER.of(found[0])
                yield self._remembering(
                    "memory_is_found", message, found[1], (item.element,), self._inputs(message)
                )
                return
        if any(item.entry.disposition is Disposition.DELEGATE_TO_RUNTIME for item in kept):
            made = self._remembering(
                "memory_is_found", _QUESTION, _FACT_PROOF, elements, self._inputs(_QUESTION)
            )
            yield replace(made, said=f"{made.said}; the memory is made up", memory=True)

    def _remembering(
        self, name: str, message: str, proof: str, elements: tuple[Element, ...], inputs: dict[str, object]
    ) -> CasePlan:
        reply = self._kept(1)
        script = (*self._before(message), *self._attempt(reply, [message, proof], seen=[message, proof]))
        said = "A fact of the memory reaches model and judge"
        return CasePlan(
            name, said, inputs, script, self._result(reply), self._final(reply), elements=elements
        )

    def _second_turn(self) -> Iterator[CasePlan]:
        """Yield the case of a second turn in which every other parameter is given as well."""
        given: dict[str, object] = {"history": [{"role": role, "text": text} for role, text in TURNS]}
        has: list[str] = list(_TURN_PROOFS)
        without: list[str] = []
        lacks: tuple[str, ...] = ()
        for item in call_arguments(self._committed):
            argument = item.element.facts[ArgumentFact]
            sample: dict[str, object] = {"int": 3, "bool": True}
            first = argument.choices[0] if argument.choices else f"the {argument.argument}"
            given[symbol_of(item)] = sample.get(argument.type, first)
            has.append("yes" if argument.type == "bool" else str(given[symbol_of(item)]))
        named_already = {*given, "message", "scope", "memory_path", "memory_context"}
        for name in self._parameters:
            if name not in named_already:
                given[name] = f"A made-up {name.replace('_', ' ')}, to be seen."
                has.append(str(given[name]))
        if "user_context" in given:
            pieces = self._documents.pieces(USER, apart=self._overridable)
            lines = [line for piece in pieces if piece.item for line in _telling(piece.text)]
            lacks, without = tuple(lines[:1]), ([] if self._needs_user else ["FACTS"])
            has += [
                line
                for line in self.blocks.get("FACTS", ())
                if line not in lines and not line.startswith("#")
            ]
        scope = next(iter(self._rules.scoped), EVERYWHERE)
        if "scope" in self._parameters and scope != EVERYWHERE:
            given["scope"] = scope
            has += self._lines(scoped(scope))
        if "history" not in self._parameters:
            return
        message, reply = "And what about tomorrow?", self._kept(2)
        if "memory_path" in self._parameters:
            message, given["memory_path"] = _QUESTION, Code(MEMORY_FOLDER)
            has.append(_FACT_PROOF)
        seen = [message, *_TURN_PROOFS, *([str(given["user_context"])] if "user_context" in given else [])]
        attempt = self._attempt(reply, [message, *has], seen=seen, scope=scope, lacks=lacks, without=without)
        yield CasePlan(
            "second_turn",
            "A second turn: model and judge see the first, and whatever else the caller passes",
            self._inputs(message, **given),
            (*self._before(message, scope, without), *attempt),
            self._result(reply),
            self._broken_by(reply, scope),
        )

    def _wake_ups(self) -> Iterator[CasePlan]:
        rows = [row.row for row in task_rows(self._committed)]
        due = due_tasks(rows, {}, datetime.fromisoformat(NOW))
        asked = tuple(line for task in due for line in _telling(str(task["text"]))[:1])
        asked += tuple(
            line for item in always_requested(self._committed) for line in _telling(task_of(item))[:1]
        )
        asked += self.blocks.get("CHECKLIST", ())
        reply = self._kept(3)
        if self._parts.scheduled and asked:
            yield CasePlan(
                "scheduled_run",
                "Run by the schedule: what the source asks for reaches the model",
                self._inputs("heartbeat"),
                (*self._before(asked[0]), *self._attempt(reply, asked, seen=asked)),
                {**self._result(reply), "reason": "the schedule asked for it"},
                self._final(reply),
            )
        if not self._parts.heartbeat:
            return
        listed = tuple(name for name in ("FACTS",) if name in self.blocks)
        decision = Scripted(
            value={"reason": "Something needs action.", "decision": "act"},
            schema="HeartbeatDecision",
            blocks=listed,
            has=(self._clock, *asked),
        )
        yield CasePlan(
            "heartbeat_acts",
            "A wake-up without a message that acts: the reply is judged like any other",
            self._inputs(None),
            (decision, *self._before(""), *self._attempt(reply, asked, seen=asked)),
            {**self._result(reply), "reason": "Something needs action."},
            self._final(reply),
        )
        skip = replace(decision, value={"reason": "There is nothing to do.", "decision": "skip"})
        yield CasePlan(
            "heartbeat_skips",
            "A wake-up with nothing to do",
            self._inputs("heartbeat"),
            (skip,),
            {"skipped": True, "text": "", "reason": "There is nothing to do."},
        )

    def _tool(self) -> Iterator[CasePlan]:
        """Yield the case of calls that the model makes: one that nobody confirms, and others whose answers are used."""
        tools = working_tools(self._committed)
        if tools.denied or tools.asked or tools.granted:
            return
        called = [*self._asking(tools)[:1], *self._free(tools)][:TOOL_BUDGET]
        if not called:
            return
        web: dict[str, object] = {}
        calls: list[Scripted] = []
        proofs: tuple[str, ...] = ()
        for number, (function, parameters, key) in enumerate(called, 1):
            arguments = dict.fromkeys(parameters, "42")
            calls.append(Scripted(value={"tool": function.symbol, "arguments": arguments}, has=proofs))
            if key:
                web[key] = f"the seal {number} is amber"
            proofs = (*proofs, str(web[key]) if key else "confirmed")
        names = [function.symbol for function, _, _ in called]
        message, reply = f"Please use {' and '.join(names)}.", self.replies.kept[0]
        rest = [*self._before(message), *self._attempt(reply, [message, *proofs], seen=proofs)]
        at = next(place for place, entry in enumerate(rest) if entry.offers)
        said = "" if called[0][2] else "A call that nobody confirms is not made; "
        yield CasePlan(
            named("calls", " and ".join(names), "tools"),
            f"{said}what tools answer reaches model and judge",
            self._inputs(message),
            (*rest[:at], *calls, *rest[at:]),
            self._result(reply),
            self._final(reply),
            web=web,
            elements=called[0][0].elements[:1],
        )

    @staticmethod
    def _asking(tools: WorkingTools) -> list[_Called]:
        """Return the tools whose calls are confirmed first, with their parameters."""
        asking = [pair for pair in tools.http if pair[0].symbol in tools.confirming]
        return [(function, request.parameters, "") for function, request in asking]

    @staticmethod
    def _free(tools: WorkingTools) -> Iterator[_Called]:
        """Yield the tools that only read or run a script, with their parameters and what a canned answer is for."""
        for function, request in tools.http:
            if function.symbol not in tools.confirming and request.method == "GET" and request.host:
                address = request.template
                for name in request.parameters:
                    address = address.replace(f"{{{name}}}", "42")
                yield function, request.parameters, address
        for function, script in tools.scripts:
            if function.symbol not in tools.confirming:
                typed = script_call(function.items[0].element)
                parameters = typed.parameters if typed else ()
                words = [re.sub(r"\{\w+\}", "42", word) for word in typed.words] if typed else []
                yield function, parameters, shlex.join([script, *words])

    def _everyday(self) -> Iterator[CasePlan]:
        """Yield cases that suit any agent, for packages that have few of their own."""
        if not self._parts.wakes and not self._parts.event:
            said = "Nothing to work on: refused before any model call"
            yield CasePlan("empty_message", said, self._inputs(""), error="InputError")
        if not self._parts.schemas:
            yield self._empty_reply()
        for name, said, message in _EVERYDAY:
            yield self._run(name, said, message, self.replies.kept[0])
        said = "A history of another form is refused before any model call"
        yield CasePlan(
            "unreadable_history", said, self._inputs("Hi", history='[{"who": "me"}]'), error="InputError"
        )

    def _empty_reply(self) -> CasePlan:
        message = "Can you help me with something?"
        case = self._run("empty_reply", "A reply without a word is asked for again", message, self._kept(0))
        at = len(list(self._before(message)))
        empty = replace(case.script[at], reply=Reply(""))
        return replace(case, script=(*case.script[:at], empty, *case.script[at:]))

    @property
    def memory_variable(self) -> str:
        """Return the environment variable that names the folder of the memory."""
        return memory_variable(self._committed)


_EVERYDAY: Final = (
    (
        "braces_in_the_message",
        "Braces reach the model as they were typed",
        "My template says {{ name }} and {% if paid %}; what would it print?",
    ),
    ("another_language", "A message in Spanish reaches the model", "¿Puedes ayudarme en español?"),
    ("thanks", "A message that asks for nothing is answered", "Thanks, that was all for today."),
)
"""Name, what it shows, and message of cases that suit any agent."""

_FEWEST_WORDS: Final = 6
_FEWEST_SIGNS: Final = 8
_MOST_WORDS: Final = 8


def _halves(element: Element) -> tuple[str, str] | None:
    """Return the two halves of a fact of the memory: one is asked for, the other must be found."""
    for line in element.content_full.split("\n"):
        said = line.strip(" \t-*#>|")
        between, fewest = ("", _FEWEST_SIGNS) if has_any(said, HAN) else (" ", _FEWEST_WORDS)
        words = said.split(" ") if between else list(said)
        half = len(words) // 2
        if len(words) >= fewest and not line.startswith("#"):
            return between.join(words[:half]), between.join(words[half : half + _MOST_WORDS])
    return None


def _telling(text: str) -> list[str]:
    """Return the lines of a text that show that it is there, cut to a start that is short enough to read."""
    found = []
    for line in text.splitlines():
        start = _cut(line.strip())
        letters = sum(3 if has_any(sign, HAN) else sign.isalnum() for sign in start)
        if letters >= _FEWEST_LETTERS and "</" not in start:
            found.append(start)
    return found


def _cut(line: str) -> str:
    if len(line) <= _LONGEST_PROOF:
        return line
    return line[:_LONGEST_PROOF].rpartition(" ")[0] or line[:_LONGEST_PROOF]


def _spread(lines: Sequence[str], most: int) -> Iterator[str]:
    """Yield at most so many lines, the first, the last and evenly what is between."""
    if len(lines) <= most:
        yield from lines
        return
    yield from (lines[round(number * (len(lines) - 1) / (most - 1))] for number in range(most))


def _keeps(reply: Reply, rule: Required) -> bool:
    """Return whether an answer keeps what Python checks of a rule."""
    check = rule.item.mapping.check
    return check is None or is_stub(rule.item) or reply.keeps(check)


def _start_of(reply: Reply) -> tuple[str, ...]:
    """Return what shows that a prompt has an answer."""
    return tuple(_telling(reply.value)[:1]) if isinstance(reply.value, str) else ()
