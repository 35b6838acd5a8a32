"""Generates constrained_slots.py and mock_tools.py: functions that the host or a person fills, and stand-ins."""

from collections.abc import Iterable
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.facts import SecretFact, ToolFact
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.core.package.http_calls import http_call
from melleafy_tui.core.package.setup_sections import REWRITE, linked_pages
from melleafy_tui.core.tables import table_beside
from melleafy_tui.generators import package_shape as shape
from melleafy_tui.generators.literals import RUNTIME_DOOR, Group, fitted, plain_words, string_literal
from melleafy_tui.generators.provenance import locations
from melleafy_tui.generators.templates_environment import code_file
from melleafy_tui.generators.tools import (
    ASKED_AGENT,
    FunctionCode,
    copied_memory,
    fetched_domains,
    http_parameters,
    memory_variable,
    secret_name,
)


class Slot(Struct, frozen=True):
    """The form of the stubs of one kind.

    Attributes:
        summary: What it does; `%` is a summary of its elements.
        missing: What the host has to write.
        declared: Its parameters.
        returns: The type of its result.
        sample: What its stand-in answers.
        says: What the source says, where no element of it does.
    """

    summary: str
    missing: str
    declared: tuple[str, ...] = ()
    returns: str = "str"
    sample: str = ""
    says: str = ""


_ROWS: Final[dict[str, dict[str, Any]]] = table_beside(__file__, "slots.toml")
_SLOTS: Final = {
    name: Slot(**{**row, "declared": tuple(row.get("declared", ()))}) for name, row in _ROWS.items()
}
"""One row per kind of plan entry that can be a stub; facts share one, and tools."""

_UPDATE: Final = replace(
    _SLOTS["memory"], summary=f"{shape.STORES_ENTRY}, and return what was stored.", declared=("entry: str",)
)
REWRITES: Final = _SLOTS["rewrite"]

_NAMES: Final = {
    "collections.abc": ("Callable",),
    "pathlib": ("Path",),
    ".": ("config",),
    RUNTIME_DOOR: ("clock", "confirmed", "daily_notes", "find_folder", "recall"),
}


def generate_constrained_slots(committed: CommittedPlan) -> list[EmittedFile]:
    """Return constrained_slots.py, or nothing if the host has nothing to provide."""
    slots = [_printed(found, committed) for found in slot_functions(committed)]
    linked = [page.element for page in linked_pages(committed)]
    asks = shape.confirms_calls(committed)
    if not slots and not asks and not linked:
        return []
    return [
        code_file(
            committed,
            "constrained_slots.py",
            _NAMES,
            slots=slots,
            stubs=bool(linked) or any(slot.form == "stub" for slot in slots),
            linked=linked,
            places=locations(linked),
            rewrite=signature(REWRITE, REWRITES),
            not_rewritten=fitted(_raising(f"{REWRITE}: {REWRITES.missing}, see SETUP.md §8"), "    "),
            asks=asks,
            memory_variable=memory_variable(committed),
        )
    ]


def _printed(function: shape.Function, committed: CommittedPlan) -> FunctionCode:
    """Return a function; the template has what those do that read memory."""
    slot, recalls = slot_of(function), function.symbol == shape.RECALL
    if function.kind is EntryKind.MEMORY and function.disposition in shape.SEARCHED_COPY:
        declared, where = list(slot.declared), "in the copy in references"
        if any(item.entry.disposition is Disposition.LOAD_FROM_DISK for item in function.items):
            declared.append('folder: str = ""')
            where = "in a folder; empty searches the copy in references"
        said = (
            f"Return what {'long-term memory says' if recalls else 'documents say'} about the query, {where}."
        )
        return FunctionCode(
            function, declared, said, copied_memory(committed, function.disposition), form="copy"
        )
    if shape.in_place(function):
        said = "Return the agent's notes of yesterday and today; empty when there are none."
        said = "Return what long-term memory says about the query." if recalls else said
        return FunctionCode(function, slot.declared, said, "", form="in_place")
    is_credential = function.kind is EntryKind.CREDENTIAL
    words = plain_words(secret_name(function.items[0])) if is_credential else shape.summary_words(function)
    to_write = f"{slot.missing}, see SETUP.md {function.setup_section}"
    missing = shape.denied_reason(function) or obstacle(function.elements) or to_write
    said, raising = slot.summary.replace("%", words), _raising(f"{function.symbol}: {missing}")
    return FunctionCode(function, slot.declared, said, raising, form="stub", returns=slot.returns)


