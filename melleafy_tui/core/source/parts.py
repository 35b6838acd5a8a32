"""Finds the agents and skills below a folder, each of which is converted by itself."""

import re
from collections.abc import Iterable
from typing import Final

DEEPEST: Final = 3
"""Folders below the root that are looked at."""
MOST_NAMED: Final = 8
"""Parts that a message names."""

_COPIES: Final = re.compile(
    r"(?:^|/)(?:\.[^/]*|[^/]*(?:backups?|archived?|templates?|exports?|quarantine|fixtures|examples?|node_modules|snapshots?|tests?))(?:[-_.\d][^/]*)?(?=/|$)",
    re.IGNORECASE,
)
"""Folders whose agents are copies, samples or hidden."""


def agents_within(names: Iterable[str]) -> tuple[str, ...]:
    """Return the folders below the root that are an agent of their own: they have a SOUL.md."""
    return _folders_with("SOUL.md", names)


def parts_within(names: Iterable[str]) -> tuple[str, ...]:
    """Return the folders below the root that are an agent or a skill of their own, the outer one of nested ones."""
    listed = tuple(names)
    found = sorted({*agents_within(listed), *_folders_with("SKILL.md", listed)})
    return tuple(folder for folder in found if not any(folder.startswith(f"{outer}/") for outer in found))


def named_parts(folders: Iterable[str]) -> str:
    """Return a list of folders in words, the first few of many."""
    listed = [f"`{folder}/`" for folder in folders]
    more = len(listed) - MOST_NAMED
    return ", ".join(listed[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _folders_with(name: str, names: Iterable[str]) -> tuple[str, ...]:
    folders = (path.removesuffix(f"/{name}") for path in names if path.endswith(f"/{name}"))
    return tuple(
        sorted(
            folder
            for folder in folders
            if not folder.startswith("..") and folder.count("/") < DEEPEST and not _COPIES.search(folder)
        )
    )
