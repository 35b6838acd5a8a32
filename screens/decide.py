"""Step 3: what becomes of each entry, with one key a disposition and the consequence beside it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import on, work
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget

from melleafy_tui.core.conversion import Conversion
from melleafy_tui.core.decisions.commands import (
    JudgeIndividually,
    ResolveConflict,
    SetDisposition,
    SetRationale,
)
from melleafy_tui.core.dispositions import cell
from melleafy_tui.core.models.mapping import MappingEntry
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind, ValidationKind
from melleafy_tui.effects import Effect, effect
from melleafy_tui.facets import chosen, entry_facets
from melleafy_tui.keymap import DECIDE, bindings
from melleafy_tui.screens.decide_rows import (
    GROUPINGS,
    conflict_lines,
    decision_rows,
    entry_lines,
    entry_title,
    heading,
)
from melleafy_tui.screens.facets import choices
from melleafy_tui.screens.words import CATEGORY_TERMS, DISPOSITION_TERMS
from melleafy_tui.widgets.dialogs import Choice, ChoiceDialog, Field, FormDialog
from melleafy_tui.widgets.frame import FRAME_STYLES, StepScreen
from melleafy_tui.widgets.line_list import LineList
from melleafy_tui.widgets.toned import Pane, Toned
from melleafy_tui.widgets.tones import Tone
from melleafy_tui.wizard_session import WizardSession
from melleafy_tui.wizard_steps import Step
from melleafy_tui.words import DISPOSITION_LABELS

_SETTLE = 0.12
"""Seconds that the cursor rests on a row before its exact change is worked out."""

_RESOLUTIONS: dict[str, str] = {
    "primary": "as the leading runtime would",
    "contributor": "as the contributing runtime would",
    "merge": "keep what both would do",
}


class DecideScreen(StepScreen):
    """The disposition table with the consequence of the row under the cursor."""

    CSS_PATH: ClassVar[list[str]] = [FRAME_STYLES, "decide.tcss"]  # type: ignore[assignment]
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(DECIDE)]
    STEP = Step.DECIDE
    HINT = (
        "Each row is one thing the agent depends on; the defaults work as they are.",
        "One key decides: b bundle, s stub, d delegate, x remove … u takes it back, w finds what needs you.",
    )
    TERMS = (
        *DISPOSITION_TERMS,
        ("◆", "You decided this one; ⌫ goes back to the default."),
        ("!", "It needs your eye; the pane says why, and w goes to the next one."),
        ("✓", "Marked; a disposition key decides all marked rows at once."),
        ("SETUP", "The section of SETUP.md that this entry triggers."),
        ("calls/run", "Model calls of one run of the package whose every check passes at the first try."),
        *CATEGORY_TERMS,
    )

    @dataclass
    class Worked(Message):
        """A thread has worked out what a row changes."""

        plan_id: int
        entry: PlanEntry
        effect: Effect

    def __init__(self, session: WizardSession) -> None:
        super().__init__(session)
        self._grouping = GROUPINGS[0]
        self._facet = ""
        self._differences = False
        self._marks: set[str] = set()
        self._settling: Timer | None = None

    def compose_body(self) -> Iterable[Widget]:
        """Yield table and side pane."""
        with Horizontal(id="panes"):
            with Vertical(id="table", classes="pane"):
                yield Toned(id="heading")
                yield LineList(id="entries", empty="Nothing to decide here. Esc shows everything again.")
            pane = Pane(id="consequence", classes="pane")
            pane.border_title = "What it does"
            yield pane

    def on_mount(self) -> None:
        """Start in the table."""
        super().on_mount()
        self.query_one("#entries").focus()

    def on_resize(self) -> None:
        """Keep the heading in step with the columns."""
        super().on_resize()
        self.call_after_refresh(self._show_heading)

    # --- drawing -------------------------------------------------------------------------------

    def show_body(self) -> None:
        """Draw table and side pane."""
        only, title = self._filter()
        known = {entry.entry_id for entry in self.session.conversion.plan.entries}
        self._marks &= known
        entries = self.query_one("#entries", LineList)
        entries.show_rows(decision_rows(self.session, grouping=self._grouping, marks=self._marks, only=only))
        table = self.query_one("#table")
        table.border_title = f"Entries by {self._grouping}" if self._grouping != "nothing" else "Entries"
        table.border_subtitle = (
            f"{len(only)} of {len(known)} · {title} · Esc shows all" if only is not None else ""
        )
        self._show_heading()
        self._show_consequence()

    def _filter(self) -> tuple[set[str] | None, str]:
        plan = self.session.conversion.plan
        if self._differences:
            return {entry.entry_id for entry in plan.entries if entry.overridden}, "differs from the defaults"
        facet = chosen(entry_facets(self.session), self._facet) if self._facet else None
        if facet is not None:
            return set(facet.ids), facet.label
        self._facet = ""
        return None, ""

    def _show_heading(self) -> None:
        width = self.query_one("#entries", LineList).size.width
        if width:
            self.query_one("#heading", Toned).show_lines([heading(width)])

    def _show_consequence(self) -> None:
        pane = self.query_one("#consequence", Pane)
        entry = self.current
        if entry is None:
            count = len(self.chosen)
            pane.show_lines(
                [
                    ((f"{count} entries in this group", Tone.STRONG),),
                    (("A disposition key decides all of them at once, where it is allowed.", Tone.TEXT),),
                    (("⏎ folds and unfolds, ␣ marks.", Tone.MUTED),),
                ]
                if count
                else [(("Move to a row to read what it does.", Tone.MUTED),)]
            )
            return
        known = self.session.known_effect(entry)
        pane.show_lines(entry_lines(self.session, entry, known))
        if self._settling is not None:
            self._settling.stop()
            self._settling = None
        if known is None:
            self._settling = self.set_timer(_SETTLE + self.session.patience, self._start_working)

    def _start_working(self) -> None:
        entry = self.current
        if entry is not None and self.is_current:
            self._work_out(self.session.twin(), id(self.session.conversion.plan), entry)

    @work(
        thread=True,
        exclusive=True,
        group="effect",
        exit_on_error=False,
        description="work out what a row changes",
    )
    def _work_out(self, twin: Conversion, plan_id: int, entry: PlanEntry) -> None:
        self.post_message(self.Worked(plan_id, entry, effect(twin, entry)))

    @on(Worked)
    def show_effect(self, event: Worked) -> None:
        """Show what was worked out, where the cursor still stands there."""
        if event.plan_id != id(self.session.conversion.plan):
            return
        self.session.keep_effect(event.entry, event.effect)
        entry = self.current
        if entry is not None and entry.entry_id == event.entry.entry_id:
            lines = entry_lines(self.session, entry, event.effect)
            self.query_one("#consequence", Pane).show_lines(lines, from_top=False)

    @on(LineList.Moved, "#entries")
    def follow_cursor(self, event: LineList.Moved) -> None:
        """Show the consequence of the row."""
        event.stop()
        self._show_consequence()

    @on(LineList.Opened, "#entries")
    def show_source(self, event: LineList.Opened) -> None:
        """Go to the element in the inventory."""
        event.stop()
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
        row = self.query_one("#entries", LineList).current
        return self.session.conversion.plan.by_id.get(row.id) if row else None

    @property
    def chosen(self) -> tuple[PlanEntry, ...]:
        """Return the entries that a key acts on: the marked ones, else the cursor's row or its group."""
        plan = self.session.conversion.plan
        if self._marks:
            return tuple(entry for entry in plan.entries if entry.entry_id in self._marks)
        entry = self.current
        if entry is not None:
            return (entry,)
        return self._group_of_cursor()

    def _group_of_cursor(self) -> tuple[PlanEntry, ...]:
        rows = self.query_one("#entries", LineList)
        row = rows.current
        if row is None:
            return ()
        by_id = self.session.conversion.plan.by_id
        return tuple(by_id[name] for name in self._members(row.id) if name in by_id)

    def _members(self, row_id: str) -> list[str]:
        """Return the entries of the group that a row heads or stands in."""
        members: list[str] = []
        found = False
        for row in self.query_one("#entries", LineList).all_rows:
            if row.group:
                if found:
                    break
                members = []
            else:
                members.append(row.id)
            found = found or row.id == row_id
        return members if found else []

    def reveal(self, target: str) -> None:
        """Go to an entry by its id, or to that of an element."""
        entry = self.session.conversion.plan.by_element.get(target)
        rows = self.query_one("#entries", LineList)
        wanted = entry.entry_id if entry is not None else target
        if not rows.go_to(wanted):
            self._facet, self._differences = "", False
            self.show_body()
            rows.go_to(wanted)
        rows.focus()

    # --- deciding ------------------------------------------------------------------------------

    def action_dispose(self, value: str) -> None:
        """Set a disposition on the chosen entries, or take them back to their defaults."""
        entries = self.chosen
        if not entries:
            return
        disposition = Disposition(value) if value else None
        if disposition is None:
            keys = tuple(entry.key for entry in entries if entry.overridden)
            if not keys:
                self.notify("Already at the default.", markup=False)
                return
            self.post_message(self.Act(SetDisposition(keys, None), f"{_count(keys)} back to the default"))
            return
        allowed = [entry for entry in entries if cell(entry.kind, disposition).allowed]
        refused = [entry for entry in entries if not cell(entry.kind, disposition).allowed]
        label = DISPOSITION_LABELS[disposition]
        if not allowed:
            why = cell(refused[0].kind, disposition).refusal
            self.app.bell()
            self.notify(why, title=f"{label} is not allowed here", severity="warning", markup=False)
            return
        keys = tuple(entry.key for entry in allowed)
        done = f"{_count(keys)} → {label}.  a says why · u takes it back"
        if refused:
            done = (
                f"{_count(keys)} → {label}; {len(refused)} stay: {cell(refused[0].kind, disposition).refusal}"
            )
        self.post_message(self.Act(self._command(allowed, disposition, keys), done))

    def _command(
        self, allowed: Sequence[PlanEntry], disposition: Disposition, keys: tuple[str, ...]
    ) -> SetDisposition:
        if all(entry.default_disposition is disposition and entry.overridden for entry in allowed):
            return SetDisposition(keys, None)
        wanted = tuple(entry.key for entry in allowed if entry.disposition is not disposition)
        return SetDisposition(wanted or keys, disposition)

    def action_judge_individually(self) -> None:
        """Give judged rules a requirement of their own, or fold them again."""
        rules = [entry for entry in self.chosen if entry.kind is EntryKind.RULE and self._is_judged(entry)]
        if not rules:
            self.notify(
                "Only a rule that the model judges can be judged alone.", severity="warning", markup=False
            )
            return
        alone = not all(entry.judge_individually for entry in rules)
        keys = tuple(entry.key for entry in rules)
        done = f"{_count(keys)} {'judged alone' if alone else 'folded again'}"
        self.post_message(self.Act(JudgeIndividually(keys, alone), done))

    def _is_judged(self, entry: PlanEntry) -> bool:
        mappings = self.session.conversion.mapping.by_element
        found: list[MappingEntry] = [mappings[name] for name in entry.source_elements if name in mappings]
        return any(mapping.validation_kind is ValidationKind.LLM_JUDGED for mapping in found)

    def action_rationale(self) -> None:
        """Ask why an entry was overridden."""
        entry = self.current
        if entry is None or not entry.overridden:
            self.notify("A reason belongs to a row that you overrode.", severity="warning", markup=False)
            return

        def decide(values: dict[str, str] | None) -> None:
            if values is not None:
                self.post_message(self.Act(SetRationale(entry.key, values["why"]), "Your reason is kept"))

        field = Field("why", f"Why {DISPOSITION_LABELS[entry.disposition]}?", entry.override_rationale)
        self.app.push_screen(FormDialog(entry_title(self.session, entry), [field]), decide)

    # --- marking -------------------------------------------------------------------------------

    def action_mark(self) -> None:
        """Mark or unmark the row, or all rows of the group."""
        rows = self.query_one("#entries", LineList)
        entry = self.current
        if entry is None:
            self.action_mark_group()
            return
        self._marks.symmetric_difference_update({entry.entry_id})
        self.show_body()
        rows.action_cursor(1)

    def action_mark_group(self) -> None:
        """Mark or unmark every row of the group that the cursor is in."""
        rows = self.query_one("#entries", LineList)
        group = set(self._members(rows.current.id)) if rows.current else set()
        self._marks = self._marks - group if group <= self._marks else self._marks | group
        self.show_body()

    # --- finding -------------------------------------------------------------------------------

    def action_next_attention(self) -> None:
        """Go to the next row that needs attention."""
        waiting = [entry.entry_id for entry in self.session.attention_entries]
        if not waiting:
            self.notify("Nothing needs your attention here.", markup=False)
            return
        self._walk(waiting)

    def action_next_conflict(self) -> None:
        """Go to the next conflict and ask how to resolve it."""
        plan = self.session.conversion.plan
        owners = {
            entry.entry_id: conflict
            for conflict in plan.conflicts
            if (entry := plan.by_element.get(conflict.element_id)) is not None
        }
        if not owners:
            self.notify("There is no conflict: one runtime reads this workspace.", markup=False)
            return
        conflict = owners[self._walk(list(owners))]
        refusals = dict(conflict.refusals)
        options = [
            Choice(
                name,
                name,
                _RESOLUTIONS[name],
                current=name == conflict.resolution,
                refusal=refusals.get(name, ""),
            )
            for name in _RESOLUTIONS
        ]

        def decide(value: str | None) -> None:
            if value is not None:
                self.post_message(self.Act(ResolveConflict(conflict.key, value), f"Conflict: {value}"))

        lead = conflict_lines(self.session, conflict)
        self.app.push_screen(ChoiceDialog("Two runtimes differ", options, lead=lead), decide)

    def _walk(self, stops: list[str]) -> str:
        order = [entry.entry_id for entry in self.session.conversion.plan.entries]
        entry = self.current
        here = order.index(entry.entry_id) if entry is not None else -1
        target = next((stop for stop in stops if order.index(stop) > here), stops[0])
        self.reveal(target)
        return target

    def action_toggle_differences(self) -> None:
        """Show only what differs from the defaults, or everything."""
        self._differences = not self._differences
        self.show_body()

    def action_next_grouping(self) -> None:
        """Group by the next thing."""
        self._grouping = GROUPINGS[(GROUPINGS.index(self._grouping) + 1) % len(GROUPINGS)]
        self.show_body()

    def action_filter(self) -> None:
        """Choose what to show."""
        offered = choices(entry_facets(self.session), len(self.session.conversion.plan.entries), self._facet)

        def decide(value: str | None) -> None:
            if value is not None:
                self._facet, self._differences = value, False
                self.show_body()

        self.app.push_screen(ChoiceDialog("Show only", offered), decide)

    def action_clear_search(self) -> None:
        """Clear search, filter and marks."""
        self._facet, self._differences = "", False
        self._marks.clear()
        super().action_clear_search()
        self.show_body()

    def searched(self) -> LineList | None:
        """Return the table."""
        return self.query_one("#entries", LineList)

    def copied(self) -> str:
        """Return the row in one line."""
        entry = self.current
        if entry is None:
            return ""
        return (
            f"{entry.entry_id}  {entry_title(self.session, entry)}  {entry.disposition.value}  {entry.target}"
        )


def _count(keys: Sequence[str]) -> str:
    return f"{len(keys)} {'entry' if len(keys) == 1 else 'entries'}"
