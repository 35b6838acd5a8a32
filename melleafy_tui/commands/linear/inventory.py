"""Step 2 in plain lines: every element with its place, found by words, and retagged within what is allowed."""

from collections import Counter
from collections.abc import Iterable

from melleafy_tui.commands.linear.answers import Answer, LinearStep
from melleafy_tui.commands.linear.dialogue import Option
from melleafy_tui.commands.linear.source_files import file_lines, say_emitted, say_files, source_lines
from melleafy_tui.commands.linear.talk import Talk
from melleafy_tui.core.decisions.commands import ReleaseSecret, SetTag
from melleafy_tui.core.models.context import SIGHT_WORDS
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import CATEGORY_TITLES, Category, Tag, allowed_together
from melleafy_tui.core.source.secrets.masking import masked_words
from melleafy_tui.facets import chosen, element_facets, element_search_text
from melleafy_tui.wizard_steps import Step
from melleafy_tui.words import (
    DISPOSITION_LABELS,
    NOTHING_TO_RELEASE,
    STAYS_MASKED,
    element_remarks,
    element_title,
    is_secret,
    releasable,
)


def summary(talk: Talk) -> None:
    """Say how many elements there are, by file and by category."""
    inventory = talk.session.conversion.inventory
    counts = Counter(element.source_file for element in inventory.elements)
    talk.dialogue.say(f"{len(inventory.elements)} elements in {len(counts)} files.")
    lines = file_lines(inventory)
    for line in lines[: min(_FILES, len(counts))]:
        talk.dialogue.say(f"  {line}")
    if len(lines) > min(_FILES, len(counts)):
        talk.dialogue.say(f"  f lists all {len(lines)} files, also those without elements.")
    by_category = Counter(element.category for element in inventory.elements)
    said = ", ".join(
        f"{category.value} {CATEGORY_TITLES[category]} {by_category[category]}" for category in by_category
    )
    talk.dialogue.say(f"By category: {said}")


_FILES = 12


def _line(element: Element) -> str:
    return (
        f"{element.element_id}, {element.location}, {element.tag.value}, {element.category.value}: "
        f"{element_title(element)}"
    )


def _say(talk: Talk, elements: Iterable[Element], empty: str) -> None:
    talk.dialogue.list([_line(element) for element in elements], empty=empty)


def list_elements(talk: Talk, _: str) -> None:
    """List the elements that a filter lets through."""
    conversion = talk.session.conversion
    elements = conversion.inventory.elements
    facets = [each for each in element_facets(conversion) if each.ids]
    options = [
        Option("everything", "everything", str(len(elements))),
        *(Option(each.id, each.label, str(len(each.ids))) for each in facets),
    ]
    facet = chosen(facets, talk.dialogue.choose("Which elements?", options, enter="takes all") or "")
    _say(talk, (each for each in elements if facet is None or each.element_id in facet.ids), "There is none.")


def search(talk: Talk, words: str) -> None:
    """List the elements that hold a text."""
    wanted = (
        words or talk.dialogue.name("Which words? Type a part of the text, a tag, a file or a heading;")
    ).casefold()
    found = [
        element
        for element in talk.session.conversion.inventory.elements
        if wanted in element_search_text(element)
    ]
    _say(talk, found, f"No element holds {wanted}.")


def tell(talk: Talk, words: str) -> None:
    """Say everything about one element, with its source lines."""
    element = talk.element_named(words)
    if element is None:
        return
    conversion, say = talk.session.conversion, talk.dialogue.say
    say(_line(element))
    say(f"Tagged by: {element.rationale or element.dialect_rule_id}, {element.confidence:.0%} sure")
    mapping = conversion.mapping.by_element.get(element.element_id)
    if mapping is not None and mapping.target_file:
        row = mapping.dialect_row or element.mapping_row
        target = f"{mapping.final_target_file or mapping.target_file}:{mapping.target_symbol}"
        say(f"Goes to: {target}, {mapping.mellea_construct}{f', row {row}' if row else ''}")
    entry = conversion.plan.by_element.get(element.element_id)
    if entry is not None:
        say(f"Entry {entry.entry_id}: {DISPOSITION_LABELS[entry.disposition]}; step 3 decides it.")
    seen = conversion.seen.get(element.element_id)
    if seen is not None:
        say(f"{SIGHT_WORDS[seen.sight]}{f' About {seen.tokens} tokens.' if seen.tokens else ''}")
    for remark in element_remarks(element):
        say(remark)
    first, last = element.line_range
    talk.dialogue.list(source_lines(talk, element.source_file, first, last), empty="")


