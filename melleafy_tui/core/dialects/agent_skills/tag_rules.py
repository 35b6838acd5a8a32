"""The tag rules for a skill's body: one ordered table over structure and wording, for all 17 tags.

The first matching rule wins; its name becomes the element's rationale, its confidence the element's.
"""

# ruff: noqa: E501 - a table is easier to read with one row a line

from typing import Final

from msgspec import Struct

from melleafy_tui.core.dialects.agent_skills import wordings as words
from melleafy_tui.core.dialects.tag_rules import (
    ASK_USER,
    FORBIDDEN_SPEECH,
    HISTORY,
    OUTPUT_LIMIT,
    REMEDIATE,
    ROUTE,
    SAID,
    SPEECH,
    SPEECH_PROHIBITION,
    THIS_DOCUMENT,
    THRESHOLD,
    IsKind,
    Says,
    TagRule,
    Wording,
    anything,
    is_directive,
    pattern,
)
from melleafy_tui.core.language.directives import has_condition
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.vocabulary import Polarity, Tag

_LIMITS: Final = pattern(
    r"^(?:always |please )?(?:keep|limit|cap|hold|never|do not|don['’]t|avoid|no|use|write in|answer in|reply in|stay|be)\b|不超过|不得|必须|用.{1,6}(?:写|回答)"
)
"""How a rule about wording starts, even among the steps of a workflow."""

_SAID: Final = pattern(rf"^(?:{SAID})\b")


class _Orders(Struct, frozen=True):
    """Tests whether a step's words are an order, also after a label; nothing under a heading of rules is a step."""

    wanted: LazyRegex

    def __call__(self, wording: Wording) -> bool:
        if wording.polarity is not Polarity.OBLIGES or not may_be_step(wording):
            return False
        text = wording.text
        return bool(self.wanted.search(text) or self.wanted.search(words.after_label(text)))


def may_be_step(wording: Wording) -> bool:
    """Return whether a segment can be a step: an order about the work, not under a heading of rules."""
    if wording.segment.kind not in ("item", "paragraph", "table_row", "fence"):
        return False
    return bool(wording.phase) or not any(
        words.RULES_HEADING.search(above) for above in wording.segment.section[-1:]
    )


def under_schema(wording: Wording) -> bool:
    """Return whether a segment is in a list of fields."""
    segment = wording.segment
    above = [segment.lead_in] if segment.lead_in else list(segment.section[-1:])
    return any(words.SCHEMA_HEADING.search(text.strip().rstrip(":：")) for text in above if text)


def _schema_row(wording: Wording) -> bool:
    header = wording.segment.header
    if wording.segment.kind != "table_row" or len(header) < 2:
        return False
    named = bool(words.FIELD_HEADER.match(header[0].strip("*_` ")))
    described = any(words.VALUE_HEADER.search(cell) for cell in header[1:])
    return (
        named
        and described
        and (under_schema(wording) or any("type" in cell.casefold() or "类型" in cell for cell in header))
    )


def _schema_item(wording: Wording) -> bool:
    return (
        wording.segment.kind == "item"
        and under_schema(wording)
        and bool(FIELD_ITEM.match(wording.segment.text))
    )


FIELD_ITEM: Final = pattern(
    r"^(?:\*\*|__)?`?(?P<name>[A-Za-z\u3400-\u9fff][\w \u3400-\u9fff/-]{0,40}?)`?(?:\*\*|__)?\s*(?:\((?P<type>[^()]{1,60})\)|（(?P<kind>[^（）]{1,40})）)?(?:\*\*|__)?\s*(?:[:：—–]|\s-\s)(?:\*\*|__)?\s*(?P<words>\S.*)$"
)
"""An item that declares a field: its name, its type in parentheses, its meaning."""


def _schema_fence(wording: Wording) -> bool:
    segment = wording.segment
    if segment.kind != "fence" or segment.info.casefold() not in words.DATA_FENCE:
        return False
    example = any(words.EXAMPLES.match(heading) for heading in segment.section[-1:])
    led = bool(segment.lead_in and words.SCHEMA_LEAD.search(segment.lead_in))
    return (led or under_schema(wording)) and not example


