"""HTTP calls of packages, on the wire: where they go, what they take along, and when they end."""

import json
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from melleafy_tui.core.package.permissions import denying
from melleafy_tui.generators.runtime import http_tools
from melleafy_tui.generators.runtime.http_tools import call, fetch
from melleafy_tui.generators.runtime.tools_common import ToolError, ToolRefused, ToolTimeout, canned

ALLOWED = ("api.example.com",)


class Server:
    """A server on loopback that keeps its requests; `answers` has what each path does."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, str, dict[str, str], str]] = []
        self.answers: dict[str, Callable[[BaseHTTPRequestHandler], None]] = {}
        self.port = 0

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"http://{self.host}"


def answer(
    handler: BaseHTTPRequestHandler, body: bytes = b'{"ok": 1}', status: int = 200, **headers: str
) -> None:
    handler.send_response(status)
    handler.send_header("Content-Length", str(len(body)))
    for name, text in headers.items():
        handler.send_header(name, text)
    handler.end_headers()
    handler.wfile.write(body)


def drip(handler: BaseHTTPRequestHandler, text: bytes) -> None:
    """Send a byte every twentieth of a second, for half a minute at most."""
    for at in range(600):
        handler.wfile.write(text[at % len(text)].to_bytes())
        handler.wfile.flush()
        time.sleep(0.05)


@contextmanager
def running(certificate: Path | None = None) -> Iterator[Server]:
    found = Server()

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None: ...

        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
            headers = {name.lower(): text for name, text in self.headers.items()}
            found.requests.append((self.command, self.path, headers, body))
            try:
                found.answers.get(self.path.partition("?")[0], answer)(self)
            except OSError:
                self.close_connection = True

    for method in ("HEAD", "POST", "PUT", "PATCH", "DELETE"):
        setattr(Handler, f"do_{method}", Handler.do_GET)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    found.port = server.server_port
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="module")
def both() -> Iterator[tuple[Server, Server]]:
    with running() as here, running() as elsewhere:
        yield here, elsewhere


@pytest.fixture
def server(both: tuple[Server, Server]) -> Server:
    for each in both:
        each.requests.clear()
        each.answers.clear()
    return both[0]


@pytest.fixture
def elsewhere(both: tuple[Server, Server], server: Server) -> Server:
    return both[1]


def ask(server: Server, path: str = "/", method: str = "GET", **more: object) -> str:
    run: Callable[..., str] = call
    return run(method, f"{server.url}{path}", hosts=(server.host,), **more)


def test_a_json_object_is_returned(server: Server) -> None:
    found = ask(server, "/orders/{number}?day={day}", parts={"number": "4500/1", "day": 3})
    assert found == '{"ok": 1}'
    assert [(method, path) for method, path, _, _ in server.requests] == [("GET", "/orders/4500%2F1?day=3")]


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"])
def test_every_method_is_sent(server: Server, method: str) -> None:
    assert ask(server, "/x", method) == ("" if method == "HEAD" else '{"ok": 1}')
    assert server.requests[0][0] == method


@pytest.mark.parametrize(
    "hostile",
    [
        "a/../b",
        "?x=1",
        "#f",
        "@evil.example",
        "a b",
        "ä",
        "%2e%2e",
        "\r\nX: 1",
        "{other}",
        "${TOKEN}",
        "a&b=c",
    ],
)
def test_a_part_stays_in_its_place(server: Server, hostile: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKEN", "secret")
    ask(server, "/a/{part}/b?q={part}", parts={"part": hostile})
    path = server.requests[0][1]
    first, _, query = path.partition("?")
    assert first.startswith("/a/")
    assert first.endswith("/b")
    assert first.count("/") == 3
    assert query.count("=") == 1
    assert "&" not in query
    assert "secret" not in path


@pytest.mark.parametrize("part", ["", ".", "..", "..."])
def test_a_part_cannot_change_the_folder(server: Server, part: str) -> None:
    with pytest.raises(ToolError, match="is not allowed in a URL"):
        ask(server, "/a/{part}", parts={"part": part})
    assert ask(server, "/a?q={part}", parts={"part": part}) == '{"ok": 1}'
    assert len(server.requests) == 1


def test_parts_of_other_types_and_missing_ones(server: Server) -> None:
    ask(server, "/{a}/{b}/{c}", parts={"a": True, "b": 1.5, "c": Decimal("2.50")})
    assert server.requests[0][1] == "/true/1.5/2.50"
    with pytest.raises(ToolError, match="there is no value for b"):
        ask(server, "/{b}", parts={"a": 1})


def test_a_query_is_added(server: Server) -> None:
    ask(server, "/a?x=1#top", query={"q": "a&b", "n": 3, "none": None, "all": False})
    ask(server, "/a", query={"q": "ä"})
    assert [path for _, path, _, _ in server.requests] == ["/a?x=1&q=a%26b&n=3&all=false", "/a?q=%C3%A4"]


def test_a_free_request_goes_to_the_query_or_the_path(server: Server) -> None:
    for extra in ("id=7&day=2", "over there", "", "x/../y"):
        ask(server, "/a/?k=1", extra=extra)
    assert [path for _, path, _, _ in server.requests] == [
        *("/a/?k=1&id=7&day=2", "/a/over%20there?k=1", "/a/?k=1", "/a/x%2F..%2Fy?k=1"),
    ]
    with pytest.raises(ToolError, match="is not allowed in a URL"):
        ask(server, "/a/", extra="..")


def test_bodies_are_json_forms_or_text(server: Server) -> None:
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    rows: list[tuple[object, dict[str, str], str, str]] = [
        ({"text": "ä", "n": Decimal(1)}, {}, '{"text": "\\u00e4", "n": "1"}', "application/json"),
        ([1, 2], {}, "[1, 2]", "application/json"),
        ('{"a": 1}', {}, '{"a": 1}', "application/json"),
        ("plain ä", {}, "plain ä", "text/plain; charset=utf-8"),
        ({"a": "b c"}, form, "a=b+c", form["Content-Type"]),
        ("a=b", form, "a=b", form["Content-Type"]),
        ({"a": 1}, {"content-type": "application/vnd.x+json"}, '{"a": 1}', "application/vnd.x+json"),
    ]
    for body, headers, _, _ in rows:
        ask(server, "/", "POST", body=body, headers=headers)
    for (_, _, text, kind), (_, _, sent, found) in zip(rows, server.requests, strict=True):
        assert (found, sent["content-type"]) == (text, kind)


def test_secrets_come_from_the_environment_or_a_function(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRM_TOKEN", "to/ken")
    headers = {"Authorization": "Bearer ${CRM_TOKEN}", "X-Key": "$CRM_TOKEN"}
    ask(server, "/bot${CRM_TOKEN}/x", headers=headers)
    _, path, sent, _ = server.requests[0]
    assert (path, sent["authorization"], sent["x-key"]) == ("/botto%2Fken/x", "Bearer to/ken", "to/ken")
    ask(server, "/", headers=headers, secrets={"CRM_TOKEN": lambda: "hooked\n"})
    assert server.requests[1][2]["authorization"] == "Bearer hooked"


def test_a_missing_or_broken_secret_ends_the_call_before_it_is_made(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CRM_TOKEN", raising=False)
    with pytest.raises(ToolError, match=r"CRM_TOKEN is not set, see SETUP.md §2"):
        ask(server, "/", headers={"Authorization": "$CRM_TOKEN"})
    monkeypatch.setenv("CRM_TOKEN", "abc\r\nX-Evil: 1")
    with pytest.raises(ToolError, match="control character") as caught:
        ask(server, "/", headers={"Authorization": "$CRM_TOKEN"})
    assert "abc" not in str(caught.value)
    assert not server.requests


def test_no_error_shows_a_secret(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRM_TOKEN", "pass€word")
    server.answers["/500"] = lambda handler: answer(handler, status=500)
    rows: list[dict[str, object]] = [
        {"path": "/500?key=$CRM_TOKEN"},
        {"path": "/", "headers": {"Authorization": "$CRM_TOKEN"}},
        {"path": "/", "headers": {"Bad name\n": "$CRM_TOKEN"}},
    ]
    for row in rows:
        with pytest.raises(ToolError) as caught:
            ask(server, **row)  # type: ignore[arg-type]
        text = f"{caught.value}{caught.value.__cause__ or ''}"
        assert "pass" not in text
    with pytest.raises(ToolError, match=r"GET .*/500\?key=\$CRM_TOKEN: HTTP status 500"):
        ask(server, "/500?key=$CRM_TOKEN")
    monkeypatch.setenv("CRM_TOKEN", "to/ken")

    def echo(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(f"{handler.headers['X-Key']} {handler.path}\r\n\r\n".encode())

    server.answers["/echo"] = echo
    with pytest.raises(ToolError, match=r"/echo\?\$CRM_TOKEN: .*\*\*\* /echo\?\*\*\*"):
        ask(server, "/echo?$CRM_TOKEN", headers={"X-Key": "$CRM_TOKEN"})


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("https://evil.example/x", "evil.example is not an allowed host"),
        ("https://api.example.com.evil.example/", "is not an allowed host"),
        ("https://api.example.com:8443/", "api.example.com:8443 is not an allowed host"),
        ("https://api.example.com./", "is not an allowed host"),
        ("https://api.example.com@evil.example/", "is not allowed as a host"),
        ("https://user:pass@api.example.com/", "is not allowed as a host"),
        ("https://evil.example\\@api.example.com/", "is not allowed as a host"),
        ("https://api.example.com%2f.evil.example/", "is not allowed as a host"),
        ("https://api.example.com:port/", "no valid address"),
        ("https://[api.example.com/", "is not allowed as a host"),
        ("http://api.example.com/", "http is not allowed for api.example.com"),
        ("ftp://api.example.com/", "ftp is not allowed"),
        ("file:///etc/passwd", "is not allowed as a host"),
        ("//api.example.com/", "no scheme is not allowed"),
        ("https:///x", "no host is not allowed"),
        ("data:text/plain,x", "is not allowed as a host"),
        ("https://api.example.com%0a.evil.example/", "is not allowed as a host"),
        ("https://\udcff.example/", "no valid address"),
    ],
)
def test_only_the_declared_host_is_called(url: str, said: str) -> None:
    uses: tuple[Callable[[], str], ...] = (
        lambda: call("GET", url, hosts=ALLOWED),
        lambda: fetch(url, hosts=ALLOWED),
    )
    for use in uses:
        with canned({}), pytest.raises(ToolRefused, match=said.replace("\\", "\\\\")):
            use()


def test_hosts_are_read_as_browsers_do() -> None:
    with canned({}):
        for url in ("https://API.example.com/x", "https://api.example.com:443/x", "HTTPS://api.example.com"):
            with pytest.raises(ToolError, match="no canned response"):
                call("GET", url, hosts=ALLOWED)
        with pytest.raises(ToolError, match="no canned response"):
            call("GET", "https://müller.example/ä b", hosts=("xn--mller-kva.example",))


def test_plain_http_only_on_this_machine_or_where_it_is_declared() -> None:
    rows = {
        "http://localhost:8000/x": ("localhost:8000",),
        "http://127.0.0.1/x": ("127.0.0.1",),
        "http://[::1]:80/x": ("[::1]",),
        "http://printer.lan/x": ("http://printer.lan",),
    }
    with canned(dict.fromkeys(rows, "yes")):
        for url, hosts in rows.items():
            assert call("GET", url, hosts=hosts) == "yes"
        with pytest.raises(ToolRefused, match="http is not allowed"):
            call("GET", "http://10.0.0.7/x", hosts=("10.0.0.7",))


def test_rules_of_the_source_deny_addresses(server: Server) -> None:
    denied = denying("WebFetch(domain:127.0.0.1)")
    uses: tuple[Callable[[], str], ...] = (
        lambda: ask(server, denied=denied),
        lambda: fetch(server.url, hosts=(server.host,), denied=denied),
    )
    for use in uses:
        with pytest.raises(ToolRefused, match=r"WebFetch\(domain:127.0.0.1\) denies"):
            use()
    assert not server.requests


def redirect(to: str, status: int = 302) -> Callable[[BaseHTTPRequestHandler], None]:
    return lambda handler: answer(handler, b"", status, Location=to)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_no_redirect_is_followed(server: Server, elsewhere: Server, status: int, method: str) -> None:
    """So credentials stay with their host, and no POST becomes a GET; the model is told the address."""
    for to in (f"{elsewhere.url}/taken", "/new", "file:///etc/passwd"):
        server.answers["/old"] = redirect(to, status)
        with pytest.raises(ToolError, match=f"/old: it redirects to {to}"):
            ask(server, "/old", method, headers={"X-Key": "k"})
    assert {path for _, path, _, _ in server.requests} == {"/old"}
    assert not elsewhere.requests


def test_every_host_below_a_domain() -> None:
    hosts = ("*.example.com",)
    with canned({"https://docs.example.com/": "yes"}):
        assert fetch("https://docs.example.com/", hosts=hosts) == "yes"
        for url in ("https://example.com/", "https://badexample.com/", "https://example.com.evil.example/"):
            with pytest.raises(ToolRefused):
                fetch(url, hosts=hosts)


def slow_body(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.end_headers()
    drip(handler, b"x")


def slow_headers(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    drip(handler, b"x")


def endless(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.end_headers()
    while True:
        handler.wfile.write(b"x" * 1000)


def silent(handler: BaseHTTPRequestHandler) -> None:
    handler.connection.settimeout(30)
    handler.rfile.read()  # ends when the caller hangs up


@pytest.mark.parametrize("behaviour", [slow_body, slow_headers, silent])
def test_there_is_one_deadline_for_the_whole_call(
    server: Server, behaviour: Callable[[BaseHTTPRequestHandler], None]
) -> None:
    server.answers["/slow"] = behaviour
    begun = time.monotonic()
    with pytest.raises(ToolTimeout, match="no full answer in time"):
        ask(server, "/slow", timeout=0.3)
    assert time.monotonic() - begun < 15  # the server goes on for 30 s
    with pytest.raises(ToolTimeout):
        fetch(f"{server.url}/slow", hosts=(server.host,), timeout=0.1)


def endless_trailers(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    handler.wfile.write(b"0\r\n")
    while True:
        handler.wfile.write(b"a: b\r\n" * 1000)


def test_endless_trailers_are_an_error(server: Server) -> None:
    server.answers["/trailers"] = endless_trailers
    with pytest.raises(ToolError, match="too long"):
        ask(server, "/trailers")


def test_nothing_is_sent_after_the_deadline(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that takes long to look up must not let a POST arrive that was reported as not made."""
    given_up, real = threading.Event(), socket.getaddrinfo

    def slow(*given: Any, **named: Any) -> Any:
        given_up.wait(30)
        return real(*given, **named)

    monkeypatch.setattr(socket, "getaddrinfo", slow)
    host = f"localhost:{server.port}"
    begun = time.monotonic()
    with pytest.raises(ToolTimeout):
        call("POST", f"http://{host}/order", hosts=(host,), body={"number": 7}, timeout=0.1)
    assert time.monotonic() - begun < 15
    given_up.set()
    time.sleep(0.3)
    assert server.requests == []


