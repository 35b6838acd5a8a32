"""mapping_report.md: nine sections, every element once, links that lead to the line that carries it."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from msgspec import structs
from msgspec.structs import replace

from melleafy_tui.core.models.classification import AxisEvidence
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.facts import Facts, MemoryPageFact
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.findings import Diagnostic
from melleafy_tui.core.models.inventory import FileCoverage, InventoriedFile
from melleafy_tui.core.models.mapping import Inlining, JudgmentCall, Treatment
from melleafy_tui.core.models.plan import Conflict
from melleafy_tui.core.models.vocabulary import (
    Category,
    DecisionSource,
    Disposition,
    EntryKind,
    Severity,
    Tag,
)
from melleafy_tui.generators.render import render_package
from melleafy_tui.generators.report import SECTIONS, generate_report
from tests.generators.committed import Piece, committed_plan, reference_plan
from tests.generators.variants import plan_with

PACKAGE = "ticket_triage_mellea"
MARKDOWN = MarkdownIt("gfm-like")


def emitted_by(committed: CommittedPlan) -> dict[str, EmittedFile]:
    return dict(render_package(committed).by_path)


def report_of(committed: CommittedPlan) -> str:
    return emitted_by(committed)[f"{committed.package_name}/mapping_report.md"].text


def section(report: str, number: int) -> str:
    parts = re.split(r"^## (\d)\. .*$", report, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))[str(number)]


def test_nine_sections_stand_in_their_order() -> None:
    titles = re.findall(r"^## (.*)$", report_of(reference_plan()), flags=re.MULTILINE)
    assert titles == [f"{number}. {title}" for number, title in enumerate(SECTIONS, start=1)]


@pytest.mark.parametrize("number", range(1, 10))
def test_a_section_without_content_says_so_in_one_line(number: int) -> None:
    bare = committed_plan({"notes.md": "x\n"}, [])
    bare = structs.replace(bare, classification=replace(bare.classification, source_runtime="unknown"))
    assert section(report_of(bare), number).strip()


def test_every_element_has_one_row_in_the_mapping() -> None:
    committed = reference_plan()
    rows = re.findall(r"^\| (elem_\d+) \|", section(report_of(committed), 3), flags=re.MULTILINE)
    assert sorted(rows) == [element.element_id for element in committed.inventory.elements]


def test_a_signal_that_stands_in_several_places_is_told_once() -> None:
    committed = reference_plan()
    evidence = tuple(AxisEvidence("words", "SOUL.md", line, "dispatcher") for line in (3, 9, 12))
    other = AxisEvidence("words", "AGENTS.md", 2, "router")
    found = replace(committed.classification, archetype_evidence=(*evidence, other))
    report = report_of(structs.replace(committed, classification=found))
    (row,) = (line for line in report.splitlines() if line.startswith("| Archetype |"))
    assert row.endswith("| words: dispatcher (`SOUL.md:3` and elsewhere); words: router (`AGENTS.md:2`) |")


def test_links_lead_to_lines_that_carry_the_element() -> None:
    committed = reference_plan()
    files = emitted_by(committed)
    rows = re.findall(
        r"^\| (elem_\d+) .*?\]\(([\w./]+)#L(\d+)\)", section(report_of(committed), 3), flags=re.MULTILINE
    )
    assert len(rows) > 8
    for element_id, path, line in rows:
        carried = [p for p in files[f"{PACKAGE}/{path}"].provenance if p.first <= int(line) <= p.last]
        assert element_id in {p.element_id for p in carried}


def test_a_link_leads_to_the_line_that_defines_the_symbol() -> None:
    committed = plan_with({})
    package = committed.package_name
    files = emitted_by(committed)
    rows = re.findall(
        r"^\| elem_\d+ .*?\| `(\w+)` \[`[^`]*`\]\((schemas\.py)#L(\d+)\)",
        section(report_of(committed), 3),
        flags=re.MULTILINE,
    )
    assert {path for _, path, _ in rows} == {"schemas.py"}
    for symbol, path, line in rows:
        defined = files[f"{package}/{path}"].text.splitlines()[int(line) - 1]
        assert re.match(rf"(?:def|class) {symbol}\b", defined), defined


def test_what_other_sections_tell_is_listed_as_a_removal_too() -> None:
    piece = Piece("notes.md", "1", EntryKind.IDENTITY, Disposition.REMOVE)
    committed = committed_plan({"notes.md": "x\n"}, [piece])
    entry = next(entry for entry in committed.plan.entries if entry.disposition is Disposition.REMOVE)
    deferred = replace(entry, target="mapping_report.md:Detected but not handled (deferred)")
    entries = tuple(deferred if found is entry else found for found in committed.plan.entries)
    committed = structs.replace(committed, plan=replace(committed.plan, entries=entries))
    told = section(report_of(committed), 5)
    assert f"| {entry.entry_id} | `notes.md:1` |" in told
    bare = section(report_of(committed_plan({"notes.md": "x\n"}, [])), 5)
    assert bare.strip() == "No elements were removed during audit."


def test_the_appendix_names_each_stretch_with_its_source() -> None:
    committed = reference_plan()
    trails = section(report_of(committed), 6)
    for path, file in emitted_by(committed).items():
        for found in file.provenance:
            if path.startswith(f"{PACKAGE}/"):
                assert f"| {found.element_id} | `{found.source_file}:{found.source_lines}` |" in trails


def test_a_removed_entry_is_listed_with_its_rationale() -> None:
    committed = reference_plan(changed={"AGENTS.md:7": Disposition.REMOVE})
    entry = next(entry for entry in committed.plan.entries if entry.disposition is Disposition.REMOVE)
    overridden = replace(
        entry, source_of_decision=DecisionSource.USER, override_rationale="the desk does that | by hand"
    )
    entries = tuple(overridden if found is entry else found for found in committed.plan.entries)
    report = report_of(structs.replace(committed, plan=replace(committed.plan, entries=entries)))
    assert "the desk does that &#124; by hand" in section(report, 5)
    assert "the desk does that &#124; by hand" in section(report, 4)
    assert "| you |" in section(report, 5)


@pytest.mark.parametrize(
    ("row", "number", "title"),
    [
        ("heartbeat.lightContext", 8, "`lightContext`"),
        ("heartbeat.isolatedSession", 8, "`isolatedSession`"),
        ("agents.list", 9, "Another agent"),
        ("hook.entry", 9, "Hook handler"),
        ("skill.file", 9, "Workspace skill"),
    ],
)
def test_a_row_without_a_place_in_the_package_has_its_paragraph(row: str, number: int, title: str) -> None:
    committed = committed_plan({"openclaw.json": "{}\n"}, [Piece("openclaw.json", "1", EntryKind.SCHEDULE)])
    elements = tuple(replace(e, mapping_row=row) for e in committed.inventory.elements)
    report = report_of(structs.replace(committed, inventory=replace(committed.inventory, elements=elements)))
    text = section(report, number)
    assert title in text
    assert "Why:" in text
    assert "What to do:" in text


def test_active_hours_stand_among_what_is_not_reproduced() -> None:
    assert "business hours" in section(report_of(reference_plan()), 8)


@pytest.mark.parametrize(
    ("facts", "body"),
    [(Facts(MemoryPageFact(claims=2)), ""), (Facts(), "---\nclaims:\n  - a\n---\n")],
    ids=["fact", "text"],
)
def test_wiki_claims_and_links_are_deferred(facts: Facts, body: str) -> None:
    text = f"{body}See [[other-page]].\n"
    committed = committed_plan(
        {"memory-wiki/concepts/a.md": text},
        [
            Piece(
                "memory-wiki/concepts/a.md",
                f"1-{text.count(chr(10))}",
                EntryKind.MEMORY,
                Disposition.STUB,
                facts=facts,
            )
        ],
    )
    elements = tuple(replace(e, mapping_row="wiki.file") for e in committed.inventory.elements)
    report = report_of(structs.replace(committed, inventory=replace(committed.inventory, elements=elements)))
    assert "Wikilink rewriting" in section(report, 9)
    assert "`claims:` frontmatter" in section(report, 9)


@pytest.mark.parametrize("links", [("other-page",), ()], ids=["linked", "not linked"])
def test_rewriting_links_is_an_explicit_stub(links: tuple[str, ...]) -> None:
    place = "memory-wiki/concepts/a.md"
    facts = Facts(MemoryPageFact(wikilinks=links))
    files = emitted_by(
        committed_plan(
            {place: "See [[other-page]].\n"},
            [Piece(place, "1", EntryKind.MEMORY, Disposition.DELEGATE_TO_RUNTIME, facts=facts)],
        )
    )
    package = next(path for path in files if path.endswith("/config.py")).rpartition("/")[0]
    slots = files[f"{package}/constrained_slots.py"].text
    stub = "def rewrite_wikilinks(old: str, new: str) -> str:"
    setup = files[f"{package}/SETUP.md"].text
    assert (stub in slots, "rewrite_wikilinks" in setup.partition("## §8")[2]) == (bool(links), bool(links))
    if links:
        assert f"Source: {place}:1" in slots
        assert 'raise NotImplementedError("rewrite_wikilinks:' in " ".join(slots.split()).replace("( ", "(")


@pytest.mark.parametrize("is_read", [True, False])
def test_a_page_that_is_written_keeps_its_reader(is_read: bool) -> None:
    place = "memory-wiki/concepts/a.md"
    facts = Facts(MemoryPageFact(is_read=is_read))
    page = Piece(
        place, "1", EntryKind.MEMORY, Disposition.DELEGATE_TO_RUNTIME, symbol="update_memory", facts=facts
    )
    files = emitted_by(committed_plan({place: "Refunds take two days.\n"}, [page]))
    slots = next(file.text for path, file in files.items() if path.endswith("/constrained_slots.py"))
    assert ("def update_memory(" in slots, "def recall_memory(" in slots) == (True, is_read)
    config = next(file.text for path, file in files.items() if path.endswith("/config.py"))
    assert "which others read too. It has: Refunds take two days." in config


def test_reply_tags_are_no_wikilinks() -> None:
    committed = committed_plan(
        {"memory-wiki/concepts/a.md": "[[reply_to_current]] thanks\n"},
        [Piece("memory-wiki/concepts/a.md", "1", EntryKind.MEMORY, Disposition.STUB)],
    )
    elements = tuple(replace(e, mapping_row="wiki.file") for e in committed.inventory.elements)
    report = report_of(structs.replace(committed, inventory=replace(committed.inventory, elements=elements)))
    assert "Wikilink rewriting" not in report


def test_inlined_bootstrap_text_is_reported() -> None:
    committed = reference_plan()
    inlining = Inlining("elem_004", "BOOTSTRAP.md", "3-4", "call members by name")
    report = report_of(structs.replace(committed, mapping=replace(committed.mapping, inlinings=(inlining,))))
    assert "BOOTSTRAP inlining" in section(report, 8)
    assert "`BOOTSTRAP.md:3-4`" in section(report, 8)


def test_warnings_stand_in_section_1_and_remarks_in_section_7() -> None:
    found = (
        Diagnostic(
            "budget-file", Severity.WARNING, "SOUL.md", "", "The file has 20,001 characters.", "Shorten it."
        ),
        Diagnostic("name-case-read", Severity.INFO, "memory.md", "", "Read as `MEMORY.md`.", "Nothing."),
    )
    report = report_of(structs.replace(reference_plan(), diagnostics=found))
    assert "20,001 characters" in section(report, 1)
    assert "20,001" not in section(report, 7)
    assert "name-case-read" in section(report, 7)


def hybrid_report(resolved_by: DecisionSource) -> str:
    committed = reference_plan()
    treatments = (
        Treatment(
            "elem_002", "openclaw", Tag.DECIDE, Category.C2, Disposition.BUNDLE, "requirements.py:X", "a"
        ),
        Treatment("elem_002", "claude_code", Tag.NO_DECOMPOSE, Category.NONE, None, "", "no_decompose"),
    )
    conflict = Conflict(
        "AGENTS.md#x", "elem_002", "openclaw", "claude_code", "primary", resolved_by, treatments=treatments,
        reason="openclaw leads here.",
    )  # fmt: skip
    plan = replace(committed.plan, conflicts=(conflict,))
    return section(report_of(structs.replace(committed, plan=plan)), 1)


def test_a_hybrid_conflict_that_nobody_resolved_says_who_won_and_why() -> None:
    report = hybrid_report(DecisionSource.AUTO)
    auto = report.partition("### Hybrid conflicts auto-resolved")[2]
    assert (
        "OpenClaw: C2 bundle to `requirements.py:X` | Claude Code: not converted | primary (OpenClaw)" in auto
    )
    assert "OpenClaw leads here." in auto
    assert "resolved by you" not in report


def test_a_conflict_that_the_user_resolved_stands_by_itself() -> None:
    auto, _, own = hybrid_report(DecisionSource.USER).partition("### Hybrid conflicts resolved by you")
    assert "elem_002" in own
    assert "None." in auto.partition("### Hybrid conflicts auto-resolved")[2]


def test_files_are_listed_with_coverage_also_absent_ones() -> None:
    committed = reference_plan()
    inventory = replace(
        committed.inventory,
        files=(
            InventoriedFile("AGENTS.md", "operating rules", "read", "agents", 210, 9, "", ("openclaw",)),
            InventoriedFile("TOOLS.md", "tool guidance", "absent", "tools"),
        ),
        coverage=(FileCoverage("AGENTS.md", 6, 6),),
    )
    text = section(report_of(structs.replace(committed, inventory=inventory)), 7)
    assert (
        "| `AGENTS.md` | operating rules | read (OpenClaw) | 210 | 6 of 6 | elem_001 to elem_005 (lines 1-9) |"
        in text
    )
    assert "| `TOOLS.md` | tool guidance | absent |" in text


def test_judgment_calls_give_their_reason() -> None:
    committed = reference_plan()
    call = JudgmentCall("elem_002", "Rule or note?", "Rule", "It forbids.")
    mapping = replace(committed.mapping, judgment_calls=(call,))
    assert "- `AGENTS.md:3-5`: Rule or note? Rule. It forbids." in section(
        report_of(structs.replace(committed, mapping=mapping)), 4
    )


@settings(max_examples=8, deadline=None)
@given(st.text(min_size=1, max_size=40), st.text(min_size=1, max_size=40))
def test_hostile_words_never_change_the_structure(summary: str, reason: str) -> None:
    committed = reference_plan(changed={"AGENTS.md:7": Disposition.REMOVE})
    elements = tuple(
        replace(e, content_summary=f"|{summary}| <b>[x](http://y.z)</b>", rationale=reason)
        if e.category is not Category.NONE
        else e
        for e in committed.inventory.elements
    )
    entries = tuple(replace(e, summary=summary, reason=reason) for e in committed.plan.entries)
    hostile = structs.replace(
        committed,
        project_name=summary,
        inventory=replace(committed.inventory, elements=elements),
        plan=replace(committed.plan, entries=entries),
    )
    (plain,) = generate_report(committed, [])
    (changed_one,) = generate_report(hostile, [])
    assert shape_of(changed_one.text) == shape_of(plain.text)


def shape_of(text: str) -> list[tuple[str, str]]:
    """Return block structure and what acts inside of lines: links to our own files may, nothing else."""
    shape = []
    for token in MARKDOWN.parse(text):
        shape.append((token.type, token.tag))
        for child in token.children or []:
            assert child.type not in ("html_inline", "image"), child.content
            if child.type == "link_open":
                assert not str(child.attrs["href"]).startswith("http")
    return shape
