"""Take the pictures of the wizard for README and docs, from the bundled example: `make pictures`.

Each picture is what a person sees who presses its keys on a terminal of its size. The same release takes the same
pictures, byte for byte.
"""

import argparse
import asyncio
import os
import re
import shutil
import tempfile
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any, Final, NamedTuple
from unittest.mock import patch

from textual.pilot import Pilot

from melleafy_tui.actions.session import Output, WizardSession
from melleafy_tui.engine import default_out, open_conversion
from melleafy_tui.wizard.app import WizardApp

PROJECT: Final = Path(__file__).resolve().parents[1]
EXAMPLE: Final = PROJECT / "examples" / "ticket-triage"
RULE: Final = "Never auto-close"
DAY: Final = date(2026, 11, 1)
"""The day of the conversion, so that no picture depends on today."""

PATIENCE: Final = 120.0
"""Seconds to wait for what a picture shows."""


_STILL: Final = 0.4
"""Seconds between two looks at a screen; it is at rest when both are the same."""


class Picture(NamedTuple):
    """One picture.

    Attributes:
        name: The name of its file.
        size: Columns and rows of the terminal.
        keys: The keys that are pressed.
        at_rule: Whether the cursor is then put on a rule of the example.
        then: The keys that are pressed after that.
    """

    name: str
    size: tuple[int, int]
    keys: tuple[str, ...]
    at_rule: bool = False
    then: tuple[str, ...] = ()


PICTURES: Final = (
    Picture("detect", (100, 30), ("1",)),
    Picture("review", (100, 30), ("exclamation_mark",)),
    Picture("inventory", (160, 44), ("2",), at_rule=True),
    Picture("inventory-80x24", (80, 24), ("2",), at_rule=True),
    Picture("search", (160, 44), ("2", "slash", *"ticket", "enter")),
    Picture("retag", (100, 30), ("2",), at_rule=True, then=("T",)),
    Picture("decide", (160, 44), ("3",), at_rule=True),
    Picture("override", (160, 44), ("3",), at_rule=True, then=("x",)),
    Picture("preview", (120, 36), ("2",), at_rule=True, then=("e",)),
    Picture("written", (100, 34), ("5", "w")),
    Picture("help", (100, 30), ("3", "question_mark")),
)


async def take(picture: Picture, home: Path) -> str:
    """Return one picture as SVG, without addresses outside the file.

    Args:
        picture: The picture.
        home: A folder that stands for the person's own.
    """
    workspace = home / EXAMPLE.name
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(EXAMPLE, workspace)
    out = default_out(workspace)
    conversion = open_conversion(workspace, as_of=DAY, generated_at=f"{DAY}T09:00:00Z", out=out)
    app = WizardApp(WizardSession(conversion, Output(out)))
    async with app.run_test(size=picture.size) as pilot:
        await _wait(pilot, lambda: app.session.rendered_is_current)
        await _press(pilot, app, picture.keys)
        if picture.at_rule:
            element = next(each for each in conversion.inventory.elements if RULE in each.content_full)
            app.step_screen.reveal(element.element_id)
            await _press(pilot, app, picture.then)
        await _wait(pilot, lambda: app.session.rendered_is_current)
        await app.workers.wait_for_complete()
        app.clear_notifications()
        drawn = ""
        while True:
            before, drawn = drawn, _drawn(app)
            if drawn == before:
                return drawn
            await pilot.pause(_STILL)


async def _press(pilot: Pilot[Any], app: WizardApp, names: tuple[str, ...]) -> None:
    for name in names:
        await pilot.press(name)
        await _wait(pilot, lambda: app.keys_at_rest)
    if "w" in names:
        await _wait(pilot, lambda: app.session.is_written)


async def _wait(pilot: Pilot[Any], condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await pilot.pause(0.01)
    await pilot.pause()


def _drawn(app: WizardApp) -> str:
    """Return the screen as SVG; fonts of other servers are left to the reader's own."""
    return re.sub(r"\s*@font-face \{.*?\}", "", app.export_screenshot(title="melleafy-tui"), flags=re.DOTALL)


def main() -> None:
    """Take all pictures into a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=PROJECT / "docs" / "pictures")
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        home = Path(place) / "home"
        with patch.dict(os.environ, {"HOME": str(home)}):
            for picture in PICTURES:
                drawn = asyncio.run(take(picture, home))
                (folder / f"{picture.name}.svg").write_text(drawn, encoding="utf-8")


if __name__ == "__main__":
    main()
