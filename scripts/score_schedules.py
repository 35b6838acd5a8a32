"""Scores how wake-ups and tasks are read against hand labels of public workspaces, which aren't in this repository.

    python scripts/score_schedules.py LABELS.json CORPUS [--show]

LABELS.json names repository, workspace, file and line of each wake-up, without text, as two people read it
independently; what either says is accepted. CORPUS holds a checkout of each repository as `owner+name`. `--show`
prints each miss of the repositories that may be read; those in KEPT_FOR_SCORING are only counted.
"""

import argparse
import json
import re
from collections.abc import Iterable, Iterator
from math import sqrt
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from melleafy_tui.core.dialects.openclaw.dialect import OpenClawDialect
from melleafy_tui.core.language.time.active_hours import active_hours_in, quiet_hours_in
from melleafy_tui.core.language.time.cadence import read_cadence, seconds_between
from melleafy_tui.core.language.time.clock import days_in
from melleafy_tui.core.language.time.zones import zone_in
from melleafy_tui.core.models.classification import Schedule, ScheduledTask
from melleafy_tui.core.models.settings import Settings
from melleafy_tui.core.pipeline.classify import modality_of
from melleafy_tui.core.source.reader import read_snapshot

KEPT_FOR_SCORING: Final = (
    "nicola-king/openclaw-workspace",
    "quentinwang88-alt/openclaw-workspace",
    "tangshingkwan/openclaw-workspace",
)
"""Repositories whose text nobody read while the reader of time was built."""


class WakeUp(Struct, frozen=True):
    """One labelled wake-up; `what` is heartbeat, task or event."""

    what: str
    file: str
    line: int
    cadence: str | None = None
    at: str | None = None
    days: str | None = None
    tz: str | None = None
    active_hours: str | None = None


class Label(Struct, frozen=True):
    """The labels of one workspace, each in two readings."""

    repo: str
    ws: str
    modality: tuple[str, str]
    wakeups: tuple[tuple[WakeUp, ...], tuple[WakeUp, ...]]


class Result(Struct, frozen=True):
    """Whether one thing was read rightly."""

    measure: str
    kept: bool
    right: bool
    place: str


