"""The stamp `generated_at`: reproducible on demand, and kept by a re-run that changes nothing else.

`SOURCE_DATE_EPOCH` decides where it is set. Otherwise a conversion is rendered with the stamp of the package that is
there already; only if something else differs does it get the present time. Clock and environment are handed in.
"""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final, TypedDict

from melleafy_tui.core.errors import UsageError
from melleafy_tui.core.models.file_set import FileSet
from melleafy_tui.core.output.emitted import (
    EMITTED_NAME,
    MANIFEST_NAME,
    package_folders,
    package_only,
    record_folder,
)
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.source.json5 import read_json

EPOCH_VARIABLE: Final = "SOURCE_DATE_EPOCH"
INVENTORY_NAME: Final = "intermediate/inventory.json"
_LATEST_EPOCH: Final = 253_402_300_799


class _Stamped(TypedDict, total=False):
    generated_at: object
    as_of: object


def format_stamp(moment: datetime) -> str:
    """Return a moment as the stamp says it: UTC, whole seconds."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def moment_of(environment: Mapping[str, str], now: datetime) -> tuple[datetime, bool]:
    """Return the moment a conversion is made for, and whether `SOURCE_DATE_EPOCH` fixes it.

    Raises:
        UsageError: the variable holds no number of seconds.
    """
    given = environment.get(EPOCH_VARIABLE, "")
    if not given:
        return now, False
    if not (given.isascii() and given.isdigit() and int(given) <= _LATEST_EPOCH):
        raise UsageError(
            f"{EPOCH_VARIABLE} is {given!r}, which is no number of seconds since 1970",
            hint="Set it to whole seconds, or unset it.",
        )
    return datetime.fromtimestamp(int(given), UTC), True


def earlier_stamp(out: Path) -> str:
    """Return the stamp of the package that lies in an output folder, or `""`."""
    for folder in package_folders(out) if out.is_dir() else ():
        try:
            manifest = read_json((out / folder / MANIFEST_NAME).read_bytes(), _Stamped)
        except (OSError, ValueError, RecursionError):
            continue
        stamp = manifest.get("generated_at") if isinstance(manifest, dict) else None
        if isinstance(stamp, str) and _is_stamp(stamp):
            return stamp
    return ""


def earlier_day(out: Path) -> date | None:
    """Return the day that the package in an output folder was made for, or None."""
    for folder in package_folders(out) if out.is_dir() else ():
        try:
            inventory = read_json((out / folder / INVENTORY_NAME).read_bytes(), _Stamped)
            if isinstance(inventory, dict):
                return date.fromisoformat(inventory["as_of"])
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            continue
    return None


def settled(conversion: Conversion, out: Path, now: str) -> FileSet:
    """Return the files to write: with the stamp they have where the package on disk has the same, else with `now`.

    Args:
        conversion: The conversion, opened with `earlier_stamp`, or with the stamp of `SOURCE_DATE_EPOCH`.
        out: The output folder; one directly inside the workspace gets the package alone (`--in-place`).
        now: The stamp for changed files; `""` keeps the conversion's in any case.
    """
    in_place = out.parent == Path(conversion.snapshot.root)
    files = package_only(conversion.files) if in_place else conversion.files
    if now in ("", conversion.stamp) or _on_record(files, out):
        return files
    restamped = conversion.stamped(now).files
    return package_only(restamped) if in_place else restamped


def _on_record(files: FileSet, out: Path) -> bool:
    name = record_folder(files) + EMITTED_NAME
    try:
        return (out / name).read_bytes() == files.by_path[name].data
    except OSError:
        return False


def _is_stamp(text: str) -> bool:
    try:
        return format_stamp(datetime.fromisoformat(text)) == text
    except ValueError:
        return False
