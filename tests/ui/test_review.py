"""The review over any step: answers, undoing, skipping, accepting a kind, looking closer, and writing at the end."""

import re
import shutil
from functools import partial
from itertools import chain
from pathlib import Path

import pytest
from msgspec.structs import replace

from melleafy_tui.actions.key_table import KEYMAP, REVIEW_KEYS
from melleafy_tui.actions.session import WizardSession
from melleafy_tui.actions.steps import Step
from melleafy_tui.core.decisions.commands import KeepAssisted, SetDisposition
from melleafy_tui.core.decisions.state import Retag
from melleafy_tui.core.models.vocabulary import DECISIONS_FILE, DISPOSITIONS, Disposition
from melleafy_tui.screens.review import MOVES, ReviewDialog
from melleafy_tui.widgets.footer import ALL
from melleafy_tui.widgets.styled_text import Pane, StyledText
from melleafy_tui.wizard.app import WizardApp
from tests.conftest import PROJECT
from tests.ui.conftest import keys, open_session, rendered, shown, wait_for, write_workspace

HEIGHT = 24
LETTERS = {*"acflmrswxy", *(info.key for info in DISPOSITIONS.values())}
"""The letters of the answers to a row (`core/pipeline/review_cards.py`)."""


@pytest.fixture(autouse=True)
def without_mellea(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the last key of a review not run fixtures, which takes seconds, except in the slow test of that."""
    if not request.node.get_closest_marker("slow"):
        monkeypatch.setattr("melleafy_tui.screens.write.find_spec", lambda _name: None)


def fewer(session: WizardSession, left: int) -> bool:
    return len(session.cards) < left


async def test_a_review_from_the_first_card_to_the_package(own_world: Path) -> None:
    workspace = own_world / "invoice-intake"
    shutil.copytree(PROJECT / "examples" / "invoice-intake", workspace)
    session = open_session(workspace)
    app = WizardApp(session)
    async with app.run_test(size=(80, HEIGHT)) as pilot:
        await rendered(pilot)
        await keys(pilot, "exclamation_mark")
        await shown(pilot, ReviewDialog)
        cards = session.cards
        assert len(cards) > 1
        assert {answer.letter for card in cards for row in card.rows for answer in row.answers} <= LETTERS
        await keys(pilot, "space")
        assert session.cards[-1] == cards[0]
        await keys(pilot, "u")
        assert not session.conversion.unsaved, "without an answer there is nothing to undo"
        await keys(pilot, "enter")
        await wait_for(pilot, lambda: len(session.cards) == len(cards) - 1, "one card is settled")
        await keys(pilot, "u")
        await wait_for(pilot, lambda: session.cards == cards, "all cards are open again")
        await keys(pilot, "o")
        await wait_for(pilot, lambda: app.screen is app.step_screen, "the place of the card")
        assert app.step_screen.STEP in (Step.INVENTORY, Step.DECIDE)
        await keys(pilot, "exclamation_mark")
        await shown(pilot, ReviewDialog)
        for left in range(len(session.cards), 0, -1):
            await keys(pilot, "enter")
            await wait_for(pilot, partial(fewer, session, left), "the next card")
        await rendered(pilot)
        assert session.entries_to_review == ()
        assert {state.step: state.count for state in session.step_states}[Step.DECIDE] == 0
        await keys(pilot, "enter")
        await wait_for(pilot, lambda: session.is_written, "the package is written")
        assert session.conversion.decisions.reviewed
        assert not session.conversion.unsaved


@pytest.mark.slow
async def test_the_review_opens_first_and_a_card_s_place_leads_back_to_it(workspace: Path) -> None:
    app = WizardApp(open_session(workspace), review_first=True)
    async with app.run_test(size=(120, 40)) as pilot:
        await shown(pilot, ReviewDialog)
        card = app.session.cards[0]
        await keys(pilot, "o")
        assert app.step_screen.STEP in (Step.DECIDE, Step.INVENTORY)
        assert app.screen is app.step_screen
        await keys(pilot, "slash", *"zzz", "enter", "escape")
        assert app.screen is app.step_screen
        await keys(pilot, "escape")
        await shown(pilot, ReviewDialog)
        assert app.session.cards[0] == card
        await keys(pilot, "exclamation_mark", "escape")
        assert app.screen is app.step_screen


@pytest.mark.slow
async def test_the_last_key_writes_saves_and_runs_the_fixtures(workspace: Path) -> None:
    session = open_session(workspace)
    for card in session.cards:
        session.act(card.accept)
    app = WizardApp(session, review_first=True)
    async with app.run_test(size=(120, 40)) as pilot:
        await shown(pilot, ReviewDialog)
        await keys(pilot, "enter")
        result = app.step_screen.query_one("#result", Pane).query_one(StyledText)
        await wait_for(
            pilot,
            lambda: re.search(r"(\d+) of \1 fixtures completed", str(result.visual)) is not None,
            "the run",
        )
        assert (workspace / DECISIONS_FILE).exists()
        assert "Written to" in str(result.visual)


async def test_a_workspace_is_converted_with_one_key_a_card_and_one_more(
    workspace: Path,
) -> None:
    app = WizardApp(open_session(workspace), review_first=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await shown(pilot, ReviewDialog)
        await rendered(pilot)
        pressed = 0
        while not app.session.is_written:
            cards = len(app.session.cards)
            await keys(pilot, "enter")
            pressed += 1
            if cards:
                await wait_for(pilot, lambda n=cards: fewer(app.session, n), "the card is answered")  # type: ignore[misc]
                await rendered(pilot)
            else:
                await wait_for(pilot, lambda: app.session.is_written, "the package is written")
        assert pressed == len(open_session(workspace).cards) + 1


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
    session.act(KeepAssisted({key: retag}))
    app = WizardApp(session)
    async with app.run_test(size=(80, HEIGHT)) as pilot:
        await keys(pilot, "exclamation_mark")
        await shown(pilot, ReviewDialog)
        told = str(app.screen.query_one(Pane).query_one(StyledText).visual)
        assert "Needs you" in told
        assert "ollama/granite4.1:3b says this" in told
        await keys(pilot, "enter")
        await wait_for(pilot, lambda: not session.cards, "the answer is accepted")
        assert session.conversion.decisions.retags == {key: replace(retag, assisted_by="")}
        await keys(pilot, "u")
        await wait_for(pilot, lambda: len(session.cards) == 1, "the card is open again")
        assert session.conversion.decisions.retags == {key: retag}


def test_no_key_of_the_review_is_an_answers_letter_or_a_key_that_works_everywhere() -> None:
    own = set(chain.from_iterable(key.keys.split(",") for key in REVIEW_KEYS))
    everywhere = set(chain.from_iterable(key.keys.split(",") for key in KEYMAP if ALL in key.where))
    assert not (own | set(MOVES)) & LETTERS
    assert not everywhere & LETTERS
    assert own & everywhere == {"u", "exclamation_mark"}, "undo, and the key of the review itself"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("reworded", "key"),
    [
        pytest.param("Be quick.", "enter", id="in its place"),
        pytest.param("Never auto-close any ticket without confirmation.", "enter", id="alike"),
        pytest.param("", "x", id="gone"),
    ],
)
async def test_a_decision_whose_row_was_reworded_is_confirmed_with_both_texts_in_view(
    workspace: Path, reworded: str, key: str
) -> None:
    rules, file = workspace / "AGENTS.md", workspace / DECISIONS_FILE
    old = "Never auto-close a ticket without confirmation."
    before = open_session(workspace)
    entry = next(entry for entry in before.conversion.plan.entries if "auto-close" in entry.key)
    before.act(SetDisposition((entry.key,), Disposition.REMOVE))
    before.save(file)
    rules.write_text(rules.read_text().replace(f"- {old}\n", f"- {reworded}\n" if reworded else ""))
    session = open_session(workspace)
    session.load(file)
    app = WizardApp(session)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for(pilot, lambda: app.screen is not app.step_screen, "the status of the decision")
        while app.screen is not app.step_screen:
            await keys(pilot, "escape")
        await keys(pilot, "exclamation_mark")
        dialog = await shown(pilot, ReviewDialog)
        while not session.cards[0].rows[0].item.startswith("orphan:"):
            await keys(pilot, "space")
        row = session.cards[0].rows[0]
        text = " ".join(str(dialog.query_one(Pane).query_one(StyledText).visual).split())
        assert old in text
        assert reworded in text
        assert (row.answers[0].name.startswith("move:")) == bool(reworded)
        await keys(pilot, key)
        assert not [row for each in session.cards for row in each.rows if row.item.startswith("orphan:")]
    moved = [each for each in session.conversion.plan.entries if each.disposition is Disposition.REMOVE]
    assert bool(moved) == bool(reworded)
    assert session.conversion.decisions.unplaced == ()
