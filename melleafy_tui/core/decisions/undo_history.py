"""The undo history of the user's decisions."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

from melleafy_tui.core.decisions.state import Decisions

if TYPE_CHECKING:  # most runs have no acts
    from melleafy_tui.core.decisions.commands import Command


class Act(Struct, frozen=True):
    """One executed command, with the decisions before and after it."""

    command: "Command"
    before: Decisions
    after: Decisions


class History(Struct, frozen=True):
    """The current decisions, the acts that can be undone and those that can be redone."""

    present: Decisions
    done: tuple[Act, ...] = ()
    undone: tuple[Act, ...] = ()

    def after(self, command: "Command") -> "History":
        """Return the history after a command, which clears the undone acts; this one if it changes nothing."""
        after = command.apply(self.present)
        if after == self.present:
            return self
        return History(after, (*self.done, Act(command, self.present, after)))

    def back(self) -> "tuple[History, Act | None]":
        """Return the history with the last act undone, and that act; itself if there is none."""
        if not self.done:
            return self, None
        *done, act = self.done
        return History(act.before, tuple(done), (*self.undone, act)), act

    def forward(self) -> "tuple[History, Act | None]":
        """Return the history with the last undone act done again, and that act; itself if there is none."""
        if not self.undone:
            return self, None
        *undone, act = self.undone
        return History(act.after, (*self.done, act), tuple(undone)), act

    def states(self) -> tuple[Decisions, ...]:
        """Return every state that undo and redo can reach, including the current one, each once."""
        every = [self.present]
        for act in (*self.done, *self.undone):
            every += [act.before, act.after]
        return tuple({id(state): state for state in every}.values())

    def translated(self, translate: Callable[[Decisions], Decisions]) -> "History":
        """Return the same history with every state translated, for a workspace that has changed meanwhile."""

        def moved(acts: tuple[Act, ...]) -> tuple[Act, ...]:
            return tuple(Act(act.command, translate(act.before), translate(act.after)) for act in acts)

        return History(translate(self.present), moved(self.done), moved(self.undone))
