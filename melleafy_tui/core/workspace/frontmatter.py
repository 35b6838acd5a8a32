"""Frontmatter: the YAML mapping at the head of a Markdown file, with the lines it stands on.

A leading `---` block is frontmatter only if it parses to a mapping; else it is body (field-notes.md, Files). PyYAML is
driven here directly, because python-frontmatter keeps no line numbers. The text is untrusted: size, depth and aliases
are bounded.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, Protocol

import yaml
from msgspec import Struct, field
from yaml import (
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    ScalarNode,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from melleafy_tui.core.models.snapshot import SourceFile

LARGEST_BLOCK: Final = 100_000
DEEPEST_NESTING: Final = 30
MOST_ALIASES: Final = 20

_LINE_END: Final = re.compile(r"\r\n|\n|\r")
_FENCE: Final = re.compile(r"---[ \t]*")
_LEVELS: Final = re.compile(r"^[ \t?:-]+", re.MULTILINE)
_SIMPLE_FIELD: Final = re.compile(r"(?P<name>[A-Za-z][\w-]*)[ \t]*:(?:[ \t]+(?P<value>.*))?")

_BaseLoader: type = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_BaseLoader):  # type: ignore[misc]
    """A safe loader that leaves dates as they are written."""

    yaml_implicit_resolvers = {  # noqa: RUF012 - PyYAML's own protocol
        first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


class Frontmatter(Struct, frozen=True):
    """What stands at the head of a file.

    Attributes:
        data: The mapping, or None where there is no frontmatter.
        first_line: Line of the opening `---`, 0 when there is no frontmatter.
        last_line: Line of the closing `---`, 0 when there is no frontmatter.
        body_first_line: First line after it, 1 when there is none.
        problem: Why a leading block is no frontmatter, or `""`.
        key_lines: The line of each top-level key.
        simple_fields: The `name: value` lines of a block that is no YAML, for readers that can use them (an
            unquoted `: ` in a description is the usual cause).
    """

    data: Mapping[str, object] | None = None
    first_line: int = 0
    last_line: int = 0
    body_first_line: int = 1
    problem: str = ""
    key_lines: Mapping[str, int] = field(default_factory=dict)
    simple_fields: Mapping[str, str] = field(default_factory=dict)


def frontmatter_of(file: SourceFile) -> Frontmatter:
    """Return the frontmatter of a file."""
    text = file.text or ""
    return split_frontmatter("\n".join(file.lines) if "\r" in text else text.removesuffix("\n"))


def split_frontmatter(file_text: str) -> Frontmatter:
    """Return the frontmatter of a file's text, given without byte order mark and with its own line ends."""
    return _split(file_text) if file_text.startswith("---") else Frontmatter()


@lru_cache(maxsize=8)
def _split(file_text: str) -> Frontmatter:
    head = file_text[: LARGEST_BLOCK + 8]
    lines = _LINE_END.split(head) if "\r" in head else head.split("\n")
    if not _FENCE.fullmatch(lines[0]):
        return Frontmatter()
    closing = next(
        (n for n, line in enumerate(lines[1:], start=2) if line.startswith("---") and _FENCE.fullmatch(line)),
        0,
    )
    if not closing:
        problem = (
            "the block is larger than the limit"
            if len(file_text) > LARGEST_BLOCK
            else "the block is not closed"
        )
        return Frontmatter(problem=problem)
    block = lines[1 : closing - 1]
    try:
        data, key_lines = _read_mapping("\n".join(block))
    except _NoMappingError as reason:
        return Frontmatter(problem=str(reason), simple_fields=_simple_fields(block))
    return Frontmatter(data, 1, closing, closing + 1, key_lines=key_lines)


class _NoMappingError(Exception):
    """The block is no YAML mapping; the text says why."""


def _read_mapping(block: str) -> tuple[dict[str, object], dict[str, int]]:
    small = _is_plainly_small(block)
    if small and (found := _read_plain_mapping(block)) is not None:
        return found
    try:
        if not small:
            _check_bounds(block)
        loader = _Loader(block)
        try:
            node = loader.get_single_node()
            if not isinstance(node, yaml.MappingNode):
                raise _NoMappingError("the block is no mapping")
            key_lines = {
                str(key.value): key.start_mark.line + 2
                for key, _ in node.value
                if isinstance(key, yaml.ScalarNode)
            }
            data = loader.construct_document(node)
        finally:
            loader.dispose()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" on line {mark.line + 2}" if mark is not None else ""
        raise _NoMappingError(f"the block is no YAML{where}") from error
    except (ValueError, TypeError, RecursionError, OverflowError) as error:
        raise _NoMappingError("the block holds a value that cannot be read") from error
    return {str(key): value for key, value in data.items()}, key_lines


