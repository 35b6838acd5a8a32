"""Emits fixtures/mock_tools.py: made-up answers in the place of what the plan mocks, for fixtures only."""

from typing import Final

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.package import EmittedFile
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.generators.constrained_slots import slot_head, slot_of
from melleafy_tui.generators.layout import statement, value
from melleafy_tui.generators.provenance import Page, locations
from melleafy_tui.generators.shape import TOOLS, Function, functions

SAMPLES: Final = {
    EntryKind.STATE: "Yesterday: two requests were answered. Today: nothing is open.",
    EntryKind.MEMORY: "A made-up memory: the last request of this kind was closed after one reply.",
    EntryKind.CREDENTIAL: "dummy-for-fixtures",
}
"""What the mock of each kind says."""

_SAMPLE_ANSWER: Final = '    return f"a made-up answer to: {request}"'
"""What the mock of a tool says."""


def mock_functions(committed: CommittedPlan) -> list[Function]:
    """Return the functions of mock_tools.py, in the order of their kinds."""
    mock = Disposition.MOCK
    return [
        *functions(committed, EntryKind.STATE, mock),
        *functions(committed, EntryKind.MEMORY, mock),
        *functions(committed, TOOLS, mock),
        *functions(committed, EntryKind.CREDENTIAL, mock),
    ]


def generate_mocks(committed: CommittedPlan) -> list[EmittedFile]:
    """Return fixtures/mock_tools.py, or nothing where nothing is mocked."""
    found = mock_functions(committed)
    if not found:
        return []
    page = Page(f"{committed.package_name}/fixtures/mock_tools.py")
    page.add('"""Made-up samples in the place of tools, memory, state and secrets. Not for real use."""')
    for function in found:
        page.blank(2)
        page.add(_mock_lines(function), function.elements)
    return [page.emitted()]


def _mock_lines(function: Function) -> list[str]:
    category = function.items[0].element.category
    lines = [
        *slot_head(function),
        '    """Return a made-up sample.',
        "",
        f"    Source: {locations(function.elements)} ({category}, {Disposition.MOCK}).",
        '    """',
    ]
    if function.kind in TOOLS:
        return [*lines, _SAMPLE_ANSWER]
    if slot_of(function).declared:
        lines.append(f"    del {slot_of(function).declared[0].partition(':')[0]}")
    return [*lines, *statement("return ", value(SAMPLES[function.kind]), indent=1)]