def retag(talk: Talk, words: str) -> None:
    """Ask for another tag, of those that may stand with the category."""
    element = talk.element_named(words)
    if element is None:
        return
    options = [
        Option(tag.value, tag.value, current=tag is element.tag)
        for tag in Tag
        if allowed_together(tag, element.category)
    ]
    value = talk.dialogue.choose(f"Which tag for {_line(element)}", options)
    if value is not None:
        key = talk.session.conversion.keys[element.element_id]
        talk.act(SetTag((key,), tag=Tag(value)), f"{element.element_id} is {value} now")


def recategorise(talk: Talk, words: str) -> None:
    """Ask for another category, of those that may stand with the tag."""
    element = talk.element_named(words)
    if element is None:
        return
    options = [
        Option(
            category.value, category.value, CATEGORY_TITLES[category], current=category is element.category
        )
        for category in Category
        if allowed_together(element.tag, category)
    ]
    value = talk.dialogue.choose(f"Which category for {_line(element)}", options)
    if value is not None:
        key = talk.session.conversion.keys[element.element_id]
        talk.act(SetTag((key,), category=Category(value)), f"{element.element_id} is in {value} now")


def restore(talk: Talk, words: str) -> None:
    """Take tag and category back to what the rules gave."""
    element = talk.element_named(words)
    if element is not None:
        key = talk.session.conversion.keys[element.element_id]
        talk.act(SetTag((key,)), f"{element.element_id} is as it was found")


def release(talk: Talk, words: str) -> None:
    """Ask of each masked value of an element, one at a time, whether it is a secret at all."""
    element = talk.element_named(words)
    if element is None:
        return
    conversion = talk.session.conversion
    source = conversion.snapshot.file(element.source_file)
    places = releasable(source, element)
    if source is None or not places:
        talk.dialogue.say(STAYS_MASKED if is_secret(element) else NOTHING_TO_RELEASE)
        return
    released = conversion.released_secrets
    options = [
        Option(
            place.digest,
            f"{'mask' if place.digest in released else 'release'} {place.variable}",
            f"{place.kind}, line {place.lines}: {masked_words(source, place)}",
        )
        for place in places
    ]
    value = talk.dialogue.choose("Which is no secret, or is to be masked again?", options)
    for place in places:
        if place.digest == value:
            free = place.digest not in released
            done = "is no secret and carried as it stands" if free else "is masked again"
            talk.act(ReleaseSecret(place.digest, place.name, free), f"{place.name} {done}")


INVENTORY = LinearStep(
    Step.INVENTORY,
    summary,
    (
        Answer("l", "list", "List the elements, all or by file, tag or category.", list_elements),
        Answer("s", "search", "List the elements that hold a text.", search, "WORDS"),
        Answer(
            "t",
            "tell",
            "Say everything about one element, named by its number or by FILE:LINE, with its source lines.",
            tell,
            "ELEMENT",
        ),
        Answer("r", "retag", "Give an element another tag; only allowed ones are offered.", retag, "ELEMENT"),
        Answer(
            "c",
            "category",
            "Give an element another category; only allowed ones are offered.",
            recategorise,
            "ELEMENT",
        ),
        Answer(
            "x",
            "release",
            "Say that a masked value is no secret, one at a time, or mask it again.",
            release,
            "ELEMENT",
        ),
        Answer("e", "emitted", "Say the emitted lines that carry an element.", say_emitted, "ELEMENT"),
        Answer(
            "f", "files", "List the files with their coverage, or say the lines of one.", say_files, "FILE"
        ),
        Answer("o", "original", "Take tag and category back to what the rules gave.", restore, "ELEMENT"),
    ),
)
