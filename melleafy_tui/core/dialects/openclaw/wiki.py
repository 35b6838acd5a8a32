"""Reads memory-wiki files and daily notes: one element per wiki page; notes are listed but never read."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from pathlib import PurePosixPath
from sys import intern
from typing import Final

from melleafy_tui.core.dialects.base import ReadingContext
from melleafy_tui.core.dialects.element_factory import Home, SourceSpan
from melleafy_tui.core.dialects.openclaw.reader_task import Task
from melleafy_tui.core.language.wording import first_of, first_sentence, plain_text, shorten
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.facts import DetailsFact, Facts, MemoryPageFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import Category, Tag
from melleafy_tui.core.source.frontmatter import frontmatter_of
from melleafy_tui.core.source.markdown import is_blank
from melleafy_tui.core.source.segments import opening_of

WIKILINK: Final = LazyRegex(
    r"\[\[(?<!!\[\[)(?P<target>[^\[\]|#\n]{1,200})(?:#[^\[\]|\n]{0,200})?(?:\|[^\[\]\n]{0,200})?\]\]"
)
"""The lookbehind follows the brackets, so that a search looks for the literal brackets first."""

REPLY_TAG: Final = LazyRegex(r"^\s*(?:reply_to|audio_as_voice|media)", re.IGNORECASE)
"""`[[reply_to_current]]` is a tag for OpenClaw's channels, not a link."""

_DATED: Final = LazyRegex(r"(?:^|/)\d{4}-\d\d-\d\d[^/]*$|/\.")
"""Daily notes and logs of sessions, which a search in memory leaves out, and what is hidden."""
DAILY_NOTE: Final = LazyRegex(r"^memory/(\d{4}-\d\d-\d\d)\.md$")
_PLAIN_HEADING: Final = LazyRegex(r"#{1,6} +(?P<text>[^#\s](?:[^#]*[^#\s])?)")
_PLAIN_LINE: Final = LazyRegex(r"(?!\d+[.)])[^\W_][^|]*$")
"""A line that is a paragraph when surrounded by blank lines: without a list, table or quote marker."""


def wikilinks(text: str) -> Iterator[str]:
    """Yield the targets of wikilinks without path suffix and alias; reply tags are skipped."""
    if "[[" not in text:
        return
    for found in WIKILINK.findall(text):
        target = found.strip()
        if not REPLY_TAG.match(target):
            yield intern(target)  # pages link to each other, so names repeat


def read_wiki_file(task: Task) -> list[Element]:
    """Return the single element of a wiki page; its claims are kept as opaque metadata."""
    count = len(task.file.lines)
    text = task.file.text or ""
    if is_blank(text):
        return []
    head = frontmatter_of(task.file)
    notes = []
    data = head.data or {}
    title = data.get("title") or data.get("name")
    listed = data.get("claims")
    claims = len(listed) if isinstance(listed, list) else int(bool(listed))
    if claims:
        notes.append(
            "Known issue: `claims:` is kept as opaque metadata; parsing it is not part of this version."
        )
    links = tuple(dict.fromkeys(wikilinks(text)))
    if links:
        notes.append("Holds wikilinks; rewriting them is deferred.")
    if head.problem and head.simple_fields:
        notes.append(f"The leading block is not frontmatter: {head.problem}.")
    return [
        task.factory.make(
            SourceSpan(1, count, "file"),
            text,
            Home(Tag.QUERY, Category.C5, "wiki.page", "wiki.file"),
            Facts(
                MemoryPageFact(
                    folder=intern(task.file.path.split("/")[1]),
                    claims=claims,
                    wikilinks=links,
                    frontmatter_keys=tuple(sorted(intern(str(key)) for key in data)),
                )
            ),
            summary=_page_summary(task, str(title) if isinstance(title, str) else "", head.last_line),
            notes=notes,
        )
    ]


def _page_summary(task: Task, title: str, last_of_head: int) -> str:
    heading, words = _plain_opening(task, last_of_head) or opening_of(task.file)
    name = title or heading or task.file.path.rpartition("/")[2].removesuffix(".md")
    opening = first_sentence(words).rstrip(".") if words else ""
    return shorten(f"{name}: {opening}" if opening else name)


def _plain_opening(task: Task, last_of_head: int) -> tuple[str, str] | None:
    """Return the heading and first paragraph of a page that starts plainly, without a parser: wikis have thousands."""
    lines = iter(task.file.lines[last_of_head:])
    first = next((line for line in lines if line.strip()), "")
    heading = _PLAIN_HEADING.fullmatch(first)
    if heading:
        first = next((line for line in lines if line.strip()), "")
    if not _PLAIN_LINE.match(first):
        return None
    following = next(lines, "")
    if following.strip():
        return None
    return (plain_text(heading["text"]) if heading else ""), plain_text(first)


def daily_notes(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the paths of all daily notes, oldest first."""
    return tuple(name for name in snapshot.below("memory/") if DAILY_NOTE.match(name))


def daily_elements(snapshot: Snapshot, context: ReadingContext) -> list[Element]:
    """Return the elements of today's and yesterday's notes, else one for the folder; contents are never read."""
    notes = daily_notes(snapshot)
    recent = {_note(context.as_of), _note(context.as_of - timedelta(days=1))}
    current = [path for path in notes if path in recent]
    others = len(notes) - len(current)
    if current:
        were = "note in memory/ was" if others == 1 else "notes in memory/ were"
        counted = (f"{others} other daily {were} counted and not read.",) if others else ()
        return [_daily(path, f"Daily note {PurePosixPath(path).stem}", counted) for path in current]
    if notes:
        total = f"{counted_notes(notes)}, newest {PurePosixPath(notes[-1]).stem}"
        return [_daily(notes[-1], total, ("None of them is of today or yesterday; none was read.",))]
    return []


def counted_notes(notes: Sequence[str]) -> str:
    """Return how many daily notes there are, in words."""
    return f"{len(notes)} daily {'note' if len(notes) == 1 else 'notes'}"


def _note(day: date) -> str:
    return f"memory/{day.isoformat()}.md"


def searched_notes(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the paths of the notes below memory/ that OpenClaw's memory search finds beside MEMORY.md."""
    return tuple(
        name for name in snapshot.below("memory/") if name.endswith(".md") and not _DATED.search(name)
    )


def notes_elements(snapshot: Snapshot) -> list[Element]:
    """Return one element for the notes of the memory; contents are never read."""
    notes = searched_notes(snapshot)
    if not notes:
        return []
    names = [path.removeprefix("memory/").removesuffix(".md") for path in notes]
    return [
        _existence(notes[0], f"Notes of the memory: {first_of(names, 3)}", (), Category.C5, "memory.notes")
    ]


def _daily(path: str, summary: str, notes: tuple[str, ...]) -> Element:
    return _existence(path, summary, notes, Category.C4, "memory.daily")


def _existence(path: str, summary: str, notes: tuple[str, ...], category: Category, row: str) -> Element:
    return Element(
        element_id="",
        source_file=path,
        source_lines="1",
        kind="file",
        tag=Tag.QUERY,
        category=category,
        content_summary=summary,
        content_full="",
        statement=summary,
        dialect_rule_id=f"openclaw.{row}",
        mapping_row=row,
        rationale="memory.daily_note" if row == "memory.daily" else row,
        notes=notes,
        facts=Facts(DetailsFact({"contents_read": False})),
    )
