"""The rules that the package keeps, sorted by what becomes of them in requirements.py (spec/package.md 3)."""

from itertools import chain
from typing import Final

from msgspec import Struct

from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.generators.shape import of_kind

_KEPT: Final = (Disposition.BUNDLE, Disposition.STUB)


class SortedRules(Struct, frozen=True):
    """The rules of a package, sorted by what becomes of them, each list in source order.

    Attributes:
        general: Requirements that hold everywhere.
        scoped: Requirements that hold in one folder, by folder.
        notes: Text for the prompt, which is no requirement.
        host: What the user left to the host.
        required: Every requirement, general ones first.
        stubs: Requirements whose validator is still to be written.
        judged: Requirements that the model judges.
    """

    general: tuple[PlannedElement, ...]
    scoped: dict[str, tuple[PlannedElement, ...]]
    notes: tuple[PlannedElement, ...]
    host: tuple[PlannedElement, ...]
    required: tuple[PlannedElement, ...]
    stubs: tuple[PlannedElement, ...]
    judged: tuple[PlannedElement, ...]


def is_note(item: PlannedElement) -> bool:
    """Return whether a rule is text for the prompt and no requirement."""
    return item.mapping.validation_kind is None


def is_stub(item: PlannedElement) -> bool:
    """Return whether the user writes the validator of a rule."""
    return item.entry.disposition is Disposition.STUB


def sorted_rules(committed: CommittedPlan) -> SortedRules:
    """Return the rules of a plan, each list in source order."""
    kept = of_kind(committed, EntryKind.RULE, *_KEPT)
    requirements = [item for item in kept if not is_note(item)]
    general = tuple(item for item in requirements if not item.element.scope)
    scoped = {
        scope: tuple(item for item in requirements if item.element.scope == scope)
        for scope in sorted({item.element.scope for item in requirements if item.element.scope})
    }
    required = (*general, *chain.from_iterable(scoped.values()))
    return SortedRules(
        general=general,
        scoped=scoped,
        notes=tuple(item for item in kept if is_note(item)),
        host=tuple(of_kind(committed, EntryKind.RULE, Disposition.DELEGATE_TO_RUNTIME)),
        required=required,
        stubs=tuple(item for item in required if is_stub(item)),
        judged=tuple(item for item in required if item.mapping.check is None and not is_stub(item)),
    )
