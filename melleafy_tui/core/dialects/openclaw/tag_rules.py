"""The tag rules of the OpenClaw dialect: one ordered table per group of files.

The first matching rule wins; its name becomes the element's rationale, its confidence the element's.
"""

# ruff: noqa: E501 - a table is easier to read with one row a line

from typing import Final

from melleafy_tui.core.dialects.openclaw.checklist_wordings import (
    ABOUT_FILE,
    CASE_LABEL,
    LISTED,
    PLACE_LABEL,
    SCRIPT_LABEL,
    STATE_HEADING,
    WHEN_LABEL,
    has_facts_above,
    is_case_below,
    is_content,
    is_done,
    is_fact,
    is_state_row,
    says_when,
    tells_deed,
)
from melleafy_tui.core.dialects.openclaw.fields import is_placeholder
from melleafy_tui.core.dialects.openclaw.rule_wordings import (
    ABOUT_TOOL,
    ADDRESSES_AGENT,
    ALERT_WHEN,
    BARRED,
    CASE_LEAD_IN,
    CASES,
    CHECK_COLUMN,
    CHECK_QUESTION,
    CHECK_WHETHER,
    CHECKING,
    CHOOSES,
    COMMAND_FIRST,
    CONDITION_FIRST,
    DATA_FILE,
    DATE_FIRST,
    DATED_LOG,
    DEFINITION,
    DISLIKES,
    DUTY,
    FAILED,
    FILING,
    GOALS,
    GOES_HERE,
    GOVERNS,
    HELPING,
    HINT_LABEL,
    HOURS_FIRST,
    IF,
    JOBS,
    JSON_BODY,
    KEEP_FILE,
    LABEL_ALONE,
    LABEL_VALUE,
    LABELLED,
    LABELLED_ORDER,
    LIMIT,
    LINK_ONLY,
    LOGGED,
    MANNER_HEADING,
    MODEL_FIELD,
    NAMED_PART,
    NEGATED_ORDER,
    NO_ORDER,
    OPENING_LABEL,
    OPENS_AND_VERIFIES,
    OPTION_LEAD_IN,
    ORDER_LABEL,
    ORDERS,
    OUTCOME,
    OUTPUT_FORM,
    OUTSIDE_HOURS,
    PAST,
    PERSONA,
    PURPOSE_COLUMN,
    READS,
    RESTRICTION,
    RESTRICTS,
    RULE_LABEL,
    RULE_TABLE,
    RULES_ABOVE,
    SECOND_ORDER,
    SENTENCE,
    SHORT_FIELD,
    SHORT_NAME,
    STATES,
    STATUS_HEADER,
    STATUS_HEADING,
    STATUSES,
    TIME_COLUMN,
    TOOL_COLUMN,
    TOOL_STATUS,
    UPKEEP,
    VALUE_COLUMN,
    VERIFIES,
    WANTED_REPLY,
    WANTED_WORDS,
    WRITES,
    condition,
    decides,
    forbids_too,
    is_bare,
    is_case,
    is_command_fence,
    is_figures,
    is_form_fence,
    is_form_line,
    is_manner,
    is_sentence,
    is_stock_prose,
    looks_up,
    orders_first,
    restricts,
    speaks,
    under,
    under_scope,
)
from melleafy_tui.core.dialects.openclaw.stated_lines import (
    COMMAND_DESCRIBED,
    DAY_PART,
    FORM_LABEL,
    NAMED_FILE,
    NAMED_TOOL,
    REASON_LABEL,
    RELATIVE_LINK,
    SAYS_LEAD_IN,
    TOOLS_ABOVE,
    is_canned_reply,
    says_how_often,
    tells_story,
)
from melleafy_tui.core.dialects.openclaw.wake_words import NO_TASKS
from melleafy_tui.core.dialects.tag_rules import (
    ASK_USER,
    CLASSIFY,
    EXTRACT,
    FILE_DESCRIPTION,
    GENERATE,
    HISTORY,
    NON_LATIN,
    OUTPUT_LIMIT,
    QUERY,
    REMEDIATE,
    ROUTE,
    RULE_HEADING,
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
    is_about_speech,
    is_directive,
    lead_of,
)
from melleafy_tui.core.language.actions import actions_in, asks_approval
from melleafy_tui.core.language.directives import has_condition, is_imperative, polarity_of
from melleafy_tui.core.language.scripts import has_any
from melleafy_tui.core.language.use import SPEECH_ORDER, WAKE_UP
from melleafy_tui.core.language.wording import sentences
from melleafy_tui.core.models.vocabulary import Polarity, Tag


