"""Which Markdown files are in no prompt: nested ones, and those that a link only points to (seed 002)."""

import re
from collections.abc import Collection, Iterator
from pathlib import PurePosixPath
from typing import Final
from urllib.parse import unquote

from melleafy_tui.core.context.extra_files import BOOTSTRAP_NAMES
from melleafy_tui.core.models.context import NotLoaded
from melleafy_tui.core.models.snapshot import Snapshot

MOST_LISTED: Final = 200
"""Files that are named; more are counted."""

NESTED: Final = "It lies in a folder; OpenClaw loads none of these unless a hook asks for it."
RETIRED_NAME: Final = "This release no longer reads it."
OTHER_NAME: Final = "Its name is no bootstrap file's."
LINKED: Final = "A link is a hint to open it; OpenClaw does not put in what a link points to."
_LINK = re.compile(r"\]\(<?([^()<>\s]{1,300})>?(?:\s+\"[^\"]{0,200}\")?\)")
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//|#|/|~")


def not_loaded(snapshot: Snapshot, asked_for: Collection[str]) -> tuple[tuple[NotLoaded, ...], int]:
    """Return the files that are not loaded, linked ones first, and how many more there are.

    Args:
        snapshot: The workspace.
        asked_for: Paths that the prompt asks for.
    """
    linked: dict[str, NotLoaded] = {}
    for path, place in _links(snapshot):
        if path in asked_for or path in linked:
            continue
        linked[path] = NotLoaded(path, LINKED, place, snapshot.has(path) or snapshot.file(path) is not None)
    names = (name for name in snapshot.names if name.endswith(".md"))
    others = [
        NotLoaded(name, _reason(name)) for name in names if name not in asked_for and name not in linked
    ]
    every = [*linked.values(), *others]
    return tuple(every[:MOST_LISTED]), max(0, len(every) - MOST_LISTED)


def _reason(name: str) -> str:
    if "/" in name:
        return NESTED
    return RETIRED_NAME if name in BOOTSTRAP_NAMES else OTHER_NAME


def _links(snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    """Yield target and place of each relative link in a bootstrap file of the root."""
    for file in snapshot.files:
        if file.path not in BOOTSTRAP_NAMES:
            continue
        for number, line in enumerate(file.lines, 1):
            if "](" not in line:
                continue
            for found in _LINK.finditer(line):
                target = unquote(found.group(1)).partition("#")[0]
                if not target or _SCHEME.match(target) or ".." in target.split("/"):
                    continue
                yield str(PurePosixPath(target)), f"{file.path}:{number}"
