"""Maps the elements of a workflow to what they become: readings, branches, functions, phases of prose.

What a step becomes depends on the steps and rules that the plan keeps, so this follows the plan.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.models.inventory import Element, Inventory
from melleafy_tui.core.models.mapping import ElementMapping, MappingEntry, RuleCheck
from melleafy_tui.core.models.plan import DependencyPlan, PlanEntry
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind, ValidationKind
from melleafy_tui.core.package.known_calls import KnownCall
from melleafy_tui.core.package.model_steps import PHASES_SYMBOL, TEXTS, phase_names
from melleafy_tui.core.package.reading_fields import Reading
from melleafy_tui.core.package.result_schemas import kept_schemas
from melleafy_tui.core.package.workflow import Check, Prose, Stop, Workflow, planned_workflow

REQUIREMENTS: Final = "requirements.py"
DECISION_RULES: Final = "decision_rules"
"""The function that returns the rules if some depend on earlier results."""

READS: Final = "m.instruct(format=...) with typed fields"
CALLS: Final = "a call of its own, without the model"
COMPUTES: Final = "a calculation with a typed outcome"
STOPS: Final = "a branch that ends the run"
DRAFTS: Final = "m.instruct, one a phase"
TAKES_ALONG: Final = "part of the final m.instruct"


def with_workflow(
    mapping: ElementMapping, plan: DependencyPlan, inventory: Inventory
) -> tuple[ElementMapping, DependencyPlan]:
    """Return mapping and plan with the final targets of a workflow's elements; unchanged if there is no workflow.

    Args:
        mapping: The mapping.
        plan: The plan with the user's overrides.
        inventory: The inventory.
    """
    forms = {
        name
        for entry in plan.entries
        if entry.kind is EntryKind.SCHEMA and entry.disposition is Disposition.BUNDLE
        for name in entry.source_elements
    }
    entries = plan.by_element
    workflow = planned_workflow(inventory.elements, entries, kept_schemas(inventory.elements, forms))
    if workflow is None:
        return mapping, plan
    placed = dict(_placed(workflow, phase_names(inventory.elements)))
    mapped = tuple(_mapped(entry, placed, workflow) for entry in mapping.mappings)
    targets = {entry.element_id: f"{entry.target_file}:{entry.target_symbol}" for entry in mapped}
    planned = tuple(
        replace(entry, target=targets[entry.source_elements[0]]) if _moves(entry, placed, targets) else entry
        for entry in plan.entries
    )
    moved = ElementMapping(mapped, mapping.judgment_calls, mapping.inlinings, mapping.treatments)
    return moved, DependencyPlan(planned, plan.conflicts)


def _moves(entry: PlanEntry, placed: Collection[str], targets: Mapping[str, str]) -> bool:
    """Return whether an entry goes where the mapping of its element says now."""
    if entry.disposition is not Disposition.BUNDLE or not entry.source_elements:
        return False
    element = entry.source_elements[0]
    return element in placed or targets.get(element) == f"{REQUIREMENTS}:{DECISION_RULES}"


def _placed(workflow: Workflow, phases: dict[str, str]) -> Iterator[tuple[str, tuple[str, str, str, str]]]:
    """Yield the file, symbol, primitive and construct of each element of the workflow, by element id."""
    for step in workflow.steps:
        match step:
            case Reading():
                where = ("schemas.py", step.class_name, "instruct", READS)
            case Stop():
                where = ("pipeline.py", "run_pipeline", "branch", STOPS)
            case KnownCall():
                where = ("tools.py", step.function, "tool", CALLS)
            case Check():
                where = ("tools.py", step.function, "calculation", COMPUTES)
            case Prose():
                symbol = f'{PHASES_SYMBOL}["{phases[step.phase]}"]'
                own = step is not workflow.final
                where = (TEXTS, symbol, "instruct" if own else "bundle", DRAFTS if own else TAKES_ALONG)
        for element in _elements(step):
            yield element.element_id, where


def _elements(step: Reading | Stop | KnownCall | Check | Prose) -> tuple[Element, ...]:
    return step.elements if isinstance(step, Reading | Prose) else (step.element,)


def _mapped(
    entry: MappingEntry, placed: dict[str, tuple[str, str, str, str]], workflow: Workflow
) -> MappingEntry:
    if entry.element_id in placed:
        return _at_step(entry, placed[entry.element_id], workflow)
    if entry.target_file != REQUIREMENTS or entry.target_symbol != "OPERATING_REQUIREMENTS":
        return entry
    symbol = DECISION_RULES if workflow.outcome_rules else entry.target_symbol
    moved = replace(entry, target_symbol=symbol)
    checks: dict[str, RuleCheck | None] = {
        rule.element.element_id: rule.check for rule in workflow.text_rules
    }
    checks |= {rule.element.element_id: None for rule in workflow.checked_rules if not rule.remainder}
    if entry.element_id in checks:
        return replace(moved, validation_kind=ValidationKind.EXECUTABLE, check=checks[entry.element_id])
    if workflow.report is not None and entry.validation_kind is ValidationKind.EXECUTABLE:
        return replace(moved, validation_kind=ValidationKind.LLM_JUDGED, check=None)
    return moved


def _at_step(entry: MappingEntry, place: tuple[str, str, str, str], workflow: Workflow) -> MappingEntry:
    """Return the entry of an element that became part of a step."""
    file, symbol, primitive, construct = place
    judged = any(element.element_id == entry.element_id for element in workflow.open_checks)
    return replace(
        entry,
        target_file=file,
        target_symbol=symbol,
        primitive=primitive,
        mellea_construct=construct,
        final_target_file=file,
        validation_kind=ValidationKind.LLM_JUDGED if judged else None,
        check=None,
    )
