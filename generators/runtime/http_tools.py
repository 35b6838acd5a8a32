"""HTTP requests to the endpoints of the source, with deadlines and typed errors.

Static module of melleafy-tui 0.2.0: identical in every package of that release that has
it, not to be edited.
"""

import json
import re
import socket
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from http.client import (
    HTTPConnection,
    HTTPException,
    HTTPMessage,
    HTTPResponse,
    HTTPSConnection,
    IncompleteRead,
)
from ipaddress import ip_address
from queue import Empty, Queue
from threading import Thread
from time import monotonic
from typing import IO, Any
from urllib.error import HTTPError, URLError
from urllib.parse import SplitResult, parse_qsl, quote, urlencode, urlsplit
from urllib.request import (
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    Request,
    build_opener,
)

from .tools_common import (
    Policy,
    Secrets,
    ToolError,
    ToolRefused,
    ToolTimeout,
    canned,
    canned_answer,
    secret,
)

__all__ = [
    "Answer",
    "Part",
    "ToolError",
    "ToolRefused",
    "ToolTimeout",
    "call",
    "canned",
    "fetch",
    "secret",
]

MAX_BYTES = 1_000_000
LONGEST_REASON = 300
"""Characters of what a server says is wrong."""
Part = str | int | float | Decimal
"""A value in an address."""

_FAILURES = (URLError, HTTPException, OSError, ValueError)
_PLACEHOLDER = re.compile(
    r"\$\{(?P<braced>[A-Z][A-Z0-9_]*)\}|\$(?P<plain>[A-Z][A-Z0-9_]*)|\{(?P<part>\w+)\}",
)
_HOST = re.compile(r"[a-z0-9._-]+|[0-9a-f:.]+")
_NOT_ASCII = re.compile(r"[^\x21-\x7e]+")


@dataclass(frozen=True)
class Answer:
    """What an endpoint answered: the body, or a canned answer."""

    address: str
    body: object

    @property
    def text(self) -> str:
        """Return the text, cut visibly at MAX_BYTES."""
        if not isinstance(self.body, bytes):
            return self.body if isinstance(self.body, str) else json.dumps(self.body)
        text = self.body[:MAX_BYTES].decode("utf-8", "replace")
        return text if len(self.body) <= MAX_BYTES else f"{text}\n[cut]"

    def json(self) -> object:
        """Return the JSON of the answer, or raise ToolError."""
        if not isinstance(self.body, bytes):
            return self.body
        if len(self.body) > MAX_BYTES:
            raise ToolError(f"{self.address}: the response is over {MAX_BYTES} bytes")
        try:
            found: object = json.loads(self.body)
        except ValueError as error:
            raise ToolError(f"{self.address}: {error}") from error
        return found


def call(
    method: str,
    template: str,
    *,
    hosts: tuple[str, ...],
    parts: Mapping[str, Part] | None = None,
    query: Mapping[str, Part | None] | None = None,
    extra: str = "",
    body: object = None,
    headers: Mapping[str, str] | None = None,
    secrets: Secrets | None = None,
    denied: Policy | None = None,
    timeout: float = 15.0,
) -> Answer:
    """Call an endpoint within one deadline.

    Redirects are followed on the same host, for GET and HEAD.

    Args:
        method: GET, HEAD, POST, PUT, PATCH or DELETE.
        template: The address; `{name}` stands for a part, `${NAME}` for a secret.
        hosts: What may be called: host or host:port; "http://host" allows plain http
            there.
        parts: The values of `{name}`; they are quoted.
        query: What is added to the query; None leaves a name out.
        extra: A free request: added to the query when it reads name=value, else to the
            path.
        body: Text, or data that is sent as JSON (as a form where the headers say so).
        headers: `${NAME}` in a value stands for a secret.
        secrets: Functions that supply secrets instead of the environment.
        denied: Says which rule denies a request.
        timeout: Seconds for the whole call.

    Raises:
        ToolRefused: the address is not allowed, or the server redirects to one that is
            not.
        ToolTimeout: there is no full answer in time.
        ToolError: anything else that went wrong.

    """
    try:
        given = _with_extra(_filled(template, parts or {}), query or {}, extra)
    except UnicodeEncodeError as error:
        raise ToolError(f"{template}: {error.reason}") from None
    _check(given, hosts, denied)
    keys = [f"{method} {given}", given]
    known, answer = canned_answer(*(reversed(keys) if method == "GET" else keys))
    if known:
        return Answer(given, _canned_body(answer, given))
    used: dict[str, str] = {}

    def supplied(found: re.Match[str]) -> str:
        name = found["braced"] or found["plain"]
        used[name] = secret(name, secrets) if name else found[0]
        return used[name]

    sent = {
        name: _PLACEHOLDER.sub(supplied, text) for name, text in (headers or {}).items()
    }
    address = _PLACEHOLDER.sub(lambda found: quote(supplied(found), safe=""), given)
    redirects = _Redirects(address, hosts, denied, same_host=True)
    try:
        data, kind = _encoded(body, sent)
        if kind:
            sent["Content-Type"] = kind
        request = Request(address, data=data, headers=sent, method=method)
        return Answer(given, _within(timeout, request, redirects))
    except _FAILURES as error:
        raise _typed(error, f"{method} {given}", used.values()) from None


