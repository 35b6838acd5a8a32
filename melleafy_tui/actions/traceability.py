"""Traces both ways: a source line's or entry's elements, their emitted lines, and an emitted line's source."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence

from melleafy_tui.core.models.file_set import EmittedFile, FileSet, LineProvenance
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.plan import PlanEntry


def element_at(elements: Sequence[Element], path: str, line: int) -> Element | None:
    """Return the element of a source line: the last one that begins at or before it.

    Args:
        elements: The inventory's elements.
        path: The source file.
        line: Its line, counted from 1.
    """
    owners = [element for element in elements if element.source_file == path]
    starts = [element.line_range[0] for element in owners]
    if starts == sorted(starts):
        place = bisect_right(starts, line) - 1
        return owners[place] if place >= 0 else None
    held = [element for element in owners if element.line_range[0] <= line <= element.line_range[1]]
    return held[-1] if held else None


def elements_of(entry: PlanEntry, by_id: Mapping[str, Element]) -> tuple[Element, ...]:
    """Return the source elements of an entry, from a mapping of elements by id."""
    return tuple([by_id[name] for name in entry.source_elements if name in by_id])


def provenance_at(file: EmittedFile, line: int) -> LineProvenance | None:
    """Return the provenance that fits a line most closely: the one that spans the fewest lines."""
    found = [each for each in file.provenance if each.first <= line <= each.last]
    return min(found, key=lambda each: (each.last - each.first, each.first), default=None)


def carried_lines(file: EmittedFile) -> frozenset[int]:
    """Return every line with text from the source."""
    return frozenset(number for each in file.provenance for number in range(each.first, each.last + 1))


def lines_of_element(files: FileSet, element_id: str) -> Sequence[tuple[str, LineProvenance]]:
    """Return where an element's text is in the output: code first, its fixtures next, reports last."""
    return places_by_element(files).get(element_id, ())


def places_by_element(files: FileSet) -> dict[str, list[tuple[str, LineProvenance]]]:
    """Return what `lines_of_element` returns for each element, by `element_id`."""
    places: dict[str, list[tuple[str, LineProvenance]]] = {}
    for path in sorted(files.by_path, key=_rank):
        for each in files.by_path[path].provenance:
            places.setdefault(each.element_id, []).append((path, each))
    return places


def _rank(path: str) -> tuple[bool, bool, bool, str]:
    return not path.endswith(".py"), "/intermediate/" in path, "/fixtures/" in path, path


def emitted_path(files: FileSet, named: str) -> str:
    """Return the path in the file set of a file named by a lint, which may omit the package's folder."""
    inside = f"{files.package_name}/{named}"
    return inside if inside in files.by_path and named not in files.by_path else named
