"""Reads a workflow into typed records: what is read, where it stops, what is fetched, calculated and decided.

Elements whose wording the tables don't know stay what they were, prompt text or a rule for the judge: nothing is
guessed. The generators print the records; this module knows no code.
"""

# ruff: noqa: E501 - a wording is easier to read in one piece

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final

from msgspec import Struct

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.facts import PhaseFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import Category, Disposition, EntryKind, Polarity, Tag
from melleafy_tui.core.package.calculation_wordings import Relation
from melleafy_tui.core.package.calculations import (
    Calculation,
    Fetched,
    Operand,
    Values,
    read_calculation,
)
from melleafy_tui.core.package.field_rules import (
    FieldRule,
    TextRule,
    When,
    labels_named,
    read_condition_of,
    read_field_rule,
    read_text_rule,
)
from melleafy_tui.core.package.known_calls import KnownCall, calls_unasked, known_call, read_endpoint
from melleafy_tui.core.package.naming import ascii_words, python_identifier
from melleafy_tui.core.package.reading_fields import (
    FieldType,
    Reading,
    ReadingField,
    gives_their_form,
    reading_fields,
    yields_fields,
)
from melleafy_tui.core.package.result_schemas import ReportSchema, SchemaField

MOST_ELEMENTS: Final = 2000
"""A source with more elements than this has no workflow that anyone could follow."""


class Stop(Struct, frozen=True):
    """A condition that ends the run: a label that was read, or a field that is empty.

    `reasons` are the possible values of `stopped` in the result.
    """

    element: Element
    operand: Operand
    labels: tuple[str, ...] = ()

    @property
    def reasons(self) -> tuple[str, ...]:
        """Return the possible values of `stopped`."""
        return self.labels or (f"no {self.operand.words}",)


class Check(Struct, frozen=True):
    """A check of the workflow that Python makes: its function, its name in the report, and the calculation."""

    function: str
    title: str
    calculation: Calculation
    element: Element


class Prose(Struct, frozen=True):
    """Steps of one phase that have no typed form, one after another."""

    phase: str
    elements: tuple[Element, ...]


class _PossibleStop(Struct, frozen=True):
    """A rule that is worded as a stop; whether its condition is known shows when all readings are."""

    element: Element
    condition: str


WorkflowStep = Reading | Stop | KnownCall | Check | Prose


class Workflow(Struct, frozen=True):
    """A workflow, in source order, and what is known of its report.

    Attributes:
        steps: The steps before the decision, in source order.
        report: The form that the run fills, or None if it ends in a text.
        field_rules: Rules about values of the report that Python checks.
        text_rules: Rules about the wording of the report that Python checks.
        copied: Report fields that were read, with the reading's variable and field.
        outcomes: The report field that lists the outcomes of checks, or `""`; the model adds those of open checks.
    """

    steps: tuple[WorkflowStep, ...]
    report: ReportSchema | None
    field_rules: tuple[FieldRule, ...]
    text_rules: tuple[TextRule, ...]
    copied: dict[str, Operand]
    outcomes: str = ""

    @property
    def readings(self) -> tuple[Reading, ...]:
        """Return the readings, in source order."""
        return tuple(step for step in self.steps if isinstance(step, Reading))

    @property
    def stops(self) -> tuple[Stop, ...]:
        """Return the stop conditions, in source order."""
        return tuple(step for step in self.steps if isinstance(step, Stop))

    @property
    def calls(self) -> tuple[KnownCall, ...]:
        """Return the calls that the pipeline makes itself, in source order."""
        return tuple(step for step in self.steps if isinstance(step, KnownCall))

    @property
    def checks(self) -> tuple[Check, ...]:
        """Return the checks that Python makes, in source order."""
        return tuple(step for step in self.steps if isinstance(step, Check))

    @property
    def prose(self) -> tuple[Prose, ...]:
        """Return the steps without a typed form, in source order."""
        return tuple(step for step in self.steps if isinstance(step, Prose))

    @property
    def decided(self) -> tuple[SchemaField, ...]:
        """Return the report fields that the model fills in; with open checks, their outcomes too."""
        known = {*self.copied, *([] if self.open_checks else [self.outcomes])}
        return tuple(
            field for field in (self.report.fields if self.report else ()) if field.name not in known
        )

    @property
    def final(self) -> Prose | None:
        """Return the prose of the last step, which the final call takes along, or None."""
        last = self.steps[-1] if self.steps else None
        return last if isinstance(last, Prose) else None

    @property
    def drafts(self) -> tuple[Prose, ...]:
        """Return the prose that takes a call of its own, in source order."""
        return tuple(step for step in self.prose if step is not self.final)

    @property
    def checked_rules(self) -> tuple[FieldRule, ...]:
        """Return the field rules whose condition Python knows: of outcomes, only with all checks made by Python.

        With open checks it knows still that one of its own failed.
        """
        if not self.checks:
            unknown = {When.ALL_PASSED, When.SOME_FAILED, When.SOME_MISSING}
        else:
            unknown = {When.ALL_PASSED, When.SOME_MISSING} if self.open_checks else set()
        return tuple(rule for rule in self.field_rules if rule.condition.when not in unknown)

    @property
    def outcome_rules(self) -> bool:
        """Return whether a rule depends on what was read or on what the checks came to."""
        return any(rule.condition.when is not When.ALWAYS for rule in self.checked_rules)

    @property
    def open_checks(self) -> tuple[Element, ...]:
        """Return the checks that the model makes, because Python can't."""
        return tuple(
            element for part in self.prose for element in part.elements if element.tag is Tag.VALIDATE_DOMAIN
        )


