"""Decides which folders of a workspace are walked, and what is looked for in the others.

Version control, caches, installed libraries, build output and the folders that `.gitignore` names are skipped. A
skipped folder is entered only where a dialect declares a file in it, and then nothing else in it is recorded; a file in
it that the workspace's text names is found as well.
"""

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from melleafy_tui.core.language.wording import first_of
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.snapshot import SourceFile
from melleafy_tui.core.source.limits import TOLD_KINDS

if TYPE_CHECKING:  # most workspaces have no line that may name one of their folders
    from pathspec import GitIgnoreSpec

_NOWHERE: Final = re.compile(r"(?!)")


class Reach(Struct, frozen=True):
    """What dialects declare about the files that they read, so that a walk needn't ask about every file.

    Attributes:
        folders: Matches the folders in which or below which a declared file can be.
        anywhere: Matches folders that can hold a declared file at any depth, if they aren't skipped.
        listed: Matches the files that are listed and never opened.
        asks_all: Whether some dialect declares nothing, so that it is asked about every file that isn't skipped.
        searches_in: Returns whether the Python files in a folder are searched for a runtime's modules.
        searches: Returns whether a file is read only if its bytes mention a runtime.
        mentions: Returns whether the bytes of a Python file mention a runtime.
    """

    folders: re.Pattern[str] = _NOWHERE
    anywhere: re.Pattern[str] = _NOWHERE
    listed: re.Pattern[str] = _NOWHERE
    asks_all: bool = True
    searches_in: Callable[[str], bool] = lambda _folder: False
    searches: Callable[[str], bool] = lambda _path: False
    mentions: Callable[[bytes], bool] = lambda _data: True

    def holds(self, folder: str, *, skipped: bool) -> bool:
        """Return whether a declared file can be in a folder or below it; its path ends with `/`, the root is `""`."""
        is_declared = self.folders.fullmatch(folder) is not None
        if skipped or is_declared:
            return is_declared
        return self.asks_all or not folder or self.anywhere.fullmatch(folder) is not None


