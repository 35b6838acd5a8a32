"""What can be looked at in plain lines: what `detect`, `inventory`, `plan`, `preview` and `explain` print, and more."""

from collections.abc import Sequence
from pathlib import Path

from melleafy_tui.actions.display_names import place
from melleafy_tui.actions.filters import element_search_text, entry_search_text
from melleafy_tui.actions.output_changes import effect
from melleafy_tui.actions.plurals import counted
from melleafy_tui.actions.steps import unread_warnings
from melleafy_tui.cli import changes
from melleafy_tui.cli.explanation import Provenance, explain
from melleafy_tui.cli.linear.dialogue import LinearSession, typed_numbers
from melleafy_tui.cli.printed_results import say_classification, say_elements, say_entries, say_files
from melleafy_tui.core.decisions.commands import Acknowledge
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import DISPOSITIONS, MODALITY_TITLES, Disposition, Severity
from melleafy_tui.core.package.dispositions import cell


def overview(session: LinearSession, _: str = "") -> None:
    """Show what was read, what the package would be and where it goes, and what is open or unsaved."""
    wizard = session.wizard
    conversion, figures = wizard.conversion, wizard.figures
    found, settings = conversion.classification, conversion.settings
    chosen = ", chosen by you"
    trigger = f"{MODALITY_TITLES[found.modality]}{chosen if found.modality_override else ''}"
    cadence = f", {found.schedule.cadence}" if found.schedule.cadence else ""
    entries = counted(figures.entries, "entry", "entries")
    session.dialogue.say(
        f"Source runtime: {found.source_runtime}{chosen if found.source_runtime_override else ''}. "
        f"{found.runtime_reason}",
        f"Trigger: {trigger}{cadence}.",
        f"{counted(figures.elements, 'element')}; {entries}, {figures.overrides} overridden; "
        f"{counted(figures.stubs, 'stub')}, {figures.delegates} left to the host.",
        f"One run costs {counted(figures.calls, 'model call')} and ≈ {figures.prompt_tokens} prompt tokens.",
        f"Package {conversion.committed.package_name} goes to {place(wizard.out)}.",
        f"Model: {settings.model_id} on {settings.backend}.",
        f"Findings: {len(conversion.diagnostics)}, {counted(figures.warnings, 'warning')} to review.",
        "Decisions: unsaved." if conversion.unsaved else "Decisions: nothing unsaved.",
    )


# --- evidence and findings --------------------------------------------------------------------


def show_evidence(session: LinearSession, _: str) -> None:
    """Show the scores of the runtimes with their signals, and the evidence of the trigger."""
    conversion = session.wizard.conversion
    say_classification(conversion.snapshot.name, conversion.classification, session.dialogue.console)


def list_findings(session: LinearSession, words: str) -> None:
    """List the findings about the source, all or those with a text, or mark some as reviewed by their numbers."""
    conversion = session.wizard.conversion
    diagnostics, unread = conversion.diagnostics, unread_warnings(conversion)
    head, _, rest = words.partition(" ")
    if head.casefold() == "reviewed":
        numbers = typed_numbers(rest, len(diagnostics))
        marked = [diagnostics[number - 1] for number in numbers] if rest.casefold() != "all" else unread
        for finding in marked:
            session.act(Acknowledge(f"{finding.code}:{finding.file}"), "Marked as reviewed")
        return
    for number, finding in enumerate(diagnostics, 1):
        is_reviewed = finding not in unread and finding.severity is not Severity.INFO
        where = finding.location or "the workspace"
        line = f"{number} {finding.severity}{', reviewed' if is_reviewed else ''}: {where}: {finding.message}"
        if words.casefold() in line.casefold():
            session.dialogue.say(f"{line} {finding.hint}".rstrip())


# --- elements, files, lines -------------------------------------------------------------------


def element_line(element: Element) -> str:
    """Return an element in one line."""
    return f"{element.element_id}, {element.location}: {element.content_summary or element.statement}"


def list_elements(session: LinearSession, words: str) -> None:
    """List the elements, all or those with a text."""
    elements = session.wizard.conversion.inventory.elements
    found = [element for element in elements if words.casefold() in element_search_text(element)]
    session.dialogue.say(f"{counted(len(found), 'element')}:" if found else "No matching element.")
    say_elements(found, session.dialogue.console)


