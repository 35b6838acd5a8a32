"""What a wizard can make of other folders: a workspace back from the package, and surfaces from and to workspaces.

Each does what one command does (`export`, `materialize`); all or nothing is written, never into a folder that already
holds something. Screens and lines ask for the folders and say what came of it.
"""

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Final

from msgspec import Struct

from melleafy_tui.actions.command_lines import shell_path
from melleafy_tui.actions.session import WizardSession
from melleafy_tui.core.models.reports import ExportState
from melleafy_tui.core.models.surfaces import MaterializeOptions
from melleafy_tui.core.openclaw.export.package import read_converted
from melleafy_tui.core.openclaw.export.workspace import export_openclaw
from melleafy_tui.core.openclaw.surfaces.materialization import to_surfaces, to_workspace
from melleafy_tui.core.openclaw.surfaces.table import MEMORY_FILE
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
    """What came of it.

    Attributes:
        target: The folder that was written.
        command: The same without the wizard, after `melleafy-tui`.
        summary: Counts in one line, or `""`.
        exceptions: What did not come back byte for byte: its state, and its path with the reason.
        files: What was written: its origin, its source (`""` for none), and its path.
        warnings: What to look at.
    """

    target: Path
    command: str
    summary: str = ""
    exceptions: tuple[tuple[str, str], ...] = ()
    files: tuple[tuple[str, str, str], ...] = ()
    warnings: tuple[str, ...] = ()


Work = Callable[[Path, Path, str], FolderDone]


class FolderWork(Struct, frozen=True):
    """One of the three, with the folders that are offered.

    Attributes:
        title: What it is called.
        source: The folder that is read unless the user names another.
        target: The folder that is written unless the user names another.
        memory: The memory file among the surfaces, `""` for none; None where it is not asked for.
        carry_out: Reads the first folder, writes the second, with the memory file; raises a MelleafyError where it
            cannot, and nothing is written then.
    """

    title: str
    source: Path
    target: Path
    memory: str | None
    carry_out: Work


def export_work(session: WizardSession) -> FolderWork:
    """Return how a workspace of the source runtime is made again from the package that was written."""
    out = session.out
    work = _outside(_root(session), _export)
    return FolderWork(EXPORT_TITLE, out, out.with_name(f"{out.name}_openclaw"), None, work)


def surfaces_work(session: WizardSession) -> FolderWork:
    """Return how the workspace is taken apart into named surfaces, byte for byte."""
    root = _root(session)
    memory = _MEMORY_SURFACE if (root / MEMORY_FILE).is_file() else ""
    target = root.with_name(f"{root.name}_surfaces")
    return FolderWork(SURFACES_TITLE, root, target, memory, _outside(root, _surfaces))


def workspace_work(session: WizardSession) -> FolderWork:
    """Return how an OpenClaw workspace is made from named surfaces, byte for byte."""
    root = _root(session)
    surfaces, target = (root.with_name(f"{root.name}_{name}") for name in ("surfaces", "workspace"))
    memory = _MEMORY_SURFACE if (surfaces / _MEMORY_SURFACE).is_file() else ""
    return FolderWork(WORKSPACE_TITLE, surfaces, target, memory, _outside(root, _workspace))


def _root(session: WizardSession) -> Path:
    return Path(session.conversion.snapshot.root)


def _outside(root: Path, work: Work) -> Work:
    """Return work that never writes into the workspace of the wizard, whatever folder it reads."""

    def carry_out(source: Path, target: Path, memory: str) -> FolderDone:
        refuse_target(root, target, force=False)
        return work(source, target, memory)

    return carry_out


def _export(source: Path, target: Path, _memory: str) -> FolderDone:
    package = read_converted(source)
    made = export_openclaw(package)
    write_folder(made.files, package.folder, target)
    counts = ((state, len(made.in_state(state))) for state in ExportState)
    return FolderDone(
        target,
        f"export --host=openclaw {shell_path(source)} {shell_path(target)}",
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
