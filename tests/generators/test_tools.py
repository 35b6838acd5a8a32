"""The working code of tools.py: tools, state, memory and schedule, run for real on loopback and in temporary folders."""

import importlib
import json
import signal
import subprocess
import sys
import threading
import types
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, tzinfo
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from apscheduler.events import EVENT_JOB_ERROR, EVENT_JOB_EXECUTED
from apscheduler.schedulers.blocking import BlockingScheduler
from apscheduler.triggers.cron import CronTrigger
from msgspec import convert

from melleafy_tui.core.lint.runner import lint_file_set
from melleafy_tui.core.models.classification import Schedule
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.facts import Facts, SecretFact, ToolFact
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.generators.render import render_package
from tests.generators.committed import Piece, committed_plan
from tests.generators.emitting import write_files

_R, _E, _D = Disposition.REAL_IMPL, Disposition.EXTERNAL_INPUT, Disposition.DELEGATE_TO_RUNTIME


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., ModuleType]]:
    """Return a function that loads a module of a plan's package without Mellea."""
    names: list[str] = []

    def load(plan: CommittedPlan, which: str = "tools") -> ModuleType:
        files = render_package(plan)
        folder = write_files(files, tmp_path)
        package = types.ModuleType(files.package_name)
        package.__path__ = [str(folder)]
        names.append(files.package_name)
        sys.modules[files.package_name] = package
        return importlib.import_module(f"{files.package_name}.{which}")

    monkeypatch.setenv("AGENT_MELLEA_HOME", str(tmp_path / "home"))
    yield load
    for name in names:
        for known in [known for known in sys.modules if known == name or known.startswith(f"{name}.")]:
            del sys.modules[known]


def tool_plan(
    facts: dict[str, str], *, extra: tuple[Piece, ...] = (), files: dict[str, str] | None = None
) -> CommittedPlan:
    piece = Piece(
        "TOOLS.md",
        "1",
        EntryKind.TOOL_CONCRETE,
        _R,
        facts=Facts(convert({"name": "lookup", **facts}, ToolFact)),
    )
    return committed_plan({"TOOLS.md": "- a tool\n", **(files or {})}, [piece, *extra], name="agent")


class Answers(BaseHTTPRequestHandler):
    """Says what it was asked; /elsewhere redirects away, /slow waits, /missing is 404, /big is long."""

    release = threading.Event()

    def do_GET(self) -> None:
        if self.path.startswith("/elsewhere"):
            self.send_response(302)
            self.send_header("Location", "http://localhost.invalid/")
            self.end_headers()
            return
        if self.path.startswith("/slow"):
            self.release.wait(5)
        length = int(self.headers.get("Content-Length") or 0)
        asked = {
            "method": self.command,
            "path": self.path,
            "body": self.rfile.read(length).decode(),
            "authorization": self.headers.get("Authorization", ""),
        }
        data = json.dumps(asked).encode()
        if self.path.startswith("/big"):
            data = b"x" * 2_000_000
        self.send_response(404 if self.path.startswith("/missing") else 200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_POST = do_GET  # noqa: N815 - the name that BaseHTTPRequestHandler asks for

    def log_message(self, format: str, *arguments: Any) -> None:
        pass


@pytest.fixture
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    Answers.release.clear()
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    Answers.release.set()
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("path", "request_text", "expected"),
    [
        ("/tickets/{id}", "7", "/tickets/7"),
        ("/tickets/{id}/notes?day={day}", "day=2026-01-02&id=7", "/tickets/7/notes?day=2026-01-02"),
        ("/tickets/{id}/notes?day={day}", "7", "/tickets/7/notes?day=7"),
        ("/tickets/{id}", "../admin?x=1", "/tickets/..%2Fadmin%3Fx%3D1"),
        ("/tickets", "", "/tickets"),
        ("/tickets", "7 8", "/tickets/7%208"),
        ("/tickets", "state=open&team=a b", "/tickets?state=open&team=a+b"),
        ("/tickets?limit=3", "state=open", "/tickets?limit=3&state=open"),
    ],
)
def test_a_get_carries_the_request(
    path: str, request_text: str, expected: str, module: Callable[..., ModuleType], address: str
) -> None:
    tools = module(tool_plan({"url": address + path, "method": "GET"}))
    assert json.loads(tools.lookup(request_text))["path"] == expected


