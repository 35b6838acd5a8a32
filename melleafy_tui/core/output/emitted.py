"""The records added to the emitted files last: lint report, hashes, and the base texts for later merges.

`intermediate/emitted.json` has path and SHA-256 of every other file. `intermediate/emitted_texts.json` has the text
of every file of this agent, which a three-way merge needs. It is one JSON file with a line for each text: uncompressed,
because compressed bytes differ between zlib builds; a single file, because linters would read a folder of copies.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct, field, to_builtins

from melleafy_tui.core.errors import UnusableInput
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.file_set import EmittedFile, FileSet
from melleafy_tui.core.models.reports import LintReport
from melleafy_tui.core.output.paths import LARGEST_TEXT, can_be_emitted, is_control_name, read_without_links
from melleafy_tui.core.source.json5 import read_json
from melleafy_tui.core.source.limits import NEVER_A_SOURCE

RECORDS_FORMAT: Final = "1.0"
MANIFEST_NAME: Final = "melleafy.json"
INTERMEDIATE: Final = "intermediate/"
EMITTED_NAME: Final = "intermediate/emitted.json"
EMITTED_TEXTS_NAME: Final = "intermediate/emitted_texts.json"
STEP_7_REPORT_NAME: Final = "intermediate/step_7_report.json"

_STATIC_MARK: Final = b"Static module of melleafy-tui"
_HEAD: Final = 1000
"""The first bytes of a module, where its docstring says that it is static."""


def with_reports(files: FileSet, lints: LintReport) -> FileSet:
    """Return the file set with the lint report and the records of what is emitted.

    Args:
        files: The generated files.
        lints: The result of step 7 for them.
    """
    folder = f"{files.package_name}/"
    report = json.dumps(
        {"format_version": RECORDS_FORMAT, "passed": lints.passed, **to_builtins(lints)},
        indent=2,
        ensure_ascii=False,
    )
    reported = EmittedFile(folder + STEP_7_REPORT_NAME, f"{report}\n".encode())
    return _recorded([*files.files, reported], files.package_name, folder)


def package_only(files: FileSet) -> FileSet:
    """Return only the package's own files, with paths relative to it and new records, for `--in-place`.

    Files next to the package (`pyproject.toml`) are left out, because only the package is added to the workspace.
    """
    folder = f"{files.package_name}/"
    inside = [
        EmittedFile(file.path.removeprefix(folder), file.data, file.provenance)
        for file in files.files
        if file.path.startswith(folder)
    ]
    return _recorded(inside, files.package_name, "")


def record_folder(files: FileSet) -> str:
    """Return the package's folder in the file set, ending in `/`, or `""` for `package_only` sets."""
    folder = f"{files.package_name}/"
    return folder if folder + EMITTED_NAME in files.by_path else ""


def _recorded(files: Iterable[EmittedFile], package_name: str, folder: str) -> FileSet:
    records = {folder + EMITTED_NAME, folder + EMITTED_TEXTS_NAME}
    listed = sorted((file for file in files if file.path not in records), key=lambda file: file.path)
    recorded = {file.path: text for file in listed if (text := _mergeable_text(file, folder)) is not None}
    texts = EmittedFile(folder + EMITTED_TEXTS_NAME, f"{json.dumps(recorded, indent=2)}\n".encode())
    with_texts = sorted([*listed, texts], key=lambda file: file.path)
    manifest = {
        "format_version": RECORDS_FORMAT,
        "package_name": package_name,
        "files": {file.path: file.sha256 for file in with_texts},
    }
    emitted = EmittedFile(
        folder + EMITTED_NAME, f"{json.dumps(manifest, indent=2, ensure_ascii=False)}\n".encode()
    )
    return FileSet(tuple(sorted([*with_texts, emitted], key=lambda file: file.path)), package_name)


def is_static(path: str, data: bytes) -> bool:
    """Return whether a file is a static module: the same in every package of a release."""
    return path.endswith(".py") and _STATIC_MARK in data[:_HEAD]


def is_record(path: str) -> bool:
    """Return whether a file is a JSON file in `intermediate/`, which programs write for programs."""
    return f"/{INTERMEDIATE}" in f"/{path}" and path.endswith(".json")


def _mergeable_text(file: EmittedFile, folder: str) -> str | None:
    if file.path.startswith(folder + INTERMEDIATE) or is_static(file.path, file.data):
        return None
    try:
        return file.data.decode("utf-8")
    except UnicodeDecodeError:
        return None


