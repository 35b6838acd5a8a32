"""Tells how the words around a value relate to it: a sign or verb gives it, it stands beside, in a column, or below."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from operator import attrgetter
from string import ascii_letters
from sys import maxsize
from typing import Final

from msgspec import Struct

from melleafy_tui.core.source.secrets.candidates import column_at
from melleafy_tui.core.source.secrets.reading import Line
from melleafy_tui.core.source.secrets.spans import compiled
from melleafy_tui.core.source.secrets.talk import (
    ADVERBS,
    ARTICLES,
    AS,
    CHANGES,
    GIVES,
    LEADS,
    PRONOUNS,
    SMALL,
    SOLID_GIVES,
    SOLID_LEADS,
    SPEAKS,
    TOWARDS,
)
from melleafy_tui.core.source.secrets.vocabulary import NAMING, NEGATIVE, WORD, C, Hit, is_solid, lowered
from melleafy_tui.core.source.secrets.words import USERS, Concept

FARTHEST: Final = 110
FARTHEST_CHANGE: Final = 60
FARTHEST_BEHIND: Final = 60
FARTHEST_USER: Final = 66
FARTHEST_OTHER: Final = 30
FARTHEST_LABEL: Final = 24
MOST_LABELS: Final = 8
MOST_ALIKE: Final = 2
LONGEST_PROSE: Final = 600
FEW_HITS: Final = 12
NO_VALUES: Final = (maxsize, -1)
_START: Final = attrgetter("start")
_END: Final = attrgetter("end")

DIRECT: Final = frozenset(("field", "is", "beside", "tight", "far field", "far is"))
"""Relations of words that give a value, or stand before it."""

OWNERS: Final = frozenset((C.LOGIN, C.USER, C.WIFI, C.SSID, C.SERVICE, C.SITE))
STRING_QUOTES: Final = frozenset("\"'")
_FRONT: Final = " \t\"'`”’»」』*_)）]}>"
_BACK: Final = " \t\"'`“„«「『‘*_"
_SIGNS: Final = ("=>", "->", ">", ":", "=", "：", "→", "＝", "➜", "⇒", "??", "||")
_DASHES: Final = tuple(f"{before}{dash}" for before in " *`)" for dash in "-–—")
_CLAUSE: Final = re.compile(r"[.!?。！？][ \t]|[。！？]")
_CODE_LINE: Final = re.compile(
    r"[{};]\s*(?:$|//|#)|[}\]],?\s*$|=>|&&|\|\||==|</|[A-Za-z\d_]\([\w.]*[,)]|\)\s*[{;]|\)[.,]\w|#:~:|\\[wdsbn][+*]?"
    r"|^[\s$`>]{0,20}(?:sudo )?(?:git|npm|npx|pnpm|yarn|pip|docker|kubectl|cd|curl|wget|node|tmux|apt|brew"
    r"|cargo)[ ][\w$\"'.-]"
    r"|^\s{0,40}(?:import \w|from \S+ import|def \w+\(|class \w+[:({]|return\b|(?:const|let|var) [\w{]+[ ]?[=:;}]"
    r"|if \(|for \(|elif |assert\b|function\b|await |throw |raise |interface )"
)
_MASK: Final = r"\$\{[A-Z0-9_]+\}"


class Relation(Struct, frozen=True):
    """How a word stands to a value: what it names, the relation, the words between, and its place."""

    label: str
    name: str
    between: tuple[str, ...]
    hit: Hit | None


class Pair(Struct, frozen=True):
    """A name before a value, such as a user's or a network's: what separates them, what it is, and whose it is."""

    separator: str
    kind: str
    owner: str


class Judged(Struct):
    """A line while its values are judged.

    Attributes:
        line: The line.
        prose: Whether it is a person's note rather than code, where marks and digits mean something else.
        talk: How many of its words speak about secrets.
        taken: The places of its secrets so far, and of masks.
        like: The groups of forms of the secrets so far, on it and in its list.
        values: Where the first of its values that aren't plain words ends, and where the last begins.
        listed: The groups of forms that stand alone on two lines of its list or more.
    """

    line: Line
    prose: bool
    talk: int
    taken: list[tuple[int, int]]
    like: set[str]
    values: tuple[int, int] = NO_VALUES
    listed: frozenset[str] = frozenset()

    @property
    def around(self) -> frozenset[Concept]:
        """Return the concepts of the line's surroundings."""
        return self.line.context.topics

    def hits_near(self, start: int, end: int) -> Sequence[Hit]:
        """Return the words that are close enough to a value to matter, and on a line of few words all of them."""
        found = self.line.hits
        if len(found) <= FEW_HITS:
            return found
        first = bisect_left(found, start - FARTHEST, key=_END)
        return found[first : bisect_right(found, end + FARTHEST_BEHIND, key=_START)]


