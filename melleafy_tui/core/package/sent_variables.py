"""Finds the environment variables that a tool sends to a host, and those that shouldn't go there unasked.

That is a variable whose name belongs to another service, or any variable over plain http. Of a curl tool the request
says what is sent. Of a script nothing is run: the variables that it reads and the addresses in its text count, and a
variable is asked about if none of them is its service's.
"""

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from ipaddress import ip_address
from itertools import pairwise
from typing import Final
from urllib.parse import SplitResult, urlsplit

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.facts import ScriptSendsFact, ToolFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.core.package.permissions import file_rule_covers, rule_covers, rule_parts
from melleafy_tui.core.source.json5 import parse_json5
from melleafy_tui.core.tables import table_beside

SECRET_PATTERN: Final = r"\$\{(?P<variable>[A-Z][A-Z0-9_]*)\}|\$(?P<plain>[A-Z][A-Z0-9_]*)"
"""A reference to a secret in a URL or a header."""

_SECRET: Final = LazyRegex(SECRET_PATTERN)
_HEADER: Final = LazyRegex(r"[!#$%&'*+.^`|~\w-]+")


def curl_headers(element: Element) -> tuple[tuple[str, str], ...]:
    """Return name and value of each header of a tool's curl command."""
    found: dict[str, str] = {}
    for option, text in pairwise(_words(element.facts[ToolFact].command)):
        name, separator, value = text.partition(":")
        if option in ("-H", "--header") and separator and _HEADER.fullmatch(name):
            found[name] = " ".join(value.split())
    return tuple(found.items())


def json_body(command: str) -> object:
    """Return the JSON object that a curl command sends, or None."""
    for option, text in pairwise(_words(command)):
        if option in ("-d", "--data", "--data-raw", "--json") and text.lstrip().startswith("{"):
            try:
                parse_json5(text)  # bounds how deep it is nested
                return json.loads(text)
            except ValueError:
                return None
    return None


def _words(command: str) -> list[str]:
    """Return the words of a shell command, up to an unterminated quotation."""
    lexer = shlex.shlex(command, posix=True)
    lexer.whitespace_split = True
    lexer.commenters = ""
    words: list[str] = []
    with suppress(ValueError):
        words.extend(lexer)
    return words


def tool_variables(committed: CommittedPlan) -> Iterator[tuple[str, PlannedElement]]:
    """Yield each variable with each tool that reads it, in source order."""
    for item in committed.planned_as(tuple(EntryKind), (Disposition.REAL_IMPL,)):
        for name in _requested(item.element):
            yield name, item


def _requested(element: Element) -> dict[str, None]:
    """Return the variables in the address and the headers of a tool, in their order."""
    url = element.facts[ToolFact].url
    texts = (url, *(value for _, value in curl_headers(element))) if url else ()
    return dict.fromkeys(
        found["variable"] or found["plain"] for text in texts for found in _SECRET.finditer(text)
    )


_FILE_RULES: Final = frozenset({"Read", "Edit", "Write", "MultiEdit", "NotebookEdit"})
_ANY_FILE: Final = "**"
_ANY_REQUEST: Final = "cat file"


def may_cover(rule: str, tool: str) -> bool:
    """Return whether a permission rule matches at least one possible call of a tool.

    Args:
        rule: `Tool` or `Tool(specifier)`.
        tool: The source's name for the tool; a final `__*` means every tool of an MCP server.
    """
    named, inside = rule_parts(rule)
    if named.split("__")[0] == "mcp":
        pattern = named if named.count("__") > 1 else f"{named}__*"
        return fnmatchcase(tool, pattern) or fnmatchcase(pattern, tool)
    if named == "WebFetch" and inside.startswith("domain:"):
        return True
    if named in _FILE_RULES and inside:
        return file_rule_covers(named, _ANY_FILE, tool, _ANY_REQUEST)
    return rule_covers(named, tool, _ANY_REQUEST)


