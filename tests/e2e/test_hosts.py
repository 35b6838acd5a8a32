"""The exports to hosts on the real libraries: LangGraph and its server, MCP's SDK, and Claude Code's own checks.

They are installed into an environment of their own, which borrows Mellea from this one; a test is skipped where they
can't be installed.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mellea")

from melleafy_tui.cli.main import main
from melleafy_tui.core.smoke.fake_server import FakeModelServer
from melleafy_tui.core.smoke.scripted_model import PLAIN_ANSWER
from tests.conftest import PROJECT
from tests.converted import files_of
from tests.generators.emitting import write_files

pytestmark = pytest.mark.slow

SCRIPTS = Path(sysconfig.get_path("scripts"))
CLAUDE_CODE = "@anthropic-ai/claude-code@2.1.330"
CALLER = Path(__file__).with_name("mcp_caller.py")


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an environment with the group `hosts`, and with Mellea from this one."""
    folder = tmp_path_factory.mktemp("hosts") / "venv"
    uv = SCRIPTS / "uv"
    for command in (
        [str(uv), "venv", "--quiet", "--python", sys.executable, str(folder)],
        [str(uv), "pip", "install", "--quiet", "--python", str(folder), "--group", "hosts"],
    ):
        options = {"UV_CONSTRAINT": str(PROJECT / "constraints.txt")}
        done = subprocess.run(
            command, cwd=PROJECT, env={**os.environ, **options}, capture_output=True, text=True, check=False
        )
        if done.returncode:
            pytest.skip(f"the group 'hosts' can't be installed: {done.stderr.strip()[-300:]}")
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return folder


@pytest.fixture
def server() -> Iterator[FakeModelServer]:
    with FakeModelServer() as started:
        yield started


def exported(example: str, host: str, folder: Path) -> Path:
    write_files(files_of(PROJECT / "examples" / example), folder / "package")
    target = folder / "target"
    assert main(["export", str(folder / "package"), str(target), "--host", host, "--quiet"]) == 0
    return target


