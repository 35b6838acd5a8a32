"""The one way by which results are kept from one state of a conversion to the next."""

from collections.abc import Callable, Hashable
from typing import Self, TypeVar

ResultT = TypeVar("ResultT")


class ResultCache:
    """Results by name, each kept while the inputs that it was computed from stay equal.

    Only the last result of a name is kept. Threads may share a cache: a result always stands with its own inputs.
    """

    def __init__(self) -> None:
        self._results: dict[Hashable, tuple[tuple[object, ...], object]] = {}

    def result(self, name: Hashable, inputs: tuple[object, ...], compute: Callable[[], ResultT]) -> ResultT:
        """Return a result, computed where its inputs differ from those of the last time.

        Args:
            name: What is computed; it fixes the type.
            inputs: Everything that `compute` looks at.
            compute: Computes it.
        """
        kept = self._results.get(name)
        if kept is None or kept[0] != inputs:
            kept = self._results[name] = (inputs, compute())
        return kept[1]  # type: ignore[return-value] # the name fixes the type

    def copy(self) -> Self:
        """Return a cache with the same results that goes its own way from here."""
        other = type(self)()
        other._results = dict(self._results)
        return other

    def update(self, other: Self) -> None:
        """Take over the results of another cache."""
        self._results.update(other._results)
