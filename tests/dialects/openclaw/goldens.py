"""The workspaces on disk and the readable inventories of them; `python -m tests.dialects.openclaw.goldens` writes the latter.

A golden is written to be read: whoever updates one reads the difference line by line before it is committed.
"""

from functools import cache
from pathlib import Path
from typing import Final

from melleafy_tui.core.dialects.openclaw.dialect import OpenClawDialect
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.engine import read_workspace
from tests.dialects.readings import Reading, inventory_text, read, write_goldens

HERE: Final = Path(__file__).parent
WORKSPACES: Final = HERE / "workspaces"
GOLDENS: Final = HERE / "golden"
NAMES: Final = tuple(sorted(folder.name for folder in WORKSPACES.iterdir() if folder.is_dir()))
DIALECTS: Final = Dialects.of(OpenClawDialect())


def root_of(name: str) -> Path:
    """The workspace itself, which lies below the configuration in `config-above`."""
    inner = WORKSPACES / name / "workspace"
    return inner if inner.is_dir() else WORKSPACES / name


@cache
def reading_of(name: str) -> Reading:
    """What OpenClaw's dialect alone reads in a workspace."""
    return read(read_workspace(root_of(name), DIALECTS), DIALECTS, "openclaw")


def render(name: str) -> str:
    """The inventory of a workspace as text."""
    return inventory_text(reading_of(name))


if __name__ == "__main__":
    write_goldens(GOLDENS, NAMES, render)
