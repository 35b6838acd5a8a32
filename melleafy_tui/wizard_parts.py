"""The parts of a wizard that work on an opened workspace, and how they are joined; each is made when it is needed."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from melleafy_tui.apart import Apart
from melleafy_tui.step_app import StepApp
from melleafy_tui.type_ahead import TypeAhead
from melleafy_tui.widgets.frame import StepScreen

if TYPE_CHECKING:
    from melleafy_tui.acts import Acts
    from melleafy_tui.background_rendering import BackgroundRendering
    from melleafy_tui.core.decisions.journal import JournalEntry
    from melleafy_tui.core.decisions.rebase import OverrideState
    from melleafy_tui.core.errors import MelleafyError
    from melleafy_tui.decision_questions import DecisionQuestions
    from melleafy_tui.file_questions import FileQuestions
    from melleafy_tui.fixture_questions import FixtureQuestions
    from melleafy_tui.folder_questions import FolderQuestions
    from melleafy_tui.source_on_disk import SourceOnDisk
    from melleafy_tui.wizard_session import WizardSession


class WizardParts:
    """The parts of one wizard.

    Args:
        app: Where everything is shown.
        session: The conversion in the hands of this user.
        keys: Holds the keys back while a long act is under way.
        left_behind: Journals of earlier wizards on this workspace that did not end well.
        beside: A decisions file that lies beside the workspace and is not in use.
        leave: Ends the wizard.
    """

    def __init__(
        self,
        app: StepApp,
        session: "WizardSession",
        *,
        keys: TypeAhead,
        left_behind: "Sequence[JournalEntry]",
        beside: Path | None,
        leave: Callable[[], None],
    ) -> None:
        self._app, self._session = app, session
        self._left_behind, self._beside = left_behind, beside
        self._leave = leave
        self.apart = Apart(app, keys, session)

    @cached_property
    def acts(self) -> "Acts":
        """Return what carries commands out."""
        from melleafy_tui.acts import Acts

        return Acts(self._app, self._session, apart=self.apart, changed=self._changed)

    @cached_property
    def rendering(self) -> "BackgroundRendering":
        """Return what renders the package."""
        from melleafy_tui.background_rendering import BackgroundRendering

        return BackgroundRendering(self._app, self._session)

    @cached_property
    def source(self) -> "SourceOnDisk":
        """Return what follows the source."""
        from melleafy_tui.source_on_disk import SourceOnDisk

        return SourceOnDisk(
            self._app, self._session, apart=self.apart, taken=self._source_taken, fail=self._fail
        )

    @cached_property
    def questions(self) -> "DecisionQuestions":
        """Return what asks about decisions."""
        from melleafy_tui.decision_questions import DecisionQuestions

        return DecisionQuestions(
            self._app,
            self._session,
            apart=self.apart,
            act=self.acts.carry_out,
            changed=self._changed,
            fail=self._fail,
            left_behind=self._left_behind,
            beside=self._beside,
        )

    @cached_property
    def fixtures(self) -> "FixtureQuestions":
        """Return what asks for fixtures."""
        from melleafy_tui.fixture_questions import FixtureQuestions

        return FixtureQuestions(self._app, self._session, act=self.acts.carry_out, fail=self._fail)

    @cached_property
    def folders(self) -> "FolderQuestions":
        """Return what asks about other folders."""
        from melleafy_tui.folder_questions import FolderQuestions

        return FolderQuestions(self._app, self._session, fail=self._fail)

    @cached_property
    def files(self) -> "FileQuestions":
        """Return what asks about files."""
        from melleafy_tui.file_questions import FileQuestions

        return FileQuestions(
            self._app,
            self._session,
            act=lambda command: self._app.step_screen.post_message(StepScreen.Act(command)),
            load=self.questions.load,
            changed=self._changed,
            saved=lambda: self._app.step_screen.show_state(),
            leave=self._leave,
            fail=self._fail,
        )

    def _changed(self) -> None:
        """Keep, draw and render what the decisions are now."""
        self._keep_journal()
        self._app.step_screen.show_state()
        self.rendering.soon()

    def _keep_journal(self) -> None:
        try:
            self._session.note_in_journal(datetime.now(UTC))
        except OSError as fault:
            self._session.journal = None
            self._app.notify(
                f"Your decisions are not kept against a crash: {fault.strerror}. Save them with ^s.",
                severity="warning",
                markup=False,
            )

    def _source_taken(self, states: "tuple[OverrideState, ...]") -> None:
        self._changed()
        self.questions.say_followed(states)

    def _fail(self, title: str, error: "MelleafyError") -> None:
        """Show an error with its place and the next step."""
        from melleafy_tui.fault_dialogs import error_dialog

        self._app.push_screen(error_dialog(title, error))
