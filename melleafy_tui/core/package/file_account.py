"""Accounts for every file below the source: it is read, carried, or named with a reason of `file_reasons.toml`."""

import re
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Final

from msgspec import Struct

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import DECISIONS_FILE
from melleafy_tui.core.package.carried_files import CARRIED, carried_files
from melleafy_tui.core.source.limits import PRIVATE_FILES
from melleafy_tui.core.tables import table_beside

_ROWS: Final = table_beside(__file__, "file_reasons.toml")
REASONS: Final[Mapping[str, str]] = {name: row["words"] for name, row in _ROWS.items()}
"""What is said of a file that is only named, by reason."""

_BY_FINDING: Final = {
    "file-too-large": "too-large",
    "workspace-too-large": "too-large",
    "not-a-regular-file": "special",
    "unreadable-file": "unreadable",
    "undecodable-text": "unreadable",
    "instructions-once": "superseded",
}
_UNUSUAL: Final = ("name-not-text", "name-is-secret")
_MAIN_FILES: Final = ("SOUL.md", "SKILL.md")
"""Files that make the folder below the root that holds them a source of its own."""
_FOR_PEOPLE, _OF_RUNTIMES = (tuple(_ROWS[name]["names"]) for name in ("people", "runtime"))
_PATH: Final = re.compile(r"[\w.~$@/-]+")
_SHOWN_APART: Final = 3
"""So many files of one folder with one reason are a row each; more are one row."""


class NamedFile(Struct, frozen=True):
    """A file, or `count` files in one folder, that is neither read nor carried, and the key of the reason."""

    path: str
    reason: str
    count: int = 1


class FileAccount(Struct, frozen=True):
    """What became of the files below the source; each is in one of the three.

    Attributes:
        read: The files that elements come from.
        carried: The others that are copied.
        named: The rest, with the reason for each.
        trees: The folders that weren't entered; they count as no file.
    """

    read: tuple[str, ...]
    carried: tuple[str, ...]
    named: tuple[NamedFile, ...]
    trees: tuple[NamedFile, ...]

    @property
    def total(self) -> int:
        """Return the number of files."""
        return len(self.read) + len(self.carried) + len(self.named)

    @property
    def words(self) -> str:
        """Return the three counts in words."""
        counts = ((len(self.read), "read"), (len(self.carried), "carried"), (len(self.named), "named"))
        shown = ", ".join(f"{count:,} {what}" for count, what in counts if count or what == "read")
        return f"{self.total:,} {'file' if self.total == 1 else 'files'}: {shown}"

    def rows(self) -> tuple[NamedFile, ...]:
        """Return what is named, by reason, with many files of one folder as one row."""
        found = [*self.trees]
        by_reason = sorted(self.named, key=lambda each: ([*REASONS].index(each.reason), _top(each.path)))
        for (reason, top), each in groupby(by_reason, lambda each: (each.reason, _top(each.path))):
            files = [*each]
            many = top and len(files) > _SHOWN_APART
            found += [NamedFile(top, reason, len(files))] if many else files
        return tuple(found)


def account_of(committed: CommittedPlan) -> FileAccount:
    """Return what became of each file below the source of a package; one with several names counts once."""
    snapshot = committed.snapshot
    linked = tuple(f"{path}/" for path in snapshot.links)
    own = (DECISIONS_FILE, f"{committed.package_name}/")
    names = (name for name in (*snapshot.links, *snapshot.paths) if name != DECISIONS_FILE)
    below = [name for name in names if not name.startswith(linked)]
    read = {_target(file.path, snapshot) for file in committed.inventory.files if file.status == "read"}
    carried = {_target(source.path, snapshot) for source, _ in carried_files(committed)} - read
    trees = tuple(snapshot.trees)
    reasons = _Reasons(committed)
    named = [
        NamedFile(path, reasons.of(path))
        for path in sorted(below)
        if path not in read and path not in carried and not path.startswith(trees)
    ]
    named += [
        NamedFile(finding.file, "unusual-name")
        for finding in snapshot.diagnostics
        if finding.code in _UNUSUAL
    ]
    return FileAccount(
        tuple(path for path in below if path in read),
        tuple(path for path in below if path in carried),
        tuple(named),
        tuple(NamedFile(path, kind) for path, kind in sorted(snapshot.trees.items()) if path not in own),
    )


def _target(path: str, snapshot: Snapshot) -> str:
    """Return the path of a file without links."""
    for link, target in snapshot.links.items():
        if target and (path == link or path.startswith(f"{link}/")):
            return f"{target}{path[len(link) :]}"
    return path


class _Reasons:
    """Says why a file of a source is only named."""

    def __init__(self, committed: CommittedPlan) -> None:
        self._snapshot = committed.snapshot
        found = committed.diagnostics
        self._found = {each.file: _BY_FINDING[each.code] for each in found if each.code in _BY_FINDING}
        files, fates = committed.inventory.files, committed.file_fates
        self._fates = {file.path: fates.get(file.dialect_rule_id, "") for file in files}
        read = (committed.snapshot.file(file.path) for file in files if file.status == "read")
        texts = {source.sha256: source.text for source in read if source is not None and source.text}
        self._read = texts.keys()
        self._told = _paths_in(texts.values())
        mains = (name for name in committed.snapshot.names if self._fates.get(name) != CARRIED)
        parts = (name.rpartition("/") for name in mains)
        self._sources = tuple(f"{folder}/" for folder, _, file in parts if folder and file in _MAIN_FILES)

    def of(self, path: str) -> str:
        """Return the key of the reason."""
        if path in self._snapshot.links:
            return "link" if self._snapshot.links[path] else "link-outside"
        if path in self._found:
            return self._found[path]
        name = path.rpartition("/")[2].lower()
        if name in PRIVATE_FILES:
            return "private"
        source = self._snapshot.file(path)
        if source is not None and source.is_held_back:
            return "held-back"
        if (source is not None and source.values_dropped) or name.startswith(".env"):
            return "environment"
        if source is not None and source.sha256 in self._read:
            return "copy"
        if "hooks/" in path:
            return "handler"
        if path.startswith(self._sources):
            return "source"
        if (fate := self._fates.get(path, "")) in REASONS:
            return fate
        if path.startswith("memory/"):
            return "memory"
        if name.startswith(_FOR_PEOPLE):
            return "people"
        if path.startswith(_OF_RUNTIMES):
            return "runtime"
        parts = path.split("/")
        folders = ("/".join(parts[:count]) + "/" for count in range(1, len(parts)))
        return "told" if path in self._told or not self._told.isdisjoint(folders) else "unused"


def _paths_in(texts: Iterable[str]) -> frozenset[str]:
    """Return the paths that texts name, from each of their folders on: `~/ana/notes/` names `notes/`, too."""
    found: set[str] = set()
    for path in {path for text in texts for path in _PATH.findall(text)}:
        names = path.removeprefix("./").rstrip("/.").split("/")
        found.add("/".join(names))
        if "/" in path and not path.startswith("//"):  # no address
            ends = ["/".join(names[first:]) for first in range(len(names))]
            found.update(*(ends[:-1], (f"{end}/" for end in ends)))
    return frozenset(found)


def _top(path: str) -> str:
    folder, slash, _ = path.partition("/")
    return folder + slash if slash else ""
