"""The generators' door: a committed plan goes in, the whole file set comes out, in memory."""

from pathlib import PurePosixPath

from melleafy_tui.core.errors import OutputRefused
from melleafy_tui.core.models.package import EmittedFile, FileSet
from melleafy_tui.core.models.plan import CommittedPlan
from melleafy_tui.generators.registry import GENERATORS


def render_package(committed: CommittedPlan) -> FileSet:
    """Return every file of the output, sorted by path.

    Raises:
        OutputRefused: a file would lie outside the output folder, or two generators claim one path.
    """
    emitted: list[EmittedFile] = []
    for generator in GENERATORS:
        if generator.from_plan is not None:
            emitted += map(committed.earlier.same, generator.from_plan(committed))
        elif generator.from_files is not None:
            emitted += map(committed.earlier.same, generator.from_files(committed, emitted))
    _check_paths(emitted)
    committed.earlier.files = {file.path: file for file in emitted}
    return FileSet(tuple(sorted(emitted, key=lambda file: file.path)), committed.package_name)


def _check_paths(emitted: list[EmittedFile]) -> None:
    seen: set[str] = set()
    for file in emitted:
        path = PurePosixPath(file.path)
        if not _stays_inside(file.path):
            raise OutputRefused(
                "A file of the package would lie outside the output folder",
                hint="This is a fault of melleafy-tui; please report it with the workspace's file names.",
                location=file.path,
            )
        if str(path).casefold() in seen:
            raise OutputRefused(
                "Two files of the package have the same path",
                hint="Rename one of the source files that they come from.",
                location=file.path,
            )
        seen.add(str(path).casefold())


def _stays_inside(path: str) -> bool:
    parts = path.split("/")
    return not any(part in ("", ".", "..") or "\\" in part or "\0" in part or ":" in part for part in parts)
