"""The table of generators: which function emits which files, in the order in which they may look at each other."""

from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import Final

from msgspec import Struct

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.package import EmittedFile
from melleafy_tui.generators.assets import generate_assets
from melleafy_tui.generators.config import generate_config
from melleafy_tui.generators.constrained_slots import generate_constrained_slots
from melleafy_tui.generators.dependencies_file import generate_dependencies_file
from melleafy_tui.generators.environment_example import generate_environment_example
from melleafy_tui.generators.fixtures import generate_fixtures
from melleafy_tui.generators.intermediate import generate_intermediate
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
from melleafy_tui.generators.step_objects import generate_step_objects
from melleafy_tui.generators.step_slots import generate_step_slots
from melleafy_tui.generators.tools import generate_tools

FromPlan = Callable[[CommittedPlan], list[EmittedFile]]
FromPlanAndFiles = Callable[[CommittedPlan, list[EmittedFile]], list[EmittedFile]]

PACKAGE: Final = "<package>/"
"""Stands in the table for the folder of the package."""


class Generator(Struct, frozen=True):
    """One row: the paths that it may emit, when it applies, and its function.

    In `paths`, `*` stands for any text. Exactly one of `from_plan` and `from_files` is given; the latter sees what the
    rows above have emitted. `stamped` says that the stamp stands in the files; a row that reads `generated_at` has it.
    """

    paths: tuple[str, ...]
    applies: str
    from_plan: FromPlan | None = None
    from_files: FromPlanAndFiles | None = None
    stamped: bool = False

    def may_emit(self, path: str) -> bool:
        """Return whether the row may emit a path, given with `PACKAGE` in the place of the package's folder."""
        return any(fnmatchcase(path, pattern) for pattern in self.paths)


def _in_package(*paths: str) -> tuple[str, ...]:
    return tuple(f"{PACKAGE}{path}" for path in paths)


GENERATORS: Final[tuple[Generator, ...]] = (
    Generator(_in_package("__init__.py", "__main__.py", "py.typed"), "always", generate_package_init),
    Generator(_in_package("config.py"), "always", generate_config),
    Generator(_in_package("schemas.py"), "always", generate_schemas),
    Generator(_in_package("requirements.py"), "rules exist", generate_requirements),
    Generator(_in_package("permissions.py"), "permission rules exist", generate_permissions),
    Generator(_in_package("slots.py"), "EXTRACT and CLASSIFY steps", generate_step_slots),
    Generator(_in_package("mobjects.py"), "TRANSFORM and QUERY steps", generate_step_objects),
    Generator(_in_package("constrained_slots.py"), "stub and delegate entries", generate_constrained_slots),
    Generator(_in_package("tools.py"), "real_impl entries", generate_tools),
    Generator(_in_package("loader.py"), "load_from_disk entries", generate_loader),
    Generator(_in_package("references/*", "scripts/*", "assets/*"), "where they exist", generate_assets),
    Generator(_in_package("fixtures/mock_tools.py"), "mock entries", generate_mocks),
    Generator(_in_package("pipeline.py"), "always", generate_pipeline),
    Generator(_in_package("main.py"), "always", generate_main),
    Generator(_in_package("fixtures/*.py"), "always", generate_fixtures),
    Generator(("pyproject.toml",), "always", from_files=generate_project_file),
    Generator((".env.example",), "environment variables are read", generate_environment_example),
    Generator(_in_package("dependencies.yaml"), "something comes from outside", generate_dependencies_file),
    Generator(_in_package("SETUP.md"), "something is left to set up", from_files=generate_setup_guide),
    Generator(_in_package("README.md"), "always", from_files=generate_readme),
    Generator(_in_package("melleafy.json"), "always", from_files=generate_manifest, stamped=True),
    Generator(_in_package("mapping_report.md"), "always", from_files=generate_report),
    Generator(_in_package("intermediate/*.json"), "always", generate_intermediate),
)
