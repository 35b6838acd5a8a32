"""Small skills built in memory, and the inventories of them."""

from collections.abc import Mapping
from datetime import date
from typing import Final

from melleafy_tui.core.dialects.agent_skills.dialect import AgentSkillsDialect
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.models.findings import Diagnostic
from melleafy_tui.core.models.inventory import Element, Inventory
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.vocabulary import Category
from melleafy_tui.core.pipeline.element_collection import take_inventory
from melleafy_tui.core.source.secrets.masking import masked_file

AS_OF: Final = date(2026, 8, 1)
DIALECTS: Final = Dialects.of(AgentSkillsDialect())
NAME: Final = "parcel-notes"
HEAD: Final = f"---\nname: {NAME}\ndescription: Writes notes on parcels.\n---\n"
HEAD_LINES: Final = 4


def snapshot_of(tree: Mapping[str, str], *, name: str = NAME) -> Snapshot:
    """A snapshot with the files of `tree`; those outside the folder are named and not opened."""
    opened = tuple(
        masked_file(SourceFile(path, text.encode("utf-8", "surrogatepass"), text))
        for path, text in sorted(tree.items())
        if not path.startswith("../")
    )
    folders = {path[: place + 1] for path in tree for place, letter in enumerate(path) if letter == "/"}
    return Snapshot(name, f"/{name}", opened, tuple(sorted({*tree, *folders})))


def inventory_of(tree: Mapping[str, str], *, name: str = NAME) -> Inventory:
    snapshot = snapshot_of(tree, name=name)
    return take_inventory(
        snapshot, ("agent_skills_std",), DIALECTS, as_of=AS_OF, openclaw_release="dialect-1.0"
    )


def skill(head: str = HEAD, body: str = "", **others: str) -> Inventory:
    """The inventory of a skill; further files by keyword with `__` for `/` and `_dot_` for `.`."""
    files = {path.replace("__", "/").replace("_dot_", "."): text for path, text in others.items()}
    return inventory_of({"SKILL.md": head + body, **files})


def body(text: str) -> tuple[Element, ...]:
    """The elements of a body that are more than headings and lead-ins."""
    found = skill(body=text).elements
    return tuple(
        element
        for element in found
        if element.line_range[0] > HEAD_LINES
        and (element.category is not Category.NONE or element.tag == "SCHEMA")
    )


def codes(inventory: Inventory) -> list[str]:
    return [found.code for found in inventory.diagnostics]


def finding(inventory: Inventory, code: str) -> Diagnostic:
    """The one diagnostic of a code."""
    found = [diagnostic for diagnostic in inventory.diagnostics if diagnostic.code == code]
    assert len(found) == 1, codes(inventory)
    return found[0]
