"""Conflicts of a hybrid: what is one, who wins, what the user may choose, what each choice does (spec/conversion.md 6)."""

from pathlib import Path

import pytest

from melleafy_tui.core.decisions.commands import ResolveConflict, SetDisposition, SetTag
from melleafy_tui.core.decisions.file import format_decisions, parse_decisions
from melleafy_tui.core.decisions.rebase import DecisionState
from melleafy_tui.core.errors import DecisionsRefused, UsageError
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.plan import Conflict, PlanEntry
from melleafy_tui.core.models.vocabulary import Category, DecisionSource, Disposition, Tag
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.source.snapshot_reader import read_snapshot
from tests.dialects.toys import hybrid_conversion

AGENTS = """\
# Rules

- Never close a ticket unasked.
- Always keep a warm voice in replies.
- Always ask the host at night.
- Never bother the host twice.
- Always greet the cousin by name.
- Never skip the nightly backup.
- Always put an aside in brackets.
"""
TOOLS = """\
# Tools

- Fetch the weather: `GET https://weather.example/v1/now`
"""
RULE, VOICE, HOST, GONE, WAKE, ASIDE = (f"AGENTS.md#rules/{words}" for words in (
    "never-close-a-ticket-unasked",
    "always-keep-a-warm-voice",
    "always-ask-the-host-at",
    "always-greet-the-cousin-by",
    "never-skip-the-nightly-backup",
    "always-put-an-aside-in",
))  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "desk"
    root.mkdir()
    for name, text in {
        "SOUL.md": "Warm and calm.\n",
        "AGENTS.md": AGENTS,
        "TOOLS.md": TOOLS,
        "COUSIN.md": "- Always be brief.\n",
    }.items():
        (root / name).write_text(text, encoding="utf-8")
    return root


@pytest.fixture
def hybrid(folder: Path) -> Conversion:
    return hybrid_conversion(folder)


def conflict_on(conversion: Conversion, key: str) -> Conflict:
    (found,) = [conflict for conflict in conversion.plan.conflicts if conflict.key == key]
    return found


def entry_of(conversion: Conversion, key: str) -> PlanEntry:
    (found,) = [entry for entry in conversion.plan.entries if entry.key == key]
    return found


def text_of(conversion: Conversion, name: str) -> str:
    (found,) = [file for file in conversion.files.files if file.path.endswith(f"/{name}")]
    return found.data.decode()


def elements_at(conversion: Conversion, key: str) -> list[Element]:
    lines = {conversion.keys[e.element_id]: e.source_lines for e in conversion.inventory.elements}[key]
    return [
        e for e in conversion.inventory.elements if (e.source_file, e.source_lines) == ("AGENTS.md", lines)
    ]


# --- inventory and mapping ------------------------------------------------------------------------


def test_a_file_that_two_dialects_claim_appears_once_with_both_rule_ids(hybrid: Conversion) -> None:
    files = [file for file in hybrid.inventory.files if file.path == "AGENTS.md"]
    assert [(f.dialect_rule_id, f.runtimes) for f in files] == [
        ("openclaw.agents+cousin.rules", ("openclaw", "cousin"))
    ]
    own = [file for file in hybrid.inventory.files if file.path == "COUSIN.md"]
    assert [f.runtimes for f in own] == [("cousin",)]


def test_each_claimed_element_is_mapped_by_every_dialect_that_claims_it(hybrid: Conversion) -> None:
    by_element: dict[str, list[tuple[str, Category, str]]] = {}
    for treatment in hybrid.mapping.treatments:
        by_element.setdefault(treatment.element_id, []).append(
            (treatment.runtime, treatment.category, treatment.target)
        )
    claimed = {e.element_id for e in hybrid.inventory.elements if e.source_file in ("AGENTS.md", "TOOLS.md")}
    assert set(by_element) == claimed
    assert all([runtime for runtime, *_ in found] == ["openclaw", "cousin"] for found in by_element.values())
    voice = conflict_on(hybrid, VOICE).element_id
    assert by_element[voice] == [
        ("openclaw", Category.C2, "requirements.py:OPERATING_REQUIREMENTS"),
        ("cousin", Category.C1, "config.py:PREFIX_TEXT"),
    ]


def test_the_same_category_disposition_and_target_is_no_conflict(hybrid: Conversion) -> None:
    assert RULE not in {conflict.key for conflict in hybrid.plan.conflicts}
    assert {VOICE, HOST, GONE, WAKE, ASIDE} <= {conflict.key for conflict in hybrid.plan.conflicts}


# --- defaults ---------------------------------------------------------------------------------------


