"""Makes one tool of what the source shows several times: a script, or a request whose examples differ in a value.

`curl BASE/London` and `curl BASE/New+York` are one request for any place. What differs must look like a value
(capitals, digits, a plus): words in lower case are names of endpoints. The first is the tool, the others stay text.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.language.examples import is_about_places
from melleafy_tui.core.models.facts import ToolFact
from melleafy_tui.core.models.inventory import PART, Element
from melleafy_tui.core.package.sent_variables import curl_headers

_AS_TEXT: Final = {
    **dict.fromkeys(("tools.endpoint", "tools.script"), "tools.narrative"),
    **dict.fromkeys(("skill.endpoint", "skill.program"), "skill.guidance"),
}
"""The rows of tools, and of the text that another example of the same tool stays."""

_VALUE: Final = re.compile(r"[^/]*(?:[A-Z0-9+%:,~@ ]|[^\x00-\x7f])[^/]*")
_PLACEHOLDER: Final = re.compile(r"\$?\{+\s*(?P<braces>\w+)\s*\}+|<(?P<angles>[\w -]+)>")
_VERSION: Final = re.compile(r"v\d+(?:\.\d+)*|api|rest", re.IGNORECASE)


class _Example(Struct, frozen=True):
    """One request of the source."""

    place: int
    element: Element
    address: SplitResult

    @property
    def segments(self) -> list[str]:
        return self.address.path.split("/")

    @property
    def query(self) -> dict[str, str]:
        pairs = (pair.partition("=") for pair in self.address.query.split("&") if pair)
        return {key: value for key, separator, value in pairs if separator}


def with_joined_tools(elements: Sequence[Element]) -> tuple[Element, ...]:
    """Return the elements, with one tool for each script and for requests that differ in a value only."""
    found = list(elements)
    known = {_call(each) for each in elements if each.kind != PART}
    scripts: dict[str, list[int]] = {}
    groups: list[list[_Example]] = []
    for place, element in enumerate(elements):
        tool = element.facts[ToolFact]
        if element.mapping_row not in _AS_TEXT:
            continue
        if element.kind == PART:  # a call that tool guidance, or an earlier line, gives as well
            if _call(element) in known:
                found[place] = _as_text(element)
                continue
            known.add(_call(element))
        if tool.subtype == "concrete_script":
            scripts.setdefault(tool.script or tool.name, []).append(place)
        elif tool.subtype == "concrete_http":
            try:
                example, *others = (_Example(place, element, urlsplit(url)) for url in (tool.url, *tool.urls))
            except ValueError:
                continue
            group = next((each for each in groups if _is_same(each[0], example)), [])
            groups += [] if group else [group]
            group += [example, *(each for each in others if each != example and _is_same(example, each))]
    for places in scripts.values():
        shown = max(
            places, key=lambda place: bool(_PLACEHOLDER.search(elements[place].facts[ToolFact].command))
        )
        calls = dict.fromkeys(call for place in places for call in elements[place].facts[ToolFact].calls)
        for place in places:
            element = elements[place]
            tool = replace(element.facts[ToolFact], calls=tuple(calls))
            told = replace(element, facts=element.facts.adding(tool)) if len(places) > 1 else element
            found[place] = told if place == shown else _as_text(element)
    for group in groups:
        if len(group) > 1:
            found[group[0].place] = _joined(group)
            for example in group:
                if example.place != group[0].place:
                    found[example.place] = _as_text(example.element)
    return tuple(found)


def _call(element: Element) -> tuple[str, str, str]:
    tool = element.facts[ToolFact]
    return tool.method, tool.url, tool.script or (tool.name if tool.program or tool.missing else "")


def _as_text(element: Element) -> Element:
    tool = element.facts[ToolFact]
    text = replace(tool, name="", url="", method="", script="", program="", subtype="narrative", calls=())
    return replace(element, mapping_row=_AS_TEXT[element.mapping_row], facts=element.facts.adding(text))


def _is_same(first: _Example, other: _Example) -> bool:
    """Return whether two requests go to one endpoint: they differ in one value of the path, or in the query."""
    if (first.address.scheme, first.address.netloc) != (other.address.scheme, other.address.netloc):
        return False
    pairs = list(zip(first.segments, other.segments, strict=False))
    differing = [pair for pair in pairs if pair[0] != pair[1]]
    if len(first.segments) != len(other.segments) or len(differing) > 1:
        return False
    values = all(_VALUE.fullmatch(part) or _PLACEHOLDER.search(part) for pair in differing for part in pair)
    tools = [each.element.facts[ToolFact] for each in (first, other)]
    if tools[0].method.upper() not in ("GET", "HEAD") and tools[0].url != tools[1].url:
        return False
    return (
        values
        and not any(_VERSION.fullmatch(part) for pair in differing for part in pair)
        and tools[0].method == tools[1].method
        and first.element.source_file == other.element.source_file
        and curl_headers(first.element) == curl_headers(other.element)
    )


def _joined(group: Sequence[_Example]) -> Element:
    """Return the first of some examples with parameters for what differs between them."""
    first = group[0]
    segments = list(first.segments)
    for place in range(len(segments)):
        variants = [example.segments[place] for example in group]
        if len(set(variants)) > 1:
            shown = next((each for each in variants if _PLACEHOLDER.search(each)), "")
            before = segments[place - 1] if place else ""
            segments[place] = shown or f"{{{_name(before, (example.element for example in group))}}}"
    queries = [example.query for example in group]
    keys = list(dict.fromkeys(key for query in queries for key in query))
    optional = tuple(key for key in keys if len({query.get(key) for query in queries}) > 1)
    fixed = "&".join(f"{key}={queries[0][key]}" for key in keys if key not in optional)
    url = first.address._replace(path="/".join(segments), query=fixed, fragment="").geturl()
    tool = replace(first.element.facts[ToolFact], url=url, query=optional)
    return replace(first.element, facts=first.element.facts.adding(tool))


def _name(before: str, elements: Iterable[Element]) -> str:
    """Return the name of a parameter: the part of the path before it in the singular, a place, or `value`."""
    words = (word for element in elements for word in (*element.section, *element.context, element.statement))
    if before.isidentifier() and before.islower() and not _VERSION.fullmatch(before):
        return before.removesuffix("s")
    return "location" if any(map(is_about_places, words)) else "value"
