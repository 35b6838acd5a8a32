"""Assembles the prompt of a session: loads the files, truncates them to their budgets, orders them, tracks each line.

The result depends on the snapshot, the release and the kind of session only, not on the host. OpenClaw's own sections
appear with their headings only.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import PurePosixPath
from typing import Final
from urllib.parse import unquote

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.dialects.openclaw.budgets import Budget, limit_for
from melleafy_tui.core.dialects.openclaw.extra_bootstrap import extra_paths
from melleafy_tui.core.dialects.openclaw.file_rules import BOOTSTRAP_NAMES
from melleafy_tui.core.dialects.openclaw.reader import own_budget
from melleafy_tui.core.dialects.openclaw.wiki import DAILY_NOTE
from melleafy_tui.core.language.text_measures import tokens
from melleafy_tui.core.models.context import (
    Context,
    ContextFile,
    FileState,
    NotLoaded,
    PromptLine,
    PromptMode,
    PromptSection,
    SessionKind,
)
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.openclaw.prompt.extra_files import accepted
from melleafy_tui.core.openclaw.prompt.releases import (
    APART,
    DIALECT_ASSEMBLY,
    HEARTBEAT,
    INTRODUCTION,
    MEMORY,
    MEMORY_OTHER,
    MOST_BYTES,
    PRIORITY,
    PROJECT_CONTEXT,
    SOUL_INSTRUCTION,
    Assembly,
    MemoryName,
    assembly_of,
    sections_of,
)
from melleafy_tui.core.openclaw.prompt.truncation import (
    LEAST_ROOM,
    Excerpt,
    clamp,
    cut_to_limit,
    missing_marker,
)
from melleafy_tui.core.openclaw.prompt.utf16 import WHITE_SPACE, characters, decoded, units
from melleafy_tui.core.openclaw.prompt.visibility import line_runs, prompt_lines


class _Wanted(Struct, frozen=True):
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


def _wanted_files(
    snapshot: Snapshot, assembly: Assembly, budget: Budget, session: SessionKind
) -> tuple[_Wanted, ...]:
    """Return the files in loading order, including those withheld from the session."""
    asked = (*_paths(snapshot, assembly), *filter(partial(accepted, assembly), extra_paths(snapshot)))
    files = {path: _Wanted(path, _text(snapshot, path)) for path in asked}
    given = session_files(assembly, budget, session)
    regular = set(_paths(snapshot, assembly))
    return tuple(
        replace(file, extra=file.path not in regular, withheld=given is not None and file.name not in given)
        for file in files.values()
        if file.text is not None or (file.path in regular and file.path not in assembly.silent)
    )


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


def _text(snapshot: Snapshot, path: str) -> str | None:
    file = snapshot.file(path)
    if file is None or len(file.data) > MOST_BYTES:
        return None
    return decoded(file.data)


MOST_LISTED: Final = 200
"""How many files are named; the rest are counted."""

NESTED: Final = "It is in a subfolder; OpenClaw only loads such files if a hook asks for them."
DAILY: Final = "A daily note: the agent itself reads those of today and yesterday when a session starts."
RETIRED_NAME: Final = "This release no longer reads it."
OTHER_NAME: Final = "Its name is not that of a bootstrap file."
LINKED: Final = "It is only linked to; OpenClaw does not include the target of a link."
_LINK = re.compile(r"\]\(<?([^()<>\s]{1,300})>?(?:\s+\"[^\"]{0,200}\")?\)")
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//|#|/|~")


def _not_loaded(snapshot: Snapshot, asked_for: Collection[str]) -> tuple[tuple[NotLoaded, ...], int]:
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
    if DAILY_NOTE.match(name):
        return DAILY
    if "/" in name:
        return NESTED
    return RETIRED_NAME if name in BOOTSTRAP_NAMES else OTHER_NAME


def _links(snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    """Yield the target and place of each relative link in the bootstrap files of the root."""
    for file in (each for each in snapshot.files if each.path in BOOTSTRAP_NAMES):
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

    wanted: _Wanted
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
    wanted = _wanted_files(snapshot, assembly, budget, session)
    cuts = _Cutter(assembly, budget, folder, chosen).cut_all(wanted)
    steady, apart = _in_order(cuts, assembly)
    sections = sections_of(release, chosen)
    blocks = {} if chosen is PromptMode.NONE else _blocks(assembly, steady, apart)
    printed = _printed(sections, blocks)
    listed, more = _not_loaded(snapshot, {cut.file.path for cut in cuts})
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
        lines=printed,
        notes=_notes(assembly, wanted),
    )


def _in_order(cuts: Iterable[_Cut], assembly: Assembly) -> tuple[list[_Cut], list[_Cut]]:
    """Return what is in the prompt in its order: the files of the project's section, and those apart from them."""
    shown = [cut for cut in cuts if cut.excerpts]
    if assembly.priority:
        shown.sort(key=lambda cut: _order(cut.wanted))
    return [cut for cut in shown if not cut.file.apart], [cut for cut in shown if cut.file.apart]


