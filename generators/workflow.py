"""Prints workflows: their readings, branches, calls, checks and decision in pipeline.py, schemas.py and tools.py.

What isn't typed stays text: a phase of prose takes one call of its own, the last one goes into the final call.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.facts import PhaseFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.package.calculation_wordings import Relation
from melleafy_tui.core.package.calculations import Calculation, Operand
from melleafy_tui.core.package.field_rules import Condition, FieldRule, When
from melleafy_tui.core.package.known_calls import KnownCall
from melleafy_tui.core.package.model_steps import PHASES_SYMBOL, phase_names
from melleafy_tui.core.package.naming import python_identifier
from melleafy_tui.core.package.reading_fields import FieldType, Reading, ReadingField
from melleafy_tui.core.package.workflow import Check, Prose, Stop, Workflow, WorkflowStep, checks_something
from melleafy_tui.generators.code_layout import (
    INDENT,
    Argument,
    Expression,
    Group,
    Raw,
    call,
    flat,
    listing,
    mapping,
    parameters,
    statement,
    subscript,
    tupled,
    value,
)
from melleafy_tui.generators.literals import docstring_literal, plain_words, string_literal
from melleafy_tui.generators.provenance import locations, provenance_comments, source_ranges

DECISION: Final = "Decision"
"""The model of what the run decides."""

DECISION_RULES: Final = "decision_rules"
LONGEST_FETCHED: Final = 4000
"""Characters of a fetched record that a prompt shows."""


def reading_constant(reading: Reading) -> str:
    """Return the constant of config.py with the text of a reading."""
    return (
        "READ"
        if reading.variable == "reading"
        else f"READ_{reading.variable.upper().removesuffix('_READING')}"
    )


def decides(flow: Workflow) -> bool:
    """Return whether the model fills in a part of the report only, as a Decision."""
    return flow.report is not None and bool(flow.decided) and len(flow.decided) < len(flow.report.fields)


def final_form(flow: Workflow) -> str:
    """Return the model of the final answer, or `""` if that is a text."""
    if flow.report is None:
        return ""
    return DECISION if decides(flow) else flow.report.class_name


def amount_fields(reading: Reading) -> tuple[str, ...]:
    """Return the fields of a reading that the document prints as numbers."""
    return tuple(field.name for field in reading.fields if field.type in (FieldType.MONEY, FieldType.NUMBER))


def operand_code(operand: Operand) -> str:
    """Return the code of a value."""
    if operand.number:
        whole, mark, rest = operand.number.partition(".")
        return f"{whole.lstrip('0') or '0'}{mark}{rest}"
    if operand.fetched:
        return f"{operand.variable}.get({string_literal(operand.field)})"
    return f"{operand.variable}.{operand.field}"


CALCULATIONS: Final = (
    "CENT",
    "Outcome",
    "compare",
    "difference_within",
    "equals_sum",
    "percentage_of",
    "present",
    "same_text",
)
"""What printed code may use of calculations.py."""


# --- checks in tools.py ---------------------------------------------------------------------------

_COMPARED: Final = {
    Relation.AT_MOST: "<=",
    Relation.AT_LEAST: ">=",
    Relation.MORE: ">",
    Relation.LESS: "<",
}


def calculation_code(title: str, made: Calculation) -> Group:
    """Return the call of calculations.py that makes a check."""
    left = Raw(operand_code(made.left))
    right = [Raw(operand_code(operand)) for operand in made.right]
    name = value(title)
    match made.relation:
        case Relation.EQUALS:
            return call("difference_within", name, left, *right, **_tolerance(made))
        case Relation.SAME:
            return call("same_text", name, left, *right)
        case Relation.SUM:
            return call("equals_sum", name, left, listing(right), **_cents(made))
        case Relation.SUM_WITH_RATE:
            parts = listing([right[0], call("percentage_of", *right)])
            return call("equals_sum", name, left, parts, **_cents(made))
        case Relation.DIFFERENCE:
            return call("equals_sum", name, right[0], listing([left, right[1]]), **_cents(made))
        case Relation.LIST_SUM:
            return call("equals_sum", name, left, *right, **_cents(made))
        case Relation.SHARE:
            share = call("percentage_of", *right, Raw(made.percent))
            return call(
                "difference_within", name, left, share, **(_tolerance(made) or {"amount": Raw("CENT")})
            )
        case Relation.PRESENT | Relation.ABSENT:
            return call("present", name, left, value(made.left.words))
        case relation:
            against: Expression = right[0]
            if made.percent:
                against = call("percentage_of", right[0], Raw(made.percent))
            return call("compare", name, left, value(_COMPARED[relation]), against)


def _tolerance(made: Calculation) -> dict[str, Expression]:
    if made.tolerance is None:
        return {}
    return {"percent" if made.tolerance.percent else "amount": Raw(made.tolerance.limit)}


def _cents(made: Calculation) -> dict[str, Expression]:
    if made.tolerance is None or made.tolerance.percent:
        return {}
    return {"tolerance": call("Decimal", value(made.tolerance.limit))}


def check_parameters(flow: Workflow, check: Check) -> dict[str, str]:
    """Return the parameters of a check's function and their types: the readings and records that it compares."""
    readings = {reading.variable: reading.class_name for reading in flow.readings}
    found: dict[str, str] = {}
    for operand in (check.calculation.left, *check.calculation.right):
        if operand.variable:
            found[operand.variable] = readings.get(operand.variable, "dict[str, object]")
    return found


