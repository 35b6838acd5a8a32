"""The generators' door: a committed plan goes in, the file set comes out, in memory, each file made when asked for."""

from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import PurePosixPath

from melleafy_tui.core.errors import OutputRefused
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.package import EmittedFile, FileSet
from melleafy_tui.core.result_cache import ResultCache
from melleafy_tui.generators.inputs import DeclaredInputs
from melleafy_tui.generators.registry import GENERATORS, PACKAGE, Generator


class Rendering(FileSet):
    """The files of a committed plan, which a row of the table makes when one of them is first asked for.

    So the one file that a screen shows stands before the others are made, and they are made from it. Threads may share
    a rendering: what two of them make at the same time is equal, and one of the two is kept.

    Args:
        committed: What the files depend on.
        generators: The rows, in an order in which each may look at what those above it emit.
        cache: What the rows made last; one whose inputs are equal has made its files already.
    """

    def __init__(
        self, committed: CommittedPlan, generators: tuple[Generator, ...], cache: ResultCache
    ) -> None:
        super().__init__((), committed.package_name)
        self._committed = committed
        self._generators = generators
        self._cache = cache
        self._made: dict[int, tuple[EmittedFile, ...]] = {}

    @cached_property
    def files(self) -> tuple[EmittedFile, ...]:
        """Return every file of the output, sorted by path.

        Raises:
            OutputRefused: a file would lie outside the output folder, or two generators claim one path.
        """
        emitted = [file for row in range(len(self._generators)) for file in self.made_by(row)]
        _check_paths(emitted)
        return tuple(sorted(emitted, key=lambda file: file.path))

    def file(self, path: str) -> EmittedFile | None:
        """Return one file, or None where there is none at that path; what it is not made of is left unmade."""
        rows = (
            row for row, generator in enumerate(self._generators) if generator.may_emit(self._named(path))
        )
        return next((file for row in rows for file in self.made_by(row) if file.path == path), None)

    def some(self, wanted: Callable[[str], bool]) -> dict[str, EmittedFile]:
        """Return the files of some paths by path, sorted; what they are not made of is left unmade."""
        folder = f"{self.package_name}/"
        found = [
            file
            for row, generator in enumerate(self._generators)
            if any(wanted(path.replace(PACKAGE, folder, 1)) for path in generator.paths)
            for file in self.made_by(row)
            if wanted(file.path)
        ]
        return {file.path: file for file in sorted(found, key=lambda file: file.path)}

    def _named(self, path: str) -> str:
        """Return a path as the table names it."""
        inside = path.removeprefix(f"{self.package_name}/")
        return path if inside == path else f"{PACKAGE}{inside}"

    def _seen_by(self, row: int) -> Iterable[EmittedFile]:
        """Return what the rows above one emit and it declares to read, in their order."""
        generator = self._generators[row]
        if generator.from_files is None:
            return
        for above in range(row):
            if any(generator.sees(path) for path in self._generators[above].paths):
                yield from (file for file in self.made_by(above) if generator.sees(self._named(file.path)))

    def made_by(self, row: int) -> tuple[EmittedFile, ...]:
        """Return what a row of the table emits, made where its inputs differ from those of the last time."""
        made = self._made.get(row)
        if made is None:
            generator = self._generators[row]
            plan, seen = DeclaredInputs(self._committed, generator.reads), list(self._seen_by(row))
            made = self._made[row] = self._cache.result(
                row, (generator, plan.values, seen), lambda: tuple(_made(generator, plan, seen))
            )
        return made


class Renderer:
    """Renders one state of a conversion after the other, and makes anew what differs from the last."""

    def __init__(self) -> None:
        self._cache = ResultCache()

    def __call__(self, committed: CommittedPlan) -> FileSet:
        """Return the files of the output; none of them is made yet."""
        return Rendering(committed, GENERATORS, self._cache)


def render_package(committed: CommittedPlan) -> FileSet:
    """Return the files of the output, made from scratch; none of them is made yet."""
    return Renderer()(committed)


def _made(generator: Generator, plan: CommittedPlan, seen: list[EmittedFile]) -> list[EmittedFile]:
    if generator.from_plan is not None:
        return generator.from_plan(plan)
    return generator.from_files(plan, seen) if generator.from_files is not None else []


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
