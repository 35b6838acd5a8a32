"""Any text through every parser and through the whole chain: only our own errors (spec/safety.md 6)."""

from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.safety.chain import DOCUMENTED, run
from tests.safety.hostile_texts import LINES
from tests.safety.hostile_workspaces import put
from tests.safety.parsers import PARSERS

WORDS = st.sampled_from(
    [
        "every",
        "30m",
        "weekdays",
        "9am-5pm",
        "*/5",
        "*",
        "*",
        "*",
        "*",
        "-1",
        "1e999",
        "99999999999999999999",
        "2026-13-45T99:99",
        "Z",
        "Mon-Sun",
        "24:60",
        "---",
        "...",
        "```",
        "~~~",
        "#",
        "-",
        "*",
        "1.",
        "|",
        ">",
        "[x]",
        "@../a.md",
        "@~/x",
        "https://a.b:99999/%zz?q=#",
        "curl",
        "-X",
        "POST",
        "-d",
        "{}",
        "[]",
        "{",
        "}",
        ":",
        ",",
        '"',
        "'",
        "\\",
        "Bash(",
        "mcp__a__b",
        "Read(**/..)",
        "!!",
        "&a",
        "*a",
        "<<:",
        "${",
        "}}",
        "{{",
        "\x00",
        "\x1b",
        "\u202e",
        "�",
        "\ufeff",
        "\u2028",
        "\xa0",
        "工",
        "²",
        "Ⅷ",
        "٣",
    ]
)
TEXTS = st.one_of(
    st.text(st.characters(codec=None), max_size=200),
    st.lists(st.one_of(WORDS, st.sampled_from(LINES), st.text(max_size=8)), max_size=25).map(" ".join),
    st.lists(st.one_of(WORDS, st.text("abc:-#>|`[](){}\"' \t", max_size=12)), max_size=25).map("\n".join),
)
QUICK, LONG = 25, 1_000


@settings(max_examples=QUICK, suppress_health_check=list(HealthCheck), database=None)
@given(TEXTS)
def test_any_text_is_read_or_refused(text: str) -> None:
    for parser in PARSERS.values():
        parser(text)


@pytest.mark.slow
@settings(max_examples=LONG, suppress_health_check=list(HealthCheck))
@given(TEXTS)
def test_any_text_is_read_or_refused_at_length(text: str) -> None:
    for parser in PARSERS.values():
        parser(text)


def refused_by_fault(texts: Iterable[str]) -> dict[tuple[str, str], str]:
    """Feed each parser with each text and return what came out that is no error of its own."""
    faults = {}
    for name, parser in PARSERS.items():
        for text in texts:
            try:
                parser(text)
            except Exception as fault:
                faults[name, text[:40]] = repr(fault)
    return faults


def test_hostile_texts_are_read_or_refused() -> None:
    assert refused_by_fault(LINES[::3]) == {}


DEEP = (
    "[",
    "{",
    "(",
    "> ",
    "- ",
    '{"a":',
    "a:\n ",
    "not ",
    "`",
    "*",
    "\\",
    "@a/",
    "9",
    "every ",
    "# ",
    "\t",
    "<!--",
)


@pytest.mark.slow
def test_depth_and_length_end() -> None:
    assert refused_by_fault([piece * 3_000 for piece in DEEP]) == {}


FILE_NAMES = st.sampled_from(
    (
        "SOUL.md",
        "AGENTS.md",
        "IDENTITY.md",
        "USER.md",
        "TOOLS.md",
        "HEARTBEAT.md",
        "MEMORY.md",
        "openclaw.json",
        "cron/jobs.json",
        "SKILL.md",
        "skills/a/SKILL.md",
        "CLAUDE.md",
        ".claude/settings.json",
        ".claude/commands/a.md",
        ".mcp.json",
        "crew.py",
        "memory-wiki/concepts/a.md",
        ".env",
        "langgraph.json",
    )
)


def check_chain(files: dict[str, str]) -> None:
    with TemporaryDirectory() as folder:
        root = Path(folder, "w")
        put(root, {"SOUL.md": "# Soul\n\nWarm\n", **files})
        said = run(root, "--dependencies=auto", "--as-of", "2026-11-01", "--out", Path(folder, "out"))
        assert said.code in DOCUMENTED, (files, said.messages[-1500:])
        assert sorted(path.name for path in Path(folder).iterdir()) in (["out", "w"], ["w"])


@pytest.mark.slow
@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck), database=None)
@example({"HEARTBEAT.md": "every \u00b2 minutes", "AGENTS.md": "- \ud800"})
@given(st.dictionaries(FILE_NAMES, TEXTS, max_size=5))
def test_any_workspace_is_converted_or_refused(files: dict[str, str]) -> None:
    check_chain(files)


@pytest.mark.slow
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.dictionaries(FILE_NAMES, TEXTS, max_size=6))
def test_any_workspace_is_converted_or_refused_at_length(files: dict[str, str]) -> None:
    check_chain(files)
