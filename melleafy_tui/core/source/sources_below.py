"""Finds the workspaces, skills and projects below a folder by the names in it, without opening a file."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Final

from msgspec import Struct

from melleafy_tui.core.source.limits import (
    DEFAULT_LIMITS,
    EARLIER_OUTPUT_MARK,
    NEVER_A_SOURCE,
    PRIVATE_FOLDERS,
)

HERE: Final = "."


class MainFiles(Struct, frozen=True):
    """The files that make a folder a source of a runtime.

    Attributes:
        runtime: The runtime's name.
        names: Any of these files in a folder is enough; they may have a folder (`config/agents.yaml`).
        independent: Whether such a folder inside another source is a source of its own, not a part of that one.
        closed: Whether everything inside such a folder is part of it.
        holders: Any of these files in a folder without a main file marks it as the runtime's own, with sources in it.
        project: The nearest folder with this file, at or above one with a main file, is the source in its place.
    """

    runtime: str
    names: tuple[str, ...]
    independent: bool = False
    closed: bool = False
    holders: tuple[str, ...] = ()
    project: str = ""


class FoundSource(Struct, frozen=True, order=True):
    """A folder that can be converted.

    Attributes:
        path: Its POSIX path below the folder searched, `.` for that one itself.
        runtime: The runtime whose file it has.
        files: How many files it has, without those of other sources in it.
    """

    path: str
    runtime: str
    files: int = 0


def sources_below(root: Path, kinds: Iterable[MainFiles]) -> tuple[FoundSource, ...]:
    """Return the sources in a folder, itself included as `.`, sorted by path.

    Links, packages that were converted before, and folders such as `.git` and `node_modules` aren't entered.

    Args:
        root: The folder to search.
        kinds: The main files of each runtime; the first that matches names a folder's runtime.
    """
    folders: dict[str, set[str]] = {}
    top = os.fspath(root)
    for folder, below, files in os.walk(top):
        path = folder[len(top) :].replace(os.sep, "/").lstrip("/")
        is_output = EARLIER_OUTPUT_MARK in files
        is_entered = not is_output and path.count("/") < DEFAULT_LIMITS.depth
        left_out = {name for name in below if name in NEVER_A_SOURCE or name.lower() in PRIVATE_FOLDERS}
        below[:] = [name for name in below if is_entered and name not in left_out]
        if not is_output:
            folders[path or HERE] = set(files)
    return _sources_in(folders, tuple(kinds))


def holds_sources(root: Path, kinds: Iterable[MainFiles], found: Iterable[FoundSource]) -> bool:
    """Return whether a file in a folder says that the sources found in it are all there is to convert.

    Args:
        root: The folder.
        kinds: The main files of each runtime.
        found: What `sources_below` found in it.
    """
    files = frozenset(next(os.walk(root), ("", [], []))[2])
    runtimes = {source.runtime for source in found if source.path != HERE}
    holders = (kind for kind in kinds if kind.runtime in runtimes and not files.isdisjoint(kind.holders))
    return any(files.isdisjoint(kind.names) for kind in holders)


def sources_among(names: Iterable[str], kinds: Iterable[MainFiles]) -> tuple[FoundSource, ...]:
    """Return the sources among the names of a snapshot, as `sources_below` does."""
    kinds = tuple(kinds)
    main_files = tuple({name for kind in kinds for name in (*kind.names, kind.project) if name})
    folders: dict[str, set[str]] = {}
    for name in filter(lambda name: name.endswith(main_files), names):  # of 100,000 names, few do
        folder, _, file = name.rpartition("/")
        folders.setdefault(folder or HERE, set()).add(file)
    return _sources_in(folders, kinds)


def _sources_in(folders: Mapping[str, set[str]], kinds: Sequence[MainFiles]) -> tuple[FoundSource, ...]:
    found: dict[str, MainFiles] = {}
    kinds_by_path: dict[str, MainFiles] = {}
    for kind in kinds:
        for path in _main_folders(folders, kind):
            kinds_by_path.setdefault(path, kind)
    for path, kind in kinds_by_path.items():
        above = [kinds_by_path[folder] for folder in _above(path) if folder in kinds_by_path]
        if (kind.independent or not above) and not any(outer.closed for outer in above):
            found[path] = kind
    counts = Counter[str]()
    for path, files in folders.items():
        counts[next((each for each in (path, *_above(path)) if each in found), "")] += len(files)
    return tuple(sorted(FoundSource(path, kind.runtime, counts[path]) for path, kind in found.items()))


def _main_folders(folders: Mapping[str, set[str]], kind: MainFiles) -> Iterator[str]:
    """Yield the folders that the main files of a runtime make a source."""
    for folder, _, name in (f"/{name}".rpartition("/") for name in kind.names):
        for path in [path for path, files in folders.items() if name in files]:
            place = f"/{path}" if path != HERE else ""
            if place.endswith(folder):
                inside = place.removesuffix(folder).strip("/") or HERE
                around = (each for each in (inside, *_above(inside)) if kind.project in folders.get(each, ()))
                yield next(around, inside)


def _above(path: str) -> Iterator[str]:
    """Yield the folders that hold a folder, the searched one included, nearest first."""
    return map(str, PurePosixPath(path).parents)
