"""Rows of the disposition table with their columns, groups and facets, made from the plan."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from msgspec import Struct

from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import Disposition
from melleafy_tui.facets import entry_search_text, group_of
from melleafy_tui.screens.words import DISPOSITION_TONES
from melleafy_tui.widgets.rows import ListRow, Row
from melleafy_tui.widgets.tones import Line, Span, Tone, fit
from melleafy_tui.wizard_session import WizardSession, elements_of
from melleafy_tui.words import DISPOSITION_LABELS, title_of

_DISPOSITION: Final = 12
_INDENT: Final = 2


@dataclass(frozen=True, slots=True)
class Columns:
    """How wide each column is; 0 leaves one out."""

    entry: int
    summary: int
    disposition: int
    decided: int
    target: int
    setup: int


def columns(width: int) -> Columns:
    """Return the columns for a row of this width."""
    entry = 8 if width >= 60 else 0
    setup = 6 if width >= 72 else 0
    decided = 8 if width >= 96 else 0
    target = 0
    if width >= 84:
        target = min(44, max(18, (width - 60) // 2 + 10))
    summary = max(8, width - 4 - entry - setup - decided - target - _DISPOSITION)
    return Columns(entry, summary, _DISPOSITION, decided, target, setup)


def heading(width: int) -> Line:
    """Return the names of the columns, in step with the rows of a list that is so wide."""
    shape = columns(max(1, width - _INDENT - 1))
    return (
        (" " * (_INDENT + 4), Tone.MUTED),
        (fit("entry", shape.entry), Tone.MUTED),
        (fit("what", shape.summary), Tone.MUTED),
        (fit("disposition", shape.disposition), Tone.MUTED),
        (fit("by", shape.decided), Tone.MUTED),
        (fit("target", shape.target), Tone.MUTED),
        (fit("SETUP", shape.setup), Tone.MUTED),
    )


class EntryRow(Struct, frozen=True):
    """An entry as a row, which says its words when it is drawn or searched.

    Attributes:
        entry: The entry.
        elements: The elements that there are, by id.
        marked: The user marked it.
        attention: It needs the user's eye.
    """

    entry: PlanEntry
    elements: Mapping[str, Element]
    marked: bool
    attention: bool

    depth: ClassVar[int] = 1
    group: ClassVar[bool] = False
    selectable: ClassVar[bool] = True

    @property
    def id(self) -> str:
        """Return the entry's id."""
        return self.entry.entry_id

    @property
    def search(self) -> str:
        """Return the words by which it is found."""
        return entry_search_text(self.entry, elements_of(self.entry, self.elements))

    def line(self, width: int) -> Line:
        """Return what is shown at a width."""
        entry, shape = self.entry, columns(width)
        title = title_of(entry, elements_of(entry, self.elements))
        label = DISPOSITION_LABELS[entry.disposition] + (" ◆" if entry.overridden else "")
        return (
            ("✓ " if self.marked else "  ", Tone.KEY),
            ("! " if self.attention else "  ", Tone.WARN),
            (fit(entry.entry_id, shape.entry), Tone.MUTED),
            (fit(title, shape.summary - 1) + " ", Tone.TEXT),
            (fit(label, shape.disposition), DISPOSITION_TONES[entry.disposition]),
            (fit("you" if entry.overridden else entry.source_of_decision.value, shape.decided), Tone.MUTED),
            (fit(entry.target, max(0, shape.target - 1)) + (" " if shape.target else ""), Tone.MUTED),
            (fit(entry.setup_section or "", shape.setup), Tone.INFO),
        )


def decision_rows(
    session: WizardSession,
    *,
    grouping: str,
    marks: Collection[str],
    only: Collection[str] | None,
) -> list[ListRow]:
    """Return one row an entry, under their groups.

    Args:
        session: The session.
        grouping: One of GROUPINGS.
        marks: Ids of the marked entries.
        only: Ids of the entries that a filter lets through; groups sum up those alone.
    """
    entries = [entry for entry in session.conversion.plan.entries if only is None or entry.entry_id in only]
    reasons, elements = session.reasons, session.conversion.inventory.by_id

    def row(entry: PlanEntry) -> EntryRow:
        return EntryRow(entry, elements, entry.entry_id in marks, entry.entry_id in reasons)

    if grouping == "nothing":
        return [row(entry) for entry in entries]
    groups: dict[str, list[PlanEntry]] = {}
    for entry in entries:
        groups.setdefault(group_of(entry, elements_of(entry, elements), grouping), []).append(entry)
    rows: list[ListRow] = []
    for name in sorted(groups):
        rows.append(_group_row(name, groups[name], marks))
        rows.extend(row(entry) for entry in groups[name])
    return rows


def _group_row(name: str, entries: list[PlanEntry], marks: Collection[str]) -> Row:
    counts = Counter(entry.disposition for entry in entries)
    overridden = sum(entry.overridden for entry in entries)
    marked = sum(entry.entry_id in marks for entry in entries)
    states: list[Span] = []
    for disposition in Disposition:
        if counts[disposition]:
            states.append((f"  {DISPOSITION_LABELS[disposition]}", DISPOSITION_TONES[disposition]))
            states.append((f" {counts[disposition]}" if len(counts) > 1 else "", Tone.TEXT))
    if overridden:
        states.append((f"  ◆ {overridden} yours", Tone.KEY))
    if marked:
        states.append((f"  ✓ {marked} marked", Tone.KEY))

    def line(width: int) -> Line:  # noqa: ARG001 - the view cuts it
        return ((name, Tone.HEADING), (f"  {len(entries)}", Tone.MUTED), *states)

    return Row(f"group:{name}", line, group=True, search=name.casefold())
