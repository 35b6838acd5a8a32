"""Dialects of other distributions: found by entry point, checked before use, and kept from harming a conversion.

A distribution that is broken costs its own dialect and nothing else: what went wrong is a diagnostic that names the
distribution, and the source is read as if the dialect were not there (spec/conversion.md 7).
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.diagnostics import diagnose
from melleafy_tui.core.dialects.base import (
    Dialect,
    FileRule,
    KnowsStockText,
    LooksAround,
    MappingRow,
    Match,
    Matcher,
    Reading,
    ReadingContext,
    Signal,
)
from melleafy_tui.core.dialects.validation import (
    dialect_problems,
    in_words,
    reading_problems,
    shared_row_problems,
)
from melleafy_tui.core.errors import DialectBroken
from melleafy_tui.core.models.classification import ModalityEvidence, Schedule
from melleafy_tui.core.models.diagnostics import Diagnostic
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.workspace.around import Surroundings

ResultT = TypeVar("ResultT")


class Installed(Struct, frozen=True):
    """What the entry points brought: the dialects that can be used, and what was wrong with the others."""

    dialects: tuple["OutsideDialect", ...]
    problems: tuple[Diagnostic, ...]


@dataclass(frozen=True)
class OutsideDialect:
    """A dialect of another distribution, whose faults become diagnostics.

    `faults` holds what went wrong so far, by the place where it did; each is said once.
    """

    inner: Dialect
    distribution: str
    fallback: Dialect
    faults: dict[str, Diagnostic] = field(default_factory=dict, compare=False)

    @property
    def runtime(self) -> str:
        """Return the runtime's name."""
        return self.inner.runtime

    @property
    def title(self) -> str:
        """Return the runtime's name for people."""
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
        """Return whether the snapshot is to open the file at this path."""
        return self._tried("wants", lambda: bool(self.inner.wants(path)), default=False)

    def generation(self, snapshot: Snapshot) -> str:
        """Return which generation of the runtime the source shows, in words."""
        return self._tried("generation", lambda: str(self.inner.generation(snapshot)), default="")

    def modality_evidence(self, snapshot: Snapshot) -> tuple[ModalityEvidence, ...]:
        """Return every modality signal in the source."""
        return self._tried("modality_evidence", lambda: tuple(self.inner.modality_evidence(snapshot)), ())

    def schedule(self, snapshot: Snapshot) -> Schedule:
        """Return the declared schedule, empty where there is none."""
        return self._tried("schedule", lambda: self.inner.schedule(snapshot), Schedule())

    def is_stock_text(self, line: str) -> bool:
        """Return whether a line is stock text of the runtime's own templates."""
        inner = self.inner
        if not isinstance(inner, KnowsStockText):
            return False
        return self._tried("is_stock_text", lambda: bool(inner.is_stock_text(line)), default=False)

    @property
    def surroundings(self) -> Surroundings:
        """Return which files above the root, and which imported ones, are read."""

        def asked() -> Surroundings:
            return self.inner.surroundings if isinstance(self.inner, LooksAround) else Surroundings()

        def imports(file: SourceFile, imported: bool) -> tuple[str, ...]:
            return self._tried("surroundings", lambda: tuple(around.imports(file, imported)), ())

        around = self._tried("surroundings", asked, Surroundings())
        return Surroundings(tuple(around.names), imports)

    def read(self, snapshot: Snapshot, context: ReadingContext) -> Reading:
        """Return files and elements of the source; where the reader fails, the generic dialect's."""
        before = set(self.faults)

        def attempt() -> Reading:
            reading = self.inner.read(snapshot, context)
            problems = reading_problems(reading, self.inner, snapshot)
            if problems:
                raise DialectBroken(in_words(problems))
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

        return match

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
    """Return the dialects that other distributions bring, in the order of their entry points' names.

    Args:
        points: The entry points that name them.
        built_in: The dialects of this project; a row id of theirs is taken, a runtime of theirs is not replaced.
        fallback: Reads a source whose dialect fails.
    """
    known: list[Dialect] = list(built_in)
    usable: list[OutsideDialect] = []
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
        usable.append(OutsideDialect(dialect, distribution, fallback))
    return Installed(tuple(usable), tuple(problems))


def load_dialect(point: EntryPoint, known: Iterable[Dialect] = ()) -> Dialect:
    """Return the dialect that an entry point names, checked.

    Args:
        point: The entry point.
        known: The dialects that are there already.

    Raises:
        DialectBroken: it cannot be loaded, or its tables are wrong; the message names what.
    """
    try:
        dialect: Dialect = point.load()()
        problems = dialect_problems(dialect) or tuple(_clashes(dialect, tuple(known)))
    except Exception as fault:  # code of others may raise anything
        raise DialectBroken(
            f"{point.value} could not be loaded ({type(fault).__name__}: {fault})",
            hint=f"Reinstall or remove {_distribution(point)}.",
            location=point.value,
        ) from fault
    if problems:
        raise DialectBroken(
            in_words(problems), hint=f"Correct the tables of {_distribution(point)}.", location=point.value
        )
    return dialect


def _clashes(dialect: Dialect, known: tuple[Dialect, ...]) -> Iterator[str]:
    if any(other.runtime == dialect.runtime for other in known):
        yield f"There is a dialect for {dialect.runtime} already; give the runtime a name of its own."
    yield from shared_row_problems(dialect, known)


def _distribution(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else point.module
