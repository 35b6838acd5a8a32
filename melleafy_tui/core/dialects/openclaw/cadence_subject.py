"""Finds what a text with a cadence is about: the words around the cadence, and whether they name a task."""

# ruff: noqa: E501 - a word list is easier to read in one piece

import re
from typing import Final

from msgspec import Struct

from melleafy_tui.core.dialects.openclaw.wake_words import TIME_LABELS, is_about_waking_only
from melleafy_tui.core.language.time.cadence import readable_line
from melleafy_tui.core.language.time.zones import zone_at
from melleafy_tui.core.lazy_regex import LONGEST_READ, LazyRegex
from melleafy_tui.core.models.classification import Schedule

_CLAUSE_END: Final = LazyRegex(r"[—–(（:：;；,，.。!]|\s-\s|→")


_HOURS: Final = LazyRegex(
    r"\b(?:(?:only )?(?:during|in|within|outside(?: of)?) (?:the )?(?:opening|active|working|work|business|office|waking|shop|trading|market) hours|between \S+(?: ?[ap]m)? and \S+(?: ?[ap]m)?(?=[\s,;]|$)|on (?:weekdays|weekends))\b,?",
    re.IGNORECASE,
)
"""Windows, which the schedule keeps."""
_DANGLING: Final = LazyRegex(
    r"(?:^|[\s;,:—–-]+)(?:cron(?: jobs?)? (?:fires?|runs?|triggers?|starts?)|fires?|triggers?|runs?|repeats?|repeated|every|at (?:most|least)|about|around|and|then|on|at|once|max(?:imum)?|only|um|a las|às|à|в)\s*$",
    re.IGNORECASE,
)
"""Words left at the end of a title when its cadence is taken out."""
_LIMIT: Final = LazyRegex(
    r"\b(?:at most|no more than|como máximo|máximo|no máximo|no más de|höchstens|maximal|au (?:plus|maximum)|не более|не чаще|максимум)\b|最多|至多|最大で?",
    re.IGNORECASE,
)
_LEADING: Final = LazyRegex(r"^(?:[に、はでも，,;:]+|(?:then|and|also|just)\b)\s*", re.IGNORECASE)
_NAMES_NOTHING: Final = LazyRegex(
    rf"\W*(?:an?|the|this|every|each)?\W*(?:cron(?: jobs?)?|jobs?)?\W*"
    rf"|\W*(?:(?:it )?(?:runs?|check(?:s|ed)?|executes?|triggers?|repeats?)|(?:\w+ )?(?:{TIME_LABELS}|rhythm|times?|how often))\W*",
    re.IGNORECASE,
)
"""Titles that say when and not what."""


def task_title(words: str) -> str:
    """Return the name of a task from the words around its cadence, or `""` if they name none."""
    title, before = " ".join(_HOURS.sub(" ", words[:LONGEST_READ]).split()), ""
    while title != before:
        before = title
        title = _LEADING.sub("", _DANGLING.sub("", title)).strip(" ,;:，；：—–-")
    return "" if _NAMES_NOTHING.fullmatch(title) else title


_LABEL: Final = re.compile(r"\W*(?P<label>[^:：\n]{2,60}?)\s*[:：]\s")
_LONG_NAME: Final = 48
"""A longer name is the whole line: its label is enough."""
_ADVERB_NAMES: Final = (
    LazyRegex(
        r"\W*(?P<name>(?:hourly|daily|nightly|weekly|monthly|quarterly|yearly)(?! (?:on|at|every|around|by)\b)(?: [\w&/'’-]+){1,6}?)\s*(?=$|[:(|.;,]|[–—-]\s|\d)",
        re.IGNORECASE,
    ),
    LazyRegex(
        r"\W*(?P<name>[每毎](?:[日月季年]|[周週](?![一二三四五六日天末]))[\u3040-\u30ff\u3400-\u9fff]{1,10})\s*(?=$|[:：(（])"
    ),
)
"""A name that begins with how often: `Weekly review`, `每周回顾`."""


