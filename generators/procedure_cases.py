"""Plans the cases of a procedure: one for each way through it, and others for what its steps may break."""

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice, takewhile
from typing import Final

from melleafy_tui.core.models.committed import PlannedElement
from melleafy_tui.core.models.mapping import RuleCheck
from melleafy_tui.core.models.procedure import END, ITEM, Branch, Does, Procedure, Step
from melleafy_tui.generators import fixture_proofs as proofs
from melleafy_tui.generators.documents import Documents, persona_text, step_text
from melleafy_tui.generators.fixture_texts import Reply, kept_text, named, replies_for
from melleafy_tui.generators.literals import identifier
from melleafy_tui.generators.package_shape import elements_of_step, pipeline_parameters, placeholders
from melleafy_tui.generators.procedure import tool_of, tools_of, values_of
from melleafy_tui.generators.provenance import rule_places
from melleafy_tui.generators.requirements import pieces_apart, rules_of_step, texts_told
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

Answers = Mapping[int, Sequence[tuple[Reply, tuple[int, ...]]]]
"""By the place of a step its answers, each with the numbers of the rules that the judge finds broken."""


class ProcedureCases:
    """Makes the cases of a procedure.

    Args:
        documents: The texts of the package.
        procedure: The steps.
    """

    def __init__(self, documents: Documents, procedure: Procedure) -> None:
        self.documents, self.procedure, self.committed = documents, procedure, documents.committed
        self._parameters = pipeline_parameters(self.committed)
        self._used = {name for step in procedure.steps for name in values_of(step).values()}
        waits = {step.step_id for step in procedure.steps if step.does is Does.WAIT}
        self._inputs = {
            each.name: self._input(each.name, each.default, each.name in waits) for each in self._parameters
        }

    def all(self) -> Iterator[proofs.CasePlan]:
        """Yield the cases, the most important first."""
        way, *others = islice(self._ways(), MOST_WAYS)
        yield self._taken(way, "every_step")
        for number, other in enumerate(others, 2):
            yield self._taken(other, f"way_{number}")
        yield from self._broken(way)
        yield from self._faulty(way)
        yield from self._missing()
        yield from self._made_up(way)
        yield from self._unanswered(way)
        yield from self._braces(way)
        for name, value in _OTHER_VALUES.items():
            inputs = {
                key: given if given in (None, _ANSWER) else self._other(value, key)
                for key, given in self._inputs.items()
            }
            said = f"Each step is given other values: {name.replace('_', ' ')}"
            yield self._case(name, said, way, inputs=inputs)

    def _other(self, value: str, name: str) -> str:
        """Return another input, in which a script's argument stands that a model takes out of it."""
        return value.format(name) + (f" {_VALUE}" if self._used and name == "message" else "")

    # --- the ways -----------------------------------------------------------------------------

    def _ways(self) -> Iterator[Way]:
        """Yield a way through the procedure for each branch that no way before it has taken."""
        taken: set[tuple[str, str]] = set()
        for step in self.procedure.steps:
            ends = {stop.step_id for stop in self.procedure.steps if stop.does is Does.STOP}
            for branch in sorted(step.next, key=lambda branch: branch.to in ends):
                if (step.step_id, branch.when) in taken:
                    continue
                way = self._through(step, branch)
                if way is not None and self._ends_well(way):
                    taken |= {(each.step_id, found.when) for each, found in way}
                    yield way
        if not taken:
            yield self._endless()

    def _endless(self) -> Way:
        """Return the way through a procedure that has no end but the bound of a run."""
        way: Way = []
        name = self.procedure.steps[0].step_id
        while name != END and len(way) < self.procedure.bound:
            step = self.procedure.by_id[name]
            way.append((step, step.next[0]))
            name = step.next[0].to
        return way

    def _through(self, wanted: Step, branch: Branch) -> Way | None:
        """Return the shortest way that takes a branch, or None if there is none."""
        before = self._shortest(self.procedure.steps[0].step_id, wanted.step_id)
        after = self._shortest(branch.to, END)
        if before is None or after is None:
            return None
        return [*before, (wanted, branch), *after]

    def _shortest(self, start: str, to: str) -> Way | None:
        """Return the steps before `to`, on the way with the fewest steps; one that ends early only if all do."""
        pending: list[tuple[str, Way]] = [(start, [])]
        seen: set[str] = set()
        early: Way | None = None
        while pending:
            name, way = pending.pop(0)
            if name == to:
                return way
            if name in seen or name == END:
                continue
            seen.add(name)
            step = self.procedure.by_id[name]
            if step.does is Does.STOP:
                early = early or [*way, (step, Branch(END))]
            else:
                pending += [(branch.to, [*way, (step, branch)]) for branch in step.next]
        return early if to == END else None

    def _ends_well(self, way: Way) -> bool:
        """Return whether what a way needs is known when it is planned: code of the source gives unknown results."""
        return len(way) <= self.procedure.bound and not any(
            step.does is Does.RUN and not step.command and len(step.next) > 1 for step, _ in way
        )

    # --- the cases ----------------------------------------------------------------------------

    def _case(
        self,
        name: str,
        said: str,
        way: Way,
        replies: Answers | None = None,
        inputs: Mapping[str, object] | None = None,
    ) -> proofs.CasePlan:
        """Return the case of a way, of which the last step's element is shown."""
        given = dict(inputs or self._inputs)
        made = _Run(self, given)
        # code of the source fails, since it is still to be written
        done = [*takewhile(lambda taken: taken[0].does is not Does.RUN or taken[0].command, way)]
        for place, (step, branch) in enumerate(done):
            made.take(step, branch, (replies or {}).get(place) or [(self.kept(step, branch), ())])
        elements = elements_of_step(self.committed, way[-1][0])[:1] if way else ()
        case = proofs.CasePlan(name, said, given, made.script, web=made.web, elements=elements)
        if len(done) < len(way):
            return replace(case, error="PipelineError")
        is_cut = len(way) == self.procedure.bound and way[-1][1].to != END
        stopped = next((step.step_id for step, _ in way if step.does is Does.STOP), "")
        expect = {**made.expect, "stopped": "budget" if is_cut else stopped}
        return replace(case, expect=expect, unmet=tuple(made.unmet))

    def _taken(self, way: Way, name: str) -> proofs.CasePlan:
        chosen = [branch.when for _, branch in way if branch.when]
        said = ", ".join(step.title for step, _ in way)
        end = f": {' and '.join(chosen)}" if chosen else ""
        return self._case(identifier(name, fallback="way"), f"Steps in order: {said}{end}", way)

    def _broken(self, way: Way) -> Iterator[proofs.CasePlan]:
        """Yield a case whose first judged rule is broken twice, and one where it is mended."""
        for place, (step, branch) in enumerate(way):
            rules = rules_of_step(self.documents, step.step_id).judged if step.asks else []
            if not rules:
                continue
            reply, last = self.kept(step, branch), rules[-1]
            name = named("breaks", proofs.asks(last), rule_places(last.element))
            again: Answers = {place: [(reply, (1,)), (reply, (len(rules),))]}
            yield self._case(name, "An answer breaks a judged rule twice: exactly it is reported", way, again)
            said = "A broken rule is mended before the next step"
            mended: Answers = {place: [(reply, (1,)), (reply, ())]}
            yield self._case(f"{step.step_id}_is_mended", said, way, mended)
            return

    def _faulty(self, way: Way) -> Iterator[proofs.CasePlan]:
        """Yield a case for each limit of a step: just over it twice."""
        for place, (step, _) in enumerate(way):
            checks = self._checks(step) if step.asks and not step.type_name else []
            found = replies_for(checks, None) if checks else None
            wrong = [*(over for _, over in found.over), *found.faulty][:1] if found else []
            for reply in wrong:
                again = {place: [(reply, ()), (reply, ())]}
                said = f"What Python checks in {step.title} is broken twice"
                yield self._case(f"{step.step_id}_breaks_its_limit", said, way, again)

    def _missing(self) -> Iterator[proofs.CasePlan]:
        for parameter in self._parameters[:1]:
            if not parameter.default:
                inputs = {**self._inputs, parameter.name: ""}
                said = f"An empty {parameter.name} is refused before any call"
                yield proofs.CasePlan(f"no_{parameter.name}", said, inputs, error="InputError")

    def _made_up(self, way: Way) -> Iterator[proofs.CasePlan]:
        """Yield a case in which the model makes up what a script is run with."""
        for place, (step, _) in enumerate(way):
            if values_of(step):
                said = f"{step.title} isn't run with what the text doesn't say"
                inputs = {**self._inputs, "message": _NOTHING_IN_IT}
                case = self._case("made_up", said, way[:place], inputs=inputs)
                yield replace(case, expect={"stopped": step.step_id})
                return

    def _unanswered(self, way: Way) -> Iterator[proofs.CasePlan]:
        """Yield a case in which the person has not answered yet."""
        for place, (step, _) in enumerate(way):
            if step.does is Does.WAIT:
                said = f"{step.title}: nobody has answered yet"
                case = self._case(f"waits_for_{step.step_id}", said, way[:place])
                inputs, expect = {**case.inputs, step.step_id: None}, {**case.expect, "stopped": step.step_id}
                yield from [] if case.error else [replace(case, inputs=inputs, expect=expect, elements=())]
                return

    def _braces(self, way: Way) -> Iterator[proofs.CasePlan]:
        """Yield a case whose first value looks like a placeholder, which is not filled again."""
        places = list(placeholders(self.committed).items())
        if len(places) > 1 and all(step.asks for step, _ in way):
            (first, _), (_, other) = places[0], places[1]
            case = self._case("braces_are_text", "A value in braces is text, not another placeholder", way)
            script = [
                replace(each, has=() if number else (f"{{{other}}}",), lacks=(), broken=())
                for number, each in enumerate(case.script)
            ]
            inputs = {**case.inputs, first: f"{{{other}}}"}
            yield replace(case, inputs=inputs, script=script, expect={"stopped": ""}, unmet=(), elements=())

    # --- what the model answers ---------------------------------------------------------------

    def _input(self, name: str, default: str, waits: bool) -> object:
        if waits:
            return _ANSWER
        if name == "message":
            return _MESSAGE if self.procedure.takes_message or not default else None
        return f"a sample {name.replace('_', ' ')}"

    def kept(self, step: Step, branch: Branch) -> Reply:
        """Return an answer of a step that keeps its checks and leads to a branch."""
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
        return heron if all(heron.keeps(check) for check in checks) else Reply(kept_text(checks))

    def _checks(self, step: Step) -> list[RuleCheck]:
        checked = rules_of_step(self.documents, step.step_id).checked
        return [item.mapping.check for item in checked if item.mapping.check]


