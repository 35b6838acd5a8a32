"""Loads dialects from other distributions by entry point, checks them, and keeps their errors from ending a conversion.

A broken distribution only loses its own dialect: the error becomes a diagnostic that names the distribution, and the
source is read as if the dialect weren't installed.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from importlib.metadata import EntryPoint
from typing import Final, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from melleafy_tui.core.dialects.base import (
    Dialect,
    FileRule,
    HasStockText,
    MappingRow,
    Match,
    Matcher,
    Reading,
    ReadingContext,
    ReadsOuterFiles,
    Signal,
)
from melleafy_tui.core.dialects.matchers import CombinedMatcher
from melleafy_tui.core.errors import DialectBroken
from melleafy_tui.core.models.classification import ModalityEvidence, Schedule
from melleafy_tui.core.models.facts import Facts
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.mapping import DEFERRED, NOT_REPRODUCED, UnsupportedConstruct
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.vocabulary import (
    HYBRID,
    UNKNOWN_RUNTIME,
    Category,
    Disposition,
    ElementRole,
    EntryKind,
    Strength,
    allowed_together,
)
from melleafy_tui.core.package.dispositions import allowed_for, cell
from melleafy_tui.core.source.outer_files import OuterFiles

MOST_PROBLEMS: Final = 5
"""The number of problems that one message lists; the rest are counted."""

KINDS_OF: Final[Mapping[Category, frozenset[EntryKind]]] = {
    Category.C1: frozenset({EntryKind.IDENTITY}),
    Category.C2: frozenset({EntryKind.RULE, EntryKind.STEP}),
    Category.C3: frozenset({EntryKind.FACT_STABLE, EntryKind.FACT_OVERRIDABLE}),
    Category.C4: frozenset({EntryKind.STATE}),
    Category.C5: frozenset({EntryKind.MEMORY}),
    Category.C6: frozenset({EntryKind.TOOL_NARRATIVE, EntryKind.TOOL_CONCRETE, EntryKind.TOOL_ABSTRACT}),
    Category.C7: frozenset({EntryKind.CREDENTIAL}),
    Category.C8: frozenset({EntryKind.BACKEND, EntryKind.CROSS_REFERENCE}),
    Category.C9: frozenset({EntryKind.SCHEDULE}),
    Category.NONE: frozenset({EntryKind.CROSS_REFERENCE, EntryKind.SCHEMA}),
}
"""The rows of the disposition matrix for each category."""

_MEMBERS: Final = (
    "runtime",
    "title",
    "signals",
    "file_rules",
    "mapping_rows",
    "wants",
    "generation",
    "modality_evidence",
    "schedule",
    "read",
)
_RUNTIME: Final = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
_ROW_ID: Final = re.compile(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*")
_BAD_PATTERN: Final = re.compile(r"^/|^[A-Za-z]:|\\|//|\*\*|[\[\]{}\0]|(?:^|/)\.(?:/|$)|/\.\.(?:/|$)|^$")
_TARGET_FILE: Final = re.compile(r"\.env\.example|[a-z_][a-z0-9_]*(?:/[a-z_][a-z0-9_]*)?\.py|[A-Za-z_]+\.md")


def dialect_problems(dialect: Dialect) -> tuple[str, ...]:
    """Return the problems in a dialect, one sentence each; empty if it can be used."""
    missing = [name for name in _MEMBERS if not hasattr(dialect, name)]
    if missing:
        return (f"It is not a dialect: it has no {', '.join(missing)}.",)
    return tuple(_problems(dialect))


def shared_row_problems(dialect: Dialect, others: Iterable[Dialect]) -> tuple[str, ...]:
    """Return the row ids of a dialect that another dialect already uses, one sentence each."""
    taken = {row.row_id: (row, other.runtime) for other in others for row in other.mapping_rows}
    return tuple(
        f"Mapping row {row.row_id!r} is a row of {taken[row.row_id][1]} already; begin its id with a name of its own."
        for row in dialect.mapping_rows
        if row.row_id in taken and taken[row.row_id][0] != row
    )


def reading_problems(reading: Reading, dialect: Dialect, snapshot: Snapshot) -> tuple[str, ...]:
    """Return the problems in the result of a dialect's reader, one sentence each."""
    if not _is_one(reading, Reading):
        return (f"read() returned {type(reading).__name__}, not Reading.",)
    rows = {row.row_id for row in dialect.mapping_rows}
    found = [problem for element in reading.elements for problem in _of_element(element, rows, snapshot)]
    found += (
        f"unsupported holds {type(construct).__name__}; use UnsupportedConstruct."
        for construct in reading.unsupported
        if not _is_one(construct, UnsupportedConstruct)
    )
    return tuple(found)


