"""Recognises lines that have a meaning on OpenClaw only, by OpenClaw's own tokens (`left_out.toml`).

Only whole lines are left out, and each is a row of the review: a line that says something else as well stays.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Final

from melleafy_tui.core.dialects.openclaw.stock_text import is_template_text
from melleafy_tui.core.language.orders import Polarity, polarity_of
from melleafy_tui.core.language.wording import plain_text, sentences, without_block_marks
from melleafy_tui.core.language.words import any_word, topic_pattern, word_table
from melleafy_tui.core.lazy_regex import LONGEST_LINE

_WORDS: Final = Path(__file__).with_name("left_out.toml")
_TOKENS: Final = ("reply_token", "reply_tag", "command", "tool")
"""Tokens that make a clause OpenClaw's, whatever else is in it; a file's name alone doesn't."""
TEMPLATE_REASON: Final = "The template speaks of OpenClaw's own files, sessions and wake-ups."

_CLAUSE_ENDS: Final = re.compile(
    r"\s[—–-]\s|[,;:，；：()（）]|(?<=\w)\s+(?:and|then|or|but|und|dann|oder|y|luego|e|et|puis)\s+|→"
)
_SHORTEST_CLAUSE: Final = 3
"""Words of a clause that says something; of a script without spaces, characters, and one more."""
_OWN_COMMAND: Final = re.compile(r"`([a-z][\w./-]* [^`]+)`")
"""A command in code; one without a token of the runtime says something else."""
_NO_OTHER_FOLDER: Final = r"(?<![A-Za-z0-9_.~/-])(?:\./)?"
"""Before the name of OpenClaw's own file, which lies in the root: another folder's MEMORY.md is another file."""
_FENCE: Final = re.compile(r"\s*(?:`{3,}|~{3,}|#|//)")


def left_out_reason(text: str) -> str:
    """Return why a line or block has a meaning on OpenClaw only, or `""` if it is to be kept.

    Args:
        text: Its lines as they are written.
    """
    text = text[:LONGEST_LINE]
    if is_template_text(text):
        bare = plain_text(text)
        return TEMPLATE_REASON if topic_pattern(_WORDS, "template").search(bare) or _token_in(bare) else ""
    if text.lstrip().startswith(("```", "~~~")):
        lines = [line for line in text.splitlines() if line.strip() and not _FENCE.match(line)]
        return _reason(filter(None, map(_token_in, lines))) if lines and all(map(_token_in, lines)) else ""
    if not all(map(_token_in, _OWN_COMMAND.findall(text))):
        return ""
    return _reason_of_words(plain_text(" ".join(map(without_block_marks, text.splitlines()))))


def _reason_of_words(words: str) -> str:
    said = sentences(words)
    decided = [_of_sentence(each) for each in said]
    found = _reason(filter(None, decided))
    if not found:
        return ""
    others = (each for each, token in zip(said, decided, strict=True) if not token)
    return "" if any(map(_says_something, others)) else found


def _of_sentence(sentence: str) -> str:
    """Return the token that makes a sentence OpenClaw's, or `""`."""
    token = _token_in(sentence)
    if token == "reply_token":
        return token if _only_replies(sentence) else ""
    if token:
        rest = [clause for clause in _CLAUSE_ENDS.split(sentence) if clause and not _token_in(clause)]
        return "" if any(_says_something(each) and not _is_condition(each) for each in rest) else token
    return "own_file" if _only_reads(sentence) else ""


def _only_replies(sentence: str) -> bool:
    """Return whether a sentence only says when to answer with a reply token."""
    if polarity_of(sentence) is Polarity.FORBIDS:
        return False
    rest = _pattern("reply_token").sub(" ", sentence)
    rest = topic_pattern(_WORDS, "reply").sub(" ", rest)
    return not any(
        _says_something(clause) and not _is_condition(clause) for clause in _CLAUSE_ENDS.split(rest) if clause
    )


def _only_reads(sentence: str) -> bool:
    """Return whether a sentence only orders to read files of OpenClaw, with a remark on what they are."""
    if polarity_of(sentence) is Polarity.FORBIDS:
        return False
    order, *remark = re.split(r"\s[—–-]\s|[(（:：]", sentence, maxsplit=1)
    files, read = _pattern("own_file"), topic_pattern(_WORDS, "read")
    other_acts = (each for each in _CLAUSE_ENDS.split(order) if each and not read.search(each))
    if (
        not read.search(order)
        or not files.search(order)
        or any(map(polarity_is_order, (*remark, *other_acts)))
    ):
        return False
    rest = files.sub(" ", order)
    for topic in ("start", "read"):
        rest = topic_pattern(_WORDS, topic).sub(" ", rest)
    return not _says_something(rest)


def polarity_is_order(words: str) -> bool:
    """Return whether words order or forbid something."""
    return polarity_of(words.strip()) in (Polarity.OBLIGES, Polarity.FORBIDS)


def _is_condition(clause: str) -> bool:
    return bool(topic_pattern(_WORDS, "condition").match(clause.strip()))


def _says_something(clause: str) -> bool:
    words = re.findall(r"\w+", clause)
    letters = sum(len(word) for word in words if not word.isascii())
    return len(words) >= _SHORTEST_CLAUSE or letters > _SHORTEST_CLAUSE


def _token_in(text: str) -> str:
    """Return the kind of token that a text has, or `""`."""
    return next((name for name in _TOKENS if _pattern(name).search(text)), "")


@lru_cache(maxsize=8)
def _pattern(kind: str) -> re.Pattern[str]:
    pattern = any_word(word_table(_WORDS)[kind]["any"]).pattern  # tokens keep their case
    return re.compile(rf"{_NO_OTHER_FOLDER}(?:{pattern})" if kind == "own_file" else pattern)


def _reason(kinds: Iterable[str]) -> str:
    kind = next(iter(kinds), "")
    return str(word_table(_WORDS)[kind]["reason"]) if kind else ""
