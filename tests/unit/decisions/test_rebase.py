"""Finding elements again after the workspace changed: the seven states, and that nothing is lost or moved unmarked."""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.decisions.application import apply_items, apply_overrides
from melleafy_tui.core.decisions.keys import element_keys
from melleafy_tui.core.decisions.rebase import DecisionState, OverrideState
from melleafy_tui.core.decisions.saving import document_of
from melleafy_tui.core.decisions.state import Decisions, Override, Retag, frozen, retag_of
from melleafy_tui.core.models.decisions import ConflictItem, Expectations, OverrideItem, RetagItem
from melleafy_tui.core.models.inventory import Element, Inventory
from melleafy_tui.core.models.vocabulary import Category, Disposition, EntryKind, Tag
from tests.unit.planning import element, element_of, inventory_of, numbered, places_in, plan_of, snapshot_of

LONG = "Never send mail to strangers without asking me first"
REWORDED = "Never send mail to strangers before asking me first"


def saved(elements: list[Element], key: str, **override: object) -> OverrideItem:
    """Return the entry that a decisions file gets for one override."""
    inventory = inventory_of(*elements)
    decisions = Decisions(overrides=frozen({key: Override(**{"disposition": Disposition.STUB, **override})}))  # type: ignore[arg-type]
    plan = plan_of(inventory)
    return document_of(decisions, snapshot_of(), "", places_in(inventory.elements), plan.entries).overrides[0]


def state_of(item: OverrideItem, elements: list[Element]) -> OverrideState:
    inventory = inventory_of(*elements)
    return apply_overrides([item], places_in(inventory.elements), plan_of(inventory).entries).states[0]


def rule(text: str, section: str = "Rules", file: str = "AGENTS.md", lead_in: str = "") -> Element:
    return element(file, text, section=(section,), context=(lead_in,) if lead_in else ())


BEFORE = [rule("Be brief"), rule(LONG), rule("Read the ticket first")]
KEY = "AGENTS.md#rules/never-send-mail-to-strangers"

STATES = {
    "applied-as-it-was": (BEFORE, DecisionState.APPLIED, KEY),
    "applied-lines-added-above": ([rule("New one"), rule("Newer"), *BEFORE], DecisionState.APPLIED, KEY),
    "applied-other-marker": ([replace(BEFORE[1], content_full=f"*  **{LONG}**")], DecisionState.APPLIED, KEY),
    "changed-tail-reworded": ([rule("Never send mail to strangers, ever")], DecisionState.CHANGED, KEY),
    "applied-lead-in-that-the-file-does-not-know": ([rule(LONG, lead_in="You may:")], DecisionState.APPLIED, KEY),
    "moved-heading-renamed": ([rule(LONG, "Law")], DecisionState.MOVED, "AGENTS.md#law/never-send-mail-to-strangers"),
    "moved-other-file": ([rule(LONG, file="SOUL.md")], DecisionState.MOVED, "SOUL.md#rules/never-send-mail-to-strangers"),
    "moved-repeat-above": ([rule("Never send mail to strangers on Sundays"), *BEFORE], DecisionState.MOVED, f"{KEY}~2"),
    "moved-though-another-took-its-key": (
        [rule("Never send mail to strangers on any Sunday of the year"), rule(LONG, "Law")],
        DecisionState.MOVED, "AGENTS.md#law/never-send-mail-to-strangers"),
    "suggested-first-words-reworded": (
        [rule("Be brief"), rule("Do never send mail to strangers without asking me first")],
        DecisionState.SUGGESTED, "AGENTS.md#rules/do-never-send-mail-to"),
    "suggested-two-places": (
        [rule(LONG, "Law"), rule(LONG, "Order")], DecisionState.SUGGESTED, "AGENTS.md#law/never-send-mail-to-strangers"),
    "orphaned-deleted": ([rule("Be brief"), rule("Read the ticket first")], DecisionState.ORPHANED, ""),
    "orphaned-alike-in-other-file": ([rule(f"Do {LONG.lower()}", file="SOUL.md")], DecisionState.ORPHANED, ""),
}  # fmt: skip


