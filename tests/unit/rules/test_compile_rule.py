"""Which wordings become a check, and which are left to the judge: prefer none to a wrong one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from melleafy_tui.core.language.checks.compiler import compile_rule
from melleafy_tui.core.language.checks.kinds import KINDS
from melleafy_tui.core.language.orders import Polarity
from melleafy_tui.core.models.mapping import RuleCheck
from tests.guard import bounded

OBLIGES, FORBIDS = Polarity.OBLIGES, Polarity.FORBIDS

COMPILED: list[tuple[str, Polarity, RuleCheck]] = [
    ("Keep every reply under 120 words.", OBLIGES, RuleCheck("max_words", limit=119)),
    ("Keep all replies to 120 words or less", OBLIGES, RuleCheck("max_words", limit=120)),
    ("Never exceed 1,200 words.", FORBIDS, RuleCheck("max_words", limit=1200)),
    ("Must never: reply with more than 80 words", FORBIDS, RuleCheck("max_words", limit=80)),
    ("**Length:** max 150 words", OBLIGES, RuleCheck("max_words", limit=150)),
    ("Your answers must be at least 20 words long.", OBLIGES, RuleCheck("min_words", limit=20)),
    ("Keep replies to 2-3 sentences.", OBLIGES, RuleCheck("between_sentences", limit=3, least=2)),
    ("Reply in one sentence", OBLIGES, RuleCheck("exact_sentences", limit=1)),
    ("Limit responses to three sentences.", OBLIGES, RuleCheck("max_sentences", limit=3)),
    ("At most 280 characters per message", OBLIGES, RuleCheck("max_characters", limit=280)),
    ("No more than 2 paragraphs", OBLIGES, RuleCheck("max_paragraphs", limit=2)),
    ("No more than 2 paragraphs", FORBIDS, RuleCheck("max_paragraphs", limit=2)),
    ("Replies must be fewer than ten lines", OBLIGES, RuleCheck("max_lines", limit=9)),
    ("Draft a reply of at most 120 words.", OBLIGES, RuleCheck("max_words", limit=120)),
    ("Answer with a message under 50 words", OBLIGES, RuleCheck("max_words", limit=49)),
    ("Send an answer with no more than 3 sentences", OBLIGES, RuleCheck("max_sentences", limit=3)),
    ("Never send a message of more than 100 words", FORBIDS, RuleCheck("max_words", limit=100)),
    ("Use at most five bullet points", OBLIGES, RuleCheck("max_bullets", limit=5)),
    ("Ask at most one question at a time.", OBLIGES, RuleCheck("max_questions", limit=1)),
    ("Use at most 1 emoji per reply", OBLIGES, RuleCheck("max_emoji", limit=1)),
    (
        "Use no more than one exclamation mark per message",
        OBLIGES,
        RuleCheck("max_exclamation_marks", limit=1),
    ),
    ("No emoji.", FORBIDS, RuleCheck("no_emoji")),
    ("Never use emojis", FORBIDS, RuleCheck("no_emoji")),
    ("Must never: use emoji", FORBIDS, RuleCheck("no_emoji")),
    ("Avoid: exclamation marks", FORBIDS, RuleCheck("no_exclamation_marks")),
    ("Replies must not contain links", FORBIDS, RuleCheck("no_links")),
    ("Do not use tables in replies", FORBIDS, RuleCheck("no_tables")),
    ("No headers", FORBIDS, RuleCheck("no_headings")),
    ("Never send code blocks.", FORBIDS, RuleCheck("no_code_fences")),
    ("No bullet points", FORBIDS, RuleCheck("no_bullets")),
    ("Don't use em dashes", FORBIDS, RuleCheck("no_em_dashes")),
    ("Never write in the first person", FORBIDS, RuleCheck("no_first_person")),
    ("Never use hashtags or bold text", FORBIDS, RuleCheck("without", phrases=("hashtags", "bold"))),
    (
        "No headings, tables, or code blocks in replies.",
        FORBIDS,
        RuleCheck("without", phrases=("headings", "tables", "code_fences")),
    ),
    ("Never ask questions.", FORBIDS, RuleCheck("no_questions")),
    ("Every reply must include a link.", OBLIGES, RuleCheck("has_links")),
    ("Reply in plain text only.", OBLIGES, RuleCheck("plain_text")),
    ("Write plain text, no Markdown headings and no tables.", OBLIGES, RuleCheck("plain_text")),
    ("No headings and no tables", FORBIDS, RuleCheck("without", phrases=("headings", "tables"))),
    ('End with "The press desk".', OBLIGES, RuleCheck("ends_with", phrases=("The press desk",))),
    ('Never write "no comment".', FORBIDS, RuleCheck("not_contains", phrases=("no comment",))),
    ("No Markdown", FORBIDS, RuleCheck("plain_text")),
    ("Answer in JSON only", OBLIGES, RuleCheck("json")),
    ("Output must be valid JSON", OBLIGES, RuleCheck("json")),
    ("Write in all lowercase", OBLIGES, RuleCheck("lowercase")),
    (
        'Never say "as an AI language model".',
        FORBIDS,
        RuleCheck("not_contains", phrases=("as an AI language model",)),
    ),
    (
        "Never say “sorry” or “unfortunately”",
        FORBIDS,
        RuleCheck("not_contains", phrases=("sorry", "unfortunately")),
    ),
    ('Replies must contain "Regards"', OBLIGES, RuleCheck("contains", phrases=("Regards",))),
    ('Replies must contain "Yes" or "No"', OBLIGES, RuleCheck("contains_any", phrases=("Yes", "No"))),
    ('Always start every reply with "Hello"', OBLIGES, RuleCheck("starts_with", phrases=("Hello",))),
    ('Never start a reply with "Sure"', FORBIDS, RuleCheck("not_starts_with", phrases=("Sure",))),
    ('Replies must end with "Over."', OBLIGES, RuleCheck("ends_with", phrases=("Over.",))),
    ("Never end a reply with a question.", FORBIDS, RuleCheck("not_ends_with", phrases=("?", "？"))),
    ("回复不超过200字。", OBLIGES, RuleCheck("max_words", limit=200)),
    ("每次回复控制在三句话以内", OBLIGES, RuleCheck("max_sentences", limit=3)),
    ("回答至少五十个字", OBLIGES, RuleCheck("min_words", limit=50)),
    ("一次最多问一个问题", OBLIGES, RuleCheck("max_questions", limit=1)),
    ("禁止使用表情符号", FORBIDS, RuleCheck("no_emoji")),
    ("禁止：使用表情符号", FORBIDS, RuleCheck("no_emoji")),
    ("不要使用感叹号和表情符号", FORBIDS, RuleCheck("without", phrases=("exclamation_marks", "emoji"))),
    ("不要說「作為一個AI」", FORBIDS, RuleCheck("not_contains", phrases=("作為一個AI",))),
    ("回复必须以“您好”开头", OBLIGES, RuleCheck("starts_with", phrases=("您好",))),
    ("请使用纯文本回复", OBLIGES, RuleCheck("plain_text")),
    ("只输出JSON", OBLIGES, RuleCheck("json")),
]

LEFT_TO_THE_JUDGE = [
    "Be concise.",
    "If asked, keep every reply under 120 words.",
    "Keep every reply under 120 words unless the user asks for more.",
    "Keep every reply under 120 words. Cite your sources.",
    "Usually keep replies under 120 words",
    "Try to keep replies under 120 words",
    "Keep commit messages under 72 characters.",
    "Keep MEMORY.md under 200 lines.",
    "At most 3 sentences per paragraph",
    "10 words per sentence",
    "Discord/WhatsApp: No markdown tables",
    "WhatsApp: No headers — use bold or CAPS for emphasis",
    "Never use `rm -rf`.",
    "Start with `git status`.",
    "Never drop tables.",
    "No links to competitors",
    "Do not post emoji in the general channel",
    "Never say goodbye",
    "Write plain text, no emoji",
    'Never use "rm -rf"',
    'Say "no" when in doubt',
    "Wait at least 10 minutes between messages",
    "Check at most 5 tickets",
    "Draft a summary of at most 50 words",
    "Write a reply of at most 120 words to each customer",
    "Limit tool calls to 3",
    "No more than 2 follow-ups per ticket",
    "Never send more than 3 messages",
    "Must never: No emoji",
    "Keep it positive",
    "Reply in Spanish",
    "Do not ask questions you can answer yourself",
    "不要提交代码",
    "每天最多检查三次",
    "如果用户生气，不要使用表情符号",
    "回复要简洁",
    "Emoji",
    "",
    "0 words or less",
]


def test_a_clear_wording_becomes_its_check() -> None:
    found = [(statement, polarity, compile_rule(statement, polarity)) for statement, polarity, _ in COMPILED]
    assert found == COMPILED


def test_an_unclear_wording_is_left_to_the_judge() -> None:
    cases = [(statement, polarity) for statement in LEFT_TO_THE_JUDGE for polarity in (OBLIGES, FORBIDS)]
    assert [case for case in cases if compile_rule(*case) is not None] == []


@pytest.mark.parametrize("polarity", [Polarity.PERMITS, Polarity.DESCRIBES])
def test_what_is_no_rule_is_never_checked(polarity: Polarity) -> None:
    assert all(compile_rule(statement, polarity) is None for statement, _, _ in COMPILED)


@pytest.mark.parametrize(
    "statement",
    [
        "Keep every reply under 120 words.",
        "Keep replies to 2-3 sentences.",
        "Reply in plain text only.",
        "Answer in JSON only",
        "Every reply must include a link.",
        'Replies must contain "Regards"',
        'Always start every reply with "Hello"',
    ],
)
def test_an_obligation_under_a_prohibition_is_not_turned_round(statement: str) -> None:
    assert compile_rule(statement, FORBIDS) is None


@pytest.mark.parametrize("heading", ["Discord", "Group chats", "Commit messages", "邮件"])
def test_a_rule_of_one_channel_is_no_rule_of_every_reply(heading: str) -> None:
    assert compile_rule("No emoji", FORBIDS, ("AGENTS", heading)) is None
    assert compile_rule("No emoji", FORBIDS, ("AGENTS", "Style")) == RuleCheck("no_emoji")


def test_at_least_fifteen_kinds_are_reached_from_wordings() -> None:
    reached = {check.kind for _, _, check in COMPILED}
    assert reached <= KINDS.keys()
    assert len(reached) >= 30


PIECES = st.lists(
    st.sampled_from(
        [
            "never",
            "do",
            "not",
            "use",
            "any",
            "emoji",
            "or",
            ",",
            ":",
            "“",
            "”",
            '"',
            "'",
            "`",
            "120",
            "words",
            "at",
            "most",
            "one",
            "in",
            "replies",
            "reply",
            "must",
            "be",
            "不要",
            "回复",
            "最多",
            "三",
            "句",
            "（",
            "**",
            "_",
            "-",
            "—",
            "\n",
        ]
    ),
    max_size=60,
).map(" ".join)


@given(st.one_of(st.text(max_size=400), PIECES), st.sampled_from(Polarity))
def test_any_text_is_compiled_to_a_known_kind_or_to_none(statement: str, polarity: Polarity) -> None:
    check = compile_rule(statement, polarity)
    assert check is None or check.kind in KINDS


@pytest.mark.parametrize(
    "hostile",
    [
        "no " + "emoji, " * 1_000,
        "keep " * 1_000,
        "不要" * 1_000,
        "every " * 1_000 + "reply",
        '"a" or ' * 1_000,
        "**" * 1_000,
        "_a" * 1_000,
        " " * 10**6,
    ],
    ids=["list", "keep", "bans", "every", "quotes", "stars", "underscores", "long"],
)
def test_the_patterns_are_quick_on_hostile_text(hostile: str) -> None:
    with bounded():
        compile_rule(hostile, FORBIDS)
