"""`diff`: says what changed between two workspaces, two releases of a skill, or their packages."""

import argparse
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from difflib import unified_diff
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Final

from msgspec import Struct

from melleafy_tui.actions.plurals import counted
from melleafy_tui.actions.recorded_provenance import is_package
from melleafy_tui.actions.workspace_diff import (
    CHANGES,
    Comparison,
    ElementChange,
    ElementState,
    FileDifference,
    PackageFacts,
    Side,
    compare,
    package_side,
    workspace_side,
)
from melleafy_tui.cli.console import Console
from melleafy_tui.cli.json_documents import Document, part_of
from melleafy_tui.cli.workspace_conversion import open_session, refuse_conversion_options
from melleafy_tui.core.errors import UnusableInput, UsageError
from melleafy_tui.core.models.vocabulary import DISPOSITIONS, Disposition
from melleafy_tui.generators.markdown_text import code_cell, code_span, fence, shortened, shown_block

EXIT_DIFFERENT = 15
"""As for `check`: what was compared isn't the same."""

_TWO = (
    "Name two workspaces, skills or packages; an earlier commit needs a checkout of its own "
    "(`git worktree add ../old COMMIT`)."
)


class DiffDocument(Document, frozen=True, kw_only=True):
    """The document of `diff --json`; the texts of elements are whole, with secrets masked."""

    old_source: str
    new_source: str
    differs: bool
    old: PackageFacts
    new: PackageFacts
    changes: tuple[ElementChange, ...]
    files: tuple[FileDifference, ...]
    new_variables: tuple[str, ...]
    removed_variables: tuple[str, ...]
    new_callable_tools: tuple[str, ...]
    removed_callable_tools: tuple[str, ...]
    exit_code: int


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print what changed, and return 0, or with `--exit-code` 15 if anything did.

    Args:
        arguments: The command line; `old` and `new` are workspaces, packages or output folders.
        console: Where the result is printed.

    Raises:
        UnusableInput: A side doesn't exist or can't be read.
        UsageError: Both sides are the same folder, or options contradict each other.
    """
    if arguments.json and arguments.format == "markdown":
        raise UsageError("--json and --format=markdown contradict each other", hint="Give one of them.")
    _refuse_unusable(arguments)
    comparison = compare(*(_side(arguments, name, console) for name in (arguments.old, arguments.new)))
    old, new = comparison.old.runtime, comparison.new.runtime
    if old != new:
        console.message(f"note: OLD is read as {old} and NEW as {new}; --source-runtime sets it for both.")
    code = EXIT_DIFFERENT if arguments.exit_code and comparison.differs else 0
    if arguments.json:
        console.document(_document(arguments, comparison, code))
    elif console.quiet:
        pass
    elif arguments.format == "markdown":
        console.lines(_markdown(comparison, arguments.old, arguments.new))
    else:
        _print(comparison, arguments.old, arguments.new, console)
    return code


def _refuse_unusable(arguments: argparse.Namespace) -> None:
    for side, name in (("old", arguments.old), ("new", arguments.new)):
        if not Path(name).exists():
            raise UnusableInput(f"The {side} side doesn't exist", hint=_TWO, location=name)
    if Path(arguments.old).resolve() == Path(arguments.new).resolve():
        raise UsageError("OLD and NEW are the same folder", hint=_TWO)
    if is_package(Path(arguments.old)) and is_package(Path(arguments.new)):
        refuse_conversion_options(arguments)


def _side(arguments: argparse.Namespace, name: str, console: Console) -> Side:
    if is_package(Path(name)):
        return package_side(Path(name))
    of_side = argparse.Namespace(**{**vars(arguments), "workspace": name})
    return workspace_side(open_session(of_side, console).conversion)


def _document(arguments: argparse.Namespace, comparison: Comparison, code: int) -> DiffDocument:
    old, new = comparison.old, comparison.new
    return part_of(
        DiffDocument,
        comparison,
        old_source=arguments.old,
        new_source=arguments.new,
        new_variables=_only(new.variables, old.variables),
        removed_variables=_only(old.variables, new.variables),
        new_callable_tools=_only(new.callable_tools, old.callable_tools),
        removed_callable_tools=_only(old.callable_tools, new.callable_tools),
        exit_code=code,
    )


# --- as text for a terminal, or as Markdown for a pull request ----------------------------------------

_MOST_LINES: Final = 20
"""Lines of one change that are printed; `--json` has all of them."""

_MOST_CONTEXT: Final = 3
"""Lines of a text that didn't change itself."""

