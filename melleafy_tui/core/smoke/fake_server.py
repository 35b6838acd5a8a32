"""A fake model server on loopback that implements the part of the Ollama API that Mellea 0.8 uses, and logs the calls.

It listens on 127.0.0.1 only, its answers are deterministic, and it can misbehave on purpose (`Behaviour`).
"""

import json
import threading
from collections.abc import Mapping
from enum import StrEnum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self, cast

from msgspec import Struct

Schema = Mapping[str, object]

PLAIN_ANSWER = "Understood. I have looked into it and this is the result."
BROKEN_JSON = '{"decision": "act", "reason":'
_JUDGE_OPENING = "Check whether the output below satisfies the requirement below"
_DEEPEST = 12


class Behaviour(StrEnum):
    """How the fake model server behaves."""

    PLAIN = "plain"
    JUDGE_SAYS_NO = "judge-no"
    BROKEN_JSON = "broken-json"
    EMPTY = "empty"
    SLOW = "slow"
    REFUSE = "refuse"


def is_judge(prompt: str) -> bool:
    """Return whether a prompt is Mellea 0.8's request to judge an output (its template Requirement.jinja2)."""
    return _JUDGE_OPENING in prompt


def answer(prompt: str, schema: Schema | None, behaviour: Behaviour) -> str:
    """Return the model's answer to one chat call."""
    if schema is not None:
        if behaviour is Behaviour.BROKEN_JSON:
            return BROKEN_JSON
        if behaviour is Behaviour.EMPTY:
            return ""
        return json.dumps(minimal_instance(schema), ensure_ascii=False)
    if is_judge(prompt):
        return "no" if behaviour is Behaviour.JUDGE_SAYS_NO else "yes"
    return "" if behaviour is Behaviour.EMPTY else PLAIN_ANSWER


def minimal_instance(schema: Schema, root: Schema | None = None, depth: int = 0) -> object:
    """Return the smallest value that a JSON schema allows, taking the first of its choices.

    Args:
        schema: The schema, as pydantic writes it.
        root: The schema that holds `$defs`; the schema itself when left out.
        depth: The depth of the recursion; a recursive schema ends in None.
    """
    root = schema if root is None else root
    if depth > _DEEPEST:
        return None
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return cast(list[object], schema["enum"])[0]
    if "default" in schema:
        return schema["default"]
    reference = schema.get("$ref")
    if isinstance(reference, str):
        definitions = cast(Mapping[str, Schema], root.get("$defs", {}))
        return minimal_instance(definitions[reference.rsplit("/", 1)[-1]], root, depth + 1)
    for choice in ("anyOf", "oneOf", "allOf"):
        choices = schema.get(choice)
        if isinstance(choices, list) and choices:
            return minimal_instance(cast(Schema, choices[0]), root, depth + 1)
    return _by_type(schema, root, depth)


def _by_type(schema: Schema, root: Schema, depth: int) -> object:
    kind = schema.get("type")
    if kind == "object":
        properties = cast(Mapping[str, Schema], schema.get("properties", {}))
        required = cast(list[str], schema.get("required", list(properties)))
        return {
            name: minimal_instance(properties[name], root, depth + 1)
            for name in required
            if name in properties
        }
    if kind == "array":
        least = cast(int, schema.get("minItems", 0))
        items = cast(Schema, schema.get("items", {}))
        return [minimal_instance(items, root, depth + 1) for _ in range(least)]
    if kind == "integer":
        return int(cast(float, schema.get("minimum", 0)))
    if kind == "number":
        return float(cast(float, schema.get("minimum", 0)))
    if kind == "boolean":
        return False
    if kind == "null":
        return None
    return "stand-in".ljust(cast(int, schema.get("minLength", 0)), ".")


MARK_PATH = "/stand-in/mark"
"""A POST to this path names the fixture that the following calls belong to."""

_MOST_BYTES = 64 * 1024 * 1024
_CREATED = "2026-01-01T00:00:00Z"


class ModelCall(Struct, frozen=True):
    """One logged chat call: the fixture, the messages, the schema and the answer."""

    mark: str
    model: str
    messages: tuple[tuple[str, str], ...]
    schema: Mapping[str, object] | None
    answer: str

    @property
    def prompt(self) -> str:
        """Return all messages as one text."""
        return "\n".join(content for _, content in self.messages)


