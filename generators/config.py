"""Generates config.py: constants with the workspace's own text, grouped by category, with provenance comments."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Final

from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import CATEGORIES, Category, Disposition, EntryKind
from melleafy_tui.generators import package_shape as shape
from melleafy_tui.generators import schedule_rows
from melleafy_tui.generators.documents import (
    GUIDANCE,
    PERSONA,
    USER,
    WAKE_UPS,
    Documents,
    Piece,
    joined,
    persona_text,
)
from melleafy_tui.generators.literals import assigned, displayed, fitted, path_words, string_literal
from melleafy_tui.generators.provenance import (
    Printed,
    joined_ranges,
    lines_from_source,
    provenance_comments,
    source_ranges,
)
from melleafy_tui.generators.templates_environment import code_file

PERSONA_NOTES: Final = "PERSONA_NOTES"


def persona_notes(documents: Documents) -> list[str]:
    """Return a note for each file of the persona that the runtime would have cut off."""
    files = {piece.source.file for piece in documents.pieces(PERSONA)}
    return [
        f"persona: {found.file}: {found.message}"
        for found in documents.committed.inventory.diagnostics
        if found.code == "budget-file" and found.file in files
    ]


def identity_fields(committed: CommittedPlan) -> list[PlannedElement]:
    """Return the bundled identity elements that get their own constants: name, role and other fields."""
    bundled = shape.of_kind(committed, EntryKind.IDENTITY, Disposition.BUNDLE)
    return [item for item in bundled if item.mapping.target_symbol != shape.PERSONA_SYMBOL]


LARGEST_CONTEXT: Final = "LARGEST_CONTEXT"
RUN_SETTINGS: Final = (
    ("LOOP_BUDGET", "2"),
    ("ANSWER_TOKENS", "2048"),
    ("REQUEST_TIMEOUT", "120.0"),
    ("SMALLEST_CONTEXT", "8192"),
    (LARGEST_CONTEXT, "32768"),
)
"""How often a run tries to meet its rules, the tokens of an answer (about 1,500 words), the seconds that a model call
may take, and the context window in tokens."""

TOOL_BUDGET: Final = 3
"""How many tools a run may call, one after another."""

MAX_ITEMS: Final = 10
"""How many items of a list a step is taken for."""

_ACTED_ON: Final = (Disposition.REAL_IMPL, Disposition.STUB)
"""Dispositions with which a function of the package implements the schedule."""

_WAKE_UPS: Final = "SCHEDULE_CONFIG"
_KEPT_AS_DATA: Final = f"config.py:{_WAKE_UPS}"
"""Target of entries whose trigger is only recorded as data: a cadence, or an event of the host."""

STABLE_CONTEXT: Final = "STABLE_USER_CONTEXT"
TIME_ZONE: Final = "TIME_ZONE"
NAME: Final = "AGENT_NAME"
ROLE: Final = "AGENT_ROLE"
METADATA: Final = "AGENT_METADATA"


def generate_config(documents: Documents) -> list[EmittedFile]:
    """Return config.py."""
    committed, procedure = documents.committed, documents.committed.inventory.procedure
    settings = {**dict(RUN_SETTINGS), LARGEST_CONTEXT: str(_largest_context(committed))}
    if procedure is not None:
        settings |= {"MAX_STEPS": str(procedure.bound)} if procedure.loops else {}
        settings |= {"MAX_ITEMS": str(MAX_ITEMS)} if any(step.over for step in procedure.steps) else {}
    if shape.offered_functions(committed):
        settings["TOOL_BUDGET"] = str(TOOL_BUDGET)
    notes = displayed(tuple(persona_notes(documents)), f"{PERSONA_NOTES}: Final[tuple[str, ...]] = ")
    return [
        code_file(
            committed,
            "config.py",
            {},
            sections=[
                (f"{category}: {CATEGORIES[category].title}", list(constants(documents)))
                for category, constants in _CONSTANTS.items()
            ],
            settings=settings,
            notes=fitted(notes) if persona_notes(documents) else "",
        )
    ]


def _identity(documents: Documents) -> Iterator[Printed]:
    committed = documents.committed
    own = documents.pieces(PERSONA)
    personas = {} if committed.inventory.procedure is None else committed.inventory.procedure.personas
    for name in personas:
        yield _text(shape.persona_symbol(name), documents.pieces(persona_text(name)))
    if personas and not own:
        first = next(iter(personas))
        lines = (line for piece in documents.pieces(persona_text(first)) for line in piece.elements)
        elements = {line.element_id: line for line in lines if line is not None}
        value = shape.persona_symbol(first) if elements else '""'
        yield Printed(f"{shape.PERSONA_SYMBOL}: Final = {value}", list(elements.values()))
    else:
        yield _text(shape.PERSONA_SYMBOL, own)
    fields = identity_fields(committed)
    for symbol in (NAME, ROLE):
        found = [item for item in fields if item.mapping.target_symbol == symbol]
        if found:
            yield _constant(assigned(f"{symbol}: Final", field_text(found[0].element)), found[:1])
            fields = [item for item in fields if item is not found[0]]
    if fields:  # a hybrid's second name is one of them
        labels = [item.element.label or item.entry.symbol or item.entry.entry_id for item in fields]
        # The pipeline lists these beside AGENT_NAME and AGENT_ROLE.
        names = shape.numbered(["name", "role", *labels])[2:]
        texts = {name: field_text(item.element) for name, item in zip(names, fields, strict=True)}
        yield _constant(_dict(METADATA, texts), fields)
    yield from _defaults(committed)


def _dict(symbol: str, values: Mapping[str, object]) -> str:
    """Return the constant of a dict, or of dicts of texts."""
    return fitted(displayed(dict(values), f"{symbol}: Final[dict[str, str]] = "))


def _text(symbol: str, pieces: Sequence[Piece]) -> Printed:
    """Return the constant of a text with the places that it comes from."""
    text, places = joined(pieces)
    code = assigned(f"{symbol}: Final", text)
    owners: list[Element | None] = []
    for above, piece in places:
        start = above + int("\n" in code)
        owners = [*owners[:start], *[None] * (start - len(owners)), *piece.elements]
    comments = [
        comment
        for note, found in groupby(pieces, key=attrgetter("note"))
        for comment in provenance_comments(joined_ranges(piece.source for piece in found), note)
    ]
    return Printed(lines_from_source(code, owners), (), comments)


def _memory(documents: Documents) -> Iterator[Printed]:
    committed = documents.committed
    kinds = (EntryKind.STATE, EntryKind.MEMORY)
    hooks = [
        found for kind in kinds for found in shape.functions(committed, kind, Disposition.DELEGATE_TO_RUNTIME)
    ]
    if elements := [element for found in hooks if shape.in_place(found) for element in found.elements]:
        folder = string_literal(committed.memory_folder)
        yield Printed(f"MEMORY_FOLDER: Final = {folder}", elements)


def _user_facts(documents: Documents) -> Iterator[Printed]:
    committed = documents.committed
    if facts := documents.pieces(USER):
        yield _text(shape.USER_CONTEXT, facts)
        passed = shape.of_kind(committed, shape.FACTS, Disposition.EXTERNAL_INPUT)
        needed = any(item.element.stays_behind for item in passed)
        if passed and not needed and shape.of_kind(committed, shape.FACTS, Disposition.BUNDLE):
            without = [item.element.element_id for item in passed]
            yield _text(STABLE_CONTEXT, documents.pieces(USER, without=without))
    schedule = committed.classification.schedule
    if schedule.home_zone:
        path, _, line = schedule.home_zone_source.rpartition(":")
        found = list(_standing_at(committed, {(path, int(line))})) if line.isdecimal() else []
        zone = f"{TIME_ZONE}: Final = {string_literal(schedule.home_zone)}"
        yield Printed(zone, found, [f"# PROVENANCE: {path_words(schedule.home_zone_source)}"])


def _tools(documents: Documents) -> Iterator[Printed]:
    committed = documents.committed
    if guidance := documents.pieces(GUIDANCE):
        yield _text(shape.GUIDANCE_SYMBOL, guidance)
    if tools := shape.offered_functions(committed):
        described = {tool.symbol: shape.tool_description(tool) for tool in tools}
        yield _constant(
            _dict("TOOL_DESCRIPTIONS", described), [item for tool in tools for item in tool.items]
        )


def _credentials(documents: Documents) -> Iterator[Printed]:
    committed = documents.committed
    external = shape.of_kind(committed, EntryKind.CREDENTIAL, Disposition.EXTERNAL_INPUT)
    if names := tuple(dict.fromkeys(map(shape.variable_of, external))):
        yield _constant(fitted(displayed(names, "ENVIRONMENT_VARIABLES: Final = ")), external)


def _schedule(documents: Documents) -> Iterator[Printed]:
    committed = documents.committed
    yield from _wake_ups(committed)
    if tasks := schedule_rows.task_rows(committed):
        rows = tuple(task.row for task in tasks)
        shown = displayed(rows, f"{schedule_rows.TASKS_SYMBOL}: Final[tuple[dict[str, object], ...]] = ")
        yield _made(fitted(shown), [element for task in tasks for element in task.elements])
    if checklist := documents.pieces(WAKE_UPS):
        yield _text(shape.CHECKLIST, checklist)
    if requests := always_requested(committed):
        text = "\n".join(map(shape.task_of, requests))
        yield _constant(assigned(f"{shape.SCHEDULED_REQUEST}: Final", text), requests)


def _wake_ups(committed: CommittedPlan) -> Iterator[Printed]:
    """Yield SCHEDULE_CONFIG: the cadence and the limits that the source declares, and the host's events."""
    carried = _carried(committed)
    if not carried and not _has_own_times(committed):
        return
    values = schedule_rows.schedule_values(committed)
    if events := tuple(shape.statement_of(item.element) for item in carried if _is_host_event(item)):
        values["hooks"] = events
    found = committed.classification.schedule
    elements = [element for task in schedule_rows.woken_for(committed) for element in task.elements]
    unplanned = []
    if not carried:
        elements += _jobs_of(committed)
        if not elements:
            unplanned.append((found.file, str(found.lines), found.first_line))
    if schedule_rows.declared_schedule(committed).timezone != found.timezone:
        path, _, line = found.home_zone_source.rpartition(":")
        unplanned.append((path, line, int(line)))
    marked = [item.element for item in carried]
    comments = [
        *provenance_comments(source_ranges(marked)),
        *(f"# PROVENANCE: {path_words(path)}:{lines}" for path, lines, _ in unplanned),
        *provenance_comments(source_ranges(elements)),
    ]
    standing = _standing_at(committed, {(path, line) for path, _, line in unplanned})
    for element in (*elements, *standing):
        marked += [element] if element not in marked else []
    yield Printed(fitted(displayed(values, f"{_WAKE_UPS}: Final[dict[str, object]] = ")), marked, comments)


