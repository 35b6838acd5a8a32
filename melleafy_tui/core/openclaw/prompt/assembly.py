"""Assembles the prompt of a session: loads the files, truncates them to their budgets, orders them, tracks each line.

The result depends on the snapshot, the release and the kind of session only, not on the host. OpenClaw's own sections
appear with their headings only.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import Final
from urllib.parse import unquote

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.dialects.openclaw.budgets import Budget, limit_for
from melleafy_tui.core.dialects.openclaw.reader import own_budget
from melleafy_tui.core.language.tokens import tokens
from melleafy_tui.core.models.context import (
    Context,
    ContextFile,
    FileState,
    NotLoaded,
    PromptLine,
    PromptMode,
    SessionKind,
)
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.openclaw.prompt.extra_files import BOOTSTRAP_NAMES, accepted, extra_paths
from melleafy_tui.core.openclaw.prompt.releases import (
    DIALECT_ASSEMBLY,
    HEARTBEAT,
    MEMORY,
    MEMORY_OTHER,
    PRIORITY,
    Assembly,
    MemoryName,
    assembly_of,
)
from melleafy_tui.core.openclaw.prompt.sections import (
    APART,
    INTRODUCTION,
    PROJECT_CONTEXT,
    SOUL_INSTRUCTION,
    sections_of,
)
from melleafy_tui.core.openclaw.prompt.truncation import (
    LEAST_ROOM,
    Excerpt,
    clamp,
    cut_to_limit,
    missing_marker,
    without_truncated_secrets,
)
from melleafy_tui.core.openclaw.prompt.utf16 import WHITE_SPACE, characters, decoded, units
from melleafy_tui.core.openclaw.prompt.visibility import line_runs, prompt_lines


class Wanted(Struct, frozen=True):
    """One file that the prompt asks for.

    `text` is its text in code units, or None if the file is missing. `withheld` is true if this kind of session doesn't
    get the file.
    """

    path: str
    text: str | None
    extra: bool = False
    withheld: bool = False

    @property
    def name(self) -> str:
        """Return the file's name without its folders."""
        return self.path.rpartition("/")[2]


def wanted_files(
    snapshot: Snapshot, assembly: Assembly, budget: Budget, session: SessionKind
) -> tuple[Wanted, ...]:
    """Return the files in loading order, including those withheld from the session."""
    given = session_files(assembly, budget, session)
    found: dict[str, Wanted] = {}
    for path in _paths(snapshot, assembly):
        text = _text(snapshot, assembly, path)
        if text is None and path in assembly.silent:
            continue
        found[path] = Wanted(path, text, withheld=given is not None and path not in given)
    if assembly.extra_files:
        for path in extra_paths(snapshot):
            text = _text(snapshot, assembly, path)
            if text is not None and accepted(assembly, path) and path not in found:
                name = path.rpartition("/")[2]
                found[path] = Wanted(path, text, extra=True, withheld=given is not None and name not in given)
    return tuple(found.values())


def session_files(assembly: Assembly, budget: Budget, session: SessionKind) -> tuple[str, ...] | None:
    """Return the names of the files that a session gets, or None if it gets all."""
    if session is SessionKind.SUBAGENT or (session is SessionKind.CRON and assembly.cron_like_subagent):
        return budget.subagent
    return assembly.cron if session is SessionKind.CRON else None


def _paths(snapshot: Snapshot, assembly: Assembly) -> Iterator[str]:
    for path in assembly.order:
        other = snapshot.file(MEMORY_OTHER) is not None
        if path != MEMORY or assembly.memory is MemoryName.CAPITALS or not other:
            yield path
        elif assembly.memory is MemoryName.BOTH:
            yield from (MEMORY, MEMORY_OTHER)
        else:
            yield MEMORY if snapshot.file(MEMORY) is not None else MEMORY_OTHER


def _text(snapshot: Snapshot, assembly: Assembly, path: str) -> str | None:
    file = snapshot.file(path)
    if file is None or (assembly.file_bytes is not None and len(file.data) > assembly.file_bytes):
        return None
    return decoded(file.data)


MOST_LISTED: Final = 200
"""How many files are named; the rest are counted."""

