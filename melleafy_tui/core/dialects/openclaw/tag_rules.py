"""The tag rules of the OpenClaw dialect: ordered tables, one a family of files (spec/conversion.md 3.2).

The first rule that matches wins; its name is the element's rationale, its confidence the element's.
"""

# ruff: noqa: E501 - a table is easier to read with one row a line

import re
from typing import Final

from melleafy_tui.core.dialects.openclaw.fields import is_placeholder
from melleafy_tui.core.dialects.openclaw.tag_words import (
    ACTION_HEADER,
    ASK_USER,
    CHOICE,
    CLASSIFY,
    EXTRACT,
    FILE_DESCRIPTION,
    FORBIDDEN_SPEECH,
    GENERATE,
    HISTORY,
    NON_LATIN,
    OUTPUT_LIMIT,
    PROCEDURE,
    QUERY,
    REMEDIATE,
    ROUTE,
    RULE_HEADING,
    RULE_LIST,
    SAID,
    SPEECH,
    SPEECH_PROHIBITION,
    THIS_DOCUMENT,
    THRESHOLD,
    TRANSFORM,
    URL_OR_COMMAND,
    VALIDATE_DOMAIN,
)
from melleafy_tui.core.dialects.tagging import TagRule, Wording
from melleafy_tui.core.directives import has_condition
from melleafy_tui.core.models.vocabulary import Polarity, Tag


def _is_kind(*kinds: str) -> "_KindTest":
    return _KindTest(kinds)


class _KindTest:
    """Tests a piece's form."""

    def __init__(self, kinds: tuple[str, ...]) -> None:
        self._kinds = kinds

    def __call__(self, wording: Wording) -> bool:
        return wording.piece.kind in self._kinds


class _WordTest:
    """Tests the words of a piece, or its statement."""

    def __init__(self, pattern: re.Pattern[str], *, statement: bool = False) -> None:
        self._pattern = pattern
        self._statement = statement

    def __call__(self, wording: Wording) -> bool:
        return bool(self._pattern.search(wording.statement if self._statement else wording.text))


def _anything(wording: Wording) -> bool:  # noqa: ARG001 - the shape of every test
    return True


def _is_directive(wording: Wording) -> bool:
    return wording.polarity is not Polarity.DESCRIBES


def _speaks(wording: Wording) -> bool:
    return (_is_directive(wording) and bool(SPEECH_PROHIBITION.search(wording.statement))) or (
        wording.polarity is Polarity.FORBIDS
        and bool(re.match(SAID, wording.text, re.IGNORECASE) or FORBIDDEN_SPEECH.search(wording.text))
    )


def _condition(wording: Wording) -> bool:
    from_lead_in = "conditions" in wording.lead_in or "trigger" in wording.lead_in
    return (from_lead_in or has_condition(wording.text)) and (_is_directive(wording) or from_lead_in)


def _restricts(wording: Wording) -> bool:
    return wording.own_polarity is Polarity.OBLIGES and bool(
        re.match(r"\W*(?:only|always)\b|[^.]{0,80}\bmust\b", wording.text, re.IGNORECASE)
    )


