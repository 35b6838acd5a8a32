"""Generates tools.py: the tools of the agent.

The static modules do the work; what is printed names addresses, scripts, parameters and rules of this agent.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import Final

from msgspec import Struct

from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement, once_a_plan
from melleafy_tui.core.models.facts import PermissionFact, SecretFact, ToolFact
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.core.package.carried_files import script_place
from melleafy_tui.core.package.http_calls import BODY_METHODS, HttpCall, http_call
from melleafy_tui.core.package.naming import VARIABLE
from melleafy_tui.core.package.script_calls import OPTIONS, Argument, ScriptCall, script_call
from melleafy_tui.core.package.source_tool_rules import INTERPRETERS, granted_request, grants_of, requests_of
from melleafy_tui.generators import package_shape as shape
from melleafy_tui.generators.assets import REFERENCES, memory_folder, skill_file
from melleafy_tui.generators.literals import (
    INDENT,
    RUNTIME_DOOR,
    Group,
    displayed,
    fitted,
    plain_words,
    string_literal,
)
from melleafy_tui.generators.provenance import Printed, locations, provenance_comments, source_ranges
from melleafy_tui.generators.templates_environment import code_file


def fetched_domains(elements: Iterable[Element]) -> tuple[str, ...]:
    """Return the domains from which a tool may fetch any address; none if it calls one address or a script."""
    named: list[str] = []
    for element in elements:
        tool = element.facts[ToolFact]
        if not tool.url:
            named += [domain for domain in tool.domains if domain not in named]
    return tuple(named)


LONGEST_ABOUT: Final = 70
"""Characters of a parameter's name and what a script says of it, in a docstring."""
LONGEST_LITERAL: Final = 60
ASKED_AGENT: Final = ("question: str",)
"""The parameters of a function that asks another agent."""
_EMPTY: Final = {"str": '""', "bool": "False"}
"""What a parameter is by default if it can be left out; the others are None then."""

_MODULES: Final = {
    Disposition.STUB: "constrained_slots",
    Disposition.DELEGATE_TO_RUNTIME: "constrained_slots",
    Disposition.MOCK: "mock_tools",
}
"""The modules of the functions that aren't in tools.py, by disposition."""


class WorkingTools:
    """The tools of a package that work, and the rules for their calls.

    Args:
        committed: The committed plan.

    Attributes:
        http: Tools that call one address.
        fetches: Tools that fetch any address of some domains.
        documents: Tools that return a text of references/.
        agents: Tools that ask another agent, each with the folder of its workspace.
        scripts: Tools that run a script or a program.
        script_calls: How a script is called, by the symbol of its tool, where it is known.
        callable: The functions that the model may call, sorted by name, each with its code.
        secrets: Functions that supply secrets instead of the environment, as code, by the secret.
        denied: Permission rules whose calls are refused.
        granted: Rules of a skill for what it may call without a question.
        confirming: The rules for which each call of a function is confirmed first, by its name.
        asked: Permission rules whose calls are confirmed first.
    """

    def __init__(self, committed: CommittedPlan) -> None:
        self.http: Final[list[tuple[shape.Function, HttpCall]]] = []
        self.fetches: Final[list[tuple[shape.Function, tuple[str, ...]]]] = []
        self.documents: Final[list[tuple[shape.Function, str]]] = []
        self.agents: Final[list[tuple[shape.Function, str]]] = []
        self.scripts: Final[list[tuple[shape.Function, str]]] = []
        self.script_calls: Final[dict[str, ScriptCall]] = {}
        concrete = shape.functions(committed, shape.TOOLS, Disposition.REAL_IMPL)
        for function in concrete:
            element = function.items[0].element
            tool = element.facts[ToolFact]
            if domains := fetched_domains(function.elements):
                self.fetches.append((function, domains))
            elif found := http_call(element):
                self.http.append((function, found))
            elif tool.document:
                self.documents.append((function, skill_file(function)))
            elif tool.agent:
                self.agents.append((function, tool.agent))
            else:
                self.scripts.append(
                    (function, tool.program or script_place(committed, tool.script).removeprefix("scripts/"))
                )
                if call := script_call(tool, committed.snapshot.file(tool.script)):
                    self.script_calls[function.symbol] = call
        every = [*self.http, *self.fetches, *self.documents, *self.agents, *self.scripts]
        listed = [(function, function.symbol) for function, _ in every]
        listed += [(function, f"{module}.{function.symbol}") for function, module in _elsewhere(committed)]
        self.callable: Final = sorted(listed, key=lambda pair: pair[0].symbol)
        self.secrets: Final = {
            secret_name(item): f"{module}.{shape.symbol_of(item)}"
            for disposition, module in reversed(_MODULES.items())
            for item in reversed(shape.of_kind(committed, EntryKind.CREDENTIAL, disposition))
        }
        self.denied: Final = shape.denied_rules(committed)
        self.granted: Final = [each for each in committed.inventory.elements if each.facts[ToolFact].is_bound]
        self.confirming: Final = shape.confirmed_functions(committed)
        self.asked: Final = shape.asked_rules(committed) if shape.confirms_calls(committed) else ()

    @property
    def web(self) -> bool:
        """Return whether a tool calls the network."""
        return bool(self.http or self.fetches)


