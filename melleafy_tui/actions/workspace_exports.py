"""Exports to other folders: a workspace from the package, surfaces from a workspace, a workspace from surfaces.

Each does what one command does (`export`, `materialize`): it writes all files or none, and never into a
folder that isn't empty. Screens and plain lines ask for the folders and show the result.
"""

import shlex
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from msgspec import Struct

from melleafy_tui.actions.display_names import shell_path
from melleafy_tui.actions.session import WizardSession
from melleafy_tui.core.models.reports import ExportState
from melleafy_tui.core.models.surfaces import MaterializeOptions
from melleafy_tui.core.openclaw.export.exported_package import read_converted
from melleafy_tui.core.openclaw.export.restored_workspace import export_openclaw
from melleafy_tui.core.openclaw.surfaces.materialization import to_surfaces, to_workspace
from melleafy_tui.core.openclaw.surfaces.surface_table import MEMORY_FILE
from melleafy_tui.core.output.folder import refuse_target, write_folder

EXPORT_TITLE: Final = "Export a workspace from the package"
SURFACES_TITLE: Final = "Surfaces of this workspace"
WORKSPACE_TITLE: Final = "A workspace from surfaces"

SURFACES_DOES: Final = "Split the workspace into named surfaces, as exact copies (materialize --reverse)."
WORKSPACE_DOES: Final = "Build a workspace from named surfaces, as exact copies (materialize)."

NEVER_OVER: Final = "The folder must be new or empty; the source is only read."
NOT_WRITTEN_YET: Final = "Write the package first; the export starts from it."
READ_FROM: Final = "Read from"
WRITE_TO: Final = "Write to"
MEMORY_ASKED: Final = f"{MEMORY_FILE} among the surfaces (empty: not copied)"

_MEMORY_SURFACE: Final = "surfaces/memory.md"


class FolderDone(Struct, frozen=True):
    """The result of an export.

    Attributes:
        target: The folder that was written.
        command: The equivalent command line, after `melleafy-tui`.
        summary: Counts in one line, or `""`.
        exceptions: What isn't an exact copy: its state, and its path with the reason.
        files: The written files: origin, source (`""` for none), and path.
        warnings: What to review.
    """

    target: Path
    command: str
    summary: str = ""
    exceptions: tuple[tuple[str, str], ...] = ()
    files: tuple[tuple[str, str, str], ...] = ()
    warnings: tuple[str, ...] = ()


Work = Callable[[Path, Path, str], FolderDone]


class FolderWork(Struct, frozen=True):
    """One of the three exports, with default folders.

    Attributes:
        title: Its title.
        source: The default folder to read.
        target: The default folder to write.
        memory: The memory file among the surfaces, `""` for none; None if the user isn't asked for it.
        carry_out: Reads the first folder and writes the second, with the memory file; raises a MelleafyError,
            without writing anything, if it can't.
    """

    title: str
    source: Path
    target: Path
    memory: str | None
    carry_out: Work


def export_work(session: WizardSession) -> FolderWork:
    """Return the export of the written package to a workspace of the source runtime."""
    out = session.out
    work = _outside(_root(session), partial(_export, workspace=_root(session)))
    return FolderWork(EXPORT_TITLE, out, out.with_name(f"{out.name}_openclaw"), None, work)


def surfaces_work(session: WizardSession) -> FolderWork:
    """Return the extraction of named surfaces from the workspace, as exact copies."""
    root = _root(session)
    memory = _MEMORY_SURFACE if (root / MEMORY_FILE).is_file() else ""
    target = root.with_name(f"{root.name}_surfaces")
    return FolderWork(SURFACES_TITLE, root, target, memory, _outside(root, _surfaces))


def workspace_work(session: WizardSession) -> FolderWork:
    """Return the assembly of an OpenClaw workspace from named surfaces, as exact copies."""
    root = _root(session)
    surfaces, target = (root.with_name(f"{root.name}_{name}") for name in ("surfaces", "workspace"))
    memory = _MEMORY_SURFACE if (surfaces / _MEMORY_SURFACE).is_file() else ""
    return FolderWork(WORKSPACE_TITLE, surfaces, target, memory, _outside(root, _workspace))


def _root(session: WizardSession) -> Path:
    return Path(session.conversion.snapshot.root)


def _outside(root: Path, work: Work) -> Work:
    """Return an export that refuses to write into the wizard's workspace, whatever folder it reads."""

    def carry_out(source: Path, target: Path, memory: str) -> FolderDone:
        refuse_target(root, target, force=False)
        return work(source, target, memory)

    return carry_out


def _export(source: Path, target: Path, _memory: str, *, workspace: Path) -> FolderDone:
    package = read_converted(source, workspace)
    made = export_openclaw(package)
    write_folder(made.files, package.folder, target)
    counts = ((state, len(made.in_state(state))) for state in ExportState)
    return FolderDone(
        target,
        f"export --host=openclaw --workspace {shell_path(workspace)} {shell_path(source)} {shell_path(target)}",
        summary=", ".join(f"{count} {state}" for state, count in counts if count),
        exceptions=tuple(
            (file.state.value, f"{file.path}: {reason}") for file in made.listed for reason in file.reasons
        ),
    )


def _surfaces(source: Path, target: Path, memory: str) -> FolderDone:
    return _materialize(source, target, memory, reverse=True)


def _workspace(source: Path, target: Path, memory: str) -> FolderDone:
    return _materialize(source, target, memory, reverse=False)


def _materialize(source: Path, target: Path, memory: str, *, reverse: bool) -> FolderDone:
    made = (to_surfaces if reverse else to_workspace)(source, MaterializeOptions(memory_file=memory))
    write_folder(made.files, source, target)
    option = " --reverse" if reverse else ""
    if memory:
        option += f" --memory-file {shlex.quote(memory)}"
    return FolderDone(
        target,
        f"materialize{option} {shell_path(source)} {shell_path(target)}",
        files=tuple((str(file.origin), file.source, file.path) for file in made.listed),
        warnings=tuple(warning.message for warning in made.warnings),
    )