def checks_something(prose: Prose) -> bool:
    """Return whether a phase of prose checks outside data."""
    return any(element.tag is Tag.VALIDATE_DOMAIN for element in prose.elements)


def chooses_tools_first(forms: Sequence[ReportSchema], flow: Workflow | None) -> bool:
    """Return whether tools are chosen before the last call: an answer with a form calls none, a draft that checks needs them.

    Args:
        forms: The forms that a run fills.
        flow: The workflow of a run, or None.
    """
    return bool(forms) or (flow is not None and any(map(checks_something, flow.drafts)))


_STOP: Final = tuple(
    LazyRegex(text, re.IGNORECASE)
    for text in (
        r"(?:if|when|as soon as|in case) (?P<condition>[^,;:.]{3,100}?),? (?:then )?(?:stop|end|halt|finish|abort|quit)"
        r"(?: (?:here|there|the run|now|at once|immediately|work|processing|reading|this workflow|the workflow))?"
        r"(?:,? (?:and|but) (?:say so|report (?:it|that|this)|explain why|say why|tell the user(?: so| why)?|give the reason|do nothing else|do not go on|don't go on|do not continue))?",
        r"(?:stop|end|halt|abort)(?: here| there| the run)? (?:if|when) (?P<condition>[^,;:.]{3,100})",
        r"(?:if|when) (?P<condition>[^,;:.]{3,100}?),? (?:do not|don't) (?:continue|go on|proceed)",
        r"(?:wenn|falls) (?P<condition>[^,;:.]{3,100}?), (?:(?:dann )?(?:hier )?(?:brich ab|brich hier ab|stoppe|stopp|höre? auf|beende die arbeit|abbrechen|aufhören)(?: hier)?)(?: und (?:sage? es|sage? warum|teile es mit))?",
        r"(?:si|se) (?P<condition>[^,;:.]{3,100}?),? (?:arrête(?:z)?(?:-toi|-vous)?|arrêter|détente|detente|detenerse|para|pare|parar|deténgase)(?: ici| aquí| aqui| là)?(?: (?:et|y|e) (?:dis-le|dites-le|dilo|dígalo|diga isso|avise))?",
        r"(?:如果|若|当)(?P<condition>[^,，;；。]{2,60}?)(?:时)?[,，]?(?:则|就|请)?(?:到此|在此|立即)?(?:停止|终止|结束)(?:处理|流程)?(?:[,，]?并?(?:说明|告知)(?:原因|用户)?)?",
    )
)