def home_variable(committed: CommittedPlan) -> str:
    """Return the environment variable that sets the folder of state and memory."""
    return f"{committed.package_name.upper()}_HOME"


def memory_variable(committed: CommittedPlan) -> str:
    """Return the environment variable that sets the folder of the agent's own memory files."""
    return f"{committed.package_name.removesuffix('_mellea').upper()}_MEMORY"


@once_a_plan
def working_tools(committed: CommittedPlan) -> WorkingTools:
    """Return the tools of a plan that work."""
    return WorkingTools(committed)


def programs_of(committed: CommittedPlan) -> list[str]:
    """Return the programs that the tools of a package run, which its user installs; Python and sh are there."""
    tools = [(f.items[0].element.facts[ToolFact], name) for f, name in working_tools(committed).scripts]
    found = {tool.program for tool, _ in tools}
    endings = {PurePosixPath(name).suffix for tool, name in tools if not tool.program} - {".py", ".sh"}
    return sorted((found | {INTERPRETERS[each][0] for each in endings if each in INTERPRETERS}) - {""})


def _elsewhere(committed: CommittedPlan) -> Iterator[tuple[shape.Function, str]]:
    """Yield the tools whose function is a hook or a sample, and the hook that updates memory, with their modules."""
    for disposition, module in _MODULES.items():
        for function in shape.functions(committed, shape.TOOLS, disposition):
            if not shape.denied_reason(function):
                yield function, module
    for function in shape.functions(committed, EntryKind.MEMORY, *shape.SLOT_DISPOSITIONS):
        if function.symbol == shape.UPDATE:
            yield function, "constrained_slots"


def _variables(committed: CommittedPlan, function: shape.Function) -> tuple[str, ...]:
    """Return the credentials that a script gets: those that the script, its tool or its skill names."""
    script = PurePosixPath(function.items[0].element.facts[ToolFact].script)
    skill = script.parent.parent if script.parent.name == "scripts" else script.parent
    read = (committed.snapshot.file(str(path)) for path in (script, skill / "SKILL.md"))
    texts = [each.content_full for each in function.elements] + [file.text or "" for file in read if file]
    words = {word for text in texts for word in VARIABLE.findall(text)}
    items = shape.of_kind(committed, EntryKind.CREDENTIAL, Disposition.EXTERNAL_INPUT)
    return tuple(variable for variable in dict.fromkeys(map(shape.variable_of, items)) if variable in words)


def secret_name(item: PlannedElement) -> str:
    """Return the name by which the source knows a credential."""
    return (item.element.facts[SecretFact].variable or item.element.label).upper() or shape.variable_of(item)


# --- tools.py -------------------------------------------------------------------------------------

_NAMES: Final[dict[str, tuple[str, ...]]] = {
    "collections.abc": ("Callable",),
    "pathlib": ("Path",),
    "typing": ("Literal",),
    ".": ("config", "constrained_slots"),
    ".fixtures": ("mock_tools",),
    RUNTIME_DOOR: (
        *("CallRules", "MemoryStore", "Tool", "ask_agent", "call", "confirming", "denying", "fetch"),
        *("granting", "home_folder", "read_text", "run_program", "run_schedule", "run_script", "save_note"),
        "working_state",
    ),
}
"""The names that the printed code may use, by module."""

