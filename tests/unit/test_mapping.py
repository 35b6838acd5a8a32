"""Step 2: one entry an element, precedence of the rows, what is a requirement, judgment calls, inlinings."""

import pytest
from msgspec.structs import replace

from melleafy_tui.core.dialects.openclaw.dialect import OpenClawDialect
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.models.conversion_settings import Settings
from melleafy_tui.core.models.inventory import Decision, Element
from melleafy_tui.core.models.mapping import ElementMapping, MappingEntry
from melleafy_tui.core.models.vocabulary import Category, DecisionKind, Tag, ValidationKind
from melleafy_tui.core.pipeline.classify import classify
from melleafy_tui.core.pipeline.element_mapping import GENERAL_ROWS, map_elements
from tests.dialects.openclaw.in_memory import DIALECTS, inventory_of, mapped, snapshot_of

SEED = {
    "SOUL.md": "# Soul\n\n## Voice\n\nWarm, curious tone; prefers Socratic questioning\n",
    "IDENTITY.md": "name: ticket-triage\n",
    "AGENTS.md": "# Agents\n\n- Never auto-close a ticket without confirmation\n",
    "HEARTBEAT.md": "Run every 30m during business hours\n",
}


def mapping_of(tree: dict[str, str]) -> ElementMapping:
    classification, _ = classify(snapshot_of(tree), Settings(source_runtime="openclaw"), DIALECTS)
    return map_elements(inventory_of(tree), DIALECTS.rows_of(classification.dialect_runtimes))


def last(tree: dict[str, str]) -> tuple[Element, MappingEntry]:
    return mapped(tree)[-1]


def test_the_seeds_section_7_comes_out_as_printed() -> None:
    shown = [
        (
            e.source_file,
            e.tag.value,
            e.category.value,
            e.content_summary,
            m.target_file,
            m.target_symbol,
            m.primitive,
            m.mellea_construct,
        )
        for e, m in mapped(SEED)
        if e.category is not Category.NONE
    ]
    assert shown == [
        ("SOUL.md", "CONVERSE", "C1", "Warm, curious tone; prefers Socratic questioning", "config.py", "PREFIX_TEXT", "bundle",
         "prefix= argument on all m.instruct"),
        ("IDENTITY.md", "CONFIG", "C1", "name: ticket-triage", "config.py", "AGENT_NAME", "bundle", "constant"),
        ("AGENTS.md", "DECIDE", "C2", "Rule: never auto-close a ticket without confirmation", "requirements.py", "OPERATING_REQUIREMENTS",
         "Requirement", "Requirement(description=..., validation_fn=...)"),
        ("HEARTBEAT.md", "ORCHESTRATE", "C9", "Run every 30m during business hours", "config.py", "SCHEDULE_CONFIG", "delegate",
         "constant + SETUP.md §6"),
        ("SOUL.md", "VALIDATE_OUTPUT", "C2", "Warm, curious tone; prefers Socratic questioning", "requirements.py", "OPERATING_REQUIREMENTS",
         "Requirement", "Requirement(description=..., validation_fn=...)"),
    ]  # fmt: skip


def test_every_element_has_one_entry_in_its_order() -> None:
    inventory, mapping = inventory_of(SEED), mapping_of(SEED)
    assert [m.element_id for m in mapping.mappings] == [e.element_id for e in inventory.elements]
    assert [m.mapping_id for m in mapping.mappings] == [
        f"map_{n:03}" for n in range(1, len(inventory.elements) + 1)
    ]


def test_what_is_not_decomposed_maps_to_nothing() -> None:
    element, entry = last({"AGENTS.md": "# Rules\n"})
    assert element.tag is Tag.NO_DECOMPOSE
    assert (entry.primitive, entry.target_file, entry.dialect_row) == ("none", "", "no_decompose")