def _directive_rules(prefix: str) -> tuple[TagRule, ...]:
    """Return the rules about wording that hold for every text that orders something."""
    return (
        TagRule(f"{prefix}.step", Tag.ORCHESTRATE, 0.85, "a numbered list whose lead-in or heading names a procedure",
                lambda wording: wording.list_role == "procedure" and wording.own_polarity is not Polarity.FORBIDS),
        TagRule(f"{prefix}.choice", Tag.DECIDE, 0.8, "a numbered list of alternatives or priorities",
                lambda wording: wording.list_role == "choice"),
        TagRule(f"{prefix}.ask_user", Tag.CONVERSE, 0.85, "an order to ask the user", _WordTest(ASK_USER)),
        TagRule(f"{prefix}.remediate", Tag.REMEDIATE, 0.75, "fix and check again", _WordTest(REMEDIATE)),
        TagRule(f"{prefix}.unnamed_step", Tag.ORCHESTRATE, 0.55, "an order in a numbered list that nothing names",
                lambda wording: wording.list_role == "orders"),
        TagRule(f"{prefix}.speech_prohibited", Tag.VALIDATE_OUTPUT, 0.85, "a prohibition on what the agent says", _speaks),
        TagRule(f"{prefix}.output_limit", Tag.VALIDATE_OUTPUT, 0.9, "length, tone, format or language of the agent's words",
                lambda wording: _is_directive(wording) and bool(OUTPUT_LIMIT.search(wording.statement))),
        TagRule(f"{prefix}.domain_check", Tag.VALIDATE_DOMAIN, 0.75, "a check on outside data", _WordTest(VALIDATE_DOMAIN)),
        TagRule(f"{prefix}.condition", Tag.DECIDE, 0.85, "if, when, unless, before, after, until, also in the lead-in", _condition),
        TagRule(f"{prefix}.prohibition", Tag.DECIDE, 0.9, "a prohibition on acting, also by the lead-in",
                lambda wording: wording.polarity is Polarity.FORBIDS),
        TagRule(f"{prefix}.permission", Tag.DECIDE, 0.8, "a permission, also by the lead-in",
                lambda wording: wording.polarity is Polarity.PERMITS),
        TagRule(f"{prefix}.classify", Tag.CLASSIFY, 0.7, "an order to sort into kinds", _WordTest(CLASSIFY)),
        TagRule(f"{prefix}.extract", Tag.EXTRACT, 0.7, "an order to take fields out of a text", _WordTest(EXTRACT)),
        TagRule(f"{prefix}.transform", Tag.TRANSFORM, 0.7, "an order to bring a text into another form", _WordTest(TRANSFORM)),
        TagRule(f"{prefix}.generate", Tag.GENERATE, 0.65, "an order to write a text",
                lambda wording: _is_directive(wording) and bool(GENERATE.search(wording.text))),
        TagRule(f"{prefix}.speech", Tag.VALIDATE_OUTPUT, 0.7, "an order about the agent's own words",
                lambda wording: _is_directive(wording) and bool(SPEECH.search(wording.text))),
        TagRule(f"{prefix}.threshold", Tag.CONFIG, 0.75, "a named number", _WordTest(THRESHOLD)),
        TagRule(f"{prefix}.query", Tag.QUERY, 0.65, "an order to read or look up",
                lambda wording: _is_directive(wording) and bool(QUERY.search(wording.text))),
        TagRule(f"{prefix}.directive", Tag.DECIDE, 0.65, "any other order", _is_directive),
    )  # fmt: skip


def _structural_rules(prefix: str) -> tuple[TagRule, ...]:
    """Return the rules about form that hold in every file that is cut into items."""
    return (
        TagRule(f"{prefix}.heading", Tag.NO_DECOMPOSE, 1.0, "a heading", _is_kind("heading")),
        TagRule(f"{prefix}.markup", Tag.NO_DECOMPOSE, 1.0, "a comment, rule, marker or frontmatter",
                _is_kind("comment", "rule", "other", "frontmatter", "table_header")),
        TagRule(f"{prefix}.placeholder", Tag.NO_DECOMPOSE, 0.95, "a placeholder",
                lambda wording: wording.piece.kind != "fence" and is_placeholder(wording.piece.text)),
        TagRule(f"{prefix}.quoted_output", Tag.NO_DECOMPOSE, 0.6, "a blockquote that orders nothing",
                lambda wording: wording.piece.quoted and not _is_directive(wording)),
        TagRule(f"{prefix}.history", Tag.NO_DECOMPOSE, 0.85, "a date, version or history line", _WordTest(HISTORY)),
        TagRule(f"{prefix}.about_document", Tag.NO_DECOMPOSE, 0.75, "a sentence about the document itself",
                _WordTest(THIS_DOCUMENT)),
    )  # fmt: skip


