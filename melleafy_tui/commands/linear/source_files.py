"""Files in plain lines: what was read of the source, its lines as a screen shows them, and what carries them."""

from collections import Counter

from melleafy_tui.commands.linear.talk import Talk
from melleafy_tui.core.models.inventory import Inventory
from melleafy_tui.provenance import lines_of_element
from melleafy_tui.words import shown_lines


def file_lines(inventory: Inventory) -> list[str]:
    """Return one line a file: those with elements, with how much of them is covered, then the others."""
    coverage = {each.path: each for each in inventory.coverage}
    counts = Counter(element.source_file for element in inventory.elements)
    lines = []
    for file, count in counts.items():
        covered = coverage.get(file)
        share = (
            f", {covered.covered / covered.lines:.0%} of its lines covered"
            if covered and covered.lines
            else ""
        )
        lines.append(f"{file}: {count}{share}")
    lines.extend(
        f"{each.path}: no element, {each.status}, {each.note or each.role}"
        for each in inventory.files
        if not counts[each.path]
    )
    return lines


def source_lines(talk: Talk, path: str, first: int = 1, last: int = 0) -> list[str]:
    """Return lines of a source file with their numbers, secrets hidden; `last` 0 is the end of the file."""
    conversion = talk.session.conversion
    source = conversion.snapshot.file(path)
    if source is None:
        return []
    lines = shown_lines(source, conversion.inventory.elements, conversion.released_secrets)
    return [f"line {number}: {line}" for number, line in enumerate(lines[first - 1 : last or None], first)]


def say_files(talk: Talk, words: str) -> None:
    """List the files of the source, or say the lines of one."""
    conversion = talk.session.conversion
    if not words:
        talk.dialogue.list(
            file_lines(conversion.inventory), empty="The workspace holds nothing that was read."
        )
        return
    path = talk.path_named(words, [file.path for file in conversion.snapshot.files])
    if path is not None:
        talk.dialogue.list(source_lines(talk, path), empty="It is empty.")


def say_emitted(talk: Talk, words: str) -> None:
    """Say where an element stands in the output, and those lines."""
    element = talk.element_named(words)
    if element is None:
        return
    files = talk.rendered().files
    lines: list[str] = []
    for path, each in lines_of_element(files, element.element_id):
        emitted = files.by_path[path].text.split("\n")
        lines.append(f"{path}, lines {each.first} to {each.last}:")
        lines.extend(f"  {number}: {emitted[number - 1]}" for number in range(each.first, each.last + 1))
    talk.dialogue.list(lines, empty="No emitted line carries this element.")
