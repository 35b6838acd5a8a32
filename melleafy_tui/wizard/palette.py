"""The command palette: every action of the key table, and themes."""

from collections.abc import Iterator
from contextlib import suppress

from textual import on
from textual.app import App, SystemCommand
from textual.command import CommandPalette
from textual.widgets import Input
from textual.worker import WorkerCancelled

from melleafy_tui.actions.key_table import ALL
from melleafy_tui.widgets.frame import StepScreen
from melleafy_tui.widgets.styled_text import THEME_TITLES, THEMES


class ActionPalette(CommandPalette):
    """Textual's palette, in which Enter waits for the search of what was typed.

    Textual's own runs the first hit on screen, which is one of the search before when the keys come fast.
    """

    @on(Input.Submitted)
    async def _choose_when_found(self, event: Input.Submitted) -> None:
        event.stop()
        event.prevent_default()
        searches = [each for each in self.workers if each.group == self._GATHER_COMMANDS_GROUP]
        with suppress(WorkerCancelled):
            await self.workers.wait_for_complete(searches)
        self._select_or_command()


def commands(app: App[int], here: StepScreen) -> Iterator[SystemCommand]:
    """Yield the actions of the keys that work on a step, and one command per theme."""
    for key in here.session.keys.rows:
        if ALL in key.where or here.STEP.value in key.where:
            namespace = app if ALL in key.where or key.action.startswith("app.") else here

            def run(action: str = key.action, target: App[int] | StepScreen = namespace) -> None:
                app.call_later(app.run_action, action, target)

            yield SystemCommand(f"{key.label}  ({key.spelled})", key.tooltip, run)
    for theme in THEMES:

        def use(name: str = theme.name) -> None:
            app.theme = name

        yield SystemCommand(f"Theme: {THEME_TITLES[theme.name]}", "Change the colours.", use)
