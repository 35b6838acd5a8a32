"""Shared code of every package: errors, results, repair, history, model options.

Static module of melleafy-tui 0.2.0: identical in every package of that release, not to
be edited. Everything specific to this agent is in config.py, requirements.py and
pipeline.py.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Literal, TypeVar

from mellea import MelleaSession
from mellea.backends import ModelOption
from mellea.core import (
    ComputedModelOutputThunk,
    Context,
    SampleActionType,
    SamplingResult,
)
from mellea.stdlib.components import Instruction, Message
from mellea.stdlib.context import ChatContext
from mellea.stdlib.requirements import Requirement, ValidationResult, simple_validate
from mellea.stdlib.sampling import RepairTemplateStrategy
from pydantic import (
    BaseModel,
    Field,
    TypeAdapter,
    ValidationError,
)

ModelT = TypeVar("ModelT", bound=BaseModel)
ResultT = TypeVar("ResultT")
Validations = list[tuple[Requirement, ValidationResult]]


class PipelineError(RuntimeError):
    """The run produced no usable result."""


class InputError(PipelineError):
    """The input is invalid; no model was called."""


class BackendError(PipelineError):
    """A model call failed; the cause has the details."""


class RuleError(PipelineError):
    """The validator of a rule failed, which isn't the model's or the answer's fault."""


@contextmanager
def model_call() -> Iterator[None]:
    """Turn a failure of a model call, such as no server, into BackendError."""
    try:
        yield
    except PipelineError:
        raise
    except Exception as error:
        said = f"{type(error).__name__}: {error}".rstrip(": ")
        raise BackendError(f"the model call failed: {said}") from error


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
        description="What was missing, such as a failed tool or verdict.",
    )


class NotJudged(ValidationResult):
    """No readable verdict: nothing to repair; sampling goes on, notes report it."""

    def __init__(self, why: str = "") -> None:
        """Create the result.

        unjudged_notes() tells it apart from a rule that is met.
        """
        self.why = why
        super().__init__(
            True,
            reason=f"not judged: {why or 'the judge gave no readable verdict'}",
        )


class EssentialRequirement(Requirement):
    """A requirement that makes an answer usable: it parses, or it is not empty."""


def well_formed(model: type[BaseModel]) -> EssentialRequirement:
    """Return the requirement that an answer parses; malformed JSON is retried."""

    def parses(raw: str) -> tuple[bool, str]:
        try:
            model.model_validate_json(raw)
        except ValidationError as error:
            faults = (
                f"{'.'.join(map(str, fault['loc'])) or model.__name__}: {fault['msg']}"
                for fault in error.errors()[:5]
            )
            return False, "; ".join(faults)
        return True, ""

    return EssentialRequirement(
        f"The answer is one {model.__name__} object in JSON.",
        validation_fn=simple_validate(parses),
    )


def not_empty() -> EssentialRequirement:
    """Return the requirement that a reply is not empty."""
    return EssentialRequirement(
        "The reply is not empty.",
        validation_fn=simple_validate(
            lambda reply: (bool(reply.strip()), "it is empty"),
        ),
        check_only=True,
    )


def _in_order(validations: Validations) -> Validations:
    """Return validations in rule order; Mellea passes requirements through a set."""
    return sorted(validations, key=lambda pair: getattr(pair[0], "number", 0))


