"""The panes that follow a row: its lines in the source, and the emitted lines that carry it."""

from collections.abc import Sequence
from typing import Final

from textual.timer import Timer

from melleafy_tui.actions.display_names import element_title
from melleafy_tui.actions.session import WizardSession
from melleafy_tui.actions.traceability import carried_lines, element_at, lines_of_element, provenance_at
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.widgets.file_view import FileView
from melleafy_tui.widgets.styled_text import as_title
from melleafy_tui.widgets.syntax import coloured

_REST: Final = 0.06
"""Seconds that the cursor rests before a pane follows it: longer than between two keys of a held one."""

GENERATED: Final = "Generated code, no source line."
NOT_READ: Final = "This file was not read."
NO_FILE: Final = "A single row shows its source here; this one has several, or none."
NOT_RENDERED: Final = "Rendering the package …"
NOTHING_EMITTED: Final = "No emitted line has text of this row."
NOT_IN_VIEW: Final = "No row in view has the line under the cursor; Esc shows all rows."


class FollowingView(FileView):
    """A file view that draws what it was asked for last, once the cursor rests.

    Args:
        session: The wizard's state; the pane only reads it.
        name: The pane's id.
        empty: What the pane says without lines.
    """

    def __init__(self, session: WizardSession, name: str, empty: str) -> None:
        super().__init__(id=name, empty=empty, classes="pane")
        self._session = session
        self._resting: Timer | None = None

    def draw_at_rest(self) -> None:
        """Draw once the cursor rests."""
        if self._resting is not None:
            self._resting.stop()
        self._resting = self.set_timer(_REST, self.draw_wanted)

    def draw_wanted(self) -> None:
        """Draw what was asked for last."""


class SourceView(FollowingView):
    """The source file of a row with its lines highlighted, secrets masked.

    Args:
        session: The wizard's state; the pane only reads it.
    """

    def __init__(self, session: WizardSession) -> None:
        super().__init__(session, "source", NO_FILE)
        self._wanted: Element | None = None
        self.path = ""
        """The file in view."""

    def show_file(self, path: str) -> None:
        """Show a file without highlighted lines."""
        file = self._session.conversion.snapshot.file(path)
        lines = list(file.lines) if file is not None else []
        self.path, self.empty = path, NOT_READ
        self.border_title = as_title(path)
        self.show_lines(lines, colour=lambda texts: coloured(path, texts))

    def show_element(self, element: Element) -> None:
        """Show the lines of an element; the view stays where it is while it has the focus."""
        self.show_file(element.source_file)
        self.highlight(*element.line_range, reveal=not self.has_focus)

    def follow(self, element: Element | None) -> None:
        """Show the lines of an element, or nothing, once the cursor rests."""
        self._wanted = element
        self.draw_at_rest()

    def points_elsewhere(self, elements: Sequence[Element]) -> bool:
        """Return whether the focus is on a line that isn't one of these elements' lines."""
        line = self.line_number
        if not self.has_focus or not line:
            return False
        spans = [each.line_range for each in elements if each.source_file == self.path]
        return (
            not any(first <= line <= last for first, last in spans)
            and element_at(self._session.conversion.inventory.elements, self.path, line) not in elements
        )

    def draw_wanted(self) -> None:
        """Show the lines of the element, or nothing."""
        if self._wanted is not None:
            self.show_element(self._wanted)
        else:
            self.path = self.border_title = ""
            self.empty = NO_FILE
            self.show_lines([])


class EmittedView(FollowingView):
    """The first emitted file that carries a row, with its lines highlighted.

    Args:
        session: The wizard's state; the pane only reads it.
    """

    def __init__(self, session: WizardSession) -> None:
        super().__init__(session, "emitted", NOT_RENDERED)
        self._elements: tuple[str, ...] = ()
        self._file: EmittedFile | None = None
        self.border_title = "Emitted"

    def show_elements(self, elements: Sequence[str]) -> None:
        """Show the emitted lines of elements once the cursor rests.

        Args:
            elements: The ids of the row's elements.
        """
        self._elements = tuple(elements)
        self.draw_at_rest()

    def points_elsewhere(self) -> bool:
        """Return whether the focus is on a line that carries text of other elements."""
        if not self.has_focus or self._file is None or self.line_number in self._region:
            return False
        carried = provenance_at(self._file, self.line_number)
        return carried is not None and carried.element_id not in self._elements

    def draw_wanted(self) -> None:
        """Show the first emitted file that carries the elements."""
        rendered = self._session.rendered
        self.border_title, self.border_subtitle = "Emitted", ""
        self.empty = NOTHING_EMITTED if rendered is not None else NOT_RENDERED
        self._file = None
        if rendered is None or not self._elements:
            self.show_lines([])
            return
        found = [place for name in self._elements for place in lines_of_element(rendered.files, name)]
        file = rendered.files.file(found[0][0]) if found else None
        if file is None:
            self.show_lines([])
            return
        self._file = file
        path, lines = found[0]
        self.border_title = as_title(path)
        if not self._session.rendered_is_current:
            self.border_subtitle = "rendering …"
        elif len(found) > 1:
            self.border_subtitle = f"1 of {len(found)} places"
        text = file.text.removesuffix("\n").split("\n")
        self.show_lines(text, colour=lambda texts: coloured(path, texts), marked=carried_lines(file))
        self.highlight(lines.first, lines.last, reveal=not self.has_focus)


class Origin(FileView):
    """The source of an emitted line; its title names the place."""

    def show_line(self, conversion: Conversion, file: EmittedFile, line: int) -> None:
        """Show the source of a line of an emitted file."""
        found = provenance_at(file, line)
        element = conversion.inventory.by_id.get(found.element_id) if found else None
        place = f"← {found.source_file}:{found.source_lines}" if found else GENERATED
        self.border_title = as_title(f"{place}  {element_title(element) if element else ''}".rstrip())
        path = found.source_file if found else ""
        source = conversion.snapshot.file(path) if found else None
        lines = list(source.lines) if source is not None else []
        self.show_lines(lines, colour=lambda texts: coloured(path, texts))
        first, _, last = found.source_lines.partition("-") if found else ("", "", "")
        if first.isdigit():
            self.highlight(int(first), int(last or first))
