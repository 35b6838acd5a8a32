# Static module of melleafy-tui 0.2.0, not to be edited.
"""HTTP requests to the endpoints of the source, with one deadline and typed errors."""

import asyncio
import json
import re
import ssl
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from decimal import Decimal
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

import httpx

from .tools_common import (
    Policy,
    Secrets,
    ToolError,
    ToolRefused,
    ToolTimeout,
    canned_answer,
    secret,
)

MAX_BYTES = 1_000_000
LONGEST_REASON = 300
"""Characters of what a server says is wrong."""
Part = str | int | float | Decimal
"""A value in an address."""

_PLACEHOLDER = re.compile(
    r"\$\{(?P<braced>[A-Z][A-Z0-9_]*)\}|\$(?P<plain>[A-Z][A-Z0-9_]*)|\{(?P<part>\w+)\}"
)


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
) -> str:
    """Call an endpoint within one deadline, and return the text of its answer.

    Redirects are errors that name the address, so that nothing is sent elsewhere.

    Args:
        method: GET, HEAD, POST, PUT, PATCH or DELETE.
        template: The address; `{name}` stands for a part, `${NAME}` for a secret.
        hosts: What may be called: host or host:port; "http://host" allows plain http
            there, "*.domain" every host below it.
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
        ToolRefused: the address is not allowed.
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
        return _canned_text(answer, given)
    used: dict[str, str] = {}

    def supplied(found: re.Match[str]) -> str:
        name = found["braced"] or found["plain"]
        used[name] = secret(name, secrets) if name else found[0]
        return used[name]

    sent = {
        name: _PLACEHOLDER.sub(supplied, text) for name, text in (headers or {}).items()
    }
    address = _PLACEHOLDER.sub(lambda found: quote(supplied(found), safe=""), given)
    try:
        request = httpx.Request(method, address, **_encoded(body, sent))
        return _within(timeout, request)
    except (TimeoutError, httpx.TimeoutException):
        raise ToolTimeout(f"{method} {given}: no full answer in time") from None
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
        said = str(error) or type(error).__name__
        for value in used.values():
            said = said.replace(value, "***").replace(quote(value, safe=""), "***")
        raise ToolError(f"{method} {given}: {said[:LONGEST_REASON]}") from None


def fetch(
    address: str,
    *,
    hosts: tuple[str, ...],
    denied: Policy | None = None,
    timeout: float = 15.0,
) -> str:
    """Return the text at any address of the allowed hosts."""
    plain = address.strip().replace("{", "%7B").replace("$", "%24")
    return call("GET", plain, hosts=hosts, denied=denied, timeout=timeout)


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

    return _PLACEHOLDER.sub(filled, template)


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


def _encoded(body: object, headers: Mapping[str, str]) -> dict[str, Any]:
    """Return headers and body as httpx takes them."""
    sent = httpx.Headers({"Accept-Encoding": "identity", **headers})
    kind = sent.get("Content-Type", "")
    if isinstance(body, Mapping) and "x-www-form-urlencoded" in kind:
        return {"headers": sent, "data": body}
    if body is not None:
        text = body if isinstance(body, str) else json.dumps(body, default=str)
        sent["Content-Type"] = kind or _kind_of(text)
        return {"headers": sent, "content": text}
    return {"headers": sent}


def _kind_of(text: str) -> str:
    try:
        json.loads(text)
    except ValueError:
        return "text/plain; charset=utf-8"
    return "application/json"


def _check(url: str, hosts: tuple[str, ...], denied: Policy | None) -> None:
    """Raise ToolRefused for an address that is not allowed.

    A port counts as part of the host. Plain http is only for this machine, and for
    hosts that are listed with it.
    """
    try:
        address = httpx.URL(url)
    except (httpx.InvalidURL, ValueError) as error:
        raise ToolRefused(f"no valid address: {error}") from error
    name = address.netloc.decode()
    if address.userinfo or not re.fullmatch(r"[a-z0-9._:\[\]-]+", name):
        raise ToolRefused(f"{name or 'no host'} is not allowed as a host")
    if rule := denied("WebFetch", url) if denied else "":
        raise ToolRefused(f"{rule} denies {address.host}")
    plain = [entry.removeprefix("http://") for entry in hosts if "://" in entry]
    known = [*(entry for entry in hosts if "://" not in entry), *plain]
    if not any(_is_of(name, entry) for entry in known):
        raise ToolRefused(f"{name} is not an allowed host ({', '.join(known)})")
    local = address.host in ("localhost", "127.0.0.1", "::1")
    unencrypted = local or any(_is_of(name, entry) for entry in plain)
    if address.scheme not in (("https", "http") if unencrypted else ("https",)):
        raise ToolRefused(f"{address.scheme or 'no scheme'} is not allowed for {name}")


def _is_of(name: str, entry: str) -> bool:
    """Return whether a host is the allowed one, or lies below an allowed domain."""
    wanted = entry.lower()
    return name.endswith(wanted[1:]) if wanted.startswith("*.") else name == wanted


def _within(seconds: float, request: httpx.Request) -> str:
    """Return the text of the answer; at the deadline the connection is closed.

    Time-outs of sockets alone don't bound a call: a server may send byte by byte. The
    thread is for callers that run an event loop themselves.
    """

    def run() -> str:
        with closing(asyncio.new_event_loop()) as loop:
            work = asyncio.wait_for(_text(request, seconds), seconds)
            return loop.run_until_complete(work)

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run).result()


async def _text(request: httpx.Request, seconds: float) -> str:
    """Return the text of the answer, cut visibly at MAX_BYTES."""
    system = ssl.create_default_context()  # httpx has certificates of its own
    async with httpx.AsyncClient(verify=system, timeout=seconds) as client:
        answer = await client.send(request, stream=True)
        if answer.has_redirect_location:
            raise OSError(f"it redirects to {answer.headers['Location']}")
        if not answer.is_success:
            raise OSError(f"HTTP status {answer.status_code}")
        body = b""
        async for part in answer.aiter_raw():
            body += part
            if len(body) > MAX_BYTES:
                return body[:MAX_BYTES].decode("utf-8", "replace") + "\n[cut]"
    return body.decode("utf-8", "replace")


def _canned_text(answer: object, address: str) -> str:
    """Return a canned answer, or raise ToolError where it is an HTTP error."""
    if isinstance(answer, int) and 400 <= answer <= 599:
        raise ToolError(f"{address}: HTTP status {answer}")
    return answer if isinstance(answer, str) else json.dumps(answer)
