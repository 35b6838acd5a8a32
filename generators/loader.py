"""Generates loader.py and the files in references/, scripts/ and assets/."""

import re
from collections.abc import Iterable
from functools import cached_property
from typing import Final

from msgspec import Struct

from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.facts import ToolFact
from melleafy_tui.core.models.file_set import CARRIED_FOLDERS, EmittedFile, LineProvenance
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.generators.code_layout import operands, statement, tupled, value
from melleafy_tui.generators.literals import string_literal
from melleafy_tui.generators.package_shape import (
    FACTS,
    Function,
    functions,
    is_secret,
    joined_statements,
    of_kind,
    statement_of,
)
from melleafy_tui.generators.provenance import SourceWriter, locations

REFERENCES: Final = "references"
MEMORY_FOLDER: Final = "memory"
RULES_FILE: Final = "operating_rules.md"
CONTEXT_FILE: Final = "user_context.md"
REFERENCE_FOLDERS: Final = ("references/", "reference/")
"""Folders of a skill whose files go to references/ of the package."""

MEMORY_COPIED: Final = (Disposition.BUNDLE, Disposition.REAL_IMPL, Disposition.LOAD_FROM_DISK)
"""Dispositions with which memory files are bundled in the package."""

_NOT_SAFE: Final = re.compile(r"[^A-Za-z0-9._-]+")


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
    """Return the files in references/, scripts/ and assets/."""
    emitted: dict[str, EmittedFile] = {}
    for asset in (*_own_texts(committed), *_mirrored(committed)):
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


def identity_file(function: Function) -> str:
    """Return the name of the file in references/ that holds an identity text."""
    return f"{function.symbol.removeprefix('read_')}.md"


def memory_files(committed: CommittedPlan, *dispositions: Disposition) -> list[str]:
    """Return the files in references/memory with the memory of the given dispositions, in source order."""
    items = of_kind(committed, EntryKind.MEMORY, *dispositions)
    folder = memory_folder(committed, *dispositions)
    names = (
        safe_path(item.element.source_file) if folder else reference_name(item.element.source_file)
        for item in items
    )
    return list(dict.fromkeys(names))


def reference_name(source: str) -> str:
    """Return the path of a memory file below references/; a skill's references keep their paths."""
    safe = safe_path(source)
    for folder in REFERENCE_FOLDERS:
        if safe.startswith(folder):
            return safe.removeprefix(folder)
    return f"{MEMORY_FOLDER}/{safe}"


def memory_folder(committed: CommittedPlan, *dispositions: Disposition) -> str:
    """Return the folder below references/ with the memory of the given dispositions, `""` for references/ itself."""
    items = of_kind(committed, EntryKind.MEMORY, *dispositions)
    inside = all(item.element.source_file.startswith(REFERENCE_FOLDERS) for item in items)
    return "" if items and inside else MEMORY_FOLDER


def script_path(source: str) -> str:
    """Return the path in the package of a workspace script."""
    safe = safe_path(source)
    return safe if safe.startswith("scripts/") else f"scripts/{safe}"


def _own_texts(committed: CommittedPlan) -> Iterable[Asset]:
    load = Disposition.LOAD_FROM_DISK
    for found in functions(committed, EntryKind.IDENTITY, load):
        yield _text(identity_file(found), "\n\n".join(map(_verbatim, found.elements)), found.elements)
    rules = of_kind(committed, EntryKind.RULE, load)
    if rules:
        lines = "\n".join(f"- {statement_of(item.element)}" for item in rules)
        yield _text(RULES_FILE, lines, _elements(rules))
    facts = of_kind(committed, FACTS, load)
    if facts:
        yield _text(CONTEXT_FILE, joined_statements(facts), _elements(facts))
    by_file: dict[str, list[PlannedElement]] = {}
    for item in of_kind(committed, EntryKind.MEMORY, *MEMORY_COPIED):
        folder = memory_folder(committed, item.entry.disposition)
        source_file = item.element.source_file
        name = f"{folder}/{safe_path(source_file)}" if folder else reference_name(source_file)
        by_file.setdefault(name, []).append(item)
    for path, items in by_file.items():
        text = "\n\n".join(_verbatim(item.element) for item in items)
        yield _text(path, text, _elements(items))


