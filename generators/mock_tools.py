"""Generates mock_tools.py: stand-ins for tools, which return samples."""

from typing import Final

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.generators.code_layout import statement, value
from melleafy_tui.generators.constrained_slots import slot_head, slot_of
from melleafy_tui.generators.package_shape import TOOLS, Function, functions
from melleafy_tui.generators.provenance import SourceWriter, locations

SAMPLES: Final = {
    EntryKind.STATE: "Yesterday: two requests were answered. Today: nothing is open.",
    EntryKind.MEMORY: "A made-up memory: the last request of this kind was closed after one reply.",
    EntryKind.CREDENTIAL: "dummy-for-fixtures",
}
"""The answer of the mock of each kind."""


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
    """Return fixtures/mock_tools.py, or nothing if nothing is mocked."""
    found = mock_functions(committed)
    if not found:
        return []
    writer = SourceWriter(f"{committed.package_name}/fixtures/mock_tools.py")
    writer.add('"""Made-up samples in the place of tools, memory, state and secrets. Not for real use."""')
    for function in found:
        writer.blank(2)
        writer.add(_mock_lines(function), function.elements)
    return [writer.emitted()]


def _mock_lines(function: Function) -> list[str]:
    category = function.items[0].element.category
    lines = [
        *slot_head(function),
        '    """Return a made-up sample.',
        "",
        f"    Source: {locations(function.elements)} ({category}, {Disposition.MOCK}).",
        '    """',
    ]
    names = [declared.partition(":")[0] for declared in slot_of(function).declared]
    if function.kind in TOOLS:
        given = ", ".join(f"{{{name}}}" for name in names)
        return [*lines, f'    return f"a made-up answer to: {given}"']
    if names:
        lines.append(f"    del {names[0]}")
    return [*lines, *statement("return ", value(SAMPLES[function.kind]), indent=1)]
