"""The opening of a big workspace: worked out beside the screen, with a bar, and left at once, as all work that may be dropped."""

import ast
import gc
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from textual import actions
from textual.pilot import Pilot
from textual.widgets import ProgressBar

from melleafy_tui import engine
from melleafy_tui.actions.key_table import KeyTable
from melleafy_tui.core.errors import UnusableInput
from melleafy_tui.screens import opening as opening_screen
from melleafy_tui.screens.decide import DecideScreen
from melleafy_tui.screens.detect import DetectScreen
from melleafy_tui.screens.opening import OpeningScreen
from melleafy_tui.widgets.line_list import LineList
from melleafy_tui.widgets.styled_text import StyledText
from melleafy_tui.wizard import loading
from melleafy_tui.wizard.app import WizardApp
from melleafy_tui.wizard.loading import LoadedWorkspace, WorkspaceLoader
from tests.ui.conftest import keys, open_session, wait_for

FOR_THE_READING = (
    "markdown_it",
    "pydantic",
    "yaml",
    "melleafy_tui.core.pipeline.conversion",
    "melleafy_tui.core.dialects",
    "melleafy_tui.core.workspace",
    "melleafy_tui.screens.detect",
    "melleafy_tui.actions.session",
)

pytestmark = pytest.mark.usefixtures("still_packages")


def to_open(read: Callable[[Callable[[float, str], object]], LoadedWorkspace]) -> WorkspaceLoader:
    return WorkspaceLoader("ticket-triage", KeyTable(), prepare=lambda: None, read=read)


