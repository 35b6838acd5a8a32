"""Reading what an earlier run emitted into an output folder, without trusting a word of it.

The folder may have been downloaded, so a path in a record counts only where it stays inside the folder.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from msgspec import Raw, Struct, field

from melleafy_tui.core.json_reading import read_json
from melleafy_tui.core.writing.emitted import EMITTED_NAME, EMITTED_TEXTS_NAME, MANIFEST_NAME
from melleafy_tui.core.writing.places import is_control_name, stays_inside

_LARGEST_RECORD: Final = 64_000_000
_SHA256: Final = re.compile(r"[0-9a-f]{64}")


class EarlierEmission(Struct, frozen=True):
    """What the records of an output folder say.

    `packages` are the folders with records, each with its final `/`, or `""` for a package that is the output folder
    itself. `hashes` are the recorded SHA-256 by path, `unread_texts` the recorded texts as they stand in their record:
    most are never asked for. `damaged` names records that could not be read.
    """

    packages: tuple[str, ...] = ()
    hashes: Mapping[str, str] = field(default_factory=dict)
    unread_texts: Mapping[str, object] = field(default_factory=dict)
    damaged: tuple[str, ...] = ()

    def text(self, path: str) -> str:
        """Return the recorded text of a file, `""` where there is none that can be read."""
        found = self.unread_texts.get(path)
        try:
            text = read_json(bytes(found)) if isinstance(found, Raw) else found
        except (ValueError, RecursionError):
            return ""
        return text if isinstance(text, str) else ""


def package_folders(out: Path) -> tuple[str, ...]:
    """Return the folders of an output folder that hold a record or a manifest of ours, sorted.

    The published compiler writes a `melleafy.json` too; only ours names the version of this tool. A folder that may
    not be searched is passed over: it is no package that could be read or written.
    """
    return tuple(sorted(folder for folder in _folders(out) if _holds_package(out, folder)))


def read_earlier(out: Path) -> EarlierEmission:
    """Return what the records below `out` say; unreadable ones are named, not raised."""
    packages = package_folders(out)
    hashes: dict[str, str] = {}
    texts: dict[str, object] = {}
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
            if isinstance(digest, str) and _SHA256.fullmatch(digest) and stays_inside(path)
        )
        recorded_texts = read_object(out / folder / EMITTED_TEXTS_NAME, dict[str, Raw])
        if recorded_texts is None:
            damaged.append(folder + EMITTED_TEXTS_NAME)
            continue
        texts.update(recorded_texts)
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
    manifest = read_object(out / folder / MANIFEST_NAME, dict[str, Raw])
    return manifest is not None and "melleafy_tui_version" in manifest


def read_object(path: Path, looked_at: object = Any) -> dict[str, object] | None:
    """Return the JSON object in a file of an output folder, or None where there is none to be read.

    Args:
        path: The file.
        looked_at: The type of what is wanted of it, as `read_json` takes it.
    """
    try:
        if path.is_symlink() or path.stat().st_size > _LARGEST_RECORD:
            return None
        document = read_json(path.read_bytes(), looked_at)
    except (OSError, ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None
