"""Generates tools.py (working code for tools, state, memory and schedule), constrained_slots.py and mock_tools.py."""

from collections.abc import Callable, Iterator
from pathlib import PurePosixPath
from typing import Final

from msgspec import Struct

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.core.package.tool_variables import SECRET_PATTERN
from melleafy_tui.generators.code_layout import (
    Expression,
    Raw,
    call,
    import_lines,
    mapping,
    parameters,
    statement,
    tupled,
    value,
)
from melleafy_tui.generators.literals import plain_words, string_literal
from melleafy_tui.generators.loader import memory_files, memory_folder
from melleafy_tui.generators.package_shape import (
    FACTS,
    SLOT_DISPOSITIONS,
    TOOLS,
    UPDATE,
    Function,
    functions,
    summary_words,
    variable_of,
)
from melleafy_tui.generators.provenance import SourceWriter, locations
from melleafy_tui.generators.templates_environment import render_template
from melleafy_tui.generators.working_tools import (
    BODY_METHODS,
    PLACEHOLDER_PATTERN,
    PLAIN_PLACEHOLDER_PATTERN,
    HttpCall,
    WorkingTools,
    home_variable,
    with_named_days_source,
    working_tools,
)

TIMEOUT_SECONDS: Final = 20.0
MAX_RESPONSE_BYTES: Final = 1_000_000
STATE_NOTES: Final = 20
MEMORY_RESULTS: Final = 5
MEMORY_WORDS: Final = 32
INTERRUPTED: Final = 130
"""The exit code that shells report for a program ended by an interrupt."""

INTERPRETERS: Final = {
    ".py": "(sys.executable,)",
    ".sh": '("sh",)',
    ".bash": '("bash",)',
    ".zsh": '("zsh",)',
    ".js": '("node",)',
    ".mjs": '("node",)',
    ".ts": '("node",)',
    ".rb": '("ruby",)',
    ".pl": '("perl",)',
}
"""The command that runs a script, by its suffix, as code."""

