"""Frontmatter: the YAML mapping at the head of a Markdown file, with the lines it stands on.

A leading `---` block is frontmatter only if it parses to a mapping; else it is body (field-notes.md, Files). PyYAML is
driven here directly, because python-frontmatter keeps no line numbers. The text is untrusted: size, depth and aliases
are bounded.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

import yaml

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


@dataclass(frozen=True, slots=True)
class Frontmatter:
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


@lru_cache(maxsize=8)
def split_frontmatter(file_text: str) -> Frontmatter:
    """Return the frontmatter of a file's text, given without byte order mark and with its own line ends."""
    if not file_text.startswith("---"):
        return Frontmatter()
    head = file_text[: LARGEST_BLOCK + 8]
    lines = _LINE_END.split(head)
    if not _FENCE.fullmatch(lines[0]):
        return Frontmatter()
    closing = next((number for number, line in enumerate(lines[1:], start=2) if _FENCE.fullmatch(line)), 0)
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
    try:
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


def _check_bounds(block: str) -> None:
    if _is_plainly_small(block):
        return
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
