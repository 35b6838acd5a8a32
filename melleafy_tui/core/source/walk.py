"""Walks a workspace and lists its names and the files that may be opened, without opening any.

The walk is breadth first and sorted, so that files near the root are found even if a limit ends it.
"""

import os
import stat
from collections import deque
from pathlib import Path
from typing import Final

from msgspec import Struct, field

from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.source.limits import (
    EARLIER_OUTPUT_MARK,
    PRIVATE_FILES,
    PRIVATE_FOLDERS,
    SKIPPED_FOLDERS,
    Limits,
)

_KINDS: Final = (
    (stat.S_ISFIFO, "pipe"),
    (stat.S_ISSOCK, "socket"),
    (stat.S_ISCHR, "device"),
    (stat.S_ISBLK, "device"),
)


class FoundFile(Struct, frozen=True):
    """A regular file of the workspace: its path, and where its bytes are (for a link, the target inside it)."""

    path: str
    real: Path | str


class Walk(Struct):
    """The result of a walk: files, names and diagnostics."""

    names: list[str] = field(default_factory=list)
    files: list[FoundFile] = field(default_factory=list)
    special: dict[str, str] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)


class _Folder(Struct, frozen=True):
    path: str
    """Relative to the root with a final `/`; `""` for the root."""
    real: Path
    depth: int
    above: frozenset[Path]
    """The real paths of this folder and its parents, to detect loops."""


def walk_workspace(root: Path, limits: Limits) -> Walk:
    """Collect the names below `root`, which must be resolved.

    Raises:
        OSError: the root itself can't be listed.
    """
    walk = Walk()
    waiting = deque([_Folder("", root, 0, frozenset({root}))])
    while waiting:
        folder = waiting.popleft()
        for entry in _entries(walk, folder):
            if len(walk.names) >= limits.names:
                walk.diagnostics.append(diagnose("too-many-names", folder.path, limit=limits.names))
                return walk
            below = _look_at(walk, root, folder, entry)
            if below is None:
                continue
            if below.depth > limits.depth:
                walk.diagnostics.append(diagnose("too-deep", below.path, limit=limits.depth))
            else:
                waiting.append(below)
    return walk


def _entries(walk: Walk, folder: _Folder) -> "list[os.DirEntry[str]]":
    """Return what the folder contains, sorted; nothing if it can't be listed or is an earlier output."""
    try:
        entries = sorted(os.scandir(folder.real), key=lambda entry: entry.name)
    except OSError as error:
        if not folder.path:
            raise
        walk.diagnostics.append(diagnose("unreadable-folder", folder.path, reason=_reason(error)))
        return []
    if folder.path and any(entry.name == EARLIER_OUTPUT_MARK and entry.is_file() for entry in entries):
        walk.diagnostics.append(diagnose("earlier-output", folder.path))
        return []
    return entries


def _look_at(walk: Walk, root: Path, folder: _Folder, entry: "os.DirEntry[str]") -> _Folder | None:
    """Record one name; return the folder to enter, if it is one."""
    path = folder.path + entry.name
    if not _is_text(entry.name):
        walk.diagnostics.append(diagnose("name-not-text", path.encode("utf-8", "replace").decode()))
        return None
    real: Path | str = entry.path
    if entry.is_symlink():
        target = _follow(walk, root, folder, path, Path(real))
        if target is None:
            walk.names.append(path)
            return None
        real = target
    try:
        mode = os.lstat(real).st_mode
    except OSError as error:
        walk.names.append(path)
        walk.diagnostics.append(diagnose("unreadable-file", path, reason=_reason(error)))
        return None
    if stat.S_ISDIR(mode):
        walk.names.append(path + "/")
        if entry.name in SKIPPED_FOLDERS or entry.name.lower() in PRIVATE_FOLDERS:
            return None
        inside = Path(real)
        return _Folder(path + "/", inside, folder.depth + 1, folder.above | {inside})
    walk.names.append(path)
    if not stat.S_ISREG(mode):
        walk.special[path] = _kind(mode)
    elif entry.name.lower() not in PRIVATE_FILES:
        walk.files.append(FoundFile(path, real))
    return None


def _kind(mode: int) -> str:
    return next((kind for is_kind, kind in _KINDS if is_kind(mode)), "special file")


def _follow(walk: Walk, root: Path, folder: _Folder, path: str, link: Path) -> Path | None:
    try:
        target = link.resolve(strict=True)
    except (OSError, RuntimeError):
        # A link onto itself is an OSError or, on older Pythons, a RuntimeError.
        code = "link-broken" if _leads_nowhere(link) else "link-loop"
        walk.diagnostics.append(diagnose(code, path))
        return None
    if not target.is_relative_to(root):
        walk.diagnostics.append(diagnose("link-outside", path))
        return None
    inside = target.relative_to(root).parts
    if target.name.lower() in PRIVATE_FILES or any(part.lower() in PRIVATE_FOLDERS for part in inside):
        walk.diagnostics.append(diagnose("link-private", path))
        return None
    if target in folder.above:
        walk.diagnostics.append(diagnose("link-loop", path))
        return None
    return target


def _leads_nowhere(link: Path) -> bool:
    try:
        link.stat()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _is_text(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()