def tool_functions(flow: Workflow) -> Iterator[tuple[list[str], Element]]:
    """Yield the lines of each function of tools.py that the workflow needs, with its element."""
    for step in flow.steps:
        if isinstance(step, KnownCall):
            yield list(_call_lines(step)), step.element
        elif isinstance(step, Check):
            yield list(_check_lines(flow, step)), step.element


def _call_lines(step: KnownCall) -> Iterator[str]:
    endpoint = step.endpoint
    name = python_identifier(endpoint.placeholder, _OPTIONS, fallback="argument")
    address = endpoint.url.replace(f"{{{endpoint.placeholder}}}", f"{{{name}}}")
    named: dict[str, Expression] = {"hosts": tupled([value(endpoint.host)])}
    if endpoint.secret:
        sent = f"{endpoint.scheme} ${{{endpoint.secret}}}".strip()
        named["headers"] = mapping([(string_literal(endpoint.header), value(sent))])
    named[name] = Raw(name)
    secret = f"; authenticates with the environment variable {endpoint.secret}" if endpoint.secret else ""
    yield from provenance_comments(source_ranges([step.element]))
    yield f"def {step.function}({name}: str) -> dict[str, object]:"
    yield f'    """Return the {plain_words(endpoint.noun)}{secret}."""'
    yield from statement("return ", call("get_json", value(address), **named), indent=1)


_OPTIONS: Final = frozenset({"template", "hosts", "headers", "timeout", "get_json", "config"})
"""Names that an argument of get_json can't have."""


def _check_lines(flow: Workflow, check: Check) -> Iterator[str]:
    declared = [f"{name}: {kind}" for name, kind in check_parameters(flow, check).items()]
    yield from provenance_comments(source_ranges([check.element]))
    yield from statement("", parameters(f"def {check.function}", declared), " -> Outcome:")
    yield f"    {docstring_literal(check.element.statement.strip())}"
    yield from statement("return ", calculation_code(check.title, check.calculation), indent=1)


# --- rules in requirements.py ---------------------------------------------------------------------


class RuleConditions:
    """The conditions of rules about report fields, as code.

    Where two rules demand different values of one field, neither holds where both would, but that the rule on failed
    and the rule on missing checks yield to the earlier of them, and every rule yields to a prohibition.

    Args:
        flow: The workflow.
    """

    def __init__(self, flow: Workflow) -> None:
        self._flow = flow

    def code(self, rule: FieldRule) -> str:
        """Return the condition of a rule."""
        parts = [condition_code(rule.condition)]
        negated = dict.fromkeys(map(_negated, self.exceptions(rule)))
        parts += [code for code in negated if code not in parts]
        return " and ".join(part for part in parts if part)

    def exceptions(self, rule: FieldRule) -> list[Condition]:
        """Return the conditions under which a rule doesn't hold, because another one does."""
        if rule.forbidden:
            return []
        return [other.condition for other in self._flow.checked_rules if self._wins(other, rule)]

    def _wins(self, other: FieldRule, rule: FieldRule) -> bool:
        """Return whether a rule doesn't hold where another one does."""
        if other is rule or other.field != rule.field:
            return False
        if other.forbidden:
            return other.value == rule.value
        whens = {rule.condition.when, other.condition.when}
        if other.value == rule.value or (
            When.ALL_PASSED in whens and whens & {When.SOME_FAILED, When.SOME_MISSING}
        ):
            return False
        if whens == {When.SOME_FAILED, When.SOME_MISSING}:
            return self._flow.field_rules.index(other) < self._flow.field_rules.index(rule)
        return True

    @property
    def used(self) -> str:
        """Return the code of all conditions, to see which names it uses."""
        return " ".join(self.code(rule) for rule in self._flow.checked_rules)


