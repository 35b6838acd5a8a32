"""The wizard in a browser: who the server answers, what its page loads, and a conversion finished in Chromium."""

import base64
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from selenium import webdriver

from melleafy_tui.cli.main import main
from melleafy_tui.cli.wizard_server import Admission, is_loopback
from tests.ui.conftest import EPOCH, TICKET_TRIAGE, write_workspace

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
PATIENCE = 120.0
BINARY = 2
"""The kind of a frame of a web socket that holds bytes; the browser's log has them in base64."""


@pytest.fixture
def workspace(own_world: Path) -> Path:
    return write_workspace(own_world / "ticket-triage", TICKET_TRIAGE)


class Served:
    """A server that runs, with the address that it printed."""

    def __init__(self, workspace: Path, *options: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "melleafy_tui", "serve", str(workspace), "--port=0", *options],
            env={**os.environ, "SOURCE_DATE_EPOCH": EPOCH, "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, line + (self.process.stderr.read() if self.process.stderr else "")
        self.address = found[0]
        self.port = urlsplit(self.address).port or 0
        self.key = self.address.partition("?key=")[2]

    def get(self, path: str, **headers: str) -> HTTPResponse:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=20)
        host = headers.pop("Host", f"127.0.0.1:{self.port}")
        connection.putrequest("GET", path, skip_host=True, skip_accept_encoding=True)
        connection.putheader("Host", host)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        response = connection.getresponse()
        response.body = response.read().decode("utf-8", "replace")  # type: ignore[attr-defined]
        connection.close()
        return response

    @property
    def cookie(self) -> str:
        return f"melleafy_tui_{self.port}={self.key}"

    def end(self) -> tuple[int, str, str]:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGINT)
        out, messages = self.process.communicate(timeout=30)
        return self.process.returncode, out, messages


@pytest.fixture
def serve(workspace: Path) -> Iterator[Callable[..., Served]]:
    running: list[Served] = []

    def start(*options: str) -> Served:
        running.append(Served(workspace, *options))
        return running[-1]

    yield start
    for served in running:
        if served.process.poll() is None:
            os.killpg(served.process.pid, signal.SIGKILL)
            served.process.communicate(timeout=30)


def text(response: HTTPResponse) -> str:
    return str(response.body)  # type: ignore[attr-defined]


# --- who is answered --------------------------------------------------------------------------


def test_a_request_is_answered_by_the_name_it_came_by() -> None:
    wrong = []
    for bound, host, answered in (
        ("127.0.0.1", "127.0.0.1:8000", True),
        ("127.0.0.1", "localhost:8000", True),
        ("127.0.0.1", "127.0.0.1:8001", False),
        ("127.0.0.1", "127.0.0.1", False),
        ("127.0.0.1", "evil.example:8000", False),
        ("127.0.0.1", "127.0.0.1.evil.example:8000", False),
        ("127.0.0.1", "localhost.evil.example:8000", False),
        ("127.0.0.1", "192.168.1.5:8000", False),
        ("127.0.0.1", "", False),
        ("::1", "[::1]:8000", True),
        ("::1", "localhost:8000", True),
        ("localhost", "localhost:8000", True),
        ("192.168.1.5", "192.168.1.5:8000", True),
        ("192.168.1.5", "localhost:8000", False),
        ("192.168.1.5", "evil.example:8000", False),
        ("0.0.0.0", "10.0.0.3:8000", True),
        ("0.0.0.0", "evil.example:8000", False),
    ):
        admission = Admission(bound, 8000, "k")
        refused = [
            admission.refusal(host, origin) for origin in (None, f"http://{host}", "http://evil.example")
        ]
        if [not why for why in refused] != [answered, answered, False]:
            wrong.append((bound, host, refused))
    assert wrong == []


def test_only_the_key_is_the_key() -> None:
    admission = Admission("127.0.0.1", 8000, "right")
    assert admission.knows("right")
    assert not any(admission.knows(given) for given in (None, "", "wrong", "righ", "ключ"))
    assert not any(admission.knows(bytes([byte]).decode("utf-8", "surrogateescape")) for byte in range(256))


