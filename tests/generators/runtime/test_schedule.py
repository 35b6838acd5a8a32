"""Schedules of packages: when the agent wakes and which tasks are due, with a clock of the test's."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from apscheduler.schedulers.blocking import BlockingScheduler

from melleafy_tui.generators.runtime import schedule_runner
from melleafy_tui.generators.runtime.prompts import clock
from melleafy_tui.generators.runtime.runtime import PipelineError
from melleafy_tui.generators.runtime.schedule import Cadence, clocks_on, due_tasks, is_open, wake_ups
from melleafy_tui.generators.runtime.schedule_runner import (
    ScheduleError,
    run_schedule,
    scheduler_lines,
    trigger,
    wake_when_active,
)
from melleafy_tui.generators.runtime.scheduled_tasks import due_or_named

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)
"""A Monday."""


def fires(row: Cadence, now: datetime, times: int = 3) -> list[str]:
    """Return the next times of a wake-up in UTC."""
    found, found_trigger, last = [], trigger(row), None
    for _ in range(times):
        last = found_trigger.get_next_fire_time(last, now)
        now = last + timedelta(microseconds=1)
        found.append(last.astimezone(UTC).strftime("%a %d %H:%M"))
    return found


def test_intervals_and_cron_lines_wake_at_their_times() -> None:
    assert fires({"cron": "30 9 * * 1-5", "timezone": "Europe/Berlin"}, NOON) == [
        *("Tue 24 08:30", "Wed 25 08:30", "Thu 26 08:30"),
    ]
    assert fires({"cron": "0 18 * * 0"}, NOON, 2) == ["Sun 29 18:00", "Sun 06 18:00"]
    assert fires({"cron": "0 18 * * 7"}, NOON, 1) == ["Sun 29 18:00"]
    every = trigger({"seconds": 1800, "timezone": "Asia/Shanghai"})
    assert every.interval == timedelta(minutes=30)


def test_day_or_weekday_as_cron_means_it() -> None:
    assert scheduler_lines("0 8 1 * 1") == ["0 8 1 * *", "0 8 * * mon"]
    assert fires({"cron": "0 8 1 * 1"}, NOON) == ["Mon 30 08:00", "Tue 01 08:00", "Mon 07 08:00"]
    assert scheduler_lines("0 8 */2 * 1-3") == ["0 8 */2 * mon,tue,wed"]
    assert scheduler_lines("*/5 * * * *") == ["*/5 * * * *"]
    assert scheduler_lines("0 8 * * */2") == ["0 8 * * sun,tue,thu,sat"]
    assert scheduler_lines("0 8 * * fri") == ["0 8 * * fri"]
    assert scheduler_lines("0 8 * * 1/0") == ["0 8 * * 1/0"]
    assert scheduler_lines("@daily") == ["@daily"]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"cadence": "now and then"}, "no scheduler can read the cadence 'now and then'"),
        ({"seconds": 0, "cadence": "x"}, "no scheduler can read the cadence"),
        ({"cron": "61 * * * *"}, "no scheduler can read '61 \\* \\* \\* \\*'"),
        ({"cron": "@daily"}, "no scheduler can read '@daily'"),
        ({"seconds": 60, "timezone": "Mars/Olympus"}, "unknown time zone 'Mars/Olympus'"),
        ({"seconds": 60, "timezone": "../../etc/passwd"}, "unknown time zone"),
    ],
)
def test_what_no_scheduler_can_read_is_an_error(row: Cadence, said: str) -> None:
    with pytest.raises(ScheduleError, match=said):
        run_schedule(lambda _: None, row)
    assert issubclass(ScheduleError, PipelineError)


def test_one_wake_up_or_several() -> None:
    assert wake_ups({"seconds": 60}) == [{"seconds": 60}]
    rows: list[Cadence] = [
        {"cron": "0 9 * * *", "message": "brief"},
        {"seconds": 60, "timezone": "Asia/Tokyo"},
    ]
    shared = {"wake_ups": rows, "timezone": "Europe/Berlin", "active_start": "08:00", "active_end": "22:00"}
    assert wake_ups(rows) == rows
    first, second = wake_ups(shared)
    assert first == {**rows[0], "timezone": "Europe/Berlin", "active_start": "08:00", "active_end": "22:00"}
    assert (second["seconds"], second["timezone"], second["active_start"]) == (60, "Asia/Tokyo", "08:00")


@pytest.mark.parametrize(
    ("start", "end", "hours"),
    [
        ("09:00", "17:00", range(9, 17)),
        ("22:00", "06:00", [*range(6), 22, 23]),
        ("00:00", "24:00", range(24)),
        ("08:00", "08:00", []),
        ("", "17:00", range(24)),
    ],
)
def test_active_hours(start: str, end: str, hours: list[int]) -> None:
    when = {"active_start": start, "active_end": end}
    day = NOON.replace(hour=0)
    active = [hour for hour in range(24) if is_open(when, day + timedelta(hours=hour))]
    assert active == list(hours)


def test_an_interval_acts_on_its_weekdays() -> None:
    monday = datetime(2026, 11, 23, tzinfo=UTC)
    night: Cadence = {"seconds": 1800, "active_start": "22:00", "active_end": "06:00"}
    rows: list[tuple[Cadence, list[int]]] = [
        ({"seconds": 1800, "days": ("mon", "wed")}, [0, 2]),
        ({"seconds": 1800, "days": []}, list(range(7))),
        ({"cron": "0 9 * * 1", "days": ["mon"]}, list(range(7))),
        ({**night, "days": ["mon"]}, [1]),
    ]
    for row, expected in rows:
        at = [day for day in range(7) if is_open(row, monday + timedelta(days=day, hours=3))]
        assert at == expected, row


def test_active_hours_are_those_of_the_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    when = {"active_start": "09:00", "active_end": "10:00", "timezone": "America/New_York"}
    woken: list[int] = []
    for hour in (9, 13, 14, 15):
        monkeypatch.setenv("MELLEA_AGENT_NOW", NOON.replace(hour=hour, minute=59).isoformat())
        wake_when_active(lambda _, at=hour: woken.append(at), when)  # type: ignore[misc]
    assert woken == [14]


@pytest.mark.parametrize(
    ("cron", "clocks"),
    [
        ("30 9 * * *", "09:30"),
        ("*/25 12 * * *", "12:00 12:25 12:50"),
        ("5/20 8-9 * * *", "08:05 08:25 08:45 09:05 09:25 09:45"),
        ("15,45 6,18 * * *", "06:15 06:45 18:15 18:45"),
        ("0 8 * * 1", "08:00"),
        ("0 8 * * 1-5", "08:00"),
        ("0 8 * * 0,7", ""),
        ("0 8 13 * 1", "08:00"),
        ("0 8 23 * 5", "08:00"),
        ("0 8 13 * *", ""),
        ("0 8 */2 * 1", "08:00"),
        ("0 8 * 10 *", ""),
        *((cron, "") for cron in ("@daily", "61 * * * *", "* * * * x", "*/0 * * * *", "5-1 * * * *")),
        *((cron, "") for cron in ("² * * * *", "1-³ * * * *", "*/² * * * *", "0 0 * * ¹-²")),
    ],
)
def test_the_times_of_a_cron_line_on_a_monday(cron: str, clocks: str) -> None:
    assert " ".join(f"{at:%H:%M}" for at in clocks_on(cron, NOON.date())) == clocks


def due(row: Mapping[str, object], last: datetime | str | None, now: datetime = NOON) -> bool:
    """Return whether a task is due."""
    runs = {} if last is None else {"mail": last if isinstance(last, str) else last.isoformat()}
    return bool(due_tasks([{"name": "mail", **row}], runs, now))


def test_a_task_with_an_interval_counts_from_its_last_run() -> None:
    daily = {"seconds": 86400}
    assert due(daily, None)
    assert not due(daily, NOON - timedelta(hours=23))
    assert due(daily, NOON - timedelta(hours=24))
    assert due(daily, NOON - timedelta(hours=24) + timedelta(seconds=50)), "a wake-up may be early"
    assert not due(daily, NOON - timedelta(hours=24) + timedelta(seconds=70))
    assert not due({"seconds": 60}, NOON - timedelta(seconds=50))
    assert due({"seconds": 60}, NOON - timedelta(seconds=55))
    assert due(daily, NOON + timedelta(days=3)), "the clock was set back"
    assert due(daily, "never"), "a state that can't be read"
    assert not due(daily, "2026-11-23T11:00:00"), "a time without a zone is UTC"


def test_a_task_with_a_cron_line_is_due_once_its_time_has_passed() -> None:
    nine = {"cron": "0 9 * * *", "timezone": "UTC"}
    assert due(nine, NOON - timedelta(days=1))
    assert not due(nine, NOON - timedelta(hours=3))
    assert not due(nine, NOON - timedelta(hours=2))
    assert due(nine, None)
    assert not due({"cron": "0 18 * * *"}, None), "today's time is still to come"
    assert due({"cron": "0 18 * * *"}, NOON - timedelta(days=2)), "yesterday's was missed"
    tokyo = {"cron": "30 20 * * *", "timezone": "Asia/Tokyo"}
    assert due(tokyo, None)
    assert not due({**tokyo, "cron": "30 21 * * *"}, None)
    assert not due({"cron": "when it rains"}, None), "what can't be read is never due"
    berlin = {"cron": "0 8 * * *", "timezone": "Europe/Berlin"}
    after_the_change = datetime(2026, 10, 26, 7, 30, tzinfo=UTC)
    assert due(berlin, after_the_change - timedelta(minutes=40), after_the_change)
    assert not due(berlin, after_the_change - timedelta(minutes=20), after_the_change)
    assert due({"cron": "0 0 29 2 *"}, NOON - timedelta(days=1100))
    assert not due({"cron": "0 0 29 2 *"}, NOON - timedelta(days=900))


def test_tasks_keep_their_order_hours_and_words() -> None:
    rows: list[Cadence] = [
        {"name": "a", "seconds": 3600},
        {"name": "b", "cadence": "now and then"},
        {"name": "c", "seconds": 3600, "active_start": "13:00", "active_end": "14:00"},
        {"name": "d", "seconds": 3600, "timezone": "Mars/Olympus"},
        {"name": "e", "seconds": 3600},
    ]
    runs = {"e": (NOON - timedelta(minutes=30)).isoformat()}
    assert [row["name"] for row in due_tasks(rows, runs, NOON)] == ["a"]
    assert due_tasks([{"name": "a", "seconds": 3600}], {"a": clock().isoformat()}) == []


def test_a_message_with_the_name_of_a_task_asks_for_that_task(tmp_path: Path) -> None:
    rows: list[Cadence] = [
        {"name": "Milk the goats", "text": "Milk them", "cron": "0 6 * * *"},
        {"name": "Milk the goats", "text": "Milk them", "cron": "30 17 * * *"},
        {"name": "Barn", "text": "Sweep it", "seconds": 60},
    ]
    notes: list[str] = []

    def asked(message: str, *, woken: bool = False) -> list[str]:
        return [
            str(row["text"])
            for row in due_or_named(notes, rows, tmp_path / "state.json", message, woken=woken)
        ]

    assert asked(" milk  THE goats\n") == ["Milk them"]
    assert asked("Milk") == []
    assert asked("") == []
    assert "Sweep it" in asked("heartbeat", woken=True)
    assert notes == []


def started(
    config: Cadence | list[Cadence], wake: Callable[[str], object], monkeypatch: pytest.MonkeyPatch
) -> list[Any]:
    """Return the jobs of a schedule, whose scheduler ends at once."""
    jobs: list[Any] = []

    def start(scheduler: Any) -> None:
        assert scheduler._executors["default"]._pool._max_workers == 1, "one run at a time"
        jobs.extend(scheduler.get_jobs())

    monkeypatch.setattr(BlockingScheduler, "start", start)
    run_schedule(wake, config)
    return jobs


def test_the_runner_wakes_the_agent_with_each_message(monkeypatch: pytest.MonkeyPatch) -> None:
    woken: list[str] = []
    rows: list[Cadence] = [
        {"cron": "0 9 * * *", "message": "brief"},
        {"seconds": 60, "active_start": "00:00", "active_end": "00:00"},
        {"seconds": 60, "message": "check"},
    ]
    for job in started(rows, woken.append, monkeypatch):
        assert (job.coalesce, job.max_instances, job.misfire_grace_time) == (True, 1, 600)
        job.func()
    assert woken == ["brief", "check"]


def test_without_apscheduler_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "apscheduler.schedulers.blocking", None)
    with pytest.raises(ScheduleError, match=r"APScheduler is missing: pip install 'my-agent\[scheduler\]'"):
        run_schedule(print, {"seconds": 60}, install="my-agent[scheduler]")


@pytest.mark.slow
def test_tasks_need_neither_apscheduler_nor_mellea() -> None:
    code = (
        "import sys; sys.modules['apscheduler'] = sys.modules['mellea'] = None\n"
        "from melleafy_tui.generators.runtime.schedule import due_tasks\n"
        "print(len(due_tasks([{'seconds': 60}, {'cron': '* * * * *'}], {})))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "2\n"


def interrupted(monkeypatch: pytest.MonkeyPatch, scheduler: object, running: bool = True) -> list[str]:
    """Return what happens at an interrupt."""
    seen: list[str] = []

    class Runner:
        def __init__(self, **_: object) -> None: ...

        def start(self) -> None: ...

        def join(self) -> None:
            raise KeyboardInterrupt

    def shutdown(_: object) -> None:
        seen.append("shutdown")
        if scheduler:
            raise KeyboardInterrupt

    monkeypatch.setattr(schedule_runner, "Thread", Runner)
    monkeypatch.setattr(BlockingScheduler, "running", running)
    monkeypatch.setattr(BlockingScheduler, "shutdown", shutdown)
    monkeypatch.setattr(os, "_exit", lambda code: seen.append(f"exit {code}"))
    run_schedule(print, {"seconds": 60})
    return seen


def test_a_second_interrupt_does_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    assert interrupted(monkeypatch, scheduler=None) == ["shutdown"]
    assert interrupted(monkeypatch, scheduler=None, running=False) == []
    assert interrupted(monkeypatch, scheduler="busy") == ["shutdown", "exit 130"]


@pytest.mark.slow
def test_an_interrupt_lets_the_run_under_way_end(tmp_path: Path) -> None:
    code = (
        "import sys, time\n"
        "from melleafy_tui.generators.runtime.schedule_runner import run_schedule\n"
        "def wake(message):\n"
        "    print('begun', message, flush=True); time.sleep(1); print('ended', flush=True)\n"
        "run_schedule(wake, {'seconds': 1})\n"
        "print('over', flush=True)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, cwd=tmp_path)
    assert process.stdout is not None
    assert process.stdout.readline() == "begun heartbeat\n"
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=30)
    assert rest == "ended\nover\n"
    assert process.returncode == 0