def read_workflow(
    elements: Iterable[Element], reports: Sequence[ReportSchema], taken: Iterable[str] = ()
) -> Workflow | None:
    """Return the workflow of a source, or None if it has no steps.

    Args:
        elements: The kept elements, in source order: steps, rules, and others, which are ignored.
        reports: The forms of the source.
        taken: Names that the pipeline uses already.
    """
    kept = list(elements)
    if len(kept) > MOST_ELEMENTS or not any(map(is_step, kept)):
        return None
    return _Reader(kept, reports, set(taken)).workflow


def planned_workflow(
    elements: Iterable[Element], entries: Mapping[str, PlanEntry], reports: Sequence[ReportSchema]
) -> Workflow | None:
    """Return the workflow of a plan: of the steps and rules that the package keeps in every scope.

    Args:
        elements: The elements, in source order.
        entries: The entries of the plan by element id.
        reports: The forms that the package keeps; several forms are filled as a whole by the model.
    """
    kept = [
        element
        for element in elements
        if (entry := entries.get(element.element_id)) is not None
        and entry.kind in (EntryKind.STEP, EntryKind.RULE)
        and entry.disposition is Disposition.BUNDLE
        and not element.scope
        and (entry.kind is EntryKind.STEP) == is_step(element)
    ]
    return read_workflow(kept, reports if len(reports) == 1 else (), PIPELINE_NAMES)


PIPELINE_NAMES: Final = frozenset(
    [
        "calls",
        "checks",
        "config",
        "confirm",
        "decided",
        "decision",
        "drafted",
        "event",
        "facts",
        "failed",
        "findings",
        "fixtures",
        "form",
        "guidance",
        "history",
        "identity",
        "inputs",
        "joined",
        "known",
        "listed",
        "loader",
        "m",
        "mock_tools",
        "message",
        "missing",
        "notes",
        "offered",
        "outcomes",
        "panel",
        "parse",
        "persona",
        "reason",
        "rendered",
        "report",
        "request",
        "results",
        "rules",
        "scope",
        "session",
        "state",
        "steps",
        "text",
        "tools",
        "transcript",
        "turns",
        "unmet",
        "user_context",
        "woken",
        "working_state",
        "memory",
        "constrained_slots",
        "passed",
    ]
)
"""Names that run_pipeline and the functions around it use, which nothing of a workflow may have."""


def is_step(element: Element) -> bool:
    """Return whether an element is a step of a workflow phase."""
    kept = element.category is Category.C2 and element.polarity not in (Polarity.FORBIDS, Polarity.PERMITS)
    return kept and bool(element.facts[PhaseFact].phase)


