"""Loads dialects from other distributions by entry point, and keeps their errors from ending a conversion.

A broken distribution only loses its own dialect: the error becomes a diagnostic that names the distribution, and the
source is read as if the dialect weren't installed.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from importlib.metadata import EntryPoint
from typing import Final, TypeVar, cast, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.dialects.base import (
    INTERFACE,
    Dialect,
    FileRule,
    MappingRow,
    Matcher,
    Reading,
    ReadingContext,
    Signal,
)
from melleafy_tui.core.dialects.matchers import CombinedMatcher
from melleafy_tui.core.errors import DialectBroken
from melleafy_tui.core.models.classification import Schedule
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.snapshot import Snapshot
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


def reading_problems(reading: object) -> tuple[str, ...]:
    """Return what has the wrong type in the result of a dialect's reader, one sentence each."""
    if not isinstance(reading, Reading):
        return (f"read() returned {type(reading).__name__}, not Reading.",)
    return tuple(
        problem for record in (*reading.elements, *reading.unsupported) for problem in mistyped(record)
    )


def join_problems(problems: Sequence[str]) -> str:
    """Return problems as one text: the first ones in full, the rest counted."""
    more = len(problems) - MOST_PROBLEMS
    return " ".join(problems[:MOST_PROBLEMS]) + (f" And {more} more." if more > 0 else "")


def _other_interface(version: object) -> str:
    return f"It is written for interface {version} of dialects; this version has interface {INTERFACE}"


AnswerT = TypeVar("AnswerT")

_DEFAULTS: Final[Mapping[str, object]] = {
    "wants": False,
    "belonging": (),
    "generation": "",
    "modality_evidence": (),
    "schedule": Schedule(),
    "is_stock_text": False,
}
"""What is answered for a dialect that fails when it is asked."""


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
        for name in ("runtime", "title", "source_title", "file_rules", "surfaces", "main_files"):
            setattr(self, name, getattr(inner, name))
        for name, default in _DEFAULTS.items():
            setattr(self, name, self._guarded(name, getattr(inner, name), default))
        self.signals = tuple(
            replace(each, matcher=self._matcher(each.name, each.matcher)) for each in inner.signals
        )

    @property
    def mapping_rows(self) -> tuple[MappingRow, ...]:
        """Return the mapping table."""
        return self.inner.mapping_rows

    @property
    def outer_files(self) -> OuterFiles:
        """Return which files above the root, and which imports, are read."""
        around = self._guarded("outer_files", lambda: self.inner.outer_files, OuterFiles())()
        return OuterFiles(tuple(around.names), self._guarded("outer_files", around.imports, ()))

    def read(self, snapshot: Snapshot, context: ReadingContext) -> Reading:
        """Return the files and elements of the source; if the reader fails, those of the generic dialect."""
        before = set(self.faults)

        def attempt() -> Reading | None:
            reading = self.inner.read(snapshot, context)
            problems = reading_problems(reading)
            if problems:
                raise DialectBroken(join_problems(problems))
            return reading

        reading = self._guarded("read", attempt, None)()
        if reading is not None:
            return reading
        general = self.fallback.read(snapshot, context)
        new = tuple(fault for place, fault in self.faults.items() if place == "read" or place not in before)
        return replace(general, diagnostics=(*general.diagnostics, *new))

    def _matcher(self, name: str, matcher: Matcher) -> Matcher:
        return CombinedMatcher(self._guarded(f"signal {name}", matcher, ()), (matcher,))

    def _guarded(self, place: str, asked: Callable[..., AnswerT], default: AnswerT) -> Callable[..., AnswerT]:
        """Return a function that answers as another does, and with the default where that fails."""

        def answer(*given: object) -> AnswerT:
            try:
                found = asked(*given)
                return cast(AnswerT, tuple(cast(Iterable[object], found))) if default == () else found
            except Exception as fault:
                said = (
                    fault.message if isinstance(fault, DialectBroken) else f"{type(fault).__name__}: {fault}"
                )
                about = {"runtime": self.inner.runtime, "distribution": self.distribution, "place": place}
                told = diagnose("dialect-failed", "", problem=said.rstrip("."), **about)
                self.faults.setdefault(place, told)
                return default

        return answer


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
        distribution = point.dist.name if point.dist is not None else point.module
        dialect, problem = _loaded(point, known)
        if dialect is None:
            found = diagnose(
                "dialect-broken", "", name=point.name, distribution=distribution, problem=problem
            )
            problems.append(found)
            continue
        known.append(dialect)
        usable.append(PluginDialect(dialect, distribution, fallback))
    return usable, tuple(problems)


def _loaded(point: EntryPoint, known: Iterable[Dialect]) -> tuple[Dialect | None, str]:
    """Return the dialect that an entry point names, or None and what is wrong with it."""
    try:
        dialect: Dialect = point.load()()
        written_for = getattr(dialect, "interface", 1)
        is_ours = written_for == INTERFACE
        problems = dialect_problems(dialect) if is_ours else (_other_interface(written_for),)
        if not problems and any(other.runtime == dialect.runtime for other in known):
            problems = (f"There is a dialect for {dialect.runtime} already; name the runtime differently.",)
    except Exception as fault:  # third-party code may raise anything
        if isinstance(fault, ImportError) and (fault.name or "").startswith("melleafy_tui"):
            return None, _other_interface(1)
        return None, f"{point.value} could not be loaded ({type(fault).__name__}: {fault})"
    return (None, join_problems(problems).rstrip(".")) if problems else (dialect, "")
