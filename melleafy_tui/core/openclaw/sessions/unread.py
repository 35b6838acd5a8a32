"""Lists what sessions of a state folder leave traces but are not read: archived, deeper, or gone."""

import os
import stat
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

from melleafy_tui.core.models.history import SessionSummary, UnreadSession
from melleafy_tui.core.openclaw.sessions.inventory import INDEX_NAME, folders_in, read_index
from melleafy_tui.core.openclaw.sessions.personal_data import mask_private

MOST_UNREAD: Final = 1_000
"""More aren't listed."""
_DEEPEST: Final = 4
"""Folders below `sessions/` that are looked into."""
_ENDING: Final = ".jsonl"

ARCHIVED: Final = "archived transcript"
DEEPER: Final = "transcript in a folder below sessions/"
GONE: Final = "in the index, without a transcript"


def unread_sessions(folder: Path, sessions: Collection[SessionSummary]) -> tuple[UnreadSession, ...]:
    """Return the sessions that are not read, agent by agent, with the reason.

    Args:
        folder: The state folder, as `open_state_folder` gave it.
        sessions: The sessions that are read.
    """
    read = {(session.agent_id, session.session_id) for session in sessions}
    found: list[UnreadSession] = []
    for agent in folders_in(folder / "agents"):
        for unread in (*_on_disk(folder, agent), *_gone(agent, read)):
            if len(found) == MOST_UNREAD:
                return tuple(found)
            found.append(unread)
    return tuple(found)


def _on_disk(folder: Path, agent: Path) -> Iterator[UnreadSession]:
    top = agent / "sessions"
    for parent, depth in _folders(top, 0):
        for place in sorted(parent.iterdir()):
            archived = f"{_ENDING}." in place.name
            deeper = depth > 0 and place.name.endswith(_ENDING)
            if (archived or deeper) and stat.S_ISREG(place.lstat().st_mode):
                path = place.relative_to(folder).as_posix()
                yield UnreadSession(path=path, agent_id=agent.name, reason=ARCHIVED if archived else DEEPER)


def _folders(parent: Path, depth: int) -> Iterator[tuple[Path, int]]:
    """Yield a folder and those below it that can be listed, as deep as is looked into; links aren't followed."""
    try:
        if not stat.S_ISDIR(parent.lstat().st_mode) or not os.access(parent, os.R_OK | os.X_OK):
            return
    except OSError:
        return
    yield parent, depth
    if depth < _DEEPEST:
        for child in folders_in(parent):
            yield from _folders(child, depth + 1)


def _gone(agent: Path, read: Collection[tuple[str, str]]) -> Iterator[UnreadSession]:
    index = f"agents/{agent.name}/sessions/{INDEX_NAME}"
    for session_id in read_index(agent.parent.parent, agent.name):
        if (agent.name, session_id) not in read:
            name = mask_private(session_id[:200]).text
            yield UnreadSession(path=index, agent_id=agent.name, session_id=name, reason=GONE)
