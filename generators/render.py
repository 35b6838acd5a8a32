"""Renders the files of a package: a table of generators, each with the paths that it may emit."""

from collections.abc import Callable
from fnmatch import fnmatchcase
from functools import cached_property, partial
from pathlib import PurePosixPath
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.errors import OutputRefused
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import EmittedFile, FileSet
from melleafy_tui.generators.assets import generate_assets
from melleafy_tui.generators.config import generate_config
from melleafy_tui.generators.constrained_slots import generate_constrained_slots, generate_mocks
from melleafy_tui.generators.documents import Documents
from melleafy_tui.generators.first_turn import run_cost
from melleafy_tui.generators.fixtures import generate_fixtures
from melleafy_tui.generators.intermediate import ARTIFACTS, FOLDER, generate_artifact
from melleafy_tui.generators.main_module import generate_main, generate_package_init
from melleafy_tui.generators.manifest import generate_manifest
from melleafy_tui.generators.model_steps import generate_schemas, generate_step_objects, generate_step_slots
from melleafy_tui.generators.pipeline import generate_pipeline
from melleafy_tui.generators.project_files import (
    generate_dependencies_file,
    generate_environment_example,
    generate_project_file,
)
from melleafy_tui.generators.provenance import generate_provenance
from melleafy_tui.generators.readme import generate_readme
from melleafy_tui.generators.report import generate_report
from melleafy_tui.generators.requirements import generate_requirements
from melleafy_tui.generators.setup_guide import generate_setup_guide
from melleafy_tui.generators.static_modules import DOOR, STATIC_MODULES, generate_static_modules, place_of
from melleafy_tui.generators.tools import generate_tools

FromPlan = Callable[[CommittedPlan], list[EmittedFile]]
FromTexts = Callable[[Documents], list[EmittedFile]]
FromPlanAndFiles = Callable[[CommittedPlan, list[EmittedFile]], list[EmittedFile]]

PACKAGE: Final = "<package>/"
"""Placeholder in the table for the package folder."""


class Generator(Struct, frozen=True):
    """One row of the table: the paths that it may emit, in which `*` matches any text, and its function.

    Exactly one of its functions is set; `from_files` also gets the files of all rows above it.
    """

    paths: tuple[str, ...]
    from_plan: FromPlan | None = None
    from_texts: FromTexts | None = None
    from_files: FromPlanAndFiles | None = None

    def may_emit(self, path: str) -> bool:
        """Return whether the row may emit a path, in which `PACKAGE` replaces the package folder."""
        return any(fnmatchcase(path, pattern) for pattern in self.paths)


def _in_package(*paths: str) -> tuple[str, ...]:
    return tuple(f"{PACKAGE}{path}" for path in paths)


GENERATORS: Final[tuple[Generator, ...]] = (
    Generator(_in_package("__init__.py", "__main__.py", "py.typed"), generate_package_init),
    Generator(_in_package("config.py"), from_texts=generate_config),
    Generator(_in_package("schemas.py"), generate_schemas),
    Generator(_in_package("requirements.py"), from_texts=generate_requirements),
    Generator(_in_package("slots.py"), generate_step_slots),
    Generator(_in_package("mobjects.py"), generate_step_objects),
    Generator(_in_package("constrained_slots.py"), generate_constrained_slots),
    Generator(_in_package("tools.py"), generate_tools),
    Generator(_in_package("*"), generate_assets),
    Generator(_in_package("fixtures/mock_tools.py"), generate_mocks),
    Generator(_in_package("pipeline.py"), from_texts=generate_pipeline),
    Generator(_in_package("main.py"), generate_main),
    Generator(_in_package("fixtures/*.py", "fixtures/memory/*.md"), from_texts=generate_fixtures),
    Generator(_in_package(DOOR, *map(place_of, STATIC_MODULES)), from_files=generate_static_modules),
    Generator(("pyproject.toml",), from_files=generate_project_file),
    Generator((".env.example",), generate_environment_example),
    Generator(_in_package("dependencies.yaml"), generate_dependencies_file),
    Generator(_in_package("SETUP.md"), from_files=generate_setup_guide),
    Generator(_in_package("README.md"), from_files=generate_readme),
    Generator(_in_package("melleafy.json"), generate_manifest),
    Generator(_in_package("mapping_report.md"), from_files=generate_report),
    Generator(_in_package(f"{FOLDER}/provenance.json"), from_files=generate_provenance),
    *(
        Generator(_in_package(f"{FOLDER}/{name}.json"), partial(generate_artifact, name))
        for name in ARTIFACTS
    ),
)


