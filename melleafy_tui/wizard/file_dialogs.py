"""Dialogs about files: where to save decisions, where to write, and whether to leave without saving."""

from collections.abc import Callable
from pathlib import Path

from textual.app import App

from melleafy_tui.actions.choices import Choice, Field
from melleafy_tui.actions.display_names import path_fault, place, typed_path
from melleafy_tui.core.decisions.commands import ChangeSettings
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.widgets.dialogs import ChoiceDialog, FormDialog
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

        def decide(values: dict[str, str]) -> None:
            try:
                self._session.choose_out(typed_path(values["out"]))
            except MelleafyError as error:
                self._operations.fail("This folder cannot be used", error)
                return
            self._operations.carry_out(ChangeSettings({"package_name": values["name"] or None}))
            self._operations.decisions_changed()

        FormDialog("Output", fields).ask(self._app, decide)

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

        def decide(value: str) -> None:
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

        ChoiceDialog("Your decisions are not saved", choices).ask(self._app, decide)

    def _ask_where_to_save(self, then: Callable[[], object]) -> None:
        field = Field("path", "File", place(self._session.suggested_decisions_path), path_fault)

        def decide(values: dict[str, str]) -> None:
            if self._save_to(typed_path(values["path"])):
                then()

        lead: list[Line] = [(("A JSON file to keep and review; later runs read it.", Tone.MUTED),)]
        FormDialog("Save decisions", [field], lead=lead).ask(self._app, decide)

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
