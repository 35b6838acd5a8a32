"""Takes the values out of a line that may be secrets: words, parts after a sign, quoted texts, groups and phrases."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from msgspec import Struct

from melleafy_tui.core.source.secrets.forms import form_of, is_generated, is_known, is_placeholder
from melleafy_tui.core.source.secrets.reading import ODD, Line
from melleafy_tui.core.source.secrets.spans import compiled
from melleafy_tui.core.source.secrets.talk import (
    ADVERBS,
    ARTICLES,
    COMMANDS,
    GIVES,
    LEADS,
    SMALL,
    SOLID_GIVES,
    TALK,
    TOWARDS,
)
from melleafy_tui.core.source.secrets.vocabulary import NAMING, C, hits, is_solid, lowered


class Candidate(Struct, frozen=True):
    """A value of a line: its place, its text, the name of its form, and the quote before it, or `""`."""

    start: int
    end: int
    text: str
    form: str
    quote: str


_ATOM: Final = re.compile(
    r"[^\s\"`“”„‟«»「」『』‹›（），。；、：／｜|│┃║<>→＝⇒➜\ue200-\ue2ff\x00-\x1f\x7f]{1,1000}"
)
_PLAIN_WORDS: Final = r"(?<![=“「\"`/])(?:[A-Za-z]{1,30}[ ](?=[A-Za-z]))+"
_ATOMS: Final = re.compile(f"{_PLAIN_WORDS}|(?P<atom>{_ATOM.pattern})")
"""Words that others follow are no values: a run of them is passed over at once."""

_OPENERS: Final = "([{*_~'’‘:="
_CLOSERS: Final = ")]}>*_~'’‘,;.:(["
_SIGNS: Final = re.compile(r"&(?=[\w.-]{1,30}=)|[=:]+|/{1,2}|[,;]|->")
_ASSIGNED: Final = re.compile(r"[\w.$-]{0,40}[^\W\d][\w.-]{0,40}(?:=(?=[^=])|:(?=[\w$]))")
"""A name and its value in one word; a word of letters alone can be a user's name before its password."""

_PARAMETER: Final = r"[?&;](?P<name>[\w.-]{1,40}=)(?P<value>[^&;#%]{3,300})"
_DEFAULT: Final = r"\$\{\w{1,60}:?[-=](?P<value>[^${}\s]{3,200})\}"
"""The value that a shell takes when a variable isn't set."""

_ASCII_RUN: Final = r"[!-~À-ӿ]{2,80}"
_QUOTED: Final = re.compile(
    r"(?P<mark>[\"“„«「『`])[ ]?(?P<text>[^\"“”„«»「」『』`\n]{3,120}?)[ ]?[\"”“»」』`]"
    r"|(?<![\w'’])(?P<single>['‘])(?P<other>[^'‘’\n]{3,120})['’](?!\w)"
)
QUOTES: Final = frozenset("\"'`“„«「『‘")
MOST_SIGNS: Final = 6
MOST_SLASHES: Final = 2
_PROGRAMS: Final = frozenset(("random", "long random"))
_FIELDS: Final = frozenset(
    (
        C.LOGIN,
        C.USER,
        C.WIFI,
        C.VAULT,
        C.ENTER,
        C.SERVICE,
        C.SPARE,
        C.SAYING,
        C.LOCK,
        C.DEVICE,
        C.SITE,
        C.SAY,
        C.SSID,
    )
)


def candidates(line: Line) -> list[Candidate]:
    """Return the values of a line in order, the longer of those that begin at one place first; they may overlap."""
    topics = line.topics
    context = line.context
    naming = bool(topics & NAMING)
    wordy = naming or bool(context.columns or context.above)
    wordy = wordy or bool(topics & _FIELDS) or bool(context.topics & _FIELDS) or "@" in line.text
    found = {(each.start, each.end): each for each in _atoms(line.text, wordy)}
    if naming or topics & _FIELDS:
        for each in (*_quoted(line.text), *_groups(line.text), *_dials(line), *_phrases(line)):
            found.setdefault((each.start, each.end), each)
    if context.columns or context.above:
        for each in (*_groups(line.text), *_wholes(line)):
            found.setdefault((each.start, each.end), each)
    for hit in line.hits:
        found.pop((hit.start, hit.end), None)
    if "|" in line.text and (naming or context.columns):
        for whole in _made_cells(line):
            found = {
                place: each
                for place, each in found.items()
                if each.end <= whole.start or whole.end <= each.start
            }
            found[whole.start, whole.end] = whole
    return sorted(found.values(), key=lambda each: (each.start, -each.end))