def _command_fence(wording: Wording) -> bool:
    segment = wording.segment
    if segment.kind != "fence":
        return False
    return segment.info.casefold() in words.COMMAND_FENCE or bool(
        words.SCRIPT.search("\n".join(segment.lines))
    )


def routes_here(wording: Wording) -> bool:
    """Return whether a text says when to use the skill, which whoever loaded it has decided already."""
    segment = wording.segment
    if segment.kind == "lead_in" or wording.list_role in ("procedure", "orders"):
        return False
    above = (*segment.context, segment.lead_in)
    return (
        any(map(words.ROUTING_HEADING.match, segment.section))
        or any(map(words.ROUTING.search, above))
        or bool(words.ROUTING.search(wording.text))
        or (len(segment.section) < 2 and segment.kind == "paragraph" and bool(_USE_WHEN.match(wording.text)))
    )


_USE_WHEN: Final = pattern(r"^\W*use (?:this )?(?:when(?:ever)?|before|after)\b")
"""How a skill's first paragraph says what it is for."""


def _example(wording: Wording) -> bool:
    named = any(words.EXAMPLES.match(heading) for heading in wording.segment.section)
    return named or "examples" in wording.lead_in


def _condition(wording: Wording) -> bool:
    from_lead_in = "conditions" in wording.lead_in or "trigger" in wording.lead_in
    return (from_lead_in or has_condition(wording.text)) and (is_directive(wording) or from_lead_in)


def _speaks(wording: Wording) -> bool:
    return (
        wording.polarity is not Polarity.PERMITS
        and is_directive(wording)
        and bool(SPEECH_PROHIBITION.search(wording.statement))
    ) or (
        wording.polarity is Polarity.FORBIDS
        and bool(_SAID.match(wording.text) or FORBIDDEN_SPEECH.search(wording.text))
    )


def _rule_item(wording: Wording) -> bool:
    """Return whether an item under a heading of rules is a rule; one that names a command or file only explains it."""
    heading = wording.segment.section[-1] if wording.segment.section else ""
    return (
        wording.segment.kind == "item"
        and bool(_OF_RULES.match(heading))
        and not wording.segment.text.lstrip("-*+ ").startswith("`")
    )


_OF_RULES: Final = pattern(
    r"^\W*(?:\d+[.)]\s*)?(?:(?:the|hard|house|ground|golden|writing|safety|important) )?(?:rules?|guardrails?|constraints?|boundaries)\W*$|^\W*(?:规则|守则|约束)\W*$"
)

