"""Limits on how much of the bootstrap files each OpenClaw release reads, and which files exceed them.

The values come from the published packages of each release; `dialect-1.0` is the default set. A release that isn't
listed has the values of the nearest earlier one. Limits in the workspace's own configuration take precedence.
"""

import re
from collections.abc import Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.errors import UsageError


class Budget(Struct, frozen=True):
    """The limits of one release, in characters; None means no limit.

    Attributes:
        release: The first release with these values.
        per_file: Limit for one bootstrap file.
        total: Limit for all bootstrap files together.
        user_md: USER.md's own limit.
        subagent: Bootstrap files in a sub-agent's session.
        origin: Where the limits come from, for messages.
    """

    release: str
    per_file: int | None
    total: int | None
    user_md: int | None = None
    subagent: tuple[str, ...] = ("AGENTS.md", "TOOLS.md")
    origin: str = ""


_FIVE: Final = ("AGENTS.md", "TOOLS.md", "SOUL.md", "IDENTITY.md", "USER.md")

BUDGETS: Final[tuple[Budget, ...]] = (
    Budget("2026.1.30", 20_000, None),
    Budget("2026.2.17", 20_000, 150_000),
    Budget("2026.2.26", 20_000, 150_000, subagent=_FIVE),
    Budget("2026.4.20", 12_000, 60_000, subagent=_FIVE),
    Budget("2026.5.28", 12_000, 60_000),
    Budget("2026.6.1", 20_000, 60_000),
    Budget("2026.8.2", 20_000, 60_000, 4_000, subagent=("AGENTS.md",)),
)
"""Rows in release order."""

DIALECT: Final = Budget("dialect-1.0", 20_000, 150_000)
"""The default limits."""

RETIRED: Final[dict[str, str]] = {"HEARTBEAT.md": "2026.7", "TOOLS.md": "2026.8"}
"""Files that a release no longer reads from the workspace."""


def budget_of(release: str) -> Budget:
    """Return the limits of a release, or of `dialect-1.0`.

    Raises:
        UsageError: the name isn't a release, or the release is earlier than the first known one.
    """
    if release in (DIALECT.release, ""):
        return replace(DIALECT, origin="the dialect document")
    if not re.fullmatch(r"\d{4}\.\d{1,2}(?:\.\d{1,3})?", release):
        raise UsageError(
            f"{release!r} is not an OpenClaw release",
            hint=f"Give one like 2026.8.2, or {DIALECT.release}.",
            location="--openclaw-release",
        )
    earlier = [row for row in BUDGETS if release_order(row.release) <= release_order(release)]
    if not earlier:
        raise UsageError(
            f"No limits are known for OpenClaw {release}",
            hint=f"Give a release from {BUDGETS[0].release} on, or {DIALECT.release}.",
            location="--openclaw-release",
        )
    return replace(earlier[-1], origin=f"OpenClaw {release}")


def with_own_limits(budget: Budget, per_file: int | None, total: int | None, origin: str) -> Budget:
    """Return the limits, replaced by those that the workspace's configuration sets."""
    if per_file is None and total is None:
        return budget
    return replace(budget, per_file=per_file or budget.per_file, total=total or budget.total, origin=origin)


def limit_for(budget: Budget, path: str) -> int | None:
    """Return the limit for one file."""
    if path == "USER.md" and budget.user_md is not None:
        return min(budget.user_md, budget.per_file or budget.user_md)
    return budget.per_file


def over_file_limit(budget: Budget, characters: Mapping[str, int]) -> tuple[tuple[str, int, int], ...]:
    """Return the files that exceed their limit, as (path, characters, limit)."""
    over = []
    for path, count in characters.items():
        limit = limit_for(budget, path)
        if limit is not None and count > limit:
            over.append((path, count, limit))
    return tuple(over)


def release_order(release: str) -> tuple[int, ...]:
    """Return the sort key of a release."""
    return tuple(int(part) for part in release.split("."))