def _directive_rules(prefix: str) -> tuple[TagRule, ...]:
    """Return the wording rules shared by all texts that give orders."""
    return (
        TagRule(f"{prefix}.step", Tag.ORCHESTRATE, 0.85, "a numbered list whose lead-in or heading names a procedure",
                lambda wording: wording.list_role == "procedure" and wording.own_polarity is not Polarity.FORBIDS),
        TagRule(f"{prefix}.choice", Tag.DECIDE, 0.8, "a numbered list of alternatives or priorities",
                lambda wording: wording.list_role == "choice"),
        TagRule(f"{prefix}.ask_user", Tag.CONVERSE, 0.85, "an order to ask the user", Says(ASK_USER)),
        TagRule(f"{prefix}.remediate", Tag.REMEDIATE, 0.75, "fix and check again", Says(REMEDIATE)),
        TagRule(f"{prefix}.unnamed_step", Tag.ORCHESTRATE, 0.7, "an order in a numbered list that nothing names",
                lambda wording: wording.list_role == "orders" and wording.own_polarity is not Polarity.FORBIDS),
        TagRule(f"{prefix}.speech_prohibited", Tag.VALIDATE_OUTPUT, 0.85, "a prohibition on what the agent says", speaks),
        TagRule(f"{prefix}.output_limit", Tag.VALIDATE_OUTPUT, 0.85, "length, tone, format or language of the agent's words",
                lambda wording: is_directive(wording) and bool(OUTPUT_LIMIT.search(wording.statement))),
        TagRule(f"{prefix}.domain_check", Tag.VALIDATE_DOMAIN, 0.75, "a check on outside data", Says(VALIDATE_DOMAIN)),
        TagRule(f"{prefix}.condition", Tag.DECIDE, 0.85, "if, when, unless, before, after, until, also in the lead-in", condition),
        TagRule(f"{prefix}.check_that", Tag.QUERY, 0.7, "an order to check that something holds", Says(CHECK_WHETHER)),
        TagRule(f"{prefix}.prohibition", Tag.DECIDE, 0.9, "a prohibition on acting, also by the lead-in",
                lambda wording: wording.polarity is Polarity.FORBIDS),
        TagRule(f"{prefix}.permission", Tag.DECIDE, 0.8, "a permission, also by the lead-in",
                lambda wording: wording.polarity is Polarity.PERMITS),
        TagRule(f"{prefix}.classify", Tag.CLASSIFY, 0.7, "an order to sort into kinds",
                lambda wording: wording.segment.kind != "table_row" and bool(CLASSIFY.search(wording.text))),
        TagRule(f"{prefix}.action_row", Tag.DECIDE, 0.7, "a table row whose header says what to do in which case",
                lambda wording: wording.segment.kind == "table_row" and is_about_acting(wording.segment.header)),
        TagRule(f"{prefix}.check_row", Tag.VALIDATE_DOMAIN, 0.6, "a table row whose header says what is checked",
                lambda wording: wording.segment.kind == "table_row" and bool(CHECK_COLUMN.search(" | ".join(wording.segment.header)))),
        TagRule(f"{prefix}.extract", Tag.EXTRACT, 0.7, "an order to take fields out of a text", Says(EXTRACT)),
        TagRule(f"{prefix}.transform", Tag.TRANSFORM, 0.7, "an order to bring a text into another form", Says(TRANSFORM)),
        TagRule(f"{prefix}.generate", Tag.GENERATE, 0.65, "an order to write a text",
                lambda wording: is_directive(wording) and bool(GENERATE.search(wording.text))),
        TagRule(f"{prefix}.speech", Tag.VALIDATE_OUTPUT, 0.7, "an order about the agent's own words",
                is_about_speech),
        TagRule(f"{prefix}.threshold", Tag.CONFIG, 0.75, "a named number", Says(THRESHOLD)),
        TagRule(f"{prefix}.query", Tag.QUERY, 0.65, "an order to read or look up",
                lambda wording: wording.segment.kind != "table_row" and is_directive(wording) and looks_up(wording.text)
            and not SECOND_ORDER.search(wording.text)),
        TagRule(f"{prefix}.directive", Tag.DECIDE, 0.65, "any other order", is_directive),
    )  # fmt: skip


def _is_status_of_project(wording: Wording) -> bool:
    """Return whether an item of a section says how something stands; above all sections, it is the file's state."""
    return (
        wording.segment.kind == "item"
        and len(wording.segment.section) > 1
        and bool(TOOL_STATUS.match(wording.text))
    )


def _names_statuses(wording: Wording) -> bool:
    """Return whether a line says which statuses there are, and not how something stands."""
    if wording.segment.kind == "table_row":
        return any(map(STATUS_HEADER.search, wording.segment.header[:1]))
    return bool(STATUSES.search(wording.text))


def _quoted_rule(prefix: str, tag: Tag) -> TagRule:
    return TagRule(f"{prefix}.quoted_output", tag, 0.6, "a blockquote that orders nothing",
                   lambda wording: wording.segment.quoted and not is_directive(wording) and not asks_approval(wording.text))  # fmt: skip


def _structural_rules(prefix: str, quoted: Tag | None = Tag.NO_DECOMPOSE) -> tuple[TagRule, ...]:
    """Return the structural rules shared by all files that are split into items."""
    return (
        TagRule(f"{prefix}.heading", Tag.NO_DECOMPOSE, 1.0, "a heading", IsKind("heading")),
        TagRule(f"{prefix}.markup", Tag.NO_DECOMPOSE, 1.0, "a comment, rule, marker or frontmatter",
                IsKind("comment", "rule", "other", "frontmatter", "table_header")),
        TagRule(f"{prefix}.placeholder", Tag.NO_DECOMPOSE, 0.95, "a placeholder",
                lambda wording: wording.segment.kind != "fence" and is_placeholder(wording.segment.text)),
        *(() if quoted is None else (_quoted_rule(prefix, quoted),)),
        TagRule(f"{prefix}.history", Tag.NO_DECOMPOSE, 0.85, "a date, version or history line",
                lambda wording: bool(HISTORY.search(wording.text)) and not (_is_status_of_project(wording) or _names_statuses(wording))),
        TagRule(f"{prefix}.about_document", Tag.NO_DECOMPOSE, 0.75, "words about the document itself that forbid nothing",
                lambda wording: bool(THIS_DOCUMENT.search(wording.text)) and Polarity.FORBIDS not in map(polarity_of, sentences(wording.text))),
    )  # fmt: skip


