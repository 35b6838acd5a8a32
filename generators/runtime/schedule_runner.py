# Static module of melleafy-tui 0.2.0, not to be edited.
"""Wakes the agent at the times of its schedule, with APScheduler, an extra of the package."""

import importlib
import os
from collections.abc import Callable, Sequence
from datetime import UTC
from functools import partial
from threading import Thread
from typing import Any

from .prompts import clock
from .runtime import PipelineError
from .schedule import DAYS, Cadence, is_open, numbers, wake_ups, zone_of

INTERRUPTED = 130
"""The exit code that shells report for a program ended by an interrupt."""
LATE_SECONDS = 600
"""How late a wake-up may come, for example after the machine slept."""


class ScheduleError(PipelineError):
    """A schedule can't be run; the message says why."""


def run_schedule(
    wake: Callable[[str], object],
    config: Cadence | Sequence[Cadence],
    *,
    install: str = "apscheduler>=3.10,<4",
) -> None:
    """Call `wake` with the message of each wake-up at its times, until the process is interrupted.

    An interrupt lets the run under way come to its end; a second one does not wait for
    it.

    Args:
        wake: Runs the agent once.
        config: SCHEDULE_CONFIG.
        install: What to install when APScheduler is missing, such as
            "my-agent[scheduler]".

    Raises:
        ScheduleError: APScheduler is missing, or no scheduler can read a cadence or
            zone.
    """
    scheduler = _module("schedulers.blocking", install).BlockingScheduler(
        timezone=UTC,
        executors={"default": _module("executors.pool", install).ThreadPoolExecutor(1)},
    )
    for row in wake_ups(config):
        scheduler.add_job(
            partial(wake_when_active, wake, row),
            trigger(row, install),
            coalesce=True,
            max_instances=1,
            misfire_grace_time=LATE_SECONDS,
        )
    # APScheduler swallows an interrupt that comes while it hands on a job: it runs in a thread of its own.
    runner = Thread(target=scheduler.start, daemon=True)
    try:
        runner.start()
        runner.join()
    except (KeyboardInterrupt, SystemExit):
        try:
            if scheduler.running:
                scheduler.shutdown()
        except KeyboardInterrupt:
            os._exit(INTERRUPTED)


def wake_when_active(wake: Callable[[str], object], row: Cadence) -> None:
    """Call `wake` unless it is outside of the active hours."""
    if is_open(row, clock().astimezone(zone_of(row))):
        wake(str(row.get("message") or "heartbeat"))


def trigger(row: Cadence, install: str = "apscheduler>=3.10,<4") -> Any:
    """Return the APScheduler trigger of a wake-up, or raise ScheduleError."""
    cron, seconds = str(row.get("cron") or ""), row.get("seconds")
    try:
        zone = zone_of(row)
    except (LookupError, OSError, ValueError) as error:
        raise ScheduleError(f"unknown time zone {row['timezone']!r}") from error
    if cron:
        read = _module("triggers.cron", install).CronTrigger.from_crontab
        try:
            lines = [read(line, timezone=zone) for line in scheduler_lines(cron)]
        except ValueError as error:
            raise ScheduleError(f"no scheduler can read {cron!r}: {error}") from error
        return _module("triggers.combining", install).OrTrigger(lines)
    if isinstance(seconds, int) and seconds > 0:
        interval = _module("triggers.interval", install).IntervalTrigger
        return interval(seconds=seconds, timezone=zone)
    raise ScheduleError(f"no scheduler can read the cadence {row.get('cadence')!r}")


def scheduler_lines(cron: str) -> list[str]:
    """Return a cron line as APScheduler reads it.

    Cron counts weekdays from Sunday, APScheduler from Monday, so they get names. Where
    day and weekday are both restricted cron means either, APScheduler both, so there
    are two lines.
    """
    fields = cron.split()
    if len(fields) != 5:
        return [cron]
    minute, hour, day, month, weekday = fields
    named = ",".join(map(_named_days, weekday.split(",")))
    if day.startswith("*") or named.startswith("*"):
        return [f"{minute} {hour} {day} {month} {named}"]
    return [f"{minute} {hour} {day} {month} *", f"{minute} {hour} * {month} {named}"]


def _named_days(part: str) -> str:
    """Return one part of a weekday field with days by name."""
    try:
        days = sorted(numbers(part, 0, 6 if "*" in part else 7)) if part != "*" else []
    except ValueError:  # it has names, or no scheduler can read it
        days = []
    return ",".join(DAYS[day % 7] for day in days) or part


def _module(name: str, install: str) -> Any:
    """Return a module of APScheduler, or raise ScheduleError."""
    try:
        return importlib.import_module(f"apscheduler.{name}")
    except ImportError as error:
        raise ScheduleError(
            f"APScheduler is missing: pip install '{install}'"
        ) from error