class FakeModelServer:
    """A fake model server on a free loopback port; a context manager.

    Args:
        behaviour: How it answers.
        delay: Seconds to wait before each answer when the behaviour is slow; stopping the server ends the wait.
        model_ids: Models that the server lists; it answers for any model.
    """

    def __init__(
        self,
        behaviour: Behaviour = Behaviour.PLAIN,
        *,
        delay: float = 5.0,
        model_ids: tuple[str, ...] = (),
    ) -> None:
        self.behaviour = behaviour
        self.delay = delay
        self.model_ids = model_ids
        self.calls: list[ModelCall] = []
        self.mark = ""
        self.stopping = threading.Event()
        self._lock = threading.Lock()
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        """Return the address for OLLAMA_HOST."""
        host, port = self._server.server_address[:2]
        return f"http://{host!s}:{port}"

    def __enter__(self) -> Self:
        """Start the server."""
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop the server, even during a slow answer."""
        self.stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=5)

    def calls_of(self, mark: str) -> int:
        """Return how many model calls one fixture made."""
        with self._lock:
            return sum(1 for call in self.calls if call.mark == mark)

    def respond(self, request: Mapping[str, object]) -> str:
        """Log one chat call and return its answer."""
        messages = tuple(
            (str(message.get("role", "")), str(message.get("content", "")))
            for message in cast(list[Mapping[str, object]], request.get("messages", []))
        )
        schema = request.get("format")
        chosen = cast(Schema, schema) if isinstance(schema, Mapping) else None
        text = answer("\n".join(content for _, content in messages), chosen, self.behaviour)
        with self._lock:
            self.calls.append(ModelCall(self.mark, str(request.get("model", "")), messages, chosen, text))
        return text


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, owner: FakeModelServer) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.owner = owner


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        models = [{"model": name, "name": name} for name in self.server.owner.model_ids]
        self._reply({"version": "0.0.0-stand-in"} if self.path == "/api/version" else {"models": models})

    def do_POST(self) -> None:
        owner = self.server.owner
        try:
            request = cast(Mapping[str, object], json.loads(self._body() or b"{}"))
        except ValueError:
            self._reply({"error": "the request is not valid JSON"}, status=400)
            return
        if self.path == MARK_PATH:
            owner.mark = str(request.get("fixture", ""))
            self._reply({})
        elif self.path == "/api/pull":
            self._reply({"status": "success"})
        elif self.path == "/api/show":
            self._reply({"details": {}, "model_info": {}, "capabilities": ["completion"]})
        elif self.path == "/api/chat":
            self._chat(owner, request)
        else:
            self._reply({"error": f"the fake server has no {self.path}"}, status=404)

    def _chat(self, owner: FakeModelServer, request: Mapping[str, object]) -> None:
        if owner.behaviour is Behaviour.REFUSE:
            owner.respond(request)
            self._reply({"error": "the fake server was told to refuse"}, status=503)
            return
        if owner.behaviour is Behaviour.SLOW:
            owner.stopping.wait(owner.delay)
        text = owner.respond(request)
        done = {
            "model": request.get("model", ""),
            "created_at": _CREATED,
            "message": {"role": "assistant", "content": text},
            "done": True,
            "done_reason": "stop",
            "prompt_eval_count": 1,
            "eval_count": 1,
        }
        self._reply(done)

    def _body(self) -> bytes:
        if "chunked" in self.headers.get("Transfer-Encoding", ""):
            parts: list[bytes] = []
            while size := int(self.rfile.readline().split(b";")[0] or b"0", 16):
                parts.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
            return b"".join(parts)
        length = int(self.headers.get("Content-Length") or 0)
        return self.rfile.read(min(length, _MOST_BYTES))

    def _reply(self, document: Mapping[str, object], *, status: int = 200) -> None:
        body = json.dumps(document).encode() + b"\n"
        try:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def log_message(self, format: str, *arguments: object) -> None:
        """Keep quiet: the wire log is `FakeModelServer.calls`."""
