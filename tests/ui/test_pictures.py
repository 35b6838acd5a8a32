"""Pictures of every screen and dialog; each was looked at before it was accepted (CONTRIBUTING.md says how)."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from melleafy_tui.app import WizardApp
from melleafy_tui.themes import ANSI, CONTRAST, LIGHT
from melleafy_tui.widgets.line_list import LineList
from melleafy_tui.wizard_session import WizardSession
from melleafy_tui.wizard_steps import STEPS
from tests.ui.conftest import keys, open_session, rendered, wait_for, write_workspace

pytestmark = pytest.mark.usefixtures("still_packages")

SnapCompare = Callable[..., bool]
SIZES = [(80, 24), (160, 48)]
sizes = pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")


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
                    pilot, lambda: app.session.known_effect(current) is not None, "the change is shown"
                )
        app.clear_notifications()
        await pilot.pause()

    return run_before


async def stand_on_a_rule(pilot: Pilot[Any]) -> None:
    rows = pilot.app.screen.query("#entries, #tree").first(LineList)
    for row in rows.all_rows:
        if "auto-close" in row.search and not row.group:
            rows.go_to(row.id)
    await pilot.pause()


async def override_a_rule(pilot: Pilot[Any]) -> None:
    await stand_on_a_rule(pilot)
    await keys(pilot, "s")
    pilot.app.clear_notifications()
    await pilot.pause()


@sizes
@pytest.mark.parametrize("step", [step.value for step in STEPS])
def test_a_step(snap_compare: SnapCompare, app: WizardApp, step: str, size: tuple[int, int]) -> None:
    number = str([each.value for each in STEPS].index(step) + 1)
    prepare = stand_on_a_rule if step in ("inventory", "decide") else None
    assert snap_compare(app, terminal_size=size, run_before=after(number, prepare=prepare))


@pytest.mark.parametrize("theme", [LIGHT.name, CONTRAST.name, ANSI.name])
def test_a_theme(snap_compare: SnapCompare, app: WizardApp, theme: str) -> None:
    app.theme = theme
    assert snap_compare(app, terminal_size=(120, 30), run_before=after("3", prepare=override_a_rule))


def test_an_override_with_its_change(snap_compare: SnapCompare, app: WizardApp) -> None:
    assert snap_compare(app, terminal_size=(160, 48), run_before=after("3", prepare=override_a_rule))


@pytest.mark.parametrize(
    ("name", "pressed"),
    [
        ("help", ("3", "question_mark")),
        ("runtime", ("r",)),
        ("backend", ("b",)),
        ("filter", ("2", "f")),
        ("save", ("ctrl+s",)),
    ],
)
@pytest.mark.parametrize("size", [(80, 24)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_dialog(
    snap_compare: SnapCompare, app: WizardApp, name: str, pressed: tuple[str, ...], size: tuple[int, int]
) -> None:
    assert snap_compare(app, terminal_size=size, run_before=after(*pressed))


def test_leaving_with_unsaved_decisions(snap_compare: SnapCompare, app: WizardApp) -> None:
    async def prepare(pilot: Pilot[Any]) -> None:
        await override_a_rule(pilot)
        await keys(pilot, "q")

    assert snap_compare(app, terminal_size=(80, 24), run_before=after("3", prepare=prepare))


@sizes
def test_the_result_of_a_write(snap_compare: SnapCompare, app: WizardApp, size: tuple[int, int]) -> None:
    async def prepare(pilot: Pilot[Any]) -> None:
        await keys(pilot, "w")
        await wait_for(pilot, lambda: app.session.is_written, "the package is written")

    assert snap_compare(app, terminal_size=size, run_before=after("5", prepare=prepare))


def test_a_search_without_a_find(snap_compare: SnapCompare, app: WizardApp) -> None:
    assert snap_compare(app, terminal_size=(80, 24), run_before=after("3", "slash", *"nowhere"))


def test_the_hint_of_a_first_visit(snap_compare: SnapCompare, session: WizardSession, tmp_path: Path) -> None:
    wizard = WizardApp(session, hints=tmp_path / "hints")
    assert snap_compare(wizard, terminal_size=(80, 24), run_before=after("3", prepare=stand_on_a_rule))


@pytest.mark.parametrize("size", [(59, 19), (40, 10), (20, 5)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_terminal_that_is_too_small(
    snap_compare: SnapCompare, app: WizardApp, size: tuple[int, int]
) -> None:
    assert snap_compare(app, terminal_size=size, run_before=after())


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
