"""How each OpenClaw release assembles a prompt, as data; budgets and sub-agent files are in the dialect's `BUDGETS`.

The facts come from the published packages of the listed releases; a release between two behaves like the earlier one.
`dialect-1.0` is the documented behaviour. docs/context.md lists where the packages differ from it.
"""

from enum import Enum, auto
from typing import Final

from msgspec import Struct

from melleafy_tui.core.dialects.openclaw.budgets import DIALECT, budget_of, release_order


class Cutting(Enum):
    """How a file over its limit is cut."""

    BESIDE = auto()
    """70 % of the limit from the start, 20 % from the end; the marker comes on top."""
    FITTED = auto()
    """75 % from the start and 25 % from the end of the limit minus the marker."""


class Digest(Enum):
    """What is kept from the middle of an AGENTS.md that is over its limit."""

    NONE = auto()
    LINES = auto()
    """Headings, items and lines with words of policy."""
    LINES_WITH_LEAD_IN = auto()
    """The same, plus the line above each, and Chinese words of policy."""


class MemoryName(Enum):
    """Which name of the memory file is read."""

    BOTH = auto()
    EITHER = auto()
    CAPITALS = auto()


class Assembly(Struct, frozen=True):
    """How one release assembles a prompt.

    Attributes:
        release: The first examined release that works this way.
        order: Files in the order in which they are loaded and use up the total budget.
        silent: Files that leave no marker if they are missing.
        memory: Which name of the memory file is read.
        by_path: Headings name a file by its absolute path, else by its name.
        cutting: How a file over its limit is cut.
        digest: What is kept from the middle of AGENTS.md.
        whole_characters: A cut never falls between the two halves of a character.
        priority: The prompt lists the files by priority, else in loading order.
        apart: HEARTBEAT.md has a section of its own.
        collapses: Runs of blank lines become one blank line.
        strips_frontmatter: Frontmatter is removed.
        cron: Files of a cron session; None means those of a main session.
        cron_like_subagent: A cron session gets what a sub-agent gets.
        extra_files: The hook `bootstrap-extra-files` exists.
        file_bytes: A larger file counts as missing; None means no limit.
        says: Files for which the prompt has an instruction of its own.
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
"""The order of the files in the prompt; other files come last."""

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
"""The documented behaviour, the default."""

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
        UsageError: The release is unknown.
    """
    budget_of(release)
    if release in (DIALECT.release, ""):
        return DIALECT_ASSEMBLY
    return [row for row in ASSEMBLIES if release_order(row.release) <= release_order(release)][-1]
