"""Reads a workspace once into an immutable snapshot; no other module of the core opens its files."""

import codecs
import os
import re
import stat
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Final

from msgspec import Struct, field

from melleafy_tui.core.errors import UnusableInput
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.snapshot import LINE_END, ReadingOptions, Snapshot, SourceFile
from melleafy_tui.core.source.dropped_values import kept_text
from melleafy_tui.core.source.limits import (
    DEFAULT_LIMITS,
    KNOWN_NAMES,
    PRIVATE_FILES,
    Limits,
    reason_of,
    resolved,
)
from melleafy_tui.core.source.outer_files import (
    MOST_HOPS,
    OuterFile,
    OuterFiles,
    exists,
    folders_above,
    imported_from,
    located,
    named_above,
    repository_of,
)
from melleafy_tui.core.source.reach import Reach, about_skipped, named_in
from melleafy_tui.core.source.secrets.masking import masked_file
from melleafy_tui.core.source.state_database import STATE_DATABASES, jobs_in
from melleafy_tui.core.source.walk import Beyond, FoundFile, Walk, kind_of, opened, walk_workspace

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig", "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16", "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16", "utf-16-be"),
    (b"", "utf-8", "utf-8"),
)
"""Byte order marks, what a text with one is called, and its codec."""
_UTF32_MARKS: Final = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)


class DecodedText(Struct, frozen=True):
    """A file's text without its byte order mark; the text is None for a binary file."""

    text: str | None
    encoding: str
    diagnostics: tuple[Diagnostic, ...] = ()


_ENCODINGS: Final = ("gb18030", "big5", "shift_jis")
_WIDE: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_ODD: Final = re.compile(r"[\uff61-\uff9f\ue000-\uf8ff]")
_FARTHEST: Final = 5
"""Folders above the workspace in which a configuration is looked for."""
_WORKSPACE: Final = re.compile(r"[\"']?workspace[\"']?\s*:\s*[\"']([^\"'\n]{1,300})[\"']")
"""A workspace in a configuration, whose path counts from the configuration's own folder."""


def decode(path: str, data: bytes, encoding: str = "") -> DecodedText:
    """Decode a file: UTF-8 with or without a mark, UTF-16 with a mark, else what fits strictly.

    Args:
        path: Its path.
        data: Its bytes.
        encoding: The encoding that the user named for texts that aren't UTF-8; without it, GB18030, Big5 or
            Shift-JIS is taken where exactly one of them fits.
    """
    mark, name, codec = next(row for row in _MARKS if data.startswith(row[0]))
    body, is_narrow = data[len(mark) :], codec == "utf-8"
    findings: tuple[Diagnostic, ...] = ()
    if data.startswith(_UTF32_MARKS) or (is_narrow and b"\0" in data):
        return DecodedText(None, "binary", (diagnose("binary-file", path),))
    try:
        text = body.decode(codec)
    except UnicodeDecodeError as error:
        fitting = _fitting(body, (encoding,) if encoding else _ENCODINGS) if is_narrow else {}
        if len(fitting) == 1:
            ((name, text),) = fitting.items()
            return DecodedText(text, name)
        text, start = body.decode(codec, "replace"), error.start
        line = 1 + len(LINE_END.findall(body[:start].decode(codec, "replace")))
        shown, byte = "UTF-8" if is_narrow else "UTF-16", f"0x{body[start]:02X}"
        finding = diagnose(
            "undecodable-text", path, str(line), offset=start + len(mark), byte=byte, encoding=shown
        )
        findings = (finding,)
    if "\0" in text:
        return DecodedText(None, "binary", (diagnose("binary-file", path),))
    return DecodedText(text, name, findings)


def _fitting(body: bytes, encodings: Iterable[str]) -> dict[str, str]:
    """Return the texts that strict decoding gives, without those that no person wrote."""
    found: dict[str, str] = {}
    for name in encodings:
        with suppress(UnicodeDecodeError):
            text = body.decode(name)
            if name not in _ENCODINGS or (_WIDE.search(text) and not _ODD.search(text)):
                found[name] = text
    return found


CONFIGURATION_NAMES: Final = ("openclaw.json", "openclaw.json5")
CONFIGURATIONS_ABOVE: Final = (*CONFIGURATION_NAMES, "config/openclaw.json")
"""Where the folder above has it; backups keep the workspace and the configuration in two folders."""

JOBS_NAME: Final = "cron/jobs.json"
"""The scheduled jobs, which may be above the workspace too."""

