"""The rules that the package keeps, sorted by what becomes of them in requirements.py (spec/package.md 3)."""

from functools import cached_property
from typing import Final

from msgspec import Struct

from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.generators.shape import of_kind

_KEPT: Final = (Disposition.BUNDLE, Disposition.STUB)


class SortedRules(Struct, frozen=True, dict=True):
    """The rules of a package, sorted by what becomes of them, each list in source order."""

    general: tuple[PlannedElement, ...]
    scoped: dict[str, tuple[PlannedElement, ...]]
    notes: tuple[PlannedElement, ...]
    host: tuple[PlannedElement, ...]

    @cached_property
    def required(self) -> tuple[PlannedElement, ...]:
        """Return every rule that becomes a requirement."""
        return (*self.general, *(item for items in self.scoped.values() for item in items))

    @cached_property
    def stubs(self) -> tuple[PlannedElement, ...]:
        """Return the rules whose validator is still to be written."""
        return tuple(item for item in self.required if is_stub(item))

    @cached_property
    def judged(self) -> tuple[PlannedElement, ...]:
        """Return the rules that the model judges."""
        return tuple(item for item in self.required if item.mapping.check is None and not is_stub(item))


def is_note(item: PlannedElement) -> bool:
    """Return whether a rule is text for the prompt and no requirement."""
    return item.mapping.validation_kind is None


def is_stub(item: PlannedElement) -> bool:
    """Return whether the user writes the validator of a rule."""
    return item.entry.disposition is Disposition.STUB


def sorted_rules(committed: CommittedPlan) -> SortedRules:
    """Return the rules of a plan, each list in source order."""
    kept = of_kind(committed, EntryKind.RULE, *_KEPT)
    required = [item for item in kept if not is_note(item)]
    scopes = sorted({item.element.scope for item in required if item.element.scope})
    return SortedRules(
        general=tuple(item for item in required if not item.element.scope),
        scoped={scope: tuple(item for item in required if item.element.scope == scope) for scope in scopes},
        notes=tuple(item for item in kept if is_note(item)),
        host=tuple(of_kind(committed, EntryKind.RULE, Disposition.DELEGATE_TO_RUNTIME)),
    )
