"""Generates config.py: constants with the workspace's own text, grouped by category, with provenance comments."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from msgspec import Struct

from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.inventory import PART, Element
from melleafy_tui.core.models.vocabulary import CATEGORIES, Category, Disposition, EntryKind
from melleafy_tui.core.package.model_steps import PHASES_SYMBOL, TEXTS, TEXTS_SYMBOL
from melleafy_tui.generators.code_layout import (
    Expression,
    assignment,
    mapping,
    statement,
    text_blocks,
    tupled,
    value,
)
from melleafy_tui.generators.excerpts import excerpt, in_their_order, title_of, with_structure
from melleafy_tui.generators.literals import block_lines, path_words, string_literal
from melleafy_tui.generators.package_shape import (
    CHECKLIST,
    FACTS,
    RECALL,
    SCHEDULED_REQUEST,
    functions,
    is_phase,
    is_scheduled,
    is_secret,
    last_phase,
    model_steps,
    numbered,
    of_kind,
    offered_functions,
    pipeline_parameters,
    scheduled_requests,
    statement_of,
    step_name,
    symbol_of,
    task_of,
    tool_description,
    variable_of,
    wakes,
    whole_statement_of,
)
from melleafy_tui.generators.provenance import SourceRange, SourceWriter, provenance_comments, source_ranges
from melleafy_tui.generators.schedule_rows import (
    TASKS_SYMBOL,
    checklist_items,
    declared_schedule,
    is_of_a_zone,
    schedule_values,
    task_rows,
    woken_for,
)

PERSONA_NOTES: Final = "PERSONA_NOTES"
PERSONA_SYMBOL = "PREFIX_TEXT"

_BESIDE_PERSONA = frozenset({Category.C1, Category.C7, Category.NONE})
"""Categories that a file may contain and still count as a persona file as a whole."""

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z")


class PersonaPiece(Struct, frozen=True):
    """One stretch of the persona text and its element; None for text that comes from a file's headings."""

    text: str
    element: Element | None
    source: SourceRange | None
    note: str = ""


def persona_notes(committed: CommittedPlan) -> list[str]:
    """Return a note for each file of the persona that the runtime would have cut off."""
    files = {piece.source.file for piece in persona_pieces(committed) if piece.source is not None}
    return [
        f"persona: {found.file}: {found.message}"
        for found in committed.inventory.diagnostics
        if found.code == "budget-file" and found.file in files
    ]


def persona_pieces(committed: CommittedPlan) -> list[PersonaPiece]:
    """Return the persona text in pieces, file by file in source order.

    A persona file such as SOUL.md is copied as it is, line ends included, except for elements that the plan puts
    elsewhere. Other files contribute only the lines of their persona elements.
    """
    bundled = of_kind(committed, EntryKind.IDENTITY, Disposition.BUNDLE)
    chosen = {item.element.element_id for item in bundled if item.mapping.target_symbol == PERSONA_SYMBOL}
    files = dict.fromkeys(item.element.source_file for item in bundled if item.element.element_id in chosen)
    pieces: list[PersonaPiece] = []
    for file in files:
        found = list(_file_pieces(committed, file, chosen))
        if pieces and found:
            pieces.append(PersonaPiece(_gap(pieces[-1].text), None, None))
        pieces += found
    return pieces


def persona_text(committed: CommittedPlan) -> str:
    """Return the bundled persona text."""
    return "".join(piece.text for piece in persona_pieces(committed))


def _file_pieces(committed: CommittedPlan, file: str, chosen: set[str]) -> Iterator[PersonaPiece]:
    elements = _elements_of(committed, file)
    source = committed.snapshot.file(file)
    if source is None or source.text is None or not _is_persona_throughout(committed, elements):
        yield from _separate(committed, elements, chosen)
    else:
        yield from _whole_file(committed, file, source.text, chosen)


def _elements_of(committed: CommittedPlan, file: str) -> list[Element]:
    """Return the elements that a file's lines belong to: a judged line belongs to its section, not to its part."""
    return [
        element
        for element in committed.inventory.elements
        if element.source_file == file and element.kind != PART
    ]


