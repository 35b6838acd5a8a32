"""Reads and writes decisions files; `rebase.py` finds the elements that their entries belong to.

Errors name the entry, its line and the reason, because people also edit the file by hand.
"""

import errno
import json
import os
import select
import stat
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from glob import escape
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, Final, get_args, get_origin

from msgspec import Struct
from pydantic import BaseModel, ValidationError

from melleafy_tui.core.decisions.saving import note_saved
from melleafy_tui.core.errors import (
    DecisionsRefused,
    MelleafyError,
    UnusableInput,
    did_you_mean,
    quoted_names,
)
from melleafy_tui.core.models.decisions import DECISIONS_SCHEMA, DecisionsDocument
from melleafy_tui.core.models.vocabulary import DECISIONS_FILE
from melleafy_tui.core.output.file_operations import FileOperations
from melleafy_tui.core.output.paths import digest_on_disk, free_place
from melleafy_tui.core.source.json5 import JsonNode, parse_json5

LARGEST_FILE: Final = 10_000_000
"""Bytes; a larger file is refused without reading it."""

_HINT: Final = "Correct the file; `melleafy-tui schema decisions` prints what it may hold."
_LONGEST_QUOTE: Final = 60
_DRAFT: Final = ".draft"
_BACKUP: Final = ".bak"


class Written(Struct, frozen=True):
    """A decisions file that was written: its SHA-256, and the backup of the file that was there before."""

    digest: str
    backup: Path | None = None


def read_decisions(path: Path) -> DecisionsDocument:
    """Read a decisions file.

    Raises:
        UnusableInput: the file can't be read.
        DecisionsRefused: it contains something that can't be applied.
    """
    try:
        with os.fdopen(os.open(path, _READING), "rb") as file:
            _wait_for_writer(file, path)
            return read_decisions_from(file, source=str(path))
    except OSError as error:
        raise UnusableInput(
            f"The decisions file cannot be read ({error.strerror or error})",
            hint="Check the path and its permissions.",
            location=str(path),
        ) from error


_READING: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
PIPE_PATIENCE: Final = 10.0
"""Seconds to wait for what is written to a pipe, such as that of `--decisions <(command)`."""


def _wait_for_writer(file: BinaryIO, path: Path) -> None:
    """Wait for what is written to a pipe; one in a downloaded workspace may have nobody who writes.

    Raises:
        OSError: nothing was written.
    """
    if not stat.S_ISFIFO(os.fstat(file.fileno()).st_mode):
        return
    if not select.select([file], [], [], PIPE_PATIENCE)[0]:
        raise OSError(errno.ETIMEDOUT, "it is a pipe that nobody writes to", str(path))
    os.set_blocking(file.fileno(), True)


def read_decisions_from(stream: BinaryIO, *, source: str) -> DecisionsDocument:
    """Read a decisions file from an open stream.

    Args:
        stream: The stream; no more of it is read than a decisions file may hold.
        source: The stream's name, for messages.

    Raises:
        OSError: the stream can't be read.
        UnusableInput: it holds more than a decisions file may.
        DecisionsRefused: it contains something that can't be applied.
    """
    data = stream.read(LARGEST_FILE + 1)  # a device has no size and may have no end
    if len(data) > LARGEST_FILE:
        raise UnusableInput(
            f"The decisions file is larger than {LARGEST_FILE:,} bytes",
            hint="Give the path of a decisions file.",
            location=source,
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DecisionsRefused(
            f"The decisions file is not UTF-8 (byte {error.start})",
            hint="Save it as UTF-8.",
            location=source,
        ) from error
    return parse_decisions(text, source=source, digest=sha256(data).hexdigest())


def parse_decisions(text: str, *, source: str = DECISIONS_FILE, digest: str = "") -> DecisionsDocument:
    """Parse the text of a decisions file.

    Args:
        text: The file's text.
        source: The file's name, for messages.
        digest: The SHA-256 of the file, if the text is from one.

    Raises:
        DecisionsRefused: the text isn't valid JSON, or contains something unknown.
    """

    def without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) < len(pairs):
            name = next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
            last = text.rfind(json.dumps(name, ensure_ascii=False))
            line = text.count("\n", 0, max(last, 0)) + 1
            raise DecisionsRefused(
                f"The name {_quoted(name)} appears twice in one object",
                hint="Keep one of the two.",
                location=f"{source}:{line}",
            )
        return found

    try:
        raw = json.loads(text, object_pairs_hook=without_repeats)
        positions = parse_json5(text)
    except json.JSONDecodeError as error:
        said, place = f"is not valid JSON: {_lower(error.msg)}", f"{source}:{error.lineno}:{error.colno}"
        raise DecisionsRefused(f"The decisions file {said}", hint=_HINT, location=place) from error
    except (RecursionError, ValueError) as error:
        said = "is nested too deep, has a number that is too long, or is not valid JSON"
        raise DecisionsRefused(f"The decisions file {said}", hint=_HINT, location=source) from error
    if not isinstance(raw, dict):
        raise DecisionsRefused("The decisions file is not a JSON object", hint=_HINT, location=f"{source}:1")
    try:
        return DecisionsDocument.model_validate_json(text).read_from(source, _entry_lines(positions), digest)
    except ValidationError as error:
        raise _refusal(error, raw, positions, source) from error


