"""The small inputs of `../shared/cases` about judging, lead-ins, facts, memory and left-out lines, as they lie there."""

from pathlib import Path
from typing import Final

import pytest

from melleafy_tui.core.models.vocabulary import DecisionKind
from melleafy_tui.core.pipeline.review_cards import review_cards
from tests.conftest import PROJECT
from tests.converted import conversion_of

CASES: Final = PROJECT.parent / "shared" / "cases"
JUDGED: Final[dict[str, list[str]]] = {
    "crossed-out-example-stays-forbidden": [],
    "form-of-a-note-is-not-judged": [],
    "reminder-list-is-not-judged": ["Never promise a delivery date."],
    "style-of-another-agent-is-not-judged": [],
    "rules-about-the-reply-are-judged": [
        "Replies have 5–12 lines.",
        "On Telegram, no Markdown tables.",
        "Never share API keys, passwords or private data.",
    ],
    "german-rules-are-checked": [
        "Antworte in höchstens 80 Wörtern.",
        "Verwende keine Emojis.",
        "Stelle höchstens eine Frage pro Antwort.",
        'Beginne nie mit "Gerne".',
    ],
    "when-to-use-is-not-judged": ["Never answer in more than 10 lines."],
    "visible-rules-are-judged-invisible-not": ['No "Great question!" filler, no "I\'d be happy to help!".'],
    "impossible-rules-are-said": [],
}
IN_THE_PACKAGE: Final[dict[str, list[str]]] = {
    "crossed-out-example-stays-forbidden": ['❌ "Creating lasting value" (CANNOT MEASURE)'],
    "order-with-a-runtime-token-is-kept": ["DO NOT reply HEARTBEAT_OK without acting."],
    "next-step-in-a-state-block": ["Verify the upload and fix the path of the test file"],
    "front-matter-is-not-persona": ["You are a keen gardener."],
    "rules-are-not-masked": ["must pass F1–F13", "check that the tables are whole"],
}
NOWHERE: Final = {
    "memory-is-not-shipped": "ZEBRAFINCH",
    "front-matter-is-not-persona": 'title: "SOUL.md Template"',
}


def case(name: str) -> Path:
    folder = CASES / name / "input"
    if not folder.is_dir():
        pytest.skip("../shared is not there: this is a plain clone")
    return folder


@pytest.mark.parametrize("name", JUDGED)
def test_what_each_reply_is_checked_by(name: str) -> None:
    found = [
        element.statement
        for element in conversion_of(case(name)).inventory.elements
        if element.decided(DecisionKind.JUDGED, DecisionKind.CHECKED) and element.source_file != "SOUL.md"
    ]
    assert found == JUDGED[name]


@pytest.mark.parametrize("name", IN_THE_PACKAGE)
def test_what_the_owner_wrote_is_in_the_package(name: str) -> None:
    code = "\n".join(file.text for file in conversion_of(case(name)).files.files if file.path.endswith(".py"))
    assert [words for words in IN_THE_PACKAGE[name] if words not in code] == []


@pytest.mark.parametrize("name", NOWHERE)
def test_what_stays_outside_is_in_no_file(name: str) -> None:
    files = conversion_of(case(name)).files.files
    assert [file.path for file in files if NOWHERE[name] in file.text] == []


def test_rules_that_exclude_each_other_are_three_rows_with_both_lines() -> None:
    rows = [
        row for card in review_cards(conversion_of(case("impossible-rules-are-said"))) for row in card.rows
    ]
    found = [row.text for row in rows if row.item.startswith("contradiction:")]
    assert len(found) == 3
    assert "under 50 words" in found[0]
    assert "at least 200 words" in found[0]


def test_facts_of_another_language_come_from_the_caller() -> None:
    elements = conversion_of(case("german-facts-come-from-the-caller")).inventory.elements
    labels = [each.label for each in elements if each.decided(DecisionKind.OVERRIDABLE)]
    assert labels == ["name", "ort", "sprache", "anrede", "arbeitszeiten"]


def test_a_schedule_is_shown_with_days_hours_and_zone() -> None:
    rows = [
        row
        for card in review_cards(conversion_of(case("schedule-card-shows-days-and-zone")))
        for row in card.rows
    ]
    (row,) = [row for row in rows if row.item.startswith("schedule:")]
    for part in ("every 30 minutes", "mon, tue, wed, thu, fri", "08:00-18:00", "Europe/Berlin"):
        assert part in row.result
