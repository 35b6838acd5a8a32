"""Step 1, Detect: the source runtime, the trigger, and the findings about the source."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar

from textual import on
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.widget import Widget

from melleafy_tui.actions.choices import (
    Choice,
    Field,
    chosen_modality,
    chosen_runtime,
    modality_choices,
    runtime_choices,
)
from melleafy_tui.actions.display_names import axes_of, place
from melleafy_tui.actions.plurals import counted
from melleafy_tui.actions.steps import Step
from melleafy_tui.actions.traceability import element_at
from melleafy_tui.core.decisions.commands import Acknowledge, ChangeSettings
from melleafy_tui.core.models.classification import RuntimeScore, SignalEvidence
from melleafy_tui.core.models.findings import Diagnostic
from melleafy_tui.core.models.vocabulary import MODALITY_TITLES, Severity
from melleafy_tui.core.package.backends import backend_objection, model_objection
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.screens.vocabulary_marks import SEVERITY_SPANS, STRENGTH_MARKS
from melleafy_tui.widgets.dialogs import ChoiceDialog, FormDialog
from melleafy_tui.widgets.footer import bindings
from melleafy_tui.widgets.frame import FRAME_STYLES, StepScreen
from melleafy_tui.widgets.line_list import LineList
from melleafy_tui.widgets.rows import Row
from melleafy_tui.widgets.styled_text import Line, Span, StyledText, Tone, fit, shorten

_BAR = 14


def at(file: str, line: int | str) -> str:
    """Return `file:line`, or the file alone."""
    return f"{file}:{line}" if line else file


def runtime_rows(conversion: Conversion) -> list[Row]:
    """Return the runtimes with their scores as bars, each followed by its signals."""
    classification = conversion.classification
    parts = dict.fromkeys(classification.dialect_runtimes, "chosen")
    if classification.hybrid_primary:
        parts = dict.fromkeys(parts, "contributes") | {classification.hybrid_primary: "leads"}
    most = max((score.score for score in classification.scores), default=0.0)
    rows: list[Row] = []
    ordered = sorted(classification.scores, key=lambda score: (-score.score, score.runtime))
    for score in ordered:
        rows.append(
            Row(
                f"runtime:{score.runtime}",
                _runtime_line(score, most, part=parts.get(score.runtime, "")),
                group=bool(score.evidence),
                words=score.runtime,
            )
        )
        rows.extend(
            Row(
                f"signal:{score.runtime}:{number}:{at(signal.file, signal.line)}",
                _signal_line(signal),
                depth=1,
                words=f"{score.runtime} {signal.signal} {signal.file} {signal.note}".casefold(),
            )
            for number, signal in enumerate(score.evidence)
        )
    return rows


def _runtime_line(score: RuntimeScore, most: float, *, part: str) -> Callable[[int], Line]:
    filled = round(_BAR * score.score / most) if most else 0
    if score.score and not filled:
        filled = 1
    word, tone = (
        (part, Tone.GOOD) if part else ("candidate", Tone.TEXT) if score.candidate else ("", Tone.MUTED)
    )

    def line(width: int) -> Line:
        name_width = 18 if width >= 44 else max(8, width - _BAR - 8)
        return (
            (
                fit(score.runtime, name_width),
                Tone.STRONG if part else Tone.TEXT if score.score else Tone.MUTED,
            ),
            (" " + "█" * filled, Tone.GOOD if part else Tone.ACCENT),
            ("·" * (_BAR - filled), Tone.MUTED),
            (f" {score.score:4.1f} ", Tone.TEXT if score.score else Tone.MUTED),
            (word, tone),
        )

    return line


def _signal_line(signal: SignalEvidence) -> Callable[[int], Line]:
    where = at(signal.file, signal.line)
    remarks = [f"+{signal.weight:g}" if signal.counted else "not counted"]
    if signal.ambient:
        remarks.append("outside the workspace")
    if signal.note:
        remarks.append(signal.note)

    def line(width: int) -> Line:
        name_width = min(34, max(10, width * 2 // 5))
        rest = max(0, width - name_width - 15)
        return (
            (STRENGTH_MARKS[signal.strength] + " ", Tone.ACCENT if signal.counted else Tone.MUTED),
            (fit(signal.signal, name_width), Tone.TEXT),
            (f" {signal.strength.value:<6} ", Tone.MUTED),
            (shorten(where, rest) if where != signal.signal else "", Tone.INFO),
            (
                shorten(
                    f"  {', '.join(remarks)}", max(0, rest - (len(where) if where != signal.signal else 0))
                ),
                Tone.MUTED,
            ),
        )

    return line


def reading_rows(conversion: Conversion) -> list[Row]:
    """Return trigger, schedule, axes and findings, each with its source place."""
    found, schedule = conversion.classification, conversion.classification.schedule
    modality = MODALITY_TITLES[found.modality]
    rows = [Row("modality", (("Trigger: ", Tone.MUTED), (modality, Tone.STRONG)), group=True)]
    if found.modality_override:
        rows.append(Row("modality:override", (("you chose it", Tone.ACCENT),), depth=1, words="override"))
    for number, sign in enumerate(found.modality_evidence):
        name, note = MODALITY_TITLES[sign.modality], sign.note or sign.rule
        rows.append(_evidence_row(f"modality:{number}", name, note, at(sign.file, sign.line)))
    if not found.modality_evidence:
        none = "No trigger found; the agent runs when it is called."
        rows.append(Row("modality:none", ((none, Tone.MUTED),), depth=1))
    if schedule.type:
        said = schedule.cadence + (f", active {schedule.active_hours}" if schedule.active_hours else "")
        rows.append(_evidence_row("schedule", "schedule", said, at(schedule.file, schedule.lines)))
    for axis in axes_of(found):
        sure: Span = (f"  {axis.confidence:.0%} sure", Tone.MUTED)
        line = ((f"{axis.name.capitalize()}: ", Tone.MUTED), (axis.value, Tone.STRONG), sure)
        rows.append(Row(f"axis:{axis.name}", line, group=bool(axis.evidence)))
        rows += [
            _evidence_row(f"axis:{axis.name}:{number}", each.rule, each.note, at(each.file, each.line))
            for number, each in enumerate(axis.evidence)
        ]
    return [*rows, *_diagnostic_rows(conversion.diagnostics, set(conversion.decisions.acknowledged))]


def _diagnostic_rows(diagnostics: tuple[Diagnostic, ...], read: set[str]) -> list[Row]:
    count = sum(finding.severity is not Severity.INFO for finding in diagnostics)
    if not diagnostics:
        return [Row("diagnostics", (("No findings.", Tone.MUTED),))]
    head = (
        (f"Findings: {len(diagnostics)} (", Tone.MUTED),
        (counted(count, "warning"), Tone.WARN if count else Tone.GOOD),
        (")", Tone.MUTED),
    )
    return [
        Row("diagnostics", head, group=True),
        *(
            Row(
                f"diagnostic:{number}:{finding.location}",
                _diagnostic_line(finding, known=f"{finding.code}:{finding.file}" in read),
                depth=1,
                words=f"{finding.code} {finding.message} {finding.file}".casefold(),
            )
            for number, finding in enumerate(diagnostics)
        ),
    ]


def _diagnostic_line(finding: Diagnostic, *, known: bool) -> Callable[[int], Line]:
    def line(width: int) -> Line:
        where = f"{finding.location} " if finding.location else ""
        return (
            SEVERITY_SPANS[finding.severity],
            (shorten(where, width // 2), Tone.INFO),
            (shorten(finding.message, max(4, width - 2 - len(where))), Tone.MUTED if known else Tone.TEXT),
        )

    return line


def _evidence_row(name: str, words: str, note: str, where: str) -> Row:
    """Return a row of evidence: what it is for, its source place, and a note."""
    remark = f"  {note}" if note and note != words else ""

    def line(width: int) -> Line:
        head = shorten(words, max(8, width // 3))
        rest = max(0, width - len(head) - len(where) - 2)
        return ((head, Tone.TEXT), (f"  {where}", Tone.INFO), (shorten(remark, rest), Tone.MUTED))

    return Row(f"{name}:{where}", line, depth=1, words=f"{words} {note} {where}".casefold())


class DetectScreen(StepScreen):
    """Scores, signals, trigger and findings, with the overrides of detection."""

    CSS_PATH: ClassVar[list[str]] = [FRAME_STYLES, "detect.tcss"]  # type: ignore[assignment]
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(Step.DETECT)]
    STEP = Step.DETECT

    PANES = ("runtimes", "reading")
    SPLIT = ("runtimes", "reading")

    def compose_body(self) -> Iterable[Widget]:
        """Yield the verdict and the two lists of evidence."""
        yield StyledText(id="verdict")
        with Horizontal(id="panes"):
            runtimes = LineList(id="runtimes", classes="pane", empty="No runtime has a signal here.")
            runtimes.border_title = "Runtimes and their signals"
            yield runtimes
            reading = LineList(id="reading", classes="pane")
            reading.border_title = "Trigger, axes, findings"
            yield reading

    def on_mount(self) -> None:
        """Focus the list of runtimes."""
        self.query_one("#runtimes").focus()

    def show_body(self) -> None:
        """Draw verdict and evidence."""
        conversion = self.session.conversion
        self.query_one("#verdict", StyledText).show_lines(self._verdict())
        self.query_one("#runtimes", LineList).show_rows(runtime_rows(conversion))
        self.query_one("#reading", LineList).show_rows(reading_rows(conversion))

    def _verdict(self) -> list[Line]:
        conversion = self.session.conversion
        found, settings = conversion.classification, conversion.settings
        chosen: Span = (" (you chose it)", Tone.ACCENT)
        others = ", ".join(MODALITY_TITLES[modality] for modality in found.secondary_modalities)
        return [
            (
                ("Source  ", Tone.MUTED),
                (found.source_runtime, Tone.STRONG),
                *((chosen,) if found.source_runtime_override else ()),
                (f", {found.generation}" if found.generation else "", Tone.TEXT),
                (f"  {found.runtime_reason}", Tone.MUTED),
            ),
            (
                ("Trigger ", Tone.MUTED),
                (MODALITY_TITLES[found.modality], Tone.STRONG),
                *((chosen,) if found.modality_override else ()),
                (f"  {found.schedule.cadence}" if found.schedule.cadence else "", Tone.TEXT),
                (f"  also {others}" if others else "", Tone.MUTED),
            ),
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

    def searched(self) -> LineList:
        """Return the focused list, else that of the runtimes."""
        reading = self.query_one("#reading", LineList)
        return reading if reading.has_focus else self.query_one("#runtimes", LineList)

    def copied(self) -> str:
        """Return the row's source place."""
        row = self.searched().current
        return row.id.split(":", 2)[-1] if row else ""

    @on(LineList.Opened)
    def open_row(self, event: LineList.Opened) -> None:
        """Show a finding in full, or go to its source line."""
        kind, _, rest = event.row.id.partition(":")
        if kind == "diagnostic":
            self._show_finding(self.session.conversion.diagnostics[int(rest.partition(":")[0])])
            return
        where = rest.rpartition(":")[0] and rest.split(":", 1)[-1]
        if kind == "signal":
            where = rest.split(":", 2)[-1]
        if where:
            self.post_message(self.GoTo(Step.INVENTORY, f"at:{where}"))

    def _show_finding(self, finding: Diagnostic) -> None:
        first = int(finding.lines.partition("-")[0] or 1)
        element = element_at(self.session.conversion.inventory.elements, finding.file, first)
        offered = [Choice("reviewed", "Mark as reviewed", "it no longer counts as open", current=True)]
        if element is not None:
            offered.append(Choice("line", "Go to the line", finding.location))
        lead: list[Line] = [
            ((finding.location or "the workspace", Tone.INFO),),
            ((finding.message, Tone.TEXT),),
            (),
            ((finding.hint, Tone.STRONG),),
        ]

        acts: Mapping[str, Message] = {
            "reviewed": self.Act(Acknowledge(f"{finding.code}:{finding.file}")),
            "line": self.GoTo(Step.INVENTORY, f"at:{finding.file}:{first}"),
        }
        ChoiceDialog(finding.code, offered, lead=lead).ask(
            self.app, lambda value: self.post_message(acts[value])
        )

    # --- overrides -----------------------------------------------------------------------------

    def action_override_runtime(self) -> None:
        """Choose the source runtime, or a hybrid of two that have signals."""
        conversion = self.session.conversion
        choices = runtime_choices(conversion.classification.scores, conversion.settings)
        self._choose("Source runtime", choices, chosen_runtime)

    def action_override_modality(self) -> None:
        """Choose the trigger."""
        choices = modality_choices(self.session.conversion.settings.modality)
        self._choose("How the agent is woken", choices, lambda value: {"modality": chosen_modality(value)})

    def _choose(
        self, title: str, choices: Sequence[Choice], settings: Callable[[str], Mapping[str, object]]
    ) -> None:
        ChoiceDialog(title, choices).ask(
            self.app, lambda value: self.post_message(self.Act(ChangeSettings(settings(value))))
        )

    def action_choose_backend(self) -> None:
        """Choose backend and model."""
        settings = self.session.conversion.settings
        fields = [
            Field("backend", "Backend", settings.backend, backend_objection),
            Field("model_id", "Model", settings.model_id, model_objection),
        ]

        def decide(values: dict[str, str]) -> None:
            self.post_message(self.Act(ChangeSettings(values), "Backend and model are changed"))

        lead: list[Line] = [
            (("Mellea's name of the backend (ollama, openai, hf, …) and the model's own name.", Tone.MUTED),)
        ]
        FormDialog("Backend and model", fields, lead=lead).ask(self.app, decide)
