"""Step 1 in plain lines: the source runtime and the evidence for it, the trigger, findings, and the settings."""

from collections.abc import Iterator, Sequence
from typing import Final

from melleafy_tui.actions.choices import (
    AS_DETECTED,
    chosen_modality,
    chosen_runtime,
    modality_choices,
    runtime_choices,
)
from melleafy_tui.actions.display_names import axes_of, place
from melleafy_tui.cli.console import counted
from melleafy_tui.cli.linear import file_commands
from melleafy_tui.cli.linear.linear_session import LinearSession, typed_numbers
from melleafy_tui.cli.linear.typed_commands import Action, StepCommands, own
from melleafy_tui.core.decisions.commands import Acknowledge, ChangeSettings
from melleafy_tui.core.models.classification import Classification, RuntimeScore
from melleafy_tui.core.models.findings import Diagnostic
from melleafy_tui.core.models.vocabulary import MODALITY_TITLES, Severity


def summary(session: LinearSession) -> None:
    """Show what was detected, the output, the model and the number of findings."""
    conversion = session.wizard.conversion
    found, settings = conversion.classification, conversion.settings
    chosen = ", chosen by you" if found.source_runtime_override else ""
    generation = f", {found.generation}" if found.generation else ""
    session.dialogue.say(
        f"Source runtime: {found.source_runtime}{chosen}{generation}. {found.runtime_reason}"
    )
    chosen = ", chosen by you" if found.modality_override else ""
    cadence = f". {found.schedule.cadence}" if found.schedule.cadence else ""
    also = ", ".join(MODALITY_TITLES[modality] for modality in found.secondary_modalities)
    session.dialogue.say(
        f"Trigger: {MODALITY_TITLES[found.modality]}{chosen}{cadence}{f'; also {also}' if also else ''}"
    )
    session.dialogue.say(
        f"Output: package {conversion.committed.package_name} in {place(session.wizard.out)}"
    )
    session.dialogue.say(f"Model: {settings.model_id} on {settings.backend}")
    warnings = len(session.wizard.warnings)
    to_review = f" ({counted(warnings, 'warning')} to review)" if warnings else ""
    session.dialogue.say(f"Findings: {len(conversion.diagnostics)}{to_review}.")


def list_signals(session: LinearSession, _: str) -> None:
    """List the scores of the runtimes, each signal with its place, and the evidence of modality and axes."""
    session.dialogue.list(evidence_lines(session.wizard.conversion.classification), empty="No signals.")


def search(session: LinearSession, words: str) -> None:
    """List the evidence and the findings that contain a text."""
    wanted = words or session.dialogue.name("Search for what? Type a part of the text;")
    every = (*evidence_lines(session.wizard.conversion.classification), *_finding_lines(session))
    found = [line for line in every if wanted.casefold() in line.casefold()]
    session.dialogue.list(found, empty=f"No matches for {wanted}.")


def _finding_lines(session: LinearSession) -> list[str]:
    unread = session.wizard.warnings
    return [
        f"{number} {finding.severity}"
        f"{'' if finding in unread or finding.severity is Severity.INFO else ', reviewed'}: "
        f"{finding.location or 'the workspace'}: {finding.message} {finding.hint}".rstrip()
        for number, finding in enumerate(session.wizard.conversion.diagnostics, 1)
    ]


def review_findings(session: LinearSession, words: str) -> None:
    """List the findings about the source, all or those with a text, and ask which warnings have been reviewed."""
    wizard, dialogue = session.wizard, session.dialogue
    diagnostics, wanted = wizard.conversion.diagnostics, words.casefold()
    shown = [line for line in _finding_lines(session) if wanted in line.casefold()]
    dialogue.list(shown, empty=f"No matches for {words}." if words else "No findings.")
    while shown and wizard.warnings:
        answer = dialogue.ask(
            f"{counted(len(wizard.warnings), 'warning')} to review. Which have you reviewed? "
            "Type their numbers, or all; Enter skips:"
        )
        if not answer:
            return
        if answer.casefold() == "all":
            chosen = list(wizard.warnings)
        else:
            chosen = [diagnostics[number - 1] for number in typed_numbers(answer, len(diagnostics))]
        if chosen:
            _mark_reviewed(session, chosen)
            return
        dialogue.say(f"{answer} is not a number from 1 to {len(diagnostics)}.")


