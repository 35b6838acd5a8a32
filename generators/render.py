"""The table of generators: which function emits which files, in the order in which they may look at each other."""

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
from melleafy_tui.generators.config import generate_config
from melleafy_tui.generators.fixtures import generate_fixtures
from melleafy_tui.generators.inputs import DeclaredInputs, Input
from melleafy_tui.generators.intermediate import ARTIFACTS, FOLDER, generate_artifact
from melleafy_tui.generators.loader import generate_assets, generate_loader
from melleafy_tui.generators.main_module import generate_main, generate_package_init
from melleafy_tui.generators.manifest import generate_manifest
from melleafy_tui.generators.model_steps import generate_schemas, generate_step_objects, generate_step_slots
from melleafy_tui.generators.package_shape import FACTS, TOOLS
from melleafy_tui.generators.permissions import generate_permissions
from melleafy_tui.generators.pipeline import generate_pipeline
from melleafy_tui.generators.project_files import (
    generate_dependencies_file,
    generate_environment_example,
    generate_project_file,
)
from melleafy_tui.generators.readme import generate_readme
from melleafy_tui.generators.report import generate_report
from melleafy_tui.generators.requirements import generate_requirements
from melleafy_tui.generators.setup_guide import generate_setup_guide
from melleafy_tui.generators.tools import generate_constrained_slots, generate_mocks, generate_tools

FromPlan = Callable[[CommittedPlan], list[EmittedFile]]
FromPlanAndFiles = Callable[[CommittedPlan, list[EmittedFile]], list[EmittedFile]]

PACKAGE: Final = "<package>/"
"""Stands in the table for the folder of the package."""


class Generator(Struct, frozen=True):
    """One row: the paths that it may emit, when it applies, its function, and what that reads.

    In `paths` and `files`, `*` stands for any text. Exactly one of `from_plan` and `from_files` is given. Either gets
    the part of the plan that `reads` declares; the latter also gets what the rows above emit at the paths of `files`.
    What is not declared cannot be read, so the files hold as long as the declared inputs stay equal.
    """

    paths: tuple[str, ...]
    applies: str
    from_plan: FromPlan | None = None
    from_files: FromPlanAndFiles | None = None
    reads: tuple[Input, ...] = ()
    files: tuple[str, ...] = ()

    def may_emit(self, path: str) -> bool:
        """Return whether the row may emit a path, given with `PACKAGE` in the place of the package's folder."""
        return any(fnmatchcase(path, pattern) for pattern in self.paths)

    def sees(self, path: str) -> bool:
        """Return whether the row is given what rows above it emit at a path, which may be a pattern itself."""
        return any(fnmatchcase(path, pattern) for pattern in self.files)


def _in_package(*paths: str) -> tuple[str, ...]:
    return tuple(f"{PACKAGE}{path}" for path in paths)


_PACKAGE: Final[tuple[Input, ...]] = ("package_name", "project_name", "classification")
"""What the package is called, and what kind of agent it is."""

_PLAN: Final[tuple[Input, ...]] = (
    *_PACKAGE,
    "backend",
    "inventory",
    "mapping",
    "mapping_rows",
    "plan",
    "planned",
    "runtime_titles",
    "settings",
    "snapshot",
)
"""What every decision may change."""

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
"""Files that may carry text of the source line by line."""

GENERATORS: Final[tuple[Generator, ...]] = (
    Generator(
        _in_package("__init__.py", "__main__.py", "py.typed"),
        "always",
        generate_package_init,
        reads=(*_PACKAGE, "runtime_titles", "source_titles"),
    ),
    Generator(_in_package("config.py"), "always", generate_config, reads=_PLAN),
    Generator(_in_package("schemas.py"), "always", generate_schemas, reads=_PLAN),
    Generator(
        _in_package("requirements.py"),
        "rules exist",
        generate_requirements,
        reads=("package_name", EntryKind.RULE),
    ),
    Generator(
        _in_package("permissions.py"),
        "permission rules exist",
        generate_permissions,
        reads=("package_name", EntryKind.RULE, *TOOLS),
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
        "real_impl entries",
        generate_tools,
        reads=(
            "package_name",
            "snapshot",
            EntryKind.RULE,
            EntryKind.STATE,
            EntryKind.MEMORY,
            *TOOLS,
            EntryKind.CREDENTIAL,
            EntryKind.SCHEDULE,
        ),
    ),
    Generator(_in_package("loader.py"), "load_from_disk entries", generate_loader, reads=_REFERENCES),
    Generator(
        _in_package("references/*", "scripts/*", "assets/*"),
        "where they exist",
        generate_assets,
        reads=(*_REFERENCES, EntryKind.TOOL_CONCRETE, "snapshot", "without_secrets"),
    ),
    Generator(
        _in_package("fixtures/mock_tools.py"),
        "mock entries",
        generate_mocks,
        reads=("package_name", EntryKind.STATE, EntryKind.MEMORY, *TOOLS, EntryKind.CREDENTIAL),
    ),
    Generator(_in_package("pipeline.py"), "always", generate_pipeline, reads=_PLAN),
    Generator(_in_package("main.py"), "always", generate_main, reads=_PLAN),
    Generator(_in_package("fixtures/*.py"), "always", generate_fixtures, reads=(*_PLAN, "fixtures")),
    Generator(("pyproject.toml",), "always", from_files=generate_project_file, reads=_PLAN, files=(_CODE,)),
    Generator(
        (".env.example",),
        "environment variables are read",
        generate_environment_example,
        reads=("backend", "planned", "settings", "snapshot"),
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
        reads=_PLAN,
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
