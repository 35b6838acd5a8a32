"""Finds out which elements the agent saw, by comparing their lines with the prompt of the main session."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Final

from msgspec import Struct

from melleafy_tui.core.decisions.commands import SetDisposition
from melleafy_tui.core.language.text_measures import tokens
from melleafy_tui.core.models.context import (
    UNSEEN,
    Context,
    LineRun,
    LineState,
    PromptLine,
    Visibility,
)
from melleafy_tui.core.models.inventory import Element, Inventory
from melleafy_tui.core.models.plan import DependencyPlan, PlanEntry
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import Category, Disposition, Runtime
from melleafy_tui.core.openclaw.prompt.truncation import Excerpt
from melleafy_tui.core.openclaw.prompt.utf16 import WHITE_SPACE, characters, line_spans, units
from melleafy_tui.core.package.dispositions import cell

NO_TEXT: Final = frozenset({"openclaw.config", "openclaw.cron", "openclaw.hook", "openclaw.env"})
"""File rules whose elements configure OpenClaw; the agent doesn't read them."""

LISTED: Final = "openclaw.skill"
"""The file rule of skills; the prompt lists their names and descriptions only."""

DROPPED: Final = "The agent never saw it."
"""The rationale of elements dropped because the agent never saw them."""

_OPENCLAW: Final = Runtime.OPENCLAW.value
_SHOWN: Final = frozenset({LineState.SEEN, LineState.DIGEST})


class Seen(Struct, frozen=True):
    """How much of one element the agent saw.

    `characters` is the size of its lines and `present` the part that is in the prompt, in UTF-16 code units; `tokens`
    is the estimate for `present`.
    """

    visibility: Visibility
    characters: int
    present: int
    tokens: int


def agent_visibility(inventory: Inventory, snapshot: Snapshot, context: Context) -> dict[str, Seen]:
    """Return how much the agent saw of each element, by `element_id`."""
    files = {file.path: file for file in (*context.files, *context.left_out)}
    states = {
        path: {number: run.state for run in file.lines for number in range(run.first, run.last + 1)}
        for path, file in files.items()
    }
    result = {}
    for element in inventory.elements:
        source = snapshot.file(element.source_file)
        first, last = element.line_range
        texts = list(source.lines[first - 1 : last]) if source is not None else []
        shown = [
            text
            for number, text in enumerate(texts, first)
            if states.get(element.source_file, {}).get(number) in _SHOWN
        ]
        result[element.element_id] = Seen(
            _visibility(element, states.get(element.source_file)),
            _length(texts),
            _length(shown),
            tokens(shown),
        )
    return result


def read_by_openclaw(inventory: Inventory, seen: Mapping[str, Seen]) -> dict[str, Seen]:
    """Return `seen` without the elements of a hybrid that only another runtime reads."""
    of_others = {file.path for file in inventory.files if file.runtimes and _OPENCLAW not in file.runtimes}
    by_id = inventory.by_id
    return {name: each for name, each in seen.items() if by_id[name].source_file not in of_others}


def unseen_entries(plan: DependencyPlan, seen: Mapping[str, Seen]) -> tuple[PlanEntry, ...]:
    """Return the removable entries of which the agent saw no element."""
    return tuple(
        entry
        for entry in plan.entries
        if entry.source_elements
        and all(name in seen and seen[name].visibility in UNSEEN for name in entry.source_elements)
        and entry.category != "c7_credentials"
        and cell(entry.kind, Disposition.REMOVE).allowed
    )


def drop_unseen(entries: Sequence[PlanEntry]) -> SetDisposition:
    """Return the command that drops the unseen entries."""
    keys = tuple(entry.key for entry in entries if entry.disposition is not Disposition.REMOVE)
    return SetDisposition(keys, Disposition.REMOVE, DROPPED)


def _visibility(element: Element, states: Mapping[int, LineState] | None) -> Visibility:
    if element.dialect_rule_id == "openclaw.memory.daily" and element.source_file != "memory/":
        return Visibility.SEEN  # the agent itself reads today's and yesterday's note when a session starts
    rules = element.dialect_rule_id.split("+")
    if any(rule in NO_TEXT for rule in rules) or element.category is Category.C7:
        return Visibility.CONFIGURATION
    if LISTED in rules:
        return Visibility.LISTED
    if states is None:
        return Visibility.NOT_LOADED
    first, last = element.line_range
    return _visibility_of_lines([states[number] for number in range(first, last + 1) if number in states])


