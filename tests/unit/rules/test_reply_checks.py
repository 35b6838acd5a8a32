"""Which lines get a check, which are left to the judge, and which checks exclude each other: rather none than a wrong one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from melleafy_tui.core.language.reply_checks import check_of, contradictions
from melleafy_tui.core.models.mapping import RuleCheck


def limit(kind: str, unit: str, number: int) -> RuleCheck:
    return RuleCheck(kind, unit, number)


CHECKED: dict[str, RuleCheck] = {
    "Keep every reply under 120 words.": limit("at_most", "words", 119),
    "- **Length:** max. 150 words": limit("at_most", "words", 150),
    "Keep all replies to 120 words or less": limit("at_most", "words", 120),
    "Never exceed 1,200 words.": limit("at_most", "words", 1200),
    "Never answer in more than 10 lines.": limit("at_most", "lines", 10),
    "Your answers must be at least 20 words long.": limit("at_least", "words", 20),
    "Replies have 5–12 lines.": RuleCheck("between", "lines", 12, 5),
    "Keep it short. 1-2 sentences max. Like texting a friend.": limit("at_most", "sentences", 2),
    "Ask at most one question at a time.": limit("at_most", "questions", 1),
    "Use at most 1 emoji per reply": limit("at_most", "emoji", 1),
    "At most 280 characters per message": limit("at_most", "characters", 280),
    "No emoji.": RuleCheck("without", "emoji"),
    "❌ Emojis": RuleCheck("without", "emoji"),
    "No markdown tables": RuleCheck("without", "tables"),
    "Use bullet points in every reply.": RuleCheck("has", "bullets"),
    "Reply only with JSON": RuleCheck("is_json"),
    "Always answer in plain text.": RuleCheck("plain_text"),
    "Reply in English only.": RuleCheck("in_language", "English"),
    'Never say "as an AI".': RuleCheck("must_not_contain", phrases=("as an AI",)),
    'Don\'t start with "Great question!" or "Sure"': RuleCheck(
        "must_not_start_with", phrases=("Great question", "Sure")
    ),
    'End every reply with "Over."': RuleCheck("must_end_with", phrases=("Over",)),
    "Antworte in höchstens 80 Wörtern.": limit("at_most", "words", 80),
    "Verwende keine Emojis.": RuleCheck("without", "emoji"),
    "Stelle höchstens eine Frage pro Antwort.": limit("at_most", "questions", 1),
    'Beginne nie mit "Gerne".': RuleCheck("must_not_start_with", phrases=("Gerne",)),
    "Máximo 3 frases por mensaje": limit("at_most", "sentences", 3),
    "Responde siempre en español.": RuleCheck("in_language", "Spanish"),
    "Sem emojis": RuleCheck("without", "emoji"),
    "Réponds en 3 phrases maximum": limit("at_most", "sentences", 3),
    "N'utilise pas d'émojis.": RuleCheck("without", "emoji"),
    "Rispondi in italiano": RuleCheck("in_language", "Italian"),
    "Отвечай не более 3 предложений.": limit("at_most", "sentences", 3),
    "每次回复不超过3句话": limit("at_most", "sentences", 3),
    "回覆控制在200字以內": limit("at_most", "words", 200),
    "不要用emoji": RuleCheck("without", "emoji"),
    "3文以内で返信する": limit("at_most", "sentences", 3),
    "絵文字は使わない": RuleCheck("without", "emoji"),
    "이모지 사용하지 않기": RuleCheck("without", "emoji"),
}

JUDGED = (
    "On Telegram, no Markdown tables.",
    "No emojis unless the user uses them",
    "Usually at most 3 sentences",
    "Max 3 sentences per paragraph",
    "Headlines: max 60 characters",
    "Commit messages under 50 characters",
    "For status questions: at most 2 sentences",
    "No tables, use lists",
    "No headings, no tables",
    "Max 3 sentences. Never promise dates.",
    "Emojis in moderation",
    "Don't overuse emojis",
    "No Markdown",
    "Use emojis",
    "Default to 2 sentences",
    "About 5 sentences",
    "Reply in English or German",
    "Always reply in the user's language",
    'No "Great question!" filler, no "I\'d be happy to help!".',
    'Never say "I will send [x] to you".',
    'Say "no" to scope creep',
    "Read at most 3 files",
    "Keine Emojis, außer der Nutzer nimmt welche",
    "除非用户要求，否则不用表格",
    "Write a reply of at most five sentences that names the policy number and the class.",
)


@pytest.mark.parametrize("line", CHECKED)
def test_one_limit_or_one_thing_is_checked(line: str) -> None:
    assert check_of(line) == CHECKED[line]


@pytest.mark.parametrize("line", JUDGED)
def test_what_says_more_or_hedges_is_the_judge_s(line: str) -> None:
    assert check_of(line) is None


def test_a_lead_in_forbids_or_narrows_and_a_channel_narrows() -> None:
    assert check_of("- emojis", ["Never:"]) == RuleCheck("without", "emoji")
    assert check_of("- no emojis", ["Never:"]) is None
    assert check_of("- No tables", ["In replies:"], ["Style"]) == RuleCheck("without", "tables")
    assert check_of("- No tables", ["In invoices:"]) is None
    assert check_of("- No tables", [], ["Discord"]) is None


HEDGES = st.sampled_from(
    [
        "unless asked",
        "by default",
        "usually",
        "when it fits",
        "in moderation",
        "normalerweise",
        "por defecto",
        "通常",
    ]
)
SECOND_THINGS = st.sampled_from(
    ["use lists", "no links", "in 3 lines", "sans liens", "one emoji", "jede Tabelle mit Rand"]
)
ONE_CLAUSE = [line for line in CHECKED if "." not in line.rstrip(".") and ":" not in line]


@given(line=st.sampled_from(ONE_CLAUSE), hedge=HEDGES, joint=st.sampled_from([" ", ", ", " — ", " ("]))
def test_a_hedged_line_has_no_check(line: str, hedge: str, joint: str) -> None:
    assert check_of(f"{line.rstrip('.')}{joint}{hedge}") is None


@given(line=st.sampled_from(ONE_CLAUSE), more=SECOND_THINGS, joint=st.sampled_from([" ", ", ", ". ", " — "]))
def test_a_line_of_two_things_has_no_check(line: str, more: str, joint: str) -> None:
    assert check_of(f"{line.rstrip('.')}{joint}{more}") is None


@given(st.text(max_size=400))
def test_no_text_breaks_the_reading(text: str) -> None:
    check_of(text, [text[:40]], [text[-40:]])


EXCLUDE: list[tuple[str, str]] = [
    ("Keep every reply under 50 words.", "Write at least 200 words in every reply."),
    ("Reply in English only.", "Reply in German only."),
    ("Use bullet points in every reply.", "Never use bullet points."),
    ("Every reply must include a table.", "Always answer in plain text."),
    ('Never say "Moin".', 'Always say "Moin".'),
    ("Replies have 5-12 lines.", "Höchstens 3 Zeilen"),
    ("No lists", "Use bullet points in every reply."),
]


@pytest.mark.parametrize("pair", EXCLUDE)
def test_checks_that_no_reply_can_keep_together_are_found(pair: tuple[str, str]) -> None:
    checks = [check for line in (*pair, "No emoji.", "At most 300 words") if (check := check_of(line))]
    assert len(checks) == 4
    assert contradictions(checks) == ((0, 1),)


def test_checks_that_go_together_are_no_contradiction() -> None:
    lines = (
        "At most 300 words",
        "At least 20 words",
        "No tables",
        "Responde en español",
        'Never say "Moin".',
    )
    assert contradictions([check for line in lines if (check := check_of(line))]) == ()
