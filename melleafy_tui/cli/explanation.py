"""`explain`: says which elements a source line became, or which ones an emitted line comes from, and why."""

import argparse
import os
import re
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Final, Literal

from msgspec import Struct

from melleafy_tui.actions.plurals import counted
from melleafy_tui.actions.recorded_provenance import is_package, read_recorded_package, with_recorded_places
from melleafy_tui.actions.traceability import places_by_element
from melleafy_tui.cli.console import Console
from melleafy_tui.cli.json_documents import Document, part_of
from melleafy_tui.cli.workspace_conversion import (
    open_session,
    refuse_conversion_options,
    say_unused_decisions,
    show_settings,
)
from melleafy_tui.core.errors import UnusableInput, UsageError, did_you_mean
from melleafy_tui.core.models.file_set import EmittedFile, FileSet, LineProvenance
from melleafy_tui.core.models.inventory import (
    ASSISTED,
    USER,
    Decision,
    Element,
    InventoriedFile,
    Inventory,
    RecordedInventory,
)
from melleafy_tui.core.models.plan import DependencyPlan, PlanEntry
from melleafy_tui.core.models.record import Record
from melleafy_tui.core.models.vocabulary import CATEGORIES, DECISION_MEANINGS, Category, Tag
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.engine import workspace_root

_LINES: Final = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?", re.ASCII)
_SHOWN_LINES: Final = 20
"""Lines of an element's text that are printed; `--json` has all of them."""

_INDENT: Final = " " * 15


class EmittedPlace(Record, frozen=True, kw_only=True):
    """Lines of an emitted file."""

    file: str
    lines: str


class ExplainedElement(Record, frozen=True, kw_only=True):
    """One element with how it was read, what was decided, and the emitted lines that carry it; secrets are masked.

    `decision` is null for an element that needs none, such as a heading.
    """

    element_id: str
    source_file: str
    source_lines: str
    kind: str
    tag: Tag
    category: Category
    decisions: tuple[Decision, ...]
    file_rule: str
    place: str
    mapping_row: str
    why: str
    text: str
    decision: PlanEntry | None
    emitted: tuple[EmittedPlace, ...]


class EmittedRange(Record, frozen=True, kw_only=True):
    """Lines of the explained emitted file, and the elements that they come from."""

    lines: str
    elements: tuple[str, ...]


class ExplainDocument(Document, frozen=True, kw_only=True):
    """The document of `explain --json`; `lines` is `""` for a whole file, `ranges` is empty for a source file."""

    source: str
    kind: Literal["workspace", "package"]
    package_name: str
    file: str
    emitted: bool
    lines: str
    ranges: tuple[EmittedRange, ...]
    elements: tuple[ExplainedElement, ...]


class Provenance(Struct, frozen=True, dict=True):
    """What a workspace or a package says about where text comes from and where it goes.

    `root` is the folder of the source files, if it is there; `out` that of the emitted ones.
    """

    kind: Literal["workspace", "package"]
    root: Path | None
    out: Path
    inventory: Inventory | RecordedInventory
    plan: DependencyPlan
    files: FileSet

    @classmethod
    def of(cls, conversion: Conversion, files: FileSet, root: Path, out: Path) -> "Provenance":
        """Return what a conversion says.

        Args:
            conversion: The conversion.
            files: Its files.
            root: The folder of the source files.
            out: The folder that they are written to.
        """
        placed, found = with_recorded_places(files) or files, conversion.committed
        return cls("workspace", _plain_path(root), _plain_path(out), found.inventory, found.plan, placed)

    @property
    def elements(self) -> tuple[Element, ...]:
        """Return the elements of the source."""
        return self.inventory.elements

    @cached_property
    def sources(self) -> dict[str, InventoriedFile]:
        """Return the files that were read, by path."""
        used = {element.source_file for element in self.elements}
        return {
            each.path: each for each in self.inventory.files if each.status == "read" or each.path in used
        }

    @cached_property
    def places(self) -> dict[str, list[tuple[str, LineProvenance]]]:
        """Return the emitted lines of each element, by `element_id`."""
        return places_by_element(self.files)

    def named(self, text: str) -> str:
        """Return the path of the source or emitted file that a user means, or `""`; a source file comes first."""
        absolute = _plain_path(text)
        folders = [folder for folder in (self.root, self.out) if folder and absolute.is_relative_to(folder)]
        inside = [absolute.relative_to(folder).as_posix() for folder in folders]
        for name in (text, PurePosixPath(os.path.normpath(text)).as_posix(), *inside):
            for path in (name, f"{self.files.package_name}/{name}"):
                if path in self.sources or path in self.files.by_path:
                    return path
        return ""

    def explained(self, element: Element) -> ExplainedElement:
        """Return an element with its decision and its emitted lines."""
        places = self.places.get(element.element_id, ())
        return part_of(
            ExplainedElement,
            element,
            file_rule=element.dialect_rule_id,
            place=element.rationale,
            why=_why(element),
            text=element.content_full,
            decision=self.plan.by_element.get(element.element_id),
            emitted=tuple(EmittedPlace(file=path, lines=_spelled(at.first, at.last)) for path, at in places),
        )


