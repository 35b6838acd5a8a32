"""Rows of long lists are made from what they show and say it when they are asked; an act changes what one says."""

from collections.abc import Sequence

import pytest
from textual.pilot import Pilot

from melleafy_tui.actions.filters import GROUPINGS, element_search_text, entry_search_text
from melleafy_tui.actions.session import WizardSession
from melleafy_tui.core.decisions.commands import SetTag
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import Tag
from melleafy_tui.screens import decide as decide_rows
from melleafy_tui.screens.decide import decision_rows
from melleafy_tui.screens.inventory import VIEWS, element_rows
from melleafy_tui.widgets.line_list import LineList
from melleafy_tui.widgets.rows import Row
from melleafy_tui.widgets.styled_text import Line, line_text
from melleafy_tui.wizard.app import WizardApp
from tests.ui.conftest import keys, wait_for
from tests.ui.test_pictures import stand_on_a_rule

pytestmark = pytest.mark.usefixtures("still_packages")

WIDTHS = (30, 70, 130)


def said(row: Row) -> tuple[str, list[Line]]:
    """Return all that a row says, at several widths."""
    return row.search, [row.line(width) if callable(row.line) else row.line for width in WIDTHS]


def table(pilot: Pilot[int], name: str) -> dict[str, tuple[str, list[Line]]]:
    rows = pilot.app.screen.query_one(name, LineList).all_rows
    return {row.id: said(row) for row in rows if not row.group}


@pytest.mark.slow
async def test_a_decision_and_another_tag_change_what_one_row_says(app: WizardApp) -> None:
    async with app.run_test(size=(160, 48)) as pilot:
        await keys(pilot, "3")
        await stand_on_a_rule(pilot)
        before = table(pilot, "#entries")
        for key in ("s", "space", "u"):
            await keys(pilot, key)
            after = table(pilot, "#entries")
            changed = [name for name in after if after[name] != before[name]]
            assert len(changed) == 1, key
            assert "auto-close" in after[changed[0]][0]
            before = after
            await stand_on_a_rule(pilot)

        await keys(pilot, "2")
        before = table(pilot, "#tree")
        session = app.session
        element = next(
            each for each in session.conversion.inventory.elements if "auto-close" in each.statement
        )
        session.conversion.act(
            SetTag((session.conversion.keys[element.element_id],), tag=Tag.VALIDATE_OUTPUT)
        )
        app.step_screen.show_state()
        after = table(pilot, "#tree")
        changed = [name for name in after if after[name] != before[name]]
        assert changed == [session.conversion.keys[element.element_id]]


def test_an_entry_is_found_and_shown_by_its_own_words(session: WizardSession) -> None:
    entries = session.conversion.plan.entries
    marks = {entries[0].key}
    for grouping in GROUPINGS:
        rows = decision_rows(session, grouping=grouping, marks=marks, only=None)
        made = {row.id: row for row in rows if not row.group}
        assert sorted(made) == sorted(entry.key for entry in entries), grouping
        for entry in entries:
            row, elements = made[entry.key], session.elements_of(entry)
            assert row.search == entry_search_text(entry, elements)
            shown = line_text(said(row)[1][-1])
            assert shown.startswith("✓ " if entry.key in marks else "  "), shown
            assert ("!" in shown[:4]) == (entry.entry_id in session.reasons), shown
            assert entry.entry_id in shown, shown


def test_an_element_is_found_and_shown_by_its_own_words(session: WizardSession) -> None:
    elements, by_id = session.conversion.inventory.elements, session.conversion.keys
    for view in VIEWS:
        made = {row.id: row for row in element_rows(session.conversion, view) if row.id in by_id.values()}
        assert sorted(made) == sorted(by_id[element.element_id] for element in elements), view
        for element in elements:
            row = made[by_id[element.element_id]]
            assert row.search == element_search_text(element)
            shown = line_text(said(row)[1][-1])
            assert (element.location in shown) == (view != "file"), (view, shown)
            assert shown.rstrip().endswith(element.tag.value[:15]), shown


@pytest.mark.slow
async def test_rows_are_asked_what_is_searched_when_the_search_line_opens_and_not_with_each_key(
    app: WizardApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def counted(entry: PlanEntry, elements: Sequence[Element]) -> str:
        asked.append(entry.entry_id)
        return entry_search_text(entry, elements)

    monkeypatch.setattr(decide_rows, "entry_search_text", counted)
    async with app.run_test(size=(160, 48)) as pilot:
        await keys(pilot, "3")
        entries = [entry.entry_id for entry in app.session.conversion.plan.entries]
        await keys(pilot, "/")
        await wait_for(pilot, lambda: sorted(asked) == sorted(entries), "each row was asked once")
        await keys(pilot, "a", "u", "backspace", "t")
        assert len(asked) == len(entries)
        table = app.screen.query_one("#entries", LineList)
        assert 0 < len([row for row in table.visible_rows if not row.group]) < len(entries)