class BestAttempt(RepairTemplateStrategy):
    """Repair that shows the model what failed, and returns the best attempt."""

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
            pairs = sampled_val[at]
            useless = sum(
                isinstance(r, EssentialRequirement) and not v for r, v in pairs
            )
            unmet_here = sum(not v for _, v in pairs)
            unjudged = sum(isinstance(v, NotJudged) for _, v in pairs)
            return useless, unmet_here, unjudged, -at

        return min(range(len(sampled_val)), key=faults)

    @staticmethod
    def repair(
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
        return action.copy_and_repair(
            f"Your last answer was:\n{past_results[-1]}\n\n"
            f"It does not meet:\n{failed}\n\n"
            "Rewrite the whole answer so that it meets these as well.",
        ), old_ctx


def unmet_rules(sampling: SamplingResult[str]) -> list[Unmet]:
    """Return the rules that the chosen answer breaks, in source order."""
    return [
        Unmet(
            rule=str(requirement.description),
            source=source_of(requirement),
            reason=verdict.reason or "",
        )
        for requirement, verdict in _in_order(sampling.result_validations)
        if not verdict
    ]


def unjudged_notes(sampling: SamplingResult[str]) -> list[str]:
    """Return a note for each rule that has no readable verdict."""
    return [
        f"not judged: {f'{source_of(requirement)} {requirement.description}'.strip()}"
        + (f" ({verdict.why})" if verdict.why else "")
        for requirement, verdict in _in_order(sampling.result_validations)
        if isinstance(verdict, NotJudged)
    ]


def source_of(requirement: Requirement) -> str:
    """Return the source of a rule; other requirements have none."""
    return str(getattr(requirement, "source", ""))


def parse(raw: str, model: type[ModelT]) -> ModelT:
    """Parse a structured answer, or raise PipelineError."""
    try:
        return model.model_validate_json(raw)
    except ValidationError as error:
        raise PipelineError(
            f"no valid {model.__name__} in the model's answer",
        ) from error


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


def read_history(
    notes: list[str],
    history: list[dict[str, str]] | str | None,
    limit: int = 16000,
) -> list[Turn]:
    """Read earlier turns from a list or its JSON.

    Drop the oldest ones beyond `limit` characters.
    """
    try:
        given = (
            history or None
        )  # exporters give an absent value as "", None, 0 or False
        if isinstance(given, str):
            given = json.loads(given)
        turns = TypeAdapter(list[Turn]).validate_python([] if given is None else given)
    except (ValueError, RecursionError) as error:
        raise InputError(
            'history must be a list of {"role": "user" or "assistant", "text": ...}',
        ) from error
    kept = list(turns)
    while sum(len(turn.text) for turn in kept) > limit:
        kept.pop(0)
    if len(kept) < len(turns):
        notes.append(f"history: the {len(turns) - len(kept)} oldest turns were dropped")
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


def call_or_note(
    notes: list[str],
    hook: Callable[..., ResultT],
    *given: object,
    catch: type[Exception] | tuple[type[Exception], ...],
    otherwise: ResultT,
) -> ResultT:
    """Call a tool or host hook; the error becomes a note, the result a default.

    A stub that nobody has written yet raises NotImplementedError; that is a note as
    well. The same note is added once.
    """
    try:
        return hook(*given)
    except NotImplementedError as error:
        said = str(error) or "not implemented yet"
    except catch as error:
        said = str(error) or type(error).__name__
    name = getattr(hook, "__name__", "hook")
    note = f"{name}: {said.removeprefix(f'{name}: ')}"
    if note not in notes:
        notes.append(note)
    return otherwise


@dataclass(frozen=True)
class Settings:
    """Settings that replace those of config.py for a run.

    None leaves a setting as it is.
    """

    backend: str | None = None
    model: str | None = None
    temperature: float | None = None
    seed: int | None = None
    timeout: float | None = None
    context: int | None = None
    """The largest context window in tokens."""


_settings: ContextVar[Settings | None] = ContextVar("settings", default=None)


@contextmanager
def using(settings: Settings) -> Iterator[None]:
    """Use these settings for the runs inside."""
    token = _settings.set(settings)
    try:
        yield
    finally:
        _settings.reset(token)


def session_options(
    config: ModuleType,
    *texts: str,
    room: float = 0,
) -> dict[str, Any]:
    """Return the arguments of start_session() for all sessions of a run.

    Args:
        config: BACKEND, MODEL_ID, REQUEST_TIMEOUT, SMALLEST_CONTEXT and
            LARGEST_CONTEXT; optionally TEMPERATURE and SEED.
        texts: What the prompts hold; the context window has room for them.
        room: The tokens of what later prompts hold besides.

    Raises:
        InputError: the texts don't fit LARGEST_CONTEXT.

    """
    chosen = _settings.get() or Settings()
    backend = chosen.backend or config.BACKEND
    largest = chosen.context or config.LARGEST_CONTEXT
    options = model_options(
        config.SMALLEST_CONTEXT,
        largest,
        *texts,
        room=room,
        temperature=getattr(config, "TEMPERATURE", None)
        if chosen.temperature is None
        else chosen.temperature,
        seed=getattr(config, "SEED", None) if chosen.seed is None else chosen.seed,
    )
    found = {
        "backend_name": backend,
        "model_id": chosen.model or config.MODEL_ID,
        "model_options": options,
    }
    if backend in ("ollama", "openai"):  # others take no time-out
        found["timeout"] = chosen.timeout or config.REQUEST_TIMEOUT
    return found


def model_options(
    smallest: int,
    largest: int,
    *texts: str,
    room: float = 0,
    temperature: float | None = None,
    seed: int | None = None,
) -> dict[str, object]:
    """Return the model options of a run.

    The context window is large enough for the texts and two answers.

    All calls of a run use the same size, because Ollama reloads the model when it
    changes.
    """
    tokens = 2048 + room + tokens_of(*texts)
    window = smallest
    while window < tokens and window < largest:
        window *= 2
    if tokens > largest:
        raise InputError(
            f"the input needs about {tokens:.0f} tokens; "
            f"the largest context window is {largest} "
            "(LARGEST_CONTEXT in config.py, --context)",
        )
    options = {
        ModelOption.CONTEXT_WINDOW: min(window, largest),
        ModelOption.TEMPERATURE: temperature,
        ModelOption.SEED: seed,
    }
    return {name: value for name, value in options.items() if value is not None}


def tokens_of(*texts: str) -> float:
    """Return about how many tokens texts take."""
    return sum(1.0 if ord(letter) > 0x2FF else 0.4 for text in texts for letter in text)


_ACTING = re.compile(
    "\r(?!\n)|[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]"
    "|[\u2028-\u202e\u2066-\u2069\ud800-\udfff]",
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


def settled(
    take: Callable[..., object],
    m: MelleaSession[Any],
    message: str,
    attempts: int,
) -> str:
    """Return what a step found, taken again while the answer is malformed or empty.

    Raises:
        PipelineError: no attempt gave a usable answer.

    """
    for _ in range(attempts):
        try:
            found = take(m, message=message)
        except ValidationError:
            continue
        text = found.model_dump_json() if isinstance(found, BaseModel) else str(found)
        if text.strip():
            return text
    raise PipelineError(f"no usable answer to the step {getattr(take, '__name__', '')}")


def rendered(report: BaseModel) -> str:
    """Return a typed result as text, one field per line and list items below it."""
    lines: list[str] = []
    for name, found in report.model_dump(mode="json").items():
        label = name.replace("_", " ").capitalize()
        if isinstance(found, list):
            lines += [f"{label}:", *(f"- {_as_text(item)}" for item in found)]
        else:
            lines.append(f"{label}: {_as_text(found)}")
    return "\n".join(lines)


def _as_text(value: object) -> str:
    """Return a value of a typed result as text."""
    if value is None:
        return "not known"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
