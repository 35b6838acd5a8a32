"""Reads AGENTS.md and scoped AGENTS.md: one element a rule, with lead-in and polarity (spec/conversion.md 3.1, 3.2)."""

from msgspec.structs import replace

from melleafy_tui.core.dialects.element_factory import ElementText, Remarks, SourceSpan, TagDecision
from melleafy_tui.core.dialects.openclaw.runtime_only import runtime_only
from melleafy_tui.core.dialects.openclaw.tag_rules import AGENTS_RULES
from melleafy_tui.core.dialects.openclaw.task import Task
from melleafy_tui.core.dialects.openclaw.templates import is_template_text
from melleafy_tui.core.dialects.openclaw.tools import tool_element
from melleafy_tui.core.dialects.tagging import TagRule, Wording, first_match
from melleafy_tui.core.dialects.tool_facts import is_tools_heading
from melleafy_tui.core.dialects.wordings import chain, orders, wording_of
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Category, Polarity, Tag
from melleafy_tui.core.wording import summarise
from melleafy_tui.core.workspace.pieces import Piece, cut_pieces, lists_of


def read_rules(task: Task) -> list[Element]:
    """Return the elements of an AGENTS.md."""
    pieces = cut_pieces(task.file)
    lists = lists_of(pieces)
    lengths = {number: len(items) for number, items in lists.items()}
    ordering = frozenset(number for number, items in lists.items() if orders(items))
    return [_element(task, piece, lengths, ordering) for piece in pieces]


def _element(task: Task, piece: Piece, lengths: dict[int, int], ordering: frozenset[int]) -> Element:
    if piece.kind != "heading" and any(map(is_tools_heading, piece.section)):
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
    return task.factory.make(
        SourceSpan.of(piece),
        ElementText(
            wording.statement,
            summary=summarise(wording.text, prefix="Rule: " if decomposed else "")
            if piece.kind == "fence"
            else "",
            prefix="Rule: " if decomposed else "",
            polarity=wording.polarity if decomposed else Polarity.DESCRIBES,
        ),
        TagDecision(
            tagged.tag,
            Category.C2 if decomposed else Category.NONE,
            tagged.rationale,
            row,
            confidence=tagged.confidence,
        ),
        remarks=Remarks(
            notes=() if piece.kind != "lead_in" else ("The items under it carry its words.",),
            aggregation_hint=chain(piece, tagged.tag, lengths) if decomposed else "",
            scope=scope,
            template=is_template_text(full),
            runtime_only=runtime_only(full) if decomposed else "",
        ),
    )
