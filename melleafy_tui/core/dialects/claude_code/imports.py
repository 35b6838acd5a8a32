"""`@path` imports of instructions: where they stand, and in which order the files follow (issue 7, "Claude Code").

An import stands outside of code; it is relative to the file that holds it. Depth and cycles are bounded here, the
repository's bounds by the snapshot's reader.
"""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from msgspec import Struct

from melleafy_tui.core.diagnostics import diagnose
from melleafy_tui.core.dialects.claude_code.file_rules import ABOVE
from melleafy_tui.core.models.diagnostics import Diagnostic
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.source.secrets.dropped_values import is_environment_file
from melleafy_tui.core.workspace.around import MOST_HOPS, Surroundings, import_path
from melleafy_tui.core.workspace.pieces import cut_pieces

PROSE: Final = (".md", ".markdown", ".mdx", ".txt", ".rst")
DATA: Final = (".json", ".yaml", ".yml", ".toml")
"""Endings of the files that an import opens; a program's source is no instruction."""

_IMPORT: Final = re.compile(r"(?:^|(?<=[\s(]))@(?P<path>[~./\w-][^\s`\"'<>|,;()]*)")
_IMPORTING: Final = re.compile(
    r"(?:.*/)?CLAUDE\.md|(?:.*/)?\.claude/(?:rules|commands|agents|skills)/.*\.md|(?:commands|agents)/[^/]+\.md"
)
_CODE_SPAN: Final = re.compile(r"(`+)(?:.*?)\1")


class Import(Struct, frozen=True):
    """One import: the path as it is written, relative to the root, and its line."""

    reference: str
    path: str
    line: int


def imports_of(file: SourceFile) -> tuple[Import, ...]:
    """Return the imports of a file in order, those in code left out."""
    found = []
    for piece in cut_pieces(file):
        if piece.kind in ("fence", "frontmatter", "comment", "html"):
            continue
        for number in range(piece.first, piece.last + 1):
            line = _CODE_SPAN.sub(lambda span: " " * len(span.group()), file.lines[number - 1])
            for match in _IMPORT.finditer(line):
                reference = match["path"].rstrip(".:!?")
                if "$" not in reference and PurePosixPath(reference).suffix.lower() in (*PROSE, *DATA):
                    found.append(Import(reference, import_path(file.path, reference), number))
    return tuple(found)


def _imported_paths(file: SourceFile, imported: bool) -> tuple[str, ...]:
    if file.text is None or is_environment_file(file.path):
        return ()
    if not _IMPORTING.fullmatch(file.path) and not (imported and file.path.lower().endswith(PROSE)):
        return ()
    return tuple(found.reference for found in imports_of(file) if not is_environment_file(found.reference))


SURROUNDINGS: Final = Surroundings(ABOVE, _imported_paths)
"""What the snapshot opens around the root."""


class Imported(Struct, frozen=True):
    """A file that is imported, and by which line of which file."""

    file: SourceFile
    by: str
    line: int


def follow(
    file: SourceFile, snapshot: Snapshot, seen: set[str], diagnostics: list[Diagnostic]
) -> Iterator[Imported]:
    """Yield the files that a file imports, each once, those of an imported file right after it.

    Args:
        file: Where to start.
        snapshot: The workspace.
        seen: Paths of the files that were read already; found ones are added.
        diagnostics: Where missing, too deep and circular imports are told.
    """
    yield from _follow(file, snapshot, seen, diagnostics, (file.path,))


def _follow(
    file: SourceFile,
    snapshot: Snapshot,
    seen: set[str],
    diagnostics: list[Diagnostic],
    chain: tuple[str, ...],
) -> Iterator[Imported]:
    for found in imports_of(file):
        line = str(found.line)
        if found.path in chain:
            diagnostics.append(diagnose("import-cycle", file.path, line, target=found.reference))
            continue
        target = snapshot.file(found.path) if found.path else None
        if target is not None and found.path in seen:
            continue
        if len(chain) > MOST_HOPS:
            diagnostics.append(
                diagnose("import-too-deep", file.path, line, target=found.reference, limit=MOST_HOPS)
            )
            continue
        if target is None or target.text is None:
            # What leads out of the repository was told when the snapshot was read.
            if found.path and not _told(snapshot, found):
                diagnostics.append(diagnose("import-missing", file.path, line, target=found.reference))
            continue
        seen.add(found.path)
        yield Imported(target, file.path, found.line)
        if target.path.lower().endswith(PROSE):
            yield from _follow(target, snapshot, seen, diagnostics, (*chain, found.path))


def _told(snapshot: Snapshot, found: Import) -> bool:
    return any(
        told.code in ("import-outside", "link-private") and f"(@{found.reference})" in told.file
        for told in snapshot.diagnostics
    )