def _whole_file(committed: CommittedPlan, file: str, text: str, chosen: set[str]) -> Iterator[PersonaPiece]:
    """Yield the pieces of a file that is copied, except for the elements that the plan puts elsewhere."""
    elements = _elements_of(committed, file)
    lines = _LINE.findall(text)
    owners = _owners(elements, len(lines))
    emptied = _emptied_headings(elements, chosen)
    kept = [_stays(owner, chosen) and (owner is None or owner.element_id not in emptied) for owner in owners]
    _drop_gaps_after_left_out(owners, kept, lines)
    for first, last, owner in _kept_stretches(owners, kept):
        copied = "".join(lines[first - 1 : last])
        yield PersonaPiece(copied, owner, SourceRange(file, first, last))
        if owner is not None and owner.line_range[1] == last:
            yield from _inlined(committed, owner)


def _emptied_headings(elements: Sequence[Element], chosen: set[str]) -> set[str]:
    """Return the ids of the headings under which everything is left out because the plan puts it elsewhere."""
    stays_below: dict[tuple[str, ...], bool] = {}
    for element in elements:
        if element.category is not Category.NONE:
            stays = _stays(element, chosen)
            for depth in range(1, len(element.section) + 1):
                path = element.section[:depth]
                stays_below[path] = stays_below.get(path, False) or stays
    return {
        heading.element_id
        for heading in elements
        if heading.kind == "heading"
        and heading.category is Category.NONE
        and stays_below.get((*heading.section, title_of(heading))) is False
    }


def _kept_stretches(
    owners: Sequence[Element | None], kept: Sequence[bool]
) -> Iterator[tuple[int, int, Element | None]]:
    """Yield the first and the last line of each kept stretch of one owner, and that owner."""
    last = 0
    for (_, stays), lines in groupby(zip(map(id, owners), kept, strict=True)):
        first, last = last + 1, last + len(list(lines))
        if stays:
            yield first, last, owners[first - 1]


def _stays(owner: Element | None, chosen: set[str]) -> bool:
    """Return whether a line of a persona file is kept: it is persona, or has no category."""
    if owner is not None and owner.kind == "frontmatter":
        return False  # the runtime takes it away before the model sees the file
    return owner is None or owner.element_id in chosen or owner.category is Category.NONE


def _is_persona_throughout(committed: CommittedPlan, elements: Iterable[Element]) -> bool:
    """Return whether a file is copied into the persona text as a whole: prose without fields and with little else."""
    elements = list(elements)
    own = sum(element.category is Category.C1 for element in elements)
    if sum(element.category not in _BESIDE_PERSONA for element in elements) > own:
        return False
    mappings = committed.mapping.by_element
    return all(
        element.category is Category.C7
        or (
            element.kind != "field"
            and (
                element.category is not Category.C1
                or element.element_id not in mappings
                or mappings[element.element_id].target_symbol == PERSONA_SYMBOL
            )
        )
        for element in elements
    )


def _owners(elements: Iterable[Element], count: int) -> list[Element | None]:
    owners: list[Element | None] = [None] * count
    for element in elements:
        if is_secret(element):
            continue
        first, last = element.line_range
        for number in range(first - 1, min(last, count)):
            owners[number] = element
    return owners


def _drop_gaps_after_left_out(owners: list[Element | None], kept: list[bool], lines: list[str]) -> None:
    """Drop the blank lines after a dropped element."""
    dropping = False
    for number, owner in enumerate(owners):
        if owner is not None:
            dropping = not kept[number]
        elif dropping and not lines[number].strip():
            kept[number] = False


def _separate(
    committed: CommittedPlan, elements: Iterable[Element], chosen: Collection[str]
) -> Iterator[PersonaPiece]:
    """Yield the chosen elements of a file with the headings, lead-ins and table headers that they stand under."""
    previous: Element | None = None
    for element in with_structure(elements, chosen):
        yield _own_lines(element, previous)
        previous = element
        yield from _inlined(committed, element)


