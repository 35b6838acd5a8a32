"""Reads AGENTS.md and scoped AGENTS.md: one element a rule, with lead-in and polarity (spec/conversion.md 3.1, 3.2)."""

from collections.abc import Sequence
from dataclasses import replace

from melleafy_tui.core.dialects.drafting import draft
from melleafy_tui.core.dialects.openclaw.runtime_only import runtime_only
from melleafy_tui.core.dialects.openclaw.tag_rules import AGENTS_RULES, acts, list_role
from melleafy_tui.core.dialects.openclaw.tag_words import OUTPUT_LIMIT
from melleafy_tui.core.dialects.openclaw.task import Task
from melleafy_tui.core.dialects.openclaw.templates import is_template_text
from melleafy_tui.core.dialects.openclaw.tools import TOOLS_HEADING, tool_element
from melleafy_tui.core.dialects.tagging import TagRule, Wording, first_match
from melleafy_tui.core.directives import is_imperative, lead_in_row, polarity_of, read_with_lead_in
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Category, Polarity, Tag
from melleafy_tui.core.wording import plain_text, summarise
from melleafy_tui.core.workspace.pieces import Piece, cut_pieces, lists_of


def read_rules(task: Task) -> list[Element]:
    """Return the elements of an AGENTS.md."""
    pieces = cut_pieces(task.file)
    lists = lists_of(pieces)
    lengths = {number: len(items) for number, items in lists.items()}
    ordering = frozenset(number for number, items in lists.items() if _orders(items))
    return [_element(task, piece, lengths, ordering) for piece in pieces]


def _orders(items: Sequence[Piece]) -> bool:
    """Return whether a numbered list is a row of steps: most items order, none forbids, few are about the answer."""
    words = [item.words for item in items]
    if not items[0].ordered or any(polarity_of(text) is Polarity.FORBIDS for text in words):
        return False
    ordering = sum(is_imperative(text) for text in words)
    about_answers = sum(bool(OUTPUT_LIMIT.search(text)) for text in words)
    return 2 * ordering >= len(words) and 2 * about_answers < len(words)


def _element(task: Task, piece: Piece, lengths: dict[int, int], ordering: frozenset[int]) -> Element:
    if piece.kind != "heading" and any(TOOLS_HEADING.match(heading) for heading in piece.section):
        return tool_element(task, piece)
    wording = wording_of(piece)
    if piece.kind == "item" and piece.ordered and wording.list_role == "" and piece.list_number in ordering:
        wording = replace(wording, list_role="orders")
    if wording.list_role in ("orders", "procedure") and wording.polarity is Polarity.DESCRIBES:
        wording = replace(wording, polarity=Polarity.OBLIGES)
    return rule_element(task, piece, wording, AGENTS_RULES, lengths)


def rule_element(
    task: Task, piece: Piece, wording: Wording, rules: tuple[TagRule, ...], lengths: dict[int, int]
) -> Element:
    """Return a rule's element: tag, statement with lead-in, chain of steps."""
    tagged = first_match(rules, wording)
    decomposed = tagged.tag is not Tag.NO_DECOMPOSE and piece.kind != "lead_in"
    scope = task.file.path.rpartition("/")[0]
    full = task.file.cut(piece.first, piece.last)
    row = ("agents.scoped" if scope else "agents.rule") if decomposed else ""
    return draft(
        task.file,
        piece.first,
        piece.last,
        kind=piece.kind,
        tag=tagged.tag,
        category=Category.C2 if decomposed else Category.NONE,
        statement=wording.statement,
        summary=summarise(wording.text, prefix="Rule: " if decomposed else "")
        if piece.kind == "fence"
        else "",
        prefix="Rule: " if decomposed else "",
        rule_id=task.rule_id,
        rationale=tagged.rationale,
        confidence=tagged.confidence,
        mapping_row=row,
        section=piece.section,
        context=piece.context,
        polarity=wording.polarity if decomposed else Polarity.DESCRIBES,
        scope=scope,
        template=is_template_text(full),
        runtime_only=runtime_only(full) if decomposed else "",
        notes=() if piece.kind != "lead_in" else ("The items under it carry its words.",),
        aggregation_hint=_chain(piece, tagged.tag, lengths) if decomposed else "",
    )


def wording_of(piece: Piece) -> Wording:
    """Return what the tag rules look at: own words, statement and polarity with everything above."""
    text = own_words(piece)
    heading = piece.section[-1] if piece.section else ""
    own = polarity_of(text)
    if piece.kind == "lead_in":
        row = lead_in_row(text)
        return Wording(
            piece,
            text,
            text,
            Polarity.DESCRIBES,
            own,
            (row.name, *(("trigger",) if row.trigger else ())),
            heading,
        )
    if piece.kind in ("heading", "comment", "rule", "other", "frontmatter", "table_header"):
        return Wording(piece, text, text, Polarity.DESCRIBES, Polarity.DESCRIBES, (), heading)
    if piece.kind == "fence":
        lead = piece.lead_in
        own = polarity_of(lead) if lead else Polarity.DESCRIBES
        if lead and own is Polarity.DESCRIBES and lead_in_row(lead).trigger:
            own = Polarity.OBLIGES
        body = "\n".join(piece.lines)
        return Wording(piece, lead or body, f"{lead}\n{body}" if lead else body, own, own, (), heading)
    reading = read_with_lead_in(text, piece.context, heading)
    if piece.kind == "table_row" and reading.polarity is Polarity.DESCRIBES and acts(piece.header):
        own = row_polarity(piece)
        reading = replace(reading, polarity=own)
    role = list_role(piece.lead_in, piece.above, heading) if piece.ordered else ""
    statement = reading.statement
    if role == "choice" and not reading.lead_ins:
        # A rank says nothing without the name of the list and its place in it.
        name = (piece.lead_in or heading).rstrip(":： ")
        statement = f"{name} ({piece.number}): {text}" if name else text
    return Wording(piece, text, statement, reading.polarity, own, reading.lead_ins, heading, role)


def row_polarity(piece: Piece) -> Polarity:
    """Return what a table row does to the agent: the strongest that one of its cells says."""
    said = {polarity_of(plain_text(cell)) for cell in piece.cells[1:]}
    order = (Polarity.FORBIDS, Polarity.OBLIGES, Polarity.PERMITS)
    return next((polarity for polarity in order if polarity in said), Polarity.DESCRIBES)


def own_words(piece: Piece) -> str:
    """Return a piece's own words without markers; a table row carries its header's names."""
    if piece.kind == "table_row":
        pairs = []
        for index, cell in enumerate(piece.cells):
            name = plain_text(piece.header[index]) if index < len(piece.header) else ""
            shown = plain_text(cell, keep_code_marks=True)
            if shown:
                pairs.append(f"{name}: {shown}" if name else shown)
        return "; ".join(pairs)
    return piece.words


def _chain(piece: Piece, tag: Tag, lengths: dict[int, int]) -> str:
    length = lengths.get(piece.list_number, 0)
    if tag is not Tag.ORCHESTRATE or not piece.ordered or length < 2:
        return ""
    name = piece.lead_in or piece.above or (piece.section[-1] if piece.section else "")
    under = f" under “{name.rstrip(':：')}”" if name else ""
    return f"chain: step {piece.number} of {length}{under}"
