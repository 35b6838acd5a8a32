"""What the wizard asks about other folders: a workspace back from the package, and surfaces from and to workspaces.

Each dialog does what one command does (`export`, `materialize`) and shows what that command would say; all or nothing
is written, never into a folder that already holds something.
"""

import asyncio
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Final

from textual.app import App

from melleafy_tui.command_line import shell_path
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.core.export.openclaw import export_openclaw
from melleafy_tui.core.export.package import read_converted
from melleafy_tui.core.materialize.materialization import to_surfaces, to_workspace
from melleafy_tui.core.materialize.surfaces import MEMORY_FILE
from melleafy_tui.core.models.export import ExportState
from melleafy_tui.core.models.materialize import MaterializeOptions
from melleafy_tui.core.visible import visible
from melleafy_tui.core.writing.folder import write_folder
from melleafy_tui.typed_paths import path_fault, typed_path
from melleafy_tui.widgets.dialogs import Field, FormDialog, TextDialog
from melleafy_tui.widgets.tones import Line, Tone
from melleafy_tui.wizard_session import WizardSession
from melleafy_tui.words import place

EXPORT_TITLE: Final = "A workspace back from the package"
SURFACES_TITLE: Final = "Surfaces of this workspace"
WORKSPACE_TITLE: Final = "A workspace from surfaces"
_NEVER_OVER: Final = "The folder must be new or empty; the source is only read."

_MEMORY: Final = "memory"
_MEMORY_SURFACE: Final = "surfaces/memory.md"

Work = Callable[[Path, Path, str], list[Line]]
"""Reads the first folder, writes the second, and says what was done; the text is the memory file's surface."""


class FolderQuestions:
    """The questions of one wizard.

    Args:
        app: Where the dialogs are shown.
        session: The conversion in the hands of this user.
        fail: Shows an error under a title.
    """

    def __init__(
        self, app: App[int], session: WizardSession, *, fail: Callable[[str, MelleafyError], None]
    ) -> None:
        self._app, self._session, self._fail = app, session, fail

    def export(self) -> None:
        """Make a workspace of the source runtime again from the package that was written."""
        if not self._session.is_written:
            self._app.notify("Write the package first; the way back starts from it.", markup=False)
            return
        out = self._session.out
        self._ask(EXPORT_TITLE, out, out.with_name(f"{out.name}_openclaw"), _export)

    def surfaces(self) -> None:
        """Take the workspace apart into named surfaces, byte for byte."""
        root = Path(self._session.conversion.snapshot.root)
        memory = _memory_field((root / MEMORY_FILE).is_file())
        self._ask(SURFACES_TITLE, root, root.with_name(f"{root.name}_surfaces"), _surfaces, memory)

    def workspace(self) -> None:
        """Make an OpenClaw workspace from named surfaces, byte for byte."""
        root = Path(self._session.conversion.snapshot.root)
        surfaces = root.with_name(f"{root.name}_surfaces")
        memory = _memory_field((surfaces / _MEMORY_SURFACE).is_file())
        self._ask(WORKSPACE_TITLE, surfaces, root.with_name(f"{root.name}_workspace"), _workspace, memory)

    def _ask(self, title: str, source: Path, target: Path, work: Work, *more: Field) -> None:
        fields = [
            Field("source", "Read from", place(source), path_fault),
            Field("target", "Write to", place(target), path_fault),
            *more,
        ]

        def decide(values: dict[str, str] | None) -> None:
            if values is not None:
                source, target = typed_path(values["source"]), typed_path(values["target"])
                done = self._carry_out(title, work, source, target, values.get(_MEMORY, ""))
                self._app.run_worker(done, group="folders")

        lead: list[Line] = [((_NEVER_OVER, Tone.MUTED),)]
        self._app.push_screen(FormDialog(title, fields, lead=lead), decide)

    async def _carry_out(self, title: str, work: Work, source: Path, target: Path, memory: str) -> None:
        try:
            lines = await asyncio.to_thread(work, source, target, memory)
        except MelleafyError as error:
            self._fail("Nothing was written", error)
            return
        self._app.push_screen(TextDialog(title, lines))


def _memory_field(there: bool) -> Field:
    value = _MEMORY_SURFACE if there else ""
    return Field(_MEMORY, f"{MEMORY_FILE} among the surfaces (empty: it stays behind)", value)


def _export(source: Path, target: Path, _memory: str) -> list[Line]:
    package = read_converted(source)
    made = export_openclaw(package)
    write_folder(made.files, package.folder, target)
    counts = ((state, len(made.in_state(state))) for state in ExportState)
    told: list[Line] = [((", ".join(f"{count} {state}" for state, count in counts if count), Tone.TEXT),)]
    told.extend(
        ((f"{file.state}  ", Tone.WARN), (visible(f"{file.path}: {reason}"), Tone.TEXT))
        for file in made.listed
        for reason in file.reasons
    )
    return _done(target, told, f"export --host=openclaw {shell_path(source)} {shell_path(target)}")


def _surfaces(source: Path, target: Path, memory: str) -> list[Line]:
    return _materialize(source, target, memory, reverse=True)


def _workspace(source: Path, target: Path, memory: str) -> list[Line]:
    return _materialize(source, target, memory, reverse=False)


def _materialize(source: Path, target: Path, memory: str, *, reverse: bool) -> list[Line]:
    made = (to_surfaces if reverse else to_workspace)(source, MaterializeOptions(memory_file=memory))
    write_folder(made.files, source, target)
    told: list[Line] = [
        (
            (f"{file.origin}  ", Tone.MUTED),
            (visible(f"{file.source} → {file.path}".removeprefix(" → ")), Tone.TEXT),
        )
        for file in made.listed
    ]
    told.extend((("! ", Tone.WARN), (visible(warning.message), Tone.WARN)) for warning in made.warnings)
    option = " --reverse" if reverse else ""
    if memory:
        option += f" --memory-file {shlex.quote(memory)}"
    return _done(target, told, f"materialize{option} {shell_path(source)} {shell_path(target)}")


def _done(target: Path, told: list[Line], command: str) -> list[Line]:
    return [
        (("✓ ", Tone.GOOD), ("Written to ", Tone.GOOD), (visible(place(target)), Tone.STRONG)),
        (),
        *told,
        (),
        (("The same without the wizard", Tone.HEADING),),
        (("$ ", Tone.MUTED), (visible(f"melleafy-tui {command}"), Tone.TEXT)),
    ]
