"""Watches the source on disk, so that the wizard can report when it has changed.

It runs in its own thread, reads the source again after a change, and hands over the reading.
"""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import DECISIONS_FILE
from melleafy_tui.core.output.emitted import package_folders

MOST_FOLDERS: Final = 1_000
"""The most folders that are watched; a larger tree is only checked before a write."""

_DEBOUNCE: Final = 200
"""Milliseconds in which changes are collected, so that an editor's save in three steps is one change."""


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

    Raises:
        OSError: the system has no watches left.
    """
    from watchfiles import watch

    while not stop.is_set():
        folders = _folders(snapshot)
        for _ in watch(
            *folders,
            recursive=False,
            stop_event=stop,
            debounce=_DEBOUNCE,
            raise_interrupt=False,
            ignore_permission_denied=True,
            watch_filter=None,
        ):
            try:
                now = read_again()
            except MelleafyError:
                continue  # an editor is replacing it, or it was deleted: the write reports that
            if changed_paths(snapshot, now):
                snapshot = now
                found(now)
            if _folders(now) != folders:
                snapshot = now
                break


def _folders(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the folders that were read, and the parent folder if a file of it was read."""
    root = Path(snapshot.root)
    within = sorted(name for name in snapshot.names if name.endswith("/"))[: MOST_FOLDERS - 1]
    above = [str(root.parent)] if any(file.path.startswith("../") for file in snapshot.files) else []
    return (str(root), *(str(root / name) for name in within if (root / name).is_dir()), *above)