_TABLE: Final[Mapping[str, Mapping[str, object]]] = table_beside(__file__, "services.toml")
SERVICES: Final = msgspec.convert(_TABLE["domains"], dict[str, tuple[str, ...]])
"""A word of a variable's name, and the domains that it belongs to."""

_OF_NO_WEB_HOST: Final = re.compile(
    r"(?:.*_)?(?:DATABASE|DB|MARIADB|MONGO|MONGODB|MYSQL|POSTGRES|POSTGRESQL|PG|REDIS|AMQP|RABBITMQ|SMTP|IMAP|LDAP|SSH|GPG|"
    r"PGP|SUDO|ROOT)_?(?:URL|URI|DSN|PASSWORD|PASSWD|PASS|PWD|PASSPHRASE|PRIVATE_KEY|AUTH_SOCK)|KUBECONFIG"
)
"""The credentials of databases, mail servers and the machine itself, which belong to no web address."""

OTHER_SERVICE: Final = "service"
PLAIN_HTTP: Final = "http"
WARNINGS: Final[dict[str, str]] = {
    OTHER_SERVICE: "which is not a host of that service",
    PLAIN_HTTP: "over plain http, which others on the way can read",
}
"""Why a variable is sent only when the user allows it."""


class SentVariable(Struct, frozen=True):
    """One variable that a tool sends; `why` is a key of WARNINGS, `""` if nothing speaks against it."""

    name: str
    host: str
    why: str = ""

    @property
    def note(self) -> str:
        """Return what the list of variables says about it."""
        said = {OTHER_SERVICE: "that service has other hosts", PLAIN_HTTP: "over plain http"}.get(self.why)
        return f" ({said}: a stub until you allow it)" if said else ""


def sent_variables(element: Element) -> Iterator[SentVariable]:
    """Yield each variable that a tool's request sends, once, and those of its script that are asked about."""
    for name, host, why in element.facts[ScriptSendsFact].variables:
        yield SentVariable(name, host, why)
    address = _split(element.facts[ToolFact].url)
    host = _host(address)
    plain = address is not None and address.scheme == "http" and not _is_near(host)
    for name in _requested(element):
        why = OTHER_SERVICE if is_foreign(name, host) else PLAIN_HTTP if plain else ""
        yield SentVariable(name, host, why)


def with_script_variables(elements: Sequence[Element], snapshot: Snapshot) -> tuple[Element, ...]:
    """Return the elements, those of scripts with the variables that the script could send where they don't belong."""
    return tuple(
        replace(element, facts=element.facts.adding(ScriptSendsFact(found)))
        if (found := _of_script(element, snapshot))
        else element
        for element in elements
    )


def _of_script(element: Element, snapshot: Snapshot) -> tuple[tuple[str, str, str], ...]:
    """Return each secret variable that a script could send where it doesn't belong: name, host, key of WARNINGS."""
    tool = element.facts[ToolFact]
    file = snapshot.file(tool.script) if tool.script and not tool.url else None
    text = (file.text or "") if file is not None else ""
    read = (name for found in _READ.finditer(text) for name in found.groups() if name)
    names = [name for name in dict.fromkeys(read) if _IS_SECRET.fullmatch(name)]
    addresses = [_split(url) for url in dict.fromkeys(_ADDRESS.findall(text))] if names else []
    called = [
        address
        for address in addresses
        if address is not None and _host(address) and not _NO_CALL.fullmatch(_host(address))
    ]
    hosts = list(dict.fromkeys(map(_host, called)))
    plain = [_host(each) for each in called if each.scheme == "http" and not _is_near(_host(each))]
    found: list[tuple[str, str, str]] = []
    for name in names:
        foreign = [host for host in hosts if _is_of_another_service(name, host)]
        if foreign and len(foreign) == len(hosts) and not _uses_library(name, text):
            found.append((name, foreign[0], OTHER_SERVICE))
        elif plain and all(address.scheme == "http" for address in called):
            found.append((name, plain[0], PLAIN_HTTP))
    return tuple(found)


