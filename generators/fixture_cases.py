"""Plans the cases of a package: what stands in which prompt, what the scripted model answers, what must come of it."""

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.language.text_measures import HAN, has_any
from melleafy_tui.core.models.facts import ArgumentFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.core.package.left_memory import MEMORY_COPIED
from melleafy_tui.generators.config import TOOL_BUDGET, always_requested
from melleafy_tui.generators.documents import USER, Documents, scoped
from melleafy_tui.generators.fixture_proofs import (
    EVERYWHERE,
    NOW,
    Proofs,
    Required,
    block_of_judge,
    numbered_asks,
    telling,
)
from melleafy_tui.generators.fixture_texts import (
    LONG,
    REMEMBER,
    TEXTS,
    Replies,
    Reply,
    message_about,
    name_of_broken,
    named,
    replies_for,
    sample_form,
)
from melleafy_tui.generators.literals import identifier
from melleafy_tui.generators.package_shape import (
    Function,
    call_arguments,
    functions,
    in_place,
    of_kind,
    symbol_of,
    task_of,
)
from melleafy_tui.generators.provenance import locations
from melleafy_tui.generators.requirements import is_stub
from melleafy_tui.generators.runtime.schedule import due_tasks
from melleafy_tui.generators.schedule_rows import task_rows
from melleafy_tui.generators.schemas import FORMS
from melleafy_tui.generators.tools import WorkingTools, memory_variable, working_tools

MEMORY_FILE: Final = "fixtures/memory/MEMORY.md"
DAILY_NOTE_FILE: Final = f"fixtures/memory/memory/{NOW[:10]}.md"
MADE_UP_NOTE: Final = "The archive got new shelves this morning."
MADE_UP_FACT: Final = "The spare key of the archive hangs behind the blue door."
_QUESTION: Final = "Where is the spare key of the archive?"
_FACT_PROOF: Final = "hangs behind the blue door"
TURNS: Final = (
    ("user", "Can you help me with something?"),
    ("assistant", "Gladly. Which matter is it about?"),
)
_TURN_PROOFS: Final = tuple(text for _, text in TURNS)
_MADE_UP_USER: Final = "The user of a test"
_DEFAULTS: Final = {"int": 0, "bool": False, "list[dict[str, str]] | str | None": None}
"""The default of an input by its type; inputs of other types default to an empty text."""


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


class Attempt(Struct, frozen=True):
    """An answer of a run, and what the prompts around it must have.

    Attributes:
        reply: The answer.
        has: What its prompt must have besides the blocks.
        seen: What the judge must see besides the rules.
        broken: The numbers, in all calls, of the rules that the judge finds broken.
        lacks: What its prompt must not have.
    """

    reply: Reply
    has: Sequence[str]
    seen: Sequence[str] = ()
    broken: Sequence[int] = ()
    lacks: tuple[str, ...] = ()


_Called = tuple[Function, dict[str, object], str]
"""A tool that a case calls: its arguments, and the key of its canned answer."""


