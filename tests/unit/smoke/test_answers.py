"""The stand-in model's answers fit what was asked."""

from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field, create_model

from melleafy_tui.core.smoke.fake_server import Behaviour, answer, is_judge, minimal_instance


class Inner(BaseModel):
    amount: float = Field(ge=2)
    labels: list[str] = Field(min_length=2)


class Outer(BaseModel):
    verdict: Literal["act", "skip"]
    reason: str
    inner: Inner
    perhaps: int | None
    flag: bool


def test_an_instance_of_a_nested_schema_is_accepted_by_its_model() -> None:
    instance = minimal_instance(Outer.model_json_schema())
    accepted = Outer.model_validate(instance)
    assert accepted.verdict == "act"
    assert accepted.inner.amount >= 2
    assert len(accepted.inner.labels) == 2


SIMPLE = st.sampled_from([str, int, float, bool, list[str], dict[str, int], str | None])


@given(st.dictionaries(st.from_regex(r"[a-z]{3,8}_f", fullmatch=True), SIMPLE, max_size=6))
def test_any_flat_model_gets_an_instance(fields: dict[str, type]) -> None:
    model = create_model("Model", **{name: (kind, ...) for name, kind in fields.items()})  # type: ignore[call-overload]
    model.model_validate(minimal_instance(model.model_json_schema()))


class Recursive(BaseModel):
    name: str
    children: list["Recursive"] = Field(min_length=1)


def test_a_recursive_schema_ends() -> None:
    instance = minimal_instance(Recursive.model_json_schema())
    assert isinstance(instance, dict)


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
