"""The review: which cards a conversion has, what their answers do, and that an answer settles a card for good."""

from pathlib import Path

import pytest

from melleafy_tui.core.decisions.file import format_decisions, parse_decisions
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.core.models.decisions import DecisionsDocument
from melleafy_tui.core.models.vocabulary import Disposition
from melleafy_tui.core.output.write_plan import Action, Content, FileState, PlannedFile
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.pipeline.review_cards import cost_after, open_items, review_cards
from melleafy_tui.core.pipeline.review_rows import CARD_TITLES, Card, ReviewItem, ReviewRow
from tests.converted import conversion_of

EXAMPLES = Path(__file__).parents[2] / "examples"
FOLDERS = Path(__file__).parents[1] / "dialects"


def opened(name: str) -> Conversion:
    return conversion_of(EXAMPLES / name).copy()


def card(conversion: Conversion, name: Card) -> ReviewItem:
    return next(item for item in open_items(review_cards(conversion)) if item.card is name)


def take(conversion: Conversion, row: ReviewRow, name: str) -> None:
    conversion.act(next(answer.command for answer in row.answers if answer.name.startswith(name)))


def all_rows(conversion: Conversion) -> dict[str, ReviewRow]:
    return {row.item: row for item in review_cards(conversion) for row in item.rows}


def written(folder: Path, **files: str) -> Conversion:
    """Return a workspace's conversion; the files are named without their endings."""
    for name, text in files.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return conversion_of(folder).copy()


def reopened(conversion: Conversion, source: str) -> Conversion:
    text = format_decisions(conversion.to_document())
    later = opened(source)
    later.load(parse_decisions(text, source="melleafy-decisions.json"))
    return later


@pytest.mark.parametrize("name", ["hostile", "invoice-intake", "ticket-triage"])
def test_accepting_each_card_settles_it_also_for_the_next_run(name: str) -> None:
    conversion = opened(name)
    items = open_items(review_cards(conversion))
    assert 0 < len(items) <= len(Card)
    assert [item.card for item in items] == sorted((item.card for item in items), key=list(Card).index)
    rows = [row for item in items for row in item.rows]
    assert len({row.item for row in rows}) == len(rows)
    for row in rows:
        assert row.text
        assert row.why
        assert row.result
        assert len({answer.letter for answer in row.answers}) == len(row.answers)
    first = rows[0]
    assert all(cost_after(conversion, answer) for answer in first.answers if answer.name != "none")
    for item in items:
        conversion.act(item.accept)
    assert not open_items(review_cards(conversion))
    assert not open_items(review_cards(reopened(conversion, name)))
    assert {row.item for row in rows} <= set(all_rows(conversion)), "what is settled stays in the list"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hostile", "invoice-intake", "release-desk", "ticket-triage"])
def test_every_answer_settles_its_row(name: str) -> None:
    for item in open_items(review_cards(opened(name))):
        for row in item.rows:
            for answer in row.answers:
                conversion = opened(name)
                conversion.act(answer.command)
                for each in (conversion, reopened(conversion, name)):
                    left = [row.item for item in open_items(review_cards(each)) for row in item.rows]
                    assert row.item not in left, (row.item, answer.name)


def test_a_rule_is_unticked_and_ticked_with_its_reason_and_what_comes_out(tmp_path: Path) -> None:
    conversion = written(
        tmp_path,
        AGENTS="# Rules\n\n## Style\n\n- Keep replies under 90 words.\n\n## Work\n\n- Sort the mail.\n",
        SOUL="# Soul\n\n- You never let a friend down.\n",
    )
    limit = all_rows(conversion)["judged:AGENTS.md#rules/style/keep-replies-under-90-words"]
    assert (limit.file, limit.lines, limit.ticked, limit.settled) == ("AGENTS.md", "5", True, False)
    assert "Style" in limit.why
    assert "Python" in limit.result
    assert not [row for row in all_rows(conversion).values() if "Sort the mail" in row.text]
    take(conversion, limit, "no")
    unticked = all_rows(conversion)[limit.item]
    assert (unticked.ticked, unticked.settled) == (False, True)
    take(conversion, unticked, "yes")
    assert all_rows(conversion)[limit.item].ticked


