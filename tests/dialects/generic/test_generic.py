"""The dialect of last resort: any folder's Markdown, covered whole and honest about what it does not know."""

from collections.abc import Mapping
from datetime import date
from pathlib import Path

from hypothesis import given, settings

from melleafy_tui.core.dialects.generic.dialect import GenericDialect
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.models.classification import Schedule
from melleafy_tui.core.models.inventory import Inventory
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.vocabulary import Category, Tag
from melleafy_tui.core.pipeline.element_collection import take_inventory
from melleafy_tui.core.source.markdown import is_blank
from tests.converted import conversion_of
from tests.rows import every_row
from tests.unit.test_inventory_markdown import markdown


def inventory_of(tree: Mapping[str, str]) -> Inventory:
    opened = tuple(
        SourceFile(path, text.encode("utf-8", "surrogatepass"), text)
        for path, text in sorted(tree.items())
        if GenericDialect().wants(path)
    )
    snapshot = Snapshot("folder", "/folder", opened, tuple(sorted(tree)))
    return take_inventory(
        snapshot, ("unknown",), Dialects.of(), as_of=date(2026, 8, 1), openclaw_release="dialect-1.0"
    )


@every_row("path", ["CLAUDE.md", "prompt.md", "agents/writer.md", "Notes.MD", "a.mdx"])
def test_markdown_near_the_root_is_read(path: str) -> None:
    assert GenericDialect().wants(path)


@every_row(
    "path",
    ["README.md", "CHANGELOG.md", "a/b/deep.md", "memory/2026-01-01.md", ".github/x.md", "docs/guide.md", "x.py", "x.txt", ".hidden.md"],
)  # fmt: skip
def test_other_files_are_not(path: str) -> None:
    assert not GenericDialect().wants(path)


@settings(max_examples=60, deadline=None)
@given(markdown())
def test_every_line_belongs_to_exactly_one_element(text: str) -> None:
    inventory = inventory_of({"agent.md": text})
    held = [n for e in inventory.elements for n in range(e.line_range[0], e.line_range[1] + 1)]
    source = SourceFile("agent.md", text.encode("utf-8", "surrogatepass"), text)
    assert len(held) == len(set(held))
    assert {n for n, line in enumerate(source.lines, 1) if not is_blank(line)} <= set(held)
    assert all(e.content_full == source.cut(*e.line_range) for e in inventory.elements)


def test_orders_are_rules_and_the_rest_is_kept() -> None:
    text = "# Agent\n\nYou write poems.\n\n- Never rhyme.\n\nMust never:\n\n- long lines\n"
    found = [(e.source_lines, e.tag, e.category) for e in inventory_of({"agent.md": text}).elements]
    assert found == [
        ("1", Tag.NO_DECOMPOSE, Category.NONE),
        ("3", Tag.DECIDE, Category.C2),
        ("5", Tag.DECIDE, Category.C2),
        ("7", Tag.NO_DECOMPOSE, Category.NONE),
        ("9", Tag.DECIDE, Category.C2),
    ]


def test_lead_ins_travel_in_the_owners_words() -> None:
    (rule,) = [
        e for e in inventory_of({"agent.md": "Must never:\n\n- send mail\n"}).elements if e.tag is Tag.DECIDE
    ]
    assert (rule.statement, rule.content_full) == ("Must never: send mail", "- send mail")


def test_it_claims_no_schedule_signal_or_row() -> None:
    dialect = GenericDialect()
    snapshot = Snapshot("f", "/f", (), ())
    assert (dialect.signals, dialect.mapping_rows, dialect.modality_evidence(snapshot)) == ((), (), ())
    assert dialect.schedule(snapshot) == Schedule()
    assert dialect.generation(snapshot) == ""


def test_an_open_fence_is_told() -> None:
    assert [d.code for d in inventory_of({"agent.md": "```\nx\n"}).diagnostics] == ["fence-unclosed"]


@every_row(
    ("runtime", "prompt", "tool"),
    [
        ("autogen", "You suggest one recipe for what is in the pantry.\nNever suggest nuts.", ""),
        ("letta", "You find old photographs and say where each one lies.", ""),
        ("openai_agents_sdk", "You explain invoices in plain words.", "open_invoice"),
        ("smolagents", "You say in one line whether to take an umbrella.", "rain_tomorrow"),
    ],
)
def test_prompts_and_tools_of_a_runtime_without_a_dialect(runtime: str, prompt: str, tool: str) -> None:
    workspace = Path(__file__).parent / "workspaces" / runtime
    conversion = conversion_of(workspace)
    elements = conversion.inventory.elements
    assert conversion.classification.source_runtime == runtime
    assert prompt in [element.statement for element in elements if element.category is Category.C1]
    assert {e.facts.name for e in elements if e.category is Category.C6} == ({tool} if tool else set())
    assert {"dialect-missing", "generic-code"} <= {finding.code for finding in conversion.diagnostics}
    assert all(not report.uncovered_lines for report in conversion.inventory.coverage)
    report = next(f for f in conversion.files.files if f.path.endswith("mapping_report.md")).data.decode()
    assert "control flow, memory, hand-overs and schedules were not read" in report
    assert conversion.lints.passed
