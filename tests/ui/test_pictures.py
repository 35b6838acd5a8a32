"""Pictures of the five steps; each was looked at before it was accepted (CONTRIBUTING.md says how)."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion
from textual.pilot import Pilot

from melleafy_tui.actions.steps import STEPS
from melleafy_tui.screens.side_pane import EffectPane
from melleafy_tui.widgets.line_list import LineList
from melleafy_tui.widgets.styled_text import ANSI, CONTRAST, DARK, LIGHT
from melleafy_tui.wizard.app import WizardApp
from tests.ui.conftest import keys, open_session, rendered, settled, wait_for, write_workspace
from tests.ui.shots import SHOT, Shot, shots

pytestmark = pytest.mark.usefixtures("still_packages")

SnapCompare = Callable[..., bool]
FURTHER_SHOTS: tuple[Shot, ...] = ((DARK.name, (100, 30)), (DARK.name, (160, 48)))


def after(
    *pressed: str, prepare: Callable[[Pilot[Any]], Awaitable[None]] | None = None
) -> Callable[[Pilot[Any]], Awaitable[None]]:
    """Return what brings the wizard to where the picture is taken."""

    async def run_before(pilot: Pilot[Any]) -> None:
        await rendered(pilot)
        await keys(pilot, *pressed)
        if prepare is not None:
            await prepare(pilot)
        await rendered(pilot)
        app = pilot.app
        assert isinstance(app, WizardApp)
        if app.step_screen.STEP == "decide":
            current = app.step_screen.current  # type: ignore[attr-defined]
            if current is not None:
                await wait_for(
                    pilot,
                    lambda: app.step_screen.query_one(EffectPane).known_effect(current) is not None,
                    "the change is shown",
                )
        app.clear_notifications()
        await pilot.pause()

    return run_before


async def stand_on_a_rule(pilot: Pilot[Any]) -> None:
    rows = pilot.app.screen.query("#entries, #tree").first(LineList)
    for row in rows.all_rows:
        if "auto-close" in row.search and not row.group:
            rows.go_to(row.id)
    await settled(pilot, "the cursor stands on the rule")


async def override_a_rule(pilot: Pilot[Any]) -> None:
    await stand_on_a_rule(pilot)
    await keys(pilot, "s")
    pilot.app.clear_notifications()
    await pilot.pause()


async def take_step(app: WizardApp, snapshot: SnapshotAssertion, step: str, *wanted: Shot) -> None:
    prepare = stand_on_a_rule if step in ("inventory", "decide") else None
    async with app.run_test(size=wanted[0][1]) as pilot:
        await after(str([each.value for each in STEPS].index(step) + 1), prepare=prepare)(pilot)
        await shots(pilot, snapshot, wanted)


@pytest.mark.parametrize("step", [step.value for step in STEPS])
async def test_a_step(app: WizardApp, snapshot: SnapshotAssertion, step: str) -> None:
    await take_step(app, snapshot, step, SHOT)


@pytest.mark.slow
@pytest.mark.parametrize("step", [step.value for step in STEPS])
async def test_a_step_in_a_larger_terminal(app: WizardApp, snapshot: SnapshotAssertion, step: str) -> None:
    await take_step(app, snapshot, step, *FURTHER_SHOTS)


@pytest.mark.slow
@pytest.mark.parametrize("theme", [LIGHT.name, CONTRAST.name, ANSI.name])
def test_a_theme(snap_compare: SnapCompare, app: WizardApp, theme: str) -> None:
    app.theme = theme
    assert snap_compare(app, terminal_size=(120, 30), run_before=after("3", prepare=override_a_rule))


@pytest.mark.slow
def test_an_override_with_its_change(snap_compare: SnapCompare, app: WizardApp) -> None:
    assert snap_compare(app, terminal_size=(160, 48), run_before=after("3", prepare=override_a_rule))


@pytest.mark.slow
def test_a_terminal_that_is_too_small(snap_compare: SnapCompare, app: WizardApp) -> None:
    assert snap_compare(app, terminal_size=(40, 10), run_before=after())


@pytest.mark.slow
def test_hostile_and_wide_text_stays_in_its_columns(snap_compare: SnapCompare, own_world: Path) -> None:
    rules = (
        "# Rules\n\n- Never [bold red]shout[/] or [link=file:///etc/passwd]click[/link].\n"
        "- \x1b[31mRed\x1b[0m and \x07bell and \x9b2J and \u202eright to left\u202c.\n"
        "- 必须用中文回答所有的问题，不要使用英语，除非用户要求。\n"
        "- Grüße 👩‍👩‍👧‍👦 🎫 e\u0301\u0301\u0301\u0301\u0301\u0301 and a\u200bb.\n"
    )
    hostile = write_workspace(own_world / "hostile", {"SOUL.md": "# Soul\n\nKind.\n", "AGENTS.md": rules})
    wizard = WizardApp(open_session(hostile))
    assert snap_compare(wizard, terminal_size=(100, 30), run_before=after("2"))