def test_an_offered_line_of_the_persona_is_checked_when_it_is_ticked(tmp_path: Path) -> None:
    conversion = written(tmp_path, AGENTS="# Rules\n\n- Sort the mail.\n", SOUL="# Soul\n\n- Never gossip.\n")
    offered = next(row for row in card(conversion, Card.CHECKED).rows if "gossip" in row.text)
    assert not offered.ticked
    take(conversion, offered, "yes")
    assert all_rows(conversion)[offered.item].ticked
    assert "gossip" in next(
        file.text for file in conversion.files.files if file.path.endswith("requirements.py")
    )


def test_rules_that_exclude_each_other_are_one_row_and_checked_once_one_is_chosen(tmp_path: Path) -> None:
    rules = "# Rules\n\n## Style\n\n- Answer in at most 20 words.\n- Answer in at least 80 words.\n"
    conversion = written(tmp_path, AGENTS=rules, SOUL="# Soul\n\nCalm.\n")
    (row,) = card(conversion, Card.NEEDS_YOU).rows
    assert row.item.startswith("contradiction:AGENTS.md#rules/style/answer-in-at")
    assert "at most 20" in row.text
    assert "at least 80" in row.text
    assert not [row for row in all_rows(conversion).values() if row.item.startswith("judged:AGENTS")]
    take(conversion, row, "only:")
    checked = [
        row.text
        for row in all_rows(conversion).values()
        if row.item.startswith("judged:AGENTS") and row.ticked
    ]
    assert checked == ["Answer in at most 20 words."]
    kept, dropped = conversion.to_document().contradictions
    assert {(each.answer, each.against) for each in (kept, dropped)} == {
        ("keep", dropped.key),
        ("drop", kept.key),
    }
    assert not conversion.to_document().judged
    assert saved(conversion, tmp_path).decisions.retags == conversion.decisions.retags
    assert Card.NEEDS_YOU not in [item.card for item in open_items(review_cards(conversion))]


def test_a_line_of_the_old_runtime_stays_out_with_its_own_reason_until_it_is_kept(tmp_path: Path) -> None:
    line = "Reply HEARTBEAT_OK when nothing needs attention."
    conversion = written(
        tmp_path, AGENTS=f"# Rules\n\n- Sort the mail.\n- {line}\n", SOUL="# Soul\n\nCalm.\n"
    )
    (row,) = card(conversion, Card.LEFT_OUT).rows
    assert row.text == line
    assert row.why
    take(conversion, row, "keep")
    assert Card.LEFT_OUT not in [item.card for item in open_items(review_cards(conversion))]


def test_titles_are_those_of_the_seven_cards() -> None:
    assert len(CARD_TITLES) == len(Card)


def test_an_override_settles_the_row_and_is_one_act() -> None:
    conversion = opened("invoice-intake")
    row = card(conversion, Card.CALLS).rows[0]
    before = conversion.decisions
    take(conversion, row, "stub")
    assert conversion.plan.by_id[row.entry_id].disposition is Disposition.STUB
    assert not all_rows(conversion)[row.item].ticked
    conversion.undo()
    assert conversion.decisions == before
    assert card(conversion, Card.CALLS).rows[0] == row


def test_a_row_is_open_again_when_its_text_has_changed() -> None:
    conversion = opened("invoice-intake")
    row = card(conversion, Card.TRAVELS).rows[0]
    take(conversion, row, "keep")
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
        assert all_rows(later)[row.item].settled is not is_open


def test_an_orphan_moves_to_a_row_that_is_like_it_or_is_dropped_or_kept() -> None:
    words = {"text": "sha256:00", "words": "Never close a ticket on your own, always ask a person."}
    orphan = {"key": "AGENTS.md#gone/never-close", "disposition": "stub", "expects": words}
    document = DecisionsDocument.model_validate({"overrides": [orphan]})
    for name, left in (("move", 0), ("drop", 0), ("keep", 1)):
        conversion = opened("ticket-triage")
        conversion.load(document)
        row = next(row for row in card(conversion, Card.NEEDS_YOU).rows if row.item.startswith("orphan:"))
        take(conversion, row, name)
        assert len(conversion.decisions.unplaced) == left
        assert len(conversion.decisions.overrides) == (name == "move")
        assert row.item not in [
            each.item for item in open_items(review_cards(conversion)) for each in item.rows
        ]