AGENTS_RULES: Final[tuple[TagRule, ...]] = (
    TagRule("agents.form_line", Tag.VALIDATE_OUTPUT, 0.65, "a line of the form of an answer: a label with a placeholder or values",
            is_form_line),
    *_structural_rules("agents", quoted=Tag.CONFIG),
    TagRule("agents.lead_in_trigger", Tag.DECIDE, 0.7, "a lead-in that says when to act",
            lambda wording: wording.segment.kind == "lead_in" and "trigger" in wording.lead_in),
    TagRule("agents.lead_in", Tag.NO_DECOMPOSE, 0.9, "a lead-in that only announces", IsKind("lead_in")),
    TagRule("agents.example", Tag.CONFIG, 0.65, "an item under a lead-in that announces examples",
            lambda wording: "examples" in wording.lead_in or "notes" in wording.lead_in),
    TagRule("agents.link", Tag.NO_DECOMPOSE, 0.75, "a link to another document, and nothing else",
            lambda wording: bool(LINK_ONLY.search(wording.text) or RELATIVE_LINK.match(wording.segment.text))),
    TagRule("agents.scheduled_row", Tag.ORCHESTRATE, 0.65, "a table row with a column that says how often",
            lambda wording: wording.segment.kind == "table_row" and wording.own_polarity is not Polarity.FORBIDS
            and says_how_often(wording.segment)),
    TagRule("agents.named_file", Tag.CONFIG, 0.62, "a file's name, an arrow, and what it holds",
            lambda wording: wording.segment.kind == "item" and bool(NAMED_FILE.match(wording.text))),
    TagRule("agents.named_tool", Tag.CONFIG, 0.62, "a tool's name, an arrow, and what it is for, under words for tools",
            lambda wording: wording.segment.kind == "item" and wording.own_polarity is not Polarity.FORBIDS
            and bool(NAMED_TOOL.match(wording.segment.text)) and bool(TOOLS_ABOVE.search(wording.heading))),
    TagRule("agents.json_fence", Tag.SCHEMA, 0.75, "a fence with the form of a record",
            lambda wording: wording.segment.kind == "fence" and wording.segment.info in ("json", "json5", "jsonc")
            and bool(JSON_BODY.match("\n".join(wording.segment.lines)))),
    TagRule("agents.canned_reply", Tag.VALIDATE_OUTPUT, 0.65, "words to say, and nothing else", is_canned_reply),
    TagRule("agents.story", Tag.CONFIG, 0.65, "what happened and why, under words for that", tells_story),
    TagRule("agents.fact_below", Tag.CONFIG, 0.65, "an item under a lead-in over facts",
            lambda wording: wording.segment.kind == "item" and has_facts_above(wording) and not wording.segment.ordered
            and wording.own_polarity is not Polarity.FORBIDS and not has_condition(wording.text)),
    TagRule("agents.reason", Tag.CONFIG, 0.65, "a label over a reason, a purpose or an example",
            lambda wording: wording.own_polarity is not Polarity.FORBIDS and bool(REASON_LABEL.search(wording.text))),
    TagRule("agents.described_command", Tag.CONFIG, 0.65, "a command or tool with what it does",
            lambda wording: wording.segment.kind in ("item", "paragraph") and not wording.segment.ordered
            and wording.polarity in (Polarity.DESCRIBES, Polarity.OBLIGES) and not wording.lead_in
            and not has_condition(wording.text) and bool(COMMAND_DESCRIBED.match(wording.segment.text))),
    TagRule("agents.form_label", Tag.VALIDATE_OUTPUT, 0.65, "a label for the form of its words, with a value",
            lambda wording: wording.segment.kind in ("item", "paragraph") and wording.polarity is not Polarity.FORBIDS
            and len(wording.text) <= 200 and bool(FORM_LABEL.search(wording.text))),
    TagRule("agents.said_in_reply", Tag.VALIDATE_OUTPUT, 0.75, "an item under a lead-in that says what a reply must say",
            lambda wording: wording.segment.kind == "item" and bool(SAYS_LEAD_IN.search(lead_of(wording.segment).rstrip(":： ")))),
    TagRule("agents.command_fence", Tag.DETERMINISTIC, 0.7, "a fence with commands", is_command_fence),
    TagRule("agents.form_fence", Tag.VALIDATE_OUTPUT, 0.65, "a fence with the form of an answer", is_form_fence),
    TagRule("agents.file_description", Tag.CONFIG, 0.6, "a file's name with what it holds",
            lambda wording: bool(FILE_DESCRIPTION.match(wording.text)) and wording.own_polarity is Polarity.DESCRIBES
            and not ROUTE.search(wording.text)),
    TagRule("agents.stock_prose", Tag.NO_DECOMPOSE, 0.8, "stock prose that orders nothing, or opens with what OpenClaw does",
            lambda wording: wording.segment.kind == "paragraph" and is_stock_prose(wording)),
    TagRule("agents.persona", Tag.CONFIG, 0.75, "who the agent is",
            lambda wording: not wording.lead_in and bool(PERSONA.match(wording.text))),
    TagRule("agents.filing", Tag.DECIDE, 0.75, "a route from a kind of thing to where it goes",
            lambda wording: wording.own_polarity in (Polarity.DESCRIBES, Polarity.OBLIGES)
            and bool(FILING.search(wording.text)) and not is_imperative(wording.text)),
    TagRule("agents.wanted_words", Tag.VALIDATE_OUTPUT, 0.7, "a noun phrase for how its words should be", Says(WANTED_WORDS)),
    TagRule("agents.approval", Tag.DECIDE, 0.75, "an approval that something waits for",
            lambda wording: wording.own_polarity is Polarity.DESCRIBES and asks_approval(wording.text)
            and not CHECK_QUESTION.search(wording.text)),
    TagRule("agents.model", Tag.CONFIG, 0.75, "a model under the name of its place", Says(MODEL_FIELD)),
    TagRule("agents.definition", Tag.CONFIG, 0.7, "a name, an equals sign, and what it means", Says(DEFINITION)),
    TagRule("agents.scope_item", Tag.CONFIG, 0.65, "an item under a heading that names what the agent is for",
            lambda wording: wording.segment.kind == "item" and under_scope(wording)
            and (wording.polarity is Polarity.DESCRIBES
                 or (wording.own_polarity is Polarity.OBLIGES and bool(NAMED_PART.match(wording.text))))),
    TagRule("agents.manner", Tag.VALIDATE_OUTPUT, 0.7, "a trait under words for how it speaks or writes", is_manner),
    TagRule("agents.output_item", Tag.VALIDATE_OUTPUT, 0.65, "an item under a heading about the form of its replies",
            lambda wording: wording.segment.kind == "item" and under(OUTPUT_FORM)(wording)
            and not has_condition(wording.text) and not actions_in(wording.text)),
    *_directive_rules("agents"),
    TagRule("agents.check", Tag.QUERY, 0.65, "a question under a heading or lead-in about checking",
            lambda wording: wording.segment.kind == "item"
            and ((bool(CHECK_QUESTION.search(wording.text)) and (under(CHECKING)(wording) or under(WAKE_UP)(wording)))
                 or (bool(DAY_PART.match(wording.text)) and bool(WAKE_UP.search(wording.heading))))),
    TagRule("agents.route", Tag.DECIDE, 0.7, "a route `X → Y`", Says(ROUTE)),
    TagRule("agents.conditional", Tag.DECIDE, 0.6, "a sentence that opens with a condition", Says(CONDITION_FIRST)),
    TagRule("agents.option_row", Tag.DECIDE, 0.6, "a table row under a lead-in that orders or triggers",
            lambda wording: wording.segment.kind == "table_row" and bool(wording.segment.lead_in)
            and (polarity_of(wording.segment.lead_in) in ORDERS or bool(OPTION_LEAD_IN.search(wording.segment.lead_in)))),
    TagRule("agents.rule_row", Tag.DECIDE, 0.6, "a table row under a heading about routes, rules or an algorithm",
            lambda wording: wording.segment.kind == "table_row" and bool(RULE_TABLE.search(wording.heading))),
    TagRule("agents.item_under_rules", Tag.DECIDE, 0.6, "an item under a heading that announces rules",
            lambda wording: wording.segment.kind == "item" and bool(RULE_HEADING.search(wording.heading))
            and not PLACE_LABEL.match(wording.segment.text)),
    TagRule("agents.governed", Tag.DECIDE, 0.6, "an item under a heading or lead-in that says what must, may or must not be",
            lambda wording: wording.segment.kind == "item" and bool(GOVERNS.search(lead_of(wording.segment) or wording.heading))
            and not LABEL_VALUE.match(wording.text)),
    TagRule("agents.statement", Tag.CONFIG, 0.62, "a sentence that states a fact",
            lambda wording: wording.segment.kind in ("item", "paragraph", "table_row") and not has_condition(wording.text) and bool(STATES.match(wording.text))),
    TagRule("agents.case", Tag.DECIDE, 0.6, "an item under a heading or lead-in about cases, triggers or conditions",
            lambda wording: wording.segment.kind == "item" and under(CASES)(wording)),
    TagRule("agents.restriction", Tag.DECIDE, 0.65, "an item that says what alone may be", Says(RESTRICTION)),
    TagRule("agents.labelled_order", Tag.DECIDE, 0.6, "a label that is an order, with what it orders",
            lambda wording: wording.segment.kind == "item" and bool(ORDER_LABEL.match(wording.text))),
    TagRule("agents.labelled_fact", Tag.CONFIG, 0.6, "a label with a value that orders nothing",
            lambda wording: wording.segment.kind == "item" and bool(LABEL_VALUE.match(wording.text))),
    TagRule("agents.bare_noun", Tag.CONFIG, 0.65, "a few words under a heading or lead-in that orders nothing",
            lambda wording: wording.segment.kind == "item" and is_bare(wording.text)),
    TagRule("agents.checkbox", Tag.ORCHESTRATE, 0.65, "an item with a box to tick", lambda wording: bool(wording.segment.task)),
    TagRule("agents.numbered", Tag.ORCHESTRATE, 0.6, "a numbered item that orders nothing by its wording",
            lambda wording: wording.segment.kind == "item" and wording.segment.ordered and not under(RULES_ABOVE)(wording)),
    TagRule("agents.item", Tag.DECIDE, 0.6, "an item that orders nothing by its wording", IsKind("item")),
    TagRule("agents.row", Tag.CONFIG, 0.65, "any other table row", IsKind("table_row")),
    TagRule("agents.other_language", Tag.DECIDE, 0.4, "a paragraph in a language whose orders are not told from prose",
            lambda wording: wording.segment.kind == "paragraph" and has_any(wording.text, *NON_LATIN)
            and bool(RULE_HEADING.search(wording.heading))),
    TagRule("agents.prose", Tag.CONFIG, 0.65, "everything else: the owner's prose", anything),
)  # fmt: skip
"""Rules for AGENTS.md and scoped AGENTS.md."""

