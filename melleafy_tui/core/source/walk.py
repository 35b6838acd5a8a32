"""Walks a workspace and lists its names and the files that may be opened, without opening any but `.gitignore`.

The walk is breadth first and sorted, so that files near the root are found even if a limit ends it.
"""

import os
import re
import stat
from collections import deque
from collections.abc import Callable
from io import BufferedReader
from pathlib import Path
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.source.limits import (
    BUILT,
    EARLIER_OUTPUT_MARK,
    GITIGNORED,
    KIND_OF_FOLDER,
    KIND_OF_MARK,
    PRIVATE_FILES,
    PRIVATE_FOLDERS,
    SKILL_MARK,
    SKIPPED_TREES,
    VERSION_CONTROL,
    WORK_SUFFIX,
    Limits,
    is_own_name,
    reason_of,
)
from melleafy_tui.core.source.reach import IGNORE_FILE, LARGEST_IGNORE_FILE, IgnoreFile, Reach, is_ignored
from melleafy_tui.core.source.secrets.known_forms import without_tokens

_OPENING: Final = (
    os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
)
"""Don't follow links or wait for a pipe's writer, even if the name was replaced after the walk."""


def opened(place: Path | str) -> BufferedReader:
    """Return a file of the workspace, opened for reading."""
    return open(os.open(place, _OPENING), "rb")  # noqa: PTH123 - a descriptor; the caller closes it


_KINDS: Final = (
    (stat.S_ISDIR, "folder"),
    (stat.S_ISFIFO, "pipe"),
    (stat.S_ISSOCK, "socket"),
    (stat.S_ISCHR, "device"),
    (stat.S_ISBLK, "device"),
)


class FoundFile(Struct, frozen=True):
    """A regular file of the workspace: its path, and where its bytes are (for a link, the target inside it).

    `searched` says that no dialect reads it, so that its bytes only tell whether it mentions a runtime.
    """

    path: str
    real: Path | str
    searched: bool = False


class Beyond(Struct, frozen=True):
    """Where links of bootstrap files may lead outside the root, and the names of these files."""

    folders: tuple[Path, ...] = ()
    names: frozenset[str] = frozenset()

    def allows(self, name: str, target: Path) -> bool:
        """Return whether a link of this name may lead to a file outside the root; never to credentials."""
        private = target.name.lower() in PRIVATE_FILES or any(
            part.lower() in PRIVATE_FOLDERS or part in SKIPPED_TREES[VERSION_CONTROL] for part in target.parts
        )
        inside = any(target.is_relative_to(folder) for folder in self.folders)
        return name in self.names and inside and target.is_file() and not private


class Walk(Struct):
    """The result of a walk: names, the files that may be wanted, what is no file, links, folders left aside."""

    names: list[str] = field(default_factory=list)
    files: list[FoundFile] = field(default_factory=list)
    special: dict[str, str] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    trees: dict[str, str] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)


class _Folder(Struct, frozen=True):
    path: str
    """Relative to the root with a final `/`; `""` for the root."""
    real: str
    depth: int
    above: frozenset[str]
    """The real paths of this folder and its parents, to detect loops."""
    skipped: bool = False
    """Whether only declared files are recorded."""
    ignore_files: tuple[IgnoreFile, ...] = ()
    whole: bool = False
    """Whether it is a skill or in one: then built and vendored files belong to it."""


def walk_workspace(
    root: Path,
    limits: Limits,
    wants: Callable[[str], bool],
    reach: Reach,
    progress: Callable[[float, str], object],
    beyond: Beyond = Beyond(),  # noqa: B008 - frozen
) -> Walk:
    """Collect the names below `root`, which must be resolved.

    Args:
        root: The workspace's folder.
        limits: The limits on what is recorded.
        wants: Returns whether any dialect reads the file at a path.
        reach: What dialects declare about the files that they read.
        progress: Called for each folder with the share of the known folders that is done and what was found;
            may raise to end the walk.
        beyond: Where links of bootstrap files may lead.

    Raises:
        OSError: the root itself can't be listed.
    """
    walking = _Walking(root, limits, wants, reach, beyond)
    waiting = deque([_Folder("", os.fspath(root), 0, frozenset({os.fspath(root)}))])
    done, share = 0, 0.0
    while waiting and not walking.is_full:
        folder = waiting.popleft()
        waiting.extend(walking.below(folder))
        done += 1
        share = max(share, done / (done + len(waiting)))  # more folders are found; a bar never goes back
        progress(share, f"{len(walking.walk.names):,} files and folders found")
    return walking.walk


