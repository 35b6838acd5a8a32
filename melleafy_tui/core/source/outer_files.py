"""Finds files outside the root that may be read: named files in the folders up to the repository's root, and imports.

Nothing outside the repository is opened; without a repository, nothing outside the root is.
"""

import errno
import posixpath
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from melleafy_tui.core.models.snapshot import SourceFile
from melleafy_tui.core.source.limits import PRIVATE_FILES, PRIVATE_FOLDERS, reason_of

MOST_HOPS: Final = 5
"""The longest chain of imports that is followed."""

Imports = Callable[[SourceFile, bool], tuple[str, ...]]
"""Returns the paths that a file imports, as written; the flag says whether the file was itself imported."""


class OuterFiles(Struct, frozen=True):
    """The files outside a root that dialects want to read.

    Attributes:
        names: Paths to look for in each folder from the root's parent to the repository's root.
        imports: Returns the paths that a file imports.
    """

    names: tuple[str, ...] = ()
    imports: Imports = lambda _file, _imported: ()


class OuterFile(Struct, frozen=True):
    """The location of a file outside the root: its path relative to the root, and the real file.

    `refusal` is the diagnostic code that says why the file may not be opened, `""` if it may, and `reason` what the
    system said; `real` is None if there is no such file.
    """

    path: str
    real: Path | None = None
    refusal: str = ""
    reason: str = ""


def repository_of(root: Path, home: Path | None) -> Path | None:
    """Return the nearest folder at or above the root that contains `.git`, or None; stops below the home folder."""
    for folder in (root, *root.parents):
        if folder == home:
            return None
        if exists(folder / ".git"):
            return folder
    return None


def folders_above(root: Path, repository: Path | None) -> Iterator[tuple[str, Path]]:
    """Yield the `../` prefix and path of each folder above the root up to the repository's root, nearest first."""
    if repository is None or repository == root:
        return
    for steps, folder in enumerate(root.parents, start=1):
        yield "../" * steps, folder
        if folder == repository:
            return


def named_above(root: Path, repository: Path | None, names: tuple[str, ...]) -> Iterator[OuterFile]:
    """Yield the locations of the names in the folders above the root, nearest first."""
    for steps, folder in folders_above(root, repository):
        for name in names:
            found = located(f"{steps}{name}", folder / name, repository or root)
            if found.real is not None or found.refusal:
                yield found


def imported_from(file: SourceFile, reference: str, root: Path, repository: Path | None) -> OuterFile:
    """Return the location of an import; `reference` is relative to the importing file."""
    path = import_path(file.path, reference)
    if not path:
        return OuterFile(reference, refusal="import-outside")
    limit = repository or root
    lexical = Path(posixpath.normpath(posixpath.join(root.as_posix(), path)))
    if not lexical.is_relative_to(limit):
        return OuterFile(reference, refusal="import-outside")
    found = located(path, lexical, limit)
    refusal = "import-outside" if found.refusal == "link-outside" else found.refusal
    return OuterFile(path, found.real, refusal, found.reason)


def import_path(source: str, reference: str) -> str:
    """Return an import's path relative to the root, or `""` if it is absolute or starts at a home folder.

    Of `style.md#tone` the whole file counts; a backslash is that of Windows.
    """
    path = reference.partition("#")[0].replace("\\", "/")
    if path.startswith(("/", "~")) or path[1:2] == ":" or "\0" in path:
        return ""
    return posixpath.normpath(posixpath.join(posixpath.dirname(source), path))


def exists(path: Path) -> bool:
    """Return whether a file or folder exists at a path; False if it can't be checked."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def located(path: str, candidate: Path, limit: Path) -> OuterFile:
    """Return the location of a file that may be in one folder only, links followed."""
    try:
        real = candidate.resolve(strict=True)
        is_file = real.is_file()
    except (FileNotFoundError, NotADirectoryError):
        return OuterFile(path, refusal="link-broken" if candidate.is_symlink() else "")
    except ValueError:  # a name with a null byte
        return OuterFile(path)
    except RuntimeError:  # a link that leads to itself, before Python 3.13
        return OuterFile(path, refusal="link-loop")
    except OSError as error:
        refusal = "link-loop" if error.errno == errno.ELOOP else "unreadable-file"
        return OuterFile(path, refusal=refusal, reason=reason_of(error))
    if not real.is_relative_to(limit):
        return OuterFile(path, refusal="link-outside")
    inside = real.relative_to(limit).parts
    named = [real.name.lower(), candidate.name.lower()]
    if PRIVATE_FILES.intersection(named) or any(part.lower() in PRIVATE_FOLDERS for part in inside):
        return OuterFile(path, refusal="link-private")
    return OuterFile(path, real if is_file else None)