@pytest.mark.parametrize("case", STATES)
def test_state(case: str) -> None:
    after, state, key = STATES[case]
    found = state_of(saved(BEFORE, KEY), after)
    assert (found.state, found.key) == (state, key)
    assert found.name == KEY
    assert found.choice == "stub"
    assert found.message.endswith(".")
    assert found.old_text == LONG


def test_changed_shows_the_old_and_the_new_text() -> None:
    found = state_of(saved(BEFORE, KEY), [rule("Never send mail to strangers at all")])
    assert (found.old_text, found.new_text) == (LONG, "Never send mail to strangers at all")


def test_the_same_key_on_another_text_altogether_is_applied_and_marked_as_such() -> None:
    before = [replace(rule("Likes short answers and long walks"), label="Vibe")]
    after = [replace(rule("Quotes regulations verbatim at any time"), label="Vibe")]
    found = state_of(saved(before, "AGENTS.md#rules/vibe"), after)
    assert (found.state, found.applied, found.another_text) == (DecisionState.CHANGED, True, True)
    assert "the text there differs" in found.message
    assert found.text_differs


def test_a_reworded_text_is_not_called_another_one() -> None:
    found = state_of(saved(BEFORE, KEY), [rule("Never send mail to strangers before asking")])
    assert (found.state, found.another_text) == (DecisionState.CHANGED, False)


def test_another_line_of_introduction_is_marked_though_the_item_is_the_same() -> None:
    before = [rule(LONG, lead_in="Must never:")]
    found = state_of(saved(before, KEY), [rule(LONG, lead_in="Feel free:")])
    assert found.state is DecisionState.CHANGED
    assert "introduce" in found.message


def test_a_new_default_is_reported_and_the_override_holds() -> None:
    item = saved(BEFORE, KEY).model_copy(update={"expects": Expectations(default=Disposition.REMOVE)})
    found = state_of(item, BEFORE)
    assert (found.state, found.applied) == (DecisionState.STALE_DEFAULT, True)
    assert "remove" in found.message
    assert "bundle" in found.message


def test_a_changed_text_with_a_new_default_says_both() -> None:
    item = saved(BEFORE, KEY)
    assert item.expects is not None
    stale = item.model_copy(
        update={"expects": item.expects.model_copy(update={"default": Disposition.REMOVE})}
    )
    found = state_of(stale, [rule("Never send mail to strangers at all")])
    assert found.state is DecisionState.CHANGED
    assert "default was remove" in found.message


REFUSED = {
    "disposition-not-allowed": OverrideItem(key=KEY, disposition=Disposition.MOCK),
    "judged-alone-though-no-rule": OverrideItem(key="settings#backend", judge_individually=True),
    "backend-removed": OverrideItem(key="settings#backend", disposition=Disposition.REMOVE),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str) -> None:
    found = state_of(REFUSED[case], BEFORE)
    assert found.state is DecisionState.REFUSED
    assert not found.applied
    assert found.message


TWICE = {
    "same-key": [OverrideItem(key=KEY, disposition=Disposition.STUB), OverrideItem(key=KEY, disposition=Disposition.REMOVE)],
    "key-and-number": [OverrideItem(key=KEY, disposition=Disposition.STUB), OverrideItem(entry_id="dep_002", disposition=Disposition.STUB)],
    "number-before-key": [OverrideItem(entry_id="dep_002", disposition=Disposition.STUB), OverrideItem(key=KEY, disposition=Disposition.STUB)],
}  # fmt: skip


@pytest.mark.parametrize("case", TWICE)
def test_the_second_decision_on_one_entry_is_refused(case: str) -> None:
    inventory = inventory_of(*BEFORE)
    applied = apply_overrides(TWICE[case], places_in(inventory.elements), plan_of(inventory).entries)
    assert [state.state for state in applied.states] == [DecisionState.APPLIED, DecisionState.REFUSED]
    assert list(applied.decided) == [KEY]


def test_the_short_form_names_an_entry_by_its_number() -> None:
    found = state_of(OverrideItem(entry_id="dep_002", disposition=Disposition.STUB), BEFORE)
    assert (found.state, found.name, found.key) == (DecisionState.APPLIED, "dep_002", KEY)


