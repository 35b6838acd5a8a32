"""A step with a list that a filter narrows, beside the source and the emitted lines of its row."""

from collections.abc import Sequence
from typing import ClassVar

from melleafy_tui.actions.choices import Choice
from melleafy_tui.actions.filters import Facet, chosen
from melleafy_tui.actions.session import WizardSession
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.screens.text_panes import EmittedView, SourceView
from melleafy_tui.widgets.dialogs import ChoiceDialog
from melleafy_tui.widgets.frame import StepScreen
from melleafy_tui.widgets.line_list import LineList
from melleafy_tui.widgets.styled_text import as_title


class FilteredStep(StepScreen):
    """The base of Inventory and Decide.

    Args:
        session: The wizard's state; the screen only reads it.
    """

    LIST: ClassVar[str]
    """The id of the list."""

    def __init__(self, session: WizardSession) -> None:
        super().__init__(session)
        self._filter: Facet | None = None
        self._held: set[str] = set()
        """Ids of the rows that were in view under this filter; changing one doesn't move another under the cursor."""

    def facets(self) -> list[Facet]:
        """Return the filters; the ids in them are those of elements or entries."""
        raise NotImplementedError

    def keys_by_id(self) -> dict[str, str]:
        """Return the ids of all rows by those of their elements or entries."""
        raise NotImplementedError

    @property
    def rows(self) -> LineList:
        """Return the list."""
        return self.query_one(f"#{self.LIST}", LineList)

    def on_mount(self) -> None:
        """Focus the list."""
        self.rows.focus()

    def set_filter(self, facet: Facet | None = None) -> None:
        """Set the filter, or clear it."""
        self._filter = facet
        self._held.clear()

    def passing(self) -> set[str] | None:
        """Return the ids of the rows that pass the filter or did, None without one; and say how many on the border."""
        keys = self.keys_by_id()
        pane = self.query_one(f"#{self.PANES[0]}")
        pane.border_subtitle = ""
        if self._filter is None:
            return None
        found = chosen(self.facets(), self._filter.id)
        self._held.update(keys[name] for name in (found.ids if found is not None else ()))
        only = self._held & set(keys.values())
        pane.border_subtitle = as_title(f"{len(only)} of {len(keys)} · {self._filter.label} · Esc shows all")
        return only

    def go_to_row(self, *wanted: str) -> None:
        """Go to the first of these rows that there is, without filter and search if they hide it."""
        if not any(map(self.rows.go_to, wanted)):
            self.set_filter()
            self.stop_search()
            self.show_body()
            any(map(self.rows.go_to, wanted))
        self.rows.focus()

    def points_elsewhere(self, elements: Sequence[Element]) -> bool:
        """Return whether the focus is on a line of a text that isn't one of these elements' lines."""
        source, emitted = self.query_one(SourceView), self.query_one(EmittedView)
        return source.points_elsewhere(elements) or emitted.points_elsewhere()

    def action_filter(self) -> None:
        """Choose a filter."""
        facets = self.facets()
        current = self._filter.id if self._filter is not None else ""
        offered = [Choice("", "everything", str(len(self.keys_by_id())), current=not current)]
        offered += [Choice(each.id, each.label, str(len(each.ids)), each.id == current) for each in facets]

        def decide(value: str) -> None:
            self.set_filter(chosen(facets, value))
            self.show_body()

        ChoiceDialog("Show only", offered).ask(self.app, decide)

    def action_clear_search(self) -> None:
        """Clear search and filter."""
        super().action_clear_search()
        self.set_filter()
        self.show_body()

    @property
    def is_narrowed(self) -> bool:
        """Return whether a search or a filter narrows the list."""
        return super().is_narrowed or self._filter is not None

    def show_found(self, needle: str) -> None:
        """Highlight what is searched for in the source and in the emitted lines."""
        self.query_one(SourceView).show_found(needle)
        self.query_one(EmittedView).show_found(needle)

    def searched(self) -> LineList | None:
        """Return the list."""
        return self.rows
