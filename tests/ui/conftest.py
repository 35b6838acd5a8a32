"""Workspaces written for a test, wizards opened on them, and waiting for conditions instead of for time."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

import pytest
from textual.app import App
from textual.command import CommandList
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input

from melleafy_tui import engine
from melleafy_tui.actions.session import DecisionsSource, Output, WizardSession
from melleafy_tui.core.lint import table
from melleafy_tui.core.models.file_set import RunCost
from melleafy_tui.engine import default_out, open_conversion
from melleafy_tui.screens.opening import OpeningScreen
from melleafy_tui.screens.review import ReviewScreen
from melleafy_tui.widgets.dialogs import TextDialog
from melleafy_tui.widgets.footer import RowFooter
from melleafy_tui.wizard.app import WizardApp
from tests.ui.still_package import LINTS, still_package

AS_OF = date(2026, 11, 1)
STAMP = "2026-11-01T09:00:00Z"
EPOCH = "1793523600"
"""The same moment in seconds, as SOURCE_DATE_EPOCH has it."""

TICKET_TRIAGE = {
    "SOUL.md": "# Soul\n\n## Voice\n\nWarm, curious tone; prefers Socratic questioning.\n\n"
    "## Boundaries\n\nPrivate things stay private.\n",
    "IDENTITY.md": "- **Name:** ticket-triage\n- **Role:** First-line support triage\n",
    "AGENTS.md": "# Agents\n\n## Rules\n\n- Never auto-close a ticket without confirmation.\n"
    "- Keep every reply under 120 words.\n"
    "- If a ticket mentions data loss, escalate it to the on-call engineer.\n\n"
    "You may look up past tickets freely.\n",
    "USER.md": "- **Timezone:** Europe/Dublin\n- **Team:** Platform support, four people\n",
    "MEMORY.md": "# Memory\n\n- The billing queue is handled by another team.\n",
    "HEARTBEAT.md": "Run every 30m during business hours\n\n"
    "- Check for tickets that have waited more than an hour\n",
}


def write_workspace(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


@pytest.fixture
def workspace(own_world: Path) -> Path:
    """A small workspace in the test's own home, so that screens show it as ~/ticket-triage."""
    return write_workspace(own_world / "ticket-triage", TICKET_TRIAGE)


def open_session(workspace: Path, **options: object) -> WizardSession:
    out = options.pop("out", None) or default_out(workspace)
    assert isinstance(out, Path)
    conversion = open_conversion(workspace, as_of=AS_OF, generated_at=STAMP, out=out)
    decisions = DecisionsSource(journal=options.pop("journal", None))  # type: ignore[arg-type]
    return WizardSession(conversion, Output(out), decisions, **options)  # type: ignore[arg-type]


@pytest.fixture
def session(workspace: Path) -> WizardSession:
    return open_session(workspace)


@pytest.fixture
def app(session: WizardSession) -> WizardApp:
    return WizardApp(session)


@pytest.fixture(autouse=True)
def still_cursors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Input, "_toggle_cursor", lambda _self: None)