class CaseMaker:
    """Makes the cases of a package.

    Args:
        documents: The texts of the package.
    """

    def __init__(self, documents: Documents) -> None:
        self._committed = documents.committed
        self._documents = documents
        self.proofs: Final = Proofs(documents)
        self._parts = self.proofs.parts
        self._parameters = self.proofs.parameters

    @cached_property
    def replies(self) -> Replies:
        """Return the answers that suit the checks of a run without a scope."""
        checks = [rule.item.mapping.check for rule in self.proofs.checked]
        forms = self._parts.schemas
        form: dict[str, object] | None = sample_form(forms[0].fields) if forms else None
        if len(forms) > 1:
            form = {schema.attribute: sample_form(schema.fields) for schema in forms}
        return replies_for([check for check in checks if check is not None], form)

    def _kept(self, number: int) -> Reply:
        """Return an answer that keeps the checks; different numbers are just within different limits."""
        return self.replies.kept[number % len(self.replies.kept)]

    def _broken_by(
        self, reply: Reply, scope: str = EVERYWHERE, judged: Iterable[Required] = ()
    ) -> tuple[str, ...]:
        """Return the sources of the rules that a run reports for an answer."""
        found = {id(rule.item) for rule in judged}
        rules = self.proofs.required(scope)
        return tuple(rule.source for rule in rules if id(rule.item) in found or not _keeps(reply, rule))

    # --- the calls of a run -------------------------------------------------------------------

    def _attempt(self, attempt: Attempt, scope: str, without: Sequence[str]) -> Iterator[Scripted]:
        """Yield an answer and the judge's calls on it."""
        blocks = tuple(name for name in self.proofs.everything if name not in without)
        yield Scripted(
            attempt.reply,
            schema=self._form,
            blocks=blocks,
            has=tuple(attempt.has),
            lacks=attempt.lacks,
            offers=not self._form and self._parts.replies_with_tools,
        )
        before = 0
        for place, rules in enumerate(self.proofs.calls(scope), 1):
            listed = scope == EVERYWHERE
            own = [number - before for number in attempt.broken if 0 < number - before <= len(rules)]
            asked = () if listed else numbered_asks(rules)
            facts = ("FACTS",) if "FACTS" in blocks else ()
            yield Scripted(
                schema="Verdicts",
                blocks=(block_of_judge(place), *facts) if listed else facts,
                has=(*asked, *attempt.seen, *_start_of(attempt.reply)),
                broken=tuple(own),
            )
            before += len(rules)

    @property
    def _form(self) -> str:
        forms = self._parts.schemas
        return FORMS if len(forms) > 1 else forms[0].class_name if forms else ""

    def _before(self, message: str) -> Iterator[Scripted]:
        """Yield the choice of tools where it comes before the reply."""
        if self._parts.offers and not self._parts.replies_with_tools:
            yield Scripted(Reply("No tool is needed."), has=(message, self.proofs.clock), offers=True)

    def _inputs(self, message: object, **given: object) -> dict[str, object]:
        inputs = {
            name: EVERYWHERE if name == "scope" else _DEFAULTS.get(parameter.annotation, "")
            for name, parameter in self._parameters.items()
        }
        user = {"user_context": _MADE_UP_USER} if self.proofs.needs_user else {}
        known = {name: value for name, value in given.items() if name in inputs}
        return {**inputs, **user, "message": message, **known}

    def _case(
        self,
        name: str,
        said: str,
        message: str,
        *attempts: Attempt,
        inputs: Mapping[str, object] | None = None,
        first: Sequence[Scripted] = (),
        scope: str = EVERYWHERE,
        without: Sequence[str] = (),
        judged: Iterable[Required] = (),
        elements: Iterable[Element] = (),
    ) -> CasePlan:
        """Return a case."""
        rules = list(judged)
        replies = [attempt.reply for attempt in reversed(attempts)]
        taken = replies[0] if rules else min(replies, key=lambda reply: len(self._broken_by(reply, scope)))
        calls = (call for attempt in attempts for call in self._attempt(attempt, scope, without))
        return CasePlan(
            name,
            said,
            self._inputs(message) if inputs is None else inputs,
            (*first, *self._before(message), *calls),
            self._result(taken),
            self._broken_by(taken, scope, rules),
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

    # --- the cases ----------------------------------------------------------------------------

    def all(self) -> Iterator[CasePlan]:
        """Yield the cases of the package, the most important first."""
        yield self._everything()
        yield from self._judged()
        yield from self._faulty()
        yield from self._memory()
        if "history" in self._parameters:
            yield self._second_turn()
        yield from self._scopes()
        yield from self._wake_ups()
        yield from self._tool()
        yield from (replace(case, proves=False) for case in self._everyday())

    def picked(self) -> Iterator[CasePlan]:
        """Yield a case for each message that the user picked from the agent's history."""
        for picked in self._committed.fixtures:
            place = picked.came_from or "the agent's history"
            said = f"{picked.expected or 'Answers a message of an earlier session'} (from {place})"
            yield self._plain(picked.fixture_id, said, picked.message)

    def _plain(self, name: str, said: str, message: str, number: int = 0) -> CasePlan:
        """Return the case of a message whose first answer is taken."""
        return self._case(name, said, message, Attempt(self._kept(number), [message], [message]))

    def _everything(self) -> CasePlan:
        judged = self.proofs.required(EVERYWHERE)
        message = message_about(judged[0].item) if judged else "What can you do for me?"
        said = "A message: persona, rules, facts and date are in the prompt, the message last"
        case = self._plain("message_is_answered", said, message, -1)
        tools = ("TOOLS",) if "TOOLS" in self.proofs.blocks else ()
        script = (
            replace(
                entry,
                blocks=(*entry.blocks, *(tools if entry.offers else ())),
                has=(*entry.has, *((self.proofs.clock,) if entry.blocks and entry.reply else ())),
            )
            for entry in case.script
        )
        return replace(case, script=tuple(script))

    def _judged(self) -> Iterator[CasePlan]:
        """Yield the case of a reply that breaks the first judged rule and is too long, and one that breaks the last."""
        rules = [rule for call in self.proofs.calls(EVERYWHERE) for rule in call]
        limits = self.replies.over
        if not rules and not limits:
            return
        first = limits[0][1] if limits else self.replies.kept[0]
        wrong = [rule for rule in self.proofs.checked if not _keeps(first, rule)]
        second = limits[0][0] if limits else first
        if len(limits) > 1 and len(self._broken_by(limits[1][1])) <= len(wrong):
            second = limits[1][1]
        message = message_about(rules[0].item) if rules else LONG.of(self.proofs.checked[0].asks)
        again = (*_start_of(first), *(f"* {rule.asks}" for rule in (*rules[:1], *wrong)))
        named_for = (*rules[-1:], *wrong)[0]
        checks = [rule.item.mapping.check for rule in wrong if rule.item.mapping.check]
        name = f"{name_of_broken(checks[:1])}_is_mended" if not rules else ""
        said = "A reply is just over its limit; the next one is told so"
        if rules:
            name = named("breaks", named_for.asks, named_for.source)
            said = "A reply breaks rules, the next one breaks others: exactly those are reported"
        attempts = (
            Attempt(first, [message], [message], broken=[1]),
            Attempt(second, [message, *again], [message], broken=[len(rules)]),
        )
        elements = (named_for.item.element,)
        yield self._case(name, said, message, *attempts, judged=rules[-1:], elements=elements)

    def _faulty(self) -> Iterator[CasePlan]:
        """Yield the case of two answers that break checks: the second is shown what the first breaks."""
        if not self.replies.faulty:
            return
        first, second = self.replies.faulty
        broken, again = (
            [rule for rule in self.proofs.checked if not _keeps(each, rule)] for each in (first, second)
        )
        message = LONG.of(self.proofs.checked[0].asks)
        yield self._case(
            name_of_broken(filter(None, (rule.item.mapping.check for rule in again))),
            "Two replies break what Python checks: exactly that is reported",
            message,
            Attempt(first, [message], [message]),
            Attempt(second, [message, *(f"* {rule.asks}" for rule in broken)], [message]),
            elements=[rule.item.element for rule in again],
        )

    def _memory(self) -> Iterator[CasePlan]:
        items = of_kind(self._committed, EntryKind.MEMORY, *Disposition)
        kept = [item for item in items if item.entry.disposition is not Disposition.REMOVE]
        elements = [item.element for item in kept[:1]]
        if "memory_context" in self._parameters:
            inputs = self._inputs(_QUESTION, memory_context=MADE_UP_FACT)
            yield self._remembering("memory_is_passed", _QUESTION, (_FACT_PROOF,), elements, inputs)
            return
        for item in kept:
            if item.entry.disposition in MEMORY_COPIED and (found := _halves(item.element)) is not None:
                yield self._remembering("memory_is_found", REMEMBER.of(found[0]), found[1:], [item.element])
                return
        searched = any(item.entry.disposition is Disposition.DELEGATE_TO_RUNTIME for item in kept)
        proofs = (*([_FACT_PROOF] if searched else []), *([MADE_UP_NOTE] if self.reads_daily_notes else []))
        if proofs:
            made = self._remembering("memory_is_found", _QUESTION, proofs, elements)
            yield replace(made, said=f"{made.said}; the memory is made up", memory=True)

    def _remembering(
        self,
        name: str,
        message: str,
        proofs: Sequence[str],
        elements: Sequence[Element],
        inputs: Mapping[str, object] | None = None,
    ) -> CasePlan:
        attempt = Attempt(self._kept(1), [message, *proofs], [message, *proofs])
        said = "A fact of the memory reaches model and judge"
        return self._case(name, said, message, attempt, inputs=inputs, elements=elements)

    def _second_turn(self) -> CasePlan:
        """Return the case of a second turn in which every other parameter is given as well."""
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
        for name in self._parameters:
            if name not in {*given, "message", "scope", "memory_path", "memory_context"}:
                given[name] = f"A made-up {name.replace('_', ' ')}, to be seen."
                has.append(str(given[name]))
        if "user_context" in given:
            pieces = self._documents.pieces(USER, apart=self.proofs.overridable)
            lines = [line for piece in pieces if piece.item for line in telling(piece.text)]
            lacks, without = tuple(lines[:1]), ([] if self.proofs.needs_user else ["FACTS"])
            facts = self.proofs.blocks.get("FACTS", ())
            has += [line for line in facts if line not in lines and not line.startswith("#")]
        scope = next(iter(self.proofs.rules.scopes), EVERYWHERE)
        if "scope" in self._parameters and scope != EVERYWHERE:
            given["scope"] = scope
            has += self.proofs.lines(scoped(scope))
        message = "And what about tomorrow?"
        if "memory_path" in self._parameters:
            message, given["memory_path"] = _QUESTION, Code(MEMORY_FOLDER)
            has.append(_FACT_PROOF)
        seen = [message, *_TURN_PROOFS, *([str(given["user_context"])] if "user_context" in given else [])]
        return self._case(
            "second_turn",
            "A second turn: model and judge see the first, and whatever else the caller passes",
            message,
            Attempt(self._kept(2), [message, *has], seen, lacks=lacks),
            inputs=self._inputs(message, **given),
            scope=scope,
            without=without,
        )

    def _scopes(self) -> Iterator[CasePlan]:
        """Yield a case for each scope but that of the second turn."""
        for scope in [*self.proofs.rules.scopes][1:]:
            message = f"What holds in {scope}?"
            has = [message, *self.proofs.lines(scoped(scope))]
            yield self._case(
                f"message_in_{identifier(scope, fallback='scope')}",
                "The rules of a folder reach the model",
                message,
                Attempt(self._kept(1), has, [message]),
                inputs=self._inputs(message, scope=scope),
                scope=scope,
            )

    def _wake_ups(self) -> Iterator[CasePlan]:
        rows = [row.row for row in task_rows(self._committed)]
        due = [str(task["text"]) for task in due_tasks(rows, {}, datetime.fromisoformat(NOW))]
        due += map(task_of, always_requested(self._committed))
        asked = tuple(line for text in due for line in telling(text)[:1])
        asked += self.proofs.blocks.get("CHECKLIST", ())
        attempt = Attempt(self._kept(3), asked, asked)
        if self._parts.scheduled and asked:
            said = "Run by the schedule: what the source asks for reaches the model"
            woken = self._inputs("heartbeat")
            case = self._case("scheduled_run", said, asked[0], attempt, inputs=woken)
            yield replace(case, expect={**case.expect, "reason": "the schedule asked for it"})
        if not self._parts.heartbeat:
            return
        decision = Scripted(
            value={"reason": "Something needs action.", "decision": "act"},
            schema="HeartbeatDecision",
            blocks=tuple(name for name in ("FACTS",) if name in self.proofs.blocks),
            has=(self.proofs.clock, *asked),
        )
        said = "A wake-up without a message that acts: the reply is judged like any other"
        case = self._case("heartbeat_acts", said, "", attempt, inputs=self._inputs(None), first=[decision])
        yield replace(case, expect={**case.expect, "reason": "Something needs action."})
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
        for number, (function, arguments, key) in enumerate(called, 1):
            calls.append(Scripted(value={"tool": function.symbol, "arguments": arguments}, has=proofs))
            if key:
                web[key] = f"the seal {number} is amber"
            proofs = (*proofs, str(web[key]) if key else "confirmed")
        names = [function.symbol for function, _, _ in called]
        message = f"Please use {' and '.join(names)}."
        said = "" if called[0][2] else "A call that nobody confirms is not made; "
        case = self._case(
            named("calls", " and ".join(names), "tools"),
            f"{said}what tools answer reaches model and judge",
            message,
            Attempt(self.replies.kept[0], [message, *proofs], proofs),
            elements=called[0][0].elements[:1],
        )
        at = next(place for place, entry in enumerate(case.script) if entry.offers)
        yield replace(case, script=(*case.script[:at], *calls, *case.script[at:]), web=web)

    @staticmethod
    def _asking(tools: WorkingTools) -> list[_Called]:
        """Return the tools whose calls are confirmed first, with arguments."""
        asking = [pair for pair in tools.http if pair[0].symbol in tools.confirming]
        return [(function, dict.fromkeys(request.parameters, "42"), "") for function, request in asking]

    @staticmethod
    def _free(tools: WorkingTools) -> Iterator[_Called]:
        """Yield the tools that only read or run a script, with arguments and what a canned answer is for."""
        for function, request in tools.http:
            if function.symbol not in tools.confirming and request.method == "GET" and request.host:
                address = request.template
                for name in request.parameters:
                    address = address.replace(f"{{{name}}}", "42")
                yield function, dict.fromkeys(request.parameters, "42"), address
        for function, script in tools.scripts:
            if function.symbol not in tools.confirming:
                call = tools.script_calls.get(function.symbol)
                given = call.samples if call else {}
                yield function, given, shlex.join([script, *(call.filled(given) if call else [])])

    def _everyday(self) -> Iterator[CasePlan]:
        """Yield cases that suit any agent, for packages that have few of their own."""
        if not self._parts.schemas:
            message = "Can you help me with something?"
            case = self._plain("empty_reply", "A reply without a word is asked for again", message)
            at = len(list(self._before(message)))
            empty = replace(case.script[at], reply=Reply(""))
            yield replace(case, script=(*case.script[:at], empty, *case.script[at:]))
        if not self._parts.wakes and not self._parts.event:
            said = "Nothing to work on: refused before any model call"
            yield CasePlan("empty_message", said, self._inputs(""), error="InputError")
        yield from (self._plain(**case) for case in TEXTS["everyday"])
        said = "A history of another form is refused before any model call"
        yield CasePlan(
            "unreadable_history", said, self._inputs("Hi", history='[{"who": "me"}]'), error="InputError"
        )

    @property
    def reads_daily_notes(self) -> bool:
        """Return whether a run sees the agent's notes of yesterday and today where they lie."""
        hooks = functions(self._committed, EntryKind.STATE, Disposition.DELEGATE_TO_RUNTIME)
        return any(map(in_place, hooks))

    @property
    def memory_variable(self) -> str:
        """Return the environment variable that names the folder of the memory."""
        return memory_variable(self._committed)


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


def _keeps(reply: Reply, rule: Required) -> bool:
    """Return whether an answer keeps what Python checks of a rule."""
    check = rule.item.mapping.check
    return check is None or is_stub(rule.item) or reply.keeps(check)


def _start_of(reply: Reply) -> tuple[str, ...]:
    """Return what shows that a prompt has an answer."""
    return tuple(telling(reply.value)[:1]) if isinstance(reply.value, str) else ()
