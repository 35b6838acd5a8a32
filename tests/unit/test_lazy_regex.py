"""A lazy regex is compiled on first use."""

import re

import pytest

from melleafy_tui.core.lazy_regex import LazyRegex


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the patterns that are compiled from now on."""
    made: list[str] = []
    real = re.compile

    def compile_and_note(text: str, flags: int = 0) -> re.Pattern[str]:
        made.append(text)
        return real(text, flags)

    monkeypatch.setattr(re, "compile", compile_and_note)
    return made


def test_a_regex_is_compiled_once_on_first_use(compiled: list[str]) -> None:
    lazy = LazyRegex(r"b+", re.IGNORECASE)
    assert compiled == []
    assert lazy.search("aBb")
    assert lazy.search("b")
    assert compiled == ["b+"]
