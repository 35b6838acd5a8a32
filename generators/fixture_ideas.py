"""Makes the messages and names of fixtures from the workspace's own rules and tools."""

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from melleafy_tui.core.language.orders import Polarity, polarity_of
from melleafy_tui.core.language.text_measures import HAN, has_any
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.committed import PlannedElement
from melleafy_tui.core.models.mapping import RuleCheck
from melleafy_tui.generators.literals import identifier
from melleafy_tui.generators.package_shape import statement_of

_LONGEST_PIECE: Final = 160
"""Longest piece of a rule that still makes a natural message."""

_CONDITION: Final = re.compile(
    r"(?:if|when|whenever|once|in case)\s+(?P<piece>[^,:]+?)\s*[,:]\s*\S", re.IGNORECASE
)
_CHINESE_CONDITION: Final = LazyRegex(r"(?:如果|若|当|遇到|每当)(?P<piece>[^,，:：]+?)(?:时|的话)?[,，:：]")
_BANNED_ACT: Final = re.compile(
    r"(?:you )?(?:must never|never|do not|don't|must not|should not)[: ]+(?P<piece>[a-z](?:[^.;:]|[.;:](?=\S))+)",
    re.IGNORECASE,
)
_CHINESE_BANNED_ACT: Final = LazyRegex(r"(?:绝不|禁止|不要|不得|不能|严禁)[:：]?(?P<piece>[^。;；]+)")


class Phrasing(Struct, frozen=True):
    """Templates that turn a piece of the workspace's text into a message, in English and in Chinese."""

    english: str
    chinese: str

    def of(self, piece: str) -> str:
        """Return the message for a piece of text, in the language of the piece."""
        frame = self.chinese if has_any(piece, HAN) else self.english
        return frame.replace("%", " ".join(piece.split()).rstrip(".。!！?？;；"))


TEXTS: Final[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("fixture_texts.toml").read_text("utf-8")
)
"""What stands in fixtures, as data."""

_SITUATION, _TEMPTATION, _SHOW, LONG, REMEMBER = (
    Phrasing(**TEXTS["messages"][name]) for name in ("situation", "temptation", "show", "long", "remember")
)


def message_about(item: PlannedElement) -> str:
    """Return a message that tries a rule: its condition, what it forbids, or its own words."""
    said = statement_of(item.element).split("\n", 1)[0]
    if found := _CONDITION.match(said) or _CHINESE_CONDITION.match(said):
        return _SITUATION.of(found["piece"][:_LONGEST_PIECE])
    forbids = polarity_of(item.element.statement) is Polarity.FORBIDS
    if forbids and (found := _BANNED_ACT.match(said) or _CHINESE_BANNED_ACT.match(said)):
        return _TEMPTATION.of(found["piece"][:_LONGEST_PIECE])
    return _SHOW.of(said[:_LONGEST_PIECE])


_WORDS_IN_NAME: Final = 5
_LONGEST_NAME: Final = 40


def named(start: str, words: str, otherwise: str) -> str:
    """Return a fixture's name: how it starts and the first words of a text, or what stands in where it has none.

    Args:
        start: How the name starts, such as `breaks`.
        words: The text.
        otherwise: What says the same for a text without Latin letters, such as its place.
    """
    found = re.findall(r"[a-z0-9]+", words.casefold().replace("'", "").replace("’", ""))[:_WORDS_IN_NAME]
    while len("_".join(found)) > _LONGEST_NAME:
        found.pop()
    return f"{start}_{identifier('_'.join(found) or otherwise, fallback='it')}"


def name_of_broken(checks: Iterable[RuleCheck]) -> str:
    """Return the name of a fixture whose reply breaks checks: the first says what is wrong with it."""
    check, *others = checks
    thing = identifier(check.thing, fallback="it").strip("_")
    name = TEXTS["broken"].get(check.kind, "reply_breaks_a_check").format(thing=thing, limit=check.limit)
    return f"{name}_and_more" if others else name
