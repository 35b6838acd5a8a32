"""The review: which cards a conversion has, what their answers do, and that an answer settles a card for good."""

from pathlib import Path

import pytest

from melleafy_tui.core.decisions.file import format_decisions, parse_decisions
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.core.models.decisions import DecisionsDocument
from melleafy_tui.core.models.vocabulary import Disposition
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.pipeline.review import ReviewItem, ReviewReason, cost_after, review_items
from tests.converted import conversion_of

EXAMPLES = Path(__file__).parents[2] / "examples"
FOLDERS = Path(__file__).parents[1] / "dialects"
MOST_CARDS = 12


def opened(name: str) -> Conversion:
    return conversion_of(EXAMPLES / name).copy()


def card(conversion: Conversion, reason: ReviewReason) -> ReviewItem:
    return next(item for item in review_items(conversion) if item.reason is reason)


def take(conversion: Conversion, item: ReviewItem, name: str) -> None:
    conversion.act(next(answer.command for answer in item.answers if answer.name == name))


def reopened(conversion: Conversion, source: str) -> Conversion:
    text = format_decisions(conversion.to_document())
    later = opened(source)
    later.load(parse_decisions(text, source="melleafy-decisions.json"))
    return later


@pytest.mark.parametrize("name", ["hostile", "invoice-intake", "release-desk", "ticket-triage", "tool-heavy"])
def test_suggestions_settle_every_card_also_for_the_next_run(name: str) -> None:
    conversion = opened(name)
    items = review_items(conversion)
    assert 0 < len(items) <= MOST_CARDS
    assert [item.reason for item in items] == sorted(
        (item.reason for item in items), key=list(ReviewReason).index
    )
    for item in items:
        assert 2 <= len(item.answers) <= 4
        assert len({answer.letter for answer in item.answers}) == len(item.answers)
        assert all(
            cost_after(conversion, answer) or answer.name in ("release", "none") for answer in item.answers
        )
        conversion.act(item.answers[0].command)
    assert not review_items(conversion)
    assert not review_items(reopened(conversion, name))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hostile", "invoice-intake", "release-desk", "ticket-triage"])
def test_every_answer_settles_its_card(name: str) -> None:
    for number, item in enumerate(review_items(opened(name))):
        for answer in item.answers:
            conversion = opened(name)
            conversion.act(answer.command)
            assert item.item not in [each.item for each in review_items(conversion)], (number, answer.name)
            assert item.item not in [each.item for each in review_items(reopened(conversion, name))]


def test_an_override_settles_the_row_and_is_one_act() -> None:
    conversion = opened("invoice-intake")
    item = card(conversion, ReviewReason.TOOL)
    before = conversion.decisions
    take(conversion, item, "stub")
    by_id = conversion.plan.by_id
    assert {by_id[row.entry_id].disposition for row in item.rows} == {Disposition.STUB}
    conversion.undo()
    assert conversion.decisions == before
    assert card(conversion, ReviewReason.TOOL) == item


def test_a_card_is_open_again_when_its_text_has_changed() -> None:
    conversion = opened("invoice-intake")
    item = card(conversion, ReviewReason.MEMORY)
    take(conversion, item, "keep")
    document = conversion.to_document()
    older = [each.model_copy(update={"expects": None}) for each in document.reviewed]
    changed = [
        each.model_copy(
            update={"expects": each.expects and each.expects.model_copy(update={"text": "sha256:00"})}
        )
        for each in document.reviewed
    ]
    for reviewed, is_open in ((older, False), (changed, True)):
        later = opened("invoice-intake")
        later.load(document.model_copy(update={"reviewed": tuple(reviewed)}))
        assert (item in review_items(later)) is is_open


def test_an_orphan_moves_to_a_row_that_is_like_it_or_is_dropped_or_kept() -> None:
    words = {"text": "sha256:00", "words": "Never close a ticket on your own, always ask a person."}
    orphan = {"key": "AGENTS.md#gone/never-close", "disposition": "stub", "expects": words}
    document = DecisionsDocument.model_validate({"overrides": [orphan]})
    for name, left in (("move", 0), ("drop", 0), ("later", 1)):
        conversion = opened("ticket-triage")
        conversion.load(document)
        item = card(conversion, ReviewReason.ORPHAN)
        answer = next(each for each in item.answers if each.name.startswith(name))
        conversion.act(answer.command)
        assert len(conversion.decisions.unplaced) == left
        assert len(conversion.decisions.overrides) == (name == "move")
        assert ReviewReason.ORPHAN not in [each.reason for each in review_items(conversion)]


def test_a_conflict_is_settled_by_any_resolution() -> None:
    conversion = conversion_of(FOLDERS / "hybrid" / "workspaces" / "openclaw-and-skill").copy()
    found = [item for item in review_items(conversion) if item.reason is ReviewReason.CONFLICT]
    assert found
    for answer in found[0].answers:
        other = conversion.copy()
        other.act(answer.command)
        assert found[0].item not in [item.item for item in review_items(other)]


def test_a_file_with_an_empty_review_is_refused() -> None:
    with pytest.raises(MelleafyError):
        parse_decisions('{"reviewed": [{"item": "", "answer": "keep"}]}', source="file")