class Rendering(FileSet):
    """The files of a committed plan; each row of the table runs when one of its files is first requested.

    A screen can therefore show one file without waiting for the others. Threads may share a rendering: if two run the
    same row at once, the results are equal and one of them is kept.

    Args:
        committed: The committed plan.
        generators: The rows, ordered so that each reads only files of rows above it.
    """

    def __init__(self, committed: CommittedPlan, generators: tuple[Generator, ...]) -> None:
        super().__init__((), committed.package_name)
        self._plan = committed
        self._generators = generators
        self._made: dict[int, tuple[EmittedFile, ...]] = {}

    @cached_property
    def _documents(self) -> Documents:
        documents = Documents(self._plan)
        documents.committed = replace(self._plan, cost=run_cost(self._plan, documents))
        return documents

    @property
    def _committed(self) -> CommittedPlan:
        return self._documents.committed

    @cached_property
    def files(self) -> tuple[EmittedFile, ...]:
        """Return every file of the output, sorted by path.

        Raises:
            OutputRefused: A file would be outside the output folder, or two generators emit the same path.
        """
        emitted = [file for row in range(len(self._generators)) for file in self.made_by(row)]
        _check_paths(emitted)
        return tuple(sorted(emitted, key=lambda file: file.path))

    def file(self, path: str) -> EmittedFile | None:
        """Return the file at a path, or None; runs only the rows that it depends on."""
        rows = (
            row for row, generator in enumerate(self._generators) if generator.may_emit(self._named(path))
        )
        return next((file for row in rows for file in self.made_by(row) if file.path == path), None)

    def some(self, wanted: Callable[[str], bool]) -> dict[str, EmittedFile]:
        """Return the files at the wanted paths, sorted by path; runs only the rows that they depend on."""
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
        """Return a path with `PACKAGE` in place of the package folder, as in the table."""
        inside = path.removeprefix(f"{self.package_name}/")
        return path if inside == path else f"{PACKAGE}{inside}"

    def made_by(self, row: int) -> tuple[EmittedFile, ...]:
        """Return the files of a row; its generator runs once."""
        made = self._made.get(row)
        if made is None:
            made = self._made[row] = tuple(self._generated(self._generators[row], row))
        return made

    def _generated(self, generator: Generator, row: int) -> list[EmittedFile]:
        if generator.from_plan is not None:
            return generator.from_plan(self._committed)
        if generator.from_texts is not None:
            return generator.from_texts(self._documents)
        above = [file for other in range(row) for file in self.made_by(other)]
        return generator.from_files(self._committed, above) if generator.from_files is not None else []


def render_package(committed: CommittedPlan) -> FileSet:
    """Return the output files, which are rendered on demand."""
    return Rendering(committed, GENERATORS)


def _check_paths(emitted: list[EmittedFile]) -> None:
    seen: dict[str, str] = {}
    for file in emitted:
        path = PurePosixPath(file.path)
        if not _stays_inside(file.path):
            raise OutputRefused(
                "A file of the package would lie outside the output folder",
                hint="This is a fault of melleafy-tui; please report it with the workspace's file names.",
                location=file.path,
            )
        if (other := seen.get(str(path).casefold())) is not None:
            same = "have the same path" if other == file.path else "differ only in case"
            raise OutputRefused(
                f"Two files of the package {same}, so some file systems can't hold both: {other}, {file.path}",
                hint="Rename one of the source files that they come from.",
                location=file.path,
            )
        seen[str(path).casefold()] = file.path


def _stays_inside(path: str) -> bool:
    parts = path.split("/")
    return not any(part in ("", ".", "..") or "\\" in part or "\0" in part or ":" in part for part in parts)
