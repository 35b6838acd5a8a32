"""Two small dialects for tests of hybrids: `cousin` claims files of OpenClaw's and reads them its own way."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

from melleafy_tui.core.decisions.state import Decisions
from melleafy_tui.core.dialects.base import Dialect, FileRule, MappingRow, Reading, ReadingContext, Signal
from melleafy_tui.core.dialects.element_factory import ElementFactory, Home
from melleafy_tui.core.dialects.matchers import name_exists
from melleafy_tui.core.dialects.openclaw.dialect import OpenClawDialect
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.models.conversion_settings import Settings
from melleafy_tui.core.models.inventory import Element, InventoriedFile
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.vocabulary import Category, Disposition, EntryKind, Strength, Tag
from melleafy_tui.core.pipeline.conversion import Conversion, RunContext
from melleafy_tui.core.source.segments import Segment, cut_segments
from melleafy_tui.core.source.snapshot_reader import read_snapshot

RULE = MappingRow(
    "agents.rule", "a rule", Category.C2, EntryKind.RULE, Disposition.BUNDLE, "requirements.py",
    "OPERATING_REQUIREMENTS", "Requirement", "Requirement(...)",
)  # fmt: skip
ROWS = (
    MappingRow("cousin.voice", "a line in bold", Category.C1, EntryKind.IDENTITY, Disposition.BUNDLE,
               "config.py", "PREFIX_TEXT", "bundle", "prefix", reason="Cousin speaks it."),
    MappingRow("cousin.host", "a line about the host", Category.C2, EntryKind.RULE, Disposition.DELEGATE_TO_RUNTIME,
               "SETUP.md", "§7", "delegate", "host", "§7", "Cousin's host enforces it."),
    MappingRow("cousin.gone", "a line about cousin itself", Category.C2, EntryKind.RULE, Disposition.REMOVE,
               "mapping_report.md", "Removed During Audit", "report", "removed", reason="Cousin's own affair."),
    MappingRow("cousin.stub", "a tool", Category.C6, EntryKind.TOOL_ABSTRACT, Disposition.STUB,
               "constrained_slots.py", "", "stub", "stub", "§8", "Cousin never runs it."),
    MappingRow("cousin.wake", "a time", Category.C9, EntryKind.SCHEDULE, Disposition.DELEGATE_TO_RUNTIME,
               "config.py", "SCHEDULE_CONFIG", "delegate", "constant", "§6", "Cousin's clock."),
)  # fmt: skip

_WORDS = {
    "voice": ("cousin.voice", Tag.CONVERSE, Category.C1),
    "host": ("cousin.host", Tag.DECIDE, Category.C2),
    "cousin": ("cousin.gone", Tag.DECIDE, Category.C2),
    "fetch": ("cousin.stub", Tag.TOOL_TEMPLATE, Category.C6),
    "nightly": ("cousin.wake", Tag.ORCHESTRATE, Category.C9),
    "aside": ("", Tag.NO_DECOMPOSE, Category.NONE),
}
"""How an item is read: the first of these words in it decides, else it is a rule as OpenClaw has them."""


class CousinDialect(Dialect):
    """A second runtime that claims AGENTS.md and TOOLS.md too, and COUSIN.md of its own."""

    interface = 3
    runtime = "cousin"
    title = "Cousin"
    signals = (Signal("COUSIN.md", Strength.STRONG, name_exists("COUSIN.md")),)
    file_rules = (
        FileRule("cousin.rules", "AGENTS.md", "rules", Category.C2),
        FileRule("cousin.tools", "TOOLS.md", "tools", Category.C6),
        FileRule("cousin.own", "COUSIN.md", "its own file", Category.C2),
    )
    mapping_rows: tuple[MappingRow, ...] = ROWS

    def wants(self, path: str) -> bool:
        """Return whether the path is one of its files."""
        return any(rule.pattern == path for rule in self.file_rules)

    def read(self, snapshot: Snapshot, context: ReadingContext) -> Reading:
        """Return one element a segment."""
        rules = {rule.pattern: rule.rule_id for rule in self.file_rules}
        sources = [file for file in snapshot.files if file.path in rules]
        return Reading(
            tuple(
                InventoriedFile(file.path, "rules", "read", rules[file.path], runtimes=("cousin",))
                for file in sources
            ),
            tuple(element for file in sources for element in _elements(file, rules[file.path])),
        )


def _elements(file: SourceFile, rule_id: str) -> Iterator[Element]:
    for segment in cut_segments(file):
        yield _element(file, segment, rule_id)


def _element(file: SourceFile, segment: Segment, rule_id: str) -> Element:
    row, tag, category = ("agents.rule", Tag.DECIDE, Category.C2)
    if segment.kind != "item":
        row, tag, category = "", Tag.NO_DECOMPOSE, Category.NONE
    for word, reading in _WORDS.items():
        if segment.kind == "item" and word in segment.words.casefold():
            row, tag, category = reading
            break
    return ElementFactory(file, rule_id).make(segment, segment.words, Home(tag, category, "cousin.word", row))


class WithRule(CousinDialect):
    """Cousin with OpenClaw's row for rules, so that the two agree on those."""

    mapping_rows = (*ROWS, RULE)


def hybrid_conversion(
    folder: Path, *dialects: CousinDialect, decisions: Decisions | None = None
) -> Conversion:
    """Return the conversion of a folder that OpenClaw leads and cousin contributes to."""
    from melleafy_tui.generators.render import render_package

    known = Dialects.of(OpenClawDialect(), *(dialects or (WithRule(),)))
    snapshot = read_snapshot(folder, wants=known.wants)
    contributing = ("openclaw", *(dialect.runtime for dialect in dialects or (WithRule(),)))
    settings = Settings(source_runtime="hybrid", contributing_runtimes=contributing)
    return Conversion(
        snapshot,
        dialects=known,
        render=render_package,
        run_context=RunContext(date(2026, 1, 15), "2026-01-15T00:00:00Z"),
        decisions=decisions or Decisions(settings=settings),
    )
