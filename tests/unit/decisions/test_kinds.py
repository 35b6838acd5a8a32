"""Decisions by kind in a file (format 1.1), and what becomes of the files of earlier formats."""

import json
from collections import Counter
from pathlib import Path

import pytest

from melleafy_tui.core.decisions.file import format_decisions, parse_decisions
from melleafy_tui.core.decisions.rebase import DecisionState
from melleafy_tui.core.errors import DecisionsRefused
from melleafy_tui.core.models.vocabulary import DecisionKind, Disposition
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.pipeline.file_effects import effects_of
from tests.converted import conversion_of

EXAMPLES = Path(__file__).parents[3] / "examples"
SAVED = Path(__file__).parents[2] / "data" / "decisions-0.2.0.json"
LEAST_FOUND = 0.98
KEPT = (DecisionState.APPLIED, DecisionState.MOVED, DecisionState.CHANGED)


def triage() -> Conversion:
    return conversion_of(EXAMPLES / "ticket-triage").copy()


def key_of(conversion: Conversion, end: str) -> str:
    return next(key for key in conversion.keys.values() if key.endswith(end))


def test_each_kind_is_applied_and_saved_as_it_was_read() -> None:
    conversion = conversion_of(EXAMPLES / "invoice-intake").copy()
    tool = next(entry for entry in conversion.plan.entries if entry.disposition is Disposition.REAL_IMPL)
    rule, other = [
        conversion.keys[element.element_id]
        for element in conversion.inventory.elements
        if element.decided(DecisionKind.JUDGED, DecisionKind.CHECKED) is None and element.kind == "item"
    ][:2]
    given = {
        "format_version": "1.1",
        "tools": [{"key": tool.key, "answer": "deny"}],
        "judged": [{"key": rule, "answer": "yes", "wording": "Use at most 40 words."}],
        "left_out": [{"key": other, "answer": "leave"}],
    }
    states = conversion.load(parse_decisions(json.dumps(given)))
    assert {state.state for state in states} == {DecisionState.APPLIED}
    assert conversion.plan.by_key[tool.key].disposition is Disposition.REMOVE
    by_key = {conversion.keys[each.element_id]: each for each in conversion.inventory.elements}
    assert by_key[rule].decided(DecisionKind.CHECKED)
    assert by_key[rule].statement == "Use at most 40 words."
    assert by_key[other].is_left_out
    saved = json.loads(format_decisions(conversion.to_document()))
    assert saved["format_version"] == "1.1"
    for section in ("tools", "judged", "left_out"):
        kept = [{name: value for name, value in each.items() if name != "expects"} for each in saved[section]]
        assert kept == given[section]
        assert all(each["expects"]["text"] for each in saved[section])
    assert "overrides" not in saved
    assert "retags" not in saved


@pytest.mark.parametrize(
    ("use", "judged", "left_out"),
    [
        ("judged", True, False),
        ("guided", False, False),
        ("context", False, False),
        ("runtime_only", False, True),
    ],
)
def test_a_use_of_an_earlier_file_becomes_decisions(use: str, *, judged: bool, left_out: bool) -> None:
    conversion = triage()
    key = key_of(conversion, "keep-every-reply-under-120")
    text = json.dumps({"format_version": "1.0", "retags": [{"key": key, "use": use}]})
    conversion.load(parse_decisions(text))
    (element,) = (each for each in conversion.inventory.elements if conversion.keys[each.element_id] == key)
    assert (element.decided(DecisionKind.JUDGED, DecisionKind.CHECKED) is not None) is judged
    assert element.is_left_out is left_out
    saved = json.loads(format_decisions(conversion.to_document()))
    assert "retags" not in saved
    assert len(saved.get("judged", ())) == (not left_out)
    assert len(saved.get("left_out", ())) == left_out


def test_what_nothing_asks_any_more_is_kept_and_said() -> None:
    conversion = triage()
    reviewed = [
        {"item": "uncertain:AGENTS.md#x", "answer": "keep"},
        {"item": "memory:M.md#y", "answer": "keep"},
    ]
    states = conversion.load(parse_decisions(json.dumps({"format_version": "1.0", "reviewed": reviewed})))
    assert [(each.name, each.state) for each in states] == [
        ("uncertain:AGENTS.md#x", DecisionState.NO_LONGER_ASKED)
    ]
    assert set(conversion.decisions.reviewed) == {"uncertain:AGENTS.md#x", "travels:M.md#y"}


def test_released_values_of_an_earlier_file_are_read_under_their_new_name() -> None:
    digest = f"sha256:{'0' * 64}"
    old = parse_decisions(json.dumps({"released_secrets": [{"key": "A.md#B", "digest": digest}]}))
    new = parse_decisions(json.dumps({"secrets": [{"key": "A.md#B", "digest": digest}]}))
    assert old == new
    assert "secrets" in json.loads(format_decisions(old))


def test_the_new_kinds_count_among_what_a_file_does() -> None:
    given = {
        "tools": [{"key": "t#deny", "answer": "deny"}, {"key": "t#allow", "answer": "allow"}],
        "left_out": [{"key": "a#gone", "answer": "leave"}, {"key": "a#kept", "answer": "keep"}],
    }
    effects = effects_of(parse_decisions(json.dumps(given)))
    assert (effects.left_out, effects.working_code) == (("t#deny", "a#gone"), ("t#allow",))


def test_an_unknown_answer_is_refused_with_its_place() -> None:
    with pytest.raises(DecisionsRefused) as refused:
        parse_decisions('{"judged": [\n{"key": "a#b", "answer": "maybe"}]}', source="f.json")
    assert refused.value.location == "f.json:2"
    assert "'maybe' is not known" in refused.value.message


@pytest.mark.parametrize("name", json.loads(SAVED.read_text(encoding="utf-8")))
def test_keys_of_files_saved_with_0_2_0_still_resolve(name: str) -> None:
    """The file decides on every element of the example, as 0.2.0 named them."""
    document = json.loads(SAVED.read_text(encoding="utf-8"))[name]
    states = conversion_of(EXAMPLES / name).states_of(parse_decisions(json.dumps(document)), fixed=())
    counts = Counter(state.state for state in states)
    found = sum(counts[state] for state in KEPT) / len(states)
    lost = [state.name for state in states if state.state not in KEPT]
    assert found >= LEAST_FOUND, (counts, lost)