def judged(line: Line, like: set[str]) -> Judged:
    """Return a line ready to be judged."""
    text = line.text
    masks = [match.span() for match in compiled(_MASK).finditer(text)] if "${" in text else []
    short = len(text) <= LONGEST_PROSE
    talk = sum(word in SPEAKS for word in lowered(text).split()) if short else 0
    return Judged(line, _CODE_LINE.search(text) is None, talk, masks, set(like))


def resolved(concept: Concept, line: Judged) -> str:
    """Return what a word stands for on its line: a code of a door is a PIN, a key of a network a password."""
    around = line.line.topics | line.around
    if concept is C.CODE:
        if C.SPARE in around:
            return "recovery"
        if C.LOCK in around or C.DEVICE in around:
            return "pin"
        return "password" if around & {C.WIFI, C.SSID} else "code"
    if concept is C.KEY:
        if C.SPARE in line.line.topics:
            return "recovery"
        return "password" if around & {C.WIFI, C.SSID} or C.USER in line.line.topics else "key"
    if concept is C.SAYING:
        return "phrase" if around & {C.VAULT, C.PHRASE, C.SPARE, C.SAY} else "saying"
    return "" if concept in NEGATIVE else concept.value


def relations(line: Judged, start: int, end: int) -> Iterator[Relation]:
    """Yield how the words of a line and its surroundings stand to a value."""
    text, context = line.line.text, line.line.context
    near = line.hits_near(start, end)
    before = [hit for hit in near if hit.end <= start and start - hit.end <= FARTHEST]
    for hit in _nearest(before[-MOST_LABELS:]):
        if label := resolved(hit.concept, line):
            name, between = relation_before(text, hit.end, start, line.taken)
            if name == "cell" and text[: hit.start].rstrip(_BACK)[-1:] in ("", "|"):
                name = "column"
            yield Relation(label, name, between, hit)
    for hit in [hit for hit in near if hit.start >= end and hit.start - end <= FARTHEST_BEHIND][:3]:
        label = resolved(hit.concept, line)
        if label and (name := _behind(text[end : hit.start])):
            yield Relation(label, name, (), hit)
    if context.columns:
        column = column_at(text, start)
        for concept in context.columns[column] if 0 <= column < len(context.columns) else ():
            if label := "password" if concept is C.PASS else resolved(concept, line):
                yield Relation(label, "column" if column in context.pure else "cell", (), None)
    elif context.above and not line.line.topics & NAMING and _is_below(text, start, end):
        for hit in context.above[-3:]:
            if label := resolved(hit.concept, line):
                yield Relation(label, "list" if context.label else "item", (), None)


def _nearest(before: Sequence[Hit]) -> Sequence[Hit]:
    """Return the words before a value, of those of one concept the nearest two."""
    if len(before) <= MOST_ALIKE:
        return before
    seen = Counter[Concept]()
    kept = []
    for hit in reversed(before):
        seen[hit.concept] += 1
        if seen[hit.concept] <= MOST_ALIKE:
            kept.append(hit)
    kept.reverse()
    return kept


