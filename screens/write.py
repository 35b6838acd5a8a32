"""Step 5: what will be written, one key that writes it, and what to do next."""

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import ClassVar

from textual import on, work
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.widget import Widget
from textual.widgets import ProgressBar

from melleafy_tui.core.decisions.state import Decisions
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.core.models.smoke import FixtureRun, SmokeReport
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.smoke.runner import SmokeRequest, run_smoke
from melleafy_tui.core.writing.plan import WritePlan
from melleafy_tui.core.writing.writer import WriteResult, write
from melleafy_tui.keymap import WRITE, bindings
from melleafy_tui.rendering import Rendered
from melleafy_tui.screens.write_dialogs import (
    copy_dialog,
    deleted_files_dialog,
    failing_lints_dialog,
    stale_source_dialog,
)
from melleafy_tui.screens.write_rows import after_lines, before_lines, plan_rows, smoke_lines
from melleafy_tui.source_watch import changed_paths
from melleafy_tui.terms import STEP_TERMS
from melleafy_tui.widgets.dialogs import TextDialog
from melleafy_tui.widgets.frame import FRAME_STYLES, StepScreen
from melleafy_tui.widgets.line_list import LineList
from melleafy_tui.widgets.toned import Pane
from melleafy_tui.widgets.tones import Line, Tone
from melleafy_tui.wizard_session import WizardSession
from melleafy_tui.wizard_steps import Step
from melleafy_tui.words import homely


class WriteScreen(StepScreen):
    """Plan, progress, result, smoke run."""

    CSS_PATH: ClassVar[list[str]] = [FRAME_STYLES, "write.tcss"]  # type: ignore[assignment]
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(WRITE)]
    STEP = Step.WRITE
    HINT = (
        "w writes the package. Your source is never changed, and what you edited in an earlier package is kept.",
        "Afterwards s runs its fixtures against a stand-in model; nothing leaves this machine.",
    )
    TERMS = STEP_TERMS[Step.WRITE]

    @dataclass
    class FileWritten(Message):
        """The writer is done with a file."""

        path: str

    @dataclass
    class Written(Message):
        """The package is written."""

        result: WriteResult
        decisions: Decisions

    @dataclass
    class Stale(Message):
        """The source on the disk is not what the package was made of; nothing was written."""

        newer: Snapshot
        plan: WritePlan

    @dataclass
    class Failed(Message):
        """Writing or the smoke run ended with an error; nothing was changed by it."""

        what: str
        error: MelleafyError

    @dataclass
    class FixtureRan(Message):
        """A fixture of the smoke run has ended."""

        run: FixtureRun

    @dataclass
    class SmokeEnded(Message):
        """The smoke run has ended."""

        report: SmokeReport
        cancelled: bool

    def __init__(self, session: WizardSession) -> None:
        super().__init__(session)
        self._done: set[str] = set()
        self._busy = ""
        self._runs: list[FixtureRun] = []
        self._smoke_state = ""
        self._cancelled = threading.Event()

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
        """Start in the list."""
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
        files.show_rows(plan_rows(plan, frozenset(self._done)) if plan is not None else [])
        self._show_result(rendered)

    def _show_result(self, rendered: Rendered | None) -> None:
        result = self.query_one("#result", Pane)
        lines: list[Line] = []
        if rendered is not None and self.session.is_written:
            result.border_title = "Done"
            lines.extend(after_lines(self.session, rendered))
        else:
            result.border_title = "Write"
            lines.extend(before_lines(self.session, rendered))
        if self._smoke_state:
            lines = [*smoke_lines(self._runs, self._smoke_state), (), *lines]
        elif self.session.is_written:
            lines.extend(
                (
                    (),
                    (
                        (self.session.keys.spelled("write.smoke"), Tone.KEY),
                        (" runs the fixtures now, against a stand-in model.", Tone.TEXT),
                    ),
                )
            )
        result.show_lines(lines)

    # --- writing -------------------------------------------------------------------------------

    def action_write(self) -> None:
        """Write the package, after the questions that only the user can answer."""
        rendered = self.session.rendered
        if self._busy:
            self.notify(f"Still {self._busy}.", severity="warning", markup=False)
            return
        if rendered is None or not self.session.rendered_is_current:
            self.notify("The package is still being rendered; try again in a moment.", markup=False)
            return
        plan = rendered.plan
        if plan is None:
            key = self.session.keys.spelled("write.output")
            lines: list[Line] = [
                ((homely(rendered.refusal), Tone.TEXT),),
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
        except MelleafyError as error:
            self.post_message(self.Failed("Nothing was written", error))
            return
        self.post_message(self.Written(result, decisions))

    def _say_written(self, path: str) -> None:
        self.post_message(self.FileWritten(path))

    @on(FileWritten)
    def show_progress(self, event: FileWritten) -> None:
        """Move the bar on."""
        self._done.add(event.path)
        self.query_one("#progress", ProgressBar).advance(1)

    @on(Written)
    def show_result(self, event: Written) -> None:
        """Keep and show the result."""
        self._busy = ""
        self.query_one("#progress").display = False
        self._done = {file.path for file in event.result.plan.changes}
        self.session.note_written(event.result, event.decisions)
        self.show_state()
        self.query_one("#result").focus()
        self.notify(
            "The package is written." if event.result.changed else "Nothing had to change.", markup=False
        )

    @on(Stale)
    def show_stale(self, event: Stale) -> None:
        """Write nothing, and ask what the person wants."""
        self._busy = ""
        self.query_one("#progress").display = False
        self.post_message(self.SourceFound(event.newer))
        self.session.note_newer(event.newer)
        self._ask_about_source(event.plan)

    @on(Failed)
    def show_failure(self, event: Failed) -> None:
        """Say what failed; everything is as it was."""
        self._busy = ""
        self._smoke_state = ""
        self.query_one("#progress").display = False
        error = event.error
        lines: list[Line] = [((homely(error.message), Tone.TEXT),), (), ((homely(error.hint), Tone.STRONG),)]
        if error.location:
            lines.insert(0, ((homely(error.location), Tone.INFO),))
        self.app.push_screen(TextDialog(event.what, lines, bad=True))
        self.post_message(self.Ask("render_again"))

    # --- smoke run -----------------------------------------------------------------------------

    def action_smoke(self) -> None:
        """Run the fixtures of the package on the disk."""
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
        """Show one more fixture."""
        self._runs.append(event.run)
        self._show_result(self.session.rendered)

    @on(SmokeEnded)
    def show_smoke(self, event: SmokeEnded) -> None:
        """Show how the run ended."""
        self._busy = ""
        self.query_one("#progress").display = False
        self._runs = list(event.report.runs)
        good = sum(run.status.value in ("passed", "unmet") for run in self._runs)
        self._smoke_state = f"{good} of {len(self._runs)} fixtures ran to their end"
        if event.cancelled:
            self._smoke_state = f"stopped by you after {len(self._runs)} fixtures"
        self._show_result(self.session.rendered)

    def cancel_work(self) -> bool:
        """Stop the smoke run where one is running, and return whether one was."""
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
        """Leave no run behind."""
        self._cancelled.set()

    # --- keys ----------------------------------------------------------------------------------

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
