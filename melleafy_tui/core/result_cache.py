"""Keeps computed results from one state of a conversion to the next."""

from collections.abc import Callable, Hashable
from typing import Self, TypeVar

ResultT = TypeVar("ResultT")


class ResultCache:
    """Caches the last result of each name, and reuses it while the inputs are equal.

    Threads may share a cache: each result is stored together with its inputs.
    """

    def __init__(self) -> None:
        self._results: dict[Hashable, tuple[tuple[object, ...], object]] = {}

    def result(self, name: Hashable, inputs: tuple[object, ...], compute: Callable[[], ResultT]) -> ResultT:
        """Return the cached result if the inputs equal those of the last call, else compute and keep it.

        Args:
            name: Names the result; the same name must always have the same type.
            inputs: Everything that `compute` depends on.
            compute: Computes the result.
        """
        kept = self._results.get(name)
        if kept is None or kept[0] != inputs:
            kept = self._results[name] = (inputs, compute())
        return kept[1]  # type: ignore[return-value] # the name determines the type

    def copy(self) -> Self:
        """Return an independent copy of the cache."""
        other = type(self)()
        other._results = dict(self._results)
        return other

    def update(self, other: Self) -> None:
        """Add the results of another cache, replacing those of the same name."""
        self._results.update(other._results)
