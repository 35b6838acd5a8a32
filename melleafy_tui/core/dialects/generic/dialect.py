"""The fallback dialect: reads the Markdown of any folder as rules documents.

It has no signals and no schedule. For a runtime
that is detected but has no dialect, it also reads prompts and tools in the code (`code_sources.py`).
"""

from collections.abc import Iterator
from typing import Final

from melleafy_tui.core.dialects.base import Dialect, FileRule, Reading, ReadingContext
from melleafy_tui.core.dialects.element_factory import ElementFactory, Home, listed_file
from melleafy_tui.core.dialects.generic.code_sources import imports_runtime, python_elements
from melleafy_tui.core.dialects.rules_document import RulesPlaces, rule_elements
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.inventory import Element, InventoriedFile
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.vocabulary import UNKNOWN_RUNTIME, Category, Tag
from melleafy_tui.core.source.segments import cut_segments

ENDINGS: Final = (".md", ".markdown", ".mdx")
DEEPEST: Final = 1
"""Folders below the root whose Markdown is read."""

LEFT_OUT: Final = frozenset({"memory", "memory-wiki", "node_modules", "docs", "test", "tests", "vendor"})
"""Folders whose Markdown doesn't instruct the agent, or is private."""

NOT_INSTRUCTIONS: Final = frozenset(
    {"readme.md", "changelog.md", "contributing.md", "license.md", "code_of_conduct.md", "security.md"}
)
"""Files for people, which are listed but not read."""

INSTRUCTIONS: Final = ("GEMINI.md", ".cursorrules", ".windsurfrules", ".github/copilot-instructions.md")
"""Files that instruct a coding agent, as `.cursor/rules/*.mdc` do."""
_CURSOR_RULES: Final = ".cursor/rules/"

FILE_RULES: Final[tuple[FileRule, ...]] = (
    FileRule("generic.markdown", "*.md", "instructions", Category.C2),
    FileRule("generic.markdown.below", "*/*.md", "instructions", Category.C2),
    FileRule("generic.python", "*.py", "code of the agent, read for prompts and tools", Category.C1),
)
PYTHON: Final = FILE_RULES[2]


class GenericDialect(Dialect):
    """Reads a source whose runtime is unknown or has no dialect.

    Args:
        runtime: The detected runtime, if any.
    """

    title = "Unknown runtime"
    file_rules = FILE_RULES
    surfaces = ("*", "*/*", f"{_CURSOR_RULES}*")

    def __init__(self, runtime: str = UNKNOWN_RUNTIME) -> None:
        self.runtime = runtime
        known = "is not known" if runtime == UNKNOWN_RUNTIME else "has no dialect yet"
        self._note = f"Read by general rules; its runtime {known}."

    def wants(self, path: str) -> bool:
        """Return whether the snapshot should open the file at this path."""
        if _instructs(path):
            return True
        folders, name = path.split("/")[:-1], path.rpartition("/")[2].casefold()
        if not name.endswith(ENDINGS) or name in NOT_INSTRUCTIONS or name.startswith("."):
            return False
        return len(folders) <= DEEPEST and not any(
            folder.casefold() in LEFT_OUT or folder.startswith(".") for folder in folders
        )

    def read(self, snapshot: Snapshot, context: ReadingContext) -> Reading:  # noqa: ARG002 - required by the protocol
        """Return the files and elements of the folder."""
        files: list[InventoriedFile] = []
        elements: list[Element] = []
        diagnostics: list[Diagnostic] = []
        for source in snapshot.files:
            rule = self._code_rule(source)
            if rule is not None:
                files.append(listed_file(source, rule, self.runtime, self._note))
                elements += python_elements(source, rule.rule_id)
                diagnostics.append(diagnose("generic-code", source.path, runtime=self.runtime))
                continue
            if not (_instructs(source.path) or source.path.casefold().endswith(ENDINGS)) or not self.wants(
                source.path
            ):
                continue
            files.append(listed_file(source, FILE_RULES["/" in source.path], self.runtime, self._note))
            if source.text is not None:
                found = list(_elements(source))
                elements += found
                diagnostics += [
                    diagnose("fence-unclosed", source.path, str(segment.first))
                    for segment in cut_segments(source)
                    if not segment.closed
                ]
        if files and all(_instructs(each.path) for each in files):
            diagnostics.append(diagnose("coding-instructions", files[0].path))
        return Reading(tuple(files), tuple(elements), tuple(diagnostics))

    def _code_rule(self, source: SourceFile) -> FileRule | None:
        """Return the rule for a code file that belongs to the detected runtime, or None."""
        if source.text is None:
            return None
        return PYTHON if source.path.endswith(".py") and imports_runtime(source, self.runtime) else None


def _instructs(path: str) -> bool:
    """Return whether a file instructs a coding agent, by its name."""
    return path in INSTRUCTIONS or (path.startswith(_CURSOR_RULES) and path.endswith((".mdc", ".md")))


_PLACES: Final = RulesPlaces(
    Home(Tag.DECIDE, Category.C2, "a rule of an instruction file"),
    Home(Tag.DECIDE, Category.C2, "a step of an instruction file"),
)
"""Every Markdown file is a rules document; its steps stay among the rules, since nothing says what runs them."""


def _elements(source: SourceFile) -> Iterator[Element]:
    rule_id = "generic.markdown.below" if "/" in source.path else "generic.markdown"
    return rule_elements(cut_segments(source), ElementFactory(source, rule_id), _PLACES)