def fetch(
    address: str,
    *,
    hosts: tuple[str, ...],
    denied: Policy | None = None,
    timeout: float = 15.0,
) -> str:
    """Return the text at any address of the allowed hosts.

    "*.domain" allows every host below it.
    """
    try:
        url = _quoted(address.strip())
    except UnicodeEncodeError as error:
        raise ToolRefused(f"no valid address: {error.reason}") from None
    _check(url, hosts, denied)
    known, answer = canned_answer(url)
    if known:
        return Answer(url, _canned_body(answer, url)).text
    redirects = _Redirects(url, hosts, denied, same_host=False)
    try:
        return Answer(url, _within(timeout, Request(url), redirects)).text
    except _FAILURES as error:
        raise _typed(error, f"GET {url}", ()) from None


def _quoted(url: str) -> str:
    """Return an address in ASCII; a host's name in its registered form."""
    before, mark, rest = url.partition("://")
    host = re.match(r"[^/?#]*", rest)
    name = host[0] if host else ""
    if not name.isascii():
        try:
            name = name.encode("idna").decode()
        except UnicodeError as error:
            raise ToolRefused(f"no valid host: {error}") from error
    path = rest[host.end() if host else 0 :]
    return f"{before}{mark}{name}{_NOT_ASCII.sub(lambda found: quote(found[0]), path)}"


def _filled(template: str, parts: Mapping[str, Part]) -> str:
    """Return the address with its parts, quoted; secrets keep their placeholders."""
    path_end = template.find("?") if "?" in template else len(template)

    def filled(found: re.Match[str]) -> str:
        name = found["part"]
        if name is None:
            return found[0]
        if name not in parts:
            raise ToolError(f"{template}: there is no value for {name}")
        text = _plain(parts[name])
        if found.start() < path_end and not text.strip("."):
            raise ToolError(f"{template}: {name} {text!r} is not allowed in a URL")
        return quote(text, safe="")

    return _quoted(_PLACEHOLDER.sub(filled, template))


def _plain(part: Part) -> str:
    """Return a value as it stands in an address."""
    return str(part).lower() if isinstance(part, bool) else str(part)


def _with_extra(url: str, query: Mapping[str, Part | None], extra: str) -> str:
    """Return the address with more of a query, and with a free request."""
    pairs = [(name, _plain(part)) for name, part in query.items() if part is not None]
    words = extra.strip()
    asked = parse_qsl(words)
    base, mark, fragment = url.partition("#")
    path, _, old = base.partition("?")
    if words and not asked:
        if not words.strip("."):
            raise ToolError(f"{url}: {words!r} is not allowed in a URL")
        path = f"{path.rstrip('/')}/{quote(words, safe='')}"
    added = "&".join(text for text in (old, urlencode([*pairs, *asked])) if text)
    return f"{path}{'?' if added else ''}{added}{mark}{fragment}"


def _encoded(body: object, headers: Mapping[str, str]) -> tuple[bytes | None, str]:
    """Return a body as bytes, and its type where the headers name none."""
    if body is None:
        return None, ""
    declared = next(
        (text for name, text in headers.items() if name.lower() == "content-type"),
        "",
    )
    if isinstance(body, str):
        return body.encode(), "" if declared else _kind_of(body)
    if isinstance(body, Mapping) and "x-www-form-urlencoded" in declared:
        return urlencode(body).encode(), ""
    return json.dumps(
        body,
        default=str,
    ).encode(), "" if declared else "application/json"