_LISTED: Final = frozenset(('", "', '","', "', '", "','"))
_OPTION: Final = r"[\"']--?[\w-]{2,28}\Z"
"""An option and its value as two strings of a list: `["--password", "…"]`."""
LONGEST_OPTION: Final = 32


def relation_before(
    text: str, label_end: int, start: int, taken: Sequence[tuple[int, int]]
) -> tuple[str, tuple[str, ...]]:
    """Return the relation of a word before a value, and the words between."""
    gap = text[label_end:start]
    if taken and any(label_end <= first and last <= start for first, last in taken):
        return "far", ()
    if gap in ("=", '="', "='", ":-", "-", ":="):
        return "tight", ()
    if gap in _LISTED and compiled(_OPTION).search(text, max(0, label_end - LONGEST_OPTION), label_end):
        return "tight", ()
    if gap[:2] in ("'s", "’s"):
        gap = f" is {gap[2:]}" if not WORD.search(gap[2:]) else gap[2:]
    core = gap.rstrip(_BACK)
    if core[-1:] in ("(", "（", "["):
        core = core.rstrip("([（").rstrip(_BACK)
    mark, rest = _mark(core.lstrip(_FRONT))
    words = [lowered(word) for word in WORD.findall(_without_solid_verbs(rest))]
    gives = _gives(words, rest, text[max(0, label_end - FARTHEST_CHANGE) : label_end])
    while words and (words[-1] in ADVERBS or words[-1] in GIVES or (gives and words[-1] in TOWARDS)):
        gives = True
        words.pop()
    if _CLAUSE.search(rest):
        later = (
            gives and set(map(lowered, WORD.findall(_CLAUSE.split(rest)[-1]))) <= PRONOUNS | GIVES | ADVERBS
        )
        return ("far is" if later else "far"), tuple(words)
    words = [word for word in words if word not in ARTICLES]
    return _named(mark, gives, _length(words), len(gap)), tuple(words)


def _named(mark: str, gives: bool, count: int, width: int) -> str:
    """Return the name of a relation from the sign, verb and number of words between a word and a value."""
    if count > 7 or width > 90 or (mark == "bar" and count):
        return "far"
    if count:
        return "far field" if mark == "sign" else "far is" if gives else "near" if count <= 3 else "far"
    if mark in ("sign", "bar"):
        return "field" if mark == "sign" else "cell"
    return "is" if gives else "near" if mark == "comma" else "beside"


def _mark(core: str) -> tuple[str, str]:
    """Return the kind of the sign that ends the text between a word and a value, and the text before it."""
    if core.endswith((*_SIGNS, *_DASHES)) or core in ("-", "–", "—"):
        return "sign", core.rstrip("=->:：→＝➜⇒?|–—")
    last = core[-1:]
    if last == "|":
        return "bar", core[:-1]
    if last in (",", ";", "，", "、", "；"):
        return "comma", core[:-1]
    return ("sign", core[:-1]) if last in ("?", "？") else ("", core)


