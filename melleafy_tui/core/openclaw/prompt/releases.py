"""How each OpenClaw release assembles a prompt, read from `releases.toml`.

Whether a section appears can depend on the host (tools, channels, sandbox); each row states its condition.
"""

from enum import StrEnum
from typing import Final

import msgspec
from msgspec import Struct

from melleafy_tui.core.dialects.openclaw.budgets import DIALECT, budget_of, release_order
from melleafy_tui.core.errors import UsageError
from melleafy_tui.core.models.context import PromptMode, PromptSection
from melleafy_tui.core.tables import table_beside


class Cutting(StrEnum):
    """How a file over its limit is cut."""

    BESIDE = "beside"
    """70 % of the limit from the start, 20 % from the end; the marker comes on top."""
    FITTED = "fitted"
    """75 % from the start and 25 % from the end of the limit minus the marker."""


class Digest(StrEnum):
    """What is kept from the middle of an AGENTS.md that is over its limit."""

    NONE = "none"
    LINES = "lines"
    """Headings, items and lines with words of policy."""
    LINES_WITH_LEAD_IN = "lines with lead in"
    """The same, plus the line above each, and Chinese words of policy."""


class MemoryName(StrEnum):
    """Which name of the memory file is read."""

    BOTH = "both"
    EITHER = "either"
    CAPITALS = "capitals"


class Assembly(Struct, frozen=True, forbid_unknown_fields=True):
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
    says: tuple[str, ...] = ("SOUL.md",)


class _Section(Struct, frozen=True, array_like=True):
    heading: str
    modes: str
    condition: str = ""


class _Sections(Struct, frozen=True, forbid_unknown_fields=True):
    since: str
    rows: tuple[_Section, ...]


class _Table(Struct, frozen=True, forbid_unknown_fields=True):
    introduction: str
    soul_instruction: str
    priority: dict[str, int]
    assembly: tuple[Assembly, ...]
    sections: tuple[_Sections, ...]


_TABLE: Final = msgspec.convert(table_beside(__file__, "releases.toml"), _Table)
DIALECT_ASSEMBLY: Final = _TABLE.assembly[0]
"""The documented behaviour, the default."""
ASSEMBLIES: Final = _TABLE.assembly[1:]
"""Rows in order of release."""

MOST_BYTES: Final = 2 * 1024 * 1024
"""OpenClaw takes a larger file for a missing one."""

PRIORITY: Final = _TABLE.priority
"""The order of the files in the prompt; other files come last."""

HEARTBEAT: Final = "HEARTBEAT.md"
MEMORY: Final = "MEMORY.md"
MEMORY_OTHER: Final = "memory.md"

INTRODUCTION: Final = _TABLE.introduction
"""The only line of mode `none`, and the first line of the other modes."""

SOUL_INSTRUCTION: Final = _TABLE.soul_instruction
"""Precedes the files if SOUL.md is one of them."""

PROJECT_CONTEXT: Final = "# Project Context"
APART: Final = "# Dynamic Project Context"


def assembly_of(release: str) -> Assembly:
    """Return how a release assembles its prompt.

    Raises:
        UsageError: The release is unknown, or from before the first examined one.
    """
    budget_of(release)
    if release in (DIALECT.release, ""):
        return DIALECT_ASSEMBLY
    earlier = [row for row in ASSEMBLIES if release_order(row.release) <= release_order(release)]
    if not earlier:
        raise UsageError(
            f"How OpenClaw {release} assembles a prompt is not known",
            hint=f"Give a release from {ASSEMBLIES[0].release} on, or {DIALECT.release}.",
            location="--openclaw-release",
        )
    return earlier[-1]


def sections_of(release: str, mode: PromptMode) -> tuple[PromptSection, ...]:
    """Return the sections that a prompt of this mode can have, in order.

    Args:
        release: A known release, or `dialect-1.0`.
        mode: The prompt mode.
    """
    documented, *dated = _TABLE.sections
    chosen = documented
    if release not in (DIALECT.release, ""):
        order = release_order(release)
        chosen = [each for each in dated if release_order(each.since) <= order][-1]
    return tuple(
        PromptSection(row.heading, row.condition) for row in chosen.rows if mode.value in row.modes.split()
    )
