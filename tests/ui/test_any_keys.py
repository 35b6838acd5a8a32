"""Any keys in any order: the wizard neither falls over nor decides anything that its commands do not say."""

import random
from pathlib import Path

import pytest

from melleafy_tui.app import WizardApp
from melleafy_tui.keymap import KEYMAP
from melleafy_tui.wizard_session import WizardSession
from tests.ui.conftest import open_session

LEAVING = {"app.quit", "app.interrupt", "write.write", "write.smoke", "app.palette"}
PRESSED = [key.keys.split(",")[0] for key in KEYMAP if key.id not in LEAVING] + [
    "x",
    "s",
    "b",
    "d",
    "enter",
    "escape",
    "j",
]


@pytest.mark.parametrize("seed", range(4))
async def test_the_conversion_is_what_the_same_commands_give_without_a_screen(
    session: WizardSession, seed: int
) -> None:
    chosen = random.Random(seed)
    app = WizardApp(session)
    async with app.run_test(size=chosen.choice([(80, 24), (120, 40), (160, 48)])) as pilot:
        for _ in range(60):
            await pilot.press(chosen.choice(PRESSED))
        await pilot.resize_terminal(1, 1)
        await pilot.resize_terminal(100, 30)
        await pilot.pause()
        await app.workers.wait_for_complete()
    conversion = session.conversion
    assert app.fault is None
    twin = open_session(Path(conversion.snapshot.root)).conversion
    for act in conversion.acts:
        assert twin.act(act.command)
    assert twin.decisions == conversion.decisions
    assert twin.plan == conversion.plan
    assert twin.rendered == conversion.rendered
