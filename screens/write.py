"""Step 5, Write: the plan of the write, the key that carries it out, and the result with the next commands."""

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import ClassVar, Final

from textual import on, work
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.widget import Widget
from textual.widgets import ProgressBar

from melleafy_tui.actions.choices import Choice
from melleafy_tui.actions.command_lines import next_commands
from melleafy_tui.actions.edited_package import findings_on_disk
from melleafy_tui.actions.labels import category_title, place, with_tilde
from melleafy_tui.actions.session import Rendered, WizardSession
from melleafy_tui.actions.source_watch import changed_paths
from melleafy_tui.actions.steps import STEP_INFO, Step
from melleafy_tui.core.decisions.state import Decisions
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.core.models.file_set import FileSet
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.reports import FixtureRun, FixtureStatus, LintFinding, LintReport, SmokeReport
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import Disposition
from melleafy_tui.core.output.plan import WRITE_ORDER, Action, PlannedFile, WritePlan
from melleafy_tui.core.output.writer import WriteResult, write
from melleafy_tui.core.package.setup_sections import (
    delegates_by_category,
    is_stub,
    stubs_by_category,
    unexpanded_files,
    unexpanded_skills,
    unexpanded_words,
)
from melleafy_tui.core.smoke.runner import SmokeRequest, run_smoke
from melleafy_tui.screens.conflict import KEEP, ConflictDialog
from melleafy_tui.screens.vocabulary import ACTION_MARKS
from melleafy_tui.widgets.dialogs import ChoiceDialog, TextDialog
from melleafy_tui.widgets.frame import FRAME_STYLES, StepScreen
from melleafy_tui.widgets.key_bindings import bindings
from melleafy_tui.widgets.line_list import LineList
from melleafy_tui.widgets.rows import Row
from melleafy_tui.widgets.styled_text import Line, Pane, Span, Tone, fit, fit_end

FIXTURE_SPANS: Final[dict[FixtureStatus, Span]] = {
    FixtureStatus.PASSED: ("✓ ", Tone.GOOD),
    FixtureStatus.UNMET: ("! ", Tone.WARN),
    FixtureStatus.FAILED: ("✗ ", Tone.BAD),
    FixtureStatus.ENVIRONMENT: ("? ", Tone.WARN),
}


def plan_rows(plan: WritePlan, done: frozenset[str]) -> list[Row]:
    """Return what a write does to each file, grouped, those that need review first."""
    groups: dict[Action, list[PlannedFile]] = {}
    for file in plan.files:
        groups.setdefault(file.action, []).append(file)
    rows: list[Row] = []
    for action in WRITE_ORDER:
        held = groups.get(action, [])
        if not held:
            continue
        mark, words, tone = ACTION_MARKS[action]
        rows.append(
            Row(
                f"action:{action.value}",
                ((f"{mark} ", tone), (words, Tone.HEADING), (f"  {len(held)}", Tone.MUTED)),
                group=True,
            )
        )
        rows.extend(Row(file.path, _file_line(file, written=file.path in done), depth=1) for file in held)
    return rows