class _Run:
    """The script of one way through a procedure, and what comes of it.

    Args:
        maker: What makes the cases.
        inputs: The arguments of the run.
    """

    def __init__(self, maker: ProcedureCases, inputs: Mapping[str, object]) -> None:
        self._documents, self._procedure, self._committed = maker.documents, maker.procedure, maker.committed
        self._inputs = inputs
        self._known = {"message": str(inputs.get("message") or "")}
        self._taken = 0
        self.script: list[Reply] = []
        self.expect: dict[str, object] = {}
        self.unmet: list[str] = []
        self.web: dict[str, object] = {}
        """What scripts print, by their command."""

    def take(self, step: Step, branch: Branch, replies: Sequence[tuple[Reply, tuple[int, ...]]]) -> None:
        """Take a step: the person's answer, what its script prints, or the answers of the model."""
        if step.does is Does.WAIT:
            self._known[step.step_id] = _ANSWER
        elif step.does is Does.RUN:
            self._known[step.step_id] = self._printed(step, branch)
        elif step.does is not Does.STOP:
            self._ask(step, replies)
        self._taken += 1

    def _printed(self, step: Step, branch: Branch) -> str:
        """Let the script of a step print what leads to a branch, and return the start of it."""
        said = {field.name: branch.when or _VALUE for field in step.returns}
        text = json.dumps(said) if said else branch.when or _VALUE
        tool, tools = tool_of(step, self._committed), working_tools(self._committed)
        call = tools.script_calls.get(tool.symbol) if tool else None
        filled = call.filled(dict.fromkeys(values_of(step), _VALUE)) if call else []
        path = next((path for each, path in tools.scripts if each == tool), "")
        self.web[shlex.join([path, *filled])] = text
        return text

    def _ask(self, step: Step, replies: Sequence[tuple[Reply, tuple[int, ...]]]) -> None:
        """Let the model answer a step, and keep what later steps read of the answer that is taken."""
        rules, own = rules_of_step(self._documents, step.step_id), step.step_id
        read = {place: step.over if name == ITEM else name for place, name in step.fills.items()}
        results = {place: self._known.get(name, "") for place, name in read.items()}
        has = list(self._has(step, results))
        if step.type_name and tools_of(step, self._committed):
            self.script.append(Reply("No tool is needed.", has=proofs.distinct(has)))
        lacks = [f"{{{place}}}" for place in placeholders(self._committed).values()]
        attempts: list[proofs.Attempt] = []
        for reply, broken in replies:
            wrong = proofs.broken_by(attempts[-1], rules)[:2] if attempts else []
            before = [f"* {proofs.cut(self._filled(proofs.asks(item), results))}" for item in wrong]
            attempts.append(proofs.Attempt(reply, [*has, *before], broken=broken, lacks=lacks))

        def asked(_: int, call: Sequence[PlannedElement]) -> list[str]:
            return [self._filled(each, results) for each in proofs.numbered_asks(call)]

        self.script += proofs.answers(attempts, rules, step.type_name, asked)
        taken, unmet = proofs.best(attempts, rules)
        self.unmet += unmet
        self._known[own] = _shown(taken)
        if isinstance(taken.reply, dict):
            for field, value in taken.reply.items():
                self._known[f"{own}.{field}"] = (
                    "\n".join(map(str, value)) if isinstance(value, list) else str(value)
                )
        elif not taken.times:
            self.expect[f"steps.{self._taken}.text"] = taken.text.strip()

    def _has(self, step: Step, results: Mapping[str, str]) -> Iterator[str]:
        """Yield what the prompt of a step must have."""
        told = texts_told(self._committed, step.step_id)
        for text in (persona_text(step.persona), *told, step_text(step.step_id)):
            pieces = pieces_apart(self._documents, text)
            lines = (line for piece in pieces for line in proofs.telling(self._filled(piece.text, results)))
            yield from list(dict.fromkeys(lines))[:_MOST_LINES]
        given = [self._known.get(name, "") for name in sorted(step.reads, key="message".__eq__)]
        yield from (proofs.cut(text.split("\n", 1)[0]) for text in given if text)
        for name in step.reads:
            page = self._committed.snapshot.file(self._procedure.pages.get(name, ""))
            yield from proofs.telling(page.text or "")[-1:] if page is not None else []
        yield proofs.cut(self._filled(step.says, results))

    def _filled(self, text: str, results: Mapping[str, str]) -> str:
        """Return a text with what stands for its placeholders."""
        places = placeholders(self._committed)
        values = {place: str(self._inputs.get(name, "")) for name, place in places.items()}
        now = spoken(datetime.fromisoformat(proofs.NOW))
        values = {**values, **results, **dict.fromkeys(self._procedure.clocks, now)}
        for place, found in values.items():
            text = text.replace(f"{{{place}}}", found)
        return text


def _shown(reply: Reply) -> str:
    """Return an answer as later steps are given it; fields stand one a line."""
    if not isinstance(reply.reply, dict):
        return reply.text
    name, value = next(iter(reply.reply.items()))
    label = str(name).replace("_", " ").capitalize()
    return f"{label}: {value}" if isinstance(value, str) else f"{label}:"
