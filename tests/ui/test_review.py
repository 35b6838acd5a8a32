"""The review: cards as lists of rows, ticking, opening, undoing, accepting with one key a card, and writing at the end."""

import re
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from textual.pilot import Pilot

from melleafy_tui.actions.key_table import ALL, KEYMAP, LIST, REVIEW_KEYS, KeyTable
from melleafy_tui.actions.session import AssistOffer, WizardSession
from melleafy_tui.actions.steps import Step
from melleafy_tui.core.decisions.commands import KeepAssisted, SetDisposition
from melleafy_tui.core.decisions.state import Retag
from melleafy_tui.core.models.vocabulary import DECISIONS_FILE, Disposition
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.pipeline.review_rows import Card, ReviewRow
from melleafy_tui.screens.review import CardList, ReviewScreen
from melleafy_tui.widgets.dialogs import ChoiceDialog
from melleafy_tui.widgets.footer import RowFooter
from melleafy_tui.widgets.styled_text import StyledText, line_text
from melleafy_tui.widgets.styled_view import Pane
from melleafy_tui.wizard.app import WizardApp
from melleafy_tui.wizard.loading import LoadedWorkspace, WorkspaceLoader
from tests.conftest import PROJECT
from tests.ui.conftest import (
    column_of,
    keys,
    open_session,
    rendered,
    settled,
    shown,
    wait_for,
    write_workspace,
)

SIZE = (80, 24)


