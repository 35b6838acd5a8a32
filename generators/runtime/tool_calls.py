"""Lets the model call tools: by Mellea's tool calls, or by one structured choice where there are none.

Static module of melleafy-tui 0.2.0: identical in every package of that release that has
it. A re-run keeps your edits.
"""

import inspect
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any, Literal

from mellea import MelleaSession
from mellea.backends import MelleaTool, ModelOption
from mellea.backends.tools import parse_tools
from mellea.core import ModelOutputThunk
from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from .permissions import allowing_rule, asking_rule, covering_rule
from .runtime import BestAttempt, well_formed

Choice = tuple[str, Mapping[str, object]]
"""A call that the model wants: the tool's name and the arguments."""
Confirm = Callable[[str], bool]
"""Asks whether an action may be taken, such as `send_mail(to="a@example.com")`."""

FAILURES = (Exception,)
"""What a tool may raise; a function of the host raises anything."""
PLACEHOLDER = re.compile(r"\{(\w+)\}")
MOST_CALLS = 10
"""The most calls of a run; further ones are notes."""
TASK = (
    "Call the tools whose answers are still needed for this request. Don't repeat a call whose answer is "
    "already there. When no tool is needed, call none and say so in one word."
)


def refuse(_action: str) -> bool:
    """Refuse every action; the default where nobody can be asked."""
    return False


_asked: ContextVar[Confirm] = ContextVar("asked", default=refuse)


@contextmanager
def asking(ask: Confirm) -> Iterator[None]:
    """Let confirmed() ask with this function inside."""
    token = _asked.set(ask)
    try:
        yield
    finally:
        _asked.reset(token)


def confirmed(action: str) -> bool:
    """Return whether whoever can be asked allows an action.

    Nobody does outside asking().
    """
    return _asked.get()(action)


@dataclass(frozen=True)
class Tool:
    """A function that the model may call.

    The parameters and their types are those of the function; it returns text or data.
    """

    function: Callable[..., object]
    description: str = ""
    """What it is for; the first line of the function's docstring where it is empty."""
    name: str = ""
    """The name that the model uses; the function's own where it is empty."""
    called: str = ""
    """The source's name of the tool in permission rules, such as "Bash"."""
    request: str = ""
    """How a call reads in permission rules, such as "git push {branch}".

    Empty, its values stand for it.
    """
    ask: bool | tuple[str, ...] = False
    """Whether calls are confirmed first: all of them, or those under these rules."""
    denied: tuple[str, ...] = ()
    """Rules whose calls are refused, such as "Bash(git push:*)"."""
    allowed: tuple[str, ...] = ()
    """Where there are any, only calls under one of these rules are made."""


def use_tools(
    m: MelleaSession[Any],
    request: str,
    tools: Sequence[Tool],
    notes: list[str],
    *,
    prefix: str | None = None,
    confirm: Confirm = refuse,
    known: Mapping[str, str] | None = None,
    model_options: Mapping[str, object] | None = None,
    rounds: int = 3,
    attempts: int = 2,
    limit: int = 4000,
) -> str:
    """Let the model call tools and return what they answered, one "name(arguments): answer" after the other.

    The session's context stays as it was. Whatever goes wrong with a choice or a tool
    is said to the model, and becomes a note; only a failing model call ends the run.

    Args:
        m: The session; its earlier turns are seen by the model.
        request: What the tools are needed for.
        tools: What may be called.
        notes: Receives what went wrong.
        prefix: The persona.
        confirm: Is asked before calls that need a confirmation; the default refuses.
        known: What the model knows besides, such as memory, by name.
        model_options: Options of the calls, such as a system prompt.
        rounds: How many times the model may choose.
        attempts: How many times a structured choice is tried.
        limit: The most characters of an answer that are kept.

    """
    calls = _Calls(tools, notes, confirm, limit)
    model = _Model(m, request, prefix, known or {}, model_options or {}, attempts)
    left, warned = rounds, False
    while left > 0 and calls.offered:
        left -= 1
        try:
            choices = model.choices(calls.offered, calls.so_far())
        except _NoChoice as error:
            notes.append(f"tools: {error}")
            break
        made = calls.make(choices)
        if calls.faults and warned:
            notes.extend(calls.faults)
            break
        if calls.faults:
            left, warned = left + 1, True
        elif not made:
            break
    return "\n".join(calls.lines)


class _NoChoice(Exception):
    """The model made no readable choice."""


