"""Counts what one run of a generated package costs in model calls and prompt text, from the committed plan.

A run makes one call for the reply or report, one for each 12 judged rules, one for each rule judged individually, one
for rules loaded from a file, and one for each step or phase before the reply, which takes the last phase along. The
call of a reply offers the tools; a typed answer can't, so there one call finds that no tool is needed. Rules that
Python checks need no call. A heartbeat that acts needs one more, to decide.
"""

from collections.abc import Iterable, Iterator
from math import ceil
from typing import Final

from msgspec import Struct

from melleafy_tui.core.language.writing_systems import estimated_tokens, letters_and_signs
from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.file_set import RunCost
from melleafy_tui.core.models.inventory import PART
from melleafy_tui.core.models.mapping import MappingEntry
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import Category, Disposition, EntryKind, Modality, ValidationKind
from melleafy_tui.core.package.result_schemas import kept_schemas
from melleafy_tui.core.package.separate_steps import PHASES_SYMBOL, chooses_tools_first, planned_phases

IN_PROMPT: Final[dict[EntryKind, frozenset[Disposition]]] = {
    EntryKind.IDENTITY: frozenset(
        {Disposition.BUNDLE, Disposition.EXTERNAL_INPUT, Disposition.LOAD_FROM_DISK}
    ),
    EntryKind.RULE: frozenset({Disposition.BUNDLE, Disposition.LOAD_FROM_DISK}),
    EntryKind.STEP: frozenset({Disposition.BUNDLE}),
    EntryKind.FACT_STABLE: frozenset(
        {Disposition.BUNDLE, Disposition.EXTERNAL_INPUT, Disposition.LOAD_FROM_DISK}
    ),
    EntryKind.FACT_OVERRIDABLE: frozenset(
        {Disposition.BUNDLE, Disposition.EXTERNAL_INPUT, Disposition.LOAD_FROM_DISK}
    ),
    EntryKind.MEMORY: frozenset({Disposition.BUNDLE, Disposition.LOAD_FROM_DISK}),
    EntryKind.TOOL_NARRATIVE: frozenset({Disposition.BUNDLE}),
}
"""The dispositions, by kind, with which an entry's text is in the prompt of every run."""

_TOOLS: Final = (EntryKind.TOOL_NARRATIVE, EntryKind.TOOL_CONCRETE, EntryKind.TOOL_ABSTRACT)
_CALLED: Final = (
    Disposition.REAL_IMPL,
    Disposition.STUB,
    Disposition.MOCK,
    Disposition.DELEGATE_TO_RUNTIME,
)
_METADATA: Final = "AGENT_METADATA"
RULES_PER_CALL: Final = 12
"""The most rules that the panel of a package judges in one call."""


_UPDATE: Final = "constrained_slots.py:update_memory"
"""The hook that the model may call like a tool."""


def _offers_tools(committed: CommittedPlan) -> bool:
    hooks = committed.planned_as((EntryKind.MEMORY,), (Disposition.STUB, Disposition.DELEGATE_TO_RUNTIME))
    offered = any(item.entry.target == _UPDATE for item in hooks)
    return offered or bool(committed.planned_as(_TOOLS, _CALLED))


def _chooses_tools(committed: CommittedPlan) -> bool:
    """Return whether a run spends a call on choosing tools before its answer."""
    if not _offers_tools(committed):
        return False
    elements = committed.inventory.elements
    kept = committed.planned_as((EntryKind.SCHEMA,), (Disposition.BUNDLE,))
    forms = kept_schemas(elements, {item.element.element_id for item in kept})
    return chooses_tools_first(planned_phases(elements, committed.plan.by_element), form=bool(forms))


def run_cost(committed: CommittedPlan) -> RunCost:
    """Return what one run of the package costs for a message in the scope "general"."""
    shares = [_share(item) for item in committed.planned]
    phases = planned_phases(committed.inventory.elements, committed.plan.by_element)
    last = [phase[0].element_id for phase in phases.values()][-1:]
    along = {committed.mapping.by_element[name].target_symbol for name in last}
    steps = {share.step for share in shares} - {"", *along}
    judged = sum(share.judged for share in shares)
    letters, signs = letters_and_signs(prompt_texts(committed.planned))
    always = 1 + len(steps) + _chooses_tools(committed)
    loaded = sum(map(_is_loaded, committed.planned_as((EntryKind.RULE,), (Disposition.LOAD_FROM_DISK,))))
    together = sum(share.together for share in shares)
    calls = always + sum(share.alone for share in shares) + ceil((together + loaded) / RULES_PER_CALL)
    woken = committed.classification
    decides = Modality.HEARTBEAT in (woken.modality, *woken.secondary_modalities)
    return RunCost(
        calls=calls,
        calls_individual=always + judged,
        prompt_characters=letters + signs,
        prompt_tokens=estimated_tokens(letters, signs),
        calls_heartbeat=calls + 1 if decides else 0,
        judged_rules=judged,
    )


class Share(Struct, frozen=True):
    """What one planned element adds to a run: whether it is judged, alone or with others, and the call it belongs to.

    `step` names that call, or is `""`.
    """

    judged: bool
    alone: bool
    together: bool
    step: str


def _share(item: PlannedElement) -> Share:
    judged = is_judged(item.entry, item.mapping) and not item.element.scope
    bundled = judged and item.entry.disposition is Disposition.BUNDLE
    in_phase = PHASES_SYMBOL in item.mapping.target_symbol
    return Share(
        judged=judged,
        alone=bundled and item.entry.judge_individually,
        together=bundled and not item.entry.judge_individually,
        step=(item.mapping.target_symbol if in_phase else item.entry.entry_id) if _is_step(item) else "",
    )


def prompt_texts(planned: Iterable[PlannedElement]) -> Iterator[str]:
    """Yield the element texts in the prompts of every run.

    The text of a judged rule occurs twice, a lead-in of several lines of guidance once.
    """
    shown = ""
    for item in planned:
        text = item.element.statement
        judged = is_judged(item.entry, item.mapping)
        lead_in, colon, rest = text.partition(": ")
        if _in_prompt(item):
            yield rest if colon and lead_in == shown and not judged else text
            shown = "" if judged or not colon else lead_in
        if judged and not item.element.scope:
            yield text


def _is_step(item: PlannedElement) -> bool:
    """Return whether the element is a step that the model executes before every reply."""
    bundled = item.entry.disposition is Disposition.BUNDLE
    return item.entry.kind is EntryKind.STEP and bundled and not item.element.scope


def _is_loaded(item: PlannedElement) -> bool:
    """Return whether a rule that is loaded from a file is judged."""
    return item.mapping.validation_kind is not None and not item.element.scope


def is_judged(entry: PlanEntry, mapping: MappingEntry) -> bool:
    """Return whether the entry is a rule that the model judges in the package."""
    return (
        entry.kind is EntryKind.RULE
        and entry.disposition in IN_PROMPT[entry.kind]
        and mapping.validation_kind is ValidationKind.LLM_JUDGED
    )


def _in_prompt(item: PlannedElement) -> bool:
    if (
        item.element.scope
        or item.mapping.target_symbol == _METADATA
        or item.element.category is Category.NONE
        or item.element.kind == PART  # its text is in the persona
    ):
        return False
    return item.entry.disposition in IN_PROMPT.get(item.entry.kind, frozenset())
