"""Reads the steps of a workflow that fetch an address whose one placeholder is a field that was read.

No model needs to choose such a tool: its only argument is known.
"""

# ruff: noqa: E501 - a wording is easier to read in one piece

import re
from collections.abc import Iterable, Sequence
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct

from melleafy_tui.core.language.actions import asks_approval
from melleafy_tui.core.language.checks.permissions import rule_covers
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.facts import ActionFact, PermissionFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.package.naming import python_identifier
from melleafy_tui.core.package.reading_fields import Reading, ReadingField, bare_noun
from melleafy_tui.core.package.sent_variables import is_foreign


class Endpoint(Struct, frozen=True):
    """An address that a step fetches: its noun ("purchase order"), template, placeholder and credential.

    `header` is the header that carries the environment variable `secret`, `scheme` the word before its value.
    """

    noun: str
    url: str
    placeholder: str
    element: Element
    secret: str = ""
    header: str = ""
    scheme: str = ""

    @property
    def host(self) -> str:
        """Return the only host that the call may reach."""
        return urlsplit(self.url).hostname or ""


class KnownCall(Struct, frozen=True):
    """A call that the pipeline makes itself: the function, the variable of its result, and its argument."""

    function: str
    variable: str
    endpoint: Endpoint
    reading: Reading
    field: ReadingField

    @property
    def element(self) -> Element:
        """Return the step that it was made from."""
        return self.endpoint.element


_URL: Final = LazyRegex(r"https://[^\s`\"'<>()\[\]]{0,2000}\{[A-Za-z_]\w{0,30}\}[^\s`\"'<>()\[\],;]*")
_PLACEHOLDER: Final = LazyRegex(r"\{([A-Za-z_]\w{0,30})\}")
_FETCHED: Final = (
    LazyRegex(
        r"^(?:then |next )?(?:get|fetch|load|look up|retrieve|request|query|read|pull) (?P<noun>[^,;:.`]{1,50}?)"
        r" (?:from|at|with|using|via) (?:`?GET )?`?URL`?(?P<rest>.*)$",
        re.IGNORECASE,
    ),
    LazyRegex(
        r"^(?:hole|lade|lies|frage) (?P<noun>[^,;:.`]{1,50}?) (?:von|aus|bei|über) `?URL`?(?P<rest>.*)$",
        re.IGNORECASE,
    ),
    LazyRegex(
        r"^(?:récupère[rz]?|charge[rz]?|obtiens|obtenir|obt[eé]n|consulta|busca|obtenha|busque) (?P<noun>[^,;:.`]{1,50}?)"
        r" (?:depuis|sur|à|desde|en|de|em) `?URL`?(?P<rest>.*)$",
        re.IGNORECASE,
    ),
    LazyRegex(r"^从`?URL`?(?:获取|读取|查询)(?P<noun>[^,，;；。`]{1,20})(?P<rest>.*)$"),
)
_BEARER: Final = LazyRegex(
    r"(?:send|pass|use|with|authenticate with|sende|envoie|envía|envie)?\s*(?:the )?`?(?P<secret>[A-Z][A-Z0-9_]{2,60})`?"
    r" (?:as|als|comme|como) (?:the |a |an )?bearer(?:[ -]?token)?",
    re.IGNORECASE,
)
_HEADER: Final = LazyRegex(
    r"(?:send|pass|use|with)?\s*(?:the )?`?(?P<secret>[A-Z][A-Z0-9_]{2,60})`? (?:as|in) (?:the )?(?:header )?`?(?P<header>[A-Za-z]{1,20}(?:-[A-Za-z]{1,20}){1,4})`?(?: header)?",
)
_VARIABLE: Final = LazyRegex(r"[A-Z][A-Z0-9]{0,60}_[A-Z0-9_]+")


def read_endpoint(element: Element) -> Endpoint | None:
    """Return the address that a step fetches, or None if it isn't one with one placeholder, read by GET.

    Args:
        element: The step.
    """
    text = " ".join(element.statement.split())
    url = _URL.search(text)
    if url is None or len(text) > 400 or len(_PLACEHOLDER.findall(url.group())) != 1:
        return None
    address = url.group().rstrip(".,;:")
    if not urlsplit(address.split("{", 1)[0]).hostname:
        return None
    around = text.replace(address, "URL", 1)
    for pattern in _FETCHED:
        if found := pattern.fullmatch(around):
            return _endpoint(element, address, bare_noun(found["noun"]), found["rest"].strip(" `;,.。，；"))
    return None


def _endpoint(element: Element, address: str, noun: str, rest: str) -> Endpoint | None:
    placeholder = _PLACEHOLDER.findall(address)[0]
    if not rest:
        return Endpoint(noun, address, placeholder, element)
    bearer = _BEARER.fullmatch(rest)
    if bearer and bearer["secret"].isupper():
        return Endpoint(noun, address, placeholder, element, bearer["secret"], "Authorization", "Bearer")
    header = _HEADER.fullmatch(rest)
    if header:
        return Endpoint(noun, address, placeholder, element, header["secret"], header["header"])
    return (
        None if _VARIABLE.search(rest) or _URL.search(rest) else Endpoint(noun, address, placeholder, element)
    )


def calls_unasked(endpoint: Endpoint, elements: Iterable[Element]) -> bool:
    """Return whether the pipeline may make a call by itself: nobody asks, or forbids, or is sent another's secret.

    Args:
        endpoint: The address.
        elements: The steps and rules of the workflow.
    """
    step = endpoint.element
    near = (step.statement, *step.context, *step.section[-1:])
    if any(map(asks_approval, near)) or is_foreign(endpoint.secret, endpoint.host):
        return False
    return not any(_guards(element, endpoint) for element in elements if element is not step)


def _guards(element: Element, endpoint: Endpoint) -> bool:
    """Return whether a rule denies the call of an address, or wants it confirmed."""
    permission, action = element.facts[PermissionFact], element.facts[ActionFact]
    url = endpoint.url.split("{", 1)[0]
    if any(rule and rule_covers(rule, "WebFetch", url) for rule in (permission.denies, permission.asks)):
        return True
    statement = element.statement.casefold()
    about = (
        endpoint.host in (*action.hosts, *_HOST.findall(statement)) or endpoint.noun.casefold() in statement
    )
    return about and (action.effect in ("confirm", "refuse") or asks_approval(element.statement))


_HOST: Final = re.compile(r"[a-z0-9.-]+")


def known_call(endpoint: Endpoint, readings: Sequence[Reading], taken: set[str]) -> KnownCall | None:
    """Return the call of an address, or None if no field read before, or more than one, is its argument.

    Args:
        endpoint: The address.
        readings: The readings before it.
        taken: Names in use in the pipeline; the new ones are added.
    """
    wanted = endpoint.placeholder.replace("_", " ").casefold()
    full = f"{endpoint.noun} {wanted}".casefold()
    held = [(reading, field) for reading in readings for field in reading.fields]
    for fits in (
        lambda field: wanted in (field.words.casefold(), field.name.replace("_", " ")),
        lambda field: full in (field.words.casefold(), field.name.replace("_", " ")),
        lambda field: field.words.casefold().endswith(f" {wanted}"),
    ):
        matches = [(reading, field) for reading, field in held if fits(field)]
        if len(matches) == 1:
            reading, field = matches[0]
            variable = python_identifier(endpoint.noun, taken, fallback="fetched")
            taken.add(variable)
            function = python_identifier(f"get {endpoint.noun}", taken, fallback="get_it")
            return KnownCall(function, variable, endpoint, reading, field)
    return None