class _Calls:
    """The tools on offer, and what came of the calls so far."""

    def __init__(
        self,
        tools: Sequence[Tool],
        notes: list[str],
        confirm: Confirm,
        limit: int,
    ) -> None:
        """Offer the tools."""
        self.offered = {_name(tool): tool for tool in tools}
        self.lines: list[str] = []
        self.faults: list[str] = []
        """What was wrong with the last choices."""
        self._notes, self._confirm, self._limit = notes, confirm, limit
        self._made: set[str] = set()

    def so_far(self) -> str:
        """Return the answers so far, and what was wrong with the last choices."""
        return "\n".join([*self.lines, *self.faults]) or "nothing yet"

    def make(self, choices: Sequence[Choice]) -> bool:
        """Make the calls that can be read and return whether there was a new one."""
        self.faults = []
        before = len(self.lines)
        for name, given in choices:
            tool = self.offered.get(name)
            if tool is None:
                known = ", ".join(self.offered)
                self.faults.append(f"{name}: there is no such tool; there are {known}")
                continue
            try:
                arguments = _arguments_of(tool).model_validate(dict(given))
            except ValidationError as error:
                self.faults.append(f"{name}: {_said(error)}")
                continue
            values = {
                key: getattr(arguments, _offered_name(key)) for key in _parameters(tool)
            }
            action = _action(tool, values)
            if action in self._made:
                continue
            self._made.add(action)
            if len(self._made) > MOST_CALLS:
                self._notes.append(f"{action} was not called: {MOST_CALLS} calls a run")
            else:
                self.lines.append(f"{action}: {self._answer(tool, action, values)}")
        return len(self.lines) > before

    def _answer(self, tool: Tool, action: str, values: dict[str, Any]) -> str:
        """Return what a tool answers, or why it was not called or failed."""
        against = self._objection(tool, action, values)
        if against:
            self._notes.append(f"{action} was not called: {against}")
            return f"refused: {against}"
        try:
            return _shown(tool.function(**values), self._limit)
        except NotImplementedError as missing:
            del self.offered[_name(tool)]
            self._notes.append(str(missing) or f"{_name(tool)} is not implemented")
            return "not available"
        except FAILURES as error:
            said = str(error) or type(error).__name__
            self._notes.append(f"{_name(tool)}: {said}")
            return f"failed: {said}"

    def _objection(self, tool: Tool, action: str, values: dict[str, Any]) -> str:
        """Return why a call may not be made, or ""."""
        called = tool.called or _name(tool)
        request = _request(tool, values)
        rule = covering_rule(tool.denied, called, request)
        if rule:
            return f"{rule} denies it"
        if tool.allowed and not allowing_rule(tool.allowed, called, request):
            return "no rule allows it"
        rule = (
            "" if isinstance(tool.ask, bool) else asking_rule(tool.ask, called, request)
        )
        if (rule or tool.ask is True) and not self._confirm(action):
            return f"{rule or 'the source'} wants it confirmed, and it was not"
        return ""


@dataclass
class _Model:
    """The model that chooses, by its tool calls as long as it has them."""

    m: MelleaSession[Any]
    request: str
    prefix: str | None
    known: Mapping[str, str]
    options: Mapping[str, object]
    attempts: int
    has_tool_calls: bool = True

    def choices(self, offered: Mapping[str, Tool], so_far: str) -> list[Choice]:
        """Return the calls that the model wants; none when it needs no tool."""
        before = self.m.ctx
        try:
            if self.has_tool_calls:
                try:
                    return self._called(offered, so_far)
                except Exception as error:
                    # A model without tool calls, or one whose call the server can't read, says so.
                    if "tool" not in str(error).lower():
                        raise
                    self.has_tool_calls = False
            model = tool_choice(list(offered.values()))
            return self._chosen(offered, so_far, model)
        finally:
            self.m.ctx = before

    def _called(self, offered: Mapping[str, Tool], so_far: str) -> list[Choice]:
        """Return the calls of a model that has tool calls."""
        tools = [_offer(tool) for tool in offered.values()]
        result = self.m.instruct(
            f"{TASK}\n\nRequest: {self.request}",
            prefix=self.prefix,
            grounding_context={
                name: str(text)
                for name, text in {**self.known, "answers": so_far}.items()
            },
            strategy=None,
            model_options={**self.options, ModelOption.TOOLS: tools},
            tool_calls=True,
        )
        return _wanted(result, offered)

    def _chosen(
        self,
        offered: Mapping[str, Tool],
        so_far: str,
        model: type[BaseModel],
    ) -> list[Choice]:
        """Return the call that the model chooses in a structured answer, or raise _NoChoice."""
        tools = "\n".join(_line(tool) for tool in offered.values())
        result = self.m.instruct(
            f"{TASK} Choose one tool, or none.\n\nTools:\n{tools}\n\nRequest: {self.request}",
            prefix=self.prefix,
            requirements=[well_formed(model)],
            grounding_context={
                name: str(text)
                for name, text in {**self.known, "answers": so_far}.items()
            },
            format=model,
            strategy=BestAttempt(loop_budget=self.attempts),
            model_options=dict(self.options),
        )
        try:
            chosen = model.model_validate_json(str(result)).model_dump()["choice"]
        except ValidationError as error:
            raise _NoChoice(f"no readable choice: {_said(error)}") from error
        if chosen["tool"] == "none":
            return []
        return [(chosen["tool"], chosen["arguments"])]


def _wanted(result: ModelOutputThunk[str], offered: Mapping[str, Tool]) -> list[Choice]:
    """Return the calls in an answer, also unknown ones, and those that it only wrote down as text."""
    found: list[Choice] = [(call.name, call.args) for call in result.tool_calls or ()]
    names = {name for name, _ in found}
    found += [call for call in _raw_calls(result.raw.response) if call[0] not in names]
    return found or [call for call in parse_tools(str(result)) if call[0] in offered]


