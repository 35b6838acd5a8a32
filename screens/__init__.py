"""The screens of the wizard's steps, each in a module that is imported on first use."""

from importlib import import_module
from typing import TYPE_CHECKING

from melleafy_tui.actions.steps import STEP_INFO, Step

if TYPE_CHECKING:
    from melleafy_tui.widgets.frame import StepScreen


def screen_of(step: Step) -> "type[StepScreen]":
    """Return the class of a step's screen, from its module of the same name."""
    module = import_module(f"melleafy_tui.screens.{step.value}")
    kind: type[StepScreen] = getattr(module, f"{STEP_INFO[step].title}Screen")
    return kind
