"""Steps 1a and 1b: collects files and elements from the dialects that read the source, and merges and checks them.

The dialects produce the elements. Ids, secrets, coverage, hints and retags are the same for all dialects and are
handled here.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.decisions.state import Retag, merged
from melleafy_tui.core.dialects.base import Reading, ReadingContext
from melleafy_tui.core.dialects.example_values import with_joined_tools
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.errors import DecisionsRefused
from melleafy_tui.core.language.wording import words_of
from melleafy_tui.core.models.classification import Classification
from melleafy_tui.core.models.facts import SecretFact, StepFact, ToolFact
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.inventory import (
    ASSISTED,
    USER,
    Element,
    FileCoverage,
    InventoriedFile,
    Inventory,
    element_number,
)
from melleafy_tui.core.models.mapping import UnsupportedConstruct
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import (
    CATEGORIES,
    Category,
    DecisionKind,
    ElementRole,
    Tag,
    allowed_together,
)
from melleafy_tui.core.package.sent_variables import with_script_variables
from melleafy_tui.core.package.source_tool_rules import with_asking, with_resolved_imports, with_tool_policy
from melleafy_tui.core.pipeline.element_decisions import with_chosen, with_decisions, with_leave, with_tag
from melleafy_tui.core.pipeline.hybrid import CLAIMING, merge_readings
from melleafy_tui.core.pipeline.long_files import with_rest_of_files
from melleafy_tui.core.pipeline.reply_decisions import decide_replies
from melleafy_tui.core.source.markdown import clear_document_cache, is_blank
from melleafy_tui.core.source.secrets.masking import about_secrets, credentials_in, with_held_back


def take_inventory(
    snapshot: Snapshot,
    runtimes: tuple[str, ...],
    dialects: Dialects,
    *,
    as_of: date,
    openclaw_release: str,
    keep_stock_text: bool = False,
) -> Inventory:
    """Return files, elements, coverage and diagnostics of the source.

    Args:
        snapshot: The workspace as it was read.
        runtimes: The runtimes whose dialects read it, the primary first.
        dialects: The dialects in use.
        as_of: The reference date, used as today.
        openclaw_release: The OpenClaw release whose limits apply.
        keep_stock_text: Whether stock text is read as if the owner had written it.

    Raises:
        UsageError: the release is unknown.
    """
    context = ReadingContext(as_of, {"openclaw_release": openclaw_release})
    readings = _readings(snapshot, runtimes, dialects, context)
    clear_document_cache()  # every dialect has read them
    offered = readings[0][1].procedure if readings else None
    procedure = offered if offered is not None and offered.steps else None
    if procedure is None:  # that of a contributor would take the leading dialect's rules away from it
        readings = [(runtime, _without_steps(reading)) for runtime, reading in readings]
    files, elements, claims = merge_readings(readings)
    own = with_decisions(with_joined_tools(elements))
    read_by_others = with_decisions(with_joined_tools([claim.reading for claim in claims]))
    of_secrets = (row for row in dialects.rows_of(runtimes).values() if row.role is ElementRole.CREDENTIAL)
    own = (*own, *credentials_in(snapshot, own, next((row.row_id for row in of_secrets), "")))
    numbered = tuple(
        replace(element, element_id=element_number(number)) for number, element in enumerate(own, 1)
    )
    called = with_held_back(with_script_variables(numbered, snapshot), snapshot)
    hinted = hints_across(with_asking(with_tool_policy(with_resolved_imports(called, snapshot))))
    is_template = None if keep_stock_text else dialects.stock_text_of(runtimes)
    decided, parts, excluding = decide_replies(hinted, is_template)
    named = (
        with_leave(replace(part, element_id=element_number(number)))
        for number, part in enumerate(parts, len(hinted) + 1)
    )
    complete = with_asking((*map(with_tag, decided), *named))
    return Inventory(
        files=files,
        elements=complete,
        coverage=tuple(_coverage(files, hinted, snapshot)),
        diagnostics=(
            *dict.fromkeys(found for _, reading in readings for found in reading.diagnostics),
            *about_secrets(snapshot),
            *excluding,
        ),
        claims=tuple(
            replace(claim, reading=reading)
            for claim, reading in zip(claims, with_tool_policy(read_by_others, numbered), strict=True)
        ),
        unsupported=tuple(_unsupported(readings, files)),
        procedure=procedure,
        digests={file.path: file.sha256 for file in snapshot.files},
    )


def _without_steps(reading: Reading) -> Reading:
    if reading.procedure is None:
        return reading
    elements = tuple(
        replace(element, facts=element.facts.adding(StepFact())) if StepFact in element.facts else element
        for element in reading.elements
    )
    return replace(reading, elements=elements, procedure=None)


def _unsupported(
    readings: Iterable[tuple[str, Reading]], files: Iterable[InventoriedFile]
) -> Iterator[UnsupportedConstruct]:
    """Yield the unsupported constructs that the dialects found in files no other dialect claims."""
    claimed_by = {file.path: file.runtimes for file in files}
    for runtime, reading in readings:
        for construct in reading.unsupported:
            if all(claimed_by.get(path, (runtime,)) == (runtime,) for path in construct.places):
                yield construct


def _readings(
    snapshot: Snapshot, runtimes: Iterable[str], dialects: Dialects, context: ReadingContext
) -> list[tuple[str, Reading]]:
    """Return the reading of each dialect, in the order of the runtimes.

    The generic dialect only guesses, so it reads only files that no other dialect claims.
    """
    wanted = tuple(dict.fromkeys(runtimes))
    found: dict[str, Reading] = {}
    for runtime in sorted(wanted, key=dialects.has, reverse=True):
        listed = (file for reading in found.values() for file in reading.files)
        claimed = {file.path for file in listed if file.status in CLAIMING and not dialects.has(runtime)}
        others = tuple(file for file in snapshot.files if file.path not in claimed)
        left = replace(snapshot, files=others) if claimed else snapshot
        found[runtime] = with_rest_of_files(dialects.get(runtime).read(left, context), left)
    return [(runtime, found[runtime]) for runtime in wanted]


def apply_retags(inventory: Inventory, keys: Mapping[str, str], retags: Mapping[str, Retag]) -> Inventory:
    """Return the inventory with the user's retags.

    A retag to NO_DECOMPOSE without a category removes the category. A category without a tag sets its usual tag if the
    element's tag isn't allowed in it.

    Args:
        inventory: The inventory before retags.
        keys: Key of each element by `element_id`.
        retags: The user's retags by key.

    Raises:
        DecisionsRefused: the tag isn't allowed in the category.
    """
    if not retags:
        return inventory
    keyed = ((keys.get(element.element_id, ""), element) for element in inventory.elements)
    elements = (_retagged(element, retags[key], key) if key in retags else element for key, element in keyed)
    return replace(inventory, elements=tuple(elements))


def _retagged(element: Element, retag: Retag, key: str) -> Element:
    tag, category = _tag_and_category(element, retag)
    for message, hint in retag_objections(element, retag, key):
        raise DecisionsRefused(message, hint=hint, location=element.location)
    chosen_by = f"{ASSISTED}{retag.assisted_by}" if retag.assisted_by else USER
    if retag.tag is not None or retag.category is not None:
        row = element.mapping_row if category is element.category else ""
        element = replace(element, tag=tag, category=category, mapping_row=row, rationale=chosen_by)
    if retag.assisted_by:  # without a person an answer of a model may only tighten
        travels = None if retag.travels else retag.travels
        retag = replace(retag, left_out=None, travels=travels, wording="")
    by_tag = {
        Tag.VALIDATE_OUTPUT: Retag(judged=True),
        Tag.DECIDE: Retag(judged=False),
        Tag.NO_DECOMPOSE: Retag(left_out=True),
    }
    said = by_tag.get(retag.tag, Retag()) if retag.tag is not None else Retag()
    return with_chosen(element, merged(said, retag), chosen_by)


def _tag_and_category(element: Element, retag: Retag) -> tuple[Tag, Category]:
    """Return the tag and category after a retag; the one that the user didn't choose follows the other."""
    tag, category = retag.tag or element.tag, retag.category or element.category
    if tag is Tag.NO_DECOMPOSE and retag.category is None:
        category = Category.NONE
    unsuited = element.tag is Tag.NO_DECOMPOSE or not allowed_together(tag, category)
    if retag.tag is None and category is not Category.NONE and unsuited:
        tag = CATEGORIES[category].usual_tag
    return tag, category


