"""The tag rules of the OpenClaw dialect: one ordered table per group of files.

The first matching rule wins; its name becomes the element's rationale, its confidence the element's.
"""

# ruff: noqa: E501 - a table is easier to read with one row a line

import re
from typing import Final

from melleafy_tui.core.dialects.openclaw.fields import is_placeholder
from melleafy_tui.core.dialects.tag_rules import (
    ASK_USER,
    CLASSIFY,
    EXTRACT,
    FILE_DESCRIPTION,
    FORBIDDEN_SPEECH,
    GENERATE,
    HISTORY,
    NON_LATIN,
    OUTPUT_LIMIT,
    QUERY,
    REMEDIATE,
    ROUTE,
    RULE_HEADING,
    SAID,
    SPEECH,
    SPEECH_PROHIBITION,
    THIS_DOCUMENT,
    THRESHOLD,
    TRANSFORM,
    URL_OR_COMMAND,
    VALIDATE_DOMAIN,
    IsKind,
    Says,
    TagRule,
    Wording,
    anything,
    is_about_acting,
    is_directive,
)
from melleafy_tui.core.language.directives import has_condition
from melleafy_tui.core.models.vocabulary import Polarity, Tag


def _speaks(wording: Wording) -> bool:
    return (is_directive(wording) and bool(SPEECH_PROHIBITION.search(wording.statement))) or (
        wording.polarity is Polarity.FORBIDS
        and bool(re.match(SAID, wording.text, re.IGNORECASE) or FORBIDDEN_SPEECH.search(wording.text))
    )


def _condition(wording: Wording) -> bool:
    from_lead_in = "conditions" in wording.lead_in or "trigger" in wording.lead_in
    return (from_lead_in or has_condition(wording.text)) and (is_directive(wording) or from_lead_in)


def _restricts(wording: Wording) -> bool:
    return wording.own_polarity is Polarity.OBLIGES and bool(
        re.match(r"\W*(?:only|always)\b|[^.]{0,80}\bmust\b", wording.text, re.IGNORECASE)
    )


def _directive_rules(prefix: str) -> tuple[TagRule, ...]:
    """Return the wording rules shared by all texts that give orders."""
    return (
        TagRule(f"{prefix}.step", Tag.ORCHESTRATE, 0.85, "a numbered list whose lead-in or heading names a procedure",
                lambda wording: wording.list_role == "procedure" and wording.own_polarity is not Polarity.FORBIDS),
        TagRule(f"{prefix}.choice", Tag.DECIDE, 0.8, "a numbered list of alternatives or priorities",
                lambda wording: wording.list_role == "choice"),
        TagRule(f"{prefix}.ask_user", Tag.CONVERSE, 0.85, "an order to ask the user", Says(ASK_USER)),
        TagRule(f"{prefix}.remediate", Tag.REMEDIATE, 0.75, "fix and check again", Says(REMEDIATE)),
        TagRule(f"{prefix}.unnamed_step", Tag.ORCHESTRATE, 0.55, "an order in a numbered list that nothing names",
                lambda wording: wording.list_role == "orders"),
        TagRule(f"{prefix}.speech_prohibited", Tag.VALIDATE_OUTPUT, 0.85, "a prohibition on what the agent says", _speaks),
        TagRule(f"{prefix}.output_limit", Tag.VALIDATE_OUTPUT, 0.9, "length, tone, format or language of the agent's words",
                lambda wording: is_directive(wording) and bool(OUTPUT_LIMIT.search(wording.statement))),
        TagRule(f"{prefix}.domain_check", Tag.VALIDATE_DOMAIN, 0.75, "a check on outside data", Says(VALIDATE_DOMAIN)),
        TagRule(f"{prefix}.condition", Tag.DECIDE, 0.85, "if, when, unless, before, after, until, also in the lead-in", _condition),
        TagRule(f"{prefix}.prohibition", Tag.DECIDE, 0.9, "a prohibition on acting, also by the lead-in",
                lambda wording: wording.polarity is Polarity.FORBIDS),
        TagRule(f"{prefix}.permission", Tag.DECIDE, 0.8, "a permission, also by the lead-in",
                lambda wording: wording.polarity is Polarity.PERMITS),
        TagRule(f"{prefix}.classify", Tag.CLASSIFY, 0.7, "an order to sort into kinds", Says(CLASSIFY)),
        TagRule(f"{prefix}.extract", Tag.EXTRACT, 0.7, "an order to take fields out of a text", Says(EXTRACT)),
        TagRule(f"{prefix}.transform", Tag.TRANSFORM, 0.7, "an order to bring a text into another form", Says(TRANSFORM)),
        TagRule(f"{prefix}.generate", Tag.GENERATE, 0.65, "an order to write a text",
                lambda wording: is_directive(wording) and bool(GENERATE.search(wording.text))),
        TagRule(f"{prefix}.speech", Tag.VALIDATE_OUTPUT, 0.7, "an order about the agent's own words",
                lambda wording: is_directive(wording) and bool(SPEECH.search(wording.text))),
        TagRule(f"{prefix}.threshold", Tag.CONFIG, 0.75, "a named number", Says(THRESHOLD)),
        TagRule(f"{prefix}.query", Tag.QUERY, 0.65, "an order to read or look up",
                lambda wording: is_directive(wording) and bool(QUERY.search(wording.text))),
        TagRule(f"{prefix}.directive", Tag.DECIDE, 0.65, "any other order", is_directive),
    )  # fmt: skip


