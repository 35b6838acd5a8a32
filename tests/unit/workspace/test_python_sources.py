"""Python sources are read with ast and never run (spec/safety.md 7)."""

import pytest

from melleafy_tui.core.source.python_code import python_facts


def test_facts_with_their_lines() -> None:
    facts = python_facts(
        "import os\nfrom agents import Agent, Runner\n\n@function_tool\ndef f(): ...\n\n"
        "agent = Agent(name='x', instructions='y')\nRunner.run_sync(agent)\n"
    )
    assert facts.imports == {"os": 1, "agents": 2, "agents.Agent": 2, "agents.Runner": 2}
    assert facts.decorators == {"function_tool": 4}
    assert [(call.name, call.line) for call in facts.calls] == [("Agent", 7), ("Runner.run_sync", 8)]
    assert facts.calls[0].keywords == {"name", "instructions"}
    assert facts.strings["x"] == 7


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param("def broken(:\n", 1, id="syntax"),
        pytest.param("x = 1\n  y = 2\n", 2, id="indentation"),
        pytest.param("x = '\0'", 0, id="NUL"),
        pytest.param("(" * 10_000, 1, id="nesting"),
        pytest.param("x = 1\n" * 300_000, 0, id="size"),
    ],
)
def test_what_does_not_parse(text: str, line: int) -> None:
    facts = python_facts(text)
    assert facts.problem
    assert facts.problem_line == line
    assert facts.calls == []


def test_nothing_is_run(tmp_path: object) -> None:
    facts = python_facts("raise SystemExit('ran')\nimport nonsense_module_name\n")
    assert facts.imports == {"nonsense_module_name": 2}


def test_no_warning_reaches_the_user(recwarn: pytest.WarningsRecorder) -> None:
    python_facts("x = '\\d' is 1\n")
    assert not recwarn.list