def retag_objections(element: Element, retag: Retag, key: str) -> Iterator[tuple[str, str]]:
    """Yield why an element can't be decided on like that, each with what to do instead.

    Args:
        element: The element.
        retag: What is decided on it.
        key: Its key.
    """
    tag, category = _tag_and_category(element, retag)
    if element.category is Category.C7 and element.facts[SecretFact].secret and category is not Category.C7:
        hint = "Take the value out of the file first, or release it in the inventory if it is not a secret."
        yield f"{key!r} holds a secret and cannot be put under {category.value}", hint
    if not allowed_together(tag, category):
        hint = "Choose another tag or another category; the two are never allowed together."
        yield f"{key!r} cannot be {tag.value} with category {category.value}", hint
    if retag.travels is not None and element.decided(DecisionKind.OVERRIDABLE) is None:
        said = f"{key!r} is no fact that the caller can give, so whether it travels can't be decided"
        yield said, "Leave the line out instead."
    if retag.asks and not element.facts[ToolFact].subtype:
        yield f"{key!r} is no tool, so it can't ask first", "Name the tool that the rule is about."
    if retag.parameters and not (element.facts[ToolFact].script or element.facts[ToolFact].program):
        yield f"{key!r} runs no script and no program, so it has no parameters to change", "Name such a tool."


