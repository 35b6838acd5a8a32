# Static module of melleafy-tui 0.2.0, not to be edited.
"""Shared code of every package: errors, results, repair, history, model options.

Everything specific to this agent is in config.py, requirements.py and pipeline.py.
"""

import asyncio
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from types import ModuleType
from typing import Any, Literal

from mellea.backends import ModelOption
from mellea.core import (
    Backend,
    ComputedModelOutputThunk,
    Context,
    ModelOutputThunk,
    SampleActionType,
    SamplingResult,
)
from mellea.stdlib.components import Instruction, Message
from mellea.stdlib.context import ChatContext
from mellea.stdlib.requirements import (
    Requirement,
    ValidationResult,
    check,
    simple_validate,
)
from mellea.stdlib.sampling import RepairTemplateStrategy
from pydantic import BaseModel, Field, TypeAdapter

Validations = list[tuple[Requirement, ValidationResult]]
CUT = "the reply was cut by the token limit (ANSWER_TOKENS in config.py, --tokens)"


class PipelineError(RuntimeError):
    """The run produced no usable result."""


class InputError(PipelineError):
    """The input is invalid; no model was called."""


class BackendError(PipelineError):
    """A model call failed; the cause has the details."""


class RuleError(PipelineError):
    """The validator of a rule failed, which isn't the model's or the answer's fault."""


EXACT = {ModelOption.TEMPERATURE: 0.0}
"""Options of a typed answer: extraction and decisions are no matter of chance."""
PAUSE = 1.0
"""Seconds before the one retry of a model call."""
BUSY = (408, 429, 503, 504)
"""HTTP statuses after which a second try may help."""
_session: ContextVar[Mapping[str, Any]] = ContextVar("session")
"""The arguments of the run's sessions, for what errors say."""


@contextmanager
def model_call() -> Iterator[None]:
    """Turn a failure of a model call, such as no server, into BackendError."""
    try:
        yield
    except PipelineError:
        raise
    except Exception as error:
        raise BackendError(plainly(error)) from error


def plainly(error: BaseException) -> str:
    """Return in a few plain words why a model call failed."""
    chosen, kind = _session.get({}), type(error).__name__.lower()
    ollama = chosen.get("backend_name") == "ollama"
    where = os.environ.get("OLLAMA_HOST" if ollama else "OPENAI_BASE_URL") or ""
    host = where.partition("://")[2] or where or ("127.0.0.1:11434" if ollama else "")
    server = f"{'Ollama' if ollama else 'model'} server{host and f' at {host}'}"
    if "timeout" in kind:
        seconds = f"{chosen.get('timeout', 0):g} seconds"
        return f"no answer within {seconds} (--timeout, REQUEST_TIMEOUT in config.py)"
    if "connect" in kind:
        return f"no {server}" + ("; start it with `ollama serve`" if ollama else "")
    status = getattr(error, "status_code", 0)
    if status == 404:
        name = chosen.get("model_id", "")
        told = f"; `ollama pull {name}` gets it" if ollama else ""
        return f"there is no model {name} on the {server}{told}"
    said = getattr(error, "body", None)
    if isinstance(said, dict) and "n_ctx" in said:  # llama.cpp
        prompt, room = said["n_prompt_tokens"], said["n_ctx"]
        return f"the prompt has {prompt:,} tokens; the model reads {room:,} at most"
    if status:
        return f"the model server answered {status}: {getattr(error, 'error', error)}"
    return f"the model call failed: {type(error).__name__}: {error}".rstrip(": ")


