# Static module of melleafy-tui 0.2.0, not to be edited.
"""Lets the model call tools by Mellea's tool calls; a run without them goes on, with a note."""

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property, partial, wraps
from inspect import getdoc
from typing import Any

from mellea.backends import MelleaTool, ModelOption
from mellea.backends.tools import validate_tool_arguments
from mellea.core import (
    Backend,
    Context,
    ModelOutputThunk,
    ModelToolCall,
    SamplingResult,
)
from mellea.stdlib.components import Instruction
from mellea.stdlib.requirements import Requirement
from pydantic import BaseModel, ValidationError

from .prompts import tagged
from .runtime import BestAttempt, EndingBackend, joined, plainly, tokens_of, visible

Confirm = Callable[[str], bool]
"""Asks whether an action may be taken, such as `send_mail(to="a@example.com")`."""
Said = tuple[ModelOutputThunk[Any], Context]
"""What the model said to an offer of tools."""

MOST_CALLS = 10
"""The most calls of a run; further ones are notes."""
LONGEST_ANSWER = 4000
"""The most characters of an answer that are kept."""
ROOM = 4800
"""The most tokens of all answers together."""
TASK = (
    "Call the tools whose answers are still needed for this. "
    "Don't repeat a call whose answer is already there."
)
OR_REPLY = "When no tool is needed, write the reply."
OR_NONE = "When no tool is needed, call none and say so in one word."
"""Before a typed answer, which the words can't be."""


shared: ContextVar[dict[str, Any]] = ContextVar("shared")
"""What the tools of one run keep for each other."""

Rules = Callable[[str, Mapping[str, object]], tuple[str, str]]
"""Takes the name and values of a call; returns the rule that denies it, and the one
that wants it confirmed, each "" where there is none."""


@dataclass(frozen=True)
class Tool:
    """A function that the model may call; it returns text or data."""

    function: Callable[..., object]
    description: str = ""
    """What it is for; the function's docstring where it is empty."""
    name: str = ""
    """The name that the model uses; the function's own where it is empty."""
    ask: bool = False
    """Whether each call is confirmed first."""
    rules: Rules | None = None
    """What the source's permission rules say of a call."""

    @cached_property
    def offered(self) -> MelleaTool[..., object]:
        """The tool as Mellea offers it to the model."""

        @wraps(self.function)  # partial() and the like have no name, which Mellea wants
        def plain(**given: object) -> object:
            return self.function(**given)

        words = getdoc(self.function) or ""
        _, mark, args = words.partition("\nArgs:")
        plain.__doc__ = f"{self.description}{mark}{args}" if self.description else words
        return MelleaTool.from_callable(plain, self.name or None)

    def action(self, values: Mapping[str, object]) -> str:
        """Return a call as people read it, on one line of visible characters."""
        shown = (
            f"{key}={json.dumps(value, default=str, ensure_ascii=False)}"
            for key, value in values.items()
        )
        return visible(f"{self.offered.name}({', '.join(shown)})")