def adverb_name(text: str, cadence: str = "") -> str:
    """Return the name at the start of a text if how often is its first word, or `""`; it ends before the cadence."""
    before = text[:LONGEST_READ].partition(cadence)[0] if cadence else ""
    opening = before if re.search(r"\w", before) else text[:LONGEST_READ]
    match = next(filter(None, (name.match(opening) for name in _ADVERB_NAMES)), None)
    title = task_title(match["name"]) if match else ""
    return title if " " in title or not title.isascii() else ""


def short_name(title: str) -> str:
    """Return a name, or its label where it is a whole line."""
    label = _LABEL.match(title) if len(title) > _LONG_NAME else None
    return label["label"] if label else title


_CLAUSE: Final = LazyRegex(r"[.;|]\s+|[。；]|[,，]\s*$")
_LEAST_WORDS: Final = 2
_LONGEST_NAME: Final = 4
_SAYS_THAT_IT_RUNS: Final = LazyRegex(
    r"\b(?:cron(?:s| job)?|jobs?|picks? up|fires?|runs?|triggers?|starts?)\b", re.IGNORECASE
)


def clause_of_cadence(text: str, found: Schedule) -> str:
    """Return the words of the clause that a cadence stands in, or `""` if it names nothing.

    In a line of several facts ("database: x.db; daily 9 PM check-in, Sunday 9 AM report") only that clause is the task.
    """
    before, cadence, after = text.partition(found.cadence)
    if not cadence:
        return ""
    clauses = _CLAUSE.split(re.sub(r"[(（][^)）]*$", "", before))
    last = clauses[-1].strip()
    if not last and re.match(r"\s+\w", after):
        words = re.split(r"[,;.:(|，；。：（]", after, maxsplit=1)[0].split()
        named = len(words) <= _LONGEST_NAME and not " ".join(words).isupper()  # "ET" is a zone
        return " ".join(words) if named else ""
    rest = _SAYS_THAT_IT_RUNS.sub(" ", last).split()
    return last if len(clauses) > 1 and len(rest) >= _LEAST_WORDS else ""


class CadenceSubject(Struct, frozen=True):
    """What a text with a cadence is about.

    Attributes:
        words: The words before the cadence; if they are nothing but filler, the clause directly after it.
        cadence_first: Whether the text starts with the cadence.
        more: What it says beyond the cadence and its subject.
    """

    words: str
    cadence_first: bool
    more: str = ""

    @property
    def is_waking(self) -> bool:
        """Return whether the subject is the agent's wake-up, or nothing at all."""
        return is_about_waking_only(self.words)

    @property
    def announces(self) -> bool:
        """Return whether the text has no task of its own, but gives the time of what follows."""
        empty = self.is_waking or self.words.rstrip("* ").endswith((":", "："))
        return empty and not (self.cadence_first and self.more)


def subject_of(text: str, found: Schedule) -> CadenceSubject:
    """Return what a cadence in a text is about."""
    text = readable_line(text[:LONGEST_READ])
    zone = zone_at(text)
    if zone is not None and text[zone.start : zone.end] not in found.cadence:
        text = re.sub(r"\s+(?=[)）])", "", f"{text[: zone.start]} {text[zone.end :]}")
    before, _, after = text.partition(found.cadence) if found.cadence in text else (text, "", "")
    before = _LIMIT.sub(" ", before)
    cadence_first = not re.search(r"[^\W\d_]", before)
    before = re.sub(r"[(（][^)）]*$", "", before)
    if not is_about_waking_only(before):
        return CadenceSubject(before.strip(), cadence_first)
    end = _CLAUSE_END.search(after)
    clause = after[: end.start()] if end else after
    rest = after[end.end() :] if end else ""
    more = rest.strip(" .。)）")
    return CadenceSubject(
        f"{before} {clause}".strip(), cadence_first, "" if is_about_waking_only(more) else more
    )
