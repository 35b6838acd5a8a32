"""Tells an order, a prohibition, a permission and a description apart, for the tests about tools, actions and times.

Only the words of a sentence count here (`orders.toml`); what stands above it is the caller's. When in doubt a text
describes, which decides nothing.
"""

import re
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Final

from melleafy_tui.core.language.wording import sentences
from melleafy_tui.core.language.words import topic_pattern, word_table
from melleafy_tui.core.lazy_regex import LONGEST_LINE, LazyRegex

_WORDS: Final = Path(__file__).with_name("orders.toml")
_VERBS: Final = frozenset(" ".join(word_table(_WORDS)["verbs"]["en"]).split())


class Polarity(StrEnum):
    """Whether a sentence obliges, forbids, permits or describes."""

    OBLIGES = "obliges"
    FORBIDS = "forbids"
    PERMITS = "permits"
    DESCRIBES = "describes"


CROSS: Final = LazyRegex(r"\W{0,4}(?:[❌🚫⛔✗✘✖]\ufe0f?)\s*")
TICK: Final = LazyRegex(r"\W{0,4}(?:[✅✔✓☑]\ufe0f?)\s*")
"""Marks that act as orders: a cross forbids the text after it, a tick recommends it."""

BUT: Final = LazyRegex(
    r"[,;，；]?\s*(?:\b(?:but|yet|though|pero|mas|mais|aber)\b|(?:但是?|不过|不過|然而)|ただし|\bно\b)\s*(?=\S)",
    re.IGNORECASE,
)
"""Where a permission may end in what it doesn't permit ("read it, but never change it")."""

_LABEL: Final = re.compile(r"[^.!?:：—–]{1,80}(?:[:：]|\s[—–-]|\s(?:→|->|=>))\s+(?=\S)")
_CONDITION: Final = re.compile(
    r"(?:if|when|whenever|unless|before|after|while|once|until|in|on|at|during|over|for|to|as|with|from)\b[^,→:]{1,200}"
    r"(?:,|→|->|:)\s*",
    re.IGNORECASE,
)
_SUBORDINATE: Final = re.compile(r"\b(?:that|which|who|what|because|since)\b", re.IGNORECASE)
_FIRST_WORDS: Final = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_ADVERBS: Final = frozenset(" ".join(word_table(_WORDS)["adverbs"]["en"]).split())
_STATES: Final = frozenset({"is", "are", "was", "were", "has", "had", "means", "contains", "lives"})
_MOST_SENTENCES: Final = 4
"""Sentences that are searched for an order."""


@lru_cache(maxsize=256)  # an item's words are read for several tests
def polarity_of(text: str) -> Polarity:
    """Return the polarity of a text on its own: that of its first sentence that orders, forbids or permits."""
    text = text[:LONGEST_LINE]
    if CROSS.match(text):
        return Polarity.FORBIDS
    for sentence in sentences(TICK.sub("", text, count=1) if TICK.match(text) else text)[:_MOST_SENTENCES]:
        found = _of_sentence(sentence)
        if found is not Polarity.DESCRIBES:
            return found
    return Polarity.DESCRIBES


def _of_sentence(sentence: str) -> Polarity:
    if is_forgiven(sentence):
        return Polarity.OBLIGES
    clauses = _openings(sentence)
    permits = any(_opens("permits", clause) for clause in clauses) and not _finds("bound", sentence)
    if any(_opens("forbids", clause) for clause in clauses) and not permits:
        return Polarity.FORBIDS
    if permits:
        bound = BUT.search(sentence)
        rest = _of_sentence(sentence[bound.end() :]) if bound else Polarity.PERMITS
        return rest if rest in (Polarity.FORBIDS, Polarity.OBLIGES) else Polarity.PERMITS
    main = _SUBORDINATE.split(sentence, maxsplit=1)[0]
    if _finds("forbids_within", main):
        return Polarity.FORBIDS
    return Polarity.OBLIGES if is_imperative(sentence) or _finds("obliges", main) else Polarity.DESCRIBES


def is_forgiven(text: str) -> bool:
    """Return whether a negation in a text still gives an order ("don't forget to run …")."""
    return _finds("forgiven", text)


def is_imperative(text: str) -> bool:
    """Return whether a sentence starts with an English verb in the imperative, also after a label or a condition."""
    return any(map(_opens_with_verb, _openings(text)))


def _openings(text: str) -> list[str]:
    """Return a sentence, and what follows its label or its condition."""
    found = [text]
    label = _LABEL.match(text)
    found += [text[label.end() :]] if label else []
    found += [each[condition.end() :] for each in found if (condition := _CONDITION.match(each))]
    return [each.lstrip(" \"'“*_([") for each in found]


def _opens(topic: str, clause: str) -> bool:
    words = clause
    while (first := _FIRST_WORDS.match(words)) and first[0].casefold() in _ADVERBS | {"you"}:
        if topic == "permits" and first[0].casefold() == "you":
            break
        words = words[first.end() :].lstrip(" ,")
    return bool(topic_pattern(_WORDS, topic).match(words))


def _finds(topic: str, sentence: str) -> bool:
    return bool(topic_pattern(_WORDS, topic).search(sentence))


def _opens_with_verb(text: str) -> bool:
    words = [word.casefold() for word in _FIRST_WORDS.findall(text[:160])]
    if not words or not text.lower().startswith(words[0]):
        return False
    while len(words) > 1 and words[0] in _ADVERBS:
        if words[0] == "always":
            return True
        words = words[1:]
    verb, after = words[0], text[len(words[0]) :].lstrip()
    is_label = text.casefold().startswith(verb) and after.startswith((":", "：", "|"))
    return verb in _VERBS and not is_label and not _STATES.intersection(words[1:3])
