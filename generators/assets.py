"""Emits the files that are carried from the source, and the texts in references/."""

from collections.abc import Iterable
from functools import cached_property
from typing import Final

from msgspec import Struct

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.facts import ToolFact
from melleafy_tui.core.models.file_set import EmittedFile, LineProvenance
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.core.package.carried_files import carried_files
from melleafy_tui.core.package.left_memory import MEMORY_COPIED
from melleafy_tui.generators import package_shape as shape
from melleafy_tui.generators.provenance import locations

REFERENCES: Final = "references"
MEMORY_FOLDER: Final = "memory"
RULES_FILE: Final = "operating_rules.md"
CONTEXT_FILE: Final = "user_context.md"
REFERENCE_FOLDERS: Final = ("references/", "reference/")
"""Folders of a skill whose files go to references/ of the package."""

_NOT_SAFE: Final = LazyRegex(r"[^A-Za-z0-9._-]+")


class Asset(Struct, frozen=True, dict=True):
    """One bundled file: its path relative to the package, its text or bytes, and its elements."""

    path: str
    data: bytes
    elements: tuple[Element, ...] = ()

    @cached_property
    def line_count(self) -> int:
        """Return how many lines the file has, at least one."""
        return max(1, self.data.count(b"\n"))


def generate_assets(committed: CommittedPlan) -> list[EmittedFile]:
    """Return the carried files and the texts in references/."""
    emitted: dict[str, EmittedFile] = {}
    carried = (Asset(path, source.data) for source, path in carried_files(committed))
    for asset in (*carried, *_own_texts(committed)):
        path = f"{committed.package_name}/{asset.path}"
        marks = tuple(
            LineProvenance(1, asset.line_count, element.element_id, element.source_file, element.source_lines)
            for element in asset.elements
        )
        emitted.setdefault(path, EmittedFile(path, asset.data, marks))
    return list(emitted.values())


def safe_path(path: str) -> str:
    """Return a workspace path as a relative path of plain parts only."""
    parts = [
        _NOT_SAFE.sub("_", part).strip("._") or "file"
        for part in path.split("/")
        if part not in ("", ".", "..")
    ]
    return "/".join(parts) or "file"


def identity_file(function: shape.Function) -> str:
    """Return the name of the file in references/ that holds an identity text."""
    return f"{function.symbol.removeprefix('read_')}.md"


def skill_file(function: shape.Function) -> str:
    """Return the name of the file in references/ that holds a skill: folders of skills may differ in case only."""
    return f"skills/{function.symbol}_skill.md"


def reference_name(source: str) -> str:
    """Return the path of a memory file below references/; a skill's references keep their paths."""
    safe = safe_path(source)
    for folder in REFERENCE_FOLDERS:
        if safe.startswith(folder):
            return safe.removeprefix(folder)
    return f"{MEMORY_FOLDER}/{safe}"


def memory_folder(committed: CommittedPlan, disposition: Disposition) -> str:
    """Return the folder below references/ with the memory of a disposition, `""` for references/ itself."""
    together = shape.SEARCHED_COPY if disposition in shape.SEARCHED_COPY else (disposition,)
    items = shape.of_kind(committed, EntryKind.MEMORY, *together)
    inside = all(item.element.source_file.startswith(REFERENCE_FOLDERS) for item in items)
    return "" if items and inside else MEMORY_FOLDER


def _own_texts(committed: CommittedPlan) -> Iterable[Asset]:
    load = Disposition.LOAD_FROM_DISK
    for found in shape.functions(committed, EntryKind.IDENTITY, load):
        yield _text(identity_file(found), "\n\n".join(map(_identity_text, found.elements)), found.elements)
    rules = shape.of_kind(committed, EntryKind.RULE, load)
    if rules:
        lines = "\n".join(map(_rule_line, rules))
        yield _text(RULES_FILE, lines, _elements(rules))
    facts = shape.of_kind(committed, shape.FACTS, load)
    if facts:
        yield _text(CONTEXT_FILE, shape.joined_statements(facts), _elements(facts))
    for found in shape.functions(committed, EntryKind.TOOL_CONCRETE, Disposition.REAL_IMPL):
        if source := committed.snapshot.file(found.items[0].element.facts[ToolFact].document):
            yield _text(skill_file(found), source.text or "", found.elements)
    by_file: dict[str, list[PlannedElement]] = {}
    for item in shape.of_kind(committed, EntryKind.MEMORY, *MEMORY_COPIED):
        folder = memory_folder(committed, item.entry.disposition)
        source_file = item.element.source_file
        name = f"{folder}/{safe_path(source_file)}" if folder else reference_name(source_file)
        by_file.setdefault(name, []).append(item)
    for path, items in by_file.items():
        text = "\n\n".join(_verbatim(item.element) for item in items)
        yield _text(path, text, _elements(items))


def _rule_line(item: PlannedElement) -> str:
    """Return a rule as a bullet of the rules file, with what it is and where it comes from."""
    kind = "guidance" if item.mapping.validation_kind is None else "judged"
    text = "\n  ".join(shape.statement_of(item.element).splitlines())
    return f"- {text} <!-- {kind} {locations([item.element])} -->"


def _identity_text(element: Element) -> str:
    """Return the text of the identity, which is the value alone where it is a field with a label."""
    return element.value if element.label and element.value else _verbatim(element)


def _verbatim(element: Element) -> str:
    return element.content_full.rstrip("\r\n")


def _text(path: str, text: str, elements: tuple[Element, ...]) -> Asset:
    return Asset(f"{REFERENCES}/{path}", f"{text}\n".encode("utf-8", "backslashreplace"), elements)


def _elements(items: Iterable[PlannedElement]) -> tuple[Element, ...]:
    return tuple(item.element for item in items)
