"""What the review says: the meaning of each card, the box of a row, and all about a row that is opened."""

from collections.abc import Iterator
from typing import Final

from melleafy_tui.actions.session import WizardSession
from melleafy_tui.actions.traceability import element_at, lines_of_element
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.pipeline.review_rows import CARD_TITLES, Card, ReviewRow
from melleafy_tui.core.tables import table_beside
from melleafy_tui.widgets.styled_text import Line, Tone
from melleafy_tui.widgets.syntax import coloured

_WORDS: Final = table_beside(__file__, "review_texts.toml")

CARD_MEANINGS: Final = {Card(name): meaning for name, meaning in _WORDS["cards"].items()}
"""What the ticks of a card mean."""

REVIEW_TERMS: Final = (
    *((CARD_TITLES[card], meaning) for card, meaning in CARD_MEANINGS.items()),
    *_WORDS["terms"].items(),
)

_AROUND: Final = 2
"""Lines of the source above and below a row."""

_PLACES: Final = 3
_EMITTED: Final = 6
"""The most emitted places of a row that are shown, and the most lines of each."""


def mark_of(row: ReviewRow) -> tuple[str, Tone]:
    """Return the box of a row, or a sign for one without a box, and its tone."""
    if not row.tickable:
        return ("  ? ", Tone.WARN) if row.answers and not row.settled else ("  · ", Tone.MUTED)
    return ("[x] ", Tone.KEY) if row.ticked else ("[ ] ", Tone.MUTED)


def opened_lines(session: WizardSession, row: ReviewRow) -> list[Line]:
    """Return all about a row: its words, the source around it, the reason, and the emitted lines."""
    return [
        ((row.text, Tone.STRONG),),
        *_source_lines(session, row),
        (("Why: ", Tone.MUTED), (row.why, Tone.TEXT)),
        (("In the package: ", Tone.MUTED), (row.result, Tone.TEXT)),
        *_emitted_lines(session, row),
    ]


def _source_lines(session: WizardSession, row: ReviewRow) -> Iterator[Line]:
    """Yield the lines of a row between its neighbours, with secrets masked."""
    source = session.conversion.snapshot.file(row.file)
    if source is None or source.text is None or not row.lines:
        return
    first, _, last = row.lines.partition("-")
    start, end = int(first), int(last or first)
    yield ((f"{row.file}:{row.lines}", Tone.INFO),)
    shown = range(max(1, start - _AROUND), min(len(source.lines), end + _AROUND) + 1)
    for number in shown:
        tone = Tone.TEXT if start <= number <= end else Tone.MUTED
        yield ((f"{number:>5} ", Tone.MUTED), (source.lines[number - 1], tone))


def _emitted_lines(session: WizardSession, row: ReviewRow) -> Iterator[Line]:
    """Yield the emitted lines that carry the elements of a row, code first."""
    rendered = session.rendered
    if rendered is None:
        return
    found = [
        place
        for element in _elements(session, row)
        for place in lines_of_element(rendered.files, element.element_id)
    ]
    for path, place in found[:_PLACES]:
        file = rendered.files.by_path[path]
        lines = file.text.split("\n")[place.first - 1 : place.last]
        yield ((f"{path}:{place.first}", Tone.INFO),)
        shown = lines[:_EMITTED]
        for number, line in enumerate(
            coloured(path, shown) or [((text, Tone.TEXT),) for text in shown], place.first
        ):
            yield ((f"{number:>5} ", Tone.MUTED), *line)
        if len(lines) > _EMITTED:
            yield ((f"      +{len(lines) - _EMITTED} lines", Tone.MUTED),)
    if len(found) > _PLACES:
        yield ((f"and {len(found) - _PLACES} more places; o goes there", Tone.MUTED),)


def _elements(session: WizardSession, row: ReviewRow) -> tuple[Element, ...]:
    entry = session.conversion.plan.by_id.get(row.entry_id)
    if entry is not None:
        return session.elements_of(entry)
    line = int(row.lines.partition("-")[0]) if row.lines else 0
    found = element_at(session.conversion.inventory.elements, row.file, line) if line else None
    return (found,) if found is not None else ()


def secret_values(session: WizardSession, row: ReviewRow) -> list[str]:
    """Return the values that a row about a possible secret masks, each once; for the eyes of their owner alone."""
    source = session.conversion.snapshot.file(row.file)
    variable = row.item.rpartition("#")[2]
    found = source.secrets if source is not None else ()
    return list(dict.fromkeys(each.value for each in found if each.variable == variable))