@pytest.fixture(autouse=True)
def without_mellea(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the last key of a review not run fixtures, which takes seconds, except in the slow test of that."""
    if not request.node.get_closest_marker("slow"):
        monkeypatch.setattr("melleafy_tui.screens.write.find_spec", lambda _name: None)


def card_list(app: WizardApp) -> CardList:
    return app.screen.query_one(CardList)


def text_of(app: WizardApp) -> str:
    """Return everything that the card says, in one line."""
    rows = card_list(app)
    lines = (rows.row_line(row, rows.size.width) for row in rows.visible_rows)
    heading = str(app.screen.query_one("#card", StyledText).visual)
    return " ".join(f"{heading} {' '.join(map(line_text, lines))}".split())


def row_of(session: WizardSession, words: str) -> ReviewRow:
    return next(row for card in session.all_cards for row in card.rows if words in row.text)


def open_rows(session: WizardSession) -> int:
    return sum(len(card.rows) for card in session.cards)


async def in_review(pilot: Pilot[Any]) -> ReviewScreen:
    await keys(pilot, "exclamation_mark")
    assert isinstance(pilot.app.screen, ReviewScreen)
    return pilot.app.screen


async def accept_all(pilot: Pilot[Any], app: WizardApp) -> int:
    """Accept card after card, and return how many keys that took."""
    pressed = 0
    while app.session.cards:
        await keys(pilot, "n")
        pressed += 1
    return pressed


# --- keys that come too early ------------------------------------------------------------------------


async def test_keys_held_while_a_workspace_loads_decide_nothing(workspace: Path) -> None:
    may_read = threading.Event()

    def read(_progress: Callable[[float, str], object]) -> LoadedWorkspace:
        may_read.wait(30)
        return LoadedWorkspace(open_session(workspace))

    loader = WorkspaceLoader("ticket-triage", KeyTable(), prepare=lambda: None, read=read)
    app = WizardApp(loader=loader, review_first=True)
    async with app.run_test(size=SIZE) as pilot:
        for key in [*(["enter"] * 8), "n", "n", "space", "w"]:
            await pilot.press(key)
        may_read.set()
        await wait_for(pilot, lambda: app.is_open, "the workspace is read")
        await rendered(pilot)
        await keys(pilot)
        assert isinstance(app.screen, ReviewScreen)
        assert app.session.conversion.acts == ()
        assert not app.session.out.exists()


async def test_a_card_takes_keys_only_when_it_was_in_view_for_a_moment(
    app: WizardApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("melleafy_tui.screens.review.SECONDS_IN_VIEW", 1_000)
    async with app.run_test(size=SIZE) as pilot:
        await rendered(pilot)
        await pilot.press("exclamation_mark")
        screen = await shown(pilot, ReviewScreen)
        for key in ("n", "space", "n", "enter", "w", "u"):
            await pilot.press(key)
        await wait_for(pilot, lambda: app.keys_at_rest, "the keys are taken")
        assert app.screen is screen
        assert app.session.conversion.acts == ()
        assert not screen.query_one(RowFooter).keys, "no key is offered that isn't taken"
        await pilot.press("escape")
        await wait_for(pilot, lambda: app.screen is app.step_screen, "Esc closes it at once")


# --- cards and rows ----------------------------------------------------------------------------------


async def test_a_workspace_is_converted_with_one_key_a_card_and_one_more(own_world: Path) -> None:
    workspace = own_world / "invoice-intake"
    shutil.copytree(PROJECT / "examples" / "invoice-intake", workspace)
    session = open_session(workspace)
    app = WizardApp(session, review_first=True)
    async with app.run_test(size=SIZE) as pilot:
        await shown(pilot, ReviewScreen)
        await rendered(pilot)
        cards = len(session.cards)
        assert cards > 1
        assert await accept_all(pilot, app) == cards
        assert {state.step: state.count for state in session.step_states}[Step.DECIDE] == 0
        assert session.reasons == {}
        await rendered(pilot)
        await keys(pilot, "w")
        await wait_for(pilot, lambda: session.is_written, "the package is written")
        assert session.conversion.decisions.reviewed
        assert not session.conversion.unsaved
        await keys(pilot, "exclamation_mark")
        assert "nothing new" in text_of(app)


async def test_every_row_says_all_of_its_words_its_source_its_reason_and_what_comes_out(
    app: WizardApp,
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await in_review(pilot)
        for card in app.session.all_cards:
            told = text_of(app)
            assert card.title in told
            for row in card.rows:
                for words in (row.text, row.file, row.why, row.result):
                    assert " ".join(words.split()) in told
            await keys(pilot, "right")


async def test_a_row_is_ticked_opened_and_undone(app: WizardApp) -> None:
    words = "Warm, curious"
    async with app.run_test(size=SIZE) as pilot:
        await in_review(pilot)
        assert card_list(app).go_to(row_of(app.session, words).item)
        before = row_of(app.session, words)
        order = [row.id for row in card_list(app).visible_rows if row.selectable]
        await keys(pilot, "space")
        assert row_of(app.session, words).ticked is not before.ticked
        assert row_of(app.session, words).settled
        assert card_list(app).current is not None
        assert [row.id for row in card_list(app).visible_rows if row.selectable] == order, (
            "a row stays in its place"
        )
        assert card_list(app).current.id == before.item  # type: ignore[union-attr]
        await keys(pilot, "space")
        assert row_of(app.session, words).ticked is before.ticked
        await keys(pilot, "u", "u")
        assert row_of(app.session, words) == before
        await keys(pilot, "u")
        assert app.session.conversion.acts == (), "nothing else is undone"
        await rendered(pilot)
        await keys(pilot, "enter")
        dialog = await shown(pilot, ChoiceDialog)
        told = dialog.query_one(Pane).said
        assert "pipeline" in told or "requirements.py" in told
        assert words in told
        await keys(pilot, "down")
        assert "calls" in str(dialog.query_one("#note", StyledText).visual), "the cost before and after"
        await keys(pilot, "enter")
        assert row_of(app.session, words).ticked is not before.ticked


async def test_accepting_and_undoing_lead_to_the_card_that_is_open(app: WizardApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await in_review(pilot)
        first, second = (card.title for card in app.session.all_cards[:2])
        await keys(pilot, "n")
        assert second in text_of(app)
        await keys(pilot, "u")
        assert first in text_of(app)
        await keys(pilot, "right", "n")
        assert second not in text_of(app)
        await accept_all(pilot, app)
        assert app.session.all_cards[-1].title in text_of(app)


async def test_w_writes_on_the_last_card_only_and_n_never(app: WizardApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await rendered(pilot)
        screen = await in_review(pilot)
        await keys(pilot, "w")
        assert app.screen is screen
        await accept_all(pilot, app)
        await keys(pilot, "n", "n", "enter", "escape")
        assert app.screen is screen
        assert not app.session.out.exists()
        await rendered(pilot)
        await keys(pilot, "w")
        await wait_for(pilot, lambda: app.session.is_written, "the package is written")


async def test_the_mouse_ticks_opens_and_goes_on(app: WizardApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await in_review(pilot)
        row = app.session.all_cards[0].rows[0]
        await pilot.click(CardList, offset=(1, 1))
        await keys(pilot)
        assert row_of(app.session, row.text).ticked is not row.ticked, "its second line has the box too"
        await pilot.click(CardList, offset=(20, 0), times=2)
        await shown(pilot, ChoiceDialog)
        await keys(pilot, "escape")
        for label in ("Accept, next card", "Next"):
            footer = app.screen.query_one(RowFooter)
            title = text_of(app)
            await pilot.click(RowFooter, offset=(column_of(footer, label) + 2, 0))
            await keys(pilot)
            assert text_of(app) != title
        await pilot.click("#rail-preview")
        await keys(pilot)
        assert app.screen is app.step_screen
        assert app.step_screen.STEP is Step.PREVIEW


@pytest.mark.slow
async def test_the_review_opens_first_and_a_row_s_place_leads_back_to_it(workspace: Path) -> None:
    app = WizardApp(open_session(workspace), review_first=True)
    async with app.run_test(size=(120, 40)) as pilot:
        await shown(pilot, ReviewScreen)
        await keys(pilot, "right", "down")
        row = card_list(app).current
        title = text_of(app)
        await keys(pilot, "o")
        assert app.step_screen.STEP in (Step.DECIDE, Step.INVENTORY)
        assert app.screen is app.step_screen
        await keys(pilot, "slash", *"zzz", "enter", "escape")
        assert app.screen is app.step_screen
        await keys(pilot, "escape")
        await shown(pilot, ReviewScreen)
        assert text_of(app) == title
        assert card_list(app).current == row
        await keys(pilot, "exclamation_mark", "escape")
        assert app.screen is app.step_screen


@pytest.mark.slow
async def test_the_last_key_writes_saves_and_runs_the_fixtures(workspace: Path) -> None:
    session = open_session(workspace)
    for card in session.cards:
        session.conversion.act(card.accept)
    app = WizardApp(session, review_first=True)
    async with app.run_test(size=(120, 40)) as pilot:
        await shown(pilot, ReviewScreen)
        await keys(pilot, "w")
        result = app.step_screen.query_one("#result", Pane)
        await wait_for(
            pilot,
            lambda: re.search(r"(\d+) of \1 fixtures completed", result.said) is not None,
            "the run",
        )
        assert (workspace / DECISIONS_FILE).exists()
        assert "Written to" in result.said


@pytest.mark.slow
async def test_a_write_that_waits_is_forgotten_on_another_step(
    app: WizardApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await rendered(pilot)
        monkeypatch.setattr(WizardSession, "rendered_is_current", False)
        await keys(pilot, "5", "w", "3")
        monkeypatch.undo()
        await keys(pilot, "5")
        await rendered(pilot)
        assert not app.session.out.exists()
        await keys(pilot, "w")
        await wait_for(pilot, lambda: app.session.is_written, "the package is written")


@pytest.mark.slow
async def test_a_models_answer_is_accepted_on_its_card(own_world: Path) -> None:
    session = open_session(write_workspace(own_world / "desk", {"AGENTS.md": "# Desk\n\n- channel 12\n"}))
    (key,) = (key for key in session.conversion.keys.values() if key.endswith("channel-12"))
    retag = Retag(judged=True, assisted_by="ollama/granite4.1:3b")
    session.conversion.act(KeepAssisted({key: retag}))
    app = WizardApp(session)
    async with app.run_test(size=SIZE) as pilot:
        await in_review(pilot)
        told = text_of(app)
        assert "Needs you" in told
        assert "ollama/granite4.1:3b says this" in told
        await keys(pilot, "n")
        assert session.conversion.decisions.retags == {key: replace(retag, assisted_by="")}
        await keys(pilot, "u")
        assert len(session.cards) == 1
        assert session.conversion.decisions.retags == {key: retag}


def test_no_key_of_the_review_is_one_of_its_list_or_works_everywhere() -> None:
    def names(rows: Iterator[str]) -> set[str]:
        return set(chain.from_iterable(each.split(",") for each in rows))

    own = names(key.keys for key in REVIEW_KEYS)
    everywhere = names(key.keys for key in KEYMAP if ALL in key.where)
    listed = names(key.keys for key in KEYMAP if LIST in key.where)
    assert own & listed == {"left", "right"}, "which fold no card"
    assert own & everywhere == {"u", "n", "exclamation_mark", "question_mark"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "reworded",
    [
        pytest.param("Be quick.", id="in its place"),
        pytest.param("Never auto-close any ticket without confirmation.", id="alike"),
        pytest.param("", id="gone"),
    ],
)
async def test_a_decision_whose_row_was_reworded_is_confirmed_with_both_texts_in_view(
    workspace: Path, reworded: str
) -> None:
    rules, file = workspace / "AGENTS.md", workspace / DECISIONS_FILE
    old = "Never auto-close a ticket without confirmation."
    before = open_session(workspace)
    entry = next(entry for entry in before.conversion.plan.entries if "auto-close" in entry.key)
    before.conversion.act(SetDisposition((entry.key,), Disposition.REMOVE))
    before.save(file)
    rules.write_text(rules.read_text().replace(f"- {old}\n", f"- {reworded}\n" if reworded else ""))
    session = open_session(workspace)
    session.load(file)
    app = WizardApp(session)
    async with app.run_test(size=SIZE) as pilot:
        await wait_for(pilot, lambda: app.screen is not app.step_screen, "the status of the decision")
        while app.screen is not app.step_screen:
            await keys(pilot, "escape")
        session.review_place = (Card.NEEDS_YOU, "")
        await in_review(pilot)
        row = row_of(session, old)
        assert old in text_of(app)
        assert reworded in text_of(app)
        assert (row.answers[0].name.startswith("move:")) == bool(reworded)
        card_list(app).go_to(row.item)
        await keys(pilot, "enter")
        dialog = await shown(pilot, ChoiceDialog)
        while dialog.query_one("#choices").current.id not in (row.answers[0].name if reworded else "drop"):  # type: ignore[attr-defined]
            await keys(pilot, "down")
        await keys(pilot, "enter")
        assert not [row for each in session.cards for row in each.rows if row.item.startswith("orphan:")]
    moved = [each for each in session.conversion.plan.entries if each.disposition is Disposition.REMOVE]
    assert bool(moved) == bool(reworded)
    assert session.conversion.decisions.unplaced == ()


@pytest.mark.parametrize("stopped", [False, True], ids=["answered", "stopped"])
async def test_a_model_is_asked_from_the_review_and_its_answers_wait_under_needs_you(
    app: WizardApp, stopped: bool
) -> None:
    begun, ended = threading.Event(), threading.Event()
    rule = next(each for each in app.session.conversion.inventory.elements if "auto-close" in each.statement)
    key = app.session.conversion.keys[rule.element_id]

    def ask(copy: Conversion, tell: Callable[[int, int], object], is_stopped: Callable[[], bool]) -> str:
        begun.set()
        tell(0, 1)
        while stopped and not is_stopped():
            time.sleep(0.01)
        ended.set()
        copy.act(KeepAssisted({key: Retag(judged=True, assisted_by="ollama/m")}))
        return "ollama/m answered for all 1 in 1 call."

    app.session.assist_offer = lambda _: AssistOffer("ollama/m", ("At localhost: 1 call.",), "", ask)
    async with app.run_test(size=(100, 40)) as pilot:
        await keys(pilot, "exclamation_mark")
        await shown(pilot, ReviewScreen)
        await keys(pilot, "a")
        await shown(pilot, ChoiceDialog)
        await pilot.press("enter")
        await wait_for(pilot, begun.is_set, "the model is asked")
        if stopped:
            await pilot.press("ctrl+c")
        await wait_for(pilot, lambda: ended.is_set() and not app.operations.running, "it has ended")
        await settled(pilot, "the answers are drawn")
        items = [row.item for card in app.session.all_cards for row in card.rows]
        assert (f"assisted:{key}" in items) is not stopped
