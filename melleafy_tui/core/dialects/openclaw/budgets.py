"""Limits on how much of the bootstrap files each OpenClaw release reads, and which files exceed them.

The values come from the published packages of each release; `dialect-1.0` is the default set. A release that isn't
listed has the values of the nearest earlier one. Limits in the workspace's own configuration take precedence.
"""

import re
from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.errors import UsageError
from melleafy_tui.core.tables import table_beside


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
    per_file: int | None = None
    total: int | None = None
    user_md: int | None = None
    subagent: tuple[str, ...] = ("AGENTS.md", "TOOLS.md")
    origin: str = ""


_TABLE: Final = table_beside(__file__, "budgets.toml")
DIALECT: Final = msgspec.convert(_TABLE["default"], Budget)
"""The default limits."""

BUDGETS: Final = msgspec.convert(_TABLE["release"], tuple[Budget, ...])
"""Rows in release order."""

RETIRED: Final[dict[str, str]] = _TABLE["retired"]
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
    limits = ((path, count, limit_for(budget, path)) for path, count in characters.items())
    return tuple((path, count, limit) for path, count, limit in limits if limit is not None and count > limit)


def release_order(release: str) -> tuple[int, ...]:
    """Return the sort key of a release."""
    return tuple(int(part) for part in release.split("."))
