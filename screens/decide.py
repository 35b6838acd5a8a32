"""Step 3, Decide: the disposition of each entry, with one key per disposition and the effect in a side pane."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import ClassVar, Final, Literal

from msgspec.structs import replace
from textual import on
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget

from melleafy_tui.actions.choices import Choice, Field
from melleafy_tui.actions.disposition_choices import Proposal, back_to_default, dispose
from melleafy_tui.actions.filters import GROUPINGS, Facet, entry_facets, entry_search_text, group_of
from melleafy_tui.actions.session import WizardSession
from melleafy_tui.actions.steps import Step
from melleafy_tui.actions.traceability import element_at, elements_of
from melleafy_tui.core.decisions.commands import SetRationale
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import DISPOSITIONS, Disposition
from melleafy_tui.core.package.dispositions import cell
from melleafy_tui.core.pipeline.review_rows import Card
from melleafy_tui.screens.filtered_step import FilteredStep
from melleafy_tui.screens.side_pane import EffectPane
from melleafy_tui.screens.text_panes import NOT_IN_VIEW, EmittedView, SourceView
from melleafy_tui.screens.vocabulary_marks import DISPOSITION_TONES
from melleafy_tui.widgets.dialogs import ChoiceDialog, FormDialog
from melleafy_tui.widgets.footer import bindings
from melleafy_tui.widgets.frame import FRAME_STYLES, VERY_WIDE
from melleafy_tui.widgets.line_list import LineList
from melleafy_tui.widgets.rows import Row, members
from melleafy_tui.widgets.styled_text import Line, Span, StyledText, Tone, fit

_DISPOSITION: Final = 12
_INDENT: Final = 2

_NAMED: Final = 5
"""The most entries that a question or a message names."""


def columns(width: int) -> dict[str, int]:
    """Return the width of each column in a row of this width; 0 hides one."""
    shown = {"entry": 8 if width >= 60 else 0, "what": 0, "disposition": _DISPOSITION}
    shown["by"] = 8 if width >= 96 else 0
    shown["target"] = min(44, max(18, (width - 60) // 2 + 10)) if width >= 84 else 0
    shown["SETUP"] = 6 if width >= 72 else 0
    return {**shown, "what": max(8, width - 4 - sum(shown.values()))}


def heading(width: int) -> Line:
    """Return the column names, aligned with the rows of a list of this width."""
    shape = columns(max(1, width - _INDENT - 1))
    named = ((fit(name, cells), Tone.MUTED) for name, cells in shape.items())
    return ((" " * (_INDENT + 4), Tone.MUTED), *named)


def _entry_row(entry: PlanEntry, elements: Mapping[str, Element], *, marked: bool, attention: bool) -> Row:
    def line(width: int) -> Line:
        shape = columns(width)
        label = DISPOSITIONS[entry.disposition].label + (" ◆" if entry.overridden else "")
        target = shape["target"]
        return (
            ("✓ " if marked else "  ", Tone.KEY),
            ("! " if attention else "  ", Tone.WARN),
            (fit(entry.entry_id, shape["entry"]), Tone.MUTED),
            (fit(entry.summary, shape["what"] - 1) + " ", Tone.TEXT),
            (fit(label, shape["disposition"]), DISPOSITION_TONES[entry.disposition]),
            (fit("you" if entry.overridden else entry.source_of_decision.value, shape["by"]), Tone.MUTED),
            (fit(entry.target, max(0, target - 1)) + (" " if target else ""), Tone.MUTED),
            (fit(entry.setup_section or "", shape["SETUP"]), Tone.INFO),
        )

    # Not its `entry_id`, which is a position that another entry may have after a change.
    words = lambda: entry_search_text(entry, elements_of(entry, elements))  # noqa: E731
    return Row(entry.key, line, depth=1, words=words)


def decision_rows(
    session: WizardSession,
    *,
    grouping: str,
    marks: Collection[str],
    only: Collection[str] | None,
) -> list[Row]:
    """Return one row per entry, under their groups.

    Args:
        session: The session.
        grouping: One of GROUPINGS.
        marks: Keys of the marked entries.
        only: Keys of the entries that pass a filter; groups count only those.
    """
    entries = [entry for entry in session.conversion.plan.entries if only is None or entry.key in only]
    reasons, elements = session.reasons, session.conversion.inventory.by_id

    def row(entry: PlanEntry) -> Row:
        return _entry_row(entry, elements, marked=entry.key in marks, attention=entry.entry_id in reasons)

    if grouping == "nothing":
        return [row(entry) for entry in entries]
    groups: dict[str, list[PlanEntry]] = {}
    for entry in entries:
        groups.setdefault(group_of(entry, elements_of(entry, elements), grouping), []).append(entry)
    rows: list[Row] = []
    for name in sorted(groups):
        rows.append(_group_row(name, groups[name], marks))
        rows.extend(row(entry) for entry in groups[name])
    return rows


def _group_row(name: str, entries: list[PlanEntry], marks: Collection[str]) -> Row:
    counts = Counter(entry.disposition for entry in entries)
    overridden = sum(entry.overridden for entry in entries)
    marked = sum(entry.key in marks for entry in entries)
    states: list[Span] = []
    for disposition in Disposition:
        if counts[disposition]:
            states.append((f"  {DISPOSITIONS[disposition].label}", DISPOSITION_TONES[disposition]))
            states.append((f" {counts[disposition]}" if len(counts) > 1 else "", Tone.TEXT))
    if overridden:
        states.append((f"  ◆ {overridden} yours", Tone.KEY))
    if marked:
        states.append((f"  ✓ {marked} marked", Tone.KEY))

    def line(width: int) -> Line:  # noqa: ARG001 - the view cuts it
        return ((name, Tone.HEADING), (f"  {len(entries)}", Tone.MUTED), *states)

    return Row(f"group:{name}", line, group=True, words=name.casefold())


class DecideScreen(FilteredStep):
    """The disposition table, with the effect of the row under the cursor."""

    CSS_PATH: ClassVar[list[str]] = [FRAME_STYLES, "decide.tcss"]  # type: ignore[assignment]
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(Step.DECIDE)]
    STEP = Step.DECIDE
    LIST = "entries"
    PANES = ("table", "effect", "source", "emitted")
    SPLIT = ("table", "effect")

    def __init__(self, session: WizardSession) -> None:
        super().__init__(session)
        self._grouping = GROUPINGS[0]
        self._marks: set[str] = set()
        self._idle_in_plan: frozenset[str] = frozenset()
        """Keys that would do nothing on any row; looked up once a drawing, not at each move of the cursor."""

    def compose_body(self) -> Iterable[Widget]:
        """Yield table and side pane."""
        with Horizontal(id="panes", classes="group"):
            with Vertical(id="table", classes="pane"):
                yield StyledText(id="heading")
                yield StyledText(id="marked")
                yield LineList(id="entries", empty="No matches. Esc shows everything again.")
            pane = EffectPane(self.session, id="effect", classes="pane")
            pane.border_title = "What it does"
            yield pane
        with Horizontal(id="texts", classes="group"):
            yield SourceView(self.session)
            yield EmittedView(self.session)

    def on_resize(self) -> None:
        """Align the heading with the columns."""
        self.call_after_refresh(self._show_heading)

    # --- drawing -------------------------------------------------------------------------------

    def show_body(self) -> None:
        """Draw table and side pane."""
        self._marks &= self.session.conversion.plan.by_key.keys()
        only = self.passing()
        self.rows.show_rows(
            decision_rows(self.session, grouping=self._grouping, marks=self._marks, only=only)
        )
        grouped = f" by {self._grouping}" if self._grouping != "nothing" else ""
        self.query_one("#table").border_title = f"Entries{grouped}"
        self._idle_in_plan = self._keys_idle_in_plan()
        self._show_heading()
        self._show_marked()
        self._show_effect()

    def facets(self) -> list[Facet]:
        """Return the filters for entries."""
        return entry_facets(self.session.conversion, self.session.reasons)

    def keys_by_id(self) -> dict[str, str]:
        """Return the keys of the entries by their ids."""
        return {entry.entry_id: entry.key for entry in self.session.conversion.plan.entries}

    def _show_heading(self) -> None:
        width = self.rows.size.width
        if width:
            self.query_one("#heading", StyledText).show_lines([heading(width)])

    def _show_marked(self) -> None:
        bar = self.query_one("#marked", StyledText)
        bar.display = bool(self._marks)
        if not self._marks:  # drawing even an empty bar lays out the whole screen
            return
        hidden = len(self._marks) - len(self.chosen)
        shown = "these" if not hidden else f"the {len(self.chosen)} in view"
        said = f"✓ {len(self._marks)} marked: keys act on {shown} · Esc unmarks"
        bar.show_lines([((said, Tone.KEY),)])

    def _show_effect(self) -> None:
        pane, source = self.query_one("#effect", EffectPane), self.query_one(SourceView)
        entry, elements = self.current, self._elements
        self.query_one(EmittedView).show_elements([element.element_id for element in elements])
        source.follow(elements[0] if elements else None)
        if entry is None:
            pane.show_group(len(self.chosen))
        else:
            pane.show_entry(entry)

    def panes_in_view(self) -> tuple[str, ...]:
        """Return the panes that there is room for: all on very wide terminals, else one beside the table."""
        return self.PANES if self.size.width >= VERY_WIDE else ("table", self.beside)

    def idle_keys(self) -> set[str]:
        """Return the ids of keys that would do nothing on this row: refused dispositions, and what is so already."""
        entry, chosen_now = self.current, self.chosen
        works = {
            "decide.default": any(each.overridden for each in chosen_now),
            "decide.rationale": entry is not None and entry.overridden,
        }
        for disposition, info in DISPOSITIONS.items():
            works[f"decide.{info.label.replace('_', '-')}"] = any(
                cell(each.kind, disposition).allowed and each.disposition is not disposition
                for each in chosen_now
            )
        return (
            super().idle_keys()
            | self._idle_in_plan
            | {name for name, working in works.items() if not working}
        )

    def _keys_idle_in_plan(self) -> frozenset[str]:
        conversion = self.session.conversion
        works = {
            "decide.conflicts": any(each.card is Card.NEEDS_YOU for each in self.session.all_cards),
            "decide.attention": bool(self.session.reasons),
            "decide.differences": any(each.overridden for each in conversion.plan.entries),
            "decide.mark-group": self._grouping != "nothing",
        }
        return frozenset(name for name, working in works.items() if not working)

    @property
    def is_narrowed(self) -> bool:
        """Return whether a search, a filter or marks can be cleared."""
        return super().is_narrowed or bool(self._marks)

    @on(LineList.Moved, "#entries")
    def _follow_cursor(self) -> None:
        self._show_marked()
        self._show_effect()

    @on(LineList.Moved, "#source")
    def follow_source(self) -> None:
        """Go to the entry of the line."""
        source = self.query_one(SourceView)
        if source.points_elsewhere(self._elements):
            found = element_at(self.session.conversion.inventory.elements, source.path, source.line_number)
            entry = self.session.conversion.plan.by_element.get(found.element_id) if found else None
            if entry is not None:
                self.rows.go_to(entry.key)

    @on(LineList.Opened, "#entries")
    def _show_source(self) -> None:
        entry = self.current
        if entry is not None and entry.source_elements:
            self.post_message(self.GoTo(Step.INVENTORY, entry.source_elements[0]))
        elif entry is not None:
            self.notify(
                "This entry comes from the settings, not from the source; b on step 1 changes it.",
                markup=False,
            )

    # --- what the cursor is on -----------------------------------------------------------------

    @property
    def current(self) -> PlanEntry | None:
        """Return the entry under the cursor."""
        row = self.rows.current
        return self.session.conversion.plan.by_key.get(row.id) if row else None

    @property
    def _elements(self) -> tuple[Element, ...]:
        """Return the elements of the entry under the cursor."""
        entry = self.current
        return self.session.elements_of(entry) if entry is not None else ()

    @property
    def chosen(self) -> tuple[PlanEntry, ...]:
        """Return the entries that a key applies to: the marked ones, else the cursor's row or group; none is hidden."""
        rows = self.rows
        if self._marks:
            names = self._marks
        elif rows.current is None or self.points_elsewhere(self._elements):
            return ()
        else:
            row = rows.current
            names = set(members(rows.all_rows, row.id)) if row.group else {row.id}
        in_view = names & {row.id for row in rows.unfiltered_rows}
        return tuple(entry for entry in self.session.conversion.plan.entries if entry.key in in_view)

    def reveal(self, target: str) -> None:
        """Go to an entry by its id, or by an element's id."""
        entry = self.session.conversion.plan.by_element.get(target)
        entry = entry or self.session.conversion.plan.by_id.get(target)
        self.go_to_row(entry.key if entry is not None else target)

    # --- deciding ------------------------------------------------------------------------------

    def action_dispose(self, value: str) -> None:
        """Set a disposition on the chosen entries, or reset them to their defaults."""
        if value:
            self._decide(lambda entries: dispose(entries, Disposition(value)))
        else:
            self._decide(back_to_default)

    def _decide(self, propose: Callable[[Sequence[PlanEntry]], Proposal]) -> None:
        """Carry out what a key proposes for the chosen entries; for a group, ask first."""
        entries, marked = self.chosen, bool(self._marks)
        if not entries:
            hidden = "The marked rows are hidden; Esc shows and unmarks them."
            self.notify(hidden if marked else NOT_IN_VIEW, markup=False)
            return
        proposal = propose(entries)
        if proposal.command is None:
            self._carry_out(proposal)
            return
        proposal = replace(proposal, words=f"{proposal.words}: {self._titles(entries)}")
        if len(entries) == 1 or marked or self.current is not None:
            self._marks.clear()
            self._carry_out(proposal)
            return

        lead: list[Line] = [((f"• {entry.summary}", Tone.TEXT),) for entry in entries[:_NAMED]]
        if len(entries) > _NAMED:
            lead.append(((f"and {len(entries) - _NAMED} more", Tone.MUTED),))
        offered = [Choice("all", f"Yes, all {len(entries)}", proposal.words.partition(":")[0])]
        title = f"Decide all {len(entries)} entries of this group?"
        ChoiceDialog(title, offered, lead=lead).ask(self.app, lambda _: self._carry_out(proposal))

    def _titles(self, entries: Sequence[PlanEntry]) -> str:
        titles = [entry.summary for entry in entries[:_NAMED]]
        more = len(entries) - len(titles)
        return "; ".join(titles) + (f" and {more} more" if more else "")

    def _carry_out(self, proposal: Proposal) -> None:
        if proposal.command is not None:
            keys, words = self.session.keys, proposal.words
            if proposal.overrides:
                why, undo = keys.spelled("decide.rationale"), keys.spelled("history.undo")
                words = f"{words}.  {why} gives a reason · {undo} undoes it"
            self.post_message(self.Act(proposal.command, words))
            return
        if proposal.refused:
            self.app.bell()
        severity: Literal["warning", "information"] = "warning" if proposal.refused else "information"
        self.notify(proposal.words, title=proposal.title, severity=severity, markup=False)

    def action_rationale(self) -> None:
        """Ask why an entry was overridden."""
        entry = self.current
        if entry is None or not entry.overridden or self.points_elsewhere(self._elements):
            self.notify("Only an override can have a reason.", severity="warning", markup=False)
            return

        def decide(values: dict[str, str]) -> None:
            self.post_message(self.Act(SetRationale(entry.key, values["why"]), "Your reason is kept"))

        field = Field("why", f"Why {DISPOSITIONS[entry.disposition].label}?", entry.override_rationale)
        FormDialog(entry.summary, [field]).ask(self.app, decide)

    # --- marking -------------------------------------------------------------------------------

    def action_mark(self) -> None:
        """Mark or unmark the row, or all rows of the group; the cursor stays."""
        entry = self.current
        if entry is None:
            self.action_mark_group()
            return
        self._marks.symmetric_difference_update({entry.key})
        self.show_body()

    def action_mark_group(self) -> None:
        """Mark or unmark every row in view of the cursor's group."""
        row = self.rows.current
        self._mark(set(members(self.rows.all_rows, row.id)) if row is not None else set())

    def action_mark_all(self) -> None:
        """Mark every row that passes filter and search, or unmark them if all are marked."""
        self._mark(set(self.session.conversion.plan.by_key))

    def _mark(self, keys: set[str]) -> None:
        """Mark those of the rows that are in view, or unmark them if all are marked."""
        shown = keys & {row.id for row in self.rows.unfiltered_rows}
        self._marks = self._marks - shown if shown <= self._marks else self._marks | shown
        self.show_body()

    # --- finding -------------------------------------------------------------------------------

    def action_next_attention(self) -> None:
        """Go to the next row that needs review."""
        by_id = self.session.conversion.plan.by_id
        waiting = [by_id[name] for name in self.session.reasons]
        if not waiting:
            self.notify("Nothing needs your attention here.", markup=False)
            return
        order = list(self.session.conversion.plan.by_key)
        here = order.index(self.current.key) if self.current is not None else -1
        later = (entry for entry in waiting if order.index(entry.key) > here)
        self.go_to_row(next(later, waiting[0]).key)

    def action_toggle_differences(self) -> None:
        """Show only what differs from the defaults, or everything."""
        is_on = self._filter is not None and self._filter.id == "overridden"
        self.set_filter(None if is_on else Facet("overridden", "differs from the defaults", frozenset()))
        self.show_body()

    def action_next_grouping(self) -> None:
        """Switch to the next grouping."""
        self._grouping = GROUPINGS[(GROUPINGS.index(self._grouping) + 1) % len(GROUPINGS)]
        self.show_body()

    def action_clear_search(self) -> None:
        """Clear search, filter and marks."""
        self._marks.clear()
        super().action_clear_search()

    def copied(self) -> str:
        """Return the row as one line."""
        entry = self.current
        if entry is None:
            return ""
        return f"{entry.entry_id}  {entry.summary}  {entry.disposition.value}  {entry.target}"