def _file_line(file: PlannedFile, *, written: bool) -> Callable[[int], Line]:
    def line(width: int) -> Line:
        room = width - 3
        named = min(room, max(20, room * 2 // 3)) if file.note else room
        return (
            ("✓ " if written else "  ", Tone.GOOD),
            (fit_end(file.path, named), Tone.TEXT),
            (fit(f" {file.note}", room - named) if file.note else "", Tone.MUTED),
        )

    return line


def before_lines(session: WizardSession, rendered: Rendered | None) -> list[Line]:
    """Return the summary before writing."""
    if rendered is None:
        return [(("Rendering the package …", Tone.MUTED),)]
    lines: list[Line] = [
        (("Package  ", Tone.MUTED), (rendered.files.package_name, Tone.STRONG)),
        (("Folder   ", Tone.MUTED), (place(session.out), Tone.STRONG)),
        _lint_line(len(rendered.lints.findings), len(rendered.lints.results)),
        _decisions_line(session),
        (),
    ]
    plan = rendered.plan
    if plan is None:
        return [
            *lines,
            (("✗ ", Tone.BAD), (with_tilde(rendered.refusal), Tone.BAD)),
            (),
            ((f"{session.keys.spelled('write.output')} chooses another folder.", Tone.STRONG),),
        ]
    counts = Counter(file.action for file in plan.files)
    for action in WRITE_ORDER:
        if counts[action]:
            mark, words, tone = ACTION_MARKS[action]
            lines.append(((f"{mark} {counts[action]:>3} ", tone), (words, Tone.TEXT)))
    lines.extend(((f"• {note}", Tone.MUTED),) for note in plan.notes)
    lines.append(_fixtures_line(session))
    lines.append(())
    write = session.keys.spelled("write.write")
    if plan.changes or plan.stale_new_files:
        lines.append(
            (
                (write, Tone.KEY),
                (" writes this: all files or none.", Tone.TEXT),
            )
        )
    else:
        lines.append((("The package on disk is up to date with your decisions.", Tone.GOOD),))
    return lines


def _lint_line(failing: int, lints: int, where: str = "step 4 lists them") -> Line:
    if failing:
        return (("Lints    ", Tone.MUTED), (f"{failing} fail", Tone.BAD), (f"  {where}", Tone.MUTED))
    return (("Lints    ", Tone.MUTED), (f"all {lints} pass", Tone.GOOD))


def _fixtures_line(session: WizardSession) -> Line:
    picked = len(session.conversion.decisions.fixtures)
    held = f"{picked} of its fixtures from the agent's history; " if picked else ""
    return (
        ("• ", Tone.ACCENT),
        (held, Tone.TEXT),
        (session.keys.spelled("fixtures.pick"), Tone.KEY),
        (" picks more." if picked else " picks fixtures from the agent's history.", Tone.MUTED),
    )


def _decisions_line(session: WizardSession) -> Line:
    conversion, save = session.conversion, session.keys.spelled("decisions.save")
    if conversion.unsaved:
        return (
            ("Choices  ", Tone.MUTED),
            ("not saved yet", Tone.WARN),
            (f"  {save} saves them", Tone.MUTED),
        )
    if session.decisions_path is not None:
        return (
            ("Choices  ", Tone.MUTED),
            ("saved in ", Tone.TEXT),
            (place(session.decisions_path), Tone.TEXT),
        )
    return (("Choices  ", Tone.MUTED), ("all at their defaults", Tone.TEXT))


def after_lines(session: WizardSession, rendered: Rendered) -> list[Line]:
    """Return the result: where it was written, what is left to do, what to try, and the equivalent command line."""
    written = session.written
    if written is None:
        return []
    head = "Written to " if written.changed else "Nothing had to change in "
    lines: list[Line] = [(("✓ ", Tone.GOOD), (head, Tone.GOOD), (place(written.out), Tone.STRONG))]
    if written.recovered:
        lines.append((("• ", Tone.ACCENT), (written.recovered, Tone.TEXT)))
    if written.backups:
        lines.append(
            (
                ("• ", Tone.ACCENT),
                (f"Your replaced files are kept in .melleafy-backup/: {len(written.backups)}", Tone.TEXT),
            )
        )
    lines.extend(
        (("! ", Tone.WARN), (f"{name}: ⏎ on the conflict opens both texts.", Tone.WARN))
        for name in written.new_files
    )
    lines.extend(_lint_lines(session, rendered))
    if rendered.late_masks:
        from melleafy_tui.core.pipeline.withheld_values import withheld_note  # few packages have any

        lines.append((("! ", Tone.WARN), (withheld_note(rendered.late_masks), Tone.WARN)))
    lines.extend((_decisions_line(session), ()))
    lines.append((("Left for you to do", Tone.HEADING),))
    lines.extend(recap_lines(session))
    lines.extend(
        ((), (("Try it", Tone.HEADING), (f"  {session.keys.spelled('copy.row')} copies", Tone.MUTED)))
    )
    lines.extend(
        (("$ ", Tone.MUTED), (command, Tone.TEXT)) for command in next_commands(session.out, rendered.files)
    )
    lines.extend(
        (
            (),
            (("The same without the wizard", Tone.HEADING),),
            (("$ ", Tone.MUTED), (session.command_line, Tone.TEXT)),
        )
    )
    lines.append(
        (
            (session.keys.spelled("package.export"), Tone.KEY),
            (" exports a workspace from it.", Tone.TEXT),
        )
    )
    if session.conversion.unsaved:
        save = session.keys.spelled("decisions.save")
        lines.append(
            (
                (
                    f"Save your decisions first, or the result differs: {save}.",
                    Tone.WARN,
                ),
            )
        )
    return lines


def _lint_lines(session: WizardSession, rendered: Rendered) -> list[Line]:
    """Return the lint result of the files on disk, which may hold edits of the user."""
    on_disk, lints = session.findings_on_disk, len(rendered.lints.results)
    if not on_disk:
        return [_lint_line(len(rendered.lints.findings), lints)]
    lines = [_lint_line(len(on_disk), lints, "in the files on disk, with your edits")]
    lines.extend((("✗ ", Tone.BAD), (finding.spelled, Tone.TEXT)) for finding in on_disk[:_LISTED])
    return lines


def _setup_sections(entries: Iterable[PlanEntry], category: str, *, written: bool) -> list[str]:
    """Return the sections of SETUP.md for the stubs of a category, or for what is left to the host."""
    left = (Disposition.STUB, Disposition.DELEGATE_TO_RUNTIME)
    own = (entry for entry in entries if entry.category == category and entry.disposition in left)
    return sorted({entry.setup_section for entry in own if is_stub(entry) is written and entry.setup_section})


def recap_lines(session: WizardSession) -> list[Line]:
    """Return stubs and delegates by category, with the SETUP.md sections to read."""
    entries = session.conversion.plan.entries
    stubs, delegates = (
        stubs_by_category(entries, session.conversion.inventory),
        delegates_by_category(entries),
    )
    elements = session.conversion.inventory.elements
    unexpanded = unexpanded_words(unexpanded_skills(elements), unexpanded_files(elements))
    noted: list[Line] = [(("• ", Tone.ACCENT), (words, Tone.TEXT)) for words in unexpanded]
    if not stubs and not delegates:
        return [(("Nothing: no stubs, no delegates.", Tone.GOOD),), *noted]
    lines: list[Line] = noted
    counts = [(category, True, count) for category, count in stubs.items()]
    counts += [(category, False, count) for category, count in delegates.items()]
    for category, written, count in sorted(counts, key=lambda row: (row[0], not row[1])):
        what = ("stub" if count == 1 else "stubs") if written else "delegated"
        sections = _setup_sections(entries, category, written=written)
        read = f"  SETUP.md {', '.join(sections)}" if sections else ""
        lines.append(
            (
                ("• ", Tone.ACCENT),
                (f"{category_title(category)}: {count} {what}", Tone.TEXT),
                (read, Tone.INFO),
            )
        )
    return lines


def _fixtures(count: int) -> str:
    return "1 fixture" if count == 1 else f"{count} fixtures"


def smoke_lines(runs: Sequence[FixtureRun], state: str) -> list[Line]:
    """Return the result of each fixture, and the status of the whole run."""
    lines: list[Line] = [(("Smoke run", Tone.HEADING), (f"  {state}", Tone.MUTED))]
    for run in runs:
        calls = f"  {run.calls} {'call' if run.calls == 1 else 'calls'}" if run.calls is not None else ""
        lines.append(
            (
                FIXTURE_SPANS[run.status],
                (run.fixture_id, Tone.TEXT),
                (f"  {run.status.value}{calls}", Tone.MUTED),
            )
        )
        lines.extend((("    ", Tone.MUTED), (text, Tone.WARN)) for text in (*run.faults, *run.unmet))
        lines.extend((("    ", Tone.MUTED), (note, Tone.MUTED)) for note in run.notes)
    return lines


_LISTED: Final = 6
_COMMAND_NOTES: Final = ("install it", "ask it something", "run all fixtures")


def failing_lints_dialog(lints: LintReport) -> ChoiceDialog:
    """Return the dialog before writing a package that fails a lint; it returns "look" or "write"."""
    count = len(lints.findings)
    choices = [
        Choice("look", "Look at the first", "step 4 opens at its line", current=True),
        Choice("write", "Write anyway", "the report names what fails"),
    ]
    return ChoiceDialog("1 lint fails" if count == 1 else f"{count} lints fail", choices)


def deleted_files_dialog(plan: WritePlan) -> ChoiceDialog:
    """Return the dialog about files that the user deleted; it returns "keep" (deleted) or "restore"."""
    paths = [file.path for file in plan.deleted]
    lead: list[Line] = [((path, Tone.TEXT),) for path in paths[:_LISTED]]
    if len(paths) > _LISTED:
        lead.append(((f"… and {len(paths) - _LISTED} more", Tone.MUTED),))
    choices = [Choice("keep", "Leave them deleted", current=True), Choice("restore", "Write them again")]
    return ChoiceDialog("You deleted these since they were written", choices, lead=lead)


def stale_source_dialog(changed: Sequence[str]) -> ChoiceDialog:
    """Return the dialog about a source that changed since it was read; it returns "read" or "write"."""
    lead: list[Line] = [((path, Tone.TEXT),) for path in changed[:_LISTED]]
    if len(changed) > _LISTED:
        lead.append(((f"… and {len(changed) - _LISTED} more", Tone.MUTED),))
    choices = [
        Choice("read", "Read it again", "your decisions are kept", current=True),
        Choice("write", "Write anyway", "from what was read before"),
    ]
    return ChoiceDialog("The source has changed on the disk", choices, lead=lead)


def copy_dialog(session: WizardSession, files: FileSet) -> ChoiceDialog:
    """Return the list of texts to copy; it returns the chosen text."""
    offered = [
        *(
            (text, note, text)
            for text, note in zip(next_commands(session.out, files), _COMMAND_NOTES, strict=True)
        ),
        (session.command_line, "the same without the wizard", session.command_line),
        (str(session.out), "the folder", place(session.out)),
    ]
    return ChoiceDialog("Copy", [Choice(*each) for each in offered])


_SETTLED: Final = {
    True: "You keep your text of {}; the new one is left out.",
    False: "{} gets the text that you chose; yours goes to .melleafy-backup/.",
}
"""What is said when a conflict is settled, by whether the user's text is kept."""


class WriteScreen(StepScreen):
    """Plan, progress, result and smoke run."""

    CSS_PATH: ClassVar[list[str]] = [FRAME_STYLES, "write.tcss"]  # type: ignore[assignment]
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(Step.WRITE)]
    STEP = Step.WRITE
    HINT = (
        "w writes the package. Your source is never changed, and your edits in an earlier package are kept.",
        "Afterwards s runs its fixtures against a fake model server; nothing leaves this machine.",
    )
    TERMS = STEP_INFO[Step.WRITE].terms

    @dataclass
    class FileWritten(Message):
        """Posted when a file is written."""

        path: str

    @dataclass
    class Written(Message):
        """Posted when the package is written."""

        result: WriteResult
        decisions: Decisions
        findings: tuple[LintFinding, ...]

    @dataclass
    class Stale(Message):
        """Posted when the source on disk has changed since it was read; nothing was written."""

        newer: Snapshot
        plan: WritePlan

    @dataclass
    class Failed(Message):
        """Posted when writing or the smoke run failed; nothing was changed."""

        what: str
        error: MelleafyError

    @dataclass
    class FixtureRan(Message):
        """Posted when a fixture of the smoke run has finished."""

        run: FixtureRun

    @dataclass
    class SmokeEnded(Message):
        """Posted when the smoke run has finished."""

        report: SmokeReport
        cancelled: bool

    def __init__(self, session: WizardSession) -> None:
        super().__init__(session)
        self._done: set[str] = set()
        self._busy = ""
        self._runs: list[FixtureRun] = []
        self._smoke_state = ""
        self._cancelled = threading.Event()
        self._is_waiting = False
        """Whether the package is to be written as soon as it is rendered."""
        self._is_tried = False
        """Whether its fixtures run as soon as it is written."""

    def compose_body(self) -> Iterable[Widget]:
        """Yield list, progress and result."""
        with Horizontal(id="panes"):
            files = LineList(id="files", classes="pane", empty="Nothing to write yet.")
            files.border_title = "What will be written"
            yield files
            result = Pane(id="result", classes="pane")
            result.border_title = "Write"
            yield result
        yield ProgressBar(id="progress", show_eta=False)

    def on_mount(self) -> None:
        """Focus the list."""
        super().on_mount()
        self.query_one("#progress").display = False
        self.query_one("#files").focus()

    # --- drawing -------------------------------------------------------------------------------

    def show_body(self) -> None:
        """Draw plan and result."""
        rendered = self.session.rendered
        files = self.query_one("#files", LineList)
        files.border_subtitle = "" if self.session.rendered_is_current else "rendering …"
        plan = rendered.plan if rendered is not None else None
        if self.session.is_written and self.session.written is not None:
            plan = self.session.written.plan
        files.border_title = "What was written" if self.session.is_written else "What will be written"
        done = frozenset(self._done if self.session.is_written or self._busy else ())
        files.show_rows(plan_rows(plan, done) if plan is not None else [])
        self._show_result(rendered)
        if self._is_waiting and self.session.rendered_is_current and self.is_current:
            self.call_after_refresh(self._write_when_rendered)

    def _show_result(self, rendered: Rendered | None) -> None:
        result = self.query_one("#result", Pane)
        lines: list[Line] = []
        if rendered is not None and self.session.is_written:
            result.border_title = "Done"
            lines.extend(after_lines(self.session, rendered))
        else:
            result.border_title = "Write"
            lines.extend(before_lines(self.session, rendered))
        if self._smoke_state and (self.session.is_written or self._busy):
            lines = [*smoke_lines(self._runs, self._smoke_state), (), *lines]
        elif self.session.is_written:
            lines.extend(
                (
                    (),
                    (
                        (self.session.keys.spelled("write.smoke"), Tone.KEY),
                        (" runs the fixtures now, against a fake model server.", Tone.TEXT),
                    ),
                )
            )
        result.show_lines(lines)
        self.show_footer()

    def reveal(self, target: str) -> None:
        """Go to a file of the plan."""
        files = self.query_one("#files", LineList)
        if not files.go_to(target):
            self.stop_search()
            files.go_to(target)
        files.focus()

    # --- conflicts -----------------------------------------------------------------------------

    @on(LineList.Opened, "#files")
    def open_file(self, event: LineList.Opened) -> None:
        """Open both texts of a conflict, or the file in Preview."""
        event.stop()
        rendered, path = self.session.rendered, event.row.id
        plan = rendered.plan if rendered is not None else None
        if plan is None or self._busy:
            return
        planned = next((file for file in plan.files if file.path == path), None)
        if planned is None or planned.action is not Action.CONFLICT:
            self.post_message(self.GoTo(Step.PREVIEW, f"{path}:1"))
            return
        texts = self.session.texts_of_conflict(plan, path)
        if texts is None:
            self.notify(f"{path} can't be compared here: {planned.note}.", severity="warning", markup=False)
            return

        def decide(text: bytes | None) -> None:
            if text is not None:
                self.session.settle(plan, path, None if text == KEEP else text)
                self.notify(_SETTLED[text == KEEP].format(path), markup=False)
                self.show_state()

        self.app.push_screen(ConflictDialog(texts, planned.note), decide)

    # --- writing -------------------------------------------------------------------------------

    def action_write(self) -> None:
        """Write the package."""
        self._is_tried = False
        self._write_when_rendered()

    def on_screen_suspend(self) -> None:
        """Forget a write that waits: decisions made elsewhere meanwhile must not be written unasked."""
        self._is_waiting = False

    def _write_when_rendered(self) -> None:
        """Write the package once it is rendered, after the questions that only the user can answer."""
        rendered = self.session.rendered
        if self._busy:
            self.notify(f"Still {self._busy}.", severity="warning", markup=False)
            return
        if rendered is None or not self.session.rendered_is_current:
            self._is_waiting = True
            self.notify("The package is written as soon as it is rendered.", timeout=2, markup=False)
            return
        self._is_waiting = False
        plan = rendered.plan
        if plan is None:
            key = self.session.keys.spelled("write.output")
            lines: list[Line] = [
                ((with_tilde(rendered.refusal), Tone.TEXT),),
                (),
                ((key, Tone.KEY), (" chooses another folder.", Tone.STRONG)),
            ]
            self.app.push_screen(TextDialog("This folder cannot be used", lines, bad=True))
            return
        if self.session.newer is not None:
            self._ask_about_source(plan)
        elif rendered.lints.findings:
            self._ask_about_lints(plan, rendered)
        elif plan.deleted:
            self._ask_about_deleted(plan)
        else:
            self._start(plan)

    def action_write_and_try(self) -> None:
        """Write the package, and run its fixtures where Mellea is installed: the end of the review."""
        self._is_tried = find_spec("mellea") is not None
        self._write_when_rendered()

    def _ask_about_source(self, plan: WritePlan) -> None:
        newer = self.session.newer
        if newer is None:
            return

        def decide(value: str | None) -> None:
            if value == "read":
                self.post_message(self.Ask("reread"))
            elif value == "write":
                self._start(plan, stale=True)

        changed = changed_paths(self.session.conversion.snapshot, newer)
        self.app.push_screen(stale_source_dialog(changed), decide)

    def _ask_about_lints(self, plan: WritePlan, rendered: Rendered) -> None:
        def decide(value: str | None) -> None:
            if value == "write":
                self._start(plan)
            elif value == "look":
                finding = rendered.lints.findings[0]
                self.post_message(self.GoTo(Step.PREVIEW, f"{finding.file}:{finding.line}"))

        self.app.push_screen(failing_lints_dialog(rendered.lints), decide)

    def _ask_about_deleted(self, plan: WritePlan) -> None:
        def decide(value: str | None) -> None:
            if value == "keep":
                self._start(plan)
            elif value == "restore":
                paths = [file.path for file in plan.deleted]
                self._start(self.session.plan_again(plan, restore=paths))

        self.app.push_screen(deleted_files_dialog(plan), decide)

    def _start(self, plan: WritePlan, *, stale: bool = False) -> None:
        self._busy = "writing"
        self._done.clear()
        progress = self.query_one("#progress", ProgressBar)
        progress.update(total=max(1, len(plan.changes)), progress=0)
        progress.display = True
        read_source = None if stale else self.session.read_source
        self._carry_out(
            plan, self.session.conversion.decisions, self.session.conversion.snapshot, read_source
        )

    @work(thread=True, exclusive=True, group="write", exit_on_error=False, description="write the package")
    def _carry_out(
        self,
        plan: WritePlan,
        decisions: Decisions,
        snapshot: Snapshot,
        read_source: Callable[[], Snapshot] | None,
    ) -> None:
        try:
            newer = read_source() if read_source is not None else snapshot
            if changed_paths(snapshot, newer):
                self.post_message(self.Stale(newer, plan))
                return
            result = write(plan, progress=lambda path: self._say_written(path))
            findings = findings_on_disk(result)
        except MelleafyError as error:
            self.post_message(self.Failed("Nothing was written", error))
            return
        self.post_message(self.Written(result, decisions, findings))

    def _say_written(self, path: str) -> None:
        self.post_message(self.FileWritten(path))

    @on(FileWritten)
    def show_progress(self, event: FileWritten) -> None:
        """Advance the bar."""
        self._done.add(event.path)
        self.query_one("#progress", ProgressBar).advance(1)

    @on(Written)
    def show_result(self, event: Written) -> None:
        """Store and show the result."""
        self._busy = ""
        self.query_one("#progress").display = False
        self._done = {file.path for file in event.result.plan.changes}
        self.session.note_written(event.result, event.decisions, event.findings)
        unsaved = self.session.conversion.unsaved
        saved = not unsaved or (self.session.is_written and self.session.save_with_package())
        self.show_state()
        self.query_one("#result").focus()
        self.show_hint(visible=False)
        said = "The package is written." if event.result.changed else "Nothing had to change."
        if unsaved and saved and self.session.decisions_path is not None:
            said += f" Your decisions are saved in {place(self.session.decisions_path)}."
        elif not saved:
            said += (
                f" Your decisions are not saved: {self.session.keys.spelled('decisions.save')} saves them."
            )
        self.notify(said, severity="information" if saved else "warning", markup=False)
        if self._is_tried:
            self._is_tried = False
            self.action_smoke()

    @on(Stale)
    def show_stale(self, event: Stale) -> None:
        """Ask what to do about the changed source, without writing."""
        self._busy = ""
        self.query_one("#progress").display = False
        self.post_message(self.SourceFound(event.newer))
        self.session.note_newer(event.newer)
        self._ask_about_source(event.plan)

    @on(Failed)
    def show_failure(self, event: Failed) -> None:
        """Show what failed; nothing has changed."""
        self._busy = ""
        self._smoke_state = ""
        self.query_one("#progress").display = False
        error = event.error
        lines: list[Line] = [
            ((with_tilde(error.message), Tone.TEXT),),
            (),
            ((with_tilde(error.hint), Tone.STRONG),),
        ]
        if error.location:
            lines.insert(0, ((with_tilde(error.location), Tone.INFO),))
        self.app.push_screen(TextDialog(event.what, lines, bad=True))
        self.post_message(self.Ask("render_again"))

    # --- smoke run -----------------------------------------------------------------------------

    def action_smoke(self) -> None:
        """Run the fixtures of the package on disk."""
        if self._busy:
            self.notify(f"Still {self._busy}.", severity="warning", markup=False)
            return
        if not self.session.is_written:
            self.notify("Write the package first (w); the smoke run needs it on the disk.", markup=False)
            return
        self._busy = "running the fixtures"
        self._runs.clear()
        self._smoke_state = "running … Esc stops it"
        self._cancelled = threading.Event()
        self._show_result(self.session.rendered)
        progress = self.query_one("#progress", ProgressBar)
        progress.update(total=None)
        progress.display = True
        self._run_fixtures(SmokeRequest(self.session.out), self._cancelled)

    @work(thread=True, exclusive=True, group="smoke", exit_on_error=False, description="run the fixtures")
    def _run_fixtures(self, request: SmokeRequest, cancelled: threading.Event) -> None:
        try:
            report = run_smoke(request, on_run=lambda run: self._say_ran(run), cancelled=cancelled)
        except MelleafyError as error:
            self.post_message(self.Failed("The smoke run could not start", error))
            return
        self.post_message(self.SmokeEnded(report, cancelled.is_set()))

    def _say_ran(self, run: FixtureRun) -> None:
        self.post_message(self.FixtureRan(run))

    @on(FixtureRan)
    def show_fixture(self, event: FixtureRan) -> None:
        """Show the result of one more fixture."""
        self._runs.append(event.run)
        self._show_result(self.session.rendered)

    @on(SmokeEnded)
    def show_smoke(self, event: SmokeEnded) -> None:
        """Show the result of the run."""
        self._busy = ""
        self.query_one("#progress").display = False
        self._runs = list(event.report.runs)
        good = sum(run.status.value in ("passed", "unmet") for run in self._runs)
        self._smoke_state = f"{good} of {_fixtures(len(self._runs))} completed"
        if event.cancelled:
            self._smoke_state = f"stopped by you after {_fixtures(len(self._runs))}"
        self._show_result(self.session.rendered)

    def cancel_work(self) -> bool:
        """Stop the smoke run, and return whether one was running."""
        if self._busy != "running the fixtures":
            return False
        self._cancelled.set()
        self._smoke_state = "stopping …"
        self._show_result(self.session.rendered)
        return True

    def action_stop_work(self) -> None:
        """Stop the smoke run."""
        self.cancel_work()

    def on_unmount(self) -> None:
        """Stop the smoke run."""
        self._cancelled.set()

    # --- keys ----------------------------------------------------------------------------------

    def idle_keys(self) -> set[str]:
        """Return the ids of keys that would do nothing now."""
        rendered = self.session.rendered
        works = {
            "write.write": rendered is not None and rendered.plan is not None and not self._busy,
            "write.smoke": self.session.is_written and not self._busy,
            "write.stop": self._busy == "running the fixtures",
            "write.save": self.session.conversion.unsaved,
        }
        return super().idle_keys() | {name for name, working in works.items() if not working}

    def action_choose_output(self) -> None:
        """Choose output folder and package name."""
        self.post_message(self.Ask("choose_output"))

    def action_copy(self) -> None:
        """Choose what to copy."""
        rendered = self.session.rendered
        if rendered is None:
            return

        def decide(value: str | None) -> None:
            if value is not None:
                self.copy_text(value)

        self.app.push_screen(copy_dialog(self.session, rendered.files), decide)