KNOWN_BELOW_THE_ROOT: Final = frozenset({"AGENTS.md", "CLAUDE.md", "HOOK.md", "SKILL.md"})
"""The names of these that are special in any folder; `concepts/bootstrap.md` is an ordinary page."""

READ_IN_LOWER_CASE: Final = frozenset({"memory.md"})
"""Names that OpenClaw also accepts in lower case."""

Progress = Callable[[float, str], object]
"""Told the share that is read, from 0 to 1, and what was found so far in words; may raise to end it."""


def read_snapshot(
    path: Path,
    *,
    wants: Callable[[str], bool],
    reach: Reach = Reach(),  # noqa: B008 - frozen
    home: Path | None = None,
    limits: Limits = DEFAULT_LIMITS,
    outer_files: OuterFiles = OuterFiles(),  # noqa: B008 - frozen
    named: Callable[[Snapshot], Iterable[str]] = lambda _snapshot: (),
    progress: Progress = lambda _share, _found: None,
    options: ReadingOptions = ReadingOptions(),  # noqa: B008 - frozen
) -> Snapshot:
    """Read a workspace into a snapshot.

    Args:
        path: The folder, or a file in it, which becomes the primary spec.
        wants: Returns whether any dialect reads the file at a path relative to the root.
        reach: What the dialects declare about these files; by default, each file is asked about and read.
        home: The home folder, checked only for the existence of `.openclaw/`; None to skip the check.
        limits: The limits on what is read.
        outer_files: The files up to the repository's root, and the imports, that dialects read.
        named: Returns the paths of further files that the files read name.
        progress: Called with the share of the reading that is done and what was read; may raise to end it.
        options: What the user allows the reader beyond the workspace.

    Raises:
        UnusableInput: the path doesn't exist, can't be listed, or contains nothing to convert.
    """
    root, primary = _root_and_primary(path)
    repository = repository_of(root, home)
    folders = [folder for folder in (repository, _folder_of(options.follow_links)) if folder is not None]
    beyond = Beyond(tuple(folders), frozenset(KNOWN_NAMES.values()))

    def walked(share: float, found: str) -> None:
        progress(_WALK_SHARE * share, found)

    try:
        walk = walk_workspace(root, limits, wants, reach, walked, beyond)
    except OSError as error:
        said = f"The folder cannot be listed: {reason_of(error)}"
        hint = "Make it readable and run again."
        raise UnusableInput(said, hint=hint, location=str(path)) from error
    names = set(walk.names)
    walk.diagnostics += about_skipped(walk.trees)
    reading = _Reading(
        root, limits, walk, beyond, options, wants, names, primary, _ambient(root, home), walk.diagnostics
    )
    misplaced = {name: "folder" for name in KNOWN_NAMES.values() if f"{name}/" in names}
    reading.note_special(walk.special | misplaced, wants)
    # Files near the root come first, so that a large subfolder can't use up the limit before them.
    for number, found in enumerate(sorted(walk.files, key=lambda file: (file.path.count("/"), file.path)), 1):
        if found.path == primary:
            reading.read(found)
        elif found.searched or reach.searches(found.path):
            reading.search(found, reach.mentions)
        elif reading.is_wanted(found.path):
            reading.read(found)
        if number % _FILES_A_REPORT == 0:
            read = (reading.bytes_read + reading.bytes_searched) / _MEGABYTE
            said = f"{number:,} of {len(walk.files):,} files, {read:.1f} MB"
            progress(_WALK_SHARE + (1 - _WALK_SHARE) * number / len(walk.files), said)
    if reading.unsearched:
        reading.report("search-stopped", reading.unsearched, limit=limits.searched_bytes)
    reading.read_configuration_above(home)
    for place in named_above(root, repository, outer_files.names):
        reading.read_outer_file(place, place.path)
    reading.follow_imports(repository, outer_files)
    names.update(named_in(walk.trees, reading.files, root))
    snapshot = reading.snapshot()
    tried: set[str] = set()
    while reading.read_named(named(snapshot), tried):
        snapshot = reading.snapshot()
    if not reading.files:
        raise _nothing_to_convert(path, reading.diagnostics)
    return snapshot


def _nothing_to_convert(path: Path, findings: Iterable[Diagnostic]) -> UnusableInput:
    misnamed = next((finding for finding in findings if finding.code == "name-case"), None)
    if misnamed is not None:
        said = f"The only file to convert is {misnamed.file}, and its name must be written otherwise"
        return UnusableInput(said, hint=f"{misnamed.message} {misnamed.hint}", location=str(path))
    return UnusableInput(
        "The folder has no file that can be converted",
        hint="Name the folder that holds SOUL.md, AGENTS.md or the like, or the spec file itself.",
        location=str(path),
    )


