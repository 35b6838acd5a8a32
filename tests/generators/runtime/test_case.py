"""What a fixture of a package expects, and what it says when a result differs."""

import os
from contextlib import suppress
from typing import Any

import pytest

from melleafy_tui.generators.runtime.fixtures.case import Case

RESULT = {
    "text": "On-call was told.",
    "report": {"amount": 1190.0},
    "notes": ["one", "two"],
    "unmet": [{"rule": "Be brief.", "source": "AGENTS.md:7", "reason": ""}],
}
MET = {**RESULT, "unmet": []}

ROWS: list[tuple[dict[str, Any], dict[str, Any], list[str]]] = [
    ({}, MET, []),
    ({}, {}, []),
    ({"expect": {"report.amount": 1190, "report.none": None, "text.deep": None, "notes.1": "two"}}, MET, []),
    ({"expect": {"report.amount": 7}}, MET, ["report.amount is 1190.0, expected 7"]),
    ({"expect": {"notes.2": "three"}}, MET, ["notes.2 is None, expected 'three'"]),
    ({"unmet": ["AGENTS.md:7"]}, RESULT, []),
    ({}, RESULT, ["unmet are ['AGENTS.md:7'], expected []"]),
    ({"error": "InputError"}, MET, ["the run succeeded, expected InputError"]),
]


@pytest.mark.parametrize(("given", "result", "faults"), ROWS)
def test_a_result_is_held_against_what_is_expected(
    given: dict[str, Any], result: dict[str, Any], faults: list[str]
) -> None:
    assert Case("one", "The first", {}, **given).mismatches(result) == faults


def test_a_case_gives_its_inputs_as_fixture_loaders_want_them() -> None:
    case = Case("one", "The first", {"message": "Hi"})
    inputs, name, description = case()
    inputs["message"] = "changed"
    assert (name, description, case.inputs) == ("one", "The first", {"message": "Hi"})


def test_the_environment_of_a_case_ends_with_its_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CASE_KEPT", "before")
    monkeypatch.delenv("CASE_NEW", raising=False)
    case = Case("one", "The first", {}, environment={"CASE_KEPT": "inside", "CASE_NEW": "inside"})
    with suppress(KeyError), case.in_environment():
        assert [os.environ[name] for name in case.environment] == ["inside"] * 2
        assert os.environ["MELLEA_AGENT_NOW"] == case.now
        raise KeyError
    assert [os.environ.get(name) for name in case.environment] == ["before", None]