NESTED: Final = "It lies in a folder; OpenClaw loads none of these unless a hook asks for it."
RETIRED_NAME: Final = "This release no longer reads it."
OTHER_NAME: Final = "Its name is no bootstrap file's."
LINKED: Final = "A link is a hint to open it; OpenClaw does not put in what a link points to."
_LINK = re.compile(r"\]\(<?([^()<>\s]{1,300})>?(?:\s+\"[^\"]{0,200}\")?\)")
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//|#|/|~")


def not_loaded(snapshot: Snapshot, asked_for: Collection[str]) -> tuple[tuple[NotLoaded, ...], int]:
    """Return the Markdown files that are not in any prompt, linked ones first, and how many more there are.

    Args:
        snapshot: The workspace.
        asked_for: Paths that the prompt asks for.
    """
    linked: dict[str, NotLoaded] = {}
    for path, place in _links(snapshot):
        if path in asked_for or path in linked:
            continue
        linked[path] = NotLoaded(path, LINKED, place, snapshot.has(path) or snapshot.file(path) is not None)
    names = (name for name in snapshot.names if name.endswith(".md"))
    others = [
        NotLoaded(name, _reason(name)) for name in names if name not in asked_for and name not in linked
    ]
    every = [*linked.values(), *others]
    return tuple(every[:MOST_LISTED]), max(0, len(every) - MOST_LISTED)


def _reason(name: str) -> str:
    if "/" in name:
        return NESTED
    return RETIRED_NAME if name in BOOTSTRAP_NAMES else OTHER_NAME


