"""Renders the files of a package: a table of generators, each with its outputs and declared inputs.

A generator runs again only if its declared inputs have changed since the last rendering.
"""

from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase
from functools import cached_property, partial
from pathlib import PurePosixPath
from typing import Final

from msgspec import Struct

from melleafy_tui.core.errors import OutputRefused
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import EmittedFile, FileSet
from melleafy_tui.core.models.vocabulary import EntryKind
from melleafy_tui.core.result_cache import ResultCache
from melleafy_tui.generators.assets import generate_assets
from melleafy_tui.generators.config import generate_config
from melleafy_tui.generators.constrained_slots import generate_constrained_slots
from melleafy_tui.generators.fixtures import generate_fixtures
from melleafy_tui.generators.inputs import DeclaredInputs, Input
from melleafy_tui.generators.intermediate import ARTIFACTS, FOLDER, generate_artifact
from melleafy_tui.generators.main_module import generate_main, generate_package_init
from melleafy_tui.generators.manifest import generate_manifest
from melleafy_tui.generators.mock_tools import generate_mocks
from melleafy_tui.generators.model_steps import generate_schemas, generate_step_objects, generate_step_slots
from melleafy_tui.generators.package_shape import FACTS, TOOLS
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
from melleafy_tui.generators.static_modules import STATIC_MODULES, generate_static_modules
from melleafy_tui.generators.tools import generate_tools

FromPlan = Callable[[CommittedPlan], list[EmittedFile]]
FromPlanAndFiles = Callable[[CommittedPlan, list[EmittedFile]], list[EmittedFile]]

PACKAGE: Final = "<package>/"
"""Placeholder in the table for the package folder."""


class Generator(Struct, frozen=True):
    """One row of the table: the paths that it may emit, when it applies, its function, and its inputs.

    In `paths` and `files`, `*` matches any text. Exactly one of `from_plan` and `from_files` is set. Both get the part
    of the plan that `reads` declares; `from_files` also gets the files that rows above emit at the paths in `files`.
    Undeclared inputs can't be read, so the emitted files stay valid while the declared inputs are equal.
    """

    paths: tuple[str, ...]
    applies: str
    from_plan: FromPlan | None = None
    from_files: FromPlanAndFiles | None = None
    reads: tuple[Input, ...] = ()
    files: tuple[str, ...] = ()

    def may_emit(self, path: str) -> bool:
        """Return whether the row may emit a path, in which `PACKAGE` replaces the package folder."""
        return any(fnmatchcase(path, pattern) for pattern in self.paths)

    def sees(self, path: str) -> bool:
        """Return whether the row gets the files that rows above it emit at a path, which may be a pattern."""
        return any(fnmatchcase(path, pattern) for pattern in self.files)


def _in_package(*paths: str) -> tuple[str, ...]:
    return tuple(f"{PACKAGE}{path}" for path in paths)


_PACKAGE: Final[tuple[Input, ...]] = ("package_name", "project_name", "classification")
"""Inputs: the names of the package and the kind of agent."""

_PLAN: Final[tuple[Input, ...]] = (
    *_PACKAGE,
    "backend",
    "carried_folders",
    "inventory",
    "mapping",
    "mapping_rows",
    "plan",
    "planned",
    "runtime_titles",
    "settings",
    "snapshot",
)
"""Inputs: everything that a decision can change."""

_REFERENCES: Final[tuple[Input, ...]] = (
    "package_name",
    EntryKind.IDENTITY,
    EntryKind.RULE,
    *FACTS,
    EntryKind.MEMORY,
)

_CODE: Final = f"{PACKAGE}*.py"
_CARRYING: Final = (
    _CODE,
    f"{PACKAGE}*.md",
    ".env.example",
    *_in_package("references/*", "scripts/*", "assets/*"),
)
"""Files whose lines may come from the source."""

