"""The table of diagnostics: every code is documented, used, and says in one sentence each what is wrong and what to do."""

import re
from pathlib import Path
from string import Formatter

import pytest

from melleafy_tui.core.models.findings import DIAGNOSTICS, diagnose

PROJECT = Path(__file__).resolve().parents[3]
CODES = sorted(DIAGNOSTICS)
SOURCES = "\n".join(
    path.read_text(encoding="utf-8")
    for folder in ("melleafy_tui", "generators", "screens")
    for path in sorted((PROJECT / folder).rglob("*.py"))
    if path.name != "diagnostics.py"
)


def test_every_code_is_documented() -> None:
    documented = (PROJECT / "docs" / "reference" / "findings.md").read_text(encoding="utf-8").split("\n")
    rows = [
        f"| `{code}` | {row.severity.value} | {row.message} | {row.hint} |"
        for code, row in sorted(DIAGNOSTICS.items())
    ]
    assert [row for row in rows if row not in documented] == [], "add these lines"


def test_no_code_is_documented_that_does_not_exist() -> None:
    text = (PROJECT / "docs" / "reference" / "findings.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `([a-z-]+)` \|", text, re.MULTILINE)) == set(CODES)


def test_every_code_is_used() -> None:
    assert [code for code in CODES if f'"{code}"' not in SOURCES] == []


def test_every_code_has_a_test() -> None:
    tests = "\n".join(
        path.read_text(encoding="utf-8")
        for path in sorted((PROJECT / "tests").rglob("test_*.py"))
        if path != Path(__file__).resolve()
    )
    untested = [code for code in CODES if f'"{code}"' not in tests]
    assert untested == [], "name the code in a test of the behaviour that raises it"


def test_every_code_has_one_sentence_for_each() -> None:
    wrong = [
        (code, sentence)
        for code, row in DIAGNOSTICS.items()
        for sentence in (row.message, row.hint)
        if not re.fullmatch(r'[A-Z"`{-].*\.', sentence)
        or re.search(r"[.!?] [A-Z]", sentence)
        or "|" in sentence
    ]
    assert wrong == []


def test_values_are_filled_in_as_they_are() -> None:
    for code, row in DIAGNOSTICS.items():
        texts = (row.message, row.hint)
        named = {name for text in texts for _, name, _, _ in Formatter().parse(text) if name}
        finding = diagnose(code, "x.md", "3-4", **dict.fromkeys(named, "{braces} <b>"))
        assert finding.severity is row.severity, code
        assert finding.location == "x.md:3-4", code
        places = sum(name in named for _, name, _, _ in Formatter().parse(row.message) if name)
        assert finding.message.count("{braces} <b>") == places, code


def test_a_code_without_a_row_is_a_mistake() -> None:
    with pytest.raises(KeyError):
        diagnose("no-such-code", "x.md")