_SHA256: Final = LazyRegex(r"[0-9a-f]{64}")


class EarlierEmission(Struct, frozen=True):
    """The contents of the records in an output folder.

    `packages` are the folders with records, each ending in `/`, or `""` for a package that is the output folder
    itself. `hashes` are the recorded SHA-256 by path, `texts` the recorded texts. `damaged` lists records that couldn't
    be read.
    """

    packages: tuple[str, ...] = ()
    hashes: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    damaged: tuple[str, ...] = ()


def find_package(folder: Path, *others: str) -> Path:
    """Return the package folder: `folder` itself, or the one folder in it that holds a `melleafy.json`.

    Args:
        folder: The package or the output folder.
        others: Files that tell a package, too, where no folder has a manifest; the likeliest first.

    Raises:
        UnusableInput: There is no such folder, no package in it, or more than one.
    """
    if any((folder / name).is_file() for name in (MANIFEST_NAME, *others)):
        return folder.resolve()
    found: list[Path] = []
    for name in (MANIFEST_NAME, *others):
        inside = sorted(path.parent for path in folder.glob(f"*/{name}")) if folder.is_dir() else []
        found = found or [
            each for each in inside if each.name not in NEVER_A_SOURCE and not each.is_symlink()
        ]
    if len(found) == 1:
        return found[0].resolve()
    if not folder.is_dir():
        what = "There is no such folder"
    else:
        what = f"The folder holds {'more than one package' if found else f'no {MANIFEST_NAME}'}"
    raise UnusableInput(what, hint="Name the folder of a package.", location=str(folder))


def package_folders(out: Path) -> tuple[str, ...]:
    """Return the folders in an output folder that contain our record or manifest, sorted.

    The published compiler writes a `melleafy.json` too, but only ours has the version of this tool. Folders without
    search permission are skipped, because a package in them couldn't be read or written anyway.
    """
    return tuple(sorted(folder for folder in _folders(out) if _holds_package(out, folder)))


def read_earlier(out: Path) -> EarlierEmission:
    """Return the records in `out`; unreadable ones are listed as damaged instead of raising an error."""
    packages = package_folders(out)
    hashes: dict[str, str] = {}
    texts: dict[str, str] = {}
    damaged: list[str] = []
    for folder in packages:
        record = read_object(out / folder / EMITTED_NAME)
        files = record.get("files") if record is not None else None
        if not isinstance(files, dict):
            damaged.append(folder + EMITTED_NAME)
            continue
        hashes.update(
            (path, digest)
            for path, digest in files.items()
            if isinstance(digest, str) and _SHA256.fullmatch(digest) and can_be_emitted(path, packages)
        )
        recorded_texts = read_object(out / folder / EMITTED_TEXTS_NAME)
        if recorded_texts is None:
            damaged.append(folder + EMITTED_TEXTS_NAME)
            continue
        texts.update((path, text) for path, text in recorded_texts.items() if isinstance(text, str))
    return EarlierEmission(packages, hashes, texts, tuple(damaged))


def _folders(out: Path) -> Iterator[str]:
    yield ""
    try:
        children = sorted(out.iterdir())
    except OSError:
        return
    for child in children:
        try:
            is_folder = child.is_dir() and not child.is_symlink()
        except OSError:
            continue
        if is_folder and not is_control_name(child.name):
            yield f"{child.name}/"


def _holds_package(out: Path, folder: str) -> bool:
    try:
        if (out / folder / EMITTED_NAME).is_file():
            return True
    except OSError:
        return False
    manifest = read_object(out / folder / MANIFEST_NAME)
    return manifest is not None and "melleafy_tui_version" in manifest


def read_object(path: Path) -> dict[str, object] | None:
    """Return the JSON object in a file of an output folder, or None if it is missing or unreadable."""
    try:
        document = read_json(read_recorded(path))
    except (OSError, ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


def read_recorded(path: Path) -> bytes:
    """Return the bytes of a file in an output folder.

    Raises:
        OSError: the file can't be read.
        ValueError: the file is a link or too large to be ours.
    """
    if path.is_symlink() or path.parent.is_symlink() or path.stat().st_size > LARGEST_TEXT:
        raise ValueError(f"{path} isn't a file of a package")
    return read_without_links(path)