class ToolCalls:
    """The tools that a run offers, and what came of the calls so far.

    Whatever goes wrong with a choice or a tool is said to the model, and becomes a
    note; only a failing model call ends the run.

    Args:
        tools: What may be called.
        notes: Receives what went wrong.
        confirm: Is asked before calls that need a confirmation; without it they are refused.
        rounds: How many times the model may choose.
    """

    def __init__(
        self,
        tools: Sequence[Tool],
        notes: list[str],
        *,
        confirm: Confirm | None = None,
        rounds: int = 3,
    ) -> None:
        """Offer the tools."""
        self.offered = {tool.offered.name: tool for tool in tools}
        self._answers: dict[str, str] = {}
        self._faults: list[str] = []
        """What was wrong with the last choices."""
        self._notes, self._confirm, self._rounds = notes, confirm, rounds

    @property
    def results(self) -> str:
        """Return what the tools answered, one "name(arguments): answer" after the other."""
        return "\n".join(f"{action}: {said}" for action, said in self._answers.items())

    @property
    def shown(self) -> str:
        """Return the answers of the tools as they stand behind the message, or ""."""
        results = tagged({"tool_results": self.results})
        return f"{results}\n\nAnswer with these." if results else ""

    @property
    def room(self) -> float:
        """Return the tokens that the tools and all their answers may take in a prompt."""
        offers = (tool.offered.as_json_tool for tool in self.offered.values())
        return ROOM + tokens_of(*map(json.dumps, offers))

    def strategy(self, *, loop_budget: int) -> "ToolStrategy":
        """Return the strategy of a reply whose model may call the tools first."""
        return ToolStrategy(self, loop_budget=loop_budget)

    async def choose(
        self,
        action: Instruction,
        context: Context,
        backend: Backend,
        options: Mapping[str, object],
        otherwise: str,
    ) -> Said | None:
        """Let the model call tools until it says words; None if it never does.

        A choice that can't be read is said to the model once; again, it is a note.
        """
        if shared.get(None) is None:
            shared.set({})
        left, warned = self._rounds, False
        while left and self.offered:
            task = "\n".join([f"{TASK} {otherwise}", *self._faults])
            tools = [tool.offered for tool in self.offered.values()]
            calls: Sequence[ModelToolCall] = ()
            self._faults = []
            try:
                thunk, after = await backend.generate_from_context(
                    action.copy_and_repair(joined(self.shown, task)),
                    ctx=context,
                    model_options={**options, ModelOption.TOOLS: tools},
                    tool_calls=True,
                )
            except Exception as error:
                # A model without tool calls, or one whose call the server can't read.
                if "tool" not in str(error).lower():
                    raise
                self._faults = [f"tools: none was called: {plainly(error)}"]
            else:
                calls = thunk.tool_calls or ()
                known = ", ".join(self.offered)
                self._faults = [
                    f"tools: {name} was called, which is none of {known}"
                    for name in _called(thunk.raw.response)
                    if name not in self.offered
                ]
                if not calls and not self._faults:
                    if str(thunk).strip():
                        return thunk, after
                    self._faults = ["tools: the answer was empty"]
            made = [await asyncio.to_thread(self._call, each) for each in calls]
            if self._faults and not warned:
                warned = True
            elif self._faults or not any(made):
                break
            else:
                left -= 1
        self._notes.extend(self._faults)
        return None

    def _call(self, wanted: ModelToolCall) -> bool:
        """Make a call if it can be read and return whether it is a new one."""
        tool = self.offered.get(wanted.name)
        if tool is None:  # a stub that was taken back in this round
            return False
        try:
            values = validate_tool_arguments(tool.offered, wanted.args, strict=True)
        except ValidationError as error:
            faults = (f"{fault['loc'][0]}: {fault['msg']}" for fault in error.errors())
            self._faults.append(f"{wanted.name}: {'; '.join(faults)}")
            return False
        action = tool.action(values)
        if action in self._answers:
            return False
        if len(self._answers) >= MOST_CALLS:
            self._notes.append(f"{action} was not called: {MOST_CALLS} calls a run")
            return False
        said = self._answer(tool, action, values)
        left = ROOM - tokens_of(self.results, action)
        kept = said[:LONGEST_ANSWER]
        while kept and tokens_of(kept) > left:
            kept = kept[: len(kept) * 9 // 10]
        if kept != said:
            self._notes.append(f"{action}: there was no room for the whole answer")
            kept += f" [cut, {len(said)} characters]"
        self._answers[action] = kept
        return True

    def _answer(self, tool: Tool, action: str, values: Mapping[str, Any]) -> str:
        """Return what a tool answers, or why it was not called or failed."""
        name, against = tool.offered.name, ""
        denies, asks = tool.rules(name, values) if tool.rules else ("", "")
        if denies:
            against = f"{denies} denies it"
        elif (asks or tool.ask) and not (self._confirm and self._confirm(action)):
            against = f"{asks or 'the source'} wants it confirmed, and it was not"
        if against:
            self._notes.append(f"{action} was not called: {against}")
            return f"refused: {against}"
        try:
            found = tool.function(**values)
        except NotImplementedError as missing:
            del self.offered[name]
            self._notes.append(str(missing) or f"{name} is not implemented")
            return "not available"
        except Exception as error:  # noqa: BLE001 a tool may raise anything
            said = str(error) or type(error).__name__
            self._notes.append(f"{name}: {said}")
            return f"failed: {said}"
        if isinstance(found, BaseModel):
            found = found.model_dump(mode="json")
        if isinstance(found, str):
            return found
        return json.dumps(found, default=str, ensure_ascii=False)


def chosen_tools(tools: Sequence[Tool], *names: str) -> Callable[..., ToolCalls]:
    """Return what begins the calls of those tools that a step may call."""
    return partial(ToolCalls, [tool for tool in tools if tool.offered.name in names])


def _called(response: object) -> Iterator[str]:
    """Yield the tools that a server's answer calls; Mellea drops those not offered."""
    if isinstance(response, BaseModel):
        response = response.model_dump()
    if isinstance(response, dict):
        for call in response.get("tool_calls") or ():
            yield call["function"]["name"]
    if isinstance(response, dict | list):
        parts = response.values() if isinstance(response, dict) else response
        for part in parts:
            yield from _called(part)


class ToolStrategy(BestAttempt):
    """Best attempt of a model that may call tools first.

    Its words, once it calls none, are the first attempt, so that no call is spent to
    hear that no tool is needed. A typed answer can't call tools: it is asked for after.
    """

    def __init__(self, calls: ToolCalls, *, loop_budget: int = 1) -> None:
        """Store the tools."""
        super().__init__(loop_budget=loop_budget)
        self.calls = calls

    async def sample(
        self,
        action: Any,
        context: Context,
        backend: Backend,
        requirements: list[Requirement] | None,
        **named: Any,
    ) -> SamplingResult[Any]:
        """Return the best attempt after what the tools answered."""
        ending = EndingBackend.of(backend)
        options = named.get("model_options") or {}
        typed = named.get("format") is not None
        otherwise = OR_NONE if typed else OR_REPLY
        said = await self.calls.choose(action, context, ending, options, otherwise)
        self.before = self.calls.shown
        if self.before:
            action = action.copy_and_repair(self.before)
        if said is not None and not typed:
            ending.said = [said]
        return await super().sample(action, context, ending, requirements, **named)
