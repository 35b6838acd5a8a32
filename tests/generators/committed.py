"""Committed plans for tests of the generators, made by hand from files and one line per element."""

from collections.abc import Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from melleafy_tui.core.dialects.base import mapping_rows
from melleafy_tui.core.language.orders import Polarity
from melleafy_tui.core.models.classification import Classification, Schedule
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.conversion_settings import Settings
from melleafy_tui.core.models.facts import Facts, ToolFact
from melleafy_tui.core.models.inventory import Element, Inventory
from melleafy_tui.core.models.mapping import ElementMapping, Inlining, MappingEntry, RuleCheck
from melleafy_tui.core.models.plan import DependencyPlan, PlanEntry
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.vocabulary import (
    CATEGORIES,
    Archetype,
    Category,
    DecisionSource,
    Disposition,
    EntryKind,
    Modality,
    Shape,
    Tag,
    ToolInvolvement,
    ValidationKind,
)
from melleafy_tui.core.package.dispositions import cell
from melleafy_tui.core.package.naming import LONGEST_IDENTIFIER, ascii_words
from melleafy_tui.core.pipeline.symbols import element_stems, symbol_for, target_for

CATEGORY_OF = {
    EntryKind.IDENTITY: Category.C1,
    EntryKind.RULE: Category.C2,
    EntryKind.SCHEMA: Category.NONE,
    EntryKind.FACT_STABLE: Category.C3,
    EntryKind.FACT_OVERRIDABLE: Category.C3,
    EntryKind.STATE: Category.C4,
    EntryKind.MEMORY: Category.C5,
    EntryKind.TOOL_NARRATIVE: Category.C6,
    EntryKind.TOOL_CONCRETE: Category.C6,
    EntryKind.TOOL_ABSTRACT: Category.C6,
    EntryKind.CREDENTIAL: Category.C7,
    EntryKind.SCHEDULE: Category.C9,
    EntryKind.CROSS_REFERENCE: Category.NONE,
}

MAPPED = {
    EntryKind.RULE: ("requirements.py", "OPERATING_REQUIREMENTS"),
    EntryKind.SCHEMA: ("schemas.py", ""),
    EntryKind.FACT_STABLE: ("config.py", "USER_CONTEXT"),
    EntryKind.FACT_OVERRIDABLE: ("main.py", "--user-context"),
    EntryKind.STATE: ("constrained_slots.py", "load_working_state"),
    EntryKind.MEMORY: ("constrained_slots.py", "recall_memory"),
    EntryKind.TOOL_NARRATIVE: ("config.py", "TOOL_GUIDANCE"),
    EntryKind.TOOL_CONCRETE: ("tools.py", ""),
    EntryKind.TOOL_ABSTRACT: ("constrained_slots.py", ""),
    EntryKind.CREDENTIAL: (".env.example", ""),
    EntryKind.SCHEDULE: ("config.py", "SCHEDULE_CONFIG"),
    EntryKind.CROSS_REFERENCE: ("mapping_report.md", "Removed During Audit"),
}


MAPPING_ROWS = {
    row.row_id: row
    for row in (*mapping_rows("openclaw"), *mapping_rows("claude_code"), *mapping_rows("agent_skills"))
}
"""The rows that a plan knows; `CLAUDE_CODE_ROWS` hold those of Agent Skills."""


class Piece(Struct, frozen=True):
    """One element and what becomes of it."""

    file: str
    lines: str
    kind: EntryKind | None
    disposition: Disposition = Disposition.BUNDLE
    label: str = ""
    value: str = ""
    symbol: str = ""
    statement: str = ""
    scope: str = ""
    polarity: Polarity = Polarity.OBLIGES
    check: RuleCheck | None = None
    form: str = "item"
    facts: Facts = field(default_factory=Facts)
    alone: bool = False
    tag: Tag = Tag.CONFIG
    inlined: str = ""
    section: tuple[str, ...] = ()
    context: tuple[str, ...] = ()