DENIED: Final = "DENIED_CALLS"
ASKED: Final = "CONFIRMED_CALLS"
GRANTED: Final = "GRANTED_CALLS"


class FunctionCode(Struct, frozen=True):
    """A function of the package as code.

    Attributes:
        function: The function.
        declared: Its parameters.
        summary: The first line of its docstring.
        does: Its body: lines, or one statement.
        about: What its parameters are.
        form: `stub`, `sample`, or how it recalls: from a `copy`, or `in_place`.
        returns: The type of its result.
    """

    function: shape.Function
    declared: Sequence[str]
    summary: str
    does: str | Group
    about: Sequence[str] = ()
    form: str = ""
    returns: str = "str"

    @property
    def head(self) -> str:
        """Return its `def` line."""
        return fitted(Group(f"def {self.function.symbol}(", tuple(self.declared), f") -> {self.returns}:"))

    @property
    def body(self) -> str:
        """Return its body as lines."""
        return self.does if isinstance(self.does, str) else fitted(self.does, INDENT)

    @property
    def words(self) -> str:
        """Return a summary of its elements."""
        return shape.summary_words(self.function)

    @property
    def source(self) -> str:
        """Return where it comes from."""
        category = self.function.items[0].element.category
        return f"Source: {locations(self.function.elements)} ({category}, {self.function.disposition})."


def generate_tools(committed: CommittedPlan) -> list[EmittedFile]:
    """Return tools.py, or nothing if the agent has no tool, state file, memory store or scheduler."""
    tools = working_tools(committed)
    functions = [*_calls(committed, tools), *_of_the_package(committed)]
    if not functions and not tools.callable:
        return []
    supplied = tuple(f"{string_literal(name)}: {code}" for name, code in sorted(tools.secrets.items()))
    has_secrets = bool(supplied) and any(found.has_secrets for _, found in tools.http)
    secrets = Group("SECRETS: dict[str, Callable[[], str]] = {", supplied, "}")
    return [
        code_file(
            committed,
            "tools.py",
            _NAMES,
            policies=list(_policies(tools)) if tools.callable else [],
            secrets=fitted(secrets) if has_secrets else "",
            functions=functions,
            tools=[_listed(function, code, tools) for function, code in tools.callable],
        )
    ]


def _policies(tools: WorkingTools) -> Iterator[Printed]:
    """Yield what says which of some permission rules holds for a call."""
    denied, asked = ([item.element for item in items] for items in (tools.denied, tools.asked))
    for name, holds, elements, rules in (
        (DENIED, "denying", denied, [each.facts[PermissionFact].denies for each in denied]),
        (ASKED, "confirming", asked, [each.facts[PermissionFact].asks for each in asked]),
        (GRANTED, "granting", tools.granted, _granted_rules(tools)),
    ):
        code = fitted(Group(f"{name} = {holds}(", tuple(map(string_literal, rules))))
        if elements:
            yield Printed(code, elements, provenance_comments(source_ranges(elements)))


def _granted_rules(tools: WorkingTools) -> list[str]:
    """Return the grants of a skill as permission rules."""
    return [rule for each in tools.granted for rule in grants_of(each.facts[ToolFact])]


def http_parameters(found: HttpCall) -> list[str]:
    """Return the parameters of a function that calls an address, as it declares them."""
    declared = [f"{name}: str" for name in found.parameters]
    if found.method in BODY_METHODS and found.body is None:
        return [*declared, "body: str"]
    declared += [f'{name}: str = ""' for _, name in found.query]
    return declared or ['request: str = ""']


