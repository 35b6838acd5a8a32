"""Loads dialects from other distributions by entry point, and keeps their errors from ending a conversion.

A broken distribution only loses its own dialect: the error becomes a diagnostic that names the distribution, and the
source is read as if the dialect weren't installed.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from importlib.metadata import EntryPoint
from typing import Final, TypeVar, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.dialects.base import (
    INTERFACE,
    Dialect,
    FileRule,
    MappingRow,
    Match,
    Matcher,
    Reading,
    ReadingContext,
    Signal,
)
from melleafy_tui.core.dialects.matchers import CombinedMatcher
from melleafy_tui.core.errors import DialectBroken
from melleafy_tui.core.models.classification import ModalityEvidence, Schedule
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.source.outer_files import OuterFiles

MOST_PROBLEMS: Final = 5
"""The number of problems that one message lists; the rest are counted."""

_TABLES: Final[Mapping[str, type[Struct]]] = {
    "signals": Signal,
    "file_rules": FileRule,
    "mapping_rows": MappingRow,
}


def dialect_problems(dialect: object) -> tuple[str, ...]:
    """Return what has the wrong type in a dialect, one sentence each; empty if it can be used."""
    if not isinstance(dialect, Dialect):
        return (f"It is not a dialect: {type(dialect).__name__} doesn't inherit from Dialect.",)
    found: list[str] = []
    for name in ("runtime", "title"):
        value: object = getattr(dialect, name, None)
        if not isinstance(value, str) or not value.strip():
            found.append(f"{name} is {value!r}; use a text.")
    for name, row_type in _TABLES.items():
        table: object = getattr(dialect, name)
        if isinstance(table, tuple) and all(isinstance(row, row_type) for row in table):
            found += (problem for row in table for problem in mistyped(row))
        else:
            found.append(f"{name} is not a tuple of {row_type.__name__}.")
    return tuple(found)


def mistyped(row: Struct) -> Iterator[str]:
    """Yield the fields of a row that hold something else than is declared, one sentence each."""
    hints = get_type_hints(type(row))
    for name in row.__struct_fields__:
        value, hint = getattr(row, name), hints[name]
        fits = callable(value) if get_origin(hint) is Callable else True
        if isinstance(hint, type) and get_origin(hint) is None:
            fits = isinstance(value, hint)
        if not fits:
            first = getattr(row, row.__struct_fields__[0])
            yield f"{type(row).__name__} {first!r} has the {name} {value!r}; use {_type_name(hint)}."


def _type_name(hint: object) -> str:
    if isinstance(hint, type) and issubclass(hint, Enum):
        return f"one of {', '.join(str(member.value) for member in hint)}"
    return hint.__name__ if isinstance(hint, type) else "a function"


def reading_problems(reading: object, dialect: Dialect, snapshot: Snapshot) -> tuple[str, ...]:
    """Return what in the result of a dialect's reader the conversion couldn't work with, one sentence each."""
    if not isinstance(reading, Reading):
        return (f"read() returned {type(reading).__name__}, not Reading.",)
    rows = {row.row_id for row in dialect.mapping_rows}
    found = [problem for record in (*reading.elements, *reading.unsupported) for problem in mistyped(record)]
    for element in reading.elements:
        where = f"The element on {element.source_file}:{element.source_lines}"
        source = snapshot.file(element.source_file)
        first, last = element.line_range
        if source is None or not 1 <= first <= last <= max(1, len(source.lines)):
            found.append(f"{where} has lines that the workspace does not have.")
        if element.mapping_row and element.mapping_row not in rows:
            found.append(f"{where} names the mapping row {element.mapping_row!r}, which is in no table.")
    return tuple(found)


def join_problems(problems: Sequence[str]) -> str:
    """Return problems as one text: the first ones in full, the rest counted."""
    more = len(problems) - MOST_PROBLEMS
    return " ".join(problems[:MOST_PROBLEMS]) + (f" And {more} more." if more > 0 else "")


def _other_interface(version: object) -> str:
    return f"It is written for interface {version} of dialects; this version has interface {INTERFACE}."


ResultT = TypeVar("ResultT")


class PluginDialect(Dialect):
    """A dialect of another distribution whose errors become diagnostics, each reported once.

    Args:
        inner: The dialect.
        distribution: The distribution that it comes from.
        fallback: The dialect that reads a source if it fails.
    """

    def __init__(self, inner: Dialect, distribution: str, fallback: Dialect) -> None:
        self.inner = inner
        self.distribution = distribution
        self.fallback = fallback
        self.faults: dict[str, Diagnostic] = {}
        self.runtime, self.title, self.source_title = inner.runtime, inner.title, inner.source_title
        self.file_rules, self.surfaces, self.main_files = inner.file_rules, inner.surfaces, inner.main_files
        self.signals = tuple(
            replace(signal, matcher=self._guarded(signal.name, signal.matcher)) for signal in inner.signals
        )

    @property
    def mapping_rows(self) -> tuple[MappingRow, ...]:
        """Return the mapping table."""
        return self.inner.mapping_rows

    def wants(self, path: str) -> bool:
        """Return whether the snapshot should open the file at this path."""
        return self._tried("wants", lambda: bool(self.inner.wants(path)), default=False)

    def belonging(self, snapshot: Snapshot) -> Iterable[str]:
        """Return the paths of files below the root to open because of those that were read."""
        return self._tried("belonging", lambda: tuple(self.inner.belonging(snapshot)), ())

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
        return self._tried("is_stock_text", lambda: bool(self.inner.is_stock_text(line)), default=False)

    @property
    def outer_files(self) -> OuterFiles:
        """Return which files above the root, and which imports, are read."""
        around = self._tried("outer_files", lambda: self.inner.outer_files, OuterFiles())

        def imports(file: SourceFile, imported: bool) -> tuple[str, ...]:
            return self._tried("outer_files", lambda: tuple(around.imports(file, imported)), ())

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
) -> tuple[list[PluginDialect], tuple[Diagnostic, ...]]:
    """Return the usable dialects of other distributions by entry point, and what is wrong with the others.

    Args:
        points: The entry points that name them.
        built_in: The dialects of this project; their runtimes can't be replaced.
        fallback: The dialect that reads a source if its own dialect fails.
    """
    known: list[Dialect] = list(built_in)
    usable: list[PluginDialect] = []
    problems: list[Diagnostic] = []
    for point in sorted(points, key=lambda point: (point.name, point.value)):
        distribution = _distribution(point)
        try:
            dialect = _load_dialect(point, known)
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
    return usable, tuple(problems)


def _load_dialect(point: EntryPoint, known: Iterable[Dialect]) -> Dialect:
    """Load the dialect that an entry point names, and check the types of its tables.

    Raises:
        DialectBroken: it can't be loaded or its tables are wrong; the message says why.
    """
    try:
        dialect: Dialect = point.load()()
        written_for = getattr(dialect, "interface", 1)
        is_ours = written_for == INTERFACE
        problems = dialect_problems(dialect) if is_ours else (_other_interface(written_for),)
        if not problems and any(other.runtime == dialect.runtime for other in known):
            problems = (f"There is a dialect for {dialect.runtime} already; name the runtime differently.",)
    except Exception as fault:  # third-party code may raise anything
        if isinstance(fault, ImportError) and (fault.name or "").startswith("melleafy_tui"):
            raise DialectBroken(
                _other_interface(1), hint=f"Update {_distribution(point)}.", location=point.value
            ) from fault
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


def _distribution(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else point.module