def test_the_primary_wins_by_default_and_the_conflict_is_listed(hybrid: Conversion) -> None:
    conflict = conflict_on(hybrid, VOICE)
    assert (conflict.primary, conflict.contributor) == ("openclaw", "cousin")
    assert (conflict.resolution, conflict.resolved_by) == ("primary", DecisionSource.AUTO)
    assert entry_of(hybrid, VOICE).category == "c2_operating_rules"
    assert "openclaw leads" in conflict.reason


def test_a_stub_wins_over_working_code(hybrid: Conversion) -> None:
    (conflict,) = [found for found in hybrid.plan.conflicts if found.key.startswith("TOOLS.md")]
    assert [t.disposition for t in conflict.treatments] == [Disposition.REAL_IMPL, Disposition.STUB]
    assert (conflict.resolution, conflict.resolved_by) == ("contributor", DecisionSource.AUTO)
    assert entry_of(hybrid, conflict.key).disposition is Disposition.STUB
    assert "stub wins" in conflict.reason
    hybrid.act(ResolveConflict(conflict.key, "primary"))
    assert entry_of(hybrid, conflict.key).disposition is Disposition.REAL_IMPL


# --- the user's choices ---------------------------------------------------------------------------


def test_contributor_gives_its_category_disposition_and_target(hybrid: Conversion) -> None:
    hybrid.act(ResolveConflict(VOICE, "contributor"))
    (element,) = elements_at(hybrid, VOICE)
    assert (element.tag, element.category, element.mapping_row) == (Tag.CONVERSE, Category.C1, "cousin.voice")
    entry = entry_of(hybrid, VOICE)
    assert (entry.category, entry.target, entry.reason) == (
        "c1_identity", "config.py:PREFIX_TEXT", "Cousin speaks it.",
    )  # fmt: skip
    assert "warm voice" in text_of(hybrid, "config.py")
    assert "warm voice" not in text_of(hybrid, "requirements.py")
    assert conflict_on(hybrid, VOICE).resolved_by is DecisionSource.USER
    assert hybrid.lints.passed


def test_contributor_may_leave_out_what_the_primary_converts(hybrid: Conversion) -> None:
    hybrid.act(ResolveConflict(ASIDE, "contributor"))
    assert ASIDE not in {entry.key for entry in hybrid.plan.entries}
    assert "brackets" not in text_of(hybrid, "requirements.py")


def test_merge_carries_both_parts_into_the_package(hybrid: Conversion) -> None:
    count = len(hybrid.plan.entries)
    hybrid.act(ResolveConflict(VOICE, "merge"))
    first, part = elements_at(hybrid, VOICE)
    assert (first.category, part.category) == (Category.C2, Category.C1)
    assert part.element_id == conflict_on(hybrid, VOICE).merged_element_id
    assert len(hybrid.plan.entries) == count + 1
    assert entry_of(hybrid, f"{VOICE}+cousin").target == "config.py:PREFIX_TEXT"
    assert "warm voice" in text_of(hybrid, "config.py")
    assert "warm voice" in text_of(hybrid, "requirements.py")
    assert hybrid.lints.passed


def test_a_merged_part_can_be_overridden_by_itself_and_goes_with_the_merge(hybrid: Conversion) -> None:
    hybrid.act(ResolveConflict(VOICE, "merge"))
    hybrid.act(SetDisposition((f"{VOICE}+cousin",), Disposition.REMOVE))
    assert entry_of(hybrid, f"{VOICE}+cousin").disposition is Disposition.REMOVE
    assert entry_of(hybrid, VOICE).disposition is Disposition.BUNDLE
    hybrid.act(ResolveConflict(VOICE, "primary"))
    assert f"{VOICE}+cousin" not in hybrid.decisions.overrides
    hybrid.undo()
    assert entry_of(hybrid, f"{VOICE}+cousin").disposition is Disposition.REMOVE


def test_ids_of_other_elements_stay_when_one_is_merged(hybrid: Conversion) -> None:
    before = {hybrid.keys[e.element_id]: e.element_id for e in hybrid.inventory.elements}
    hybrid.act(ResolveConflict(WAKE, "merge"))
    part = conflict_on(hybrid, WAKE).merged_element_id
    hybrid.act(ResolveConflict(VOICE, "merge"))
    after = {hybrid.keys[e.element_id]: e.element_id for e in hybrid.inventory.elements}
    assert {key: after[key] for key in before} == before
    assert conflict_on(hybrid, WAKE).merged_element_id == part


CONTRADICTIONS = {
    "AGENTS.md#rules/never-bother-the-host-twice": "only one of them can answer",
    HOST: "only one of them can answer",
    GONE: "cousin leaves it out and openclaw keeps it",
    ASIDE: "cousin does not convert it",
}


@pytest.mark.parametrize("key", CONTRADICTIONS)
def test_what_contradicts_cannot_be_merged_and_says_so_before_it_is_chosen(
    hybrid: Conversion, key: str
) -> None:
    reason = CONTRADICTIONS[key]
    assert reason in dict(conflict_on(hybrid, key).refusals)["merge"]
    with pytest.raises(DecisionsRefused) as refused:
        hybrid.act(ResolveConflict(key, "merge"))
    assert reason in refused.value.hint
    assert key not in hybrid.decisions.conflicts


