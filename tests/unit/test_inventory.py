"""What is done for all dialects: merging, retags, hints across elements, contradictions."""

from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from melleafy_tui.core.decisions.keys import element_keys
from melleafy_tui.core.decisions.state import Retag
from melleafy_tui.core.dialects.base import Reading
from melleafy_tui.core.dialects.generic.dialect import GenericDialect
from melleafy_tui.core.dialects.openclaw.dialect import OpenClawDialect
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.errors import DecisionsRefused, UsageError
from melleafy_tui.core.models.inventory import Inventory
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import Category, Tag, allowed_together
from melleafy_tui.core.pipeline.element_collection import apply_retags, hints_across, take_inventory
from tests.dialects.openclaw.in_memory import AS_OF, inventory_of, snapshot_of, source_file


class Cousin(GenericDialect):
    """A second runtime that claims AGENTS.md too."""

    def __init__(self) -> None:
        super().__init__("cousin")

    def wants(self, path: str) -> bool:
        return path in ("AGENTS.md", "COUSIN.md")


def hybrid(tree: Mapping[str, str]) -> Inventory:
    dialects = Dialects.of(OpenClawDialect(), Cousin())
    base = snapshot_of(tree)
    snapshot = Snapshot(
        base.name,
        base.root,
        tuple(source_file(path, text) for path, text in sorted(tree.items())),
        base.names,
    )
    return take_inventory(
        snapshot, ("openclaw", "cousin"), dialects, as_of=AS_OF, openclaw_release="dialect-1.0"
    )


def test_a_file_that_two_dialects_claim_appears_once_with_both_rules() -> None:
    inventory = hybrid({"AGENTS.md": "- Never lie.\n", "COUSIN.md": "- Be kind.\n", "SOUL.md": "Warm.\n"})
    (shared,) = [file for file in inventory.files if file.path == "AGENTS.md"]
    assert shared.dialect_rule_id == "openclaw.agents+generic.markdown"
    assert shared.runtimes[0] == "openclaw"
    assert [(e.source_file, e.dialect_rule_id) for e in inventory.elements] == [
        ("SOUL.md", "openclaw.soul"),
        ("AGENTS.md", "openclaw.agents+generic.markdown"),
        ("COUSIN.md", "generic.markdown"),
        ("SOUL.md", "openclaw.soul"),  # a judged line of the persona, beside it
    ]


def test_two_runtimes_without_a_dialect_read_the_source_once() -> None:
    snapshot = snapshot_of({"AGENTS.md": "- Never lie.\n"})
    inventory = take_inventory(
        snapshot, ("letta", "crewai"), Dialects.of(), as_of=AS_OF, openclaw_release="dialect-1.0"
    )
    assert len(inventory.elements) == 1


def test_an_unknown_release_is_refused() -> None:
    with pytest.raises(UsageError):
        inventory_of({"SOUL.md": "x"}, release="newest")


RULES = inventory_of(
    {
        "AGENTS.md": "# Top\n\n- Never lie.\n- Be kind.\n",
        "MEMORY.md": "Blue.\n",
        "TOOLS.md": "- Key: ghp_" + "abcdefghij" * 3 + "123456\n",
    }
)
KEYS = element_keys(RULES.elements)


def retagged(index: int, retag: Retag) -> Inventory:
    element = RULES.elements[index]
    return apply_retags(RULES, KEYS, {KEYS[element.element_id]: retag})


def test_a_retag_changes_one_element_and_says_who() -> None:
    inventory = retagged(1, Retag(Tag.ORCHESTRATE))
    assert (inventory.elements[1].tag, inventory.elements[1].category, inventory.elements[1].rationale) == (
        Tag.ORCHESTRATE,
        Category.C2,
        "user",
    )
    assert inventory.elements[2:] == RULES.elements[2:]


def test_no_retag_gives_the_same_inventory() -> None:
    assert apply_retags(RULES, KEYS, {}) is RULES


def test_not_decomposed_takes_the_category_away() -> None:
    element = retagged(1, Retag(Tag.NO_DECOMPOSE)).elements[1]
    assert (element.category, element.mapping_row) == (Category.NONE, "")


def test_a_category_for_a_heading_makes_it_something_to_convert() -> None:
    element = retagged(0, Retag(category=Category.C2)).elements[0]
    assert (element.tag, element.category) == (Tag.DECIDE, Category.C2)


@pytest.mark.parametrize("category", [category for category in Category if category is not Category.NONE])
def test_a_category_alone_brings_a_tag_that_can_stand_beside_it(category: Category) -> None:
    for index in range(3):
        element = retagged(index, Retag(category=category)).elements[index]
        assert element.category is category
        assert allowed_together(element.tag, category)


def test_another_category_leaves_the_dialects_row() -> None:
    assert retagged(1, Retag(category=Category.C1)).elements[1].mapping_row == ""


@pytest.mark.parametrize(
    ("tag", "category"),
    [(tag, category) for tag in Tag for category in Category if not allowed_together(tag, category)],
)
def test_a_forbidden_pair_is_refused(tag: Tag, category: Category) -> None:
    with pytest.raises(DecisionsRefused, match="cannot be"):
        retagged(1, Retag(tag, category))


def test_a_secret_stays_a_credential() -> None:
    index = next(i for i, e in enumerate(RULES.elements) if e.category is Category.C7)
    with pytest.raises(DecisionsRefused, match="secret"):
        retagged(index, Retag(category=Category.C6))


def test_rules_said_twice_point_at_each_other() -> None:
    inventory = inventory_of(
        {"AGENTS.md": "- Never delete a ledger.\n- Be kind.\n- Never, ever delete the ledger!\n"}
    )
    first, other, second = inventory.elements
    assert first.aggregation_hint == f"near-identical: {second.element_id}"
    assert second.aggregation_hint == f"near-identical: {first.element_id}"
    assert other.aggregation_hint == ""


def test_a_prohibition_and_a_permission_are_not_the_same_rule() -> None:
    inventory = inventory_of(
        {"AGENTS.md": "Never:\n\n- open red doors\n\nYou may freely:\n\n- open red doors\n"}
    )
    assert not any("near-identical" in e.aggregation_hint for e in inventory.elements)


def test_two_constants_of_one_name_point_at_each_other() -> None:
    inventory = inventory_of({"USER.md": "- **Team:** four\n- **Team:** five\n"})
    assert ["same name “team”" in e.aggregation_hint for e in inventory.elements] == [True, True]


def test_hints_take_time_in_proportion_to_the_elements() -> None:
    element = inventory_of({"AGENTS.md": "- Never delete a ledger.\n"}).elements[0]
    many = [
        replace(element, element_id=f"elem_{n}", statement=f"Never delete ledger {n}") for n in range(5_000)
    ]
    assert len(hints_across(many)) == 5_000


def test_a_reading_without_anything_gives_an_empty_inventory() -> None:
    assert Reading((), ()) == Reading((), (), ())
    assert inventory_of({"notes.txt": "x"}).elements == ()
