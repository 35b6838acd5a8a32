"""What the screens ask about other folders: a workspace back from the package, and surfaces from and to workspaces.

Each dialog does what one command does (`export`, `materialize`) and shows what that command would say.
"""

import asyncio
from pathlib import Path

from textual.app import App

from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.core.visible import visible
from melleafy_tui.folder_works import (
    MEMORY_ASKED,
    NEVER_OVER,
    NOT_WRITTEN_YET,
    READ_FROM,
    WRITE_TO,
    FolderDone,
    FolderWork,
    export_work,
    surfaces_work,
    workspace_work,
)
from melleafy_tui.operations import Operations
from melleafy_tui.typed_paths import path_fault, typed_path
from melleafy_tui.widgets.dialogs import Field, FormDialog, TextDialog
from melleafy_tui.widgets.tones import Line, Tone
from melleafy_tui.words import place


class FolderQuestions:
    """The questions of one wizard.

    Args:
        app: Where the dialogs are shown.
        operations: Shows what failed.
    """

    def __init__(self, app: App[int], operations: Operations) -> None:
        self._app, self._operations, self._session = app, operations, operations.session

    def export(self) -> None:
        """Make a workspace of the source runtime again from the package that was written."""
        if not self._session.is_written:
            self._app.notify(NOT_WRITTEN_YET, markup=False)
            return
        self._ask(export_work(self._session))

    def surfaces(self) -> None:
        """Take the workspace apart into named surfaces, byte for byte."""
        self._ask(surfaces_work(self._session))

    def workspace(self) -> None:
        """Make an OpenClaw workspace from named surfaces, byte for byte."""
        self._ask(workspace_work(self._session))

    def _ask(self, work: FolderWork) -> None:
        fields = [
            Field("source", READ_FROM, place(work.source), path_fault),
            Field("target", WRITE_TO, place(work.target), path_fault),
        ]
        if work.memory is not None:
            fields.append(Field("memory", MEMORY_ASKED, work.memory))

        def decide(values: dict[str, str] | None) -> None:
            if values is not None:
                source, target = typed_path(values["source"]), typed_path(values["target"])
                done = self._carry_out(work, source, target, values.get("memory", ""))
                self._app.run_worker(
                    done, group="folders", exit_on_error=False, description="write the folder"
                )

        lead: list[Line] = [((NEVER_OVER, Tone.MUTED),)]
        self._app.push_screen(FormDialog(work.title, fields, lead=lead), decide)

    async def _carry_out(self, work: FolderWork, source: Path, target: Path, memory: str) -> None:
        try:
            # Leaving waits for this thread: what it writes must be whole.
            done = await asyncio.to_thread(work.carry_out, source, target, memory)
        except MelleafyError as error:
            self._operations.fail("Nothing was written", error)
            return
        self._app.push_screen(TextDialog(work.title, _told(done)))


def _told(done: FolderDone) -> list[Line]:
    lines: list[Line] = [
        (("✓ ", Tone.GOOD), ("Written to ", Tone.GOOD), (visible(place(done.target)), Tone.STRONG)),
        (),
    ]
    if done.summary:
        lines.append(((done.summary, Tone.TEXT),))
    lines.extend(
        ((f"{state}  ", Tone.WARN), (visible(reason), Tone.TEXT)) for state, reason in done.exceptions
    )
    lines.extend(
        ((f"{origin}  ", Tone.MUTED), (visible(f"{source} → {path}".removeprefix(" → ")), Tone.TEXT))
        for origin, source, path in done.files
    )
    lines.extend((("! ", Tone.WARN), (visible(warning), Tone.WARN)) for warning in done.warnings)
    return [
        *lines,
        (),
        (("The same without the wizard", Tone.HEADING),),
        (("$ ", Tone.MUTED), (visible(f"melleafy-tui {done.command}"), Tone.TEXT)),
    ]
