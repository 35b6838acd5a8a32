"""The five screens of the wizard, each in a module that is imported on first use."""

from importlib import import_module
from typing import TYPE_CHECKING, Final

from melleafy_tui.actions.steps import Step

if TYPE_CHECKING:
    from melleafy_tui.widgets.frame import StepScreen

SCREENS: Final[dict[Step, tuple[str, str]]] = {
    Step.DETECT: ("detect", "DetectScreen"),
    Step.INVENTORY: ("inventory", "InventoryScreen"),
    Step.DECIDE: ("decide", "DecideScreen"),
    Step.PREVIEW: ("preview", "PreviewScreen"),
    Step.WRITE: ("write", "WriteScreen"),
}
"""Module and class of each step's screen."""


def screen_of(step: Step) -> "type[StepScreen]":
    """Return the class of a step's screen."""
    module, name = SCREENS[step]
    kind: type[StepScreen] = getattr(import_module(f"melleafy_tui.screens.{module}"), name)
    return kind