def _visibility_of_lines(states: Sequence[LineState]) -> Visibility:
    if all(state in _SHOWN for state in states):
        return Visibility.SEEN
    if any(state in _SHOWN or state is LineState.PARTLY for state in states):
        return Visibility.PARTLY
    return Visibility.CUT


def _length(texts: Iterable[str]) -> int:
    return sum(len(units(text)) + 1 for text in texts)


_REMARKS: Final = {
    LineState.CUT: "is cut",
    LineState.PARTLY: "is cut within the line",
    LineState.FRONTMATTER: "is frontmatter and left out",
}
_GONE: Final = frozenset({LineState.CUT, LineState.DIGEST})


def line_runs(text: str, excerpts: Sequence[Excerpt], frontmatter: int) -> tuple[LineRun, ...]:
    """Return the state of each line of a file (kept, cut), with adjacent lines of one state joined.

    Args:
        text: The whole file, in code units.
        excerpts: The excerpts of the file that are in the prompt.
        frontmatter: Code units removed from the start as frontmatter.
    """
    kept = sorted((excerpt.start, excerpt.end) for excerpt in excerpts if excerpt.start is not None)
    repeated = {place for excerpt in excerpts for place in excerpt.source_lines}

    def state_of(start: int, first: int, last: int) -> LineState:
        held = sum(max(0, min(last, stop) - max(first, begin)) for begin, stop in kept)
        if held >= last - first:
            return LineState.SEEN
        if first < frontmatter:
            return LineState.FRONTMATTER
        if start in repeated:
            return LineState.DIGEST
        return LineState.PARTLY if held else LineState.CUT

    states: list[tuple[int, LineState]] = []
    for number, (start, end) in enumerate(line_spans(text), 1):
        body = text[start:end]
        last = start + len(body.rstrip(WHITE_SPACE))
        first = end - len(body.lstrip(WHITE_SPACE))
        if first < last:
            states.append((number, state_of(start, first, last)))
    runs = ((state, [*run]) for state, run in groupby(states, key=itemgetter(1)))
    return tuple(LineRun(run[0][0], run[-1][0], state) for state, run in runs)


def prompt_lines(
    path: str, text: str, excerpts: Sequence[Excerpt], runs: Sequence[LineRun]
) -> Iterator[PromptLine]:
    """Yield the lines of a file in the prompt; after the first marker, say which lines were cut."""
    starts = [start for start, _ in line_spans(text)]
    remarks = [PromptLine(words, mark=True, remark=True) for words in _remarks(path, runs)]
    for line, places, mark in _lines(excerpts):
        numbers = [bisect_right(starts, place) for place in places]
        origin = f"{path}:{numbers[-1]}" if numbers and not mark else ""
        yield PromptLine(characters(line).removesuffix("\r"), origin, mark=mark)
        if mark and "runcated" in line:
            yield from remarks
            remarks = []
    yield from remarks


def _lines(excerpts: Sequence[Excerpt]) -> Iterator[tuple[str, tuple[int, ...], bool]]:
    """Yield each line with its positions in the file, and whether it contains a marker."""
    line, mark = "", False
    places: tuple[int, ...] = ()
    for excerpt in excerpts:
        position = 0
        parts = excerpt.text.split("\n")
        for number, part in enumerate(parts):
            if number:
                yield line, places, mark
                line, places, mark = "", (), False
            if not line and excerpt.start is not None:
                places = (excerpt.start + position,)
            elif not line and excerpt.source_lines:
                places = (excerpt.source_lines[min(number, len(excerpt.source_lines) - 1)],)
            mark = mark or (excerpt.mark and bool(part))
            line += part
            position += len(part) + 1
    yield line, places, mark


def _remarks(path: str, runs: Sequence[LineRun]) -> Iterator[str]:
    """Yield messages that say which lines were cut, and how many of them the digest repeats."""
    for gone, group in groupby(runs, lambda run: LineState.CUT if run.state in _GONE else run.state):
        held = list(group)
        if gone not in _REMARKS:
            continue
        first, last = held[0].first, held[-1].last
        digest = sum(run.last - run.first + 1 for run in held if run.state is LineState.DIGEST)
        words = f"; {digest} of these lines stand in the digest" if digest else ""
        yield f"{path}:{first if first == last else f'{first}-{last}'} {_REMARKS[gone]}{words}"
