"""Generates what a host needs beside a copy of a converted package: a LangGraph project, an MCP server, a plugin.

What is the same for every agent is a static module (`HOST_MODULES`) or a template;
only names, types and settings of this agent are printed. The package may have been edited or made by somebody else, so
names are checked, types are rebuilt from the few that JSON has, and texts are literals.
"""

import ast
import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from melleafy_tui.core.language.python_syntax import parse_python
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.manifest import PipelineParameter
from melleafy_tui.core.models.visible_text import visible
from melleafy_tui.generators.literals import INDENT, Group, fitted, json_bytes, literal, string_literal
from melleafy_tui.generators.static_modules import place_of, static_module
from melleafy_tui.generators.templates_environment import document, render_template

LANGGRAPH_RANGE: Final = "langgraph>=1.2,<2"
MCP_RANGE: Final = "mcp>=2.3,<3"
PLUGIN_ROOT: Final = "${CLAUDE_PLUGIN_ROOT}"
"""The folder of the plugin; Claude Code fills it in."""

PLUGIN_SERVER: Final = "agent"
"""The server in a plugin; short, because a tool's name has plugin, server and tool, and may have 64 characters."""

SCHEDULE_SYMBOL: Final = "SCHEDULE_CONFIG"
MEMORY_SYMBOL: Final = "MEMORY_FOLDER"
LONGEST_DESCRIPTION: Final = 500
DEFAULT_VERSION: Final = "0.1.0"

_IDENTIFIER: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_VARIABLE: Final = re.compile(r"[A-Z_][A-Z0-9_]{0,99}")
_VERSION: Final = re.compile(r"\d{1,9}(\.\d{1,9}){1,3}")
_OF_JSON: Final = re.compile(r"(?:\b(?:bool|dict|float|int|list|str|None)\b|[\[\], |])+")
_RESERVED: Final = frozenset({"reply", "self"})


class InvalidAgent(ValueError):
    """The package can't be called by a host; the message says why."""


class HostedAgent:
    """The parts of a package that the files for a host name, read from its code; each is checked.

    Args:
        package: The package's folder.
        files: Its Python files, with paths from the folder above it.
        description: What the agent does.
        version: The version of the package.
        woken: Whether the agent runs without a message.
        variables: The environment variables that it reads.

    Attributes:
        name: The name of the graph and of the tool.
        title: The name of the plugin, the server and the skill.
        parameters: The parameters of `run_pipeline` that a host can give.
        left_out: The parameters that have no JSON type, so that they keep their defaults.
        reply: The class of the result.
        reply_module: The module of the package that defines it.
        scheduled: Whether the package has a schedule.
        has_memory: Whether the agent searches memory files outside of the package.

    Raises:
        InvalidAgent: The names aren't valid, or `run_pipeline` has a parameter or a result that a host can't give.
    """

    def __init__(
        self,
        package: str,
        files: Iterable[EmittedFile],
        *,
        description: str = "",
        version: str = "",
        woken: bool = False,
        variables: Iterable[str] = (),
    ) -> None:
        code = {file.path.removeprefix(f"{package}/"): file.data for file in files}
        functions = (
            node
            for node in parse_python(code.get("pipeline.py", b"")).body
            if isinstance(node, ast.FunctionDef)
        )
        entry = next((node for node in functions if node.name == "run_pipeline"), None)
        if not _IDENTIFIER.fullmatch(package) or entry is None:
            raise InvalidAgent("there is no run_pipeline in a package with a plain name")
        declared = list(_parameters(entry.args))
        self.reply: Final = ast.unparse(entry.returns) if entry.returns else "None"
        unknown = [parameter for parameter in declared if not _is_given(parameter)]
        if needed := [parameter.name for parameter in unknown if parameter.required]:
            raise InvalidAgent(f"run_pipeline needs {needed[0]!r}, which has no JSON type")
        homes = ("schemas", "_runtime/runtime", "_runtime/steps")
        modules = [name for name in homes if self.reply in _defined(code.get(f"{name}.py", b""))]
        if not _IDENTIFIER.fullmatch(self.reply) or not modules:
            raise InvalidAgent(
                f"run_pipeline returns {self.reply!r}, which is no class of schemas.py or _runtime/"
            )
        constants = _defined(code.get("config.py", b""))
        said = " ".join(visible(description).split())[:LONGEST_DESCRIPTION]
        self.package: Final = package
        self.name: Final = package.removesuffix("_mellea") or package
        self.title: Final = re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-") or "agent"
        self.parameters: Final = [each for each in declared if each not in unknown]
        self.left_out: Final = [parameter.name for parameter in unknown]
        self.reply_module: Final = f"{package}.{modules[0].replace('/', '.')}"
        self.scheduled: Final = SCHEDULE_SYMBOL in constants
        self.has_memory: Final = MEMORY_SYMBOL in constants
        self.description: Final = said or f"The {package.removesuffix('_mellea').replace('_', ' ')} agent."
        self.version: Final = version if _VERSION.fullmatch(version) else DEFAULT_VERSION
        self.woken: Final = woken
        self.variables: Final = [name for name in variables if _VARIABLE.fullmatch(name)]


def _parameters(declared: ast.arguments) -> Iterator[PipelineParameter]:
    positional = [*declared.posonlyargs, *declared.args]
    defaults = [None] * (len(positional) - len(declared.defaults)) + declared.defaults + declared.kw_defaults
    for argument, default in zip((*positional, *declared.kwonlyargs), defaults, strict=True):
        annotation = ast.unparse(argument.annotation) if argument.annotation else "object"
        yield PipelineParameter(name=argument.arg, type=annotation, required=default is None)


