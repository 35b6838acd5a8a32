"""Step 2: every element of the source beside the lines it comes from, with retagging where it is allowed."""

from collections.abc import Iterable
from typing import ClassVar

from textual import on
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget

from melleafy_tui.core.decisions.commands import ReleaseSecret, SetTag
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import CATEGORY_TITLES, Category, Tag, allowed_together
from melleafy_tui.core.source.secrets.masking import masked_words
from melleafy_tui.facets import chosen, element_facets
from melleafy_tui.keymap import INVENTORY, bindings
from melleafy_tui.provenance import element_at
from melleafy_tui.screens.facets import choices
from melleafy_tui.screens.inventory_rows import VIEWS, element_lines, element_rows
from melleafy_tui.terms import STEP_TERMS
from melleafy_tui.widgets.dialogs import Choice, ChoiceDialog
from melleafy_tui.widgets.file_view import FileView
from melleafy_tui.widgets.frame import FRAME_STYLES, StepScreen
from melleafy_tui.widgets.line_list import LineList
from melleafy_tui.widgets.syntax import coloured
from melleafy_tui.widgets.toned import Pane
from melleafy_tui.widgets.tones import Line, Tone
from melleafy_tui.wizard_session import WizardSession
from melleafy_tui.wizard_steps import Step
from melleafy_tui.words import (
    NOTHING_TO_RELEASE,
    STAYS_MASKED,
    is_secret,
    releasable,
    shown_lines,
)


