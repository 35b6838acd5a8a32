"""Workspaces written for a test, wizards opened on them, and waiting for conditions instead of for time."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from melleafy_tui import engine
from melleafy_tui.app import WizardApp
from melleafy_tui.core.lint import runner
from melleafy_tui.engine import default_out, open_conversion
from melleafy_tui.screens.opening import OpeningScreen
from melleafy_tui.widgets.dialogs import TextDialog
from melleafy_tui.wizard_session import DecisionsSource, Output, WizardSession
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
    conversion = open_conversion(workspace, as_of=AS_OF, generated_at=STAMP)
    out = options.pop("out", None) or default_out(workspace)
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
    monkeypatch.setattr(runner, "lint_file_set", lambda _files, _committed: LINTS)


@asynccontextmanager
async def in_time(pilot: Pilot[int], description: str) -> AsyncIterator[None]:
    """Say where the app stands when what is waited for does not come."""
    try:
        async with asyncio.timeout(120):
            yield
    except TimeoutError:
        raise AssertionError(f"never: {description}; {standing(pilot)}") from None


async def wait_for(pilot: Pilot[int], condition: Callable[[], bool], description: str) -> None:
    """Wait until a condition holds, and say its name where it does not."""
    async with in_time(pilot, description):
        while not condition():
            await pilot.pause(0.01)
    await pilot.pause()
    assert condition(), description


def standing(pilot: Pilot[int]) -> str:
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


async def rendered(pilot: Pilot[int]) -> None:
    """Wait until the package is rendered as the decisions stand."""
    app = pilot.app
    assert isinstance(app, WizardApp)
    await pilot.pause()
    await wait_for(pilot, lambda: app.session.rendered_is_current, "the package is rendered")
    await app.workers.wait_for_complete()
    await pilot.pause()


async def keys(pilot: Pilot[int], *pressed: str) -> None:
    """Press keys, each one carried out before the next."""
    for key in pressed:
        await pilot.press(key)
        await settled(pilot, f"{key} has had its effect")


async def settled(pilot: Pilot[int], description: str) -> None:
    """Wait until no key and no message waits; a dialog ends, calls back, and the app acts, each in a round of its own."""
    app = pilot.app
    quiet = 0
    async with in_time(pilot, description):
        while quiet < 4:
            await pilot.pause()
            if not app.is_running or isinstance(app.screen, OpeningScreen):
                return
            pumps = [app, *app.screen_stack, *([app.focused] if app.focused else [])]
            at_rest = not isinstance(app, WizardApp) or app.keys_at_rest
            quiet = quiet + 1 if at_rest and not any(pump.message_queue_size for pump in pumps) else 0


async def typed(pilot: Pilot[int], text: str) -> None:
    """Replace what stands in the field that has the focus."""
    await pilot.pause()
    field = pilot.app.focused
    assert isinstance(field, Input)
    field.value = text
    await pilot.pause()
    await keys(pilot, "enter")
