"""Serves the wizard with textual-serve behind checks of its own: a key, and the request's `Host` and `Origin`.

textual-serve admits everybody, and its page asks another host for a font, which the headers here forbid.
"""

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable, Mapping
from hmac import compare_digest
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

from aiohttp import web
from msgspec import Struct
from textual_serve.server import Server

LOOPBACK: Final = "127.0.0.1"
_LOCAL_NAMES: Final = frozenset({LOOPBACK, "localhost"})


class Admission(Struct, frozen=True):
    """Decides which requests one server accepts.

    Attributes:
        host: The address that the server is bound to.
        port: Its port.
        key: The secret in the printed address.
    """

    host: str
    port: int
    key: str

    @property
    def cookie(self) -> str:
        """Return the cookie's name, which includes the port because all ports of a host share cookies."""
        return f"melleafy_tui_{self.port}"

    @property
    def address(self) -> str:
        """Return the address to open in the browser."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}/?key={self.key}"

    def refusal(self, host: str, origin: str | None) -> str:
        """Return why a request is refused because of its `Host` or `Origin`, or `""`.

        Args:
            host: The request's `Host` header.
            origin: The request's `Origin` header, if it has one.
        """
        if not self._is_own(host):
            return "This server answers only to its own address."
        if origin is not None and origin != f"http://{host}":
            return "This server answers only to its own page."
        return ""

    def knows(self, given: str | None) -> bool:
        """Return whether the given key is the right one."""
        return given is not None and compare_digest(
            given.encode(errors="backslashreplace"), self.key.encode()
        )

    def _is_own(self, host: str) -> bool:
        name, _, port = host.rpartition(":")
        if port != str(self.port):
            return False
        name = name.removeprefix("[").removesuffix("]")
        if name == self.host:
            return True
        own, asked = _address(self.host), _address(name)
        if own is not None and own.is_unspecified:
            return asked is not None or name == "localhost"
        return (own is None or own.is_loopback) and name in _LOCAL_NAMES


def is_loopback(host: str) -> bool:
    """Return whether an address is reachable from this machine only."""
    address = _address(host)
    return host == "localhost" or (address is not None and address.is_loopback)


HEADERS: Final[Mapping[str, str]] = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; font-src 'self'; "
        "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
"""Headers of every response: nothing is loaded from elsewhere, and no other page may frame it."""


def _address(name: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(name)
    except ValueError:
        return None


SHUTDOWN_SECONDS: Final = 1.0
"""Seconds that open pages have to end before they are closed."""

_SERVED: Final = re.compile(r"/(?:ws|static/.*[^/])?")
"""The paths that are answered; textual-serve also lists its folder and has a download route."""

_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class WizardServer(Server):
    """Serves one wizard per page.

    Args:
        command: The command that runs a wizard, quoted for a shell.
        admission: Which requests are accepted.
    """

    def __init__(self, command: str, admission: Admission) -> None:
        super().__init__(f"exec {command}", host=admission.host, port=admission.port, title="melleafy-tui")
        self._admission = admission

    def run(self, listening: socket.socket) -> None:
        """Serve until Ctrl+C or SIGTERM; open wizards end and their journals are kept."""
        web.run_app(
            self._make_app(),
            sock=listening,
            print=None,
            access_log=None,
            shutdown_timeout=SHUTDOWN_SECONDS,
            loop=asyncio.new_event_loop(),
        )

    async def on_startup(self, app: web.Application) -> None:
        """Print nothing: the command has printed the address with its key."""

    async def _make_app(self) -> web.Application:
        app = await super()._make_app()
        app.middlewares.append(self._admit)
        app.on_response_prepare.append(_add_headers)
        return app

    @web.middleware
    async def _admit(self, request: web.Request, handler: _Handler) -> web.StreamResponse:
        refusal = self._admission.refusal(request.headers.get("Host", ""), request.headers.get("Origin"))
        if refusal:
            return web.Response(status=403, text=refusal)
        if request.path == "/" and self._admission.knows(request.query.get("key")):
            return self._welcome()
        if not self._admission.knows(request.cookies.get(self._admission.cookie)):
            return web.Response(status=403, text="Open the address that the program printed, with its key.")
        if not _SERVED.fullmatch(request.path):
            return web.Response(status=404)
        self.public_url = f"http://{request.host}"  # the page names it: the name that this browser knows
        return await handler(request)

    def _welcome(self) -> web.Response:
        """Move the key from the address to a same-site cookie."""
        response = web.Response(status=303, headers={"Location": "/"})
        response.set_cookie(
            self._admission.cookie, self._admission.key, httponly=True, samesite="Strict", path="/"
        )
        return response


async def _add_headers(_: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(HEADERS)
