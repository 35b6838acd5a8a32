"""A lazy regex is compiled when a text that it may match is first searched."""

import re

import pytest

from melleafy_tui.core.language.actions import ACTIONS
from melleafy_tui.core.lazy_regex import FEW_USES, LazyRegex


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


def test_a_regex_of_the_tables_is_compiled_for_texts_with_its_words_only(compiled: list[str]) -> None:
    known = next(kind.pattern for kind in ACTIONS if kind.name == "install")
    lazy = LazyRegex(known.text, known.flags)
    without = "The kettle is in the kitchen — 请稍等"
    assert lazy.search(without) is None
    assert lazy.match(without) is None
    assert lazy.fullmatch(without) is None
    assert list(lazy.finditer(without)) == []
    assert lazy.sub("", without) == without
    assert compiled == []
    assert lazy.search("Never INSTALL a package")
    assert lazy.search("不要安装")
    assert compiled == [known.text]


def test_letters_that_stand_for_others_are_found_too() -> None:
    known = next(kind.pattern for kind in ACTIONS if kind.name == "install")
    for text in ("never İNSTALL it", "never ınstall it", "never inſtall it"):
        assert LazyRegex(known.text, known.flags).search(text), text


TEXTS = (
    "Never INSTALL a package,\nand don't\tdelete the file",
    "never İNSTALL it, or ſend an e-mail",
    "不要安装，也不要删除文件 — 请发送邮件",
    "Ask before you spend money or push to main; then deploy.",
    "reinstalls\u00a0all, sends_mail, pre-delete",
)


def test_a_regex_that_many_texts_were_read_for_is_found_all_the_same() -> None:
    differ = []
    for kind in ACTIONS:
        plain = re.compile(kind.pattern.text, kind.pattern.flags)
        for text in TEXTS:
            lazy = LazyRegex(kind.pattern.text, kind.pattern.flags)
            for number in range(2 * FEW_USES):
                assert lazy.search(f"row {number}") is None
            found = lazy.search(text)
            if (found and found.span()) != ((other := plain.search(text)) and other.span()):
                differ.append((kind.name, text))
    assert differ == []
