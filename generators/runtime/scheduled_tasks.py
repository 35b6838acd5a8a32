# Static module of melleafy-tui 0.2.0, not to be edited.
"""The scheduled tasks of a run: those that are due, or the one that the message names."""

import json
from collections.abc import Sequence
from datetime import UTC
from pathlib import Path

from .prompts import clock
from .schedule import Cadence, due_tasks


def due_or_named(
    notes: list[str], tasks: Sequence[Cadence], path: Path, message: str, *, woken: bool
) -> list[Cadence]:
    """Return the tasks that are due, or those whose name the message is.

    A scheduler may wake the agent for all tasks, or send it the name of one. Rows that
    differ only in their time are one task.

    Args:
        notes: Takes what went wrong.
        tasks: The rows of SCHEDULED_TASKS.
        path: The file with the times of the last runs.
        message: The message of the run.
        woken: Whether it is a wake-up.
    """
    if woken:
        return due_tasks(tasks, _last_runs(notes, path))
    named = [task for task in tasks if _plain(task["name"]) == _plain(message)]
    return list({task["text"]: task for task in named}.values())


def note_runs(notes: list[str], tasks: Sequence[Cadence], path: Path) -> None:
    """Write that the tasks ran now; the file is whole also after a crash."""
    now = clock().astimezone(UTC).isoformat(timespec="seconds")
    runs = _last_runs([], path) | {str(task["name"]): now for task in tasks}
    fresh = path.with_name(f"{path.name}.new")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        fresh.write_text(json.dumps(runs, indent=2) + "\n", "utf-8")
        fresh.replace(path)
    except OSError as error:
        notes.append(f"{path}: {error.strerror}")


def _last_runs(notes: list[str], path: Path) -> dict[str, str]:
    """Return when each task ran last; if that can't be read, each counts as one that never ran."""
    try:
        found = json.loads(path.read_bytes())
        return {str(name): str(at) for name, at in found.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, AttributeError, RecursionError) as error:
        notes.append(f"{path} doesn't say when the tasks ran last: {error}")
        return {}


def _plain(name: object) -> str:
    return " ".join(str(name).split()).casefold()
