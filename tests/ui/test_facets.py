"""What both lists can be filtered by: file, tag, category, disposition, overridden, warnings (spec/wizard.md, Frame)."""

from pathlib import Path

from melleafy_tui.actions.filters import element_facets, entry_facets
from melleafy_tui.core.decisions.commands import SetDisposition
from melleafy_tui.core.models.vocabulary import Disposition
from tests.ui.conftest import TICKET_TRIAGE, open_session, write_workspace


def test_elements_and_entries_are_filtered_by_disposition_overrides_and_warnings(own_world: Path) -> None:
    rules = f"{TICKET_TRIAGE['AGENTS.md']}\n- Read [the notes](missing/notes.md) first.\n"
    session = open_session(write_workspace(own_world / "desk", {**TICKET_TRIAGE, "AGENTS.md": rules}))
    plan = session.conversion.plan
    entry = next(each for each in plan.entries if "auto-close" in each.key)
    session.conversion.act(SetDisposition((entry.key,), Disposition.DELEGATE_TO_RUNTIME))
    plan = session.conversion.plan
    of_elements = {each.id: each.ids for each in element_facets(session.conversion)}
    of_entries = {each.id: each.ids for each in entry_facets(session.conversion, session.reasons)}
    for disposition in Disposition:
        name = f"disposition:{disposition.value}"
        entries = [each for each in plan.entries if each.disposition is disposition]
        assert of_entries.get(name, set()) == {each.entry_id for each in entries}
        assert of_elements.get(name, set()) == {
            element for each in entries for element in each.source_elements
        }
    assert of_elements["overridden"] == set(entry.source_elements)
    assert of_entries["overridden"] == {entry.entry_id}
    warned = [
        each for each in session.conversion.inventory.elements if "missing/notes.md" in each.content_full
    ]
    assert of_elements["warned"] == {each.element_id for each in warned} != set()
    assert of_entries["warned"] == {plan.by_element[each.element_id].entry_id for each in warned}
