"""The evidence of step 1 in plain lines: signals of the runtimes, modality, schedule and axes, each with its place."""

from collections.abc import Iterator

from melleafy_tui.core.models.classification import AxisEvidence, Classification, RuntimeScore
from melleafy_tui.words import MODALITY_TITLES


def evidence_lines(found: Classification) -> list[str]:
    """Return one line for each piece of evidence, the runtimes with the highest scores first."""
    scores = sorted(found.scores, key=lambda score: (-score.score, score.runtime))
    return [
        *(line for score in scores for line in _of_runtime(score, _part(found, score.runtime))),
        *_of_modality(found),
        *_of_axes(found),
    ]


def _part(found: Classification, runtime: str) -> str:
    """Return what a runtime has to do with the verdict, `""` for nothing."""
    if runtime not in found.dialect_runtimes:
        return ""
    if not found.hybrid_primary:
        return ", chosen"
    return ", leads" if runtime == found.hybrid_primary else ", contributes"


def _of_runtime(score: RuntimeScore, part: str) -> Iterator[str]:
    yield f"{score.runtime}: score {score.score:.1f}{part or (', candidate' if score.candidate else '')}"
    for signal in score.evidence:
        remarks = f", weight {signal.weight:g}" if signal.counted else ", not counted"
        remarks += ", outside the workspace" if signal.ambient and "outside" not in signal.note else ""
        note = f", {signal.note}" if signal.note else ""
        where = _at(signal.file, signal.line)
        yield f"  {score.runtime}: {signal.signal}, {signal.strength.value}, {where}{remarks}{note}"


def _of_modality(found: Classification) -> Iterator[str]:
    for evidence in found.modality_evidence:
        where = _at(evidence.file, evidence.line)
        yield f"woken {MODALITY_TITLES[evidence.modality]}: {where}, {evidence.note or evidence.rule}"
    if not found.modality_evidence:
        yield "No signal wakes it; it runs when it is called."
    schedule = found.schedule
    if schedule.type:
        hours = f", active {schedule.active_hours}" if schedule.active_hours else ""
        yield f"schedule: {schedule.cadence}{hours}, {_at(schedule.file, schedule.lines)}"


def _of_axes(found: Classification) -> Iterator[str]:
    axes: tuple[tuple[str, str, float, tuple[AxisEvidence, ...]], ...] = (
        ("archetype", found.archetype.value, found.archetype_confidence, found.archetype_evidence),
        ("shape", found.shape.value, found.shape_confidence, found.shape_evidence),
        ("tools", found.tool_involvement.value, found.tool_confidence, found.tool_evidence),
    )
    for name, value, confidence, evidence in axes:
        yield f"{name}: {value}, {confidence:.0%} sure"
        for each in evidence:
            parts = (each.rule, _at(each.file, each.line), each.note if each.note != each.rule else "")
            yield f"  {name}: {', '.join(part for part in parts if part)}"


def _at(file: str, line: int | str) -> str:
    return f"{file}:{line}" if line else file
