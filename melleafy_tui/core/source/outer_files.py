"""What may be read outside the root: named files of the folders up to the repository's root, and imported files.

Nothing outside the repository is ever opened, and without a repository nothing outside the root (spec/safety.md 5).
"""

import posixpath
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from melleafy_tui.core.models.snapshot import SourceFile
from melleafy_tui.core.source.limits import PRIVATE_FILES, PRIVATE_FOLDERS

MOST_HOPS: Final = 5
"""How many imports may follow one another."""

Imports = Callable[[SourceFile, bool], tuple[str, ...]]
"""Returns the paths that a file imports as they are written; the flag says that the file was itself imported."""


class Surroundings(Struct, frozen=True):
    """What dialects want of the files around a root.

    Attributes:
        names: Paths that are looked for in each folder from the root's parent to the repository's root.
        imports: What a file imports.
    """

    names: tuple[str, ...] = ()
    imports: Imports = lambda _file, _imported: ()


class Place(Struct, frozen=True):
    """Where a named file may lie: its path relative to the root, the real file, or why it may not be opened.

    `refusal` is the code of the diagnostic, `""` where the file may be opened; `real` is None where there is none.
    """

    path: str
    real: Path | None = None
    refusal: str = ""


def repository_of(root: Path, home: Path | None) -> Path | None:
    """Return the nearest folder at or above the root that holds `.git`; none at the home folder or above it."""
    for folder in (root, *root.parents):
        if folder == home:
            return None
        if exists(folder / ".git"):
            return folder
    return None


def folders_above(root: Path, repository: Path | None) -> Iterator[tuple[str, Path]]:
    """Yield `../` steps and folder for each folder above the root up to the repository's root, nearest first."""
    if repository is None or repository == root:
        return
    for steps, folder in enumerate(root.parents, start=1):
        yield "../" * steps, folder
        if folder == repository:
            return


def named_above(root: Path, repository: Path | None, names: tuple[str, ...]) -> Iterator[Place]:
    """Yield the places of the names in the folders above the root, nearest first."""
    for steps, folder in folders_above(root, repository):
        for name in names:
            found = _place(f"{steps}{name}", folder / name, repository or root)
            if found.real is not None or found.refusal:
                yield found


def imported_from(file: SourceFile, reference: str, root: Path, repository: Path | None) -> Place:
    """Return the place of an import; `reference` is relative to the file that holds it."""
    path = import_path(file.path, reference)
    if not path:
        return Place(reference, refusal="import-outside")
    limit = repository or root
    lexical = Path(posixpath.normpath(posixpath.join(root.as_posix(), path)))
    if not lexical.is_relative_to(limit):
        return Place(reference, refusal="import-outside")
    found = _place(path, lexical, limit)
    refusal = "import-outside" if found.refusal == "link-outside" else found.refusal
    return Place(path, found.real, refusal)


def import_path(source: str, reference: str) -> str:
    """Return an import's path relative to the root, `""` for one that names a home folder or is absolute."""
    if reference.startswith(("/", "~", "\\")) or reference[1:2] == ":" or "\0" in reference:
        return ""
    return posixpath.normpath(posixpath.join(posixpath.dirname(source), reference))


def exists(path: Path) -> bool:
    """Return whether something stands at a path; what cannot be looked at does not."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _place(path: str, candidate: Path, limit: Path) -> Place:
    try:
        real = candidate.resolve(strict=True)
        is_file = real.is_file()
    except (OSError, RuntimeError, ValueError):
        return Place(path)
    if not real.is_relative_to(limit):
        return Place(path, refusal="link-outside")
    inside = real.relative_to(limit).parts
    named = [real.name.lower(), candidate.name.lower()]
    if PRIVATE_FILES.intersection(named) or any(part.lower() in PRIVATE_FOLDERS for part in inside):
        return Place(path, refusal="link-private")
    return Place(path, real if is_file else None)
