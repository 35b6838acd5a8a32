"""Splits the body of a spec into elements: steps, rules, fields of the result, commands."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.dialects.agent_skills.homes import BODY
from melleafy_tui.core.dialects.agent_skills.result_fields import FIELD_ITEM, fields_of_piece
from melleafy_tui.core.dialects.element_factory import (
    ElementFactory,
    Home,
    SourceSpan,
    own_words,
    standing_alone,
)
from melleafy_tui.core.dialects.rules_document import carrier_name, form_of
from melleafy_tui.core.dialects.shell_requests import COMMAND_FENCES, split_requests
from melleafy_tui.core.dialects.tool_facts import tool_fact
from melleafy_tui.core.language.wording import plain_text, summarise
from melleafy_tui.core.language.words import topic_pattern
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.facts import Facts, SchemaFact, ToolFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.vocabulary import Category, Tag
from melleafy_tui.core.source.segments import Segment, block_text, cut_sections, cut_segments

WORDS: Final = Path(__file__).with_name("body_words.toml")
_CODE: Final = frozenset(
    """
    python py javascript js typescript ts ruby go rust java sql http graphql r
    """.split()  # noqa: SIM905 - a word list is easier to read in one piece
)
_DATA: Final = frozenset(
    {"json", "json5", "jsonc", "yaml", "yml", "toml", "xml", "markdown", "md", "text", ""}
)
_REQUEST: Final = LazyRegex(
    r"\b(?:GET|POST|PUT|PATCH|DELETE|HEAD)\s+`?https?://|\bcurl\s[^\n]{0,200}https?://"
)


class _Body(Struct, frozen=True):
    """What applies to every element of a body."""

    file: SourceFile
    factory: ElementFactory
    snapshot: Snapshot
    homes: Mapping[str, Home]
    scope: str


def read_body(
    file: SourceFile,
    rule_id: str,
    snapshot: Snapshot,
    after: int,
    homes: Mapping[str, Home] = BODY,
    scope: str = "",
) -> Iterator[Element]:
    """Yield the elements of the body of a spec or an instruction file.

    Args:
        file: The spec.
        rule_id: The id of the file rule that matches the spec.
        snapshot: The workspace, used to find the scripts that the body names.
        after: The last line of the frontmatter, 0 if there is none.
        homes: Where its lines belong, by form.
        scope: What its rules apply to, `""` for all.
    """
    cut = split_requests(cut_segments(file), file)
    segments = tuple(segment for segment in cut if segment.first > after)
    body = _Body(file, ElementFactory(file, rule_id), snapshot, homes, scope)
    in_step = False
    for segment in segments:
        form = body_form(segment)
        if segment.kind == "item":
            nested = segment.depth > 1 and in_step and form == "rule"
            form = "step" if nested else form
            in_step = form == "step" if segment.depth == 1 else in_step
        yield _element(body, segment, form)


def body_form(segment: Segment) -> str:
    """Return what a segment of a spec's body is: a key of `BODY`.

    Args:
        segment: The segment.
    """
    form = form_of(segment)
    if form == "carrier":
        return form
    if _is_field(segment):
        return "schema"
    if segment.kind == "fence" and _is_command(segment):
        return "command"
    return form


def _element(body: _Body, segment: Segment, form: str) -> Element:
    if form == "carrier":
        return body.factory.unconverted(segment, carrier_name(segment))
    full = body.file.cut(segment.first, segment.last)
    facts = Facts()
    if form == "schema" and form in body.homes:
        facts = fields_of_piece(segment)
        if SchemaFact not in facts:  # a form that no schema holds whole is text of the prompt
            form = "rule"
    elif form == "command" or _REQUEST.search(full):
        found = tool_fact(segment, own_words(segment), full, body.snapshot)
        is_call = bool(found.url) and not is_aside(segment.section[1:])
        is_run = found.program and not is_aside(segment.section) and not is_maintenance(segment.section)
        if is_call:
            form, facts = "endpoint", Facts(replace(found, name="", script=""))
        elif is_run and "program" in body.homes:
            form, facts = "program", Facts(found)
        elif form == "command":
            facts = Facts(ToolFact(urls=found.urls, subtype="narrative"))
    home = body.homes.get(form, body.homes["rule"])
    words = segment.lead_in or own_words(segment) if segment.kind == "fence" else own_words(segment)
    return body.factory.make(
        segment,
        standing_alone(segment),
        home,
        facts,
        summary=summarise(words, prefix="Rule: " if home.tag is Tag.DECIDE else ""),
        scope=body.scope if home.category is Category.C2 else "",
    )


def is_maintenance(headings: Sequence[str]) -> bool:
    """Return whether a heading is over what the skill's own developers run."""
    return any(topic_pattern(WORDS, "maintenance").fullmatch(heading.strip(" #*_:")) for heading in headings)


def is_aside(headings: Sequence[str]) -> bool:
    """Return whether a heading is about setting up, or about examples."""
    return any(topic_pattern(WORDS, "aside").search(heading) for heading in headings)


def _is_command(segment: Segment) -> bool:
    info = segment.info.casefold()
    return info in COMMAND_FENCES or info in _CODE or bool(_REQUEST.search("\n".join(segment.lines)))


def read_agent_body(file: SourceFile, rule_id: str, after: int) -> Iterator[Element]:
    """Yield the elements of the body of an agent's file: one a heading section, all of them its persona."""
    factory = ElementFactory(file, rule_id)
    for section in cut_sections(file):
        if section.first <= after:
            continue
        words = [text for block in section.body if plain_text(text := block_text(block))]
        yield factory.make(
            SourceSpan(section.first, section.last, "section", section=section.path),
            file.cut(section.first, section.last),
            BODY["persona"],
            summary=summarise(words[0] if words else section.heading),
        )


# --- fields of the result --------------------------------------------------------------------------


def _is_field(segment: Segment) -> bool:
    if segment.kind == "table_row":
        return _is_field_row(segment)
    if segment.kind == "item":
        return _is_under_form(segment) and bool(FIELD_ITEM.match(segment.text))
    return segment.kind == "fence" and segment.info.casefold() in _DATA and _is_under_form(segment)


def _is_field_row(segment: Segment) -> bool:
    if len(segment.header) < 2 or not topic_pattern(WORDS, "field_column").search(segment.header[0]):
        return False
    described = any(topic_pattern(WORDS, "value_column").search(cell) for cell in segment.header[1:])
    typed = any("type" in cell.casefold() or "类型" in cell for cell in segment.header[1:])
    return described and (_is_under_form(segment) or typed)


def _is_under_form(segment: Segment) -> bool:
    """Return whether the lead-in of a segment, else its heading, is about the form of the result."""
    above = segment.lead_in or "".join(segment.section[-1:])
    if is_aside(segment.section[-1:]):
        return False
    bare = above.strip().rstrip(":：")
    if topic_pattern(WORDS, "title").fullmatch(bare):
        return True
    return all(topic_pattern(WORDS, topic).search(bare) for topic in ("result", "form"))
