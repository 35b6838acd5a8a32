"""Combines settings files: which are in effect, which entry wins, and elements for overridden entries.

Every element keeps the file and line of its entry.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct, field

from melleafy_tui.core.dialects.element_factory import (
    UNCONVERTED,
    ElementFactory,
    Home,
    SourceSpan,
    uncovered,
)
from melleafy_tui.core.language.wording import shorten
from melleafy_tui.core.models.facts import Facts, NamedFact, PermissionFact
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.vocabulary import Category, Tag
from melleafy_tui.core.source.json5 import JsonNode, parsed, syntax_findings


class PermissionList(Struct, frozen=True):
    """How the entries of one permission list are worded and mapped."""

    name: str
    tag: Tag
    lead: str

    def home(self, by: str) -> Home:
        """Return where a rule of this list belongs."""
        return Home(self.tag, Category.C2, by, f"permission.{self.name}")

    def facts(self, rule: str, tool: str) -> Facts:
        """Return the facts for a rule of this list about a tool."""
        denies = self.name == "deny"
        return Facts(PermissionFact(denies=tool) if denies else PermissionFact(asks=tool), NamedFact(rule))


LISTS: Final = {
    "deny": PermissionList("deny", Tag.VALIDATE_OUTPUT, "Never call"),
    "ask": PermissionList("ask", Tag.DECIDE, "Ask the user to confirm before each call of"),
}
"""The two lists whose entries become rules of the package; an entry of `allow` grants a tool."""


class MergedSettings(Struct):
    """What holds across all settings files, and where it stands first, from highest to lowest precedence.

    Attributes:
        places: The place of each entry that was read, by kind (a list of rules, grant, variable, server, key) and name.
        denied: Every rule that any file denies.
        asked: Every rule of which any file wants to be asked.
        switched_off: Servers that any file disables.
        no_hooks: Whether any file disables all hooks.
    """

    places: dict[tuple[str, str], str] = field(default_factory=dict)
    denied: frozenset[str] = frozenset()
    asked: frozenset[str] = frozenset()
    switched_off: frozenset[str] = frozenset()
    no_hooks: bool = False


class Source(Struct, frozen=True):
    """One settings file with its row, the settings that override it, and what is found about it."""

    file: SourceFile
    rule_id: str
    root: JsonNode
    merged: MergedSettings
    diagnostics: list[Diagnostic] = field(default_factory=list)

    @property
    def factory(self) -> ElementFactory:
        """Return the factory for the file's elements."""
        return ElementFactory(self.file, self.rule_id)

    def earlier(self, kind: str, name: str, node: JsonNode) -> str:
        """Return `file:line` of the same entry that was read before this one, `""` if this is the first."""
        known = self.merged.places.get((kind, name), "")
        self.merged.places[kind, name] = known or f"{self.file.path}:{node.key_line}"
        return known

    def report(self, code: str, node: JsonNode, **values: str) -> None:
        """Note a finding about an entry."""
        self.diagnostics.append(diagnose(code, self.file.path, str(node.key_line), **values))


def settings_root(file: SourceFile | None) -> JsonNode | None:
    """Return the tree of a settings file, or None if it isn't a valid object."""
    root = parsed(file)
    return root if root is not None and isinstance(root.value, dict) else None


def settings_problem(file: SourceFile) -> Iterator[Diagnostic]:
    """Yield a finding if a settings file can't be parsed, or isn't an object."""
    yield from syntax_findings(file)
    root = parsed(file)
    if root is not None and not isinstance(root.value, dict):
        yield diagnose("settings-no-object", file.path, str(root.line))


def merge_settings(snapshot: Snapshot, paths: Sequence[str]) -> MergedSettings:
    """Return the settings that apply across all files, computed before any file is read for elements."""
    roots = [root for path in paths if (root := settings_root(snapshot.file(path))) is not None]
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


def reported(by: str, row: str) -> Home:
    """Return where an entry belongs that is only reported, or that chooses a model."""
    tag, category = (Tag.CONFIG, Category.C8) if row == "front.model" else UNCONVERTED
    return Home(tag, category, by, row)


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