def _standing_at(committed: CommittedPlan, places: Collection[tuple[str, int]]) -> Iterator[Element]:
    """Yield the elements that hold lines, which needn't be in the plan."""
    for element in committed.inventory.elements:
        first, last = element.line_range
        if any(path == element.source_file and first <= line <= last for path, line in places):
            yield element


def _jobs_of(committed: CommittedPlan) -> list[Element]:
    """Return the elements of the tasks that are wake-ups of the agent themselves."""
    schedule = committed.classification.schedule
    places = {(found.file, found.first_line) for found in (schedule, *schedule.others)}
    elements = [element for task in schedule_rows.task_rows(committed) for element in task.elements]
    return [each for each in elements if (each.source_file, each.line_range[0]) in places]


def _has_own_times(committed: CommittedPlan) -> bool:
    """Return whether the agent is woken at times, or within limits, that no element of the plan carries."""
    found = committed.classification.schedule
    planned = shape.of_kind(committed, EntryKind.SCHEDULE, *Disposition)
    is_planned = any(item.mapping.target_symbol == _WAKE_UPS for item in planned)
    timed = schedule_rows.is_of_a_zone(found) or bool(found.others)
    return shape.wakes(committed) and not is_planned and bool(found.file) and timed


def _carried(committed: CommittedPlan) -> list[PlannedElement]:
    """Return the entries kept in SCHEDULE_CONFIG; without any, those that a function of the package acts on."""
    planned = shape.of_kind(committed, EntryKind.SCHEDULE, *Disposition)
    kept = [item for item in planned if item.entry.disposition is not Disposition.REMOVE]
    recorded = [item for item in kept if item.mapping.target_symbol == _WAKE_UPS or _is_host_event(item)]
    return recorded or [item for item in kept if item.entry.disposition in _ACTED_ON]


