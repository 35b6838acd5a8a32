"""What the command palette offers on a step: every action of the key table by its name, and the themes."""

from collections.abc import Iterator

from textual.app import App, SystemCommand

from melleafy_tui.keymap import ALL
from melleafy_tui.themes import THEME_TITLES, THEMES
from melleafy_tui.widgets.frame import StepScreen


def key_commands(app: App[int], here: StepScreen) -> Iterator[SystemCommand]:
    """Yield the actions of the keys that work on a step."""
    for key in here.session.keys.rows:
        if ALL in key.where or here.STEP.value in key.where:
            namespace = app if ALL in key.where or key.action.startswith("app.") else here

            def run(action: str = key.action, target: App[int] | StepScreen = namespace) -> None:
                app.call_later(app.run_action, action, target)

            yield SystemCommand(f"{key.label}  ({key.spelled})", key.tooltip, run)


def theme_commands(app: App[int]) -> Iterator[SystemCommand]:
    """Yield one command a theme."""
    for theme in THEMES:

        def use(name: str = theme.name) -> None:
            app.theme = name

        yield SystemCommand(f"Theme: {THEME_TITLES[theme.name]}", "Change the colours.", use)
