"""`doctor`: what it finds out about backend, model, Mellea and terminal, and that it asks no one but the backend."""

import io
import json
import os
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import PackageNotFoundError

import pexpect
import pytest

from melleafy_tui.cli.commands import doctor
from melleafy_tui.cli.commands.doctor import ollama_address
from melleafy_tui.cli.main import main


@pytest.fixture
def backend(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int, str], list[str]]]:
    """Stand in for ollama with one answer; give back the list of what was asked."""
    servers: list[ThreadingHTTPServer] = []

    def start(status: int, body: str) -> list[str]:
        asked: list[str] = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked.append(self.path)
                self.send_response(status)
                self.send_header("Location", "http://198.51.100.1/")
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *_: object) -> None:
                return

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        servers.append(server)
        monkeypatch.setenv("OLLAMA_HOST", f"127.0.0.1:{server.server_address[1]}")
        return asked

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture
def checks(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, dict[str, dict[str, str]]]]:
    def call(*words: str) -> tuple[int, dict[str, dict[str, str]]]:
        code = main(["doctor", "--json", *words])
        document = json.loads(capsys.readouterr().out)
        assert document["exit_code"] == code
        return code, {check["name"]: check for check in document["checks"]}

    return call


Checks = Callable[..., tuple[int, dict[str, dict[str, str]]]]
Backend = Callable[[int, str], list[str]]


def models(*names: str) -> str:
    return json.dumps({"models": [{"name": name} for name in names]})


def test_a_model_that_is_pulled_is_found_and_nothing_else_is_asked(
    backend: Backend, checks: Checks, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = backend(200, models("granite4.1:3b"))
    monkeypatch.setenv("http_proxy", "http://198.51.100.1:3128")
    reached: list[object] = []
    connect = socket.create_connection

    def noted(address: tuple[str, int], timeout: float | None = None, *_: object) -> socket.socket:
        reached.append(address[0])
        return connect(address, timeout)

    monkeypatch.setattr(socket, "create_connection", noted)
    code, found = checks()
    assert code == 0
    assert {
        name: found[name]["status"] for name in ("mellea", "backend", "model", "journal")
    } == dict.fromkeys(("mellea", "backend", "model", "journal"), "ok")
    assert asked == ["/api/tags"]
    assert reached == ["127.0.0.1"]


def test_latest_stands_for_no_tag(backend: Backend, checks: Checks) -> None:
    backend(200, models("mine:latest"))
    assert checks("--model-id", "mine")[1]["model"]["status"] == "ok"


def test_a_model_that_is_not_pulled_says_how_to_get_it(backend: Backend, checks: Checks) -> None:
    backend(200, models("another"))
    code, found = checks()
    assert code == 2
    assert found["model"]["status"] == "failed"
    assert "ollama pull granite4.1:3b" in found["model"]["hint"]


def test_what_is_no_ollama_is_said(backend: Backend, checks: Checks) -> None:
    said = {}
    answers = ((500, ""), (302, ""), (200, "<html>"), (200, "[]"), (200, '{"models": 3}'))
    for status, body in answers:
        backend(status, body)
        code, found = checks()
        said[status, body] = (code, found["backend"]["status"], found["model"]["status"])
    assert said == dict.fromkeys(answers, (2, "failed", "unknown"))


def test_a_backend_that_is_not_there_says_what_to_start(
    checks: Checks, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    monkeypatch.setenv("OLLAMA_HOST", f"http://127.0.0.1:{port}")
    code, found = checks()
    assert code == 2
    assert "ollama serve" in found["backend"]["hint"]
    assert main(["doctor"]) == 2
    printed = capsys.readouterr()
    assert "failed" in printed.out
    assert "Failed: backend" in printed.err


def test_a_backend_that_cannot_be_asked_is_not_asked(checks: Checks) -> None:
    code, found = checks("--backend", "openai")
    assert code == 0
    assert found["backend"]["status"] == "unknown"


def test_mellea_is_compared_with_what_packages_are_made_for(
    checks: Checks, monkeypatch: pytest.MonkeyPatch
) -> None:
    def said_of(found: str | None) -> str:
        def installed(_name: str) -> str:
            if found is None:
                raise PackageNotFoundError
            return found

        monkeypatch.setattr(doctor, "version", installed)
        return checks("--backend", "openai")[1]["mellea"]["status"]

    expected = {"0.8.3": "ok", "0.9.0": "failed", "0.80.0": "failed", None: "warning"}
    assert {found: said_of(found) for found in expected} == expected


def test_every_form_of_ollama_s_variable_is_read() -> None:
    addresses = {
        "": "http://localhost:11434",
        "box": "http://box:11434",
        "box:80": "http://box:80",
        "http://box:1/": "http://box:1",
        "https://box": "https://box",
    }
    assert {named: ollama_address(named) for named in addresses} == addresses


def test_without_a_terminal_it_says_so(checks: Checks) -> None:
    assert checks("--backend", "openai")[1]["terminal"]["status"] == "unknown"


class _Terminal(io.StringIO):
    """Both streams of a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


class _OldTerminal(_Terminal):
    encoding = "latin-1"


@pytest.mark.parametrize(
    ("terminal", "environment", "words"),
    [
        (_Terminal, {"COLORTERM": "truecolor"}, ["xterm, 80 by 24, all colours", "ok"]),
        (_Terminal, {}, ["16 colours", "ok"]),
        (_Terminal, {"COLUMNS": "60", "LINES": "20"}, ["60 by 20", "ok"]),
        (_Terminal, {"COLUMNS": "59"}, ["needs 60 columns and 20 rows", "warning"]),
        (_Terminal, {"LINES": "19"}, ["needs 60 columns and 20 rows", "warning"]),
        (_Terminal, {"NO_COLOR": "1"}, ["no colours", "ok"]),
        (_Terminal, {"TERM": "dumb"}, ["line by line", "warning"]),
        (_OldTerminal, {}, ["UTF-8", "warning"]),
    ],
)
def test_what_each_terminal_can_is_said(
    terminal: type[_Terminal],
    environment: dict[str, str],
    words: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in {"TERM": "xterm", "COLUMNS": "80", "LINES": "24", **environment}.items():
        monkeypatch.setenv(name, value)
    printed = terminal()
    monkeypatch.setattr(sys, "stdin", terminal())
    monkeypatch.setattr(sys, "stdout", printed)
    main(["doctor", "--backend", "openai", "--json"])
    [found] = [check for check in json.loads(printed.getvalue())["checks"] if check["name"] == "terminal"]
    said = f"{found['message']} {found['hint']} {found['status']}"
    assert [word for word in words if word not in said] == [], said


@pytest.mark.terminal
def test_on_a_real_terminal_its_size_and_colours_are_said() -> None:
    plain = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    child: pexpect.spawn[str] = pexpect.spawn(
        sys.executable,
        ["-m", "melleafy_tui", "doctor", "--backend", "openai"],
        env={**plain, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"},
        encoding="utf-8",
        timeout=120,
        dimensions=(24, 80),
    )
    child.expect(pexpect.EOF)
    assert "80 by 24, 256 colours" in " ".join((child.before or "").split())
