"""Knows which decisions files this user saved: their digests are in the user's state folder, and nowhere else."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from melleafy_tui.user_folders import read_private, state_folder, write_private

NAME: Final = "saved-decisions"
MOST_KEPT: Final = 1_000


def note_saved(digest: str) -> None:
    """Note the SHA-256 of a decisions file that this user saves; without a state folder nothing is noted."""
    place = _place()
    if place is not None:
        kept = [each for each in _digests(place) if each != digest][-MOST_KEPT + 1 :]
        with suppress(OSError):
            write_private(place, "\n".join([*kept, digest]).encode())


def is_saved(digest: str) -> bool:
    """Return whether this user saved a decisions file with this SHA-256."""
    place = _place()
    return place is not None and digest in _digests(place)


def _place() -> Path | None:
    state = state_folder(os.environ)
    return state / NAME if state is not None else None


def _digests(place: Path) -> list[str]:
    return (read_private(place) or b"").decode("ascii", "replace").split()
