"""Which lines are judged on every reply, which are only offered, and which never are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from melleafy_tui.core.language.reply_rules import MOST_TICKED, Place, ReplyLine, reply_rules

RULES, PERSONA, PERSON = Place.RULES, Place.PERSONA, Place.PERSON


def rule(text: str, *headings: str, lead_ins: tuple[str, ...] = (), place: Place = RULES) -> ReplyLine:
    return ReplyLine(place, "item", text, headings, lead_ins)


TICKED: dict[str, ReplyLine] = {
    "length": rule("Keep it short, no filler.", "Replies"),
    "a phrase": rule('No "Great question!" filler, no "I\'d be happy to help!".'),
    "never shared": rule("Never share API keys, passwords or private data.", "Replies"),
    "a limit": rule("Replies have 5–12 lines.", "Replies"),
    "a channel": rule("On Telegram, no Markdown tables.", "Replies"),
    "no heading at all": rule("Never promise a delivery date."),
    "its own words": rule("Never ask more than one clarifying question per message", "How we work"),
    "never told": rule("Never tell a guest what another guest paid.", "Core", place=PERSONA),
    "a label": rule("Tone: dry and friendly, never salesy.", "House"),
    "a lead-in": rule("plain words, no jargon", "House", lead_ins=("How you talk to guests:",)),
    "a prohibition of the lead-in": rule(
        "invent a price", "What guests may expect", lead_ins=("Do not:",), place=PERSONA
    ),
    "the persona": rule("Be direct and calm. No flattery.", "Core", place=PERSONA),
    "the person": rule("Prefers short answers without filler.", "About", place=PERSON),
    "German": rule("Antworte kurz und ohne Floskeln.", "Antworten"),
    "Portuguese": rule("Sem bajulação, tom direto.", "Estilo"),
    "Chinese": rule("回答要简洁，不要废话。", "沟通风格"),
    "Japanese": rule("敬語は使わない。", "話し方"),
    "Korean": rule("존댓말을 사용하고 짧게 답변하기", "말투"),
    "Russian": rule("Отвечай кратко и без воды.", "Стиль общения"),
    "a row of a table": ReplyLine(RULES, "table_row", "| thanks | words, never an emoji |", ("Style",)),
    "what is said": rule("Always say the next step and recommend one option.", "Response style"),
}

UNJUDGED: dict[str, ReplyLine] = {
    "another agent": rule(
        "Work style: thoughtful, always cite three sources", "The team", "Quill (blog writer)"
    ),
    "a teammate below the team": rule("Tone: warm and witty, never formal", "The team", "Quill"),
    "form of a note": rule("Short lines with emoji", "How to save", lead_ins=("Format for MEMORY.md:",)),
    "form of a report": rule("Use tables, never bullets", "Weekly report style"),
    "reminded of at a time": rule(
        "today's tone and mood", lead_ins=("Every evening 21:00 (review):",), place=PERSONA
    ),
    "a file": rule("Create a short `memory/YYYY-MM-DD.md` entry for each day.", "Core", place=PERSONA),
    "a command": rule("Before answering questions, always run `brv query topic`.", "Knowledge"),
    "when to use": rule("Always use this before creating a pull request."),
    "a line of a torn table": ReplyLine(PERSONA, "paragraph", "| Calls | voice and tone |", ("Style",)),
    "a question": rule("Is the answer short enough?", "Replies"),
    "a flow": rule("Question → short answer → next step", "Replies"),
    "a checkbox": rule("[ ] short answer", "Replies"),
    "an example value": rule("[short, warm, direct]", "Tone"),
    "a permission": rule("You can talk casually.", "Replies"),
    "no topic": rule("Numbers have a unit.", "Replies"),
    "other work": rule("Keep functions short.", "Building"),
    "a fact": rule("Short people in the team: Ann", "About", place=PERSON),
    "another's name above": rule(
        "Mill-Bot answers in short lines only",
        "Helpers",
        lead_ins=("Mill-Bot runs beside the wheel and speaks to the miller:",),
        place=PERSONA,
    ),
    "a case of a heading": rule("Greetings, short questions", "When to answer in brief", place=PERSONA),
    "a mention without an order": rule(
        "Liability for dangerous things is objective: whoever uses a long vehicle pays, also after a short trip",
        "Law",
        place=PERSONA,
    ),
    "a topic in brackets": rule("Work talk (plans, long reports) happens in the office.", "Channels"),
    "below a permission": rule(
        "a short question", lead_ins=("You may answer at once when it is:",), place=PERSONA
    ),
    "a permission in two words": rule("Emoji OK", "Style"),
    "a slot that nobody filled": rule("Tone: `{{TONE}}`", "Voice", place=PERSONA),
    "a label that is an order": rule('Present in numbered format: "1. Bread 2. Milk"', "Priorities"),
    "a fact with a negation": rule("Each post brings guests, not only short visits", "About", place=PERSON),
    "posts, in Spanish": rule("Formatos: video corto, texto breve", "Reglas de contenido"),
    "posts, in Japanese": rule("短く、鋭く", "投稿の書き方", place=PERSONA),
    "template": ReplyLine(PERSONA, "paragraph", "Be concise when needed.", template=True),
    "the last choice of an order": ReplyLine(
        PERSONA,
        "item",
        "direct calls like `dig`",
        ("Work",),
        ("Always prefer, in this order:",),
        numbered=True,
    ),
    "what the person is like": ReplyLine(
        PERSON, "paragraph", "She is direct and corrects whoever guesses.", ("Communication style",)
    ),
    "files for a question": rule("Open the files of `shelf/` only for the user's question.", "Files"),
}

OFFERED: dict[str, ReplyLine] = {
    "an order under a style heading": rule("Numbers always with their unit.", "Replies"),
    "an order of the persona": rule("Never leave a guest waiting.", "Core", place=PERSONA),
    "who it is": rule("You are Vale, a short and warm harbour clerk who never naps.", "Core", place=PERSONA),
    "a case": rule("Before the tests run, always give a short plan.", "Core", place=PERSONA),
    "a case, in Chinese": rule("如果用户着急，不要长篇回答", "原则", place=PERSONA),
    "a topic and an order in two sentences": rule(
        "Never nap on duty. A question stays open until noon.", "Core", place=PERSONA
    ),
    "a number of something else": rule(
        "Keep one lamp lit, and the sentence on its door.", "Core", place=PERSONA
    ),
    "must be said, without a style heading": rule("Always mention the house rules.", "Core", place=PERSONA),
}


@pytest.mark.parametrize("name", TICKED)
def test_a_rule_about_replies_is_ticked_with_its_reason(name: str) -> None:
    (found,) = reply_rules([TICKED[name]])
    assert found.ticked
    assert found.reason.endswith(".")


@pytest.mark.parametrize("name", UNJUDGED)
def test_what_is_about_something_else_is_neither_ticked_nor_offered(name: str) -> None:
    assert reply_rules([UNJUDGED[name]]) == ()


@pytest.mark.parametrize("name", OFFERED)
def test_an_order_without_a_topic_is_offered_unticked(name: str) -> None:
    (found,) = reply_rules([OFFERED[name]])
    assert not found.ticked


def test_the_reason_names_place_and_topic() -> None:
    (found,) = reply_rules([rule("Keep it short.", "House", "**Style**")])
    assert found.reason == "Under the heading 'Style', it speaks of length."
    never = "In the persona, it speaks of what is never said."
    for text in ("Never promise a date.", "Never tell what you promise."):
        (found,) = reply_rules([rule(text, place=PERSONA)])
        assert found.reason == never


def test_a_lead_in_that_passes_takes_its_list() -> None:
    lead_in = "When you talk to guests, always keep these in short answers:"
    lines = [
        ReplyLine(RULES, "lead_in", lead_in, ("House",)),
        rule("the price, never rounded", "House", lead_ins=(lead_in,)),
        rule("no filler", "House", lead_ins=(lead_in,)),
        rule("Be brief in replies.", "House"),
    ]
    assert [(found.position, found.items) for found in reply_rules(lines)] == [(0, (1, 2)), (3, ())]


def test_at_most_twenty_are_ticked_in_the_owner_s_order_and_checks_do_not_count() -> None:
    lines = [rule(f"Keep part {number} short.", "Replies") for number in range(30)]
    found = reply_rules([*lines, rule("No emoji.", "Replies")])
    assert [each.ticked for each in found] == [True] * MOST_TICKED + [False] * 10 + [True]
    assert found[-1].check is not None
    assert "20 rules before it" in found[25].reason


def test_a_line_that_stands_twice_is_one_rule() -> None:
    line = rule("Keep it short.", "Replies")
    assert len(reply_rules([line, line])) == 1


@given(st.text(max_size=200), st.text(max_size=40), st.sampled_from(list(Place)))
def test_no_text_breaks_the_test(text: str, heading: str, place: Place) -> None:
    reply_rules([ReplyLine(place, "item", text, (heading,), (heading,))])
