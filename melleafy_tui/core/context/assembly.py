"""Assembles the prompt of a session: files loaded, cut to their budgets, put in order, with what became of each line.

It is a function of the snapshot, the release and the kind of session; nothing of the host takes part (seeds 002, 004).
OpenClaw's own sections appear with their headings only.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from msgspec import Struct, structs

from melleafy_tui.core.context.loading import Wanted, wanted_files
from melleafy_tui.core.context.not_loaded import not_loaded
from melleafy_tui.core.context.pieces import line_runs, prompt_lines
from melleafy_tui.core.context.releases import (
    DIALECT_ASSEMBLY,
    HEARTBEAT,
    PRIORITY,
    Assembly,
    assembly_of,
)
from melleafy_tui.core.context.sections import (
    APART,
    INTRODUCTION,
    PROJECT_CONTEXT,
    SOUL_INSTRUCTION,
    sections_of,
)
from melleafy_tui.core.context.truncation import (
    LEAST_ROOM,
    Piece,
    clamp,
    cut_to_limit,
    missing_marker,
    without_truncated_secrets,
)
from melleafy_tui.core.context.units import WHITE_SPACE, characters, units
from melleafy_tui.core.dialects.openclaw.budgets import Budget, limit_for
from melleafy_tui.core.dialects.openclaw.reader import own_budget
from melleafy_tui.core.models.context import (
    Context,
    ContextFile,
    FileState,
    PromptLine,
    PromptMode,
    SessionKind,
)
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.tokens import tokens

OWN_WORDS: Final = "(OpenClaw's own text, not shown)"
_BLANK_LINES = re.compile(r"\n{3,}")


class _Cut(Struct, frozen=True):
    """A wanted file with the pieces that are left of it."""

    wanted: Wanted
    file: ContextFile
    pieces: tuple[Piece, ...] = ()


def assemble(
    snapshot: Snapshot,
    *,
    release: str,
    session: SessionKind = SessionKind.MAIN,
    mode: PromptMode | None = None,
    agent: str = "",
    place: str = "",
) -> Context:
    """Return what OpenClaw puts into the prompt of a session in this workspace.

    Args:
        snapshot: The workspace.
        release: The release, or `dialect-1.0` for what the seeds say.
        session: The kind of session.
        mode: The prompt mode; by default that of the session: full, and minimal for all but the main one.
        agent: The agent whose own limits in openclaw.json hold; by default the one that the workspace belongs to.
        place: The folder of the workspace on its host, for headings and markers that name it; by default its own.

    Raises:
        UsageError: the release or the agent is not known.
    """
    assembly = assembly_of(release)
    budget = own_budget(snapshot, release, agent)
    chosen = mode or (PromptMode.FULL if session is SessionKind.MAIN else PromptMode.MINIMAL)
    folder = (place or snapshot.root).rstrip("/")
    wanted = wanted_files(snapshot, assembly, budget, session)
    cuts = _cut_all(wanted, assembly, budget, folder, chosen)
    shown = [cut for cut in cuts if cut.pieces]
    if assembly.priority:
        shown.sort(key=lambda cut: _order(cut.wanted))
    steady = [cut for cut in shown if not cut.file.apart]
    apart = [cut for cut in shown if cut.file.apart]
    sections = sections_of(release, chosen)
    blocks = {} if chosen is PromptMode.NONE else _blocks(assembly, steady, apart)
    printed = [PromptLine(INTRODUCTION)]
    for section in sections:
        if section.heading in (PROJECT_CONTEXT, APART):
            printed += blocks.get(section.heading, [])
        else:
            printed += [
                PromptLine(""),
                PromptLine(section.heading),
                PromptLine(_own_words(section.condition)),
            ]
    listed, more = not_loaded(snapshot, {cut.file.path for cut in cuts})
    return Context(
        release=release or DIALECT_ASSEMBLY.release,
        origin=budget.origin,
        session=session,
        mode=chosen,
        per_file=budget.per_file,
        total=budget.total,
        user_md=budget.user_md,
        sections=sections,
        files=tuple(cut.file for cut in (*steady, *apart)),
        left_out=tuple(cut.file for cut in cuts if not cut.pieces),
        not_loaded=listed,
        more_not_loaded=more,
        prompt="\n".join(line.text for line in printed if not line.remark) + "\n",
        lines=tuple(printed),
        notes=_notes(assembly, wanted),
    )


def _cut_all(
    wanted: Sequence[Wanted], assembly: Assembly, budget: Budget, folder: str, mode: PromptMode
) -> list[_Cut]:
    room = budget.total
    full = False
    cuts = []
    for file in wanted:
        if mode is PromptMode.NONE or file.withheld:
            cuts.append(_Cut(file, _file(file, assembly, folder, FileState.WITHHELD)))
            continue
        if full or (room is not None and room <= 0):
            cuts.append(_Cut(file, _file(file, assembly, folder, FileState.NO_ROOM)))
            continue
        if file.text is None:
            marker = [Piece(missing_marker(f"{folder}/{file.path}"), mark=True)]
            pieces = clamp(marker, room) if room is not None else marker
            cuts.append(_cut(file, assembly, folder, FileState.MISSING, pieces, room))
        elif room is not None and room < LEAST_ROOM:
            full = True
            cuts.append(_Cut(file, _file(file, assembly, folder, FileState.NO_ROOM)))
            continue
        else:
            cuts.append(_cut_file(file, assembly, budget, folder, room))
        if room is not None:
            room = max(0, room - sum(len(piece.text) for piece in cuts[-1].pieces))
    return cuts


def _cut_file(file: Wanted, assembly: Assembly, budget: Budget, folder: str, room: int | None) -> _Cut:
    text = file.text or ""
    skipped = frontmatter_length(text) if assembly.strips_frontmatter else 0
    kept = text[skipped:].rstrip(WHITE_SPACE)
    limit = limit_for(budget, file.name)
    if room is not None:
        limit = max(1, min(room if limit is None else limit, room))
    pieces = cut_to_limit(kept, file.name, limit, assembly)
    if room is not None:
        pieces = clamp(pieces, room)
    placed = [
        piece if piece.start is None else structs.replace(piece, start=piece.start + skipped)
        for piece in pieces
    ]
    moved = [
        structs.replace(piece, source_lines=tuple(place + skipped for place in piece.source_lines))
        for piece in placed
    ]
    moved = without_truncated_secrets(text, moved)
    present = _present(moved)
    # With a limit below 5, 2026.1.30 gives the whole text back after its marker and still calls it cut.
    whole = present == len(kept) and not any(piece.mark for piece in moved)
    state = FileState.WHOLE if whole else FileState.CUT
    if not moved:
        state = FileState.EMPTY
    return _cut(file, assembly, folder, state, moved, limit, kept=len(kept), skipped=skipped)


def _cut(
    file: Wanted,
    assembly: Assembly,
    folder: str,
    state: FileState,
    pieces: Sequence[Piece],
    limit: int | None,
    *,
    kept: int = 0,
    skipped: int = 0,
) -> _Cut:
    text = file.text or ""
    present = _present(pieces)
    shown, collapsed = _collapsed(pieces) if assembly.collapses else (tuple(pieces), 0)
    content = "".join(piece.text for piece in shown)
    described = replace(
        _file(file, assembly, folder, state),
        limit=limit,
        present=present - collapsed,
        cut=kept - present,
        frontmatter=skipped,
        trimmed=len(text) - skipped - kept + collapsed,
        tokens=tokens([characters(content)]),
        lines=line_runs(text, pieces, skipped),
        content=characters(content),
    )
    return _Cut(file, described, shown)


def _file(file: Wanted, assembly: Assembly, folder: str, state: FileState) -> ContextFile:
    named = f"{folder}/{file.path}" if assembly.by_path else file.path
    unseen = state in (FileState.WITHHELD, FileState.NO_ROOM)
    length = len(file.text or "")
    return ContextFile(
        path=file.path,
        heading=named,
        state=state,
        apart=assembly.apart and file.name == HEARTBEAT,
        extra=file.extra,
        characters=length,
        cut=length if unseen else 0,
        lines=line_runs(file.text or "", (), 0) if unseen else (),
    )


def frontmatter_length(text: str) -> int:
    """Return how long the frontmatter at the start of a text is, with the white space after it."""
    if not text.startswith("---"):
        return 0
    end = text.find("\n---", 3)
    if end < 0:
        return 0
    rest = text[end + 4 :]
    return len(text) - len(rest.lstrip(WHITE_SPACE))


def _present(pieces: Iterable[Piece]) -> int:
    """Return how many characters of the file stand in the pieces, each counted once."""
    reached = total = 0
    spans = sorted((piece.start, piece.end) for piece in pieces if piece.start is not None)
    for start, end in spans:
        total += max(0, end - max(start, reached))
        reached = max(reached, end)
    return total


def _collapsed(pieces: Sequence[Piece]) -> tuple[tuple[Piece, ...], int]:
    """Return the pieces without the blank lines beyond the first of a run, and how many characters of the file went."""
    text = "".join(piece.text for piece in pieces)
    gone = {place for run in _BLANK_LINES.finditer(text) for place in range(run.start() + 2, run.end())}
    if not gone:
        return tuple(pieces), 0
    result, position, taken = [], 0, 0
    for piece in pieces:
        first = 0
        for place in [
            *(place for place in range(len(piece.text)) if position + place in gone),
            len(piece.text),
        ]:
            start = None if piece.start is None else piece.start + first
            if place > first:
                result.append(structs.replace(piece, text=piece.text[first:place], start=start))
            taken += piece.start is not None and place < len(piece.text)
            first = place + 1
        position += len(piece.text)
    return tuple(result), taken


def _order(file: Wanted) -> tuple[int, str, str]:
    name = "MEMORY.md" if file.name.casefold() == "memory.md" else file.name
    path = "" if name == "USER.md" else file.path.casefold()
    return PRIORITY.get(name, 1000), name.casefold(), path


def _blocks(assembly: Assembly, steady: Sequence[_Cut], apart: Sequence[_Cut]) -> dict[str, list[PromptLine]]:
    blocks: dict[str, list[PromptLine]] = {}
    if steady:
        blocks[PROJECT_CONTEXT] = [
            PromptLine(""),
            PromptLine(PROJECT_CONTEXT),
            *_instructions(assembly, steady),
        ]
        blocks[PROJECT_CONTEXT] += _files(steady)
    if apart:
        blocks[APART] = [PromptLine(""), PromptLine(APART), *_files(apart)]
    return blocks


def _instructions(assembly: Assembly, cuts: Sequence[_Cut]) -> Iterator[PromptLine]:
    names = {cut.wanted.name for cut in cuts}
    early = assembly is DIALECT_ASSEMBLY or assembly.says == ("SOUL.md",)
    for name in assembly.says:
        if name in names and early:
            yield PromptLine(SOUL_INSTRUCTION)
        elif name in names:
            yield PromptLine(f"({name}: OpenClaw's own instruction to follow it, not shown)")


def _files(cuts: Iterable[_Cut]) -> Iterator[PromptLine]:
    for cut in cuts:
        yield PromptLine(f"## {cut.file.heading}")
        yield from prompt_lines(cut.wanted.path, cut.wanted.text or "", cut.pieces, cut.file.lines)


def _own_words(condition: str) -> str:
    return f"{OWN_WORDS[:-1]}; only where {condition})" if condition else OWN_WORDS


def _notes(assembly: Assembly, wanted: Sequence[Wanted]) -> tuple[str, ...]:
    notes = []
    marked = [file.path for file in wanted if file.text and file.text.startswith("---")]
    if (
        marked
        and not assembly.strips_frontmatter
        and any(frontmatter_length(file.text or "") for file in wanted)
    ):
        notes.append(f"This release keeps frontmatter in the prompt ({', '.join(marked)}).")
    if any(file.text and units("\ufffd") in file.text for file in wanted):
        notes.append("Bytes that are no UTF-8 stand as U+FFFD in the prompt, as OpenClaw reads them.")
    return tuple(notes)
