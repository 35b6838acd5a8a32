"""What `scripts/newcomer_minutes.py` measures are the README's own commands."""

import pytest

from scripts.newcomer_minutes import ANSWER_STEPS, INSTALLS, Step, answer_commands, readme_commands, table
from tests.conftest import PROJECT


def test_the_measured_commands_stand_in_the_readme() -> None:
    text = (PROJECT / "README.md").read_text(encoding="utf-8")
    for route, install in INSTALLS.items():
        found = readme_commands(text, route)
        assert found[0] == install
        assert all(words in text for words in found)
        assert "--dependencies=auto" in found[1]
    assert [*answer_commands(text)] == [*ANSWER_STEPS]


def test_a_command_that_the_readme_loses_is_noticed() -> None:
    text = "pip install .\n$ melleafy-tui ./my-agent --dependencies=auto   # the defaults\n"
    assert readme_commands(text, "pip") == ("pip install .", "melleafy-tui ./my-agent --dependencies=auto")
    for missing in ("pip install .", "melleafy-tui"):
        with pytest.raises(LookupError):
            readme_commands(text.replace(missing, "x"), "pip")
    with pytest.raises(LookupError):
        readme_commands(text, "uv")
    with pytest.raises(LookupError):
        answer_commands(text)


def test_the_table_adds_the_steps_up() -> None:
    steps = {"uv": [Step("uv", "install", "uv tool install .", 15.04), Step("uv", "first package", "x", 8.3)]}
    assert table(steps).splitlines()[2:] == [
        "| uv | install | `uv tool install .` | 15.0 |",
        "| uv | first package | `x` | 8.3 |",
        "| uv | **in all** | | **23.3** |",
    ]