def condition_code(condition: Condition) -> str:
    """Return the code of a condition, or `""` if it always holds."""
    operand = condition.operand
    match condition.when:
        case When.ALWAYS:
            return ""
        case When.ALL_PASSED:
            return "not failed and not missing"
        case When.SOME_FAILED:
            return "failed"
        case When.SOME_MISSING:
            return "missing"
        case When.CALCULATED if condition.calculation:
            return f"{flat(calculation_code('', condition.calculation))}.passed is True"
        case _ if operand is None:
            return ""
        case When.LABEL:
            return _is_label(operand, condition.labels)
        case When.ABSENT:
            return (
                f"{operand_code(operand)} is None" if operand.type.numeric else f"not {operand_code(operand)}"
            )
        case _:
            kept = f"{operand_code(operand)} is not None"
            return kept if operand.type.numeric else f"bool({operand_code(operand)})"


def _negated(condition: Condition) -> str:
    code = condition_code(condition)
    if condition.when is When.ABSENT and code.startswith("not "):
        return f"bool({code.removeprefix('not ')})"
    for positive, negative in ((" is None", " is not None"), (" == ", " != "), (" is True", " is not True")):
        if positive in code:
            return code.replace(positive, negative)
    return f"not ({code})" if " " in code else f"not {code}"


def _is_label(operand: Operand, labels: Sequence[str]) -> str:
    if len(labels) == 1:
        return f"{operand_code(operand)} == {string_literal(labels[0])}"
    return f"{operand_code(operand)} in ({', '.join(map(string_literal, labels))})"


def rule_parameters(flow: Workflow) -> dict[str, str]:
    """Return the parameters of `decision_rules` and their types."""
    used = RuleConditions(flow).used
    found = {r.variable: r.class_name for r in flow.readings if f"{r.variable}." in used}
    return found | ({"outcomes": "list[Outcome]"} if "failed" in used or "missing" in used else {})


# --- the run in pipeline.py -----------------------------------------------------------------------