_MOST_ALONE: Final = 3
"""So many changes of unchanged texts for the same reason are one entry."""

_LONGEST_OPENING: Final = 80
_LONGEST_LINE: Final = 1_000
_MOST_DIFFED: Final = 1_000
"""Lines of a text that are compared line by line, which takes quadratic time in the worst case."""

_WIDTH: Final = 100
"""Characters of a line in Markdown: a code block of a pull request doesn't wrap."""

_TEXT_CHANGES: Final = frozenset({"added", "removed", "reworded"})


class _Entry(Struct, frozen=True):
    """What is printed of one change, or of several that are alike; each line of `body` begins with a sign."""

    change: str
    place: str
    body: tuple[str, ...]
    remarks: tuple[str, ...]


def _counts(changes: Iterable[ElementChange]) -> str:
    """Return how many elements changed in which way: `2 added, 1 reworded`."""
    found = [change.change for change in changes]
    counts = ", ".join(f"{found.count(name)} {name}" for name in CHANGES if name in found)
    return counts or "no element differs"


def _print(comparison: Comparison, old: str, new: str, console: Console) -> None:
    """Print the differences for a terminal."""
    if not comparison.differs:
        console.line(f"{old} and {new}: no differences")
        return
    console.heading(f"{old} → {new}: {_counts(comparison.changes)}")
    for name, group in groupby(comparison.changes, attrgetter("group")):
        changes = list(group)
        console.line()
        console.heading(f"{name}: {_counts(changes)}")
        for entry in _entries(changes):
            console.line(f"  {entry.change}  {entry.place}")
            for line in entry.body:
                console.line(f"    {line}".rstrip())
            for line in entry.remarks:
                console.line(f"      {line}")
    for title, rows in (
        ("Files", _file_rows(comparison)),
        ("The package as a whole", _package_rows(comparison)),
    ):
        if rows:
            console.line()
            console.heading(title)
            console.table(rows)


def _markdown(comparison: Comparison, old: str, new: str) -> str:
    """Return the differences as Markdown; every text of a workspace is in a code span or a code block."""
    parts = [f"## What changed: {code_span(old)} → {code_span(new)}"]
    if not comparison.differs:
        return "\n\n".join([*parts, "No differences."])
    parts.append(f"{_counts(comparison.changes).capitalize()}.")
    parts.append(_markdown_table(("", "change"), _package_rows(comparison)))
    for name, group in groupby(comparison.changes, attrgetter("group")):
        changes = list(group)
        parts.append(f"### {name}: {_counts(changes)}")
        parts.append(fence("\n".join(line for entry in _entries(changes) for line in _hunk(entry)), "diff"))
    if rows := _file_rows(comparison):
        parts.append("### Files")
        parts.append(_markdown_table(("change", ""), rows))
    return "\n\n".join(parts)


def _hunk(entry: _Entry) -> Iterator[str]:
    """Yield an entry as lines of a diff: `!` begins a line that is neither old nor new text."""
    yield f"@@ {entry.change}: {entry.place} @@"
    for line in entry.body:
        sign, text = line[:2], line[2:]
        wrapped = textwrap.wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False)
        for part in wrapped if len(text) > _WIDTH else (text,):
            yield f"{sign}{part}".rstrip()
    for line in entry.remarks:
        yield f"! {line}"


def _markdown_table(header: tuple[str, str], rows: Iterable[tuple[str, str]]) -> str:
    lines = [f"| {header[0]} | {header[1]} |", "|---|---|"]
    return "\n".join([*lines, *(f"| {label} | {code_cell(value)} |" for label, value in rows)])


# --- both -------------------------------------------------------------------------------------


