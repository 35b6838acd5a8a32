"""Emits the files that are carried from the source, and the texts in references/."""

from collections.abc import Iterator, Sequence
from typing import Final

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.facts import ToolFact
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.core.package.carried_files import carried_files
from melleafy_tui.core.package.left_memory import MEMORY_COPIED
from melleafy_tui.generators import package_shape as shape
from melleafy_tui.generators.provenance import locations, marked

REFERENCES: Final = "references"
MEMORY_FOLDER: Final = "memory"
RULES_FILE: Final = "operating_rules.md"
CONTEXT_FILE: Final = "user_context.md"
REFERENCE_FOLDERS: Final = ("references/", "reference/")
"""Folders of a skill whose files go to references/ of the package."""

_NOT_SAFE: Final = LazyRegex(r"[^A-Za-z0-9._-]+")


def generate_assets(committed: CommittedPlan) -> list[EmittedFile]:
    """Return the carried files and the texts in references/."""
    folder = f"{committed.package_name}/"
    found = [EmittedFile(folder + path, source.data) for source, path in carried_files(committed)]
    for name, text, elements in _own_texts(committed):
        data = f"{text}\n".encode("utf-8", "backslashreplace")
        marks = tuple(marked(element, 1, data.count(b"\n")) for element in elements)
        found.append(EmittedFile(f"{folder}{REFERENCES}/{name}", data, marks))
    return list({file.path: file for file in reversed(found)}.values())[::-1]


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


def _own_texts(committed: CommittedPlan) -> Iterator[tuple[str, str, Sequence[Element]]]:
    """Yield the texts in references/: the name of the file, the text, and the elements that it was made from."""
    load = Disposition.LOAD_FROM_DISK
    for found in shape.functions(committed, EntryKind.IDENTITY, load):
        yield identity_file(found), "\n\n".join(map(_identity_text, found.elements)), found.elements
    if rules := shape.of_kind(committed, EntryKind.RULE, load):
        yield RULES_FILE, "\n".join(map(_rule_line, rules)), [item.element for item in rules]
    if facts := shape.of_kind(committed, shape.FACTS, load):
        said = "\n".join(shape.whole_statement_of(item.element) for item in facts)
        yield CONTEXT_FILE, said, [item.element for item in facts]
    for found in shape.functions(committed, EntryKind.TOOL_CONCRETE, Disposition.REAL_IMPL):
        if source := committed.snapshot.file(found.items[0].element.facts[ToolFact].document):
            yield skill_file(found), source.text or "", found.elements
    by_file: dict[str, list[Element]] = {}
    for item in shape.of_kind(committed, EntryKind.MEMORY, *MEMORY_COPIED):
        folder, source_file = memory_folder(committed, item.entry.disposition), item.element.source_file
        name = f"{folder}/{safe_path(source_file)}" if folder else reference_name(source_file)
        by_file.setdefault(name, []).append(item.element)
    for name, elements in by_file.items():
        yield name, "\n\n".join(map(_verbatim, elements)), elements


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