class WorkflowPrinter:
    """Prints the part of run_pipeline that is the workflow.

    Args:
        flow: The workflow.
        committed: The committed plan.
        reply: The class of the result.
        instruct: Prints a call of `m.instruct`.
    """

    def __init__(
        self, flow: Workflow, committed: CommittedPlan, reply: str, instruct: Callable[..., Expression]
    ) -> None:
        self._flow, self._reply, self._instruct = flow, reply, instruct
        self._phases = phase_names(committed.inventory.elements)
        self._shown = ""
        self.known: list[str] = []
        """The keys of `known`, which the final call gets as grounding."""

    def steps(self, tools: Sequence[str], results: Sequence[tuple[str, str]]) -> Iterator[str]:
        """Yield the lines of all steps before the decision.

        Args:
            tools: The lines in which hooks are asked and the model chooses tools, before a phase that checks things.
            results: What those find, each with its code.
        """
        if self._finds or tools:
            yield "    known: dict[str, str] = {}"
        if self._flow.readings:
            yield "    unmet: list[Unmet] = []"
        outcomes = False
        before = [step for step in self._flow.steps if step is not self._flow.final]
        for kind, group in groupby(before, type):
            steps = list(group)
            if kind is Check:
                yield from self._checks([step for step in steps if isinstance(step, Check)], more=outcomes)
                outcomes = True
                continue
            for step in steps:
                if tools and isinstance(step, Prose) and checks_something(step):
                    yield from self._choose(tools, results)
                    tools = ()
                yield from self._step(step)
        if outcomes:
            yield "    checks = [str(outcome) for outcome in outcomes]"
            yield from self._remember("checks", '"\\n".join(checks)')
        if tools:
            yield from self._choose(tools, results)

    def _choose(self, tools: Iterable[str], results: Iterable[tuple[str, str]]) -> Iterator[str]:
        yield from tools
        for key, code in results:
            yield from self._remember(key, f'{code} or "nothing found"')

    @property
    def _finds(self) -> bool:
        return any(not isinstance(step, Stop) and step is not self._flow.final for step in self._flow.steps)

    def _step(self, step: WorkflowStep) -> Iterator[str]:
        match step:
            case Reading():
                yield from self._reading(step)
            case Stop():
                yield from self._stop(step)
            case KnownCall():
                yield from self._call(step)
            case Prose():
                yield from self._draft(step)
            case Check():
                pass

    def _heading(self, elements: Iterable[Element]) -> Iterator[str]:
        phase = next((e.facts[PhaseFact].phase for e in elements if e.facts[PhaseFact].phase), "")
        if phase and phase != self._shown:
            self._shown = phase
            yield ""
            yield f"    # {plain_words(phase)}"

    def _remember(self, key: str, code: str) -> list[str]:
        self.known.append(key)
        return statement(f"known[{string_literal(key)}] = ", Raw(code), indent=1)

    def _reading(self, reading: Reading) -> Iterator[str]:
        yield from self._heading(reading.elements)
        wanted: list[Expression] = [call("well_formed", Raw(reading.class_name))]
        if amount_fields(reading):
            rules = call(f"{reading.variable}_rules", Raw("request"))
            panel = call("Panel", rules, inputs=Raw("inputs"), model=Raw(reading.class_name))
            yield from statement("panel = ", panel, indent=1)
            wanted.append(Raw("*panel.requirements"))
        described = [Raw(f"config.{reading_constant(reading)}"), Raw("request")]
        described += [Raw("listed(known)")] if self.known else []
        instruct = self._instruct(
            call("joined", *described),
            requirements=listing(wanted),
            extra={"format": Raw(reading.class_name)},
        )
        yield from session_lines()
        yield from statement("found = ", instruct, indent=2)
        yield f"    {reading.variable} = parse(str(found), {reading.class_name})"
        yield "    unmet += unmet_rules(found)"
        yield from self._remember(reading.variable, f"{reading.variable}.model_dump_json()")

    def _stop(self, stop: Stop) -> Iterator[str]:
        where = locations([stop.element])
        code = operand_code(stop.operand)
        noun = plain_words(stop.operand.words) or "document"
        if stop.labels:
            test = _is_label(stop.operand, stop.labels)
            text = f'f"The {noun} was read as {{{code}}}, so the run stopped there."'
            reason, stopped = f'f"the {noun} is: {{{code}}} ({where})"', code
        else:
            test = f"{code} is None" if stop.operand.type.numeric else f"not {code}"
            text = f'"No {noun} was found, so the run stopped there."'
            reason, stopped = f'"no {noun} ({where})"', string_literal(stop.reasons[0])
        result = {
            "text": Raw(text),
            "skipped": Raw("True"),
            "reason": Raw(reason),
            "unmet": Raw("unmet"),
            "notes": Raw("notes"),
            "stopped": Raw(stopped),
        }
        yield f"    if {test}:"
        yield from statement("return ", call(self._reply, **result), indent=2)

    def _call(self, step: KnownCall) -> Iterator[str]:
        yield from self._heading([step.element])
        given = f"{step.reading.variable}.{step.field.name}"
        present = f"{given} is not None" if step.field.type.numeric else given
        argument = given if step.field.type is FieldType.TEXT else f"str({given})"
        positional = [Raw("notes"), Raw(f"tools.{step.function}"), Raw(argument)]
        made = call("call_or_note", *positional, catch=Raw("ToolError"), otherwise=Raw("{}"))
        yield f"    {step.variable}: dict[str, object] = {{}}"
        yield f"    if {present}:"
        yield from statement(f"{step.variable} = ", made, indent=2)
        shown = f'str({step.variable} or "none was found")[:{LONGEST_FETCHED}]'
        yield from self._remember(step.variable, shown)

    def _checks(self, checks: Sequence[Check], *, more: bool) -> Iterator[str]:
        yield from self._heading([check.element for check in checks])
        made = [
            call(f"tools.{check.function}", *map(Raw, check_parameters(self._flow, check)))
            for check in checks
        ]
        yield from statement("outcomes += " if more else "outcomes = ", listing(made), indent=1)

    def _draft(self, prose: Prose) -> Iterator[str]:
        yield from self._heading(prose.elements)
        name = self._phases[prose.phase]
        described: list[Expression] = [subscript(f"config.{PHASES_SYMBOL}", name), Raw("request")]
        described += [Raw("listed(known)")] if self.known else []
        instruct = self._instruct(
            call("joined", *described), requirements=listing([call("not_empty")]), extra={}
        )
        yield from session_lines()
        yield from statement("drafted = ", instruct, indent=2)
        yield from self._remember(name, "reply_text(drafted)")

    def asked(self) -> list[Expression]:
        """Return the texts that the final call is asked with, before the request."""
        texts: list[Expression] = []
        if self._flow.report:
            texts.append(Raw(string_literal(_decision_text(self._flow))))
        if self._flow.final:
            name = self._phases[self._flow.final.phase]
            texts.append(subscript(f"config.{PHASES_SYMBOL}", name))
        return texts

    def heading_of_the_decision(self) -> Iterator[str]:
        """Yield the comment above the final call."""
        if self._flow.final:
            yield from self._heading(self._flow.final.elements)
        else:
            yield ""

    def report(self) -> Iterator[str]:
        """Yield the lines that parse the final answer and assemble the report."""
        flow = self._flow
        if flow.report is None:
            return
        attribute = flow.report.attribute
        if not decides(flow):
            yield f"    {attribute} = parse(str(sampling), {flow.report.class_name})"
            return
        yield "    decision = parse(str(sampling), Decision)"
        fields = {field.name: Raw(self._field_code(field.name)) for field in flow.report.fields}
        yield from statement(f"{attribute} = ", call(flow.report.class_name, **fields), indent=1)

    def _field_code(self, name: str) -> str:
        flow = self._flow
        if name in flow.copied:
            return operand_code(flow.copied[name])
        if name == flow.outcomes:
            return f"[*checks, *decision.{name}]" if flow.open_checks else "checks"
        return f"decision.{name}"

    def rendered(self) -> str:
        """Return the code of the text for people: decision and reason, or the whole report."""
        if self._flow.report is None:
            return "reply_text(sampling)"
        attribute = self._flow.report.attribute
        chosen = [field.name for field in self._flow.decided if field.options and not field.many]
        reasons = [field.name for field in self._flow.decided if field.name in _REASONS]
        if decides(self._flow) and len(chosen) == len(reasons) == 1:
            return f'f"{{{attribute}.{chosen[0]}}}: {{{attribute}.{reasons[0]}}}"'
        return f"rendered({attribute})"