def explain(found: Provenance, source: str, wanted: str, console: Console) -> None:
    """Print where the lines of a file come from and what became of them.

    Args:
        found: What is known of the workspace or the package.
        source: Its name for the document.
        wanted: `FILE[:LINE[-LINE]]`.
        console: Where the result is printed.

    Raises:
        UnusableInput: There is no such file or line.
        UsageError: The lines are misspelt.
    """
    path, lines = _asked(wanted, found)
    document = _document(source, found, path, lines)
    console.document(document)
    _print(document, console)
    if path in found.sources and path in found.files.by_path:
        console.message(f"note: {path} is emitted, too; this is the file of the workspace.")


def _plain_path(path: str | Path) -> Path:
    """Return a path as an absolute one without `..`; nothing is looked up, since the user may name any file."""
    return Path(os.path.normpath(Path(path).absolute()))


# --- what was asked ---------------------------------------------------------------------------


def _asked(text: str, found: Provenance) -> tuple[str, tuple[int, int] | None]:
    """Return the path and the lines that `FILE[:LINE[-LINE]]` names; a whole file has no lines."""
    if path := found.named(text):
        return path, None
    name, colon, written = text.rpartition(":")
    path = found.named(name) if colon else ""
    if not path:
        raise _unknown(name if colon else text, found)
    spelled = _LINES.fullmatch(written)
    first, last = (int(spelled[1]), int(spelled[2] or spelled[1])) if spelled else (0, 0)
    if not 1 <= first <= last:
        raise UsageError(
            f"{written!r} is not a line or a range of lines",
            hint=f"Write {path}:12 or {path}:12-15.",
            location=path,
        )
    count = _line_count(path, found)
    if last > count:
        raise UnusableInput(
            f"The file has only {counted(count, 'line')}",
            hint=f"Name a line from 1 to {count}." if count else "Name the file without a line.",
            location=f"{path}:{last}",
        )
    return path, (first, last)


def _unknown(name: str, found: Provenance) -> UnusableInput:
    folder = f"{found.files.package_name}/"
    known = [*found.sources, *found.files.by_path]
    short = [path.removeprefix(folder) for path in found.files.by_path if path.startswith(folder)]
    meant = did_you_mean(name, [*known, *short])
    example = next(iter(found.sources), f"{folder}melleafy.json")
    return UnusableInput(
        f"{name!r} is neither a file that was read nor one that is emitted",
        hint=meant or f"Name a file such as {example} or {folder}config.py.",
    )


def _line_count(path: str, found: Provenance) -> int:
    if path in found.sources:
        ends = (element.line_range[1] for element in found.elements if element.source_file == path)
        return max(found.sources[path].line_count, *ends, 0)
    text = found.files.by_path[path].text
    return text.count("\n") + (not text.endswith("\n"))


# --- the answer -------------------------------------------------------------------------------


def _document(source: str, found: Provenance, path: str, lines: tuple[int, int] | None) -> ExplainDocument:
    emitted = path not in found.sources
    ranges = _ranges(found.files.by_path[path], lines) if emitted else ()
    if emitted:
        wanted = {name for each in ranges for name in each.elements}
        elements = [element for element in found.elements if element.element_id in wanted]
    else:
        first, last = lines or (1, _line_count(path, found))
        own = [element for element in found.elements if element.source_file == path]
        elements = [each for each in own if each.line_range[0] <= last and each.line_range[1] >= first]
    return ExplainDocument(
        source=source,
        kind=found.kind,
        package_name=found.files.package_name,
        file=path,
        emitted=emitted,
        lines=_spelled(*lines) if lines else "",
        ranges=ranges,
        elements=tuple(map(found.explained, elements)),
    )


def _ranges(file: EmittedFile, lines: tuple[int, int] | None) -> tuple[EmittedRange, ...]:
    """Return the ranges that overlap the lines; of those around a single line, the shortest."""
    grouped: dict[tuple[int, int], list[str]] = {}
    for mark in sorted(file.provenance):
        if lines is None or (mark.first <= lines[1] and mark.last >= lines[0]):
            grouped.setdefault((mark.first, mark.last), []).append(mark.element_id)
    if lines is not None and lines[0] == lines[1]:
        shortest = min((last - first for first, last in grouped), default=0)
        grouped = {place: names for place, names in grouped.items() if place[1] - place[0] == shortest}
    return tuple(
        EmittedRange(lines=_spelled(first, last), elements=tuple(dict.fromkeys(names)))
        for (first, last), names in grouped.items()
    )


