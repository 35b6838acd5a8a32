"""Texts, rules and facts that packages read from references/."""

from pathlib import Path

import pytest

from melleafy_tui.generators.runtime import loader
from melleafy_tui.generators.runtime.loader import LoadError, read_facts, read_rules, read_text
from melleafy_tui.generators.runtime.runtime import PipelineError


@pytest.fixture(autouse=True)
def references(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loader, "REFERENCES", tmp_path)


def test_texts_come_as_they_are_without_the_last_line_breaks(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("  ä {{ x }}\n\n\n", encoding="utf-8")
    assert read_text("a.md") == "  ä {{ x }}"


def test_a_text_that_cannot_be_read_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "latin.md").write_bytes(b"\xff\xfe\xff")
    for name in ("missing.md", "latin.md", "."):
        with pytest.raises(LoadError, match=name if name != "." else "read"):
            read_text(name)
    assert issubclass(LoadError, PipelineError)


def test_rules_are_bullets_with_what_they_are_and_their_source(tmp_path: Path) -> None:
    (tmp_path / "operating_rules.md").write_text(
        "# Rules\n\nAn introduction.\n"
        "- Be brief.\n"
        "* Write the log. <!-- guidance AGENTS.md:7 -->\n"
        "- When it is late:\n  say so. <!-- SOUL.md:3-4 -->\n"
        "- Name the source. <!-- judged SOUL.md:9 -->\n"
        "-\n- \n-no bullet\n",
        encoding="utf-8",
    )
    found = [(rule.asks, rule.text, rule.source) for rule in read_rules()]
    assert found == [
        ("Be brief.", "- Be brief.\n", ""),
        ("", "- Write the log.\n", "AGENTS.md:7"),
        ("When it is late:\nsay so.", "- When it is late:\nsay so.\n", "SOUL.md:3-4"),
        ("Name the source.", "- Name the source.\n", "SOUL.md:9"),
    ]


def test_facts_are_a_text(tmp_path: Path) -> None:
    (tmp_path / "user_context.md").write_text("Name: Ada\n", encoding="utf-8")
    assert read_facts() == "Name: Ada"
