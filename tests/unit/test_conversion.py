"""The conversion: acts, undo, decisions files, newer snapshots (spec/decisions.md)."""

import json
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from melleafy_tui.core.decisions.commands import (
    AcceptSuggestion,
    Acknowledge,
    ChangeSettings,
    Command,
    DropUnplaced,
    SetDisposition,
    SetRationale,
    SetTag,
)
from melleafy_tui.core.decisions.file import format_decisions, parse_decisions
from melleafy_tui.core.decisions.rebase import DecisionState
from melleafy_tui.core.decisions.state import Decisions
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.errors import DecisionsRefused, UsageError
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.conversion_settings import Settings
from melleafy_tui.core.models.file_set import FileSet
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.vocabulary import (
    Category,
    DecisionSource,
    Disposition,
    EntryKind,
    Modality,
    Tag,
)
from melleafy_tui.core.package.dispositions import allowed_for, cell
from melleafy_tui.core.pipeline.conversion import Conversion, RunContext
from melleafy_tui.generators.first_turn import run_cost
from tests.converted import JudgeAlone

AGENTS = """\
# Rules

- Never auto-close a ticket without confirmation.
- Keep every reply polite and calm.
- If a ticket mentions data loss, escalate it to the engineer.
"""
WORKSPACE = {
    "SOUL.md": "# Soul\n\nWarm, curious tone.\n",
    "IDENTITY.md": "- **Name:** ticket-triage\n",
    "AGENTS.md": AGENTS,
    "MEMORY.md": "# Memory\n\nThe billing queue is handled by another team.\n",
}
NEVER = "AGENTS.md#rules/never-auto-close-a-ticket"
POLITE = "AGENTS.md#rules/keep-every-reply-polite-and"


def snapshot(files: dict[str, str]) -> Snapshot:
    sources = tuple(SourceFile(path, text.encode(), text) for path, text in sorted(files.items()))
    return Snapshot("ticket-triage", "/workspace/ticket-triage", sources, tuple(sorted(files)))


def no_files(committed: CommittedPlan) -> FileSet:
    return FileSet((), committed.package_name)


def begin(
    files: dict[str, str] | None = None,
    decisions: Decisions | None = None,
) -> Conversion:
    return Conversion(
        snapshot(files or WORKSPACE),
        dialects=Dialects.default(),
        render=no_files,
        price=run_cost,
        run_context=RunContext(date(2026, 1, 15), "2026-01-15T00:00:00Z"),
        decisions=decisions,
    )


def entry(conversion: Conversion, key: str) -> PlanEntry:
    return next(found for found in conversion.plan.entries if found.key == key)


def test_an_override_reaches_the_plan_and_undo_takes_it_back() -> None:
    conversion = begin()
    assert conversion.act(SetDisposition((NEVER,), Disposition.STUB, "ours"))
    found = entry(conversion, NEVER)
    assert (found.disposition, found.source_of_decision) == (Disposition.STUB, DecisionSource.USER)
    unsaved = [conversion.unsaved]
    conversion.undo()
    unsaved.append(conversion.unsaved)
    assert unsaved == [True, False]
    assert entry(conversion, NEVER).disposition is Disposition.BUNDLE
    conversion.redo()
    assert entry(conversion, NEVER).override_rationale == "ours"


def test_a_forbidden_act_changes_nothing_and_leaves_no_trace() -> None:
    conversion = begin()
    before = conversion.decisions
    with pytest.raises(DecisionsRefused):
        conversion.act(SetDisposition((NEVER, POLITE), Disposition.MOCK))
    assert conversion.decisions is before
    assert conversion.acts == ()
    conversion.act(SetDisposition((NEVER,), Disposition.STUB))
    conversion.undo()
    with pytest.raises(DecisionsRefused):
        conversion.act(SetDisposition((NEVER,), Disposition.MOCK))
    assert len(conversion.undone_acts) == 1


@pytest.mark.parametrize("changes", [{"modality": "sometimes"}, {"temperature": 1}], ids=["value", "name"])
def test_an_unknown_setting_is_a_usage_error(changes: dict[str, object]) -> None:
    conversion = begin()
    with pytest.raises(UsageError) as failed:
        conversion.act(ChangeSettings(changes))
    assert next(iter(changes)) in failed.value.message
    assert conversion.acts == ()