TOOLS_RULES: Final[tuple[TagRule, ...]] = (
    TagRule("tools.status", Tag.CONFIG, 0.7, "the status of a tool, which is a fact about it",
            lambda wording: wording.segment.kind in ("item", "paragraph") and bool(TOOL_STATUS.match(wording.text))),
    *_structural_rules("tools"),
    TagRule("tools.about_file", Tag.NO_DECOMPOSE, 0.7, "prose that orders nothing and says what the file is for",
            lambda wording: wording.segment.kind == "paragraph" and (bool(KEEP_FILE.search(wording.text))
            or (wording.own_polarity is Polarity.DESCRIBES and any(map(THIS_DOCUMENT.search, sentences(wording.text)))))),
    TagRule("tools.lead_in", Tag.NO_DECOMPOSE, 0.85, "a lead-in that only announces", IsKind("lead_in")),
    TagRule("tools.link", Tag.NO_DECOMPOSE, 0.8, "a link to another document, and nothing else", Says(LINK_ONLY)),
    TagRule("tools.file_list", Tag.NO_DECOMPOSE, 0.7, "an item below words for what the file is for",
            lambda wording: wording.segment.kind == "item" and wording.own_polarity is Polarity.DESCRIBES
            and wording.polarity is not Polarity.FORBIDS and under(GOES_HERE)(wording)),
    TagRule("tools.step", Tag.ORCHESTRATE, 0.65, "an order in a numbered list under words for a procedure",
            lambda wording: wording.list_role == "procedure" and wording.own_polarity is Polarity.OBLIGES),
    TagRule("tools.rule", Tag.DECIDE, 0.75, "a prohibition, an approval or a condition on using a tool, also by what stands above",
            lambda wording: Polarity.FORBIDS in (wording.own_polarity, wording.polarity) or "ask_first" in wording.lead_in
            or condition(wording) or restricts(wording) or forbids_too(wording)
            or (wording.own_polarity is Polarity.OBLIGES and wording.segment.kind != "fence" and bool(LIMIT.search(wording.text)))
            or (wording.segment.kind != "fence" and bool(CONDITION_FIRST.search(wording.text)))),
    TagRule("tools.action_row", Tag.DECIDE, 0.65, "a table row whose header says what to do in which case",
            lambda wording: wording.segment.kind == "table_row" and is_about_acting(wording.segment.header)
            and not TOOL_COLUMN.search(" | ".join(wording.segment.header))),
    TagRule("tools.permission", Tag.DECIDE, 0.7, "what may be done, also by the lead-in",
            lambda wording: wording.segment.kind == "item" and wording.polarity is Polarity.PERMITS),
    TagRule("tools.failure", Tag.DECIDE, 0.75, "a failure with what follows",
            lambda wording: wording.segment.kind != "fence" and bool(FAILED.search(wording.text))),
    TagRule("tools.labelled_rule", Tag.DECIDE, 0.7, "an order whose label calls it a rule",
            lambda wording: wording.own_polarity in ORDERS and bool(RULE_LABEL.search(wording.text))),
    TagRule("tools.item_under_rules", Tag.DECIDE, 0.65, "an item under a heading or lead-in that announces rules",
            lambda wording: wording.segment.kind == "item" and under(RULES_ABOVE)(wording)
            and (wording.own_polarity is Polarity.OBLIGES or not LABEL_VALUE.match(wording.text))),
    TagRule("tools.route", Tag.DECIDE, 0.65, "an order with where a kind of thing goes",
            lambda wording: wording.segment.kind == "item" and wording.own_polarity is Polarity.OBLIGES
            and bool(ROUTE.search(wording.text))),
    TagRule("tools.job", Tag.CONFIG, 0.65, "an item under a heading about jobs and their times",
            lambda wording: wording.segment.kind == "item" and wording.own_polarity is Polarity.DESCRIBES
            and any(map(JOBS.search, wording.segment.section))),
    TagRule("tools.data_file", Tag.CONFIG, 0.7, "a data file with what it holds", Says(DATA_FILE)),
    TagRule("tools.order", Tag.DECIDE, 0.65, "an order that chooses between tools or limits one",
            lambda wording: wording.segment.kind in ("item", "paragraph") and not wording.segment.ordered
            and not NO_ORDER.match(wording.text) and bool(CHOOSES.search(wording.text))
            and is_imperative(HINT_LABEL.sub("", wording.text))),
    TagRule("tools.duty", Tag.DECIDE, 0.65, "a sentence that says what should or has to be done",
            lambda wording: wording.segment.kind in ("item", "paragraph") and bool(DUTY.search(wording.text))),
    TagRule("tools.value_row", Tag.CONFIG, 0.7, "a table row of values, not of tools",
            lambda wording: wording.segment.kind == "table_row" and bool(VALUE_COLUMN.search(" | ".join(wording.segment.header)))
            and not TOOL_COLUMN.search(" | ".join(wording.segment.header))),
    TagRule("tools.described_row", Tag.TOOL_TEMPLATE, 0.75, "a table row that says what a tool is for",
            lambda wording: wording.segment.kind == "table_row"
            and (len(wording.segment.cells) > 2 or bool(PURPOSE_COLUMN.search(" | ".join(wording.segment.header))))),
    TagRule("tools.field", Tag.CONFIG, 0.85, "a label with a short value",
            lambda wording: wording.segment.kind in ("item", "paragraph") and bool(SHORT_FIELD.match(wording.text))),
    TagRule("tools.sentence", Tag.TOOL_TEMPLATE, 0.7, "a sentence that says what a tool does or can't do",
            lambda wording: wording.segment.kind != "fence" and bool(ABOUT_TOOL.search(wording.text))),
    TagRule("tools.purpose", Tag.TOOL_TEMPLATE, 0.65, "a sentence about a tool that names a command, address or path",
            lambda wording: wording.segment.kind in ("item", "paragraph") and is_sentence(wording)),
    TagRule("tools.command", Tag.CONFIG, 0.8, "a command, address, port or path", Says(URL_OR_COMMAND)),
    TagRule("tools.figures", Tag.CONFIG, 0.65, "figures and names without a verb",
            lambda wording: wording.segment.kind == "item" and is_figures(wording.text)),
    TagRule("tools.fence", Tag.CONFIG, 0.7, "a fenced block", IsKind("fence")),
    TagRule("tools.listed", Tag.CONFIG, 0.65, "an item of a list of sources, projects or places",
            lambda wording: wording.segment.kind == "item" and wording.own_polarity is Polarity.DESCRIBES
            and bool(LISTED.search(lead_of(wording.segment) or wording.heading))),
    TagRule("tools.description", Tag.TOOL_TEMPLATE, 0.65, "everything else: text about a tool", anything),
)  # fmt: skip
"""Rules for TOOLS.md and the `## Tools` section of AGENTS.md."""