def test_a_post_carries_the_request_as_its_body(module: Callable[..., ModuleType], address: str) -> None:
    tools = module(tool_plan({"url": f"{address}/tickets", "method": "POST"}))
    asked = json.loads(tools.lookup('{"title": "x"}'))
    assert (asked["method"], asked["body"]) == ("POST", '{"title": "x"}')


def test_a_secret_comes_from_the_environment_at_the_call(
    module: Callable[..., ModuleType], address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = f"curl -H 'Authorization: Bearer $DESK_TOKEN' {address}/tickets"
    tools = module(tool_plan({"url": f"{address}/tickets", "method": "GET", "command": command}))
    with pytest.raises(tools.ToolError, match="DESK_TOKEN is not set"):
        tools.lookup("")
    monkeypatch.setenv("DESK_TOKEN", "from-outside")
    assert json.loads(tools.lookup(""))["authorization"] == "Bearer from-outside"


def test_headers_stand_before_a_body_of_several_lines(
    module: Callable[..., ModuleType], address: str
) -> None:
    command = f"curl {address}/tickets -H 'Content-Type: application/json' -d '{{"
    facts = {"url": f"{address}/tickets", "method": "POST", "command": command}
    tools = module(tool_plan(facts))
    assert '{"Content-Type": "application/json"}' in Path(str(tools.__file__)).read_text()


def test_a_secret_can_come_from_the_host(module: Callable[..., ModuleType], address: str) -> None:
    command = f"curl -H 'Authorization: Bearer $DESK_TOKEN' {address}/tickets"
    credential = Piece(
        "TOOLS.md",
        "1",
        EntryKind.CREDENTIAL,
        _D,
        label="DESK_TOKEN",
        statement="DESK_TOKEN",
        facts=Facts(SecretFact(variable="DESK_TOKEN")),
    )
    tools = module(
        tool_plan({"url": f"{address}/tickets", "method": "GET", "command": command}, extra=(credential,))
    )
    with pytest.raises(NotImplementedError, match="fetch the secret"):
        tools.lookup("")


@pytest.mark.parametrize(
    ("path", "error", "words"),
    [
        ("/missing", "ToolError", "404"),
        ("/elsewhere", "ToolRefused", "ALLOWED_DOMAINS"),
        ("/slow", "ToolTimeout", "in time"),
    ],
)
def test_a_tool_fails_with_a_typed_error(
    path: str,
    error: str,
    words: str,
    module: Callable[..., ModuleType],
    address: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tools = module(tool_plan({"url": address + path, "method": "GET"}))
    monkeypatch.setattr(tools, "TIMEOUT_SECONDS", 0.2)
    with pytest.raises(getattr(tools, error), match=words):
        tools.lookup("")


def test_a_long_answer_is_cut(module: Callable[..., ModuleType], address: str) -> None:
    tools = module(tool_plan({"url": f"{address}/big", "method": "GET"}))
    assert len(tools.lookup("")) == tools.MAX_RESPONSE_BYTES


@pytest.mark.parametrize(
    "url",
    [
        "http://other.example.com/",
        "http://127.0.0.1:1/",
        "file:///etc/passwd",
        "ftp://127.0.0.1/",
        "http://[::bad/",
    ],
)
def test_an_address_outside_of_the_allow_list_is_refused(
    url: str, module: Callable[..., ModuleType], address: str
) -> None:
    tools = module(tool_plan({"url": f"{address}/tickets", "method": "GET"}))
    with pytest.raises(tools.ToolRefused):
        tools._fetch("GET", url, "", {})


SCRIPT = '#!/bin/sh\nif [ "$1" = fail ]; then echo broken >&2; exit 3; fi\nprintf "%s|" "$@" "${SECRET_OF_OTHERS:-none}"\n'


def script_plan() -> CommittedPlan:
    return tool_plan({"script": "bin/look.sh", "command": "bin/look.sh"}, files={"bin/look.sh": SCRIPT})


@pytest.mark.parametrize(
    ("request_text", "printed"),
    [
        ("one two", "one|two|none|"),
        ("'one two'", "one two|none|"),
        ("$(id)", "$(id)|none|"),
        ("it's", "it's|none|"),
        ("", "none|"),
    ],
)
def test_a_script_gets_words_and_no_shell(
    request_text: str, printed: str, module: Callable[..., ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_OF_OTHERS", "not for scripts")
    assert module(script_plan()).lookup(request_text) == printed


@pytest.mark.parametrize(
    ("script", "beside", "given"),
    [
        ('echo "${QUEUE_TOKEN:-none} ${DOOR_TOKEN:-none}"\n', {}, "a queue a door\n"),
        ("env | grep -c TOKEN\n", {}, "0\n"),
        ("env | grep _TOKEN # my_QUEUE_TOKEN\n", {}, ""),
        ("env | grep _TOKEN\n", {"skills/look/SKILL.md": "Needs QUEUE_TOKEN.\n"}, "QUEUE_TOKEN=a queue\n"),
        ("env | grep _TOKEN\n", {"skills/other/SKILL.md": "Needs QUEUE_TOKEN.\n"}, ""),
    ],
    ids=["named", "not named", "part of a name", "its skill names it", "another skill names it"],
)
def test_a_script_gets_only_the_credentials_that_it_names(
    script: str,
    beside: dict[str, str],
    given: str,
    module: Callable[..., ModuleType],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = "skills/look/scripts/look.sh"
    secrets = tuple(
        Piece(
            ".env", str(number), EntryKind.CREDENTIAL, _E, label=name, facts=Facts(SecretFact(variable=name))
        )
        for number, name in enumerate(("QUEUE_TOKEN", "DOOR_TOKEN"), 1)
    )
    monkeypatch.setenv("QUEUE_TOKEN", "a queue")
    monkeypatch.setenv("DOOR_TOKEN", "a door")
    plan = tool_plan(
        {"script": path, "command": path},
        extra=secrets,
        files={path: f"#!/bin/sh\n{script}true\n", ".env": "QUEUE_TOKEN=\nDOOR_TOKEN=\n", **beside},
    )
    assert module(plan).lookup("") == given


@pytest.mark.parametrize(
    ("first", "interpreter"),
    [("#!/usr/bin/env bash", "bash"), ("#!/bin/bash -e", "bash"), ("#!/bin/sh", "sh"), ("echo bash", "sh")],
)
def test_a_script_for_bash_runs_in_bash(
    first: str, interpreter: str, module: Callable[..., ModuleType]
) -> None:
    path = "scripts/count.sh"
    text = f"{first}\n" + ("words=(one two)\necho ${#words[@]}\n" if interpreter == "bash" else "echo 2\n")
    tools = module(tool_plan({"script": path, "command": path}, files={path: text}))
    assert tools.INTERPRETERS[".sh"] == (interpreter,)
    assert tools.lookup("").strip().endswith("2")


def test_a_script_fails_with_a_typed_error(module: Callable[..., ModuleType]) -> None:
    tools = module(script_plan())
    with pytest.raises(tools.ToolError, match="ended with 3: broken"):
        tools.lookup("fail")
    with pytest.raises(tools.ToolRefused):
        tools.lookup("--delete")
    (Path(str(tools.__file__)).parent / "scripts" / "bin" / "look.sh").unlink()
    with pytest.raises(tools.ToolError, match="not in the package"):
        tools.lookup("one")


MEMORY = '# Memory\n\n## Billing\n\nThe billing queue is handled by Ada.\n\n## Deploys\n\nDeploy "on" Mondays; never * NOT OR.\n'
WIKI = "# 部署脚本\n\n部署脚本在周一运行。\n"


def memory_plan() -> CommittedPlan:
    return committed_plan(
        {"MEMORY.md": MEMORY, "memory-wiki/entities/deploy.md": WIKI},
        [
            Piece("MEMORY.md", "1-9", EntryKind.MEMORY, _R, form="section"),
            Piece("memory-wiki/entities/deploy.md", "1-3", EntryKind.MEMORY, _R, form="file"),
        ],
        name="agent",
    )


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("who handles billing?", "Ada"),
        ('deploy "OR" AND (NOT near:x*', "Mondays"),
        ("部署", "周一"),
        ("zebra", ""),
        ("?!", ""),
    ],
)
def test_memory_is_found(query: str, found: str, module: Callable[..., ModuleType]) -> None:
    said = module(memory_plan()).recall_memory(query)
    assert found in said
    assert bool(said) == bool(found)


def test_memory_in_the_references_of_a_skill_is_found(module: Callable[..., ModuleType]) -> None:
    codes = Piece("references/codes.md", "1-3", EntryKind.MEMORY, _R, form="file")
    plan = committed_plan({"references/codes.md": "# Codes\n\nA1 is fragile.\n"}, [codes], name="agent")
    assert lint_file_set(render_package(plan)).passed
    assert "fragile" in module(plan).recall_memory("what is A1?")


def test_memory_remembers_what_is_added(module: Callable[..., ModuleType]) -> None:
    tools = module(memory_plan())
    assert "zebra" not in tools.recall_memory("zebra")
    tools.remember("The zebra is called Otto.")
    assert "Otto" in tools.recall_memory("zebra")
    assert "Ada" in tools.recall_memory("billing")


def test_the_memory_is_seeded_once(module: Callable[..., ModuleType]) -> None:
    tools = module(memory_plan())
    once = tools.recall_memory("billing")
    assert tools.recall_memory("billing") == once
    assert once.count("Ada") == 1


def state_plan() -> CommittedPlan:
    piece = Piece("memory/2026-01-15.md", "1", EntryKind.STATE, _R, statement="Notes of today")
    return committed_plan({"memory/2026-01-15.md": ""}, [piece], name="agent")


def test_state_comes_back_and_stays_short(module: Callable[..., ModuleType]) -> None:
    tools = module(state_plan())
    assert tools.load_working_state() == ""
    for number in range(tools.STATE_NOTES + 5):
        path = Path(tools.save_working_state(f"request {number}", "a reply"))
    said = tools.load_working_state()
    assert "request 24" in said
    assert "request 4 " not in said
    assert said.count("\n") == tools.STATE_NOTES - 1
    assert [found.name for found in path.parent.iterdir()] == ["state.json"]


def schedule_plan(schedule: Schedule) -> CommittedPlan:
    piece = Piece("HEARTBEAT.md", "1", EntryKind.SCHEDULE, _R)
    return committed_plan({"HEARTBEAT.md": "Every 30m\n"}, [piece], name="agent", schedule=schedule)


@pytest.mark.parametrize(
    ("start", "end", "clock", "expected"),
    [
        ("09:00", "18:00", "08:59", False),
        ("09:00", "18:00", "09:00", True),
        ("09:00", "18:00", "17:59", True),
        ("09:00", "18:00", "18:00", False),
        ("22:00", "06:00", "23:30", True),
        ("22:00", "06:00", "05:59", True),
        ("22:00", "06:00", "12:00", False),
        ("00:00", "24:00", "23:59", True),
        ("08:00", "08:00", "08:00", False),
        ("", "", "03:00", True),
    ],
)
def test_active_hours(
    start: str, end: str, clock: str, expected: bool, module: Callable[..., ModuleType]
) -> None:
    tools = module(schedule_plan(Schedule(type="interval", seconds=60, active_start=start, active_end=end)))
    hour, minute = map(int, clock.split(":"))
    assert tools.within_active_hours(datetime(2026, 1, 15, hour, minute, tzinfo=UTC)) is expected


class OneJob(BlockingScheduler):  # type: ignore[misc]
    """APScheduler's own scheduler, which ends when its job has run once; `at_once` does not wait for the trigger."""

    made: "list[OneJob]"
    at_once = True

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        OneJob.made.append(self)
        self.ended: list[Any] = []
        self.add_listener(self._end, EVENT_JOB_EXECUTED | EVENT_JOB_ERROR)

    def add_job(self, job: Callable[[], None], trigger: Any, **options: Any) -> Any:
        self.trigger = trigger
        if self.at_once:
            options["next_run_time"] = datetime.now(UTC)
        return super().add_job(job, trigger, **options)

    def _end(self, event: Any) -> None:
        self.ended.append(event)
        threading.Thread(target=self.shutdown).start()


@pytest.fixture
def scheduler(monkeypatch: pytest.MonkeyPatch) -> type[OneJob]:
    OneJob.made = []
    monkeypatch.setattr("apscheduler.schedulers.blocking.BlockingScheduler", OneJob)
    return OneJob


MONDAY = datetime(2026, 1, 12, 8, 59, tzinfo=UTC)


@pytest.mark.parametrize(
    ("schedule", "after"),
    [
        (Schedule(type="interval", seconds=1800), timedelta(seconds=1800)),
        (Schedule(type="cron", cron="0 9 * * 1-5"), timedelta(minutes=1)),
        (
            Schedule(type="cron", cron="0 9 * * 1-5", timezone="America/New_York"),
            timedelta(hours=5, minutes=1),
        ),
    ],
    ids=["interval", "cron", "cron in its zone"],
)
def test_the_runner_wakes_the_agent(
    schedule: Schedule,
    after: timedelta,
    module: Callable[..., ModuleType],
    scheduler: type[OneJob],
) -> None:
    woken: list[str] = []
    module(schedule_plan(schedule)).run_scheduler(lambda: woken.append("now"))
    (made,) = scheduler.made
    assert woken == ["now"]
    assert [event.exception for event in made.ended] == [None]
    assert made.trigger.get_next_fire_time(MONDAY, MONDAY) - MONDAY == after


@pytest.mark.parametrize(
    ("days", "woken"),
    [
        ("*", "mon tue wed thu fri sat sun"),
        ("1-5", "mon tue wed thu fri"),
        ("0", "sun"),
        ("7", "sun"),
        ("5-7", "fri sat sun"),
        ("0,6", "sat sun"),
        ("1-5/2", "mon wed fri"),
        ("*/2", "tue thu sat sun"),
        ("mon-fri", "mon tue wed thu fri"),
        ("1,wed", "mon wed"),
    ],
)
def test_a_cron_line_means_the_days_that_cron_means(
    days: str, woken: str, module: Callable[..., ModuleType]
) -> None:
    tools = module(schedule_plan(Schedule(type="cron", cron=f"0 9 * * {days}")))
    trigger = CronTrigger.from_crontab(tools.with_named_days(f"0 9 * * {days}"), timezone="UTC")
    week = [MONDAY + timedelta(days=number) for number in range(7)]
    found = [day for day in week if trigger.get_next_fire_time(None, day) == day + timedelta(minutes=1)]
    assert " ".join(day.strftime("%a").lower() for day in found) == woken


def test_the_runner_waits_for_its_interval(
    module: Callable[..., ModuleType], scheduler: type[OneJob], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduler, "at_once", False)
    woken: list[datetime] = []
    started = datetime.now(UTC)
    module(schedule_plan(Schedule(type="interval", seconds=1))).run_scheduler(
        lambda: woken.append(datetime.now(UTC))
    )
    assert len(woken) == 1
    assert woken[0] - started >= timedelta(seconds=0.9)


class Clock(datetime):
    """Stands where tools.py looks at the clock: it is always noon in the zone that is asked for."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> "Clock":
        return cls(2026, 1, 15, 12, 0, tzinfo=tz)


@pytest.mark.parametrize(
    ("start", "end", "woken"),
    [
        ("09:00", "18:00", ["now"]),
        ("18:00", "23:00", []),
        ("22:00", "13:00", ["now"]),
        ("22:00", "06:00", []),
        ("10:00", "10:00", []),
        ("", "", ["now"]),
    ],
)
def test_the_runner_keeps_to_active_hours(
    start: str,
    end: str,
    woken: list[str],
    module: Callable[..., ModuleType],
    scheduler: type[OneJob],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    schedule = Schedule(
        type="interval", seconds=60, active_start=start, active_end=end, timezone="Europe/Dublin"
    )
    tools = module(schedule_plan(schedule))
    monkeypatch.setattr(tools, "datetime", Clock)
    found: list[str] = []
    tools.run_scheduler(lambda: found.append("now"))
    assert found == woken
    assert [event.exception for event in scheduler.made[0].ended] == [None]


@pytest.mark.parametrize(
    ("schedule", "words"),
    [
        (Schedule(type="words", cadence="now and then"), "now and then"),
        (Schedule(type="interval", seconds=60, timezone="Middle/Earth"), "Middle/Earth"),
        (Schedule(type="cron", cron="99 9 * * *"), "99 9"),
    ],
)
def test_a_schedule_that_cannot_be_kept_is_an_error(
    schedule: Schedule, words: str, module: Callable[..., ModuleType], scheduler: type[OneJob]
) -> None:
    tools = module(schedule_plan(schedule))
    with pytest.raises(tools.ToolError, match=words):
        tools.run_scheduler(lambda: None)


def test_a_missing_scheduler_is_named(
    module: Callable[..., ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "apscheduler.schedulers.blocking", None)
    tools = module(schedule_plan(Schedule(type="interval", seconds=60)))
    with pytest.raises(tools.ToolError, match=r"pip install 'agent-mellea\[scheduler\]'"):
        tools.run_scheduler(lambda: None)


UNDER_WAY = """
import importlib, signal, sys, threading, types
from datetime import UTC, datetime
from apscheduler.executors import pool
from apscheduler.schedulers import blocking

# A shell starts what it runs in the background with interrupts ignored, and the tests may be run so.
signal.signal(signal.SIGINT, signal.default_int_handler)
folder, name, moment = sys.argv[1:]
interrupted = threading.Event()
submit = pool.BasePoolExecutor._do_submit_job
package = types.ModuleType(name)
package.__path__ = [folder]
sys.modules[name] = package


class Told(blocking.BlockingScheduler):
    def add_job(self, job, trigger, **options):
        return super().add_job(job, trigger, next_run_time=datetime.now(UTC), **options)

    def shutdown(self, wait=True):
        print("interrupted", flush=True)
        interrupted.set()
        super().shutdown(wait)


def submitted(*given):
    submit(*given)
    try:
        print("under way", flush=True)
        interrupted.wait()
    except KeyboardInterrupt:
        print("swallowed by APScheduler", flush=True)
        raise


def wake():
    if moment == "runs":
        print("under way", flush=True)
    print("ended", sys.stdin.readline(), end="", flush=True)


if moment == "is handed on":
    pool.BasePoolExecutor._do_submit_job = submitted
blocking.BlockingScheduler = Told
importlib.import_module(name + ".tools").run_scheduler(wake)
print("stopped", flush=True)
"""
"""Wakes the agent at once, tells when it is under way and when it is interrupted, and ends the run on a line of input.

The run is under way when it `runs`, or when APScheduler has just started it and `is handed on` by its own loop.
"""


@pytest.fixture(params=["runs", "is handed on"])
def runner(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Return a process whose scheduled run is under way."""
    files = render_package(schedule_plan(Schedule(type="interval", seconds=3600)))
    folder = write_files(files, tmp_path)
    command = [sys.executable, "-c", UNDER_WAY, str(folder), files.package_name, request.param]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as started:
        assert started.stdout is not None
        assert started.stdout.readline() == "under way\n"
        yield started
        started.kill()


def test_an_interrupt_lets_the_run_under_way_end(runner: subprocess.Popen[str]) -> None:
    assert runner.stdout is not None
    runner.send_signal(signal.SIGINT)
    assert runner.stdout.readline() == "interrupted\n"
    said, errors = runner.communicate("well\n")
    assert said == "ended well\nstopped\n"
    assert (runner.returncode, errors) == (0, "")


def test_a_second_interrupt_does_not_wait(runner: subprocess.Popen[str]) -> None:
    assert runner.stdout is not None
    runner.send_signal(signal.SIGINT)
    assert runner.stdout.readline() == "interrupted\n"
    runner.send_signal(signal.SIGINT)
    # The run's line of input is never given: only the second interrupt can end the process.
    said = runner.stdout.read()
    assert said == ""
    assert runner.wait() == 130


def test_the_time_zone_is_the_declared_one(module: Callable[..., ModuleType]) -> None:
    tools = module(schedule_plan(Schedule(type="interval", seconds=60, timezone="Europe/Dublin")))
    assert tools.schedule_zone() == ZoneInfo("Europe/Dublin")


def test_the_texts_of_memory_stand_below_their_names(module: Callable[..., ModuleType]) -> None:
    pieces = [
        Piece("a.md", "1", EntryKind.MEMORY, Disposition.BUNDLE),
        Piece("b.csv", "1-2", EntryKind.MEMORY, Disposition.BUNDLE),
    ]
    plan = committed_plan({"a.md": "Tove keeps the keys.\n", "b.csv": "a,b\n1,2\n"}, pieces, name="agent")
    assert module(plan, "loader").read_memory() == "a.md:\nTove keeps the keys.\n\nb.csv:\na,b\n1,2"


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("lookup: find a ticket", "find a ticket"),
        ("Lookup: find a ticket", "find a ticket"),
        ("find a ticket: quickly", "find a ticket: quickly"),
        ("lookup:", "lookup:"),
    ],
)
def test_a_description_of_a_tool_does_not_begin_with_its_name(
    statement: str, told: str, module: Callable[..., ModuleType]
) -> None:
    piece = Piece(
        "TOOLS.md",
        "1",
        EntryKind.TOOL_ABSTRACT,
        Disposition.STUB,
        statement=statement,
        facts=Facts(ToolFact(name="lookup")),
    )
    plan = committed_plan({"TOOLS.md": "- a tool\n"}, [piece], name="agent")
    (described,) = module(plan, "config").TOOL_DESCRIPTIONS.values()
    assert described == told