def test_what_is_saved_gives_the_same_plan_headless() -> None:
    conversion = begin()
    conversion.act(SetDisposition((NEVER,), Disposition.STUB, "ours"))
    conversion.act(SetDisposition((POLITE,), Disposition.REMOVE))
    conversion.act(SetDisposition((POLITE,), Disposition.BUNDLE))
    conversion.act(JudgeAlone((POLITE,)))
    conversion.act(ChangeSettings({"model_id": "granite4.1:8b"}))
    text = format_decisions(conversion.to_document())
    headless = begin()
    states = headless.load(parse_decisions(text))
    assert {state.state for state in states} == {DecisionState.APPLIED}
    assert headless.plan == conversion.plan
    assert headless.settings == conversion.settings
    assert format_decisions(headless.to_document()) == text
    assert not headless.unsaved


def test_the_file_holds_nothing_that_equals_a_default() -> None:
    conversion = begin()
    conversion.act(SetDisposition((NEVER,), Disposition.STUB))
    conversion.act(SetDisposition((NEVER,), Disposition.BUNDLE))
    document = conversion.to_document()
    assert document.overrides == ()
    assert document.settings == type(document.settings)()


def test_a_rationale_for_the_default_is_kept() -> None:
    conversion = begin()
    conversion.act(SetDisposition((NEVER,), Disposition.BUNDLE, "we talked about it"))
    document = parse_decisions(format_decisions(conversion.to_document()))
    assert document.overrides[0].override_rationale == "we talked about it"
    again = begin()
    again.load(document)
    assert again.plan == conversion.plan


def test_entries_of_a_file_are_sorted_by_file_and_position() -> None:
    conversion = begin()
    keys = [found.key for found in conversion.plan.entries if Disposition.REMOVE in allowed_for(found.kind)]
    for key in reversed(keys):
        conversion.act(SetDisposition((key,), Disposition.REMOVE))
    saved = [item.key or "" for item in conversion.to_document().overrides]
    assert sorted(saved, key=lambda key: (key.partition("#")[0], keys.index(key))) == saved
    assert len(saved) == len(keys)