class _Walking(Struct):
    """A walk that is under way."""

    root: Path
    limits: Limits
    wants: Callable[[str], bool]
    reach: Reach
    beyond: Beyond
    walk: Walk = field(default_factory=Walk)
    is_full: bool = False

    def report(self, code: str, path: str, **values: str | int) -> None:
        """Note a finding about a name."""
        self.walk.diagnostics.append(diagnose(code, path, "", **values))

    def below(self, folder: _Folder) -> list[_Folder]:
        """Record what is in a folder; return the folders in it that are to be entered."""
        entries, folder = self._entries(folder)
        found: list[_Folder] = []
        unfinished = {
            entry.name[1:].removesuffix(WORK_SUFFIX) for entry in entries if is_own_name(entry.name)
        }
        names, path, limit = self.walk.names, folder.path, self.limits.names
        is_asked = self.reach.holds(path, skipped=folder.skipped)
        is_searched = not folder.skipped and self.reach.searches_in(path)
        for entry in entries:
            name = entry.name
            if len(names) >= limit:
                self.report("too-many-names", path, limit=limit)
                self.is_full = True
                break
            if is_own_name(name):
                continue
            if folder.skipped and not self._is_declared(path + name, entry):
                continue
            if name in unfinished and entry.is_dir(follow_symlinks=False):
                self._earlier_output(f"{path}{name}/")
                names.append(f"{path}{name}/")
            elif _SURROGATE.search(name):
                self.report("name-not-text", (path + name).encode("utf-8", "replace").decode())
            elif (shown := without_tokens(name)) != name:
                self.report("name-is-secret", path + shown)
            elif entry.is_dir(follow_symlinks=False):
                found += self._folder(folder, name, entry.path)
            elif not entry.is_file(follow_symlinks=False):
                found += self._other(folder, entry)
            else:
                names.append(path + name)
                if is_asked or (is_searched and name.endswith(".py")):
                    self._file(path + name, entry.path, searched=not is_asked)
        return found

    def _is_declared(self, path: str, entry: "os.DirEntry[str]") -> bool:
        """Return whether something in a skipped folder is a declared file, or a folder that can hold one."""
        is_folder = entry.is_dir(follow_symlinks=False)
        if (is_folder or entry.is_symlink()) and self.reach.holds(f"{path}/", skipped=True):
            return True
        if is_folder or self.reach.searches(path):
            return False
        return self.wants(path) or self.reach.listed.fullmatch(path) is not None

    def _entries(self, folder: _Folder) -> "tuple[list[os.DirEntry[str]], _Folder]":
        """Return what the folder contains, sorted, and the folder with what its marks and `.gitignore` say.

        It contains nothing if it can't be listed or is an earlier output.
        """
        try:
            with os.scandir(folder.real) as listed:
                entries = sorted(listed, key=lambda entry: entry.name)
        except OSError as error:
            if not folder.path:
                raise
            self.walk.trees[folder.path] = "unreadable"
            self.report("unreadable-folder", folder.path, reason=reason_of(error))
            return [], folder
        marks = {
            entry.name: entry
            for entry in entries
            if entry.name in _MARKS and entry.is_file(follow_symlinks=False)
        }
        if folder.path and EARLIER_OUTPUT_MARK in marks:
            self._earlier_output(folder.path)
            return [], folder
        kind = next((kind for mark, kind in KIND_OF_MARK.items() if mark in marks), "")
        if folder.path and kind and not folder.skipped:
            self.walk.trees[folder.path] = kind
            return entries, replace(folder, skipped=True)
        if SKILL_MARK in marks and not kind:
            above = () if folder.skipped else folder.ignore_files
            self.walk.trees.pop(folder.path, None)
            folder = replace(folder, skipped=False, ignore_files=above, whole=True)
        if IGNORE_FILE in marks and not folder.skipped:
            text = _text_of(marks[IGNORE_FILE].path)
            if text:
                files = (*folder.ignore_files, IgnoreFile.of(folder.path, text))
                return entries, replace(folder, ignore_files=files)
        return entries, folder

    def _earlier_output(self, path: str) -> None:
        """Report a folder that is an earlier output, or one whose write was interrupted."""
        self.walk.trees[path] = "earlier-output"
        self.report("earlier-output", path)

    def _folder(self, folder: _Folder, name: str, real: str) -> list[_Folder]:
        """Record a folder; return it if it is to be entered."""
        path = f"{folder.path}{name}/"
        self.walk.names.append(path)
        if name.lower() in PRIVATE_FOLDERS:
            self.walk.trees[path] = "private"
            return []
        skipped = folder.skipped
        if not skipped:
            kind = KIND_OF_FOLDER.get(name, "")
            if folder.whole and kind == BUILT:
                kind = ""
            if not kind and folder.ignore_files and is_ignored(path, folder.ignore_files):
                kind = GITIGNORED
            if kind:
                self.walk.trees[path] = kind
                skipped = True
                if kind == VERSION_CONTROL or not self.reach.holds(path, skipped=True):
                    return []
        if folder.depth >= self.limits.depth:
            self.report("too-deep", path, limit=self.limits.depth)
            self.walk.trees[path] = "too-deep"
            return []
        above = folder.above | {real}
        return [_Folder(path, real, folder.depth + 1, above, skipped, folder.ignore_files, folder.whole)]

    def _file(self, path: str, real: str, *, searched: bool) -> None:
        if path.rpartition("/")[2].lower() not in PRIVATE_FILES:
            self.walk.files.append(FoundFile(path, real, searched))

    def _other(self, folder: _Folder, entry: "os.DirEntry[str]") -> list[_Folder]:
        """Record a link, or what is neither file nor folder; return the folder that it leads to, if it does."""
        path = folder.path + entry.name
        real = entry.path
        if entry.is_symlink():
            target = self._follow(folder, path, Path(real))
            inside = target is not None and target.is_relative_to(self.root)
            self.walk.links[path] = target.relative_to(self.root).as_posix() if target and inside else ""
            if target is None:
                self.walk.names.append(path)
                return []
            real = os.fspath(target)
        try:
            mode = os.lstat(real).st_mode
        except OSError as error:
            self.walk.names.append(path)
            self.report("unreadable-file", path, reason=reason_of(error))
            return []
        if stat.S_ISDIR(mode):
            return self._folder(folder, entry.name, real)
        self.walk.names.append(path)
        if stat.S_ISREG(mode):
            self._file(path, real, searched=False)
        else:
            self.walk.special[path] = kind_of(mode)
        return []

    def _follow(self, folder: _Folder, path: str, link: Path) -> Path | None:
        try:
            target = link.resolve(strict=True)
        except FileNotFoundError:
            self.report("link-broken", path)
            return None
        except (OSError, RuntimeError):  # a link onto itself; the latter before Python 3.13
            self.report("link-loop", path)
            return None
        if not target.is_relative_to(self.root):
            if self.beyond.allows(path.rpartition("/")[2], target):
                self.report("link-followed", path, target=target.name)
                return target
            self.report("link-outside", path)
            return None
        inside = target.relative_to(self.root).parts
        if target.name.lower() in PRIVATE_FILES or any(part.lower() in PRIVATE_FOLDERS for part in inside):
            self.report("link-private", path)
            return None
        if os.fspath(target) in folder.above:
            self.report("link-loop", path)
            return None
        return target


_SURROGATE: Final = re.compile("[\ud800-\udfff]")
"""Stands for a byte of a name that isn't UTF-8."""
_MARKS: Final = frozenset({EARLIER_OUTPUT_MARK, IGNORE_FILE, SKILL_MARK, *KIND_OF_MARK})


def _text_of(ignore_file: str) -> str:
    """Return the text of a `.gitignore`, `""` if it can't be read or is too large."""
    try:
        with opened(ignore_file) as file:
            data = file.read(LARGEST_IGNORE_FILE + 1)
    except OSError:
        return ""
    return data.decode("utf-8", "replace") if len(data) <= LARGEST_IGNORE_FILE else ""


def kind_of(mode: int) -> str:
    """Return what a file that isn't a regular one is, in words."""
    return next((kind for is_kind, kind in _KINDS if is_kind(mode)), "special file")
