"""Limits on how much of an untrusted workspace is read, and the names that are never opened."""

from typing import Final

from msgspec import Struct

MEGABYTE: Final = 1024 * 1024


class Limits(Struct, frozen=True):
    """The limits at which the reader stops; each one that is reached adds a diagnostic, and reading continues.

    Attributes:
        file_bytes: Size of the largest file that is opened.
        total_bytes: Size of all opened files together.
        names: Number of names that the walk records, including folders.
        depth: Depth of folders below the root.
    """

    file_bytes: int = 10 * MEGABYTE
    total_bytes: int = 50 * MEGABYTE
    names: int = 50_000
    depth: int = 64


DEFAULT_LIMITS: Final = Limits()

SKIPPED_FOLDERS: Final = frozenset({".git", "node_modules", ".venv", "venv", "__pycache__"})
"""Folders the walk never enters."""

PRIVATE_FOLDERS: Final = frozenset({"credentials"})
"""Folders that are never entered, and whose files are never opened, not even through a link."""

PRIVATE_FILES: Final = frozenset({".credentials.json", "claude.local.md"})
"""Files that are never opened, in any folder and any case: credentials and personal notes."""

EARLIER_OUTPUT_MARK: Final = "melleafy.json"
"""A folder below the root that contains this file is an earlier output folder."""
