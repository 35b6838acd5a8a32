"""What a row of the table of generators declares that it reads, and the part of a committed plan that it gets."""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Final

from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.vocabulary import EntryKind

Input = EntryKind | str
"""A field of `CommittedPlan`, or a kind of entries whose planned elements are read; `planned` reads every kind."""

EVERY_KIND: Final = "planned"


class UndeclaredInput(LookupError):
    """A generator asked for what its row does not declare; always a fault of ours."""

    def __init__(self, wanted: object) -> None:
        super().__init__(f"{wanted} is read, but not declared in the table of generators")


class _DeclaredKinds(dict[EntryKind, tuple[PlannedElement, ...]]):
    def __missing__(self, kind: EntryKind) -> tuple[PlannedElement, ...]:
        raise UndeclaredInput(kind)


class DeclaredInputs(CommittedPlan):
    """The declared part of a committed plan; nothing else can be read from it.

    Args:
        committed: The whole plan.
        declared: What the row reads.
    """

    __slots__ = ("values",)

    values: tuple[object, ...]
    """The inputs themselves: where they are equal, so is what is made of them."""

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
        """Refuse a field that was not declared."""
        raise UndeclaredInput(name) if name in _FIELDS else AttributeError(name)


_FIELDS: Final = frozenset(field.name for field in fields(CommittedPlan))