def test_a_number_that_no_entry_has_is_kept_as_orphan() -> None:
    item = OverrideItem(entry_id="dep_999", disposition=Disposition.STUB)
    inventory = inventory_of(*BEFORE)
    applied = apply_overrides([item], places_in(inventory.elements), plan_of(inventory).entries)
    assert applied.states[0].state is DecisionState.ORPHANED
    assert applied.unplaced[0].item == item


def test_an_element_that_lost_its_category_orphans_its_override() -> None:
    prose = replace(BEFORE[1], category=Category.NONE, tag=Tag.NO_DECOMPOSE)
    assert state_of(saved(BEFORE, KEY), [prose]).state is DecisionState.ORPHANED


def test_two_overrides_never_land_on_one_element() -> None:
    twins = [rule(LONG, "A"), rule(LONG, "B")]
    items = [saved(twins, f"AGENTS.md#{name}/never-send-mail-to-strangers") for name in "ab"]
    inventory = inventory_of(rule(LONG, "C"))
    applied = apply_overrides(items, places_in(inventory.elements), plan_of(inventory).entries)
    assert [state.state for state in applied.states] == [DecisionState.MOVED, DecisionState.ORPHANED]


def test_a_short_digest_written_by_hand_agrees() -> None:
    item = saved(BEFORE, KEY)
    assert item.expects is not None
    assert item.expects.text is not None
    short = item.model_copy(update={"expects": Expectations(text=item.expects.text[:15] + "…")})
    assert state_of(short, BEFORE).state is DecisionState.APPLIED
    assert state_of(short, [rule(LONG, "Law")]).state is DecisionState.MOVED


def test_retags_have_the_same_states() -> None:
    elements = numbered(BEFORE)
    keys = element_keys(elements)
    items = [
        RetagItem(key=keys["elem_001"], tag=Tag.CONFIG),
        RetagItem(key=keys["elem_002"], category=Category.C5, tag=Tag.CONFIG),
        RetagItem(key="AGENTS.md#gone", tag=Tag.DECIDE),
    ]
    said = "They never stand together."
    applied = apply_items(
        "retags", items, places_in(elements), lambda item, _: said if item.category else "", retag_of
    )
    assert [state.state for state in applied.states] == [
        DecisionState.APPLIED,
        DecisionState.REFUSED,
        DecisionState.ORPHANED,
    ]
    assert applied.decided == {keys["elem_001"]: Retag(Tag.CONFIG)}
    assert (applied.states[1].choice, applied.states[1].message) == (
        "CONFIG C5",
        "They never stand together.",
    )


def test_a_conflict_choice_without_a_conflict_is_kept() -> None:
    applied = apply_items(
        "conflicts", [ConflictItem(key=KEY, resolution="merge")], {}, lambda item, key: "", str
    )
    assert applied.states[0].state is DecisionState.ORPHANED
    assert applied.unplaced[0].item.name == KEY


def test_secrets_that_the_statement_leaves_out_do_not_enter_the_file() -> None:
    token = replace(rule("Call it with token hunter2hunter2"), statement="Call it with token ${TOKEN}")
    item = saved([token], "AGENTS.md#rules/call-it-with-token-hunter2hunter2")
    assert item.expects is not None
    assert item.expects.words == "Call it with token ${TOKEN}"


# --- random edits of a workspace ------------------------------------------------------------------

VOCABULARY = (
    "always answer the ticket queue politely never close escalate billing outage customer before asking owner check "
    "calendar reply summary short plain words report daily weekly error log server restart deploy review merge branch "
    "test coverage draft message channel mention nobody private secret photo music light camera window garden budget "
    "invoice receipt travel flight hotel passport doctor appointment medicine running training recipe shopping"
)
WORDS = VOCABULARY.split()


class Tracked(Struct, frozen=True):
    """One rule with an identity that survives edits of the test."""

    uid: int
    file: str
    section: str
    text: str


