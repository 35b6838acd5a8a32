"""The file set: every emitted file in memory, with the way back from its lines to the source."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Final, NamedTuple

from msgspec import Struct

CARRIED_FOLDERS: Final = ("references/", "scripts/", "assets/")
"""Folders of a package that hold the workspace's own files, which are no generated code."""


class LineProvenance(NamedTuple):
    """Emitted lines `first` to `last` (1-based, inclusive) that carry text of one element.

    A tuple, since a large package has tens of thousands of them, and each act makes and compares all behind its line.
    """

    first: int
    last: int
    element_id: str
    source_file: str
    source_lines: str


@dataclass(frozen=True)
class EmittedFile:
    """One file of the output; `path` is relative to the output folder, POSIX, checked to stay inside.

    `outline` is code with the items of its long lists left blank, which defines and imports the same at the same lines;
    it is `""` where that would leave nothing out.
    """

    path: str
    data: bytes = field(repr=False)
    provenance: tuple[LineProvenance, ...] = ()
    outline: str = field(default="", repr=False, compare=False)

    @cached_property
    def sha256(self) -> str:
        """Return the SHA-256 of the bytes in hexadecimal."""
        return sha256(self.data).hexdigest()

    @property
    def text(self) -> str:
        """Return the file as text, not kept beside it; bytes that are no UTF-8 are shown as replacement characters."""
        return self.data.decode("utf-8", "replace")


class FileSet:
    """All emitted files, sorted by path.

    The generators give one that makes each file when it is first asked for (`generators/render.py`): who needs one file
    asks for that alone, and who asks for `files` gets all of them made.

    Args:
        files: The files, sorted by path.
        package_name: The package's folder.
    """

    def __init__(self, files: tuple[EmittedFile, ...], package_name: str) -> None:
        self._files = files
        self.package_name = package_name

    @property
    def files(self) -> tuple[EmittedFile, ...]:
        """Return all files, sorted by path."""
        return self._files

    @cached_property
    def by_path(self) -> dict[str, EmittedFile]:
        """Return the files by path."""
        return {file.path: file for file in self.files}

    def file(self, path: str) -> EmittedFile | None:
        """Return one file, or None where there is none at that path."""
        return self.by_path.get(path)

    def some(self, wanted: Callable[[str], bool]) -> dict[str, EmittedFile]:
        """Return the files of some paths by path, sorted.

        Args:
            wanted: Says whether a path is wanted; it may also be asked for a pattern of paths with `*` in it.
        """
        return {path: file for path, file in self.by_path.items() if wanted(path)}

    def __eq__(self, other: object) -> bool:
        """Return whether another set has the same files."""
        if not isinstance(other, FileSet):
            return NotImplemented
        return self.package_name == other.package_name and self.files == other.files

    def __hash__(self) -> int:
        """Return a hash that equal sets share."""
        return hash((self.package_name, self.files))


class RunCost(Struct, frozen=True):
    """What one run of the package costs, as far as it can be counted beforehand.

    `calls` are the model calls of a run whose checks all pass at the first try, `calls_individual` what they would be
    with each judged rule on its own, `prompt_characters` the fixed text in the prompts of one run, `prompt_tokens`
    an estimate (`core/language/tokens.py`). `calls_heartbeat` are those of a heartbeat that acts, 0 where the package
    has none, and `judged_rules` counts the rules that the model judges.
    """

    calls: int
    calls_individual: int
    prompt_characters: int
    prompt_tokens: int
    calls_heartbeat: int = 0
    judged_rules: int = 0
