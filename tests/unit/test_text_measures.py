"""Which scripts a text is written in, and lines of them that are joined."""

from melleafy_tui.core.language.text_measures import HAN, HANGUL, KANA, has_any, is_wide
from melleafy_tui.core.language.wording import join_lines, shorten

CYRILLIC, HEBREW = ("\u0400", "\u04ff"), ("\u0590", "\u05ff")
TEXTS = (
    ("plain words — with a dash", ()),
    ("🎉 a party", ()),
    ("先问 first", (HAN,)),
    ("ファイル", (KANA,)),
    ("確認する", (HAN, KANA)),
    ("파일", (HANGUL,)),
    ("файл", (CYRILLIC,)),
    ("קובץ", (HEBREW,)),
    ("", ()),
)


def test_a_text_has_the_scripts_of_its_characters() -> None:
    ranges = (HAN, KANA, HANGUL, CYRILLIC, HEBREW)
    wrong = [
        (text, each) for text, found in TEXTS for each in ranges if has_any(text, each) is not (each in found)
    ]
    assert wrong == []
    assert has_any("файл", HAN, CYRILLIC)
    assert not has_any("файл", HAN, KANA)


def test_wrapped_lines_are_joined_without_a_space_between_wide_characters() -> None:
    rows = (
        (("先问", "用户"), "先问用户"),
        (("先问 ", "", " 用户"), "先问用户"),
        (("先问\\", "用户"), "先问用户"),
        (("先问 \\", "user"), "先问 user"),
        (("先\n问", "用户"), "先问用户"),
        (("ask —", "the user"), "ask — the user"),
        (("ask", "用户"), "ask 用户"),
    )
    assert [(lines, join_lines(lines)) for lines, _ in rows] == list(rows)


def test_a_text_is_cut_at_a_space_or_after_a_wide_character() -> None:
    rows = (
        ("one two three", 9, "one two…"),
        ("a先问用户", 4, "a先问…"),
        ("先x yzw", 5, "先x…"),
        ("abcdefgh", 5, "abcd…"),
        (" abcdefgh", 5, " abc…"),
    )
    assert [(text, limit, shorten(text, limit)) for text, limit, _ in rows] == list(rows)
    assert is_wide("。")
    assert not is_wide("—")