def _defined(code: bytes) -> set[str]:
    """Return the top-level classes and annotated constants of a module."""
    body = parse_python(code).body
    constants = {ast.unparse(node.target) for node in body if isinstance(node, ast.AnnAssign)}
    return constants | {node.name for node in body if isinstance(node, ast.ClassDef)}


def _is_given(parameter: PipelineParameter) -> bool:
    """Return whether a host can give a parameter: its name is plain, and its type made of JSON's types only."""
    plain = _IDENTIFIER.fullmatch(parameter.name) and parameter.name not in _RESERVED
    return bool(plain and _OF_JSON.fullmatch(parameter.type))


def langgraph_files(agent: HostedAgent) -> list[EmittedFile]:
    """Return the files of a LangGraph project: the graph, its configuration, and the crons of a scheduled agent."""
    serde = {"allowed_msgpack_modules": [[agent.reply_module, agent.reply]]}
    configuration = {
        "$schema": "https://langgra.ph/schema.json",
        "dependencies": [".", LANGGRAPH_RANGE],
        "graphs": {agent.name: "./graph.py:graph"},
        "checkpointer": {"serde": serde},
    }
    files = [
        _static(agent, "langgraph_host.py"),
        _graph(agent),
        EmittedFile("langgraph.json", json_bytes(configuration)),
        _readme(agent, "langgraph", LANGGRAPH_RANGE),
    ]
    if agent.scheduled:
        given = (f"config.{SCHEDULE_SYMBOL}", f"graph={string_literal(agent.name)}")
        crons = fitted(Group("sys.exit(run_crons(", given, "))"), INDENT)
        files += [_static(agent, "langgraph_crons.py"), _static(agent, "schedule.py")]
        files.append(_code("crons.py", agent, crons=crons))
    return files


def _graph(agent: HostedAgent) -> EmittedFile:
    required = [each for each in agent.parameters if each.required and "None" not in each.type]
    fields = [
        f"    {each.name}: {f'Required[{each.type}]' if each in required else each.type}"
        for each in agent.parameters
    ]
    given = ("run_pipeline", f"name={string_literal(agent.name)}", "given=Input", "result=Output")
    graph = fitted(Group("graph = agent_graph(", given))
    return _code("graph.py", agent, fields=fields, required=required, graph=graph)


def mcp_files(agent: HostedAgent) -> list[EmittedFile]:
    """Return the files of an MCP server: the server, and an example of how a client registers it."""
    return [*_server(agent, agent.title, "."), _readme(agent, "mcp", MCP_RANGE)]


def claude_code_files(agent: HostedAgent) -> list[EmittedFile]:
    """Return the files of a Claude Code plugin: manifest, MCP server, a skill that calls it, and a marketplace."""
    about = {"name": agent.title, "description": agent.description}
    said = f"Ask the {agent.title} agent, a converted workspace whose rules are checked in code. {agent.description}"
    market = {
        "name": f"{agent.title}-local",
        "description": f"The {agent.title} plugin.",
        "owner": {"name": agent.title},
        "plugins": [{**about, "source": "./"}],
    }
    skill = document(
        f"skills/{agent.title}/SKILL.md",
        "host_skill.md.j2",
        agent=agent,
        description=json.dumps(said, ensure_ascii=False),
        server=f"mcp__plugin_{agent.title}_{PLUGIN_SERVER}__",
    )
    return [
        *_server(agent, PLUGIN_SERVER, PLUGIN_ROOT),
        EmittedFile(".claude-plugin/plugin.json", json_bytes({**about, "version": agent.version})),
        EmittedFile(".claude-plugin/marketplace.json", json_bytes(market)),
        skill,
        _readme(agent, "claude-code", MCP_RANGE),
    ]


def _server(agent: HostedAgent, name: str, folder: str) -> list[EmittedFile]:
    """Return the server and how a client starts it; variables are passed on, never their values."""
    given = {
        "name": agent.name,
        "description": agent.description,
        "version": agent.version,
        "scheduled": agent.woken,
    }
    named = (f"{name}={literal(value)}" for name, value in given.items())
    code = fitted(Group("server = agent_server(", ("run_pipeline", *named)))
    arguments = ["run", "--quiet", "--project", folder, "--with", MCP_RANGE, "python", f"{folder}/server.py"]
    started: dict[str, object] = {"command": "uv", "args": arguments}
    if agent.variables:
        started["env"] = {variable: f"${{{variable}:-}}" for variable in agent.variables}
    return [
        _static(agent, "mcp_host.py"),
        _code("server.py", agent, server=code),
        EmittedFile(".mcp.json", json_bytes({"mcpServers": {name: started}})),
    ]


def _readme(agent: HostedAgent, host: str, requirement: str) -> EmittedFile:
    return document("README.md", "host_readme.md.j2", agent=agent, host=host, requirement=requirement)


def _static(agent: HostedAgent, name: str) -> EmittedFile:
    return EmittedFile(f"{agent.package}/{place_of(name)}", static_module(name), static=True)


def _code(path: str, agent: HostedAgent, **values: object) -> EmittedFile:
    return EmittedFile(path, render_template(f"host_{path}.j2", agent=agent, **values).encode())


HOST_FILES: Final[dict[str, Callable[[HostedAgent], list[EmittedFile]]]] = {
    "langgraph": langgraph_files,
    "mcp": mcp_files,
    "claude-code": claude_code_files,
}
"""What generates the files for each host, beside a copy of the package."""