def _of_element(element: Element, rows: Collection[str], snapshot: Snapshot) -> Iterator[str]:
    where = f"The element on {element.source_file}:{element.source_lines}"
    source = snapshot.file(element.source_file)
    first, last = _range(element.source_lines)
    if source is None or not 1 <= first <= last <= max(1, len(source.lines)):
        yield f"{where} has lines that the workspace does not have."
    if element.mapping_row and element.mapping_row not in rows:
        yield f"{where} names the mapping row {element.mapping_row!r}, which is in no table."
    if not _is_one(element.category, Category) or not allowed_together(element.tag, element.category):
        yield f"{where} is {element.tag} with {element.category}, which are never allowed together."
    if not _is_one(element.facts, Facts):
        yield f"{where} has facts of the type {type(element.facts).__name__}; use Facts(...)."


def join_problems(problems: Sequence[str]) -> str:
    """Return problems as one text: the first ones in full, the rest counted."""
    more = len(problems) - MOST_PROBLEMS
    return " ".join(problems[:MOST_PROBLEMS]) + (f" And {more} more." if more > 0 else "")


def _problems(dialect: Dialect) -> Iterator[str]:
    runtime: object = dialect.runtime
    if not isinstance(runtime, str) or not _RUNTIME.fullmatch(runtime):
        yield f"runtime is {runtime!r}; use lower-case letters, digits and underscores, as in 'my_runtime'."
    elif runtime in (HYBRID, UNKNOWN_RUNTIME):
        yield f"runtime is {runtime!r}, which is a result of the detection, not a runtime."
    if not _is_one(dialect.title, str) or not dialect.title.strip():
        yield "title is empty; give the runtime's name for people."
    if _is_table(dialect.signals, Signal):
        yield from _signals(dialect.signals)
    else:
        yield "signals is not a tuple of Signal."
    if _is_table(dialect.file_rules, FileRule):
        yield from _file_rules(dialect.file_rules)
    else:
        yield "file_rules is not a tuple of FileRule."
    if _is_table(dialect.mapping_rows, MappingRow):
        yield from _mapping_rows(dialect.mapping_rows)
    else:
        yield "mapping_rows is not a tuple of MappingRow."


def _is_table(table: object, row_type: type) -> bool:
    return isinstance(table, tuple) and all(isinstance(row, row_type) for row in table)


def _is_one(value: object, vocabulary: type) -> bool:
    """Return whether a value is in a vocabulary; third-party code may break the declared types."""
    return isinstance(value, vocabulary)


def _signals(signals: Sequence[Signal]) -> Iterator[str]:
    yield from _duplicates("Signal", [signal.name for signal in signals])
    for signal in signals:
        if not _is_one(signal.strength, Strength):
            yield f"Signal {signal.name!r} has the strength {signal.strength!r}; use one of {_words(Strength)}."
        matcher: object = signal.matcher
        if not callable(matcher):
            yield f"Signal {signal.name!r} has no matcher that can be called."


def _file_rules(rules: Sequence[FileRule]) -> Iterator[str]:
    yield from _duplicates("Pattern", [rule.pattern for rule in rules])
    for rule in rules:
        where = f"File rule {rule.rule_id!r}"
        if not _ROW_ID.fullmatch(rule.rule_id):
            yield f"{where} has an id that is not a dotted name, as in 'toy.rules'."
        if _BAD_PATTERN.search(rule.pattern):
            yield (
                f"{where} has the bad pattern {rule.pattern!r}; it is a relative path with / between segments, and * "
                "for characters of one segment."
            )
        if not _is_one(rule.category, Category):
            yield f"{where} has the unknown category {rule.category!r}; use one of {_words(Category)}."


def _mapping_rows(rows: Sequence[MappingRow]) -> Iterator[str]:
    yield from _duplicates("Mapping row", [row.row_id for row in rows])
    for row in rows:
        where = f"Mapping row {row.row_id!r}"
        if not _ROW_ID.fullmatch(row.row_id):
            yield f"{where} has an id that is not a dotted name, as in 'toy.rule'."
        if unknown := _unknown_word(row):
            yield f"{where} {unknown}"
        else:
            yield from (f"{where} {problem}" for problem in _row_problems(row))


