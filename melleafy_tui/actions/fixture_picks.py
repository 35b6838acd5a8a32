"""Picks fixtures from the agent's history: the sessions, their turns, and the command that a pick makes.

Nothing is read before the user names the folder. Each pick is a command of its own, so that it can be undone.
"""

from pathlib import Path
from typing import Final

from msgspec import Struct

from melleafy_tui.actions.display_names import typed_path
from melleafy_tui.actions.session import WizardSession
from melleafy_tui.core.decisions.commands import PickFixtures
from melleafy_tui.core.models.history import FixtureCandidate, FixtureProposal, SessionSummary
from melleafy_tui.core.openclaw.sessions.candidates import (
    ALL_SESSIONS,
    choose_sessions,
    picked_fixtures,
    propose_fixtures,
)
from melleafy_tui.core.openclaw.sessions.session_list import list_sessions, open_state_folder

FIXTURES_TITLE: Final = "Fixtures from the agent's history"
FOLDER_ASKED: Final = "OpenClaw's state folder, often ~/.openclaw"
NAMES_ASKED: Final = "Names to mask too, separated by commas"
ONLY_TRANSCRIPTS: Final = "Only its session transcripts are read; nothing in credentials/."
WHICH_SESSION: Final = "Which session"
UNREADABLE_TITLE: Final = "The history cannot be read"

MOST_OFFERED: Final = 200
"""The most sessions, and turns of the chosen ones, that are offered, latest first."""


class SessionChoice(Struct, frozen=True):
    """One choice of sessions: its value, its title and a note."""

    value: str
    label: str
    when: str
    turns: int
    where: str


class AgentHistory(Struct, frozen=True):
    """The sessions of the state folder that the user named.

    Attributes:
        folder: The folder.
        sessions: Its sessions.
        names: Names, as of people, to mask too.
    """

    folder: Path
    sessions: tuple[SessionSummary, ...]
    names: tuple[str, ...]

    @property
    def choices(self) -> list[SessionChoice]:
        """Return the choices: all sessions, then each session with a user turn."""
        latest = [session for session in self.sessions if session.counts.user][:MOST_OFFERED]
        every = sum(session.counts.user for session in latest)
        return [
            SessionChoice(ALL_SESSIONS, "All sessions", "", every, ""),
            *(
                SessionChoice(
                    session.path,
                    session.name or session.session_id,
                    session.updated_at[:16],
                    session.counts.user,
                    session.path,
                )
                for session in latest
            ),
        ]

    def propose(self, chosen: str) -> FixtureProposal:
        """Return the turns of the chosen sessions that can become fixtures, masked, up to the limit.

        Raises:
            MelleafyError: the sessions can't be read.
        """
        proposal = propose_fixtures(self.folder, choose_sessions(self.sessions, [chosen]), self.names)
        return proposal.model_copy(update={"candidates": proposal.candidates[:MOST_OFFERED]})


def read_history(folder: str, names: str) -> AgentHistory:
    """Return the sessions of a state folder that the user typed.

    Args:
        folder: The folder.
        names: Names to mask too, separated by commas.

    Raises:
        MelleafyError: it is not a state folder, or it can't be read.
    """
    opened = open_state_folder(typed_path(folder.strip()))
    wanted = tuple(filter(None, (name.strip() for name in names.split(","))))
    return AgentHistory(opened, tuple(list_sessions(opened)), wanted)


def picked_messages(session: WizardSession) -> frozenset[str]:
    """Return the messages that are already picked."""
    return frozenset(fixture.message for fixture in session.conversion.decisions.fixtures)


def pick_or_give_back(session: WizardSession, candidate: FixtureCandidate) -> tuple[PickFixtures, str]:
    """Return the command that picks a turn, or unpicks a picked one, and the message for it."""
    standing = session.conversion.decisions.fixtures
    kept = tuple(fixture for fixture in standing if fixture.message != candidate.message)
    if len(kept) < len(standing):
        return PickFixtures(kept), "Unpicked"
    taken = {fixture.fixture_id for fixture in kept}
    [fixture] = picked_fixtures([candidate], [candidate.candidate_id])
    if fixture.fixture_id in taken:
        name = f"{fixture.fixture_id}_{candidate.candidate_id[-6:]}"
        fixture = fixture.model_copy(update={"fixture_id": name})
    return PickFixtures((*kept, fixture)), "Picked"


def short_name(candidate: FixtureCandidate) -> str:
    """Return the short name of a turn in a list."""
    return candidate.fixture_id.removeprefix("history_").replace("_", " ")


def folder_fault(text: str) -> str:
    """Return what is wrong with a typed state folder, or `""`."""
    return "" if text.strip() else "Name the folder; nothing is read without it."
