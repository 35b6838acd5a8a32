"""The limits of reading: how much of an untrusted workspace is looked at (spec/conversion.md 1, spec/safety.md 6)."""

from typing import Final

from msgspec import Struct

MEGABYTE: Final = 1024 * 1024


class Limits(Struct, frozen=True):
    """What the reader stops at; past each limit there is a diagnostic and the rest goes on.

    Attributes:
        file_bytes: Largest file that is opened.
        total_bytes: All opened files together.
        names: Names that the walk records, folders included.
        depth: Folders below the root.
    """

    file_bytes: int = 10 * MEGABYTE
    total_bytes: int = 50 * MEGABYTE
    names: int = 50_000
    depth: int = 64


DEFAULT_LIMITS: Final = Limits()

SKIPPED_FOLDERS: Final = frozenset({".git", "node_modules", ".venv", "venv", "__pycache__"})
"""Folders the walk never enters."""

PRIVATE_FOLDERS: Final = frozenset({"credentials"})
"""Folders that are never entered and whose files are never opened, also not through a link."""

PRIVATE_FILES: Final = frozenset({".credentials.json", "claude.local.md"})
"""Files that are never opened, wherever they are and in whatever case: credentials, and one user's own notes."""

EARLIER_OUTPUT_MARK: Final = "melleafy.json"
"""A folder below the root that holds this file is an earlier output."""
