"""Nothing of the source is lost: every line in an element, every element mapped, every category planned."""

from collections.abc import Iterator

from melleafy_tui.core.lint.artifacts import JsonObject, rows_of, text_of
from melleafy_tui.core.lint.module import Problem
from melleafy_tui.core.lint.view import PackageView
from melleafy_tui.core.models.vocabulary import Category

REPORT = "intermediate/coverage_report.json"
INVENTORY = "intermediate/inventory.json"
MAPPING = "intermediate/element_mapping.json"
PLAN = "intermediate/dependency_plan.json"
_COVERAGE_HINT = "Convert again; if it stays, report it with the source file."


def check_coverage(view: PackageView) -> Iterator[Problem]:
    """Yield what was lost on the way."""
    for row in view.rows(REPORT, "files"):
        lines = row.get("uncovered_lines")
        if isinstance(lines, list) and lines:
            shown = ", ".join(map(str, lines[:5])) + (", …" if len(lines) > 5 else "")
            yield view.problem(REPORT, f"{text_of(row, 'path')}: no element has line {shown}", _COVERAGE_HINT)
    elements, mapped = view.fact(INVENTORY, _elements), view.fact(MAPPING, _mapped)
    planned: set[str] = set()
    for entry in view.rows(PLAN, "entries"):
        sources = entry.get("source_elements")
        planned.update(map(str, sources) if isinstance(sources, list) else ())
    if (
        elements is None
        or mapped is None
        or not mapped >= elements.keys() >= mapped | planned
        or not planned.issuperset(element_id for element_id, is_planned in elements.items() if is_planned)
    ):
        yield from _lost(view, planned)


def _elements(inventory: JsonObject) -> dict[str, bool] | None:
    """Return the ids of the elements, each with whether the plan has to name it."""
    rows = rows_of(inventory, "elements")
    if rows is None:
        return None
    elements: dict[str, bool] = {}
    for row in rows:
        element_id = text_of(row, "element_id")
        is_planned = text_of(row, "category") != Category.NONE
        elements[element_id] = is_planned or elements.get(element_id, False)
    return elements


def _mapped(mapping: JsonObject) -> frozenset[str] | None:
    rows = rows_of(mapping, "mappings")
    return None if rows is None else frozenset(text_of(row, "element_id") for row in rows)


def _lost(view: PackageView, planned: set[str]) -> Iterator[Problem]:
    elements = [*view.rows(INVENTORY, "elements")]
    mapped = {text_of(row, "element_id") for row in view.rows(MAPPING, "mappings")}
    for element in elements:
        element_id = text_of(element, "element_id")
        place = f"{element_id} ({text_of(element, 'source_file')}:{text_of(element, 'source_lines')})"
        if element_id not in mapped:
            yield view.problem(MAPPING, f"{place} has no mapping", _COVERAGE_HINT)
        if text_of(element, "category") != Category.NONE and element_id not in planned:
            yield view.problem(PLAN, f"{place} has no plan entry", _COVERAGE_HINT)
    known = {text_of(element, "element_id") for element in elements}
    for lost in sorted((mapped | planned) - known):
        yield view.problem(MAPPING, f"{lost} is in no inventory", _COVERAGE_HINT)