def main() -> None:
    """Score a corpus and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("labels", type=Path)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    listed = json.loads(options.labels.read_text(encoding="utf-8"))["schedules"]
    results = [
        result
        for label in msgspec.convert(listed, tuple[Label, ...])
        for result in _results(label, options.corpus / label.repo.replace("/", "+") / label.ws)
    ]
    for measure in dict.fromkeys(result.measure for result in results):
        of_measure = [result for result in results if result.measure == measure]
        read = _share(result.right for result in of_measure if not result.kept)
        kept = _share(result.right for result in of_measure if result.kept)
        print(f"{measure:32} development {read:32} kept for scoring {kept}")
    for result in results if options.show else ():
        if not result.right and not result.kept:
            print(f"{result.measure}: {result.place}")


def _results(label: Label, folder: Path) -> Iterator[Result]:
    dialect = OpenClawDialect()
    snapshot = read_snapshot(folder, wants=dialect.wants)
    evidence = tuple(dialect.modality_evidence(snapshot))
    modality, _ = modality_of(evidence, evidence, Settings())
    schedule = dialect.schedule(snapshot)
    own = [schedule, *schedule.others] if modality.value == "heartbeat" else []
    kept = label.repo in KEPT_FOR_SCORING
    place = f"{label.repo} {label.ws}"
    yield Result("modality", kept, modality.value in label.modality, place)
    readings = [[wake for wake in reading if wake.what == "heartbeat"] for reading in label.wakeups]
    yield Result("own wake-up, or rightly none", kept, any(_same_wake_ups(own, r) for r in readings), place)
    yield Result("own wake-up with zone and hours", kept, any(_same_limits(own, r) for r in readings), place)
    timed = [found for found in own if found.type not in ("", "event")]
    made_up = bool(timed) and not any(_timed(reading) for reading in readings)
    yield Result("no wake-up made up", kept, not made_up, place)
    yield from _task_results(label, schedule.tasks, own, kept=kept)


def _task_results(
    label: Label, tasks: Iterable[ScheduledTask], own: Iterable[Schedule], *, kept: bool
) -> Iterator[Result]:
    first, second = (
        {(wake.file, wake.line) for wake in reading if wake.what == "task"} for reading in label.wakeups
    )
    read = [*(task.schedule for task in tasks), *own]
    labelled = [wake for reading in label.wakeups for wake in reading if wake.what == "task"]
    for file, line in sorted(first | second):
        found = [one for one in read if one.file == file and _covers(one.lines, line)]
        said = [wake for wake in labelled if (wake.file, wake.line) == (file, line)]
        right = any(_same_task(one, wake) for one in found for wake in said)
        place = f"{label.repo} {label.ws} {file}:{line}"
        measure = "task with its times" if (file, line) in first & second else "task that one of two named"
        yield Result(measure, kept, right, place)


def _covers(lines: str, line: int) -> bool:
    first, _, last = lines.partition("-")
    return first.isdecimal() and int(first) <= line <= int(last or first)


def _timed(reading: list[WakeUp]) -> list[WakeUp]:
    return [wake for wake in reading if wake.cadence or wake.at]


def _same_wake_ups(own: list[Schedule], reading: list[WakeUp]) -> bool:
    timed = [found for found in own if found.type not in ("", "event")]
    said = _timed(reading)
    return len(timed) == len(said) and all(any(_same_times(one, wake) for one in timed) for wake in said)


def _same_limits(own: list[Schedule], reading: list[WakeUp]) -> bool:
    if not _same_wake_ups(own, reading):
        return False
    return not own or all(any(_same_around(one, wake) for one in own) for wake in reading)


def _same_task(found: Schedule, wake: WakeUp) -> bool:
    return _same_times(found, wake) and _same_around(found, wake)


def _same_times(found: Schedule, wake: WakeUp) -> bool:
    if wake.at and set(wake.at.split(",")) != set(found.times):
        return False
    said = wake.cadence or ""
    if bounds := _bounds(said):
        return found.type == "words" and bool(found.seconds) and bounds[0] <= found.seconds <= bounds[1]
    if not said or (said in ("daily", "weekly", "monthly") and wake.at):
        return True
    expected = read_cadence({"daily": "1d", "weekly": "7d"}.get(said, said))
    if expected is None:
        return False
    if found.type == "words" and not found.seconds:
        return bool(found.days)
    return seconds_between(expected) == seconds_between(found)


def _bounds(said: str) -> tuple[int, int] | None:
    """Return the shortest and the longest interval of a range such as `2-3x per day` or `every 2-3 days`."""
    limits = re.search(r"(\d+)\s*[-–]\s*(\d+)", said)
    read = [read_cadence(said.replace(limits[0], limit)) for limit in limits.groups()] if limits else []
    seconds = sorted(found.seconds for found in read if found is not None and found.seconds)
    return (seconds[0], seconds[-1]) if seconds else None


def _same_around(found: Schedule, wake: WakeUp) -> bool:
    """Return whether days, zone and hours are those of the label, as far as it names them."""
    if wake.tz and found.timezone != zone_in(f"9:00 {wake.tz}"):
        return False
    if wake.days and "month" not in wake.days:
        working = "weekday" in wake.days
        days = days_in("Mon-Fri" if working else wake.days)
        if set(days) != set(found.days):
            return False
    if not wake.active_hours:
        return True
    hours = quiet_hours_in(wake.active_hours) or active_hours_in(wake.active_hours)
    return hours is not None and (hours.start, hours.end) == (found.active_start, found.active_end)


def _share(right: Iterable[bool]) -> str:
    """Return a share with n and its 95 % interval (Wilson)."""
    values = list(right)
    n, z = len(values), 1.96
    if not n:
        return "– (n = 0)"
    share = sum(values) / n
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    reach = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return f"{share:4.0%} (n = {n}, {max(0, middle - reach):.0%} to {min(1, middle + reach):.0%})"


if __name__ == "__main__":
    main()
