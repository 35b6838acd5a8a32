"""Renders the files of a package, each generator after those whose files it reads."""

from collections.abc import Iterable
from pathlib import PurePosixPath

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
from melleafy_tui.generators.intermediate import generate_artifacts
from melleafy_tui.generators.main_module import generate_main, generate_package_init
from melleafy_tui.generators.manifest import generate_manifest
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
from melleafy_tui.generators.schemas import generate_schemas
from melleafy_tui.generators.setup_guide import generate_setup_guide
from melleafy_tui.generators.static_modules import generate_static_modules
from melleafy_tui.generators.tools import generate_tools


def render_package(committed: CommittedPlan) -> FileSet:
    """Return every file of the output, sorted by path.

    Args:
        committed: The committed plan.

    Raises:
        OutputRefused: A file would be outside the output folder, or two generators emit the same path.
    """
    documents = Documents(committed)
    documents.committed = committed = replace(committed, cost=run_cost(committed, documents))
    files = [
        *generate_package_init(committed),
        *generate_config(documents),
        *generate_schemas(committed),
        *generate_requirements(documents),
        *generate_constrained_slots(committed),
        *generate_tools(committed),
        *generate_assets(committed),
        *generate_mocks(committed),
        *generate_pipeline(documents),
        *generate_main(committed),
        *generate_fixtures(documents),
    ]
    files += generate_static_modules(committed, files)
    files += generate_project_file(committed, files)
    files += generate_environment_example(committed)
    files += generate_dependencies_file(committed)
    files += generate_setup_guide(committed, files)
    files += generate_readme(committed, files)
    files += generate_manifest(committed)
    files += generate_report(committed, files)
    files += generate_provenance(committed, files)
    files += generate_artifacts(committed)
    check_paths(files)
    return FileSet(tuple(sorted(files, key=lambda file: file.path)), committed.package_name)


def check_paths(emitted: Iterable[EmittedFile]) -> None:
    """Refuse paths that leave the output folder, and two that some file system can't hold both.

    Args:
        emitted: The files.

    Raises:
        OutputRefused: There is such a path.
    """
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
