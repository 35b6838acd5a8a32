"""Limits on how much of an untrusted workspace is read, and the names that are never opened."""

from pathlib import Path
from typing import Final

from msgspec import Struct

from melleafy_tui.core.errors import UnusableInput
from melleafy_tui.core.tables import table_beside

MEGABYTE: Final = 1024 * 1024


class Limits(Struct, frozen=True):
    """The limits at which the reader stops; each one that is reached adds a diagnostic, and reading continues.

    Attributes:
        file_bytes: Size of the largest file that is opened.
        total_bytes: Size of all opened files together.
        names: Number of names that the walk records, including folders.
        searched_bytes: Size of all Python files together that are searched for the modules of a runtime.
        depth: Depth of folders below the root.
    """

    file_bytes: int = 10 * MEGABYTE
    total_bytes: int = 50 * MEGABYTE
    names: int = 250_000
    searched_bytes: int = 1024 * MEGABYTE
    depth: int = 64


DEFAULT_LIMITS: Final = Limits()

LINES_READ: Final = 4_000
"""Lines with text of a Markdown file that are read one by one; the most of a real bootstrap file or skill is 3,371."""

REST_PIECE: Final = 16_000
"""Characters at which a piece of what comes after them ends, at a heading where one follows."""

LONGEST_NAME: Final = 255
"""Bytes of the longest file name on usual file systems."""

VERSION_CONTROL: Final = "version control"
BUILT: Final = "vendored or built files"
GITIGNORED: Final = "files that .gitignore names"
_NAMES: Final = table_beside(__file__, "names.toml")
SKIPPED_TREES: Final = {kind: frozenset(names) for kind, names in _NAMES["skipped"].items()}
"""The names of folders that aren't walked, by what they hold."""

KNOWN_NAMES: Final = {name.lower(): name for name in _NAMES["known"]}
"""File names that runtimes look for in exactly this case."""

UNREAD_CODES: Final = frozenset(_NAMES["unread"])
"""The diagnostics of files that exist but have no text in the snapshot."""

KIND_OF_FOLDER: Final = {name: kind for kind, names in SKIPPED_TREES.items() for name in names}

NEVER_A_SOURCE: Final = frozenset().union(*(names for kind, names in SKIPPED_TREES.items() if kind != BUILT))
"""Folders in which nobody looks for workspaces; one in `vendor/` or `build/` may be meant."""

SKILL_MARK: Final = "SKILL.md"
"""The file that makes a folder a skill, which is one piece."""

KIND_OF_MARK: Final = {"CACHEDIR.TAG": "caches", "pyvenv.cfg": "installed libraries"}
"""Files that say what a folder holds, whatever it is called."""

TOLD_KINDS: Final = frozenset({*SKIPPED_TREES, *KIND_OF_MARK.values(), GITIGNORED}) - {VERSION_CONTROL}
"""Kinds of skipped folders that are reported; every repository has version control."""

PRIVATE_FOLDERS: Final = frozenset({"credentials"})
"""Folders that are never entered, and whose files are never opened, not even through a link."""

PRIVATE_FILES: Final = frozenset({".credentials.json", "claude.local.md"})
"""Files that are never opened, in any folder and any case: credentials and personal notes."""

EARLIER_OUTPUT_MARK: Final = "melleafy.json"
"""A folder below the root that contains this file is an earlier output folder."""

OWN_PREFIX: Final = ".melleafy-"
"""What the names of drafts, backups and partial results of this program begin with."""

WORK_SUFFIX: Final = ".melleafy-work"
LOCK_SUFFIX: Final = ".melleafy-lock"
"""The names of a write's work folder and lock: those of the output folder between a dot and these."""


def is_own_name(name: str) -> bool:
    """Return whether a name belongs to this program: a killed run may have left it in the workspace."""
    return name.startswith(OWN_PREFIX) or (name[:1] == "." and name.endswith((WORK_SUFFIX, LOCK_SUFFIX)))


def reason_of(error: OSError) -> str:
    """Return what the system says of an error, in lower case."""
    return (error.strerror or type(error).__name__).lower()


def resolved(path: Path, what: str, hint: str) -> Path:
    """Return a path that the user named, without links.

    Args:
        path: The path.
        what: What it is, for the error.
        hint: What to do about one that can't be opened.

    Raises:
        UnusableInput: nothing is there, or it can't be looked at.
    """
    try:
        return path.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else "the link leads back to itself"
        raise UnusableInput(f"{what} cannot be opened: {reason}", hint=hint, location=str(path)) from error
