"""One undo history behind every act (spec/decisions.md, "In memory: one history")."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct, field

from melleafy_tui.core.decisions.state import Decisions

if TYPE_CHECKING:  # most runs have no acts
    from melleafy_tui.core.decisions.commands import Command


class Act(Struct, frozen=True):
    """One command that was carried out, with the decisions before and after it."""

    command: "Command"
    before: Decisions
    after: Decisions


class History(Struct):
    """The acts that were carried out and those that were undone."""

    present: Decisions
    done: list[Act] = field(default_factory=list)
    undone: list[Act] = field(default_factory=list)

    def carry_out(self, command: "Command") -> bool:
        """Carry out a command; return whether it changed anything. What had been undone is forgotten."""
        after = command.apply(self.present)
        if after == self.present:
            return False
        self.done.append(Act(command, self.present, after))
        self.undone.clear()
        self.present = after
        return True

    def undo(self) -> Act | None:
        """Take back the last act and return it, or None."""
        if not self.done:
            return None
        act = self.done.pop()
        self.undone.append(act)
        self.present = act.before
        return act

    def redo(self) -> Act | None:
        """Carry out the last undone act again and return it, or None."""
        if not self.undone:
            return None
        act = self.undone.pop()
        self.done.append(act)
        self.present = act.after
        return act

    def states(self) -> tuple[Decisions, ...]:
        """Return every state that undo and redo can lead to, the present one included, each once."""
        every = [self.present]
        for act in (*self.done, *self.undone):
            every += [act.before, act.after]
        return tuple({id(state): state for state in every}.values())

    def translated(self, translate: Callable[[Decisions], Decisions]) -> "History":
        """Return the same history with every state replaced, for a workspace that has changed meanwhile."""
        return History(
            translate(self.present),
            [Act(act.command, translate(act.before), translate(act.after)) for act in self.done],
            [Act(act.command, translate(act.before), translate(act.after)) for act in self.undone],
        )