def explain_lines(session: LinearSession, words: str) -> None:
    """Say what became of a source line or an element, or where an emitted line comes from."""
    if ":" not in words and "." not in words:
        element = session.element_named(words)
        if element is None:
            return
        words = f"{element.source_file}:{element.source_lines}"
    conversion = session.wizard.conversion
    found = Provenance.of(
        conversion, session.rendered().files, Path(conversion.snapshot.root), session.wizard.out
    )
    explain(found, conversion.snapshot.name, words, session.dialogue.console)


def list_files(session: LinearSession, _: str) -> None:
    """List the files of the source with their coverage."""
    say_files(session.wizard.conversion.inventory, session.dialogue.console)


# --- entries ----------------------------------------------------------------------------------


def list_entries(session: LinearSession, words: str) -> None:
    """List the entries, all or those with a text."""
    wizard, wanted = session.wizard, words.casefold()
    entries = wizard.conversion.plan.entries
    _list(session, [each for each in entries if wanted in entry_search_text(each, wizard.elements_of(each))])


def list_differences(session: LinearSession, _: str) -> None:
    """List what differs from the defaults."""
    _list(session, [entry for entry in session.wizard.conversion.plan.entries if entry.overridden])


def _list(session: LinearSession, entries: Sequence[PlanEntry]) -> None:
    """List entries, and remember them for `listed`."""
    session.listed = frozenset(entry.key for entry in entries)
    session.dialogue.say(f"{counted(len(entries), 'entry', 'entries')}:" if entries else "No matching entry.")
    say_entries(entries, session.dialogue.console)


def show_entry(session: LinearSession, words: str) -> None:
    """Show everything about entries: their elements, their change in the output, the alternatives."""
    for entry in session.entries_named(words):
        say_entries([entry], session.dialogue.console)
        reason = session.wizard.reasons.get(entry.entry_id)
        if reason:
            session.dialogue.say(f"Needs attention: {reason}")
        for element in session.wizard.elements_of(entry):
            explain_lines(session, element.element_id)
        say_change(session, entry)
        session.dialogue.say("Possible dispositions:")
        for disposition in Disposition:
            option = cell(entry.kind, disposition)
            does = option.effect if option.allowed else f"not possible here. {option.refusal}"
            session.dialogue.say(f"  {DISPOSITIONS[disposition].label}: {does}")


def say_change(session: LinearSession, entry: PlanEntry, most: int | None = None) -> None:
    """Show what an entry's disposition changes in the output, as a small diff.

    Args:
        session: The user and the conversion.
        entry: The entry, as it is now.
        most: How many lines of the diff are shown; None for all that the side pane of the wizard has.
    """
    found = effect(session.wizard.conversion, entry)
    shown = [f"file {line[3:]}" if line.startswith("── ") else line for line in found.lines[:most]]
    left = len(found.lines) - len(shown) + found.left_out
    more = [f"and {counted(left, 'more line')}; entry shows the change, preview the files."] if left else []
    session.dialogue.say(f"Change in the output, {found.title}:", *(shown or ["Nothing in the code."]), *more)


# --- the package ------------------------------------------------------------------------------


def show_preview(session: LinearSession, words: str) -> None:
    """List the emitted files with what a write does to each and the lint failures, or show one of the files."""
    rendered, say = session.rendered(), session.dialogue.say
    if words:
        path = session.path_named(words, rendered.files.by_path)
        if path is not None:
            lines = rendered.files.by_path[path].text.split("\n")
            say(*(f"{number}: {line}" for number, line in enumerate(lines, 1)))
        return
    if rendered.plan is None:
        say(f"This folder can't be used: {rendered.refusal}. Type output to choose another.")
    else:
        say(f"{place(session.wizard.out)}: {changes.summary(rendered.plan)}.")
        session.dialogue.console.table(changes.rows(rendered.plan.files))
    failing = [finding.spelled for finding in rendered.lints.findings]
    say(*(failing or [f"All {len(rendered.lints.results)} lints pass."]))


def show_difference(session: LinearSession, words: str) -> None:
    """Show what a write changes in a file, or in all of them."""
    plan = session.rendered().plan
    files = plan.files if plan is not None else ()
    wanted = session.path_named(words, [file.path for file in files]) if words else None
    shown = [file for file in files if file.path == wanted or not words]
    lines = [changes.difference(plan, file) for file in shown if plan is not None]
    session.dialogue.say(*("\n".join(filter(None, lines)) or "Same as on disk.").split("\n"))