@pytest.mark.parametrize("category", GENERAL_ROWS)
def test_general_row(category: Category) -> None:
    inventory = inventory_of({"AGENTS.md": "- Never lie.\n"})
    decisions = (Decision(DecisionKind.JUDGED, "A rule."),) if category is Category.C2 else ()
    element = replace(inventory.elements[0], category=category, tag=Tag.DECIDE, decisions=decisions)
    classification, _ = classify(snapshot_of(SEED), Settings(source_runtime="openclaw"), DIALECTS)
    mapping = map_elements(
        replace(inventory, elements=(element,)), DIALECTS.rows_of(classification.dialect_runtimes)
    )
    (entry,) = mapping.mappings
    expected = "agents.rule" if category is Category.C2 else GENERAL_ROWS[category].row_id
    assert entry.dialect_row == expected
    assert (entry.target_file, entry.target_symbol) == (
        GENERAL_ROWS[category].target_file,
        GENERAL_ROWS[category].target_symbol,
    )


def test_a_runtime_without_a_dialect_maps_by_the_general_table() -> None:
    dialects = Dialects.of()
    inventory = inventory_of({"AGENTS.md": "- Never lie.\n"})
    classification, _ = classify(
        snapshot_of(SEED), Settings(source_runtime="letta"), Dialects.of(OpenClawDialect())
    )
    (entry,) = map_elements(inventory, dialects.rows_of(classification.dialect_runtimes)).mappings
    assert entry.dialect_row == "general.c2"


@pytest.mark.parametrize(
    ("text", "symbol", "kind"),
    [
        ("- Keep every reply under 120 words.\n", "OPERATING_REQUIREMENTS", ValidationKind.EXECUTABLE),
        ("- Never say sorry twice in a reply.\n", "OPERATING_REQUIREMENTS", ValidationKind.LLM_JUDGED),
        ("- Never paint the red door.\n", "OPERATING_REQUIREMENTS", None),
        ("- You may open the blue door.\n", "OPERATING_REQUIREMENTS", None),
        ("- Max retries: 3\n", "OPERATING_REQUIREMENTS", None),
        ("## Shop\n\n- Quality over quantity\n", "OPERATING_REQUIREMENTS", None),
        ("Safe to do freely:\n\n- Open doors\n", "OPERATING_REQUIREMENTS", None),
    ],
)
def test_only_what_demands_something_is_a_requirement(
    text: str, symbol: str, kind: ValidationKind | None
) -> None:
    _, entry = last({"AGENTS.md": text})
    assert (entry.target_symbol, entry.validation_kind) == (symbol, kind)
    assert (entry.check is not None) is (kind is ValidationKind.EXECUTABLE)
    assert bool(entry.note) is (kind is None)


def test_a_scoped_permission_is_a_note() -> None:
    _, entry = last({"ui/AGENTS.md": "- You may use blue.\n"})
    assert (entry.dialect_row, entry.target_symbol, entry.validation_kind) == (
        "agents.scoped",
        "SCOPED_REQUIREMENTS",
        None,
    )


def test_judgment_calls_say_what_was_chosen_and_why() -> None:
    tree = {
        "IDENTITY.md": "- **Creature:** owl\n",
        "USER.md": "- **Team:** four\n- **Timezone:** UTC\n",
        "AGENTS.md": "## Shop\n\n- Write the digest every morning\n\n## 规则\n\n质量第一\n",
    }
    questions = {call.question: call for call in mapping_of(tree).judgment_calls}
    assert set(questions) == {
        "Is the creature the role?",
        "Stable or overridable fact?",
    }
    assert all(call.reason for call in questions.values())


def test_an_inlining_names_element_and_lines() -> None:
    tree = {"AGENTS.md": "- As agreed in BOOTSTRAP.md, be brief\n", "BOOTSTRAP.md": "Be brief.\n"}
    (inlining,) = mapping_of(tree).inlinings
    assert (inlining.source_file, inlining.source_lines, inlining.text) == ("BOOTSTRAP.md", "1", "Be brief.")
    assert inventory_of(tree).by_id[inlining.element_id].source_file == "AGENTS.md"
