"""A fake model server on loopback that implements the part of the Ollama API that Mellea 0.8 uses, and logs the calls.

It listens on 127.0.0.1 only, and its answers are deterministic. Each fixture has an address of its own, so calls of
different fixtures are told apart even when they overlap. `scripted_model.py` has what it says.
"""

import json
import threading
from collections.abc import Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final, Self, cast

from msgspec import Struct

from melleafy_tui.core.smoke.scripted_model import (
    Answer,
    Answers,
    Behaviour,
    CaseScript,
    Schema,
    answer,
    ended,
)

CASES_PATH: Final = "/cases"
"""A POST here with `fixture` and `script` gives the path of an address for the calls of that fixture."""

LOOPBACK: Final = "127.0.0.1,localhost"
"""Addresses that no proxy is asked for."""
DEFAULT_MODEL: Final = "granite4.1:3b"
_MOST_BYTES: Final = 64 * 1024 * 1024
_CREATED: Final = "2026-01-01T00:00:00Z"


class ModelCall(Struct, frozen=True):
    """One logged chat call: the fixture, the messages, the schema, the options, the tools on offer and the answer."""

    mark: str
    model: str
    messages: tuple[tuple[str, str], ...]
    schema: Mapping[str, object] | None
    answer: str
    options: Mapping[str, object] = {}
    tools: tuple[str, ...] = ()
    characters: int = 0
    """What the model reads: all messages, and the tools on offer as JSON."""

    @property
    def prompt(self) -> str:
        """Return all messages as one text."""
        return "\n".join(content for _, content in self.messages)

    @property
    def title(self) -> str:
        """Return the title of the schema, or `""` for a text."""
        return str((self.schema or {}).get("title", ""))


class Case(Struct, frozen=True):
    """A fixture whose calls come to an address of their own."""

    mark: str
    script: Answers | None


