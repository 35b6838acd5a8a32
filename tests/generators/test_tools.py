"""tools.py and the copies of memory, run for real on loopback and in temporary folders.

What the static modules do for any tool is tested in `runtime/`; here is what is printed: which call of them, with what.
"""

import importlib
import inspect
import json
import sys
import threading
import types
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from apscheduler.schedulers.blocking import BlockingScheduler
from msgspec import convert

pytest.importorskip("mellea")

from melleafy_tui.core.lint.table import lint_file_set
from melleafy_tui.core.models.classification import Schedule
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.facts import Facts, SecretFact, ToolFact
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.generators.package_shape import without_name
from melleafy_tui.generators.render import render_package
from tests.generators.committed import Piece, committed_plan
from tests.generators.emitting import write_files

_R, _E, _D = Disposition.REAL_IMPL, Disposition.EXTERNAL_INPUT, Disposition.DELEGATE_TO_RUNTIME


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., ModuleType]]:
    """Return a function that loads a module of a plan's package."""
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
    facts: dict[str, str],
    *,
    extra: tuple[Piece, ...] = (),
    files: dict[str, str] | None = None,
    disposition: Disposition = _R,
) -> CommittedPlan:
    piece = Piece(
        "TOOLS.md",
        "1",
        EntryKind.TOOL_CONCRETE,
        disposition,
        facts=Facts(convert({"name": "lookup", **facts}, ToolFact)),
    )
    return committed_plan({"TOOLS.md": "- a tool\n", **(files or {})}, [piece, *extra], name="agent")


class Answers(BaseHTTPRequestHandler):
    """Says what it was asked."""

    def do_GET(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        asked = {
            "method": self.command,
            "path": self.path,
            "body": self.rfile.read(length).decode(),
            "authorization": self.headers.get("Authorization", ""),
            "kind": self.headers.get("Content-Type", ""),
        }
        data = json.dumps(asked).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_POST = do_GET  # noqa: N815 - the name that BaseHTTPRequestHandler asks for

    def log_message(self, format: str, *arguments: Any) -> None:
        pass


@pytest.fixture
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("path", "given", "expected"),
    [
        ("/tickets/{ticket}", {"ticket": "../admin?x=1"}, "/tickets/..%2Fadmin%3Fx%3D1"),
        ("/tickets/<the ticket>", {"the_ticket": "7"}, "/tickets/7"),
        (
            "/tickets/{ticket}/notes?day={day}",
            {"ticket": "7", "day": "2026-01-02"},
            "/tickets/7/notes?day=2026-01-02",
        ),
        ("/tickets", {"request": ""}, "/tickets"),
        ("/tickets?limit=3", {"request": "state=open"}, "/tickets?limit=3&state=open"),
    ],
)
def test_placeholders_are_parameters_and_a_plain_address_takes_a_request(
    path: str, given: dict[str, str], expected: str, module: Callable[..., ModuleType], address: str
) -> None:
    tools = module(tool_plan({"url": address + path, "method": "GET"}))
    assert list(inspect.signature(tools.lookup).parameters) == list(given)
    assert json.loads(tools.lookup(**given))["path"] == expected


@pytest.mark.parametrize(
    ("facts", "names"),
    [
        ({"url": "https://x.example/a/{ticket}?day={day}", "method": "GET"}, ["ticket", "day"]),
        ({"url": "https://x.example/a/{ticket}", "method": "POST"}, ["ticket", "body"]),
        ({"url": "https://x.example/a", "method": "GET"}, ["request"]),
        ({"script": "scripts/a.py"}, ["request"]),
    ],
)
def test_a_tool_to_write_has_the_parameters_of_the_working_one(
    module: Callable[..., ModuleType], facts: dict[str, str], names: list[str]
) -> None:
    stub = module(tool_plan(facts, disposition=Disposition.STUB), "constrained_slots").lookup
    assert list(inspect.signature(stub).parameters) == names
    mock = module(tool_plan(facts, disposition=Disposition.MOCK), "fixtures.mock_tools").lookup
    assert mock(*names) == f"a made-up answer to: {', '.join(names)}"


def test_a_post_carries_its_body(module: Callable[..., ModuleType], address: str) -> None:
    tools = module(tool_plan({"url": f"{address}/tickets/{{ticket}}", "method": "POST"}))
    asked = json.loads(tools.lookup(ticket="7", body='{"title": "x"}'))
    assert (asked["method"], asked["path"], asked["body"]) == ("POST", "/tickets/7", '{"title": "x"}')