def test_an_answer_that_is_shorter_than_announced_is_an_error(server: Server) -> None:
    def short(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "100")
        handler.end_headers()
        handler.wfile.write(b"all is we")
        handler.close_connection = True

    server.answers["/short"] = short
    with pytest.raises(ToolError, match="received 9 bytes, expected 100"):
        ask(server, "/short")
    with pytest.raises(ToolError, match="received 9 bytes, expected 100"):
        fetch(f"{server.url}/short", hosts=(server.host,))


@pytest.mark.parametrize("text", ["\ud800", "a\udcffb", "\0", "\u202e", "x" * 70_000])
def test_any_text_is_sent_or_refused_with_a_typed_error(server: Server, text: str) -> None:
    for given in (
        {"parts": {"part": text}},
        {"query": {"q": text}},
        {"extra": text},
        {"extra": f"a={text}"},
        {"body": text},
        {"body": {"a": text}},
        {"body": {"a": text}, "headers": {"Content-Type": "application/x-www-form-urlencoded"}},
        {"headers": {"X-Note": text}},
    ):
        path = "/a/{part}" if "parts" in given else "/a"
        with suppress(ToolError):
            ask(server, path, "POST", **given)
    with suppress(ToolError):
        fetch(f"{server.url}/{text}", hosts=(server.host,))