def _printed(
    sections: Iterable[PromptSection], blocks: Mapping[str, Sequence[PromptLine]]
) -> tuple[PromptLine, ...]:
    """Return the prompt's lines: the workspace's blocks, and the headings of what OpenClaw adds itself."""
    printed = [PromptLine(INTRODUCTION)]
    for section in sections:
        if section.heading in (PROJECT_CONTEXT, APART):
            printed += blocks.get(section.heading, ())
        else:
            own = f"{OWN_WORDS[:-1]}; only where {section.condition})" if section.condition else OWN_WORDS
            words = (section.heading, own)
            printed += [PromptLine(""), *map(PromptLine, words)]
    return tuple(printed)


class _Cutter(Struct, frozen=True):
    """Cuts the files of one prompt to their limits."""

    assembly: Assembly
    budget: Budget
    folder: str
    mode: PromptMode

    def cut_all(self, wanted: Sequence[_Wanted]) -> list[_Cut]:
        room = self.budget.total
        cuts = []
        for file in wanted:
            if self.mode is PromptMode.NONE or file.withheld:
                cut = _Cut(file, self._described(file, FileState.WITHHELD))
            elif room is not None and room < (LEAST_ROOM if file.text is not None else 1):
                cut = _Cut(file, self._described(file, FileState.NO_ROOM))
                room = 0  # nothing after it gets in, however short
            elif file.text is None:
                marker = [Excerpt(missing_marker(f"{self.folder}/{file.path}"), mark=True)]
                excerpts = clamp(marker, room) if room is not None else marker
                cut = self._cut(file, FileState.MISSING, excerpts, room)
            else:
                cut = self._cut_file(file, file.text, room)
            cuts.append(cut)
            if room is not None:
                room = max(0, room - sum(len(excerpt.text) for excerpt in cut.excerpts))
        return cuts

    def _cut_file(self, file: _Wanted, text: str, room: int | None) -> _Cut:
        skipped = _frontmatter_length(text) if self.assembly.strips_frontmatter else 0
        kept = text[skipped:].rstrip(WHITE_SPACE)
        limit = limit_for(self.budget, file.name)
        if room is not None:
            limit = max(1, min(room if limit is None else limit, room))
        excerpts = cut_to_limit(kept, file.name, limit, self.assembly)
        if room is not None:
            excerpts = clamp(excerpts, room)
        moved = [excerpt.moved(skipped) for excerpt in excerpts]
        # With a limit below 5, 2026.2.17 returns the whole text after its marker and still reports it as cut.
        whole = _present(moved) == len(kept) and not any(excerpt.mark for excerpt in moved)
        state = FileState.WHOLE if whole else FileState.CUT
        return self._cut(file, state if moved else FileState.EMPTY, moved, limit, len(kept), skipped)

    def _cut(
        self,
        file: _Wanted,
        state: FileState,
        excerpts: Sequence[Excerpt],
        limit: int | None,
        kept: int = 0,
        skipped: int = 0,
    ) -> _Cut:
        text, present = file.text or "", _present(excerpts)
        shown, collapsed = _collapsed(excerpts) if self.assembly.collapses else (tuple(excerpts), 0)
        content = characters("".join(excerpt.text for excerpt in shown))
        described = replace(
            self._described(file, state),
            limit=limit,
            present=present - collapsed,
            cut=kept - present,
            frontmatter=skipped,
            trimmed=len(text) - skipped - kept + collapsed,
            tokens=tokens([content]),
            lines=line_runs(text, excerpts, skipped),
            content=content,
        )
        return _Cut(file, described, shown)

    def _described(self, file: _Wanted, state: FileState) -> ContextFile:
        unseen = state in (FileState.WITHHELD, FileState.NO_ROOM)
        length = len(file.text or "")
        return ContextFile(
            path=file.path,
            heading=f"{self.folder}/{file.path}" if self.assembly.by_path else file.path,
            state=state,
            apart=self.assembly.apart and file.name == HEARTBEAT,
            extra=file.extra,
            characters=length,
            cut=length if unseen else 0,
            lines=line_runs(file.text or "", (), 0) if unseen else (),
        )


def _frontmatter_length(text: str) -> int:
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
    runs = _BLANK_LINES.finditer(text)
    gone = {place for run in runs for place in range(run.start() + 2, run.end())}  # ends of blank lines
    if not gone:
        return tuple(excerpts), 0
    result: list[Excerpt] = []
    position = taken = 0
    for excerpt in excerpts:
        length = len(excerpt.text)
        blank = [place for place in range(length) if position + place in gone]
        starts, ends = [0, *(place + 1 for place in blank)], [*blank, length]
        result += [excerpt.part(first, end) for first, end in zip(starts, ends, strict=True) if end > first]
        taken += 0 if excerpt.start is None else len(blank)
        position += length
    return tuple(result), taken


def _order(file: _Wanted) -> tuple[int, str, str]:
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


def _notes(assembly: Assembly, wanted: Sequence[_Wanted]) -> tuple[str, ...]:
    notes = []
    texts = {file.path: file.text for file in wanted if file.text}
    marked = [path for path, text in texts.items() if text.startswith("---")]
    if not assembly.strips_frontmatter and any(map(_frontmatter_length, texts.values())):
        notes.append(f"This release keeps frontmatter in the prompt ({', '.join(marked)}).")
    if any(units("\ufffd") in text for text in texts.values()):
        notes.append("Bytes that are not UTF-8 appear as U+FFFD in the prompt, as OpenClaw reads them.")
    return tuple(notes)
