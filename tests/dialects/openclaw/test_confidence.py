"""How sure the dialect is of a tag, by the points of its evidence. None of the lines is a real workspace's."""

from msgspec.structs import replace

from melleafy_tui.core.dialects.openclaw.confidence import CLEAR, START, PointsTable, points_table, weighed
from melleafy_tui.core.models.inventory import LOW_CONFIDENCE
from melleafy_tui.core.models.vocabulary import Tag
from tests.dialects.openclaw.in_memory import elements_of


def test_confidence_follows_the_points() -> None:
    item = elements_of("AGENTS.md", "## Kiln\n\n- Cordierite shelves, fifteen\n")[-1]
    table = PointsTable({START: f"{item.tag.value} 0", "word: shelves": f"{item.tag.value} 40"})
    few, many = weighed(item, ["word: kiln"], table), weighed(item, ["word: shelves"], table)
    assert few.confidence < LOW_CONFIDENCE < 0.9 < many.confidence
    assert few.tag is many.tag is item.tag


def test_a_clear_rule_is_not_asked_about() -> None:
    limit = elements_of("AGENTS.md", "## Replies\n\n- Keep every reply under 120 words.\n")[-1]
    table = PointsTable({START: f"{limit.tag.value} -40"})
    assert weighed(replace(limit, confidence=CLEAR), [], table).confidence == LOW_CONFIDENCE
    assert weighed(replace(limit, confidence=CLEAR - 0.1), [], table).confidence < LOW_CONFIDENCE


def test_stock_text_is_not_asked_about() -> None:
    stock = elements_of("AGENTS.md", "## Safety\n\n- Don't exfiltrate private data. Ever.\n")[-1]
    table = PointsTable({START: f"{stock.tag.value} -40"})
    assert stock.template
    assert weighed(stock, [], table).confidence == LOW_CONFIDENCE


def test_the_review_asks_about_a_bare_line_of_a_checklist() -> None:
    bare = elements_of("HEARTBEAT.md", "## Kiln\n\n- shelves of cordierite, fifteen\n")[-1]
    order = elements_of("HEARTBEAT.md", "## Kiln\n\n- [ ] Check the inbox for urgent mail\n")[-1]
    assert bare.confidence < LOW_CONFIDENCE <= order.confidence


def test_what_a_workspace_declares_has_no_points() -> None:
    declared = elements_of("IDENTITY.md", "- **Name:** Ember\n")[-1]
    assert declared.confidence > 0.9


def test_the_table_names_tags_only() -> None:
    table = points_table()
    names = {tag.value for tag in Tag}
    assert {outcome for name in table.cells for outcome in table.of(name)} <= names
    assert len(table.cells) < 1_000


def test_bounds_that_stay_with_the_persona_are_asked_about() -> None:
    found = elements_of("SOUL.md", "## Boundaries\n\n- Warmth before wit at the kiln.\n")[-1]
    assert (found.rationale, found.confidence < LOW_CONFIDENCE) == ("soul.section", True)
