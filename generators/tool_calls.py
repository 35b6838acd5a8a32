"""Reads what the inventory found about a concrete tool: its address with placeholders, its headers, its script."""

import re
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.facts import ToolFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.tool_variables import SECRET_PATTERN, curl_headers
from melleafy_tui.generators.assets import script_path

PLAIN_PLACEHOLDER_PATTERN: Final = r"\{\{?\s*\w*\s*\}?\}|<[\w -]*>"
"""A name in braces or angle brackets, which the request fills."""

PLACEHOLDER_PATTERN: Final = f"{SECRET_PATTERN}|{PLAIN_PLACEHOLDER_PATTERN}"
"""Every place in an address that is to be filled."""

BODY_METHODS: Final = ("POST", "PUT", "PATCH")
_METHODS: Final = ("GET", "HEAD", "DELETE", *BODY_METHODS)
_PLACEHOLDER = LazyRegex(PLACEHOLDER_PATTERN)
_PLAIN_PLACEHOLDER = re.compile(rf"(?<!\$)(?:{PLAIN_PLACEHOLDER_PATTERN})")
_SECRET = re.compile(SECRET_PATTERN)


class HttpCall(Struct, frozen=True):
    """A call of an address: `url` may hold placeholders, header values only names of secrets; `host` has its port."""

    method: str
    url: str
    host: str
    headers: tuple[tuple[str, str], ...] = ()

    @property
    def has_placeholders(self) -> bool:
        """Return whether something is to be filled into the address."""
        return _PLACEHOLDER.search(self.url) is not None

    @property
    def has_several_names(self) -> bool:
        """Return whether the address has places of different names; a request fills them as `id=7&day=2`."""
        return len({found.strip("{} <>") for found in _PLAIN_PLACEHOLDER.findall(self.url)}) > 1

    @property
    def takes_request(self) -> bool:
        """Return whether the request goes into the address though it has no place for it."""
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
    """Return the call of a tool that has an address, or None."""
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
    """Return the domains that a tool may fetch any address of, none where it calls one address or a script."""
    named: list[str] = []
    for element in elements:
        tool = element.facts[ToolFact]
        if not tool.url:
            named += [domain for domain in tool.domains if domain not in named]
    return tuple(named)


def script_name(element: Element) -> str:
    """Return the path below scripts/ of a tool that is a script, or `""`."""
    script = element.facts[ToolFact].script
    return script_path(script).removeprefix("scripts/") if script else ""
