"""What the wizard asks about files: where to save and load decisions, where to write, and whether to leave unsaved."""

from collections.abc import Callable
from pathlib import Path

from textual.app import App

from melleafy_tui.core.decisions.commands import ChangeSettings, Command
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.typed_paths import path_fault, typed_path
from melleafy_tui.widgets.dialogs import Choice, ChoiceDialog, Field, FormDialog
from melleafy_tui.widgets.tones import Line, Tone
from melleafy_tui.wizard_session import WizardSession
from melleafy_tui.words import place


class FileQuestions:
    """The questions of one wizard.

    Args:
        app: Where the dialogs are shown.
        session: The conversion in the hands of this user.
        act: Sends a command.
        load: Loads a decisions file.
        changed: Called after the output was chosen.
        saved: Called after the decisions were saved.
        leave: Ends the wizard.
        fail: Shows an error under a title.
    """

    def __init__(
        self,
        app: App[int],
        session: WizardSession,
        *,
        act: Callable[[Command], object],
        load: Callable[[Path], None],
        changed: Callable[[], None],
        saved: Callable[[], None],
        leave: Callable[[], None],
        fail: Callable[[str, MelleafyError], None],
    ) -> None:
        self._app, self._session = app, session
        self._act, self._load, self._changed = act, load, changed
        self._saved, self._leave, self._fail = saved, leave, fail

    def save(self) -> None:
        """Save the decisions, asking where the first time."""
        if self._session.decisions_path is not None:
            self._save_to(self._session.decisions_path)
            return
        self._ask_where_to_save(leave=False)

    def load(self) -> None:
        """Ask which decisions file to load."""
        field = Field("path", "File", place(self._session.suggested_decisions_path), path_fault)

        def decide(values: dict[str, str] | None) -> None:
            if values is not None:
                self._load(typed_path(values["path"]))

        lead: list[Line] = [
            (("It takes the place of what you decided here; u takes that back.", Tone.MUTED),)
        ]
        self._app.push_screen(FormDialog("Load decisions", [field], lead=lead), decide)

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
                self._fail("This folder cannot be used", error)
                return
            self._act(ChangeSettings({"package_name": values["name"] or None}))
            self._changed()

        self._app.push_screen(FormDialog("Output", fields), decide)

    def leave(self) -> None:
        """Leave, asking when decisions are unsaved."""
        if not self._session.conversion.unsaved:
            self._leave()
            return
        choices = [
            Choice("save", "Save and leave", current=True),
            Choice("leave", "Leave without saving", "your decisions are given up"),
            Choice("stay", "Stay"),
        ]

        def decide(value: str | None) -> None:
            if value == "leave":
                if self._session.journal is not None:
                    self._session.journal.clear()
                self._leave()
            elif value == "save":
                path = self._session.decisions_path
                if path is None:
                    self._ask_where_to_save(leave=True)
                elif self._save_to(path):
                    self._leave()

        self._app.push_screen(ChoiceDialog("Your decisions are not saved", choices), decide)

    def _ask_where_to_save(self, *, leave: bool) -> None:
        field = Field("path", "File", place(self._session.suggested_decisions_path), path_fault)

        def decide(values: dict[str, str] | None) -> None:
            if values is not None and self._save_to(typed_path(values["path"])) and leave:
                self._leave()

        lead: list[Line] = [(("A JSON file to keep and review; later runs read it.", Tone.MUTED),)]
        self._app.push_screen(FormDialog("Save decisions", [field], lead=lead), decide)

    def _save_to(self, path: Path) -> bool:
        try:
            self._session.save(path)
        except MelleafyError as error:
            self._fail("The decisions are not saved", error)
            return False
        self._app.notify(f"Saved in {place(path)}", markup=False)
        self._saved()
        return True
