"""Rows of the detect screen: runtimes with their signals, modality and axes with their evidence, diagnostics."""

from collections.abc import Callable

from melleafy_tui.core.conversion import Conversion
from melleafy_tui.core.models.classification import AxisEvidence, RuntimeScore, SignalEvidence
from melleafy_tui.core.models.diagnostics import Diagnostic
from melleafy_tui.core.models.vocabulary import Severity
from melleafy_tui.screens.words import SEVERITY_SPANS, STRENGTH_MARKS
from melleafy_tui.widgets.rows import Row
from melleafy_tui.widgets.tones import Line, Tone, fit, shorten
from melleafy_tui.words import MODALITY_TITLES

_BAR = 14


def at(file: str, line: int | str) -> str:
    """Return `file:line`, or the file alone."""
    return f"{file}:{line}" if line else file


def runtime_rows(conversion: Conversion) -> list[Row]:
    """Return the runtimes with their scores as bars, each with the signals that gave them."""
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
                search=score.runtime,
            )
        )
        rows.extend(
            Row(
                f"signal:{score.runtime}:{number}:{at(signal.file, signal.line)}",
                _signal_line(signal),
                depth=1,
                search=f"{score.runtime} {signal.signal} {signal.file} {signal.note}".casefold(),
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
    """Return modality, schedule, axes and diagnostics, each with the place that gave it."""
    classification = conversion.classification
    modality = MODALITY_TITLES[classification.modality]
    rows = [Row("modality", (("Woken by: ", Tone.MUTED), (modality, Tone.STRONG)), group=True)]
    if classification.modality_override:
        rows.append(Row("modality:override", (("you chose it", Tone.ACCENT),), depth=1, search="override"))
    for number, evidence in enumerate(classification.modality_evidence):
        rows.append(
            Row(
                f"modality:{number}:{at(evidence.file, evidence.line)}",
                _evidence_line(
                    MODALITY_TITLES[evidence.modality],
                    evidence.note or evidence.rule,
                    at(evidence.file, evidence.line),
                ),
                depth=1,
                search=f"{evidence.rule} {evidence.note} {evidence.file}".casefold(),
            )
        )
    if not classification.modality_evidence:
        rows.append(
            Row("modality:none", (("No signal wakes it; it runs when it is called.", Tone.MUTED),), depth=1)
        )
    schedule = classification.schedule
    if schedule.type:
        said = schedule.cadence + (f", active {schedule.active_hours}" if schedule.active_hours else "")
        rows.append(
            Row(
                f"schedule:{at(schedule.file, schedule.lines)}",
                _evidence_line("schedule", said, at(schedule.file, schedule.lines)),
                depth=1,
                search=said.casefold(),
            )
        )
    rows.extend(_axis_rows(conversion))
    rows.extend(_diagnostic_rows(conversion.diagnostics, set(conversion.decisions.acknowledged)))
    return rows


def _axis_rows(conversion: Conversion) -> list[Row]:
    classification = conversion.classification
    axes: tuple[tuple[str, str, tuple[AxisEvidence, ...], float], ...] = (
        (
            "Archetype",
            classification.archetype.value,
            classification.archetype_evidence,
            classification.archetype_confidence,
        ),
        ("Shape", classification.shape.value, classification.shape_evidence, classification.shape_confidence),
        (
            "Tools",
            classification.tool_involvement.value,
            classification.tool_evidence,
            classification.tool_confidence,
        ),
    )
    rows: list[Row] = []
    for name, value, evidence, confidence in axes:
        rows.append(
            Row(
                f"axis:{name}",
                ((f"{name}: ", Tone.MUTED), (value, Tone.STRONG), (f"  {confidence:.0%} sure", Tone.MUTED)),
                group=bool(evidence),
            )
        )
        rows.extend(
            Row(
                f"axis:{name}:{number}:{at(each.file, each.line)}",
                _evidence_line(each.rule, each.note, at(each.file, each.line)),
                depth=1,
                search=f"{each.rule} {each.note} {each.file}".casefold(),
            )
            for number, each in enumerate(evidence)
        )
    return rows


def _diagnostic_rows(diagnostics: tuple[Diagnostic, ...], read: set[str]) -> list[Row]:
    count = sum(finding.severity is not Severity.INFO for finding in diagnostics)
    if not diagnostics:
        return [Row("diagnostics", (("Nothing to report about the reading.", Tone.MUTED),), depth=0)]
    rows = [
        Row(
            "diagnostics",
            (
                ("Reading: ", Tone.MUTED),
                (f"{count} warnings", Tone.WARN if count else Tone.GOOD),
                (f", {len(diagnostics)} in all", Tone.MUTED),
            ),
            group=True,
        )
    ]
    for number, finding in enumerate(diagnostics):
        known = f"{finding.code}:{finding.file}" in read
        rows.append(
            Row(
                f"diagnostic:{number}:{finding.location}",
                _diagnostic_line(finding, known=known),
                depth=1,
                search=f"{finding.code} {finding.message} {finding.file}".casefold(),
            )
        )
    return rows


def _diagnostic_line(finding: Diagnostic, *, known: bool) -> Callable[[int], Line]:
    def line(width: int) -> Line:
        where = f"{finding.location} " if finding.location else ""
        return (
            SEVERITY_SPANS[finding.severity],
            (shorten(where, width // 2), Tone.INFO),
            (shorten(finding.message, max(4, width - 2 - len(where))), Tone.MUTED if known else Tone.TEXT),
        )

    return line


def _evidence_line(name: str, note: str, where: str) -> Callable[[int], Line]:
    def line(width: int) -> Line:
        head = shorten(name, max(8, width // 3))
        return (
            (head, Tone.TEXT),
            (f"  {where}", Tone.INFO),
            (
                shorten(
                    f"  {note}" if note and note != name else "", max(0, width - len(head) - len(where) - 2)
                ),
                Tone.MUTED,
            ),
        )

    return line
