"""Determines the content of tools.py: HTTP calls, scripts, state, memory and schedule as working code."""

import inspect
import re
from collections.abc import Iterable
from functools import cache
from pathlib import PurePosixPath
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.facts import SecretFact, ToolFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.core.package.naming import VARIABLE
from melleafy_tui.core.package.tool_variables import SECRET_PATTERN, curl_headers
from melleafy_tui.generators.loader import script_path
from melleafy_tui.generators.package_shape import (
    SLOT_DISPOSITIONS,
    TOOLS,
    Function,
    denied_rules,
    functions,
    of_kind,
    symbol_of,
    variable_of,
)

PLAIN_PLACEHOLDER_PATTERN: Final = r"\{\{?\s*\w*\s*\}?\}|<[\w -]*>"
"""A placeholder in braces or angle brackets, filled from the request."""

PLACEHOLDER_PATTERN: Final = f"{SECRET_PATTERN}|{PLAIN_PLACEHOLDER_PATTERN}"
"""Any placeholder in an address."""

BODY_METHODS: Final = ("POST", "PUT", "PATCH")
_METHODS: Final = ("GET", "HEAD", "DELETE", *BODY_METHODS)
_PLACEHOLDER = LazyRegex(PLACEHOLDER_PATTERN)
_PLAIN_PLACEHOLDER = re.compile(rf"(?<!\$)(?:{PLAIN_PLACEHOLDER_PATTERN})")
_SECRET = re.compile(SECRET_PATTERN)


class HttpCall(Struct, frozen=True):
    """An HTTP call: `url` may have placeholders, header values only names of secrets; `host` includes the port."""

    method: str
    url: str
    host: str
    headers: tuple[tuple[str, str], ...] = ()

    @property
    def has_placeholders(self) -> bool:
        """Return whether the address has placeholders."""
        return _PLACEHOLDER.search(self.url) is not None

    @property
    def has_several_names(self) -> bool:
        """Return whether the address has placeholders with different names; a request fills them as `id=7&day=2`."""
        return len({found.strip("{} <>") for found in _PLAIN_PLACEHOLDER.findall(self.url)}) > 1

    @property
    def takes_request(self) -> bool:
        """Return whether the request is added to an address without placeholders."""
        return self.method not in BODY_METHODS and not self.has_placeholders

    @property
    def has_secrets(self) -> bool:
        """Return whether the address or a header names a secret."""
        return any(_SECRET.search(text) for text in (self.url, *(text for _, text in self.headers)))

    @property
    def has_secret_headers(self) -> bool:
        """Return whether a header names a secret."""
        return any(_SECRET.search(text) for _, text in self.headers)


def http_call(element: Element) -> HttpCall | None:
    """Return the HTTP call of a tool that has an address, or None."""
    tool = element.facts[ToolFact]
    if not tool.url:
        return None
    url = tool.url + "}" * (tool.url.count("{") - tool.url.count("}"))
    method = (tool.method or "GET").upper()
    try:
        address = urlsplit(url)
        host = f"{address.hostname or ''}{f':{address.port}' if address.port else ''}"
    except ValueError:
        host = ""
    return HttpCall(method if method in _METHODS else "GET", url, host, curl_headers(element))


def fetched_domains(elements: Iterable[Element]) -> tuple[str, ...]:
    """Return the domains from which a tool may fetch any address; none if it calls one address or a script."""
    named: list[str] = []
    for element in elements:
        tool = element.facts[ToolFact]
        if not tool.url:
            named += [domain for domain in tool.domains if domain not in named]
    return tuple(named)


def script_name(element: Element) -> str:
    """Return the path below scripts/ of a tool's script, or `""`."""
    script = element.facts[ToolFact].script
    return script_path(script).removeprefix("scripts/") if script else ""


_BASH = LazyRegex(r"#![^\n]*\bbash\b")


class WorkingTools(Struct, frozen=True):
    """The content of tools.py."""

    http: tuple[tuple[Function, HttpCall], ...]
    fetches: tuple[tuple[Function, tuple[str, ...]], ...]
    scripts: tuple[tuple[Function, str], ...]
    state: tuple[Function, ...]
    memory: tuple[Function, ...]
    schedule: tuple[Function, ...]
    hooked: tuple[tuple[str, str], ...]
    script_variables: tuple[tuple[str, tuple[str, ...]], ...]
    denies: bool = False
    bash: bool = False
    """Whether a script that ends in .sh names bash in its first line."""

    @property
    def guarded(self) -> bool:
        """Return whether calls are checked against the permission rules of the source."""
        return self.denies and bool(self.http or self.scripts)

    @property
    def anything(self) -> bool:
        """Return whether the package has a tools.py."""
        return any((self.http, self.fetches, self.scripts, self.state, self.memory, self.schedule))

    @property
    def secrets(self) -> bool:
        """Return whether an address or header names a secret."""
        return any(found.has_secrets for _, found in self.http)

    @property
    def secret_headers(self) -> bool:
        """Return whether a header names a secret."""
        return any(found.has_secret_headers for _, found in self.http)

    @property
    def filled(self) -> bool:
        """Return whether an address has placeholders."""
        return any(found.has_placeholders for _, found in self.http)

    @property
    def several(self) -> bool:
        """Return whether an address has placeholders with different names."""
        return any(found.has_several_names for _, found in self.http)

    @property
    def asked(self) -> bool:
        """Return whether an address includes the request."""
        return any(found.takes_request for _, found in self.http)

    @property
    def home(self) -> bool:
        """Return whether the package keeps data between runs."""
        return bool(self.state or self.memory)