def _why(element: Element) -> str:
    """Return in one sentence why an element has its home, and which decisions were taken about it."""
    place = element.rationale
    if place == USER:
        home = "You chose its home"
    elif place.startswith(ASSISTED):
        home = f"Its home was chosen {place}"
    elif element.category is Category.NONE:
        home = "It has no home of its own"
    else:
        because = f"it is {place}" if " " in place else f"of its place in {element.source_file}"
        home = f"Its home is {CATEGORIES[element.category].title}, since {because}"
    taken = [_taken(each) for each in element.decisions]
    return f"{home}; {'; '.join(taken) if taken else 'no decision was taken about it'}."


def _taken(decision: Decision) -> str:
    return f"{_inside(DECISION_MEANINGS[decision.kind])} ({_inside(decision.reason)})"


def _inside(sentence: str) -> str:
    """Return a sentence as part of another one; a name keeps its capital."""
    is_name = sentence[:2].isupper() or sentence.startswith("Python")
    first = sentence[:1] if is_name else sentence[:1].lower()
    return f"{first}{sentence[1:]}".rstrip(".")


def _spelled(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


# --- as text ----------------------------------------------------------------------------------


def _print(document: ExplainDocument, console: Console) -> None:
    where = f"{document.file}:{document.lines}".rstrip(":")
    if not document.elements:
        what = "generated code, no source line" if document.emitted else "no element is here"
        console.line(f"{where}: {what}")
    for each in document.ranges:
        console.line(f"{document.file}:{each.lines} comes from {', '.join(each.elements)}")
    for element in document.elements:
        _print_element(element, console)


def _print_element(element: ExplainedElement, console: Console) -> None:
    console.heading(f"{element.element_id}  {element.source_file}:{element.source_lines}")
    lines = element.text.split("\n")
    if len(lines) > _SHOWN_LINES:
        lines = [*lines[:_SHOWN_LINES], f"… {counted(len(lines) - _SHOWN_LINES, 'more line')}"]
    rule = ", ".join(filter(None, (element.file_rule, element.mapping_row)))
    _say("text", lines, console)
    _say("read as", [f"{element.kind}, {element.tag}, category {element.category}, by {rule}"], console)
    _say("why", [element.why], console)
    if (entry := element.decision) is None:
        _say("disposition", ["none; it needs no decision"], console)
    else:
        _say("disposition", [f"{entry.disposition}, decided by {entry.source_of_decision}"], console)
        _say("because", list(filter(None, [entry.override_rationale or entry.reason])), console)
        if entry.default_disposition is not entry.disposition:
            _say("default", [f"{entry.default_disposition}: {entry.reason}".rstrip(": ")], console)
        section = f", SETUP.md {entry.setup_section}" if entry.setup_section else ""
        _say("goes to", [f"{entry.target}{section}"], console)
    _say("emitted in", [f"{each.file}:{each.lines}" for each in element.emitted] or ["no line"], console)


def _say(label: str, lines: Sequence[str], console: Console) -> None:
    for number, line in enumerate(lines):
        console.line(f"  {label:<11}  {line}" if number == 0 else f"{_INDENT}{line}".rstrip())


# --- the command ------------------------------------------------------------------------------


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print where the lines of a file come from and what became of them.

    Args:
        arguments: The command line; `workspace` is a workspace, a package or its output folder.
        console: Where the result is printed.

    Raises:
        UnusableInput: There is no such file or line, or a package has no usable records.
        UsageError: The lines are misspelt, or a package is given conversion options.
    """
    source = Path(arguments.workspace)
    if is_package(source):
        found = _of_package(source, arguments)
    elif arguments.show_settings:
        return show_settings(arguments, console)
    else:
        session = open_session(arguments, console)
        say_unused_decisions(arguments, session, console)
        root = workspace_root(source)
        out = root if session.configuration["in_place"] else session.out
        found = Provenance.of(session.conversion, session.conversion.files, root, out)
    explain(found, arguments.workspace, arguments.file, console)
    return 0


def _of_package(source: Path, arguments: argparse.Namespace) -> Provenance:
    refuse_conversion_options(arguments)
    package = read_recorded_package(source)
    folder = _plain_path(source)
    return Provenance(
        kind="package",
        root=None,
        out=folder if (folder / package.files.package_name).is_dir() else folder.parent,
        inventory=package.inventory,
        plan=package.plan,
        files=package.files,
    )