def _unknown_word(row: MappingRow) -> str:
    """Return the first problem with a row's category, kind or disposition, which the other checks need, or `""`."""
    if not _is_one(row.category, Category):
        return f"has the unknown category {row.category!r}; use one of {_words(Category)}."
    if not _is_one(row.kind, EntryKind) or row.kind not in KINDS_OF[row.category]:
        kinds = _words(sorted(KINDS_OF[row.category]))
        return f"is of the kind {row.kind!s}, which {row.category.value} has not; use one of {kinds}."
    if not _is_one(row.default, Disposition):
        return f"has the unknown disposition {row.default!r}; use one of {_words(Disposition)}."
    return ""


def _row_problems(row: MappingRow) -> Iterator[str]:
    chosen = cell(row.kind, row.default)
    if not chosen.allowed:
        choices = _words(allowed_for(row.kind))
        yield f"has the forbidden disposition {row.default.value}: {chosen.refusal} Use one of {choices}."
    if not row.target_file:
        yield "has no target; name the file of the package that carries it."
    elif not _TARGET_FILE.fullmatch(row.target_file):
        yield f"has the target {row.target_file!r}, which is not a file of a package."
    if not row.primitive:
        yield "has no primitive; name what stands for it, such as bundle, Requirement, stub or report."
    if row.role is not None and not _is_one(row.role, ElementRole):
        yield f"has the unknown role {row.role!r}; use one of {_words(ElementRole)}."
    if row.unsupported is not None and row.unsupported.section not in (NOT_REPRODUCED, DEFERRED):
        yield f"is reported in {row.unsupported.section!r}; use NOT_REPRODUCED or DEFERRED."


def _duplicates(what: str, names: Sequence[str]) -> Iterator[str]:
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            yield f"{what} {name!r} is in the table {names.count(name)} times; each has a name of its own."


def _words(values: Iterable[str]) -> str:
    return ", ".join(str(value) for value in values)


def _range(lines: str) -> tuple[int, int]:
    first, _, last = lines.partition("-")
    try:
        return int(first), int(last or first)
    except ValueError:
        return 0, 0


ResultT = TypeVar("ResultT")


class Installed(Struct, frozen=True):
    """The result of loading entry points: the usable dialects, and the problems with the others."""

    dialects: tuple["PluginDialect", ...]
    problems: tuple[Diagnostic, ...]


