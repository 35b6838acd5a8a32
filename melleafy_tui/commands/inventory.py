"""`inventory`: the elements of the workspace with tag and category, and the coverage of its files."""

import argparse

from melleafy_tui.commands.console import Console
from melleafy_tui.commands.documents import ElementSummary, InventoryDocument
from melleafy_tui.commands.session import named_decisions, open_session, say_diagnostics, show_settings


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print elements and coverage."""
    if arguments.show_settings:
        return show_settings(arguments, console)
    _, decisions_path = named_decisions(arguments)
    conversion = open_session(arguments, console, decisions_path=decisions_path).conversion
    inventory, keys = conversion.inventory, conversion.keys
    console.document(
        InventoryDocument(
            workspace=conversion.snapshot.name,
            snapshot=conversion.snapshot.snapshot_id,
            files=inventory.files,
            elements=tuple(
                ElementSummary.model_validate(
                    {
                        "key": keys.get(element.element_id, ""),
                        **{
                            name: getattr(element, name)
                            for name in ElementSummary.model_fields
                            if name != "key"
                        },
                    }
                )
                for element in inventory.elements
            ),
            coverage=inventory.coverage,
            diagnostics=conversion.diagnostics,
        )
    )
    console.heading(f"{conversion.snapshot.name}: {len(inventory.elements)} elements")
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
        ]
    )
    console.line()
    console.heading("Files")
    coverage = {item.path: item for item in inventory.coverage}
    for file in inventory.files:
        covered = coverage.get(file.path)
        lines = f"{covered.covered}/{covered.lines} lines" if covered else ""
        console.line(f"  {file.path}  {file.status}  {lines}  {file.note}".rstrip())
    say_diagnostics(conversion.diagnostics, console)
    return 0
