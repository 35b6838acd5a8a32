"""Step 1: which runtime the workspace comes from, how the agent is woken, and what the reading found."""

from collections.abc import Iterable
from typing import ClassVar

from textual import on
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.widget import Widget

from melleafy_tui.core.decisions.commands import Acknowledge, ChangeSettings
from melleafy_tui.core.models.vocabulary import Modality
from melleafy_tui.keymap import DETECT, bindings
from melleafy_tui.runtime_choices import AS_DETECTED, RuntimeChoice, runtime_choices
from melleafy_tui.screens.detect_rows import reading_rows, runtime_rows
from melleafy_tui.terms import STEP_TERMS
from melleafy_tui.widgets.dialogs import Choice, ChoiceDialog, Field, FormDialog, TextDialog
from melleafy_tui.widgets.frame import FRAME_STYLES, StepScreen
from melleafy_tui.widgets.line_list import LineList
from melleafy_tui.widgets.toned import Toned
from melleafy_tui.widgets.tones import Line, Span, Tone
from melleafy_tui.wizard_steps import Step
from melleafy_tui.words import MODALITY_NOTES, MODALITY_TITLES, place


class DetectScreen(StepScreen):
    """Scores, signals, modality and diagnostics, with the overrides of step 0."""

    CSS_PATH: ClassVar[list[str]] = [FRAME_STYLES, "detect.tcss"]  # type: ignore[assignment]
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(DETECT)]
    STEP = Step.DETECT
    HINT = (
        "This is what was found, and the line that says so. Nothing is written before step 5.",
        "Wrong? r changes the runtime, m how the agent is woken. Right? n goes on.",
    )
    TERMS = STEP_TERMS[Step.DETECT]

    def compose_body(self) -> Iterable[Widget]:
        """Yield the verdict and the two lists of evidence."""
        yield Toned(id="verdict")
        with Horizontal(id="panes"):
            runtimes = LineList(id="runtimes", classes="pane", empty="No runtime has a signal here.")
            runtimes.border_title = "Runtimes and their signals"
            yield runtimes
            reading = LineList(id="reading", classes="pane")
            reading.border_title = "Modality, axes, diagnostics"
            yield reading

    def on_mount(self) -> None:
        """Start in the list of runtimes."""
        super().on_mount()
        self.query_one("#runtimes").focus()

    def show_body(self) -> None:
        """Draw verdict and evidence."""
        conversion = self.session.conversion
        self.query_one("#verdict", Toned).show_lines(self._verdict())
        self.query_one("#runtimes", LineList).show_rows(runtime_rows(conversion))
        self.query_one("#reading", LineList).show_rows(reading_rows(conversion))

    def _verdict(self) -> list[Line]:
        conversion = self.session.conversion
        classification, settings = conversion.classification, conversion.settings
        runtime: list[Span] = [("Source  ", Tone.MUTED), (classification.source_runtime, Tone.STRONG)]
        if classification.source_runtime_override:
            runtime.append((" (you chose it)", Tone.ACCENT))
        if classification.generation:
            runtime.append((f", {classification.generation}", Tone.TEXT))
        runtime.append((f"  {classification.runtime_reason}", Tone.MUTED))
        woken: list[Span] = [
            ("Woken   ", Tone.MUTED),
            (MODALITY_TITLES[classification.modality], Tone.STRONG),
        ]
        if classification.modality_override:
            woken.append((" (you chose it)", Tone.ACCENT))
        if classification.schedule.cadence:
            woken.append((f"  {classification.schedule.cadence}", Tone.TEXT))
        others = ", ".join(MODALITY_TITLES[modality] for modality in classification.secondary_modalities)
        if others:
            woken.append((f"  also {others}", Tone.MUTED))
        return [
            tuple(runtime),
            tuple(woken),
            (
                ("Output  ", Tone.MUTED),
                (conversion.committed.package_name, Tone.STRONG),
                (f"  in {place(self.session.out)}", Tone.MUTED),
            ),
            (
                ("Model   ", Tone.MUTED),
                (settings.model_id, Tone.STRONG),
                (f"  on {settings.backend}", Tone.MUTED),
            ),
        ]

    def searched(self) -> LineList | None:
        """Return the list in use."""
        return self._list_in_use()

    def copied(self) -> str:
        """Return the place of the row."""
        row = self._list_in_use().current
        return row.id.split(":", 2)[-1] if row else ""

    def _list_in_use(self) -> LineList:
        reading = self.query_one("#reading", LineList)
        return reading if reading.has_focus else self.query_one("#runtimes", LineList)

    @on(LineList.Opened)
    def open_row(self, event: LineList.Opened) -> None:
        """Show a diagnostic in full, or go to the line of the source."""
        kind, _, rest = event.row.id.partition(":")
        if kind == "diagnostic":
            finding = self.session.conversion.diagnostics[int(rest.partition(":")[0])]
            mark = f"{finding.code}:{finding.file}"
            lines: list[Line] = [
                ((finding.location or "the workspace", Tone.INFO),),
                ((finding.message, Tone.TEXT),),
                (),
                ((finding.hint, Tone.STRONG),),
                (),
                (("It counts as read now and no longer as a warning.", Tone.MUTED),),
            ]
            self.app.push_screen(TextDialog(finding.code, lines))
            self.post_message(self.Act(Acknowledge(mark)))
            return
        where = rest.rpartition(":")[0] and rest.split(":", 1)[-1]
        if kind == "signal":
            where = rest.split(":", 2)[-1]
        if where:
            self.post_message(self.GoTo(Step.INVENTORY, f"at:{where}"))

    # --- overrides -----------------------------------------------------------------------------

    def action_override_runtime(self) -> None:
        """Choose the source runtime, or two of those that have a signal as a hybrid."""
        conversion = self.session.conversion
        settings = conversion.settings
        chosen = RuntimeChoice(settings.source_runtime or "", settings.contributing_runtimes)
        offered = runtime_choices(conversion.classification.scores, chosen)
        choices = [
            Choice(str(number), each.words, note, current=each == chosen)
            for number, (each, note) in enumerate(offered)
        ]

        def decide(value: str | None) -> None:
            if value is not None:
                wanted, _ = offered[int(value)]
                self.post_message(self.Act(ChangeSettings(wanted.settings)))

        self.app.push_screen(ChoiceDialog("Source runtime", choices), decide)

    def action_override_modality(self) -> None:
        """Choose how the agent is woken."""
        chosen = self.session.conversion.settings.modality
        choices = [
            Choice("", AS_DETECTED, "what the source says", current=chosen is None),
            *(
                Choice(
                    modality.value,
                    MODALITY_TITLES[modality],
                    MODALITY_NOTES[modality],
                    current=modality is chosen,
                )
                for modality in Modality
            ),
        ]

        def decide(value: str | None) -> None:
            if value is not None:
                self.post_message(self.Act(ChangeSettings({"modality": Modality(value) if value else None})))

        self.app.push_screen(ChoiceDialog("How the agent is woken", choices), decide)

    def action_choose_output(self) -> None:
        """Choose output folder and package name."""
        self.post_message(self.Ask("choose_output"))

    def action_choose_backend(self) -> None:
        """Choose backend and model."""
        settings = self.session.conversion.settings
        fields = [
            Field("backend", "Backend", settings.backend, _not_empty),
            Field("model_id", "Model", settings.model_id, _not_empty),
        ]

        def decide(values: dict[str, str] | None) -> None:
            if values is not None:
                self.post_message(self.Act(ChangeSettings(values), "Backend and model are changed"))

        lead: list[Line] = [
            (("Mellea's name of the backend (ollama, openai, hf, …) and the model's own name.", Tone.MUTED),)
        ]
        self.app.push_screen(FormDialog("Backend and model", fields, lead=lead), decide)

    def action_load_decisions(self) -> None:
        """Load a decisions file."""
        self.post_message(self.Ask("load_decisions"))


def _not_empty(value: str) -> str:
    return "" if value else "This cannot be empty."