def _folder_of(path: str) -> Path | None:
    """Return the folder that the user named, without links, or None for none.

    Raises:
        UnusableInput: it isn't a folder.
    """
    if not path:
        return None
    folder = Path(path).expanduser()
    if not folder.is_dir():
        raise UnusableInput("Links can only lead into a folder", hint="Name a folder.", location=path)
    return folder.resolve()


_NAME_THE_FOLDER: Final = "Check the path; name the folder that holds the agent's files."
_WALK_SHARE: Final = 0.4
"""The share of the walk in the whole reading, for the progress bar."""

_LONGEST_TARGET: Final = 400
_TARGET: Final = re.compile(rb"(?:\.{1,2}/)*(?:[\w .-]+/)*[\w.-]+\.md\s*")
"""The whole text of a file that stands for a link."""
_FILES_A_REPORT: Final = 32
_MEGABYTE: Final = 1_000_000
_SEARCHED: Final = 64 * 1024
"""The first bytes of a Python file that are searched for a runtime's modules; imports are at the top."""


class _Reading(Struct):
    """The files read so far."""

    root: Path
    limits: Limits
    walk: Walk
    beyond: Beyond
    options: ReadingOptions
    wants: Callable[[str], bool]
    names: set[str]
    primary: str
    ambient: tuple[str, ...]
    diagnostics: list[Diagnostic]
    files: list[SourceFile] = field(default_factory=list)
    bytes_read: int = 0
    bytes_searched: int = 0
    unsearched: str = ""
    """The first Python file after the limit on searching."""

    def snapshot(self) -> Snapshot:
        """Return what was read so far."""
        findings = sorted(self.diagnostics, key=lambda finding: (finding.file, finding.code, finding.lines))
        return Snapshot(
            name=self.root.name or "workspace",
            root=str(self.root),
            files=tuple(sorted(self.files, key=lambda file: file.path)),
            names=tuple(sorted(self.names)),
            ambient=self.ambient,
            diagnostics=tuple(findings),
            primary=self.primary,
            trees={**self.walk.trees},
            links={**self.walk.links},
            options=self.options,
        )

    def report(self, code: str, path: str, **values: str | int) -> None:
        """Note a finding about a file."""
        self.diagnostics.append(diagnose(code, path, "", **values))

    def is_wanted(self, path: str) -> bool:
        """Return whether to open a file, applying the rules on upper and lower case."""
        folder, slash, name = path.rpartition("/")
        expected = KNOWN_NAMES.get(name.lower(), name)
        if expected == name:
            return self.wants(path)
        canonical = f"{folder}{slash}{expected}"
        if not self.wants(canonical) or (folder and expected not in KNOWN_BELOW_THE_ROOT):
            return self.wants(path)
        if canonical in self.names:
            code = "name-case-both"
        elif name in READ_IN_LOWER_CASE:
            code = "name-case-read"
        else:
            code = "name-case"
        self.report(code, path, expected=expected)
        return code == "name-case-read"

    def note_special(self, special: dict[str, str], wants: Callable[[str], bool]) -> None:
        """Report pipes, devices and folders that have the name of a wanted file."""
        for path, kind in sorted(special.items()):
            if wants(path):
                self.report("not-a-regular-file", path, kind=kind)

    def search(self, found: FoundFile, mentions: Callable[[bytes], bool]) -> None:
        """Read a Python file if its first bytes mention a runtime; thousands of others cost one system call each."""
        if self.bytes_searched >= self.limits.searched_bytes:
            self.unsearched = self.unsearched or found.path
            return
        try:
            with opened(found.real) as file:
                data = file.read(_SEARCHED)
        except OSError as error:
            self.report("unreadable-file", found.path, reason=reason_of(error))
            return
        self.bytes_searched += len(data)
        if mentions(data):
            self.read(found)

    def read_named(self, paths: Iterable[str], tried: set[str]) -> bool:
        """Read files inside the root that others name, unless they were tried; return whether there is anything new."""
        unopened = set(paths) - {file.path for file in self.files} - tried
        tried |= unopened
        self.note_special(self.walk.special, unopened.__contains__)
        for path in sorted(unopened - self.walk.special.keys()):
            if path.rpartition("/")[2].lower() not in PRIVATE_FILES:
                self.read_outer_file(located(path, self.root / path, self.root), path)
        return bool(unopened)

    def read(self, found: FoundFile) -> bool:
        """Read a file into the snapshot; return whether it was read."""
        try:
            data = self._data_of(found)
            if data is not None and found.path in STATE_DATABASES:
                data = jobs_in(Path(found.real)).encode()
        except ValueError as error:
            self.report("state-database-unread", found.path, problem=str(error))
            return False
        except OSError as error:
            self.report("unreadable-file", found.path, reason=reason_of(error))
            return False
        if data is None:
            return False
        self.bytes_read += len(data)
        if (was_read := self._read_target(found, data)) is not None:
            return was_read
        decoded = decode(found.path, data, self.options.encoding)
        text, encoding = decoded.text, decoded.encoding
        kept = kept_text(found.path, text) if text is not None else None
        if kept is not None:
            text, encoding, data = kept, "utf-8", kept.encode()
        self.diagnostics.extend(decoded.diagnostics)
        source = SourceFile(found.path, data, text, encoding, values_dropped=kept is not None)
        self.files.append(masked_file(source))
        return True

    def _read_target(self, found: FoundFile, data: bytes) -> bool | None:
        """Read the file that a bootstrap file stands for; return None if its text isn't the target of a link.

        Where links aren't supported, git writes the target's path into a file of the link's name.
        """
        name, place = found.path.rpartition("/")[2], Path(found.real)
        if name not in self.beyond.names or len(data) > _LONGEST_TARGET or not _TARGET.fullmatch(data):
            return None
        target = (place.parent / data.decode().strip()).resolve()
        if not target.is_file() or target == place.resolve():
            return None
        inside = target.is_relative_to(self.root)
        self.walk.links[found.path] = target.relative_to(self.root).as_posix() if inside else ""
        allowed = inside or self.beyond.allows(name, target)
        if not inside:
            self.report("link-followed" if allowed else "link-outside", found.path, target=target.name)
        return allowed and self.read(FoundFile(found.path, target))

    def _data_of(self, found: FoundFile) -> bytes | None:
        """Return the bytes of a file, None if a limit forbids or it is no regular file any more, which is reported."""
        largest, left = self.limits.file_bytes, self.limits.total_bytes - self.bytes_read
        with opened(found.real) as file:
            state = os.fstat(file.fileno())
            if not stat.S_ISREG(state.st_mode):
                finding = diagnose("not-a-regular-file", found.path, kind="special file")
            elif state.st_size <= largest and state.st_size > left:
                finding = diagnose("workspace-too-large", found.path, limit=self.limits.total_bytes)
            elif state.st_size <= largest and len(data := file.read(largest + 1)) <= largest:
                return data
            else:
                size = max(state.st_size, largest + 1)
                finding = diagnose("file-too-large", found.path, size=size, limit=largest)
        self.diagnostics.append(finding)
        return None

    def read_outer_file(self, place: OuterFile, said: str) -> bool:
        """Read a file outside the root, or report why it isn't opened; return whether it was read."""
        if place.refusal:
            self.report(place.refusal, said, reason=place.reason)
            return False
        return place.real is not None and self.read(FoundFile(place.path, place.real))

    def follow_imports(self, repository: Path | None, outer_files: OuterFiles) -> None:
        """Read the files that the read files import, and their imports, up to `MOST_HOPS` levels."""
        opened = {file.path: file for file in self.files}
        refused: set[tuple[str, str, str]] = set()
        waiting = [(file, False) for _, file in sorted(opened.items())]
        imported: set[str] = set()
        for _ in range(MOST_HOPS):
            found: list[tuple[SourceFile, bool]] = []
            for file, was_imported in waiting:
                for reference in outer_files.imports(file, was_imported):
                    place = imported_from(file, reference, self.root, repository)
                    if place.refusal:
                        refused.add((place.refusal, f"{file.path} (@{reference})", place.reason))
                        continue
                    if place.path not in opened and self.read_outer_file(place, place.path):
                        opened[place.path] = self.files[-1]
                    if place.path in opened and place.path not in imported:
                        imported.add(place.path)
                        found.append((opened[place.path], True))
            waiting = found
        self.diagnostics += [diagnose(code, said, reason=reason) for code, said, reason in sorted(refused)]

    def read_configuration_above(self, home: Path | None) -> None:
        """Read `../openclaw.json`, or `../config/openclaw.json`, and the jobs if the workspace has none.

        Which one is used is reported. One farther up counts if it names this folder as a workspace.
        """
        if self.options.openclaw_config:
            self._read_named_configuration(Path(self.options.openclaw_config).expanduser())
            return
        self._read_jobs_above()
        for name in CONFIGURATION_NAMES:
            if self.wants(name) and name in self.names:
                self.report("configuration-beside", name)
                return
        for name in CONFIGURATIONS_ABOVE:
            if self.wants(f"../{name}") and (read := self._read_above(name)) is not None:
                if read:
                    self.report("configuration-above", f"../{name}")
                return
        asked = self.wants(f"../{CONFIGURATION_NAMES[0]}")
        for steps, folder in enumerate(self.root.parents[1:_FARTHEST] if asked else (), start=2):
            if folder == home:
                return
            place = folder / CONFIGURATION_NAMES[0]
            if place.is_file() and not place.is_symlink():
                self._read_farther(place, f"{'../' * steps}{CONFIGURATION_NAMES[0]}")
                return

    def _read_jobs_above(self) -> None:
        """Read the jobs above the workspace if it has none, and report those that moved into no database."""
        if STATE_DATABASES[0] not in self.names and self.wants(STATE_DATABASES[1]):
            self._read_above(STATE_DATABASES[0])
        if JOBS_NAME not in self.names and self.wants(f"../{JOBS_NAME}"):
            self._read_above(JOBS_NAME)
        moved = [each for each in (JOBS_NAME, f"../{JOBS_NAME}") if exists(self.root / f"{each}.migrated")]
        if moved and not any(file.path in STATE_DATABASES for file in self.files):
            self.report("cron-jobs-moved", f"{moved[0]}.migrated")

    def _read_farther(self, place: Path, shown: str) -> None:
        """Read a configuration farther up if it names the workspace, else report it."""
        text = place.read_text("utf-8", "replace") if place.stat().st_size <= self.limits.file_bytes else ""
        named = (
            place.parent / found for found in _WORKSPACE.findall(text) if not found.startswith(("~", "/"))
        )
        if any(each.resolve() == self.root for each in named):
            self.read(FoundFile(f"../{CONFIGURATION_NAMES[0]}", place))
        else:
            self.report("configuration-farther", shown)

    def _read_named_configuration(self, place: Path) -> None:
        """Read the configuration that the user named, and the jobs beside it, as if it lay above the workspace.

        Raises:
            UnusableInput: it can't be read.
        """
        if not self.read(FoundFile(f"../{CONFIGURATION_NAMES[0]}", place.resolve())):
            raise UnusableInput(
                "The configuration can't be read",
                hint="Name a file with --openclaw-config.",
                location=str(place),
            )
        for name in (STATE_DATABASES[0], JOBS_NAME):
            if self.wants(f"../{name}") and (place.parent / name).is_file():
                self.read(FoundFile(f"../{name}", (place.parent / name).resolve()))

    def _read_above(self, name: str) -> bool | None:
        """Read a file in the folder above the workspace; return whether it was read, or None if there is none."""
        path, place = f"../{name}", self.root.parent / name
        if self.root.parent == self.root:
            return None
        try:
            mode = place.lstat().st_mode
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            self.report("unreadable-file", path, reason=reason_of(error))
            return False
        if stat.S_ISREG(mode):
            return self.read(FoundFile(path, place))
        if stat.S_ISLNK(mode):
            self.report("link-above", path)
        else:
            self.report("not-a-regular-file", path, kind=kind_of(mode))
        return False


def _root_and_primary(path: Path) -> tuple[Path, str]:
    place = resolved(path, "The workspace", _NAME_THE_FOLDER)
    if place.is_dir():
        return place, ""
    if place.is_file():
        return place.parent, place.name
    said = "The workspace is neither a folder nor a file"
    raise UnusableInput(said, hint=_NAME_THE_FOLDER, location=str(path))


def _ambient(root: Path, home: Path | None) -> tuple[str, ...]:
    """Return labels of runtime folders that exist outside the workspace; they are neither listed nor opened.

    They are that of OpenClaw in the home folder, and the nearest `.claude/` up to the repository's root.
    """
    folders = folders_above(root, repository_of(root, home))
    above = (f"{steps}.claude/" for steps, folder in folders if exists(folder / ".claude"))
    has_openclaw = home is not None and exists(home / ".openclaw")
    return (*(["~/.openclaw/"] if has_openclaw else []), *islice(above, 1))
