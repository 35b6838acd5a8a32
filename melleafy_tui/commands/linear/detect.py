"""Step 1 in plain lines: which runtime and why, how the agent is woken, what the reading found, and the overrides."""

from collections.abc import Sequence

from melleafy_tui.commands.linear.answers import Answer, LinearStep
from melleafy_tui.commands.linear.dialogue import Option
from melleafy_tui.commands.linear.evidence import evidence_lines
from melleafy_tui.commands.linear.files import choose_output, load_decisions
from melleafy_tui.commands.linear.talk import Talk, typed_numbers
from melleafy_tui.core.decisions.commands import Acknowledge, ChangeSettings
from melleafy_tui.core.models.diagnostics import Diagnostic
from melleafy_tui.core.models.vocabulary import Modality, Severity
from melleafy_tui.runtime_choices import RuntimeChoice, runtime_choices
from melleafy_tui.wizard_steps import Step
from melleafy_tui.words import MODALITY_NOTES, MODALITY_TITLES, place


def summary(talk: Talk) -> None:
    """Say the verdict."""
    conversion = talk.session.conversion
    found, settings = conversion.classification, conversion.settings
    chosen = ", chosen by you" if found.source_runtime_override else ""
    generation = f", {found.generation}" if found.generation else ""
    talk.dialogue.say(f"Source runtime: {found.source_runtime}{chosen}{generation}. {found.runtime_reason}")
    chosen = ", chosen by you" if found.modality_override else ""
    cadence = f". {found.schedule.cadence}" if found.schedule.cadence else ""
    also = ", ".join(MODALITY_TITLES[modality] for modality in found.secondary_modalities)
    talk.dialogue.say(
        f"Woken: {MODALITY_TITLES[found.modality]}{chosen}{cadence}{f'; also {also}' if also else ''}"
    )
    talk.dialogue.say(f"Output: package {conversion.committed.package_name} in {place(talk.session.out)}")
    talk.dialogue.say(f"Model: {settings.model_id} on {settings.backend}")
    warnings = len(talk.session.warnings)
    talk.dialogue.say(
        f"Findings about the reading: {len(conversion.diagnostics)}, of which {warnings} are unread warnings."
    )


def say_signals(talk: Talk, words: str) -> None:
    """Say the scores of the runtimes, each signal with its place, and the evidence of modality and axes."""
    found = talk.session.conversion.classification
    wanted = words.casefold()
    lines = [line for line in evidence_lines(found) if wanted in line.casefold()]
    talk.dialogue.list(lines, empty=f"No line of evidence holds {words}.")


def say_findings(talk: Talk, words: str) -> None:
    """Say every finding about the source with its number, and ask which of its warnings count as read."""
    session, dialogue = talk.session, talk.dialogue
    diagnostics, unread = session.conversion.diagnostics, session.warnings
    lines = [
        f"{number} {finding.severity}{'' if finding in unread or finding.severity is Severity.INFO else ', read'}: "
        f"{finding.location or 'the workspace'}: {finding.message} {finding.hint}".rstrip()
        for number, finding in enumerate(diagnostics, 1)
    ]
    wanted = words.casefold()
    shown = [line for line in lines if wanted in line.casefold()]
    dialogue.list(shown, empty="There is nothing to report about the reading.")
    while shown and session.warnings:
        answer = dialogue.ask(
            f"Which of the unread warnings, {len(session.warnings)} in all, count as read? "
            "Type their numbers, or all; Enter leaves them:"
        )
        if not answer:
            return
        if answer.casefold() == "all":
            chosen = list(session.warnings)
        else:
            chosen = [diagnostics[number - 1] for number in typed_numbers(answer, len(diagnostics))]
        if chosen:
            _count_as_read(talk, chosen)
            return
        dialogue.say(f"{answer} is no number from 1 to {len(diagnostics)}.")


def _count_as_read(talk: Talk, findings: Sequence[Diagnostic]) -> None:
    marks = dict.fromkeys(f"{finding.code}:{finding.file}" for finding in findings)
    read = sum(talk.session.act(Acknowledge(mark)) for mark in marks)
    talk.keep_journal()
    if not read:
        talk.dialogue.say("Nothing changed.")
    elif read == 1:
        talk.dialogue.say("It counts as read. u takes that back.")
    else:
        talk.dialogue.say("They count as read. u takes that back, one at a time.")


def choose_runtime(talk: Talk, _: str) -> None:
    """Ask for the source runtime."""
    conversion = talk.session.conversion
    settings = conversion.settings
    chosen = RuntimeChoice(settings.source_runtime or "", settings.contributing_runtimes)
    offered = {
        each.words: (each, note) for each, note in runtime_choices(conversion.classification.scores, chosen)
    }
    options = [Option(words, words, note, current=each == chosen) for words, (each, note) in offered.items()]
    value = talk.dialogue.choose("Which runtime does the workspace come from?", options)
    if value is not None:
        wanted, _note = offered[value]
        talk.act(ChangeSettings(wanted.settings), f"Source runtime: {wanted.words}")
        summary(talk)


def choose_modality(talk: Talk, _: str) -> None:
    """Ask how the agent is woken."""
    chosen = talk.session.conversion.settings.modality
    options = [
        Option("detected", "as detected", "what the source says", current=chosen is None),
        *(
            Option(each.value, MODALITY_TITLES[each], MODALITY_NOTES[each], current=each is chosen)
            for each in Modality
        ),
    ]
    value = talk.dialogue.choose("How is the agent woken?", options)
    if value is not None:
        modality = None if value == "detected" else Modality(value)
        said = MODALITY_TITLES[modality] if modality else "as detected"
        talk.act(ChangeSettings({"modality": modality}), f"Woken: {said}")


def choose_backend(talk: Talk, _: str) -> None:
    """Ask for backend and model."""
    settings = talk.session.conversion.settings
    backend = talk.dialogue.text(
        "Which backend, by Mellea's name (ollama, openai, hf)?", current=settings.backend
    )
    model = talk.dialogue.text("Which model, by its own name?", current=settings.model_id)
    changes = {name: value for name, value in (("backend", backend), ("model_id", model)) if value}
    if changes:
        talk.act(ChangeSettings(changes), "Backend and model are changed")


DETECT = LinearStep(
    Step.DETECT,
    summary,
    (
        Answer(
            "s",
            "signals",
            "Say the scores, each signal with its file and line, all or those with a text.",
            say_signals,
            "WORDS",
        ),
        Answer(
            "f",
            "findings",
            "Say what the reading found, with file, line and what to do, and which of it you have read.",
            say_findings,
            "WORDS",
        ),
        Answer("r", "runtime", "Choose another source runtime.", choose_runtime),
        Answer("m", "modality", "Choose how the agent is woken.", choose_modality),
        Answer("o", "output", "Choose the output folder and the package name.", choose_output),
        Answer("e", "engine", "Choose the backend and the model.", choose_backend),
        Answer(
            "d", "decisions", "Load a decisions file and say what became of each override.", load_decisions
        ),
    ),
)
