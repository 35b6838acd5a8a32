"""Emits constrained_slots.py: the functions that the host writes, each raising NotImplementedError until then."""

from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.package import EmittedFile
from melleafy_tui.core.models.vocabulary import EntryKind
from melleafy_tui.generators.layout import call, parameters, statement, value
from melleafy_tui.generators.literals import plain_words
from melleafy_tui.generators.provenance import Page, locations
from melleafy_tui.generators.shape import (
    FACTS,
    SLOT_DISPOSITIONS,
    TOOLS,
    UPDATE,
    Function,
    functions,
    summary_words,
    variable_of,
)


class Slot(Struct, frozen=True):
    """How the functions of one kind look: parameters, result, summary, and what there is to write."""

    declared: tuple[str, ...]
    returns: str
    summary: Callable[[Function], str]
    missing: str


SLOTS: Final[dict[EntryKind, Slot]] = {
    EntryKind.IDENTITY: Slot(
        (), "str", lambda _: "Return the agent's own text, as the host keeps it.", "return the text"
    ),
    EntryKind.RULE: Slot(
        ("reply: str",),
        "tuple[bool, str]",
        lambda found: f"Return whether the reply keeps the rule, with a reason: {summary_words(found)}",
        "check the rule",
    ),
    EntryKind.STEP: Slot(
        ("request: str",),
        "str",
        lambda found: f"Take the step before the reply: {summary_words(found)}",
        "take the step",
    ),
    EntryKind.FACT_STABLE: Slot(
        (), "str", lambda _: "Return what is known about the user, as text.", "connect what knows the user"
    ),
    EntryKind.STATE: Slot(
        (),
        "str",
        lambda _: "Return the agent's notes of today and yesterday, as text; empty when there are none.",
        "connect a short-term state backend",
    ),
    EntryKind.MEMORY: Slot(
        ("query: str",),
        "str",
        lambda _: "Return what long-term memory holds about the query, as text; empty when nothing is known.",
        "connect a long-term memory backend",
    ),
    EntryKind.TOOL_NARRATIVE: Slot(
        ("request: str",),
        "str",
        lambda found: f"Carry out the request: {summary_words(found)}",
        "connect the tool",
    ),
    EntryKind.CREDENTIAL: Slot(
        (),
        "str",
        lambda found: f"Return the secret {plain_words(variable_of(found.items[0]))}.",
        "fetch the secret",
    ),
    EntryKind.SCHEDULE: Slot(
        ("wake: Callable[[], object]",),
        "None",
        lambda _: "Call `wake` at each time that SCHEDULE_CONFIG asks for.",
        "connect a scheduler",
    ),
}
"""One row per kind of plan entry that can be a slot; facts and tools share the row of their first kind."""

_UPDATE: Final = Slot(
    ("entry: str",),
    "str",
    lambda _: "Store an entry in long-term memory, which others read too, and return what was stored.",
    "connect a long-term memory backend",
)


def generate_constrained_slots(committed: CommittedPlan) -> list[EmittedFile]:
    """Return constrained_slots.py, or nothing where the host has nothing to write."""
    found = list(slot_functions(committed))
    if not found:
        return []
    page = Page(f"{committed.package_name}/constrained_slots.py")
    page.add(
        '"""Functions that the host provides. Each raises NotImplementedError until it is written (SETUP.md §8)."""'
    )
    if any("Callable" in part for function in found for part in slot_of(function).declared):
        page.blank()
        page.add("from collections.abc import Callable")
    for function in found:
        page.blank(2)
        page.add(_slot_lines(function), function.elements)
    return [page.emitted()]


def slot_functions(committed: CommittedPlan) -> Iterator[Function]:
    """Yield the functions of constrained_slots.py, in the order of their kinds."""
    yield from functions(committed, EntryKind.IDENTITY, *SLOT_DISPOSITIONS)
    yield from functions(committed, EntryKind.RULE, SLOT_DISPOSITIONS[0])
    yield from functions(committed, EntryKind.STEP, *SLOT_DISPOSITIONS)
    yield from functions(committed, FACTS, *SLOT_DISPOSITIONS)
    yield from functions(committed, EntryKind.STATE, *SLOT_DISPOSITIONS)
    yield from functions(committed, EntryKind.MEMORY, *SLOT_DISPOSITIONS)
    yield from functions(committed, TOOLS, *SLOT_DISPOSITIONS)
    yield from functions(committed, EntryKind.CREDENTIAL, *SLOT_DISPOSITIONS)
    yield from functions(committed, EntryKind.SCHEDULE, SLOT_DISPOSITIONS[0])


def slot_of(function: Function) -> Slot:
    """Return the row that a function follows."""
    if function.kind in FACTS:
        return SLOTS[EntryKind.FACT_STABLE]
    if function.kind in TOOLS:
        return SLOTS[EntryKind.TOOL_NARRATIVE]
    if function.kind is EntryKind.MEMORY and function.symbol == UPDATE:
        return _UPDATE
    return SLOTS[function.kind]


def slot_head(function: Function) -> list[str]:
    """Return the `def` line of a function."""
    slot = slot_of(function)
    return statement("", parameters(f"def {function.symbol}", slot.declared), f" -> {slot.returns}:")


def _slot_lines(function: Function) -> list[str]:
    slot = slot_of(function)
    entry = function.items[0].entry
    category = function.items[0].element.category
    message = f"{function.symbol}: {slot.missing}, see SETUP.md {function.setup_section}"
    return [
        *slot_head(function),
        f'    """{slot.summary(function)}',
        "",
        f"    Source: {locations(function.elements)} ({category}, {entry.disposition}). "
        f"See SETUP.md {function.setup_section}.",
        '    """',
        *statement("raise ", call("NotImplementedError", value(message)), indent=1),
    ]
