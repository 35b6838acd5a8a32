"""Applies the user's changes to the schedule: the wake-up and each task set, changed, added or dropped.

A change is a text, `NAME = WHEN`: the name of a task or `wake-up`, and when it is due in words that are read like those
of the source, or `off`. A new name adds a task; what it does can stand behind a bar: `Post = daily at 9:00 | Post it`.
"""

from collections.abc import Iterable, Sequence
from typing import Final
from zoneinfo import available_timezones

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.errors import UsageError
from melleafy_tui.core.language.time.cadence import read_whole, seconds_between
from melleafy_tui.core.models.classification import ModalityEvidence, Schedule, ScheduledTask, ScheduleRow
from melleafy_tui.core.models.vocabulary import Modality

WAKE_UP: Final = "wake-up"
_OFF: Final = ("off", "never", "drop")
_DECIDED: Final = "decided"


class ScheduleChange(Struct, frozen=True):
    """One change: `when` is None if the task is dropped."""

    name: str
    when: Schedule | None
    text: str = ""

    @property
    def is_wake_up(self) -> bool:
        """Return whether it is about the agent's own wake-up."""
        return self.name.casefold() == WAKE_UP


def is_about(change: str, name: str) -> bool:
    """Return whether a change such as `wake-up = off` is about the wake-up or task of this name."""
    return change.partition("=")[0].strip().casefold() == name.casefold()


def read_changes(texts: Iterable[str]) -> tuple[ScheduleChange, ...]:
    """Return the changes that texts such as `wake-up = every 2 hours` describe.

    Raises:
        UsageError: a text has no name, or its time can't be read whole.
    """
    return tuple(map(_read, texts))


def _read(text: str) -> ScheduleChange:
    name, equals, rest = text.partition("=")
    said, _, what = (part.strip() for part in rest.partition("|"))
    if not equals or not name.strip() or not said:
        raise UsageError(f"{text!r} is not NAME=WHEN", hint="For example --schedule 'wake-up=every 2 hours'.")
    if said.casefold() in _OFF:
        return ScheduleChange(name.strip(), None)
    found = read_whole(said)
    if found is None or found.type not in ("interval", "cron", "times"):
        raise UsageError(
            f"The time {said!r} of {name.strip()!r} can't be read whole",
            hint="For example 'every 2 hours', 'weekdays at 9:00 Europe/Berlin', '0 9 * * 1' or 'off'.",
        )
    if found.timezone and found.timezone not in (available_timezones() or {found.timezone}):
        raise UsageError(f"{found.timezone!r} is not a time zone", hint="For example Europe/Dublin.")
    return ScheduleChange(name.strip(), found, what)


def changed_evidence(
    evidence: Sequence[ModalityEvidence], changes: Sequence[ScheduleChange]
) -> tuple[ModalityEvidence, ...]:
    """Return the modality signals with those of a wake-up or task that the user added or dropped."""
    wake_up = [change for change in changes if change.is_wake_up]
    if wake_up:
        evidence = [each for each in evidence if each.modality is not Modality.HEARTBEAT]
    added: list[ModalityEvidence] = []
    if wake_up and wake_up[-1].when is not None:
        added.append(ModalityEvidence(Modality.HEARTBEAT, _DECIDED, "", 0, wake_up[-1].when.cadence))
    if any(change.when is not None and not change.is_wake_up for change in changes):
        added.append(ModalityEvidence(Modality.SCHEDULED, _DECIDED, "", 0))
    return (*added, *evidence)


def with_changes(found: Schedule, changes: Sequence[ScheduleChange], *, is_heartbeat: bool) -> Schedule:
    """Return a schedule with the user's changes.

    Args:
        found: The schedule as it was read.
        changes: The changes.
        is_heartbeat: Whether a heartbeat wakes the agent, and not each task itself.
    """
    for change in changes:
        found = _with_wake_up(found, change.when) if change.is_wake_up else _with_task(found, change)
    if changes and not is_heartbeat:
        wakes = sorted((task.schedule for task in found.tasks), key=seconds_between)
        first = wakes[0] if wakes else Schedule()
        kept = {name: getattr(found, name) for name in ("tasks", "rows", "home_zone", "home_zone_source")}
        return replace(first, others=tuple(wakes[1:]), **kept)
    return found


def _with_wake_up(found: Schedule, when: Schedule | None) -> Schedule:
    """Return the schedule with another wake-up; what the change leaves out stays as it was."""
    state = "off" if when is None else "taken"
    rows = tuple(
        replace(row, state=state, schedule=_moved(when, row.schedule)) if not row.title else row
        for row in found.rows
    )
    if when is None:
        off = Schedule(tasks=found.tasks, home_zone=found.home_zone, home_zone_source=found.home_zone_source)
        return replace(off, rows=rows)
    if not any(not row.title for row in rows):
        rows = (ScheduleRow("taken", "", when), *rows)
    changed = {name: getattr(when, name) for name in ("type", "cadence", "seconds", "cron", "times")}
    optional = ("days", "active_hours", "active_start", "active_end", "timezone")
    changed |= {name: getattr(when, name) or getattr(found, name) for name in optional}
    quiet = "" if when.active_hours else found.quiet_hours
    return replace(found, **changed, quiet_hours=quiet, others=(), rows=rows)


def _moved(when: Schedule | None, source: Schedule) -> Schedule:
    """Return a time at the place in the source of the one that it replaces, and in its zone if it names none."""
    if when is None:
        return source
    zone = when.timezone or source.timezone
    return replace(when, file=source.file, lines=source.lines, timezone=zone)


def _with_task(found: Schedule, change: ScheduleChange) -> Schedule:
    name = change.name.casefold()
    row = next((each for each in found.rows if each.title and each.title.casefold() == name), None)
    kept = tuple(task for task in found.tasks if task.title.casefold() != name)
    known = next((task for task in found.tasks if task.title.casefold() == name), None)
    state = "taken" if change.when is not None else "off"
    changed = row or ScheduleRow(state, change.name, Schedule())
    changed = replace(changed, state=state, schedule=_moved(change.when, changed.schedule), reason="")
    rows = tuple(changed if each is row else each for each in found.rows)
    rows = rows if row is not None else (*rows, changed)
    if change.when is None:
        return replace(found, tasks=kept, rows=rows)
    text = change.text or (known.text if known is not None else "")
    task = ScheduledTask(changed.title, changed.schedule, changed.first, changed.last, text)
    place = found.tasks.index(known) if known is not None else len(kept)
    return replace(found, tasks=(*kept[:place], task, *kept[place:]), rows=rows)
