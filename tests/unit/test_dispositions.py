"""Every cell of the disposition matrix (spec/package.md 4), by name."""

import pytest

from melleafy_tui.core.decisions.keys import BACKEND_KEY
from melleafy_tui.core.errors import DecisionsRefused
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import DecisionSource, Disposition, EntryKind
from melleafy_tui.core.package.dispositions import DEFAULT_REASONS, DEFAULTS, MATRIX, allowed_for, cell
from tests.unit.planning import element_of, inventory_of, overriding, plan_of

B, R, S, M, D, E, L, X, *_ = Disposition

ALLOWED = {
    EntryKind.IDENTITY: {B: "config.py", D: "constrained_slots.py", E: "main.py", L: "_runtime/loader.py", X: "mapping_report.md"},
    EntryKind.RULE: {B: "requirements.py", S: "constrained_slots.py", D: "SETUP.md", L: "_runtime/loader.py", X: "mapping_report.md"},
    EntryKind.SCHEMA: {B: "schemas.py", X: "mapping_report.md"},
    EntryKind.FACT_STABLE: {B: "config.py", D: "constrained_slots.py", E: "main.py", L: "_runtime/loader.py", X: "mapping_report.md"},
    EntryKind.FACT_OVERRIDABLE: {B: "config.py", D: "constrained_slots.py", E: "main.py", L: "_runtime/loader.py", X: "mapping_report.md"},
    EntryKind.STATE: {R: "tools.py", S: "constrained_slots.py", M: "fixtures/mock_tools.py", D: "constrained_slots.py", E: "main.py", X: "mapping_report.md"},
    EntryKind.MEMORY: {B: "constrained_slots.py", R: "tools.py", S: "constrained_slots.py", M: "fixtures/mock_tools.py", D: "constrained_slots.py", E: "main.py", L: "constrained_slots.py", X: "mapping_report.md"},
    EntryKind.TOOL_NARRATIVE: {B: "config.py", S: "constrained_slots.py", M: "fixtures/mock_tools.py", D: "constrained_slots.py", E: "pipeline.py", X: "mapping_report.md"},
    EntryKind.TOOL_CONCRETE: {R: "tools.py", S: "constrained_slots.py", M: "fixtures/mock_tools.py", D: "constrained_slots.py", E: "pipeline.py", X: "mapping_report.md"},
    EntryKind.TOOL_ABSTRACT: {S: "constrained_slots.py", M: "fixtures/mock_tools.py", D: "constrained_slots.py", E: "pipeline.py", X: "mapping_report.md"},
    EntryKind.CREDENTIAL: {S: "constrained_slots.py", M: "fixtures/mock_tools.py", D: "constrained_slots.py", E: ".env.example", X: "mapping_report.md"},
    EntryKind.BACKEND: {B: "config.py", E: "main.py"},
    EntryKind.SCHEDULE: {B: "config.py", R: "tools.py", S: "constrained_slots.py", D: "config.py", E: "main.py", X: "mapping_report.md"},
    EntryKind.CROSS_REFERENCE: {X: "mapping_report.md"},
}  # fmt: skip
"""The table of the spec, written down a second time: what is allowed, and which file carries it."""

SETUP = {
    (EntryKind.IDENTITY, D): "§8",
    (EntryKind.RULE, S): "§8",
    (EntryKind.RULE, D): "§7",
    (EntryKind.STATE, D): "§4",
    (EntryKind.MEMORY, D): "§5",
    (EntryKind.TOOL_NARRATIVE, D): "§8",
    (EntryKind.TOOL_CONCRETE, D): "§8",
    (EntryKind.TOOL_ABSTRACT, D): "§8",
    (EntryKind.CREDENTIAL, D): "§2",
    (EntryKind.CREDENTIAL, E): "§2",
    (EntryKind.BACKEND, E): "§3",
    (EntryKind.SCHEDULE, D): "§6",
}


def entry_under(kind: EntryKind, disposition: Disposition) -> PlanEntry:
    """Return the entry of this kind in a plan where the user chose the disposition."""
    inventory = inventory_of() if kind is EntryKind.BACKEND else inventory_of(element_of(kind))
    key = BACKEND_KEY if kind is EntryKind.BACKEND else plan_of(inventory).entries[0].key
    return plan_of(inventory, overriding(key, disposition, rationale="I want it")).entries[0]


@pytest.mark.parametrize("kind", EntryKind)
def test_an_allowed_cell_gives_its_target_and_its_setup_section(kind: EntryKind) -> None:
    for disposition, carrier in ALLOWED[kind].items():
        entry = entry_under(kind, disposition)
        assert (entry.kind, entry.disposition) == (kind, disposition)
        assert entry.source_of_decision is DecisionSource.USER, disposition
        file, _, symbol = entry.target.partition(":")
        assert file == carrier, disposition
        assert symbol, disposition
        usual = "§8" if disposition is S else entry.setup_section
        assert entry.setup_section == SETUP.get((kind, disposition), usual), disposition
        if file.endswith(".md") or disposition in (B, M):
            assert entry.setup_section in ("", "§7"), disposition


@pytest.mark.parametrize("kind", EntryKind)
def test_a_forbidden_cell_is_refused_with_key_reason_and_choices(kind: EntryKind) -> None:
    for disposition in set(Disposition) - set(ALLOWED[kind]):
        with pytest.raises(DecisionsRefused) as refused:
            entry_under(kind, disposition)
        assert "#" in refused.value.location, disposition
        assert disposition.value in refused.value.message
        assert cell(kind, disposition).refusal[1:].rstrip(".") in str(refused.value), disposition
        for choice in ALLOWED[kind]:
            assert choice.value in refused.value.hint, disposition


def test_every_kind_has_eight_cells_that_say_what_they_do() -> None:
    for kind in EntryKind:
        assert list(MATRIX[kind]) == list(Disposition), kind
        for disposition, found in MATRIX[kind].items():
            sentence = found.effect if found.allowed else found.refusal
            assert sentence.endswith("."), (kind, disposition)
            assert bool(found.effect) is found.allowed, (kind, disposition)
            assert bool(found.target_file) is found.allowed, (kind, disposition)
            assert bool(found.refusal) is not found.allowed, (kind, disposition)


def test_the_default_is_allowed_and_has_a_reason() -> None:
    for kind in EntryKind:
        assert DEFAULTS[kind] in allowed_for(kind), kind
        assert DEFAULT_REASONS[kind].endswith("."), kind


def test_a_credential_is_never_bundled_or_loaded() -> None:
    assert not cell(EntryKind.CREDENTIAL, Disposition.BUNDLE).allowed
    assert not cell(EntryKind.CREDENTIAL, Disposition.LOAD_FROM_DISK).allowed