def _own_lines(element: Element, previous: Element | None) -> PersonaPiece:
    """Return an element's lines, after an empty line unless they follow the previous ones."""
    text = element.value or element.content_full
    first, last = element.line_range
    gap = "\n" if previous is not None and first > previous.line_range[1] + 1 else ""
    return PersonaPiece(
        gap + text.rstrip("\r\n") + "\n", element, SourceRange(element.source_file, first, last)
    )


def _inlined(committed: CommittedPlan, element: Element) -> Iterator[PersonaPiece]:
    for inlining in committed.mapping.inlinings:
        if inlining.element_id == element.element_id:
            first, _, last = inlining.source_lines.partition("-")
            source = SourceRange(inlining.source_file, int(first), int(last or first))
            yield PersonaPiece(
                f"\n{inlining.text.rstrip()}\n", element, source, f" (inlined into {element.location})"
            )


def _gap(text: str) -> str:
    return "\n" if text.endswith(("\n", "\r")) else "\n\n"


def identity_fields(committed: CommittedPlan) -> list[PlannedElement]:
    """Return the bundled identity elements that get their own constants: name, role and other fields."""
    bundled = of_kind(committed, EntryKind.IDENTITY, Disposition.BUNDLE)
    return [item for item in bundled if item.mapping.target_symbol != PERSONA_SYMBOL]


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

_ACTED_ON: Final = (Disposition.REAL_IMPL, Disposition.STUB)
"""Dispositions with which a function of the package implements the schedule."""

_WAKE_UPS: Final = "SCHEDULE_CONFIG"
_KEPT_AS_DATA: Final = f"config.py:{_WAKE_UPS}"
"""Target of entries whose trigger is only recorded as data: a cadence, or an event of the host."""

GUIDANCE: Final = "TOOL_GUIDANCE"
NAME: Final = "AGENT_NAME"
ROLE: Final = "AGENT_ROLE"
METADATA: Final = "AGENT_METADATA"

Section = Callable[[SourceWriter, CommittedPlan], None]


def generate_config(committed: CommittedPlan) -> list[EmittedFile]:
    """Return config.py."""
    writer = SourceWriter(f"{committed.package_name}/config.py")
    writer.add('"""Constants carried over from the source workspace."""')
    writer.blank()
    writer.add("from typing import Final")
    for title, section in _SECTIONS:
        part = SourceWriter("")
        section(part, committed)
        if part.next_line > 1:
            writer.blank()
            writer.add(f"# === {title} ===")
            writer.extend(part)
    return [writer.emitted()]


def _identity(writer: SourceWriter, committed: CommittedPlan) -> None:
    _persona(writer, committed)
    fields = identity_fields(committed)
    for symbol in (NAME, ROLE):
        found = [item for item in fields if item.mapping.target_symbol == symbol]
        if found:
            _text_constant(writer, symbol, _field_text(found[0].element), found[:1])
    metadata = [item for item in fields if item.mapping.target_symbol not in (NAME, ROLE)]
    if metadata:
        _metadata(writer, metadata)
    _defaults(writer, committed, EntryKind.IDENTITY)


def _metadata(writer: SourceWriter, items: Sequence[PlannedElement]) -> None:
    labels = [item.element.label or item.entry.symbol or item.entry.entry_id for item in items]
    shown = mapping(
        (string_literal(label), value(_field_text(item.element)))
        for label, item in zip(numbered(labels), items, strict=True)
    )
    _constant(writer, f"{METADATA}: Final[dict[str, str]]", shown, items)


