"""The inventory of sessions: every transcript with what the index and its own lines say of it, the latest first."""

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from melleafy_tui.core.errors import UnusableInput
from melleafy_tui.core.history.personal_data import mask_private
from melleafy_tui.core.history.state_folder import IndexEntry, Transcript, read_index, transcripts
from melleafy_tui.core.history.transcripts import Role, moment, read_transcript
from melleafy_tui.core.models.history import SessionSummary, TurnCounts

MOST_UNKNOWN_ROLES: Final = 20
_LONGEST_NAME: Final = 120
_LONGEST_MASKED: Final = 4_000
"""Characters of a name that are masked before it is cut off: no mask knows the half of a secret."""
_NAMES: Final = ("name", "displayName", "label", "subject", "title")


def list_sessions(
    folder: Path, progress: Callable[[int, int, str], None] | None = None
) -> tuple[SessionSummary, ...]:
    """Return the sessions of all agents by last update, the latest first; those without one come last.

    Args:
        folder: The state folder, as `open_state_folder` gave it.
        progress: Called with how many are done, how many there are, and the path.
    """
    found = tuple(transcripts(folder))
    indexes: dict[str, dict[str, IndexEntry]] = {}
    sessions: list[SessionSummary] = []
    for number, transcript in enumerate(found, 1):
        if transcript.agent_id not in indexes:
            indexes[transcript.agent_id] = read_index(folder, transcript.agent_id)
        sessions.append(_summary(transcript, indexes[transcript.agent_id].get(transcript.session_id)))
        if progress is not None:
            progress(number, len(found), transcript.path)
    by_path = sorted(sessions, key=lambda session: session.path)
    return tuple(sorted(by_path, key=lambda session: session.updated_at, reverse=True))


def _summary(transcript: Transcript, indexed: IndexEntry | None) -> SessionSummary:
    counts: Counter[Role] = Counter()
    unknown: set[str] = set()
    first = last = ""
    unreadable = ""
    try:
        for line in read_transcript(transcript.place):
            counts[line.role] += 1
            if line.unknown and len(unknown) < MOST_UNKNOWN_ROLES:
                unknown.add(mask_private(line.unknown).text)
            first = first or line.timestamp
            last = max(last, line.timestamp)
    except UnusableInput as error:  # the others are still worth listing
        unreadable = error.message
    fields: Mapping[str, object] = indexed.fields if indexed is not None else {}
    name = next((value for label in _NAMES if isinstance(value := fields.get(label), str) and value), "")
    count = fields.get("message_count", fields.get("messageCount"))
    return SessionSummary(
        path=transcript.path,
        agent_id=transcript.agent_id,
        session_id=transcript.session_id,
        thread_id=transcript.thread_id,
        key=mask_private(indexed.key).text if indexed is not None else "",
        name=mask_private(name[:_LONGEST_MASKED]).text[:_LONGEST_NAME],
        created_at=moment(fields.get("created_at", fields.get("createdAt"))) or first,
        updated_at=moment(fields.get("updated_at", fields.get("updatedAt"))) or last,
        message_count=count if isinstance(count, int) and not isinstance(count, bool) else None,
        counts=TurnCounts(
            user=counts[Role.USER],
            assistant=counts[Role.ASSISTANT],
            tool=counts[Role.TOOL],
            tool_result=counts[Role.TOOL_RESULT],
            other=counts[Role.OTHER],
            malformed=counts[Role.MALFORMED],
        ),
        unknown_roles=tuple(sorted(unknown)),
        torn=counts[Role.TORN] > 0,
        size=transcript.size,
        unreadable=unreadable,
    )
