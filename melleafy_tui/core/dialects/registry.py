"""The registry of dialects: the built-in ones, and those that other distributions provide by entry point."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Final

from melleafy_tui.core.dialects.base import Dialect, MappingRow, Signal
from melleafy_tui.core.dialects.matchers import imports_any, python_parts
from melleafy_tui.core.dialects.signals import (
    DETECTION_SURFACES,
    MODULES,
    SIGNAL_TABLES,
    detection_wants,
    searches_in,
)
from melleafy_tui.core.models.findings import Diagnostic
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.vocabulary import Runtime
from melleafy_tui.core.source.outer_files import OuterFiles
from melleafy_tui.core.source.reach import Reach, declared_files, declared_folders
from melleafy_tui.core.source.sources_below import MainFiles

ENTRY_POINT_GROUP: Final = "melleafy_tui.dialects"
"""Each entry point in this group names a class or function that returns a dialect when called without arguments."""

BUILT_IN: Final = (
    "openclaw.dialect:OpenClawDialect",
    "agent_skills.dialect:AgentSkillsDialect",
    "claude_code.dialect:ClaudeCodeDialect",
    "crewai.dialect:CrewAIDialect",
    "hermes.dialect:HermesDialect",
    "langgraph.dialect:LangGraphDialect",
)
"""The dialects of this folder, named as entry points are: a folder, its module and its class."""

GENERIC: Final = "generic.dialect:GenericDialect"
"""The dialect for sources that no other reads."""


class Dialects:
    """The dialects available to one conversion.

    Args:
        dialects: The dialects; a later one replaces an earlier one for the same runtime.
        generic: The dialect for sources that none of them reads.
        problems: The problems with dialects that were left out.
    """

    def __init__(
        self, dialects: Iterable[Dialect], generic: Dialect, problems: tuple[Diagnostic, ...] = ()
    ) -> None:
        self._dialects: Mapping[str, Dialect] = {dialect.runtime: dialect for dialect in dialects}
        self._generic = generic
        self._problems = problems

    @classmethod
    def default(cls) -> "Dialects":
        """Return the built-in dialects and the installed ones."""
        built_in = tuple(map(_load, BUILT_IN))
        generic = _load(GENERIC)
        if not _may_be_provided():  # few machines have any
            return cls(built_in, generic)
        from importlib.metadata import entry_points

        from melleafy_tui.core.dialects.plugins import installed_dialects

        usable, problems = installed_dialects(entry_points(group=ENTRY_POINT_GROUP), built_in, generic)
        return cls((*built_in, *usable), generic, problems)

    @classmethod
    def of(cls, *dialects: Dialect) -> "Dialects":
        """Return exactly these dialects, with the generic one as the fallback."""
        return cls(dialects, _load(GENERIC))

    @property
    def problems(self) -> tuple[Diagnostic, ...]:
        """Return the problems with dialects of other distributions that are known so far."""
        faults = (fault for dialect in self._dialects.values() for fault in dialect.faults.values())
        return (*self._problems, *faults)

    @property
    def known_runtimes(self) -> tuple[str, ...]:
        """Return the runtimes that can be detected, in tie-breaking order; added ones come last, by name."""
        scored = {*SIGNAL_TABLES, *self._dialects}
        built_in = [runtime.value for runtime in Runtime if runtime.value in scored]
        return (*built_in, *sorted(scored.difference(built_in)))

    def has(self, runtime: str) -> bool:
        """Return whether this runtime has a dialect of its own."""
        return runtime in self._dialects

    def get(self, runtime: str) -> Dialect:
        """Return the dialect for a runtime, or the generic one if there is none."""
        if runtime in self._dialects:
            return self._dialects[runtime]
        return self._generic if runtime == self._generic.runtime else _load(GENERIC, runtime)

    def rows_of(self, runtimes: Iterable[str]) -> dict[str, MappingRow]:
        """Return the mapping rows of these runtimes' dialects by id; of two with one id the first runtime's holds."""
        rows = [row for runtime in runtimes for row in self.get(runtime).mapping_rows]
        return {row.row_id: row for row in reversed(rows)}

    @property
    def titles(self) -> dict[str, str]:
        """Return the display name of each runtime that has a dialect."""
        return {runtime: dialect.title for runtime, dialect in self._dialects.items()}

    @property
    def source_titles(self) -> dict[str, str]:
        """Return the name for one source, with its article, of each runtime that has a dialect."""
        return {
            runtime: dialect.source_title or f"a workspace of {dialect.title}"
            for runtime, dialect in self._dialects.items()
        }

    @property
    def main_files(self) -> tuple[MainFiles, ...]:
        """Return the files by which a folder is recognised without being read, of each dialect that names them."""
        return tuple(dialect.main_files for dialect in self._dialects.values() if dialect.main_files)

    @property
    def file_fates(self) -> dict[str, str]:
        """Return what the account of files says of one that a rule only lists, by the rule's id."""
        rules = (rule for dialect in self._dialects.values() for rule in dialect.file_rules)
        return {rule.rule_id: rule.fate for rule in rules if rule.fate}

    def stock_text_of(self, runtimes: Iterable[str]) -> Callable[[str], bool]:
        """Return a test for stock text from these runtimes' templates."""
        known = tuple(map(self.get, runtimes))
        return lambda line: any(dialect.is_stock_text(line) for dialect in known)

    def belonging(self, snapshot: Snapshot) -> Iterator[str]:
        """Yield the files that a dialect opens because of those that were read."""
        for dialect in self._dialects.values():
            yield from dialect.belonging(snapshot)

    def wants(self, path: str) -> bool:
        """Return whether any dialect or detection table reads the file at this path."""
        return self._dialect_wants(path) or detection_wants(path)

    def _dialect_wants(self, path: str) -> bool:
        return any(dialect.wants(path) for dialect in self._dialects.values()) or self._generic.wants(path)

    @property
    def reach(self) -> Reach:
        """Return where the files that the dialects read can be, and how a Python file is told to be one."""
        readers = (*self._dialects.values(), self._generic)
        declaring = [dialect for dialect in readers if dialect.surfaces]
        patterns = {pattern for dialect in declaring for pattern in dialect.surfaces}
        rules = [rule for dialect in readers for rule in dialect.file_rules]
        patterns |= {rule.pattern for rule in rules if not rule.pattern.endswith("**")}
        folders, anywhere = declared_folders({*patterns, *DETECTION_SURFACES})
        return Reach(
            folders,
            anywhere,
            declared_files(rule.pattern for rule in rules if not rule.contents),
            asks_all=len(declaring) < len(readers),
            searches_in=searches_in,
            searches=lambda path: (
                path.endswith(".py") and detection_wants(path) and not self._dialect_wants(path)
            ),
            mentions=self._mentions(),
        )

    def _mentions(self) -> Callable[[bytes], bool]:
        """Return whether the bytes of a Python file import a runtime."""
        signals = (signal for _, table in self.signal_tables() for signal in table)
        parts = (part for signal in signals for part in python_parts(signal.matcher))
        named = (*MODULES.values(), *(part.modules for part in parts))
        return imports_any(module for modules in named for module in modules)

    @property
    def outer_files(self) -> OuterFiles:
        """Return the files outside a root that the dialects read."""
        asked = [dialect.outer_files for dialect in self._dialects.values()]

        def imports(file: SourceFile, imported: bool) -> tuple[str, ...]:
            return tuple(path for around in asked for path in around.imports(file, imported))

        names = dict.fromkeys(name for around in asked for name in around.names)
        return OuterFiles(tuple(names), imports)

    def signal_tables(self) -> tuple[tuple[str, tuple[Signal, ...]], ...]:
        """Return the runtime and detection table of each known runtime, in tie-breaking order."""
        return tuple((runtime, self._signals(runtime)) for runtime in self.known_runtimes)

    def _signals(self, runtime: str) -> tuple[Signal, ...]:
        own = self._dialects[runtime].signals if runtime in self._dialects else ()
        return own or SIGNAL_TABLES.get(runtime, ())


def _may_be_provided() -> bool:
    """Return whether other distributions may provide dialects; `importlib.metadata` says so, but imports `email`."""
    finders = [finder for finder in sys.meta_path if hasattr(finder, "find_distributions")]
    places = [Path(place or ".") for place in sys.path]
    tables = (table for place in places for table in place.glob("*-info/entry_points.txt"))
    named = any(ENTRY_POINT_GROUP.encode() in table.read_bytes() for table in tables)
    return named or len(finders) > 1 or any(place.is_file() for place in places)  # an archive may, too


def _load(named: str, *arguments: str) -> Dialect:
    """Return a dialect of this folder; its modules are imported with the first conversion that needs it."""
    module, _, kind = named.partition(":")
    made: Dialect = getattr(import_module(f"melleafy_tui.core.dialects.{module}"), kind)(*arguments)
    return made
