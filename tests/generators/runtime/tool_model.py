"""A stand-in for an Ollama or OpenAI server whose model calls tools; every request is kept."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Calls = list[tuple[str, object]]
Said = str | Calls | tuple[int, str]
"""Text, calls of tools, or a status with an error."""


@dataclass
class Request:
    """One chat request."""

    schema: str
    prompt: str
    tools: list[dict[str, Any]]
    options: dict[str, Any]
    messages: list[dict[str, Any]]


@dataclass
class ToolModel:
    """The running server; `answer` says what the model answers."""

    answer: Callable[[Request], Said] = lambda _: "none"
    url: str = ""
    requests: list[Request] = field(default_factory=list)

    def say(self, *answers: Said) -> None:
        """Answer one after the other, and "none" from then on."""
        left = list(answers)
        self.requests.clear()
        self.answer = lambda _: left.pop(0) if left else "none"


@contextmanager
def serving() -> Iterator[ToolModel]:
    """Serve on a free port of the loopback interface."""
    state = ToolModel()
    models = [{"name": "granite4.1:3b", "model": "granite4.1:3b"}]

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None: ...

        def send(self, body: object, status: int = 200) -> None:
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def do_GET(self) -> None:
            self.send({"models": models, "version": "0.12.0"})

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
            openai = self.path.endswith("/chat/completions")
            if self.path != "/api/chat" and not openai:
                self.send({"model_info": {}, "capabilities": ["completion", "tools"]})
                return
            request = Request(
                (body.get("format") or {}).get("title", ""),
                "\n".join(message["content"] for message in body["messages"]),
                body.get("tools") or [],
                body.get("options") or {},
                body["messages"],
            )
            state.requests.append(request)
            said = state.answer(request)
            if isinstance(said, tuple):
                self.send({"error": said[1]}, said[0])
                return
            message: dict[str, Any] = {"role": "assistant", "content": said if isinstance(said, str) else ""}
            calls = said if isinstance(said, list) else []
            functions = [{"name": name, "arguments": given} for name, given in calls]
            if openai:
                message["tool_calls"] = [
                    {"id": f"call-{at}", "type": "function", "function": each}
                    for at, each in enumerate(functions)
                ]
                choice = {"index": 0, "message": message, "finish_reason": "stop"}
                known = {"id": "1", "object": "chat.completion", "created": 1, "model": body["model"]}
                self.send({**known, "choices": [choice]})
                return
            message["tool_calls"] = [{"function": each} for each in functions]
            self.send({"model": body["model"], "message": message, "done": True})

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    state.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
