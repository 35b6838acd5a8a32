"""Combines settings files: which are in effect, which entry wins, and elements for overridden entries.

Every element keeps the file and line of its entry.
"""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct, field

from melleafy_tui.core.dialects.element_factory import (
    UNCONVERTED,
    ElementFactory,
    Home,
    SourceSpan,
    uncovered,
)
from melleafy_tui.core.language.wording import shorten
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.source.json5 import Json5Error, JsonNode, parse_json5


class MergedSettings(Struct):
    """The settings read so far, from highest to lowest precedence.

    Attributes:
        rules: Position of each permission rule, by list and rule.
        denied: Every rule that any file denies.
        granted: Granted functions with their positions.
        variables: Names of environment variables.
        servers: Names of MCP servers.
        values: Keys of single values that a file of higher precedence has set.
        switched_off: Servers that any file disables.
        no_hooks: Whether any file disables all hooks.
    """

    rules: dict[tuple[str, str], str] = field(default_factory=dict)
    denied: frozenset[str] = frozenset()
    asked: frozenset[str] = frozenset()
    granted: dict[str, str] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)
    servers: dict[str, str] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)
    switched_off: frozenset[str] = frozenset()
    no_hooks: bool = False


class Source(Struct, frozen=True):
    """One settings file with its row and the settings that override it."""

    file: SourceFile
    rule_id: str
    root: JsonNode
    merged: MergedSettings

    @property
    def factory(self) -> ElementFactory:
        """Return the factory for the file's elements."""
        return ElementFactory(self.file, self.rule_id)

    def place(self, node: JsonNode) -> str:
        """Return `file:line` for a node."""
        return f"{self.file.path}:{node.key_line}"


def parsed(file: SourceFile | None) -> JsonNode | None:
    """Return the tree of a settings file, or None if it isn't valid."""
    if file is None or not file.text:
        return None
    try:
        root = parse_json5(file.text)
    except Json5Error:
        return None
    return root if isinstance(root.value, dict) else None


def syntax_problem(file: SourceFile) -> Iterator[Diagnostic]:
    """Yield a finding if a settings file can't be parsed."""
    try:
        root = parse_json5(file.text or "")
    except Json5Error as problem:
        yield diagnose(
            "json-syntax",
            file.path,
            str(problem.line),
            problem=problem.message,
            line=problem.line,
            column=problem.column,
        )
        return
    if not isinstance(root.value, dict):
        yield diagnose("settings-no-object", file.path, str(root.line))


def merge_settings(snapshot: Snapshot, paths: Sequence[str]) -> MergedSettings:
    """Return the settings that apply across all files, computed before any file is read for elements."""
    roots = [root for path in paths if (root := parsed(snapshot.file(path))) is not None]
    merged = MergedSettings()
    for root in roots:
        merged.denied |= frozenset(strings(root.at("permissions.deny")))
        merged.asked |= frozenset(strings(root.at("permissions.ask")))
        merged.switched_off |= frozenset(strings(root.at("disabledMcpjsonServers")))
        found = root.at("disableAllHooks")
        merged.no_hooks = merged.no_hooks or (found is not None and found.value is True)
    return merged


def strings(node: JsonNode | None) -> Iterator[str]:
    """Yield the strings in a list."""
    for item in node.items() if node is not None else ():
        if isinstance(item.value, str):
            yield item.value.strip()


def kept(source: Source, node: JsonNode, words: str) -> Element:
    """Return the element of an entry that is kept and not converted, with the reason."""
    return source.factory.make(
        SourceSpan(node.key_line, node.end_line, "json"),
        words,
        Home(*UNCONVERTED, "settings.kept"),
        summary=shorten(words),
    )


def with_uncovered_lines(source: Source, elements: Iterable[Element]) -> list[Element]:
    """Return the elements in line order, with elements for the lines between them that none covers."""
    result = list(elements)
    for first, last in tuple(uncovered(source.file, result)):
        span, home = SourceSpan(first, last, "json"), Home(*UNCONVERTED, "settings.rest")
        result.append(source.factory.make(span, "Brackets of the settings", home))
    return sorted(result, key=lambda element: element.line_range)


def text_at(node: JsonNode, path: str) -> str:
    """Return the text at a path of a node, or `""` if there is none."""
    found = node.at(path)
    return found.value if found is not None and isinstance(found.value, str) else ""