def variables(environment: Path, server: FakeModelServer, home: Path) -> dict[str, str]:
    """Return a small environment: no settings of this machine, no network but the fake model server."""
    return {
        "PATH": f"{environment / 'bin'}{os.pathsep}{SCRIPTS}{os.pathsep}/usr/bin:/bin",
        "HOME": str(home),
        "OLLAMA_HOST": server.url,
        "NO_PROXY": "127.0.0.1,localhost",
        "LANGSMITH_TRACING": "false",
        "LANGGRAPH_CLI_NO_ANALYTICS": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def ran(command: list[str], folder: Path, given: dict[str, str]) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        command, cwd=folder, env=given, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done


def python(code: str, environment: Path, folder: Path, given: dict[str, str]) -> Any:
    """Return the last line that a program prints, read as JSON."""
    done = ran([str(environment / "bin" / "python"), "-c", code], folder, given)
    return json.loads(done.stdout.strip().splitlines()[-1])


IN_PROCESS = """
import json
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from graph import graph

known = json.load(open("langgraph.json"))["checkpointer"]["serde"]["allowed_msgpack_modules"]
serde = JsonPlusSerializer(allowed_msgpack_modules=[tuple(row) for row in known])
graph.checkpointer = InMemorySaver(serde=serde)
thread = {"configurable": {"thread_id": "one"}}
first = graph.invoke({"message": "Where is parcel 7?", "event": "parcel lost"}, thread)["reply"]
second = graph.invoke({"message": "And parcel 8?"}, thread)["reply"]
third = graph.invoke({"message": "heartbeat"}, thread)["reply"]
fourth = graph.invoke({}, thread)["reply"]
kept = graph.get_state(thread).values
print(json.dumps({
    "replies": [type(reply).__name__ for reply in (first, second, third, fourth)],
    "text": first.text,
    "history": [turn["text"] for turn in kept["history"]],
    "kept": [type(kept["reply"]).__name__, sorted(kept)],
    "input": graph.get_input_jsonschema(),
    "output": graph.get_output_jsonschema(),
}))
"""


def test_a_graph_runs_the_agent_and_a_thread_keeps_the_conversation(
    environment: Path, server: FakeModelServer, tmp_path: Path
) -> None:
    target = exported("tool-heavy", "langgraph", tmp_path)
    given = {**variables(environment, server, tmp_path), "LANGGRAPH_STRICT_MSGPACK": "true"}
    said = python(IN_PROCESS, environment, target, given)
    assert said["replies"] == ["AgentReply"] * 4
    assert said["history"] == ["Where is parcel 7?", PLAIN_ANSWER, "And parcel 8?", PLAIN_ANSWER]
    assert said["kept"] == ["AgentReply", ["history", "reply"]]
    assert list(said["input"]["properties"]) == ["message", "history", "user_context", "event"]
    assert said["output"]["properties"]["reply"]["$ref"].endswith("/AgentReply")
    prompts = [call.prompt for call in server.calls]
    asked = [index for index, prompt in enumerate(prompts) if "And parcel 8?" in prompt]
    assert "Where is parcel 7?" in prompts[asked[0]]
    assert "parcel lost" in prompts[0]
    assert not any("parcel lost" in prompt for prompt in prompts[asked[0] :])


def test_a_result_of_its_own_and_a_required_message_are_typed(
    environment: Path, server: FakeModelServer, tmp_path: Path
) -> None:
    target = exported("invoice-intake", "langgraph", tmp_path)
    given = variables(environment, server, tmp_path)
    code = """
import json
from graph import graph
reply = graph.invoke({"message": "Invoice 0042 of Ostrava Steel, 119.00 euros gross, 19 % VAT"})["reply"]
try:
    graph.invoke({"memory_path": ""})
except Exception as error:
    refused = f"{type(error).__name__}: {error}"
print(json.dumps([type(reply).__name__, graph.get_input_jsonschema()["required"], refused]))
"""
    name, required, refused = python(code, environment, target, given)
    assert (name, required) == ("StepsReply", ["message"])
    assert refused.startswith("InputError: message is empty")


@pytest.mark.long
def test_what_a_host_gets_has_types_that_agree_with_its_library(
    environment: Path, server: FakeModelServer, tmp_path: Path
) -> None:
    target = exported("invoice-intake", "langgraph", tmp_path)
    shutil.copytree(exported("invoice-intake", "mcp", tmp_path / "mcp"), target, dirs_exist_ok=True)
    interpreter = str(environment / "bin" / "python")
    options = [
        "--strict",
        "--no-error-summary",
        "--cache-dir",
        str(tmp_path),
        "--python-executable",
        interpreter,
    ]
    package = "invoice_intake_mellea"
    hosts = [f"{package}/_runtime/{name}.py" for name in ("langgraph_host", "mcp_host")]
    given = variables(environment, server, tmp_path)
    assert ran([str(SCRIPTS / "mypy"), *options, "graph.py", "server.py", *hosts], target, given).stdout == ""


def free_port() -> int:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return int(bound.getsockname()[1])


ON_THE_SERVER = """
import json
import sys
import time
import httpx
from langgraph_sdk import get_sync_client

url = sys.argv[1]
until = time.monotonic() + 120
while True:
    try:
        httpx.get(f"{url}/ok").raise_for_status()
        break
    except httpx.HTTPError:
        assert time.monotonic() < until, "the server didn't start"
        time.sleep(0.2)
client = get_sync_client(url=url)
answered = client.runs.wait(None, "parcel_dispatcher", input={"message": "heartbeat"})
print(json.dumps(answered))
"""

CRONS = """
import json
import sys
from langgraph_sdk import get_sync_client
print(json.dumps(get_sync_client(url=sys.argv[1]).crons.search(limit=100)))
"""


def test_the_server_takes_the_graph_and_its_schedule(
    environment: Path, server: FakeModelServer, tmp_path: Path
) -> None:
    target = exported("tool-heavy", "langgraph", tmp_path)
    given = variables(environment, server, tmp_path)
    ran(["langgraph", "validate"], target, given)
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    interpreter = str(environment / "bin" / "python")
    with (tmp_path / "server.log").open("w") as log:
        served = subprocess.Popen(
            [
                str(environment / "bin" / "langgraph"),
                *("dev", "--allow-blocking", "--no-browser", "--no-reload", "--port", str(port)),
            ],
            cwd=target,
            env=given,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        answered = json.loads(ran([interpreter, "-c", ON_THE_SERVER, url], target, given).stdout)
        assert answered["reply"]["text"] == PLAIN_ANSWER
        assert "Look for parcels without a scan" in server.calls[0].prompt
        for _ in range(2):  # the second call replaces those of the first
            done = ran([interpreter, "crons.py", "--url", url], target, given)
            assert done.stdout == "*/15 7-18 * * *  Europe/Berlin  heartbeat\n"
        (cron,) = json.loads(ran([interpreter, "-c", CRONS, url], target, given).stdout)
        assert (cron["schedule"], cron["timezone"]) == ("*/15 7-18 * * *", "Europe/Berlin")
        assert cron["payload"]["input"] == {"message": "heartbeat"}
        ran([interpreter, "crons.py", "--url", url, "--remove"], target, given)
        assert json.loads(ran([interpreter, "-c", CRONS, url], target, given).stdout) == []
    finally:
        served.terminate()
        served.wait(30)


def mcp_calls(
    target: Path, environment: Path, given: dict[str, str], calls: list[tuple[str, dict[str, object]]]
) -> dict[str, Any]:
    """Return what MCP's own client gets from a server over standard input and output."""
    command = [str(environment / "bin" / "python"), str(CALLER), json.dumps(calls)]
    said = json.loads(ran(command, target, given).stdout)
    assert isinstance(said, dict)
    return said


def test_an_mcp_server_lists_typed_tools_and_runs_them(
    environment: Path, server: FakeModelServer, tmp_path: Path
) -> None:
    target = exported("tool-heavy", "mcp", tmp_path)
    said = mcp_calls(
        target,
        environment,
        variables(environment, server, tmp_path),
        [
            ("parcel_dispatcher", {"message": "Where is {{ 7 * 7 }}?"}),
            ("parcel_dispatcher", {"message": "hi", "history": "nonsense"}),
            ("parcel_dispatcher", {"message": ["not", "text"]}),
            ("wake_up", {}),
        ],
    )
    assert said["server"] == "parcel_dispatcher"
    run, wake_up = said["tools"]
    assert [tool["name"] for tool in said["tools"]] == ["parcel_dispatcher", "wake_up"]
    assert run["description"] == "Answers where a parcel is"
    assert run["input_schema"]["required"] == ["message"]
    assert list(run["input_schema"]["properties"]) == ["message", "history", "user_context", "event"]
    assert "message" not in wake_up["input_schema"]["properties"]
    assert all(field["description"] for field in run["input_schema"]["properties"].values())
    assert set(run["output_schema"]["required"]) == {"text", "skipped", "reason", "unmet", "notes"}
    answered, refused, mistyped, woken = said["results"]
    assert answered["structured_content"]["text"] == PLAIN_ANSWER
    assert json.loads(answered["content"][0]["text"]) == answered["structured_content"]
    assert (refused["is_error"], mistyped["is_error"]) == (True, True)
    assert "history must be a list of" in refused["content"][0]["text"]
    assert woken["structured_content"]["reason"]
    assert "Where is {{ 7 * 7 }}?" in server.calls[0].prompt


@pytest.mark.long
def test_the_result_of_a_workflow_has_its_own_schema_over_mcp(
    environment: Path, server: FakeModelServer, tmp_path: Path
) -> None:
    target = exported("invoice-intake", "mcp", tmp_path)
    said = mcp_calls(
        target,
        environment,
        variables(environment, server, tmp_path),
        [("invoice_intake", {"message": "Invoice 0042 of Ostrava Steel, 119.00 euros gross"})],
    )
    (tool,) = said["tools"]
    assert {"Report", "Unmet"} <= set(tool["output_schema"]["$defs"])
    assert said["results"][0]["is_error"] is False
    assert said["results"][0]["structured_content"]["report"]["recommendation"]


@pytest.fixture(scope="module")
def claude(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return Claude Code's program, from the path or from the npm registry."""
    found = shutil.which("claude")
    if found:
        return found
    folder = tmp_path_factory.mktemp("claude")
    if not shutil.which("npm"):
        pytest.skip("Claude Code needs npm to be installed")
    command = ["npm", "install", "--silent", "--ignore-scripts", "--prefix", str(folder), CLAUDE_CODE]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    programs = sorted(folder.glob("node_modules/@anthropic-ai/claude-code-*/claude"))
    if done.returncode or not programs:
        pytest.skip(f"Claude Code can't be installed: {done.stderr.strip()[-300:]}")
    return str(programs[0])


def test_claude_code_accepts_installs_and_connects_the_plugin(
    claude: str, environment: Path, server: FakeModelServer, tmp_path: Path
) -> None:
    target = exported("tool-heavy", "claude-code", tmp_path)
    given = {
        **variables(environment, server, tmp_path),
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "UV_PROJECT_ENVIRONMENT": str(environment),  # instead of installing Mellea once more
        "UV_NO_SYNC": "1",
        "UV_OFFLINE": "1",
    }
    report = json.loads(ran([claude, "plugin", "validate", "--json", "."], target, given).stdout)
    assert report["success"] is True
    assert [file["errors"] for file in (report["manifest"], *report["contents"])] == [[]] * (
        1 + len(report["contents"])
    )
    assert report["provides"]["mcpServers"][0]["name"] == "agent"
    ran([claude, "plugin", "marketplace", "add", str(target)], tmp_path, given)
    ran([claude, "plugin", "install", "parcel-dispatcher@parcel-dispatcher-local"], tmp_path, given)
    details = ran([claude, "plugin", "details", "parcel-dispatcher"], tmp_path, given).stdout
    assert "Skills (1)  parcel-dispatcher" in details
    assert "MCP servers (1)  agent" in details
    listed = ran([claude, "mcp", "list"], tmp_path, given).stdout
    (line,) = (line for line in listed.splitlines() if line.startswith("plugin:parcel-dispatcher:agent:"))
    assert line.endswith("Connected"), listed