def _calls(committed: CommittedPlan, tools: WorkingTools) -> Iterator[FunctionCode]:
    """Yield the functions that call an address, fetch one, or run a script."""
    denied = [f"denied={DENIED}"] if tools.denied else []
    for function, found in tools.http:
        said = f"Call {found.method} {plain_words(found.host or found.template)}."
        call = Group("return call(", (*_call_arguments(found, tools), *denied))
        yield FunctionCode(function, http_parameters(found), said, call)
    for function, domains in tools.fetches:
        said = f"Fetch an address of {plain_words(', '.join(domains))}, and of nowhere else."
        call = Group("return fetch(", ("address", displayed(domains, "hosts="), *denied))
        yield FunctionCode(function, ["address: str"], said, call)
    for function, name in tools.documents:
        said = "Return the text of a skill: how to do what its description says."
        yield FunctionCode(function, [], said, Group("return read_text(", (string_literal(name),)))
    for function, folder in tools.agents:
        said = f"Ask the package of the workspace {plain_words(folder)}, and return its reply."
        yield FunctionCode(
            function, ASKED_AGENT, said, Group("return ask_agent(", (string_literal(folder), "question"))
        )
    for function, name in tools.scripts:
        tool, used = function.items[0].element.facts[ToolFact], tools.script_calls.get(function.symbol)
        variables = _variables(committed, function) if name else ()
        call = Group(
            "return run_program(" if tool.program else "return run_script(",
            (*_script_arguments(name, used, variables), *denied),
        )
        said = f"Run {plain_words(tool.name)}." if tool.program else f"Run scripts/{name}."
        yield FunctionCode(function, script_parameters(tools, function), said, call, list(_about(used)))


def _about(call: ScriptCall | None) -> Iterator[str]:
    """Yield what a script says of its parameters, as a docstring has it."""
    for each in call.arguments if call is not None else ():
        choices = "" if _literal(each) else ", ".join(each.choices)
        said = f"{choices}. {each.about}" if choices and each.about else choices or each.about
        if words := shape.shortened(plain_words(said), LONGEST_ABOUT - len(each.name)):
            yield f"{each.name}: {words}"


def _literal(argument: Argument) -> str:
    """Return the type of a parameter with few choices as code, else `""`: a long line would need a break of its own."""
    code = f"Literal[{', '.join(map(string_literal, argument.choices))}]" if argument.choices else ""
    return code if len(code) <= LONGEST_LITERAL else ""


def declaration_of(argument: Argument) -> str:
    """Return a parameter of a script's tool as its function declares it."""
    kind = _literal(argument) or argument.kind
    if argument.required:
        return f"{argument.name}: {kind}"
    empty = _EMPTY.get(kind)
    if argument.default:
        read = {"int": int, "float": float}.get(argument.kind)  # 007 is a number, but no code
        empty = repr(read(argument.default)) if read is not None else string_literal(argument.default)
    return f"{argument.name}: {kind} = {empty}" if empty else f"{argument.name}: {kind} | None = None"


def _passed(argument: Argument) -> str:
    """Return what a tool passes on as a parameter's value, as code."""
    if argument.at_once:
        return f"tuple({argument.name} or ())"
    is_given = argument.option or argument.required
    return argument.name if is_given else f"{argument.name} or None"


def _call_arguments(found: HttpCall, tools: WorkingTools) -> Iterator[str | Group]:
    yield string_literal(found.method)
    yield string_literal(found.template)
    yield displayed((found.host,) if found.host else (), "hosts=")
    if in_address := [name for name in found.parameters if f"{{{name}}}" in found.template]:
        yield _named("parts", ((name, name) for name in in_address))
    if found.query:
        yield _named("query", ((key, f"{name} or None") for key, name in found.query))
    if found.method in BODY_METHODS:
        yield f"body={'body' if found.body is None else _code_of(found.body)}"
    elif not found.parameters and not found.query:
        yield "extra=request"
    if found.headers:
        yield displayed(dict(found.headers), "headers=")
    if found.has_secrets and tools.secrets:
        yield "secrets=SECRETS"


def _code_of(body: object) -> str:
    """Return JSON as code in which parameters stand for `{name}`."""
    if isinstance(body, dict):
        return f"{{{', '.join(f'{string_literal(key)}: {_code_of(part)}' for key, part in body.items())}}}"
    if isinstance(body, list):
        return f"[{', '.join(map(_code_of, body))}]"
    if not isinstance(body, str):
        return repr(body)
    pieces = re.split(r"(?<!\$)\{(\w+)\}", body)
    code = (piece if number % 2 else string_literal(piece) for number, piece in enumerate(pieces) if piece)
    return " + ".join(code) or '""'


def _named(argument: str, pairs: Iterable[tuple[str, str]]) -> Group:
    """Return an argument that is a dict of code by name."""
    return Group(f"{argument}={{", tuple(f"{string_literal(name)}: {code}" for name, code in pairs), "}")


