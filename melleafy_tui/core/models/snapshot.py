"""The snapshot: everything read from a workspace, once, and immutable from then on."""

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from hashlib import sha256
from itertools import islice, takewhile

from msgspec import Struct, structs

from melleafy_tui.core.models.findings import Diagnostic

LINE_END = re.compile(r"\r\n|\n|\r")


class Secret(Struct, frozen=True):
    """A value that was masked when its file was read; it is never written, logged or shown but on its card.

    Attributes:
        start: Where its mask begins in the masked text.
        kind: What it is, in words.
        variable: The environment variable that can replace it.
        sure: Whether it is certainly a secret; the others stay masked until the owner answers.
        named: Whether the variable is the owner's own label.
        released: Whether the owner said that it is no secret, so that it stands in the text.
    """

    start: int
    mask: str
    value: str
    lines: str
    kind: str
    variable: str
    sure: bool
    named: bool = False
    released: bool = False

    def __repr__(self) -> str:
        """Return the variable, without the value."""
        return f"Secret({self.variable!r})"


class SourceFile(Struct, frozen=True, weakref=True):
    """One file that was read. To save memory, its content is stored once: as text if the bytes are that text in UTF-8.

    `path` is relative to the root in POSIX form (`../openclaw.json` for a configuration found above the
    workspace). `raw` is the file as it is on disk, or None if `text` has the same content. `text` is the decoded text
    without a byte order mark and with the original line endings, or None if the file is binary. `values_dropped` says
    that the values of environment variables were dropped from both on reading. `secrets` are the values that were
    masked in both, in order. `masked_sha256` is the digest before some of them were released. `is_code`
    says of a file with secrets that it is a program.
    """

    path: str
    raw: bytes | None
    text: str | None
    encoding: str = "utf-8"
    values_dropped: bool = False
    secrets: tuple[Secret, ...] = ()
    masked_sha256: str = ""
    is_code: bool = False

    def __post_init__(self) -> None:
        """Drop the bytes if the text has the same content."""
        if self.text is not None and _encoded(self.text) == self.raw:
            structs.force_setattr(self, "raw", None)

    def __repr__(self) -> str:
        """Return the path; the content would fill the screen."""
        return f"SourceFile({self.path!r})"

    @property
    def data(self) -> bytes:
        """Return the bytes of the file."""
        return (self.text or "").encode() if self.raw is None else self.raw

    @property
    def is_held_back(self) -> bool:
        """Return whether a file is code with a secret: it isn't carried, since nobody asked to rewrite it."""
        return self.is_code and any(not each.released for each in self.secrets)

    @property
    def sha256(self) -> str:
        """Return the SHA-256 of the bytes in hexadecimal, of a file with secrets that of its masked text.

        From a digest of the text itself, a PIN could be found by trying all.
        """
        return self.masked_sha256 or sha256(self.data).hexdigest()

    @property
    def lines(self) -> tuple[str, ...]:
        """Return the lines without line endings; like in an editor, only LF, CRLF and CR end a line."""
        return lines_of(self.text) if self.text else ()

    def cut(self, first: int, last: int) -> str:
        """Return lines `first` to `last` (1-based, inclusive) verbatim, without the last line ending."""
        if self.text is None:
            return ""
        if first == 1 and last >= len(self.lines):
            return _without_line_end(self.text)
        starts = _line_starts_of(self.text)
        piece = self.text[starts[first - 1] : starts[min(last, len(starts) - 1)]]
        return _without_line_end(piece)


def _encoded(text: str) -> bytes | None:
    """Return the text in UTF-8, or None if it can't be encoded."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return None


@lru_cache(maxsize=16)  # the lines of thousands of files would double their memory
def lines_of(text: str) -> tuple[str, ...]:
    """Return the lines of a text without their ends, as a file's are counted."""
    parts = LINE_END.split(text) if "\r" in text else text.split("\n")
    if parts[-1] == "":
        parts.pop()
    return tuple(parts)


@lru_cache(maxsize=16)  # as above
def _line_starts_of(text: str) -> "array[int]":
    starts = [0, *(end.end() for end in LINE_END.finditer(text))]
    if starts[-1] != len(text):
        starts.append(len(text))
    return array("Q", starts)


def _without_line_end(text: str) -> str:
    if text.endswith("\r\n"):
        return text[:-2]
    return text[:-1] if text.endswith(("\n", "\r")) else text


class ReadingOptions(Struct, frozen=True):
    """What a user allows the reader beyond the workspace, on the command line alone.

    Attributes:
        openclaw_config: The configuration of the agent, in place of the one that is looked for.
        follow_links: The folder into which links of bootstrap files may lead.
        encoding: The encoding of texts that aren't UTF-8.
    """

    openclaw_config: str = ""
    follow_links: str = ""
    encoding: str = ""


class Snapshot(Struct, frozen=True, dict=True):
    """A workspace at one point in time.

    `name` is the folder's name. `root` is its absolute path, used for messages and for locating the output, never in
    emitted text. `files` are the files that were read, sorted by path. `names` are all paths in the workspace, read or
    not, sorted; folders end in `/`. `ambient` lists what exists outside the workspace, such as `~/.openclaw/`.
    `primary` is the path of the primary spec if the user named a file. `trees` are the folders that weren't entered,
    by path, with the reason (`file_reasons.toml`), and `links` the links, with their targets below the root or `""`.
    `options` are those that it was read with.
    """

    name: str
    root: str
    files: tuple[SourceFile, ...]
    names: tuple[str, ...]
    ambient: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    primary: str = ""
    trees: Mapping[str, str] = {}
    links: Mapping[str, str] = {}
    options: ReadingOptions = ReadingOptions()

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """Return the paths of the regular files below the root."""
        return tuple(
            name
            for name in self.names
            if not name.endswith("/") and name not in self.links and name[:3] != "../"
        )

    @cached_property
    def last_names(self) -> frozenset[str]:
        """Return the names of all files and folders, without the folders that they are in."""
        return frozenset(name.rstrip("/").rpartition("/")[2] for name in self.names)

    @cached_property
    def _files_by_path(self) -> dict[str, SourceFile]:
        return {file.path: file for file in self.files}

    @cached_property
    def _name_set(self) -> frozenset[str]:
        return frozenset(self.names)

    @cached_property
    def without_notes(self) -> tuple[SourceFile, ...]:
        """Return the files except Markdown in subfolders, since notes and documents there can be about anything."""
        return tuple(file for file in self.files if "/" not in file.path or not file.path.endswith(".md"))

    def file(self, path: str) -> SourceFile | None:
        """Return the file at `path`, or None if it wasn't read."""
        return self._files_by_path.get(path)

    def has(self, name: str) -> bool:
        """Return whether the workspace contains `name`; folder names end in `/`."""
        return name in self._name_set

    def below(self, folder: str) -> Iterator[str]:
        """Yield the names in `folder` (which ends in `/`), in order."""
        first = bisect_left(self.names, folder)
        inside = takewhile(lambda name: name.startswith(folder), islice(self.names, first, None))
        return (name for name in inside if name != folder)
