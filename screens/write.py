"""Step 5, Write: the plan of the write, the key that carries it out, and the result with the next commands."""

import threading
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from importlib.util import find_spec
from typing import ClassVar, TypeVar

from textual import on, work
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.widget import Widget
from textual.widgets import ProgressBar

from melleafy_tui.actions.display_names import place, with_tilde
from melleafy_tui.actions.edited_package import findings_on_disk
from melleafy_tui.actions.plurals import counted
from melleafy_tui.actions.session import Rendered, WizardSession
from melleafy_tui.actions.source_watch import changed_paths
from melleafy_tui.actions.steps import Step
from melleafy_tui.core.decisions.state import Decisions
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.core.models.reports import FixtureRun, LintFinding, SmokeReport
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.output.write_plan import WritePlan
from melleafy_tui.core.output.writer import WriteResult, write
from melleafy_tui.core.smoke.runner import SmokeRequest, run_smoke
from melleafy_tui.screens.conflict import open_conflict
from melleafy_tui.screens.write_texts import (
    after_lines,
    before_lines,
    copy_dialog,
    deleted_files_dialog,
    failing_lints_dialog,
    plan_rows,
    smoke_lines,
    stale_source_dialog,
)
from melleafy_tui.widgets.dialogs import ChoiceDialog, TextDialog, error_dialog
from melleafy_tui.widgets.footer import bindings
from melleafy_tui.widgets.frame import FRAME_STYLES, StepScreen
from melleafy_tui.widgets.line_list import LineList
from melleafy_tui.widgets.styled_text import Line, Tone
from melleafy_tui.widgets.styled_view import Pane

ToldT = TypeVar("ToldT")


class WriteScreen(StepScreen):
    """Plan, progress, result and smoke run."""

    CSS_PATH: ClassVar[list[str]] = [FRAME_STYLES, "write.tcss"]  # type: ignore[assignment]
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(Step.WRITE)]
    STEP = Step.WRITE

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
            told = smoke_lines(self._runs, self._smoke_state)
            lines = [*lines[:1], told[0], *lines[1:], *(((), *told) if told[1:] else ())]
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
    def _open_file(self, event: LineList.Opened) -> None:
        if self.session.rendered is None or self._busy:
            return
        if not open_conflict(self, self.session, event.row.id, self.show_state):
            self.post_message(self.GoTo(Step.PREVIEW, f"{event.row.id}:1"))

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
            finding = rendered.lints.findings[0]
            place = self.GoTo(Step.PREVIEW, f"{finding.file}:{finding.line}")
            look = partial(self.post_message, place)
            self._ask(
                failing_lints_dialog(rendered.lints), {"write": partial(self._start, plan), "look": look}
            )
        elif plan.deleted:
            restored = self.session.plan_again(plan, restore=[file.path for file in plan.deleted])
            again = partial(self._start, restored)
            self._ask(deleted_files_dialog(plan), {"keep": partial(self._start, plan), "restore": again})
        else:
            self._start(plan)

    def action_write_and_try(self) -> None:
        """Write the package, and run its fixtures where Mellea is installed: the end of the review."""
        self._is_tried = find_spec("mellea") is not None
        self._write_when_rendered()

    def _ask_about_source(self, plan: WritePlan) -> None:
        newer = self.session.newer
        if newer is not None:
            changed = changed_paths(self.session.conversion.snapshot, newer)
            reread = partial(self.app.call_later, self.app.run_action, "app.reread")
            anyway = partial(self._start, plan, stale=True)
            self._ask(stale_source_dialog(changed), {"read": reread, "write": anyway})

    def _ask(self, dialog: ChoiceDialog, acts: Mapping[str, Callable[[], object]]) -> None:
        """Ask, and do what belongs to the answer."""
        dialog.ask(self.app, lambda value: acts[value]())

    def _start(self, plan: WritePlan, *, stale: bool = False) -> None:
        self.app.clear_notifications()  # that it waits has been told
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
                self.call_later(self._show_stale, newer, plan)
                return
            result = write(plan, progress=partial(self._tell, self._show_progress))
            findings = findings_on_disk(result)
        except MelleafyError as error:
            self.call_later(self._show_failure, "Nothing was written", error)
            return
        self.call_later(self._show_written, result, decisions, findings)

    def _tell(self, show: Callable[[ToldT], object], what: ToldT) -> None:
        """Show something that a thread tells, on the event loop."""
        self.call_later(show, what)

    def _show_progress(self, path: str) -> None:
        self._done.add(path)
        self.query_one("#progress", ProgressBar).advance(1)

    def _end_work(self) -> None:
        self._busy = ""
        self.query_one("#progress").display = False

    def _show_written(
        self, result: WriteResult, decisions: Decisions, findings: tuple[LintFinding, ...]
    ) -> None:
        """Store and show the result."""
        self._end_work()
        self._done = {file.path for file in result.plan.changes}
        self.session.note_written(result, decisions, findings)
        unsaved = self.session.conversion.unsaved
        saved = not unsaved or (self.session.is_written and self.session.save_with_package())
        self.show_state()
        self.query_one("#result").focus()
        self.show_hint(visible=False)
        said = "The package is written." if result.changed else "Nothing had to change."
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

    def _show_stale(self, newer: Snapshot, plan: WritePlan) -> None:
        self._end_work()
        self.post_message(self.SourceFound(newer))
        self.session.note_newer(newer)
        self._ask_about_source(plan)

    def _show_failure(self, what: str, error: MelleafyError) -> None:
        self._end_work()
        self._smoke_state = ""
        self.app.push_screen(error_dialog(what, error))
        self.app.call_later(self.app.run_action, "app.render")

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
            report = run_smoke(request, on_run=partial(self._tell, self._show_fixture), cancelled=cancelled)
        except MelleafyError as error:
            self.call_later(self._show_failure, "The smoke run could not start", error)
            return
        self.call_later(self.show_smoke, report, cancelled=cancelled.is_set())

    def _show_fixture(self, run: FixtureRun) -> None:
        self._runs.append(run)
        self._show_result(self.session.rendered)

    def show_smoke(self, report: SmokeReport, *, cancelled: bool) -> None:
        """Show what a smoke run gave."""
        self._end_work()
        self._runs = list(report.runs)
        good = sum(run.completed for run in self._runs)
        memory = ", on a made-up memory" if report.made_up_memory else ""
        self._smoke_state = f"{good} of {counted(len(self._runs), 'fixture')} completed{memory}"
        if cancelled:
            self._smoke_state = f"stopped by you after {counted(len(self._runs), 'fixture')}"
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
        """Stop the smoke run, or go back to the row of the review that the place was opened from."""
        if not self.cancel_work():
            self.post_message(self.NothingToClear())

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

    def action_copy(self) -> None:
        """Choose what to copy."""
        rendered = self.session.rendered
        if rendered is not None:
            copy_dialog(self.session, rendered.files).ask(self.app, self.copy_text)