def committed_plan(
    files: dict[str, str],
    pieces: Sequence[Piece],
    *,
    name: str = "ticket-triage",
    modality: Modality = Modality.SYNCHRONOUS_ONESHOT,
    secondary: tuple[Modality, ...] = (),
    schedule: Schedule | None = None,
    settings: Settings | None = None,
    backend: Disposition = Disposition.BUNDLE,
) -> CommittedPlan:
    """Return a committed plan over the files; each piece is one element."""
    sources = tuple(
        SourceFile(path, text.encode("utf-8", "surrogatepass"), text) for path, text in sorted(files.items())
    )
    snapshot = Snapshot(name, f"/workspace/{name}", sources, tuple(sorted(files)))
    elements, mappings, inlinings = [], [], []
    for number, piece in enumerate(pieces, start=1):
        element = _element(f"elem_{number:03}", piece, snapshot)
        elements.append(element)
        mappings.append(_mapping(f"map_{number:03}", element, piece))
        if piece.inlined:
            inlinings.append(Inlining(element.element_id, "BOOTSTRAP.md", "1", piece.inlined))
    by_element = {mapping.element_id: mapping for mapping in mappings}
    stems = element_stems(elements, by_element)
    entries = [
        _entry(f"dep_{number:03}", piece, element, by_element[element.element_id], stems[element.element_id])
        for number, (piece, element) in enumerate(zip(pieces, elements, strict=True), start=1)
        if piece.kind is not None
    ]
    entries.append(_backend(f"dep_{len(entries) + 1:03}", backend))
    package = (ascii_words(name) or "agent")[:LONGEST_IDENTIFIER].strip("_")
    return CommittedPlan(
        project_name=name,
        package_name=f"{package}_mellea",
        settings=settings or Settings(),
        snapshot=snapshot,
        classification=_classification(modality, secondary, schedule or Schedule()),
        inventory=Inventory(
            files=(), elements=tuple(elements), digests={file.path: file.sha256 for file in snapshot.files}
        ),
        mapping=ElementMapping(mappings=tuple(mappings), inlinings=tuple(inlinings)),
        plan=DependencyPlan(entries=tuple(entries)),
        diagnostics=(),
        as_of="2026-01-15",
        generated_at="2026-01-15T00:00:00Z",
        melleafy_tui_version="0.0.0",
        mapping_rows=MAPPING_ROWS,
    )


def _element(element_id: str, piece: Piece, snapshot: Snapshot) -> Element:
    first, _, last = piece.lines.partition("-")
    source = snapshot.file(piece.file)
    text = source.cut(int(first), int(last or first)) if source is not None else ""
    said = piece.statement or (f"{piece.label}: {piece.value}" if piece.label else text.lstrip("-* ").strip())
    return Element(
        element_id=element_id,
        source_file=piece.file,
        source_lines=piece.lines,
        kind="field" if piece.label else piece.form,
        tag=Tag.NO_DECOMPOSE if piece.kind is None else piece.tag,
        category=Category.NONE if piece.kind is None else CATEGORY_OF[piece.kind],
        content_summary=said[:100],
        content_full=text,
        statement=said,
        label=piece.label,
        value=piece.value,
        scope=piece.scope,
        section=piece.section,
        context=piece.context,
        facts=piece.facts,
    )


def _mapping(mapping_id: str, element: Element, piece: Piece) -> MappingEntry:
    if piece.kind is None:
        return MappingEntry(mapping_id, element.element_id, "", "", "none", "")
    if piece.kind is EntryKind.IDENTITY:
        by_label = {"": "PREFIX_TEXT", "name": "AGENT_NAME", "role": "AGENT_ROLE"}
        file, symbol = "config.py", by_label.get(piece.label, "AGENT_METADATA")
    else:
        file, symbol = MAPPED[piece.kind]
    is_note = piece.polarity in (Polarity.PERMITS, Polarity.DESCRIBES)
    judged = ValidationKind.EXECUTABLE if piece.check else ValidationKind.LLM_JUDGED
    return MappingEntry(
        mapping_id,
        element.element_id,
        file,
        piece.symbol or symbol,
        "bundle",
        "constant",
        validation_kind=judged if piece.kind is EntryKind.RULE and not is_note else None,
        check=piece.check,
    )


def _entry(entry_id: str, piece: Piece, element: Element, mapping: MappingEntry, stem: str) -> PlanEntry:
    assert piece.kind is not None
    chosen = cell(piece.kind, piece.disposition)
    assert chosen.allowed, (piece.kind, piece.disposition)
    return PlanEntry(
        entry_id=entry_id,
        key=f"{piece.file}#{element.element_id}",
        category=CATEGORIES[element.category].plan_name,
        kind=piece.kind,
        disposition=piece.disposition,
        default_disposition=Disposition.BUNDLE,
        source_of_decision=DecisionSource.DIALECT,
        source_elements=(element.element_id,),
        target=target_for(chosen, stem, element, mapping, is_default=False),
        setup_section=chosen.setup_section,
        summary=element.content_summary,
        subtype=element.facts[ToolFact].subtype,
        symbol=symbol_for(chosen, stem),
        judge_individually=piece.alone,
    )


