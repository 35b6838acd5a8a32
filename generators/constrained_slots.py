"""Generates constrained_slots.py: the functions that the host, or a person, has to fill."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.core.package.setup_sections import REWRITE, linked_pages
from melleafy_tui.generators.assets import REFERENCES, memory_folder
from melleafy_tui.generators.code_layout import (
    RUNTIME_DOOR,
    Raw,
    call,
    import_lines,
    operands,
    parameters,
    statement,
    used_names,
    value,
)
from melleafy_tui.generators.literals import plain_words, string_literal
from melleafy_tui.generators.package_shape import (
    FACTS,
    RECALL,
    SLOT_DISPOSITIONS,
    STORES_ENTRY,
    TOOLS,
    UPDATE,
    Function,
    confirms_calls,
    denied_reason,
    functions,
    summary_words,
)
from melleafy_tui.generators.provenance import SourceWriter, locations
from melleafy_tui.generators.tools import (
    fetched_domains,
    http_call,
    http_parameters,
    memory_variable,
    secret_name,
    source_words,
)


class Slot(Struct, frozen=True):
    """The form of the stubs of one kind: parameters, result, summary, and what the host has to write."""

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
        "str",
        lambda found: f"Return why the reply breaks the rule, or an empty text: {summary_words(found)}",
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
        lambda found: f"Return the secret {plain_words(secret_name(found.items[0]))}.",
        "fetch the secret",
    ),
    EntryKind.SCHEDULE: Slot(
        ("wake: Callable[[str], object]",),
        "None",
        lambda _: "Call `wake` at each time that SCHEDULE_CONFIG asks for, with the message of that time.",
        "connect a scheduler",
    ),
}
"""One row per kind of plan entry that can be a stub; facts and tools share the row of their first kind."""

_UPDATE: Final = Slot(
    ("entry: str",),
    "str",
    lambda _: f"{STORES_ENTRY}, and return what was stored.",
    "connect a long-term memory backend",
)


def generate_constrained_slots(committed: CommittedPlan) -> list[EmittedFile]:
    """Return constrained_slots.py, or nothing if the host has nothing to provide."""
    found = list(slot_functions(committed))
    asks = confirms_calls(committed)
    linked = [page.element for page in linked_pages(committed)]
    if not found and not asks and not linked:
        return []
    body = SourceWriter("")
    for function in found:
        body.blank(2)
        body.add(_slot_lines(function, committed), function.elements)
    if linked:
        body.blank(2)
        body.add(_rewrite_lines(linked), linked)
    if asks:
        body.blank(2)
        body.add(_CONFIRM)
    code = body.emitted().text
    writer = SourceWriter(f"{committed.package_name}/constrained_slots.py")
    stubs = bool(used_names(code, ["NotImplementedError"]))
    writer.add(f'"""Functions that the host may replace; {_STUBS if stubs else _DEFAULTS}."""')
    names = {module: used_names(code, found) for module, found in _SLOT_IMPORTS.items()}
    if lines := import_lines((), names):
        writer.blank()
        writer.add(lines)
    writer.extend(body)
    return [writer.emitted()]


_SLOT_IMPORTS: Final[dict[str, tuple[str, ...]]] = {
    "collections.abc": ("Callable",),
    "pathlib": ("Path",),
    ".": ("config",),
    RUNTIME_DOOR: ("confirmed", "find_folder", "recall"),
}

_DEFAULTS: Final = "each has a working default"
_STUBS: Final = "those that raise NotImplementedError are still to be written (SETUP.md §8)"

REWRITE_MISSING: Final = "rewrite the links to a page that gets another name"


def _rewrite_lines(linked: Sequence[Element]) -> list[str]:
    message = f"{REWRITE}: {REWRITE_MISSING}, see SETUP.md §8"
    return [
        f"def {REWRITE}(old: str, new: str) -> str:",
        '    """Rewrite the `[[links]]` to a page of memory that gets another name, and return what was changed.',
        "",
        f"    Source: {locations(linked)}. See SETUP.md §8.",
        '    """',
        *statement("raise ", call("NotImplementedError", value(message)), indent=1),
    ]


_CONFIRM: Final = '''def confirm(action: str) -> bool:
    """Return whether an action may be taken, such as `send_mail(to="a@example.com")`.

    The default asks on the terminal under --confirm, and refuses otherwise (SETUP.md §8).
    """
    return confirmed(action)'''


