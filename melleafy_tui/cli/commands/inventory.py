"""`inventory`: prints the elements with tag and category, and how much of each file they cover."""

import argparse

from melleafy_tui.cli.console import Console, counted
from melleafy_tui.cli.documents import ElementSummary, InventoryDocument
from melleafy_tui.cli.tables import category_code
from melleafy_tui.cli.workspace import named_decisions, open_session, say_diagnostics, show_settings
from melleafy_tui.core.models.inventory import Element, FileCoverage
from melleafy_tui.core.pipeline.conversion import Conversion


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the elements and the coverage."""
    if arguments.show_settings:
        return show_settings(arguments, console)
    _, decisions_path = named_decisions(arguments)
    conversion = open_session(arguments, console, decisions_path=decisions_path).conversion
    if console.json:
        console.document(_document(conversion))
    else:
        _print(conversion, console)
    say_diagnostics(conversion.diagnostics, console)
    return 0


def _document(conversion: Conversion) -> InventoryDocument:
    inventory, keys = conversion.inventory, conversion.keys
    return InventoryDocument(
        workspace=conversion.snapshot.name,
        snapshot=conversion.inventory.snapshot_id,
        files=inventory.files,
        elements=tuple(_summary(element, keys.get(element.element_id, "")) for element in inventory.elements),
        coverage=inventory.coverage,
        diagnostics=conversion.diagnostics,
    )


def _summary(element: Element, key: str) -> ElementSummary:
    return ElementSummary(
        element_id=element.element_id,
        key=key,
        source_file=element.source_file,
        source_lines=element.source_lines,
        kind=element.kind,
        tag=element.tag,
        category=element.category,
        content_summary=element.content_summary,
        confidence=element.confidence,
        section=element.section,
        rationale=element.rationale,
        dialect_rule_id=element.dialect_rule_id,
        mapping_row=element.mapping_row,
        use=element.use,
        use_rationale=element.use_rationale,
        template=element.template,
        runtime_only=element.runtime_only,
        notes=element.notes,
    )


def _print(conversion: Conversion, console: Console) -> None:
    inventory = conversion.inventory
    console.heading(f"{conversion.snapshot.name}: {counted(len(inventory.elements), 'element')}")
    console.table(
        [
            (
                element.element_id,
                element.location,
                element.tag.value,
                element.category.value,
                element.content_summary,
            )
            for element in inventory.elements
        ],
        whole=(0, 2),
        short={3: category_code},
    )
    console.line()
    console.heading("Files")
    coverage = {item.path: item for item in inventory.coverage}
    console.table(
        [(file.path, file.status, _lines_of(coverage.get(file.path)), file.note) for file in inventory.files]
    )


def _lines_of(covered: FileCoverage | None) -> str:
    return f"{covered.covered}/{covered.lines} lines" if covered else ""
