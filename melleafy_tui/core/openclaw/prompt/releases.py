"""How each release assembles a prompt, as data; budgets and sub-agent files are in the dialect's `BUDGETS`.

Facts read from the published packages that are named; a release between two has the values of the earlier one.
`dialect-1.0` is what seeds 002 and 004 say. docs/context.md lists where the two differ.
"""

from enum import Enum, auto
from typing import Final

from msgspec import Struct

from melleafy_tui.core.dialects.openclaw.budgets import DIALECT, budget_of, release_order


class Cutting(Enum):
    """How a file over its limit is cut."""

    BESIDE = auto()
    """70 % of the limit from the start, 20 % from the end, the marker beside them."""
    FITTED = auto()
    """75 % and 25 % of what the marker leaves of the limit."""


class Digest(Enum):
    """What stands between start and end of an AGENTS.md that is over its limit."""

    NONE = auto()
    LINES = auto()
    """Headings, items and lines with words of policy."""
    LINES_WITH_LEAD_IN = auto()
    """The same with the line above each, and with Chinese words of policy."""


class MemoryName(Enum):
    """Which name of the memory file is read."""

    BOTH = auto()
    EITHER = auto()
    CAPITALS = auto()


class Assembly(Struct, frozen=True):
    """One release's way.

    Attributes:
        release: The first release read that does it this way.
        order: Files in the order in which they are loaded and the total is spent.
        silent: Files whose absence leaves no marker.
        memory: Which name of the memory file is read.
        by_path: A file is called by its absolute path, else by its name.
        cutting: How a file over its limit is cut.
        digest: What is kept from the middle of AGENTS.md.
        whole_characters: A cut never falls between the two halves of a character.
        priority: The prompt has the files by priority, else as they were loaded.
        apart: HEARTBEAT.md stands in a section of its own.
        collapses: Of several blank lines one stays.
        strips_frontmatter: Frontmatter is taken away.
        cron: Files of a cron session; None means those of a main session.
        cron_like_subagent: A cron session gets what a sub-agent gets.
        extra_files: The hook `bootstrap-extra-files` exists.
        file_bytes: A larger file counts as missing; None means no limit.
        says: Names of the files on which the prompt has an instruction of its own.
    """

    release: str
    order: tuple[str, ...]
    silent: frozenset[str] = frozenset({"MEMORY.md"})
    memory: MemoryName = MemoryName.BOTH
    by_path: bool = True
    cutting: Cutting = Cutting.FITTED
    digest: Digest = Digest.NONE
    whole_characters: bool = False
    priority: bool = True
    apart: bool = True
    collapses: bool = True
    strips_frontmatter: bool = False
    cron: tuple[str, ...] | None = None
    cron_like_subagent: bool = False
    extra_files: bool = True
    file_bytes: int | None = 2 * 1024 * 1024
    says: tuple[str, ...] = ("SOUL.md",)


PRIORITY: Final[dict[str, int]] = {
    "AGENTS.md": 10,
    "SOUL.md": 20,
    "IDENTITY.md": 30,
    "USER.md": 40,
    "TOOLS.md": 50,
    "BOOTSTRAP.md": 60,
    "MEMORY.md": 70,
}
"""The order of the files in the prompt; what is not in it comes last."""

HEARTBEAT: Final = "HEARTBEAT.md"
MEMORY: Final = "MEMORY.md"
MEMORY_OTHER: Final = "memory.md"

_BY_PRIORITY: Final = (*PRIORITY, HEARTBEAT)
_LOADED: Final = (
    "AGENTS.md",
    "SOUL.md",
    "TOOLS.md",
    "IDENTITY.md",
    "USER.md",
    HEARTBEAT,
    "BOOTSTRAP.md",
    MEMORY,
)
_SIX: Final = ("AGENTS.md", "SOUL.md", "IDENTITY.md", "USER.md", "BOOTSTRAP.md", MEMORY)
_FIVE: Final = ("AGENTS.md", "TOOLS.md", "SOUL.md", "IDENTITY.md", "USER.md")

DIALECT_ASSEMBLY: Final = Assembly(
    DIALECT.release,
    _BY_PRIORITY,
    memory=MemoryName.EITHER,
    by_path=False,
    collapses=False,
    strips_frontmatter=True,
    whole_characters=True,
)
"""What the seeds say, the default."""

ASSEMBLIES: Final[tuple[Assembly, ...]] = (
    Assembly(
        "2026.1.30",
        _LOADED,
        by_path=False,
        cutting=Cutting.BESIDE,
        priority=False,
        apart=False,
        collapses=False,
        extra_files=False,
        file_bytes=None,
    ),
    Assembly(
        "2026.2.17",
        _LOADED,
        cutting=Cutting.BESIDE,
        priority=False,
        apart=False,
        collapses=False,
        cron_like_subagent=True,
        file_bytes=None,
    ),
    Assembly(
        "2026.2.26",
        _LOADED,
        cutting=Cutting.BESIDE,
        priority=False,
        apart=False,
        collapses=False,
        cron_like_subagent=True,
    ),
    Assembly("2026.4.20", _LOADED, memory=MemoryName.EITHER, cron_like_subagent=True),
    Assembly(
        "2026.5.28",
        _LOADED,
        memory=MemoryName.CAPITALS,
        digest=Digest.LINES,
        cron=_FIVE,
        says=("SOUL.md", MEMORY),
    ),
    Assembly(
        "2026.8.2",
        _SIX,
        silent=frozenset({MEMORY, "USER.md"}),
        memory=MemoryName.CAPITALS,
        digest=Digest.LINES,
        whole_characters=True,
        apart=False,
        cron=_SIX[:4],
        says=("SOUL.md", MEMORY, "USER.md"),
    ),
    Assembly(
        "2026.9.6",
        _SIX,
        silent=frozenset({MEMORY, "USER.md"}),
        memory=MemoryName.CAPITALS,
        digest=Digest.LINES_WITH_LEAD_IN,
        whole_characters=True,
        apart=False,
        cron=_SIX[:4],
        says=("SOUL.md", MEMORY, "USER.md"),
    ),
)
"""Rows in order of release."""


def assembly_of(release: str) -> Assembly:
    """Return how a release assembles its prompt.

    Raises:
        UsageError: the name is no release that is known.
    """
    budget_of(release)
    if release in (DIALECT.release, ""):
        return DIALECT_ASSEMBLY
    return [row for row in ASSEMBLIES if release_order(row.release) <= release_order(release)][-1]
