"""The contract of `history`: sessions, ranked sources and fixture candidates (seed 003); every text in it is masked."""

from enum import StrEnum

from pydantic import BaseModel, ConfigDict


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Signal(StrEnum):
    """How much a source tells, and how much noise is in it."""

    VERY_HIGH = "very high"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    VERY_LOW = "very low"
    NEVER = "never"


class TurnCounts(_Part):
    """How many lines of a transcript are what.

    `other` are lines without a role, such as headers and summaries, and roles that are not known; `malformed` are lines
    that are no JSON object or are too long to be read.
    """

    user: int = 0
    assistant: int = 0
    tool: int = 0
    tool_result: int = 0
    other: int = 0
    malformed: int = 0


class SessionSummary(_Part):
    """One transcript.

    Attributes:
        path: Relative to the state folder.
        agent_id: The agent.
        session_id: The session's id, from the file's name.
        thread_id: The thread of a topic transcript, or `""`.
        key: The key of the session in a `sessions.json` that is an object, or `""`.
        name: The session's name, masked.
        created_at: ISO time in UTC, or `""`.
        updated_at: ISO time in UTC of the last update: the index's, else that of the last line.
        message_count: What the index says, or None.
        counts: What the transcript holds.
        unknown_roles: Roles that are not known, sorted.
        torn: The last line is cut off.
        size: Bytes.
        unreadable: Why the transcript could not be read, or `""`; what it holds is not counted then.
    """

    path: str
    agent_id: str
    session_id: str
    thread_id: str = ""
    key: str = ""
    name: str = ""
    created_at: str = ""
    updated_at: str = ""
    message_count: int | None = None
    counts: TurnCounts = TurnCounts()
    unknown_roles: tuple[str, ...] = ()
    torn: bool = False
    size: int = 0
    unreadable: str = ""


class RankedSource(_Part):
    """One place that could be drawn from, with the seed's extraction priority."""

    path: str
    kind: str
    signal: Signal
    noise: str
    note: str = ""


class FixtureCandidate(_Part):
    """One real user turn that can become a fixture.

    Attributes:
        candidate_id: Stands for the masked text, so that the same turn has the same id in every run.
        fixture_id: The name that the fixture would have.
        message: The turn, masked.
        came_from: `path:line` below the state folder.
        timestamp: ISO time, or `""`.
        turn_id: The turn's own id, and `parent_id` that of the turn before it, where the transcript has them.
        times: How often it occurs in the chosen sessions.
        masked: What was masked, by kind, with counts.
    """

    candidate_id: str
    fixture_id: str
    message: str
    came_from: str
    timestamp: str = ""
    turn_id: str = ""
    parent_id: str = ""
    times: int = 1
    masked: dict[str, int] = {}


class FixtureProposal(_Part):
    """The candidates of the chosen sessions, the latest first, and how many user turns were passed over, by reason."""

    candidates: tuple[FixtureCandidate, ...] = ()
    passed_over: dict[str, int] = {}