def _structural_rules(prefix: str) -> tuple[TagRule, ...]:
    """Return the structural rules shared by all files that are split into items."""
    return (
        TagRule(f"{prefix}.heading", Tag.NO_DECOMPOSE, 1.0, "a heading", IsKind("heading")),
        TagRule(f"{prefix}.markup", Tag.NO_DECOMPOSE, 1.0, "a comment, rule, marker or frontmatter",
                IsKind("comment", "rule", "other", "frontmatter", "table_header")),
        TagRule(f"{prefix}.placeholder", Tag.NO_DECOMPOSE, 0.95, "a placeholder",
                lambda wording: wording.segment.kind != "fence" and is_placeholder(wording.segment.text)),
        TagRule(f"{prefix}.quoted_output", Tag.NO_DECOMPOSE, 0.6, "a blockquote that orders nothing",
                lambda wording: wording.segment.quoted and not is_directive(wording)),
        TagRule(f"{prefix}.history", Tag.NO_DECOMPOSE, 0.85, "a date, version or history line", Says(HISTORY)),
        TagRule(f"{prefix}.about_document", Tag.NO_DECOMPOSE, 0.75, "a sentence about the document itself",
                Says(THIS_DOCUMENT)),
    )  # fmt: skip


AGENTS_RULES: Final[tuple[TagRule, ...]] = (
    *_structural_rules("agents"),
    TagRule("agents.lead_in_trigger", Tag.DECIDE, 0.7, "a lead-in that says when to act",
            lambda wording: wording.segment.kind == "lead_in" and "trigger" in wording.lead_in),
    TagRule("agents.lead_in", Tag.NO_DECOMPOSE, 0.9, "a lead-in that only announces", IsKind("lead_in")),
    TagRule("agents.bare_fence", Tag.NO_DECOMPOSE, 0.6, "a fence whose introduction orders nothing",
            lambda wording: wording.segment.kind == "fence" and wording.own_polarity is Polarity.DESCRIBES),
    TagRule("agents.example", Tag.NO_DECOMPOSE, 0.7, "an item under a lead-in that announces examples",
            lambda wording: "examples" in wording.lead_in or "notes" in wording.lead_in),
    TagRule("agents.file_description", Tag.NO_DECOMPOSE, 0.65, "a file's name with what it holds",
            lambda wording: bool(FILE_DESCRIPTION.match(wording.text)) and wording.own_polarity is Polarity.DESCRIBES
            and not ROUTE.search(wording.text)),
    *_directive_rules("agents"),
    TagRule("agents.route", Tag.DECIDE, 0.7, "a route `X → Y`", Says(ROUTE)),
    TagRule("agents.action_row", Tag.DECIDE, 0.7, "a table row whose header speaks of acting",
            lambda wording: wording.segment.kind == "table_row" and is_about_acting(wording.segment.header)),
    TagRule("agents.item_under_rules", Tag.DECIDE, 0.6, "an item under a heading that announces rules",
            lambda wording: wording.segment.kind == "item" and bool(RULE_HEADING.search(wording.heading))),
    TagRule("agents.item", Tag.DECIDE, 0.45, "an item that orders nothing by its wording", IsKind("item")),
    TagRule("agents.other_language", Tag.DECIDE, 0.4, "a paragraph in a language whose orders are not told from prose",
            lambda wording: wording.segment.kind == "paragraph" and bool(NON_LATIN.search(wording.text))
            and bool(RULE_HEADING.search(wording.heading))),
    TagRule("agents.prose", Tag.NO_DECOMPOSE, 0.7, "everything else: plain prose", anything),
)  # fmt: skip
"""Rules for AGENTS.md and scoped AGENTS.md."""

