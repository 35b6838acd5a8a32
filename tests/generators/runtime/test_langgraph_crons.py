"""Crons of a LangGraph server: they come at the times at which the package's own runner wakes the agent."""

from datetime import datetime, timedelta
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from melleafy_tui.generators.runtime import langgraph_crons, schedule
from melleafy_tui.generators.runtime.langgraph_crons import Cron, CronError, crons, run_crons

MONDAY = datetime(2026, 11, 23, tzinfo=ZoneInfo("Europe/Berlin"))
BERLIN = {"timezone": "Europe/Berlin"}
HOURS = {"active_start": "07:00", "active_end": "19:00", **BERLIN}
NIGHT = {"active_start": "22:00", "active_end": "06:00", **BERLIN}
WORKDAYS = {"days": ("mon", "tue", "wed", "thu", "fri")}

CLOCKS = cache(schedule.clocks_on)

LINES: tuple[tuple[dict[str, Any], list[str]], ...] = (
    ({"seconds": 60}, ["* * * * *"]),
    ({"seconds": 900}, ["*/15 * * * *"]),
    ({"seconds": 1800, **HOURS}, ["*/30 7-18 * * *"]),
    ({"seconds": 3600}, ["0 * * * *"]),
    ({"seconds": 7200, **HOURS}, ["0 7,9,11,13,15,17 * * *"]),
    ({"seconds": 86400}, ["0 0 * * *"]),
    ({"seconds": 5400}, ["0 */3 * * *", "30 1,4,7,10,13,16,19,22 * * *"]),
    ({"seconds": 3600, "active_start": "09:30", "active_end": "12:00"}, ["30 9-11 * * *"]),
    ({"seconds": 3600, "active_start": "09:00", "active_end": "24:00"}, ["0 9-23 * * *"]),
    ({"seconds": 3600, "active_start": "09:00", "active_end": "09:00"}, []),
    ({"seconds": 14400, "active_start": "09:00", "active_end": "11:00"}, ["0 9 * * *"]),
    ({"seconds": 3600, **WORKDAYS, **HOURS}, ["0 7-18 * * 1-5"]),
    (
        {"seconds": 3600, **WORKDAYS, **NIGHT},
        ["0 22,23 * * 1-5", "0 0-5 * * 2-6"],
    ),
    ({"cron": "5 4 * * 1-5"}, ["5 4 * * 1-5"]),
    ({"cron": "0 */4 * * *", **HOURS}, ["0 8,12,16 * * *"]),
    ({"cron": "0,30 6-8 1 * mon", **HOURS}, ["*/30 7,8 1 * mon"]),
    ({"cron": "0 */6 * * *", **NIGHT}, ["0 0 * * *"]),
)


@pytest.mark.parametrize(("wake_up", "lines"), LINES, ids=[" ".join(lines) or "never" for _, lines in LINES])
def test_a_wake_up_has_these_lines_and_they_come_when_the_runner_wakes(
    wake_up: dict[str, Any], lines: list[str]
) -> None:
    found = crons(wake_up)
    assert [cron.schedule for cron in found] == lines
    zone = ZoneInfo(wake_up.get("timezone", "UTC"))
    hour, _, past = wake_up.get("active_start", "00:00").partition(":")
    differing = []
    for minute in range(8 * 24 * 60):
        at = MONDAY.replace(tzinfo=zone) + timedelta(minutes=minute)
        ticks = (
            _comes(wake_up["cron"], at)
            if "cron" in wake_up
            else (at.hour * 60 + at.minute - int(hour) * 60 - int(past)) * 60 % wake_up["seconds"] == 0
        )
        expected = ticks and schedule.is_open(wake_up, at)
        if expected != any(_comes(line, at) for line in lines):
            differing.append(at)
    assert differing == []


def _comes(line: str, at: datetime) -> bool:
    for number, name in enumerate(schedule.DAYS):
        line = line.replace(name, str(number))
    return at.time() in CLOCKS(line, at.date())


def test_each_wake_up_has_its_own_zone_and_message() -> None:
    several = {
        "type": "cron",
        "seconds": 60,
        "days": ("mon",),
        "timezone": "Europe/Berlin",
        "wake_ups": ({"cron": "0 9 * * *", "message": "Morning round"}, {"seconds": 3600, "timezone": "UTC"}),
    }
    assert crons(several) == [
        Cron("0 9 * * *", "Europe/Berlin", "Morning round"),
        Cron("0 * * * *", "UTC", "heartbeat"),
    ]
    assert crons([{"cron": "0 9 * * *"}, {"cron": "0 9 * * *"}]) == [Cron("0 9 * * *", "UTC", "heartbeat")]
    assert crons({"type": "event", "cadence": "on webhook"}) == []


@pytest.mark.parametrize(
    ("wake_up", "said"),
    [
        ({"seconds": 90}, "every 90 seconds"),
        ({"seconds": 7 * 3600}, "every 25200 seconds"),
        ({"seconds": 3 * 86400}, "every 259200 seconds"),
        ({"type": "interval", "cadence": "now and then"}, "no time is known"),
        ({"type": "interval", "cadence": None}, "no time is known"),
        ({"cron": "@daily", **HOURS}, "'@daily' can't be limited"),
        ({"cron": "x 4 * * *", **HOURS}, "'x' can't be limited"),
        ({"cron": "*/0 4 * * *", **HOURS}, "'*/0' can't be limited"),
        ({"seconds": 60, "days": ("someday",)}, "'someday' is not a weekday"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_what_cron_cannot_say_is_an_error(
    wake_up: dict[str, Any], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(CronError, match=r".") as raised:
        crons(wake_up)
    assert said in str(raised.value)
    assert run_crons(wake_up, graph="desk", arguments=["--list"]) == 1
    printed = capsys.readouterr()
    assert (said in printed.err, printed.out) == (True, "")


def test_list_prints_the_crons_and_asks_no_server(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(langgraph_crons, "replace_crons", None)
    assert run_crons({"seconds": 1800, **HOURS}, graph="desk", arguments=["--list"]) == 0
    assert capsys.readouterr().out == "*/30 7-18 * * *  Europe/Berlin  heartbeat\n"


def test_a_server_that_cannot_be_reached_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> int:
        raise ConnectionError("nobody listens")

    monkeypatch.setattr(langgraph_crons, "replace_crons", refuse)
    assert run_crons({"seconds": 1800}, graph="desk", arguments=["--url", "http://localhost:1"]) == 1
    assert capsys.readouterr().err == "crons.py: ConnectionError: nobody listens\n"