def test_which_addresses_only_this_machine_reaches() -> None:
    loopback = {
        "127.0.0.1": True,
        "127.9.9.9": True,
        "::1": True,
        "localhost": True,
        "0.0.0.0": False,
        "x.y": False,
    }
    assert {host: is_loopback(host) for host in loopback} == loopback


@pytest.mark.slow
def test_the_server_answers_its_own_page_only_and_ends_on_ctrl_c(serve: Callable[..., Served]) -> None:
    served = serve()
    assert served.address.startswith("http://127.0.0.1:")
    assert served.get("/", Host="evil.example").status == 403
    assert served.get("/", Cookie=served.cookie, Host=f"evil.example:{served.port}").status == 403
    assert served.get("/", Cookie=served.cookie, Origin="http://evil.example").status == 403
    assert served.get("/ws", Cookie=served.cookie, Origin="http://evil.example").status == 403
    assert served.get("/").status == 403
    assert served.get("/ws").status == 403
    assert served.get("/?key=wrong").status == 403
    assert served.get("/static/js/textual.js").status == 403

    welcome = served.get(f"/?key={served.key}")
    assert (welcome.status, welcome.headers["Location"]) == (303, "/")
    for word in ("HttpOnly", "SameSite=Strict", served.cookie):
        assert word in welcome.headers["Set-Cookie"]

    page = served.get("/", Cookie=served.cookie)
    assert page.status == 200
    hosts = {urlsplit(found).netloc for found in re.findall(r"(?:href|src|url)=\"([^\"]+)\"", text(page))}
    assert hosts - {"fonts.googleapis.com", ""} == {f"127.0.0.1:{served.port}"}
    policy = page.headers["Content-Security-Policy"]  # what keeps the font of another host out
    assert all(part in policy for part in ("default-src 'none'", "style-src 'self'", "font-src 'self'"))
    assert "http" not in policy
    assert served.key not in text(page)
    for path in re.findall(rf'(?:src|href)="http://127.0.0.1:{served.port}(/[^"]+)"', text(page)):
        assert served.get(path, Cookie=served.cookie).status == 200

    for outside in (
        "/static/../server.py",
        "/static/%2e%2e/server.py",
        "/static//etc/passwd",
        "/static/",
        "/download/x",
    ):
        assert served.get(outside, Cookie=served.cookie).status in (403, 404), outside

    code, _, messages = served.end()
    assert code == 0, messages
    assert "The server has ended." in messages
    assert "Traceback" not in messages


