"""Lets the model call tools by Mellea's tool calls; a run without them goes on, with a note.

Static module of melleafy-tui 0.2.0: identical in every package of that release that has
it, not to be edited.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, cast

from mellea import MelleaSession
from mellea.backends import ModelOption
from mellea.backends.tools import parse_tools
from mellea.core import (
    Backend,
    Context,
    ModelOutputThunk,
    SamplingResult,
)
from mellea.stdlib.components import Instruction
from mellea.stdlib.requirements import Requirement
from pydantic import BaseModel, ValidationError

from .offered_tools import (
    Tool,
    action_of,
    arguments_of,
    as_offered,
    name_of,
    offered_name,
    parameters_of,
    request_of,
)
from .prompts import prompt, tagged
from .runtime import BestAttempt, EndingBackend, joined, plainly, tokens_of

Choice = tuple[str, Mapping[str, object]]
"""A call that the model wants: the tool's name and the arguments."""
Confirm = Callable[[str], bool]
"""Asks whether an action may be taken, such as `send_mail(to="a@example.com")`."""

FAILURES = (Exception,)
"""What a tool may raise; a function of the host raises anything."""
MOST_CALLS = 10
"""The most calls of a run; further ones are notes."""
TASK = (
    "Call the tools whose answers are still needed for this. "
    "Don't repeat a call whose answer is already there."
)
OR_REPLY = "When no tool is needed, write the reply."
OR_NONE = "When no tool is needed, call none and say so in one word."


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


