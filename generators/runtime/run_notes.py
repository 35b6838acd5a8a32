# Static module of melleafy-tui 0.2.0, not to be edited.
"""Notes of the last runs, which a run sees."""

from pathlib import Path

from .state_file import Note, State, change_state, load_state, now_in_utc

KEPT_NOTES = 20
LONGEST_PART = 1000
"""Characters of a request or a reply that a note keeps."""
LONGEST_STATE = 6000
"""Characters of the notes that a run sees, so that they always fit its prompt."""


def working_state(path: Path) -> str:
    """Return the notes of the last runs, one a line; empty when there are none.

    Older ones are left out beyond LONGEST_STATE.
    """
    lines: list[str] = []
    left = LONGEST_STATE
    for note in reversed(load_state(path).notes):
        line = " ".join(f"{note.at}: {note.request} -> {note.reply}".split())
        left -= len(line) + 1
        if left < 0:
            break
        lines.append(line)
    return "\n".join(reversed(lines))


def save_note(path: Path, request: str, reply: str) -> None:
    """Add a run to the state file, which keeps the last ones; long texts are cut."""
    note = Note(at=now_in_utc(), request=_cut(request), reply=_cut(reply))

    def change(state: State) -> None:
        state.notes = [*state.notes, note][-KEPT_NOTES:]

    change_state(path, change)


def _cut(text: str) -> str:
    """Return a text that a file can hold, visibly cut at LONGEST_PART."""
    short = text if len(text) <= LONGEST_PART else f"{text[:LONGEST_PART]} [cut]"
    return short.encode("utf-8", "replace").decode()
