"""The HTTP call of a tool that has an address: its method, host, parameters, headers and body."""

import re
from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.facts import ToolFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.package.naming import python_identifier
from melleafy_tui.core.package.sent_variables import SECRET_PATTERN, curl_headers, json_body

BODY_METHODS: Final = ("POST", "PUT", "PATCH")
_METHODS: Final = ("GET", "HEAD", "DELETE", *BODY_METHODS)
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
        body: The JSON that is sent, with `{name}` in its texts for parameters; None if the caller gives the whole body.
    """

    method: str
    template: str
    host: str
    parameters: tuple[str, ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    query: tuple[tuple[str, str], ...] = ()
    body: object = None

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
        if found["variable"] or found["plain"]:
            return _secret(found)
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
    body = json_body(tool.command) if method in BODY_METHODS else None
    if body is None:
        return found
    sent = _named_in(body, named)
    return replace(found, body=sent, parameters=tuple(names)) if len(names) > len(found.parameters) else found


def _named_in(body: object, named: Callable[[re.Match[str]], str]) -> object:
    """Return JSON in whose texts `{name}` stands for placeholders; what is only a secret stays."""
    if isinstance(body, dict):
        return {key: _named_in(part, named) for key, part in body.items()}
    if isinstance(body, list):
        return [_named_in(part, named) for part in body]
    whole = _PLACEHOLDER.fullmatch(body) if isinstance(body, str) else None
    if not isinstance(body, str) or (whole and (whole["variable"] or whole["plain"])):
        return body
    return _PLACEHOLDER.sub(named, body)


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
