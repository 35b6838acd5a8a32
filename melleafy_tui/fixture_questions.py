"""What the wizard asks about fixtures from the agent's history: which state folder, which session, which turns.

Nothing is read before the user names the folder. Each pick is one act of its own, so `u` takes it back.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Final

from textual.app import App

from melleafy_tui.core.decisions.commands import Command, PickFixtures
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.core.history.candidates import (
    ALL_SESSIONS,
    choose_sessions,
    picked_fixtures,
    propose_fixtures,
)
from melleafy_tui.core.history.sessions import list_sessions
from melleafy_tui.core.history.state_folder import open_state_folder
from melleafy_tui.core.models.decisions import MOST_PICKED
from melleafy_tui.core.models.history import FixtureCandidate, FixtureProposal, SessionSummary
from melleafy_tui.core.visible import visible
from melleafy_tui.widgets.dialogs import Choice, ChoiceDialog, Field, FormDialog
from melleafy_tui.widgets.tones import Line, Tone
from melleafy_tui.wizard_session import WizardSession

TITLE: Final = "Fixtures from the agent's history"
_MOST_SHOWN: Final = 200


class FixtureQuestions:
    """The questions of one wizard.

    Args:
        app: Where the dialogs are shown.
        session: The conversion in the hands of this user.
        act: Carries out a command, with the words that are shown when it is done.
        fail: Shows an error under a title.
    """

    def __init__(
        self,
        app: App[int],
        session: WizardSession,
        *,
        act: Callable[[Command, str], None],
        fail: Callable[[str, MelleafyError], None],
    ) -> None:
        self._app, self._session, self._act, self._fail = app, session, act, fail
        self._names: tuple[str, ...] = ()

    def begin(self) -> None:
        """Ask for the state folder."""
        fields = [
            Field("folder", "OpenClaw's state folder, often ~/.openclaw", "", _folder_fault),
            Field("names", "Names to mask too, separated by commas", ""),
        ]
        lead: list[Line] = [
            (("Only its session transcripts are read; nothing in credentials/.", Tone.MUTED),)
        ]

        def decide(values: dict[str, str] | None) -> None:
            if values is not None:
                self._names = tuple(filter(None, (name.strip() for name in values["names"].split(","))))
                self._app.run_worker(self._list(Path(values["folder"].strip()).expanduser()), group="history")

        self._app.push_screen(FormDialog(TITLE, fields, lead=lead), decide)

    async def _list(self, named: Path) -> None:
        try:
            folder = open_state_folder(named)
            sessions = await asyncio.to_thread(list_sessions, folder)
        except MelleafyError as error:
            self._fail("The history cannot be read", error)
            return
        latest = [session for session in sessions if session.counts.user][:_MOST_SHOWN]
        choices = [
            Choice(ALL_SESSIONS, "All sessions", f"{sum(found.counts.user for found in latest)} user turns"),
            *(
                Choice(
                    session.path,
                    visible(session.name or session.session_id),
                    f"{session.updated_at[:16]}  {session.counts.user} user turns  {visible(session.path)}",
                )
                for session in latest
            ),
        ]

        def decide(chosen: str | None) -> None:
            if chosen is not None:
                self._app.run_worker(self._propose(folder, sessions, chosen), group="history")

        self._app.push_screen(ChoiceDialog("Which session", choices), decide)

    async def _propose(self, folder: Path, sessions: tuple[SessionSummary, ...], chosen: str) -> None:
        try:
            proposal = await asyncio.to_thread(
                propose_fixtures, folder, choose_sessions(sessions, [chosen]), self._names
            )
        except MelleafyError as error:
            self._fail("The history cannot be read", error)
            return
        self._pick(proposal)

    def _pick(self, proposal: FixtureProposal, at: str = "") -> None:
        """Show the candidates; choosing one takes it or gives it back, and shows them again."""
        picked = {fixture.message for fixture in self._session.conversion.decisions.fixtures}
        shown = proposal.candidates[:_MOST_SHOWN]
        choices = [
            Choice(
                candidate.candidate_id,
                ("✓ picked  " if candidate.message in picked else "") + _short(candidate),
                visible(" ".join(candidate.message.split())),
                current=candidate.candidate_id == at,
            )
            for candidate in shown
        ]
        lead: list[Line] = [
            (
                (
                    f"{len(picked)} of {MOST_PICKED} picked. ⏎ picks a turn or gives it back; Esc ends.",
                    Tone.MUTED,
                ),
            )
        ]

        def decide(chosen: str | None) -> None:
            candidate = next((found for found in shown if found.candidate_id == chosen), None)
            if candidate is not None:
                self._toggle(candidate)
                self._pick(proposal, candidate.candidate_id)

        self._app.push_screen(ChoiceDialog(TITLE, choices, lead=lead), decide)

    def _toggle(self, candidate: FixtureCandidate) -> None:
        standing = self._session.conversion.decisions.fixtures
        kept = tuple(fixture for fixture in standing if fixture.message != candidate.message)
        if len(kept) < len(standing):
            self._act(PickFixtures(kept), "Given back.")
            return
        taken = {fixture.fixture_id for fixture in kept}
        [fixture] = picked_fixtures([candidate], [candidate.candidate_id])
        if fixture.fixture_id in taken:
            name = f"{fixture.fixture_id}_{candidate.candidate_id[-6:]}"
            fixture = fixture.model_copy(update={"fixture_id": name})
        self._act(PickFixtures((*kept, fixture)), "Picked.")


def _short(candidate: FixtureCandidate) -> str:
    return candidate.fixture_id.removeprefix("history_").replace("_", " ")


def _folder_fault(text: str) -> str:
    return "" if text.strip() else "Name the folder; nothing is read without it."