def _links(snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    """Yield the target and place of each relative link in the bootstrap files of the root."""
    for file in snapshot.files:
        if file.path not in BOOTSTRAP_NAMES:
            continue
        for number, line in enumerate(file.lines, 1):
            if "](" not in line:
                continue
            for found in _LINK.finditer(line):
                target = unquote(found.group(1)).partition("#")[0]
                if not target or _SCHEME.match(target) or ".." in target.split("/"):
                    continue
                yield str(PurePosixPath(target)), f"{file.path}:{number}"


OWN_WORDS: Final = "(OpenClaw's own text, not shown)"
_BLANK_LINES = re.compile(r"\n{3,}")


class _Cut(Struct, frozen=True):
    """A wanted file with the excerpts left after truncation."""

    wanted: Wanted
    file: ContextFile
    excerpts: tuple[Excerpt, ...] = ()


def assemble(
    snapshot: Snapshot,
    *,
    release: str,
    session: SessionKind = SessionKind.MAIN,
    mode: PromptMode | None = None,
    agent: str = "",
    place: str = "",
) -> Context:
    """Return the prompt that OpenClaw assembles for a session in this workspace.

    Args:
        snapshot: The workspace.
        release: The release, or `dialect-1.0` for the documented behaviour.
        session: The kind of session.
        mode: The prompt mode; by default full for the main session and minimal for all others.
        agent: The agent whose limits in openclaw.json apply; by default the one that owns the workspace.
        place: The workspace folder on its host, as headings and markers name it; by default the actual folder.

    Raises:
        UsageError: The release or the agent is unknown.
    """
    assembly = assembly_of(release)
    budget = own_budget(snapshot, release, agent)
    chosen = mode or (PromptMode.FULL if session is SessionKind.MAIN else PromptMode.MINIMAL)
    folder = (place or snapshot.root).rstrip("/")
    wanted = wanted_files(snapshot, assembly, budget, session)
    cuts = _cut_all(wanted, assembly, budget, folder, chosen)
    shown = [cut for cut in cuts if cut.excerpts]
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
        left_out=tuple(cut.file for cut in cuts if not cut.excerpts),
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
            marker = [Excerpt(missing_marker(f"{folder}/{file.path}"), mark=True)]
            excerpts = clamp(marker, room) if room is not None else marker
            cuts.append(_cut(file, assembly, folder, FileState.MISSING, excerpts, room))
        elif room is not None and room < LEAST_ROOM:
            full = True
            cuts.append(_Cut(file, _file(file, assembly, folder, FileState.NO_ROOM)))
            continue
        else:
            cuts.append(_cut_file(file, assembly, budget, folder, room))
        if room is not None:
            room = max(0, room - sum(len(excerpt.text) for excerpt in cuts[-1].excerpts))
    return cuts


def _cut_file(file: Wanted, assembly: Assembly, budget: Budget, folder: str, room: int | None) -> _Cut:
    text = file.text or ""
    skipped = frontmatter_length(text) if assembly.strips_frontmatter else 0
    kept = text[skipped:].rstrip(WHITE_SPACE)
    limit = limit_for(budget, file.name)
    if room is not None:
        limit = max(1, min(room if limit is None else limit, room))
    excerpts = cut_to_limit(kept, file.name, limit, assembly)
    if room is not None:
        excerpts = clamp(excerpts, room)
    placed = [
        excerpt if excerpt.start is None else replace(excerpt, start=excerpt.start + skipped)
        for excerpt in excerpts
    ]
    moved = [
        replace(excerpt, source_lines=tuple(place + skipped for place in excerpt.source_lines))
        for excerpt in placed
    ]
    moved = without_truncated_secrets(text, moved)
    present = _present(moved)
    # With a limit below 5, 2026.1.30 returns the whole text after its marker and still reports it as cut.
    whole = present == len(kept) and not any(excerpt.mark for excerpt in moved)
    state = FileState.WHOLE if whole else FileState.CUT
    if not moved:
        state = FileState.EMPTY
    return _cut(file, assembly, folder, state, moved, limit, kept=len(kept), skipped=skipped)


def _cut(
    file: Wanted,
    assembly: Assembly,
    folder: str,
    state: FileState,
    excerpts: Sequence[Excerpt],
    limit: int | None,
    *,
    kept: int = 0,
    skipped: int = 0,
) -> _Cut:
    text = file.text or ""
    present = _present(excerpts)
    shown, collapsed = _collapsed(excerpts) if assembly.collapses else (tuple(excerpts), 0)
    content = "".join(excerpt.text for excerpt in shown)
    described = replace(
        _file(file, assembly, folder, state),
        limit=limit,
        present=present - collapsed,
        cut=kept - present,
        frontmatter=skipped,
        trimmed=len(text) - skipped - kept + collapsed,
        tokens=tokens([characters(content)]),
        lines=line_runs(text, excerpts, skipped),
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
    """Return the length of the frontmatter at the start of a text, including the white space after it."""
    if not text.startswith("---"):
        return 0
    end = text.find("\n---", 3)
    if end < 0:
        return 0
    rest = text[end + 4 :]
    return len(text) - len(rest.lstrip(WHITE_SPACE))


def _present(excerpts: Iterable[Excerpt]) -> int:
    """Return how many characters of the file are in the excerpts, each counted once."""
    reached = total = 0
    spans = sorted((excerpt.start, excerpt.end) for excerpt in excerpts if excerpt.start is not None)
    for start, end in spans:
        total += max(0, end - max(start, reached))
        reached = max(reached, end)
    return total


def _collapsed(excerpts: Sequence[Excerpt]) -> tuple[tuple[Excerpt, ...], int]:
    """Return the excerpts with runs of blank lines reduced to one, and how many characters that removed."""
    text = "".join(excerpt.text for excerpt in excerpts)
    gone = {place for run in _BLANK_LINES.finditer(text) for place in range(run.start() + 2, run.end())}
    if not gone:
        return tuple(excerpts), 0
    result, position, taken = [], 0, 0
    for excerpt in excerpts:
        first = 0
        for place in [
            *(place for place in range(len(excerpt.text)) if position + place in gone),
            len(excerpt.text),
        ]:
            start = None if excerpt.start is None else excerpt.start + first
            if place > first:
                result.append(replace(excerpt, text=excerpt.text[first:place], start=start))
            taken += excerpt.start is not None and place < len(excerpt.text)
            first = place + 1
        position += len(excerpt.text)
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
        yield from prompt_lines(cut.wanted.path, cut.wanted.text or "", cut.excerpts, cut.file.lines)


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
        notes.append("Bytes that are not UTF-8 appear as U+FFFD in the prompt, as OpenClaw reads them.")
    return tuple(notes)