class PluginDialect(Struct, frozen=True, eq=False):
    """A dialect of another distribution whose errors become diagnostics.

    `faults` has the errors so far by the place where they occurred; each is reported once.
    """

    inner: Dialect
    distribution: str
    fallback: Dialect
    faults: dict[str, Diagnostic] = field(default_factory=dict)

    @property
    def runtime(self) -> str:
        """Return the runtime's name."""
        return self.inner.runtime

    @property
    def title(self) -> str:
        """Return the runtime's display name."""
        return self.inner.title

    @property
    def signals(self) -> tuple[Signal, ...]:
        """Return the detection table; a matcher that fails matches nothing."""
        return tuple(
            replace(signal, matcher=self._guarded(signal.name, signal.matcher))
            for signal in self.inner.signals
        )

    @property
    def file_rules(self) -> tuple[FileRule, ...]:
        """Return the file inventory table."""
        return self.inner.file_rules

    @property
    def mapping_rows(self) -> tuple[MappingRow, ...]:
        """Return the mapping table."""
        return self.inner.mapping_rows

    def wants(self, path: str) -> bool:
        """Return whether the snapshot should open the file at this path."""
        return self._tried("wants", lambda: bool(self.inner.wants(path)), default=False)

    def generation(self, snapshot: Snapshot) -> str:
        """Return the generation of the runtime that the source uses, in words."""
        return self._tried("generation", lambda: str(self.inner.generation(snapshot)), default="")

    def modality_evidence(self, snapshot: Snapshot) -> tuple[ModalityEvidence, ...]:
        """Return every modality signal in the source."""
        return self._tried("modality_evidence", lambda: tuple(self.inner.modality_evidence(snapshot)), ())

    def schedule(self, snapshot: Snapshot) -> Schedule:
        """Return the declared schedule, empty if there is none."""
        return self._tried("schedule", lambda: self.inner.schedule(snapshot), Schedule())

    def is_stock_text(self, line: str) -> bool:
        """Return whether a line is stock text from the runtime's templates."""
        inner = self.inner
        if not isinstance(inner, HasStockText):
            return False
        return self._tried("is_stock_text", lambda: bool(inner.is_stock_text(line)), default=False)

    @property
    def outer_files(self) -> OuterFiles:
        """Return which files above the root, and which imports, are read."""

        def asked() -> OuterFiles:
            return self.inner.outer_files if isinstance(self.inner, ReadsOuterFiles) else OuterFiles()

        def imports(file: SourceFile, imported: bool) -> tuple[str, ...]:
            return self._tried("outer_files", lambda: tuple(around.imports(file, imported)), ())

        around = self._tried("outer_files", asked, OuterFiles())
        return OuterFiles(tuple(around.names), imports)

    def read(self, snapshot: Snapshot, context: ReadingContext) -> Reading:
        """Return the files and elements of the source; if the reader fails, those of the generic dialect."""
        before = set(self.faults)

        def attempt() -> Reading:
            reading = self.inner.read(snapshot, context)
            problems = reading_problems(reading, self.inner, snapshot)
            if problems:
                raise DialectBroken(join_problems(problems))
            return reading

        reading = self._tried("read", attempt, None)
        if reading is not None:
            return reading
        general = self.fallback.read(snapshot, context)
        new = tuple(fault for place, fault in self.faults.items() if place == "read" or place not in before)
        return replace(general, diagnostics=(*general.diagnostics, *new))

    def _guarded(self, name: str, matcher: Matcher) -> Matcher:
        def match(snapshot: Snapshot) -> Iterable[Match]:
            return self._tried(f"signal {name}", lambda: tuple(matcher(snapshot)), ())

        return CombinedMatcher(match, (matcher,))

    def _tried(self, place: str, attempt: Callable[[], ResultT], default: ResultT) -> ResultT:
        try:
            return attempt()
        except Exception as fault:
            said = fault.message if isinstance(fault, DialectBroken) else f"{type(fault).__name__}: {fault}"
            self.faults.setdefault(
                place,
                diagnose(
                    "dialect-failed",
                    "",
                    runtime=self.inner.runtime,
                    distribution=self.distribution,
                    place=place,
                    problem=said.rstrip("."),
                ),
            )
            return default


def installed_dialects(
    points: Iterable[EntryPoint], built_in: Iterable[Dialect], fallback: Dialect
) -> Installed:
    """Return the dialects from other distributions, in the order of their entry points' names.

    Args:
        points: The entry points that name them.
        built_in: The dialects of this project; their row ids can't be reused, nor their runtimes replaced.
        fallback: The dialect that reads a source if its own dialect fails.
    """
    known: list[Dialect] = list(built_in)
    usable: list[PluginDialect] = []
    problems: list[Diagnostic] = []
    for point in sorted(points, key=lambda point: (point.name, point.value)):
        distribution = _distribution(point)
        try:
            dialect = load_dialect(point, known)
        except DialectBroken as broken:
            problems.append(
                diagnose(
                    "dialect-broken",
                    "",
                    name=point.name,
                    distribution=distribution,
                    problem=broken.message.rstrip("."),
                )
            )
            continue
        known.append(dialect)
        usable.append(PluginDialect(dialect, distribution, fallback))
    return Installed(tuple(usable), tuple(problems))


def load_dialect(point: EntryPoint, known: Iterable[Dialect] = ()) -> Dialect:
    """Load and check the dialect that an entry point names.

    Args:
        point: The entry point.
        known: The dialects already loaded.

    Raises:
        DialectBroken: it can't be loaded or its tables are wrong; the message says why.
    """
    try:
        dialect: Dialect = point.load()()
        problems = dialect_problems(dialect) or tuple(_clashes(dialect, tuple(known)))
    except Exception as fault:  # third-party code may raise anything
        raise DialectBroken(
            f"{point.value} could not be loaded ({type(fault).__name__}: {fault})",
            hint=f"Reinstall or remove {_distribution(point)}.",
            location=point.value,
        ) from fault
    if problems:
        raise DialectBroken(
            join_problems(problems),
            hint=f"Correct the tables of {_distribution(point)}.",
            location=point.value,
        )
    return dialect


def _clashes(dialect: Dialect, known: tuple[Dialect, ...]) -> Iterator[str]:
    if any(other.runtime == dialect.runtime for other in known):
        yield f"There is a dialect for {dialect.runtime} already; give the runtime a name of its own."
    yield from shared_row_problems(dialect, known)


def _distribution(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else point.module