def _decision_text(flow: Workflow) -> str:
    """Return the text that asks for the final answer of a workflow with a report."""
    names = [field.name.replace("_", " ") for field in flow.decided] if decides(flow) else []
    asked = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)
    what = f"Decide on {asked} of the report" if asked else "Fill in the report"
    return f"{what}, given what was read and checked."


_REASONS: Final = ("reason", "rationale", "why", "explanation", "justification", "comment")


def session_lines(indent: int = 1) -> list[str]:
    """Return the line that opens the session of a model call, with the earlier turns."""
    return [f"{INDENT * indent}with model_call(), start_session(**session, ctx=chat_context(turns)) as m:"]


# --- results in schemas.py ------------------------------------------------------------------------

_ANNOTATIONS: Final = {
    FieldType.TEXT: "str",
    FieldType.MONEY: "Money | None",
    FieldType.NUMBER: "float | None",
    FieldType.COUNT: "int | None",
    FieldType.MONEY_LIST: "list[Money]",
    FieldType.TEXT_LIST: "list[str]",
}


def annotation_of(field: ReadingField, alias: str) -> str:
    """Return the type of a field, as code; `alias` is that of its labels."""
    return alias if field.type is FieldType.LABEL else _ANNOTATIONS[field.type]


def description_of(field: ReadingField) -> str:
    """Return what a field holds, and what it is when the document doesn't say."""
    words = plain_words(field.description or field.words)
    if field.type is FieldType.LABEL:
        return words if field.description or field.name != "kind" else f"What the {words} is"
    absent = "null when not given" if field.type.numeric else "empty when not given"
    return f"{words[:1].upper()}{words[1:]}; {absent}"


def alias_lines(alias: str, options: Sequence[str]) -> list[str]:
    """Return the lines of a type alias for some allowed values."""
    literals = tuple(Argument("", Raw(string_literal(option))) for option in options)
    return statement(f"{alias} = ", Group("Literal", "[", "]", literals, "call"))


def reading_head(reading: Reading) -> list[str]:
    """Return the first lines of the model of a reading."""
    return [
        *provenance_comments(source_ranges(reading.elements)),
        f"class {reading.class_name}(BaseModel):",
        '    """What was read from the message."""',
        "",
    ]