def workspace(chance: random.Random, size: int = 30) -> list[Tracked]:
    return [
        Tracked(uid, chance.choice(["AGENTS.md", "SOUL.md"]), chance.choice(["Rules", "Red lines", "Style"]),
                " ".join(chance.choices(WORDS, k=chance.randint(5, 25))))
        for uid in range(size)
    ]  # fmt: skip


def inventoried(rules: list[Tracked]) -> tuple[Inventory, dict[str, int]]:
    """Return the inventory in the order of files and sections, and the identity behind each key."""
    ordered = sorted(rules, key=lambda one: one.file)
    inventory = inventory_of(*(rule(one.text, one.section, one.file) for one in ordered))
    keys = element_keys(inventory.elements)
    return inventory, {
        keys[found.element_id]: one.uid for found, one in zip(inventory.elements, ordered, strict=True)
    }


def reword(chance: random.Random, one: Tracked) -> Tracked:
    words = one.text.split()
    for at in chance.sample(range(len(words)), max(1, len(words) // 5)):
        words[at] = chance.choice([word for word in WORDS if word != words[at]])
    return replace(one, text=" ".join(words))


def edit_insert(chance: random.Random, rules: list[Tracked]) -> tuple[list[Tracked], set[int]]:
    at = chance.randint(0, len(rules))
    near = chance.choice(rules)
    alike = reword(chance, near).text if chance.random() < 0.5 else " ".join(chance.choices(WORDS, k=9))
    new = Tracked(1000, near.file, near.section, alike)
    return [*rules[:at], new, *rules[at:]], set()


def edit_delete(chance: random.Random, rules: list[Tracked]) -> tuple[list[Tracked], set[int]]:
    gone = chance.choice(rules)
    return [one for one in rules if one is not gone], {gone.uid}


def edit_move(chance: random.Random, rules: list[Tracked]) -> tuple[list[Tracked], set[int]]:
    moved = chance.choice(rules)
    rest = [one for one in rules if one is not moved]
    rest.insert(chance.randint(0, len(rest)), replace(moved, section="Elsewhere"))
    return rest, {moved.uid}


def edit_reword(chance: random.Random, rules: list[Tracked]) -> tuple[list[Tracked], set[int]]:
    chosen = chance.choice(rules)
    return [reword(chance, one) if one is chosen else one for one in rules], {chosen.uid}


def edit_reorder(chance: random.Random, rules: list[Tracked]) -> tuple[list[Tracked], set[int]]:
    return chance.sample(rules, len(rules)), set()


def edit_rename_heading(chance: random.Random, rules: list[Tracked]) -> tuple[list[Tracked], set[int]]:
    old = chance.choice(rules).section
    return [replace(one, section="Renamed") if one.section == old else one for one in rules], set()


def edit_split_file(chance: random.Random, rules: list[Tracked]) -> tuple[list[Tracked], set[int]]:
    return [replace(one, file="MORE.md") if chance.random() < 0.5 else one for one in rules], set()


def edit_join_files(_chance: random.Random, rules: list[Tracked]) -> tuple[list[Tracked], set[int]]:
    return [replace(one, file="AGENTS.md") for one in rules], set()


Edit = Callable[[random.Random, list[Tracked]], tuple[list[Tracked], set[int]]]
EDITS: tuple[Edit, ...] = (
    edit_insert, edit_delete, edit_move, edit_reword, edit_reorder, edit_rename_heading, edit_split_file, edit_join_files,
)  # fmt: skip


@dataclass
class Outcome:
    """What one edit did to the overrides of a workspace."""

    states: tuple[OverrideState, ...]
    wanted: dict[str, int]
    now: dict[str, int]
    texts: dict[int, str]
    after: dict[str, str]


def rebased(before: list[Tracked], after: list[Tracked], every: int = 2) -> Outcome:
    """Override every second rule, save, edit, and load the file again."""
    inventory, owners = inventoried(before)
    chosen = {key: Override(Disposition.STUB) for number, key in enumerate(owners) if number % every == 0}
    decisions = Decisions(overrides=frozen(chosen))
    document = document_of(
        decisions, snapshot_of(), "", places_in(inventory.elements), plan_of(inventory).entries
    )
    later, owners_now = inventoried(after)
    places = places_in(later.elements)
    applied = apply_overrides(document.overrides, places, plan_of(later).entries)
    return Outcome(
        applied.states,
        owners,
        owners_now,
        {one.uid: one.text for one in before},
        {key: place.text for key, place in places.items()},
    )


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__.removeprefix("edit_"))
@pytest.mark.parametrize("seeds", [range(10), pytest.param(range(10, 200), marks=pytest.mark.slow)], ids=len)
def test_no_edit_loses_an_override_or_moves_one_unmarked(edit: Edit, seeds: range) -> None:
    for seed in seeds:
        edited_and_compared(edit, random.Random(seed))


def edited_and_compared(edit: Edit, chance: random.Random) -> None:
    """Edit a workspace by chance and hold the state of each override against the rule that it was made for."""
    before = workspace(chance)
    after, touched = edit(chance, before)
    found = rebased(before, after)
    assert len(found.states) == len({state.name for state in found.states}) == -(-len(before) // 2)
    targets = [state.key for state in found.states if state.applied]
    assert len(targets) == len(set(targets))
    for state in found.states:
        uid = found.wanted[state.name]
        same = state.applied and (found.now[state.key] == uid or found.after[state.key] == found.texts[uid])
        if state.state in (DecisionState.APPLIED, DecisionState.MOVED, DecisionState.STALE_DEFAULT):
            assert same, "an unmarked override sits on another element"
        if uid not in touched:
            assert same, f"an untouched rule lost its override: {state}"


@pytest.mark.parametrize("edits", [100, pytest.param(1_000, marks=pytest.mark.slow)])
def test_reworded_rules_are_found_again(edits: int, record_property: Callable[[str, object], None]) -> None:
    chance = random.Random(20260115)
    counts: Counter[str] = Counter()
    for _ in range(edits):
        before = workspace(chance, size=12)
        after, touched = edit_reword(chance, before)
        found = rebased(before, after, every=1)
        (uid,) = touched
        (state,) = [state for state in found.states if found.wanted[state.name] == uid]
        right = bool(state.key) and found.now[state.key] == uid
        counts[f"{state.state.value}, {'right' if right else 'wrong'}"] += 1
        assert right or state.state in (
            DecisionState.CHANGED,
            DecisionState.SUGGESTED,
            DecisionState.ORPHANED,
        )
    record_property("reworded", dict(counts))
    assert sum(number for name, number in counts.items() if name.endswith("right")) >= 0.95 * edits, counts


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1_000_000), st.integers(2, 6))
def test_after_many_edits_every_override_is_still_in_a_state_and_in_the_file(seed: int, rounds: int) -> None:
    chance = random.Random(seed)
    rules = workspace(chance, size=14)
    inventory, owners = inventoried(rules)
    decisions = Decisions(
        overrides=frozen(dict.fromkeys(list(owners)[::2], Override(Disposition.STUB, "mine")))
    )
    count = len(decisions.overrides)
    for _ in range(rounds):
        document = document_of(
            decisions, snapshot_of(), "", places_in(inventory.elements), plan_of(inventory).entries
        )
        assert len(document.overrides) == count
        rules, _touched = chance.choice(EDITS)(chance, rules)
        inventory, _owners = inventoried(rules)
        applied = apply_overrides(
            document.overrides, places_in(inventory.elements), plan_of(inventory).entries
        )
        assert len(applied.decided) + len(applied.unplaced) == count
        decisions = Decisions(overrides=frozen(applied.decided), unplaced=applied.unplaced)


def test_a_suggestion_is_as_likely_as_it_says() -> None:
    found = state_of(saved(BEFORE, KEY), [rule("Do never send mail to strangers without asking me first")])
    assert found.similarity is not None
    assert 0.8 <= found.similarity < 1
    assert f"{found.similarity:.0%}" in found.message


def test_defaults_of_every_kind_are_expected_in_the_file() -> None:
    item = saved([element_of(EntryKind.MEMORY, "Notes")], "MEMORY.md#notes")
    assert item.expects is not None
    assert item.expects.default is Disposition.DELEGATE_TO_RUNTIME
