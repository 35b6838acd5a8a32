"""The timestamp `generated_at`: reproducible on request, and unchanged by a re-run that changes nothing else.

If `SOURCE_DATE_EPOCH` is set, it is used. Otherwise a conversion is rendered with the timestamp of the existing
package; only if something else differs does it get that of its day, at midnight, so that the same day gives the same
bytes. Clock and environment are passed in.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final

from msgspec import Struct

from melleafy_tui.core.errors import UsageError
from melleafy_tui.core.models.file_set import FileSet
from melleafy_tui.core.output.emitted import (
    EMITTED_NAME,
    MANIFEST_NAME,
    package_folders,
    package_only,
    read_recorded,
    record_folder,
)
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.source.json5 import read_record

EPOCH_VARIABLE: Final = "SOURCE_DATE_EPOCH"
INVENTORY_NAME: Final = "intermediate/inventory.json"
_LATEST_EPOCH: Final = 253_402_300_799


class _Stamped(Struct, frozen=True):
    generated_at: str = ""
    as_of: str = ""


def format_stamp(moment: datetime) -> str:
    """Return a time in the format of the timestamp: UTC, whole seconds."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def moment_of(environment: Mapping[str, str], now: datetime) -> tuple[datetime, bool]:
    """Return the reference time of a conversion, and whether it comes from `SOURCE_DATE_EPOCH`.

    Raises:
        UsageError: the variable isn't a number of seconds.
    """
    given = environment.get(EPOCH_VARIABLE, "")
    if not given:
        return now, False
    if not (given.isascii() and given.isdigit() and int(given) <= _LATEST_EPOCH):
        raise UsageError(
            f"{EPOCH_VARIABLE} is {given!r}, which is not a number of seconds since 1970",
            hint="Set it to whole seconds, or unset it.",
        )
    return datetime.fromtimestamp(int(given), UTC), True


def earlier_stamp(out: Path) -> str:
    """Return the timestamp of the existing package in an output folder, or `""`."""
    stamps = (found.generated_at for found in _recorded(out, MANIFEST_NAME))
    return next(filter(_is_stamp, stamps), "")


def earlier_day(out: Path) -> date | None:
    """Return the reference date of the existing package in an output folder, or None."""
    for found in _recorded(out, INVENTORY_NAME):
        with suppress(ValueError):
            return date.fromisoformat(found.as_of)
    return None


def _recorded(out: Path, name: str) -> Iterator[_Stamped]:
    """Yield the stamps in a record of each package in an output folder that can be read."""
    for folder in package_folders(out) if out.is_dir() else ():
        with suppress(OSError, ValueError, RecursionError):
            yield read_record(read_recorded(out / folder / name), _Stamped)


def settled(conversion: Conversion, out: Path, now: str) -> FileSet:
    """Return the files to write, with the existing timestamp if the package on disk is otherwise the same, else `now`.

    Args:
        conversion: The conversion, opened with `earlier_stamp` or the time from `SOURCE_DATE_EPOCH`.
        out: The output folder; if it is directly inside the workspace, only the package is written (`--in-place`).
        now: The timestamp for changed files; `""` always keeps the conversion's.
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
        return read_recorded(out / name) == files.by_path[name].data
    except (OSError, ValueError):
        return False


def _is_stamp(text: str) -> bool:
    try:
        return format_stamp(datetime.fromisoformat(text)) == text
    except ValueError:
        return False
