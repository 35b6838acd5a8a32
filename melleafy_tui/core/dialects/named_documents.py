"""Finds the documents that read texts order to read: they become references, since a package can't open them itself."""

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import chain, islice
from pathlib import PurePosixPath
from typing import Final

from melleafy_tui.core.dialects.base import FileRule
from melleafy_tui.core.dialects.element_factory import ElementFactory, Home, SourceSpan, listed_file
from melleafy_tui.core.language.wording import plain_text, sentences
from melleafy_tui.core.language.words import WIDE_LETTERS, PatternTable
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.facts import DetailsFact, Facts, NamedFact
from melleafy_tui.core.models.inventory import Element, InventoriedFile
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.vocabulary import Category, Tag
from melleafy_tui.core.source.segments import block_text, cut_sections
from melleafy_tui.core.tables import table_beside

_form: Final = PatternTable(table_beside(__file__, "named_documents.toml")).form
PROSE: Final = (".md", ".markdown", ".mdx", ".txt", ".rst")
DATA: Final = (".json", ".jsonl", ".csv", ".tsv", ".yaml", ".yml", ".toml", ".xml")
LONGEST_BUNDLED: Final = 8_000
"""Longest prose, in characters, that is put in the prompt; longer prose is loaded from disk."""


def is_reference(path: str) -> bool:
    """Return whether a file's ending marks it as prose or data for the model."""
    return PurePosixPath(path).suffix.lower() in (*PROSE, *DATA)


def read_reference(file: SourceFile, rule_id: str) -> Element | None:
    """Return the single element of a reference file, or None if it has no text."""
    if not any(line.strip() for line in file.lines):
        return None
    data = PurePosixPath(file.path).suffix.lower() in DATA
    long = not data and len(file.text or "") > LONGEST_BUNDLED
    row = "skill.reference.data" if data else "skill.reference.long" if long else "skill.reference.prose"
    title = _title(file) if not data else ""
    shown = f"{PurePosixPath(file.path).name}: {title}" if title else PurePosixPath(file.path).name
    return ElementFactory(file, rule_id).make(
        SourceSpan(1, len(file.lines), "file"),
        shown,
        Home(Tag.QUERY, Category.C5, f"reference.{'data' if data else 'prose'}", row),
        Facts(
            NamedFact(PurePosixPath(file.path).stem),
            DetailsFact({"reference": file.path, "structured": data}),
        ),
    )


def _title(file: SourceFile) -> str:
    if not file.path.lower().endswith((".md", ".markdown", ".mdx")):
        return next((line.strip() for line in file.lines if line.strip()), "")
    for section in cut_sections(file):
        if section.heading:
            return section.heading
        for block in section.body:
            words = plain_text(block_text(block))
            if words:
                return words
    return ""


DOCUMENT: Final = FileRule(
    "reference.ordered", "(ordered by a text)", "document that a text orders to read", Category.C5
)

_NAMED_FILE: Final = _form("named_file", re.NOFLAG)
_WORD_BEFORE: Final = LazyRegex(rf"^\w*[{WIDE_LETTERS}](?=[A-Za-z])")
_ENDINGS: Final = (".md", ".js", ".y", ".py", ".sh", ".t", ".csv")
"""Every text that names a file contains one of these."""
_DOCUMENTS: Final = (".md", ".mdx", ".txt", *DATA)
_MARKED: Final = LazyRegex(r"[`(<\"]([^`()<>\"\n#]{1,100} [^`()<>\"\n#]{1,100})(?=[`)>\"#])")
_OWN: Final = ("memory/", ".git", "node_modules/", "package.json", "requirements.txt")
_PLACED: Final = LazyRegex(r"(?<![\w./:-])(?:~|\$\{?\w+\}?|/[\w.-]+)(?:/[\w.-]+)+")
_STANDS_FOR_MANY: Final = _form("stands_for_many")
WRITES: Final = _form("writes")
_READS: Final = _form("reads")


def known_names(snapshot: Snapshot) -> frozenset[str]:
    """Return the names of the workspace's files, without their folders and case."""
    return frozenset(name.rpartition("/")[2].casefold() for name in snapshot.names if not name.endswith("/"))


def names_in(text: str, known: frozenset[str]) -> Iterator[str]:
    """Yield the names in a text that name one file, no pattern, no wiki page and no program of a library.

    Args:
        text: The text.
        known: The names of the workspace's files. Where words aren't parted by spaces, the word before a name belongs
            to it only if such a file is there (读取SOUL.md).
    """
    if not any(ending in text for ending in _ENDINGS):
        return
    for found in _NAMED_FILE.findall(text):
        is_there = found.rpartition("/")[2].casefold() in known
        name = found if is_there else _WORD_BEFORE.sub("", found, count=1)
        is_library = name.endswith(".js") and name.rpartition("/")[2][0].isupper()  # Express/Node.js
        if not (is_library or name.startswith("memory-wiki/") or _STANDS_FOR_MANY.search(name)):
            yield name


def files_placed_in(text: str, snapshot: Snapshot) -> Iterator[str]:
    """Yield the workspace's files that a text names by where they lie on their owner's machine.

    Of `~/.openclaw/workspace/scripts/x.py` the longest end of at least two names that is a file here counts.
    """
    for found in _PLACED.findall(text):
        names = found.rstrip(".").split("/")
        ends = ("/".join(names[first:]) for first in range(1, len(names) - 1))
        yield from islice(filter(snapshot.has, ends), 1)


def documents_in(text: str, snapshot: Snapshot) -> Iterator[str]:
    """Yield the documents of the workspace that a text names, those with spaces only between marks."""
    if not any(ending in text for ending in _DOCUMENTS):
        return
    marked = (found[1].removeprefix("./") for found in _MARKED.finditer(text.replace("%20", " ")))
    for name in chain(names_in(text, frozenset()), files_placed_in(text, snapshot), marked):
        if name.endswith(_DOCUMENTS) and not name.startswith(_OWN) and snapshot.has(name):
            yield name


def is_written(text: str, target: str) -> bool:
    """Return whether the verb closest before a name is one of writing."""
    said = next((sentence for sentence in sentences(text) if target in sentence), text)
    before = said[: said.find(target)]
    found = ([match.start() for match in verb.finditer(before)] for verb in (WRITES, _READS))
    writes, reads = (max(places, default=-1) for places in found)
    return writes > reads if writes != reads else bool(WRITES.search(said))


def read_documents(
    elements: Iterable[Element], read: Collection[str], snapshot: Snapshot, runtime: str
) -> Iterator[tuple[InventoriedFile, Element | None]]:
    """Yield the documents that elements order to read, and that those order, each listed and with its element.

    Args:
        elements: What was read so far.
        read: The files that something was read from; a copy of one says nothing more.
        snapshot: The workspace.
        runtime: The runtime that lists them.
    """
    said = {None, *(file.text for file in snapshot.files if file.path in read)}
    texts = [element.content_full for element in elements if not element.is_left_out]
    while texts:
        text = texts.pop(0).replace("%20", " ")
        for name in documents_in(text, snapshot):
            source = snapshot.file(name)
            if source is not None and source.text not in said and not is_written(text, name):
                said.add(source.text)
                texts.append(source.text or "")
                yield listed_file(source, DOCUMENT, runtime), read_reference(source, DOCUMENT.rule_id)
