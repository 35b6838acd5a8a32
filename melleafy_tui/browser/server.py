"""The server: textual-serve's sockets and files behind our own page, which fetches nothing from elsewhere.

textual-serve's page asks another host for a font, lists its folder and has a route for downloads; none of the three is
used here.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from importlib.resources import files
from string import Template
from typing import Final

from aiohttp import web
from textual_serve.server import Server

from melleafy_tui.browser.admission import HEADERS, Admission

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
    return files("melleafy_tui.browser").joinpath(name).read_text(encoding="utf-8")


def _resource(name: str, kind: str) -> _Handler:
    text = _text(name)

    async def answer(_: web.Request) -> web.StreamResponse:
        return web.Response(text=text, content_type=kind)

    return answer


async def _add_headers(_: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(HEADERS)
