"""Emits loader.py: reads the texts in references/, each through a path beside the code."""

from typing import Final

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.package import EmittedFile
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.generators.assets import (
    CONTEXT_FILE,
    REFERENCES,
    RULES_FILE,
    identity_file,
    memory_files,
    memory_folder,
)
from melleafy_tui.generators.layout import operands, statement, tupled, value
from melleafy_tui.generators.literals import string_literal
from melleafy_tui.generators.provenance import Page, locations
from melleafy_tui.generators.shape import FACTS, Function, functions

_PRIVACY: Final = "It may hold private things: look through it before you share the package."

_TEXTS: Final = '''def _texts(folder: Path, names: tuple[str, ...]) -> str:
    """Return the texts of a folder, each below its name."""
    texts = {name: (folder / name).read_text(encoding="utf-8") for name in names}
    return "\\n\\n".join(f"{name}:\\n{text.strip()}" for name, text in texts.items())'''
"""Reads files of memory; a rule of the source may speak of one by its name."""


def generate_loader(committed: CommittedPlan) -> list[EmittedFile]:
    """Return loader.py, or nothing where the plan loads nothing."""
    load = Disposition.LOAD_FROM_DISK
    identities = functions(committed, EntryKind.IDENTITY, load)
    rules = functions(committed, EntryKind.RULE, load)
    facts = functions(committed, FACTS, load)
    copied = functions(committed, EntryKind.MEMORY, Disposition.BUNDLE)
    from_path = functions(committed, EntryKind.MEMORY, load)
    if not (identities or rules or facts or copied or from_path):
        return []
    page = Page(f"{committed.package_name}/loader.py")
    page.add('"""Reads the texts that lie beside the code, so that they can be changed without it."""')
    page.blank()
    page.add("from pathlib import Path")
    if copied:
        _add_names(page, "MEMORY_FILES", memory_files(committed, Disposition.BUNDLE))
    if from_path:
        _add_names(page, "MEMORY_FILES_FROM", memory_files(committed, load))
    if copied or from_path:
        page.blank(2)
        page.add(_TEXTS)
    for function in identities:
        _add_reader(page, function, "Return the agent's own text.", _read(identity_file(function)))
    for function in rules:
        _add_reader(page, function, "Return the operating rules, one a line.", _read(RULES_FILE))
    for function in facts:
        _add_reader(page, function, "Return what is known about the user.", _read(CONTEXT_FILE))
    for function in copied:
        beside = _beside(memory_folder(committed, Disposition.BUNDLE))
        body = [*operands("folder = ", beside, "/", indent=1), "    return _texts(folder, MEMORY_FILES)"]
        _add_reader(page, function, f"Return the copy of long-term memory. {_PRIVACY}", body)
    for function in from_path:
        body = [
            *operands("beside = ", _beside(memory_folder(committed, load)), "/", indent=1),
            "    folder = Path(memory_path) if memory_path else beside",
            "    return _texts(folder, MEMORY_FILES_FROM)",
        ]
        summary = f"Return long-term memory from a folder; empty takes the copy beside the code. {_PRIVACY}"
        _add_reader(page, function, summary, body, 'memory_path: str = ""')
    return [page.emitted()]


def _add_names(page: Page, name: str, files: list[str]) -> None:
    page.blank()
    page.add(statement(f"{name} = ", tupled(value(file) for file in files)))


def _add_reader(page: Page, function: Function, summary: str, body: list[str], declared: str = "") -> None:
    page.blank(2)
    entry, category = function.items[0].entry, function.items[0].element.category
    page.add(
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
