"""Generates constrained_slots.py and mock_tools.py: functions that the host or a person fills, and stand-ins."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.core.package.setup_sections import REWRITE, linked_pages
from melleafy_tui.generators.literals import RUNTIME_DOOR, Group, fitted, plain_words, string_literal
from melleafy_tui.generators.package_shape import (
    FACTS,
    RECALL,
    SLOT_DISPOSITIONS,
    STATE_HOOK,
    STORES_ENTRY,
    TOOLS,
    UPDATE,
    Function,
    confirms_calls,
    denied_reason,
    functions,
    in_place,
    missing_reason,
    summary_words,
)
from melleafy_tui.generators.provenance import locations
from melleafy_tui.generators.templates_environment import code_file
from melleafy_tui.generators.tools import (
    copied_memory,
    fetched_domains,
    http_call,
    http_parameters,
    memory_variable,
    secret_name,
    source_words,
)


class Slot(Struct, frozen=True):
    """The form of the stubs of one kind.

    Attributes:
        summary: What it does; `%` is a summary of its elements.
        missing: What the host has to write.
        declared: Its parameters.
        returns: The type of its result.
    """

    summary: str
    missing: str
    declared: tuple[str, ...] = ()
    returns: str = "str"


SLOTS: Final[dict[EntryKind, Slot]] = {
    EntryKind.IDENTITY: Slot("Return the agent's own text, as the host keeps it.", "return the text"),
    EntryKind.RULE: Slot(
        "Return why the reply breaks the rule, or an empty text: %", "check the rule", ("reply: str",)
    ),
    EntryKind.FACT_STABLE: Slot(
        "Return what is known about the user, as text.", "connect what knows the user"
    ),
    EntryKind.STATE: Slot(
        "Return the agent's notes of today and yesterday, as text; empty when there are none.",
        "connect a short-term state backend",
    ),
    EntryKind.MEMORY: Slot(
        "Return what long-term memory holds about the query, as text; empty when nothing is known.",
        "connect a long-term memory backend",
        ("query: str",),
    ),
    EntryKind.TOOL_NARRATIVE: Slot("Carry out the request: %", "connect the tool", ("request: str",)),
    EntryKind.CREDENTIAL: Slot("Return the secret %.", "fetch the secret"),
    EntryKind.SCHEDULE: Slot(
        "Call `wake` at each time that SCHEDULE_CONFIG asks for, with the message of that time.",
        "connect a scheduler",
        ("wake: Callable[[str], object]",),
        "None",
    ),
}
"""One row per kind of plan entry that can be a stub; facts and tools share the row of their first kind."""

_UPDATE: Final = Slot(
    f"{STORES_ENTRY}, and return what was stored.", "connect a long-term memory backend", ("entry: str",)
)
REWRITES: Final = Slot("", "rewrite the links to a page that gets another name", ("old: str", "new: str"))

_NAMES: Final = {
    "collections.abc": ("Callable",),
    "pathlib": ("Path",),
    ".": ("config",),
    RUNTIME_DOOR: ("clock", "confirmed", "daily_notes", "find_folder", "recall"),
}
_SEARCHED_COPY: Final = (Disposition.BUNDLE, Disposition.LOAD_FROM_DISK)
"""Dispositions with which a copy of memory ships with the package."""


class _Printed(Struct, frozen=True):
    """A function to print.

    Attributes:
        function: The function.
        head: Its `def` line.
        summary: The first line of its docstring.
        form: `stub`, `sample`, or how it recalls: from a `copy`, or `in_place`.
        body: What it does, as code.
    """

    function: Function
    head: str
    summary: str
    form: str
    body: str

    @property
    def source(self) -> str:
        """Return where it comes from, and how it is written."""
        return source_words(self.function)


def generate_constrained_slots(committed: CommittedPlan) -> list[EmittedFile]:
    """Return constrained_slots.py, or nothing if the host has nothing to provide."""
    slots = [_printed(found, committed) for found in slot_functions(committed)]
    linked = [page.element for page in linked_pages(committed)]
    asks = confirms_calls(committed)
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
            not_rewritten=_raising(f"{REWRITE}: {REWRITES.missing}, see SETUP.md §8"),
            asks=asks,
            memory_variable=memory_variable(committed),
        )
    ]


def _printed(function: Function, committed: CommittedPlan) -> _Printed:
    if function.kind is EntryKind.MEMORY and function.disposition in _SEARCHED_COPY:
        return _recall_copy(function, committed)
    if in_place(function):
        variable = string_literal(memory_variable(committed))
        given = ("config.MEMORY_FOLDER", variable, "Path(__file__).parent")
        found = fitted(Group("folder = find_folder(", given), "    ")
        zone = "config.TIME_ZONE" if committed.classification.schedule.home_zone else ""
        summary, call = {
            RECALL: ("Return what long-term memory says about the query.", "recall(query, folder)"),
            STATE_HOOK: (
                "Return the agent's notes of yesterday and today; empty when there are none.",
                f"daily_notes(folder, clock({zone}).date())",
            ),
        }[function.symbol]
        head = slot_head(function)
        return _Printed(function, head, summary, "in_place", f"{found}\n    return {call}")
    slot = slot_of(function)
    is_credential = function.kind is EntryKind.CREDENTIAL
    words = plain_words(secret_name(function.items[0])) if is_credential else summary_words(function)
    missing = (
        denied_reason(function)
        or missing_reason(function)
        or f"{slot.missing}, see SETUP.md {function.setup_section}"
    )
    body = _raising(f"{function.symbol}: {missing}")
    return _Printed(function, slot_head(function), slot.summary.replace("%", words), "stub", body)


def _raising(message: str) -> str:
    return fitted(Group("raise NotImplementedError(", (string_literal(message),)), "    ")


def _recall_copy(function: Function, committed: CommittedPlan) -> _Printed:
    chosen = function.disposition is Disposition.LOAD_FROM_DISK
    declared = ("query: str", 'folder: str = ""') if chosen else ("query: str",)
    where = "in a folder; empty searches the copy in references" if chosen else "in the copy in references"
    searched = "Path(folder) if folder else copy" if chosen else "copy"
    found = copied_memory(committed, function.disposition)
    return _Printed(
        function,
        fitted(Group(f"def {function.symbol}(", declared, ") -> str:")),
        f"Return what long-term memory says about the query, {where}.",
        "copy",
        f'{found}\n    return recall(query, {searched}, patterns=("**/*",))',
    )


def slot_functions(committed: CommittedPlan) -> Iterator[Function]:
    """Yield the functions of constrained_slots.py, in the order of their kinds."""
    yield from functions(committed, EntryKind.IDENTITY, *SLOT_DISPOSITIONS)
    yield from functions(committed, EntryKind.RULE, SLOT_DISPOSITIONS[0])
    yield from functions(committed, FACTS, *SLOT_DISPOSITIONS)
    yield from functions(committed, EntryKind.STATE, *SLOT_DISPOSITIONS)
    yield from functions(committed, EntryKind.MEMORY, *SLOT_DISPOSITIONS, *_SEARCHED_COPY)
    yield from functions(committed, TOOLS, *SLOT_DISPOSITIONS)
    yield from functions(committed, EntryKind.CREDENTIAL, *SLOT_DISPOSITIONS)
    yield from functions(committed, EntryKind.SCHEDULE, SLOT_DISPOSITIONS[0])


def slot_of(function: Function) -> Slot:
    """Return the slot form of a function."""
    if function.kind in FACTS:
        return SLOTS[EntryKind.FACT_STABLE]
    if function.kind is EntryKind.TOOL_CONCRETE:  # the parameters that the working code for its address has
        slot = SLOTS[EntryKind.TOOL_NARRATIVE]
        if fetched_domains(function.elements):
            return replace(slot, declared=("address: str",))
        found = http_call(function.items[0].element)
        return slot if found is None else replace(slot, declared=tuple(http_parameters(found)))
    if function.kind in TOOLS:
        return SLOTS[EntryKind.TOOL_NARRATIVE]
    return _UPDATE if function.symbol == UPDATE else SLOTS[function.kind]


def slot_head(function: Function) -> str:
    """Return the `def` line of a function."""
    slot = slot_of(function)
    return fitted(Group(f"def {function.symbol}(", slot.declared, f") -> {slot.returns}:"))


def signature(symbol: str, slot: Slot) -> str:
    """Return the signature of a function to write."""
    return f"{symbol}({', '.join(slot.declared)}) -> {slot.returns}"


SAMPLES: Final = {
    EntryKind.STATE: "Yesterday: two requests were answered. Today: nothing is open.",
    EntryKind.MEMORY: "A made-up memory: the last request of this kind was closed after one reply.",
    EntryKind.CREDENTIAL: "dummy-for-fixtures",
}
"""The answer of the stand-in of each kind."""


def generate_mocks(committed: CommittedPlan) -> list[EmittedFile]:
    """Return fixtures/mock_tools.py, or nothing if nothing is mocked."""
    kinds = (EntryKind.STATE, EntryKind.MEMORY, TOOLS, EntryKind.CREDENTIAL)
    found = [function for kind in kinds for function in functions(committed, kind, Disposition.MOCK)]
    mocks = [
        _Printed(each, slot_head(each), "Return a made-up sample.", "sample", _sample(each)) for each in found
    ]
    return [code_file(committed, "fixtures/mock_tools.py", {}, mocks=mocks)] if mocks else []


def _sample(function: Function) -> str:
    names = [declared.partition(":")[0] for declared in slot_of(function).declared]
    if function.kind in TOOLS:
        return f'    return f"a made-up answer to: {", ".join(f"{{{name}}}" for name in names)}"'
    unused = f"    del {names[0]}\n" if names else ""
    return f"{unused}    return {string_literal(SAMPLES[function.kind])}"
