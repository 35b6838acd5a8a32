"""Rows that show what they showed are the same rows after an act: nothing is made again that did not change."""

import pytest
from msgspec.structs import replace
from textual.pilot import Pilot

from melleafy_tui.app import WizardApp
from melleafy_tui.core.decisions.commands import SetDisposition, SetTag
from melleafy_tui.core.models.vocabulary import Disposition, Tag, allowed_together
from melleafy_tui.facets import GROUPINGS
from melleafy_tui.screens.decide_rows import decision_rows
from melleafy_tui.screens.inventory_rows import VIEWS, element_rows
from melleafy_tui.widgets.line_list import LineList
from melleafy_tui.widgets.rows import MadeRows, Row
from melleafy_tui.widgets.tones import Line
from melleafy_tui.wizard_session import WizardSession
from tests.ui.conftest import keys
from tests.ui.test_pictures import stand_on_a_rule

pytestmark = pytest.mark.usefixtures("still_packages")

WIDTHS = (30, 70, 130)


def said(row: Row) -> tuple[Row, list[Line]]:
    """Return all that a row says, at several widths."""
    lines = [row.line(width) if callable(row.line) else row.line for width in WIDTHS]
    return replace(row, line=()), lines


def table(pilot: Pilot[int], name: str) -> dict[str, Row]:
    return {row.id: row for row in pilot.app.screen.query_one(name, LineList).all_rows if not row.group}


async def test_a_decision_makes_one_row_anew(app: WizardApp) -> None:
    async with app.run_test(size=(160, 48)) as pilot:
        await keys(pilot, "3")
        await stand_on_a_rule(pilot)
        before = table(pilot, "#entries")
        for key in ("s", "space", "u"):
            await keys(pilot, key)
            after = table(pilot, "#entries")
            changed = [name for name in after if after[name] is not before[name]]
            assert len(changed) == 1
            assert "auto-close" in after[changed[0]].search
            before = after
            await stand_on_a_rule(pilot)


async def test_another_tag_makes_one_row_of_the_inventory_anew(app: WizardApp) -> None:
    async with app.run_test(size=(160, 48)) as pilot:
        await keys(pilot, "2")
        await stand_on_a_rule(pilot)
        before = table(pilot, "#tree")
        session = app.session
        element = next(
            each for each in session.conversion.inventory.elements if "auto-close" in each.statement
        )
        session.act(SetTag((session.conversion.keys[element.element_id],), tag=Tag.VALIDATE_OUTPUT))
        app.step_screen.show_state()
        after = table(pilot, "#tree")
        changed = [
            name for name in after if after[name] is not before[name] and not name.startswith("listed:")
        ]
        assert changed == [element.element_id]


@pytest.mark.parametrize("grouping", GROUPINGS)
def test_rows_that_are_kept_say_what_new_ones_say(session: WizardSession, grouping: str) -> None:
    made = MadeRows()
    entries = session.conversion.plan.entries
    marks: set[str] = set()
    for entry in entries[::2]:
        marks ^= {entry.entry_id, entries[0].entry_id}
        session.act(SetDisposition((entry.key,), Disposition.REMOVE))
        kept = decision_rows(session, made, grouping=grouping, marks=marks, only=None)
        new = decision_rows(session, MadeRows(), grouping=grouping, marks=marks, only=None)
        assert [said(row) for row in kept] == [said(row) for row in new]


def test_elements_that_are_kept_say_what_new_ones_say(session: WizardSession) -> None:
    made, conversion = MadeRows(), session.conversion
    allowed = [each for each in conversion.inventory.elements if allowed_together(Tag.CONFIG, each.category)]
    for element in allowed[:4]:
        session.act(SetTag((conversion.keys[element.element_id],), tag=Tag.CONFIG))
        for view in (*VIEWS, *VIEWS):
            kept, new = element_rows(conversion, made, view), element_rows(conversion, MadeRows(), view)
            assert [said(row) for row in kept] == [said(row) for row in new]
