"""The output of the `history` command: sessions, ranked sources and fixture candidates; all text is masked."""

from enum import StrEnum

from msgspec import field

from melleafy_tui.core.models.record import Record


class Signal(StrEnum):
    """How much useful signal a source contains."""

    VERY_HIGH = "very high"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    VERY_LOW = "very low"
    NEVER = "never"


class TurnCounts(Record, frozen=True, kw_only=True):
    """The number of transcript lines of each role.

    `other` counts lines without a role, such as headers and summaries, and lines with an unknown role; `malformed`
    counts lines that aren't a JSON object or are too long to read.
    """

    user: int = 0
    assistant: int = 0
    tool: int = 0
    tool_result: int = 0
    other: int = 0
    malformed: int = 0


class SessionSummary(Record, frozen=True, kw_only=True):
    """One transcript.

    Attributes:
        path: Relative to the state folder.
        session_id: The session's id, from the file's name.
        thread_id: The thread of a topic transcript, or `""`.
        key: The key of the session in a `sessions.json` that is an object, or `""`.
        name: The session's name, masked.
        created_at: ISO time in UTC, or `""`.
        updated_at: ISO time in UTC of the last update, from the index or else from the last line.
        message_count: The number of messages according to the index, or None.
        counts: The lines of the transcript by role.
        unknown_roles: Unknown roles in the transcript, sorted.
        torn: The last line is incomplete.
        size: Bytes.
        unreadable: Why the transcript couldn't be read, or `""`; if it couldn't, its lines aren't counted.
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


class RankedSource(Record, frozen=True, kw_only=True):
    """One place that fixtures could be drawn from, with its extraction priority."""

    path: str
    kind: str
    signal: Signal
    noise: str
    note: str = ""


class FixtureCandidate(Record, frozen=True, kw_only=True):
    """One user turn from the agent's history that can become a fixture.

    Attributes:
        candidate_id: Derived from the masked text, so the same turn has the same id in every run.
        fixture_id: The name the fixture would have.
        message: The turn, masked.
        came_from: `path:line` below the state folder.
        timestamp: ISO time, or `""`.
        turn_id: The turn's id, or `""`; `parent_id` is the id of the turn before it.
        times: How often it occurs in the chosen sessions.
        masked: The number of masked values by kind.
    """

    candidate_id: str
    fixture_id: str
    message: str
    came_from: str
    timestamp: str = ""
    turn_id: str = ""
    parent_id: str = ""
    times: int = 1
    masked: dict[str, int] = field(default_factory=dict)


class FixtureProposal(Record, frozen=True, kw_only=True):
    """The candidates from the chosen sessions, latest first, and the number of skipped user turns by reason."""

    candidates: tuple[FixtureCandidate, ...] = ()
    passed_over: dict[str, int] = field(default_factory=dict)
