"""Generates tools.py: the tools of the agent.

The static modules do the work; what is printed names addresses, scripts, parameters and rules of this agent.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePosixPath
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement, once_a_plan
from melleafy_tui.core.models.facts import PermissionFact, SecretFact, ToolFact
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.core.package.carried_files import script_place
from melleafy_tui.core.package.naming import VARIABLE, python_identifier
from melleafy_tui.core.package.script_calls import OPTIONS, Argument, ScriptCall, script_call
from melleafy_tui.core.package.sent_variables import SECRET_PATTERN, curl_headers, json_body
from melleafy_tui.core.package.source_tool_rules import (
    INTERPRETERS,
    granted_request,
    grants_of,
    requests_of,
)
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

_BODY_METHODS: Final = ("POST", "PUT", "PATCH")
_METHODS: Final = ("GET", "HEAD", "DELETE", *_BODY_METHODS)
_CAPITALS: Final = (
    r"(?<=[/=&])(?![A-Z0-9_]*(?:KEY|TOKEN|SECRET|PASS))"
    r"(?P<capitals>[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|OWNER|REPO|BRANCH|USER(?:NAME)?|CITY|QUERY|PATH|ID)(?![\w%-])"
)
_PLACEHOLDER: Final = LazyRegex(
    rf"{SECRET_PATTERN}|\{{\{{?\s*(?P<part>\w*)\s*\}}?\}}|<(?P<angle>[\w -]*)>|{_CAPITALS}"
)
"""A secret, or a placeholder in braces, angle brackets or capitals; a credential's name is no parameter."""