PASSED_ON: Final = ("PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "SYSTEMROOT")
"""Environment variables that every script gets; SCRIPT_VARIABLES lists the additional ones of each script."""


def generate_tools(committed: CommittedPlan) -> list[EmittedFile]:
    """Return tools.py, or nothing if no entry is implemented."""
    tools = working_tools(committed)
    if not tools.anything:
        return []
    writer = SourceWriter(f"{committed.package_name}/tools.py")
    writer.add(
        '"""Working code for what the source describes, with time-outs, an allow-list and typed errors."""'
    )
    writer.blank()
    writer.add(_imports(tools))
    constants = list(_constants(committed, tools))
    if constants:
        writer.blank()
        writer.add(constants)
    writer.blank(2)
    writer.add(
        render_template(
            "tools_head.py.j2",
            secrets=tools.secrets,
            hooked=bool(tools.hooked) and tools.secrets,
            asked=tools.asked,
            filled=tools.filled,
            several=tools.several,
            headers=tools.secret_headers,
            http=bool(tools.http or tools.fetches),
            fetches=bool(tools.fetches),
            default_allowed=" = ALLOWED_DOMAINS" if tools.http else "",
            scripts=bool(tools.scripts),
            script_variables=bool(tools.script_variables),
            home=tools.home,
            guarded=tools.guarded,
        )
    )
    for function, found in tools.http:
        writer.blank(2)
        writer.add(_http_function(function, found), function.elements)
    for function, domains in tools.fetches:
        writer.blank(2)
        writer.add(_fetch_function(function, domains), function.elements)
    for function, name in tools.scripts:
        writer.blank(2)
        writer.add(_script_function(function, name), function.elements)
    for template, group in (
        ("tools_state.py.j2", tools.state),
        ("tools_memory.py.j2", tools.memory),
        ("tools_schedule.py.j2", tools.schedule),
    ):
        for function in group:
            writer.blank(2)
            distribution = committed.package_name.replace("_", "-").strip("-")
            text = render_template(
                template,
                symbol=function.symbol,
                source=_source(function),
                distribution=distribution,
                with_named_days=with_named_days_source(),
                folder=memory_folder(committed, Disposition.REAL_IMPL),
            )
            writer.add(text, function.elements)
    names = [function.symbol for function, _ in (*tools.http, *tools.fetches, *tools.scripts)]
    if names:
        writer.blank(2)
        table = mapping((string_literal(name), Raw(name)) for name in names)
        writer.add(statement("TOOLS: dict[str, Callable[[str], str]] = ", table))
    return [writer.emitted()]


def _imports(tools: WorkingTools) -> list[str]:
    hooks = [function.partition(".")[0] for _, function in tools.hooked] if tools.secrets else []
    modules = {
        "importlib": bool(tools.schedule),
        "json": bool(tools.state),
        "os": tools.secrets or bool(tools.scripts) or tools.home or bool(tools.schedule),
        "shlex": bool(tools.scripts),
        "re": tools.filled or tools.secret_headers or bool(tools.memory),
        "sqlite3": bool(tools.memory),
        "subprocess": bool(tools.scripts),
        "sys": any(name.endswith(".py") for _, name in tools.scripts),
    }
    http = bool(tools.http or tools.fetches)
    schedule = bool(tools.schedule)
    names: dict[str, list[str]] = {
        "collections.abc": ["Callable"] if schedule or http or tools.scripts else [],
        "contextlib": ["closing"] if tools.memory else [],
        "datetime": [
            *(["datetime"] if schedule or tools.state else []),
            *(["UTC"] if tools.state else []),
            *(["tzinfo"] if schedule else []),
        ],
        "http.client": ["HTTPException", "HTTPMessage"] if http else [],
        "pathlib": ["Path"] if tools.home or tools.scripts else [],
        "threading": ["Thread"] if schedule else [],
        "typing": ["IO"] if http else [],
        "urllib.error": ["HTTPError"] if http else [],
        "urllib.parse": _parsing(tools),
        "urllib.request": ["HTTPRedirectHandler", "Request", "build_opener"] if http else [],
        "zoneinfo": ["ZoneInfo", "ZoneInfoNotFoundError"] if schedule else [],
        ".": [
            *(["config"] if schedule else []),
            *(["constrained_slots"] if "constrained_slots" in hooks else []),
        ],
        ".fixtures": ["mock_tools"] if "mock_tools" in hooks else [],
        ".permissions": ["refusal"] if tools.guarded else [],
    }
    return import_lines([name for name, wanted in modules.items() if wanted], names)


def _parsing(tools: WorkingTools) -> list[str]:
    names = ["urlsplit"] if tools.http or tools.fetches else []
    names += ["quote"] if tools.filled or tools.asked else []
    names += ["parse_qsl"] if tools.asked or tools.several else []
    return [*names, "urlencode", "urlunsplit"] if tools.asked else names


def _constants(committed: CommittedPlan, tools: WorkingTools) -> Iterator[str]:
    if tools.http or tools.fetches:
        if tools.http:
            hosts = sorted({found.host for _, found in tools.http if found.host})
            yield from statement("ALLOWED_DOMAINS = ", tupled(value(host) for host in hosts))
        yield f"MAX_RESPONSE_BYTES = {MAX_RESPONSE_BYTES:_}"
    if tools.http or tools.fetches or tools.scripts or tools.memory:
        yield f"TIMEOUT_SECONDS = {TIMEOUT_SECONDS}"
    if tools.filled:
        yield from _pattern(
            "PLACEHOLDER", PLACEHOLDER_PATTERN if tools.secrets else PLAIN_PLACEHOLDER_PATTERN
        )
    if tools.secret_headers:
        yield from _pattern("SECRET_NAME", SECRET_PATTERN)
    if tools.secrets and tools.hooked:
        pairs = ((string_literal(name), Raw(function)) for name, function in tools.hooked)
        yield from statement("SECRETS: dict[str, Callable[[], str]] = ", mapping(pairs))
    if tools.scripts:
        endings = {PurePosixPath(name).suffix for _, name in tools.scripts}
        table = mapping(
            (
                string_literal(ending),
                Raw(INTERPRETERS[".bash"] if ending == ".sh" and tools.bash else command),
            )
            for ending, command in INTERPRETERS.items()
            if ending in endings
        )
        yield from statement("INTERPRETERS: dict[str, tuple[str, ...]] = ", table)
        yield from statement("PASSED_ON = ", tupled(value(name) for name in PASSED_ON))
    if tools.script_variables:
        given = (
            (string_literal(name), tupled(value(variable) for variable in variables))
            for name, variables in tools.script_variables
        )
        yield from statement("SCRIPT_VARIABLES: dict[str, tuple[str, ...]] = ", mapping(given))
    if tools.home:
        yield from statement("HOME_VARIABLE = ", value(home_variable(committed)))
        yield from statement("STATE_FOLDER = ", value(committed.package_name))
    if tools.state:
        yield f"STATE_NOTES = {STATE_NOTES}"
    if tools.memory:
        files = memory_files(committed, Disposition.REAL_IMPL)
        yield from statement("MEMORY_FILES = ", tupled(value(file) for file in files))
        yield f"MEMORY_RESULTS = {MEMORY_RESULTS}"
        yield f"MEMORY_WORDS = {MEMORY_WORDS}"
    if tools.schedule:
        yield f"INTERRUPTED = {INTERRUPTED}"


def _pattern(name: str, pattern: str) -> list[str]:
    return statement(f"{name} = ", call("re.compile", Raw(f'r"{pattern}"')))


def _http_function(function: Function, found: HttpCall) -> list[str]:
    url: Expression = value(found.url)
    if found.has_placeholders:
        url = call("_filled", url, Raw("request"))
    elif found.takes_request:
        url = call("_asked", url, Raw("request"))
    headers = mapping((string_literal(name), _header(text, found)) for name, text in found.headers)
    body = Raw("request") if found.method in BODY_METHODS else value("")
    lines = _function_head(function, f"Call {found.method} {plain_words(found.host or found.url)}.")
    return [*lines, *statement("return ", call("_fetch", value(found.method), url, body, headers), indent=1)]


def _fetch_function(function: Function, domains: tuple[str, ...]) -> list[str]:
    lines = _function_head(
        function, f"Fetch an address of {plain_words(', '.join(domains))}, and of nowhere else."
    )
    allowed = tupled(value(domain) for domain in domains)
    return [
        *lines,
        *statement("allowed = ", allowed, indent=1),
        '    return _fetch("GET", request.strip(), "", {}, allowed)',
    ]


def _header(text: str, found: HttpCall) -> Expression:
    return call("_header", value(text)) if found.has_secret_headers else value(text)


def _script_function(function: Function, name: str) -> list[str]:
    lines = _function_head(function, f"Run scripts/{name}.")
    return [*lines, *statement("return ", call("_run_script", value(name), Raw("request")), indent=1)]


def _function_head(function: Function, summary: str) -> list[str]:
    return [
        f"def {function.symbol}(request: str) -> str:",
        f'    """{summary}',
        "",
        f"    {summary_words(function)}",
        "",
        f"    {_source(function)}",
        '    """',
    ]


def _source(function: Function) -> str:
    category = function.items[0].element.category
    return f"Source: {locations(function.elements)} ({category}, {function.disposition})."


class Slot(Struct, frozen=True):
    """The form of the stubs of one kind: parameters, result, summary, and what the host has to write."""

    declared: tuple[str, ...]
    returns: str
    summary: Callable[[Function], str]
    missing: str


SLOTS: Final[dict[EntryKind, Slot]] = {
    EntryKind.IDENTITY: Slot(
        (), "str", lambda _: "Return the agent's own text, as the host keeps it.", "return the text"
    ),
    EntryKind.RULE: Slot(
        ("reply: str",),
        "tuple[bool, str]",
        lambda found: f"Return whether the reply keeps the rule, with a reason: {summary_words(found)}",
        "check the rule",
    ),
    EntryKind.STEP: Slot(
        ("request: str",),
        "str",
        lambda found: f"Take the step before the reply: {summary_words(found)}",
        "take the step",
    ),
    EntryKind.FACT_STABLE: Slot(
        (), "str", lambda _: "Return what is known about the user, as text.", "connect what knows the user"
    ),
    EntryKind.STATE: Slot(
        (),
        "str",
        lambda _: "Return the agent's notes of today and yesterday, as text; empty when there are none.",
        "connect a short-term state backend",
    ),
    EntryKind.MEMORY: Slot(
        ("query: str",),
        "str",
        lambda _: "Return what long-term memory holds about the query, as text; empty when nothing is known.",
        "connect a long-term memory backend",
    ),
    EntryKind.TOOL_NARRATIVE: Slot(
        ("request: str",),
        "str",
        lambda found: f"Carry out the request: {summary_words(found)}",
        "connect the tool",
    ),
    EntryKind.CREDENTIAL: Slot(
        (),
        "str",
        lambda found: f"Return the secret {plain_words(variable_of(found.items[0]))}.",
        "fetch the secret",
    ),
    EntryKind.SCHEDULE: Slot(
        ("wake: Callable[[], object]",),
        "None",
        lambda _: "Call `wake` at each time that SCHEDULE_CONFIG asks for.",
        "connect a scheduler",
    ),
}
"""One row per kind of plan entry that can be a stub; facts and tools share the row of their first kind."""

_UPDATE: Final = Slot(
    ("entry: str",),
    "str",
    lambda _: "Store an entry in long-term memory, which others read too, and return what was stored.",
    "connect a long-term memory backend",
)


def generate_constrained_slots(committed: CommittedPlan) -> list[EmittedFile]:
    """Return constrained_slots.py, or nothing if the host has nothing to write."""
    found = list(slot_functions(committed))
    if not found:
        return []
    writer = SourceWriter(f"{committed.package_name}/constrained_slots.py")
    writer.add(
        '"""Functions that the host provides. Each raises NotImplementedError until it is written (SETUP.md §8)."""'
    )
    if any("Callable" in part for function in found for part in slot_of(function).declared):
        writer.blank()
        writer.add("from collections.abc import Callable")
    for function in found:
        writer.blank(2)
        writer.add(_slot_lines(function), function.elements)
    return [writer.emitted()]


def slot_functions(committed: CommittedPlan) -> Iterator[Function]:
    """Yield the functions of constrained_slots.py, in the order of their kinds."""
    yield from functions(committed, EntryKind.IDENTITY, *SLOT_DISPOSITIONS)
    yield from functions(committed, EntryKind.RULE, SLOT_DISPOSITIONS[0])
    yield from functions(committed, EntryKind.STEP, *SLOT_DISPOSITIONS)
    yield from functions(committed, FACTS, *SLOT_DISPOSITIONS)
    yield from functions(committed, EntryKind.STATE, *SLOT_DISPOSITIONS)
    yield from functions(committed, EntryKind.MEMORY, *SLOT_DISPOSITIONS)
    yield from functions(committed, TOOLS, *SLOT_DISPOSITIONS)
    yield from functions(committed, EntryKind.CREDENTIAL, *SLOT_DISPOSITIONS)
    yield from functions(committed, EntryKind.SCHEDULE, SLOT_DISPOSITIONS[0])


def slot_of(function: Function) -> Slot:
    """Return the slot form of a function."""
    if function.kind in FACTS:
        return SLOTS[EntryKind.FACT_STABLE]
    if function.kind in TOOLS:
        return SLOTS[EntryKind.TOOL_NARRATIVE]
    if function.kind is EntryKind.MEMORY and function.symbol == UPDATE:
        return _UPDATE
    return SLOTS[function.kind]


def slot_head(function: Function) -> list[str]:
    """Return the `def` line of a function."""
    slot = slot_of(function)
    return statement("", parameters(f"def {function.symbol}", slot.declared), f" -> {slot.returns}:")


def _slot_lines(function: Function) -> list[str]:
    slot = slot_of(function)
    entry = function.items[0].entry
    category = function.items[0].element.category
    message = f"{function.symbol}: {slot.missing}, see SETUP.md {function.setup_section}"
    return [
        *slot_head(function),
        f'    """{slot.summary(function)}',
        "",
        f"    Source: {locations(function.elements)} ({category}, {entry.disposition}). "
        f"See SETUP.md {function.setup_section}.",
        '    """',
        *statement("raise ", call("NotImplementedError", value(message)), indent=1),
    ]


SAMPLES: Final = {
    EntryKind.STATE: "Yesterday: two requests were answered. Today: nothing is open.",
    EntryKind.MEMORY: "A made-up memory: the last request of this kind was closed after one reply.",
    EntryKind.CREDENTIAL: "dummy-for-fixtures",
}
"""The answer of the mock of each kind."""

_SAMPLE_ANSWER: Final = '    return f"a made-up answer to: {request}"'
"""The answer of the mock of a tool."""


def mock_functions(committed: CommittedPlan) -> list[Function]:
    """Return the functions of mock_tools.py, in the order of their kinds."""
    mock = Disposition.MOCK
    return [
        *functions(committed, EntryKind.STATE, mock),
        *functions(committed, EntryKind.MEMORY, mock),
        *functions(committed, TOOLS, mock),
        *functions(committed, EntryKind.CREDENTIAL, mock),
    ]


def generate_mocks(committed: CommittedPlan) -> list[EmittedFile]:
    """Return fixtures/mock_tools.py, or nothing if nothing is mocked."""
    found = mock_functions(committed)
    if not found:
        return []
    writer = SourceWriter(f"{committed.package_name}/fixtures/mock_tools.py")
    writer.add('"""Made-up samples in the place of tools, memory, state and secrets. Not for real use."""')
    for function in found:
        writer.blank(2)
        writer.add(_mock_lines(function), function.elements)
    return [writer.emitted()]


def _mock_lines(function: Function) -> list[str]:
    category = function.items[0].element.category
    lines = [
        *slot_head(function),
        '    """Return a made-up sample.',
        "",
        f"    Source: {locations(function.elements)} ({category}, {Disposition.MOCK}).",
        '    """',
    ]
    if function.kind in TOOLS:
        return [*lines, _SAMPLE_ANSWER]
    if slot_of(function).declared:
        lines.append(f"    del {slot_of(function).declared[0].partition(':')[0]}")
    return [*lines, *statement("return ", value(SAMPLES[function.kind]), indent=1)]