def test_large_answers_are_cut_visibly_or_refused(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_tools, "MAX_BYTES", 100)
    server.answers["/large"] = lambda handler: answer(handler, b'"' + b"x" * 500 + b'"')
    assert ask(server, "/large") == '"' + "x" * 99 + "\n[cut]"
    server.answers["/endless"] = endless
    assert ask(server, "/endless", timeout=5).endswith("[cut]")
    server.answers["/fits"] = lambda handler: answer(handler, b"x" * 100)
    assert ask(server, "/fits") == "x" * 100


def test_what_goes_wrong_is_a_typed_error(server: Server) -> None:
    server.answers["/404"] = lambda handler: answer(handler, status=404)
    server.answers["/broken"] = lambda handler: (handler.wfile.write(b"nonsense\r\n\r\n"), None)[1]
    with pytest.raises(ToolError, match=r"GET http://.*/404: HTTP status 404"):
        ask(server, "/404")
    with pytest.raises(ToolError, match="nonsense"):
        ask(server, "/broken")
    with running() as stopped:
        url, host = stopped.url, stopped.host
    with pytest.raises(ToolError, match="connection attempts failed"):
        call("GET", url, hosts=(host,))


def test_text_in_another_encoding_is_readable(server: Server) -> None:
    server.answers["/latin"] = lambda handler: answer(handler, b"caf\xe9")
    assert ask(server, "/latin") == "caf\ufffd"