def _entries(changes: Sequence[ElementChange]) -> Iterator[_Entry]:
    """Yield what is printed of changes: several of unchanged texts with the same remarks are one entry."""
    alike: dict[tuple[str, ...], list[ElementChange]] = {}
    for change in changes:
        if change.change not in _TEXT_CHANGES:
            alike.setdefault(_remarks(change), []).append(change)
    for change in changes:
        remarks = _remarks(change)
        same = alike.get(remarks, []) if change.change not in _TEXT_CHANGES else []
        if len(same) < _MOST_ALONE:
            most = _MOST_LINES if change.change in _TEXT_CHANGES else _MOST_CONTEXT
            yield _Entry(change.change, _place(change), tuple(_cut(_diffed(change), most)), remarks)
        elif change is same[0]:
            rows = (f"  {_opening(each.state)}" for each in same)
            place = counted(len(same), "element")
            yield _Entry(change.change, place, tuple(_cut(rows, _MOST_LINES)), remarks)


def _opening(state: ElementState) -> str:
    place = f"{_one_line(state.source_file)}:{state.source_lines}"
    return f"{place}  {shortened(state.text, _LONGEST_OPENING)}"


def _place(change: ElementChange) -> str:
    """Return where an element is, or was if it was removed."""
    state = change.state
    was = "was " if change.new is None else ""
    heading = f" ({_one_line(' / '.join(state.section))})" if state.section else ""
    return f"{was}{_one_line(state.source_file)}:{state.source_lines}{heading}"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _cut(texts: Iterable[str], most: int) -> Iterator[str]:
    """Yield lines without blank ones, long ones and many of them cut."""
    lines = [line for line in texts if line[2:].strip()]
    for line in lines[:most]:
        yield line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]}…"
    if len(lines) > most:
        yield f"  … {counted(len(lines) - most, 'more line')}"


def _diffed(change: ElementChange) -> Iterator[str]:
    """Yield the text of a change with the signs of a diff."""
    before, after = _lines(change.old), _lines(change.new)
    if change.change not in _TEXT_CHANGES:
        yield from (f"  {line}" for line in after)
    elif before and after and max(len(before), len(after)) <= _MOST_DIFFED:
        for line in list(unified_diff(before, after, n=1, lineterm=""))[2:]:
            if not line.startswith("@@"):
                yield f"{line[0]} {line[1:]}"
    else:
        yield from (f"- {line}" for line in before)
        yield from (f"+ {line}" for line in after)


def _lines(state: ElementState | None) -> list[str]:
    if state is None:
        return []
    return [line.rstrip() for line in shown_block(state.text).strip("\n").split("\n")]


def _remarks(change: ElementChange) -> tuple[str, ...]:
    """Return what differs besides the text; for a new element, what it becomes unless it is prompt text."""
    found = []
    state = change.new
    if change.old is None and state is not None and state.disposition not in ("", Disposition.BUNDLE):
        becomes = DISPOSITIONS[Disposition(state.disposition)].in_documents
        found.append(f"becomes {becomes}: {state.target}")
    for detail in change.details:
        name = "goes to" if detail.what == "target" else detail.what
        found.append(f"{name}: {detail.old or 'none'} → {detail.new or 'none'}")
    return tuple(map(_one_line, found))


def _package_rows(comparison: Comparison) -> list[tuple[str, str]]:
    old, new = comparison.old, comparison.new
    rows = [
        ("runtime", f"{old.runtime} → {new.runtime}" if old.runtime != new.runtime else ""),
        ("trigger", f"{old.trigger} → {new.trigger}" if old.trigger != new.trigger else ""),
        ("model calls per run", _numbers(old.model_calls, new.model_calls)),
        ("prompt tokens per run", _numbers(old.prompt_tokens, new.prompt_tokens)),
        ("new variables to set", ", ".join(_only(new.variables, old.variables))),
        ("variables no longer read", ", ".join(_only(old.variables, new.variables))),
        ("tools now callable", ", ".join(_only(new.callable_tools, old.callable_tools))),
        ("tools no longer callable", ", ".join(_only(old.callable_tools, new.callable_tools))),
    ]
    return [(label, value) for label, value in rows if value]


def _only(here: Sequence[str], there: Sequence[str]) -> tuple[str, ...]:
    """Return the names that are on one side only."""
    return tuple(name for name in here if name not in there)


def _numbers(old: int | None, new: int | None) -> str:
    if old is None or new is None:
        return ""
    return f"{old} (unchanged)" if old == new else f"{old} → {new} ({new - old:+})"


def _file_rows(comparison: Comparison) -> list[tuple[str, str]]:
    return [(each.change, f"{each.path} (file without elements)") for each in comparison.files]
