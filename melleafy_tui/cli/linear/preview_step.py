"""Step 4 in plain lines: the files as they would be written, their diffs, their source lines, the lint findings."""

from typing import Final

from melleafy_tui.actions.choices import Choice
from melleafy_tui.actions.output_changes import file_difference
from melleafy_tui.actions.traceability import provenance_at
from melleafy_tui.cli import changes
from melleafy_tui.cli.console import counted
from melleafy_tui.cli.linear.linear_session import LinearSession, typed_place
from melleafy_tui.cli.linear.typed_commands import Action, StepCommands, own
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.output.write_plan import WRITE_ORDER


def summary(session: LinearSession) -> None:
    """Show the number of files, what a write does to them, and the lint result."""
    rendered = session.rendered()
    files = rendered.files.by_path
    plan = f": {changes.summary(rendered.plan)}" if rendered.plan is not None else f". {rendered.refusal}"
    session.dialogue.say(f"{counted(len(files), 'file')}{plan}")
    failing = len(rendered.lints.findings)
    result = (
        f"{counted(failing, 'finding')}; type lints to list them"
        if failing
        else f"all {len(rendered.lints.results)} pass"
    )
    session.dialogue.say(f"Lints: {result}.")


def list_files(session: LinearSession, _: str) -> None:
    """List the files with what a write does to each, those to review first."""
    rendered = session.rendered()
    if rendered.plan is None:
        session.dialogue.list(sorted(rendered.files.by_path), empty="No files.")
        return
    ordered = sorted(rendered.plan.files, key=lambda file: WRITE_ORDER.index(file.action))
    lines = [f"{path}: {words}" for _, path, words in changes.rows(ordered)]
    session.dialogue.list([*lines, *rendered.plan.notes], empty="No files.")


def _named(session: LinearSession, words: str) -> EmittedFile | None:
    files = session.rendered().files.by_path
    wanted = words or session.dialogue.name(
        "Which file? Type its path or its name;", "Type list to list the files."
    )
    path = session.path_named(wanted, files)
    return files[path] if path is not None else None


def show(session: LinearSession, words: str) -> None:
    """Show the content of a file with its line numbers."""
    file = _named(session, words)
    if file is not None:
        _show_content(session, file)


def view(session: LinearSession, words: str) -> None:
    """Ask whether to show the content of a file or a diff, and show it."""
    file = _named(session, words)
    if file is None:
        return
    options = [
        Choice("content", "content"),
        Choice("disk", "diff against the disk"),
        Choice("defaults", "diff against the defaults"),
    ]
    value = session.dialogue.choose(f"Which view of {file.path}?", options, enter="cancels")
    if value == "content":
        _show_content(session, file)
    elif value == "disk":
        _show_disk_difference(session, file)
    elif value == "defaults":
        defaults = session.wizard.copy_without_overrides().files
        lines = file_difference(defaults.file(file.path), file, file.path)
        session.dialogue.list(lines, empty="Same as the defaults.")


def _show_content(session: LinearSession, file: EmittedFile) -> None:
    lines = [f"{number}: {line}" for number, line in enumerate(file.text.split("\n"), 1)]
    session.dialogue.list(lines, empty="The file is empty.")


def _show_disk_difference(session: LinearSession, file: EmittedFile) -> None:
    plan = session.rendered().plan
    if plan is None:
        return
    planned = next((each for each in plan.files if each.path == file.path), None)
    lines = changes.difference(plan, planned).split("\n") if planned is not None and planned.changes else []
    session.dialogue.list(lines, empty="Same as on disk.")


def show_source(session: LinearSession, words: str) -> None:
    """List the source lines that a file, or one line of it, came from."""
    path, number = typed_place(words)
    file = _named(session, path)
    if file is None:
        return
    by_id = session.wizard.conversion.inventory.by_id
    found = provenance_at(file, number) if number else None
    provenance = file.provenance if not number else (found,) if found is not None else ()
    lines = [
        f"lines {each.first} to {each.last}: {each.source_file}:{each.source_lines}"
        + (f", {by_id[each.element_id].element_id}" if each.element_id in by_id else "")
        for each in sorted(provenance, key=lambda each: (each.first, each.last))
    ]
    session.dialogue.list(lines, empty="Generated code, no source line.")


def search(session: LinearSession, words: str) -> None:
    """List the emitted lines that contain a text, each with its place."""
    wanted = words or session.dialogue.name("Search for what? Type a part of a line;")
    lines = [
        f"{path}:{number}: {line}"
        for path, file in session.rendered().files.by_path.items()
        for number, line in enumerate(file.text.split("\n"), 1)
        if wanted.casefold() in line.casefold()
    ]
    session.dialogue.list(lines, empty=f"No matches for {wanted}.")


def list_lints(session: LinearSession, _: str) -> None:
    """List each lint failure with file and line."""
    findings = session.rendered().lints.findings
    session.dialogue.list([finding.spelled for finding in findings], empty="All lints pass.")


COMMANDS: Final = StepCommands(
    summary,
    (
        own("l", "list", list_files, "List the files with what a write does to each."),
        own("t", "tell", show, "Show the content of a file, line by line.", "FILE"),
        Action("preview.view", view, "FILE"),
        Action(
            "preview.source",
            show_source,
            "FILE[:LINE]",
            does="Show the source lines of a file, or of one of its lines.",
        ),
        Action("search.start", search, "WORDS", does="List the emitted lines that contain a text."),
        Action(
            "preview.lint",
            list_lints,
            word="lints",
            does="List each lint failure with file and line.",
        ),
    ),
)
"""The step, as the conversation shows it."""