GENERATORS: Final[tuple[Generator, ...]] = (
    Generator(
        _in_package("__init__.py", "__main__.py", "py.typed"),
        "always",
        generate_package_init,
        reads=(*_PACKAGE, "inventory", "plan", "runtime_titles", "source_titles", EntryKind.SCHEMA),
    ),
    Generator(_in_package("config.py"), "always", generate_config, reads=(*_PLAN, "cost", "memory_folder")),
    Generator(_in_package("schemas.py"), "answers with a form", generate_schemas, reads=_PLAN),
    Generator(
        _in_package("requirements.py"),
        "rules exist",
        generate_requirements,
        reads=("package_name", "inventory", "plan", "planned", "snapshot"),
    ),
    Generator(
        _in_package("slots.py"),
        "EXTRACT and CLASSIFY steps",
        generate_step_slots,
        reads=("package_name", EntryKind.STEP),
    ),
    Generator(
        _in_package("mobjects.py"),
        "TRANSFORM and QUERY steps",
        generate_step_objects,
        reads=("package_name", EntryKind.STEP),
    ),
    Generator(
        _in_package("constrained_slots.py"),
        "stub and delegate entries",
        generate_constrained_slots,
        reads=("package_name", "planned"),
    ),
    Generator(
        _in_package("tools.py"),
        "tools, state file, memory store or scheduler",
        generate_tools,
        reads=("package_name", "inventory", "plan", "planned", "snapshot"),
    ),
    Generator(
        _in_package("references/*", "scripts/*", "assets/*"),
        "where they exist",
        generate_assets,
        reads=(*_REFERENCES, EntryKind.TOOL_CONCRETE, "snapshot", "carried_folders"),
    ),
    Generator(
        _in_package("fixtures/mock_tools.py"),
        "mock entries",
        generate_mocks,
        reads=("package_name", EntryKind.STATE, EntryKind.MEMORY, *TOOLS, EntryKind.CREDENTIAL),
    ),
    Generator(_in_package("pipeline.py"), "always", generate_pipeline, reads=_PLAN),
    Generator(_in_package("main.py"), "always", generate_main, reads=_PLAN),
    Generator(
        _in_package("fixtures/*.py", "fixtures/memory/*.md"),
        "always",
        generate_fixtures,
        reads=(*_PLAN, "fixtures"),
    ),
    Generator(
        _in_package(*STATIC_MODULES),
        "printed code imports them",
        from_files=generate_static_modules,
        reads=("package_name",),
        files=(_CODE,),
    ),
    Generator(("pyproject.toml",), "always", from_files=generate_project_file, reads=_PLAN, files=(_CODE,)),
    Generator(
        (".env.example",),
        "environment variables are read",
        generate_environment_example,
        reads=("backend", "inventory", "plan", "planned", "settings", "snapshot"),
    ),
    Generator(
        _in_package("dependencies.yaml"),
        "something comes from outside",
        generate_dependencies_file,
        reads=("package_name", "inventory", "plan"),
    ),
    Generator(
        _in_package("SETUP.md"),
        "something is left to set up",
        from_files=generate_setup_guide,
        reads=(*_PLAN, "memory_folder"),
        files=(_CODE,),
    ),
    Generator(
        _in_package("README.md"),
        "always",
        from_files=generate_readme,
        reads=(*_PLAN, "cost", "melleafy_tui_version"),
        files=(_CODE,),
    ),
    Generator(
        _in_package("melleafy.json"),
        "always",
        from_files=generate_manifest,
        reads=(*_PLAN, "cost", "generated_at", "melleafy_tui_version"),
        files=(_CODE,),
    ),
    Generator(
        _in_package("mapping_report.md"),
        "always",
        from_files=generate_report,
        reads=(*_PLAN, "cost", "diagnostics"),
        files=_CARRYING,
    ),
    Generator(
        _in_package(f"{FOLDER}/provenance.json"),
        "always",
        from_files=generate_provenance,
        reads=("package_name", "inventory", "plan"),
        files=_CARRYING,
    ),
    *(
        Generator(
            _in_package(f"{FOLDER}/{name}.json"),
            "always",
            partial(generate_artifact, name),
            reads=("package_name", *reads),
        )
        for name, (_, reads) in ARTIFACTS.items()
    ),
)


class Rendering(FileSet):
    """The files of a committed plan; each row of the table runs when one of its files is first requested.

    A screen can therefore show one file without waiting for the others. Threads may share a rendering: if two run the
    same row at once, the results are equal and one of them is kept.

    Args:
        committed: The committed plan.
        generators: The rows, ordered so that each reads only files of rows above it.
        cache: The last result of each row, reused while the declared inputs of the row are equal.
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

    def _seen_by(self, row: int) -> Iterable[EmittedFile]:
        """Return the files of the rows above a row that it declares as inputs, in order."""
        generator = self._generators[row]
        if generator.from_files is None:
            return
        for above in range(row):
            if any(generator.sees(path) for path in self._generators[above].paths):
                yield from (file for file in self.made_by(above) if generator.sees(self._named(file.path)))

    def made_by(self, row: int) -> tuple[EmittedFile, ...]:
        """Return the files of a row; its generator runs only if the declared inputs have changed."""
        made = self._made.get(row)
        if made is None:
            generator = self._generators[row]
            plan, seen = DeclaredInputs(self._committed, generator.reads), list(self._seen_by(row))
            made = self._made[row] = self._cache.result(
                row, (generator, plan.values, seen), lambda: tuple(_made(generator, plan, seen))
            )
        return made


class Renderer:
    """Renders successive states of a conversion; a generator runs again only if its inputs have changed."""

    def __init__(self) -> None:
        self._cache = ResultCache()

    def __call__(self, committed: CommittedPlan) -> FileSet:
        """Return the output files, which are rendered on demand."""
        return Rendering(committed, GENERATORS, self._cache)


def render_package(committed: CommittedPlan) -> FileSet:
    """Return the output files without a cache; they are rendered on demand."""
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
