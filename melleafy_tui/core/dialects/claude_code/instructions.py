"""Reads CLAUDE.md, similar instruction files and their imports: rules, facts about the project, commands.

The body is cut like a skill's, except that steps stay among the rules, since instructions apply to all work and
describe no single task.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.dialects.agent_skills.body import read_body
from melleafy_tui.core.dialects.agent_skills.frontmatter_fields import read_head
from melleafy_tui.core.dialects.claude_code.file_rules import ABOVE
from melleafy_tui.core.dialects.element_factory import UNCONVERTED, ElementFactory, Home, SourceSpan
from melleafy_tui.core.dialects.named_documents import PROSE, is_reference, read_reference
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.vocabulary import Category, Tag
from melleafy_tui.core.source.dropped_values import is_environment_file
from melleafy_tui.core.source.outer_files import MOST_HOPS, OuterFiles, import_path
from melleafy_tui.core.source.segments import cut_segments

_IMPORT: Final = LazyRegex(r"(?:^|(?<=[\s(]))@(?P<path>[~./\\\w-](?:\\ |[^\s`\"'<>|,;()])*)")
_IMPORTING: Final = LazyRegex(
    r"(?:.*/)?CLAUDE\.md|(?:.*/)?\.claude/(?:rules|commands|agents|skills)/.*\.md|(?:commands|agents)/[^/]+\.md"
)
_CODE_SPAN: Final = LazyRegex(r"(`{1,8})(?:.*?)\1")


class Import(Struct, frozen=True):
    """One import: the path as written, relative to the root, and its line."""

    reference: str
    path: str
    line: int

    @property
    def is_sure(self) -> bool:
        """Return whether its ending is one of prose or data; else it may be a package (`@types/node`)."""
        return is_reference(self.reference.partition("#")[0])


def imports_of(file: SourceFile) -> tuple[Import, ...]:
    """Return the imports of a file in order, except those in code."""
    found = []
    for segment in cut_segments(file):
        if segment.kind in ("fence", "frontmatter", "comment", "html"):
            continue
        for number in range(segment.first, segment.last + 1):
            line = _CODE_SPAN.sub(lambda span: " " * len(span.group()), file.lines[number - 1])
            for match in _IMPORT.finditer(line):
                reference = match["path"].rstrip(".:!?").replace("\\ ", " ")
                imported = Import(reference, import_path(file.path, reference), number)
                if "$" not in reference and (imported.path or imported.is_sure):
                    found.append(imported)
    return tuple(found)


def _imported_paths(file: SourceFile, imported: bool) -> tuple[str, ...]:
    if file.text is None or is_environment_file(file.path):
        return ()
    if not _IMPORTING.fullmatch(file.path) and not (imported and file.path.lower().endswith(PROSE)):
        return ()
    return tuple(found.reference for found in imports_of(file) if not is_environment_file(found.reference))


OUTER_FILES: Final = OuterFiles(ABOVE, _imported_paths)
"""The files outside the root that the snapshot opens."""


def follow(
    file: SourceFile,
    snapshot: Snapshot,
    seen: set[str],
    diagnostics: list[Diagnostic],
    above: tuple[str, ...] = (),
) -> Iterator[tuple[SourceFile, str]]:
    """Yield the files that a file imports, each once and directly followed by its own, with `file:line` of the import.

    Args:
        file: The file to start from.
        snapshot: The workspace.
        seen: Paths of the files already read; the imported files are added.
        diagnostics: The list to which missing, too deep and circular imports are added.
        above: The files by which this one is imported.
    """
    chain = (*above, file.path)
    for found in imports_of(file):
        line = str(found.line)
        if found.path in chain:
            diagnostics.append(diagnose("import-cycle", file.path, line, target=found.reference))
            continue
        target = snapshot.file(found.path)
        if target is not None and found.path in seen:
            continue
        if len(chain) > MOST_HOPS:
            diagnostics.append(
                diagnose("import-too-deep", file.path, line, target=found.reference, limit=MOST_HOPS)
            )
            continue
        if target is None or target.text is None:
            # Imports from outside the repository were reported when the snapshot was read.
            if found.is_sure and not _was_reported(snapshot, found):
                diagnostics.append(diagnose("import-missing", file.path, line, target=found.reference))
            continue
        seen.add(found.path)
        yield target, f"{file.path}:{line}"
        if target.path.lower().endswith(PROSE):
            yield from follow(target, snapshot, seen, diagnostics, chain)


def _was_reported(snapshot: Snapshot, found: Import) -> bool:
    return not found.path or any(
        told.code in ("import-outside", "link-private") and f"(@{found.reference})" in told.file
        for told in snapshot.diagnostics
    )


IMPORT_MARK: Final = re.compile(r"\(?@[~./\w-]")
MOST_POINTING: Final = 10
"""Words next to an import in a text that only points to it."""

_POINTS: Final = LazyRegex(
    r"(?:please )?(?:also )?(?:see|read|refer to|consult|look at|details|more|for)\b|@", re.IGNORECASE
)

_COMMAND: Final = Home(
    Tag.TOOL_TEMPLATE, Category.C6, "a fence of commands or code in an instruction file", "memory.guidance"
)
_ENDPOINT: Final = Home(Tag.TOOL_TEMPLATE, Category.C6, "a request with its address", "skill.endpoint")


def _homes(whose: str, row: str) -> Mapping[str, Home]:
    """Return where the lines of an instruction file belong, by form."""
    rule = Home(Tag.DECIDE, Category.C2, f"a rule {whose}", row)
    step = Home(Tag.ORCHESTRATE, Category.C2, f"a step {whose}", row)
    return {"rule": rule, "step": step, "command": _COMMAND, "endpoint": _ENDPOINT}


_EVERYWHERE: Final = _homes("of an instruction file", "memory.rule")
_SCOPED: Final = _homes("for some files", "memory.scoped")
"""Where lines belong that are for a folder or the `paths` that the file names."""


def read_memory(file: SourceFile, rule_id: str, snapshot: Snapshot, scope: str = "") -> Iterator[Element]:
    """Yield the elements of an instruction file.

    Args:
        file: The file.
        rule_id: The id of the file rule that matches the file.
        snapshot: The workspace.
        scope: The folder that its rules apply to, `""` for all.
    """
    if not file.path.lower().endswith(PROSE):
        if (reference := read_reference(file, rule_id)) is not None:
            yield reference
        return
    head = read_head(file)
    if head.last:
        span, kept = SourceSpan(1, head.last, "frontmatter"), Home(*UNCONVERTED, "front matter")
        yield ElementFactory(file, rule_id).make(span, "Frontmatter", kept)
    paths = head.get("paths") or head.get("globs")
    scope = (_listed(paths.value) if paths is not None else "") or scope
    for element in read_body(file, rule_id, snapshot, head.last, _SCOPED if scope else _EVERYWHERE, scope):
        yield _as_import(element) if _only_imports(element.statement) else element


def _as_import(element: Element) -> Element:
    """Return a line that only names files to import as one that carries nothing: the files are read."""
    return replace(
        element, mapping_row="", category=Category.NONE, tag=Tag.NO_DECOMPOSE, rationale="an import", scope=""
    )


def _only_imports(statement: str) -> bool:
    """Return whether a text consists of imports or only points to one (“See @docs/style.md for the style.”)."""
    words = statement.split()
    if not any(IMPORT_MARK.match(word) for word in words):
        return False
    rest = [word for word in words if not IMPORT_MARK.match(word)]
    points = not rest or rest[-1].endswith(":") or _POINTS.match(statement) is not None
    return points and len(rest) <= MOST_POINTING


def _listed(value: object) -> str:
    parts = value if isinstance(value, list) else [value]
    return ", ".join(part for part in parts if isinstance(part, str))