def test_canned_answers_replace_the_network_and_need_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CRM_TOKEN", raising=False)
    url = "https://api.example.com/orders/7?key=${CRM_TOKEN}"
    answers = {url: {"net": 1}, f"POST {url}": "stored", f"DELETE {url}": 503, f"PUT {url}": 5}
    options = {"hosts": ALLOWED, "parts": {"id": 7}, "headers": {"X": "$CRM_TOKEN"}}
    run: Callable[..., str] = call
    template = "https://api.example.com/orders/{id}?key=${CRM_TOKEN}"
    with canned(answers):
        assert run("GET", template, **options) == json.dumps({"net": 1})
        assert run("POST", template, **options) == "stored"
        assert run("PATCH", template, **options) == json.dumps({"net": 1})
        assert run("PUT", template, **options) == "5"
        with pytest.raises(ToolError, match="HTTP status 503"):
            run("DELETE", template, **options)
        with pytest.raises(ToolError, match="no canned response"):
            call("GET", "https://api.example.com/other", hosts=ALLOWED)
    with pytest.raises(ToolError, match="CRM_TOKEN is not set"):
        run("GET", template, **options)


def test_a_proxy_of_the_environment_is_used(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", server.url)
    monkeypatch.setenv("no_proxy", "")
    assert call("GET", "http://printer.lan/x", hosts=("http://printer.lan",)) == '{"ok": 1}'
    assert server.requests[0][1] == "http://printer.lan/x"


@pytest.mark.skipif(not shutil.which("openssl"), reason="needs openssl")
def test_https_needs_a_certificate_that_is_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    subprocess.run(
        (
            *(
                "openssl",
                "req",
                "-x509",
                "-nodes",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:prime256v1",
            ),
            *("-keyout", "key.pem", "-out", "cert.pem", "-days", "2", "-subj", "/CN=localhost"),
            *("-addext", "subjectAltName=DNS:localhost"),
        ),
        cwd=tmp_path,
        check=True,
        capture_output=True,
    )
    both = tmp_path / "both.pem"
    both.write_text((tmp_path / "key.pem").read_text() + (tmp_path / "cert.pem").read_text())
    with running(both) as server:
        url, hosts = f"https://localhost:{server.port}/x", (f"localhost:{server.port}",)
        with pytest.raises(ToolError, match="certificate verify failed"):
            call("GET", url, hosts=hosts)
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
        assert call("GET", url, hosts=hosts) == '{"ok": 1}'
