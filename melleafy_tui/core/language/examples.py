"""Tells an example of what not to do from one to follow, by the words and marks that introduce it."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from melleafy_tui.core.language.words import Words, read_tables, spaced

_TABLES: Final = read_tables("examples.toml")
_BAD: Final = Words(_TABLES["bad"])
_GOOD: Final = Words(_TABLES["good"])
_SETUP: Final = Words(_TABLES["setup"])
_PLACE: Final = Words(_TABLES["place"])
_LEAVE: Final = Words(_TABLES["leave"])
_SHOWN: Final = Words(_TABLES["shown"])
_NEGATIONS: Final = Words(read_tables("reply_checks.toml")["negations"])
_BAD_MARKS: Final = "❌✗✘🚫⛔👎"
_GOOD_MARKS: Final = "✅✓✔👍"
_SHORT: Final = 4

_NO: Final = frozenset("no none n/a - – — ❌ ✗ auto nein non нет 否 无 無 不需要 不要".split())  # noqa: SIM905
"""Cells of a table that say no."""


def is_bad_example(introduced_by: Iterable[str]) -> bool:
    """Return whether what stands below some texts is an example of what not to do.

    Args:
        introduced_by: The texts that introduce it, the nearest first; the first that says something decides.
    """
    return next((said for text in introduced_by if (said := _said(text)) is not None), False)


def has_example_mark(text: str) -> bool:
    """Return whether a text has a mark such as ❌ or ✅."""
    return any(mark in text for mark in _BAD_MARKS + _GOOD_MARKS)


def is_setup(name: str) -> bool:
    """Return whether a script is named for setting something up or signing in."""
    return _SETUP.are_in(spaced(name))


def gives_leave(text: str, above: str = "") -> bool:
    """Return whether a sentence about asking says that nobody need be asked.

    Args:
        text: The sentence.
        above: The heading that it stands under: what it forbids is forbidden in the sentence, too.
    """
    words = spaced(text).replace(" do not ", " don t ")
    if not _LEAVE.are_in(words) or _NEGATIONS.are_in(_LEAVE.without(spaced(above))):
        return False
    return _LEAVE.after_start_of(words) is not None or not _NEGATIONS.are_in(_LEAVE.without(words))


def shows_examples(title: str) -> bool:
    """Return whether a heading or lead-in announces examples."""
    return _SHOWN.are_in(spaced(title))


def says_no(cell: str) -> bool:
    """Return whether a table's cell, behind its header, says no: `Approval: none`."""
    return cell.rpartition(":")[2].strip(" .*`").casefold() in _NO


def is_about_places(text: str) -> bool:
    """Return whether a text is about cities and the like."""
    return _PLACE.are_in(spaced(text))


@lru_cache(maxsize=512)  # a heading introduces many segments
def _said(text: str) -> bool | None:
    if any(mark in text for mark in _BAD_MARKS):
        return True
    if any(mark in text for mark in _GOOD_MARKS):
        return False
    words = spaced(text)
    short = len(words.split()) <= _SHORT
    for listed, answer in ((_BAD, True), (_GOOD, False)):
        if listed.after_start_of(words) is not None or (short and listed.are_in(words)):
            return answer
    return None
