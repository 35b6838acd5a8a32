"""The workspaces on disk and the readable inventories of them; `python -m tests.dialects.agent_skills.goldens` writes the latter.

A golden is written to be read: whoever updates one reads the difference line by line before it is committed.
"""

from functools import cache
from pathlib import Path
from typing import Final

from melleafy_tui.core.dialects.agent_skills.dialect import AgentSkillsDialect
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.source.snapshot_reader import read_snapshot
from tests.conftest import PROJECT
from tests.dialects.readings import Reading, inventory_text, read, write_goldens

HERE: Final = Path(__file__).parent
WORKSPACES: Final = HERE / "workspaces"
GOLDENS: Final = HERE / "golden"
SHOWN: Final = PROJECT / "examples" / "invoice-intake"
"""The example that users see is one of the workspaces, and lies there alone."""

FOLDERS: Final = {folder.name: folder for folder in (*WORKSPACES.iterdir(), SHOWN) if folder.is_dir()}
NAMES: Final = tuple(sorted(FOLDERS))
DIALECTS: Final = Dialects.of(AgentSkillsDialect())


@cache
def reading_of(name: str) -> Reading:
    """What the dialect of Agent Skills alone reads in a workspace."""
    return read(
        read_snapshot(FOLDERS[name], wants=DIALECTS.wants, named=DIALECTS.belonging),
        DIALECTS,
        "agent_skills_std",
    )


def render(name: str) -> str:
    """The inventory of a workspace as text."""
    return inventory_text(reading_of(name))


if __name__ == "__main__":
    write_goldens(GOLDENS, NAMES, render)
