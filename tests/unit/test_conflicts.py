"""Conflicts of a hybrid: what is one, who wins, what the user may choose (spec/conversion.md 6)."""

from dataclasses import replace

import pytest

from melleafy_tui.core.decisions.keys import element_keys
from melleafy_tui.core.decisions.state import Decisions, frozen
from melleafy_tui.core.dialects.base import FileRule, MappingRow
from melleafy_tui.core.errors import DecisionsRefused
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.plan import DependencyPlan
from melleafy_tui.core.models.vocabulary import Category, DecisionSource, Disposition, EntryKind
from melleafy_tui.core.plan import make_plan
from tests.unit.planning import ROWS, classification_of, element_of, inventory_of, mapping_of

RULE_FILE = "requirements.py"
RULE_LIST = "OPERATING_REQUIREMENTS"


class Toy:
    """A dialect with one file rule."""

    def __init__(self, runtime: str, rule_id: str, rows: tuple[MappingRow, ...]) -> None:
        self.runtime = runtime
        self.file_rules = (FileRule(rule_id, "AGENTS.md", "rules", rows[0].category),)
        self.mapping_rows = rows


def other_row(
    category: Category, kind: EntryKind, default: Disposition, file: str, symbol: str
) -> MappingRow:
    return MappingRow("other.row", "x", category, kind, default, file, symbol, "bundle", "")


def hybrid(row: MappingRow, element: Element, choice: str | None = None) -> DependencyPlan:
    """Return the plan of an element whose file two dialects claim."""
    claimed = replace(element, dialect_rule_id="openclaw.agents+other.agents")
    inventory = inventory_of(claimed)
    keys = element_keys(inventory.elements)
    toys = {
        "openclaw": Toy("openclaw", "openclaw.agents", ROWS),
        "other": Toy("other", "other.agents", (row,)),
    }
    classification = classification_of().model_copy(
        update={"source_runtime": "hybrid", "hybrid_primary": "openclaw", "hybrid_contributors": ("other",)}
    )
    choices = frozen({keys["elem_001"]: choice} if choice else {})
    return make_plan(
        inventory, mapping_of(inventory), classification, keys, Decisions(conflicts=choices), toys  # type: ignore[arg-type]
    )  # fmt: skip


RULE = replace(element_of(EntryKind.RULE), mapping_row="agents.rule")
SAME = other_row(Category.C2, EntryKind.RULE, Disposition.BUNDLE, RULE_FILE, RULE_LIST)
STUB = other_row(Category.C2, EntryKind.RULE, Disposition.STUB, "constrained_slots.py", "")
TOOL = other_row(Category.C6, EntryKind.TOOL_ABSTRACT, Disposition.STUB, "constrained_slots.py", "")


def test_the_same_treatment_is_no_conflict() -> None:
    assert hybrid(SAME, RULE).conflicts == ()


def test_the_primary_wins_by_default_and_the_conflict_is_listed() -> None:
    plan = hybrid(STUB, RULE)
    (conflict,) = plan.conflicts
    assert (conflict.primary, conflict.contributor) == ("openclaw", "other")
    assert (conflict.resolution, conflict.resolved_by) == ("primary", DecisionSource.AUTO)
    assert plan.entries[0].disposition is Disposition.BUNDLE


def test_a_stub_wins_over_working_code() -> None:
    concrete = element_of(EntryKind.TOOL_CONCRETE)
    plan = hybrid(TOOL, concrete)
    assert plan.conflicts[0].resolution == "contributor"
    assert plan.entries[0].disposition is Disposition.STUB


def test_the_user_can_choose_the_contributor() -> None:
    plan = hybrid(STUB, RULE, "contributor")
    assert plan.conflicts[0].resolved_by is DecisionSource.USER
    assert plan.entries[0].disposition is Disposition.STUB
    assert "other" in plan.entries[0].reason


ELSEWHERE = other_row(Category.C2, EntryKind.RULE, Disposition.BUNDLE, "config.py", "PREFIX_TEXT")
IMPOSSIBLE = {
    "contributor-in-another-category": (TOOL, "contributor", "C6"),
    "merge-of-two-categories": (TOOL, "merge", "an entry has one category"),
    "merge-of-two-dispositions": (STUB, "merge", "other stub; an entry has one disposition"),
    "merge-of-two-places": (ELSEWHERE, "merge", "one place"),
}


@pytest.mark.parametrize("case", IMPOSSIBLE)
def test_a_resolution_that_is_not_possible_is_refused_with_the_reason(case: str) -> None:
    row, choice, reason = IMPOSSIBLE[case]
    with pytest.raises(DecisionsRefused) as refused:
        hybrid(row, RULE, choice)
    assert reason in refused.value.hint


@pytest.mark.parametrize("case", IMPOSSIBLE)
def test_what_cannot_be_chosen_is_said_before_it_is_offered(case: str) -> None:
    row, choice, reason = IMPOSSIBLE[case]
    (conflict,) = hybrid(row, RULE).conflicts
    assert reason in dict(conflict.refusals)[choice]
    assert "primary" not in dict(conflict.refusals)