def home_variable(committed: CommittedPlan) -> str:
    """Return the environment variable that sets the folder of state and memory."""
    return f"{committed.package_name.upper()}_HOME"


def working_tools(committed: CommittedPlan) -> WorkingTools:
    """Return the content of tools.py for a plan."""
    real = Disposition.REAL_IMPL
    concrete = functions(committed, TOOLS, real)
    fetches = tuple(
        (function, found) for function in concrete if (found := fetched_domains(function.elements))
    )
    fetching = {function.symbol for function, _ in fetches}
    calls = [
        (function, http_call(function.items[0].element))
        for function in concrete
        if function.symbol not in fetching
    ]
    http = tuple((function, found) for function, found in calls if found is not None)
    scripts = tuple(
        (function, script_name(function.items[0].element)) for function, found in calls if found is None
    )
    return WorkingTools(
        http=http,
        fetches=fetches,
        scripts=scripts,
        state=tuple(functions(committed, EntryKind.STATE, real)),
        memory=tuple(functions(committed, EntryKind.MEMORY, real)),
        schedule=tuple(functions(committed, EntryKind.SCHEDULE, real)),
        hooked=_hooked_secrets(committed),
        script_variables=_script_variables(committed, concrete),
        denies=bool(denied_rules(committed)),
        bash=_asks_for_bash(committed, concrete),
    )


def _script_variables(
    committed: CommittedPlan, concrete: Iterable[Function]
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the credentials that each script gets: those that the script, its tool or its skill names."""
    items = of_kind(committed, EntryKind.CREDENTIAL, Disposition.EXTERNAL_INPUT)
    declared = list(dict.fromkeys(map(variable_of, items)))
    found: dict[str, tuple[str, ...]] = {}
    for function in concrete:
        element = function.items[0].element
        name = script_name(element)
        if name and http_call(element) is None:
            texts = [each.content_full for each in function.elements]
            texts += _texts_beside(committed, element.facts[ToolFact].script)
            words = {word for text in texts for word in VARIABLE.findall(text)}
            found[name] = tuple(variable for variable in declared if variable in words)
    return tuple((name, variables) for name, variables in found.items() if variables)


def _asks_for_bash(committed: CommittedPlan, concrete: Iterable[Function]) -> bool:
    """Return whether a script needs bash: its options and arrays fail in other shells."""
    paths = {function.items[0].element.facts[ToolFact].script for function in concrete}
    return any(
        file.path in paths and file.path.endswith(".sh") and _BASH.match(file.text or "")
        for file in committed.snapshot.files
    )


def _texts_beside(committed: CommittedPlan, script: str) -> list[str]:
    """Return the text of a script, and of the skill that it belongs to."""
    folder = PurePosixPath(script).parent
    skill = folder.parent if folder.name == "scripts" else folder
    files = {file.path: file.text or "" for file in committed.snapshot.files}
    return [files.get(script, ""), files.get(str(skill / "SKILL.md"), "")]


def _hooked_secrets(committed: CommittedPlan) -> tuple[tuple[str, str], ...]:
    """Return the secrets that a function supplies instead of the environment: variable and function, as code."""
    modules = {
        **dict.fromkeys(SLOT_DISPOSITIONS, "constrained_slots"),
        Disposition.MOCK: "mock_tools",
    }
    found: dict[str, str] = {}
    for disposition, module in modules.items():
        for item in of_kind(committed, EntryKind.CREDENTIAL, disposition):
            variable = (item.element.facts[SecretFact].variable or item.element.label).upper()
            found.setdefault(variable or variable_of(item), f"{module}.{symbol_of(item)}")
    return tuple(sorted(found.items()))


def with_named_days(line: str) -> str:
    """Return a cron line with its weekdays by name; cron counts them from Sunday, APScheduler from Monday."""
    names = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
    *fields, days = line.split()
    named: list[str] = []
    for part in days.split(","):
        span, _, step = part.replace("*/", "0-6/").partition("/")
        first, _, last = span.partition("-")
        bounds = (first, last or first, step or "1")
        if all(bound.isdigit() for bound in bounds) and step != "0":
            start, end, every = map(int, bounds)
            named += [names[day % 7] for day in range(start, end + 1, every)]
        else:
            named.append(part)
    return " ".join([*fields, ",".join(named)])


@cache
def with_named_days_source() -> str:
    """Return the function as code."""
    return inspect.getsource(with_named_days).rstrip("\n")
