# Static module of melleafy-tui 0.2.0, not to be edited.
"""Lets the model call tools before a typed answer, which can't call any itself."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from mellea import MelleaSession
from mellea.core import Backend, Context, SamplingResult
from mellea.stdlib.components import Instruction
from mellea.stdlib.requirements import Requirement

from .prompts import prompt
from .runtime import EndingBackend
from .tool_calls import ToolCalls, ToolStrategy

OR_NONE = "When no tool is needed, call none and say so in one word."


class _Chosen(Exception):
    """The tools were called, and nothing else was asked."""


class _Choosing(ToolStrategy):
    """The choice of tools alone."""

    async def sample(
        self,
        action: Any,
        context: Context,
        backend: Backend,
        requirements: list[Requirement] | None,
        **named: Any,
    ) -> SamplingResult[Any]:
        """Call tools, and end without an answer."""
        options = named.get("model_options") or {}
        ending = EndingBackend.of(backend)
        await self.calls.choose(action, context, ending, options, OR_NONE)
        raise _Chosen


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

    An answer with a form can't call tools itself.

    Args:
        m: The session; its earlier turns are seen by the model.
        request: What the tools are needed for.
        calls: The tools.
        prefix: The persona.
        known: What the model knows besides, such as memory, by name.
        model_options: Options of the calls, such as a system prompt.
    """
    asked = prompt("", message=request, **(known or {}))
    with suppress(_Chosen):
        m.act(
            Instruction(asked, prefix=prefix),
            strategy=_Choosing(calls),
            model_options=dict(model_options or {}),
        )
    return calls.results