BODY_RULES: Final[tuple[TagRule, ...]] = (
    TagRule("skill.heading", Tag.NO_DECOMPOSE, 1.0, "a heading", IsKind("heading")),
    TagRule("skill.markup", Tag.NO_DECOMPOSE, 1.0, "a comment, rule, marker or table header",
            IsKind("comment", "rule", "other", "frontmatter", "table_header")),
    TagRule("skill.schema_row", Tag.SCHEMA, 0.9, "a row of a table of fields", _schema_row),
    TagRule("skill.schema_fence", Tag.SCHEMA, 0.85, "a fence that shows the form of the result", _schema_fence),
    TagRule("skill.schema_item", Tag.SCHEMA, 0.8, "an item that declares a field of the result", _schema_item),
    TagRule("skill.input", Tag.TOOL_INPUT, 0.8, "what the caller gives: a heading of inputs, $ARGUMENTS, “the user provides …”",
            lambda wording: wording.segment.kind in ("item", "paragraph", "table_row") and wording.polarity is Polarity.DESCRIBES
            and (bool(words.INPUT.search(wording.text)) or any(words.INPUT_HEADING.match(heading) for heading in wording.segment.section[-1:]))),
    TagRule("skill.persona", Tag.CONVERSE, 0.85, "“You are …” outside of a list",
            lambda wording: wording.segment.kind == "paragraph" and bool(words.PERSONA.match(wording.text))),
    TagRule("skill.command_fence", Tag.DETERMINISTIC, 0.85, "a fence of shell commands", _command_fence),
    TagRule("skill.code_fence", Tag.TOOL_TEMPLATE, 0.75, "a fence of code or of a request",
            lambda wording: wording.segment.kind == "fence" and (wording.segment.info.casefold() in words.CODE_FENCE
            or bool(words.HTTP.search("\n".join(wording.segment.lines))))),
    TagRule("skill.tool", Tag.TOOL_TEMPLATE, 0.8, "a method with an address, or an MCP tool by its name",
            lambda wording: wording.polarity is not Polarity.FORBIDS and wording.segment.kind != "lead_in"
            and bool(words.HTTP.search(wording.text) or words.MCP_TOOL.search(wording.text))),
    TagRule("skill.history", Tag.NO_DECOMPOSE, 0.85, "a date, version or history line", Says(HISTORY)),
    TagRule("skill.about_document", Tag.NO_DECOMPOSE, 0.75, "a sentence about the document itself", Says(THIS_DOCUMENT)),
    TagRule("skill.about_skill", Tag.NO_DECOMPOSE, 0.7, "a sentence about the skill itself, which its description already tells",
            lambda wording: wording.segment.kind == "paragraph" and bool(words.ABOUT_SKILL.match(wording.text))),
    TagRule("skill.overview", Tag.NO_DECOMPOSE, 0.65, "text under a heading that introduces and orders nothing",
            lambda wording: not is_directive(wording) and any(words.OVERVIEW.match(heading) for heading in wording.segment.section[-1:])),
    TagRule("skill.routing", Tag.CONFIG, 0.8, "when to use the skill itself: a heading, a lead-in or words that say so", routes_here),
    TagRule("skill.records", Tag.NO_DECOMPOSE, 0.8, "history, licence and authors of the skill, under such a heading",
            lambda wording: any(map(words.RECORDS.match, wording.segment.section[1:]))),
    TagRule("skill.feature", Tag.CONFIG, 0.7, "what the skill offers, under such a heading",
            lambda wording: wording.segment.kind != "lead_in" and any(map(words.FEATURES.match, wording.segment.section[1:]))),
    TagRule("skill.setup", Tag.CONFIG, 0.7, "what the owner does once, under such a heading, unless it forbids something",
            lambda wording: wording.segment.kind != "lead_in" and not wording.phase and wording.polarity is not Polarity.FORBIDS
            and any(map(words.OWNERS_SETUP.match, wording.segment.section[1:]))),
    TagRule("skill.lead_in_trigger", Tag.DECIDE, 0.7, "a lead-in that says when to act",
            lambda wording: wording.segment.kind == "lead_in" and "trigger" in wording.lead_in and not wording.phase),
    TagRule("skill.lead_in", Tag.NO_DECOMPOSE, 0.9, "a lead-in that only announces", IsKind("lead_in")),
    TagRule("skill.example", Tag.CONFIG, 0.7, "an example, which the prompt shows", _example),
    TagRule("skill.choice", Tag.DECIDE, 0.8, "a numbered list of alternatives or priorities",
            lambda wording: wording.list_role == "choice"),
    TagRule("skill.ask_user", Tag.CONVERSE, 0.85, "an order to ask the user", Says(ASK_USER)),
    TagRule("skill.remediate", Tag.REMEDIATE, 0.75, "fix and check again", Says(REMEDIATE)),
    TagRule("skill.script", Tag.DETERMINISTIC, 0.85, "an order to run a script or a command",
            lambda wording: wording.polarity is not Polarity.FORBIDS
            and bool(words.SCRIPT.search(wording.text) or words.RUN.search(wording.text))),
    TagRule("skill.speech_prohibited", Tag.VALIDATE_OUTPUT, 0.85, "a prohibition on what the model says", _speaks),
    TagRule("skill.conditional_step", Tag.DECIDE, 0.75, "a step under a condition",
            lambda wording: bool(wording.phase) and is_directive(wording) and opens_with_condition(wording)),
    TagRule("skill.extract", Tag.EXTRACT, 0.75, "a step that takes fields out of a text", _Orders(words.EXTRACT)),
    TagRule("skill.classify", Tag.CLASSIFY, 0.75, "a step that sorts into kinds", _Orders(words.CLASSIFY)),
    TagRule("skill.domain_check", Tag.VALIDATE_DOMAIN, 0.75, "a step that checks outside data", _Orders(words.DOMAIN_CHECK)),
    TagRule("skill.lookup", Tag.QUERY, 0.7, "an order to read a reference or to look something up with a tool",
            lambda wording: wording.polarity is not Polarity.FORBIDS and bool(words.LOOKUP.search(wording.segment.text))),
    TagRule("skill.transform", Tag.TRANSFORM, 0.7, "a step that brings a text into another form", _Orders(words.TRANSFORM)),
    TagRule("skill.output_limit", Tag.VALIDATE_OUTPUT, 0.85, "length, tone, format or language of the model's words",
            lambda wording: wording.polarity in (Polarity.OBLIGES, Polarity.FORBIDS) and bool(OUTPUT_LIMIT.search(wording.statement)) and (not wording.phase or bool(_LIMITS.match(wording.text)))),
    TagRule("skill.generate", Tag.GENERATE, 0.7, "a step that writes a text",
            lambda wording: bool(wording.phase) and _Orders(words.GENERATE)(wording)),
    TagRule("skill.reading", Tag.QUERY, 0.7, "an order to read what was given, which the prompt keeps",
            lambda wording: bool(wording.phase) and _Orders(words.READING)(wording)),
    TagRule("skill.question", Tag.QUERY, 0.65, "a step that asks something of the text",
            lambda wording: bool(wording.phase) and _Orders(words.QUESTION)(wording)),
    TagRule("skill.step", Tag.ORCHESTRATE, 0.75, "any other order in the workflow",
            lambda wording: bool(wording.phase) and wording.polarity is Polarity.OBLIGES
            and wording.segment.kind in ("item", "paragraph", "table_row")),
    TagRule("skill.condition", Tag.DECIDE, 0.85, "if, when, unless, before, after, until, also in the lead-in", _condition),
    TagRule("skill.prohibition", Tag.DECIDE, 0.9, "a prohibition on acting, also by the lead-in",
            lambda wording: wording.polarity is Polarity.FORBIDS),
    TagRule("skill.permission", Tag.DECIDE, 0.8, "a permission, also by the lead-in",
            lambda wording: wording.polarity is Polarity.PERMITS),
    TagRule("skill.threshold", Tag.CONFIG, 0.75, "a named number", Says(THRESHOLD)),
    TagRule("skill.speech", Tag.VALIDATE_OUTPUT, 0.7, "an order about the model's own words",
            lambda wording: is_directive(wording) and bool(SPEECH.search(wording.text))),
    TagRule("skill.directive", Tag.DECIDE, 0.65, "any other order", is_directive),
    TagRule("skill.rule_item", Tag.DECIDE, 0.6, "an item under a heading of rules", _rule_item),
    TagRule("skill.route", Tag.DECIDE, 0.65, "a route `X → Y`", Says(ROUTE)),
    TagRule("skill.knowledge", Tag.CONFIG, 0.6, "everything else: knowledge of the domain, which the prompt keeps", anything),
)  # fmt: skip
"""Rules for the body of SKILL.md."""


def opens_with_condition(wording: Wording) -> bool:
    """Return whether a segment starts with the condition for applying it."""
    return bool(_CONDITION_HEAD.match(wording.text))


_CONDITION_HEAD: Final = pattern(
    r"^(?:if|when|whenever|unless|in case|once|where)\b|^(?:如果|若|当|倘若|一旦)"
)