def _mirrored(committed: CommittedPlan) -> Iterable[Asset]:
    concrete = of_kind(committed, EntryKind.TOOL_CONCRETE, Disposition.REAL_IMPL)
    scripts = {item.element.facts[ToolFact].script for item in concrete} - {""}
    for source in committed.snapshot.files:
        data = committed.without_secrets.get(source.path, source.data)
        if source.path in scripts:
            yield Asset(script_path(source.path), data)
        if source.path.startswith(CARRIED_FOLDERS):
            yield Asset(safe_path(source.path), data)
        elif source.path.startswith(REFERENCE_FOLDERS):
            yield Asset(f"{REFERENCES}/{reference_name(source.path)}", data)


def _verbatim(element: Element) -> str:
    return (statement_of(element) if is_secret(element) else element.content_full).rstrip("\r\n")


def _text(path: str, text: str, elements: tuple[Element, ...]) -> Asset:
    return Asset(f"{REFERENCES}/{path}", f"{text}\n".encode("utf-8", "backslashreplace"), elements)


def _elements(items: Iterable[PlannedElement]) -> tuple[Element, ...]:
    return tuple(item.element for item in items)


_PRIVACY: Final = "It may hold private things: look through it before you share the package."

_TEXTS: Final = '''def _texts(folder: Path, names: tuple[str, ...]) -> str:
    """Return the texts of a folder, each below its name."""
    texts = {name: (folder / name).read_text(encoding="utf-8") for name in names}
    return "\\n\\n".join(f"{name}:\\n{text.strip()}" for name, text in texts.items())'''
"""Reads memory files; a rule of the source may refer to one by name."""


def generate_loader(committed: CommittedPlan) -> list[EmittedFile]:
    """Return loader.py, or nothing if the plan loads no texts."""
    load = Disposition.LOAD_FROM_DISK
    identities = functions(committed, EntryKind.IDENTITY, load)
    rules = functions(committed, EntryKind.RULE, load)
    facts = functions(committed, FACTS, load)
    copied = functions(committed, EntryKind.MEMORY, Disposition.BUNDLE)
    from_path = functions(committed, EntryKind.MEMORY, load)
    if not (identities or rules or facts or copied or from_path):
        return []
    writer = SourceWriter(f"{committed.package_name}/loader.py")
    writer.add('"""Reads the texts that lie beside the code, so that they can be changed without it."""')
    writer.blank()
    writer.add("from pathlib import Path")
    if copied:
        _add_names(writer, "MEMORY_FILES", memory_files(committed, Disposition.BUNDLE))
    if from_path:
        _add_names(writer, "MEMORY_FILES_FROM", memory_files(committed, load))
    if copied or from_path:
        writer.blank(2)
        writer.add(_TEXTS)
    for function in identities:
        _add_reader(writer, function, "Return the agent's own text.", _read(identity_file(function)))
    for function in rules:
        _add_reader(writer, function, "Return the operating rules, one a line.", _read(RULES_FILE))
    for function in facts:
        _add_reader(writer, function, "Return what is known about the user.", _read(CONTEXT_FILE))
    for function in copied:
        beside = _beside(memory_folder(committed, Disposition.BUNDLE))
        body = [*operands("folder = ", beside, "/", indent=1), "    return _texts(folder, MEMORY_FILES)"]
        _add_reader(writer, function, f"Return the copy of long-term memory. {_PRIVACY}", body)
    for function in from_path:
        body = [
            *operands("beside = ", _beside(memory_folder(committed, load)), "/", indent=1),
            "    folder = Path(memory_path) if memory_path else beside",
            "    return _texts(folder, MEMORY_FILES_FROM)",
        ]
        summary = f"Return long-term memory from a folder; empty takes the copy beside the code. {_PRIVACY}"
        _add_reader(writer, function, summary, body, 'memory_path: str = ""')
    return [writer.emitted()]


def _add_names(writer: SourceWriter, name: str, files: list[str]) -> None:
    writer.blank()
    writer.add(statement(f"{name} = ", tupled(value(file) for file in files)))


def _add_reader(
    writer: SourceWriter, function: Function, summary: str, body: list[str], declared: str = ""
) -> None:
    writer.blank(2)
    entry, category = function.items[0].entry, function.items[0].element.category
    writer.add(
        [
            f"def {function.symbol}({declared}) -> str:",
            f'    """{summary}',
            "",
            f"    Source: {locations(function.elements)} ({category}, {entry.disposition}).",
            '    """',
            *body,
        ],
        function.elements,
    )


def _read(file: str) -> list[str]:
    return [
        *operands("path = ", _beside(file), "/", indent=1),
        '    return path.read_text(encoding="utf-8").rstrip("\\n")',
    ]


def _beside(file: str) -> list[str]:
    inner = [string_literal(file)] if file else []
    return ["Path(__file__).parent", string_literal(REFERENCES), *inner]
