"""Watches the source on the disk, so that a wizard can say when what it shows is no longer what is there.

It runs in a thread of its own, reads again when something moved, and hands over what it read; it decides nothing.
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
"""Folders that are watched; a larger tree is held against the disk before a write only."""

_DEBOUNCE: Final = 200
"""Milliseconds in which changes are gathered, so that an editor's save in three moves is one change."""


def changed_paths(old: Snapshot, new: Snapshot) -> tuple[str, ...]:
    """Return the source files that differ between two readings, sorted; packages and decisions are no source.

    Args:
        old: The reading that the wizard stands on.
        new: A later one of the same workspace.
    """
    before = {file.path: file.sha256 for file in old.files}
    after = {file.path: file.sha256 for file in new.files}
    differing = {path for path in {*before, *after} if before.get(path) != after.get(path)}
    differing |= {path for path in {*old.names} ^ {*new.names} if not path.endswith("/")}
    ours = tuple(f"{folder}/" for folder in package_folders(Path(new.root)))
    return tuple(
        sorted(path for path in differing if path != DECISIONS_FILE and not (ours and path.startswith(ours)))
    )


def watch_source(
    snapshot: Snapshot,
    read_again: Callable[[], Snapshot],
    found: Callable[[Snapshot], object],
    stop: threading.Event,
) -> None:
    """Watch until told to stop; to be called in a thread.

    Args:
        snapshot: The reading to compare with.
        read_again: Reads the workspace as it is now.
        found: Is given each reading that differs from the one before it.
        stop: Ends the watch.

    Raises:
        OSError: the system has no more watches to give.
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
                continue  # between two moves of an editor, or gone for good: the write says so
            if changed_paths(snapshot, now):
                snapshot = now
                found(now)
            if _folders(now) != folders:
                snapshot = now
                break


def _folders(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the folders that hold what was walked, and the one above where a file of it was read."""
    root = Path(snapshot.root)
    within = sorted(name for name in snapshot.names if name.endswith("/"))[: MOST_FOLDERS - 1]
    above = [str(root.parent)] if any(file.path.startswith("../") for file in snapshot.files) else []
    return (str(root), *(str(root / name) for name in within if (root / name).is_dir()), *above)
