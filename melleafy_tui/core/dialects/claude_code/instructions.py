"""Reads CLAUDE.md, similar instruction files and their imports: rules, facts about the project, commands.

The body is split and tagged like a skill's, except that steps become rules, since instructions apply to all work and
describe no single task.
"""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.dialects.agent_skills.body import STEP_TAGS, read_body
from melleafy_tui.core.dialects.agent_skills.fields import read_head
from melleafy_tui.core.dialects.claude_code.file_rules import ABOVE
from melleafy_tui.core.dialects.element_factory import (
    UNCONVERTED,
    ElementFactory,
    ElementText,
    SourceSpan,
    TagDecision,
)
from melleafy_tui.core.language.directives import polarity_of
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.facts import PhaseFact
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.vocabulary import Category, Polarity, Tag
from melleafy_tui.core.source.dropped_values import is_environment_file
from melleafy_tui.core.source.outer_files import MOST_HOPS, OuterFiles, import_path
from melleafy_tui.core.source.segments import cut_segments

PROSE: Final = (".md", ".markdown", ".mdx", ".txt", ".rst")
DATA: Final = (".json", ".yaml", ".yml", ".toml")
"""Endings of the files that an import opens; program source doesn't count as instructions."""

_IMPORT: Final = LazyRegex(r"(?:^|(?<=[\s(]))@(?P<path>[~./\w-][^\s`\"'<>|,;()]*)")
_IMPORTING: Final = LazyRegex(
    r"(?:.*/)?CLAUDE\.md|(?:.*/)?\.claude/(?:rules|commands|agents|skills)/.*\.md|(?:commands|agents)/[^/]+\.md"
)
_CODE_SPAN: Final = LazyRegex(r"(`{1,8})(?:.*?)\1")


class Import(Struct, frozen=True):
    """One import: the path as written, relative to the root, and its line."""

    reference: str
    path: str
    line: int


def imports_of(file: SourceFile) -> tuple[Import, ...]:
    """Return the imports of a file in order, except those in code."""
    found = []
    for segment in cut_segments(file):
        if segment.kind in ("fence", "frontmatter", "comment", "html"):
            continue
        for number in range(segment.first, segment.last + 1):
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


OUTER_FILES: Final = OuterFiles(ABOVE, _imported_paths)
"""The files outside the root that the snapshot opens."""


class Imported(Struct, frozen=True):
    """An imported file, with the file and line that import it."""

    file: SourceFile
    by: str
    line: int


