"""Reads a workspace once into an immutable snapshot; no other module of the core opens its files."""

import codecs
import os
import re
import stat
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import Struct, field

from melleafy_tui.core.errors import UnusableInput
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.snapshot import ReadingOptions, Snapshot, SourceFile
from melleafy_tui.core.source.dropped_values import (
    is_environment_file,
    is_settings_file,
    without_settings_values,
    without_values,
)
from melleafy_tui.core.source.limits import DEFAULT_LIMITS, KNOWN_NAMES, PRIVATE_FILES, Limits, reason_of
from melleafy_tui.core.source.outer_files import (
    MOST_HOPS,
    OuterFile,
    OuterFiles,
    exists,
    folders_above,
    imported_from,
    named_above,
    named_inside,
    repository_of,
)
from melleafy_tui.core.source.reach import Reach
from melleafy_tui.core.source.secrets.masking import masked_file
from melleafy_tui.core.source.state_database import STATE_DATABASES, jobs_in
from melleafy_tui.core.source.walk import OPENING, Beyond, FoundFile, Walk, kind_of, walk_workspace

_UTF16_MARKS: Final = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
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
    given = encoding
    if data.startswith(_UTF32_MARKS):
        return DecodedText(None, "binary", (diagnose("binary-file", path),))
    for mark, encoding in _UTF16_MARKS.items():
        if data.startswith(mark):
            return _decode_utf16(path, data[len(mark) :], encoding, len(mark))
    if b"\0" in data:
        return DecodedText(None, "binary", (diagnose("binary-file", path),))
    mark_length = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
    encoding = "utf-8-sig" if mark_length else "utf-8"
    body = data[mark_length:]
    try:
        return DecodedText(body.decode("utf-8"), encoding)
    except UnicodeDecodeError as error:
        fitting = _fitting(body, (given,) if given else _ENCODINGS)
        if len(fitting) == 1:
            ((name, text),) = fitting.items()
            return DecodedText(text, name)
        finding = _bad_bytes(path, body, error, mark_length, "UTF-8", _line_of(body, error.start))
        return DecodedText(body.decode("utf-8", "replace"), encoding, (finding,))


def _fitting(body: bytes, encodings: Iterable[str]) -> dict[str, str]:
    """Return the texts that strict decoding gives, without those that no person wrote."""
    found: dict[str, str] = {}
    for name in encodings:
        with suppress(UnicodeDecodeError):
            text = body.decode(name)
            if name not in _ENCODINGS or (_WIDE.search(text) and not _ODD.search(text)):
                found[name] = text
    return found


def _decode_utf16(path: str, body: bytes, encoding: str, mark_length: int) -> DecodedText:
    findings: tuple[Diagnostic, ...] = ()
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError as error:
        text = body.decode(encoding, "replace")
        line = body[: error.start].decode(encoding, "replace").count("\n") + 1
        findings = (_bad_bytes(path, body, error, mark_length, "UTF-16", line),)
    if "\0" in text:
        return DecodedText(None, "binary", (diagnose("binary-file", path),))
    return DecodedText(text, "utf-16", findings)


def _bad_bytes(
    path: str, body: bytes, error: UnicodeDecodeError, mark_length: int, encoding: str, line: int
) -> Diagnostic:
    offset = error.start + mark_length
    byte = f"0x{body[error.start]:02X}"
    return diagnose("undecodable-text", path, str(line), offset=offset, byte=byte, encoding=encoding)


def _line_of(body: bytes, offset: int) -> int:
    before = body[:offset]
    return before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n") + 1


CONFIGURATION_NAMES: Final = ("openclaw.json", "openclaw.json5")
CONFIGURATIONS_ABOVE: Final = (*CONFIGURATION_NAMES, "config/openclaw.json")
"""Where the folder above has it; backups keep the workspace and the configuration in two folders."""

JOBS_NAME: Final = "cron/jobs.json"
"""The scheduled jobs, which may be above the workspace too."""

KNOWN_BELOW_THE_ROOT: Final = frozenset({"AGENTS.md", "CLAUDE.md", "HOOK.md", "SKILL.md"})
"""The names of these that are special in any folder; `concepts/bootstrap.md` is an ordinary page."""

READ_IN_LOWER_CASE: Final = frozenset({"memory.md"})
"""Names that OpenClaw also accepts in lower case."""

