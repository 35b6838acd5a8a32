"""Generates `fixtures/`: five to eight cases as data, and one more for each judged rule, in which it is broken.

A case passes each parameter of `run_pipeline` that is data by name, with its default value if the case doesn't need it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Category
from melleafy_tui.generators.code_layout import (
    Argument,
    Expression,
    Group,
    Raw,
    assignment,
    call,
    flat,
    import_lines,
    mapping,
    statement,
    tupled,
    value,
)
from melleafy_tui.generators.fixture_cases import (
    MADE_UP_FACT,
    MEMORY_FILE,
    UNSEEN,
    CaseMaker,
    CasePlan,
    Scripted,
)
from melleafy_tui.generators.fixture_ideas import MOST, Idea, everyday_ideas, picked_ideas
from melleafy_tui.generators.fixture_scripts import EVERYWHERE, SENTENCE, JudgedRule, ScriptedAnswer
from melleafy_tui.generators.literals import literal
from melleafy_tui.generators.package_shape import Parameter, pipeline_parameters
from melleafy_tui.generators.provenance import SourceWriter, locations
from melleafy_tui.generators.tools import memory_variable

FEWEST: Final = 5
FEWEST_CATEGORIES: Final = 3
_LONGEST_START: Final = 30
"""Longest start of a text that stands on one line with what follows it."""

ALWAYS_REQUIRED: Final = 3
"""Required cases that stay however many messages the user picked."""

_DEFAULTS: Final[dict[str, object]] = {"int": 0, "bool": False, "list[dict[str, str]] | str | None": None}
"""The default of an input by its type; inputs of other types default to an empty text."""


def generate_fixtures(committed: CommittedPlan) -> list[EmittedFile]:
    """Return `fixtures/__init__.py`, and the made-up memory where a case needs it.

    Args:
        committed: The committed plan.
    """
    maker = CaseMaker(committed)
    chosen = _chosen(committed, maker)
    files = [_Printer(committed, maker).module(chosen)]
    if any(case.memory for case in chosen):
        text = f"# Memory of the fixtures\n\n- {MADE_UP_FACT}\n"
        files.append(EmittedFile(f"{committed.package_name}/{MEMORY_FILE}", text.encode()))
    return files


# --- the choice -----------------------------------------------------------------------------------


def _chosen(committed: CommittedPlan, maker: CaseMaker) -> list[CasePlan]:
    """Return the cases to print: those the user picked, the required ones, then ideas, at most MOST in all."""
    picked = [maker.kept(idea) for idea in picked_ideas(committed)]
    required = list(maker.required())[: max(ALWAYS_REQUIRED, MOST - len(picked))]
    chosen = _distinct([*picked, *required])
    for idea in _by_turns(maker, {case.idea.category for case in required}):
        if len(chosen) >= MOST:
            break
        chosen = _distinct([*chosen, maker.kept(idea)])
    return _filled_up(committed, maker, chosen)


def _by_turns(maker: CaseMaker, tried: set[Category]) -> Iterable[Idea]:
    """Yield ideas, one per category in turn, categories that no case tries yet first."""
    waiting: dict[Category, list[Idea]] = {}
    for idea in maker.ideas:
        waiting.setdefault(idea.category, []).append(idea)
    yield from (waiting[category].pop(0) for category in waiting if category not in tried)
    while any(waiting.values()):
        yield from [left.pop(0) for left in waiting.values() if left]


def _filled_up(committed: CommittedPlan, maker: CaseMaker, chosen: list[CasePlan]) -> list[CasePlan]:
    """Return the cases with everyday ones added until they are enough, of enough categories."""
    everyday = list(everyday_ideas(committed))
    tried = {case.idea.category for case in chosen} - {Category.NONE}
    new = [idea for idea in everyday if idea.category not in {idea.category for idea in maker.ideas}]
    added = new[: max(0, FEWEST_CATEGORIES - len(tried))]
    chosen = [*chosen[: MOST - len(added)], *map(maker.kept, added)]
    rest = [idea for idea in everyday if idea not in added]
    return [*chosen, *map(maker.kept, rest[: max(0, FEWEST - len(chosen))])]


def _distinct(chosen: Iterable[CasePlan]) -> list[CasePlan]:
    """Return the cases without those that repeat inputs and expectations, and with a number added to repeated ids."""
    kept: list[CasePlan] = []
    ids: set[str] = set()
    for case in chosen:
        if any((case.idea.inputs, case.unmet) == (other.idea.inputs, other.unmet) for other in kept):
            continue
        name, number = case.idea.fixture_id, 2
        while name in ids:
            name, number = f"{case.idea.fixture_id}_{number}", number + 1
        ids.add(name)
        kept.append(replace(case, idea=replace(case.idea, fixture_id=name)))
    return kept


# --- the print ------------------------------------------------------------------------------------

_VERDICTS: Final = '''def verdicts({parameters}) -> dict[str, object]:
    """Return scripted verdicts on the rules of one call: all are kept{but}."""
    return {{
        "schema": "Verdicts",{match}
        "reply": {{
            f"rule_{{number}}": {{
                "reason": "as the fixture says",
                "verdict": "broken" if number == broken else "kept",
            }}
            for number in range(1, {last})
        }},
    }}'''


class _Printer:
    """Prints the module of the cases."""

    def __init__(self, committed: CommittedPlan, maker: CaseMaker) -> None:
        self._committed = committed
        self._scripts = maker.scripts
        self._breaking_inputs = maker.breaking_inputs()
        self._defaults = {
            parameter.name: _default(parameter)
            for parameter in pipeline_parameters(committed)
            if not parameter.is_callable
        }

    def module(self, chosen: Sequence[CasePlan]) -> EmittedFile:
        """Return `fixtures/__init__.py`."""
        used = {entry.kind for case in chosen for entry in case.script}
        judged = self._scripts.judged
        by_group: dict[str, list[str]] = {}
        for case in chosen:
            by_group.setdefault(case.idea.group, []).append(case.idea.fixture_id)
        listed = [f"- {group}: {', '.join(ids)}" for group, ids in sorted(by_group.items())]
        writer = SourceWriter(f"{self._committed.package_name}/fixtures/__init__.py")
        writer.add(['"""Fixtures by the category of the workspace that they try.', "", *listed, '"""'])
        writer.blank()
        standard = {
            "pathlib": ["Path"] if any(case.memory for case in chosen) else [],
            "re": ["escape"] if judged and self._scripts.many_calls else [],
        }
        writer.add(import_lines((), {**standard, ".case": ["Case", "Expect"]}))
        writer.blank()
        self._constants(writer, used | ({"answer"} if judged else set()))
        if self._scripts.verdicts:
            writer.blank(2)
            writer.add(self._verdicts())
            writer.blank()
        writer.blank()
        self._cases(writer, chosen)
        if judged:
            writer.blank()
            self._breaking(writer, judged)
        return writer.emitted()

    def _constants(self, writer: SourceWriter, used: set[str]) -> None:
        if self._scripts.drafts:
            drafted = ScriptedAnswer("", "This is what the phase found.", ())
            self._constant(writer, "DRAFT", drafted)
        answers = {"ANSWER": self._scripts.answer}
        if "faulty" in used and self._scripts.faulty:
            answers["FAULTY_ANSWER"] = self._scripts.faulty
        for name, answer in answers.items():
            if name != "ANSWER" or used & {"answer", "unseen"}:
                self._constant(writer, name, answer)
        if "unseen" in used:
            title = self._scripts.answer.title
            unseen = ScriptedAnswer(title, "" if title else UNSEEN, ())
            self._constant(writer, "UNSEEN", unseen)
            writer.add('"""What the model says when the text that a case proves did not reach it."""')

    def _constant(self, writer: SourceWriter, name: str, answer: ScriptedAnswer) -> None:
        """Print a scripted answer; a long text is a start and a sentence that is repeated."""
        said = value(answer.reply)
        if answer.repeated:
            start, more = literal(answer.reply), f"{literal(SENTENCE)} * {answer.repeated}"
            if len(start) > _LONGEST_START or not start.isascii():
                writer.add(assignment(f"{name}_START", str(answer.reply)))
                start = f"{name}_START"
            said = Raw(f"{start} + {more}")
        writer.add(statement(f"{name}: dict[str, object] = ", _entry(answer, said)))

    def _verdicts(self) -> str:
        declared = ["broken: int = 0"]
        if self._scripts.many_calls:
            declared.append('match: str = ""')
        return _VERDICTS.format(
            parameters=", ".join(declared),
            but=" but one" if self._scripts.judged else "",
            match='\n        "match": match,' if self._scripts.many_calls else "",
            last=self._scripts.verdicts + 1,
        )

    def _cases(self, writer: SourceWriter, chosen: Sequence[CasePlan]) -> None:
        writer.add("ALL_FIXTURES: list[Case] = [")
        for case in chosen:
            writer.add(statement("", self._case(case), ",", indent=1), case.idea.elements)
        writer.add("]")

    def _case(self, case: CasePlan) -> Expression:
        named: dict[str, Expression] = {}
        if case.script:
            named["script"] = tupled([*self._before, *map(self._scripted, case.script)])
        if case.web:
            named["web"] = value(dict(case.web))
        if case.memory:
            folder = call("str", Raw('Path(__file__).parent / "memory"'))
            named["environment"] = mapping([(literal(memory_variable(self._committed)), folder)])
        return call(
            "Case",
            value(case.idea.fixture_id),
            value(_described(case.idea.expected, case.idea.elements)),
            self._inputs(case.idea.inputs),
            _expect(case),
            **named,
        )

    def _inputs(self, given: Mapping[str, object], raw: Mapping[str, Expression] | None = None) -> Expression:
        inputs = {name: value(given.get(name, default)) for name, default in self._defaults.items()}
        return mapping([(literal(name), (raw or {}).get(name, shown)) for name, shown in inputs.items()])

    @property
    def _before(self) -> list[Expression]:
        """Return the entries of every script that are answers to phases of a workflow."""
        return [Raw("DRAFT")] if self._scripts.drafts else []

    def _scripted(self, entry: Scripted) -> Expression:
        if entry.kind == "verdicts":
            return self._verdict_call(entry)
        if entry.kind == "decision":
            reason = "There is nothing to do." if entry.decision == "skip" else "Something needs action."
            reply = {"reason": reason, "decision": entry.decision}
            return value({"schema": "HeartbeatDecision", "reply": reply})
        if entry.kind == "calls":
            return value({"calls": [dict(made) for made in entry.calls], "times": 1})
        name = {"answer": "ANSWER", "faulty": "FAULTY_ANSWER", "unseen": "UNSEEN"}[entry.kind]
        return _matched(name, entry.match) if entry.match else Raw(name)

    def _verdict_call(self, entry: Scripted) -> Expression:
        given = {"broken": Raw(str(entry.broken))} if entry.broken else {}
        if entry.match and self._scripts.many_calls:
            return call("verdicts", **given, match=value(entry.match))
        made = call("verdicts", **given)
        return _matched(flat(made), entry.match) if entry.match else made

    def _breaking(self, writer: SourceWriter, judged: Sequence[JudgedRule]) -> None:
        """Print the table of the judged rules, and the cases that break each in turn."""
        scoped = any(rule.scope != EVERYWHERE for rule in judged)
        columns = ["tuple[str, ...]", "int", "str", *(["str"] if scoped else [])]
        writer.add(f"JUDGED_RULES: list[tuple[{', '.join(columns)}]] = [")
        for rule in judged:
            row = value((rule.unmet, rule.place, rule.opening, *((rule.scope,) if scoped else ())))
            writer.add(statement("", row, ",", indent=1), [rule.item.element])
        writer.add("]")
        words = "what a run reports, the rule's number in its call, its opening" + (
            ", its scope" if scoped else ""
        )
        writer.add(f'"""The judged rules: {words}."""')
        writer.blank()
        opening = "escape(opening)"
        broken = Raw("verdicts(broken=place)")
        script: list[Expression] = [broken, Raw("ANSWER")]
        if self._scripts.many_calls:
            match = f'f"\\n{{place}}\\\\. {{{opening}}}"'
            script = [
                call("verdicts", broken=Raw("place"), match=Raw(match)),
                Raw("verdicts()"),
                Raw("ANSWER"),
            ]
        case = call(
            "Case",
            Raw('f"breaks_rule_{number}"'),
            Raw('f"The judge finds exactly this rule broken: {opening}"'),
            self._inputs(self._breaking_inputs, {"scope": Raw("scope")} if scoped else {}),
            call("Expect", value({"skipped": False}), unmet=Raw("unmet")),
            script=tupled([*self._before, *script]),
        )
        names = ", ".join(["unmet", "place", "opening", *(["scope"] if scoped else [])])
        writer.add("BREAKING_FIXTURES: list[Case] = [")
        writer.add(statement("", case, indent=1))
        loop = f"    for number, ({names}) in enumerate(JUDGED_RULES, start=1)"
        writer.add(loop)
        writer.add("]")
        writer.add('"""One more case for each judged rule, in which the judge finds it broken."""')


def _default(parameter: Parameter) -> object:
    if parameter.name == "user_context" and not parameter.default:
        return "The user of a test"
    return EVERYWHERE if parameter.name == "scope" else _DEFAULTS.get(parameter.annotation, "")


def _described(said: str, elements: tuple[Element, ...]) -> str:
    return f"{' '.join(said.split())} ({locations(elements)})" if elements else said


def _expect(case: CasePlan) -> Expression:
    if case.error:
        return call("Expect", error=value(case.error))
    given: dict[str, Expression] = {}
    if case.lacks:
        given["lacks"] = value(case.lacks)
    if case.unmet is not None:
        given["unmet"] = value(case.unmet)
    return call("Expect", value(dict(case.fields)), **given)


def _entry(answer: ScriptedAnswer, said: Expression) -> Expression:
    schema = [('"schema"', value(answer.title))] if answer.title else []
    return mapping([*schema, ('"reply"', said)])


def _matched(entry: str, match: str) -> Expression:
    """Return an entry with a pattern that the prompt must match."""
    pairs = (Argument("**", Raw(entry)), Argument('"match": ', value(match)))
    return Group("", "{", "}", pairs, "display")
