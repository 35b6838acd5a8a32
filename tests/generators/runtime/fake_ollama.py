"""A fake Ollama server on loopback: answers come from a function, and every request is kept."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from msgspec import Struct

Answer = Callable[[str, str], str | int | float]
"""Gives the text of an answer from the prompt and the schema's title; a number of 100 or more is an
HTTP status, a smaller one seconds to wait."""
MODEL = "granite4.1:3b"
"""The one model that the server has."""


class Cut(str):
    """A text that the token limit cut."""

    __slots__ = ()


class Request(Struct):
    """One chat request."""

    schema: str
    messages: list[dict[str, str]]
    options: dict[str, Any]
    format: dict[str, Any]

    @property
    def prompt(self) -> str:
        """Return the last message."""
        return self.messages[-1]["content"]


class FakeOllama(Struct):
    """The running server."""

    url: str
    requests: list[Request]
    pulled: list[str]

    def of(self, schema: str) -> list[Request]:
        """Return the requests with a schema of that title; an empty title stands for plain replies."""
        return [request for request in self.requests if request.schema == schema]


@contextmanager
def serve(answer: Answer) -> Iterator[FakeOllama]:
    """Serve on a free port."""
    requests: list[Request] = []
    pulled: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            """Stay quiet."""

        def send(self, body: object, status: int = 200) -> None:
            data = json.dumps(body).encode()
            with suppress(ConnectionError):  # the client may have gone
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        def do_GET(self) -> None:
            self.send({"models": [{"model": MODEL, "name": MODEL}], "version": "0.12.0"})

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
            if self.path == "/api/pull":
                pulled.append(body["model"])
                return self.send({"status": "success"})
            if self.path != "/api/chat":
                return self.send({"model_info": {}, "capabilities": ["completion"]})
            shape = body.get("format") or {}
            schema = shape.get("title", "")
            requests.append(Request(schema, body["messages"], body.get("options") or {}, shape))
            said = answer("\n".join(message["content"] for message in body["messages"]), schema)
            if isinstance(said, str):
                message = {"role": "assistant", "content": said}
                ended = "length" if isinstance(said, Cut) else "stop"
                done = {"model": body["model"], "message": message, "done": True}
                return self.send({**done, "done_reason": ended})
            if said < 100:
                time.sleep(said)
            return self.send({"error": "overloaded"}, int(said) if said >= 100 else 500)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield FakeOllama(f"http://127.0.0.1:{server.server_port}", requests, pulled)
    finally:
        server.shutdown()
        server.server_close()
