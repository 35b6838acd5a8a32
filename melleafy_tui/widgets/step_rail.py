"""The rail of the five steps: where the user stands, how far each step is, and a click that goes there."""

from collections.abc import Iterable
from dataclasses import dataclass

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message

from melleafy_tui.widgets.toned import Toned
from melleafy_tui.widgets.tones import Span, Tone
from melleafy_tui.wizard_steps import STEP_TITLES, STEPS, Progress, Step, StepState


class StepRail(Horizontal):
    """The five steps with their states; a click goes to one."""

    DEFAULT_CSS = """
    StepRail { height: 1; background: $surface; padding: 0 1; }
    StepRail > Toned { width: auto; height: 1; margin-right: 3; color: $tone-muted; }
    StepRail > Toned.-here { background: $cursor-row; }
    StepRail:ansi > Toned.-here, StepRail:nocolor > Toned.-here { text-style: reverse; }
    """

    @dataclass
    class Picked(Message):
        """A step was clicked."""

        step: Step

    def compose(self) -> ComposeResult:
        """Hold one piece a step."""
        for step in STEPS:
            yield Toned(id=f"rail-{step.value}")

    def show_states(self, states: Iterable[StepState], here: Step) -> None:
        """Show the states; a mark and a word say them, the colour only repeats it."""
        for state in states:
            piece = self.query_one(f"#rail-{state.step.value}", Toned)
            mark: Span = ("·", Tone.MUTED)
            if state.progress is Progress.DONE:
                mark = ("✓", Tone.GOOD)
            elif state.progress is Progress.ATTENTION:
                mark = (f"!{state.count}", Tone.WARN)
            number = STEPS.index(state.step) + 1
            tone = Tone.STRONG if state.step is here else Tone.TEXT
            opened, closed = ("▸", " ") if state.step is here else (" ", " ")
            piece.set_class(state.step is here, "-here")
            piece.show_lines(
                [
                    (
                        (opened, Tone.KEY),
                        (f"{number} ", Tone.KEY),
                        (f"{STEP_TITLES[state.step]} ", tone),
                        mark,
                        (closed, tone),
                    )
                ]
            )
            piece.tooltip = f"{STEP_TITLES[state.step]}: {state.progress.value}"

    def on_click(self, event: events.Click) -> None:
        """Go to the step under the mouse."""
        target = event.widget.id if event.widget is not None else None
        if target and target.startswith("rail-"):
            self.post_message(self.Picked(Step(target.removeprefix("rail-"))))