TOOLS_RULES: Final[tuple[TagRule, ...]] = (
    *_structural_rules("tools"),
    TagRule("tools.lead_in", Tag.NO_DECOMPOSE, 0.85, "a lead-in that only announces", IsKind("lead_in")),
    TagRule("tools.rule", Tag.DECIDE, 0.75, "a prohibition or condition on using a tool",
            lambda wording: wording.own_polarity is Polarity.FORBIDS or _condition(wording) or _restricts(wording)),
    TagRule("tools.command", Tag.CONFIG, 0.8, "a command, address, port or path", Says(URL_OR_COMMAND)),
    TagRule("tools.fence", Tag.CONFIG, 0.7, "a fenced block", IsKind("fence")),
    TagRule("tools.description", Tag.TOOL_TEMPLATE, 0.75, "everything else: text about a tool", anything),
)  # fmt: skip
"""Rules for TOOLS.md and the `## Tools` section of AGENTS.md."""

USER_RULES: Final[tuple[TagRule, ...]] = (
    *_structural_rules("user"),
    TagRule("user.lead_in", Tag.NO_DECOMPOSE, 0.85, "a lead-in that only announces", IsKind("lead_in")),
    TagRule("user.fact", Tag.CONFIG, 0.85, "everything else: a fact about the user", anything),
)
"""Rules for USER.md; placeholders and superseded facts are handled before."""

HEARTBEAT_RULES: Final[tuple[TagRule, ...]] = (
    TagRule("heartbeat.markup", Tag.NO_DECOMPOSE, 1.0, "a comment, rule, marker or frontmatter",
            IsKind("comment", "rule", "other", "frontmatter", "table_header")),
    TagRule("heartbeat.heading", Tag.NO_DECOMPOSE, 1.0, "a heading without a cadence", IsKind("heading")),
    TagRule("heartbeat.placeholder", Tag.NO_DECOMPOSE, 0.95, "a placeholder",
            lambda wording: wording.segment.kind != "fence" and is_placeholder(wording.segment.text)),
    TagRule("heartbeat.history", Tag.NO_DECOMPOSE, 0.85, "a date, version or history line", Says(HISTORY)),
    TagRule("heartbeat.lead_in", Tag.NO_DECOMPOSE, 0.85, "a lead-in that only announces",
            lambda wording: wording.segment.kind == "lead_in" and "trigger" not in wording.lead_in),
    TagRule("heartbeat.query", Tag.QUERY, 0.8, "a check that reads something",
            lambda wording: wording.segment.kind != "lead_in" and bool(QUERY.search(wording.text))),
    TagRule("heartbeat.item", Tag.ORCHESTRATE, 0.8, "a checklist item or table row",
            IsKind("item", "table_row", "lead_in")),
    TagRule("heartbeat.instruction", Tag.ORCHESTRATE, 0.7, "a paragraph or fence that orders something",
            lambda wording: is_directive(wording) or wording.segment.kind == "fence"),
    TagRule("heartbeat.prose", Tag.NO_DECOMPOSE, 0.7, "everything else: plain prose", anything),
)  # fmt: skip
"""Rules for HEARTBEAT.md and BOOT.md; the cadence forms handle cadence declarations before."""