SHORTEST_RULE: Final = 3
"""Words; shorter rules are often similar by chance."""

LONGEST_RULE: Final = 60
_EMPTY_WORDS: Final = frozenset(
    """
    a an the to of and or please always never must should not do don t dont you your it is are be will shall rule ever
    """.split()  # noqa: SIM905 - a word list is easier to read in one piece
)


def hints_across(elements: Sequence[Element]) -> tuple[Element, ...]:
    """Return the elements with hints: near-identical rules of one scope, and constants of one name."""
    groups: dict[tuple[str, ...], list[Element]] = {}
    for element in elements:
        if core := _core_words(element):
            groups.setdefault(("near-identical", element.scope, *core), []).append(element)
    for element in elements:
        if element.tag is Tag.CONFIG and element.label and element.category is not Category.NONE:
            said = f"same name “{element.label}”"
            groups.setdefault((said, element.category.value), []).append(element)
    hints: dict[str, list[str]] = {}
    for (said, *_), group in groups.items():
        for element in group if len(group) > 1 else ():
            others = ", ".join(other.element_id for other in group if other is not element)
            hints.setdefault(element.element_id, [element.aggregation_hint]).append(f"{said}: {others}")
    return tuple(
        replace(element, aggregation_hint="; ".join(filter(None, hints[element.element_id])))
        if element.element_id in hints
        else element
        for element in elements
    )


def _core_words(element: Element) -> tuple[str, ...]:
    """Return the sorted words that make a rule, none of one that is too short or too long to be compared."""
    if element.category is not Category.C2 or element.kind in ("file", "section", "json"):
        return ()
    words = words_of(element.statement)
    core = tuple(sorted(set(words) - _EMPTY_WORDS))
    is_comparable = SHORTEST_RULE <= len(words) <= LONGEST_RULE and len(core) >= SHORTEST_RULE - 1
    return core if is_comparable else ()


def _coverage(
    files: Iterable[InventoriedFile], elements: Iterable[Element], snapshot: Snapshot
) -> Iterator[FileCoverage]:
    held: dict[str, list[tuple[int, int]]] = {}
    for element in elements:
        held.setdefault(element.source_file, []).append(element.line_range)
    for listed in files:
        source = snapshot.file(listed.path)
        if listed.status == "read" and source is not None:
            filled = [number for number, line in enumerate(source.lines, 1) if not is_blank(line)]
            ranges = set(held.get(listed.path, ()))  # many elements of a JSON file have all of its lines
            covered = {number for first, last in ranges for number in range(first, last + 1)}
            left = tuple(number for number in filled if number not in covered)
            yield FileCoverage(listed.path, len(filled), len(filled) - len(left), left)


def unread_files(
    classification: Classification, inventory: Inventory, snapshot: Snapshot
) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each unread text file that is a signal for a runtime not used for this source.

    Args:
        classification: Its scores name the files.
        inventory: Its files are those that a dialect read.
        snapshot: The workspace as it was read.
    """
    reading = classification.dialect_runtimes
    taken = {file.path for file in inventory.files}
    for score in classification.scores:
        for signal in score.evidence if score.runtime not in reading else ():
            file = snapshot.file(signal.file) if not signal.ambient and signal.file not in taken else None
            if file is not None and (file.text or "").strip():
                taken.add(file.path)
                both = ",".join((*reading, score.runtime))
                yield diagnose("not-of-this-runtime", file.path, runtime=score.runtime, runtimes=both)