class _Reader:
    """Reads the steps one after another, each with what the ones before it made known."""

    def __init__(self, elements: list[Element], reports: Sequence[ReportSchema], taken: set[str]) -> None:
        self._elements, self._reports, self._taken = elements, reports, taken
        self._endpoints = {
            element.element_id: found
            for element in elements
            if is_step(element) and (found := read_endpoint(element)) and calls_unasked(found, elements)
        }
        self._steps: list[WorkflowStep | _PossibleStop] = []
        self._pending: list[Element] = []
        self._fields: set[str] = set()

    @cached_property
    def workflow(self) -> Workflow:
        self._read_steps()
        report = self._reports[0] if self._reports else None
        fields = report.fields if report else ()
        rules = self._rules()
        field_rules = self._field_rules(rules, fields)
        fixed = {rule.element.element_id for rule in field_rules}
        others = [element for element in rules if element.element_id not in fixed]
        return Workflow(
            tuple(s for s in self._steps if not isinstance(s, _PossibleStop)),
            report,
            field_rules,
            _text_rules(others, fields) if report else (),
            self._copied(fields),
            self._outcomes(fields),
        )

    def _read_steps(self) -> None:
        for element in self._elements:
            if is_step(element):
                self._step(element)
            elif element.category is Category.C2 and element.tag is Tag.DECIDE:
                self._stop(element)
        self._flush()
        self._place_stops()
        self._merge_prose()

    def _rules(self) -> list[Element]:
        """Return the rules that are neither steps nor stops."""
        used = {step.element.element_id for step in self._steps if isinstance(step, Stop)}
        return [
            element
            for element in self._elements
            if element.category is Category.C2 and not is_step(element) and element.element_id not in used
        ]

    def _field_rules(self, rules: list[Element], fields: Sequence[SchemaField]) -> tuple[FieldRule, ...]:
        values = self._values()
        found = (read_field_rule(element, fields, self._readings, values) for element in rules)
        return tuple(rule for rule in found if rule)

    @property
    def _readings(self) -> list[Reading]:
        return [step for step in self._steps if isinstance(step, Reading)]

    def _values(self) -> Values:
        calls = (step for step in self._steps if isinstance(step, KnownCall))
        return Values(self._readings, [Fetched(call.endpoint.noun, call.variable) for call in calls])

    def _step(self, element: Element) -> None:
        if yields_fields(element) or (self._pending and gives_their_form(element)):
            self._pending.append(element)
            return
        self._flush()
        endpoint = self._endpoints.get(element.element_id)
        call = known_call(endpoint, self._readings, self._taken) if endpoint else None
        calculation = read_calculation(element.statement, self._values()) if call is None else None
        if call is not None:
            self._steps.append(call)
        elif calculation is not None:
            function = python_identifier(_function(element, calculation), self._taken, fallback="check")
            self._taken.add(function)
            self._steps.append(Check(function, check_title(calculation), calculation, element))
        else:
            self._add_prose(element)

    def _add_prose(self, element: Element) -> None:
        phase = element.facts[PhaseFact].phase
        last = self._steps[-1] if self._steps else None
        if isinstance(last, Prose) and last.phase == phase:
            self._steps[-1] = Prose(phase, (*last.elements, element))
        else:
            self._steps.append(Prose(phase, (element,)))

    def _stop(self, element: Element) -> None:
        """Keep the place of a rule that is worded as a stop: readings don't go on across it."""
        text = " ".join(element.statement.split()).strip(" .。")
        found = next((match for pattern in _STOP if (match := pattern.fullmatch(text))), None)
        if found is not None:
            self._flush()
            self._steps.append(_PossibleStop(element, found["condition"].strip()))

    def _merge_prose(self) -> None:
        """Join the prose of each phase at its last place: a phase takes one call, after what else it found."""
        joined: dict[str, list[Element]] = {}
        for step in self._steps:
            if isinstance(step, Prose):
                joined.setdefault(step.phase, []).extend(step.elements)
        last = {step.phase: step for step in self._steps if isinstance(step, Prose)}
        self._steps = [
            Prose(step.phase, tuple(joined[step.phase])) if isinstance(step, Prose) else step
            for step in self._steps
            if not isinstance(step, Prose) or last[step.phase] is step
        ]

    def _place_stops(self) -> None:
        """Turn each possible stop into a stop, where it is written or, if that is elsewhere, after its reading."""
        sections = {element.section for element in filter(is_step, self._elements)}
        steps: list[WorkflowStep] = [step for step in self._steps if not isinstance(step, _PossibleStop)]
        seen: list[WorkflowStep] = []
        for step in self._steps:
            if not isinstance(step, _PossibleStop):
                seen.append(step)
                continue
            placed = self._with_reading(self._stop_of(step))
            if placed is None:
                continue
            stop, reading = placed
            after = seen[-1] if reading in seen and step.element.section in sections else reading
            steps.insert(steps.index(after) + 1, stop)
            if after is not reading:
                seen.append(stop)
        self._steps = list(steps)

    def _with_reading(self, stop: Stop | None) -> tuple[Stop, Reading] | None:
        readings = (
            reading for reading in self._readings if stop and reading.variable == stop.operand.variable
        )
        reading = next(readings, None)
        return (stop, reading) if stop and reading else None

    def _stop_of(self, possible: _PossibleStop) -> Stop | None:
        if labels := labels_named(possible.condition, self._readings):
            return Stop(possible.element, *labels)
        condition = read_condition_of(possible.condition, self._readings, self._values())
        if condition and condition.when is When.ABSENT and condition.operand:
            return Stop(possible.element, condition.operand)
        return None

    def _flush(self) -> None:
        """Add the pending steps as one reading."""
        pending, self._pending = self._pending, []
        if not pending:
            return
        nouns = [endpoint.noun for endpoint in self._endpoints.values()]
        fields = reading_fields(pending, self._reports, nouns, self._fields)
        if not fields:
            for element in pending:
                self._add_prose(element)
            return
        words = ascii_words(_PHASE_NUMBER.sub("", pending[0].facts[PhaseFact].phase)).split("_")[:3]
        name = "".join(word.capitalize() for word in words) + "Reading" if self._readings else "Reading"
        variable = python_identifier(_snake(name), self._taken, fallback="reading")
        self._taken.add(variable)
        name = "".join(word.capitalize() for word in variable.split("_"))
        self._steps.append(Reading(name, variable, fields, tuple(pending)))

    def _copied(self, fields: Sequence[SchemaField]) -> dict[str, Operand]:
        """Return the report fields that a reading has under the same name, with a type that fits."""
        held = {field.name: (reading, field) for reading in self._readings for field in reading.fields}
        return {
            field.name: Operand(
                held[field.name][1].words,
                held[field.name][0].variable,
                field.name,
                type=held[field.name][1].type,
            )
            for field in fields
            if field.name in held and same_type(held[field.name][1], field)
        }

    def _outcomes(self, fields: Sequence[SchemaField]) -> str:
        """Return the report field that lists what each check came to, if Python makes any."""
        if not any(isinstance(step, Check) for step in self._steps):
            return ""
        named = (
            f.name
            for f in fields
            if f.many and f.plain == "str" and not f.options and _CHECKS.search(f"{f.name} {f.words}")
        )
        return next(named, "")


