"""Pictures of the wizard that are compared with those that were looked at, and what must hold in every size and theme."""

import asyncio
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

from pytest_textual_snapshot import normalize_svg
from syrupy.assertion import SnapshotAssertion
from textual.pilot import Pilot

from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.screens.side_pane import EffectPane
from melleafy_tui.widgets.styled_text import DARK, LIGHT
from melleafy_tui.wizard.app import WizardApp
from tests.conftest import TopLevelSVGExtension
from tests.ui.conftest import PATIENCE, rendered, resized, wait_for
from tests.ui.test_readability import is_dialog, low_contrasts

Shot = tuple[str, tuple[int, int]]

STILL = 3
"""How many pictures in a row must be the same; two where they are the expected one."""

SHOT: Shot = (DARK.name, (80, 24))
"""What a scene is pictured in."""

FURTHER_SHOTS: tuple[Shot, ...] = ((LIGHT.name, (80, 24)), (LIGHT.name, (100, 30)), (DARK.name, (160, 48)))
"""What a scene is only read in: its text can be read, its dialog is whole and says what it says in the picture."""


def shot_name(shot: Shot) -> str:
    theme, (width, height) = shot
    return f"{theme.removeprefix('melleafy-')}-{width}x{height}"


async def shots(pilot: Pilot[Any], snapshot: SnapshotAssertion, wanted: Iterable[Shot]) -> None:
    """Compare one picture for each theme and size."""
    pictures = snapshot.use_extension(TopLevelSVGExtension)
    differing = []
    for shot in wanted:
        name = shot_name(shot)
        if pictures(name=name) != await picture(pilot, shot, expected=accepted(snapshot, name)):
            differing.append(name)
    assert differing == []


async def pictured_and_read(pilot: Pilot[Any], snapshot: SnapshotAssertion, *said: str) -> None:
    """Compare the one picture of a scene, and read the scene in further sizes and themes.

    Args:
        pilot: Drives the wizard, which shows the scene.
        snapshot: Holds the accepted picture.
        said: What must be on the screen in every size; of a dialog it is all that can be read in the picture.
    """
    await shots(pilot, snapshot, [SHOT])
    title, words = dialog_words(pilot)
    assert words or said, "nothing would be read"
    faults = []
    for shot in FURTHER_SHOTS:
        drawn = await picture(pilot, shot)
        faults += [f"{shot_name(shot)}: {low}" for low in low_contrasts(drawn, veiled=is_dialog(drawn))]
        title_now, words_now = dialog_words(pilot)
        if title_now != title or not words <= words_now:
            faults.append(f"{shot_name(shot)}: {title!r} lacks {sorted(words - words_now)}")
        screen = "\n".join(screen_lines(pilot))
        faults += [f"{shot_name(shot)}: nothing says {each!r}" for each in said if each not in screen]
    assert faults == []


def screen_lines(pilot: Pilot[Any]) -> list[str]:
    """Return the text of every line of the screen."""
    strips = pilot.app.screen._compositor.render_strips()
    return ["".join(segment.text for segment in strip) for strip in strips]


def dialog_words(pilot: Pilot[Any]) -> tuple[str, set[str]]:
    """Return the title of the dialog in view and the words that can be read in it, without those that are cut."""
    app = pilot.app
    boxes = app.screen.query(".dialog")
    if not boxes:
        return "", set()
    region = boxes.first().region
    assert app.screen.region.contains_region(region), f"{region} is not within the screen"
    lines = screen_lines(pilot)[region.y + 1 : region.bottom - 1]
    inner = (line[region.x + 1 : region.right - 1] for line in lines)
    words = {word for line in inner for word in line.split() if word.isalpha()}
    return str(boxes.first().border_title), words


async def picture(pilot: Pilot[Any], shot: Shot, *, expected: str = "") -> str:
    """Return the picture in one theme and size, once all that is worked out beside the screen is in it."""
    app = pilot.app
    assert isinstance(app, WizardApp)
    theme, size = shot
    app.theme = theme
    await resized(pilot, *size)
    if app.is_open:
        await rendered(pilot)
    entry = getattr(app.step_screen, "current", None) if app.is_open else None
    if isinstance(entry, PlanEntry):
        known = partial(app.step_screen.query_one(EffectPane).known_effect, entry)
        await wait_for(pilot, lambda: known() is not None, "the change is shown")
    app.clear_notifications()
    await pilot.pause()
    return await still_picture(pilot, expected)


def accepted(snapshot: SnapshotAssertion, name: str) -> str:
    """Return the picture that was looked at, or an empty text where there is none."""
    folder = Path(TopLevelSVGExtension.dirname(test_location=snapshot.test_location))
    path = folder / f"{snapshot.test_location.snapshot_name}[{name}].svg"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


async def still_picture(pilot: Pilot[Any], expected: str) -> str:
    """Return the picture once it stands still: a slow machine paints what a thread found a moment later."""
    last, same = "", 0
    async with asyncio.timeout(PATIENCE):
        while same < (1 if normalize_svg(last) == expected else STILL):
            drawn = pilot.app.export_screenshot(title="melleafy-tui", simplify=True)
            last, same = drawn, same + 1 if drawn == last else 0
            await pilot.pause(0.02)
    return last