@pytest.fixture
def app(workspace: Path) -> WizardApp:
    return WizardApp(loader=to_open(lambda _progress: LoadedWorkspace(open_session(workspace))))


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Let the third stage wait until the event is set."""
    event = threading.Event()
    first, second, *rest = loading.STAGES
    slow = (second[0], lambda _conversion: event.wait(30))
    monkeypatch.setattr(loading, "STAGES", (first, slow, *rest))
    monkeypatch.setattr(opening_screen, "AT_ONCE", 0.01)
    yield event
    event.set()
    gc.unfreeze()


async def test_a_workspace_opens_at_its_first_step_and_the_collector_runs_again(app: WizardApp) -> None:
    gc.disable()  # as the command line does for what ends soon
    try:
        async with app.run_test() as pilot:
            await wait_for(pilot, lambda: isinstance(app.screen, DetectScreen), "the first step is shown")
            assert gc.isenabled()
            await keys(pilot, "3")
            await wait_for(pilot, lambda: app.step_screen.STEP == "decide", "the keys go to the steps")
    finally:
        gc.enable()


async def test_the_frame_is_painted_before_anything_is_read(workspace: Path) -> None:
    seen, may_read = threading.Event(), threading.Event()

    def read(_progress: Callable[[float, str], object]) -> LoadedWorkspace:
        seen.set()
        may_read.wait(30)
        return LoadedWorkspace(open_session(workspace))

    app = WizardApp(loader=to_open(read))
    async with app.run_test() as pilot:
        await wait_for(pilot, seen.is_set, "the reading has begun")
        painted = [str(piece.render()) for piece in app.screen.query(StyledText)]
        assert "ticket-triage" in painted
        assert any("Write" in words for words in painted)
        assert not app.screen.query(ProgressBar)
        may_read.set()
        await wait_for(pilot, lambda: isinstance(app.screen, DetectScreen), "the first step is shown")


async def test_actions_are_parsed_before_any_thread_may_parse_python(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[str] = []
    before: list[int] = []

    def literal_eval(source: str) -> object:
        parsed.append(source)
        return ast.literal_eval(source)

    def read(_progress: Callable[[float, str], object]) -> LoadedWorkspace:
        before.append(len(parsed))
        return LoadedWorkspace(open_session(workspace))

    monkeypatch.setattr(actions, "ast", SimpleNamespace(literal_eval=literal_eval))
    actions.parse.cache_clear()
    app = WizardApp(loader=to_open(read))
    async with app.run_test() as pilot:
        await wait_for(pilot, lambda: isinstance(app.screen, DetectScreen), "the first step is shown")
        await keys(pilot, *"25", "ctrl+p", "down", "escape", "?")
    assert before == [len(parsed)]
    assert len(parsed) > 20


def test_the_frame_needs_neither_the_core_nor_its_libraries() -> None:
    code = (
        "import sys, melleafy_tui.cli.commands.wizard, melleafy_tui.wizard.app; print(*sorted(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    loaded = done.stdout.split()
    assert "melleafy_tui.wizard.app" in loaded
    assert [name for name in loaded if name.startswith(FOR_THE_READING)] == []


def narrowed(screen: DecideScreen) -> bool:
    rows = screen.query_one("#entries", LineList).visible_rows
    return [row.group for row in rows] == [True, False]


@pytest.mark.slow
async def test_a_big_workspace_shows_how_far_it_is_and_keeps_the_keys_for_its_steps(
    app: WizardApp, held: threading.Event
) -> None:
    async with app.run_test() as pilot:
        await wait_for(pilot, lambda: bool(app.screen.query(ProgressBar)), "the bar is shown")
        bar = app.screen.query_one(ProgressBar)
        await wait_for(pilot, lambda: bar.progress == 2, "two stages are done")
        await keys(pilot, "3", "slash", *"auto", "enter")
        assert isinstance(app.screen, OpeningScreen)
        held.set()
        await wait_for(pilot, lambda: not isinstance(app.screen, OpeningScreen), "the first step is shown")
        await wait_for(
            pilot,
            lambda: isinstance(app.screen, DecideScreen) and narrowed(app.screen),
            "the keys went to the step that they were meant for",
        )
        await wait_for(pilot, lambda: app.session.rendered_is_current, "the package is rendered")


async def test_the_bar_moves_while_the_workspace_is_read(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening_screen, "AT_ONCE", 0.01)
    monkeypatch.setattr(loading, "_PACE", 0)
    may_go_on = threading.Event()

    def read(progress: Callable[[float, str], object]) -> LoadedWorkspace:
        progress(0.4, "12 of 30 files, 0.4 MB")
        may_go_on.wait(30)
        return LoadedWorkspace(open_session(workspace))

    app = WizardApp(loader=to_open(read))
    async with app.run_test() as pilot:
        await wait_for(pilot, lambda: bool(app.screen.query(ProgressBar)), "the bar is shown")
        bar = app.screen.query_one(ProgressBar)
        await wait_for(pilot, lambda: bar.progress == 0.4, "a part of the first stage is shown")
        stages = str(app.screen.query_one("#stages", StyledText).render())
        assert f"▸ {loading.FILES} …  12 of 30 files, 0.4 MB" in stages
        may_go_on.set()
        await wait_for(pilot, lambda: isinstance(app.screen, DetectScreen), "the first step is shown")


async def test_leaving_ends_the_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "_PACE", 0)
    begun, left, ended = threading.Event(), threading.Event(), threading.Event()

    def read(progress: Callable[[float, str], object]) -> LoadedWorkspace:
        begun.set()
        left.wait(30)
        try:
            progress(0.5, "")
        except loading.LoadingLeft:
            ended.set()
            raise
        raise AssertionError("the reading went on")

    app = WizardApp(loader=to_open(read))
    async with app.run_test() as pilot:
        await wait_for(pilot, begun.is_set, "the reading has begun")
        await keys(pilot, "q")
    left.set()
    assert ended.wait(30)


async def test_an_opening_can_be_left(workspace: Path, held: threading.Event) -> None:
    for key, code in (("q", 0), ("ctrl+c", 130)):
        app = WizardApp(loader=to_open(lambda _progress: LoadedWorkspace(open_session(workspace))))
        async with app.run_test() as pilot:
            await wait_for(pilot, lambda: isinstance(app.screen, OpeningScreen), "the opening is shown")  # noqa: B023
            await keys(pilot, key)
            await wait_for(pilot, lambda: app.return_code is not None, f"{key} ends the wizard")  # noqa: B023
        assert app.return_code == code
        assert not held.is_set()


async def test_what_goes_wrong_in_the_opening_ends_the_wizard() -> None:
    def refuse(_progress: Callable[[float, str], object]) -> LoadedWorkspace:
        raise UnusableInput("planted")

    app = WizardApp(loader=to_open(refuse))
    with pytest.raises(UnusableInput, match="planted"):
        async with app.run_test() as pilot:
            await wait_for(pilot, lambda: app.fault is not None, "the fault is kept")


def test_whoever_leaves_waits_for_no_rendering(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held, begun, ended = threading.Event(), threading.Event(), threading.Event()

    def render(_committed: object) -> None:
        begun.set()
        held.wait(20)
        ended.set()

    monkeypatch.setattr(engine, "_render", render)
    app = WizardApp(open_session(workspace))

    async def leave(pilot: Pilot[Any]) -> None:
        await wait_for(pilot, begun.is_set, "the package is rendered")
        await keys(pilot, "q")

    app.run(headless=True, auto_pilot=leave)
    assert app.return_code == 0
    assert not ended.is_set()
    held.set()
