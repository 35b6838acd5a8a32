"""Step 2.5: kinds, defaults, sources, targets and symbols of plan entries (spec/conversion.md 5)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from melleafy_tui.core.decisions.state import Decisions, Override, Retag, frozen
from melleafy_tui.core.errors import DecisionsRefused
from melleafy_tui.core.models.facts import Facts, ToolFact
from melleafy_tui.core.models.inventory import Decision
from melleafy_tui.core.models.vocabulary import (
    Category,
    DecisionKind,
    DecisionSource,
    Disposition,
    EntryKind,
    Tag,
)
from melleafy_tui.core.package.dispositions import allowed_for
from tests.unit.planning import KIND_ELEMENTS, element, element_of, inventory_of, overriding, plan_of


def test_entries_are_numbered_in_source_order_and_the_backend_comes_last() -> None:
    kinds = list(KIND_ELEMENTS)
    plan = plan_of(inventory_of(*(element_of(kind, f"text of {kind.value}") for kind in kinds)))
    assert [entry.kind for entry in plan.entries] == [*kinds, EntryKind.BACKEND]
    assert [entry.entry_id for entry in plan.entries] == [
        f"dep_{number:03}" for number in range(1, len(kinds) + 2)
    ]
    backend = plan.entries[-1]
    assert (backend.key, backend.category, backend.source_elements) == (
        "settings#backend",
        "c8_runtime_environment",
        (),
    )


def test_an_element_without_category_has_no_entry_unless_the_dialect_gives_it_a_row() -> None:
    prose = replace(element("AGENTS.md", "Some prose"), category=Category.NONE, tag=Tag.NO_DECOMPOSE)
    plan = plan_of(inventory_of(prose, element_of(EntryKind.CROSS_REFERENCE, "Hello")))
    assert [entry.source_elements for entry in plan.entries] == [("elem_002",), ()]
    assert plan.entries[0].disposition is Disposition.REMOVE
    assert plan.entries[0].target == "mapping_report.md:Removed During Audit"


SOURCES: dict[str, tuple[dict[str, Any], dict[str, Any], DecisionSource, Disposition, str]] = {
    "dialect-row": ({"mapping_row": "agents.rule"}, {}, DecisionSource.DIALECT, Disposition.BUNDLE, "Rules hold."),
    "general-table": ({}, {}, DecisionSource.AUTO, Disposition.BUNDLE, "checks what it can"),
    "left-out": ({"mapping_row": "agents.rule",
                  "decisions": (Decision(DecisionKind.LEFT_OUT, "It names a tool of OpenClaw."),)}, {},
                 DecisionSource.DIALECT, Disposition.REMOVE, "It names a tool of OpenClaw."),
    "deferred-row": ({"mapping_row": "agents.list"}, {}, DecisionSource.DIALECT, Disposition.REMOVE, "Deferred."),
    "retagged": ({"mapping_row": "tools.narrative"}, {"category": Category.C2}, DecisionSource.INFERRED,
                 Disposition.BUNDLE, "checks what it can"),
    "retagged-tag-only": ({"mapping_row": "agents.rule"}, {"tag": Tag.DECIDE}, DecisionSource.DIALECT,
                          Disposition.BUNDLE, "Rules hold."),
}  # fmt: skip


@pytest.mark.parametrize("case", SOURCES)
def test_where_a_default_comes_from(case: str) -> None:
    changes, retag, source, default, reason = SOURCES[case]
    inventory = inventory_of(replace(element("AGENTS.md", "Close nothing"), **changes))
    key = plan_of(inventory).entries[0].key
    retags = frozen({key: Retag(**retag)}) if retag else frozen({})
    entry = plan_of(inventory, Decisions(retags=retags)).entries[0]
    assert (entry.source_of_decision, entry.disposition, entry.default_disposition) == (
        source,
        default,
        default,
    )
    assert reason in entry.reason


TOOLS: dict[str, tuple[Facts, Tag, str, EntryKind, Disposition]] = {
    "narrative": (Facts(), Tag.CONFIG, "tools.narrative", EntryKind.TOOL_NARRATIVE, Disposition.BUNDLE),
    "concrete_http": (
        Facts(ToolFact(url="https://a.test")),
        Tag.CONFIG,
        "",
        EntryKind.TOOL_CONCRETE,
        Disposition.REAL_IMPL,
    ),
    "concrete_script": (
        Facts(ToolFact(script="scripts/a.py")),
        Tag.CONFIG,
        "",
        EntryKind.TOOL_CONCRETE,
        Disposition.REAL_IMPL,
    ),
    "abstract": (Facts(), Tag.TOOL_TEMPLATE, "", EntryKind.TOOL_ABSTRACT, Disposition.STUB),
    "skill": (
        Facts(ToolFact(name="weather")),
        Tag.TOOL_TEMPLATE,
        "skill.file",
        EntryKind.TOOL_ABSTRACT,
        Disposition.STUB,
    ),
}


@pytest.mark.parametrize("subtype", TOOLS)
def test_the_subtype_of_a_tool_follows_from_what_the_source_names(subtype: str) -> None:
    facts, tag, row, kind, default = TOOLS[subtype]
    tool = replace(element_of(EntryKind.TOOL_NARRATIVE), facts=facts, tag=tag, mapping_row=row)
    entry = plan_of(inventory_of(tool)).entries[0]
    assert (entry.subtype, entry.kind, entry.disposition) == (subtype, kind, default)


def test_text_about_a_tool_grants_no_call_even_where_it_names_an_address() -> None:
    text = replace(element_of(EntryKind.TOOL_CONCRETE), mapping_row="tools.narrative")
    entry = plan_of(inventory_of(text)).entries[0]
    assert (entry.kind, entry.disposition) == (EntryKind.TOOL_NARRATIVE, Disposition.BUNDLE)


TARGETS = {
    "rule-bundle": (EntryKind.RULE, Disposition.BUNDLE, "requirements.py:OPERATING_REQUIREMENTS", ""),
    "rule-stub": (EntryKind.RULE, Disposition.STUB, "constrained_slots.py:validate_be_brief", "validate_be_brief"),
    "rule-load": (EntryKind.RULE, Disposition.LOAD_FROM_DISK, "_runtime/loader.py:read_rules", "read_rules"),
    "rule-remove": (EntryKind.RULE, Disposition.REMOVE, "mapping_report.md:Removed During Audit", ""),
    "identity-delegate": (EntryKind.IDENTITY, Disposition.DELEGATE_TO_RUNTIME, "constrained_slots.py:load_be_brief", "load_be_brief"),
    "identity-external": (EntryKind.IDENTITY, Disposition.EXTERNAL_INPUT, "main.py:--be-brief", "be_brief"),
    "fact-external": (EntryKind.FACT_STABLE, Disposition.EXTERNAL_INPUT, "main.py:--user-context", "user_context"),
    "memory-real": (EntryKind.MEMORY, Disposition.REAL_IMPL, "tools.py:recall_memory", "recall_memory"),
    "tool-real": (EntryKind.TOOL_CONCRETE, Disposition.REAL_IMPL, "tools.py:be_brief", "be_brief"),
    "tool-external": (EntryKind.TOOL_CONCRETE, Disposition.EXTERNAL_INPUT, "pipeline.py:be_brief", "be_brief"),
    "schedule-external": (EntryKind.SCHEDULE, Disposition.EXTERNAL_INPUT, "main.py:--every", "every"),
}  # fmt: skip


@pytest.mark.parametrize("case", TARGETS)
def test_the_target_follows_the_disposition(case: str) -> None:
    kind, disposition, target, symbol = TARGETS[case]
    inventory = inventory_of(element_of(kind, "Be brief"))
    key = plan_of(inventory).entries[0].key
    entry = plan_of(inventory, overriding(key, disposition)).entries[0]
    assert (entry.target, entry.symbol) == (target, symbol)


def test_a_credential_keeps_its_variable_name() -> None:
    variable = replace(element_of(EntryKind.CREDENTIAL), kind="variable", label="OPENAI_API_KEY")
    assert plan_of(inventory_of(variable)).entries[0].target == ".env.example:OPENAI_API_KEY"


def test_a_row_that_points_into_a_document_keeps_that_place_by_default_only() -> None:
    hook = replace(element_of(EntryKind.SCHEDULE, "On push"), mapping_row="hook.entry")
    plan = plan_of(inventory_of(hook))
    assert (plan.entries[0].target, plan.entries[0].setup_section) == ("SETUP.md:§7", "§7")
    changed = plan_of(inventory_of(hook), overriding(plan.entries[0].key, Disposition.BUNDLE)).entries[0]
    assert (changed.target, changed.setup_section) == ("config.py:SCHEDULE_CONFIG", "")


def test_the_rows_own_setup_section_wins_over_the_matrix() -> None:
    wiki = replace(element_of(EntryKind.MEMORY), mapping_row="wiki.file")
    assert plan_of(inventory_of(wiki)).entries[0].setup_section == "§5.1"


def test_a_heading_takes_no_name_from_the_tool_below_it() -> None:
    heading = replace(
        element("TOOLS.md", "Weather", kind="heading"), category=Category.NONE, tag=Tag.NO_DECOMPOSE
    )
    tool = replace(
        element_of(EntryKind.TOOL_CONCRETE, "GET https://a.test"),
        facts=Facts(ToolFact(name="Weather", url="https://a.test")),
    )
    assert plan_of(inventory_of(heading, tool)).entries[0].target == "tools.py:weather"


def test_memory_entries_share_one_function() -> None:
    memories = [
        replace(element_of(EntryKind.MEMORY, text), mapping_row="wiki.file") for text in ("One", "Two")
    ]
    entries = plan_of(inventory_of(*memories)).entries[:2]
    assert [entry.symbol for entry in entries] == ["recall_memory", "recall_memory"]


def test_an_override_is_the_users_and_keeps_rationale_and_default() -> None:
    inventory = inventory_of(element_of(EntryKind.RULE))
    key = plan_of(inventory).entries[0].key
    entry = plan_of(inventory, overriding(key, Disposition.STUB, rationale="ours")).entries[0]
    assert entry.source_of_decision is DecisionSource.USER
    assert (entry.override_rationale, entry.default_disposition) == ("ours", Disposition.BUNDLE)
    assert entry.overridden


def test_an_override_that_equals_the_default_is_none() -> None:
    inventory = inventory_of(element_of(EntryKind.RULE))
    plain = plan_of(inventory)
    assert plan_of(inventory, overriding(plain.entries[0].key, Disposition.BUNDLE)) == plain


def test_judging_individually_is_no_other_disposition() -> None:
    inventory = inventory_of(element_of(EntryKind.RULE))
    key = plan_of(inventory).entries[0].key
    entry = plan_of(inventory, overriding(key, None, judge_individually=True)).entries[0]
    assert entry.judge_individually
    assert not entry.overridden


def test_an_unknown_key_is_refused_by_name() -> None:
    with pytest.raises(DecisionsRefused, match=r"AGENTS\.md#gone"):
        plan_of(inventory_of(), overriding("AGENTS.md#gone", Disposition.STUB))


def test_an_override_on_an_element_without_category_says_so() -> None:
    prose = replace(element("AGENTS.md", "Some prose"), category=Category.NONE)
    with pytest.raises(DecisionsRefused, match="has no category"):
        plan_of(inventory_of(prose), overriding("AGENTS.md#some-prose", Disposition.STUB))


rule_texts = st.lists(st.sampled_from(["Be brief", "class", "load be brief", "validate be brief", "工单", "", "...",
                                       "update memory", "user context", "print", "never", "Never!"]), max_size=12)  # fmt: skip
some_kinds = st.sampled_from(list(KIND_ELEMENTS))


@given(st.lists(st.tuples(some_kinds, rule_texts.map(" ".join)), max_size=12), st.data())
def test_symbols_of_one_file_are_unique_and_do_not_depend_on_other_overrides(
    pieces: list[tuple[EntryKind, str]], data: st.DataObject
) -> None:
    inventory = inventory_of(*(element_of(kind, text) for kind, text in pieces))
    plain = plan_of(inventory)
    overrides = {
        entry.key: Override(data.draw(st.sampled_from(allowed_for(entry.kind)), label=entry.key))
        for entry in plain.entries
        if data.draw(st.booleans())
    }
    plan = plan_of(inventory, Decisions(overrides=frozen(overrides)))
    own: dict[tuple[str, str], EntryKind] = {}
    for entry in plan.entries:
        if not entry.symbol:
            continue
        assert entry.symbol.isidentifier()
        assert entry.symbol.isascii()
        place = (entry.target.partition(":")[0], entry.symbol)
        shared = own.setdefault(place, entry.kind)
        assert shared is entry.kind or {shared, entry.kind} <= {
            EntryKind.FACT_STABLE,
            EntryKind.FACT_OVERRIDABLE,
        }
    for before, after in zip(plain.entries, plan.entries, strict=True):
        if before.disposition is after.disposition:
            assert (before.symbol, before.target) == (after.symbol, after.target)
