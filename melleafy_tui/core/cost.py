"""What one run of a generated package costs in model calls and prompt text, counted from the committed plan.

It counts what `generators/` emit: one call for the reply, one for all judged rules together, one for each rule that the
user wants judged on its own; rules that Python checks cost none (spec/package.md 3). A heartbeat that acts
makes one call more, to decide.
"""

from typing import Final

from melleafy_tui.core.models.mapping import MappingEntry
from melleafy_tui.core.models.package import RunCost
from melleafy_tui.core.models.plan import CommittedPlan, PlanEntry, PlannedElement
from melleafy_tui.core.models.vocabulary import Category, Disposition, EntryKind, Modality, ValidationKind

CHARACTERS_PER_TOKEN: Final = 4

IN_PROMPT: Final[dict[EntryKind, frozenset[Disposition]]] = {
    EntryKind.IDENTITY: frozenset(
        {Disposition.BUNDLE, Disposition.EXTERNAL_INPUT, Disposition.LOAD_FROM_DISK}
    ),
    EntryKind.RULE: frozenset({Disposition.BUNDLE, Disposition.LOAD_FROM_DISK}),
    EntryKind.FACT_STABLE: frozenset(
        {Disposition.BUNDLE, Disposition.EXTERNAL_INPUT, Disposition.LOAD_FROM_DISK}
    ),
    EntryKind.FACT_OVERRIDABLE: frozenset(
        {Disposition.BUNDLE, Disposition.EXTERNAL_INPUT, Disposition.LOAD_FROM_DISK}
    ),
    EntryKind.MEMORY: frozenset({Disposition.BUNDLE, Disposition.LOAD_FROM_DISK}),
    EntryKind.TOOL_NARRATIVE: frozenset({Disposition.BUNDLE}),
}
"""Where an entry's own text travels in the prompt of every run."""

_METADATA: Final = "AGENT_METADATA"


def run_cost(committed: CommittedPlan) -> RunCost:
    """Return what one run of the package costs, for a message in the scope "general"."""
    judged = [
        item for item in committed.planned if is_judged(item.entry, item.mapping) and not item.element.scope
    ]
    alone = sum(item.entry.judge_individually for item in judged)
    together = len(judged) - alone
    calls = 1 + alone + (1 if together else 0)
    woken = committed.classification
    decides = Modality.HEARTBEAT in (woken.modality, *woken.secondary_modalities)
    characters = sum(len(item.element.statement) for item in committed.planned if _in_prompt(item))
    characters += sum(len(item.element.statement) for item in judged)
    return RunCost(
        calls=calls,
        calls_individual=1 + len(judged),
        prompt_characters=characters,
        prompt_tokens=-(-characters // CHARACTERS_PER_TOKEN),
        calls_heartbeat=calls + 1 if decides else 0,
        judged_rules=len(judged),
    )


def is_judged(entry: PlanEntry, mapping: MappingEntry) -> bool:
    """Return whether the entry is a rule that the model judges in the package."""
    return (
        entry.kind is EntryKind.RULE
        and entry.disposition in IN_PROMPT[EntryKind.RULE]
        and mapping.validation_kind is ValidationKind.LLM_JUDGED
    )


def _in_prompt(item: PlannedElement) -> bool:
    if (
        item.element.scope
        or item.mapping.target_symbol == _METADATA
        or item.element.category is Category.NONE
    ):
        return False
    return item.entry.disposition in IN_PROMPT.get(item.entry.kind, frozenset())
