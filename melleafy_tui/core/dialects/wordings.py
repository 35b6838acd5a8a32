"""What tag rules are given: a piece's words, statement and polarity with everything above, and the part its list plays.

Every dialect that cuts prose into items reads it so (spec/conversion.md 3.2).
"""

from collections.abc import Sequence

from msgspec.structs import replace

from melleafy_tui.core.dialects.tag_words import ACTION_HEADER, CHOICE, OUTPUT_LIMIT, PROCEDURE, RULE_LIST
from melleafy_tui.core.dialects.tagging import Wording
from melleafy_tui.core.directives import is_imperative, polarity_of
from melleafy_tui.core.lead_ins import lead_in_row, read_with_lead_in
from melleafy_tui.core.models.vocabulary import Polarity, Tag
from melleafy_tui.core.wording import plain_text
from melleafy_tui.core.workspace.pieces import Piece


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
    orders_itself = piece.kind == "table_row" and acts(piece.header)  # whatever its section forbids
    reading = read_with_lead_in(text, piece.context, "" if orders_itself else heading)
    if orders_itself and reading.polarity is Polarity.DESCRIBES:
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


def acts(header: tuple[str, ...]) -> bool:
    """Return whether a table's header speaks of acting."""
    return bool(ACTION_HEADER.search(" ".join(header)))


def list_role(lead_in: str, above: str, heading: str) -> str:
    """Return what a numbered list is by the line above it: `procedure`, `choice`, `rules` or `""`.

    A numbered procedure and a numbered rule list look alike; only the line above tells (field-notes.md).
    """
    for line in (lead_in,) if lead_in else (above, heading):
        for role, pattern in (("choice", CHOICE), ("rules", RULE_LIST), ("procedure", PROCEDURE)):
            if line and pattern.search(line):
                return role
    return ""


def orders(items: Sequence[Piece]) -> bool:
    """Return whether a numbered list is a row of steps: most items order, none forbids, few are about the answer."""
    words = [item.words for item in items]
    if not items[0].ordered or any(polarity_of(text) is Polarity.FORBIDS for text in words):
        return False
    ordering = sum(is_imperative(text) for text in words)
    about_answers = sum(bool(OUTPUT_LIMIT.search(text)) for text in words)
    return 2 * ordering >= len(words) and 2 * about_answers < len(words)


def chain(piece: Piece, tag: Tag, lengths: dict[int, int]) -> str:
    """Return where a step stands in its numbered list, for `aggregation_hint`, or `""`."""
    length = lengths.get(piece.list_number, 0)
    if tag is not Tag.ORCHESTRATE or not piece.ordered or length < 2:
        return ""
    name = piece.lead_in or piece.above or (piece.section[-1] if piece.section else "")
    under = f" under “{name.rstrip(':：')}”" if name else ""
    return f"chain: step {piece.number} of {length}{under}"
