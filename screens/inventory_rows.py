"""Rows of the inventory: elements by file and heading, by tag or by category, and the words about one element."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from msgspec import Struct

from melleafy_tui.attention import LOW_CONFIDENCE
from melleafy_tui.core.conversion import Conversion
from melleafy_tui.core.dispositions import cell
from melleafy_tui.core.models.context import SIGHT_WORDS, UNSEEN
from melleafy_tui.core.models.inventory import Element, InventoriedFile
from melleafy_tui.core.models.vocabulary import CATEGORY_TITLES, Category, Tag
from melleafy_tui.facets import element_search_text, retagged_ids
from melleafy_tui.screens.words import DISPOSITION_TONES
from melleafy_tui.widgets.rows import ListRow, Row
from melleafy_tui.widgets.tones import Line, Span, Tone, fit
from melleafy_tui.words import DISPOSITION_LABELS, element_remarks, element_title, is_secret

VIEWS: Final = ("file", "tag", "category")


class ElementRow(Struct, frozen=True):
    """An element as a row, which says its words when it is drawn or searched.

    Attributes:
        element: The element.
        depth: How far it stands in.
        changed: The user gave it another tag or category.
        with_file: Its place is shown, where there is room.
    """

    element: Element
    depth: int
    changed: bool
    with_file: bool

    group: ClassVar[bool] = False
    selectable: ClassVar[bool] = True

    @property
    def id(self) -> str:
        """Return the element's id."""
        return self.element.element_id

    @property
    def search(self) -> str:
        """Return the words by which it is found."""
        return element_search_text(self.element)

    def line(self, width: int) -> Line:
        """Return what is shown at a width."""
        element = self.element
        badge = f" {element.category.value:<2} {element.tag.value[:15]:<15}"
        if width < 44:
            badge = f" {element.category.value:<2}"
        where = f" {element.location}" if self.with_file and width >= 80 else ""
        room = max(6, width - len(badge) - len(where) - 2)
        mark: Span = ("✎ ", Tone.KEY) if self.changed else ("∙ ", Tone.MUTED)
        if element.template:
            mark = ("≡ ", Tone.MUTED)
        return (
            mark,
            (
                fit(element_title(element), room),
                Tone.MUTED if element.category is Category.NONE else Tone.TEXT,
            ),
            (where, Tone.INFO),
            (badge[:3], Tone.ACCENT),
            (badge[3:], Tone.KEY if self.changed else Tone.MUTED),
        )


def element_rows(conversion: Conversion, view: str) -> list[ListRow]:
    """Return every element as a row, grouped by the view, one of VIEWS."""
    if view == "file":
        return _by_file(conversion)
    elements = conversion.inventory.elements
    retagged = retagged_ids(conversion)
    groups: dict[str, list[Element]] = {}
    for element in elements:
        name = (
            element.tag.value
            if view == "tag"
            else f"{element.category.value} {CATEGORY_TITLES[element.category]}"
        )
        groups.setdefault(name, []).append(element)
    rows: list[ListRow] = []
    for name in sorted(groups):
        held = groups[name]
        rows.append(_group(f"group:{name}", name, f"{len(held)}", 0))
        rows.extend(ElementRow(element, 1, element.element_id in retagged, True) for element in held)
    return rows


def _by_file(conversion: Conversion) -> list[ListRow]:
    inventory = conversion.inventory
    coverage = {each.path: each for each in inventory.coverage}
    retagged = retagged_ids(conversion)
    counts = Counter(element.source_file for element in inventory.elements)
    rows: list[ListRow] = []
    file = ""
    open_sections: tuple[str, ...] = ()
    for element in inventory.elements:
        if element.source_file != file:
            file, open_sections = element.source_file, ()
            covered = coverage.get(file)
            share = f"{covered.covered / covered.lines:.0%} covered" if covered and covered.lines else ""
            rows.append(
                _group(f"file:{file}", file, f"{counts[file]} · {share}" if share else f"{counts[file]}", 0)
            )
        section = _section(element)
        if section != open_sections:
            rows += _opened_sections(element, section, open_sections)
            open_sections = section
        rows.append(ElementRow(element, len(section) + 1, element.element_id in retagged, False))
    others = [each for each in inventory.files if not counts[each.path]]
    if others:
        rows.append(_group("others", "Files without elements", str(len(others)), 0))
        rows.extend(_file_row(each) for each in others)
    return rows


