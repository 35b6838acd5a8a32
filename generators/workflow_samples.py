"""Sample runs of a workflow for fixtures: what a scripted model reads and decides, and which rules that breaks.

Without figures the sample reads nothing but labels, so no check can be made and no record is fetched; what follows for
the rules about report fields is worked out here, so a fixture can name exactly those that its run reports.
"""

from collections.abc import Mapping
from itertools import product
from typing import Final

from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.package.calculation_wordings import Relation
from melleafy_tui.core.package.calculations import Operand
from melleafy_tui.core.package.field_rules import Condition, FieldRule, When
from melleafy_tui.core.package.reading_fields import FieldType, Reading, ReadingField
from melleafy_tui.core.package.workflow import Check, Stop, Workflow
from melleafy_tui.generators.workflow import RuleConditions
from melleafy_tui.generators.workflow_figures import Figures, plain

MOST_DECISIONS: Final = 200
"""How many combinations of report values are tried for the one that breaks the fewest rules."""

_NOTHING: Final[dict[FieldType, object]] = {
    FieldType.TEXT: "",
    FieldType.MONEY_LIST: [],
    FieldType.TEXT_LIST: [],
}


class WorkflowSample:
    """A sample run.

    Args:
        flow: The workflow.
        figures: What is read and fetched; without them nothing but labels is read.
    """

    def __init__(self, flow: Workflow, figures: Figures | None = None) -> None:
        self._flow = flow
        self._figures = figures
        self._conditions = RuleConditions(flow)
        self._needed = {(stop.operand.variable, stop.operand.field) for stop in flow.stops if not stop.labels}
        self._stopping = {label for stop in flow.stops for label in stop.labels}
        outcomes = [self._passes(check) for check in flow.checks] if figures is None else figures.passed
        self._failed, self._missing = False in outcomes, None in outcomes

    def reading(self, reading: Reading, stop: Stop | None = None) -> dict[str, object]:
        """Return what the scripted model reads, so that the run goes on, or stops where it is told."""
        return {field.name: self._value(reading, field, stop) for field in reading.fields}

    def _value(self, reading: Reading, field: ReadingField, stop: Stop | None = None) -> object:
        at = (reading.variable, field.name)
        if self._figures is not None:
            return plain(self._figures.values[at])
        if stop is not None and at == (stop.operand.variable, stop.operand.field):
            return stop.labels[0] if stop.labels else _NOTHING.get(field.type)
        if field.type is FieldType.LABEL:
            return next((label for label in field.labels if label not in self._stopping), field.labels[0])
        if at in self._needed:
            return {FieldType.TEXT: f"a sample of {field.name.replace('_', ' ')}"}.get(field.type, 1)
        return _NOTHING.get(field.type)

    def decide(self, sample: dict[str, object], *, wrong: bool = False) -> dict[str, object]:
        """Return a filled form with those of the allowed values that break the fewest rules, or if wrong the most."""
        ruled = {rule.field for rule in self._flow.checked_rules}
        fields = [f for f in self._flow.decided if f.name in ruled and f.options and not f.many]
        names = [field.name for field in fields]
        tried = [
            {**sample, **dict(zip(names, values, strict=True))}
            for values, _ in zip(product(*(f.options for f in fields)), range(MOST_DECISIONS), strict=False)
        ]
        choose = max if wrong else min
        return choose(tried, key=lambda decision: len(self.broken(decision)), default=sample)

    def broken(self, decision: Mapping[str, object]) -> list[Element]:
        """Return the rules about report fields that a decision breaks, in source order."""
        return [rule.element for rule in self._flow.checked_rules if self._is_broken(rule, decision)]

    def _is_broken(self, rule: FieldRule, decision: Mapping[str, object]) -> bool:
        if not self._holds(rule.condition) or any(self._holds(c) for c in self._conditions.exceptions(rule)):
            return False
        return (decision.get(rule.field) == rule.value) is rule.forbidden

    def _holds(self, condition: Condition) -> bool:
        match condition.when:
            case When.ALWAYS:
                return True
            case When.ALL_PASSED:
                return not self._failed and not self._missing
            case When.SOME_FAILED:
                return self._failed
            case When.SOME_MISSING:
                return self._missing
            case When.CALCULATED:
                return False
            case _ if condition.operand is None:
                return False
            case When.LABEL:
                return self._read(condition.operand) in condition.labels
            case When.ABSENT:
                return not self._read(condition.operand)
            case _:
                return bool(self._read(condition.operand))

    def _read(self, operand: Operand) -> object:
        found = (
            self._value(reading, field)
            for reading in self._flow.readings
            for field in reading.fields
            if (reading.variable, field.name) == (operand.variable, operand.field)
        )
        return next(found, None)

    def _passes(self, check: Check) -> bool | None:
        made = check.calculation
        return bool(self._read(made.left)) if made.relation is Relation.PRESENT else None
