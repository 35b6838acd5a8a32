"""Small workspaces built in memory, and the inventories of them."""

from collections.abc import Mapping
from datetime import date

from melleafy_tui.core.dialects.openclaw.dialect import OpenClawDialect
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.dialects.tool_facts import named_scripts
from melleafy_tui.core.models.conversion_settings import Settings
from melleafy_tui.core.models.inventory import Element, Inventory
from melleafy_tui.core.models.mapping import MappingEntry
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.vocabulary import Category
from melleafy_tui.core.pipeline.classify import classify
from melleafy_tui.core.pipeline.element_collection import take_inventory
from melleafy_tui.core.pipeline.element_mapping import map_elements
from melleafy_tui.core.source.secrets.masking import masked_file

AS_OF = date(2026, 8, 1)
DIALECTS = Dialects.of(OpenClawDialect())


def source_file(path: str, text: str) -> SourceFile:
    return masked_file(SourceFile(path, text.encode("utf-8", "surrogatepass"), text))


def snapshot_of(tree: Mapping[str, str], *, name: str = "workspace") -> Snapshot:
    """A snapshot with the files of `tree`; those that neither dialect nor a tool wants are named and not opened."""
    dialect = OpenClawDialect()
    opened = tuple(source_file(path, text) for path, text in sorted(tree.items()) if dialect.wants(path))
    names = tuple(sorted(tree))
    run: set[str] = set()
    while (
        more := {
            *named_scripts(there := Snapshot(name, f"/{name}", opened, names)),
            *dialect.belonging(there),
        }
        - run
    ):
        run |= more
        opened = tuple(
            source_file(path, text)
            for path, text in sorted(tree.items())
            if dialect.wants(path) or path in run
        )
    folders = {
        path[: place + 1]
        for path in tree
        for place, letter in enumerate(path)
        if letter == "/" and path[0] != "."
    }
    return Snapshot(name, f"/{name}", opened, tuple(sorted({*tree, *folders})))


def inventory_of(
    tree: Mapping[str, str], *, release: str = "dialect-1.0", name: str = "workspace"
) -> Inventory:
    snapshot = snapshot_of(tree, name=name)
    return take_inventory(snapshot, ("openclaw",), DIALECTS, as_of=AS_OF, openclaw_release=release)


def elements_of(path: str, text: str, **others: str) -> tuple[Element, ...]:
    """The elements of one file; further files of the workspace by keyword, `__` for `/` is not needed in tests."""
    return tuple(e for e in inventory_of({path: text, **others}).elements if e.source_file == path)


def kept(path: str, text: str) -> tuple[Element, ...]:
    """The elements of one file that are converted."""
    return tuple(e for e in elements_of(path, text) if e.category is not Category.NONE)


def only(path: str, text: str) -> Element:
    """The one element of a file that is converted."""
    found = kept(path, text)
    assert len(found) == 1, [e.content_summary for e in found]
    return found[0]


def mapped(tree: Mapping[str, str]) -> list[tuple[Element, MappingEntry]]:
    snapshot = snapshot_of(tree)
    inventory = inventory_of(tree)
    classification, _ = classify(snapshot, Settings(source_runtime="openclaw"), DIALECTS)
    mapping = map_elements(inventory, DIALECTS.rows_of(classification.dialect_runtimes))
    return [(element, mapping.by_element[element.element_id]) for element in inventory.elements]