def _opened_sections(element: Element, section: Sequence[str], above: Sequence[str]) -> Iterator[Row]:
    """Yield the heads of the headings that an element is the first to stand under."""
    common = 0
    for old, new in zip(above, section, strict=False):
        if old != new:
            break
        common += 1
    for level in range(common, len(section)):
        path = "/".join(section[: level + 1])
        yield _group(
            f"section:{element.source_file}:{path}:{element.element_id}", section[level], "", level + 1
        )


def _section(element: Element) -> tuple[str, ...]:
    """Return the headings that an element stands under; one that is a heading itself stands under its own."""
    is_heading = element.tag is Tag.NO_DECOMPOSE and element.content_full.lstrip().startswith("#")
    return (*element.section, element.content_summary) if is_heading else element.section


def _group(row_id: str, name: str, remark: str, depth: int) -> Row:
    def line(width: int) -> Line:
        tone = Tone.HEADING if depth == 0 else Tone.STRONG
        room = max(4, width - len(remark) - 1)
        return ((fit(name, room), tone), (f" {remark}", Tone.MUTED))

    return Row(row_id, line, depth=depth, group=True, search=name.casefold())


def _file_row(file: InventoriedFile) -> Row:
    note = file.note or file.role

    def line(width: int) -> Line:
        room = max(8, min(40, width // 2))
        return (
            (fit(file.path, room), Tone.TEXT),
            (f" {file.status:<8}", Tone.MUTED),
            (fit(note, max(0, width - room - 9)), Tone.MUTED),
        )

    return Row(f"listed:{file.path}", line, depth=1, search=f"{file.path} {note}".casefold())


def element_lines(conversion: Conversion, element: Element) -> list[Line]:
    """Return what there is to say about one element, for the detail pane."""
    mapping = conversion.mapping.by_element.get(element.element_id)
    entry = conversion.plan.by_element.get(element.element_id)
    lines: list[Line] = [
        (
            (f"{element.element_id} ", Tone.MUTED),
            (element.location, Tone.INFO),
            ("  ", Tone.TEXT),
            (element.tag.value, Tone.STRONG),
            (" · ", Tone.MUTED),
            (f"{element.category.value} {CATEGORY_TITLES[element.category]}", Tone.STRONG),
        ),
        (
            ("rule ", Tone.MUTED),
            (element.rationale or element.dialect_rule_id or "—", Tone.TEXT),
            (
                f"  {element.confidence:.0%} sure",
                Tone.WARN if element.confidence < LOW_CONFIDENCE else Tone.MUTED,
            ),
        ),
    ]
    if mapping is not None:
        lines.append(
            (
                ("goes to ", Tone.MUTED),
                (f"{mapping.final_target_file or mapping.target_file}:{mapping.target_symbol}", Tone.TEXT),
                (f"  {mapping.mellea_construct}", Tone.MUTED),
                (
                    f"  row {mapping.dialect_row or element.mapping_row}"
                    if mapping.dialect_row or element.mapping_row
                    else "",
                    Tone.MUTED,
                ),
            )
        )
    if entry is not None:
        lines.append(
            (
                (f"{entry.entry_id} ", Tone.MUTED),
                (DISPOSITION_LABELS[entry.disposition], DISPOSITION_TONES[entry.disposition]),
                (" (yours)" if entry.overridden else " (default)", Tone.MUTED),
                (f"  {cell(entry.kind, entry.disposition).effect}", Tone.TEXT),
            )
        )
    seen = conversion.seen.get(element.element_id)
    if seen is not None:
        lines.append(
            (
                ("seen ", Tone.MUTED),
                (SIGHT_WORDS[seen.sight], Tone.WARN if seen.sight in UNSEEN else Tone.TEXT),
                (f"  about {seen.tokens} tokens" if seen.tokens else "", Tone.MUTED),
            )
        )
    lines.extend((("• ", Tone.ACCENT), (text, Tone.TEXT)) for text in element_remarks(element))
    if not is_secret(element) and element.statement.strip() != element.content_summary.strip():
        lines.append((("says ", Tone.MUTED), (element.statement[:400].replace("\n", " "), Tone.TEXT)))
    return lines
