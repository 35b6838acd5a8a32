"""The generators' door: a committed plan goes in, the whole file set comes out, in memory."""

from pathlib import PurePosixPath

from melleafy_tui.core.errors import OutputRefused
from melleafy_tui.core.models.package import EmittedFile, FileSet
from melleafy_tui.core.models.plan import CommittedPlan
from melleafy_tui.generators.registry import GENERATORS, Generator


def render_package(committed: CommittedPlan) -> FileSet:
    """Return every file of the output, sorted by path.

    Raises:
        OutputRefused: a file would lie outside the output folder, or two generators claim one path.
    """
    earlier = committed.earlier
    last, files = earlier.rendered
    emitted: list[EmittedFile] = []
    if committed.differs_by_stamp_alone(last):
        emitted += _restamped(committed, files)
    else:
        for generator in GENERATORS:
            emitted += map(earlier.same, _emitted(generator, committed, emitted))
        _check_paths(emitted)
    earlier.rendered = (committed, {file.path: file for file in emitted})
    return FileSet(tuple(sorted(emitted, key=lambda file: file.path)), committed.package_name)


def _emitted(generator: Generator, committed: CommittedPlan, emitted: list[EmittedFile]) -> list[EmittedFile]:
    if generator.from_plan is not None:
        return generator.from_plan(committed)
    return generator.from_files(committed, emitted) if generator.from_files is not None else []


def _restamped(committed: CommittedPlan, files: dict[str, EmittedFile]) -> list[EmittedFile]:
    """Return the files of the last state, with those made anew that carry the stamp."""
    stamped = {
        file.path: file
        for generator in GENERATORS
        if generator.stamped
        for file in _emitted(generator, committed, list(files.values()))
    }
    return [stamped.get(path, file) for path, file in files.items()]


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