def format_decisions(document: DecisionsDocument, *, schema: str = "") -> str:
    """Return the text of a decisions file: in a stable order, indented by two spaces, without defaults.

    Args:
        document: The decisions.
        schema: The reference to the JSON Schema; `""` writes none.
    """
    fields = document.model_dump(mode="json", by_alias=True, exclude_none=True, exclude_defaults=True)
    fields.pop("$schema", None)
    head = {"$schema": schema} if schema else {}
    head["format_version"] = document.format_version
    text = json.dumps({**head, **fields}, indent=2, ensure_ascii=False) + "\n"
    return text.encode("utf-8", "replace").decode("utf-8")


def write_decisions(
    path: Path, document: DecisionsDocument, *, known: str = "", operations: FileOperations | None = None
) -> Written:
    """Write a decisions file atomically; it names the JSON Schema that lies beside it, if there is one.

    Args:
        path: The file; a symbolic link is refused, because one in a downloaded workspace may name any file.
        document: The decisions.
        known: The SHA-256 of the file that the decisions come from, or were saved to before. Another file at the path
            is kept as a backup: somebody edited it meanwhile, or nobody loaded it.
        operations: The file operations; tests replace them.

    Raises:
        UnusableInput: the file is a symbolic link or not a regular file, or can't be written; the previous one is
            unchanged.
    """
    schema = document.schema_reference if "://" in document.schema_reference else ""
    if not schema and path.with_name(DECISIONS_SCHEMA).is_file():
        schema = DECISIONS_SCHEMA
    data = format_decisions(document, schema=schema).encode("utf-8")
    digest = sha256(data).hexdigest()
    kept = known != (digest_on_disk(path) if path.is_file() else None) and _would_lose(path, document)
    backup = _write(path, data, "decisions file", operations or FileOperations(), keeps=kept)
    note_saved(digest)
    return Written(digest, backup)


def holds_others_decisions(path: Path, known: str) -> bool:
    """Return whether there is something at a path that isn't the decisions file with a known SHA-256."""
    if not path.is_file() or path.is_symlink():
        return os.path.lexists(path)
    try:
        return digest_on_disk(path) not in (None, known)
    except MelleafyError:
        return True


def _would_lose(path: Path, document: DecisionsDocument) -> bool:
    """Return whether a file holds decisions that aren't in a document, or something that can't be read as any."""
    if not path.is_file():
        return False
    try:
        there = read_decisions(path)
    except MelleafyError:
        return True
    mine = dict(document.settings)
    return any(value is not None and value != mine[name] for name, value in there.settings) or any(
        item not in getattr(document, section) for section in _SECTIONS for item in getattr(there, section)
    )


_SECTIONS: Final = tuple(
    name for name, field in DecisionsDocument.model_fields.items() if get_origin(field.annotation) is tuple
)
"""The lists of decisions in a document."""


def write_schema(decisions_path: Path, text: str) -> Path:
    """Write the JSON Schema beside a decisions file, atomically, and return its path.

    Args:
        decisions_path: The decisions file, which need not exist yet.
        text: The schema.

    Raises:
        UnusableInput: as for `write_decisions`.
    """
    path = decisions_path.with_name(DECISIONS_SCHEMA)
    _write(path, text.encode("utf-8"), "schema", FileOperations())
    return path


def _write(
    path: Path, data: bytes, what: str, operations: FileOperations, *, keeps: bool = False
) -> Path | None:
    """Write a file and return the backup of the one before, if that is to be kept."""
    if path.is_symlink():
        said, hint = "is a symbolic link, and links are not written through", "Name the real file, or choose"
        raise UnusableInput(f"The {what} {said}", hint=f"{hint} another path.", location=str(path))
    if path.exists() and not path.is_file():
        said = "cannot be written: it exists and is not a regular file"
        raise UnusableInput(f"The {what} {said}", hint="Choose another path.", location=str(path))
    draft = path.with_name(f".{path.name}.{os.getpid()}{_DRAFT}")
    backup: Path | None = None
    try:
        if keeps and (standing := digest_on_disk(path)) is not None:
            backup = free_place(path.with_name(f".{path.name}{_BACKUP}"), standing)
            operations.copy(path, backup)
        operations.write_durably(draft, data)
        if path.exists():
            operations.take_mode(draft, path)
        operations.move(draft, path)
    except BaseException as error:
        with suppress(OSError):
            draft.unlink()
        if not isinstance(error, OSError):
            raise
        raise UnusableInput(
            f"The {what} cannot be written ({error.strerror or error})",
            hint="Choose another path.",
            location=str(path),
        ) from error
    _remove_drafts(path, operations)
    return backup


