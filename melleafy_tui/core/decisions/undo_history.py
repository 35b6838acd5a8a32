"""The undo history of the user's decisions."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct, field

from melleafy_tui.core.decisions.state import Decisions

if TYPE_CHECKING:  # most runs have no acts
    from melleafy_tui.core.decisions.commands import Command


class Act(Struct, frozen=True):
    """One executed command, with the decisions before and after it."""

    command: "Command"
    before: Decisions
    after: Decisions


class History(Struct):
    """The current decisions, the acts that can be undone and those that can be redone."""

    present: Decisions
    done: list[Act] = field(default_factory=list)
    undone: list[Act] = field(default_factory=list)

    def carry_out(self, command: "Command") -> bool:
        """Execute a command and return whether it changed anything; a change clears the undone acts."""
        after = command.apply(self.present)
        if after == self.present:
            return False
        self.done.append(Act(command, self.present, after))
        self.undone.clear()
        self.present = after
        return True

    def undo(self) -> Act | None:
        """Undo the last act and return it, or None if there is none."""
        if not self.done:
            return None
        act = self.done.pop()
        self.undone.append(act)
        self.present = act.before
        return act

    def redo(self) -> Act | None:
        """Redo the last undone act and return it, or None if there is none."""
        if not self.undone:
            return None
        act = self.undone.pop()
        self.done.append(act)
        self.present = act.after
        return act

    def states(self) -> tuple[Decisions, ...]:
        """Return every state that undo and redo can reach, including the current one, each once."""
        every = [self.present]
        for act in (*self.done, *self.undone):
            every += [act.before, act.after]
        return tuple({id(state): state for state in every}.values())

    def translated(self, translate: Callable[[Decisions], Decisions]) -> "History":
        """Return the same history with every state translated, for a workspace that has changed meanwhile."""
        return History(
            translate(self.present),
            [Act(act.command, translate(act.before), translate(act.after)) for act in self.done],
            [Act(act.command, translate(act.before), translate(act.after)) for act in self.undone],
        )
