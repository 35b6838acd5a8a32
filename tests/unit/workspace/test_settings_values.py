"""Settings keep the names of variables and lose their values, on the lines where they stood (safety 4)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from melleafy_tui.core.source.dropped_values import is_settings_file, without_settings_values


def test_values_of_env_and_headers_go_and_names_stay() -> None:
    text = (
        '{\n  "env": {"A": "one", "B": 2, "C": "${REF:-fallback}"},\n  "mcpServers": {"s": {\n'
        '    "command": "npx", "env": {"T": "two"}, "headers": {"H": "Bearer ${TOKEN}"}}},\n  "model": "m"\n}\n'
    )
    kept = without_settings_values(text)
    assert json.loads(kept) == {
        "env": {"A": "", "B": "", "C": "${REF}"},
        "mcpServers": {"s": {"command": "npx", "env": {"T": ""}, "headers": {"H": "${TOKEN}"}}},
        "model": "m",
    }
    assert kept.count("\n") == text.count("\n")


def test_a_file_that_is_no_json_loses_every_quoted_value() -> None:
    kept = without_settings_values('{"env": {"A": "one"\n "B": \'two\', "model": "m"')
    assert "one" not in kept
    assert "two" not in kept
    assert kept.count("\n") == 1


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (".claude/settings.json", True),
        ("../.claude/settings.local.json", True),
        (".mcp.json", True),
        ("../../.mcp.json", True),
        (".claude-plugin/plugin.json", True),
        ("hooks/hooks.json", True),
        ("settings.json", False),
        ("openclaw.json", False),
    ],
)
def test_which_files_are_settings(path: str, expected: bool) -> None:
    assert is_settings_file(path) is expected


@given(values=st.dictionaries(st.from_regex(r"[A-Z]{2,6}", fullmatch=True), st.text(min_size=1), min_size=1))
def test_no_value_survives(values: dict[str, str]) -> None:
    kept = without_settings_values(json.dumps({"env": values, "model": "m"}, ensure_ascii=False))
    parsed = json.loads(kept)
    assert parsed["env"].keys() == values.keys()
    assert all(not text or text.startswith("${") for text in parsed["env"].values())
    assert parsed["model"] == "m"