def _atoms(text: str, wordy: bool) -> Iterator[Candidate]:
    """Yield the values without blanks, whole and in parts behind a sign; words only if they end a part of the line."""
    for match in _ATOMS.finditer(text):
        word = match["atom"]
        if word is None:
            continue
        if word.isalpha() and not is_solid(word):
            if not wordy or (
                _goes_on(text, match.end()) and text[match.start() - 1 : match.start()] not in _OPEN
            ):
                continue
        elif not wordy and len(word) < 20 and not ODD.search(word):
            continue
        for start, end in _pieces(word, match.start()):
            if found := _candidate(text, start, end):
                yield found


_OPEN: Final = frozenset('=“「"`/')


def _goes_on(text: str, end: int) -> bool:
    """Return whether another word, a sign or a bracket follows a word."""
    rest = text[end : end + 8]
    bare = rest.lstrip(" \t")
    return bare[:1] == "=" or rest[:1] in ("(", "[", "{") or (bare != rest and bare[:1].isalpha())


def _pieces(word: str, offset: int) -> Iterator[tuple[int, int]]:
    """Yield the places of a word and of its parts behind signs, or of its runs in one script."""
    bare = word.lstrip(_OPENERS)
    offset, word = offset + len(word) - len(bare), bare
    end = offset + len(word)
    if not word or word.startswith("ENC[") or (word.startswith("agent:") and word.count(":") > 1):
        return
    solid = is_solid(word)
    assigned = _ASSIGNED.match(word)
    if assigned:
        yield offset + assigned.end(), end
    whole = not (solid and compiled(_ASCII_RUN).search(word)) or "-" in word
    if whole and not (assigned and hits(assigned.group())):
        yield offset, end
    if solid:
        for run in compiled(_ASCII_RUN).finditer(word):
            yield from _pieces(run.group(), offset + run.start())
        return
    if "${" in word:
        for default in compiled(_DEFAULT).finditer(word):
            yield offset + default.start("value"), offset + default.end("value")
    if "://" in word or word[0] in "?&":
        for parameter in compiled(_PARAMETER).finditer(word):
            if not hits(parameter["name"]) and form(parameter["value"]) not in _PROGRAMS:
                continue
            yield offset + parameter.start("value"), offset + parameter.end("value")
        return
    cuts = [match for match in _SIGNS.finditer(word) if match.start() > 0 and match.end() < len(word)]
    if not cuts or word.count("/") > MOST_SLASHES or form(word) in _PROGRAMS or is_known(word):
        return
    cuts = cuts[:MOST_SIGNS]
    starts = [0, *(cut.end() for cut in cuts)]
    stops = [*(cut.start() for cut in cuts), len(word)]
    for number, (start, stop) in enumerate(zip(starts, stops, strict=True)):
        if number:
            yield offset + start, end
        yield offset + start, offset + stop


def column_at(text: str, start: int) -> int:
    """Return the column of a table in which a place of a row is."""
    return text.count("|", 0, start) - text.lstrip(" >\t\v").startswith("|")


form = lru_cache(maxsize=50_000)(form_of)


_SIGNS_BEFORE: Final = frozenset("-?%#&$")
_MADE_BY_PROGRAMS: Final = frozenset(("scrambled", "strong", "mixed", "random", "plain random"))
LEAST_BEHIND_SIGN: Final = 7
"""A value that a program made up can begin with a sign, as options and variables do."""


def _candidate(line: str, start: int, end: int) -> Candidate | None:
    while start < end and line[start] in _OPENERS:
        start += 1
    text = trimmed(line[start:end])
    if len(text) < 3:
        return None
    name = form(text)
    if (
        not name
        and text[0] in _SIGNS_BEFORE
        and len(text) > LEAST_BEHIND_SIGN
        and form(text[1:]) in _MADE_BY_PROGRAMS
    ):
        name = form(text[1:])
    quote = line[start - 1] if start and line[start - 1] in QUOTES else ""
    return Candidate(start, start + len(text), text, name, quote) if name else None


def trimmed(text: str) -> str:
    """Return a value without the marks of its sentence or of Markdown behind it."""
    bare = text.rstrip(_CLOSERS)
    if bare[-1:] in "!?" and not any(letter.isdecimal() or letter in "&#$%+*_-." for letter in bare[:-1]):
        bare = bare.rstrip("!?")
    rest = text[len(bare) :]
    if rest[:1] in (")", "]", "}") and {")": "(", "]": "[", "}": "{"}[rest[0]] in bare:
        bare += rest[0]
    if rest[:1] == "*" and bare.isdecimal() and rest[:2] != "**":
        bare += "*"
    return bare


def _quoted(line: str) -> Iterator[Candidate]:
    """Yield the texts of several words in quotes."""
    for match in _QUOTED.finditer(line):
        name = "text" if match["text"] else "other"
        text = match[name]
        if " " in text.strip() and (found := phrase_form(text)):
            yield Candidate(*match.span(name), text, found, match["mark"] or match["single"])


