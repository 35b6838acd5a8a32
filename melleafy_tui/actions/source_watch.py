"""Watches the source on disk, so that the wizard can report when it has changed.

It runs in its own thread, looks at times and sizes, reads the source again after a change, and hands over the reading.
"""

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Final

from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import DECISIONS_FILE
from melleafy_tui.core.output.emitted import package_folders

EVERY: Final = 2.0
"""Seconds between two looks; an editor's save in three steps is mostly one change then."""

MOST_LOOKED_AT: Final = 5_000
"""The most files and folders that are looked at, in 30 ms; a larger tree is only checked before a write."""


def changed_paths(old: Snapshot, new: Snapshot) -> tuple[str, ...]:
    """Return the source files that differ between two readings, sorted, without packages and decisions files.

    Args:
        old: The reading that the wizard uses.
        new: A later one of the same workspace.
    """
    before = {(file.path, file.sha256) for file in old.files}
    after = {(file.path, file.sha256) for file in new.files}
    differing = {path for path, _ in before ^ after}
    differing |= {path for path in {*old.names} ^ {*new.names} if not path.endswith("/")}
    ours = tuple(f"{folder}/" for folder in package_folders(Path(new.root)))
    return tuple(sorted(path for path in differing - {DECISIONS_FILE} if not path.startswith(ours)))


def watch_source(
    snapshot: Snapshot,
    read_again: Callable[[], Snapshot],
    found: Callable[[Snapshot], object],
    stop: threading.Event,
) -> None:
    """Watch the source until stopped; call it in a thread.

    Args:
        snapshot: The reading to compare with.
        read_again: Reads the workspace as it is now.
        found: Called with each reading that differs from the one before.
        stop: Stops the watch when set.
    """
    seen = _times(snapshot)
    while not stop.wait(EVERY):
        times = _times(snapshot)
        if times == seen:
            continue
        seen = times  # of before the reading: what changes meanwhile is seen at the next look
        try:
            now = read_again()
        except MelleafyError:
            continue  # an editor is replacing it, or it was deleted: the write reports that
        if changed_paths(snapshot, now):
            snapshot = now
            found(now)


def _times(snapshot: Snapshot) -> dict[str, tuple[int, int]]:
    """Return time and size of every file that was read and every folder, by path; what is gone has none."""
    folders = (name for name in snapshot.names if name.endswith("/"))
    found = {}
    for path in islice(("", *(file.path for file in snapshot.files), *folders), MOST_LOOKED_AT):
        with suppress(OSError):
            status = os.stat(os.path.join(snapshot.root, path))  # noqa: PTH116, PTH118 - half the time
            found[path] = (status.st_mtime_ns, status.st_size)
    return found