def test_no_other_address_of_this_machine_reaches_it(serve: Callable[..., Served]) -> None:
    others = {str(found[4][0]) for found in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    others = {address for address in others if not address.startswith("127.")}
    if not others:
        pytest.skip("this machine has no address but loopback")
    served = serve()
    for address in others:
        with pytest.raises(OSError):
            socket.create_connection((address, served.port), timeout=5).close()


# --- the command ------------------------------------------------------------------------------


def test_without_the_extra_it_says_what_to_install(
    workspace: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("melleafy_tui.cli.commands.serve.find_spec", lambda _name: None)
    assert main(["serve", str(workspace)]) == 2
    shown = capsys.readouterr().err
    assert "run `pip install '.[serve]'`" in shown


@pytest.mark.parametrize("port", ["http", "-1", "65536", "", "8 0"])
def test_what_is_no_port_is_refused(workspace: Path, port: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", str(workspace), f"--port={port}"]) == 2
    assert "is not a port number" in capsys.readouterr().err


def test_a_port_in_use_is_named_with_the_way_out(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert main(["serve", str(workspace), f"--port={taken.getsockname()[1]}"]) == 2
    said = capsys.readouterr().err
    assert "cannot listen on 127.0.0.1" in said
    assert "--port" in said


def test_a_workspace_that_cannot_be_read_is_refused_before_anything_is_served(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", str(tmp_path / "none"), "--port=0"]) == 2
    printed = capsys.readouterr()
    assert "http://" not in printed.out
    assert "none" in printed.err


# --- in a browser -----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None or DRIVER is None, reason="chromium and chromedriver are not installed")
def test_a_conversion_is_finished_with_the_keyboard_in_chromium(
    serve: Callable[..., Served], workspace: Path, own_world: Path, tmp_path: Path
) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import WebDriverWait

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM or ""
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    for word in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1600,900"):
        options.add_argument(word)
    options.add_argument(f"--user-data-dir={tmp_path / 'profile'}")

    served = serve()
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    try:
        browser.get(served.address)
        assert browser.current_url == f"http://127.0.0.1:{served.port}/"
        WebDriverWait(browser, PATIENCE).until(lambda page: body_class(page, "-first-byte"))
        package = workspace.parent / "ticket-triage_mellea"
        saved = workspace / "melleafy-decisions.json"

        def press(*keys: str) -> None:
            for key in keys:
                ActionChains(browser).send_keys(key).perform()

        def settle(condition: Callable[[], bool], description: str) -> None:
            deadline = time.monotonic() + PATIENCE
            while not condition():
                assert time.monotonic() < deadline, f"never {description}"
                time.sleep(0.05)

        def journal() -> str:
            found = (own_world / ".local" / "state" / "melleafy-tui").glob("*/*.json")
            return "".join(path.read_text() for path in found)

        happened: list[dict[str, Any]] = []

        def watched() -> list[dict[str, Any]]:
            """Return what the browser sent and received so far; its log gives each entry once."""
            entries = browser.get_log("performance")  # type: ignore[no-untyped-call]
            happened.extend(json.loads(entry["message"])["message"] for entry in entries)
            return happened

        def drawn() -> bytes:
            frames = (
                m["params"]["response"] for m in watched() if m["method"] == "Network.webSocketFrameReceived"
            )
            return b"".join(
                base64.b64decode(frame["payloadData"])
                if frame["opcode"] == BINARY
                else frame["payloadData"].encode()
                for frame in frames
            )

        settle(lambda: b"Accept" in drawn(), "the review open")
        browser.find_element("id", "terminal").click()
        press("!", "3", "/", *"auto-close", Keys.ENTER, "G", "x")  # the first ! closes the review
        settle(lambda: "remove" in journal(), "the override in the journal")
        ActionChains(browser).key_down(Keys.CONTROL).send_keys("s").key_up(Keys.CONTROL).perform()
        press(Keys.ENTER)
        settle(saved.exists, "the decisions saved")
        # No Escape stands before the digit: both in one read of the terminal are Alt+5.
        press("5", "w")
        settle(lambda: (package / "ticket_triage_mellea" / "melleafy.json").exists(), "the package written")
        press("q")
        WebDriverWait(browser, PATIENCE).until(lambda page: body_class(page, "-closed"))
        assert "Session ended." in browser.find_element("class name", "closed-dialog").text
        asked = {
            urlsplit(message["params"]["request"]["url"]).netloc
            for message in watched()
            if message["method"] == "Network.requestWillBeSent"
            and not message["params"]["request"]["url"].startswith(("data:", "chrome"))
        }
        assert asked - {"fonts.googleapis.com"} == {f"127.0.0.1:{served.port}"}  # the policy forbids it
        complaints = [entry["message"] for entry in browser.get_log("browser")]  # type: ignore[no-untyped-call]
        refused = [message for message in complaints if "Content Security" in message]
        assert [message for message in refused if "fonts.googleapis.com" not in message] == []
    finally:
        browser.quit()
    assert served.end()[0] == 0

    assert [item["disposition"] for item in json.loads(saved.read_text())["overrides"]] == ["remove"]
    os.environ["SOURCE_DATE_EPOCH"] = EPOCH
    out = workspace.parent / "headless"  # beside the workspace too: the package names its memory from there
    try:
        assert main([str(workspace), f"--dependencies=config:{saved}", "--out", str(out), "--quiet"]) == 0
    finally:
        del os.environ["SOURCE_DATE_EPOCH"]
    assert tree(package) == tree(out)


def body_class(page: webdriver.Chrome, name: str) -> bool:
    return name in (page.find_element("tag name", "body").get_attribute("class") or "")


def tree(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != ".melleafy.lock"
    }