REFUSED = {
    "not-allowed": (["mock"], "mock", "Allowed here"),
    "twice": (["remove", "stub"], NEVER, "Two entries"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_a_refused_file_changes_nothing_and_names_entry_line_and_reason(case: str) -> None:
    choices, name, reason = REFUSED[case]
    overrides = [(POLITE, "remove"), *((NEVER, choice) for choice in choices)]
    text = json.dumps({"overrides": [{"key": key, "disposition": choice} for key, choice in overrides]})
    text = text.replace('{"key"', '\n{"key"')
    conversion = begin()
    with pytest.raises(DecisionsRefused) as refused:
        conversion.load(parse_decisions(text, source="d.json"))
    assert refused.value.location == f"d.json:{len(overrides) + 1}"
    assert name in refused.value.message
    assert reason in refused.value.message
    assert conversion.decisions == Decisions()
    states = conversion.states_of(parse_decisions(text))
    assert DecisionState.REFUSED in {state.state for state in states}


def test_orphans_and_suggestions_are_kept_written_back_and_can_be_settled() -> None:
    text = format_decisions(
        parse_decisions(
            '{"overrides": ['
            '{"key": "AGENTS.md#rules/please-keep-every-reply-polite", "disposition": "remove", "override_rationale": "r",'
            ' "expects": {"words": "Please keep every reply polite and calm."}},'
            '{"key": "GONE.md#x/y", "disposition": "stub"}]}'
        )
    )
    conversion = begin()
    states = conversion.load(parse_decisions(text))
    assert [state.state for state in states] == [DecisionState.SUGGESTED, DecisionState.ORPHANED]
    assert conversion.plan == begin().plan
    assert {item.name for item in conversion.to_document().overrides} == {state.name for state in states}
    conversion.act(AcceptSuggestion(states[0].name))
    assert entry(conversion, POLITE).disposition is Disposition.REMOVE
    conversion.act(DropUnplaced((states[1].name,)))
    assert [item.key for item in conversion.to_document().overrides] == [POLITE]
    conversion.undo()
    conversion.undo()
    assert {item.name for item in conversion.to_document().overrides} == {state.name for state in states}


def test_the_short_form_becomes_a_key_on_save() -> None:
    conversion = begin()
    number = entry(conversion, NEVER).entry_id
    short = json.dumps({"overrides": [{"entry_id": number, "disposition": "stub"}]})
    conversion.load(parse_decisions(short))
    assert entry(conversion, NEVER).disposition is Disposition.STUB
    assert conversion.to_document().overrides[0].key == NEVER
    assert conversion.unsaved


def test_settings_of_the_file_yield_to_those_given_by_options() -> None:
    document = parse_decisions('{"settings": {"model_id": "from-file", "backend": "openai"}}')
    conversion = begin(decisions=Decisions(settings=Settings(model_id="from-option")))
    conversion.load(document)
    assert (conversion.settings.model_id, conversion.settings.backend) == ("from-option", "openai")
    conversion.load(document, fixed=())
    assert conversion.settings.model_id == "from-file"


def test_a_modality_of_the_file_reaches_the_classification() -> None:
    conversion = begin()
    conversion.load(parse_decisions('{"settings": {"modality": "heartbeat"}}'))
    assert conversion.classification.modality is Modality.HEARTBEAT


def test_a_retag_of_the_file_is_in_force_before_its_overrides() -> None:
    conversion = begin()
    retag = {"key": NEVER, "tag": "TOOL_TEMPLATE", "category": "C6"}
    text = json.dumps({"retags": [retag], "overrides": [{"key": NEVER, "disposition": "mock"}]})
    states = conversion.load(parse_decisions(text))
    assert {state.state for state in states} == {DecisionState.APPLIED}
    found = entry(conversion, NEVER)
    assert (found.kind, found.disposition) == (EntryKind.TOOL_ABSTRACT, Disposition.MOCK)
    assert found.category == "c6_tools"


def test_a_retag_that_would_orphan_an_override_is_refused_with_what_to_do() -> None:
    conversion = begin()
    conversion.act(SetDisposition((NEVER,), Disposition.STUB))
    with pytest.raises(DecisionsRefused) as refused:
        conversion.act(SetTag((NEVER,), Tag.NO_DECOMPOSE, Category.NONE))
    assert "undo its override" in refused.value.hint


def test_a_newer_snapshot_takes_decisions_and_history_along() -> None:
    conversion = begin()
    conversion.act(SetDisposition((NEVER,), Disposition.STUB))
    conversion.act(SetDisposition((POLITE,), Disposition.REMOVE))
    conversion.mark_saved()
    newer = {
        **WORKSPACE,
        "AGENTS.md": AGENTS.replace("# Rules", "# Law").replace("- Keep every", "- New.\n- Keep every"),
    }
    states = conversion.reread(snapshot(newer))
    assert {state.state for state in states} == {DecisionState.MOVED}
    moved = NEVER.replace("rules", "law")
    assert entry(conversion, moved).disposition is Disposition.STUB
    conversion.undo()
    assert entry(conversion, moved).disposition is Disposition.STUB
    conversion.undo()
    assert not conversion.plan.entries[0].overridden
    conversion.redo()
    conversion.redo()
    assert entry(conversion, POLITE.replace("rules", "law")).disposition is Disposition.REMOVE


def test_a_deleted_rule_keeps_its_override_and_its_return_brings_it_back() -> None:
    conversion = begin()
    conversion.act(SetDisposition((NEVER,), Disposition.STUB, "ours"))
    without = {
        **WORKSPACE,
        "AGENTS.md": AGENTS.replace("- Never auto-close a ticket without confirmation.\n", ""),
    }
    states = conversion.reread(snapshot(without))
    assert [state.state for state in states] == [DecisionState.ORPHANED]
    assert [item.key for item in conversion.to_document().overrides] == [NEVER]
    conversion.reread(snapshot(WORKSPACE))
    found = entry(conversion, NEVER)
    assert (found.disposition, found.override_rationale) == (Disposition.STUB, "ours")


def test_a_twin_with_other_decisions_leaves_the_conversion_alone() -> None:
    conversion = begin()
    plan = conversion.plan
    twin = conversion.with_decisions(SetDisposition((NEVER,), Disposition.STUB).apply(conversion.decisions))
    assert entry(twin, NEVER).disposition is Disposition.STUB
    assert conversion.plan == plan
    assert conversion.acts == ()


def test_calls_fall_when_judged_rules_are_folded_and_rise_with_each_judged_alone() -> None:
    conversion = begin()
    conversion.act(SetTag((NEVER,), judged=True))
    judged = conversion.cost.judged_rules
    assert judged >= 2
    assert (conversion.cost.calls, conversion.cost.calls_individual) == (2, 1 + judged)
    conversion.act(JudgeAlone((NEVER,)))
    assert conversion.cost.calls == 3
    conversion.act(SetDisposition((NEVER,), Disposition.STUB))
    assert (conversion.cost.calls, conversion.cost.judged_rules) == (2, judged - 1)
    conversion.act(ChangeSettings({"modality": Modality.HEARTBEAT}))
    assert (conversion.cost.calls, conversion.cost.calls_heartbeat) == (2, 3)


acts = st.lists(
    st.one_of(
        st.builds(
            SetDisposition, st.lists(st.sampled_from([NEVER, POLITE]), min_size=1, max_size=2).map(tuple),
            st.none() | st.sampled_from([Disposition.STUB, Disposition.REMOVE, Disposition.BUNDLE, Disposition.MOCK]),
            st.sampled_from(["", "because"])),
        st.builds(SetRationale, st.sampled_from([NEVER, POLITE]), st.sampled_from(["", "words"])),
        st.builds(SetTag, st.just((POLITE,)), st.sampled_from([None, Tag.ORCHESTRATE]), st.none()),
        st.builds(Acknowledge, st.sampled_from(["OC-A:SOUL.md", "OC-B:AGENTS.md"])),
        st.builds(ChangeSettings, st.sampled_from([{"backend": "openai"}, {"package_name": "x"}, {"package_name": None}])),
    ),
    max_size=12,
)  # fmt: skip


@settings(max_examples=25)
@given(acts)
def test_undo_and_redo_return_exactly_and_a_file_restores_everything(commands: list[Command]) -> None:
    conversion = begin()
    seen = [(conversion.decisions, conversion.plan)]
    for command in commands:
        try:
            changed = conversion.act(command)
        except DecisionsRefused:
            changed = False
        if changed:
            seen.append((conversion.decisions, conversion.plan))
    for decisions, plan in reversed(seen[:-1]):
        assert conversion.undo() is not None
        assert (conversion.decisions, conversion.plan) == (decisions, plan)
    assert conversion.undo() is None
    for decisions, plan in seen[1:]:
        assert conversion.redo() is not None
        assert (conversion.decisions, conversion.plan) == (decisions, plan)
    assert conversion.redo() is None
    again = begin()
    again.load(parse_decisions(format_decisions(conversion.to_document())))
    assert again.plan == conversion.plan
    assert again.settings == conversion.settings
    assert again.decisions.acknowledged == conversion.decisions.acknowledged


def test_every_entry_of_a_real_plan_stands_in_an_allowed_cell() -> None:
    for found in begin().plan.entries:
        assert cell(found.kind, found.disposition).allowed
        assert found.target.partition(":")[2]


def test_a_bulk_override_is_one_act() -> None:
    conversion = begin()
    conversion.act(SetDisposition((NEVER, POLITE), Disposition.STUB))
    assert [act.label for act in conversion.acts] == ["stub for 2 entries"]
    conversion.undo()
    assert conversion.decisions == Decisions()


def test_the_same_snapshot_read_again_changes_nothing() -> None:
    conversion = begin()
    conversion.act(SetDisposition((NEVER,), Disposition.STUB, "ours"))
    before = (conversion.decisions, conversion.plan)
    states = conversion.reread(replace(conversion.snapshot))
    assert {state.state for state in states} == {DecisionState.APPLIED}
    assert (conversion.decisions, conversion.plan) == before