class EndingBackend:
    """A backend that tries a call once more after a time-out, or when a server is busy.

    Mellea leaves that to the caller. Typed calls are exact.
    """

    def __init__(self, backend: Any) -> None:
        """Store the backend."""
        self._backend, self.calls = backend, 0
        self.said: list[tuple[ModelOutputThunk[Any], Context]] = []
        """Answers that are there already; the next calls get them."""

    @classmethod
    def of(cls, backend: object) -> Any:
        """Return the backend as one whose calls end, which it may be already."""
        return backend if isinstance(backend, EndingBackend) else cls(backend)

    def __getattr__(self, name: str) -> object:
        """Return what the backend has."""
        return getattr(self._backend, name)

    async def generate_from_context(
        self,
        *given: Any,
        format: type[BaseModel] | None = None,
        model_options: Mapping[str, Any] | None = None,
        **named: Any,
    ) -> tuple[ModelOutputThunk[Any], Context]:
        """Return the answer of one call."""
        if self.said:
            return self.said.pop()
        self.calls += 1
        exact = {} if format is None else EXACT
        named |= {"format": format, "model_options": {**(model_options or {}), **exact}}

        tried = False
        while True:
            try:
                ask = self._backend.generate_from_context
                thunk, after = await ask(*given, **named)
                await thunk.avalue()
                return thunk, after
            except Exception as error:
                late = "timeout" in type(error).__name__.lower()
                if tried or not (late or getattr(error, "status_code", 0) in BUSY):
                    raise
            tried = True
            await asyncio.sleep(PAUSE)


class Unmet(BaseModel):
    """A rule that the result breaks."""

    rule: str = Field(description="The rule as the source states it.")
    source: str = Field(description="File and lines of the rule; may be empty.")
    reason: str = Field(description="Why the check or the judge failed it.")


class AgentReply(BaseModel):
    """The result of one run of the agent."""

    text: str = Field(description="The reply; empty when the run was skipped.")
    skipped: bool = Field(description="True if there was nothing to do.")
    reason: str = Field(description="Why the run acted or stopped.")
    unmet: list[Unmet] = Field(description="Rules that the result breaks.")
    notes: list[str] = Field(
        description="What was missing, such as a failed tool or verdict."
    )


class NotJudged(ValidationResult):
    """No verdict: nothing to repair; sampling goes on, and notes_on() reports it."""

    def __init__(self, why: str, *, named: bool = True) -> None:
        """Say why there is none; named lists the rule's source in the note."""
        self.why, self.named = why, named
        super().__init__(True, reason=f"not judged: {why}")


def not_empty() -> Requirement:
    """Return the requirement that a reply is not empty."""
    empty = simple_validate(lambda reply: (bool(reply.strip()), "it is empty"))
    return check("The reply is not empty.", empty)


def _number(requirement: Requirement) -> int:
    """Return the place of a rule; 0 is of what makes an answer usable at all."""
    return int(getattr(requirement, "number", 0))


def _in_order(validations: Validations) -> Validations:
    """Return validations in rule order; Mellea passes requirements through a set."""
    return sorted(validations, key=lambda pair: _number(pair[0]))


class BestAttempt(RepairTemplateStrategy):
    """Repair that shows the model what failed, and returns the best attempt."""

    before = ""
    """What stands between the instruction and a repair, such as answers of tools."""

    async def sample(
        self,
        action: Any,
        context: Context,
        backend: Backend,
        requirements: list[Requirement] | None,
        **named: Any,
    ) -> SamplingResult[Any]:
        """Sample on a backend whose calls end."""
        ending = EndingBackend.of(backend)
        return await super().sample(action, context, ending, requirements, **named)

    @staticmethod
    def select_from_failure(
        sampled_actions: Sequence[SampleActionType],
        sampled_results: list[ComputedModelOutputThunk],
        sampled_val: list[Validations],
    ) -> int:
        """Return the usable attempt with the fewest unmet rules.

        The later one wins ties.
        """

        def faults(at: int) -> tuple[int, int, int, int]:
            unmet = [rule for rule, v in sampled_val[at] if not v]
            useless = sum(not _number(rule) for rule in unmet)
            unjudged = sum(isinstance(v, NotJudged) for _, v in sampled_val[at])
            return useless, len(unmet), unjudged, -at

        return min(range(len(sampled_val)), key=faults)

    def repair(  # type: ignore[override]
        self,
        old_ctx: Context,
        new_ctx: Context,
        past_actions: Sequence[SampleActionType],
        past_results: list[ComputedModelOutputThunk],
        past_val: list[Validations],
    ) -> tuple[SampleActionType, Context]:
        """Return the instruction with the last answer and the rules it breaks."""
        action = past_actions[-1]
        if not isinstance(action, Instruction):
            return action, old_ctx
        failed = "\n".join(
            f"* {requirement.description}" + (f" ({v.reason})" if v.reason else "")
            for requirement, v in _in_order(past_val[-1])
            if not v
        )
        said = (
            f"Your last answer was:\n{past_results[-1]}\n\n"
            f"It does not meet:\n{failed}\n\n"
            "Rewrite the whole answer so that it meets these as well."
        )
        return action.copy_and_repair(joined(self.before, said)), old_ctx


