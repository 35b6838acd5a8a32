"""How sure the dialect is, and where points outweigh a weak rule. None of the lines is a real workspace's."""

from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.dialects.openclaw.weighed_readings import START, WEAK, Weights, weighed, weights
from melleafy_tui.core.models.inventory import LOW_CONFIDENCE, Element
from melleafy_tui.core.models.vocabulary import Category, Tag
from tests.dialects.openclaw.in_memory import elements_of

FOR_STEPS: Final = Weights({START: "DECIDE 0 CONFIG 0 ORCHESTRATE 0", "word: shelf": "ORCHESTRATE 11"})


def _item(confidence: float) -> Element:
    item = elements_of("AGENTS.md", "## Kiln\n\n- The shelf of the east kiln\n")[-1]
    return replace(
        item, tag=Tag.CONFIG, category=Category.C2, rationale="agents.prose", confidence=confidence
    )


def test_points_outweigh_a_weak_rule_and_say_why() -> None:
    read = weighed(_item(WEAK), ["word: shelf"], FOR_STEPS)
    assert (read.tag, read.rationale) == (Tag.ORCHESTRATE, "agents.weighed")
    assert read.notes[-1] == "The rule agents.prose reads it as CONFIG; “word: shelf” weighs more."


def test_points_leave_a_clear_rule_and_a_close_one() -> None:
    assert weighed(_item(WEAK + 0.1), ["word: shelf"], FOR_STEPS).tag is Tag.CONFIG
    close = Weights({**FOR_STEPS.cells, "word: shelf": "ORCHESTRATE 1"})
    assert weighed(_item(WEAK), ["word: shelf"], close).tag is Tag.CONFIG


def test_a_tag_that_is_more_likely_wrong_than_right_never_wins() -> None:
    unlikely = Weights({START: "CONFIG -30 ORCHESTRATE -30", "word: shelf": "ORCHESTRATE 25"})
    assert weighed(_item(WEAK), ["word: shelf"], unlikely).tag is Tag.CONFIG


def test_points_leave_a_checklist_as_its_rules_read_it() -> None:
    item = replace(_item(WEAK), tag=Tag.QUERY, category=Category.C9, dialect_rule_id="openclaw.heartbeat")
    table = Weights({START: "QUERY 0 ORCHESTRATE 0", "word: shelf": "ORCHESTRATE 30"})
    assert weighed(item, ["word: shelf"], table).tag is Tag.QUERY


def test_confidence_follows_the_points() -> None:
    few, many = (Weights({START: f"CONFIG {points}"}) for points in (-5, 40))
    assert weighed(_item(0.6), [], few).confidence < LOW_CONFIDENCE
    assert weighed(_item(0.6), [], many).confidence > 0.9


def test_what_a_workspace_declares_is_not_weighed() -> None:
    declared = elements_of("IDENTITY.md", "- **Name:** Ember\n")[-1]
    assert declared.confidence > 0.9


def test_the_table_names_tags_only() -> None:
    table = weights()
    names = {tag.value for tag in Tag}
    assert {outcome for name in table.cells for outcome in table.of(name)} <= names
    assert len(table.cells) < 1_000


def test_bounds_that_stay_with_the_persona_are_asked_about() -> None:
    found = elements_of("SOUL.md", "## Boundaries\n\n- Warmth before wit at the kiln.\n")[-1]
    assert (found.rationale, found.confidence < LOW_CONFIDENCE) == ("soul.section", True)
