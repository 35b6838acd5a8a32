"""Any keys in any order: the wizard neither falls over, nor loses what was saved, nor decides what no command says."""

import asyncio
import json
from difflib import unified_diff
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from melleafy_tui.actions.key_table import KEYMAP
from melleafy_tui.actions.session import WizardSession
from melleafy_tui.core.decisions.state import Decisions
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.models.conversion_settings import Settings
from melleafy_tui.core.models.vocabulary import DECISIONS_FILE
from melleafy_tui.core.pipeline.conversion import Conversion, RunContext
from melleafy_tui.engine import memory_folder
from melleafy_tui.generators.render import render_package
from melleafy_tui.wizard.app import WizardApp
from tests.ui.conftest import AS_OF, STAMP, TICKET_TRIAGE, open_session, write_workspace

LEAVING = {"app.quit", "app.interrupt", "write.smoke"}
"""Keys that end the wizard, or take minutes."""

COMMON = (
    "s",
    "x",
    "d",
    "b",
    "enter",
    "escape",
    "j",
    "down",
    "up",
    "tab",
    "space",
    "u",
    "ctrl+r",
    "backspace",
)
PRESSED = [name for key in KEYMAP if key.id not in LEAVING for name in key.keys.split(",")]
SIZES = ((80, 24), (100, 30), (160, 48), (240, 60))

key_names = st.one_of(st.sampled_from(PRESSED), st.sampled_from(COMMON), st.sampled_from("abßxz09 /"))
resizes = st.sampled_from(((1, 1), (59, 20), (60, 20), (99, 24), *SIZES))
steps = st.one_of(key_names, key_names, key_names, key_names, resizes)


async def press(session: WizardSession, pressed: list[str | tuple[int, int]]) -> None:
    """Press keys and change sizes in a wizard; leave it by closing the terminal."""
    app = WizardApp(session)
    async with app.run_test(size=(100, 30)) as pilot:
        for step in pressed:
            if isinstance(step, tuple):
                await pilot.resize_terminal(*step)
            else:
                await pilot.press(" " if step == "space" else step)
        await pilot.resize_terminal(100, 30)
        await pilot.pause()
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert app.step_screen.query_one("#body").display
    assert app.fault is None


def check(session: WizardSession) -> None:
    """Hold the conversion against one that the same commands gave without a screen, and against the saved file."""
    conversion = session.conversion
    # Of the same reading: any keys may also save decisions beside the workspace's files, under any name.
    twin = Conversion(
        conversion.snapshot,
        dialects=Dialects.default(),
        render=render_package,
        run_context=RunContext(AS_OF, STAMP, memory_folder(Path(conversion.snapshot.root))),
        decisions=Decisions(settings=Settings()),
    )
    for act in conversion.acts:
        assert twin.act(act)
    assert twin.decisions == conversion.decisions
    assert twin.plan == conversion.plan
    differing = [
        "\n".join(
            unified_diff(
                file.text.splitlines(), other.text.splitlines(), file.path, other.path, lineterm="", n=1
            )
        )
        for file, other in zip(twin.rendered.files, conversion.rendered.files, strict=True)
        if file != other
    ]
    assert "\n".join(differing) == ""
    assert twin.rendered == conversion.rendered
    if session.decisions_path is not None and not conversion.unsaved:
        saved = json.loads(session.decisions_path.read_text())
        assert len(saved.get("overrides", [])) == len(conversion.to_document().overrides)


def run(folder: Path, pressed: list[str | tuple[int, int]]) -> None:
    workspace = folder / "ticket-triage"
    write_workspace(workspace, TICKET_TRIAGE)
    (workspace / DECISIONS_FILE).unlink(missing_ok=True)
    session = open_session(workspace)
    asyncio.run(press(session, pressed))
    check(session)


@pytest.mark.slow
@settings(
    max_examples=6,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(pressed=st.lists(steps, min_size=15, max_size=40))
def test_a_few_dozen_keys(own_world: Path, pressed: list[str | tuple[int, int]]) -> None:
    run(own_world, pressed)


HUNDREDS = st.lists(steps, min_size=200, max_size=400)


@pytest.mark.slow
@settings(
    max_examples=1,
    deadline=None,
    phases=[Phase.generate],  # shrinking hundreds of keys takes longer than CI has; test-long does it
    suppress_health_check=list(HealthCheck),
)
@given(pressed=HUNDREDS)
def test_hundreds_of_keys(own_world: Path, pressed: list[str | tuple[int, int]]) -> None:
    run(own_world, pressed)


@pytest.mark.slow
@pytest.mark.long
@settings(max_examples=40, deadline=None, derandomize=False, suppress_health_check=list(HealthCheck))
@given(pressed=HUNDREDS)
def test_hundreds_of_keys_many_times(own_world: Path, pressed: list[str | tuple[int, int]]) -> None:
    run(own_world, pressed)