USER_RULES: Final[tuple[TagRule, ...]] = (
    *_structural_rules("user", quoted=None),
    TagRule("user.lead_in", Tag.NO_DECOMPOSE, 0.85, "a lead-in that only announces", IsKind("lead_in")),
    TagRule("user.upkeep", Tag.NO_DECOMPOSE, 0.8, "a note in italics on keeping the file up to date",
            lambda wording: wording.segment.kind == "paragraph" and bool(UPKEEP.match(wording.segment.text))),
    TagRule("user.words", Tag.VALIDATE_OUTPUT, 0.7, "an order about the agent's own words",
            lambda wording: wording.own_polarity in ORDERS
            and (not asks_approval(wording.text) or any(map(SPEECH_ORDER.match, sentences(wording.text))))
            and bool(SPEECH_PROHIBITION.search(wording.text) or OUTPUT_LIMIT.search(wording.text)
                     or ADDRESSES_AGENT.search(wording.text))),
    TagRule("user.wanted_reply", Tag.VALIDATE_OUTPUT, 0.7, "how the person wants to be answered", Says(WANTED_REPLY)),
    TagRule("user.manner", Tag.VALIDATE_OUTPUT, 0.65, "an order under a heading about how it communicates or writes",
            lambda wording: wording.segment.kind == "item" and orders_first(wording) and not asks_approval(wording.text)
            and not actions_in(wording.text) and not DISLIKES.search(wording.text)
            and any(map(MANNER_HEADING.search, wording.segment.section[-1:]))),
    TagRule("user.approval", Tag.DECIDE, 0.8, "an approval, or a prohibition or permission about an action",
            lambda wording: (asks_approval(wording.text) or wording.own_polarity is Polarity.FORBIDS)
            and not DISLIKES.search(wording.text) and bool(actions_in(wording.text) or wording.own_polarity in ORDERS)),
    TagRule("user.barred", Tag.DECIDE, 0.7, "a value that bars actions", Says(BARRED)),
    TagRule("user.condition", Tag.DECIDE, 0.65, "an order under a condition",
            lambda wording: wording.own_polarity in ORDERS and bool(IF.search(wording.text))),
    TagRule("user.labelled_order", Tag.DECIDE, 0.6, "a label with an order that binds",
            lambda wording: wording.own_polarity in ORDERS and bool(LABELLED_ORDER.match(wording.text))),
    TagRule("user.wish", Tag.DECIDE, 0.6, "an order under a heading about helping or working with the person",
            lambda wording: wording.segment.kind == "item" and is_imperative(wording.text) and not LABELLED.match(wording.text)
            and any(HELPING.search(heading) for heading in wording.segment.section[-1:])),
    TagRule("user.order", Tag.DECIDE, 0.6, "a sentence that orders work",
            lambda wording: wording.own_polarity is Polarity.OBLIGES and len(wording.text.split()) >= SENTENCE
            and not LABELLED.match(wording.text) and not SHORT_NAME.match(wording.text) and not PAST.match(wording.text)
            and is_imperative(wording.text) and not any(map(GOALS.search, wording.segment.section[-1:]))),
    TagRule("user.fact", Tag.CONFIG, 0.85, "everything else: a fact about the user", anything),
)  # fmt: skip
"""Rules for USER.md; placeholders and superseded facts are handled before."""