def _mark_reviewed(session: LinearSession, findings: Sequence[Diagnostic]) -> None:
    marks = dict.fromkeys(f"{finding.code}:{finding.file}" for finding in findings)
    reviewed = sum(session.wizard.act(Acknowledge(mark)) for mark in marks)
    session.keep_journal()
    if not reviewed:
        session.dialogue.say("Nothing changed.")
    else:
        one_by_one = "" if reviewed == 1 else ", one at a time"
        session.dialogue.say(f"Marked as reviewed. Type undo to revert{one_by_one}.")


def choose_runtime(session: LinearSession, _: str) -> None:
    """Ask for the source runtime."""
    conversion = session.wizard.conversion
    options = runtime_choices(conversion.classification.scores, conversion.settings)
    value = session.dialogue.choose("Which runtime does the workspace come from?", options)
    if value is not None:
        session.act(ChangeSettings(chosen_runtime(value)), f"Source runtime: {value}")
        summary(session)


def choose_modality(session: LinearSession, _: str) -> None:
    """Ask how the agent is woken."""
    options = modality_choices(session.wizard.conversion.settings.modality)
    value = session.dialogue.choose("How is the agent woken?", options)
    if value is not None:
        modality = chosen_modality(value)
        said = MODALITY_TITLES[modality] if modality else AS_DETECTED
        session.act(ChangeSettings({"modality": modality}), f"Trigger: {said}")


def choose_backend(session: LinearSession, _: str) -> None:
    """Ask for backend and model."""
    settings = session.wizard.conversion.settings
    backend = session.dialogue.text(
        "Which backend, by Mellea's name (ollama, openai, hf)?", current=settings.backend
    )
    model = session.dialogue.text("Which model, by its own name?", current=settings.model_id)
    changes = {name: value for name, value in (("backend", backend), ("model_id", model)) if value}
    if changes:
        session.act(ChangeSettings(changes), "Backend and model changed")


# --- evidence ---------------------------------------------------------------------------------


def evidence_lines(found: Classification) -> list[str]:
    """Return one line for each piece of evidence, the runtimes with the highest scores first."""
    scores = sorted(found.scores, key=lambda score: (-score.score, score.runtime))
    return [
        *(line for score in scores for line in _of_runtime(score, _part(found, score.runtime))),
        *_of_modality(found),
        *_of_axes(found),
    ]


def _part(found: Classification, runtime: str) -> str:
    """Return the part of a runtime in the result, `""` for none."""
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
        yield f"trigger {MODALITY_TITLES[evidence.modality]}: {where}, {evidence.note or evidence.rule}"
    if not found.modality_evidence:
        yield "No trigger found; the agent runs when it is called."
    schedule = found.schedule
    if schedule.type:
        hours = f", active {schedule.active_hours}" if schedule.active_hours else ""
        yield f"schedule: {schedule.cadence}{hours}, {_at(schedule.file, schedule.lines)}"


def _of_axes(found: Classification) -> Iterator[str]:
    for axis in axes_of(found):
        yield f"{axis.name}: {axis.value}, {axis.confidence:.0%} sure"
        for each in axis.evidence:
            parts = (each.rule, _at(each.file, each.line), each.note if each.note != each.rule else "")
            yield f"  {axis.name}: {', '.join(part for part in parts if part)}"


def _at(file: str, line: int | str) -> str:
    return f"{file}:{line}" if line else file


COMMANDS: Final = StepCommands(
    summary,
    (
        own("s", "signals", list_signals, "List the scores, and each signal with its file and line."),
        own(
            "f",
            "findings",
            review_findings,
            "List the findings, and mark warnings as reviewed.",
            "WORDS",
        ),
        Action("search.start", search, "WORDS", does="List the signals and findings that contain a text."),
        Action("detect.runtime", choose_runtime),
        Action("detect.modality", choose_modality),
        Action("detect.output", file_commands.choose_output),
        Action("detect.backend", choose_backend),
        Action("detect.load", file_commands.load_decisions, "FILE"),
    ),
)
"""The step, as the conversation shows it."""
