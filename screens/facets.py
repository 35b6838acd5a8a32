"""How facets are offered: as a list to choose from, with the number of rows that each lets through."""

from collections.abc import Sequence

from melleafy_tui.facets import Facet
from melleafy_tui.widgets.dialogs import Choice


def choices(facets: Sequence[Facet], total: int, current: str) -> list[Choice]:
    """Return the facets as a list to choose from, everything first, empty ones left out."""
    return [
        Choice("", "everything", f"{total}", current=not current),
        *(
            Choice(each.id, each.label, f"{len(each.ids)}", current=each.id == current)
            for each in facets
            if each.ids
        ),
    ]
