"""Serves the wizard with textual-serve's sockets and files, and a page of our own that loads nothing remote.

textual-serve's own page loads a font from another host, lists its folder and has a download route; none of
them is used.
"""

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from hmac import compare_digest
from importlib.resources import files
from ipaddress import IPv4Address, IPv6Address, ip_address
from string import Template
from typing import Final, Literal

from aiohttp import web
from msgspec import Struct
from textual_serve.app_service import AppService
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
        return f"http://{_bracketed(self.host)}:{self.port}/?key={self.key}"

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
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; "
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


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


FONT_SIZE: Final = 16
SHUTDOWN_SECONDS: Final = 1.0
"""Seconds that open pages have to end before they are closed."""

MOST_WIZARDS: Final = 8
"""Wizards that run at the same time; each one is a process."""

MOST_CELLS: Final = 1000
"""The largest width and height of a wizard, in cells."""

QUIT_SECONDS: Final = 1.0
END_SECONDS: Final = 0.5
"""Seconds that a wizard has to end after its page was closed: when it is asked to, and after SIGTERM."""

MOST_PENDING: Final = 8_000_000
"""Bytes that a wizard may be behind with reading; its page is closed beyond that."""

_UNUSABLE: Final = (AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What a message raises that no page of ours sends."""

_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class WizardServer(Server):
    """Serves one wizard per page.

    Args:
        command: The command that runs a wizard, quoted for a shell.
        admission: Which requests are accepted.
        title: The title of the page.
    """

    def __init__(self, command: str, admission: Admission, *, title: str) -> None:
        super().__init__(f"exec {command}", host=admission.host, port=admission.port, title=title)
        self._admission = admission
        self._page = _text("page.html")
        self._wizards = 0

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

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """Run one wizard for one page, within the limits on its size and on the number of wizards.

        Args:
            request: The request, with the page's width and height in cells.

        Raises:
            HTTPBadRequest: the size is none that a screen has.
            HTTPServiceUnavailable: too many wizards run already.
        """
        for side in ("width", "height"):
            if not fits_a_screen(request.query.get(side, "80")):
                raise web.HTTPBadRequest(text=f"{side} must be from 1 to {MOST_CELLS}.")
        if self._wizards >= MOST_WIZARDS:
            raise web.HTTPServiceUnavailable(
                text=f"{MOST_WIZARDS} wizards are open; close one of their pages first."
            )
        self._wizards += 1
        try:
            return await self._wizard(request)
        finally:
            self._wizards -= 1

    async def _wizard(self, request: web.Request) -> web.WebSocketResponse:
        websocket = web.WebSocketResponse(heartbeat=15)
        await websocket.prepare(request)

        async def close() -> None:
            await websocket.close()

        wizard = WizardProcess(
            self.command,
            write_bytes=websocket.send_bytes,
            write_str=websocket.send_str,
            close=close,
            download_manager=self.download_manager,
        )
        await wizard.start(
            *(int(request.query.get(side, usual)) for side, usual in (("width", "80"), ("height", "24")))
        )
        try:
            with suppress(*_UNUSABLE):
                await self._process_messages(websocket, wizard)
        finally:
            await wizard.stop()
            await close()
        return websocket

    def _welcome(self) -> web.Response:
        """Move the key from the address to a same-site cookie."""
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


class WizardProcess(AppService):
    """The process of one wizard: it takes no size that a screen hasn't, and ends with its page.

    What is sent to it never waits for it: the page that closes meanwhile would not be noticed.
    """

    async def send_bytes(self, data: bytes) -> bool:
        """Send keys to the process.

        Args:
            data: The keys.

        Raises:
            ValueError: the process is too far behind with reading.
        """
        return self._send(b"D", data)

    async def send_meta(self, data: dict[str, str | int | bool | None]) -> bool:
        """Send a message to the process; raises as `send_bytes` does."""
        return self._send(b"M", json.dumps(data).encode())

    def _send(self, kind: Literal[b"D", b"M"], data: bytes) -> bool:
        try:
            self.stdin.write(self.encode_packet(kind, data))
        except RuntimeError:  # it has ended
            return False
        if self.stdin.transport.get_write_buffer_size() > MOST_PENDING:
            raise ValueError("the wizard doesn't read what it is sent")
        return True

    async def set_terminal_size(self, width: int, height: int) -> None:
        """Pass a new size to the process, if a screen can have it.

        Args:
            width: The width in cells.
            height: The height in cells.
        """
        if fits_a_screen(str(width)) and fits_a_screen(str(height)):
            await super().set_terminal_size(width, height)

    async def stop(self) -> None:
        """End the process: ask it, then tell it, then kill it; its journal was kept after each act."""
        process = self._process
        with suppress(TimeoutError, OSError, ValueError):
            await asyncio.wait_for(super().stop(), QUIT_SECONDS)
        if process is None:
            return
        for end, patience in ((process.terminate, END_SECONDS), (process.kill, None)):
            if process.returncode is not None:
                return
            with suppress(ProcessLookupError):
                end()
            with suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), patience)


def fits_a_screen(cells: str) -> bool:
    """Return whether a text is a width or a height that a wizard can have."""
    return cells.isascii() and cells.isdigit() and len(cells) <= 4 and 1 <= int(cells) <= MOST_CELLS


def _text(name: str) -> str:
    return files("melleafy_tui.cli.browser").joinpath(name).read_text(encoding="utf-8")


def _resource(name: str, kind: str) -> _Handler:
    text = _text(name)

    async def answer(_: web.Request) -> web.StreamResponse:
        return web.Response(text=text, content_type=kind)

    return answer


async def _add_headers(_: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(HEADERS)