def obstacle(elements: Iterable[Element]) -> str:
    """Return why the call that the source shows can't be made, or `""`."""
    facts = [element.facts for element in elements]
    return next((why for each in facts if (why := each[ToolFact].missing or each[SecretFact].held_back)), "")


def _raising(message: str) -> Group:
    return Group("raise NotImplementedError(", (string_literal(message),))


_BOTH: Final = shape.SLOT_DISPOSITIONS
_KINDS: Final[tuple[tuple[EntryKind | tuple[EntryKind, ...], tuple[Disposition, ...]], ...]] = (
    (EntryKind.IDENTITY, _BOTH),
    (EntryKind.RULE, (Disposition.STUB,)),
    (shape.FACTS, _BOTH),
    (EntryKind.STATE, _BOTH),
    (EntryKind.MEMORY, (*_BOTH, *shape.SEARCHED_COPY)),
    (shape.TOOLS, _BOTH),
    (EntryKind.CREDENTIAL, _BOTH),
    (EntryKind.SCHEDULE, (Disposition.STUB,)),
)
"""What has functions in constrained_slots.py, in their order."""


def slot_functions(committed: CommittedPlan) -> list[shape.Function]:
    """Return the functions of constrained_slots.py."""
    return [each for kinds, found in _KINDS for each in shape.functions(committed, kinds, *found)]


def slot_of(function: shape.Function) -> Slot:
    """Return the slot form of a function."""
    if function.kind is EntryKind.MEMORY and function.symbol == shape.UPDATE:
        return _UPDATE
    slot = _SLOTS[function.kind.partition("_")[0]]
    if function.kind is EntryKind.TOOL_CONCRETE:  # the parameters that the working code for its address has
        if fetched_domains(function.elements):
            return replace(slot, declared=("address: str",))
        if function.items[0].element.facts[ToolFact].agent:
            return replace(slot, declared=ASKED_AGENT)
        if found := http_call(function.items[0].element):
            return replace(slot, declared=tuple(http_parameters(found)))
    return slot


def signature(symbol: str, slot: Slot) -> str:
    """Return the signature of a function to write."""
    return f"{symbol}({', '.join(slot.declared)}) -> {slot.returns}"


def generate_mocks(committed: CommittedPlan) -> list[EmittedFile]:
    """Return fixtures/mock_tools.py, or nothing if nothing is mocked."""
    kinds = (EntryKind.STATE, EntryKind.MEMORY, shape.TOOLS, EntryKind.CREDENTIAL)
    found = [function for kind in kinds for function in shape.functions(committed, kind, Disposition.MOCK)]
    mocks = [_sample(function) for function in found]
    return [code_file(committed, "fixtures/mock_tools.py", {}, mocks=mocks)] if mocks else []


def _sample(function: shape.Function) -> FunctionCode:
    slot = slot_of(function)
    names = [declared.partition(":")[0] for declared in slot.declared]
    if function.kind in shape.TOOLS:
        body = f'    return f"a made-up answer to: {", ".join(f"{{{name}}}" for name in names)}"'
    else:
        unused = f"    del {names[0]}\n" if names else ""
        body = f"{unused}    return {string_literal(slot.sample)}"
    return FunctionCode(function, slot.declared, "Return a made-up sample.", body, form="sample")
