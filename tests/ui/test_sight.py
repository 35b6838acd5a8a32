"""What the wizard says about what the agent never saw, and how it is left out."""

from pathlib import Path

import pytest

from melleafy_tui.actions.filters import chosen, element_facets, entry_facets
from melleafy_tui.core.models.context import Visibility
from melleafy_tui.core.models.vocabulary import Disposition
from melleafy_tui.core.openclaw.prompt.visibility import unseen_entries
from melleafy_tui.widgets.styled_view import Pane
from melleafy_tui.wizard.app import WizardApp
from tests.context.workspaces import write_workspace
from tests.ui.conftest import keys, open_session, wait_for
from tests.ui.conftest import write_workspace as write_files

pytestmark = pytest.mark.usefixtures("still_packages")

SIZE = (120, 40)


@pytest.mark.slow
async def test_never_seen_is_told_filtered_and_left_out_with_one_key(tmp_path: Path) -> None:
    session = open_session(write_workspace("own-limits", tmp_path))
    conversion = session.conversion
    cut = {name for name, seen in conversion.seen.items() if seen.visibility is Visibility.CUT}
    facets = {each.id: each.ids for each in element_facets(conversion)}
    assert facets["visibility:cut"] == cut != set()
    unseen = chosen(entry_facets(session.conversion, session.reasons), "unseen")
    assert unseen is not None
    app = WizardApp(session)
    async with app.run_test(size=SIZE) as pilot:
        await keys(pilot, "2")
        await wait_for(pilot, lambda: bool(app.screen.query("#tree")), "the inventory is open")
        app.screen.reveal(sorted(cut)[0])  # type: ignore[attr-defined] # the inventory screen has it

        def said() -> str:
            return app.screen.query_one("#detail", Pane).said

        await wait_for(pilot, lambda: "never saw it: it was cut" in said(), "the pane says it was cut")
        await keys(pilot, "3")
        await wait_for(pilot, lambda: bool(app.screen.query("#entries")), "the table is open")

        def removed() -> set[str]:
            return {
                entry.entry_id
                for entry in conversion.plan.entries
                if entry.overridden and entry.disposition is Disposition.REMOVE
            }

        app.screen.set_filter(unseen)  # type: ignore[attr-defined] # as its choice in the filter does
        app.screen.show_state()  # type: ignore[attr-defined]
        await keys(pilot, "A", "x")
        await wait_for(pilot, lambda: removed() == unseen.ids, "what was never seen is out")
        assert len(conversion.acts) == 1


@pytest.mark.slow
def test_what_openclaw_never_showed_leaves_the_other_runtime_of_a_hybrid_alone(tmp_path: Path) -> None:
    files = {
        "SOUL.md": "# Soul\n\nWarm.\n",
        "IDENTITY.md": "- **Name:** desk\n",
        "AGENTS.md": "# Rules\n\n- When in doubt, ask.\n",
        "CLAUDE.md": "# Project\n\n- Never push to main.\n",
        ".claude/settings.json": '{"permissions": {"deny": ["WebFetch"]}}\n',
        "notes/style.md": "- Be brief.\n",
        "DREAMS.md": "# Dreams\n\n- Berth 4 is closed.\n",
    }
    session = open_session(write_files(tmp_path / "desk", files))
    conversion = session.conversion
    assert conversion.classification.hybrid_contributors
    by_id = conversion.inventory.by_id
    assert {by_id[name].source_file for name in conversion.seen} == {
        "SOUL.md",
        "IDENTITY.md",
        "AGENTS.md",
        "DREAMS.md",
    }
    unseen = unseen_entries(conversion.plan, conversion.seen)
    assert {entry.key.partition("#")[0] for entry in unseen} == {"DREAMS.md"}