def slot_functions(committed: CommittedPlan) -> Iterator[Function]:
    """Yield the functions of constrained_slots.py, in the order of their kinds."""
    yield from functions(committed, EntryKind.IDENTITY, *SLOT_DISPOSITIONS)
    yield from functions(committed, EntryKind.RULE, SLOT_DISPOSITIONS[0])
    yield from functions(committed, EntryKind.STEP, *SLOT_DISPOSITIONS)
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
    if function.kind in TOOLS:
        return replace(SLOTS[EntryKind.TOOL_NARRATIVE], declared=_tool_parameters(function))
    if function.kind is EntryKind.MEMORY and function.symbol == UPDATE:
        return _UPDATE
    return SLOTS[function.kind]


def _tool_parameters(function: Function) -> tuple[str, ...]:
    """Return the parameters of a tool to write: those that the working code for its address has."""
    if function.kind is EntryKind.TOOL_CONCRETE:
        if fetched_domains(function.elements):
            return ("address: str",)
        found = http_call(function.items[0].element)
        if found is not None:
            return tuple(http_parameters(found))
    return SLOTS[EntryKind.TOOL_NARRATIVE].declared


def slot_head(function: Function) -> list[str]:
    """Return the `def` line of a function."""
    slot = slot_of(function)
    return statement("", parameters(f"def {function.symbol}", slot.declared), f" -> {slot.returns}:")


_SEARCHED_COPY: Final = (Disposition.BUNDLE, Disposition.LOAD_FROM_DISK)
"""Dispositions with which a copy of memory ships with the package."""

_COPY_NOTE: Final = "It ships with the package: look through it for private things before you share it."


def _slot_lines(function: Function, committed: CommittedPlan) -> list[str]:
    entry = function.items[0].entry
    source = f"    {source_words(function)} See SETUP.md {function.setup_section}."
    if function.kind is EntryKind.MEMORY and function.disposition in _SEARCHED_COPY:
        return _recall_copy(function, committed)
    if (function.kind, function.symbol, entry.disposition) == _RECALLED:
        return _recall_in_place(function, committed, source)
    slot = slot_of(function)
    missing = denied_reason(function) or f"{slot.missing}, see SETUP.md {function.setup_section}"
    message = f"{function.symbol}: {missing}"
    return [
        *slot_head(function),
        f'    """{slot.summary(function)}',
        "",
        source,
        '    """',
        *statement("raise ", call("NotImplementedError", value(message)), indent=1),
    ]


_RECALLED: Final = (EntryKind.MEMORY, RECALL, Disposition.DELEGATE_TO_RUNTIME)


def _recall_in_place(function: Function, committed: CommittedPlan, source: str) -> list[str]:
    variable = memory_variable(committed)
    found = call("find_folder", Raw("config.MEMORY_FOLDER"), value(variable), Raw("Path(__file__).parent"))
    return [
        f"def {function.symbol}(query: str) -> str:",
        '    """Return what long-term memory says about the query.',
        "",
        "    The default searches the agent's own memory files where they lie: in config.MEMORY_FOLDER, or in",
        f"    the folder that {variable} names. To use another store, replace the body.",
        "",
        source,
        '    """',
        *statement("folder = ", found, indent=1),
        "    return recall(query, folder)",
    ]


def _recall_copy(function: Function, committed: CommittedPlan) -> list[str]:
    chosen = function.disposition is Disposition.LOAD_FROM_DISK
    folder = memory_folder(committed, function.disposition)
    inner = [string_literal(REFERENCES), *([string_literal(folder)] if folder else [])]
    copy = operands("copy = ", ["Path(__file__).parent", *inner], "/", indent=1)
    where = "in a folder; empty searches the copy in references" if chosen else "in the copy in references"
    searched = Raw("Path(folder) if folder else copy") if chosen else Raw("copy")
    declared = ["query: str", *(['folder: str = ""'] if chosen else [])]
    made = call("recall", Raw("query"), searched, patterns=value(_EVERY_FILE))
    return [
        *statement("", parameters(f"def {function.symbol}", declared), " -> str:"),
        f'    """Return what long-term memory says about the query, {where}.',
        "",
        f"    {_COPY_NOTE}",
        "",
        f"    {source_words(function)}",
        '    """',
        *copy,
        *statement("return ", made, indent=1),
    ]


_EVERY_FILE: Final = ("**/*",)