Progress = Callable[[float], object]
"""Is told the share of the reading that is done, from 0 to 1; may raise to end it."""


def read_snapshot(
    path: Path,
    *,
    wants: Callable[[str], bool],
    reach: Reach = Reach(),  # noqa: B008 - frozen
    home: Path | None = None,
    limits: Limits = DEFAULT_LIMITS,
    outer_files: OuterFiles | None = None,
    named: Callable[[Snapshot], Iterable[str]] = lambda _snapshot: (),
    progress: Progress = lambda _share: None,
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
        progress: Called with the share of the reading that is done; may raise to end it.
        options: What the user allows the reader beyond the workspace.

    Raises:
        UnusableInput: the path doesn't exist, can't be listed, or contains nothing to convert.
    """
    root, primary = _root_and_primary(path)
    repository = repository_of(root, home)
    beyond = [folder for folder in (repository, _folder_of(options.follow_links)) if folder is not None]
    walk = _walk(
        path, root, limits, wants, reach, progress, Beyond(tuple(beyond), frozenset(KNOWN_NAMES.values()))
    )
    names = set(walk.names)
    walk.diagnostics += walk.skipped.findings()
    reading = _Reading(limits, walk, options, walk.diagnostics)
    reading.note_special_files(walk.special, wants)
    reading.note_folders(names, wants)
    # Files near the root come first, so that a large subfolder can't use up the limit before them.
    for number, found in enumerate(sorted(walk.files, key=lambda file: (file.path.count("/"), file.path)), 1):
        if found.path == primary:
            reading.read(found)
        elif found.searched or reach.searches(found.path):
            reading.search(found, reach.mentions)
        elif reading.is_wanted(found.path, wants, names):
            reading.read(found)
        if number % _FILES_A_REPORT == 0:
            progress(_WALK_SHARE + (1 - _WALK_SHARE) * number / len(walk.files))
    if reading.unsearched:
        limit = limits.searched_bytes
        reading.diagnostics.append(diagnose("search-stopped", reading.unsearched, limit=limit))
    reading.read_configuration_above(root, home, names, wants)
    if outer_files is not None:
        for place in named_above(root, repository, outer_files.names):
            reading.read_outer_file(place, place.path)
        reading.follow_imports(root, repository, outer_files)
    names.update(walk.skipped.named_in(reading.files, root))
    ambient = _ambient(root, home)
    snapshot = reading.snapshot(root, names, ambient, primary)
    tried: set[str] = set()
    while reading.read_named(root, named(snapshot), walk.special, tried):
        snapshot = reading.snapshot(root, names, ambient, primary)
    if not reading.files:
        for finding in reading.diagnostics:
            if finding.code == "name-case":
                raise UnusableInput(
                    f"The only file to convert is {finding.file}, and its name must be written otherwise",
                    hint=f"{finding.message} {finding.hint}",
                    location=str(path),
                )
        raise UnusableInput(
            "The folder has no file that can be converted",
            hint="Name the folder that holds SOUL.md, AGENTS.md or the like, or the spec file itself.",
            location=str(path),
        )
    return snapshot


def _folder_of(path: str) -> Path | None:
    """Return the folder that the user named, without links, or None for none.

    Raises:
        UnusableInput: it isn't a folder.
    """
    if not path:
        return None
    folder = Path(path).expanduser()
    if not folder.is_dir():
        raise UnusableInput(
            "The folder into which links may lead isn't one", hint="Name a folder.", location=path
        )
    return folder.resolve()


def _walk(
    path: Path,
    root: Path,
    limits: Limits,
    wants: Callable[[str], bool],
    reach: Reach,
    progress: Progress,
    beyond: Beyond,
) -> Walk:
    furthest = 0.0

    def walked(share: float) -> None:
        nonlocal furthest  # more folders are found while it goes on; a bar never goes back
        furthest = max(furthest, share)
        progress(_WALK_SHARE * furthest)

    try:
        walk = walk_workspace(root, limits, wants, reach, walked, beyond)
    except OSError as error:
        raise UnusableInput(
            f"The folder cannot be listed: {reason_of(error)}",
            hint="Make it readable and run again.",
            location=str(path),
        ) from error
    if not walk.names:
        raise UnusableInput(
            "The folder is empty", hint="Name the folder that holds the agent's files.", location=str(path)
        )
    return walk


_WALK_SHARE: Final = 0.4
"""The share of the walk in the whole reading, for the progress bar."""

_FILES_A_REPORT: Final = 32
_SEARCHED: Final = 64 * 1024
"""The first bytes of a Python file that are searched for a runtime's modules; imports are at the top."""

_PIECE: Final = 1 << 20


class _Reading(Struct):
    """The files read so far."""

    limits: Limits
    walk: Walk
    options: ReadingOptions
    diagnostics: list[Diagnostic]
    files: list[SourceFile] = field(default_factory=list)
    bytes_read: int = 0
    bytes_searched: int = 0
    unsearched: str = ""
    """The first Python file after the limit on searching."""

    def snapshot(self, root: Path, names: set[str], ambient: tuple[str, ...], primary: str) -> Snapshot:
        """Return what was read so far."""
        return Snapshot(
            name=root.name or "workspace",
            root=str(root),
            files=tuple(sorted(self.files, key=lambda file: file.path)),
            names=tuple(sorted(names)),
            ambient=ambient,
            diagnostics=tuple(
                sorted(self.diagnostics, key=lambda finding: (finding.file, finding.code, finding.lines))
            ),
            primary=primary,
            trees=self.walk.skipped.trees | self.walk.trees,
            links={**self.walk.links},
            options=self.options,
        )

    def is_wanted(self, path: str, wants: Callable[[str], bool], names: set[str]) -> bool:
        """Return whether to open a file, applying the rules on upper and lower case."""
        folder, slash, name = path.rpartition("/")
        expected = KNOWN_NAMES.get(name.lower(), name)
        if expected == name:
            return wants(path)
        canonical = f"{folder}{slash}{expected}"
        if not wants(canonical) or (folder and expected not in KNOWN_BELOW_THE_ROOT):
            return wants(path)
        if canonical in names:
            code = "name-case-both"
        elif name in READ_IN_LOWER_CASE:
            code = "name-case-read"
        else:
            code = "name-case"
        self.diagnostics.append(diagnose(code, path, expected=expected))
        return code == "name-case-read"

    def note_special_files(self, special: dict[str, str], wants: Callable[[str], bool]) -> None:
        """Report pipes, sockets and devices that have the name of a wanted file."""
        for path, kind in sorted(special.items()):
            if wants(path):
                self.diagnostics.append(diagnose("not-a-regular-file", path, kind=kind))

    def note_folders(self, names: set[str], wants: Callable[[str], bool]) -> None:
        """Report folders that have the name of a file that runtimes look for in the root."""
        for name in sorted(KNOWN_NAMES.values()):
            if f"{name}/" in names and wants(name):
                self.diagnostics.append(diagnose("not-a-regular-file", name, kind="folder"))

    def search(self, found: FoundFile, mentions: Callable[[bytes], bool]) -> None:
        """Read a Python file if its first bytes mention a runtime; thousands of others cost one system call each."""
        if self.bytes_searched >= self.limits.searched_bytes:
            self.unsearched = self.unsearched or found.path
            return
        try:
            descriptor = os.open(found.real, OPENING)
            try:
                data = os.read(descriptor, _SEARCHED)
            finally:
                os.close(descriptor)
        except OSError as error:
            self.diagnostics.append(diagnose("unreadable-file", found.path, reason=reason_of(error)))
            return
        self.bytes_searched += len(data)
        if mentions(data):
            self.read(found)

    def read_named(self, root: Path, paths: Iterable[str], special: dict[str, str], tried: set[str]) -> bool:
        """Read files inside the root that others name, unless they were tried; return whether there is anything new."""
        unopened = set(paths) - {file.path for file in self.files} - tried
        tried |= unopened
        self.note_special_files(special, unopened.__contains__)
        for path in sorted(unopened - special.keys()):
            if path.rpartition("/")[2].lower() not in PRIVATE_FILES:
                self.read_outer_file(named_inside(root, path), path)
        return bool(unopened)

    def read(self, found: FoundFile) -> bool:
        """Read a file into the snapshot; return whether it was read."""
        try:
            data = self._data_of(found)
            if data is not None and found.path in STATE_DATABASES:
                data = jobs_in(Path(found.real)).encode()
        except ValueError as error:
            self.diagnostics.append(diagnose("state-database-unread", found.path, problem=str(error)))
            return False
        except OSError as error:
            self.diagnostics.append(diagnose("unreadable-file", found.path, reason=reason_of(error)))
            return False
        if data is None:
            return False
        self.bytes_read += len(data)
        if (target := self.walk.target_of_text(found, data)) is not None:
            return bool(target.real) and self.read(target)
        decoded = decode(found.path, data, self.options.encoding)
        text, encoding = decoded.text, decoded.encoding
        dropped = False
        if text is not None and is_environment_file(found.path):
            text, encoding, dropped = without_values(text), "utf-8", True
            data = text.encode("utf-8")
        elif text is not None and is_settings_file(found.path):
            kept = without_settings_values(text)
            if kept != text:
                text, encoding, dropped = kept, "utf-8", True
                data = kept.encode("utf-8")
        self.diagnostics.extend(decoded.diagnostics)
        self.files.append(masked_file(SourceFile(found.path, data, text, encoding, values_dropped=dropped)))
        return True

    def _data_of(self, found: FoundFile) -> bytes | None:
        descriptor = os.open(found.real, OPENING)
        try:
            state = os.fstat(descriptor)
            if not stat.S_ISREG(state.st_mode):
                self.diagnostics.append(diagnose("not-a-regular-file", found.path, kind="special file"))
                return None
            limit = self.limits.file_bytes
            if state.st_size > limit:
                self.diagnostics.append(
                    diagnose("file-too-large", found.path, size=state.st_size, limit=limit)
                )
                return None
            if self.bytes_read + state.st_size > self.limits.total_bytes:
                self.diagnostics.append(
                    diagnose("workspace-too-large", found.path, limit=self.limits.total_bytes)
                )
                return None
            data = _read_up_to(descriptor, limit + 1, state.st_size)
            if len(data) > limit:
                self.diagnostics.append(diagnose("file-too-large", found.path, size=len(data), limit=limit))
                return None
            return data
        finally:
            os.close(descriptor)

    def read_outer_file(self, place: OuterFile, said: str) -> bool:
        """Read a file outside the root, or report why it isn't opened; return whether it was read."""
        if place.refusal:
            self.diagnostics.append(diagnose(place.refusal, said, reason=place.reason))
            return False
        return place.real is not None and self.read(FoundFile(place.path, place.real))

    def follow_imports(self, root: Path, repository: Path | None, outer_files: OuterFiles) -> None:
        """Read the files that the read files import, and their imports, up to `MOST_HOPS` levels."""
        opened = {file.path: file for file in self.files}
        refused: set[tuple[str, str, str]] = set()
        waiting = [(file, False) for _, file in sorted(opened.items())]
        imported: set[str] = set()
        for _ in range(MOST_HOPS):
            found: list[tuple[SourceFile, bool]] = []
            for file, was_imported in waiting:
                for reference in outer_files.imports(file, was_imported):
                    place = imported_from(file, reference, root, repository)
                    if place.refusal:
                        refused.add((place.refusal, f"{file.path} (@{reference})", place.reason))
                        continue
                    if self._opens(place, opened) and place.path not in imported:
                        imported.add(place.path)
                        found.append((opened[place.path], True))
            waiting = found
        self.diagnostics += [diagnose(code, said, reason=reason) for code, said, reason in sorted(refused)]

    def _opens(self, place: OuterFile, opened: dict[str, SourceFile]) -> bool:
        """Read a file unless it is open already; return whether it is open now."""
        if place.path not in opened and self.read_outer_file(place, place.path):
            opened[place.path] = self.files[-1]
        return place.path in opened

    def read_configuration_above(
        self, root: Path, home: Path | None, names: set[str], wants: Callable[[str], bool]
    ) -> None:
        """Read `../openclaw.json`, or `../config/openclaw.json`, and the jobs if the workspace has none.

        Which one is used is reported. One farther up counts if it names this folder as a workspace.
        """
        if self.options.openclaw_config:
            self._read_named_configuration(Path(self.options.openclaw_config).expanduser(), wants)
            return
        self._read_jobs_above(root, names, wants)
        for name in CONFIGURATION_NAMES:
            if not wants(name):
                continue
            if name in names:
                self.diagnostics.append(diagnose("configuration-beside", name))
                return
        for name in CONFIGURATIONS_ABOVE:
            if wants(f"../{name}") and (read := self._read_above(root, name)) is not None:
                if read:
                    self.diagnostics.append(diagnose("configuration-above", f"../{name}"))
                return
        asked = wants(f"../{CONFIGURATION_NAMES[0]}")
        for steps, folder in enumerate(root.parents[1:_FARTHEST] if asked else (), start=2):
            if folder == home:
                return
            place = folder / CONFIGURATION_NAMES[0]
            if place.is_file() and not place.is_symlink():
                self._read_farther(place, f"{'../' * steps}{CONFIGURATION_NAMES[0]}", root)
                return

    def _read_jobs_above(self, root: Path, names: set[str], wants: Callable[[str], bool]) -> None:
        """Read the jobs above the workspace if it has none, and report those that moved into no database."""
        if STATE_DATABASES[0] not in names and wants(STATE_DATABASES[1]):
            self._read_above(root, STATE_DATABASES[0])
        if JOBS_NAME not in names and wants(f"../{JOBS_NAME}"):
            self._read_above(root, JOBS_NAME)
        moved = [each for each in (JOBS_NAME, f"../{JOBS_NAME}") if exists(root / f"{each}.migrated")]
        if moved and not any(file.path in STATE_DATABASES for file in self.files):
            self.diagnostics.append(diagnose("cron-jobs-moved", f"{moved[0]}.migrated"))

    def _read_farther(self, place: Path, shown: str, root: Path) -> None:
        """Read a configuration farther up if it names the workspace, else report it."""
        text = place.read_text("utf-8", "replace") if place.stat().st_size <= self.limits.file_bytes else ""
        named = (
            place.parent / found for found in _WORKSPACE.findall(text) if not found.startswith(("~", "/"))
        )
        if any(each.resolve() == root for each in named):
            self.read(FoundFile(f"../{CONFIGURATION_NAMES[0]}", place))
        else:
            self.diagnostics.append(diagnose("configuration-farther", shown))

    def _read_named_configuration(self, place: Path, wants: Callable[[str], bool]) -> None:
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
            if wants(f"../{name}") and (place.parent / name).is_file():
                self.read(FoundFile(f"../{name}", (place.parent / name).resolve()))

    def _read_above(self, root: Path, name: str) -> bool | None:
        """Read a file in the folder above the workspace; return whether it was read, or None if there is none."""
        path, place = f"../{name}", root.parent / name
        if root.parent == root:
            return None
        try:
            mode = place.lstat().st_mode
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            self.diagnostics.append(diagnose("unreadable-file", path, reason=reason_of(error)))
            return False
        if stat.S_ISREG(mode):
            return self.read(FoundFile(path, place))
        self.diagnostics.append(
            diagnose("link-above", path)
            if stat.S_ISLNK(mode)
            else diagnose("not-a-regular-file", path, kind=kind_of(mode))
        )
        return False


def _read_up_to(descriptor: int, most: int, expected: int) -> bytes:
    """Return at most `most` bytes of a file; a file of the expected size takes a single read."""
    data = os.read(descriptor, min(most, expected + 1))
    if len(data) <= expected and (len(data) == expected or not data):
        return data
    pieces = [data]
    left = most - len(data)
    while left > 0 and (piece := os.read(descriptor, min(left, _PIECE))):
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


def _root_and_primary(path: Path) -> tuple[Path, str]:
    try:
        resolved = path.resolve(strict=True)
        if resolved.is_dir():
            return resolved, ""
        if resolved.is_file():
            return resolved.parent, resolved.name
    except (OSError, RuntimeError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else "the link leads back to itself"
        raise UnusableInput(
            f"The workspace cannot be opened: {reason}",
            hint="Check the path; name the folder that holds the agent's files.",
            location=str(path),
        ) from error
    raise UnusableInput(
        "The workspace is neither a folder nor a file",
        hint="Name the folder that holds the agent's files.",
        location=str(path),
    )


def _ambient(root: Path, home: Path | None) -> tuple[str, ...]:
    """Return labels of runtime folders that exist outside the workspace; they are neither listed nor opened."""
    found = []
    if home is not None and exists(home / ".openclaw"):
        found.append("~/.openclaw/")
    above = _claude_folder_above(root, home)
    if above:
        found.append(above)
    return tuple(found)


def _claude_folder_above(root: Path, home: Path | None) -> str:
    """Return the nearest `.claude/` between the root and its repository's root, as `../.claude/`, or `""`."""
    for steps, folder in folders_above(root, repository_of(root, home)):
        if exists(folder / ".claude"):
            return f"{steps}.claude/"
    return ""