def _persona(writer: SourceWriter, committed: CommittedPlan) -> None:
    pieces = persona_pieces(committed)
    _blank_before_constant(writer)
    text = "".join(piece.text for piece in pieces)
    if "\n" not in text:
        writer.add(
            assignment("PREFIX_TEXT: Final", text), [piece.element for piece in pieces if piece.element]
        )
    else:
        first = writer.next_line + 1
        writer.add('PREFIX_TEXT: Final = """\\')
        lines = block_lines(text)
        lines[-1] += '"""'
        writer.add(lines)
        for piece in pieces:
            height = piece.text.count("\n")
            if piece.element is not None:
                writer.mark(first, first + max(height - 1, 0), piece.element)
            first += height
    for note, ranges in _persona_ranges((piece.source, piece.note) for piece in pieces):
        writer.add(provenance_comments(ranges, note))


def _persona_ranges(sources: Iterable[tuple[SourceRange | None, str]]) -> list[tuple[str, list[SourceRange]]]:
    joined: list[tuple[str, list[SourceRange]]] = []
    for source, note in sources:
        if source is None:
            continue
        previous = joined[-1][1][0] if joined and joined[-1][0] == note else None
        if previous and previous.file == source.file and source.first == previous.last + 1:
            joined[-1] = (note, [SourceRange(source.file, previous.first, source.last)])
        else:
            joined.append((note, [source]))
    return joined


def _memory(writer: SourceWriter, committed: CommittedPlan) -> None:
    for found in functions(committed, EntryKind.MEMORY, Disposition.DELEGATE_TO_RUNTIME):
        if found.symbol == RECALL:
            writer.blank()
            folder = string_literal(committed.memory_folder)
            writer.add(f"MEMORY_FOLDER: Final = {folder}", list(found.elements))


def _user_facts(writer: SourceWriter, committed: CommittedPlan) -> None:
    stable = of_kind(committed, FACTS, Disposition.BUNDLE)
    if stable:
        _text_constant(writer, "USER_CONTEXT", excerpt(committed, stable), stable)
    _defaults(writer, committed, *FACTS)


def _steps(writer: SourceWriter, committed: CommittedPlan) -> None:
    items = model_steps(committed, TEXTS)
    phases: dict[str, list[PlannedElement]] = {}
    for item in filter(is_phase, items):
        phases.setdefault(step_name(item), []).append(item)
    if last := last_phase(committed):
        phases[step_name(last[0])] = in_their_order(committed, last)
    _step_texts(writer, PHASES_SYMBOL, list(phases.items()))
    _step_texts(writer, TEXTS_SYMBOL, [(symbol_of(item), [item]) for item in items if not is_phase(item)])


def _step_texts(
    writer: SourceWriter, symbol: str, steps: Sequence[tuple[str, Sequence[PlannedElement]]]
) -> None:
    """Add a dict with the text of each step by its name."""
    if steps:
        texts = mapping(
            (string_literal(name), value("\n".join(whole_statement_of(item.element) for item in items)))
            for name, items in steps
        )
        taken = [item for _, items in steps for item in items]
        _constant(writer, f"{symbol}: Final[dict[str, str]]", texts, taken)


def _tools(writer: SourceWriter, committed: CommittedPlan) -> None:
    narrative = of_kind(committed, EntryKind.TOOL_NARRATIVE, Disposition.BUNDLE)
    if narrative:
        narrative = in_their_order(committed, narrative, without=last_phase(committed))
        _text_constant(writer, GUIDANCE, excerpt(committed, narrative), narrative)
    callable_tools = offered_functions(committed)
    if callable_tools:
        described = mapping(
            (string_literal(tool.symbol), value(tool_description(tool))) for tool in callable_tools
        )
        items = [item for tool in callable_tools for item in tool.items]
        _constant(writer, "TOOL_DESCRIPTIONS: Final[dict[str, str]]", described, items)


def _credentials(writer: SourceWriter, committed: CommittedPlan) -> None:
    external = of_kind(committed, EntryKind.CREDENTIAL, Disposition.EXTERNAL_INPUT)
    names = dict.fromkeys(map(variable_of, external))
    if names:
        _constant(writer, "ENVIRONMENT_VARIABLES: Final", tupled(value(name) for name in names), external)


