"""The table of generators: which function emits which files, in the order in which they may look at each other."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from melleafy_tui.core.models.package import EmittedFile
from melleafy_tui.core.models.plan import CommittedPlan
from melleafy_tui.generators.config import generate_config
from melleafy_tui.generators.constrained_slots import generate_constrained_slots
from melleafy_tui.generators.fixtures import generate_fixtures
from melleafy_tui.generators.main_module import generate_main
from melleafy_tui.generators.package_init import generate_package_init
from melleafy_tui.generators.pipeline import generate_pipeline
from melleafy_tui.generators.requirements import generate_requirements
from melleafy_tui.generators.schemas import generate_schemas

FromPlan = Callable[[CommittedPlan], list[EmittedFile]]
FromPlanAndFiles = Callable[[CommittedPlan, list[EmittedFile]], list[EmittedFile]]


@dataclass(frozen=True, slots=True)
class Generator:
    """One row: a pattern of the paths it emits, when it applies, and its function.

    Exactly one of `from_plan` and `from_files` is given; the latter sees what the rows above have emitted.
    """

    pattern: str
    applies: str
    from_plan: FromPlan | None = None
    from_files: FromPlanAndFiles | None = None


GENERATORS: Final[tuple[Generator, ...]] = (
    Generator("<package>/{__init__,__main__}.py, py.typed", "always", generate_package_init),
    Generator("<package>/config.py", "always", generate_config),
    Generator("<package>/schemas.py", "always", generate_schemas),
    Generator("<package>/requirements.py", "rules exist", generate_requirements),
    Generator("<package>/constrained_slots.py", "stub and delegate entries", generate_constrained_slots),
    Generator("<package>/pipeline.py", "always", generate_pipeline),
    Generator("<package>/main.py", "always", generate_main),
    Generator("<package>/fixtures/{__init__,<id>}.py", "always", generate_fixtures),
)