def follow(
    file: SourceFile, snapshot: Snapshot, seen: set[str], diagnostics: list[Diagnostic]
) -> Iterator[Imported]:
    """Yield the files that a file imports, each once and directly followed by its own imports.

    Args:
        file: The file to start from.
        snapshot: The workspace.
        seen: Paths of the files already read; the imported files are added.
        diagnostics: The list to which missing, too deep and circular imports are added.
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
            if not _was_reported(snapshot, found):
                diagnostics.append(diagnose("import-missing", file.path, line, target=found.reference))
            continue
        seen.add(found.path)
        yield Imported(target, file.path, found.line)
        if target.path.lower().endswith(PROSE):
            yield from _follow(target, snapshot, seen, diagnostics, (*chain, found.path))


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

_ANSWERS: Final = LazyRegex(
    r"(?:the )?(?:answers?|repl(?:y|ies)|responses?|outputs?)(?: (?:format|style|form|rules|shape|length))?$"
    r"|(?:format|style|form|shape) of (?:an? |the |your )?(?:answers?|repl(?:y|ies)|responses?|outputs?)$",
    re.IGNORECASE,
)
"""A heading whose items describe the form of an answer."""

_COMMAND_ITEM: Final = LazyRegex(r"\s*[-*+]\s+`(?:\./[^`]+|[\w./-]+ [^`]+)`\s*(?:[–—:]|-\s)")
"""An item that names a command and describes it."""

_ROWS: Final = {
    "skill.persona": "memory.persona",
    "skill.rule": "memory.rule",
    "skill.knowledge": "memory.knowledge",
    "skill.input": "memory.knowledge",
    "skill.lookup": "memory.knowledge",
    "skill.reading": "memory.knowledge",
    "skill.guidance": "memory.guidance",
    "skill.endpoint": "skill.endpoint",
}
"""The instruction file's row for each row of a skill's body."""


def read_memory(file: SourceFile, rule_id: str, snapshot: Snapshot, scope: str = "") -> Iterator[Element]:
    """Yield the elements of an instruction file.

    Args:
        file: The file.
        rule_id: The id of the file rule that matches the file.
        snapshot: The workspace.
        scope: The folder that its rules apply to, `""` for all.
    """
    if not file.path.lower().endswith(PROSE):
        yield from _data(file, rule_id)
        return
    head = read_head(file)
    if head.last:
        yield _kept(file, 1, head.last, "frontmatter", rule_id, "memory.frontmatter")
    paths = head.get("paths")
    only_for = _listed(paths.value) if paths is not None else ""
    for element in read_body(file, rule_id, snapshot, head.last):
        yield _as_memory(element, scope, only_for)


def _as_memory(element: Element, scope: str, only_for: str) -> Element:
    element = _by_wording(_by_row(element))
    is_scoped = bool(scope) and element.mapping_row in ("memory.rule", "memory.knowledge")
    is_kept = element.category is Category.NONE
    only = f"For {only_for}: " if only_for and element.category is Category.C2 else ""
    summary = element.content_summary
    return replace(
        element,
        mapping_row="memory.scoped" if is_scoped else element.mapping_row,
        polarity=Polarity.DESCRIBES if is_kept else element.polarity,
        statement=f"{only}{element.statement}",
        content_summary=summary.removeprefix("Rule: ") if is_kept else summary,
        scope=scope if is_scoped else "",
        facts=element.facts.without(PhaseFact),
    )


def _by_row(element: Element) -> Element:
    """Return an element of a skill's body with the row that an instruction file has for it."""
    row, tag = _ROWS.get(element.mapping_row, ""), element.tag
    if tag is Tag.SCHEMA:
        row = "memory.knowledge"
        element = replace(element, category=Category.C2, tag=Tag.CONFIG, polarity=Polarity.DESCRIBES)
    elif not row and tag in STEP_TAGS and element.category is Category.C2:
        row = "memory.rule"
    rationale = element.rationale.replace("skill.", "memory.", 1)
    element = replace(element, mapping_row=row, rationale=rationale)
    if row == "memory.knowledge" and element.kind == "item" and _says_how_to_answer(element):
        return replace(
            element,
            mapping_row="memory.rule",
            tag=Tag.VALIDATE_OUTPUT,
            polarity=Polarity.OBLIGES,
            rationale="memory.answer",
        )
    return element


def _by_wording(element: Element) -> Element:
    """Return an element with the row for what its words are: an order among examples, a command, an import."""
    if element.rationale == "memory.example" and element.kind == "paragraph":
        element = replace(element, polarity=polarity_of(element.content_full))
        if element.polarity in (Polarity.OBLIGES, Polarity.FORBIDS):
            element = replace(
                element,
                mapping_row="memory.rule",
                tag=Tag.DECIDE,
                category=Category.C2,
                rationale="memory.directive",
            )
    if element.polarity is not Polarity.FORBIDS and _COMMAND_ITEM.match(element.content_full):
        element = replace(
            element,
            mapping_row="memory.guidance",
            tag=Tag.DETERMINISTIC,
            category=Category.C6,
            rationale="memory.command",
            polarity=Polarity.DESCRIBES,
        )
    if _only_imports(element.statement):
        return replace(
            element,
            mapping_row="",
            category=Category.NONE,
            tag=Tag.NO_DECOMPOSE,
            rationale="memory.import",
        )
    return element


def _says_how_to_answer(element: Element) -> bool:
    return bool(element.section) and bool(_ANSWERS.match(element.section[-1].strip()))


def _only_imports(statement: str) -> bool:
    """Return whether a text consists of imports or only points to one (“See @docs/style.md for the style.”)."""
    words = statement.split()
    if not any(IMPORT_MARK.match(word) for word in words):
        return False
    rest = [word for word in words if not IMPORT_MARK.match(word)]
    return not rest or (len(rest) <= MOST_POINTING and bool(_POINTS.match(statement)))


def _data(file: SourceFile, rule_id: str) -> Iterator[Element]:
    filled = [number for number, line in enumerate(file.lines, 1) if line.strip()]
    if filled:
        yield _kept(file, filled[0], filled[-1], "file", rule_id, "memory.data")


def _kept(file: SourceFile, first: int, last: int, kind: str, rule_id: str, rationale: str) -> Element:
    name = file.path.rpartition("/")[2]
    shown = "Frontmatter" if kind == "frontmatter" else f"{name}: data, kept and not converted"
    return ElementFactory(file, rule_id).make(
        SourceSpan(first, last, kind),
        ElementText(shown, summary=shown[:100]),
        TagDecision(*UNCONVERTED, rationale),
    )


def _listed(value: object) -> str:
    parts = value if isinstance(value, list) else [value]
    return ", ".join(part for part in parts if isinstance(part, str))
