"""The words that patterns need: the table knows every pattern, and turns away no text that a pattern matches."""

import gc
import random
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any, Final

import pytest

from melleafy_tui.core.lazy_regex import NEEDED_WORDS, LazyRegex
from scripts.build_needed_words import patterns, table
from tests.conftest import PROJECT

HINT: Final = "run `make words`"
KEYS: Final = """
from melleafy_tui.core.lazy_regex import key_of
from scripts.build_needed_words import patterns
print(*sorted({key_of(each.text, each.flags) for each in patterns()}))
"""
"""Run in a process of its own, where no test makes patterns."""

SAMPLES: Final = 12
ANY_CHARACTER: Final = "aZ9 -_.éЖ每ー…"
CATEGORIES: Final = {
    op.CATEGORY_DIGIT: "07",
    op.CATEGORY_NOT_DIGIT: "a -每",
    op.CATEGORY_SPACE: " \n",
    op.CATEGORY_NOT_SPACE: "aZ9-每",
    op.CATEGORY_WORD: "aZ9_é每",
    op.CATEGORY_NOT_WORD: " -.…",
}


@pytest.fixture(scope="module")
def known() -> list[LazyRegex]:
    """Return every pattern; the suite hides from `gc` what there was before the first test (conftest)."""
    gc.unfreeze()
    found = patterns()
    gc.freeze()
    return found


def test_the_table_knows_every_pattern() -> None:
    done = subprocess.run(
        [sys.executable, "-c", KEYS], cwd=PROJECT, capture_output=True, text=True, check=True, timeout=60
    )
    lines = NEEDED_WORDS.read_text(encoding="utf-8").split("\n")
    assert {line.partition("\t")[0] for line in lines} - {""} == set(done.stdout.split()), HINT


@pytest.mark.slow
def test_the_table_is_what_the_script_writes(known: list[LazyRegex]) -> None:
    written = set(NEEDED_WORDS.read_text(encoding="utf-8").split("\n"))
    assert written <= set(table(known).split("\n")), HINT


@pytest.mark.slow
def test_no_text_that_a_pattern_matches_is_turned_away(known: list[LazyRegex]) -> None:
    chance = random.Random(22)
    tried = 0
    missed = []
    for pattern in known:
        compiled = re.compile(pattern.text, pattern.flags)
        for text in _texts(pattern, chance):
            if compiled.search(text):
                tried += 1
                if not LazyRegex(pattern.text, pattern.flags).search(text):
                    missed.append((pattern.text, text))
    assert missed == []
    assert tried > 8_000


def _texts(pattern: LazyRegex, chance: random.Random) -> Iterator[str]:
    """Yield texts that a pattern may match: its parts in a row, with alternatives and letter case by chance."""
    parsed = _parser.parse(pattern.text, int(pattern.flags))
    for _ in range(SAMPLES):
        text = _text(parsed, chance)
        if pattern.flags & re.IGNORECASE:
            text = "".join(chance.choice((one, one.upper(), one.lower())) for one in text)
            text = text.replace("S", chance.choice("Sſ")).replace("I", chance.choice("Iİı"))
        yield text


def _text(items: Sequence[tuple[Any, Any]], chance: random.Random) -> str:
    return "".join(_part(code, argument, chance) for code, argument in items)


def _part(code: Any, argument: Any, chance: random.Random) -> str:
    if code is op.LITERAL:
        return chr(argument)
    if code is op.IN:
        return _one_of(argument, chance)
    if code is op.BRANCH:
        return _text(chance.choice(argument[1]), chance)
    if code is op.SUBPATTERN:
        return _text(argument[-1], chance)
    if code is op.ATOMIC_GROUP:
        return _text(argument, chance)
    if code in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
        least, most, part = argument
        times = chance.choice((least, least, min(int(most), least + 2)))
        return "".join(_text(part, chance) for _ in range(times))
    if code in (op.AT, op.ASSERT, op.ASSERT_NOT, op.GROUPREF):
        return ""
    return chance.choice(ANY_CHARACTER)


def _one_of(items: Sequence[tuple[Any, Any]], chance: random.Random) -> str:
    if items[0][0] is op.NEGATE:
        return chance.choice(ANY_CHARACTER)
    code, argument = chance.choice(items)
    if code is op.LITERAL:
        return chr(argument)
    if code is op.RANGE:
        return chr(chance.randint(*argument))
    return chance.choice(CATEGORIES.get(argument, ANY_CHARACTER))
