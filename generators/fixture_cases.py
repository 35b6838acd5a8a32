"""Plans the cases of an agent: what stands in which prompt, what the scripted model answers, what must come of it."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from melleafy_tui.core.language.text_measures import HAN, has_any
from melleafy_tui.core.models.committed import PlannedElement
from melleafy_tui.core.models.facts import ArgumentFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.core.package.left_memory import MEMORY_COPIED
from melleafy_tui.generators import fixture_proofs as proofs
from melleafy_tui.generators import fixture_texts as texts
from melleafy_tui.generators import package_shape as shape
from melleafy_tui.generators.config import TOOL_BUDGET, always_requested
from melleafy_tui.generators.documents import USER, Documents, scoped
from melleafy_tui.generators.literals import identifier
from melleafy_tui.generators.provenance import rule_places
from melleafy_tui.generators.requirements import rules_of_run, scopes_of
from melleafy_tui.generators.runtime.schedule import due_tasks
from melleafy_tui.generators.schedule_rows import task_rows
from melleafy_tui.generators.schemas import FORMS
from melleafy_tui.generators.tools import memory_variable, working_tools

MADE_UP_NOTE: Final = "The archive got new shelves this morning."
MADE_UP_FACT: Final = "The spare key of the archive hangs behind the blue door."
_QUESTION: Final = "Where is the spare key of the archive?"
_FACT_PROOF: Final = "hangs behind the blue door"
TURNS: Final = {"user": "Can you help me with something?", "assistant": "Gladly. Which matter is it about?"}
_MADE_UP_USER: Final = "The user of a test"
_DEFAULTS: Final = {"int": 0, "bool": False, "list[dict[str, str]] | str | None": None}
"""The default of an input by its type; inputs of other types default to an empty text."""

MEMORY_FOLDER: Final = proofs.Code("MEMORY_FOLDER")


class AgentCases:
    """Makes the cases of an agent.

    Args:
        documents: The texts of the package.
    """

    def __init__(self, documents: Documents) -> None:
        self._committed, self._documents = documents.committed, documents
        self.proofs: Final = proofs.Proofs(documents)
        self._parts, self._rules = self.proofs.parts, self.proofs.rules
        self._parameters = self.proofs.parameters
        forms = self._parts.schemas
        form: dict[str, object] | None = texts.sample_form(forms[0].fields) if forms else None
        if len(forms) > 1:
            form = {schema.attribute: texts.sample_form(schema.fields) for schema in forms}
        self._schema = FORMS if len(forms) > 1 else forms[0].class_name if forms else ""
        checks = (item.mapping.check for item in self._rules.checked)
        self.replies: Final = texts.replies_for([check for check in checks if check is not None], form)
        """The answers that suit the checks of a run without a scope."""

    def all(self) -> Iterator[proofs.CasePlan]:
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

    def picked(self) -> Iterator[proofs.CasePlan]:
        """Yield a case for each message that the user picked from the agent's history."""
        for picked in self._committed.fixtures:
            place = picked.came_from or "the agent's history"
            said = f"{picked.expected or 'Answers a message of an earlier session'} (from {place})"
            yield self._plain(picked.fixture_id, said, picked.message)

    # --- the calls of a run -------------------------------------------------------------------

    def _case(
        self,
        name: str,
        said: str,
        message: str,
        *attempts: proofs.Attempt,
        inputs: dict[str, object] | None = None,
        before: Sequence[texts.Reply] = (),
        scope: str = proofs.EVERYWHERE,
        without: str = "",
        tools: Sequence[str] = (),
        elements: Sequence[Element] = (),
    ) -> proofs.CasePlan:
        """Return a case.

        Args:
            name: Its id.
            said: What it shows.
            message: The message.
            attempts: The answers.
            inputs: The arguments of `run_pipeline`; the message and defaults if there are none.
            before: The answers before.
            scope: The scope whose rules hold.
            without: The block that isn't in the prompt.
            tools: The block that the call has that offers the tools.
            elements: The elements that it was made from.
        """
        blocks = [name for name in self.proofs.everything if name != without]
        facts = [name for name in blocks if name == "FACTS"]
        rules = self._rules if scope == proofs.EVERYWHERE else rules_of_run(self._documents, scoped(scope))
        script = list(before)
        if self._parts.offers and not self._parts.replies_with_tools:  # the choice of tools, before the form
            has = (*self.proofs.named(*tools), message, self.proofs.clock)
            script.append(texts.Reply("No tool is needed.", has=proofs.distinct(has)))
            tools = ()
        told = self.proofs.named(*blocks, *tools)
        shown = [
            proofs.Attempt(
                each.reply, (*told, *each.has), (*each.seen, *_start_of(each.reply)), each.broken, each.lacks
            )
            for each in attempts
        ]

        def asked(place: int, call: Sequence[PlannedElement]) -> Sequence[str]:
            if scope == proofs.EVERYWHERE:
                return self.proofs.named(proofs.block_of_judge(place), *facts)
            return (*self.proofs.named(*facts), *proofs.numbered_asks(call))

        script += proofs.answers(shown, rules, self._schema, asked)
        taken, unmet = proofs.best(attempts, rules)
        given = self._inputs(message) if inputs is None else inputs
        return proofs.CasePlan(
            name, said, given, script, self._result(taken), unmet, elements=tuple(elements)
        )

    def _inputs(self, message: object, **given: object) -> dict[str, object]:
        inputs = {
            name: proofs.EVERYWHERE if name == "scope" else _DEFAULTS.get(parameter.annotation, "")
            for name, parameter in self._parameters.items()
        }
        user = {"user_context": _MADE_UP_USER} if self.proofs.needs_user else {}
        known = {name: value for name, value in given.items() if name in inputs}
        return {**inputs, **user, "message": message, **known}

    def _result(self, reply: texts.Reply) -> dict[str, object]:
        """Return what the result must hold of a reply."""
        if isinstance(reply.reply, str) and not reply.times:
            return {"skipped": False, "text": reply.reply.strip()}
        if isinstance(reply.reply, dict) and len(self._parts.schemas) == 1:
            form = self._parts.schemas[0].attribute
            return {"skipped": False, **{f"{form}.{name}": said for name, said in reply.reply.items()}}
        return {"skipped": False}

    def _kept(self, number: int) -> texts.Reply:
        """Return an answer that keeps the checks; different numbers are just within different limits."""
        return self.replies.kept[number % len(self.replies.kept)]

    # --- the cases ----------------------------------------------------------------------------

    def _plain(self, name: str, said: str, message: str) -> proofs.CasePlan:
        """Return the case of a message whose first answer is taken."""
        return self._case(name, said, message, proofs.Attempt(self._kept(0), [message], [message]))

    def _everything(self) -> proofs.CasePlan:
        message = (
            texts.message_about(self._rules.required[0])
            if self._rules.required
            else "What can you do for me?"
        )
        said = "A message: persona, rules, facts and date are in the prompt, the message last"
        attempt = proofs.Attempt(self._kept(-1), [message, self.proofs.clock], [message])
        return self._case("message_is_answered", said, message, attempt, tools=["TOOLS"])

    def _judged(self) -> Iterator[proofs.CasePlan]:
        """Yield the case of a reply that breaks the first judged rule and is too long, and one that breaks the last."""
        rules, checked, limits = self._rules.judged, self._rules.checked, self.replies.over
        if not rules and not limits:
            return
        within, first = limits[0] if limits else (self._kept(0), self._kept(0))
        wrong = proofs.broken_by(proofs.Attempt(first), self._rules)
        over = limits[1][1] if len(limits) > 1 else within
        second = over if len(proofs.broken_by(proofs.Attempt(over), self._rules)) <= len(wrong) else within
        message = texts.message_about(rules[0]) if rules else texts.phrased("long", proofs.asks(checked[0]))
        again = (*_start_of(first), *(f"* {proofs.asks(item)}" for item in (*rules[:1], *wrong)))
        named_for = [*rules[-1:], *wrong][0]
        if rules:
            name = texts.named("breaks", proofs.asks(named_for), rule_places(named_for.element))
            said = "A reply breaks rules, the next one breaks others: exactly those are reported"
        else:
            name = f"{texts.name_of_broken(wrong[:1])}_is_mended"
            said = "A reply is just over its limit; the next one is told so"
        attempts = (
            proofs.Attempt(first, [message], [message], broken=[1]),
            proofs.Attempt(second, [message, *again], [message], broken=[len(rules)]),
        )
        yield self._case(name, said, message, *attempts, elements=[named_for.element])

    def _faulty(self) -> Iterator[proofs.CasePlan]:
        """Yield the case of two answers that break checks: the second is shown what the first breaks."""
        if not self.replies.faulty:
            return
        first, second = (proofs.Attempt(reply) for reply in self.replies.faulty)
        broken, again = (proofs.broken_by(each, self._rules) for each in (first, second))
        message = texts.phrased("long", proofs.asks(self._rules.checked[0]))
        yield self._case(
            texts.name_of_broken(again),
            "Two replies break what Python checks: exactly that is reported",
            message,
            proofs.Attempt(first.reply, [message], [message]),
            proofs.Attempt(
                second.reply, [message, *(f"* {proofs.asks(item)}" for item in broken)], [message]
            ),
            elements=[item.element for item in again],
        )

    def _memory(self) -> Iterator[proofs.CasePlan]:
        items = shape.of_kind(self._committed, EntryKind.MEMORY, *Disposition)
        kept = [item for item in items if item.entry.disposition is not Disposition.REMOVE]
        name, message, proven = "memory_is_found", _QUESTION, [_FACT_PROOF]
        elements = [item.element for item in kept[:1]]
        said, inputs, environment = "A fact of the memory reaches model and judge", None, {}
        copied = [item.element for item in kept if item.entry.disposition in MEMORY_COPIED]
        found = next(((element, halves) for element in copied if (halves := _halves(element))), None)
        if "memory_context" in self._parameters:
            name, inputs = "memory_is_passed", self._inputs(message, memory_context=MADE_UP_FACT)
        elif found is not None:
            elements, message, proven = [found[0]], texts.phrased("remember", found[1][0]), [found[1][1]]
        else:
            searched = any(item.entry.disposition is Disposition.DELEGATE_TO_RUNTIME for item in kept)
            proven = [*(proven if searched else []), *([MADE_UP_NOTE] if self.reads_daily_notes else [])]
            said += "; the memory is made up"
            environment = {memory_variable(self._committed): MEMORY_FOLDER}
        if proven:
            attempt = proofs.Attempt(self._kept(1), [message, *proven], [message, *proven])
            case = self._case(name, said, message, attempt, inputs=inputs, elements=elements)
            yield replace(case, environment=environment)

    def _second_turn(self) -> proofs.CasePlan:
        """Return the case of a second turn in which every other parameter is given as well."""
        given: dict[str, object] = {"history": [{"role": role, "text": text} for role, text in TURNS.items()]}
        has, without, lacks = list(TURNS.values()), "", list[str]()
        for item in shape.call_arguments(self._committed):
            argument = item.element.facts[ArgumentFact]
            sample: dict[str, object] = {"int": 3, "bool": True}
            first = argument.choices[0] if argument.choices else f"the {argument.argument}"
            given[shape.symbol_of(item)] = sample.get(argument.type, first)
            has.append("yes" if argument.type == "bool" else str(given[shape.symbol_of(item)]))
        for name in self._parameters:
            if name not in {*given, "message", "scope", "memory_path", "memory_context"}:
                given[name] = f"A made-up {name.replace('_', ' ')}, to be seen."
                has.append(str(given[name]))
        if "user_context" in given:
            pieces = self._documents.pieces(USER, apart=self.proofs.overridable)
            lines = [line for piece in pieces if piece.item for line in proofs.telling(piece.text)]
            lacks, without = lines[:1], "" if self.proofs.needs_user else "FACTS"
            facts = self.proofs.blocks.get("FACTS", ())
            has += [line for line in facts if line not in lines and not line.startswith("#")]
        scope = next(iter(scopes_of(self._committed)), proofs.EVERYWHERE)
        if "scope" in self._parameters and scope != proofs.EVERYWHERE:
            given["scope"] = scope
            has += self.proofs.lines(scoped(scope))
        message = "And what about tomorrow?"
        if "memory_path" in self._parameters:
            message, given["memory_path"] = _QUESTION, MEMORY_FOLDER
            has.append(_FACT_PROOF)
        seen = [message, *TURNS.values(), str(given.get("user_context", ""))]
        return self._case(
            "second_turn",
            "A second turn: model and judge see the first, and whatever else the caller passes",
            message,
            proofs.Attempt(self._kept(2), [message, *has], seen, lacks=lacks),
            inputs=self._inputs(message, **given),
            scope=scope,
            without=without,
        )

    def _scopes(self) -> Iterator[proofs.CasePlan]:
        """Yield a case for each scope but that of the second turn."""
        for scope in scopes_of(self._committed)[1:]:
            message = f"What holds in {scope}?"
            yield self._case(
                f"message_in_{identifier(scope, fallback='scope')}",
                "The rules of a folder reach the model",
                message,
                proofs.Attempt(self._kept(1), [message, *self.proofs.lines(scoped(scope))], [message]),
                inputs=self._inputs(message, scope=scope),
                scope=scope,
            )

    def _wake_ups(self) -> Iterator[proofs.CasePlan]:
        rows = [row.row for row in task_rows(self._committed)]
        due = [str(task["text"]) for task in due_tasks(rows, {}, datetime.fromisoformat(proofs.NOW))]
        due += map(shape.task_of, always_requested(self._committed))
        asked = [line for text in due for line in proofs.telling(text)[:1]]
        asked += self.proofs.blocks.get("CHECKLIST", ())
        attempt = proofs.Attempt(self._kept(3), asked, asked)
        if self._parts.scheduled and asked:
            said = "Run by the schedule: what the source asks for reaches the model"
            case = self._case("scheduled_run", said, asked[0], attempt, inputs=self._inputs("heartbeat"))
            yield replace(case, expect={**case.expect, "reason": "the schedule asked for it"})
        if not self._parts.heartbeat:
            return
        has = proofs.distinct((*self.proofs.named("FACTS"), self.proofs.clock, *asked))
        act, skip = (
            texts.Reply({"reason": reason, "decision": decision}, schema="HeartbeatDecision", has=has)
            for reason, decision in (("Something needs action.", "act"), ("There is nothing to do.", "skip"))
        )
        said = "A wake-up without a message that acts: the reply is judged like any other"
        case = self._case("heartbeat_acts", said, "", attempt, inputs=self._inputs(None), before=[act])
        yield replace(case, expect={**case.expect, "reason": "Something needs action."})
        yield proofs.CasePlan(
            "heartbeat_skips",
            "A wake-up with nothing to do",
            self._inputs("heartbeat"),
            [skip],
            {"skipped": True, "text": "", "reason": "There is nothing to do."},
        )

    def _tool(self) -> Iterator[proofs.CasePlan]:
        """Yield the case of calls that the model makes: one that nobody confirms, and others whose answers are used."""
        tools = working_tools(self._committed)
        if tools.denied or tools.asked or tools.granted:
            return
        tried = sorted(self._tried(), key=lambda call: bool(call[2]))  # one that is asked about comes first
        asking = [call for call in tried if not call[2]]
        called = [*asking[:1], *tried[len(asking) :]][:TOOL_BUDGET]
        if not called:
            return
        web: dict[str, object] = {}
        calls: list[texts.Reply] = []
        proven: tuple[str, ...] = ()
        for number, (function, arguments, key) in enumerate(called, 1):
            calls.append(texts.Reply({"tool": function.symbol, "arguments": arguments}, has=proven))
            web |= {key: f"the seal {number} is amber"} if key else {}
            proven = (*proven, str(web[key]) if key else "confirmed")
        names = " and ".join(function.symbol for function, _, _ in called)
        message = f"Please use {names}."
        case = self._case(
            texts.named("calls", names, "tools"),
            f"{'A call that nobody confirms is not made; ' if asking else ''}what tools answer reaches model and judge",
            message,
            proofs.Attempt(self._kept(0), [message, *proven], proven),
            before=calls,
            elements=called[0][0].elements[:1],
        )
        yield replace(case, web=web)

    def _tried(self) -> Iterator[tuple[shape.Function, dict[str, object], str]]:
        """Yield tools that ask first, only read or run a script, with arguments and what a canned answer is for."""
        tools = working_tools(self._committed)
        for function, request in tools.http:
            given: dict[str, object] = dict.fromkeys(request.parameters, "42")
            if function.symbol in tools.confirming:
                yield function, given, ""
            elif request.method == "GET" and request.host:
                address = request.template
                for name in request.parameters:
                    address = address.replace(f"{{{name}}}", "42")
                yield function, given, address
        for function, folder in tools.agents:
            if function.symbol not in tools.confirming:
                yield function, {"question": "42"}, f"ask {folder}: 42"
        for function, script in tools.scripts:
            if function.symbol not in tools.confirming:
                call = tools.script_calls.get(function.symbol)
                samples = call.samples if call else {}
                yield function, samples, shlex.join([script, *(call.filled(samples) if call else [])])

    def _everyday(self) -> Iterator[proofs.CasePlan]:
        """Yield cases that suit any agent, for packages that have few of their own."""
        if not self._parts.schemas:
            message = "Can you help me with something?"
            case = self._plain("empty_reply", "A reply without a word is asked for again", message)
            empty = texts.Reply("", has=case.script[0].has)
            yield replace(case, script=[empty, *case.script])
        if not self._parts.wakes and not self._parts.event:
            said = "Nothing to work on: refused before any model call"
            yield proofs.CasePlan("empty_message", said, self._inputs(""), error="InputError")
        yield from (self._plain(**case) for case in texts.TEXTS["everyday"])
        said = "A history of another form is refused before any model call"
        given = self._inputs("Hi", history='[{"who": "me"}]')
        yield proofs.CasePlan("unreadable_history", said, given, error="InputError")

    @property
    def reads_daily_notes(self) -> bool:
        """Return whether a run sees the agent's notes of yesterday and today where they lie."""
        hooks = shape.functions(self._committed, EntryKind.STATE, Disposition.DELEGATE_TO_RUNTIME)
        return any(map(shape.in_place, hooks))


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


def _start_of(reply: texts.Reply) -> tuple[str, ...]:
    """Return what shows that a prompt has an answer."""
    return tuple(proofs.telling(reply.reply)[:1]) if isinstance(reply.reply, str) else ()