def unmet_rules(sampling: SamplingResult[str]) -> list[Unmet]:
    """Return the rules that the chosen answer breaks, in source order."""
    return [
        Unmet(rule=str(rule.description), source=source_of(rule), reason=v.reason or "")
        for rule, v in _in_order(sampling.result_validations)
        if not v
    ]


def notes_on(sampling: SamplingResult[str]) -> list[str]:
    """Return what the chosen answer lacks: its end, or verdicts; one note a reason."""
    notes = []
    if "length" in (sampling.result.generation.finish_reasons or ()):
        notes.append(CUT)
    unjudged: dict[str, list[str]] = {}
    for requirement, verdict in _in_order(sampling.result_validations):
        if isinstance(verdict, NotJudged):
            source = source_of(requirement) if verdict.named else ""
            unjudged.setdefault(verdict.why, []).append(source)
    for why, sources in unjudged.items():
        rules = "1 rule was" if len(sources) == 1 else f"{len(sources)} rules were"
        named = ", ".join(filter(None, sources))
        notes.append(f"{rules} not judged: {why}" + (f" ({named})" if named else ""))
    return notes


def says_unjudged(note: str) -> bool:
    """Return whether a note says that rules were not judged."""
    return bool(re.match(r"\d+ rules? w(as|ere) not judged: ", note))


def source_of(requirement: Requirement) -> str:
    """Return the source of a rule; other requirements have none."""
    return str(getattr(requirement, "source", ""))


def reply_text(sampling: SamplingResult[str]) -> str:
    """Return the chosen reply, or raise PipelineError if it is empty."""
    text = str(sampling).strip()
    if not text:
        raise PipelineError("the model returned an empty reply")
    return text


class Turn(BaseModel):
    """One earlier turn of the conversation."""

    role: Literal["user", "assistant"]
    text: str


LONGEST_HISTORY = 16_000
"""The most characters of earlier turns; the oldest beyond it are dropped."""


def read_history(
    notes: list[str], history: list[dict[str, str]] | str | None
) -> list[Turn]:
    """Read earlier turns from a list or its JSON."""
    try:
        given = history or []  # exporters give an absent value as "", None, 0 or False
        if isinstance(given, str):
            given = json.loads(given)
        turns = TypeAdapter(list[Turn]).validate_python([] if given is None else given)
    except (ValueError, RecursionError) as error:
        form = '{"role": "user" or "assistant", "text": ...}'
        raise InputError(f"history must be a list of {form}") from error
    kept = list(turns)
    while sum(len(turn.text) for turn in kept) > LONGEST_HISTORY:
        kept.pop(0)
    if dropped := len(turns) - len(kept):
        notes.append(f"history: the {dropped} oldest turns were dropped")
    return kept


def transcript(turns: Sequence[Turn]) -> str:
    """Return turns as text, one per line."""
    return "\n".join(f"{turn.role}: {turn.text}" for turn in turns)


def chat_context(turns: Sequence[Turn]) -> ChatContext:
    """Return a session context that sends earlier turns to the model as real turns."""
    context = ChatContext()
    for turn in turns:
        context = context.add(Message(turn.role, turn.text))
    return context


def require_message(message: object) -> str:
    """Return the message, or raise InputError if there is none."""
    if not isinstance(message, str) or not message.strip():
        raise InputError("message is empty; pass the text to work on")
    return message


def payload_text(message: object) -> str | None:
    """Return the message; the payload of an event becomes its JSON."""
    if isinstance(message, (dict, list)) and message:
        return json.dumps(message, ensure_ascii=False, default=str)
    return message if isinstance(message, str) else None