class HttpCall(Struct, frozen=True):
    """An HTTP call: `template` has `{name}` for each parameter and `${NAME}` for each secret.

    Attributes:
        method: The HTTP method.
        template: The address.
        host: The host with its port, as the static module takes it; `""` if the address can't be read.
        parameters: The names of the parameters in the address.
        headers: The headers, with `${NAME}` for secrets.
        query: The names of the query that a call may leave out, each with its parameter.
        body: The JSON that is sent as code, with the parameters in it; `""` if the caller gives the whole body.
    """

    method: str
    template: str
    host: str
    parameters: tuple[str, ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    query: tuple[tuple[str, str], ...] = ()
    body: str = ""

    @property
    def has_secrets(self) -> bool:
        """Return whether the address or a header names a secret."""
        return any("${" in text for text in (self.template, *(text for _, text in self.headers)))


def http_call(element: Element) -> HttpCall | None:
    """Return the HTTP call of a tool that has an address, or None."""
    tool = element.facts[ToolFact]
    if not tool.url:
        return None
    url = tool.url + "}" * (tool.url.count("{") - tool.url.count("}"))
    names: list[str] = []

    def named(found: re.Match[str]) -> str:
        variable = found["variable"] or found["plain"]
        if variable:
            return f"${{{variable}}}"
        name = python_identifier(
            found["part"] or found["angle"] or (found["capitals"] or "").removeprefix("YOUR_"),
            set(_TAKEN),
            fallback="request",
        )
        if name not in names:
            names.append(name)
        return f"{{{name}}}"

    template = _PLACEHOLDER.sub(named, url)
    method = (tool.method or "GET").upper()
    headers = tuple((name, _PLACEHOLDER.sub(_secret, text)) for name, text in curl_headers(element))
    query = tuple((key, python_identifier(key, {*_TAKEN, *names}, fallback="query")) for key in tool.query)
    found = HttpCall(
        method if method in _METHODS else "GET", template, _host(url), tuple(names), headers, query
    )
    body = json_body(tool.command) if method in _BODY_METHODS else None
    if body is None:
        return found
    code = _with_parameters(body, named)
    return replace(found, body=code, parameters=tuple(names)) if len(names) > len(found.parameters) else found


def _with_parameters(body: object, named: Callable[[re.Match[str]], str]) -> str:
    """Return JSON as code in which parameters stand for placeholders."""
    if isinstance(body, dict):
        pairs = (f"{string_literal(key)}: {_with_parameters(part, named)}" for key, part in body.items())
        return f"{{{', '.join(pairs)}}}"
    if isinstance(body, list):
        return f"[{', '.join(_with_parameters(part, named) for part in body)}]"
    if not isinstance(body, str) or not _PLACEHOLDER.search(body):
        return string_literal(body) if isinstance(body, str) else repr(body)
    if whole := _PLACEHOLDER.fullmatch(body):
        return named(whole)[1:-1] if not (whole["variable"] or whole["plain"]) else repr(body)
    pieces = re.split(r"\{(\w+)\}", _PLACEHOLDER.sub(named, body))
    code = (piece if number % 2 else string_literal(piece) for number, piece in enumerate(pieces) if piece)
    return " + ".join(code)


_TAKEN: Final = ("body", "call", "config", "extra", "fetch", "run_program", "run_script")
"""Names that a parameter of a tool can't have."""


def _secret(found: re.Match[str]) -> str:
    variable = found["variable"] or found["plain"]
    return f"${{{variable}}}" if variable else found[0]


def _host(url: str) -> str:
    """Return the host as an allow-list entry: with its port, and with the scheme if that is plain http."""
    try:
        address = urlsplit(url)
        host = f"{address.hostname or ''}{f':{address.port}' if address.port else ''}"
    except ValueError:
        return ""
    return f"http://{host}" if address.scheme == "http" and host else host


def fetched_domains(elements: Iterable[Element]) -> tuple[str, ...]:
    """Return the domains from which a tool may fetch any address; none if it calls one address or a script."""
    named: list[str] = []
    for element in elements:
        tool = element.facts[ToolFact]
        if not tool.url:
            named += [domain for domain in tool.domains if domain not in named]
    return tuple(named)


def script_name(committed: CommittedPlan, element: Element) -> str:
    """Return a tool's program, or the path of its script below scripts/, else in the package, or `""`."""
    tool = element.facts[ToolFact]
    return tool.program or script_place(committed, tool.script).removeprefix("scripts/")


LONGEST_ABOUT: Final = 70
"""Characters of a parameter's name and what a script says of it, in a docstring."""
LONGEST_LITERAL: Final = 60
_EMPTY: Final = {"str": '""', "bool": "False"}
"""What a parameter is by default if it can be left out; the others are None then."""

_MODULES: Final = {
    Disposition.STUB: "constrained_slots",
    Disposition.DELEGATE_TO_RUNTIME: "constrained_slots",
    Disposition.MOCK: "mock_tools",
}
"""The modules of the functions that aren't in tools.py, by disposition."""


class WorkingTools(Struct, frozen=True):
    """The content of tools.py.

    Attributes:
        http: Tools that call one address.
        fetches: Tools that fetch any address of some domains.
        documents: Tools that return a text of references/.
        scripts: Tools that run a script or a program.
        script_calls: How a script is called, by the symbol of its tool, where it is known.
        elsewhere: Tools whose function is a hook or a sample, with its module.
        state: Functions that read the state file.
        memory: Functions that search the memory store.
        schedule: Functions that run the scheduler.
        secrets: Secrets that a function supplies instead of the environment, with that function as code.
        variables: The environment variables that each script gets.
        denied: Permission rules whose calls are refused.
        granted: Rules of a skill for what it may call without a question.
        asked: Permission rules whose calls are confirmed first.
        confirming: The rules for which each call of a function is confirmed first, by its name.
    """

    http: tuple[tuple[shape.Function, HttpCall], ...]
    fetches: tuple[tuple[shape.Function, tuple[str, ...]], ...]
    documents: tuple[tuple[shape.Function, str], ...]
    scripts: tuple[tuple[shape.Function, str], ...]
    script_calls: dict[str, ScriptCall]
    elsewhere: tuple[tuple[shape.Function, str], ...]
    state: tuple[shape.Function, ...]
    memory: tuple[shape.Function, ...]
    schedule: tuple[shape.Function, ...]
    secrets: tuple[tuple[str, str], ...]
    variables: dict[str, tuple[str, ...]]
    denied: tuple[PlannedElement, ...]
    granted: tuple[Element, ...]
    asked: tuple[PlannedElement, ...]
    confirming: dict[str, tuple[Element, ...]]

    @property
    def web(self) -> bool:
        """Return whether a tool calls the network."""
        return bool(self.http or self.fetches)

    @property
    def callable(self) -> list[tuple[shape.Function, str]]:
        """Return the functions that the model may call, sorted by name, each with its code."""
        own = [function for function, _ in (*self.http, *self.fetches, *self.documents, *self.scripts)]
        found = [(function, function.symbol) for function in own]
        found += [(function, f"{module}.{function.symbol}") for function, module in self.elsewhere]
        return sorted(found, key=lambda pair: pair[0].symbol)

    @property
    def anything(self) -> bool:
        """Return whether the package has a tools.py."""
        return bool(self.callable or self.state or self.memory or self.schedule)


def home_variable(committed: CommittedPlan) -> str:
    """Return the environment variable that sets the folder of state and memory."""
    return f"{committed.package_name.upper()}_HOME"


def memory_variable(committed: CommittedPlan) -> str:
    """Return the environment variable that sets the folder of the agent's own memory files."""
    return f"{committed.package_name.removesuffix('_mellea').upper()}_MEMORY"


@once_a_plan
def working_tools(committed: CommittedPlan) -> WorkingTools:
    """Return the content of tools.py for a plan."""
    real = Disposition.REAL_IMPL
    concrete = shape.functions(committed, shape.TOOLS, real)
    http: list[tuple[shape.Function, HttpCall]] = []
    fetches: list[tuple[shape.Function, tuple[str, ...]]] = []
    documents: list[tuple[shape.Function, str]] = []
    scripts: list[tuple[shape.Function, str]] = []
    calls: dict[str, ScriptCall] = {}
    for function in concrete:
        element = function.items[0].element
        if domains := fetched_domains(function.elements):
            fetches.append((function, domains))
        elif found := http_call(element):
            http.append((function, found))
        elif element.facts[ToolFact].document:
            documents.append((function, skill_file(function)))
        else:
            scripts.append((function, script_name(committed, element)))
            tool = element.facts[ToolFact]
            if call := script_call(tool, committed.snapshot.file(tool.script)):
                calls[function.symbol] = call
    confirming = shape.confirmed_functions(committed)
    return WorkingTools(
        http=tuple(http),
        fetches=tuple(fetches),
        documents=tuple(documents),
        scripts=tuple(scripts),
        script_calls=calls,
        elsewhere=_elsewhere(committed),
        state=tuple(shape.functions(committed, EntryKind.STATE, real)),
        memory=tuple(shape.functions(committed, EntryKind.MEMORY, real)),
        schedule=tuple(shape.functions(committed, EntryKind.SCHEDULE, real)),
        secrets=_supplied_secrets(committed),
        variables=_script_variables(committed, concrete),
        denied=shape.denied_rules(committed),
        granted=tuple(each for each in committed.inventory.elements if each.facts[ToolFact].is_bound),
        asked=shape.asked_rules(committed) if confirming or shape.asks_for_some_call(committed) else (),
        confirming=confirming,
    )


def programs_of(committed: CommittedPlan) -> list[str]:
    """Return the programs that the tools of a package run, which its user installs; Python and sh are there."""
    tools = [(f.items[0].element.facts[ToolFact], name) for f, name in working_tools(committed).scripts]
    found = {tool.program for tool, _ in tools}
    endings = {PurePosixPath(name).suffix for tool, name in tools if not tool.program} - {".py", ".sh"}
    return sorted((found | {INTERPRETERS[each][0] for each in endings if each in INTERPRETERS}) - {""})


def _elsewhere(committed: CommittedPlan) -> tuple[tuple[shape.Function, str], ...]:
    """Return the tools whose function is a hook or a sample, and the hook that updates memory, with their modules."""
    found = [
        (function, module)
        for disposition, module in _MODULES.items()
        for function in shape.functions(committed, shape.TOOLS, disposition)
        if not shape.denied_reason(function)
    ]
    updates = shape.functions(committed, EntryKind.MEMORY, *shape.SLOT_DISPOSITIONS)
    found += [(function, "constrained_slots") for function in updates if function.symbol == shape.UPDATE]
    return tuple(found)


def _script_variables(
    committed: CommittedPlan, concrete: Iterable[shape.Function]
) -> dict[str, tuple[str, ...]]:
    """Return the credentials that each script gets: those that the script, its tool or its skill names."""
    items = shape.of_kind(committed, EntryKind.CREDENTIAL, Disposition.EXTERNAL_INPUT)
    declared = list(dict.fromkeys(map(shape.variable_of, items)))
    found: dict[str, tuple[str, ...]] = {}
    for function in concrete:
        element = function.items[0].element
        name = script_name(committed, element)
        if name and not element.facts[ToolFact].url:
            texts = [each.content_full for each in function.elements]
            texts += _texts_beside(committed, element.facts[ToolFact].script)
            words = {word for text in texts for word in VARIABLE.findall(text)}
            found[name] = tuple(variable for variable in declared if variable in words)
    return found


def _texts_beside(committed: CommittedPlan, script: str) -> list[str]:
    """Return the text of a script, and of the skill that it belongs to."""
    folder = PurePosixPath(script).parent
    skill = folder.parent if folder.name == "scripts" else folder
    files = {file.path: file.text or "" for file in committed.snapshot.files}
    return [files.get(script, ""), files.get(str(skill / "SKILL.md"), "")]


def _supplied_secrets(committed: CommittedPlan) -> tuple[tuple[str, str], ...]:
    """Return the secrets that a function supplies instead of the environment: variable and function, as code."""
    found: dict[str, str] = {}
    for disposition, module in _MODULES.items():
        for item in shape.of_kind(committed, EntryKind.CREDENTIAL, disposition):
            found.setdefault(secret_name(item), f"{module}.{shape.symbol_of(item)}")
    return tuple(sorted(found.items()))


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
        *("MemoryStore", "Tool", "call", "confirming", "denying", "fetch", "granting"),
        *(
            "home_folder",
            "run_program",
            "run_schedule",
            "read_text",
            "run_script",
            "save_note",
            "working_state",
        ),
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
        head: Its `def` line.
        summary: The first line of its docstring.
        body: What it does.
        about: What its parameters are.
        form: `stub`, `sample`, or how it recalls: from a `copy`, or `in_place`.
    """

    function: shape.Function
    head: str
    summary: str
    body: str
    about: tuple[str, ...] = ()
    form: str = ""

    @property
    def words(self) -> str:
        """Return a summary of its elements."""
        return shape.summary_words(self.function)

    @property
    def source(self) -> str:
        """Return where it comes from."""
        category = self.function.items[0].element.category
        return f"Source: {locations(self.function.elements)} ({category}, {self.function.disposition})."


def function_code(
    function: shape.Function,
    declared: Iterable[str],
    summary: str,
    body: str | Group,
    *,
    about: Iterable[str] = (),
    form: str = "",
    returns: str = "str",
) -> FunctionCode:
    """Return a function as code; its body is lines, or one statement."""
    head = fitted(Group(f"def {function.symbol}(", tuple(declared), f") -> {returns}:"))
    lines = body if isinstance(body, str) else fitted(body, INDENT)
    return FunctionCode(function, head, summary, lines, tuple(about), form)


def generate_tools(committed: CommittedPlan) -> list[EmittedFile]:
    """Return tools.py, or nothing if the agent has no tool, state file, memory store or scheduler."""
    tools = working_tools(committed)
    if not tools.anything:
        return []
    secrets = bool(tools.secrets) and any(found.has_secrets for _, found in tools.http)
    supplied = tuple(f"{string_literal(name)}: {function}" for name, function in tools.secrets)
    return [
        code_file(
            committed,
            "tools.py",
            _NAMES,
            policies=list(_policies(tools)) if tools.callable else [],
            secrets=fitted(Group("SECRETS: dict[str, Callable[[], str]] = {", supplied, "}"))
            if secrets
            else "",
            functions=[*_calls(tools), *_of_the_package(committed, tools)],
            state=EntryKind.STATE,
            home=string_literal(committed.package_name),
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
    if found.method in _BODY_METHODS and not found.body:
        return [*declared, "body: str"]
    declared += [f'{name}: str = ""' for _, name in found.query]
    return declared or ['request: str = ""']


def _calls(tools: WorkingTools) -> Iterator[FunctionCode]:
    """Yield the functions that call an address, fetch one, or run a script."""
    denied = [f"denied={DENIED}"] if tools.denied else []
    for function, found in tools.http:
        summary = f"Call {found.method} {plain_words(found.host or found.template)}."
        call = Group("return call(", (*_call_arguments(found, tools), *denied))
        yield function_code(function, http_parameters(found), summary, call)
    for function, domains in tools.fetches:
        summary = f"Fetch an address of {plain_words(', '.join(domains))}, and of nowhere else."
        call = Group("return fetch(", ("address", displayed(domains, "hosts="), *denied))
        yield function_code(function, ["address: str"], summary, call)
    for function, name in tools.documents:
        summary = "Return the text of a skill: how to do what its description says."
        yield function_code(function, [], summary, Group("return read_text(", (string_literal(name),)))
    for function, name in tools.scripts:
        tool = function.items[0].element.facts[ToolFact]
        run = "return run_program(" if tool.program else "return run_script("
        call = Group(run, (*_script_arguments(function, name, tools), *denied))
        about = _about(tools.script_calls.get(function.symbol))
        said = f"Run {plain_words(tool.name)}." if tool.program else f"Run scripts/{name}."
        yield function_code(function, script_parameters(tools, function), said, call, about=about)


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
    if found.method in _BODY_METHODS:
        yield f"body={found.body or 'body'}"
    elif not found.parameters and not found.query:
        yield "extra=request"
    if found.headers:
        yield displayed(dict(found.headers), "headers=")
    if found.has_secrets and tools.secrets:
        yield "secrets=SECRETS"


def _named(argument: str, pairs: Iterable[tuple[str, str]]) -> Group:
    """Return an argument that is a dict of code by name."""
    return Group(f"{argument}={{", tuple(f"{string_literal(name)}: {code}" for name, code in pairs), "}")


def script_parameters(tools: WorkingTools, function: shape.Function) -> list[str]:
    """Return the parameters of a function that runs a script, as it declares them."""
    call = tools.script_calls.get(function.symbol)
    return ['request: str = ""'] if call is None else [declaration_of(each) for each in call.arguments]


def _script_arguments(function: shape.Function, name: str, tools: WorkingTools) -> list[str | Group]:
    """Return what a function that runs a script passes on."""
    call = tools.script_calls.get(function.symbol)
    variables = tools.variables.get(name)
    end = [displayed(variables, "variables=")] if variables else []
    if call is None:
        return [string_literal(name), "extra=request", *end]
    given: list[str | Group] = [string_literal(name), displayed(call.words)]
    if parts := [each for each in call.arguments if not each.option]:
        given.append(_named("parts", ((each.name, _passed(each)) for each in parts)))
    if call.options:
        given.append(_named("options", ((each.option, _passed(each)) for each in call.options)))
    return [*given, *end]


def _of_the_package(committed: CommittedPlan, tools: WorkingTools) -> Iterator[FunctionCode]:
    """Yield the functions for notes, memory and schedule; the template has what those for notes do."""
    for function in tools.state:
        yield function_code(function, [], "Return the notes of the last runs; empty when there are none.", "")
    for function in tools.memory:
        home = f"home = home_folder({string_literal(committed.package_name)})"
        copy = copied_memory(committed, Disposition.REAL_IMPL)
        body = (
            f'{INDENT}{home}\n{copy}\n{INDENT}return MemoryStore(home / "memory.sqlite3", copy).recall(query)'
        )
        yield function_code(
            function, ["query: str"], "Return what the memory store says about the query.", body
        )
    for function in tools.schedule:
        install = f"{committed.package_name.replace('_', '-').strip('-')}[scheduler]"
        call = Group(
            "run_schedule(", ("wake", "config.SCHEDULE_CONFIG", f"install={string_literal(install)}")
        )
        summary = "Call `wake` with the message of each wake-up in SCHEDULE_CONFIG, until interrupted."
        declared = ["wake: Callable[[str], object]"]
        yield function_code(function, declared, summary, call, returns="None")


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
    given = [code, f"config.TOOL_DESCRIPTIONS[{string_literal(function.symbol)}]"]
    called, request, is_granted = _called(function, tools)
    if called and (tools.denied or tools.asked or is_granted):
        given.append(f"called={string_literal(called)}")
        given += [f"request={string_literal(request)}"] if request else []
    asking = tools.confirming.get(function.symbol, ())
    if asking or tools.asked:
        given.append(f"ask={True if asking else ASKED}")
    given += [f"denied={DENIED}"] if tools.denied else []
    given += [f"allowed={GRANTED}"] if is_granted else []
    listed = fitted(Group("Tool(", tuple(given)), INDENT, ",")
    return Printed(listed, function.elements, provenance_comments(source_ranges(asking)))
