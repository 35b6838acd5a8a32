"""Step 2, Inventory: every element of the source next to its lines, with other tags where allowed."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import ClassVar, Final

from textual import on
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget

from melleafy_tui.actions.choices import (
    Choice,
    category_choices,
    category_words,
    choice_command,
    decision_choices,
    decision_words,
    tag_choices,
)
from melleafy_tui.actions.display_names import element_remarks, element_title
from melleafy_tui.actions.filters import Facet, element_facets, element_search_text, retagged_ids
from melleafy_tui.actions.output_changes import alike
from melleafy_tui.actions.session import WizardSession
from melleafy_tui.actions.steps import Step
from melleafy_tui.actions.traceability import element_at
from melleafy_tui.core.decisions.commands import SetTag
from melleafy_tui.core.models.context import UNSEEN, VISIBILITY_SENTENCES
from melleafy_tui.core.models.inventory import Element, FileCoverage, InventoriedFile
from melleafy_tui.core.models.mapping import MappingEntry
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import CATEGORIES, DISPOSITIONS, TAG_MEANINGS, Category, Tag
from melleafy_tui.core.openclaw.prompt.visibility import Seen
from melleafy_tui.core.package.dispositions import cell
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.screens.filtered_step import FilteredStep
from melleafy_tui.screens.text_panes import NOT_IN_VIEW, EmittedView, SourceView
from melleafy_tui.screens.vocabulary_marks import DISPOSITION_TONES
from melleafy_tui.widgets.dialogs import ChoiceDialog
from melleafy_tui.widgets.footer import bindings
from melleafy_tui.widgets.frame import FRAME_STYLES, HIGH, VERY_WIDE, WIDE
from melleafy_tui.widgets.line_list import LineList
from melleafy_tui.widgets.rows import Row
from melleafy_tui.widgets.styled_text import Line, Span, Tone, fit
from melleafy_tui.widgets.styled_view import Pane

VIEWS: Final = ("file", "tag", "category")


def _element_row(element: Element, key: str, depth: int, *, changed: bool, with_file: bool) -> Row:
    def line(width: int) -> Line:
        badge = f" {element.category.value:<2} {element.tag.value[:15]:<15}"
        if width < 44:
            badge = f" {element.category.value:<2}"
        where = f" {element.location}" if with_file and width >= 80 else ""
        room = max(6, width - len(badge) - len(where) - 2)
        mark: Span = ("✎ ", Tone.KEY) if changed else ("∙ ", Tone.MUTED)
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
            (badge[3:], Tone.KEY if changed else Tone.MUTED),
        )

    # Not its `element_id`, which is a position that another element may have after a change.
    return Row(key, line, depth=depth, words=lambda: element_search_text(element))


def element_rows(conversion: Conversion, view: str) -> list[Row]:
    """Return every element as a row, grouped by the view, one of VIEWS."""
    if view == "file":
        return _by_file(conversion)
    elements, keys = conversion.inventory.elements, conversion.keys
    retagged = retagged_ids(conversion)
    groups: dict[str, list[Element]] = {}
    for element in elements:
        name = (
            element.tag.value
            if view == "tag"
            else f"{element.category.value} {CATEGORIES[element.category].title}"
        )
        groups.setdefault(name, []).append(element)
    rows: list[Row] = []
    for name in sorted(groups):
        held = groups[name]
        rows.append(_group(f"group:{name}", name, f"{len(held)}", 0))
        rows.extend(
            _element_row(
                element,
                keys[element.element_id],
                1,
                changed=element.element_id in retagged,
                with_file=True,
            )
            for element in held
        )
    return rows


def _covered_share(covered: FileCoverage | None) -> str:
    return f" · {covered.covered / covered.lines:.0%} covered" if covered and covered.lines else ""


def _by_file(conversion: Conversion) -> list[Row]:
    inventory = conversion.inventory
    coverage = {each.path: each for each in inventory.coverage}
    retagged = retagged_ids(conversion)
    counts = Counter(element.source_file for element in inventory.elements)
    rows: list[Row] = []
    file = ""
    open_sections: tuple[str, ...] = ()
    for element in inventory.elements:
        if element.source_file != file:
            file, open_sections = element.source_file, ()
            count = f"{counts[file]}{_covered_share(coverage.get(file))}"
            rows.append(_group(f"file:{file}", file, count, 0))
        section, key = _section(element), conversion.keys[element.element_id]
        if section != open_sections:
            rows += _opened_sections(key, section, open_sections)
            open_sections = section
        changed = element.element_id in retagged
        rows.append(_element_row(element, key, len(section) + 1, changed=changed, with_file=False))
    others = [each for each in inventory.files if not counts[each.path]]
    if others:
        rows.append(_group("others", "Files without elements", str(len(others)), 0))
        rows.extend(_file_row(each) for each in others)
    return rows


def _opened_sections(key: str, section: Sequence[str], above: Sequence[str]) -> Iterator[Row]:
    """Yield the headings that have the element with this key as their first one."""
    for level in range(alike(above, section), len(section)):
        yield _group(f"section:{level}:{key}", section[level], "", level + 1)


def _section(element: Element) -> tuple[str, ...]:
    """Return the headings above an element; a heading is included in its own."""
    is_heading = element.tag is Tag.NO_DECOMPOSE and element.content_full.lstrip().startswith("#")
    return (*element.section, element.content_summary) if is_heading else element.section


def _group(row_id: str, name: str, remark: str, depth: int) -> Row:
    def line(width: int) -> Line:
        tone = Tone.HEADING if depth == 0 else Tone.STRONG
        room = max(4, width - len(remark) - 1)
        return ((fit(name, room), tone), (f" {remark}", Tone.MUTED))

    return Row(row_id, line, depth=depth, group=True, words=name.casefold())


def _file_row(file: InventoriedFile) -> Row:
    note = file.note or file.role

    def line(width: int) -> Line:
        room = max(8, min(40, width // 2))
        return (
            (fit(file.path, room), Tone.TEXT),
            (f" {file.status:<8}", Tone.MUTED),
            (fit(note, max(0, width - room - 9)), Tone.MUTED),
        )

    return Row(f"listed:{file.path}", line, depth=1, words=f"{file.path} {note}".casefold())


def element_lines(conversion: Conversion, element: Element) -> list[Line]:
    """Return the details of one element, for the detail pane."""
    mapping = conversion.mapping.by_element.get(element.element_id)
    entry = conversion.plan.by_element.get(element.element_id)
    lines: list[Line] = [
        ((f"{element.tag.value}  ", Tone.STRONG), (TAG_MEANINGS[element.tag], Tone.TEXT)),
        (
            (f"{category_words(element.category)}  ", Tone.STRONG),
            (CATEGORIES[element.category].meaning, Tone.TEXT),
        ),
        ((f"{element.element_id} ", Tone.MUTED), (element.location, Tone.INFO)),
        (
            ("place ", Tone.MUTED),
            (element.rationale or element.dialect_rule_id or "—", Tone.TEXT),
        ),
    ]
    lines.extend(
        ((f"{decision_words(each.kind)}  ", Tone.STRONG), (each.reason, Tone.TEXT))
        for each in element.decisions
    )
    if mapping is not None:
        lines.append(_mapping_line(element, mapping))
    if entry is not None:
        lines.append(_entry_line(entry))
    seen = conversion.seen.get(element.element_id)
    if seen is not None:
        lines.append(_visibility_line(seen))
    lines.extend((("• ", Tone.ACCENT), (text, Tone.TEXT)) for text in element_remarks(element))
    if element.statement.strip() != element.content_summary.strip():
        lines.append((("says ", Tone.MUTED), (element.statement[:400].replace("\n", " "), Tone.TEXT)))
    return lines


def _mapping_line(element: Element, mapping: MappingEntry) -> Line:
    row = mapping.dialect_row or element.mapping_row
    return (
        ("goes to ", Tone.MUTED),
        (f"{mapping.final_target_file or mapping.target_file}:{mapping.target_symbol}", Tone.TEXT),
        (f"  {mapping.mellea_construct}", Tone.MUTED),
        (f"  row {row}" if row else "", Tone.MUTED),
    )


def _entry_line(entry: PlanEntry) -> Line:
    return (
        (f"{entry.entry_id} ", Tone.MUTED),
        (DISPOSITIONS[entry.disposition].label, DISPOSITION_TONES[entry.disposition]),
        (" (yours)" if entry.overridden else " (default)", Tone.MUTED),
        (f"  {cell(entry.kind, entry.disposition).effect}", Tone.TEXT),
    )


def _visibility_line(seen: Seen) -> Line:
    return (
        ("seen ", Tone.MUTED),
        (VISIBILITY_SENTENCES[seen.visibility], Tone.WARN if seen.visibility in UNSEEN else Tone.TEXT),
        (f"  about {seen.tokens} tokens" if seen.tokens else "", Tone.MUTED),
    )


_CHANGES: Final[dict[str, tuple[str, str, Callable[[Element], Sequence[Choice]]]]] = {
    "tag": ("Tag of {}", "Tags allowed in {category}", tag_choices),
    "category": ("Category of {}", "Categories allowed with {tag}", category_choices),
    "decision": ("Decision about {}", "What happens because of it", decision_choices),
}
"""What can be changed of an element: title, lead, and what is offered."""


class InventoryScreen(FilteredStep):
    """Tree, source and details, kept in step."""

    CSS_PATH: ClassVar[list[str]] = [FRAME_STYLES, "inventory.tcss"]  # type: ignore[assignment]
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(Step.INVENTORY)]
    STEP = Step.INVENTORY
    LIST = "tree"
    PANES = ("tree", "source", "emitted", "detail")
    SPLIT = ("tree", "side")

    def __init__(self, session: WizardSession) -> None:
        super().__init__(session)
        self._view = VIEWS[0]
        self._by_key: dict[str, Element] = {}

    def compose_body(self) -> Iterable[Widget]:
        """Yield tree, source and details."""
        with Horizontal(id="panes"):
            found = self.session.conversion.inventory.elements
            tree = LineList(
                id="tree",
                classes="pane",
                empty="No matches. Esc shows everything again."
                if found
                else "No elements: nothing in the workspace was read.",
            )
            yield tree
            with Vertical(id="side", classes="group"):
                with Horizontal(id="texts", classes="group"):
                    yield SourceView(self.session)
                    yield EmittedView(self.session)
                detail = Pane(id="detail", classes="pane")
                detail.border_title = "About this element"
                yield detail

    def show_body(self) -> None:
        """Draw tree, source and details."""
        conversion = self.session.conversion
        keys = conversion.keys
        self._by_key = {keys[element.element_id]: element for element in conversion.inventory.elements}
        self.rows.show_rows(element_rows(conversion, self._view), only=self.passing())
        self.rows.border_title = f"Elements by {self._view}"
        self._show_current()

    def facets(self) -> list[Facet]:
        """Return the filters for elements."""
        return element_facets(self.session.conversion)

    def keys_by_id(self) -> dict[str, str]:
        """Return the keys of the elements by their ids."""
        return dict(self.session.conversion.keys)

    def reveal(self, target: str) -> None:
        """Go to an element by its id, or to `at:file:line`."""
        if target.startswith("at:"):
            file, _, line = target.removeprefix("at:").rpartition(":")
            first = line.partition("-")[0]
            if not first.isdigit():
                file, first = target.removeprefix("at:"), "1"
            element = self._element_at(file, int(first))
            target = element.element_id if element is not None else f"file:{file}"
        key = self.session.conversion.keys.get(target, target)
        self.go_to_row(key, f"listed:{target.removeprefix('file:')}")

    # --- tree and source in step ---------------------------------------------------------------

    @property
    def current(self) -> Element | None:
        """Return the element under the cursor."""
        row = self.rows.current
        element = self._by_key.get(row.id) if row else None
        return None if self.points_elsewhere([element] if element is not None else []) else element

    @on(LineList.Moved, "#source")
    def follow_source(self) -> None:
        """Go to the element of the line."""
        source = self.query_one(SourceView)
        if not source.has_focus:
            return
        element = self._element_at(source.path, source.line_number)
        if element is not None and element is not self.current:
            keys = self.session.conversion.keys
            if not self.rows.go_to(keys[element.element_id]):
                self.query_one("#detail", Pane).show_lines([((NOT_IN_VIEW, Tone.MUTED),)])

    @on(LineList.Opened)
    def open_row(self) -> None:
        """Go to the element's row in Decide."""
        element = self.current
        if element is None:
            return
        if element.element_id not in self.session.conversion.plan.by_element:
            self.notify("This element has no entry in the plan: it has no category.", markup=False)
            return
        self.post_message(self.GoTo(Step.DECIDE, element.element_id))

    @on(LineList.Moved, "#tree")
    def _show_current(self) -> None:
        row = self.rows.current
        source, detail = self.query_one(SourceView), self.query_one("#detail", Pane)
        element = self.current
        self.query_one(EmittedView).show_elements([element.element_id] if element is not None else [])
        if element is not None:
            source.show_element(element)
            detail.show_lines(element_lines(self.session.conversion, element))
            return
        if row is not None and row.id.startswith("file:"):
            source.show_file(row.id.removeprefix("file:"))
            source.highlight(0, -1, reveal=False)
        elif row is not None and row.id.startswith("section:"):
            head = self._by_key.get(row.id.removeprefix("section:").partition(":")[2])
            if head is not None:
                source.show_element(head)
        detail.show_lines([(("Move to an element to read about it.", Tone.MUTED),)])

    def panes_in_view(self) -> tuple[str, ...]:
        """Return the panes that there is room for: all on very wide terminals, else one text beside the list."""
        if self.size.width >= VERY_WIDE:
            return self.PANES
        if self.size.width < WIDE and self.size.height < HIGH:
            return ("tree", self.beside)
        return ("tree", "emitted" if self.beside == "emitted" else "source", "detail")

    def idle_keys(self) -> set[str]:
        """Return the ids of keys that would do nothing on this row."""
        element, conversion = self.current, self.session.conversion
        idle = super().idle_keys()
        if element is None:
            return idle | {
                f"inventory.{name}" for name in ("retag", "recategorise", "use", "emitted", "restore")
            }
        if conversion.keys[element.element_id] not in conversion.decisions.retags:
            idle.add("inventory.restore")
        if element.element_id not in conversion.plan.by_element:
            idle.add("inventory.emitted")
        return idle

    def _element_at(self, path: str, line: int) -> Element | None:
        return element_at(self.session.conversion.inventory.elements, path, line)

    # --- keys ----------------------------------------------------------------------------------

    def copied(self) -> str:
        """Return place and text of the element."""
        element = self.current
        if element is None:
            return self.query_one(SourceView).path
        return f"{element.location}: {element.statement}"

    def action_next_view(self) -> None:
        """Switch to the next grouping."""
        self._view = VIEWS[(VIEWS.index(self._view) + 1) % len(VIEWS)]
        self.show_body()

    def action_change(self, what: str) -> None:
        """Choose another tag or category of the element, or take a decision about it."""
        element = self.current
        if element is None:
            return
        title, offered, choices = _CHANGES[what]
        key, name = self.session.conversion.keys[element.element_id], element.element_id
        options = choices(element)

        def decide(value: str) -> None:
            label = next(each.label for each in options if each.value == value)
            self.post_message(self.Act(choice_command(key, value), f"{name}: {label}"))

        offers = offered.format(category=element.category, tag=element.tag)
        lead: list[Line] = [((element.content_summary, Tone.TEXT),), ((offers, Tone.MUTED),)]
        ChoiceDialog(title.format(name), options, lead=lead).ask(self.app, decide)

    def action_show_emitted(self) -> None:
        """Go to the emitted lines with the element's text."""
        if (element := self.current) is not None:
            self.post_message(self.GoTo(Step.PREVIEW, element.element_id))

    def action_restore(self) -> None:
        """Reset tag, category and decisions to what the program chose."""
        if (element := self.current) is not None:
            command = SetTag((self.session.conversion.keys[element.element_id],))
            self.post_message(self.Act(command, f"{element.element_id}: tag, category and decisions reset"))
