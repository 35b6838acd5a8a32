"""Dialogs about files: where to save decisions, where to write, and whether to leave without saving."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Final

from textual.app import App

from melleafy_tui.actions.choices import Choice
from melleafy_tui.actions.display_names import path_fault, place, typed_path
from melleafy_tui.actions.fixture_picks import (
    FIXTURES_TITLE,
    FOLDER_ASKED,
    NAMES_ASKED,
    ONLY_TRANSCRIPTS,
    UNREADABLE_TITLE,
    WHICH_SESSION,
    AgentHistory,
    SessionChoice,
    folder_fault,
    pick_or_give_back,
    picked_messages,
    read_history,
    short_name,
)
from melleafy_tui.actions.workspace_exports import (
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
from melleafy_tui.core.decisions.commands import ChangeSettings
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.core.models.decisions import MOST_PICKED
from melleafy_tui.core.models.history import FixtureProposal
from melleafy_tui.core.models.visible_text import visible
from melleafy_tui.widgets.background_thread import background_thread
from melleafy_tui.widgets.dialogs import ChoiceDialog, Field, FormDialog, TextDialog
from melleafy_tui.widgets.styled_text import Line, Tone
from melleafy_tui.wizard.operations import Operations


class FileQuestions:
    """Shows one wizard's dialogs about files.

    Args:
        app: Shows the dialogs.
        operations: Carries out the choice.
    """

    def __init__(self, app: App[int], operations: Operations) -> None:
        self._app, self._operations, self._session = app, operations, operations.session

    def save(self) -> None:
        """Save the decisions, asking where the first time."""
        if self._session.decisions_path is not None:
            self._save_to(self._session.decisions_path)
            return
        self._ask_where_to_save(lambda: None)

    def choose_output(self) -> None:
        """Ask for the output folder and the name of the package."""
        conversion = self._session.conversion
        fields = [
            Field("out", "Output folder", place(self._session.out), path_fault),
            Field("name", "Package name (empty: from the source)", conversion.settings.package_name or ""),
        ]

        def decide(values: dict[str, str] | None) -> None:
            if values is None:
                return
            try:
                self._session.choose_out(typed_path(values["out"]))
            except MelleafyError as error:
                self._operations.fail("This folder cannot be used", error)
                return
            self._operations.carry_out(ChangeSettings({"package_name": values["name"] or None}))
            self._operations.decisions_changed()

        self._app.push_screen(FormDialog("Output", fields), decide)

    def leave(self, then: Callable[[], object]) -> None:
        """Leave the workspace, asking first if decisions are unsaved.

        Args:
            then: Called when nothing holds the user any more.
        """
        if not self._session.conversion.unsaved:
            then()
            return
        choices = [
            Choice("save", "Save and leave", current=True),
            Choice("leave", "Leave without saving", "your decisions will be lost"),
            Choice("stay", "Stay"),
        ]

        def decide(value: str | None) -> None:
            if value == "leave":
                if self._session.journal is not None:
                    self._session.journal.clear()
                then()
            elif value == "save":
                path = self._session.decisions_path
                if path is None:
                    self._ask_where_to_save(then)
                elif self._save_to(path):
                    then()

        self._app.push_screen(ChoiceDialog("Your decisions are not saved", choices), decide)

    def _ask_where_to_save(self, then: Callable[[], object]) -> None:
        field = Field("path", "File", place(self._session.suggested_decisions_path), path_fault)

        def decide(values: dict[str, str] | None) -> None:
            if values is not None and self._save_to(typed_path(values["path"])):
                then()

        lead: list[Line] = [(("A JSON file to keep and review; later runs read it.", Tone.MUTED),)]
        self._app.push_screen(FormDialog("Save decisions", [field], lead=lead), decide)

    def _save_to(self, path: Path) -> bool:
        try:
            backup = self._session.save(path)
        except MelleafyError as error:
            self._operations.fail("The decisions are not saved", error)
            return False
        said = f". The file that was there is kept as {backup.name}" if backup is not None else ""
        self._app.notify(f"Saved in {place(path)}{said}", markup=False)
        self._operations.redraw()
        return True


_READING: Final = "read the agent's history"


class FixtureQuestions:
    """Shows one wizard's dialogs about fixtures: state folder, sessions, turns.

    Args:
        app: Shows the dialogs.
        operations: Carries out the picks.
    """

    def __init__(self, app: App[int], operations: Operations) -> None:
        self._app, self._operations, self._session = app, operations, operations.session

    def begin(self) -> None:
        """Ask for the state folder."""
        fields = [Field("folder", FOLDER_ASKED, "", folder_fault), Field("names", NAMES_ASKED, "")]
        lead: list[Line] = [((ONLY_TRANSCRIPTS, Tone.MUTED),)]

        def decide(values: dict[str, str] | None) -> None:
            if values is not None:
                self._read(self._list(values["folder"], values["names"]))

        self._app.push_screen(FormDialog(FIXTURES_TITLE, fields, lead=lead), decide)

    def _read(self, work: Coroutine[None, None, None]) -> None:
        self._app.run_worker(work, group="history", exit_on_error=False, description=_READING)

    async def _list(self, folder: str, names: str) -> None:
        try:
            history = await background_thread(lambda: read_history(folder, names), name=_READING)
        except MelleafyError as error:
            self._operations.fail(UNREADABLE_TITLE, error)
            return
        choices = [Choice(each.value, visible(each.label), _note(each)) for each in history.choices]

        def decide(chosen: str | None) -> None:
            if chosen is not None:
                self._read(self._propose(history, chosen))

        self._app.push_screen(ChoiceDialog(WHICH_SESSION, choices), decide)

    async def _propose(self, history: AgentHistory, chosen: str) -> None:
        try:
            proposal = await background_thread(lambda: history.propose(chosen), name=_READING)
        except MelleafyError as error:
            self._operations.fail(UNREADABLE_TITLE, error)
            return
        self._pick(proposal)

    def _pick(self, proposal: FixtureProposal, at: str = "") -> None:
        """Show the candidates; choosing one picks or unpicks it, and shows the list again."""
        picked = picked_messages(self._session)
        choices = [
            Choice(
                candidate.candidate_id,
                ("✓ picked  " if candidate.message in picked else "") + short_name(candidate),
                visible(" ".join(candidate.message.split())),
                current=candidate.candidate_id == at,
            )
            for candidate in proposal.candidates
        ]
        lead: list[Line] = [
            (
                (
                    f"{len(picked)} of {MOST_PICKED} picked. ⏎ picks or unpicks a turn; Esc ends.",
                    Tone.MUTED,
                ),
            )
        ]

        def decide(chosen: str | None) -> None:
            candidate = next((each for each in proposal.candidates if each.candidate_id == chosen), None)
            if candidate is not None:
                command, done = pick_or_give_back(self._session, candidate)
                self._operations.carry_out(command, f"{done}.")
                self._pick(proposal, candidate.candidate_id)

        self._app.push_screen(ChoiceDialog(FIXTURES_TITLE, choices, lead=lead), decide)


def _note(choice: SessionChoice) -> str:
    turns = f"{choice.turns} user turns"
    return f"{choice.when}  {turns}  {visible(choice.where)}" if choice.where else turns


class FolderQuestions:
    """Shows one wizard's dialogs about exports to other folders.

    Args:
        app: Shows the dialogs.
        operations: Shows errors.
    """

    def __init__(self, app: App[int], operations: Operations) -> None:
        self._app, self._operations, self._session = app, operations, operations.session

    def export(self) -> None:
        """Export the written package back to a workspace of the source runtime."""
        if not self._session.is_written:
            self._app.notify(NOT_WRITTEN_YET, markup=False)
            return
        self._ask(export_work(self._session))

    def surfaces(self) -> None:
        """Extract named surfaces from the workspace, as exact copies."""
        self._ask(surfaces_work(self._session))

    def workspace(self) -> None:
        """Assemble an OpenClaw workspace from named surfaces, as exact copies."""
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
            # Leaving waits for this thread: it must finish writing.
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