def _length(words: Sequence[str]) -> int:
    return sum(1 + len(word) // 4 if is_solid(word) else 1 for word in words)


def _gives(words: Sequence[str], rest: str, before: str) -> bool:
    """Return whether the words between a word and a value end with a verb that gives it."""
    if not words:
        return is_solid(rest) and any(mark in rest for mark in SOLID_GIVES)
    if words[-1] in GIVES:
        return True
    around = (*words, *map(lowered, WORD.findall(before))) if words[-1] in TOWARDS else ()
    return any(word.startswith(CHANGES) for word in around)


def _without_solid_verbs(rest: str) -> str:
    """Return the text between a word and a value without particles and verbs of scripts without blanks."""
    if not is_solid(rest):
        return rest
    bare = rest.strip(" 　")
    for _ in range(2):
        for mark in SOLID_GIVES:
            bare = bare.removeprefix(mark).removesuffix(mark).strip()
    return bare


def _behind(gap: str) -> str:
    """Return the relation of a word behind a value, or `""` if it has none."""
    words = [lowered(word) for word in WORD.findall(gap)]
    rest = [word for word in words if word not in ARTICLES]
    if _CLAUSE.search(gap) or len(words) > 4:
        return "behind"
    if words and words[0] in AS and len(rest) <= 3:
        return "as"
    return "before" if len(rest) <= 2 and frozenset(":=|,;、，").isdisjoint(gap) else "behind"


_BULLET: Final = (
    r"[ \t>]*(?:[-*+•·☐☑✅✗✓][ \t]+|\d{1,2}[.)][ \t]+)?(?:\[[ xX]\][ ]?)?"
    r"(?:\[?\d{1,2}[:.]\d\d\]?[ ]?\w{0,20}:[ ])?"
)


def _is_below(text: str, start: int, end: int) -> bool:
    """Return whether a value stands alone on a line below a label, or last behind a name."""
    if text[end:].strip(" \t*_`\"'.,;|)]}!”»」』"):
        return False
    bullet = compiled(_BULLET).match(text)
    head = text[bullet.end() if bullet else 0 : start].strip(" \t*_`\"'“«「『([")
    return not head or (head[-1] in ":：=→|-–—" and len(head) < 60)


_PAIR: Final = re.compile(
    r"(?:^|[\s(（:：=\"'`“„「,，→>*|])(?P<user>[^\s,，;；:：/／|()（）\"'`“”<>=]{2,60})[\"'`”」*]{0,3}"
    r"(?P<sep>[ ]?[/／][ ]?|[ ]?//[ ]?|[ ]\+[ ]|:[ ]?|[ ]?[|｜][ ]?|[,，、][ ]?|[ ][–—·~-][ ]|[ ]?(?:→|->)[ ]"
    r"|,?[ ](?:and|with|then|und|mit|y|con|e|com|et|avec|i|z|и|с|та|з|en|met|ve)[ ]|[ ])[\"'`“„「*]{0,3}\Z"
)
_PATH_NAME: Final = r"[a-z]\w*[a-z0-9]-[a-z0-9.-]+(?![\w!?$&#])"
"""A part of a path behind its folder: `skills/note-taking-2`."""

_SEPARATORS: Final = {
    **dict.fromkeys(("/", "／", "//"), "slash"),
    **dict.fromkeys((":",), "colon"),
    **dict.fromkeys(("|", "｜"), "bar"),
    **dict.fromkeys((",", "，", "、"), "comma"),
    **dict.fromkeys(("–", "—", "·", "~", "-", "+", "→", "->"), "dash"),
    "": "blank",
}


def pair(line: Judged, start: int) -> Pair | None:
    """Return how a value follows a user's or a network's name, or None if it doesn't."""
    text, hits, offset = line.line.text, line.hits_near(start, start), max(0, start - FARTHEST_USER)
    match = _PAIR.search(text[offset:start])
    if match is None:
        return None
    first, last = (offset + place for place in match.span("user"))
    user = match["user"]
    known = user.lower() in USERS
    if not known and any(
        hit.start < last and first < hit.end and hit.concept is not C.SERVICE for hit in hits
    ):
        return None
    kind = "email" if "@" in user[1:] else "known" if known else "name"
    separator = _SEPARATORS.get(match["sep"].strip(), "word")
    quote = text[start - 1 : start]
    if user[0] == "@" or "$" in user or (separator == "bar" and kind == "name" and text.count("|") > 1):
        return None
    if quote in STRING_QUOTES and (
        separator == "slash" or (separator == "colon" and text[first - 1 : first] == quote)
    ):
        return None
    if kind == "name" and match["sep"] == "/" and compiled(_PATH_NAME).match(text, start):
        return None
    owners = [hit.concept.value for hit in hits if hit.concept in OWNERS and 0 <= first - hit.end <= 12]
    if separator == "blank" and kind == "name" and not owners:
        return None
    return Pair(separator, kind, owners[-1] if owners else "")


_AFTER: Final = "\"'`”’»」』*_)）]}"


def following(line: Judged, end: int) -> str:
    """Return what follows a value: the end, a stop, a word, a sign, or a word for a secret."""
    rest = line.line.text[end:].lstrip(_AFTER).lstrip(" \t")
    if not rest.strip(" \t.;,!。"):
        return "end"
    mark = rest[0]
    if mark in "|｜<":
        return "cell"
    if any(
        hit.concept in NAMING and 0 <= hit.start - end <= FARTHEST_LABEL for hit in line.hits_near(end, end)
    ):
        return "label"
    if mark in "/／:：=→":
        return "sign"
    return "stop" if mark in ",，、;；.。(（—–-!?#" else "word"


_ASIDE: Final = frozenset((C.SERVICE, C.ENTER, C.SAY, C.SITE))
_TELLING: Final = NAMING | NEGATIVE


def is_of_other(line: Judged, start: int) -> bool:
    """Return whether the last known word before a value says that it is an id, a checksum, a room or the like."""
    text = line.line.text
    near = [
        hit for hit in line.hits_near(start, start) if hit.end <= start and start - hit.end <= FARTHEST_OTHER
    ]
    last = next((hit for hit in reversed(near) if hit.concept in _TELLING), None)
    if last is None or last.concept not in NEGATIVE:
        return False
    if near[-1] is not last and near[-1].concept not in _ASIDE and "," in text[last.end : start]:
        return False
    name, between = relation_before(text, last.end, start, ())
    if name not in DIRECT or len(between) > 4 or any(map(str.isdecimal, text[last.end : start])):
        return False
    before = line.line.hits[: bisect_left(line.line.hits, last.start, key=_START)]
    naming = (
        None if name == "beside" else next((hit for hit in reversed(before) if hit.concept in NAMING), None)
    )
    joint = text[naming.end : last.start] if naming else ""
    return SMALL.isdisjoint(map(lowered, WORD.findall(joint)))


MOST_SKIPPED: Final = 2
_OPENED: Final = " \t\"'`“”„«»「」『』‹›’‘*_"


def leading(text: str, start: int) -> str:
    """Return what stands before a value: the start of the line, a sign, or what the word there does with it."""
    before = text[max(0, start - 40) : start].rstrip(_OPENED)
    for _ in range(MOST_SKIPPED + 1):
        if not before:
            return "start"
        if before[-1] in "(（[":
            return "bracket"
        if before[-1] in ":：=→>＝➜⇒":
            return "sign"
        if before[-1] in ",;，、；.。!?！？…":
            return "mark"
        if before[-1] in "|｜":
            return "cell"
        if before[-1] in "-–—/／~·•+":
            return "dash"
        if is_solid(before[-4:]):
            return next((SOLID_LEADS[before[-n:]] for n in (3, 2, 1) if before[-n:] in SOLID_LEADS), "word")
        word = (
            before[len(before.rstrip(ascii_letters)) :]
            if before.isascii()
            else (WORD.findall(before) or [""])[-1]
        )
        word = lowered(word)
        if word not in ARTICLES and word not in ADVERBS:
            return LEADS.get(word, "small" if word in SMALL else "word")
        before = before[: -len(word)].rstrip(_OPENED)
    return "word"


def next_word(text: str, end: int) -> str:
    """Return what the word behind a value does with it."""
    rest = text[end : end + 30].lstrip(_OPENED)
    if is_solid(rest[:3]):
        return next((SOLID_LEADS[rest[:n]] for n in (3, 2, 1) if rest[:n] in SOLID_LEADS), "word")
    match = WORD.match(rest)
    word = lowered(match.group()) if match else ""
    if word in ADVERBS:
        return "now"
    return LEADS.get(word, "small" if word in SMALL else "word")
