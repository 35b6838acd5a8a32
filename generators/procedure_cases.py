"""Plans the fixtures of a procedure: a case for each way through it, and for what its steps may break."""

import json
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.models.mapping import RuleCheck
from melleafy_tui.core.models.procedure import END, Branch, Does, Procedure, Step
from melleafy_tui.generators.documents import RULES, Documents, persona_text, step_text
from melleafy_tui.generators.fixture_cases import CasePlan, Scripted
from melleafy_tui.generators.fixture_proofs import NOW, Required, cut, numbered_asks, telling
from melleafy_tui.generators.fixture_texts import Reply, kept_text, named, replies_for
from melleafy_tui.generators.literals import identifier
from melleafy_tui.generators.package_shape import elements_of_step, pipeline_parameters, placeholders
from melleafy_tui.generators.procedure import tool_of, tools_of, values_of
from melleafy_tui.generators.provenance import rule_places
from melleafy_tui.generators.requirements import is_guidance, is_stub, judge_calls, sorted_rules
from melleafy_tui.generators.runtime.prompts import spoken
from melleafy_tui.generators.tools import working_tools

MOST_WAYS: Final = 4
"""How many ways through a procedure have a case."""
_MOST_LINES: Final = 6
_MESSAGE: Final = "Please look at the grey heron of May."
_VALUE: Final = "grey heron"
"""What a model takes out of the message for a script, and what scripts print."""
_NOTHING_IN_IT: Final = "Please look at the harbour."
_ANSWER: Final = "Yes, go on with it."

_OTHER_VALUES: Final = {
    "quoted_values": 'a "quoted" {}',
    "values_with_braces": "the set {{1, 2}} of {}",
    "chinese_values": "示例 {}",
    "a_long_value": "a very long {} of many words " + "and more " * 20,
}
"""What else the inputs of a run may be."""

Way = list[tuple[Step, Branch]]
"""The steps of a run, each with the branch that is taken behind it."""


class _Asked(Struct, frozen=True):
    """The rules of one step."""

    judged: list[list[Required]]
    checked: list[Required]