def declared_folders(patterns: Iterable[str]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what matches the folders in or below which declared files are, and those that are declared at any depth.

    Args:
        patterns: POSIX paths in which `*` and `?` match inside one segment; `**/` in front stands for any folder, `/**`
            at the end for everything below one.
    """
    folders: set[str] = set()
    anywhere: set[str] = set()
    for pattern in patterns:
        if pattern.startswith("**/"):
            inside = posixpath.dirname(pattern[3:])
            anywhere.add("(?:[^/]+/)*" + (path_form(f"{inside}/") if inside else ""))
        elif not pattern.startswith("../"):
            segments = pattern.split("/")
            folders |= {path_form("/".join(segments[:count]) + "/") for count in range(1, len(segments))}
            if segments[-1] == "**":
                folders.add(path_form("/".join(segments[:-1]) + "/") + ".*/")
    return _any_of(folders), _any_of(anywhere)


def declared_files(patterns: Iterable[str]) -> re.Pattern[str]:
    """Return what matches the files that patterns of file rules declare."""
    return _any_of(map(path_form, patterns))


def path_form(pattern: str) -> str:
    """Return a path pattern as a regular expression: `*` and `?` match inside one segment, `**/` any folders."""
    form = re.escape(pattern).replace(r"\*\*/", "(?:[^/]+/)*")
    return form.replace(r"\*", "[^/]*").replace(r"\?", "[^/]")


def _any_of(forms: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(sorted(set(forms))) or "(?!)", re.DOTALL)


# --- .gitignore -----------------------------------------------------------------------------------

IGNORE_FILE: Final = ".gitignore"
LARGEST_IGNORE_FILE: Final = 256 * 1024
MOST_IGNORE_LINES: Final = 5_000
LONGEST_IGNORE_LINE: Final = 500
MOST_STARS: Final = 6
"""Most wildcards in one line; matching a line with more could take long, so it is left out."""

_STARS: Final = re.compile(r"\*+")
_CLASS: Final = LazyRegex(r"\\.|\[[^\]]*\]?")
_WILD: Final = re.compile(r"[*?!/]+")


class IgnoreFile(Struct):
    """One `.gitignore`: its folder, its lines, and for each the text that a path must contain to match it."""

    folder: str
    lines: Sequence[str]
    hints: frozenset[str]
    _spec: "GitIgnoreSpec | None" = None

    @classmethod
    def of(cls, folder: str, text: str) -> "IgnoreFile":
        """Return the file of a folder, whose path ends with `/` or is `""`."""
        lines = [
            line
            for line in text.removeprefix("\ufeff").splitlines()[:MOST_IGNORE_LINES]
            if line.strip()
            and not line.startswith("#")
            and len(line) <= LONGEST_IGNORE_LINE
            and len(_STARS.findall(line)) <= MOST_STARS
        ]
        hints = (max(_WILD.split(_CLASS.sub("*", line.strip())), key=len) for line in lines)
        return cls(folder, lines, frozenset(hints))

    def ignores(self, folder: str) -> bool | None:
        """Return whether the lines ignore a folder below this one; None if no line is about it."""
        inner = folder[len(self.folder) :]
        if not any(hint in inner for hint in self.hints):
            return None
        if self._spec is None:
            self._spec = _spec(self.lines)
        return self._spec.check_file(inner).include


def _spec(lines: Sequence[str]) -> "GitIgnoreSpec":
    from pathspec import GitIgnoreSpec  # 15 ms, paid only where a line may name a folder

    valid: list[Any] = []
    for line in lines:
        with suppress(ValueError):
            valid += GitIgnoreSpec.from_lines([line]).patterns
    return GitIgnoreSpec(valid)


def is_ignored(folder: str, ignore_files: Sequence[IgnoreFile]) -> bool:
    """Return whether the nearest `.gitignore` with a line about a folder ignores it."""
    said = (ignore_file.ignores(folder) for ignore_file in reversed(ignore_files))
    return next((decided for decided in said if decided is not None), False)


# --- skipped folders --------------------------------------------------------------------------------


def about_skipped(trees: Mapping[str, str]) -> Iterator[Diagnostic]:
    """Yield one row for each kind of skipped folder, with the number of its folders.

    Args:
        trees: What each folder is that the walk left aside; the paths end with `/`.
    """
    by_kind: dict[str, list[str]] = {}
    for folder in sorted(trees, key=lambda path: (path.count("/"), path)):
        by_kind.setdefault(trees[folder], []).append(folder)
    for kind in sorted(TOLD_KINDS & by_kind.keys()):
        folders = by_kind[kind]
        paths = first_of(folders, _MOST_SHOWN)
        yield diagnose("skipped-folders", "", kind=kind, count=len(folders), paths=paths)


def named_in(trees: Mapping[str, str], files: Iterable[SourceFile], root: Path) -> Iterator[str]:
    """Yield the existing files in skipped folders that texts name, from the root or from the text's folder.

    Args:
        trees: What each folder is that the walk left aside.
        files: The files that were read.
        root: The workspace's folder.
    """
    folders = tuple(folder for folder, kind in trees.items() if kind in TOLD_KINDS)
    names = {folder.rstrip("/").rpartition("/")[2] + "/" for folder in folders}
    tried: set[str] = set()
    for file in files:
        text = file.text or ""
        for found in _PATH.findall(text) if any(name in text for name in names) else ():
            path = found.removeprefix("./").rstrip(".")
            for each in {path, posixpath.join(posixpath.dirname(file.path), path)} - tried:
                if not each.startswith(folders) or ".." in each.split("/"):
                    continue
                tried.add(each)
                if len(tried) > _MOST_NAMED:
                    return
                if (root / each).is_file():
                    yield each


_MOST_SHOWN: Final = 5
_MOST_NAMED: Final = 1_000
_PATH: Final = re.compile(r"[\w./@+-]+")
