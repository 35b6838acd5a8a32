"""Reads the YAML block at the top of a file with python-frontmatter.

The text is untrusted, so our handler limits its size, depth and aliases.
"""

import re
from itertools import takewhile
from typing import Any, Final

import frontmatter
import yaml
from frontmatter.default_handlers import YAMLHandler

from melleafy_tui.core.lazy_regex import LazyRegex

LARGEST_BLOCK: Final = 100_000
DEEPEST_NESTING: Final = 30
MOST_ALIASES: Final = 20

_LINE_END: Final = re.compile(r"\r\n?")
_FENCE: Final = re.compile(r"---[ \t]*")
_SIMPLE_FIELD: Final = LazyRegex(r"(?P<name>[A-Za-z][\w-]*)[ \t]*:(?:[ \t]+(?P<value>.*))?")

_BaseLoader: type = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_BaseLoader):  # type: ignore[misc]
    """A safe YAML loader that keeps dates as text."""

    yaml_implicit_resolvers = {  # noqa: RUF012 - PyYAML's own protocol
        first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


class NoMappingError(Exception):
    """The block isn't a YAML mapping; the message says why."""


def read_block(file_text: str) -> dict[str, Any]:
    """Return the fields of the `Frontmatter` of a file's text, which begins with three hyphens."""
    handler = _Handler(is_cut=len(file_text) > LARGEST_BLOCK)
    head = _LINE_END.sub("\n", file_text[: LARGEST_BLOCK + 8])
    try:  # python-frontmatter strips its input; the dot protects the last line
        data, _ = frontmatter.parse(f"{head}\n.", handler=handler)
    except NoMappingError as reason:
        fields, last = _simple_fields(handler.block), handler.last_line
        if not last or not fields:  # a block that isn't closed ends at a blank line or a heading
            block = list(takewhile(lambda line: line.strip() and not line.startswith("#"), handler.block))
            fields, last = _simple_fields(block), len(block) + 1
        return {"problem": str(reason), "simple_fields": fields, "simple_last_line": last}
    found = {"data": data, "first_line": 1, "last_line": handler.last_line, "key_lines": handler.key_lines}
    return found if handler.last_line else {}


class _Handler(YAMLHandler):
    """Reads one file's block and keeps its line numbers, which python-frontmatter discards."""

    def __init__(self, *, is_cut: bool) -> None:
        super().__init__()
        self.is_cut = is_cut
        self.block: list[str] = []
        self.last_line = 0
        self.key_lines: dict[str, int] = {}

    def split(self, text: str) -> tuple[str, str]:
        lines = text.split("\n")
        if not _FENCE.fullmatch(lines[0]):
            raise ValueError("no frontmatter")  # python-frontmatter then returns no metadata
        for number, line in enumerate(lines[1:], start=2):
            if line.startswith("---") and _FENCE.fullmatch(line):
                self.last_line, self.block = number, lines[1 : number - 1]
                return "\n".join(self.block), ""
        if not self.is_cut:
            self.block = lines[1:-1]
        raise NoMappingError(
            "the block is larger than the limit" if self.is_cut else "the block is not closed"
        )

    def load(self, fm: str, **_: object) -> dict[str, object]:
        try:
            check_bounds(fm)
            loader = _Loader(fm)
            try:
                node = loader.get_single_node()
                if not isinstance(node, yaml.MappingNode):
                    raise NoMappingError("the block is not a mapping")
                self.key_lines = {
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
            raise NoMappingError(f"the block is not valid YAML{where}") from error
        except (ValueError, TypeError, LookupError, RecursionError, OverflowError) as error:
            raise NoMappingError("the block holds a value that cannot be read") from error
        return {str(key): value for key, value in data.items()}


def check_bounds(block: str) -> None:
    """Raise NoMappingError if a text is nested too deep or has too many aliases."""
    depth = aliases = 0
    for event in yaml.parse(block, Loader=_Loader):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        elif isinstance(event, yaml.AliasEvent):
            aliases += 1
        if depth > DEEPEST_NESTING:
            raise NoMappingError("the block is nested too deep")
        if aliases > MOST_ALIASES:
            raise NoMappingError("the block has too many aliases")


def _simple_fields(block: list[str]) -> dict[str, str]:
    """Return the `name: value` lines; nothing if any unindented line has another form."""
    fields: dict[str, str] = {}
    for line in block:
        if not line.strip() or line[0] in " \t#":
            continue
        match = _SIMPLE_FIELD.fullmatch(line)
        if match is None:
            return {}
        fields.setdefault(match.group("name"), (match.group("value") or "").strip().strip("\"'"))
    return fields