def _remove_drafts(target: Path, operations: FileOperations) -> None:
    """Remove the draft files that killed processes left next to the file."""
    with suppress(OSError):
        for draft in sorted(target.parent.glob(f".{escape(target.name)}.*{_DRAFT}")):
            if not _is_running(draft.name.removesuffix(_DRAFT).rpartition(".")[2]):
                operations.remove_file(draft)


def _is_running(process: str) -> bool:
    """Return whether another process with this number runs: it is about to put its draft into place."""
    try:
        number = int(process)
        if number <= 0 or number == os.getpid():
            return False
        os.kill(number, 0)
    except (ValueError, OverflowError, ProcessLookupError):
        return False
    except OSError:  # somebody else's
        return True
    return True


def _entry_lines(root: JsonNode) -> dict[tuple[str, int], int]:
    """Return the line of each entry by section and position."""
    nodes = ((section, root.at(section)) for section in _SECTIONS)
    return {
        (section, position): item.line
        for section, node in nodes
        if node is not None
        for position, item in enumerate(node.items())
    }


def _refusal(
    error: ValidationError, raw: dict[str, object], positions: JsonNode, source: str
) -> DecisionsRefused:
    """Return an error with entry, line and reason for the first problem of a file."""
    problems = error.errors(include_url=False, include_context=False)
    first = problems[0]
    others = f" ({len(problems) - 1} more in this file)" if len(problems) > 1 else ""
    return DecisionsRefused(
        f"{_place(first, raw)}{_reason(first)}{others}",
        hint=f"{_meant(first)} {_HINT}".lstrip(),
        location=f"{source}:{_line(first, positions)}",
    )


def _place(problem: Mapping[str, Any], raw: Mapping[str, object]) -> str:
    """Return the entry that has the problem, as the start of a sentence."""
    match problem["loc"]:
        case (str(section), int(position), *rest):
            items = raw.get(section)
            item = items[position] if isinstance(items, list) and position < len(items) else None
            name = (item.get("key") or item.get("entry_id")) if isinstance(item, dict) else None
            who = f" ({_quoted(str(name))})" if name else ""
            where = "".join(f", {step}" for step in rest if isinstance(step, str))
            return f"Entry {position + 1} of {section}{who}{where}: "
        case (*steps,) if steps:
            return f"{'.'.join(map(str, steps))}: "
        case _:
            return ""


def _reason(problem: Mapping[str, Any]) -> str:
    given = problem.get("input")
    if problem["type"] == "extra_forbidden":
        return "this name is not known"
    if problem["type"] in ("enum", "literal_error") and isinstance(given, str):
        return f"{_quoted(given)} is not known; {_lower(problem['msg'])}"
    if problem["type"] == "string_pattern_mismatch":
        return f"{_quoted(str(given))} has the wrong form"
    return _lower(problem["msg"].removeprefix("Value error, "))


def _meant(problem: Mapping[str, Any]) -> str:
    """Return the known name that was probably meant, as the start of a hint."""
    given = problem.get("input")
    if problem["type"] == "extra_forbidden":
        return did_you_mean(str(problem["loc"][-1]), _names_at(problem["loc"][:-1]))
    if problem["type"] in ("enum", "literal_error") and isinstance(given, str):
        return did_you_mean(given, quoted_names(problem["msg"]))
    return ""


def _names_at(place: Iterable[int | str]) -> list[str]:
    """Return the names that an object of a decisions file may have."""
    model: type[BaseModel] = DecisionsDocument
    for step in place:
        field = model.model_fields.get(step) if isinstance(step, str) else None
        if field is not None:
            model = next(_models_in(field.annotation), model)
    return [field.alias or name for name, field in model.model_fields.items()]


def _models_in(annotation: object) -> Iterator[type[BaseModel]]:
    """Yield the records that an annotation names, such as that of the items of a list."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _models_in(part)


def _line(problem: Mapping[str, Any], positions: JsonNode) -> int:
    node, line = positions, positions.line
    for step in problem["loc"]:
        found = node.children.get(step)
        if found is None:
            break
        node, line = found, found.key_line if isinstance(step, str) else found.line
    return line


def _quoted(text: str) -> str:
    return repr(text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…")


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
