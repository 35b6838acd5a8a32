"""Steps 1a and 1b: files and elements from the dialects that read the source, merged, numbered and checked.

The dialects cut; what holds for all of them is done here: ids, secrets, coverage, hints across elements, retags
(spec/conversion.md 3).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from melleafy_tui.core.across import hints_across
from melleafy_tui.core.decisions.state import Retag
from melleafy_tui.core.dialects.base import Reading, ReadingContext
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.errors import DecisionsRefused
from melleafy_tui.core.masking import mask_elements
from melleafy_tui.core.models.diagnostics import Diagnostic
from melleafy_tui.core.models.inventory import Element, FileCoverage, InventoriedFile, Inventory
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import Category, Tag, allowed_together
from melleafy_tui.core.workspace.markdown import is_blank

USUAL_TAGS: Final[dict[Category, Tag]] = {
    Category.C1: Tag.CONVERSE,
    Category.C2: Tag.DECIDE,
    Category.C3: Tag.CONFIG,
    Category.C4: Tag.QUERY,
    Category.C5: Tag.QUERY,
    Category.C6: Tag.TOOL_TEMPLATE,
    Category.C7: Tag.CONFIG,
    Category.C8: Tag.CONFIG,
    Category.C9: Tag.ORCHESTRATE,
}
"""The tag of an element for which the user chose a category alone that its own tag cannot stand beside."""


def take_inventory(
    snapshot: Snapshot,
    runtimes: tuple[str, ...],
    dialects: Dialects,
    *,
    as_of: date,
    openclaw_release: str,
) -> Inventory:
    """Return files, elements, coverage and diagnostics of the source.

    Args:
        snapshot: The workspace as it was read.
        runtimes: The runtimes whose dialects read it, the primary first.
        dialects: The dialects in use.
        as_of: The day that counts as today.
        openclaw_release: The release whose limits hold.

    Raises:
        UsageError: the release is not known.
    """
    context = ReadingContext(as_of, {"openclaw_release": openclaw_release})
    readings: list[tuple[str, Reading]] = []
    read_by: set[str] = set()
    for runtime in runtimes:
        dialect = dialects.get(runtime)
        if dialect.runtime not in read_by:
            read_by.add(dialect.runtime)
            readings.append((dialect.runtime, dialect.read(snapshot, context)))
    files, elements = _merged(readings)
    masked, about_secrets = mask_elements(elements, snapshot)
    numbered = tuple(
        replace(element, element_id=f"elem_{number:03}") for number, element in enumerate(masked, 1)
    )
    hinted, about_rules = hints_across(numbered)
    diagnostics: list[Diagnostic] = []
    for _, reading in readings:
        diagnostics += [found for found in reading.diagnostics if found not in diagnostics]
    return Inventory(
        files=files,
        elements=hinted,
        coverage=tuple(_coverage(files, hinted, snapshot)),
        diagnostics=(*diagnostics, *about_secrets, *about_rules),
    )


def apply_retags(inventory: Inventory, keys: Mapping[str, str], retags: Mapping[str, Retag]) -> Inventory:
    """Return the inventory with the user's retags.

    A retag to NO_DECOMPOSE takes the category away where none was chosen. A category alone brings its usual tag
    where the element's own cannot stand beside it.

    Args:
        inventory: What the rules gave.
        keys: Key of each element by `element_id`.
        retags: The user's retags by key.

    Raises:
        DecisionsRefused: tag and category never stand together.
    """
    if not retags:
        return inventory
    elements = tuple(
        _retagged(element, retags[key], key)
        if (key := keys.get(element.element_id, "")) in retags
        else element
        for element in inventory.elements
    )
    return Inventory(  # no model_copy: it would take along the index of the elements before the retags
        files=inventory.files,
        elements=elements,
        coverage=inventory.coverage,
        diagnostics=inventory.diagnostics,
    )


def _retagged(element: Element, retag: Retag, key: str) -> Element:
    tag, category = retag.tag or element.tag, retag.category or element.category
    if tag is Tag.NO_DECOMPOSE and retag.category is None:
        category = Category.NONE
    unsuited = element.tag is Tag.NO_DECOMPOSE or not allowed_together(tag, category)
    if retag.tag is None and category is not Category.NONE and unsuited:
        tag = USUAL_TAGS[category]
    if (
        element.category is Category.C7
        and element.facts.get("secret") is True
        and category is not Category.C7
    ):
        raise DecisionsRefused(
            f"{key!r} holds a secret and cannot be put under {category.value}",
            hint="Take the value out of the file first, or release it if it is no secret.",
            location=element.location,
        )
    if not allowed_together(tag, category):
        raise DecisionsRefused(
            f"{key!r} cannot be {tag.value} with category {category.value}",
            hint="Choose another tag or another category; the two never stand together.",
            location=element.location,
        )
    row = element.mapping_row if category is element.category else ""
    return replace(
        element,
        tag=tag,
        category=category,
        mapping_row=row,
        confidence=1.0,
        rationale="user",
        suggested_category=None if category is element.suggested_category else element.suggested_category,
    )


def _merged(
    readings: Sequence[tuple[str, Reading]],
) -> tuple[tuple[InventoriedFile, ...], tuple[Element, ...]]:
    """Return files and elements of all readings; a file that two dialects claim appears once, as the first cut it."""
    files: dict[str, InventoriedFile] = {}
    elements: list[Element] = []
    for number, (runtime, reading) in enumerate(readings):
        claimed = (
            set()
            if number == 0
            else {path for path, file in files.items() if file.status in ("read", "listed")}
        )
        rules = {
            file.path: file.dialect_rule_id for file in reading.files if file.status in ("read", "listed")
        }
        for file in reading.files:
            earlier = files.get(file.path)
            if earlier is None or (earlier.status == "absent" and file.status != "absent"):
                files[file.path] = replace(file, runtimes=file.runtimes or (runtime,))
            elif file.path in claimed and file.status in ("read", "listed"):
                both = tuple(dict.fromkeys((*earlier.runtimes, *(file.runtimes or (runtime,)))))
                rule_id = _joined(earlier.dialect_rule_id, file.dialect_rule_id)
                files[file.path] = replace(earlier, runtimes=both, dialect_rule_id=rule_id)
        shared = claimed & rules.keys()
        elements = [
            replace(element, dialect_rule_id=_joined(element.dialect_rule_id, rules[element.source_file]))
            if element.source_file in shared
            else element
            for element in elements
        ]
        elements += [element for element in reading.elements if element.source_file not in claimed]
    return tuple(files.values()), tuple(elements)


def _joined(first: str, second: str) -> str:
    return first if second in first.split("+") else f"{first}+{second}"


def _coverage(
    files: Iterable[InventoriedFile], elements: Iterable[Element], snapshot: Snapshot
) -> Iterator[FileCoverage]:
    held: dict[str, set[int]] = {}
    for element in elements:
        first, last = element.line_range
        held.setdefault(element.source_file, set()).update(range(first, last + 1))
    for listed in files:
        source = snapshot.file(listed.path)
        if listed.status != "read" or source is None:
            continue
        filled = [number for number, line in enumerate(source.lines, 1) if not is_blank(line)]
        open_lines = tuple(number for number in filled if number not in held.get(listed.path, set()))
        yield FileCoverage(listed.path, len(filled), len(filled) - len(open_lines), open_lines)
