"""What may be wrong with a dialect's tables, and with what its reader returns: checked before either is used.

Each problem is one sentence that names the table, the row and what to change. Sources: spec/conversion.md 3.2 and 7,
the disposition matrix of spec/package.md 4.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from melleafy_tui.core.dialects.base import Dialect, FileRule, MappingRow, Reading, Signal
from melleafy_tui.core.dispositions import allowed_for, cell
from melleafy_tui.core.models.facts import Facts
from melleafy_tui.core.models.mapping import DEFERRED, NOT_REPRODUCED, UnsupportedConstruct
from melleafy_tui.core.models.snapshot import Snapshot
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

MOST_PROBLEMS: Final = 5
"""Problems that one message names; the rest are counted."""

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
"""The rows of the disposition matrix that belong to each category."""

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
    """Return what is wrong with a dialect, one sentence each; nothing where it can be used."""
    missing = [name for name in _MEMBERS if not hasattr(dialect, name)]
    if missing:
        return (f"It is no dialect: it has no {', '.join(missing)}.",)
    return tuple(_problems(dialect))


def shared_row_problems(dialect: Dialect, others: Iterable[Dialect]) -> tuple[str, ...]:
    """Return the row ids of a dialect that another dialect has for a row of its own, one sentence each."""
    taken = {row.row_id: (row, other.runtime) for other in others for row in other.mapping_rows}
    return tuple(
        f"Mapping row {row.row_id!r} is a row of {taken[row.row_id][1]} already; begin its id with a name of its own."
        for row in dialect.mapping_rows
        if row.row_id in taken and taken[row.row_id][0] != row
    )


def reading_problems(reading: Reading, dialect: Dialect, snapshot: Snapshot) -> tuple[str, ...]:
    """Return what is wrong with what a dialect's reader returned, one sentence each."""
    if not _is_one(reading, Reading):
        return (f"read() returned {type(reading).__name__} and no Reading.",)
    rows = {row.row_id for row in dialect.mapping_rows}
    found: list[str] = []
    for element in reading.elements:
        where = f"The element on {element.source_file}:{element.source_lines}"
        source = snapshot.file(element.source_file)
        first, last = _range(element.source_lines)
        if source is None or not 1 <= first <= last <= max(1, len(source.lines)):
            found.append(f"{where} has lines that the workspace does not have.")
        if element.mapping_row and element.mapping_row not in rows:
            found.append(f"{where} names the mapping row {element.mapping_row!r}, which is in no table.")
        if not _is_one(element.category, Category) or not allowed_together(element.tag, element.category):
            found.append(f"{where} is {element.tag} with {element.category}, which never stand together.")
        if not _is_one(element.facts, Facts):
            found.append(f"{where} has facts of the type {type(element.facts).__name__}; use Facts(...).")
    found += (
        f"unsupported holds {type(construct).__name__}; use UnsupportedConstruct."
        for construct in reading.unsupported
        if not _is_one(construct, UnsupportedConstruct)
    )
    return tuple(found)


def in_words(problems: Sequence[str]) -> str:
    """Return problems as one text: the first ones whole, the rest counted."""
    more = len(problems) - MOST_PROBLEMS
    return " ".join(problems[:MOST_PROBLEMS]) + (f" And {more} more." if more > 0 else "")


def _problems(dialect: Dialect) -> Iterator[str]:
    runtime: object = dialect.runtime
    if not isinstance(runtime, str) or not _RUNTIME.fullmatch(runtime):
        yield f"runtime is {runtime!r}; use lower-case letters, digits and underscores, as in 'my_runtime'."
    elif runtime in (HYBRID, UNKNOWN_RUNTIME):
        yield f"runtime is {runtime!r}, which is no runtime but a result of the detection."
    if not _is_one(dialect.title, str) or not dialect.title.strip():
        yield "title is empty; give the runtime's name for people."
    if _is_table(dialect.signals, Signal):
        yield from _signals(dialect.signals)
    else:
        yield "signals is no tuple of Signal."
    if _is_table(dialect.file_rules, FileRule):
        yield from _file_rules(dialect.file_rules)
    else:
        yield "file_rules is no tuple of FileRule."
    if _is_table(dialect.mapping_rows, MappingRow):
        yield from _mapping_rows(dialect.mapping_rows)
    else:
        yield "mapping_rows is no tuple of MappingRow."


