# Static module of melleafy-tui 0.2.0, not to be edited.
"""The agent as an MCP server: typed tools over standard input and output.

server.py of the project calls it; it needs the package mcp.
"""

import inspect
import logging
import sys
from collections.abc import Mapping
from typing import Annotated, Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field, PydanticUserError, TypeAdapter

from .command_line import Pipeline, helps_of
from .runtime import AgentReply, PipelineError

WAKE_UP = "wake_up"
WAKE_UP_MESSAGE = "heartbeat"
WAKE_UP_DESCRIPTION = (
    "Run the agent as its schedule does: it checks what is due, and may skip."
)


def agent_server(
    run_pipeline: Pipeline,
    *,
    name: str,
    description: str,
    version: str,
    scheduled: bool = False,
) -> MCPServer[Any]:
    """Return the server.

    Args:
        run_pipeline: The package's function.
        name: The name of the tool.
        description: What the agent does.
        version: The version of the package.
        scheduled: Whether to add the tool that runs the agent without a message.
    """
    server = MCPServer[Any](name, instructions=description, version=version)
    _add_tool(server, run_pipeline, name, description)
    if scheduled:
        first = next(iter(inspect.signature(run_pipeline).parameters), "")
        woken = {first: WAKE_UP_MESSAGE}
        _add_tool(server, run_pipeline, WAKE_UP, WAKE_UP_DESCRIPTION, woken)
    return server


def serve(server: MCPServer[Any]) -> None:
    """Serve on standard input and output until the input ends.

    The log goes to standard error.
    """
    for handler in logging.getLogger("mellea").handlers:
        if isinstance(handler, logging.StreamHandler):
            handler.setStream(sys.stderr)
    server.run("stdio")


def _add_tool(
    server: MCPServer[Any],
    run_pipeline: Pipeline,
    name: str,
    description: str,
    fixed: Mapping[str, object] | None = None,
) -> None:
    """Add a tool with the parameters and result of run_pipeline, but the fixed ones.

    A parameter that has no JSON, such as a function, keeps its default.
    """
    signature = inspect.signature(run_pipeline, eval_str=True)
    helps = helps_of(run_pipeline)
    always = dict(fixed or {})
    offered = []
    for parameter in signature.parameters.values():
        if parameter.name not in always and _has_json(parameter.annotation):
            said = Field(description=helps.get(parameter.name, ""))
            offered.append(
                parameter.replace(
                    annotation=Annotated[parameter.annotation, said],
                    kind=parameter.KEYWORD_ONLY,
                )
            )

    def run(**given: object) -> AgentReply:
        try:
            return run_pipeline(**given, **always)
        except PipelineError as error:
            raise ToolError(str(error)) from error

    vars(run)["__signature__"] = signature.replace(parameters=offered)
    server.add_tool(
        run,
        name=name,
        description=description,
        annotations=ToolAnnotations(title=name.replace("_", " ")),
        structured_output=True,
    )


def _has_json(annotation: Any) -> bool:
    try:
        TypeAdapter(annotation).json_schema()
    except PydanticUserError:
        return False
    return True
