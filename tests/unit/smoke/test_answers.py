"""The stand-in model's answers fit what was asked."""

import json
from datetime import date
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field, create_model

from melleafy_tui.core.smoke.scripted_model import (
    Answer,
    Behaviour,
    answer,
    ended,
    instance_of,
    is_judge,
)
from tests.scripted import Script, rules_in


class Inner(BaseModel):
    amount: float = Field(ge=2)
    labels: list[str] = Field(min_length=2)


class Outer(BaseModel):
    verdict: Literal["act", "skip"]
    reason: str
    inner: Inner
    perhaps: int | None
    flag: bool
    share: float = Field(gt=0, lt=1)
    count: int = Field(gt=2, le=3)
    day: date
    code: str = Field(max_length=3)


def test_an_instance_of_a_nested_schema_is_accepted_by_its_model() -> None:
    instance = instance_of(Outer.model_json_schema())
    accepted = Outer.model_validate(instance)
    assert accepted.verdict == "act"
    assert accepted.inner.amount >= 2
    assert len(accepted.inner.labels) == 2


SIMPLE = st.sampled_from([str, int, float, bool, list[str], dict[str, int], str | None])


@given(st.dictionaries(st.from_regex(r"[a-z]{3,8}_f", fullmatch=True), SIMPLE, max_size=6))
def test_any_flat_model_gets_an_instance(fields: dict[str, type]) -> None:
    model = create_model("Model", **{name: (kind, ...) for name, kind in fields.items()})  # type: ignore[call-overload]
    model.model_validate(instance_of(model.model_json_schema()))


class Recursive(BaseModel):
    name: str
    children: list["Recursive"] = Field(min_length=1)


def test_a_recursive_schema_ends() -> None:
    instance = instance_of(Recursive.model_json_schema())
    assert isinstance(instance, dict)
    assert isinstance(instance_of(Recursive.model_json_schema(), None), dict)


class Bounded(BaseModel):
    reason: str = Field(max_length=30)
    points: list[str] = Field(min_length=1, max_length=3)
    choice: Literal["a", "b"]


def test_a_model_that_rambles_goes_to_the_bounds_and_a_terse_one_says_as_little_as_it_may() -> None:
    found = Bounded.model_validate(answer_of(Bounded, Behaviour.RAMBLE))
    assert (len(found.reason), len(found.points), found.choice) == (30, 3, "a")
    assert min(map(len, found.points)) > 10_000, "a text without a bound has no end"
    unbounded = answer_of(Outer, Behaviour.RAMBLE)
    assert len(unbounded["inner"]["labels"]) * len(unbounded["reason"]) > 10_000
    assert answer_of(Bounded, Behaviour.TERSE) == {"reason": "", "points": [""], "choice": "a"}
    assert instance_of({"type": "array", "items": {"type": "string"}}, "") == []


def answer_of(model: type[BaseModel], behaviour: Behaviour) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(answer("Go", model.model_json_schema(), behaviour))
    return found


def test_only_answers_that_ramble_or_are_to_be_cut_meet_a_limit() -> None:
    long = Answer("word " * 100)
    assert ended(long, Behaviour.PLAIN, 10) == long
    assert ended(long, Behaviour.RAMBLE, 10) == Answer(long.text[:40], ended="length")
    assert ended(long, Behaviour.RAMBLE, 200) == ended(long, Behaviour.RAMBLE, 0) == long
    assert ended(long, Behaviour.CUT, 0) == Answer(long.text[:250], ended="length")


JUDGE = "Check whether the output below satisfies the requirement below.\n  Requirement: be brief"


@pytest.mark.parametrize(
    ("prompt", "behaviour", "expected"),
    [
        pytest.param(JUDGE, Behaviour.PLAIN, "yes", id="judge-plain"),
        pytest.param(JUDGE, Behaviour.JUDGE_SAYS_NO, "no", id="judge-no"),
        pytest.param(JUDGE, Behaviour.EMPTY, "yes", id="judge-while-answers-are-empty"),
        pytest.param("Hello", Behaviour.EMPTY, "", id="text-empty"),
    ],
)
def test_the_answer_to_a_text_call(prompt: str, behaviour: Behaviour, expected: str) -> None:
    assert answer(prompt, None, behaviour) == expected