class ToolCalls:
    """The tools that a run offers, and what came of the calls so far.

    A run asks for its reply with the strategy of this object until make() says that
    there is nothing to ask again. Whatever goes wrong with a choice or a tool is said
    to the model, and becomes a note; only a failing model call ends the run.

    Args:
        tools: What may be called.
        notes: Receives what went wrong.
        confirm: Is asked before calls that need a confirmation; the default refuses.
        rounds: How many times the model may choose.
        attempts: How many times a choice that can't be read is tried.
        limit: The most characters of an answer that are kept.
        tokens: The most tokens of all answers; what goes beyond is cut, with a note.

    """

    def __init__(
        self,
        tools: Sequence[Tool],
        notes: list[str],
        *,
        confirm: Confirm = refuse,
        rounds: int = 3,
        attempts: int = 2,
        limit: int = 4000,
        tokens: int = 4800,
    ) -> None:
        """Offer the tools."""
        self.offered = {name_of(tool): tool for tool in tools}
        self.faults: list[str] = []
        """What was wrong with the last choices."""
        self._wanted: list[Choice] = []
        self._lines: list[str] = []
        self._made: set[str] = set()
        self._notes, self._confirm = notes, confirm
        self._limit, self._tokens = limit, tokens
        self._left, self._attempts, self._warned = rounds, attempts, False

    @property
    def results(self) -> str:
        """Return what the tools answered, one "name(arguments): answer" after the other."""
        return "\n".join(self._lines)

    @property
    def shown(self) -> str:
        """Return the answers of the tools as they stand behind the message, or ""."""
        results = tagged({"tool_results": self.results})
        return f"{results}\n\nAnswer with these." if results else ""

    @property
    def room(self) -> float:
        """Return the tokens that the tools and all their answers may take in a prompt."""
        offers = (as_offered(tool).as_json_tool for tool in self.offered.values())
        return self._tokens + tokens_of(*map(json.dumps, offers))

    @property
    def wants_some(self) -> bool:
        """Return whether the model wants calls that make() is to make."""
        return bool(self._wanted)

    @property
    def open(self) -> bool:
        """Return whether the model may still choose."""
        return self._left > 0 and bool(self.offered)

    def strategy(self, *, loop_budget: int) -> "ToolStrategy":
        """Return the strategy of a reply whose model may call the tools first."""
        return ToolStrategy(self, loop_budget=loop_budget)

    def make(self) -> bool:
        """Make the calls that the model wants and return whether there were any.

        If so, the model is to be asked again.
        """
        wanted, self._wanted = self._wanted, []
        self.faults = []
        made = [self._call(name, given) for name, given in wanted]
        if self.faults and self._warned:
            self._notes.extend(self.faults)
            self._left = 0
        elif self.faults:
            self._left, self._warned = self._left + 1, True
        elif not any(made):
            self._left = 0
        return bool(wanted)

    async def choose(
        self,
        action: Instruction,
        context: Context,
        backend: Backend,
        options: Mapping[str, object],
        otherwise: str,
    ) -> "_Said | None":
        """Let the model choose among the tools and return what it said.

        A model that takes no tools says nothing.
        """
        self._left -= 1
        task = "\n".join([f"{TASK} {otherwise}", *self.faults])
        tools = [as_offered(tool) for tool in self.offered.values()]
        said = ""
        for _ in range(self._attempts):
            try:
                thunk, after = await backend.generate_from_context(
                    action.copy_and_repair(task),
                    ctx=context,
                    model_options={**options, ModelOption.TOOLS: tools},
                    tool_calls=True,
                )
                await thunk.avalue()
            except Exception as error:
                # A model without tool calls, or one whose call the server can't read, says so.
                if "tool" not in str(error).lower():
                    raise
                said = plainly(error)
            else:
                self._wanted = _wanted(thunk, self.offered, action)
                return _Said(thunk, after)
        self._left = 0
        self._notes.append(f"tools: none was called: {said}")
        return None

    def _call(self, name: str, given: Mapping[str, object]) -> bool:
        """Make a call if it can be read and return whether it is a new one."""
        tool = self.offered.get(name)
        if tool is None:
            known = ", ".join(self.offered)
            self.faults.append(f"{name}: there is no such tool; there are {known}")
            return False
        try:
            arguments = arguments_of(tool).model_validate(dict(given))
        except ValidationError as error:
            self.faults.append(f"{name}: {_said(error)}")
            return False
        values = {
            key: getattr(arguments, offered_name(key)) for key in parameters_of(tool)
        }
        action = action_of(tool, values)
        if action in self._made:
            return False
        self._made.add(action)
        if len(self._made) > MOST_CALLS:
            self._notes.append(f"{action} was not called: {MOST_CALLS} calls a run")
            return False
        self._lines.append(self._kept(action, self._answer(tool, action, values)))
        return True

    def _kept(self, action: str, answer: str) -> str:
        """Return the line of a call, its answer cut to the room that is left."""
        line = f"{action}: {answer}"
        left = self._tokens - tokens_of(*self._lines)
        size = len(line)
        while size > len(action) and tokens_of(line[:size]) > left:
            size -= 1 + size // 20
        if size == len(line):
            return line
        self._notes.append(f"{action}: there was no room for the whole answer")
        return f"{line[: max(size, len(action))]} [cut, {len(answer)} characters]"

    def _answer(self, tool: Tool, action: str, values: dict[str, Any]) -> str:
        """Return what a tool answers, or why it was not called or failed."""
        against = self._objection(tool, action, values)
        if against:
            self._notes.append(f"{action} was not called: {against}")
            return f"refused: {against}"
        try:
            return _shown(tool.function(**values), self._limit)
        except NotImplementedError as missing:
            del self.offered[name_of(tool)]
            self._notes.append(str(missing) or f"{name_of(tool)} is not implemented")
            return "not available"
        except FAILURES as error:
            said = str(error) or type(error).__name__
            self._notes.append(f"{name_of(tool)}: {said}")
            return f"failed: {said}"

    def _objection(self, tool: Tool, action: str, values: dict[str, Any]) -> str:
        """Return why a call may not be made, or ""."""
        called = tool.called or name_of(tool)
        request = request_of(tool, values)
        rule = tool.denied(called, request) if tool.denied else ""
        if rule:
            return f"{rule} denies it"
        rule = "" if isinstance(tool.ask, bool) else tool.ask(called, request)
        if tool.allowed and not tool.allowed(called, request):
            rule = rule or "the grant, which leaves it out,"
        if (rule or tool.ask is True) and not self._confirm(action):
            return f"{rule or 'the source'} wants it confirmed, and it was not"
        return ""


@dataclass(frozen=True)
class _Said:
    """What the model said to an offer of tools."""

    thunk: ModelOutputThunk[Any]
    context: Context


class _NoChoice(Exception):
    """The model takes no tools, and nothing else was asked of it."""