def _backend(entry_id: str, disposition: Disposition) -> PlanEntry:
    return PlanEntry(
        entry_id=entry_id,
        key="settings#backend",
        category=CATEGORIES[Category.C8].plan_name,
        kind=EntryKind.BACKEND,
        disposition=disposition,
        default_disposition=Disposition.BUNDLE,
        source_of_decision=DecisionSource.AUTO,
        source_elements=(),
        target="config.py:BACKEND",
        setup_section="",
        summary="Backend and model",
    )


def _classification(
    modality: Modality, secondary: tuple[Modality, ...], schedule: Schedule
) -> Classification:
    return Classification(
        source_runtime="openclaw",
        scores=(),
        runtime_reason="signals",
        modality=modality,
        secondary_modalities=secondary,
        schedule=schedule,
        archetype=Archetype.DIAGNOSIS,
        shape=Shape.ONE_SHOT,
        tool_involvement=ToolInvolvement.NO_TOOLS,
    )


REFERENCE_FILES = {
    "SOUL.md": "# Soul\n\n## Voice\n\nWarm, curious tone; prefers Socratic questioning.\n\n## Boundaries\n\n"
    "- Private things stay private.\n",
    "IDENTITY.md": "- **Name:** ticket-triage\n- **Role:** First-line support triage\n- **Emoji:** 🎫\n",
    "AGENTS.md": "# Agents\n\n## Rules\n\n- Never auto-close a ticket without confirmation.\n"
    "- Keep every reply under 120 words.\n- If a ticket mentions data loss, escalate it to the on-call engineer.\n\n"
    "You may look up past tickets freely.\n",
    "USER.md": "- **Timezone:** Europe/Dublin\n- **Team:** Platform support, four people\n",
    "MEMORY.md": "# Memory\n\n- The billing queue is handled by another team.\n",
    "HEARTBEAT.md": "Run every 30m during business hours\n\n- Check for tickets that have waited more than an hour\n",
}

_B, _D, _E = Disposition.BUNDLE, Disposition.DELEGATE_TO_RUNTIME, Disposition.EXTERNAL_INPUT

REFERENCE_PIECES = (
    Piece("AGENTS.md", "1", None, form="heading"),
    Piece(
        "AGENTS.md",
        "3-5",
        EntryKind.RULE,
        statement="Never auto-close a ticket without confirmation.",
        polarity=Polarity.FORBIDS,
    ),
    Piece("AGENTS.md", "6", EntryKind.RULE, check=RuleCheck("at_most", "words", 119)),
    Piece("AGENTS.md", "7", EntryKind.RULE),
    Piece("AGENTS.md", "9", EntryKind.RULE, polarity=Polarity.PERMITS),
    Piece("HEARTBEAT.md", "1", EntryKind.SCHEDULE, _D),
    Piece("HEARTBEAT.md", "3", EntryKind.SCHEDULE, _D, symbol="HEARTBEAT_CHECKLIST"),
    Piece("IDENTITY.md", "1", EntryKind.IDENTITY, label="name", value="ticket-triage"),
    Piece("IDENTITY.md", "2", EntryKind.IDENTITY, label="role", value="First-line support triage"),
    Piece("IDENTITY.md", "3", EntryKind.IDENTITY, label="emoji", value="🎫"),
    Piece("MEMORY.md", "1-3", EntryKind.MEMORY, _D, form="section"),
    Piece("SOUL.md", "1", None, form="heading"),
    Piece("SOUL.md", "3-5", EntryKind.IDENTITY, form="section"),
    Piece("SOUL.md", "7-9", EntryKind.IDENTITY, form="section"),
    Piece(
        "USER.md",
        "1",
        EntryKind.FACT_OVERRIDABLE,
        _E,
        label="timezone",
        value="Europe/Dublin",
        statement="Timezone: Europe/Dublin",
    ),
    Piece("USER.md", "2", EntryKind.FACT_STABLE, statement="Team: Platform support, four people"),
)

REFERENCE_SCHEDULE = Schedule(
    type="interval",
    cadence="30m",
    seconds=1800,
    active_hours="business hours",
    file="HEARTBEAT.md",
    lines="1",
)


def reference_plan(
    *,
    changed: dict[str, Disposition] | None = None,
    settings: Settings | None = None,
    backend: Disposition = _B,
) -> CommittedPlan:
    """Return the plan of the reference workspace; `changed` maps `file:lines` to another disposition."""
    changed = changed or {}
    pieces = [
        replace(piece, disposition=changed.get(f"{piece.file}:{piece.lines}", piece.disposition))
        for piece in REFERENCE_PIECES
    ]
    return committed_plan(
        REFERENCE_FILES,
        pieces,
        modality=Modality.HEARTBEAT,
        schedule=REFERENCE_SCHEDULE,
        settings=settings,
        backend=backend,
    )
