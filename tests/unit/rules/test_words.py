"""The word tables: their limits, and how their words are found."""

import ast
import re
from pathlib import Path

import pytest

import melleafy_tui
from melleafy_tui.core.language.words import ANY, LANGUAGES, Words, read_tables, spaced

TABLES = ("reply_topics.toml", "reply_words.toml", "reply_checks.toml")
MOST_TOPIC_WORDS = 900
MOST_WORDS_A_LANGUAGE = 60


def test_the_topic_table_stays_small() -> None:
    lists = read_tables("reply_topics.toml")
    assert sum(len(words) for table in lists.values() for words in table.values()) <= MOST_TOPIC_WORDS


@pytest.mark.parametrize("name", TABLES)
def test_no_list_has_more_than_sixty_words_of_a_language_or_one_twice(name: str) -> None:
    for list_name, table in read_tables(name).items():
        assert set(table) <= {*LANGUAGES, ANY}, list_name
        for language, words in table.items():
            assert len(words) <= MOST_WORDS_A_LANGUAGE, (list_name, language)
            assert len(set(words)) == len(words), (list_name, language)


@pytest.mark.parametrize("name", ["reply_topics.toml"])
def test_every_topic_has_words_in_every_language(name: str) -> None:
    assert {key: sorted(set(LANGUAGES) - set(table)) for key, table in read_tables(name).items()} == {
        key: [] for key in read_tables(name)
    }


def test_no_topic_s_word_of_another_language_is_an_english_one() -> None:
    """Held against the English that there is: our docstrings. The tables are read at once, whatever the language."""
    trees = (ast.parse(path.read_text()) for path in Path(melleafy_tui.__file__).parent.rglob("*.py"))
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef)
    texts = (
        ast.get_docstring(node) or "" for tree in trees for node in ast.walk(tree) if isinstance(node, kinds)
    )
    english = {*re.findall(r"\b[a-z]{3,}\b", " ".join(texts))}
    lists = read_tables("reply_topics.toml")
    del lists["limit"]  # a unit, which needs its number
    found = [
        (topic, word)
        for topic, table in lists.items()
        for known in [Words({"en": table["en"]})]
        for text in [f" {' '.join(each for each in english if not known.are_in(f' {each} '))} "]
        for language in ("de", "es", "fr", "it", "pt")
        for word in table[language]
        if Words({language: (word,)}).are_in(text)
    ]
    assert found == []


def test_a_word_stands_alone_a_star_takes_any_ending_and_wide_words_stand_anywhere() -> None:
    words = Words({"en": ("short", "concis*", "to the point"), "zh": ("简洁",)})
    for text in ("Short!", "be CONCISE", "to-the-point", "请简洁回答"):
        assert words.are_in(spaced(text)), text
    for text in ("shorten", "unconcise", "to the points", ""):
        assert not words.are_in(spaced(text)), text
    assert words.without(spaced("Keep it short, concisely said")) == " keep it said "
    assert words.find(spaced("so short")) == (3, 9)
    assert words.after_start_of(spaced("concisely said")) == " said "
    assert words.after_start_of(spaced("said concisely")) is None
