# Static module of melleafy-tui 0.2.0, not to be edited.
"""The scheduled tasks of a run: those that are due, or the one that the message names."""

from collections.abc import Sequence
from pathlib import Path

from .schedule import Cadence, due_tasks
from .state_file import State, StateError, change_state, load_state, now_in_utc


def due_or_named(
    notes: list[str], tasks: Sequence[Cadence], path: Path, message: str, *, woken: bool
) -> list[Cadence]:
    """Return the tasks that are due, or those whose name the message is.

    A scheduler may wake the agent for all tasks, or send it the name of one. Rows that
    differ only in their time are one task. Where the state file can't be read, which is
    a note, each counts as one that never ran.

    Args:
        notes: Takes what went wrong.
        tasks: The rows of SCHEDULED_TASKS.
        path: The state file.
        message: The message of the run.
        woken: Whether it is a wake-up.
    """
    if woken:
        try:
            return due_tasks(tasks, load_state(path).last_runs)
        except StateError as error:
            notes.append(str(error))
            return due_tasks(tasks, {})
    named = [task for task in tasks if _plain(task["name"]) == _plain(message)]
    return list({task["text"]: task for task in named}.values())


def note_runs(notes: list[str], tasks: Sequence[Cadence], path: Path) -> None:
    """Write into the state file that the tasks ran now; if it can't be written, note it."""

    def change(state: State) -> None:
        state.last_runs |= {str(task["name"]): now_in_utc() for task in tasks}

    try:
        change_state(path, change)
    except StateError as error:
        notes.append(str(error))


def _plain(name: object) -> str:
    return " ".join(str(name).split()).casefold()
