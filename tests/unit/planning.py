"""Inventories, mappings and plans for tests of step 2.5, made by hand from one line per element."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from melleafy_tui.core.decisions.keys import element_keys
from melleafy_tui.core.decisions.rebase import Place, places_of
from melleafy_tui.core.decisions.state import Decisions, Override, frozen
from melleafy_tui.core.dialects.base import MappingRow
from melleafy_tui.core.models.facts import Facts, ToolFact
from melleafy_tui.core.models.inventory import Decision, Element, Inventory
from melleafy_tui.core.models.mapping import ElementMapping, MappingEntry
from melleafy_tui.core.models.plan import DependencyPlan
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import (
    Category,
    DecisionKind,
    Disposition,
    ElementRole,
    EntryKind,
    Tag,
    ValidationKind,
)
from melleafy_tui.core.package.result_schemas import schema_facts
from melleafy_tui.core.pipeline.plan_entries import draft_plan, make_plan

KIND_ELEMENTS: Mapping[EntryKind, tuple[str, Category, Tag, str, Facts]] = {
    EntryKind.IDENTITY: ("SOUL.md", Category.C1, Tag.CONVERSE, "", Facts()),
    EntryKind.RULE: ("AGENTS.md", Category.C2, Tag.DECIDE, "", Facts()),
    EntryKind.SCHEMA: (
        "SKILL.md",
        Category.NONE,
        Tag.SCHEMA,
        "skill.schema",
        schema_facts("Report", [("verdict", "string", "what was found")]),
    ),
    EntryKind.FACT_STABLE: ("USER.md", Category.C3, Tag.CONFIG, "", Facts()),
    EntryKind.FACT_OVERRIDABLE: ("USER.md", Category.C3, Tag.CONFIG, "user.overridable", Facts()),
    EntryKind.STATE: ("memory/2026-01-15.md", Category.C4, Tag.TOOL_INPUT, "", Facts()),
    EntryKind.MEMORY: ("MEMORY.md", Category.C5, Tag.TOOL_INPUT, "", Facts()),
    EntryKind.TOOL_NARRATIVE: ("TOOLS.md", Category.C6, Tag.CONFIG, "", Facts()),
    EntryKind.TOOL_CONCRETE: (
        "TOOLS.md",
        Category.C6,
        Tag.CONFIG,
        "",
        Facts(ToolFact(url="https://example.test/v1")),
    ),
    EntryKind.TOOL_ABSTRACT: ("TOOLS.md", Category.C6, Tag.TOOL_TEMPLATE, "", Facts()),
    EntryKind.CREDENTIAL: (".env", Category.C7, Tag.CONFIG, "", Facts()),
    EntryKind.SCHEDULE: ("HEARTBEAT.md", Category.C9, Tag.ORCHESTRATE, "", Facts()),
    EntryKind.CROSS_REFERENCE: ("BOOTSTRAP.md", Category.NONE, Tag.NO_DECOMPOSE, "bootstrap.file", Facts()),
}
"""An element of each kind: file, category, tag, mapping row, facts."""

ROWS = (
    MappingRow("user.overridable", "a fact", Category.C3, EntryKind.FACT_OVERRIDABLE, Disposition.EXTERNAL_INPUT,
               "main.py", "--user-context", "parameter", "parameter", reason="Another user would change it."),
    MappingRow("skill.schema", "a field", Category.NONE, EntryKind.SCHEMA, Disposition.BUNDLE,
               "schemas.py", "AgentReply", "schema", "pydantic model"),
    MappingRow("bootstrap.file", "BOOTSTRAP.md", Category.NONE, EntryKind.CROSS_REFERENCE, Disposition.REMOVE,
               "mapping_report.md", "Removed During Audit", "report", "removed", reason="It deletes itself."),
    MappingRow("agents.rule", "a rule", Category.C2, EntryKind.RULE, Disposition.BUNDLE,
               "requirements.py", "OPERATING_REQUIREMENTS", "Requirement", "Requirement(...)", reason="Rules hold."),
    MappingRow("wiki.file", "a wiki file", Category.C5, EntryKind.MEMORY, Disposition.DELEGATE_TO_RUNTIME,
               "constrained_slots.py", "recall_memory", "delegate", "stub", "§5.1", "The wiki is the host's."),
    MappingRow("skill.file", "a skill", Category.C6, EntryKind.TOOL_ABSTRACT, Disposition.STUB,
               "constrained_slots.py", "", "stub", "stub", "§8", "A skill is a spec of its own.",
               role=ElementRole.SKILL),
    MappingRow("tools.narrative", "a tool's text", Category.C6, EntryKind.TOOL_NARRATIVE, Disposition.BUNDLE,
               "config.py", "TOOL_GUIDANCE", "bundle", "text", reason="It grants nothing."),
    MappingRow("hook.entry", "a hook", Category.C9, EntryKind.SCHEDULE, Disposition.DELEGATE_TO_RUNTIME,
               "SETUP.md", "§7", "delegate", "host", "§7", "The host's event."),
    MappingRow("agents.list", "another agent", Category.C2, EntryKind.RULE, Disposition.REMOVE,
               "mapping_report.md", "Detected but not handled (deferred)", "report", "deferred", reason="Deferred."),
)  # fmt: skip


def element_of(kind: EntryKind, text: str = "", **changes: object) -> Element:
    """Return an element that becomes a plan entry of this kind."""
    text = text or "Never auto-close a ticket"
    file, category, tag, row, facts = KIND_ELEMENTS[kind]
    made = element(file, text, category=category, tag=tag)
    return replace(made, mapping_row=row, facts=facts, **changes)


def element(
    file: str,
    text: str,
    *,
    section: tuple[str, ...] = (),
    context: tuple[str, ...] = (),
    kind: str = "item",
    category: Category = Category.C2,
    tag: Tag = Tag.DECIDE,
) -> Element:
    """Return one element without an id."""
    said = ": ".join((*context, text)) if context else text
    return Element(
        element_id="",
        source_file=file,
        decisions=(Decision(DecisionKind.JUDGED, "A rule."),) if category is Category.C2 else (),
        source_lines="1",
        kind=kind,
        tag=tag,
        category=category,
        content_summary=text[:100],
        content_full=f"- {text}" if kind == "item" else text,
        statement=said,
        section=section,
        context=context,
    )


def numbered(elements: Iterable[Element]) -> tuple[Element, ...]:
    """Return the elements with ids and lines in order."""
    return tuple(
        replace(found, element_id=f"elem_{number:03}", source_lines=str(number))
        for number, found in enumerate(elements, start=1)
    )


def inventory_of(*elements: Element) -> Inventory:
    """Return an inventory of elements, numbered in order."""
    return Inventory(files=(), elements=numbered(elements))


def mapping_of(inventory: Inventory) -> ElementMapping:
    """Return the mapping that the toy rows give."""
    rows = {row.row_id: row for row in ROWS}
    entries = []
    for number, found in enumerate(inventory.elements, start=1):
        row = rows.get(found.mapping_row)
        is_rule = found.category is Category.C2
        file, symbol = (row.target_file, row.target_symbol) if row else ("", "")
        if not row and is_rule:
            file, symbol = "requirements.py", "OPERATING_REQUIREMENTS"
        entries.append(
            MappingEntry(
                f"map_{number:03}",
                found.element_id,
                file,
                symbol,
                "Requirement" if is_rule else "bundle",
                "",
                validation_kind=ValidationKind.LLM_JUDGED if is_rule else None,
            )
        )
    return ElementMapping(mappings=tuple(entries))


def plan_of(inventory: Inventory, decisions: Decisions | None = None) -> DependencyPlan:
    """Return the plan of an inventory."""
    mapping = mapping_of(inventory)
    decided = decisions or Decisions()
    rows = {row.row_id: row for row in ROWS}
    drafted = draft_plan(inventory, mapping, rows, element_keys(inventory.elements), decided.retags)
    return make_plan(drafted, decided.overrides)


def overriding(key: str, disposition: Disposition | None, **more: object) -> Decisions:
    """Return decisions with one override."""
    return Decisions(overrides=frozen({key: Override(disposition, **more)}))  # type: ignore[arg-type]


def places_in(elements: Sequence[Element]) -> dict[str, Place]:
    """Return the places of numbered elements by key."""
    return places_of(elements, element_keys(elements))


def snapshot_of(name: str = "ticket-triage") -> Snapshot:
    """Return an empty snapshot."""
    return Snapshot(name=name, root=f"/workspace/{name}", files=(), names=())
