"""Renders the files of a package, each generator after those whose files it reads."""

from collections.abc import Iterable
from pathlib import PurePosixPath

from msgspec.structs import replace

from melleafy_tui.core.errors import OutputRefused
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import EmittedFile, FileSet
from melleafy_tui.generators import (
    assets,
    config,
    constrained_slots,
    fixtures,
    intermediate,
    main_module,
    manifest,
    pipeline,
    project_files,
    provenance,
    report,
    requirements,
    schemas,
    setup_guide,
    static_modules,
    tools,
)
from melleafy_tui.generators.documents import Documents
from melleafy_tui.generators.first_turn import run_cost


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
        *main_module.generate_package_init(committed),
        *config.generate_config(documents),
        *schemas.generate_schemas(committed),
        *requirements.generate_requirements(documents),
        *constrained_slots.generate_constrained_slots(committed),
        *tools.generate_tools(committed),
        *assets.generate_assets(committed),
        *constrained_slots.generate_mocks(committed),
        *pipeline.generate_pipeline(documents),
        *main_module.generate_main(committed),
        *fixtures.generate_fixtures(documents),
    ]
    files += static_modules.generate_static_modules(committed, files)
    files += project_files.generate_project_file(committed, files)
    files += project_files.generate_environment_example(committed)
    files += project_files.generate_dependencies_file(committed)
    files += setup_guide.generate_setup_guide(committed, files)
    files += setup_guide.generate_readme(committed, files)
    files += manifest.generate_manifest(committed)
    files += report.generate_report(committed, files)
    files += provenance.generate_provenance(committed, files)
    files += intermediate.generate_artifacts(committed)
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
