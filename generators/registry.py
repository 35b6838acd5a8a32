"""The table of generators: which function emits which files, in the order in which they may look at each other."""

from collections.abc import Callable
from fnmatch import fnmatchcase
from functools import partial
from typing import Final

from msgspec import Struct

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.package import EmittedFile
from melleafy_tui.core.models.vocabulary import EntryKind
from melleafy_tui.generators.assets import generate_assets
from melleafy_tui.generators.config import generate_config
from melleafy_tui.generators.constrained_slots import generate_constrained_slots
from melleafy_tui.generators.dependencies_file import generate_dependencies_file
from melleafy_tui.generators.environment_example import generate_environment_example
from melleafy_tui.generators.fixtures import generate_fixtures
from melleafy_tui.generators.inputs import Input
from melleafy_tui.generators.intermediate import ARTIFACTS, FOLDER, generate_artifact
from melleafy_tui.generators.loader import generate_loader
from melleafy_tui.generators.main_module import generate_main
from melleafy_tui.generators.manifest import generate_manifest
from melleafy_tui.generators.mocks import generate_mocks
from melleafy_tui.generators.package_init import generate_package_init
from melleafy_tui.generators.permissions import generate_permissions
from melleafy_tui.generators.pipeline import generate_pipeline
from melleafy_tui.generators.project_file import generate_project_file
from melleafy_tui.generators.readme import generate_readme
from melleafy_tui.generators.report import generate_report
from melleafy_tui.generators.requirements import generate_requirements
from melleafy_tui.generators.schemas import generate_schemas
from melleafy_tui.generators.setup_guide import generate_setup_guide
from melleafy_tui.generators.shape import FACTS, TOOLS
from melleafy_tui.generators.step_objects import generate_step_objects
from melleafy_tui.generators.step_slots import generate_step_slots
from melleafy_tui.generators.tools import generate_tools

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
