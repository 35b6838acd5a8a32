"""Limits each generator to the inputs that its row in the table declares."""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Final

from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.vocabulary import EntryKind

Input = EntryKind | str
"""A declared input: a field of `CommittedPlan`, or an entry kind for its planned elements (`planned`: all kinds)."""

EVERY_KIND: Final = "planned"


class UndeclaredInput(LookupError):
    """A generator read an input that its row does not declare; always a bug in melleafy-tui."""

    def __init__(self, wanted: object) -> None:
        super().__init__(f"{wanted} is read, but not declared in the table of generators")


class _DeclaredKinds(dict[EntryKind, tuple[PlannedElement, ...]]):
    def __missing__(self, kind: EntryKind) -> tuple[PlannedElement, ...]:
        raise UndeclaredInput(kind)


class DeclaredInputs(CommittedPlan):
    """A view of a committed plan that gives access to the declared inputs only.

    Args:
        committed: The whole plan.
        declared: The inputs that the row declares.
    """

    __slots__ = ("values",)

    values: tuple[object, ...]
    """The values of the declared inputs; equal values give equal files."""

    def __init__(self, committed: CommittedPlan, declared: Iterable[Input]) -> None:
        names = {name for name in declared if not isinstance(name, EntryKind)}
        kinds = EntryKind if EVERY_KIND in names else (k for k in declared if isinstance(k, EntryKind))
        by_kind: Mapping[EntryKind, tuple[PlannedElement, ...]] = _DeclaredKinds(
            (kind, committed.planned_by_kind[kind]) for kind in kinds
        )
        for name in names:
            object.__setattr__(self, name, getattr(committed, name))
        object.__setattr__(self, "planned_by_kind", by_kind)
        object.__setattr__(self, "values", (*(getattr(self, name) for name in sorted(names)), by_kind))

    def __repr__(self) -> str:
        """Return the declared inputs."""
        return f"DeclaredInputs({self.values!r})"

    def __getattr__(self, name: str) -> object:
        """Raise UndeclaredInput for a field that isn't declared."""
        raise UndeclaredInput(name) if name in _FIELDS else AttributeError(name)


_FIELDS: Final = frozenset(field.name for field in fields(CommittedPlan))