def _kind_of(text: str) -> str:
    """Return the content type of a text."""
    try:
        json.loads(text)
    except ValueError:
        return "text/plain; charset=utf-8"
    return "application/json"


def _check(url: str, hosts: tuple[str, ...], denied: Policy | None) -> None:
    """Raise ToolRefused for an address that is not allowed.

    A port counts as part of the host.
    """
    address, name = _split(url)
    rule = denied("WebFetch", url) if denied else ""
    if rule:
        raise ToolRefused(f"{rule} denies {address.hostname}")
    plain = {entry.removeprefix("http://") for entry in hosts if "://" in entry}
    known = (*(entry for entry in hosts if "://" not in entry), *plain)
    if not _is_listed(name, known):
        raise ToolRefused(f"{name} is not an allowed host ({', '.join(known)})")
    if address.scheme not in _schemes(address, _is_listed(name, plain)):
        raise ToolRefused(f"{address.scheme or 'no scheme'} is not allowed for {name}")


def _split(url: str) -> tuple[SplitResult, str]:
    """Return an address and its host with the port.

    Raise ToolRefused for an unusual one.
    """
    try:
        address = urlsplit(url)
        name = _named(address)
    except ValueError as error:
        raise ToolRefused(f"no valid address: {error}") from error
    if "@" in address.netloc or not _HOST.fullmatch(address.hostname or ""):
        raise ToolRefused(f"{address.netloc or 'no host'} is not allowed as a host")
    return address, name


def _schemes(address: SplitResult, plain: bool) -> tuple[str, ...]:
    """Return the allowed schemes.

    Plain http is only for this machine, and for hosts that are listed with it.
    """
    unencrypted = plain or _is_loopback(address.hostname or "")
    return ("https", "http") if unencrypted else ("https",)


def _is_listed(name: str, entries: Iterable[str]) -> bool:
    """Return whether an entry of an allow-list names a host."""
    return any(_is_of(name, entry) for entry in entries)


def _named(address: SplitResult) -> str:
    """Return host and port of an address; the scheme's own port is left out."""
    usual = {"https": 443, "http": 80}.get(address.scheme)
    host = address.hostname or ""
    shown = f"[{host}]" if ":" in host else host
    return shown if address.port in (None, usual) else f"{shown}:{address.port}"


def _is_of(name: str, entry: str) -> bool:
    """Return whether a host is the allowed one.

    "*." stands for every host below a domain.
    """
    wanted = entry.lower()
    return name.endswith(wanted[1:]) if wanted.startswith("*.") else name == wanted


