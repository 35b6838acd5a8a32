"""The table of diagnostics: every code is documented, used, and says in one sentence each what is wrong and what to do."""

import re
from pathlib import Path
from string import Formatter

import pytest

from melleafy_tui.core.diagnostics import DIAGNOSTICS, diagnose

PROJECT = Path(__file__).resolve().parents[3]
CODES = sorted(DIAGNOSTICS)
SOURCES = "\n".join(
    path.read_text(encoding="utf-8")
    for folder in ("melleafy_tui", "generators", "screens")
    for path in sorted((PROJECT / folder).rglob("*.py"))
    if path.name != "diagnostics.py"
)


@pytest.mark.parametrize("code", CODES)
def test_code_is_documented(code: str) -> None:
    row = DIAGNOSTICS[code]
    line = f"| `{code}` | {row.severity.value} | {row.message} | {row.hint} |"
    assert line in (PROJECT / "docs" / "diagnostics.md").read_text(encoding="utf-8").split("\n"), (
        f"add: {line}"
    )


def test_no_code_is_documented_that_does_not_exist() -> None:
    text = (PROJECT / "docs" / "diagnostics.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `([a-z-]+)` \|", text, re.MULTILINE)) == set(CODES)


@pytest.mark.parametrize("code", CODES)
def test_code_is_used(code: str) -> None:
    assert f'"{code}"' in SOURCES


TESTS = "\n".join(
    path.read_text(encoding="utf-8")
    for path in sorted((PROJECT / "tests").rglob("test_*.py"))
    if path != Path(__file__).resolve()
)


@pytest.mark.parametrize("code", CODES)
def test_code_has_a_test(code: str) -> None:
    assert f'"{code}"' in TESTS, "name the code in a test of the behaviour that raises it"


@pytest.mark.parametrize("code", CODES)
def test_code_has_one_sentence_for_each(code: str) -> None:
    row = DIAGNOSTICS[code]
    for sentence in (row.message, row.hint):
        assert re.fullmatch(r'[A-Z"`{-].*\.', sentence), sentence
        assert not re.search(r"[.!?] [A-Z]", sentence), sentence
        assert "|" not in sentence


@pytest.mark.parametrize("code", CODES)
def test_values_are_filled_in_as_they_are(code: str) -> None:
    row = DIAGNOSTICS[code]
    named = {name for text in (row.message, row.hint) for _, name, _, _ in Formatter().parse(text) if name}
    finding = diagnose(code, "x.md", "3-4", **dict.fromkeys(named, "{braces} <b>"))
    assert finding.severity is row.severity
    assert finding.location == "x.md:3-4"
    assert finding.message.count("{braces} <b>") == sum(
        name in named for _, name, _, _ in Formatter().parse(row.message) if name
    )


def test_a_code_without_a_row_is_a_mistake() -> None:
    with pytest.raises(KeyError):
        diagnose("no-such-code", "x.md")