class _NotPlainError(Exception):
    """A block holds what PyYAML's own constructor has to read."""


class _Events(Protocol):
    """What a block is read from, one event after the other."""

    def get_event(self) -> Event: ...


def _read_plain_mapping(block: str) -> tuple[dict[str, object], dict[str, int]] | None:
    """Return a mapping without anchors and tags and the line of each key, or None where the block is anything else.

    Most blocks are this plain, and to read them from the parser's events, without a tree of nodes, takes half the time.
    """
    try:
        parser = _Loader(block)
    except ValueError:  # a lone surrogate
        return None
    lines: dict[str, int] = {}
    try:
        for _ in ("the stream", "the document"):
            parser.get_event()
        root = parser.get_event()
        if type(root) is not MappingStartEvent:
            return None
        data = _plain_value(parser, root, lines)
        parser.get_event()
        if type(parser.get_event()) is not StreamEndEvent or not isinstance(data, dict):
            return None
    except (yaml.YAMLError, _NotPlainError, ValueError, TypeError, OverflowError):
        return None
    finally:
        parser.dispose()
    return {str(key): value for key, value in data.items()}, lines


def _plain_value(events: _Events, event: Event, lines: dict[str, int] | None = None) -> object:
    """Return the value that begins with an event; of a mapping also the lines of its keys."""
    if type(event) is ScalarEvent:
        return _plain_scalar(event)
    if type(event) is SequenceStartEvent:
        items = []
        while type(event := events.get_event()) is not SequenceEndEvent:
            items.append(_plain_value(events, event))
        return items
    fields: dict[object, object] = {}
    while type(event := events.get_event()) is not MappingEndEvent:
        if type(event) is not ScalarEvent or event.value == "<<":
            raise _NotPlainError
        if lines is not None and event.start_mark is not None:
            lines[event.value] = event.start_mark.line + 2
        key = _plain_scalar(event)
        fields[key] = _plain_value(events, events.get_event())
    return fields


def _plain_scalar(event: ScalarEvent) -> object:
    value: str = event.value
    if not event.implicit[0]:
        return value
    for tag, pattern in _Loader.yaml_implicit_resolvers.get(value[:1], ()):
        if pattern.match(value):
            if tag not in _PLAIN_TAGS:
                raise _NotPlainError
            return _PLAIN_TAGS[tag](_CONSTRUCTOR, ScalarNode(tag, value))
    return value


_CONSTRUCTOR: Final = yaml.constructor.SafeConstructor()
_PLAIN_TAGS: Final = {
    tag: yaml.constructor.SafeConstructor.yaml_constructors[tag]
    for tag in (f"tag:yaml.org,2002:{name}" for name in ("null", "bool", "int", "float"))
}


def _check_bounds(block: str) -> None:
    depth = aliases = 0
    for event in yaml.parse(block, Loader=_Loader):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        elif isinstance(event, yaml.AliasEvent):
            aliases += 1
        if depth > DEEPEST_NESTING:
            raise _NoMappingError("the block is nested too deep")
        if aliases > MOST_ALIASES:
            raise _NoMappingError("the block has too many aliases")


def _is_plainly_small(block: str) -> bool:
    """Return whether a block cannot pass the bounds: each level of nesting needs a marker or a deeper indent."""
    if any(mark in block for mark in "*&!"):
        return False
    deepest = max((len(found) for found in _LEVELS.findall(block)), default=0)
    return 2 * deepest + block.count("[") + block.count("{") + 2 <= DEEPEST_NESTING


def _simple_fields(block: list[str]) -> dict[str, str]:
    """Return `name: value` lines; nothing where a line that is not indented has another form."""
    fields: dict[str, str] = {}
    for line in block:
        if not line.strip() or line[0] in " \t#":
            continue
        match = _SIMPLE_FIELD.fullmatch(line)
        if match is None:
            return {}
        fields.setdefault(match.group("name"), (match.group("value") or "").strip().strip("\"'"))
    return fields