_MAY_GROUP: Final = re.compile(
    r"\d[^\W_]{0,7} [^\W_]|[^\W_]{4} (?:[^\W_]{4}|[^\W_]{8}) (?:[^\W_]{4}|[^\W_]{8}) [^\W_]{4}"
)
"""What every line with such groups has: one with a digit before another, or four of one length."""

_GROUP: Final = re.compile(r"[^\s\"`“”|,;，、。；「」()（）:：=→]{1,12}")


def _groups(line: str) -> Iterator[Candidate]:
    """Yield values of several groups of one length with blanks between: `1234 5678`, `abcd efgh ijkl mnop`."""
    if not _MAY_GROUP.search(line):
        return
    words = [match.span() for match in _GROUP.finditer(line)]
    at = 0
    while at < len(words):
        end = at
        while end + 1 < len(words) and _continues(line, words[at], words[end], words[end + 1]):
            end += 1
        if end > at:
            text = line[words[at][0] : words[end][1]].rstrip(".")
            if found := _groups_form(text):
                yield Candidate(words[at][0], words[at][0] + len(text), text, found, "")
        at = end + 1


_DIAL: Final = r"(?<![^\W\d_])(?:[LRlr左右][ ]?\d{1,2}[ ,，、-]{0,2}){2,5}(?!\w)"


def _dials(line: Line) -> Iterator[Candidate]:
    """Yield the turns of a dial: `L 12 R 34 L 5`."""
    for match in compiled(_DIAL).finditer(line.text) if C.LOCK in line.topics else ():
        text = match.group().rstrip(" ,，、-")
        yield Candidate(match.start(), match.start() + len(text), text, "digit groups", "")


def _continues(line: str, first: tuple[int, int], last: tuple[int, int], other: tuple[int, int]) -> bool:
    if line[last[1] : other[0]] != " ":
        return False
    one, two = line[slice(*first)], line[slice(*other)].rstrip(".")
    return len(one) == len(two) and len(one) <= 8 and one.isalnum() and two.isalnum() and two.isascii()


def _groups_form(text: str) -> str:
    parts = text.split()
    if all(map(str.isdecimal, parts)):
        total = sum(map(len, parts))
        if 4 <= total <= 8 and len(parts[0]) in (1, 3, 4):
            return "digit groups"
        return "groups" if len(parts[0]) > 3 else ""
    digits = sum(any(map(str.isdecimal, part)) for part in parts)
    if len(parts[0]) < 4:
        return ""
    if digits * 2 >= max(len(parts), 4) or (digits > 2 and len(parts) > 5):
        return "groups"
    if any(part in SMALL or part in TALK for part in map(str.lower, parts)):
        return ""
    lettered = len(parts) >= 4 and len(parts[0]) in (4, 8) and (text.islower() or text.isupper())
    return "letter groups" if lettered and _is_unspoken("".join(parts).lower()) else ""


def _is_unspoken(letters: str) -> bool:
    return len(set(letters)) > 6 and sum(letter in "aeiou" for letter in letters) < 0.34 * len(letters)


_PHRASE_WORD: Final = re.compile(r"[^\W_](?:[^\W_]|['’ʼ&.+-]){0,18}[!?.,]?|&|\+")
_NO_PHRASE: Final = frozenset("，。,;；：:/\\=")
MOST_WORDS: Final = 12
MOST_COMMAS: Final = 3
LEAST_SEED: Final = 11


def phrase_form(text: str) -> str:
    """Return the form of a text of several words, or `""`."""
    if is_solid(text):
        fits = 4 <= len(text.strip()) <= 30 and _NO_PHRASE.isdisjoint(text)
        return "solid" if fits and not is_placeholder(text) else ""
    parts = text.split()
    if parts and parts[0] in COMMANDS:
        return ""
    if len(parts) >= LEAST_SEED and text.islower() and all(map(str.isalpha, parts)) and len(parts) <= 24:
        return "" if any(part in SMALL for part in parts) else "word list"
    if not 2 <= len(parts) <= MOST_WORDS or len(text) > 100 or not all(map(_PHRASE_WORD.fullmatch, parts)):
        return ""
    if any(part[-1] in ".?" for part in parts[:-1]) or is_placeholder(text):
        return ""
    commas = sum(part[-1] == "," for part in parts[:-1])
    if commas > MOST_COMMAS or (commas and len(parts) < 4):
        return ""
    if commas:
        return "phrase list"
    return "phrase 2" if len(parts) == 2 else "phrase 3" if len(parts) == 3 else "phrase"


