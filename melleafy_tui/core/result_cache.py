"""A cache that reuses the results of a conversion's stages while their inputs stay the same."""

from collections.abc import Callable, Hashable
from typing import Self, TypeVar

ResultT = TypeVar("ResultT")


class ResultCache:
    """Results by name, each valid while the inputs it was computed from stay equal.

    Only the last result for each name is kept. Threads can share a cache, because each result is stored together with
    its inputs.
    """

    def __init__(self) -> None:
        self._results: dict[Hashable, tuple[tuple[object, ...], object]] = {}

    def result(self, name: Hashable, inputs: tuple[object, ...], compute: Callable[[], ResultT]) -> ResultT:
        """Return the cached result, or compute it if the inputs have changed.

        Args:
            name: The name of the result; it determines the type.
            inputs: Everything that `compute` reads.
            compute: Computes the result.
        """
        kept = self._results.get(name)
        if kept is None or kept[0] != inputs:
            kept = self._results[name] = (inputs, compute())
        return kept[1]  # type: ignore[return-value] # the name determines the type

    def copy(self) -> Self:
        """Return an independent cache with the same results."""
        other = type(self)()
        other._results = dict(self._results)
        return other

    def update(self, other: Self) -> None:
        """Add the results of another cache."""
        self._results.update(other._results)