def script_parameters(tools: WorkingTools, function: shape.Function) -> list[str]:
    """Return the parameters of a function that runs a script, as it declares them."""
    call = tools.script_calls.get(function.symbol)
    return ['request: str = ""'] if call is None else [declaration_of(each) for each in call.arguments]


def _script_arguments(name: str, call: ScriptCall | None, variables: Sequence[str]) -> Iterator[str | Group]:
    """Yield what a function that runs a script passes on."""
    yield string_literal(name)
    if call is None:
        yield "extra=request"
    else:
        yield displayed(call.words)
        if parts := [each for each in call.arguments if not each.option]:
            yield _named("parts", ((each.name, _passed(each)) for each in parts))
        if call.options:
            yield _named("options", ((each.option, _passed(each)) for each in call.options))
    if variables:
        yield displayed(tuple(variables), "variables=")


def _of_the_package(committed: CommittedPlan) -> Iterator[FunctionCode]:
    """Yield the functions for notes, memory and schedule; the template has what those for notes and memory do."""
    real, package = Disposition.REAL_IMPL, committed.package_name
    for function in shape.functions(committed, EntryKind.STATE, real):
        yield FunctionCode(function, [], "Return the notes of the last runs; empty when there are none.", "")
    for function in shape.functions(committed, EntryKind.MEMORY, real):
        said = "Return what the memory store says about the query."
        yield FunctionCode(function, ["query: str"], said, copied_memory(committed, real))
    for function in shape.functions(committed, EntryKind.SCHEDULE, real):
        install = string_literal(f"{package.replace('_', '-').strip('-')}[scheduler]")
        call = Group("run_schedule(", ("wake", "config.SCHEDULE_CONFIG", f"install={install}"))
        said = "Call `wake` with the message of each wake-up in SCHEDULE_CONFIG, until interrupted."
        yield FunctionCode(function, ["wake: Callable[[str], object]"], said, call, returns="None")


def copied_memory(committed: CommittedPlan, disposition: Disposition) -> str:
    """Return the code that names the folder with the copy of memory."""
    inside = "".join(f' / "{name}"' for name in (REFERENCES, memory_folder(committed, disposition)) if name)
    return f"{INDENT}copy = Path(__file__).parent{inside}"


def _called(function: shape.Function, tools: WorkingTools) -> tuple[str, str, bool]:
    """Return how permission rules name a tool: tool and request of the runtime, and whether a grant covers it."""
    tool = function.items[0].element.facts[ToolFact]
    if tool.grant:
        return tool.grant, "", tool.is_bound and bool(tool.patterns)
    called, request = granted_request(tool, _granted_rules(tools))
    is_granted = bool(called)
    if not called and (tool.script or tool.program):
        called, request = requests_of(tool)[0]
    is_run = (
        called == "Bash"
        and bool(tool.script or tool.program)
        and function.disposition is Disposition.REAL_IMPL
    )
    call = tools.script_calls.get(function.symbol)
    options = " ".join(f"[{each.option} {{{each.name}}}]" for each in call.options) if call else ""
    words = " ".join(call.words).replace(OPTIONS, options) if call else "{request}"
    return called, f"{request} {words}" if is_run else "", is_granted and is_run


def _listed(function: shape.Function, code: str, tools: WorkingTools) -> Printed:
    """Return a tool as TOOLS lists it, with the comments on why it is asked for."""
    given: list[str | Group] = [code, f"config.TOOL_DESCRIPTIONS[{string_literal(function.symbol)}]"]
    called, request, is_granted = _called(function, tools)
    asking = tools.confirming.get(function.symbol, ())
    given += ["ask=True"] if asking else []
    if tools.denied or tools.asked or is_granted:
        rules = [f"called={string_literal(called)}"] if called else []
        rules += [f"request={string_literal(request)}"] if called and request else []
        rules += [f"denied={DENIED}"] if tools.denied else []
        rules += [f"ask={ASKED}"] if tools.asked else []
        rules += [f"allowed={GRANTED}"] if is_granted else []
        given.append(Group("rules=CallRules(", tuple(rules)))
    listed = fitted(Group("Tool(", tuple(given)), INDENT, ",")
    return Printed(listed, function.elements, provenance_comments(source_ranges(asking)))