def test_only_mellea_s_judge_request_is_a_judge() -> None:
    assert is_judge(JUDGE)
    assert not is_judge("Check whether the ticket satisfies the policy")


VERDICTS = {"title": "Verdicts", "properties": {"rule_1": {}, "rule_2": {}}}
PANEL = "Judge.\n\n<rules>\n1. Be kind,\nalways.\n2. Be brief.\n</rules>\n\n<answer>\n1. No.\n</answer>"


def test_the_rules_of_a_panel_are_found_in_its_prompt() -> None:
    assert rules_in(PANEL) == ["Be kind,\nalways.", "Be brief."]
    assert rules_in("<rules>\n\n</rules>") == rules_in("nothing") == []


@pytest.mark.parametrize(
    ("behaviour", "verdicts"),
    [
        (Behaviour.PLAIN, ["kept", "kept"]),
        (Behaviour.JUDGE_SAYS_NO, ["broken", "broken"]),
        (Behaviour.JUDGE_SAYS_ONE, ["broken", "kept"]),
        (Behaviour.JUDGE_EMPTY, []),
        (Behaviour.EMPTY, ["kept", "kept"]),
        (Behaviour.DECLINE, ["kept", "kept"]),
        (Behaviour.TERSE, ["kept"]),
    ],
)
def test_the_judge_of_a_panel_is_told_what_to_find(behaviour: Behaviour, verdicts: list[str]) -> None:
    found: dict[str, dict[str, str]] = json.loads(answer(PANEL, VERDICTS, behaviour))
    expected = {f"rule_{place}": verdict for place, verdict in enumerate(verdicts, 1)}
    assert {name: verdict["verdict"] for name, verdict in found.items()} == expected


def test_garbage_of_a_judge_and_refusals_are_no_answers() -> None:
    garbage: dict[str, Any] = json.loads(answer(PANEL, VERDICTS, Behaviour.JUDGE_GARBAGE))
    assert set(garbage.values()) == {"fine"}
    for schema in (VERDICTS, {"title": "Form", "type": "object"}):
        with pytest.raises(ValueError, match="Expecting"):
            json.loads(answer(PANEL, schema, Behaviour.BROKEN_JSON))
    assert "can't help" in answer("Hello", None, Behaviour.DECLINE)
    assert "can't help" in answer("Hello", {"title": "Form"}, Behaviour.DECLINE)


def said(script: Script, prompt: str, title: str = "", *tools: str) -> object:
    found = script.answer(prompt, {"title": title} if title else None, tools, Behaviour.PLAIN)
    return found and (found.text, *found.calls)


def test_the_first_entry_that_fits_answers_as_often_as_it_may() -> None:
    script = Script(
        [
            {"schema": "Form", "match": "gross \\d+", "reply": {"amount": 1}, "times": 2},
            {"schema": "Form", "reply": "{"},
            {"calls": [{"name": "look_up", "arguments": {"id": "1"}}], "times": 1},
            {"match": "^Hello", "reply": "Hi."},
        ]
    )
    assert [said(script, "gross 12", "Form") for _ in range(3)] == [('{"amount": 1}',)] * 2 + [("{",)]
    assert said(script, "Hello, gross 12") == ("Hi.",)
    assert said(script, "Oh, Hello", "", "look_up") == ("", {"name": "look_up", "arguments": {"id": "1"}})
    assert said(script, "Oh, Hello", "", "look_up") is None
    assert said(script, "gross 12", "Other") is None


def test_a_behaviour_overrides_the_script_where_it_misbehaves() -> None:
    script = Script([{"schema": "Verdicts", "reply": "{}"}, {"reply": "Hi."}])
    told = {
        behaviour: (
            script.answer("", VERDICTS, (), behaviour) is not None,
            script.answer("", None, (), behaviour) is not None,
        )
        for behaviour in Behaviour
    }
    assert {behaviour for behaviour, played in told.items() if played == (True, True)} == {
        Behaviour.PLAIN,
        Behaviour.SLOW,
        Behaviour.BUSY_ONCE,
    }
    assert {behaviour for behaviour, played in told.items() if played == (False, True)} == {
        behaviour for behaviour in Behaviour if behaviour.startswith("judge-")
    }
