"""`doctor`: what it finds out about backend, model, Mellea and terminal, and that it asks no one but the backend."""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import PackageNotFoundError

import pexpect
import pytest

from melleafy_tui.cli import main
from melleafy_tui.commands import doctor
from melleafy_tui.commands.doctor import ollama_address


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
        threading.Thread(target=server.serve_forever, daemon=True).start()
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


@pytest.mark.parametrize(
    ("status", "body"),
    [(500, ""), (302, ""), (200, "<html>"), (200, "[]"), (200, '{"models": 3}')],
    ids=["fault", "redirect", "no-json", "a-list", "no-models"],
)
def test_what_is_no_ollama_is_said(backend: Backend, checks: Checks, status: int, body: str) -> None:
    backend(status, body)
    code, found = checks()
    assert code == 2
    assert found["backend"]["status"] == "failed"
    assert found["model"]["status"] == "unknown"


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
    assert "Not in order: backend" in printed.err


def test_a_backend_that_cannot_be_asked_is_not_asked(checks: Checks) -> None:
    code, found = checks("--backend", "openai")
    assert code == 0
    assert found["backend"]["status"] == "unknown"


@pytest.mark.parametrize(
    ("found", "status"), [("0.8.3", "ok"), ("0.9.0", "failed"), ("0.80.0", "failed"), (None, "warning")]
)
def test_mellea_is_compared_with_what_packages_are_made_for(
    checks: Checks, monkeypatch: pytest.MonkeyPatch, found: str | None, status: str
) -> None:
    def installed(_name: str) -> str:
        if found is None:
            raise PackageNotFoundError
        return found

    monkeypatch.setattr(doctor, "version", installed)
    assert checks("--backend", "openai")[1]["mellea"]["status"] == status


@pytest.mark.parametrize(
    ("named", "address"),
    [
        ("", "http://localhost:11434"),
        ("box", "http://box:11434"),
        ("box:80", "http://box:80"),
        ("http://box:1/", "http://box:1"),
        ("https://box", "https://box"),
    ],
)
def test_every_form_of_ollama_s_variable_is_read(named: str, address: str) -> None:
    assert ollama_address(named) == address


def test_without_a_terminal_it_says_so(checks: Checks) -> None:
    assert checks("--backend", "openai")[1]["terminal"]["status"] == "unknown"


@pytest.mark.terminal
@pytest.mark.parametrize(
    ("size", "environment", "words"),
    [
        ((24, 80), {"TERM": "xterm-256color"}, "80 by 24, 256 colours"),
        ((24, 80), {"COLORTERM": "truecolor"}, "all colours"),
        ((10, 40), {}, "needs 60 columns and 20 rows"),
        ((24, 80), {"NO_COLOR": "1"}, "no colours"),
        ((24, 80), {"TERM": "dumb"}, "line by line"),
        ((24, 80), {"PYTHONIOENCODING": "latin-1"}, "UTF-8"),
    ],
)
def test_on_a_terminal_it_says_what_the_terminal_can(
    size: tuple[int, int], environment: dict[str, str], words: str
) -> None:
    import os
    import sys

    plain = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    child: pexpect.spawn[str] = pexpect.spawn(
        sys.executable,
        ["-m", "melleafy_tui", "doctor", "--backend", "openai"],
        env={**plain, "TERM": "xterm", "LC_ALL": "C.UTF-8", **environment},
        encoding="utf-8",
        timeout=40,
        dimensions=size,
    )
    child.expect(pexpect.EOF)
    assert words in " ".join((child.before or "").split())
