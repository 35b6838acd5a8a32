"""Step 2 in plain lines: elements, files and their lines, and other tags and categories within what is allowed."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from melleafy_tui.actions.choices import (
    DECISION_ANSWERS,
    Choice,
    category_choices,
    category_words,
    decision_choices,
    decision_words,
    tag_choices,
)
from melleafy_tui.actions.display_names import (
    NOTHING_TO_RELEASE,
    element_remarks,
    element_title,
    releasable,
)
from melleafy_tui.actions.filters import chosen, element_facets, element_search_text
from melleafy_tui.actions.traceability import lines_of_element
from melleafy_tui.cli.console import counted
from melleafy_tui.cli.linear.linear_session import LinearSession
from melleafy_tui.cli.linear.typed_commands import Action, StepCommands, own
from melleafy_tui.core.decisions.commands import ReleaseSecret, SetTag
from melleafy_tui.core.models.context import VISIBILITY_SENTENCES
from melleafy_tui.core.models.inventory import Element, Inventory
from melleafy_tui.core.models.mapping import MappingEntry
from melleafy_tui.core.models.vocabulary import CATEGORIES, DISPOSITIONS, TAG_MEANINGS, Category, Tag
from melleafy_tui.core.source.secrets.masking import masked_words


def summary(session: LinearSession) -> None:
    """Show the number of elements by file and by category."""
    inventory = session.wizard.conversion.inventory
    counts = Counter(element.source_file for element in inventory.elements)
    session.dialogue.say(f"{counted(len(inventory.elements), 'element')} in {counted(len(counts), 'file')}.")
    lines = file_lines(inventory)
    for line in lines[: min(_FILES, len(counts))]:
        session.dialogue.say(f"  {line}")
    if len(lines) > min(_FILES, len(counts)):
        session.dialogue.say(
            f"  Type files to list all {len(lines)} files, including those without elements."
        )
    by_category = Counter(element.category for element in inventory.elements)
    categories = ", ".join(
        f"{category.value} {CATEGORIES[category].title} {by_category[category]}" for category in by_category
    )
    session.dialogue.say(f"By category: {categories}")


_FILES: Final = 12
"""Files that the summary lists."""


def _line(element: Element) -> str:
    return (
        f"{element.element_id}, {element.location}, {element.tag.value}, {element.category.value}: "
        f"{element_title(element)}"
    )


def _list(session: LinearSession, elements: Iterable[Element], empty: str) -> None:
    session.dialogue.list([_line(element) for element in elements], empty=empty)


def list_elements(session: LinearSession, _: str) -> None:
    """List the elements that pass a filter."""
    conversion = session.wizard.conversion
    elements = conversion.inventory.elements
    facets = [each for each in element_facets(conversion) if each.ids]
    options = [
        Choice("everything", "everything", str(len(elements))),
        *(Choice(each.id, each.label, str(len(each.ids))) for each in facets),
    ]
    facet = chosen(facets, session.dialogue.choose("Which elements?", options, enter="takes all") or "")
    _list(
        session, (each for each in elements if facet is None or each.element_id in facet.ids), "No matches."
    )


def search(session: LinearSession, words: str) -> None:
    """List the elements that contain a text."""
    wanted = (
        words
        or session.dialogue.name("Search for what? Type a part of the text, a tag, a file or a heading;")
    ).casefold()
    found = [
        element
        for element in session.wizard.conversion.inventory.elements
        if wanted in element_search_text(element)
    ]
    _list(session, found, f"No matches for {wanted}.")


def tell(session: LinearSession, words: str) -> None:
    """Show everything about one element, with its source lines."""
    element = session.element_named(words)
    if element is None:
        return
    conversion, say = session.wizard.conversion, session.dialogue.say
    say(_line(element))
    say(f"Tag {element.tag.value}: {TAG_MEANINGS[element.tag]}")
    say(f"Category {category_words(element.category)}: {CATEGORIES[element.category].meaning}")
    say(f"Place: {element.rationale or element.dialect_rule_id}")
    for each in element.decisions:
        say(f"Decision {decision_words(each.kind)}: {each.reason}")
    mapping = conversion.mapping.by_element.get(element.element_id)
    if mapping is not None and mapping.target_file:
        say(f"Goes to: {_destination(element, mapping)}")
    entry = conversion.plan.by_element.get(element.element_id)
    if entry is not None:
        say(f"Entry {entry.entry_id}: {DISPOSITIONS[entry.disposition].label}; decided in step 3.")
    seen = conversion.seen.get(element.element_id)
    if seen is not None:
        tokens = f" About {seen.tokens} tokens." if seen.tokens else ""
        say(f"{VISIBILITY_SENTENCES[seen.visibility]}{tokens}")
    for remark in element_remarks(element):
        say(remark)
    first, last = element.line_range
    session.dialogue.list(source_lines(session, element.source_file, first, last), empty="")


def _destination(element: Element, mapping: MappingEntry) -> str:
    row = mapping.dialect_row or element.mapping_row
    target = f"{mapping.final_target_file or mapping.target_file}:{mapping.target_symbol}"
    return f"{target}, {mapping.mellea_construct}{f', row {row}' if row else ''}"


def retag(session: LinearSession, words: str) -> None:
    """Ask for another tag, of those allowed in the category."""
    element = session.element_named(words)
    if element is None:
        return
    options = tag_choices(element)
    value = session.dialogue.choose(f"Which tag for {_line(element)}", options)
    if value is not None:
        key = session.wizard.conversion.keys[element.element_id]
        session.act(SetTag((key,), tag=Tag(value)), f"{element.element_id} is {value} now")


def recategorise(session: LinearSession, words: str) -> None:
    """Ask for another category, of those allowed for the tag."""
    element = session.element_named(words)
    if element is None:
        return
    options = category_choices(element)
    value = session.dialogue.choose(f"Which category for {_line(element)}", options)
    if value is not None:
        key = session.wizard.conversion.keys[element.element_id]
        session.act(SetTag((key,), category=Category(value)), f"{element.element_id} is in {value} now")


def change_decision(session: LinearSession, words: str) -> None:
    """Ask for a decision about an element."""
    element = session.element_named(words)
    if element is None:
        return
    value = session.dialogue.choose(f"Which decision about {_line(element)}", decision_choices(element))
    if value is not None:
        key = session.wizard.conversion.keys[element.element_id]
        answer = DECISION_ANSWERS[value]
        session.act(answer.command(key), f"{element.element_id} is {answer.words} now")


def restore(session: LinearSession, words: str) -> None:
    """Reset tag, category and decisions to what the program chose."""
    element = session.element_named(words)
    if element is not None:
        key = session.wizard.conversion.keys[element.element_id]
        session.act(SetTag((key,)), f"{element.element_id}: tag, category and decisions reset")


def release(session: LinearSession, words: str) -> None:
    """Ask which masked value of an element is not a secret, or should be masked again."""
    element = session.element_named(words)
    if element is None:
        return
    conversion = session.wizard.conversion
    source = conversion.snapshot.file(element.source_file)
    places = releasable(source, element)
    if source is None or not places:
        session.dialogue.say(NOTHING_TO_RELEASE)
        return
    released = conversion.released_secrets
    options = [
        Choice(
            place.digest,
            f"{'mask' if place.digest in released else 'release'} {place.variable}",
            f"{place.kind}, line {place.lines}: {masked_words(source, place)}",
        )
        for place in places
    ]
    value = session.dialogue.choose("Which is not a secret, or should be masked again?", options)
    for place in places:
        if place.digest == value:
            free = place.digest not in released
            done = "is not a secret; its value is kept" if free else "is masked again"
            session.act(ReleaseSecret(place.digest, place.name, free), f"{place.name} {done}")


# --- files ------------------------------------------------------------------------------------


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


def source_lines(session: LinearSession, path: str, first: int = 1, last: int = 0) -> list[str]:
    """Return lines of a source file with their numbers, secrets hidden; `last` 0 is the end of the file."""
    conversion = session.wizard.conversion
    source = conversion.snapshot.file(path)
    if source is None:
        return []
    return [
        f"line {number}: {line}" for number, line in enumerate(source.lines[first - 1 : last or None], first)
    ]


def list_files(session: LinearSession, words: str) -> None:
    """List the files of the source, or show the lines of one."""
    conversion = session.wizard.conversion
    if not words:
        session.dialogue.list(file_lines(conversion.inventory), empty="No files were read.")
        return
    path = session.path_named(words, [file.path for file in conversion.snapshot.files])
    if path is not None:
        session.dialogue.list(source_lines(session, path), empty="The file is empty.")


def show_emitted(session: LinearSession, words: str) -> None:
    """Show where an element is in the output, and those lines."""
    element = session.element_named(words)
    if element is None:
        return
    files = session.rendered().files
    lines: list[str] = []
    for path, each in lines_of_element(files, element.element_id):
        emitted = files.by_path[path].text.split("\n")
        lines.append(f"{path}, lines {each.first} to {each.last}:")
        lines.extend(f"  {number}: {emitted[number - 1]}" for number in range(each.first, each.last + 1))
    session.dialogue.list(lines, empty="No emitted line has text of this element.")


COMMANDS: Final = StepCommands(
    summary,
    (
        Action("filter.choose", list_elements),
        Action("search.start", search, "WORDS", does="List the elements that contain a text."),
        own(
            "t",
            "tell",
            tell,
            "Show one element (its number or FILE:LINE) with its source lines.",
            "ELEMENT",
        ),
        Action("inventory.retag", retag, "ELEMENT"),
        Action("inventory.recategorise", recategorise, "ELEMENT"),
        Action("inventory.decide", change_decision, "ELEMENT"),
        Action("inventory.release", release, "ELEMENT"),
        Action("inventory.emitted", show_emitted, "ELEMENT"),
        Action(
            "inventory.view",
            list_files,
            "FILE",
            word="files",
            does="List the files with their coverage, or show the lines of one.",
        ),
        Action("inventory.restore", restore, "ELEMENT", letter="-"),
    ),
)
"""The step, as the conversation shows it."""