class FakeModelServer:
    """A fake model server on a free loopback port; a context manager.

    Args:
        behaviour: How it answers.
        delay: Seconds to wait before each answer when the behaviour is slow; stopping the server ends the wait.
        script: What it says to calls that belong to no fixture.
    """

    def __init__(
        self,
        behaviour: Behaviour = Behaviour.PLAIN,
        *,
        delay: float = 5.0,
        script: Answers | None = None,
    ) -> None:
        self.behaviour = behaviour
        self.delay = delay
        self.model_ids = [DEFAULT_MODEL]
        """Models that it has; it answers for any, and pulls none."""
        self.calls: list[ModelCall] = []
        self.stopping = threading.Event()
        self._cases = [Case("", script)]
        self._refused: set[tuple[int, str]] = set()
        self._lock = threading.Lock()
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        """Return the address for OLLAMA_HOST."""
        host, port = self._server.server_address[:2]
        return f"http://{host!s}:{port}"

    @property
    def environment(self) -> Mapping[str, str]:
        """Return the environment variables with which Mellea's Ollama backend finds the server."""
        return {"OLLAMA_HOST": self.url, "NO_PROXY": LOOPBACK}

    def __enter__(self) -> Self:
        """Start the server."""
        self._thread.start()
        return self

    def __exit__(self, *_raised: object) -> None:
        """Stop the server, even during a slow answer."""
        self.stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=5)

    def open_case(self, mark: str, script: Answers | None = None, model: str = "") -> str:
        """Return the path of the address for a fixture's calls, which its script answers.

        Args:
            mark: The fixture.
            script: Its scripted answers.
            model: The model of its package.
        """
        with self._lock:
            self.model_ids += [model] if model else []
            self._cases.append(Case(mark, script))
            return f"{CASES_PATH}/{len(self._cases) - 1}"

    def calls_of(self, mark: str) -> int:
        """Return how many model calls one fixture made."""
        with self._lock:
            return sum(1 for call in self.calls if call.mark == mark)

    def faults_of(self, mark: str) -> list[str]:
        """Return what didn't go as the script of a fixture says."""
        with self._lock:
            scripts = [case.script for case in self._cases if case.mark == mark]
        return [fault for script in scripts if isinstance(script, CaseScript) for fault in script.left()]

    def respond(self, request: Mapping[str, object], case: int = 0) -> Answer:
        """Log one chat call and return its answer.

        Args:
            request: The body of the call.
            case: The number of the fixture's address; 0 for calls that belong to none.
        """
        messages = tuple(
            (str(message.get("role", "")), str(message.get("content", "")))
            for message in cast(list[Mapping[str, object]], request.get("messages", []))
        )
        schema = request.get("format")
        chosen = cast(Schema, schema) if isinstance(schema, Mapping) else None
        prompt = "\n".join(content for _, content in messages)
        listed = cast(Sequence[Mapping[str, Schema]], request.get("tools") or ())
        offered = [tool.get("function", {}) for tool in listed]
        tools = tuple(str(tool.get("name", "")) for tool in offered)
        with self._lock:
            mark, script = self._cases[case].mark, self._cases[case].script
            shown = "\n".join([prompt, *(str(tool.get("description", "")) for tool in offered)])
            said = script.answer(shown, chosen, tools, self.behaviour) if script is not None else None
            options = cast(Schema, request.get("options") or {})
            if said is None:
                limit = cast(int, options.get("num_predict", 0))
                said = ended(Answer(answer(prompt, chosen, self.behaviour)), self.behaviour, limit)
            model = str(request.get("model", ""))
            as_json = json.dumps(listed, ensure_ascii=False) if listed else ""
            read = sum(len(content) for _, content in messages) + len(as_json)
            self.calls.append(ModelCall(mark, model, messages, chosen, said.text, options, tools, read))
        return said

    def is_busy(self, request: Mapping[str, object], case: int) -> bool:
        """Return whether a call comes for the first time to a server that is busy once.

        Args:
            request: The body of the call.
            case: The number of the fixture's address.
        """
        call = (case, json.dumps(request, sort_keys=True))
        with self._lock:
            known = call in self._refused
            self._refused.add(call)
        return self.behaviour is Behaviour.BUSY_ONCE and not known


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
        _, path = self._place()
        models = [{"model": name, "name": name} for name in self.server.owner.model_ids]
        self._reply({"version": "0.0.0-stand-in"} if path == "/api/version" else {"models": models})

    def do_POST(self) -> None:
        owner = self.server.owner
        case, path = self._place()
        try:
            length = int(self.headers.get("Content-Length") or 0)
            body = self.rfile.read(min(length, _MOST_BYTES))
            request = cast(Mapping[str, object], json.loads(body or b"{}"))
        except ValueError:
            self._reply({"error": "the request is not valid JSON"}, status=400)
            return
        if path == CASES_PATH:
            entries = cast(Sequence[Mapping[str, object]], request.get("script", ()))
            script = CaseScript(entries) if request.get("exact") else None
            named = str(request.get("fixture", "")), script, str(request.get("model", ""))
            self._reply({"path": owner.open_case(*named)})
        elif path == "/api/show":
            self._reply({"details": {}, "model_info": {}, "capabilities": ["completion", "tools"]})
        elif path == "/api/chat":
            self._chat(owner, request, case)
        else:
            self._reply({"error": f"the fake server has no {path}"}, status=404)

    def _place(self) -> tuple[int, str]:
        """Return the number of the fixture that the address belongs to, and the path after it."""
        number, slash, rest = self.path.removeprefix(f"{CASES_PATH}/").partition("/")
        if self.path.startswith(f"{CASES_PATH}/") and slash and number.isdigit():
            return int(number), f"/{rest}"
        return 0, self.path

    def _chat(self, owner: FakeModelServer, request: Mapping[str, object], case: int) -> None:
        if owner.behaviour is Behaviour.REFUSE:
            owner.respond(request, case)
            self._reply({"error": "the fake server was told to refuse"}, status=503)
            return
        if owner.is_busy(request, case):
            self._reply({"error": "the fake server was told to be busy once"}, status=503)
            return
        limit = cast(Schema, request.get("options") or {}).get("num_predict")
        if owner.behaviour is Behaviour.RAMBLE and not limit:
            self._reply({"error": "the answer has no end, and the call sets no token limit"}, status=500)
            return
        if owner.behaviour is Behaviour.SLOW:
            owner.stopping.wait(owner.delay)
        said = owner.respond(request, case)
        message: dict[str, object] = {"role": "assistant", "content": said.text}
        if said.calls:
            message["tool_calls"] = [{"function": call} for call in said.calls]
        done = {
            "model": request.get("model", ""),
            "created_at": _CREATED,
            "message": message,
            "done": True,
            "done_reason": said.ended,
            "prompt_eval_count": 1,
            "eval_count": 1,
        }
        self._reply(done)

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
