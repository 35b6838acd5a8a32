"""The working code of tools.py: tools, state, memory and schedule, run for real on loopback and in temporary folders."""

import importlib
import json
import sys
import threading
import types
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from melleafy_tui.core.models.classification import Schedule
from melleafy_tui.core.models.inventory import Facts
from melleafy_tui.core.models.plan import CommittedPlan
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
    facts: Facts, *, extra: tuple[Piece, ...] = (), files: dict[str, str] | None = None
) -> CommittedPlan:
    piece = Piece("TOOLS.md", "1", EntryKind.TOOL_CONCRETE, _R, facts={"name": "lookup", **facts})
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


def test_a_secret_can_come_from_the_host(module: Callable[..., ModuleType], address: str) -> None:
    command = f"curl -H 'Authorization: Bearer $DESK_TOKEN' {address}/tickets"
    credential = Piece(
        "TOOLS.md",
        "1",
        EntryKind.CREDENTIAL,
        _D,
        label="DESK_TOKEN",
        statement="DESK_TOKEN",
        facts={"variable": "DESK_TOKEN"},
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


class FakeScheduler:
    """Stands for APScheduler's BlockingScheduler: calls its job once."""

    made: "list[FakeScheduler]"

    def __init__(self, timezone: Any) -> None:
        self.timezone = timezone
        FakeScheduler.made.append(self)

    def add_job(self, job: Callable[[], None], trigger: Any, **options: Any) -> None:
        self.job, self.trigger, self.options = job, trigger, options

    def start(self) -> None:
        self.job()


@pytest.fixture
def scheduler(monkeypatch: pytest.MonkeyPatch) -> type[FakeScheduler]:
    FakeScheduler.made = []

    class Cron:
        @staticmethod
        def from_crontab(line: str, timezone: Any) -> tuple[str, str, str]:
            return "cron", line, str(timezone)

    parts: dict[str, dict[str, object]] = {
        "apscheduler": {},
        "apscheduler.schedulers": {},
        "apscheduler.schedulers.blocking": {"BlockingScheduler": FakeScheduler},
        "apscheduler.triggers": {},
        "apscheduler.triggers.cron": {"CronTrigger": Cron},
        "apscheduler.triggers.interval": {
            "IntervalTrigger": lambda seconds, timezone: ("interval", seconds, str(timezone))
        },
    }
    for name, members in parts.items():
        made = types.ModuleType(name)
        for member, value in members.items():
            setattr(made, member, value)
        monkeypatch.setitem(sys.modules, name, made)
    return FakeScheduler


@pytest.mark.parametrize(
    ("schedule", "trigger"),
    [
        (Schedule(type="interval", seconds=1800), ("interval", 1800, "UTC")),
        (
            Schedule(type="cron", cron="0 9 * * 1-5", timezone="Europe/Dublin"),
            ("cron", "0 9 * * 1-5", "Europe/Dublin"),
        ),
    ],
)
def test_the_runner_wakes_the_agent(
    schedule: Schedule,
    trigger: tuple[str, object, str],
    module: Callable[..., ModuleType],
    scheduler: type[FakeScheduler],
) -> None:
    woken: list[str] = []
    module(schedule_plan(schedule)).run_scheduler(lambda: woken.append("now"))
    assert woken == ["now"]
    assert scheduler.made[0].trigger == trigger


def test_the_runner_stays_silent_outside_of_active_hours(
    module: Callable[..., ModuleType], scheduler: type[FakeScheduler]
) -> None:
    woken: list[str] = []
    never = Schedule(type="interval", seconds=60, active_start="10:00", active_end="10:00")
    module(schedule_plan(never)).run_scheduler(lambda: woken.append("now"))
    assert woken == []


@pytest.mark.parametrize(
    ("schedule", "words"),
    [
        (Schedule(type="words", cadence="now and then"), "now and then"),
        (Schedule(type="interval", seconds=60, timezone="Middle/Earth"), "Middle/Earth"),
    ],
)
def test_a_schedule_that_cannot_be_kept_is_an_error(
    schedule: Schedule, words: str, module: Callable[..., ModuleType], scheduler: type[FakeScheduler]
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


def test_the_time_zone_is_the_declared_one(module: Callable[..., ModuleType]) -> None:
    tools = module(schedule_plan(Schedule(type="interval", seconds=60, timezone="Europe/Dublin")))
    assert tools.schedule_zone() == ZoneInfo("Europe/Dublin")
