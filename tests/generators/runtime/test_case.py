"""What a fixture of a package expects, and what it says when a result differs."""

import os
from contextlib import suppress

import pytest

from melleafy_tui.generators.runtime.fixtures.case import Case, Expect

RESULT = {
    "text": "On-call was told.\nBye.",
    "report": {"amount": 1190.0},
    "unmet": [{"rule": "Be brief.", "source": "AGENTS.md:7", "reason": ""}],
}

ROWS: list[tuple[Expect, list[str]]] = [
    (Expect(), []),
    (Expect({"report.amount": 1190, "report.none": None, "text.deep": None}), []),
    (Expect({"report.amount": 7}), ["report.amount is 1190.0, expected 7"]),
    (Expect(matches=("ON-CALL", "^bye|bye")), []),
    (Expect(matches=("database",)), ["the text does not match 'database'"]),
    (Expect(lacks=("database",)), []),
    (Expect(lacks=("bye",)), ["the text matches 'bye'"]),
    (Expect(unmet=("AGENTS.md:7",)), []),
    (Expect(unmet=()), ["unmet are ['AGENTS.md:7'], expected []"]),
    (Expect(error="InputError"), ["the run succeeded, expected InputError"]),
]


@pytest.mark.parametrize(("expect", "faults"), ROWS)
def test_a_result_is_held_against_what_is_expected(expect: Expect, faults: list[str]) -> None:
    assert expect.mismatches(RESULT) == faults


def test_a_result_without_text_or_rules_is_no_error() -> None:
    expect = Expect(matches=("x",), unmet=())
    assert expect.mismatches({}) == ["the text does not match 'x'"]


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
        raise KeyError
    assert [os.environ.get(name) for name in case.environment] == ["before", None]
