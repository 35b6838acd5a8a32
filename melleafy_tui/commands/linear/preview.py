"""Step 4 in plain lines: the files as they would be written, their text, their diff, their source, the lints."""

from melleafy_tui.commands import changes
from melleafy_tui.commands.linear.answers import Answer, LinearStep
from melleafy_tui.commands.linear.talk import Talk, typed_place
from melleafy_tui.commands.lint import finding_line
from melleafy_tui.core.models.package import EmittedFile
from melleafy_tui.effects import file_difference
from melleafy_tui.provenance import provenance_at
from melleafy_tui.wizard_steps import Step


def summary(talk: Talk) -> None:
    """Say how many files there are, what a write does to them, and how the lints stand."""
    rendered = talk.rendered()
    files = rendered.files.by_path
    plan = f": {changes.summary(rendered.plan)}" if rendered.plan is not None else f". {rendered.refusal}"
    talk.dialogue.say(f"{len(files)} files{plan}")
    failing = len(rendered.lints.findings)
    said = f"{failing} findings; f says them" if failing else f"all {len(rendered.lints.results)} pass"
    talk.dialogue.say(f"Lints: {said}.")


def list_files(talk: Talk, _: str) -> None:
    """List the files with what a write does to each."""
    rendered = talk.rendered()
    if rendered.plan is None:
        talk.dialogue.list(sorted(rendered.files.by_path), empty="There is no file.")
        return
    lines = [f"{path}: {words}" for _, path, words in changes.rows(rendered.plan.files)]
    talk.dialogue.list(lines, empty="There is no file.")


def _named(talk: Talk, words: str) -> EmittedFile | None:
    files = talk.rendered().files.by_path
    wanted = words or talk.dialogue.name("Which file? Type its path or its name;", "l lists the files.")
    path = talk.path_named(wanted, files)
    return files[path] if path is not None else None


def show(talk: Talk, words: str) -> None:
    """Say the text of a file with its line numbers."""
    file = _named(talk, words)
    if file is not None:
        lines = [f"{number}: {line}" for number, line in enumerate(file.text.split("\n"), 1)]
        talk.dialogue.list(lines, empty="It is empty.")


def show_disk_difference(talk: Talk, words: str) -> None:
    """Say the diff of a file against what is on the disk."""
    file, plan = _named(talk, words), talk.rendered().plan
    if file is None or plan is None:
        return
    planned = next((each for each in plan.files if each.path == file.path), None)
    lines = changes.difference(plan, planned).split("\n") if planned is not None and planned.changes else []
    talk.dialogue.list(lines, empty="It is the same as on the disk.")


def show_default_difference(talk: Talk, words: str) -> None:
    """Say the diff of a file against the package that the defaults give."""
    file = _named(talk, words)
    if file is not None:
        defaults = talk.session.copy_without_overrides().files
        lines = file_difference(defaults.file(file.path), file, file.path)
        talk.dialogue.list(lines, empty="It is what the defaults give.")


def show_source(talk: Talk, words: str) -> None:
    """Say which source lines stand behind a file, or behind one line of it."""
    path, number = typed_place(words)
    file = _named(talk, path)
    if file is None:
        return
    by_id = talk.session.conversion.inventory.by_id
    found = provenance_at(file, number) if number else None
    stands_behind = file.provenance if not number else (found,) if found is not None else ()
    lines = [
        f"lines {each.first} to {each.last}: {each.source_file}:{each.source_lines}"
        + (f", {by_id[each.element_id].element_id}" if each.element_id in by_id else "")
        for each in sorted(stands_behind, key=lambda each: (each.first, each.last))
    ]
    talk.dialogue.list(lines, empty="No source line stands behind it; it is the package's own.")


def search(talk: Talk, words: str) -> None:
    """Say the emitted lines that hold a text, each with its place."""
    wanted = words or talk.dialogue.name("Which words? Type a part of a line;")
    lines = [
        f"{path}:{number}: {line}"
        for path, file in talk.rendered().files.by_path.items()
        for number, line in enumerate(file.text.split("\n"), 1)
        if wanted.casefold() in line.casefold()
    ]
    talk.dialogue.list(lines, empty=f"No emitted line holds {wanted}.")


def say_lints(talk: Talk, _: str) -> None:
    """Say each lint failure with file and line."""
    findings = talk.rendered().lints.findings
    talk.dialogue.list([finding_line(finding) for finding in findings], empty="Every lint passes.")


PREVIEW = LinearStep(
    Step.PREVIEW,
    summary,
    (
        Answer("l", "list", "List the files with what a write does to each.", list_files),
        Answer("t", "tell", "Say the text of a file, line by line.", show, "FILE"),
        Answer("v", "disk", "Say the diff of a file against the disk.", show_disk_difference, "FILE"),
        Answer(
            "d", "defaults", "Say the diff of a file against the defaults.", show_default_difference, "FILE"
        ),
        Answer(
            "s", "source", "Say the source lines behind a file, or a line of it.", show_source, "FILE[:LINE]"
        ),
        Answer("w", "words", "Say the emitted lines that hold a text.", search, "WORDS"),
        Answer("f", "findings", "Say each lint failure with file and line.", say_lints),
    ),
)
