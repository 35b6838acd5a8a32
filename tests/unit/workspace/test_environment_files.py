"""Environment files lose their values before anything keeps them (spec/safety.md 4)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from melleafy_tui.core.source.dropped_values import is_environment_file, without_values


@pytest.mark.parametrize("path", [".env", ".env.example", "a/.env.local", "prod.env", ".ENV"])
def test_environment_files(path: str) -> None:
    assert is_environment_file(path)


@pytest.mark.parametrize("path", ["environment.md", ".envrc.md", "env", "SOUL.md"])
def test_other_files(path: str) -> None:
    assert not is_environment_file(path)


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        pytest.param("API_KEY=value", "API_KEY=", id="plain"),
        pytest.param("export API_KEY='value'", "API_KEY=", id="export"),
        pytest.param("API_KEY = value # note", "API_KEY=", id="spaces and a note"),
        pytest.param("EMPTY=", "EMPTY=", id="empty"),
        pytest.param("# the key of the shop", "# the key of the shop", id="comment"),
        pytest.param("# OLD_KEY=value", "# OLD_KEY", id="assignment in a comment"),
        pytest.param("# key: value", "# key", id="field in a comment"),
        pytest.param("# abcdefghijklmnopqrstuv", "# …", id="long word in a comment"),
        pytest.param("stray value", "", id="no assignment"),
        pytest.param("Qx3fAb9kLm2pZr7t==", "", id="padding of an encoded value"),
        pytest.param("someLongName=", "someLongName=", id="empty in camel case"),
        pytest.param("9KEY=value", "", id="no name"),
        pytest.param("", "", id="blank"),
    ],
)
def test_lines(line: str, kept: str) -> None:
    assert without_values(line) == kept


def test_values_over_several_lines() -> None:
    text = 'A="one\nTWO=two\nthree"\nB=-----BEGIN KEY-----\nQx3f==\n-----END KEY-----\r\nC=1\n'
    assert without_values(text) == "A=\n\n\nB=\n\n\r\nC=\n"


@given(st.text(alphabet=st.sampled_from("AB=\"'# \n\rsecret-"), max_size=80))
def test_lines_stay_where_they_are(text: str) -> None:
    kept = without_values(text)
    for end in ("\n", "\r"):
        assert kept.count(end) == text.count(end)


@given(
    st.from_regex(r"[a-z0-9+/]{20,40}[0-9]={0,2}", fullmatch=True),
    st.sampled_from(["K={}", 'K="{}"', "# K={}", "{}", "# {}", "{}\nB=1"]),
)
def test_no_value_stays(value: str, form: str) -> None:
    assert value not in without_values(form.format(value) + "\n")