def _runtime(writer: SourceWriter, committed: CommittedPlan) -> None:
    writer.blank()
    writer.add(statement("BACKEND: Final = ", value(committed.settings.backend)))
    writer.add(statement("MODEL_ID: Final = ", value(committed.settings.model_id)))


def _schedule(writer: SourceWriter, committed: CommittedPlan) -> None:
    _wake_ups(writer, committed)
    if tasks := task_rows(committed):
        elements = [element for task in tasks for element in task.elements]
        _blank_before_constant(writer)
        rows = tupled(text_blocks(task.row) for task in tasks)
        writer.add(statement(f"{TASKS_SYMBOL}: Final[tuple[dict[str, object], ...]] = ", rows), elements)
        writer.add(provenance_comments(source_ranges(elements)))
    if checklist := checklist_items(committed):
        _text_constant(writer, CHECKLIST, excerpt(committed, checklist), checklist)
    if requests := always_requested(committed):
        _text_constant(writer, SCHEDULED_REQUEST, "\n".join(map(task_of, requests)), requests)


def _wake_ups(writer: SourceWriter, committed: CommittedPlan) -> None:
    """Add SCHEDULE_CONFIG: the cadence and the limits that the source declares, and the host's events."""
    carried = _carried(committed)
    if not carried and not _has_own_times(committed):
        return
    pairs = [(string_literal(key), value(plain)) for key, plain in schedule_values(committed).items()]
    if events := list(filter(_is_host_event, carried)):
        pairs.append((string_literal("hooks"), tupled(value(statement_of(item.element)) for item in events)))
    first = writer.next_line + 1
    _constant(writer, f"{_WAKE_UPS}: Final[dict[str, object]]", mapping(pairs), carried)
    last = writer.next_line - 1
    found = committed.classification.schedule
    elements = [element for task in woken_for(committed) for element in task.elements]
    unplanned = []
    if not carried:
        elements += _jobs_of(committed)
        if not elements:
            unplanned.append((found.file, str(found.lines), found.first_line))
    if declared_schedule(committed).timezone != found.timezone:
        path, _, line = found.home_zone_source.rpartition(":")
        unplanned.append((path, line, int(line)))
    for path, lines, _ in unplanned:
        writer.add(f"# PROVENANCE: {path_words(path)}:{lines}")
    writer.add(provenance_comments(source_ranges(elements)))
    places = {(path, line) for path, _, line in unplanned}
    marked = [item.element for item in carried]
    for element in (*elements, *_standing_at(committed, places)):
        if element not in marked:
            writer.mark(first, last, element)
            marked.append(element)


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
    elements = [element for task in task_rows(committed) for element in task.elements]
    return [each for each in elements if (each.source_file, each.line_range[0]) in places]


def _has_own_times(committed: CommittedPlan) -> bool:
    """Return whether the agent is woken at times, or within limits, that no element of the plan carries."""
    found = committed.classification.schedule
    planned = of_kind(committed, EntryKind.SCHEDULE, *Disposition)
    is_planned = any(item.mapping.target_symbol == _WAKE_UPS for item in planned)
    timed = is_of_a_zone(found) or bool(found.others)
    return wakes(committed) and not is_planned and bool(found.file) and timed


def _carried(committed: CommittedPlan) -> list[PlannedElement]:
    """Return the entries kept in SCHEDULE_CONFIG; without any, those that a function of the package acts on."""
    kept = [item for item in of_kind(committed, EntryKind.SCHEDULE, *Disposition) if _is_kept(item)]
    recorded = [item for item in kept if item.mapping.target_symbol == _WAKE_UPS or _is_host_event(item)]
    return recorded or [item for item in kept if item.entry.disposition in _ACTED_ON]


def _is_host_event(item: PlannedElement) -> bool:
    """Return whether an entry of the schedule is only recorded, as an event on which the host wakes the agent."""
    named = item.mapping.target_symbol in (_WAKE_UPS, TASKS_SYMBOL)
    return item.entry.target == _KEPT_AS_DATA and not named


