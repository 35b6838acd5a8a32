"""Immutable things that keep what was made of them, so that an act makes anew only what it reaches.

A piece lives exactly as long as its owner: nothing of it is left once the workspace has gone or a decision has put
another entry in the place of the owner.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Self, TypeVar

PieceT = TypeVar("PieceT")


@dataclass(frozen=True, slots=True)
class Pieced:
    """Something immutable of which functions make pieces."""

    _pieces: dict[object, object] = field(default_factory=dict, init=False, repr=False, compare=False)

    def piece(self, make: Callable[[Self], PieceT]) -> PieceT:
        """Return what a function makes of this alone, made on the first call only.

        Args:
            make: A function at the top of a module that looks at nothing but its argument.
        """
        try:
            return self._pieces[make]  # type: ignore[return-value] # the function fixes the type
        except KeyError:
            return self._pieces.setdefault(make, make(self))  # type: ignore[return-value] # so it does here