def test_what_adds_can_be_merged(hybrid: Conversion) -> None:
    assert conflict_on(hybrid, VOICE).refusals == ()
    assert conflict_on(hybrid, WAKE).refusals == ()


def test_a_choice_can_be_taken_back_and_an_unknown_one_is_refused(hybrid: Conversion) -> None:
    hybrid.act(ResolveConflict(VOICE, "contributor"))
    hybrid.act(ResolveConflict(VOICE, None))
    assert conflict_on(hybrid, VOICE).resolved_by is DecisionSource.AUTO
    with pytest.raises(UsageError):
        hybrid.act(ResolveConflict(VOICE, "both"))


def test_a_retag_of_the_user_wins_over_the_resolution(hybrid: Conversion) -> None:
    hybrid.act(ResolveConflict(VOICE, "contributor"))
    hybrid.act(SetTag((VOICE,), category=Category.C2))
    assert entry_of(hybrid, VOICE).category == "c2_operating_rules"


# --- decisions files --------------------------------------------------------------------------------


def decided(hybrid: Conversion) -> str:
    hybrid.act(ResolveConflict(VOICE, "merge"))
    hybrid.act(ResolveConflict(HOST, "contributor"))
    hybrid.act(SetDisposition((f"{VOICE}+cousin",), Disposition.LOAD_FROM_DISK, "read at start"))
    return format_decisions(hybrid.to_document())


def test_choices_and_overrides_of_parts_are_saved_and_read_again(hybrid: Conversion, folder: Path) -> None:
    text = decided(hybrid)
    again = hybrid_conversion(folder)
    states = again.load(parse_decisions(text))
    assert {state.state for state in states} == {DecisionState.APPLIED}
    assert again.plan == hybrid.plan
    assert format_decisions(again.to_document()) == text


def test_choices_follow_their_elements_to_another_section(hybrid: Conversion, folder: Path) -> None:
    text = decided(hybrid)
    agents = (folder / "AGENTS.md").read_text(encoding="utf-8")
    (folder / "AGENTS.md").write_text(agents.replace("# Rules", "# House rules"), encoding="utf-8")
    again = hybrid_conversion(folder)
    states = again.load(parse_decisions(text))
    assert {(state.section, state.state) for state in states} == {
        ("conflicts", DecisionState.MOVED),
        ("overrides", DecisionState.MOVED),
    }
    key = VOICE.replace("rules/", "house-rules/")
    assert entry_of(again, f"{key}+cousin").disposition is Disposition.LOAD_FROM_DISK
    assert conflict_on(again, key).resolution == "merge"


def test_a_refused_merge_in_a_file_names_entry_and_reason(hybrid: Conversion) -> None:
    document = parse_decisions(f'{{"conflicts": [{{"key": "{HOST}", "resolution": "merge"}}]}}')
    with pytest.raises(DecisionsRefused) as refused:
        hybrid.load(document)
    assert HOST in refused.value.message
    assert "only one of them can answer" in refused.value.message


def test_choices_survive_an_edit_while_the_wizard_is_open(hybrid: Conversion, folder: Path) -> None:
    decided(hybrid)
    agents = (folder / "AGENTS.md").read_text(encoding="utf-8")
    (folder / "AGENTS.md").write_text(
        agents.replace("# Rules\n", "# Rules\n\n- Always smile.\n"), encoding="utf-8"
    )
    hybrid.reread(read_snapshot(folder, wants=hybrid.dialects.wants))
    assert conflict_on(hybrid, VOICE).resolution == "merge"
    assert entry_of(hybrid, f"{VOICE}+cousin").disposition is Disposition.LOAD_FROM_DISK
    assert conflict_on(hybrid, HOST).resolution == "contributor"


# --- the report -------------------------------------------------------------------------------------


def test_the_report_tells_composition_and_both_kinds_of_conflicts(hybrid: Conversion) -> None:
    hybrid.act(ResolveConflict(VOICE, "merge"))
    report = text_of(hybrid, "mapping_report.md")
    composition = report.partition("### Hybrid composition")[2].partition("###")[0]
    assert "| OpenClaw | primary |" in composition
    assert "ousin | contributor |" in composition
    assert "2 of them shared" in composition
    auto = report.partition("### Hybrid conflicts auto-resolved")[2].partition("###")[0]
    assert "stub wins over working code" in auto
    assert "AGENTS.md:4" not in auto
    own = report.partition("### Hybrid conflicts resolved by you")[2].partition("## 2")[0]
    assert "merge (" in own
    assert "AGENTS.md:4" in own