class InventoryScreen(StepScreen):
    """Tree, source and details in step with each other."""

    CSS_PATH: ClassVar[list[str]] = [FRAME_STYLES, "inventory.tcss"]  # type: ignore[assignment]
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(INVENTORY)]
    STEP = Step.INVENTORY
    HINT = (
        "Every line of the source belongs to one element; move on the left and the source follows.",
        "A reading is wrong? T gives it another tag, C another category. ⏎ goes to its decision.",
    )
    TERMS = STEP_TERMS[Step.INVENTORY]

    def __init__(self, session: WizardSession) -> None:
        super().__init__(session)
        self._view = VIEWS[0]
        self._facet = ""
        self._file = ""

    def compose_body(self) -> Iterable[Widget]:
        """Yield tree, source and details."""
        with Horizontal(id="panes"):
            found = self.session.conversion.inventory.elements
            tree = LineList(
                id="tree",
                classes="pane",
                empty="No element holds that. Esc shows everything again."
                if found
                else "No element: the workspace holds nothing that was read.",
            )
            yield tree
            with Vertical(id="side"):
                source = FileView(id="source", empty="This file was not read.")
                source.add_class("pane")
                yield source
                detail = Pane(id="detail", classes="pane")
                detail.border_title = "About this element"
                yield detail

    def on_mount(self) -> None:
        """Start in the tree."""
        super().on_mount()
        self.query_one("#tree").focus()

    def show_body(self) -> None:
        """Draw tree, source and details."""
        conversion = self.session.conversion
        tree = self.query_one("#tree", LineList)
        facet = chosen(element_facets(conversion), self._facet) if self._facet else None
        only = facet.ids if facet is not None else None
        if facet is None:
            self._facet = ""
        tree.show_rows(element_rows(conversion, self._view), only=only)
        tree.border_title = f"Elements by {self._view}"
        total = len(conversion.inventory.elements)
        tree.border_subtitle = (
            f"{len(facet.ids)} of {total} · {facet.label} · Esc" if facet is not None else ""
        )
        self._show_current()

    def reveal(self, target: str) -> None:
        """Go to an element by its id, or to `at:file:line`."""
        tree = self.query_one("#tree", LineList)
        if target.startswith("at:"):
            file, _, line = target.removeprefix("at:").rpartition(":")
            first = line.partition("-")[0]
            if not first.isdigit():
                file, first = target.removeprefix("at:"), "1"
            element = self._element_at(file, int(first))
            target = element.element_id if element is not None else f"file:{file}"
        if self._facet:
            self._facet = ""
            self.show_body()
        if not tree.go_to(target):
            tree.go_to(f"listed:{target.removeprefix('file:')}")
        tree.focus()

    # --- tree and source in step ---------------------------------------------------------------

    @property
    def current(self) -> Element | None:
        """Return the element under the cursor."""
        row = self.query_one("#tree", LineList).current
        return self.session.conversion.inventory.by_id.get(row.id) if row else None

    @on(LineList.Moved, "#tree")
    def follow_tree(self, event: LineList.Moved) -> None:
        """Show the source of the element."""
        event.stop()
        self._show_current()

    @on(LineList.Moved, "#source")
    def follow_source(self, event: LineList.Moved) -> None:
        """Go to the element of the line."""
        event.stop()
        source = self.query_one("#source", FileView)
        if not source.has_focus:
            return
        element = self._element_at(self._file, source.line_number)
        if element is not None and element is not self.current:
            self.query_one("#tree", LineList).go_to(element.element_id)

    @on(LineList.Opened)
    def open_row(self, event: LineList.Opened) -> None:
        """Go to the element's row in Decide."""
        event.stop()
        element = self.current
        if element is None:
            return
        if element.element_id not in self.session.conversion.plan.by_element:
            self.notify("This element has no entry in the plan: it has no category.", markup=False)
            return
        self.post_message(self.GoTo(Step.DECIDE, element.element_id))

    def _show_current(self) -> None:
        row = self.query_one("#tree", LineList).current
        source = self.query_one("#source", FileView)
        detail = self.query_one("#detail", Pane)
        element = self.current
        if element is not None:
            self._show_file(element.source_file)
            source.highlight(*element.line_range, reveal=not source.has_focus)
            detail.show_lines(element_lines(self.session.conversion, element))
            return
        if row is not None and row.id.startswith("file:"):
            self._show_file(row.id.removeprefix("file:"))
            source.highlight(0, -1, reveal=False)
        elif row is not None and row.id.startswith("section:"):
            head = self.session.conversion.inventory.by_id.get(row.id.rpartition(":")[2])
            if head is not None:
                self._show_file(head.source_file)
                source.highlight(*head.line_range)
        detail.show_lines([(("Move to an element to read about it.", Tone.MUTED),)])

    def _show_file(self, path: str) -> None:
        source = self.query_one("#source", FileView)
        file = self.session.conversion.snapshot.file(path)
        conversion = self.session.conversion
        elements, released = conversion.inventory.elements, conversion.released_secrets
        lines = shown_lines(file, elements, released) if file is not None else []
        self._file = path
        source.border_title = path
        source.show_lines(lines, colour=lambda texts: coloured(path, texts))

    def _element_at(self, path: str, line: int) -> Element | None:
        return element_at(self.session.conversion.inventory.elements, path, line)

    # --- keys ----------------------------------------------------------------------------------

    def searched(self) -> LineList | None:
        """Return the tree."""
        return self.query_one("#tree", LineList)

    def copied(self) -> str:
        """Return place and words of the element."""
        element = self.current
        if element is None:
            return self._file
        return element.location if is_secret(element) else f"{element.location}: {element.statement}"

    def action_clear_search(self) -> None:
        """Clear search and filter."""
        self._facet = ""
        super().action_clear_search()
        self.show_body()

    def action_next_view(self) -> None:
        """Group by the next thing."""
        self._view = VIEWS[(VIEWS.index(self._view) + 1) % len(VIEWS)]
        self.show_body()

    def action_filter(self) -> None:
        """Choose what to show."""
        conversion = self.session.conversion
        offered = choices(element_facets(conversion), len(conversion.inventory.elements), self._facet)

        def decide(value: str | None) -> None:
            if value is not None:
                self._facet = value
                self.show_body()

        self.app.push_screen(ChoiceDialog("Show only", offered), decide)

    def action_retag(self) -> None:
        """Choose another tag."""
        element = self.current
        if element is None:
            return
        options = [
            Choice(tag.value, tag.value, current=tag is element.tag)
            for tag in Tag
            if allowed_together(tag, element.category)
        ]
        key = self.session.conversion.keys[element.element_id]

        def decide(value: str | None) -> None:
            if value is not None and value != element.tag.value:
                self.post_message(
                    self.Act(SetTag((key,), tag=Tag(value)), f"{element.element_id} is {value} now")
                )

        self.app.push_screen(
            ChoiceDialog(f"Tag of {element.element_id}", options, lead=_lead(element)), decide
        )

    def action_recategorise(self) -> None:
        """Choose another category."""
        element = self.current
        if element is None:
            return
        options = [
            Choice(
                category.value,
                category.value,
                CATEGORY_TITLES[category],
                current=category is element.category,
            )
            for category in Category
            if allowed_together(element.tag, category)
        ]
        key = self.session.conversion.keys[element.element_id]

        def decide(value: str | None) -> None:
            if value is not None and value != element.category.value:
                command = SetTag((key,), category=Category(value))
                self.post_message(self.Act(command, f"{element.element_id} is in {value} now"))

        self.app.push_screen(
            ChoiceDialog(f"Category of {element.element_id}", options, lead=_lead(element)), decide
        )

    def action_release_secret(self) -> None:
        """Ask of each masked value of the element, one at a time, whether it is a secret at all."""
        element = self.current
        if element is None:
            return
        conversion = self.session.conversion
        source = conversion.snapshot.file(element.source_file)
        places = releasable(source, element)
        if source is None or not places:
            said = STAYS_MASKED if is_secret(element) else NOTHING_TO_RELEASE
            self.notify(said, markup=False)
            return
        released = conversion.released_secrets
        options = [
            Choice(
                place.digest,
                f"{'mask' if place.digest in released else 'release'} {place.variable}",
                f"{place.kind}, line {place.lines}: {masked_words(source, place)}",
                current=place.digest in released,
            )
            for place in places
        ]

        def decide(value: str | None) -> None:
            place = next((place for place in places if place.digest == value), None)
            if place is None:
                return
            free = place.digest not in released
            done = "is no secret and carried as it stands" if free else "is masked again"
            self.post_message(self.Act(ReleaseSecret(place.digest, place.name, free), f"{place.name} {done}"))

        lead: list[Line] = [
            (("Show and carry it as it stands, wherever it stands in the workspace?", Tone.TEXT),),
            (("● is released already; choosing it masks it again.", Tone.MUTED),),
        ]
        self.app.push_screen(ChoiceDialog("This is no secret?", options, lead=lead), decide)

    def action_show_emitted(self) -> None:
        """Go to the emitted lines that carry the element."""
        element = self.current
        if element is not None:
            self.post_message(self.GoTo(Step.PREVIEW, element.element_id))

    def action_restore(self) -> None:
        """Take the user's tag and category back."""
        element = self.current
        if element is None:
            return
        key = self.session.conversion.keys[element.element_id]
        self.post_message(self.Act(SetTag((key,)), f"{element.element_id} is as it was found"))


def _lead(element: Element) -> list[Line]:
    text = element.label if is_secret(element) else element.content_summary
    return [
        ((text, Tone.TEXT),),
        ((f"Only what may stand with {element.tag}/{element.category} is offered.", Tone.MUTED),),
    ]
