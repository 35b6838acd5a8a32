"""Exports of a converted package to other hosts: a LangGraph project, an MCP server, a Claude Code plugin.

The package is read as data and copied byte by byte; nothing of it is imported or run.
"""

import tomllib
from pathlib import Path
from typing import Final

from melleafy_tui.core.errors import UnusableInput
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.manifest import Manifest
from melleafy_tui.core.models.reports import ExportState
from melleafy_tui.core.models.surfaces import ExactFile
from melleafy_tui.core.models.vocabulary import Modality
from melleafy_tui.core.openclaw.export.exported_package import read_part
from melleafy_tui.core.openclaw.export.restored_workspace import Export, identity_of
from melleafy_tui.core.openclaw.surfaces.exact_tree import ExactTree
from melleafy_tui.core.openclaw.surfaces.surface_table import never_written
from melleafy_tui.core.output.emitted import MANIFEST_NAME, find_package
from melleafy_tui.generators.host_projects import HOST_FILES, HostedAgent

PROJECT_FILE: Final = "pyproject.toml"
SAMPLE_FILE: Final = ".env.example"
NOT_COPIED: Final = {"intermediate/": "what the conversion found, with the text of the workspace"}
HIDDEN: Final = "hidden files"
WAKING: Final = frozenset({Modality.HEARTBEAT, Modality.SCHEDULED})


def export_to_host(path: Path, host: str) -> tuple[Path, Export]:
    """Return the package's folder, and the files of a project that runs the package on a host.

    Args:
        path: The package, or the output folder that holds it.
        host: A name in `HOST_FILES`.

    Raises:
        UnusableInput: There is no package, or a host can't call it.
    """
    folder = find_package(path)
    manifest = read_part(ExactTree(folder), MANIFEST_NAME, Manifest)
    export = Export()
    copied = _copied(folder, export)
    agent = _agent(folder, manifest, copied)
    for file in HOST_FILES[host](agent):
        export.files.append(ExactFile(file.path, file.data))
    generated = {file.path for file in export.files}
    for copy in copied:
        if copy.path not in generated:
            export.files.append(copy)
            export.list_file(copy.path, ExportState.IDENTICAL)
    for made in sorted(generated):
        export.list_file(made, ExportState.ADDED)
    if agent.left_out:
        export.notes = (
            f"{', '.join(agent.left_out)} of run_pipeline can't be given by a host: no JSON type",
        )
    return folder, export


def _copied(folder: Path, export: Export) -> list[ExactFile]:
    """Return the files to copy: the package without what a conversion records, and the files beside it."""
    package = folder.name
    project = ExactTree(folder.parent)
    tree = ExactTree(folder)
    files: list[ExactFile] = []
    for name in tree.names():
        reason = NOT_COPIED.get(name) or never_written(name) or (HIDDEN if name.startswith(".") else "")
        if reason:
            export.leave_out(f"{package}/{name}", reason)
        elif name.endswith("/"):
            files += tree.below(name.rstrip("/"))
        elif found := tree.file(name):
            files.append(found)
    for left, reason in tree.left_behind:
        export.leave_out(f"{package}/{left}", reason)
    named = [ExactFile(f"{package}/{file.path}", file.data, file.executable) for file in files]
    setup = project.file(PROJECT_FILE)
    if setup is None:
        raise UnusableInput(
            f"There is no {PROJECT_FILE} beside the package, which says what it needs",
            hint="Name the output folder of a conversion.",
            location=str(folder.parent / PROJECT_FILE),
        )
    sample = project.file(SAMPLE_FILE)
    return [*named, setup, *([sample] if sample else [])]


def _agent(folder: Path, manifest: Manifest, copied: list[ExactFile]) -> HostedAgent:
    code = [EmittedFile(file.path, file.data) for file in copied]
    setup = next(file.data for file in copied if file.path == PROJECT_FILE)
    try:
        project = tomllib.loads(setup.decode("utf-8")).get("project")
        return HostedAgent(
            folder.name,
            code,
            description=identity_of(manifest),
            version=str(project.get("version", "")) if isinstance(project, dict) else "",
            woken=manifest.modality in WAKING,
            variables=manifest.declared_env_vars,
        )
    except (ValueError, SyntaxError, RecursionError, MemoryError) as error:  # of TOML, of Python, of bytes
        raise UnusableInput(
            f"A host can't call the package: {error}",
            hint="`melleafy-tui lint` checks the package; nothing was written.",
            location=str(folder),
        ) from error
