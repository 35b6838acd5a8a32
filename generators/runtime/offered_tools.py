"""The tools that a model may call: as data, as the model sees them, and how a call of one reads.

Static module of melleafy-tui 0.2.0: identical in every package of that release that has
it, not to be edited.
"""

import inspect
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from mellea.backends import MelleaTool
from pydantic import BaseModel, ConfigDict, create_model

from .runtime import visible

Policy = Callable[[str, str], str]
"""Takes a tool and a request; returns the permission rule that holds for it, or ""."""
PLACEHOLDER = re.compile(r"\{(\w+)\}")


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
    ask: bool | Policy = False
    """Whether calls are confirmed first: all of them, or those under a rule."""
    denied: Policy | None = None
    """Says which rule denies a call."""
    allowed: Policy | None = None
    """Says which rule allows a call; without one the call is confirmed first."""


def arguments_of(tool: Tool) -> type[BaseModel]:
    """Return the model of a tool's arguments, from the parameters of its function."""
    fields: dict[str, Any] = {
        offered_name(name): (
            str if parameter.annotation is parameter.empty else parameter.annotation,
            ... if parameter.default is parameter.empty else parameter.default,
        )
        for name, parameter in parameters_of(tool).items()
    }
    config = ConfigDict(extra="forbid", coerce_numbers_to_str=True)
    return create_model(f"{name_of(tool)}_arguments", __config__=config, **fields)


def _signature(tool: Tool) -> inspect.Signature:
    """Return the signature of a tool's function."""
    return inspect.signature(tool.function, eval_str=True)


def parameters_of(tool: Tool) -> Mapping[str, inspect.Parameter]:
    """Return the parameters of a tool's function."""
    return _signature(tool).parameters


def offered_name(name: str) -> str:
    """Return a parameter's name as the model sees it.

    Pydantic reserves some, such as `copy`.
    """
    plain = name.lstrip("_") or "value"
    return f"{plain}_value" if hasattr(BaseModel, plain) else plain


def as_offered(tool: Tool) -> MelleaTool[..., object]:
    """Return a tool as Mellea offers it to the model."""
    name = name_of(tool)

    def plain(**given: object) -> object:
        return tool.function(**given)

    # Objects that can be called, such as partial(), have no name, and annotations may be text.
    plain.__name__, plain.__doc__ = name, inspect.getdoc(tool.function)
    vars(plain)["__signature__"] = _signature(tool).replace(
        parameters=[
            parameter.replace(name=offered_name(parameter.name))
            for parameter in parameters_of(tool).values()
        ],
    )
    described = MelleaTool.from_callable(plain, name).as_json_tool
    function = {**described["function"], "description": _description(tool)}
    return MelleaTool(name, tool.function, {**described, "function": function})


def name_of(tool: Tool) -> str:
    """Return the name that the model uses."""
    return tool.name or getattr(tool.function, "__name__", "tool")


def _description(tool: Tool) -> str:
    """Return what a tool is for."""
    return tool.description or (inspect.getdoc(tool.function) or "").partition("\n")[0]


def request_of(tool: Tool, values: Mapping[str, object]) -> str:
    """Return how a call reads in permission rules."""
    if not tool.request:
        return " ".join(str(value) for value in values.values())
    return PLACEHOLDER.sub(
        lambda found: str(values.get(found[1], found[0])),
        tool.request,
    )


def action_of(tool: Tool, values: Mapping[str, object]) -> str:
    """Return a call as people read it, on one line of visible characters."""
    shown = (
        f"{key}={json.dumps(value, default=str, ensure_ascii=False)}"
        for key, value in values.items()
    )
    return visible(f"{name_of(tool)}({', '.join(shown)})")