_PHASE_NUMBER: Final = LazyRegex(r"^\W*(?:(?:phase|step|stage|part)\s*[\dIVX]+|\d+)\W*", re.IGNORECASE)
_CHECKS: Final = LazyRegex(
    r"^(?:checks|check_results|check_outcomes|prüfungen|contrôles|comprobaciones|verificações)\b|(?:each|every|per) check\b|每项检查",
    re.IGNORECASE,
)


def _text_rules(rules: Sequence[Element], fields: Sequence[SchemaField]) -> tuple[TextRule, ...]:
    found = (read_text_rule(element, fields) for element in rules)
    return tuple(rule for rule in found if rule)


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def same_type(read: ReadingField, field: SchemaField) -> bool:
    """Return whether a report field can hold what a reading's field holds."""
    if field.many:
        kinds = {"str": FieldType.TEXT_LIST, "float": FieldType.MONEY_LIST}
        return not field.options and read.type is kinds.get(field.plain)
    if read.type is FieldType.LABEL:
        return set(field.options) == set(read.labels)
    if field.options:
        return False
    if read.type.numeric:
        return field.plain == ("int" if read.type is FieldType.COUNT else "float")
    return read.type is FieldType.TEXT and field.plain == "str"


def check_title(calculation: Calculation) -> str:
    """Return what a report calls a check, such as "net amount against purchase order"."""
    left, right = calculation.left.words, [_short(operand, calculation.left) for operand in calculation.right]
    percent = f"{calculation.percent} % of " if calculation.percent else ""
    match calculation.relation:
        case Relation.PRESENT:
            return f"{left} is given"
        case Relation.SUM | Relation.SUM_WITH_RATE:
            return f"{left} is {' plus '.join(right)}"
        case Relation.DIFFERENCE:
            return f"{left} is {' minus '.join(right)}"
        case Relation.EQUALS | Relation.SAME:
            return f"{left} against {right[0]}"
        case relation:
            return f"{left} {relation.value} {percent}{right[0]}"


def _short(operand: Operand, left: Operand) -> str:
    """Return the noun of an operand; of the same field of something fetched, what was fetched."""
    if operand.fetched and operand.field == left.field:
        return operand.variable.replace("_", " ")
    return operand.words


def _function(element: Element, calculation: Calculation) -> str:
    """Return a name such as `verify_gross_amount`, after the verb of the source if it is in English."""
    verb = ascii_words(element.statement).split("_")[0]
    return f"{verb if verb in _CHECK_VERBS else 'check'}_{calculation.left.field}"


_CHECK_VERBS: Final = frozenset({"check", "compare", "confirm", "validate", "verify"})