def _is_table(table: object, row_type: type) -> bool:
    return isinstance(table, tuple) and all(isinstance(row, row_type) for row in table)


def _is_one(value: object, vocabulary: type) -> bool:
    """Return whether a value is of a vocabulary; the types promise it, and code of others need not keep them."""
    return isinstance(value, vocabulary)


def _signals(signals: Sequence[Signal]) -> Iterator[str]:
    yield from _twice("Signal", [signal.name for signal in signals])
    for signal in signals:
        if not _is_one(signal.strength, Strength):
            yield f"Signal {signal.name!r} has the strength {signal.strength!r}; use one of {_words(Strength)}."
        matcher: object = signal.matcher
        if not callable(matcher):
            yield f"Signal {signal.name!r} has no matcher that can be called."


def _file_rules(rules: Sequence[FileRule]) -> Iterator[str]:
    yield from _twice("Pattern", [rule.pattern for rule in rules])
    for rule in rules:
        where = f"File rule {rule.rule_id!r}"
        if not _ROW_ID.fullmatch(rule.rule_id):
            yield f"{where} has an id that is no dotted name, as in 'toy.rules'."
        if _BAD_PATTERN.search(rule.pattern):
            yield (
                f"{where} has the bad pattern {rule.pattern!r}; it is a relative path with / between segments, and * "
                "for characters of one segment."
            )
        if not _is_one(rule.category, Category):
            yield f"{where} has the unknown category {rule.category!r}; use one of {_words(Category)}."


def _mapping_rows(rows: Sequence[MappingRow]) -> Iterator[str]:
    yield from _twice("Mapping row", [row.row_id for row in rows])
    for row in rows:
        where = f"Mapping row {row.row_id!r}"
        if not _ROW_ID.fullmatch(row.row_id):
            yield f"{where} has an id that is no dotted name, as in 'toy.rule'."
        if not _is_one(row.category, Category):
            yield f"{where} has the unknown category {row.category!r}; use one of {_words(Category)}."
            continue
        if not _is_one(row.kind, EntryKind) or row.kind not in KINDS_OF[row.category]:
            kinds = _words(sorted(KINDS_OF[row.category]))
            yield f"{where} is of the kind {row.kind!s}, which {row.category.value} has not; use one of {kinds}."
            continue
        if not _is_one(row.default, Disposition):
            yield f"{where} has the unknown disposition {row.default!r}; use one of {_words(Disposition)}."
            continue
        chosen = cell(row.kind, row.default)
        if not chosen.allowed:
            choices = _words(allowed_for(row.kind))
            yield f"{where} has the forbidden disposition {row.default.value}: {chosen.refusal} Use one of {choices}."
        if not row.target_file:
            yield f"{where} has no target; name the file of the package that carries it."
        elif not _TARGET_FILE.fullmatch(row.target_file):
            yield f"{where} has the target {row.target_file!r}, which is no file of a package."
        if not row.primitive:
            yield f"{where} has no primitive; name what stands for it, such as bundle, Requirement, stub or report."
        if row.role is not None and not _is_one(row.role, ElementRole):
            yield f"{where} has the unknown role {row.role!r}; use one of {_words(ElementRole)}."
        if row.unsupported is not None and row.unsupported.section not in (NOT_REPRODUCED, DEFERRED):
            yield f"{where} is reported in {row.unsupported.section!r}; use NOT_REPRODUCED or DEFERRED."


def _twice(what: str, names: Sequence[str]) -> Iterator[str]:
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            yield f"{what} {name!r} stands in the table {names.count(name)} times; each has a name of its own."


def _words(values: Iterable[str]) -> str:
    return ", ".join(str(value) for value in values)


def _range(lines: str) -> tuple[int, int]:
    first, _, last = lines.partition("-")
    try:
        return int(first), int(last or first)
    except ValueError:
        return 0, 0
