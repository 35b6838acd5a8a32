"""The generators' door: a committed plan goes in, the file set comes out, in memory, each file made when asked for."""

from collections.abc import Callable
from functools import cached_property
from pathlib import PurePosixPath

from melleafy_tui.core.errors import OutputRefused
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.package import EmittedFile, FileSet
from melleafy_tui.generators.registry import GENERATORS, PACKAGE, Generator


class Rendering(FileSet):
    """The files of a committed plan, which a row of the table makes when one of them is first asked for.

    So the one file that a screen shows stands before the others are made, and they are made from it. Threads may share
    a rendering: what two of them make at the same time is equal, and one of the two is kept. Where the plan differs
    from the one rendered last by its stamp alone, the files are taken from there but those that carry it.

    Args:
        committed: What the files depend on.
        generators: The rows, in an order in which each may look at what those above it emit.
    """

    def __init__(self, committed: CommittedPlan, generators: tuple[Generator, ...]) -> None:
        super().__init__((), committed.package_name)
        self._committed = committed
        self._generators = generators
        last, made = committed.earlier.rendered
        if not committed.differs_by_stamp_alone(last):
            made = {}
        self._made = {row: files for row, files in made.items() if not generators[row].stamped}

    @cached_property
    def files(self) -> tuple[EmittedFile, ...]:
        """Return every file of the output, sorted by path.

        Raises:
            OutputRefused: a file would lie outside the output folder, or two generators claim one path.
        """
        emitted = self._above(len(self._generators))
        _check_paths(emitted)
        earlier = self._committed.earlier
        earlier.files = {file.path: file for file in emitted}
        earlier.rendered = (self._committed, dict(self._made))
        return tuple(sorted(emitted, key=lambda file: file.path))

    def file(self, path: str) -> EmittedFile | None:
        """Return one file, or None where there is none at that path; what it is not made of is left unmade."""
        inside = path.removeprefix(f"{self.package_name}/")
        named = path if inside == path else f"{PACKAGE}{inside}"
        rows = (row for row, generator in enumerate(self._generators) if generator.may_emit(named))
        return next((file for row in rows for file in self._emitted(row) if file.path == path), None)

    def some(self, wanted: Callable[[str], bool]) -> dict[str, EmittedFile]:
        """Return the files of some paths by path, sorted; what they are not made of is left unmade."""
        folder = f"{self.package_name}/"
        found = [
            file
            for row, generator in enumerate(self._generators)
            if any(wanted(path.replace(PACKAGE, folder, 1)) for path in generator.paths)
            for file in self._emitted(row)
            if wanted(file.path)
        ]
        return {file.path: file for file in sorted(found, key=lambda file: file.path)}

    def _above(self, row: int) -> list[EmittedFile]:
        """Return what the rows above one emit, in their order."""
        return [file for above in range(row) for file in self._emitted(above)]

    def _emitted(self, row: int) -> tuple[EmittedFile, ...]:
        """Return what a row emits, made on the first call only."""
        made = self._made.get(row)
        if made is None:
            generator, committed = self._generators[row], self._committed
            emitted: list[EmittedFile] = []
            if generator.from_plan is not None:
                emitted = generator.from_plan(committed)
            elif generator.from_files is not None:
                emitted = generator.from_files(committed, self._above(row))
            made = self._made.setdefault(row, tuple(map(committed.earlier.same, emitted)))
        return made


def render_package(committed: CommittedPlan) -> FileSet:
    """Return the files of the output; none of them is made yet."""
    return Rendering(committed, GENERATORS)


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