def always_requested(committed: CommittedPlan) -> list[PlannedElement]:
    """Return what every scheduled run is asked to do: neither a task of its own cadence nor on the checklist."""
    if not is_scheduled(committed):
        return []
    listed = {element.element_id for task in task_rows(committed) for element in task.elements}
    listed |= {item.element.element_id for item in checklist_items(committed)}
    return [item for item in scheduled_requests(committed) if item.element.element_id not in listed]


def _run_settings(writer: SourceWriter, committed: CommittedPlan) -> None:
    writer.blank()
    settings = {**dict(RUN_SETTINGS), LARGEST_CONTEXT: str(_largest_context(committed))}
    writer.add([f"{name}: Final = {setting}" for name, setting in settings.items()])
    if notes := persona_notes(committed):
        writer.add(statement(f"{PERSONA_NOTES}: Final[tuple[str, ...]] = ", tupled(map(value, notes))))
    if offered_functions(committed):
        writer.add(f"TOOL_BUDGET: Final = {TOOL_BUDGET}")


def _largest_context(committed: CommittedPlan) -> int:
    """Return the largest context window: one in which the fixed text of the prompts leaves room for a conversation."""
    tokens = committed.cost.prompt_tokens if committed.cost is not None else 0
    window = int(dict(RUN_SETTINGS)[LARGEST_CONTEXT])
    while window < ROOM_FOR_FIXED_TEXT * tokens and window < _LARGEST_OF_MODELS:
        window *= 2
    return window


ROOM_FOR_FIXED_TEXT: Final = 2.25
"""How many tokens of the window a token of fixed text asks for; a run counts letters as up to 1.6 times as many."""
_LARGEST_OF_MODELS: Final = 131_072
"""The context length of the default model."""


def _is_kept(item: PlannedElement) -> bool:
    return item.entry.disposition is not Disposition.REMOVE


def _defaults(writer: SourceWriter, committed: CommittedPlan, *kinds: EntryKind) -> None:
    """Add the constants that replace absent parameters."""
    planned = {
        item.element.element_id: item for item in of_kind(committed, kinds, Disposition.EXTERNAL_INPUT)
    }
    for parameter in pipeline_parameters(committed):
        items = [
            planned[element.element_id] for element in parameter.elements if element.element_id in planned
        ]
        items = [item for item in items if not item.element.stays_behind]
        if parameter.default_constant and items:
            # A field of the identity is printed after its label, so its value alone is its text.
            fields = kinds == (EntryKind.IDENTITY,)
            values = [_field_text(item.element) for item in items]
            text = "\n".join(values) if fields else excerpt(committed, items)
            _text_constant(writer, parameter.default_constant, text, items)


def _field_text(element: Element) -> str:
    return element.value or statement_of(element)


def _text_constant(writer: SourceWriter, symbol: str, text: str, items: Sequence[PlannedElement]) -> None:
    _blank_before_constant(writer)
    elements = [item.element for item in items]
    writer.add(assignment(f"{symbol}: Final", text), elements)
    writer.add(provenance_comments(source_ranges(elements)))


def _constant(
    writer: SourceWriter, target: str, expression: Expression, items: Sequence[PlannedElement]
) -> None:
    _blank_before_constant(writer)
    elements = [item.element for item in items]
    writer.add(statement(f"{target} = ", expression), elements)
    writer.add(provenance_comments(source_ranges(elements)))


def _blank_before_constant(writer: SourceWriter) -> None:
    writer.blank()


def _titled(category: Category) -> str:
    return f"{category}: {CATEGORIES[category].title}"


_SECTIONS: Final[tuple[tuple[str, Section], ...]] = (
    (_titled(Category.C1), _identity),
    (_titled(Category.C2), _steps),
    (_titled(Category.C3), _user_facts),
    (_titled(Category.C5), _memory),
    (_titled(Category.C6), _tools),
    (_titled(Category.C7), _credentials),
    (_titled(Category.C8), _runtime),
    (_titled(Category.C9), _schedule),
    ("Run settings", _run_settings),
)