_PHRASED: Final = frozenset(
    (C.PASSWORD, C.PASS, C.PHRASE, C.SAYING, C.VAULT, C.ENTER, C.WIFI, C.KEY, C.PIN, C.SAY)
)
_PHRASE_START: Final = re.compile(r"[^\s\"'`“”„«»「」(（*_=:：→|]+")
_PART_ENDS: Final = re.compile(r"[,;–—。，、(（\"'`”」»]|\.[ ]|[ ]-[ ]|[ ]/[ ]")
LONGEST_LEAD_IN: Final = 70
LONGEST_REST: Final = 170
MOST_STARTS: Final = 12


def _phrases(line: Line) -> Iterator[Candidate]:
    """Yield the texts of several words after a word for a password or for what one opens, up to the end of a part."""
    starts: set[int] = set()
    close: set[int] = set()
    for hit in line.hits:
        if hit.concept in _PHRASED:
            for start, signed in _starts(
                line.text, hit.end, ":：=→>-–—," if hit.concept in _SPOKEN else ":：=→>-–—"
            ):
                starts.add(start)
                if not signed:
                    close.add(start)
    for start in sorted(starts):
        rest = line.text[start : start + LONGEST_REST]
        for mark in "|<>":
            rest = rest.partition(mark)[0]
        part = _PART_ENDS.search(rest)
        for end in {len(rest), part.start() if part else len(rest)}:
            text = rest[:end].rstrip(" .,;:*_`\"'”’»」)）!?-–—")
            if start in close and not GIVES.isdisjoint(lowered(text).split()):
                continue
            if (" " in text or is_solid(text)) and (found := phrase_form(text)):
                yield Candidate(start, start + len(text), text, found, "")


_CELL: Final = r"[^|\n]{3,110}"


def _wholes(line: Line) -> Iterator[Candidate]:
    """Yield a cell of several words, or a line of them below a word that announces them."""
    for match in (
        compiled(_CELL).finditer(line.text) if "|" in line.text else (compiled(_LINE).match(line.text),)
    ):
        if match is None:
            continue
        text = match.group().strip(" \t`*\"'_>-•.")
        if " " in text and (found := phrase_form(text)):
            start = match.start() + match.group().index(text)
            yield Candidate(start, start + len(text), text, found, "")


MADE_CELL: Final = "cell"
"""The form of a whole cell that a program made up."""
_MADE_CELL: Final = (
    r"(?:^|(?<=\|))[ \t]*(?P<user>[\w.@+-]{1,60}[ ]/[ ])?(?P<mark>\*\*|[`\"'])?"
    r"(?P<value>[!-_a-{}~]{8,40}?)(?P=mark)?[ \t]*(?=\||$)"
)


def _made_cells(line: Line) -> Iterator[Candidate]:
    """Yield what a program made up and stands alone in a cell, or there behind a user's name, with all its signs."""
    columns = line.context.columns
    named = not NAMING.isdisjoint(line.topics)
    for match in compiled(_MADE_CELL).finditer(line.text):
        column = column_at(line.text, match.start("value"))
        told = columns[column] if 0 <= column < len(columns) else frozenset()
        if (named or told & (NAMING | ({C.LOGIN} if match["user"] else set()))) and is_generated(
            match["value"]
        ):
            yield Candidate(*match.span("value"), match["value"], MADE_CELL, "")


_LINE: Final = r".{3,110}\Z"
_SPOKEN: Final = frozenset((C.VAULT, C.PHRASE, C.SAY))


def _starts(text: str, position: int, signs: str) -> Iterator[tuple[int, bool]]:
    """Yield where a phrase may begin after a word, and whether a sign or verb gives it."""
    for number, match in enumerate(_PHRASE_START.finditer(text, position, position + LONGEST_LEAD_IN)):
        if number > MOST_STARTS:
            return
        word = lowered(match.group())
        if word in GIVES or word in ADVERBS or (word in TOWARDS and word not in ARTICLES):
            continue
        before = text[position : match.start()].rstrip(" \"'`“„«「(（*_")
        signed = before[-1:] in signs and bool(before)
        signed = signed or lowered(before.rpartition(" ")[2]) in _VERBS
        if is_solid(match.group()) and (particle := compiled(_PARTICLE).match(match.group())):
            yield match.start() + particle.end(), True
        elif not number or signed or is_solid(before):
            yield match.start(), signed


_PARTICLE: Final = f'(?:{"|".join(sorted(SOLID_GIVES, key=lambda mark: -len(mark)))})[：:]?[「『“"]?'
_VERBS: Final = (
    GIVES
    | ADVERBS
    | TOWARDS
    | {word for word, name in LEADS.items() if name in ("with", "type", "say", "wants", "use")}
)