def _is_host_event(item: PlannedElement) -> bool:
    """Return whether an entry of the schedule is only recorded, as an event on which the host wakes the agent."""
    named = item.mapping.target_symbol in (_WAKE_UPS, schedule_rows.TASKS_SYMBOL)
    return item.entry.target == _KEPT_AS_DATA and not named


def always_requested(committed: CommittedPlan) -> list[PlannedElement]:
    """Return what every scheduled run is asked to do: neither a task of its own cadence nor on the checklist."""
    if not shape.is_scheduled(committed):
        return []
    listed = {element.element_id for task in schedule_rows.task_rows(committed) for element in task.elements}
    listed |= {item.element.element_id for item in schedule_rows.checklist_items(committed)}
    return [item for item in shape.scheduled_requests(committed) if item.element.element_id not in listed]


def _largest_context(committed: CommittedPlan) -> int:
    """Return the largest context window: one in which the fixed text of the prompts leaves room for a conversation."""
    tokens = committed.cost.largest_prompt_tokens if committed.cost is not None else 0
    window = int(dict(RUN_SETTINGS)[LARGEST_CONTEXT])
    while window < ROOM_FOR_FIXED_TEXT * tokens and window < _LARGEST_OF_MODELS:
        window *= 2
    return window


ROOM_FOR_FIXED_TEXT: Final = 2.25
"""How many tokens of the window a token of fixed text asks for; a run counts letters as up to 1.6 times as many."""
_LARGEST_OF_MODELS: Final = 131_072
"""The context length of the default model."""