_READ: Final = LazyRegex(
    r"(?:environ|getenv|ENV|env)(?:\.get)?\s{0,3}[\[(.]\s{0,3}[\"']?([A-Z][A-Z0-9_]{1,80})\b|\$\{?([A-Z][A-Z0-9_]{1,80})\b"
)
"""Where Python, JavaScript, Ruby or a shell reads a secret from the environment."""
_IS_SECRET: Final = LazyRegex(
    r"(?:.*_)?[A-Z0-9]{0,40}(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASS|PWD|CREDENTIALS?|AUTH)(?:_ID)?"
)
_ADDRESS: Final = LazyRegex(r"https?://[^\s\"'`<>(){}|\\,]{1,500}")
_NO_CALL: Final = LazyRegex(r"(?:.*\.)?(?:w3\.org|xmlns\.com|purl\.org|json-schema\.org|openxmlformats\.org)")
"""Hosts of names of formats, which nothing calls."""

LIBRARIES: Final = msgspec.convert(_TABLE["libraries"], dict[str, str])
"""What the libraries and commands of a service are called, as a pattern, where the name isn't its word."""


def _uses_library(name: str, text: str) -> bool:
    """Return whether a script imports a library of the variable's service, or runs its command."""
    words = "|".join(LIBRARIES.get(word, word.lower()) for word in name.split("_") if word in SERVICES)
    return bool(
        re.search(
            rf"(?m)^\s{{0,40}}(?:import|from)\s[^\n]{{0,80}}(?:{words})|(?:require|import)\s?\(?[\"'][^\"'\n]{{0,80}}(?:{words})"
            rf"|^\s{{0,40}}(?:{words})\s|[;&|$(\"'\[]\s{{0,3}}(?:{words})[\"']?[\s,]",
            text,
        )
    )


def variables_sent(committed: CommittedPlan) -> tuple[SentVariable, ...]:
    """Return the variables that a package's tools send, or would send if the user allowed it, in source order."""
    tools = committed.planned_as(tuple(EntryKind), (Disposition.REAL_IMPL, Disposition.STUB))
    return tuple(dict.fromkeys(sent for tool in tools for sent in sent_variables(tool.element)))


def foreign_variables(element: Element) -> str:
    """Return a sentence about the variables that a tool sends where they don't belong, or `""`."""
    found = [sent for sent in sent_variables(element) if sent.why]
    if not found:
        return ""
    first = found[0]
    names = ", ".join(sent.name for sent in found if (sent.host, sent.why) == (first.host, first.why))
    what = "Its script could send" if element.facts[ScriptSendsFact].variables else "It would send"
    return f"{what} {names} to {first.host or 'an unknown host'}, {WARNINGS[first.why]}; choose real_impl to allow it."


def _split(url: str) -> SplitResult | None:
    try:
        return urlsplit(url)
    except ValueError:
        return None


def _host(address: SplitResult | None) -> str:
    try:
        return ((address.hostname if address else "") or "").lower().rstrip(".")
    except ValueError:
        return ""


def is_foreign(name: str, host: str) -> bool:
    """Return whether a variable's name belongs to another service than a host does."""
    if _is_local(host):
        return False
    return _is_of_another_service(name, host) or _OF_NO_WEB_HOST.fullmatch(name) is not None


def _is_of_another_service(name: str, host: str) -> bool:
    domains = [domain for word in name.split("_") for domain in SERVICES.get(word, ())]
    if not domains or _is_local(host):
        return False
    return not any(host == domain or host.endswith(f".{domain}") for domain in domains)


def _is_near(host: str) -> bool:
    """Return whether a host is in the user's own network, where few devices speak https."""
    try:
        return ip_address(host).is_private
    except ValueError:
        return "." not in host or host.endswith((".local", ".internal", ".lan", ".home.arpa", ".ts.net"))


def _is_local(host: str) -> bool:
    """Return whether a host is this machine, where proxies and gateways listen."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