def test_a_conflict_is_settled_by_any_resolution() -> None:
    conversion = conversion_of(FOLDERS / "hybrid" / "workspaces" / "openclaw-and-skill").copy()
    found = [row for row in card(conversion, Card.NEEDS_YOU).rows if row.item.startswith("conflict:")]
    assert found
    for answer in found[0].answers:
        other = conversion.copy()
        other.act(answer.command)
        assert all_rows(other)[found[0].item].settled


def test_a_file_with_an_empty_review_is_refused() -> None:
    with pytest.raises(MelleafyError):
        parse_decisions('{"reviewed": [{"item": "", "answer": "keep"}]}', source="file")


def wake_rows(conversion: Conversion) -> dict[str, ReviewRow]:
    found = [item for item in review_cards(conversion) if item.card is Card.WAKES]
    return {row.text: row for item in found for row in item.rows}


CHECKLIST = """\
# HEARTBEAT.md

- Every 30 minutes: look for new mail.
- Last day of each month, 21:00: write the summary of the month.
"""


def test_each_time_of_the_source_has_a_row_with_its_own_reason(tmp_path: Path) -> None:
    conversion = written(
        tmp_path,
        HEARTBEAT=CHECKLIST,
        SOUL="# Soul\n\nCalm.\n",
        MEMORY="# Log\n\n- Stand-up every day at 9:00.\n",
    )
    mail, month, log = wake_rows(conversion).values()
    assert [row.ticked for row in (mail, month, log)] == [True, False, False]
    assert "every 30 minutes" in mail.result
    assert "write the summary of the month=WHEN" in month.result
    assert len({mail.why, month.why, log.why}) == 3
    take(conversion, mail, "off")
    row = wake_rows(conversion)[mail.text]
    assert (row.ticked, row.settled) == (False, True)
    assert not conversion.classification.schedule.tasks
    take(conversion, row, "due")
    assert wake_rows(conversion)[mail.text].ticked
    for item in open_items(review_cards(conversion)):
        conversion.act(item.accept)
    assert not open_items(review_cards(conversion))


def test_a_tool_says_what_it_calls_and_by_which_rule_it_asks(tmp_path: Path) -> None:
    tools = "# Tools\n\n## Chat\n\nPost a message:\n\n```bash\ncurl -X POST https://chat.example.org/post -d '{t}'\n```\n"
    rules = "# Rules\n\n- Ask before you post a message.\n- Ask before you buy anything.\n"
    rows = all_rows(written(tmp_path, AGENTS=rules, TOOLS=tools, SOUL="# Soul\n\nCalm.\n"))
    (tool,) = [row for name, row in rows.items() if name.startswith("tool:")]
    assert tool.text.startswith("POST https://chat.example.org/post: ")
    assert "Asks first: AGENTS.md:3" in tool.result
    (alone,) = [row for name, row in rows.items() if name.startswith("approval:")]
    assert (alone.text, alone.ticked, alone.answers) == ("Ask before you buy anything.", False, ())


def test_a_rule_of_several_sentences_is_taken_apart_and_stays_so(tmp_path: Path) -> None:
    soul = "# Soul\n\n## Voice\n\nBe warm and curious. Never use emoji. Ask one question at a time.\n"
    conversion = written(tmp_path, SOUL=soul)
    row = next(row for row in all_rows(conversion).values() if "Never use emoji" in row.text)
    if not row.ticked:
        take(conversion, row, "yes")
        row = all_rows(conversion)[row.item]
    assert [answer.name for answer in row.answers[2:]] == ["without-1", "without-2", "without-3"]
    take(conversion, row, "without-2")
    assert all_rows(conversion)[row.item].text == "Be warm and curious. Ask one question at a time."
    later = saved(conversion, tmp_path)
    assert all_rows(later)[row.item].text == "Be warm and curious. Ask one question at a time."


def test_files_that_could_not_be_read_stay_out_with_their_reason(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "people.md").symlink_to(FOLDERS)
    (tmp_path / "memory" / "plan.md").symlink_to(tmp_path / "gone.md")
    conversion = written(tmp_path, SOUL="# Soul\n\nCalm.\n")
    rows = {row.text: row for name, row in all_rows(conversion).items() if name.startswith("unread:")}
    assert set(rows) == {"memory/people.md", "memory/plan.md"}
    assert rows["memory/people.md"].why != rows["memory/plan.md"].why
    take(conversion, rows["memory/plan.md"], "keep")
    assert all_rows(conversion)[rows["memory/plan.md"].item].settled