def _defaults(committed: CommittedPlan) -> Iterator[Printed]:
    """Yield the constants that replace absent parameters of the identity."""
    external = shape.of_kind(committed, EntryKind.IDENTITY, Disposition.EXTERNAL_INPUT)
    planned = {item.element.element_id: item for item in external if not item.element.stays_behind}
    for parameter in shape.pipeline_parameters(committed):
        ids = (element.element_id for element in parameter.elements)
        items = [planned[name] for name in ids if name in planned]
        if parameter.default_constant and items:
            text = "\n".join(field_text(item.element) for item in items)
            yield _constant(assigned(f"{parameter.default_constant}: Final", text), items)


def field_text(element: Element) -> str:
    """Return the text of a part of the identity: the value of a field with a label."""
    return element.value or shape.statement_of(element)


def _constant(code: str, items: Iterable[PlannedElement]) -> Printed:
    return _made(code, [item.element for item in items])


def _made(code: str, elements: Sequence[Element]) -> Printed:
    return Printed(code, elements, provenance_comments(source_ranges(elements)))


def _runtime(documents: Documents) -> Iterator[Printed]:
    settings = documents.committed.settings
    backend, model = string_literal(settings.backend), string_literal(settings.model_id)
    yield Printed(f"BACKEND: Final = {backend}\nMODEL_ID: Final = {model}", ())


_CONSTANTS: Final[dict[Category, Callable[[Documents], Iterator[Printed]]]] = {
    Category.C1: _identity,
    Category.C3: _user_facts,
    Category.C5: _memory,
    Category.C6: _tools,
    Category.C7: _credentials,
    Category.C8: _runtime,
    Category.C9: _schedule,
}