class ProcedureCases:
    """Makes the cases of a procedure.

    Args:
        documents: The texts of the package.
        procedure: The steps.
    """

    def __init__(self, documents: Documents, procedure: Procedure) -> None:
        self._documents, self._procedure = documents, procedure
        self._committed = documents.committed
        self._required = {item.element.element_id: item for item in sorted_rules(self._committed).required}
        self._parameters = pipeline_parameters(self._committed)
        self._results: dict[str, str] = {}
        """What earlier steps returned for the placeholders of the step in hand."""
        waits = {step.step_id for step in procedure.steps if step.does is Does.WAIT}
        self._used = {name for step in procedure.steps for name in values_of(step).values()}
        self._web: dict[str, object] = {}
        """What the scripts of the case in hand print, by their command."""
        self._inputs = {
            each.name: self._input(each.name, each.default, each.name in waits) for each in self._parameters
        }

    def all(self) -> Iterator[CasePlan]:
        """Yield the cases, the most important first."""
        ways = list(islice(self._ways(), MOST_WAYS))
        for place, way in enumerate(ways):
            yield self._taken(way, "every_step" if not place else f"way_{place + 1}")
        for way in ways[:1]:
            yield from self._broken(way)
            yield from self._faulty(way)
        yield from self._missing()
        for way in ways[:1]:
            yield from self._made_up(way)
        yield from self._unanswered(ways[:1])
        yield from self._braces(ways[:1])
        for name, value in _OTHER_VALUES.items():
            self._inputs = {
                each.name: given if given is None or given == _ANSWER else self._other(value, each.name)
                for each in self._parameters
                for given in [self._inputs[each.name]]
            }
            for way in ways[:1]:
                yield self._case(name, f"Each step is given other values: {name.replace('_', ' ')}", way)

    def _other(self, value: str, name: str) -> str:
        """Return another input, in which a script's argument stands that a model takes out of it."""
        return value.format(name) + (f" {_VALUE}" if self._used and name == "message" else "")

    # --- the ways -----------------------------------------------------------------------------

    def _ways(self) -> Iterator[Way]:
        """Yield a way through the procedure for each branch that no way before it has taken."""
        taken: set[tuple[str, str]] = set()
        for step in self._procedure.steps:
            ends = {stop.step_id for stop in self._procedure.steps if stop.does is Does.STOP}
            for branch in sorted(step.next, key=lambda branch: branch.to in ends):
                if (step.step_id, branch.when) in taken:
                    continue
                way = self._through(step, branch)
                if way is not None and self._ends_well(way):
                    taken |= {(each.step_id, found.when) for each, found in way}
                    yield way

    def _through(self, wanted: Step, branch: Branch) -> Way | None:
        """Return the shortest way that takes a branch, or None if there is none."""
        before = self._shortest(self._procedure.steps[0].step_id, wanted.step_id)
        after = self._shortest(branch.to, END)
        if after is None:
            after = self._shortest(branch.to, END, stops=True)
        if before is None or after is None:
            return None
        return [*before, (wanted, branch), *after]

    def _shortest(self, start: str, to: str, *, stops: bool = False) -> Way | None:
        """Return the steps before `to`, on the way with the fewest steps; `stops` says that it may end early."""
        pending: list[tuple[str, Way]] = [(start, [])]
        seen: set[str] = set()
        while pending:
            name, way = pending.pop(0)
            if name == to:
                return way
            if name in seen or name == END:
                continue
            seen.add(name)
            step = self._procedure.by_id[name]
            if step.does is Does.STOP:
                if to == END and (stops or name == start):
                    return [*way, (step, Branch(END))]
                continue
            pending += [(branch.to, [*way, (step, branch)]) for branch in step.next]
        return None

    def _ends_well(self, way: Way) -> bool:
        """Return whether what a way needs is known when it is planned: code of the source gives unknown results."""
        return len(way) <= self._procedure.bound and not any(
            step.does is Does.RUN and not step.command and len(step.next) > 1 for step, _ in way
        )

    # --- the calls ----------------------------------------------------------------------------

    def _calls(
        self, way: Way, replies: Mapping[int, Sequence[tuple[Reply, tuple[int, ...]]]] | None = None
    ) -> tuple[list[Scripted], dict[str, object], list[str], str]:
        """Return the answers of a way, what its result holds, the rules that are unmet, and the error that ends it.

        Args:
            way: The steps.
            replies: By the place of a step, its answers with the numbers of the rules that the judge finds broken.
        """
        script: list[Scripted] = []
        known: dict[str, str] = {}
        expect: dict[str, object] = {}
        unmet: list[str] = []
        number = 0
        for place, (step, branch) in enumerate(way):
            if step.does is Does.STOP:
                expect |= {"stopped": step.step_id}
                return script, expect, unmet, ""
            if step.does is Does.WAIT:
                known[step.step_id] = _ANSWER
                number += 1
                continue
            if step.does is Does.RUN and not step.command:
                return script, {}, [], "PipelineError"
            if step.does is Does.RUN:
                known[step.step_id] = self._printed(step, branch)
                number += 1
                continue
            answers = (replies or {}).get(place) or [(self._kept(step, branch), ())]
            made, taken = self._asked(step, answers, known)
            script += made
            unmet += taken[1]
            known[step.step_id] = _shown(taken[0])
            if isinstance(taken[0].value, dict):
                for name, value in taken[0].value.items():
                    listed = "\n".join(map(str, value)) if isinstance(value, list) else str(value)
                    known[f"{step.step_id}.{name}"] = listed
            if isinstance(taken[0].value, str) and not taken[0].times:
                expect[f"steps.{number}.text"] = taken[0].value.strip()
            number += 1
        expect["stopped"] = ""
        return script, expect, unmet, ""

    def _printed(self, step: Step, branch: Branch) -> str:
        """Let the script of a step print what leads to a branch, and return the start of it."""
        said = {field.name: branch.when or _VALUE for field in step.returns}
        text = json.dumps(said) if said else branch.when or _VALUE
        tool = tool_of(step, self._committed)
        call = working_tools(self._committed).script_calls.get(tool.symbol) if tool else None
        filled = call.filled(dict.fromkeys(values_of(step), _VALUE)) if call else []
        path = next((path for each, path in working_tools(self._committed).scripts if each == tool), "")
        self._web[shlex.join([path, *filled])] = text
        return text

    def _asked(
        self,
        step: Step,
        answers: Sequence[tuple[Reply, tuple[int, ...]]],
        known: Mapping[str, str],
    ) -> tuple[list[Scripted], tuple[Reply, list[str]]]:
        rules = self._rules(step)
        self._results = {place: known.get(name, "") for place, name in step.fills.items()}
        has = [*self._lines(persona_text(step.persona)), *self._lines(step_text(step.step_id))]
        has += [cut(known[name].split("\n", 1)[0]) for name in step.reads if known.get(name)]
        message = str(self._inputs.get("message") or "") if "message" in step.reads else ""
        has += [cut(message.split("\n", 1)[0])] if message else []
        pages = (self._committed.snapshot.file(self._procedure.pages.get(name, "")) for name in step.reads)
        has += [line for page in pages if page is not None for line in telling(page.text or "")[-1:]]
        if step.says:
            has.append(cut(self._filled(step.says)))
        lacks = tuple(f"{{{place}}}" for place in placeholders(self._committed).values())
        script: list[Scripted] = []
        best: tuple[Reply, list[str]] | None = None
        if step.type_name and tools_of(step, self._committed):
            script.append(Scripted(Reply("No tool is needed."), has=tuple(has)))
        before: list[str] = []
        for reply, broken in answers:
            script.append(Scripted(reply, schema=step.type_name, has=(*has, *before), lacks=lacks))
            past = 0
            judged: list[str] = []
            for call in rules.judged:
                own = tuple(each - past for each in broken if 0 < each - past <= len(call))
                judged += [call[each - 1].source for each in own]
                asks = tuple(self._filled(each) for each in numbered_asks(call))
                script.append(Scripted(schema="Verdicts", has=asks, broken=own))
                past += len(call)
            order = [*rules.checked, *(rule for call in rules.judged for rule in call)]
            wrong = {rule.source for rule in rules.checked if not _keeps(reply, rule)} | set(judged)
            own_order = sorted(order, key=lambda rule: rule.item.position)
            found = [rule.source for rule in own_order if rule.source in wrong]
            before = [f"* {cut(self._filled(rule.asks))}" for rule in own_order if rule.source in wrong][:2]
            if best is None or len(found) <= len(best[1]):
                best = reply, found
        assert best is not None
        return script, best

    def _rules(self, step: Step) -> _Asked:
        apart = self._required
        found = [
            Required(piece.item, rule_places(piece.item.element))
            for text in (RULES, step_text(step.step_id))
            for piece in self._documents.pieces(text, apart=apart)
            if piece.item is not None and not is_guidance(piece.item)
        ]
        judged = {id(rule.item): rule for rule in found if rule.is_judged}
        calls = judge_calls([rule.item for rule in judged.values()])
        checked = [rule for rule in found if rule.item.mapping.check and not is_stub(rule.item)]
        return _Asked([[judged[id(item)] for item in call] for call in calls], checked)

    def _kept(self, step: Step, branch: Branch) -> Reply:
        if step.type_name:
            filled: dict[str, object] = {}
            for field in step.returns:
                is_given = f"{step.step_id}.{field.name}" in self._used
                said = _VALUE if is_given else f"a sample of {field.name.replace('_', ' ')}"
                samples: dict[str, object] = {"int": 1, "float": 1.0, "bool": True, "list[str]": [said]}
                one = field.options[0] if field.options else samples.get(field.kind, said)
                if field.name == step.chooses_by:
                    others = {each.when for each in step.next}
                    one = branch.when or next((each for each in field.options if each not in others), one)
                filled[field.name] = one
            return Reply(filled)
        checks = self._checks(step)
        heron = Reply(f"The step {step.step_id.replace('_', ' ')} found a grey heron.")
        if all(heron.keeps(check) for check in checks):
            return heron
        return Reply(kept_text(checks))

    def _checks(self, step: Step) -> list[RuleCheck]:
        return [rule.item.mapping.check for rule in self._rules(step).checked if rule.item.mapping.check]

    def _lines(self, text: str) -> list[str]:
        pieces = self._documents.pieces(text, apart=self._required)
        found = [line for piece in pieces for line in telling(self._filled(piece.text))]
        return list(dict.fromkeys(found))[:_MOST_LINES]

    def _filled(self, text: str) -> str:
        for place in self._procedure.clocks:
            text = text.replace(f"{{{place}}}", spoken(datetime.fromisoformat(NOW)))
        for place, found in self._results.items():
            text = text.replace(f"{{{place}}}", found)
        for name, place in placeholders(self._committed).items():
            text = text.replace(f"{{{place}}}", str(self._inputs.get(name, "")))
        return text

    def _input(self, name: str, default: str, waits: bool) -> object:
        if waits:
            return _ANSWER
        if name == "message":
            return _MESSAGE if self._procedure.takes_message or not default else None
        return f"a sample {name.replace('_', ' ')}"

    # --- the cases ----------------------------------------------------------------------------

    def _case(
        self,
        name: str,
        said: str,
        way: Way,
        replies: Mapping[int, Sequence[tuple[Reply, tuple[int, ...]]]] | None = None,
    ) -> CasePlan:
        self._web = {}
        script, expect, unmet, error = self._calls(way, replies)
        elements = [
            element for step, _ in way[-1:] for element in elements_of_step(self._committed, step)[:1]
        ]
        return CasePlan(
            name,
            said,
            dict(self._inputs),
            tuple(script),
            {} if error else expect,
            tuple(unmet),
            error,
            web=self._web,
            elements=tuple(elements),
        )

    def _taken(self, way: Way, name: str) -> CasePlan:
        chosen = [branch.when for _, branch in way if branch.when]
        said = ", ".join(step.title for step, _ in way)
        end = f": {' and '.join(chosen)}" if chosen else ""
        return self._case(identifier(name, fallback="way"), f"Steps in order: {said}{end}", way)

    def _broken(self, way: Way) -> Iterator[CasePlan]:
        """Yield a case whose first judged rule is broken twice, and one where it is mended."""
        for place, (step, branch) in enumerate(way):
            rules = [rule for call in self._rules(step).judged for rule in call]
            if not rules or not step.asks:
                continue
            reply, last = self._kept(step, branch), rules[-1]
            again = {place: [(reply, (1,)), (reply, (len(rules),))]}
            name = named("breaks", last.asks, last.source)
            yield self._case(name, "An answer breaks a judged rule twice: exactly it is reported", way, again)
            mended = {place: [(reply, (1,)), (reply, ())]}
            yield self._case(
                f"{step.step_id}_is_mended", "A broken rule is mended before the next step", way, mended
            )
            return

    def _faulty(self, way: Way) -> Iterator[CasePlan]:
        """Yield a case for each limit of a step: just over it twice."""
        for place, (step, _) in enumerate(way):
            checks = self._checks(step) if step.asks and not step.type_name else []
            if not checks:
                continue
            found = replies_for(checks, None)
            wrong = found.over[0][1] if found.over else found.faulty[0] if found.faulty else None
            if wrong is not None:
                again = {place: [(wrong, ()), (wrong, ())]}
                name = f"{step.step_id}_breaks_its_limit"
                yield self._case(name, f"What Python checks in {step.title} is broken twice", way, again)

    def _made_up(self, way: Way) -> Iterator[CasePlan]:
        """Yield a case in which the model makes up what a script is run with."""
        for place, (step, _) in enumerate(way):
            if values_of(step):
                before = self._inputs
                self._inputs = {**before, "message": _NOTHING_IN_IT}
                case = self._case(
                    "made_up", f"{step.title} isn't run with what the text doesn't say", way[:place]
                )
                self._inputs = before
                yield replace(case, expect={"stopped": step.step_id})
                return

    def _missing(self) -> Iterator[CasePlan]:
        for parameter in self._parameters[:1]:
            if not parameter.default:
                inputs = {**self._inputs, parameter.name: ""}
                said = f"An empty {parameter.name} is refused before any call"
                yield CasePlan(f"no_{parameter.name}", said, inputs, error="InputError")

    def _unanswered(self, ways: Iterable[Way]) -> Iterator[CasePlan]:
        """Yield a case in which the person has not answered yet."""
        for way in ways:
            for place, (step, _) in enumerate(way):
                if step.does is not Does.WAIT:
                    continue
                script, expect, unmet, error = self._calls(way[:place])
                if not error:
                    inputs = {**self._inputs, step.step_id: None}
                    expect = {**expect, "stopped": step.step_id}
                    said = f"{step.title}: nobody has answered yet"
                    yield CasePlan(
                        f"waits_for_{step.step_id}", said, inputs, tuple(script), expect, tuple(unmet)
                    )
                return

    def _braces(self, ways: Iterable[Way]) -> Iterator[CasePlan]:
        """Yield a case whose first value looks like a placeholder, which is not filled again."""
        places = list(placeholders(self._committed).items())
        for way in ways:
            if len(places) > 1 and all(step.asks for step, _ in way):
                (first, _), (_, other) = places[0], places[1]
                inputs = {**self._inputs, first: f"{{{other}}}"}
                said = "A value in braces is text, not another placeholder"
                script = [
                    Scripted(each.reply, schema=each.schema, has=() if number else (f"{{{other}}}",))
                    for number, each in enumerate(self._calls(way)[0])
                ]
                yield CasePlan("braces_are_text", said, inputs, tuple(script), {"stopped": ""})


def _shown(reply: Reply) -> str:
    """Return an answer as later steps are given it; fields stand one a line."""
    if not isinstance(reply.value, dict):
        return reply.text
    name, value = next(iter(reply.value.items()))
    label = str(name).replace("_", " ").capitalize()
    return f"{label}: {value}" if isinstance(value, str) else f"{label}:"


def _keeps(reply: Reply, rule: Required) -> bool:
    check = rule.item.mapping.check
    return check is None or reply.keeps(check)