@pytest.fixture
def still_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each conversion emit a still package, for pictures that no change of an emitted text may reach."""
    monkeypatch.setattr(engine, "_render", still_package)
    monkeypatch.setattr(engine, "_price", lambda _committed: RunCost(2, 4, 1000, 250, 3, 3))
    monkeypatch.setattr(table, "lint_file_set", lambda _files: LINTS)


PATIENCE = 120
"""Seconds after which a test that waits fails, also on a machine that has much else to do."""


@asynccontextmanager
async def in_time(pilot: Pilot[Any], description: str) -> AsyncIterator[None]:
    """Fail with the name of the condition and the state of the app when what is waited for does not come."""
    try:
        async with asyncio.timeout(PATIENCE):
            yield
    except TimeoutError:
        raise AssertionError(f"never: {description}; {standing(pilot)}") from None


async def wait_for(pilot: Pilot[Any], condition: Callable[[], bool], description: str) -> None:
    """Wait until a condition holds, and say its name where it does not."""
    async with in_time(pilot, description):
        while not condition():
            await pilot.pause(0.01)
    await pilot.pause()
    assert condition(), description


def standing(pilot: Pilot[Any]) -> str:
    """Return where the app stands, for whoever reads why a test waited in vain."""
    app = pilot.app
    told = {
        "screens": app.screen_stack,
        "focus": app.focused,
        "workers": list(app.workers),
        "notes": [note.message for note in app._notifications],
        "threads": [thread.name for thread in threading.enumerate()],
        "fault": getattr(app, "fault", None),
        "texts": [(text._title, text._lines) for text in app.screen_stack if isinstance(text, TextDialog)],
        "keys waiting": app._key_queue._waiting if isinstance(app, WizardApp) else None,
    }
    return ", ".join(f"{name}: {what}" for name, what in told.items())


async def rendered(pilot: Pilot[Any]) -> None:
    """Wait until the package is rendered as the decisions stand."""
    app = pilot.app
    assert isinstance(app, WizardApp)
    await pilot.pause()
    await wait_for(pilot, lambda: app.session.rendered_is_current, "the package is rendered")
    await app.workers.wait_for_complete()
    await pilot.pause()


async def keys(pilot: Pilot[Any], *pressed: str) -> None:
    """Press keys, each one carried out before the next; what a worker does about the last is for `wait_for`."""
    for key in pressed:
        async with in_time(pilot, f"{key} is taken"):
            await pilot.press(key)
        await settled(pilot, f"{key} has had its effect")


def column_of(footer: RowFooter, label: str) -> int:
    """Return the column of a key in view, counted from the first letter of the line."""
    return next(columns.start for columns, key in footer._places if key.label == label)


async def resized(pilot: Pilot[Any], width: int, height: int) -> None:
    """Give the terminal another size, and wait until the screen is laid out for it."""
    await pilot.resize_terminal(width, height)
    await wait_for(pilot, lambda: pilot.app.screen.size == (width, height), f"the screen is {width}x{height}")
    await settled(pilot, f"{width}x{height} has had its effect")


ScreenT = TypeVar("ScreenT", bound=Screen[Any])


async def shown(pilot: Pilot[Any], kind: type[ScreenT], title: str = "") -> ScreenT:
    """Wait until a dialog of this kind is in view, with this title where one is given, and return it."""

    def there() -> bool:
        screen = pilot.app.screen
        if not isinstance(screen, kind) or not screen.is_mounted:
            return False
        return not title or screen.query_one(".dialog").border_title == title

    await wait_for(pilot, there, f"{kind.__name__} is shown {title}")
    assert isinstance(pilot.app.screen, kind)
    return pilot.app.screen


async def from_palette(pilot: Pilot[Any], title: str, words: str) -> None:
    """Open the command palette, type words, and take the command with this title once it is found first."""
    await keys(pilot, "ctrl+p")
    await wait_for(pilot, lambda: pilot.app.screen.id == "--command-palette", "the palette is open")
    await keys(pilot, *("space" if letter == " " else letter for letter in words))
    found = pilot.app.screen.query_one(CommandList)

    def first() -> str:
        hit = found.get_option_at_index(0).hit if found.option_count else None  # type: ignore[attr-defined]
        return str(hit.text or "") if hit is not None else ""

    await wait_for(pilot, lambda: first().startswith(title), f"the palette finds {title} first")
    await keys(pilot, "down", "enter")


async def settled(pilot: Pilot[Any], description: str) -> None:
    """Wait until no key and no message waits anywhere on the screens.

    A dialog ends, calls back, and the app acts, each in a round of its own, so several rounds must be quiet.
    """
    app = pilot.app
    quiet = 0
    async with in_time(pilot, description):
        while quiet < 4:
            await pilot.pause()
            if not app.is_running or isinstance(app.screen, OpeningScreen):
                return
            quiet = quiet + 1 if _at_rest(app) else 0


def _at_rest(app: App[Any]) -> bool:
    """Return whether no key is held back and no message waits for the app, its screens or anything on them."""
    if isinstance(app, WizardApp) and not app.keys_at_rest:
        return False
    if isinstance(app.screen, ReviewScreen) and not app.screen.takes_keys:
        return False
    on_screens = (pump for screen in app.screen_stack for pump in screen.walk_children(with_self=True))
    return not any(pump.message_queue_size for pump in (app, *on_screens))


async def typed(pilot: Pilot[Any], text: str) -> None:
    """Replace what stands in the field that has the focus, and send it."""
    await wait_for(pilot, lambda: isinstance(pilot.app.focused, Input), "a field has the focus")
    field = pilot.app.focused
    assert isinstance(field, Input)
    field.value = text
    await keys(pilot, "enter")


@pytest.fixture(autouse=True)
def cards_take_keys_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no test wait until a card takes keys."""
    monkeypatch.setattr("melleafy_tui.screens.review.SECONDS_IN_VIEW", 0.001)