def test_a_near_tie_of_runtimes_is_asked_about_and_settled_by_one() -> None:
    conversion = conversion_of(FOLDERS / "hybrid" / "workspaces" / "openclaw-and-skill").copy()
    row = all_rows(conversion)["runtime:hybrid"]
    assert "OpenClaw" in row.text
    assert [answer.name for answer in row.answers[1:]] == [
        f"only:{name}" for name in conversion.classification.dialect_runtimes
    ]
    take(conversion, row, "only:")
    assert "runtime:hybrid" not in all_rows(conversion)
    assert len(conversion.classification.dialect_runtimes) == 1


def test_files_that_do_not_merge_need_a_person() -> None:
    merge = PlannedFile("pipeline.py", FileState.EDITED, Content.CHANGED, Action.CONFLICT)
    cards = review_cards(opened("persona-only"), [merge])
    (row,) = [row for row in cards[-1].rows if row.item.startswith("merge:")]
    assert cards[-1].card is Card.NEEDS_YOU
    assert "pipeline.py.new" in row.result


def saved(conversion: Conversion, folder: Path) -> Conversion:
    """Return a later run over a folder with the decisions of an earlier one."""
    later = conversion_of(folder).copy()
    later.load(parse_decisions(format_decisions(conversion.to_document())))
    return later


def test_a_fact_that_does_not_travel_is_in_no_file_and_the_caller_must_give_it(tmp_path: Path) -> None:
    facts = "# User\n\n- **Name:** Zuleika Quint\n- **Timezone:** Europe/Lisbon\n- **Drink:** tea\n"
    conversion = written(
        tmp_path, AGENTS="# Rules\n\n- Sort the mail.\n", SOUL="# Soul\n\nCalm.\n", USER=facts
    )
    row = all_rows(conversion)["travels:USER.md#user/name"]
    assert row.ticked
    take(conversion, row, "no")
    for each in (conversion, saved(conversion, tmp_path)):
        assert not [file.path for file in each.files.files if "Zuleika" in file.text]
        assert [(item.key, item.answer) for item in each.to_document().travels] == [
            ("USER.md#user/name", "no")
        ]
        row = all_rows(each)["travels:USER.md#user/name"]
        assert (row.ticked, row.settled) == (False, True)
        pipeline = next(file.text for file in each.files.files if file.path.endswith("/pipeline.py"))
        assert "    *,\n    user_context: str,\n" in pipeline
        assert not each.lints.findings
    take(conversion, row, "yes")
    assert any("Zuleika" in file.text for file in conversion.files.files)


def test_a_tool_that_the_owner_wants_asked_about_asks_and_no_answer_takes_an_ask_away(tmp_path: Path) -> None:
    text = "# Tools\n\n## Stock\n\n`GET https://stock.example.org/level` returns the level of an item.\n"
    conversion = written(tmp_path, TOOLS=text, SOUL="# Soul\n\nCalm.\n")
    (name,) = [name for name in all_rows(conversion) if name.startswith("tool:")]
    assert "Asks first" not in all_rows(conversion)[name].result
    take(conversion, all_rows(conversion)[name], "ask")
    (item,) = conversion.to_document().tools
    assert item.answer == "ask"
    later = saved(conversion, tmp_path)
    assert "Asks first" in all_rows(later)[name].result
    document = later.to_document()
    allow = item.model_copy(update={"answer": "allow"})
    later.load(document.model_copy(update={"tools": (item, allow)}))
    assert "Asks first" in all_rows(later)[name].result


@pytest.mark.parametrize(
    ("section", "answer"), [("travels", "no"), ("tools", "ask")], ids=["no fact of a caller", "no tool"]
)
def test_a_decision_that_an_element_does_not_have_is_refused(
    section: str, answer: str, tmp_path: Path
) -> None:
    conversion = written(tmp_path, AGENTS="# Rules\n\n- Sort the mail.\n", SOUL="# Soul\n\nCalm.\n")
    item = {"key": "AGENTS.md#rules/sort-the-mail", "answer": answer}
    with pytest.raises(MelleafyError, match="is no"):
        conversion.load(DecisionsDocument.model_validate({section: [item]}))