def _is_loopback(host: str) -> bool:
    """Return whether a host is this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class _Redirects(HTTPRedirectHandler):
    """Follows GET and HEAD to allowed addresses, never from https to http."""

    def __init__(
        self,
        url: str,
        hosts: tuple[str, ...],
        denied: Policy | None,
        same_host: bool,
    ) -> None:
        """Store where the call goes, and whether it has to stay there."""
        self.start, self.hosts, self.denied = urlsplit(url), hosts, denied
        self.same_host = same_host

    def redirect_request(
        self,
        req: Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: HTTPMessage,
        newurl: str,
    ) -> Request | None:
        """Return the request to follow, or raise ToolRefused.

        The body of a redirect is not read: it may have no end.
        """
        method = req.get_method()
        address = urlsplit(newurl)
        if method not in ("GET", "HEAD"):
            raise ToolRefused(f"{self.start.hostname} redirects a {method}")
        if self.start.scheme == "https" and address.scheme != "https":
            raise ToolRefused(f"{self.start.hostname} redirects from https to http")
        _check(newurl, self.hosts, self.denied)
        if self.same_host and _named(address) != _named(self.start):
            raise ToolRefused(
                f"{self.start.hostname} redirects to {address.hostname or 'no host'}",
            )
        fp.close()
        request = super().redirect_request(req, fp, code, msg, headers, newurl)
        if request is not None:
            request.method = method
        return request


def _within(seconds: float, request: Request, redirects: _Redirects) -> bytes:
    """Return the body of the response, or raise TimeoutError when it takes longer.

    The call runs in a thread of its own, because names, connections and headers have no
    deadline otherwise; at the deadline its connections are shut down.
    """
    line = _Line(seconds)
    done: Queue[bytes | Exception] = Queue()

    def run() -> None:
        found: bytes | Exception = OSError("the call ended without an answer")
        try:
            found = _body(request, redirects, line)
        except (ToolError, *_FAILURES) as error:
            found = error
        finally:
            done.put(found)

    Thread(target=run, daemon=True, name="http call").start()
    try:
        found = done.get(timeout=seconds)
    except Empty:
        line.end()
        found = TimeoutError("no full answer in time")
    if isinstance(found, Exception):
        raise found
    return found


def _body(request: Request, redirects: _Redirects, line: "_Line") -> bytes:
    """Return the body of the response, up to one byte over MAX_BYTES.

    One that ends before the length that its headers give is an error.
    """
    opener = build_opener(_Plain(line), _Secure(line), redirects)
    body = b""
    with opener.open(request, timeout=max(0.1, line.left)) as response:
        while len(body) <= MAX_BYTES and (part := response.read1(65536)):
            body += part
            if line.left < 0:
                raise TimeoutError("no full answer in time")
        if len(body) <= MAX_BYTES and response.length:
            raise IncompleteRead(body, response.length)
    return body[: MAX_BYTES + 1]


class _Line:
    """The connections of one call."""

    def __init__(self, seconds: float) -> None:
        """Start the time that the call has."""
        self._deadline = monotonic() + seconds
        self._connections: list[HTTPConnection] = []
        self._sockets: list[socket.socket] = []

    @property
    def left(self) -> float:
        """Return the seconds that are left."""
        return self._deadline - monotonic()

    def opened(self, connection: HTTPConnection) -> HTTPConnection:
        """Return a connection that ends with this call, and connects no later."""
        connect = connection.connect

        def connect_in_time() -> None:
            connect()
            if connection.sock is not None:
                self._sockets.append(connection.sock)
            if self.left < 0:  # a name that took long: nothing is sent any more
                connection.close()
                raise TimeoutError("no full answer in time")

        vars(connection)["connect"] = connect_in_time
        self._connections.append(connection)
        return connection

    def end(self) -> None:
        """Shut all sockets down; a connection gives its own up once it has headers."""
        pending = (each.sock for each in self._connections if each.sock is not None)
        for each in (*self._sockets, *pending):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


class _Plain(HTTPHandler):
    """Opens http, and keeps its connections."""

    def __init__(self, line: _Line) -> None:
        """Store where connections are kept."""
        super().__init__()
        self.line = line

    def http_open(self, req: Request) -> HTTPResponse:
        """Open the connection."""

        def connect(host: str, **options: Any) -> HTTPConnection:
            return self.line.opened(HTTPConnection(host, **options))

        return self.do_open(connect, req)


class _Secure(HTTPSHandler):
    """Opens https, and keeps its connections."""

    def __init__(self, line: _Line) -> None:
        """Store where connections are kept."""
        super().__init__()
        self.line = line

    def https_open(self, req: Request) -> HTTPResponse:
        """Open the connection."""

        def connect(host: str, **options: Any) -> HTTPConnection:
            return self.line.opened(HTTPSConnection(host, **options))

        return self.do_open(connect, req)


def _typed(error: Exception, where: str, secrets: Iterable[str]) -> ToolError:
    """Return an error as a ToolError whose text holds no secret."""
    if isinstance(error, HTTPError):
        error.close()
        return ToolError(f"{where}: HTTP status {error.code}")
    reason = getattr(error, "reason", error)
    if isinstance(error, TimeoutError) or isinstance(reason, TimeoutError):
        return ToolTimeout(f"{where}: no full answer in time")
    said = str(reason) or type(reason).__name__
    for value in secrets:
        said = said.replace(value, "***").replace(quote(value, safe=""), "***")
    return ToolError(f"{where}: {said[:LONGEST_REASON]}")


def _canned_body(answer: object, address: str) -> object:
    """Return a canned answer, or raise ToolError where it is an HTTP error."""
    if isinstance(answer, int) and 400 <= answer <= 599:
        raise ToolError(f"{address}: HTTP status {answer}")
    return answer