HEARTBEAT_RULES: Final[tuple[TagRule, ...]] = (
    TagRule("heartbeat.markup", Tag.NO_DECOMPOSE, 1.0, "a comment, rule, marker or frontmatter",
            IsKind("comment", "rule", "other", "frontmatter", "table_header")),
    TagRule("heartbeat.heading", Tag.NO_DECOMPOSE, 1.0, "a heading without a cadence", IsKind("heading")),
    TagRule("heartbeat.placeholder", Tag.NO_DECOMPOSE, 0.95, "a placeholder",
            lambda wording: wording.segment.kind != "fence" and is_placeholder(wording.segment.text)),
    TagRule("heartbeat.no_tasks", Tag.NO_DECOMPOSE, 0.9, "words that say there is nothing to do", Says(NO_TASKS)),
    TagRule("heartbeat.history", Tag.NO_DECOMPOSE, 0.85, "a date, version or history line that orders nothing",
            lambda wording: bool(HISTORY.search(wording.text)) and not is_imperative(DATE_FIRST.sub("", wording.text))),
    TagRule("heartbeat.announces", Tag.NO_DECOMPOSE, 0.75, "a label that announces what a quote below it shows",
            lambda wording: wording.segment.kind == "paragraph" and bool(LABEL_ALONE.match(wording.text))),
    TagRule("heartbeat.about_document", Tag.NO_DECOMPOSE, 0.75, "a sentence about the document itself, also after a label",
            lambda wording: wording.segment.kind == "paragraph"
            and bool(THIS_DOCUMENT.search(OPENING_LABEL.sub("", wording.text, count=1)) or KEEP_FILE.search(wording.text)
                     or UPKEEP.match(wording.segment.text)
                     or (wording.own_polarity is Polarity.DESCRIBES and ABOUT_FILE.search(wording.text)))),
    TagRule("heartbeat.link", Tag.NO_DECOMPOSE, 0.75, "a link to another document, and nothing else", Says(LINK_ONLY)),
    TagRule("heartbeat.status", Tag.NO_DECOMPOSE, 0.7, "what was the case when the file was written",
            lambda wording: wording.own_polarity is Polarity.DESCRIBES and not wording.segment.task
            and (bool(STATUS_HEADING.search(wording.heading)) or any(map(DATED_LOG.search, wording.segment.section))
                 or (wording.segment.kind != "fence" and bool(STATE_HEADING.search(wording.heading))))),
    TagRule("heartbeat.done", Tag.NO_DECOMPOSE, 0.65, "a ticked box beside words that tell what was done",
            lambda wording: tells_deed(wording) or (wording.own_polarity is Polarity.DESCRIBES and is_done(wording))),
    TagRule("heartbeat.state_row", Tag.NO_DECOMPOSE, 0.7, "a table row whose header says what was the case",
            lambda wording: wording.own_polarity is Polarity.DESCRIBES and is_state_row(wording)),
    TagRule("heartbeat.logged", Tag.NO_DECOMPOSE, 0.8, "a dated entry of a log that says what was done",
            lambda wording: wording.segment.kind in ("item", "paragraph", "table_row") and bool(LOGGED.search(wording.segment.text))),
    TagRule("heartbeat.when", Tag.ORCHESTRATE, 0.75, "a label with when it is done",
            lambda wording: wording.segment.kind in ("item", "paragraph") and bool(WHEN_LABEL.match(wording.text))
            and says_when(wording.text)),
    TagRule("heartbeat.lead_in_rule", Tag.DECIDE, 0.7, "a lead-in that forbids or restricts",
            lambda wording: wording.segment.kind == "lead_in"
            and (wording.own_polarity is Polarity.FORBIDS or bool(RESTRICTION.search(wording.text)))),
    TagRule("heartbeat.checking_lead_in", Tag.QUERY, 0.65, "a lead-in that orders to open something and verify it",
            lambda wording: wording.segment.kind == "lead_in" and bool(OPENS_AND_VERIFIES.search(wording.text))),
    TagRule("heartbeat.lead_in", Tag.NO_DECOMPOSE, 0.7, "a lead-in that only announces",
            lambda wording: wording.segment.kind == "lead_in" and "trigger" not in wording.lead_in),
    TagRule("heartbeat.form_fence", Tag.VALIDATE_OUTPUT, 0.65, "a fence with the form of what it says", is_form_fence),
    TagRule("heartbeat.fetching_fence", Tag.QUERY, 0.7, "a fence with addresses or commands that read",
            lambda wording: wording.segment.kind == "fence" and not WRITES.search(wording.segment.text)
            and bool(READS.search(wording.segment.text))),
    TagRule("heartbeat.prohibition", Tag.DECIDE, 0.85, "a prohibition, or hours of quiet",
            lambda wording: (Polarity.FORBIDS in (wording.own_polarity, wording.polarity) or forbids_too(wording)
                             or bool(NEGATED_ORDER.search(wording.text) or HOURS_FIRST.search(wording.text)))
            and not speaks(wording)),
    TagRule("heartbeat.permission", Tag.DECIDE, 0.7, "what may be done, also by the lead-in",
            lambda wording: wording.segment.kind in ("item", "paragraph") and wording.polarity is Polarity.PERMITS),
    TagRule("heartbeat.output", Tag.VALIDATE_OUTPUT, 0.7, "length, tone or form of what it says",
            lambda wording: speaks(wording) or (not IF.search(wording.text) and bool(OUTPUT_LIMIT.search(wording.text)))),
    TagRule("heartbeat.output_item", Tag.VALIDATE_OUTPUT, 0.65, "an item under a heading about the form of what it says",
            lambda wording: wording.segment.kind == "item" and under(OUTPUT_FORM)(wording)),
    TagRule("heartbeat.outcome", Tag.DECIDE, 0.8, "what a check found, with what follows", Says(OUTCOME)),
    TagRule("heartbeat.acting_row", Tag.DECIDE, 0.7, "a table row whose header says what to do in which case",
            lambda wording: wording.segment.kind == "table_row" and is_about_acting(wording.segment.header)),
    TagRule("heartbeat.script", Tag.DETERMINISTIC, 0.75, "a label over a command",
            lambda wording: wording.segment.kind in ("item", "paragraph") and bool(SCRIPT_LABEL.match(wording.segment.text))),
    TagRule("heartbeat.question", Tag.QUERY, 0.7, "a question that an item asks",
            lambda wording: wording.segment.kind in ("item", "table_row") and bool(CHECK_QUESTION.search(wording.text))),
    TagRule("heartbeat.check_whether", Tag.QUERY, 0.8, "an order to check whether something holds", Says(CHECK_WHETHER)),
    TagRule("heartbeat.condition", Tag.DECIDE, 0.8, "if, when, unless, otherwise, a threshold",
            lambda wording: wording.segment.kind != "fence" and decides(wording.text)),
    TagRule("heartbeat.restriction", Tag.DECIDE, 0.65, "a line that says what alone may be, or a label over a case",
            lambda wording: wording.segment.kind in ("item", "paragraph")
            and bool(CASE_LABEL.match(wording.text) or (wording.own_polarity is Polarity.DESCRIBES and RESTRICTS.search(wording.text)))),
    TagRule("heartbeat.alert_condition", Tag.DECIDE, 0.75, "an item under a heading that says when to alert",
            under(ALERT_WHEN)),
    TagRule("heartbeat.fact", Tag.CONFIG, 0.62, "a fact, by its label or by a heading or lead-in over facts",
            lambda wording: wording.segment.kind in ("item", "paragraph") and wording.own_polarity is Polarity.DESCRIBES and is_fact(wording)),
    TagRule("heartbeat.verify", Tag.QUERY, 0.75, "a check that something outside works",
            lambda wording: wording.segment.kind != "fence" and bool(VERIFIES.search(wording.text))),
    TagRule("heartbeat.query", Tag.QUERY, 0.8, "a check that reads something",
            lambda wording: wording.segment.kind not in ("lead_in", "fence", "table_row")
            and bool(QUERY.search(wording.text))
            and not TIME_COLUMN.search(" | ".join(wording.segment.header))),
    TagRule("heartbeat.command", Tag.DETERMINISTIC, 0.75, "a command and what it does", Says(COMMAND_FIRST)),
    TagRule("heartbeat.read_only", Tag.QUERY, 0.65, "a query or address to read",
            lambda wording: bool(READS.search(wording.text)) and not WRITES.search(wording.text)),
    TagRule("heartbeat.route", Tag.DECIDE, 0.6, "a route from a kind of thing to where it goes",
            lambda wording: wording.own_polarity is Polarity.DESCRIBES and not wording.segment.ordered
            and wording.segment.kind == "item" and bool(ROUTE.search(wording.text))),
    TagRule("heartbeat.case", Tag.DECIDE, 0.65, "a case, an arrow, and the order that follows from it", is_case),
    TagRule("heartbeat.item_under_rules", Tag.DECIDE, 0.65, "an item under a heading or lead-in that announces rules",
            lambda wording: wording.segment.kind == "item" and not wording.segment.ordered and under(RULES_ABOVE)(wording)),
    TagRule("heartbeat.instruction", Tag.ORCHESTRATE, 0.75, "an order that none of these is",
            lambda wording: wording.own_polarity is not Polarity.DESCRIBES or wording.segment.ordered),
    TagRule("heartbeat.case_of_rule", Tag.DECIDE, 0.65, "a noun under a lead-in that says what alone, or not, to do with it",
            lambda wording: wording.segment.kind == "item" and wording.own_polarity is Polarity.DESCRIBES and not wording.segment.task
            and not is_content(wording) and (is_case_below(wording) or bool(CASE_LEAD_IN.search(wording.segment.lead_in or wording.segment.parent)))),
    TagRule("heartbeat.content", Tag.VALIDATE_OUTPUT, 0.6, "a part of the message that its lead-in orders",
            lambda wording: wording.segment.kind == "item" and wording.own_polarity is Polarity.DESCRIBES and is_content(wording)),
    TagRule("heartbeat.timed_row", Tag.ORCHESTRATE, 0.65, "a table row with a column that says when",
            lambda wording: wording.segment.kind == "table_row" and bool(TIME_COLUMN.search(" | ".join(wording.segment.header)))),
    TagRule("heartbeat.check_row", Tag.QUERY, 0.65, "a table row with a column that says what is checked",
            lambda wording: wording.segment.kind == "table_row" and wording.own_polarity is Polarity.DESCRIBES
            and bool(CHECK_COLUMN.search(" | ".join(wording.segment.header)))),
    TagRule("heartbeat.fact_row", Tag.CONFIG, 0.62, "any other table row that orders and asks nothing",
            lambda wording: wording.segment.kind == "table_row" and wording.own_polarity is Polarity.DESCRIBES),
    TagRule("heartbeat.thing_to_check", Tag.QUERY, 0.6, "a noun under a heading about checking",
            lambda wording: wording.segment.kind == "item" and under(CHECKING)(wording)),
    TagRule("heartbeat.command_fence", Tag.DETERMINISTIC, 0.65, "a fence with commands", is_command_fence),
    TagRule("heartbeat.item", Tag.ORCHESTRATE, 0.6, "a checklist item or table row",
            IsKind("item", "table_row", "lead_in")),
    TagRule("heartbeat.order", Tag.ORCHESTRATE, 0.7, "a paragraph or fence that orders something",
            lambda wording: is_directive(wording) or wording.segment.kind == "fence"),
    TagRule("heartbeat.hours", Tag.DECIDE, 0.65, "what holds outside its hours, or a reply token", Says(OUTSIDE_HOURS)),
    TagRule("heartbeat.owners_prose", Tag.ORCHESTRATE, 0.6, "a paragraph of the owner's that orders nothing, about a wake-up or a time",
            lambda wording: wording.segment.kind == "paragraph" and not wording.segment.quoted
            and says_when(wording.text)),
    TagRule("heartbeat.told", Tag.CONFIG, 0.6, "any other paragraph of the owner's that orders nothing",
            lambda wording: wording.segment.kind == "paragraph" and not wording.segment.quoted),
    TagRule("heartbeat.prose", Tag.NO_DECOMPOSE, 0.7, "everything else", anything),
)  # fmt: skip
"""Rules for HEARTBEAT.md and BOOT.md; the cadence forms handle cadence declarations before."""