AGENTS_RULES: Final[tuple[TagRule, ...]] = (
    *_structural_rules("agents"),
    TagRule("agents.lead_in_trigger", Tag.DECIDE, 0.7, "a lead-in that says when to act",
            lambda wording: wording.piece.kind == "lead_in" and "trigger" in wording.lead_in),
    TagRule("agents.lead_in", Tag.NO_DECOMPOSE, 0.9, "a lead-in that only announces", _is_kind("lead_in")),
    TagRule("agents.bare_fence", Tag.NO_DECOMPOSE, 0.6, "a fence whose introduction orders nothing",
            lambda wording: wording.piece.kind == "fence" and wording.own_polarity is Polarity.DESCRIBES),
    TagRule("agents.example", Tag.NO_DECOMPOSE, 0.7, "an item under a lead-in that announces examples",
            lambda wording: "examples" in wording.lead_in or "notes" in wording.lead_in),
    TagRule("agents.file_description", Tag.NO_DECOMPOSE, 0.65, "a file's name with what it holds",
            lambda wording: bool(FILE_DESCRIPTION.match(wording.text)) and wording.own_polarity is Polarity.DESCRIBES
            and not ROUTE.search(wording.text)),
    *_directive_rules("agents"),
    TagRule("agents.route", Tag.DECIDE, 0.7, "a route `X → Y`", _WordTest(ROUTE)),
    TagRule("agents.action_row", Tag.DECIDE, 0.7, "a table row whose header speaks of acting",
            lambda wording: wording.piece.kind == "table_row" and acts(wording.piece.header)),
    TagRule("agents.item_under_rules", Tag.DECIDE, 0.6, "an item under a heading that announces rules",
            lambda wording: wording.piece.kind == "item" and bool(RULE_HEADING.search(wording.heading))),
    TagRule("agents.item", Tag.DECIDE, 0.45, "an item that orders nothing by its wording", _is_kind("item")),
    TagRule("agents.other_language", Tag.DECIDE, 0.4, "a paragraph in a language whose orders are not told from prose",
            lambda wording: wording.piece.kind == "paragraph" and bool(NON_LATIN.search(wording.text))
            and bool(RULE_HEADING.search(wording.heading))),
    TagRule("agents.prose", Tag.NO_DECOMPOSE, 0.7, "everything else: plain prose", _anything),
)  # fmt: skip
"""AGENTS.md and scoped AGENTS.md."""

TOOLS_RULES: Final[tuple[TagRule, ...]] = (
    *_structural_rules("tools"),
    TagRule("tools.lead_in", Tag.NO_DECOMPOSE, 0.85, "a lead-in that only announces", _is_kind("lead_in")),
    TagRule("tools.rule", Tag.DECIDE, 0.75, "a prohibition or condition on using a tool",
            lambda wording: wording.own_polarity is Polarity.FORBIDS or _condition(wording) or _restricts(wording)),
    TagRule("tools.command", Tag.CONFIG, 0.8, "a command, address, port or path", _WordTest(URL_OR_COMMAND)),
    TagRule("tools.fence", Tag.CONFIG, 0.7, "a fenced block", _is_kind("fence")),
    TagRule("tools.description", Tag.TOOL_TEMPLATE, 0.75, "everything else: text about a tool", _anything),
)  # fmt: skip
"""TOOLS.md and the `## Tools` section of AGENTS.md."""

USER_RULES: Final[tuple[TagRule, ...]] = (
    *_structural_rules("user"),
    TagRule("user.lead_in", Tag.NO_DECOMPOSE, 0.85, "a lead-in that only announces", _is_kind("lead_in")),
    TagRule("user.fact", Tag.CONFIG, 0.85, "everything else: a fact about the user", _anything),
)
"""USER.md; placeholders and superseded facts are set aside before."""

HEARTBEAT_RULES: Final[tuple[TagRule, ...]] = (
    TagRule("heartbeat.markup", Tag.NO_DECOMPOSE, 1.0, "a comment, rule, marker or frontmatter",
            _is_kind("comment", "rule", "other", "frontmatter", "table_header")),
    TagRule("heartbeat.heading", Tag.NO_DECOMPOSE, 1.0, "a heading without a cadence", _is_kind("heading")),
    TagRule("heartbeat.placeholder", Tag.NO_DECOMPOSE, 0.95, "a placeholder",
            lambda wording: wording.piece.kind != "fence" and is_placeholder(wording.piece.text)),
    TagRule("heartbeat.history", Tag.NO_DECOMPOSE, 0.85, "a date, version or history line", _WordTest(HISTORY)),
    TagRule("heartbeat.lead_in", Tag.NO_DECOMPOSE, 0.85, "a lead-in that only announces",
            lambda wording: wording.piece.kind == "lead_in" and "trigger" not in wording.lead_in),
    TagRule("heartbeat.query", Tag.QUERY, 0.8, "a check that reads something",
            lambda wording: wording.piece.kind != "lead_in" and bool(QUERY.search(wording.text))),
    TagRule("heartbeat.item", Tag.ORCHESTRATE, 0.8, "a checklist item or table row",
            _is_kind("item", "table_row", "lead_in")),
    TagRule("heartbeat.instruction", Tag.ORCHESTRATE, 0.7, "a paragraph or fence that orders something",
            lambda wording: _is_directive(wording) or wording.piece.kind == "fence"),
    TagRule("heartbeat.prose", Tag.NO_DECOMPOSE, 0.7, "everything else: plain prose", _anything),
)  # fmt: skip
"""HEARTBEAT.md and BOOT.md; cadence declarations are told before, by the cadence grammar."""


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