def is_wake_up(message: object) -> bool:
    """Return whether a run is scheduled: "heartbeat", no text, or a host's state."""
    return not isinstance(message, str) or message.strip() in ("", "heartbeat")


def hook(notes: list[str], work: Callable[..., str | None], *given: object) -> str:
    """Call a hook of the host or a tool; what it raises is a note, and the run goes on.

    So is a stub that nobody has written yet. The same note is added once.
    """
    try:
        return work(*given) or ""
    except Exception as error:  # noqa: BLE001 a hook may raise anything
        said = str(error) or type(error).__name__
    name = getattr(work, "__name__", "hook")
    note = f"{name}: {said.removeprefix(f'{name}: ')}"
    if note not in notes:
        notes.append(note)
    return ""


_settings: ContextVar[Mapping[str, Any]] = ContextVar("settings")


@contextmanager
def using(**settings: object) -> Iterator[None]:
    """Use these settings instead of those of config.py for the runs inside.

    They are backend, model, timeout and tokens; None leaves one as it is.
    """
    chosen = {name: value for name, value in settings.items() if value is not None}
    token = _settings.set(chosen)
    try:
        yield
    finally:
        _settings.reset(token)


def session_options(config: ModuleType, *texts: str, room: float = 0) -> dict[str, Any]:
    """Return the arguments of start_session() for all sessions of a run.

    The context window has room for the texts of the prompts, for `room` tokens of later
    ones, and for two answers. All calls of a run use the same, because Ollama reloads
    the model when it changes.

    Raises:
        InputError: the texts don't fit LARGEST_CONTEXT.
        BackendError: there is no server, or it doesn't have the model.
    """
    chosen = _settings.get({})
    backend = chosen.get("backend", config.BACKEND)
    answer = chosen.get("tokens", config.ANSWER_TOKENS)
    tokens = 2 * answer + room + tokens_of(*texts)
    window, largest = config.SMALLEST_CONTEXT, config.LARGEST_CONTEXT
    while window < tokens and window < largest:
        window *= 2
    if tokens > largest:
        raise InputError(
            f"the input needs about {tokens:.0f} tokens; the largest context window is "
            f"{largest} (LARGEST_CONTEXT in config.py)"
        )
    found = {
        "backend_name": backend,
        "model_id": chosen.get("model", config.MODEL_ID),
        "model_options": {
            ModelOption.CONTEXT_WINDOW: min(window, largest),
            ModelOption.MAX_NEW_TOKENS: answer,
        },
    }
    if backend in ("ollama", "openai"):  # others take no time-out
        found["timeout"] = chosen.get("timeout", config.REQUEST_TIMEOUT)
    if backend == "openai":
        found["max_retries"] = 0  # EndingBackend does it, for every backend alike
    _session.set(found)
    if backend == "ollama":
        _find_model(found)
    return found


def _find_model(session: Mapping[str, Any]) -> None:
    """Raise BackendError if the server lacks the model, which Mellea would pull."""
    import ollama  # other backends need none of it

    with model_call():
        listed = ollama.Client(timeout=session["timeout"]).list().models
        name = session["model_id"]
        if not any((found.model or "").startswith(name) for found in listed):
            raise ollama.ResponseError(f"model {name!r} not found", 404)


def tokens_of(*texts: str) -> float:
    """Return about how many tokens texts take."""
    return sum(1.0 if ord(letter) > 0x2FF else 0.4 for text in texts for letter in text)


_ACTING = re.compile(
    "\r(?!\n)|[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]"
    "|[\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


def visible(text: str) -> str:
    """Return a text in which no character acts on a terminal or turns its reading."""
    return _ACTING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def joined(*parts: str) -> str:
    """Return the parts that hold text, with an empty line between them."""
    return "\n\n".join(part for part in parts if part.strip())


def listed(fields: Mapping[str, str]) -> str:
    """Return the fields that have a value, one per line."""
    return "\n".join(f"{label}: {text}" for label, text in fields.items() if text)
