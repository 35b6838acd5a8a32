"""The small inputs of `tests/cases` about judging, facts, memory, times, tools and secrets, as they lie there."""

from pathlib import Path
from typing import Final

import pytest

from melleafy_tui.core.models.facts import ActionFact
from melleafy_tui.core.models.vocabulary import DecisionKind, Modality
from melleafy_tui.core.package.source_tool_rules import tool_rows
from melleafy_tui.core.pipeline.review_cards import review_cards
from tests.conftest import PROJECT
from tests.converted import conversion_of

CASES: Final = PROJECT / "tests" / "cases"
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
    "tags-are-headings": ["Answer in at most 80 words.", "No emoji."],
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
TIMES: Final[dict[str, list[str]]] = {
    "dayparts-reach-the-crontab": [
        "taken look for new orders 900 08:00-18:00",
        "taken look for complaints 1800 18:00-23:00",
    ],
    "overnight-window-reaches-the-crontab": ["taken  1800 22:00-06:00"],
    "unread-time-is-not-always-due": [
        "taken look for new mail 1800",
        "asked write the summary of the month words",
    ],
    "exceptions-stay-with-their-task": ["taken Weekday lunch 86400 12:30-12:59"],
    "incident-report-is-no-task": ["taken look for new mail 3600"],
    "daemon-note-is-no-task": ["taken look for new mail 7200"],
    "checklist-of-headings-wakes-nobody": [],
    "check-named-by-its-daypart": [
        "taken Morning Check 0 8 * * *",
        "taken Afternoon Check 0 14 * * *",
    ],
    "days-above-hold-for-all": ["taken Early 30 4 * * 1-6"],
    "days-above-may-be-unread": ["asked Early 30 4 * * *"],
    "days-above-may-leave-out-one": ["asked Early 30 4 * * *"],
    "weekly-on-sundays-is-a-sunday": ["taken Tidy up 0 0 * * 0"],
    "short-zone-label-is-read": ["taken look for new mail 0 9 * * *"],
    "german-window-is-read": ["taken  1800 08:00-18:00"],
    "mentioned-loop-is-no-schedule": [],
    "only-agents-with-a-block-are-woken": [],
    "heartbeat-off-prints-no-crontab": [],
    "housekeeping-hooks-wake-nobody": [],
}
CALLS: Final[dict[str, list[str]]] = {
    "ask-before-posting-guards-the-post": ["POST https://chat.example.org/api/post asks"],
    "header-from-a-variable-is-kept": ["POST https://api.example.org/api/post"],
    "bad-example-is-no-tool": [],
    "script-by-its-place-elsewhere": ["python3 /home/olga/.openclaw/workspace/scripts/report.py <month>"],
    "one-script-is-one-tool": ["python3 scripts/report.py <month>"],
    "example-place-becomes-a-parameter": ["GET https://api.example.org/{location}?format=3"],
    "denied-script-is-refused": [
        "scripts/send.sh <version> denied",
        "python3 scripts/pub.py <version> denied",
        "bash scripts/deploy.sh <version> denied",
    ],
    "denied-tools-stay-denied": [
        "GET https://stock.example.org/api/level/{item} denied",
        "python3 scripts/report.py <month> denied",
    ],
    "grant-of-a-skill-is-a-bound": [
        "Bash",
        "bash scripts/deploy.sh <env> asks",
        "python3 scripts/pub.py <version> asks",
        "scripts/send.sh <version>",
    ],
}


def case(name: str) -> Path:
    folder = CASES / name / "input"
    return folder / "workspace" if (folder / "workspace").is_dir() else folder


@pytest.mark.parametrize("name", TIMES)
def test_what_wakes_the_agent(name: str) -> None:
    found = conversion_of(case(name)).classification
    rows = [
        f"{row.state} {row.title} {row.schedule.cron or row.schedule.seconds or row.schedule.type}"
        + (f" {row.schedule.active_start}-{row.schedule.active_end}" if row.schedule.active_start else "")
        for row in found.schedule.rows
    ]
    assert rows == TIMES[name]
    assert (found.modality is Modality.SYNCHRONOUS_ONESHOT) == (not rows)


@pytest.mark.parametrize("name", CALLS)
def test_what_the_package_may_call(name: str) -> None:
    rows, _ = tool_rows(conversion_of(case(name)).inventory.elements)
    said = [f"{row.call}{' denied' if row.denied else ' asks' if row.asks else ''}" for row in rows]
    assert said == CALLS[name]


def test_what_is_masked_is_in_no_file_and_said() -> None:
    for name, value, code in (
        ("security-word-is-masked", "Marmalade-Otter", "secret-possible"),
        ("secret-in-a-script-is-said", "sk-", "secret-found"),
    ):
        conversion = conversion_of(case(name))
        assert [file.path for file in conversion.files.files if value in file.text] == []
        assert [each.code for each in conversion.diagnostics if each.code.startswith("secret")] == [code]
    for name in ("harmless-words-stay", "harmless-script-is-copied-unchanged"):
        assert not [each for each in conversion_of(case(name)).diagnostics if each.code.startswith("secret")]


@pytest.mark.parametrize("name", JUDGED)
def test_what_each_reply_is_checked_by(name: str) -> None:
    found = [
        element.statement
        for element in conversion_of(case(name)).inventory.elements
        if element.decided(DecisionKind.JUDGED, DecisionKind.CHECKED) and element.source_file != "SOUL.md"
    ]
    assert found == JUDGED[name]


PERSONA_RULES: Final[dict[str, list[str]]] = {
    "headings-turn-their-rules": [
        "Warm and short.",
        "What I never do: Formal greetings in emoji style",
        "First reply: Until they name a date: One short question, no more.",
    ],
    "quoted-replies-are-examples": [
        '**Short thanks ("ok", "cool"):** Never reply with only an emoji. Pick one style:'
    ],
}


@pytest.mark.parametrize("name", PERSONA_RULES)
def test_what_of_a_persona_each_reply_is_checked_by(name: str) -> None:
    elements = conversion_of(case(name)).inventory.elements
    found = [each for each in elements if each.decided(DecisionKind.JUDGED, DecisionKind.CHECKED)]
    assert [each.statement for each in found] == PERSONA_RULES[name]
    assert not [each for each in elements if each.facts[ActionFact].effect]


def test_a_document_is_carried_by_its_place_elsewhere() -> None:
    files = conversion_of(case("script-by-its-place-elsewhere")).files.files
    assert [file for file in files if file.path.endswith(".md") and "A report has a total." in file.text]


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


def test_files_that_nothing_orders_to_read_are_a_row() -> None:
    cards = review_cards(conversion_of(case("unread-folders-are-named")))
    rows = [row.text for card in cards for row in card.rows if row.item == "unread:unused"]
    assert rows == ["notes/plan.md, wiki/tariffs.md"]
