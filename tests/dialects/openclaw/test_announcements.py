"""Items that only announce what is nested under them, and ranks that need the name of their list."""

from melleafy_tui.core.models.vocabulary import Category, Polarity
from tests.dialects.openclaw.in_memory import elements_of, kept


def test_an_item_that_only_announces_is_no_rule_and_its_items_carry_its_words() -> None:
    text = "- Must never promise:\n  - a refund\n  - a release date\n"
    announcing, *rules = elements_of("AGENTS.md", text)
    assert announcing.category is Category.NONE
    assert [rule.statement for rule in rules] == [
        "Must never promise: a refund",
        "Must never promise: a release date",
    ]
    assert {rule.polarity for rule in rules} == {Polarity.FORBIDS}


def test_an_item_with_a_colon_and_nothing_under_it_is_a_rule() -> None:
    rule = kept("AGENTS.md", "- Never promise these things:\n- Be kind.\n")[0]
    assert rule.category is Category.C2


def test_an_item_with_nested_items_and_no_colon_is_a_rule_of_its_own() -> None:
    rules = kept("AGENTS.md", "- Never close a ticket\n  - unless the customer agrees\n")
    assert rules[0].statement == "Never close a ticket"


def test_a_rank_carries_the_name_of_its_list_and_its_place() -> None:
    ranks = kept("AGENTS.md", "## Priorities\n\n1. Data loss\n2. Outages\n")
    assert [rank.statement for rank in ranks] == ["Priorities (1): Data loss", "Priorities (2): Outages"]


def test_a_bare_order_under_red_lines_keeps_its_heading() -> None:
    text = "## Red lines\n\n- Share client data with other clients.\n- When in doubt, ask.\n- Never lie.\n"
    rules = kept("AGENTS.md", text)
    assert [rule.statement for rule in rules] == [
        "Red lines: share client data with other clients.",
        "When in doubt, ask.",
        "Never lie.",
    ]


def test_an_order_beside_a_reply_token_is_not_removed_with_it() -> None:
    text = "Run daily\n\n- If somebody cancelled, offer the slot\nIf nothing needs attention, reply HEARTBEAT_OK.\n"
    item = kept("HEARTBEAT.md", text)[-1]
    assert item.runtime_only == ""
    alone = kept("HEARTBEAT.md", "Run daily\n\n- If nothing needs attention, reply HEARTBEAT_OK.\n")[-1]
    assert alone.runtime_only