class _Answered(EndingBackend):
    """A backend that has given its next answer already."""

    def __init__(self, backend: Backend, said: _Said) -> None:
        """Store the backend and the answer."""
        super().__init__(backend)
        self._answers = [(said.thunk, said.context)]

    async def generate_from_context(
        self,
        *given: Any,
        **named: Any,
    ) -> tuple[ModelOutputThunk[Any], Context]:
        """Return the answer that is there, then those of the backend."""
        if self._answers:
            return self._answers.pop()
        return await super().generate_from_context(*given, **named)


class ToolStrategy(BestAttempt):
    """Best attempt of a model that may call tools instead of replying.

    If it calls none, its words are the first attempt, so that no call is spent to hear
    that no tool is needed. If it calls some, they are the result, and requirements
    wait for the reply.
    """

    def __init__(
        self,
        calls: ToolCalls,
        *,
        loop_budget: int = 1,
        replies: bool = True,
    ) -> None:
        """Store the tools, and whether words are a reply."""
        super().__init__(loop_budget=loop_budget)
        self._calls, self._replies = calls, replies

    async def sample(
        self,
        action: Any,
        context: Context,
        backend: Backend,
        requirements: list[Requirement] | None,
        **named: Any,
    ) -> SamplingResult[Any]:
        """Return the calls of tools that the model wants, or the best attempt."""
        backend = EndingBackend.of(backend)
        if self._calls.open and isinstance(action, Instruction):
            said = await self._calls.choose(
                action,
                context,
                backend,
                named.get("model_options") or {},
                OR_REPLY if self._replies else OR_NONE,
            )
            if said is None and not self._replies:
                raise _NoChoice
            choice = self._calls.wants_some or not self._replies
            if said is not None:
                backend = cast(Backend, _Answered(backend, said))
            requirements = [] if choice else requirements
        return await super().sample(action, context, backend, requirements, **named)


def use_tools(
    m: MelleaSession[Any],
    request: str,
    calls: ToolCalls,
    *,
    prefix: str | None = None,
    known: Mapping[str, str] | None = None,
    model_options: Mapping[str, object] | None = None,
) -> str:
    """Let the model call tools before it is asked for a typed answer; return what they answered.

    An answer with a form can't call tools itself. The session's context stays as it
    was.

    Args:
        m: The session; its earlier turns are seen by the model.
        request: What the tools are needed for.
        calls: The tools.
        prefix: The persona.
        known: What the model knows besides, such as memory, by name.
        model_options: Options of the calls, such as a system prompt.

    """
    before = m.ctx
    while calls.open:
        try:
            m.act(
                Instruction(
                    joined(prompt("", message=request, **(known or {})), calls.shown),
                    prefix=prefix,
                ),
                strategy=ToolStrategy(calls, replies=False),
                model_options=dict(model_options or {}),
            )
        except _NoChoice:
            break
        finally:
            m.ctx = before
        if not calls.make():
            break
    return calls.results


def _wanted(
    result: ModelOutputThunk[Any],
    offered: Mapping[str, Tool],
    asked: Instruction,
) -> list[Choice]:
    """Return the calls in an answer, also unknown ones, and those that it only wrote down as text."""
    found: list[Choice] = [(call.name, call.args) for call in result.tool_calls or ()]
    names = {name for name, _ in found}
    found += [call for call in _raw_calls(result.raw.response) if call[0] not in names]
    return found or _written_calls(str(result), offered, asked)


def _written_calls(
    text: str,
    offered: Mapping[str, Tool],
    asked: Instruction,
) -> list[Choice]:
    """Return the calls that an answer ends with as text.

    What it quotes from the message, memory or an answer of a tool is none: those are
    words of others.
    """
    around = " \t\r\n`~"
    end = text.rstrip(around)
    if end.endswith(">"):  # the end of a tag
        end = end[: end.rfind("<") + 1].rstrip(f"<{around}")
    if not end.endswith(("}", "]")):
        return []
    given: dict[str, Any] = asked.format_for_llm().args
    texts = (given["description"], given["prefix"])
    quoted = [call for each in texts for call in parse_tools(str(each or ""))]
    return [
        call for call in parse_tools(text) if call[0] in offered and call not in quoted
    ]


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
