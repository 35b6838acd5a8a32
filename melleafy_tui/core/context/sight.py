"""Whether the agent ever saw each element: the lines of the element held against the prompt of its main session."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from melleafy_tui.core.context.units import units
from melleafy_tui.core.decisions.commands import SetDisposition
from melleafy_tui.core.dispositions import cell
from melleafy_tui.core.models.context import UNSEEN, Context, ContextFile, LineState, Sight
from melleafy_tui.core.models.inventory import Element, Inventory
from melleafy_tui.core.models.plan import DependencyPlan, PlanEntry
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import Category, Disposition, Runtime
from melleafy_tui.core.tokens import tokens

NO_TEXT: Final = frozenset({"openclaw.config", "openclaw.cron", "openclaw.hook", "openclaw.env"})
"""File rules whose elements configure OpenClaw and are no text for the agent."""

LISTED: Final = "openclaw.skill"
"""The file rule of skills, of which the prompt lists name and description."""

DROPPED: Final = "The agent never saw it."
"""The rationale of what is dropped because it was never seen."""

_OPENCLAW: Final = Runtime.OPENCLAW.value
_SHOWN: Final = frozenset({LineState.SEEN, LineState.DIGEST})


class Seen(Struct, frozen=True):
    """What the agent saw of one element.

    `characters` are those of its lines, `present` those of its lines that stand in the prompt, in UTF-16 code units;
    `tokens` are estimated for the latter.
    """

    sight: Sight
    characters: int
    present: int
    tokens: int


def look(inventory: Inventory, snapshot: Snapshot, context: Context) -> dict[str, Seen]:
    """Return what the agent saw of each element, by `element_id`."""
    files = {file.path: file for file in context.in_order}
    states = {path: _states(file) for path, file in files.items()}
    result = {}
    for element in inventory.elements:
        source = snapshot.file(element.source_file)
        first, last = element.line_range
        texts = list(source.lines[first - 1 : last]) if source is not None else []
        shown = [
            text
            for number, text in enumerate(texts, first)
            if states.get(element.source_file, {}).get(number) in _SHOWN
        ]
        result[element.element_id] = Seen(
            _sight(element, states.get(element.source_file)),
            _length(texts),
            _length(shown),
            tokens(shown),
        )
    return result


def read_by_openclaw(inventory: Inventory, seen: Mapping[str, Seen]) -> dict[str, Seen]:
    """Return what was seen without the files of a hybrid that only another runtime reads; no prompt speaks of them."""
    of_others = {file.path for file in inventory.files if file.runtimes and _OPENCLAW not in file.runtimes}
    by_id = inventory.by_id
    return {name: each for name, each in seen.items() if by_id[name].source_file not in of_others}


def unseen_entries(plan: DependencyPlan, seen: Mapping[str, Seen]) -> tuple[PlanEntry, ...]:
    """Return the entries of which the agent saw no element and which may be removed."""
    return tuple(
        entry
        for entry in plan.entries
        if entry.source_elements
        and all(name in seen and seen[name].sight in UNSEEN for name in entry.source_elements)
        and entry.category != "c7_credentials"
        and cell(entry.kind, Disposition.REMOVE).allowed
    )


def drop_unseen(entries: Sequence[PlanEntry]) -> SetDisposition:
    """Return the one act that leaves out what was never seen."""
    keys = tuple(entry.key for entry in entries if entry.disposition is not Disposition.REMOVE)
    return SetDisposition(keys, Disposition.REMOVE, DROPPED)


def keep_unseen(entries: Sequence[PlanEntry]) -> SetDisposition:
    """Return the one act that converts what was never seen as if it had been, which is the default."""
    dropped = tuple(
        entry.key for entry in entries if entry.overridden and entry.disposition is Disposition.REMOVE
    )
    return SetDisposition(dropped, None)


def _sight(element: Element, states: Mapping[int, LineState] | None) -> Sight:
    rules = element.dialect_rule_id.split("+")
    if any(rule in NO_TEXT for rule in rules) or element.category is Category.C7:
        return Sight.CONFIGURATION
    if LISTED in rules:
        return Sight.LISTED
    if states is None:
        return Sight.NOT_LOADED
    first, last = element.line_range
    own = [states[number] for number in range(first, last + 1) if number in states]
    if all(state in _SHOWN for state in own):
        return Sight.SEEN
    if any(state in _SHOWN or state is LineState.PARTLY for state in own):
        return Sight.PARTLY
    return Sight.CUT


def _states(file: ContextFile) -> dict[int, LineState]:
    return {number: run.state for run in file.lines for number in range(run.first, run.last + 1)}


def _length(texts: Iterable[str]) -> int:
    return sum(len(units(text)) + 1 for text in texts)