def _raw_calls(response: object) -> list[Choice]:
    """Return the calls in a server's response.

    Mellea leaves out those of unknown tools.
    """
    if isinstance(response, BaseModel):
        return _raw_calls(response.model_dump())
    if isinstance(response, list | tuple):
        return [call for part in response for call in _raw_calls(part)]
    if not isinstance(response, dict):
        return []
    function = response.get("function")
    if isinstance(function, dict) and isinstance(function.get("name"), str):
        return [(function["name"], _raw_arguments(function.get("arguments")))]
    return [call for part in response.values() for call in _raw_calls(part)]


def _raw_arguments(given: object) -> dict[str, Any]:
    """Return the arguments of a call; a text that isn't JSON has the name ""."""
    try:
        given = json.loads(given) if isinstance(given, str) else given
    except ValueError:
        return {"": given}
    return given if isinstance(given, dict) else {}


class NoTool(BaseModel):
    """No tool is needed."""

    tool: Literal["none"]


def tool_choice(tools: Sequence[Tool]) -> type[BaseModel]:
    """Return the model of a structured choice between no tool and these, with typed arguments."""
    models: list[Any] = [NoTool]
    for tool in tools:
        name = _name(tool)
        literal: Any = Literal[name]
        models.append(
            create_model(
                name,
                tool=(literal, ...),
                arguments=(_arguments_of(tool), ...),
            ),
        )
    return create_model("ToolChoice", choice=(reduce(or_, models), ...))


def _arguments_of(tool: Tool) -> type[BaseModel]:
    """Return the model of a tool's arguments, from the parameters of its function."""
    fields: dict[str, Any] = {
        _offered_name(name): (
            str if parameter.annotation is parameter.empty else parameter.annotation,
            ... if parameter.default is parameter.empty else parameter.default,
        )
        for name, parameter in _parameters(tool).items()
    }
    config = ConfigDict(extra="forbid", coerce_numbers_to_str=True)
    return create_model(f"{_name(tool)}_arguments", __config__=config, **fields)


def _signature(tool: Tool) -> inspect.Signature:
    """Return the signature of a tool's function."""
    return inspect.signature(tool.function, eval_str=True)


def _parameters(tool: Tool) -> Mapping[str, inspect.Parameter]:
    """Return the parameters of a tool's function."""
    return _signature(tool).parameters


def _offered_name(name: str) -> str:
    """Return a parameter's name as the model sees it.

    Pydantic reserves some, such as `copy`.
    """
    plain = name.lstrip("_") or "value"
    return f"{plain}_value" if hasattr(BaseModel, plain) else plain


def _offer(tool: Tool) -> MelleaTool[..., object]:
    """Return a tool as Mellea offers it to the model."""
    name = _name(tool)

    def plain(**given: object) -> object:
        return tool.function(**given)

    # Objects that can be called, such as partial(), have no name, and annotations may be text.
    plain.__name__, plain.__doc__ = name, inspect.getdoc(tool.function)
    vars(plain)["__signature__"] = _signature(tool).replace(
        parameters=[
            parameter.replace(name=_offered_name(parameter.name))
            for parameter in _parameters(tool).values()
        ],
    )
    described = MelleaTool.from_callable(plain, name).as_json_tool
    function = {**described["function"], "description": _description(tool)}
    return MelleaTool(name, tool.function, {**described, "function": function})


def _name(tool: Tool) -> str:
    """Return the name that the model uses."""
    return tool.name or getattr(tool.function, "__name__", "tool")


def _description(tool: Tool) -> str:
    """Return what a tool is for."""
    return tool.description or (inspect.getdoc(tool.function) or "").partition("\n")[0]


def _line(tool: Tool) -> str:
    """Return a tool's line in the catalogue."""
    return f"- {_name(tool)}({', '.join(map(_offered_name, _parameters(tool)))}): {_description(tool)}"


def _request(tool: Tool, values: Mapping[str, object]) -> str:
    """Return how a call reads in permission rules."""
    if not tool.request:
        return " ".join(str(value) for value in values.values())
    return PLACEHOLDER.sub(
        lambda found: str(values.get(found[1], found[0])),
        tool.request,
    )


def _action(tool: Tool, values: Mapping[str, object]) -> str:
    """Return a call as people read it."""
    shown = (
        f"{key}={json.dumps(value, default=str, ensure_ascii=False)}"
        for key, value in values.items()
    )
    return f"{_name(tool)}({', '.join(shown)})"


def _shown(answer: object, limit: int) -> str:
    """Return an answer as text, visibly cut at the limit."""
    if isinstance(answer, BaseModel):
        answer = answer.model_dump(mode="json")
    text = (
        answer
        if isinstance(answer, str)
        else json.dumps(answer, default=str, ensure_ascii=False)
    )
    return (
        text if len(text) <= limit else f"{text[:limit]} [cut, {len(text)} characters]"
    )


def _said(error: ValidationError) -> str:
    """Return what is wrong with arguments or a choice, without the values."""
    return "; ".join(
        f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}"
        for fault in error.errors()[:5]
    )
