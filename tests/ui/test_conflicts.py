"""A file that the user edited and whose new text doesn't fit: both texts are shown, and each answer is carried out."""

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from melleafy_tui.actions.session import WizardSession
from melleafy_tui.actions.steps import Progress, Step
from melleafy_tui.core.output.write_plan import Action
from melleafy_tui.core.pipeline.review_rows import Card
from melleafy_tui.screens.conflict import ConflictDialog
from melleafy_tui.screens.review import CardList, ReviewScreen
from melleafy_tui.widgets.file_view import FileView
from melleafy_tui.widgets.footer import RowFooter
from melleafy_tui.widgets.line_list import LineList
from melleafy_tui.wizard.app import WizardApp
from tests.ui.conftest import column_of, keys, open_session, rendered, shown, wait_for

pytestmark = pytest.mark.usefixtures("still_packages")

SIZE = (140, 40)
MINE = 'OPERATING_RULES = "my own words"\n'


def edited_twice(workspace: Path) -> tuple[WizardSession, str]:
    """Return a session whose requirements.py the user has edited where the new text differs, too."""
    session = open_session(workspace)
    first = session.conversion.files
    path = next(file.path for file in first.files if file.path.endswith("requirements.py"))
    from melleafy_tui.actions.session import render

    plan = render(session.conversion, session.out, now="", force=False).plan
    assert plan is not None
    session.write(plan)
    emitted = (session.out / path).read_text()
    line = next(line for line in emitted.splitlines() if "120 words" in line)
    (session.out / path).write_text(emitted.replace(line, f"{line}  # mine"))
    rules = workspace / "AGENTS.md"
    rules.write_text(rules.read_text().replace("under 120 words", "under 90 words"))
    return open_session(workspace), path


def conflicts(session: WizardSession) -> list[str]:
    assert session.rendered is not None
    assert session.rendered.plan is not None
    return [file.path for file in session.rendered.plan.doing(Action.CONFLICT)]


async def open_conflict(pilot: Pilot[Any], app: WizardApp, path: str) -> ConflictDialog:
    await rendered(pilot)
    await keys(pilot, "5")
    assert conflicts(app.session) == [path]
    files = app.step_screen.query_one("#files", LineList)
    assert files.go_to(path)
    await keys(pilot, "enter")
    return await shown(pilot, ConflictDialog)


async def write(pilot: Pilot[Any], app: WizardApp) -> None:
    await keys(pilot, "w")
    await wait_for(pilot, lambda: app.session.is_written, "the package is written")


async def test_enter_on_a_conflict_shows_both_texts_at_their_difference(workspace: Path) -> None:
    session, path = edited_twice(workspace)
    app = WizardApp(session)
    async with app.run_test(size=SIZE) as pilot:
        dialog = await open_conflict(pilot, app, path)
        assert path in str(dialog.query_one(".dialog").border_title)
        texts = {}
        for name in ("user-text", "new-text"):
            view = dialog.query_one(f"#{name}", FileView)
            await wait_for(pilot, lambda v=view: v.line_number > 0, "a difference is shown")  # type: ignore[misc]
            texts[name] = view._lines[view.line_number - 1]
        assert "# mine" in texts["user-text"]
        assert "90 words" in texts["new-text"]
        await keys(pilot, "escape")
        assert conflicts(session) == [path]


@pytest.mark.slow
@pytest.mark.parametrize("key", ["m", "t"])
async def test_the_answer_is_written_without_a_text_beside(workspace: Path, key: str) -> None:
    session, path = edited_twice(workspace)
    mine = (session.out / path).read_text()
    app = WizardApp(session)
    async with app.run_test(size=SIZE) as pilot:
        await open_conflict(pilot, app, path)
        await keys(pilot, key)
        assert conflicts(session) == []
        await write(pilot, app)
    text = (session.out / path).read_text()
    assert (text == mine) == (key == "m")
    assert ("90 words" in text) == (key == "t")
    assert not (session.out / f"{path}.new").exists()
    kept = [file for file in (session.out / ".melleafy-backup").rglob("requirements.py*") if file.is_file()]
    assert [file.read_text() for file in kept] == ([mine] if key == "t" else [])
    again = open_session(workspace)
    async with WizardApp(again).run_test(size=SIZE) as pilot:
        await rendered(pilot)
        assert conflicts(again) == []


async def test_each_difference_is_settled_alone(workspace: Path) -> None:
    session, path = edited_twice(workspace)
    file = session.out / path
    file.write_text(file.read_text().replace("\n", "  # first\n", 1))
    app = WizardApp(session)
    async with app.run_test(size=SIZE) as pilot:
        dialog = await open_conflict(pilot, app, path)
        places = dialog._places
        assert len(places) > 1
        await keys(pilot, "M")
        assert "1 settled" in str(dialog.query_one(".dialog").border_subtitle)
        await pilot.click(RowFooter, offset=(column_of(dialog.query_one(RowFooter), "new here") + 1, 0))
        await keys(pilot, *("T" for _ in places[2:]))
        assert app.screen is app.step_screen
        await write(pilot, app)
    after = file.read_text()
    assert "# first" in after, "yours, where it was kept"
    assert "90 words" in after, "the new text, where it was taken"
    assert "# mine" not in after


class Suspended:
    """Stands for the terminal of the app, which a test has not."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: object) -> None:
        return None


@pytest.mark.slow
async def test_a_conflict_is_a_row_of_the_review_that_opens_both_texts(workspace: Path) -> None:
    session, path = edited_twice(workspace)
    app = WizardApp(session, review_first=True)
    async with app.run_test(size=SIZE) as pilot:
        await rendered(pilot)
        screen = await shown(pilot, ReviewScreen)
        while session.cards[0].card is not Card.NEEDS_YOU:
            await keys(pilot, "n")
        rows = screen.query_one(CardList)
        assert rows.current is not None
        assert rows.current.id == f"merge:{path}"
        await keys(pilot, "o")
        assert app.step_screen.STEP is Step.WRITE
        await keys(pilot, "escape", "enter")
        await shown(pilot, ConflictDialog)
        await keys(pilot, "m")
        await wait_for(pilot, lambda: app.screen is not app.step_screen, "the review again")
        assert not session.cards
    [file] = [each for each in session.rendered.plan.files if each.path == path]  # type: ignore[union-attr]
    assert file.action is not Action.CONFLICT


@pytest.mark.slow
async def test_findings_on_the_disk_keep_the_last_step_open(workspace: Path) -> None:
    session, path = edited_twice(workspace)
    (session.out / path).write_text("def broken(:\n")
    app = WizardApp(session)
    async with app.run_test(size=SIZE) as pilot:
        await open_conflict(pilot, app, path)
        await keys(pilot, "m")
        await write(pilot, app)
        [last] = [state for state in session.step_states if state.step is Step.WRITE]
        assert last.progress is Progress.ATTENTION
        assert last.count == len(session.findings_on_disk) > 0
        (session.out / path).write_text("RULES = ()\n")
