"""Tells an order or a description of use ("run X to …", "`X --all`: lists …") from a mere mention of a command.

A mention is no permission: only what a text orders or describes becomes a tool that the model may call.
"""

import re
from collections.abc import Iterator
from typing import Final

from melleafy_tui.core.language.orders import is_forgiven, is_imperative
from melleafy_tui.core.language.wording import sentences
from melleafy_tui.core.language.words import PatternTable
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.tables import table_beside

_CALL: Final = "\ufdd2"
"""Stands for a command with arguments, an interpreter or a method: its form shows how it is called."""

_NAME: Final = "\ufdd3"
"""Stands for a script of which only the path is written."""

_X: Final = f"[{_CALL}{_NAME}]"
_LONGEST: Final = 4_000
"""Characters of a text that are judged."""

_SPAN: Final = LazyRegex(r"`{1,3}([^`\n]{1,2000})`{1,3}")
_EMPHASIS: Final = str.maketrans("", "", "*_")
_STRUCK: Final = LazyRegex(r"~~[^~\n]{1,2000}~~")
_MARKS: Final = LazyRegex(r"^[\W\d]*?(?=[\ufdd2\ufdd3]|\w)")
_CLAUSES: Final = LazyRegex(r"[;；]\s*|[,，]\s+(?:but|then|and then)\s+|[，](?=[再然])")


_TABLE: Final[dict[str, list[str]]] = table_beside(__file__, "described_use.toml")
_FORMS: Final = PatternTable(
    _TABLE,
    RUN=f"(?:{'|'.join(_TABLE['run'])})",
    BEFORE=f"(?:{'|'.join(_TABLE['before'])})",
    CALL=_CALL,
    NAME=_NAME,
    NEAR=r"(?:[\w'’/-]+ ){0,4}?",
    X=_X,
)
_ORDER, _DESCRIBED, _CELL, _WITH, _USAGE, _NOT_CALLED, _HISTORY, _OTHERS = map(
    _FORMS.form, ("order", "described", "cell", "with", "usage", "not_called", "history", "others")
)
_UNDONE, _TOLD, _RISK, _REFUSING_TITLE, _PLACE_LABEL = map(
    _FORMS.form, ("undone", "told", "risk", "refusing_title", "place_label")
)

_LEADING: Final = LazyRegex(rf"^{_X}\s*(?:[—–:：\-(（]|->|→)\s*(?P<purpose>\S.{{2,}})$", re.DOTALL)
_STATED: Final = LazyRegex(rf"^{_CALL}(?:\s+(?P<purpose>\S.*))?$", re.DOTALL)
_LABELLED: Final = LazyRegex(rf"^(?P<label>[^:：.!?\n]{{1,60}}?)(?:[:：]|\s[—–-])\s*(?P<call>{_X})")


def describes_use(text: str, target: str, *, is_call: bool) -> bool:
    """Return whether a text orders a command or describes its use, rather than only mentioning it.

    Args:
        text: The text with its code spans.
        target: The command, address or path as the text writes it.
        is_call: Whether the command shows how it is called: arguments, an interpreter, a method.
    """
    marked = _marked(text[:_LONGEST], target, _CALL if is_call else _NAME)
    return any(_says_use(clause) for clause in _clauses(marked))


def refuses_use(text: str) -> bool:
    """Return whether a text that introduces commands forbids them or speaks of the past."""
    return bool(_NOT_CALLED.search(text) or _HISTORY.search(text)) or refuses_below(text)


def refuses_below(title: str) -> bool:
    """Return whether a heading says that what is under it isn't to be done, or no longer is."""
    return bool(_REFUSING_TITLE.match(title))


def _marked(text: str, target: str, mark: str) -> str:
    """Return a text without emphasis, with the code spans and words that hold a target replaced by a mark."""
    spans = _SPAN.sub(lambda found: mark if target in found[1] else found[1], _STRUCK.sub("", text))
    return re.sub(rf"\S*{re.escape(target)}[^\s,;:，；：。)）]*", mark, spans).translate(_EMPHASIS)


def _clauses(marked: str) -> Iterator[str]:
    """Yield the clauses that hold a mark; a table's row is one clause."""
    if _CELL.search(marked):
        yield marked
    for sentence in sentences(marked):
        for clause in _CLAUSES.split(sentence):
            if _CALL in clause or _NAME in clause:
                yield _MARKS.sub("", clause, count=1).strip()


def _says_use(clause: str) -> bool:
    before, _, after = clause.replace(_CALL, _NAME).partition(_NAME)
    if not is_forgiven(before) and (_NOT_CALLED.search(before) or _HISTORY.search(before)):
        return False
    if _TOLD.search(clause) or _RISK.search(clause) or _UNDONE.search(after) or clause.endswith(("?", "？")):
        return False
    if _ORDER.search(clause) or (_WITH.search(clause) and is_imperative(clause)):
        return True
    mentioned = _NOT_CALLED.search(after) or _HISTORY.search(after) or _OTHERS.search(clause)
    return not mentioned and bool(_CELL.search(clause) or _DESCRIBED.search(clause) or _has_purpose(clause))


def _has_purpose(clause: str) -> bool:
    """Return whether a clause is a command with its purpose after it or as its label."""
    if _USAGE.match(clause) or _LEADING.match(clause) or _STATED.match(clause):
        return True
    labelled = _LABELLED.match(clause)
    if labelled is None or _PLACE_LABEL.search(labelled["label"].strip()):
        return False
    return labelled["call"] == _CALL or is_imperative(labelled["label"])
