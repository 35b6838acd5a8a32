"""The undo history of the user's decisions."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.decisions.state import Decisions

if TYPE_CHECKING:  # most runs have no acts
    from melleafy_tui.core.decisions.commands import Command


class History(Struct, frozen=True):
    """All states that undo and redo can reach, the commands that lead from each to the next, and where we stand."""

    states: tuple[Decisions, ...]
    commands: "tuple[Command, ...]" = ()
    place: int = 0

    @property
    def present(self) -> Decisions:
        """Return the current decisions."""
        return self.states[self.place]

    def after(self, command: "Command") -> "History":
        """Return the history after a command, which clears the undone ones; this one if it changes nothing."""
        after = command.apply(self.present)
        if after == self.present:
            return self
        states, commands = self.states[: self.place + 1], self.commands[: self.place]
        return History((*states, after), (*commands, command), self.place + 1)

    def moved(self, steps: int) -> "History":
        """Return the history some steps later, or earlier if the number is negative."""
        return replace(self, place=min(max(0, self.place + steps), len(self.commands)))

    def translated(self, translate: Callable[[Decisions], Decisions]) -> "History":
        """Return the same history with every state translated, for a workspace that has changed meanwhile."""
        return replace(self, states=tuple(map(translate, self.states)))