def test_a_secret_comes_from_the_environment_at_the_call(
    module: Callable[..., ModuleType], address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = f"curl -H 'Authorization: Bearer $DESK_TOKEN' {address}/tickets"
    tools = module(tool_plan({"url": f"{address}/tickets", "method": "GET", "command": command}))
    with pytest.raises(RuntimeError, match="DESK_TOKEN is not set"):
        tools.lookup("")
    monkeypatch.setenv("DESK_TOKEN", "from-outside")
    assert json.loads(tools.lookup(""))["authorization"] == "Bearer from-outside"


def test_headers_stand_before_a_body_of_several_lines(
    module: Callable[..., ModuleType], address: str
) -> None:
    command = f"curl {address}/tickets -H 'Content-Type: application/json' -d '{{"
    facts = {"url": f"{address}/tickets", "method": "POST", "command": command}
    tools = module(tool_plan(facts))
    assert json.loads(tools.lookup(body="{}"))["kind"] == "application/json"


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


def test_only_the_declared_host_is_called(module: Callable[..., ModuleType], address: str) -> None:
    tools = module(tool_plan({"url": "https://{ticket}.example.com/x", "method": "GET"}))
    with pytest.raises(RuntimeError, match=r"example\.com"):
        tools.lookup("internal.test/")


def test_a_script_gets_the_words_of_the_request(module: Callable[..., ModuleType]) -> None:
    script = '#!/bin/sh\nprintf "%s|" "$@"\n'
    plan = tool_plan({"script": "bin/look.sh", "command": "bin/look.sh"}, files={"bin/look.sh": script})
    assert module(plan).lookup("one 'two three' $(id)") == "one|two three|$(id)|"


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


MEMORY = '# Memory\n\n## Billing\n\nThe billing queue is handled by Ada.\n\n## Deploys\n\nDeploy "on" Mondays; never * NOT OR.\n'
WIKI = "# 部署脚本\n\n部署脚本在周一运行。\n"


def memory_plan(disposition: Disposition) -> CommittedPlan:
    return committed_plan(
        {"MEMORY.md": MEMORY, "memory-wiki/entities/deploy.md": WIKI},
        [
            Piece("MEMORY.md", "1-9", EntryKind.MEMORY, disposition, form="section"),
            Piece("memory-wiki/entities/deploy.md", "1-3", EntryKind.MEMORY, disposition, form="file"),
        ],
        name="agent",
    )


@pytest.mark.parametrize(
    ("query", "found"),
    [("who handles billing?", "Ada"), ('deploy "OR" AND (NOT near:x*', "Mondays"), ("部署", "周一")],
)
def test_memory_is_found(query: str, found: str, module: Callable[..., ModuleType]) -> None:
    assert found in module(memory_plan(_R)).recall_memory(query)


def test_the_memory_store_is_seeded_once(module: Callable[..., ModuleType]) -> None:
    tools = module(memory_plan(_R))
    assert tools.recall_memory("zebra") == ""
    once = tools.recall_memory("billing")
    assert tools.recall_memory("billing") == once
    assert once.count("Ada") == 1


@pytest.mark.parametrize("disposition", [_R, Disposition.BUNDLE, Disposition.LOAD_FROM_DISK])
def test_memory_in_the_references_of_a_skill_is_found(
    disposition: Disposition, module: Callable[..., ModuleType]
) -> None:
    codes = Piece("references/codes.md", "1-3", EntryKind.MEMORY, disposition, form="file")
    plan = committed_plan({"references/codes.md": "# Codes\n\nA1 is fragile.\n"}, [codes], name="agent")
    assert lint_file_set(render_package(plan)).passed
    found = module(plan, "tools" if disposition is _R else "constrained_slots")
    assert "fragile" in found.recall_memory("what is A1?")


def test_a_copy_of_memory_is_searched_or_another_folder(
    module: Callable[..., ModuleType], tmp_path: Path
) -> None:
    pieces = [
        Piece("a.md", "1", EntryKind.MEMORY, Disposition.LOAD_FROM_DISK),
        Piece("b.csv", "1-2", EntryKind.MEMORY, Disposition.LOAD_FROM_DISK),
    ]
    plan = committed_plan({"a.md": "Tove keeps the keys.\n", "b.csv": "a,b\n1,2\n"}, pieces, name="agent")
    recall = module(plan, "constrained_slots").recall_memory
    for words in ("Tove keeps the keys.", "1,2"):
        assert words in recall("who has the keys?")
    other = tmp_path / "other"
    other.mkdir()
    (other / "c.md").write_text("Otto has the keys.\n", encoding="utf-8")
    assert "Otto" in recall("who has the keys?", str(other))
    assert "Tove" not in recall("who has the keys?", str(other))


def state_plan() -> CommittedPlan:
    piece = Piece("memory/2026-01-15.md", "1", EntryKind.STATE, _R, statement="Notes of today")
    return committed_plan({"memory/2026-01-15.md": ""}, [piece], name="agent")


def test_state_comes_back(module: Callable[..., ModuleType], tmp_path: Path) -> None:
    tools = module(state_plan())
    assert tools.load_working_state() == ""
    tools.save_working_state("the request", "a reply")
    assert "the request" in tools.load_working_state()
    assert (tmp_path / "home" / "state.json").is_file()


def schedule_plan(schedule: Schedule) -> CommittedPlan:
    piece = Piece("HEARTBEAT.md", "1", EntryKind.SCHEDULE, _R)
    return committed_plan({"HEARTBEAT.md": "Every 30m\n"}, [piece], name="agent", schedule=schedule)


def test_the_runner_keeps_to_the_declared_schedule(
    module: Callable[..., ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs: list[Any] = []
    monkeypatch.setattr(BlockingScheduler, "start", lambda scheduler: jobs.extend(scheduler.get_jobs()))
    woken: list[str] = []
    declared = Schedule(type="cron", cron="0 9 * * 1-5", timezone="America/New_York")
    module(schedule_plan(declared)).run_scheduler(woken.append)
    (job,) = jobs
    job.func()
    assert woken == ["heartbeat"]
    assert str(job.trigger.triggers[0].timezone) == "America/New_York"
    assert "hour='9'" in str(job.trigger)


def test_a_schedule_that_cannot_be_kept_or_a_missing_scheduler_is_an_error(
    module: Callable[..., ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(RuntimeError, match="now and then"):
        module(schedule_plan(Schedule(type="words", cadence="now and then"))).run_scheduler(print)
    monkeypatch.setitem(sys.modules, "apscheduler.schedulers.blocking", None)
    tools = sys.modules["agent_mellea.tools"]
    with pytest.raises(RuntimeError, match=r"pip install 'agent-mellea\[scheduler\]'"):
        tools.run_scheduler(print)


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


def test_a_title_in_another_script_says_more_than_the_name_that_is_made_of_it() -> None:
    assert [without_name(said, "slack") for said in ("Slack: posts it", "Slack への投稿: curl …")] == [
        "posts it",
        "Slack への投稿: curl …",
    ]
