"""The word tables: their limits, and how their words are found."""

import pytest

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
