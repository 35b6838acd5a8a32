"""The server: textual-serve's sockets and files behind our own page, which fetches nothing from elsewhere.

textual-serve's page asks another host for a font, lists its folder and has a route for downloads; none of the three is
used here.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Mapping
from hmac import compare_digest
from importlib.resources import files
from ipaddress import IPv4Address, IPv6Address, ip_address
from string import Template
from typing import Final

from aiohttp import web
from msgspec import Struct
from textual_serve.server import Server

LOOPBACK: Final = "127.0.0.1"
_LOCAL_NAMES: Final = frozenset({LOOPBACK, "localhost"})


class Admission(Struct, frozen=True):
    """The rule of one server.

    Attributes:
        host: The address that it is bound to.
        port: The port.
        key: What only the printed address holds.
    """

    host: str
    port: int
    key: str

    @property
    def cookie(self) -> str:
        """Return the cookie's name; cookies are shared by the ports of a host."""
        return f"melleafy_tui_{self.port}"

    @property
    def address(self) -> str:
        """Return the address to open."""
        return f"http://{_bracketed(self.host)}:{self.port}/?key={self.key}"

    def refusal(self, host: str, origin: str | None) -> str:
        """Return why a request is refused for the name it came by, or `""`.

        Args:
            host: Its `Host` header.
            origin: Its `Origin` header, where it has one.
        """
        if not self._is_own(host):
            return "This server answers only to its own address."
        if origin is not None and origin != f"http://{host}":
            return "This server answers only to its own page."
        return ""

    def knows(self, given: str | None) -> bool:
        """Return whether this is the key."""
        return given is not None and compare_digest(given.encode(), self.key.encode())

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
    """Return whether only this machine reaches an address."""
    address = _address(host)
    return host == "localhost" or (address is not None and address.is_loopback)


HEADERS: Final[Mapping[str, str]] = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; "
        "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
"""Of every answer: nothing is loaded from elsewhere, and no other page may frame it."""


def _address(name: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(name)
    except ValueError:
        return None


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


FONT_SIZE: Final = 16
SHUTDOWN_SECONDS: Final = 1.0
"""How long open pages may take to end before they are closed."""

_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class WizardServer(Server):
    """One wizard a page.

    Args:
        command: The command that runs a wizard, quoted for a shell.
        admission: Who may speak to it.
        title: What the page is called.
    """

    def __init__(self, command: str, admission: Admission, *, title: str) -> None:
        super().__init__(command, host=admission.host, port=admission.port, title=title)
        self._admission = admission
        self._page = _text("page.html")

    def run(self, listening: socket.socket) -> None:
        """Serve until Ctrl+C or SIGTERM; the wizards that are open end, and their journals are kept."""
        web.run_app(
            self._make_app(),
            sock=listening,
            print=None,
            access_log=None,
            shutdown_timeout=SHUTDOWN_SECONDS,
            loop=asyncio.new_event_loop(),
        )

    async def _make_app(self) -> web.Application:
        @web.middleware
        async def admit(request: web.Request, handler: _Handler) -> web.StreamResponse:
            return await self._admit(request, handler)

        app = web.Application(middlewares=[admit])
        app.add_routes(
            [
                web.get("/", self._index),
                web.get("/page.css", _resource("page.css", "text/css")),
                web.get("/page.js", _resource("page.js", "text/javascript")),
                web.get("/ws", self.handle_websocket),
                web.static("/static", self.statics_path),
            ]
        )
        app.on_response_prepare.append(_add_headers)
        return app

    async def _admit(self, request: web.Request, handler: _Handler) -> web.StreamResponse:
        refusal = self._admission.refusal(request.headers.get("Host", ""), request.headers.get("Origin"))
        if refusal:
            return web.Response(status=403, text=refusal)
        if request.path == "/" and self._admission.knows(request.query.get("key")):
            return self._welcome()
        if not self._admission.knows(request.cookies.get(self._admission.cookie)):
            return web.Response(status=403, text="Open the address that the program printed, with its key.")
        return await handler(request)

    def _welcome(self) -> web.Response:
        """Keep the key in a cookie of this site alone, and out of the address."""
        response = web.Response(status=303, headers={"Location": "/"})
        response.set_cookie(
            self._admission.cookie, self._admission.key, httponly=True, samesite="Strict", path="/"
        )
        return response

    async def _index(self, request: web.Request) -> web.Response:
        text = Template(self._page).substitute(
            title="melleafy-tui", websocket=f"ws://{request.host}/ws", size=FONT_SIZE
        )
        return web.Response(text=text, content_type="text/html")


def _text(name: str) -> str:
    return files("melleafy_tui.cli.browser").joinpath(name).read_text(encoding="utf-8")


def _resource(name: str, kind: str) -> _Handler:
    text = _text(name)

    async def answer(_: web.Request) -> web.StreamResponse:
        return web.Response(text=text, content_type=kind)

    return answer


async def _add_headers(_: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(HEADERS)
