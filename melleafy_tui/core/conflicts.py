"""Conflicts of a hybrid: elements of a file that two dialects claim and would treat differently (spec/conversion.md 6).

The primary wins by default, except that a stub wins over working code.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from melleafy_tui.core.dialects.base import Dialect, MappingRow
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.plan import Conflict
from melleafy_tui.core.models.vocabulary import Category, DecisionSource, Disposition

PRIMARY: Final = "primary"
CONTRIBUTOR: Final = "contributor"
MERGE: Final = "merge"
RESOLUTIONS: Final = (PRIMARY, CONTRIBUTOR, MERGE)


@dataclass(frozen=True, slots=True)
class Treatment:
    """What one dialect would do with an element."""

    runtime: str
    category: Category
    default: Disposition
    target: str


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two treatments of one element that differ."""

    primary: Treatment
    contributor: Treatment

    @property
    def default_resolution(self) -> str:
        """Return what holds without the user."""
        stub_wins = (
            self.primary.default is Disposition.REAL_IMPL and self.contributor.default is Disposition.STUB
        )
        return CONTRIBUTOR if stub_wins and not self.objection(CONTRIBUTOR) else PRIMARY

    def objection(self, resolution: str) -> str:
        """Return why a resolution is not possible here, or `""`."""
        same_category = self.primary.category is self.contributor.category
        if resolution == CONTRIBUTOR and not same_category:
            return (
                f"{self.contributor.runtime} puts it under {self.contributor.category.value}; "
                f"change its category to that instead."
            )
        return self._contradiction if resolution == MERGE else ""

    @property
    def _contradiction(self) -> str:
        """Return why the two treatments do not add up to one, from what they differ in."""
        first, other = self.primary, self.contributor
        if first.category is not other.category:
            return (
                f"{first.runtime} puts it under {first.category.value} and {other.runtime} under "
                f"{other.category.value}; an entry has one category."
            )
        if first.default is not other.default:
            return (
                f"{first.runtime} would make it {first.default.value} and {other.runtime} {other.default.value}; "
                "an entry has one disposition."
            )
        return (
            f"Both would make it {first.default.value}, and the package has one place for that; "
            "the text is in it either way."
        )

    def conflict(self, key: str, element_id: str, chosen: str | None) -> Conflict:
        """Return the conflict as the plan lists it."""
        return Conflict(
            key=key,
            element_id=element_id,
            primary=self.primary.runtime,
            contributor=self.contributor.runtime,
            resolution=chosen or self.default_resolution,
            resolved_by=DecisionSource.USER if chosen else DecisionSource.AUTO,
            refusals=tuple(
                (resolution, objection)
                for resolution in RESOLUTIONS
                if (objection := self.objection(resolution))
            ),
        )


def disagreement_on(
    element: Element, primary: Treatment, contributors: Sequence[Dialect]
) -> Disagreement | None:
    """Return how the first contributor that claims the element's file differs from the primary, or None.

    Args:
        element: The element, whose `dialect_rule_id` names the rule of each dialect that claims its file.
        primary: What the dialect that cut it would do.
        contributors: The other dialects, in order.
    """
    rule_ids = element.dialect_rule_id.split("+")
    for dialect in contributors:
        if dialect.runtime == primary.runtime:
            continue
        rules = {rule.rule_id: rule for rule in dialect.file_rules}
        rule = next((rules[rule_id] for rule_id in rule_ids[1:] if rule_id in rules), None)
        row = _row(dialect.mapping_rows, rule.category) if rule is not None else None
        if row is None:
            continue
        other = Treatment(
            dialect.runtime, row.category, row.default, f"{row.target_file}:{row.target_symbol}"
        )
        if (other.category, other.default, other.target) != (
            primary.category,
            primary.default,
            primary.target,
        ):
            return Disagreement(primary, other)
    return None


def _row(rows: Sequence[MappingRow], category: Category) -> MappingRow | None:
    return next((row for row in rows if row.category is category), None)
