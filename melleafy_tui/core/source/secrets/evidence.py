"""Describes a value by what speaks for a secret and against it: its form, and how the words around relate to it.

A description is a set of names such as `password is` (a verb gives the value of a word for passwords) or
`pin: digits4` (a value of four digits beside a word for PINs); `weights` has the points of each.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from msgspec import Struct

from melleafy_tui.core.source.secrets.candidates import Candidate, column_at
from melleafy_tui.core.source.secrets.forms import is_known
from melleafy_tui.core.source.secrets.relations import (
    DIRECT,
    OWNERS,
    STRING_QUOTES,
    Judged,
    Pair,
    Relation,
    following,
    is_of_other,
    leading,
    next_word,
    pair,
    relations,
)
from melleafy_tui.core.source.secrets.spans import compiled
from melleafy_tui.core.source.secrets.talk import (
    ACCOUNTS,
    ADVERBS,
    ARTICLES,
    ENTRIES,
    HANDLES,
    PLACES,
    SMALL,
    SOLID_TALK,
    STATE_ENDINGS,
    TALK,
    TIMES,
)
from melleafy_tui.core.source.secrets.vocabulary import (
    NAMING,
    NEGATIVE,
    WORD,
    C,
    Hit,
    hits,
    is_solid,
    lowered,
)
from melleafy_tui.core.source.secrets.words import USERS

MOST_BEFORE: Final = 5
LONG_LINE: Final = 160
LONGEST_PLACE: Final = 3
"""Digits that say which door or gate it is."""

_GROUPS: Final = {
    **dict.fromkeys(
        ("digits3", "digits4", "digits5", "digits6", "digits7", "digits8", "digits9", "digits13", "digits17"),
        "digits",
    ),
    **dict.fromkeys(
        ("keyed", "hashed", "digit groups", "digit pair", "lettered", "year", "round", "time", "date"),
        "digits",
    ),
    **dict.fromkeys(("random", "long random", "plain random", "token"), "long"),
    **dict.fromkeys(("hex", "commit", "short hex", "uuid"), "hex"),
    "product key": "long",
    **dict.fromkeys(("groups", "letter groups"), "groups"),
    **dict.fromkeys(("word", "title", "capitals", "unspoken", "foreign", "solid"), "word"),
    **dict.fromkeys(
        ("camel", "joined", "joined 3", "joined 4", "snake", "dotted", "dotted 3", "dotted 4"), "joined"
    ),
    **dict.fromkeys(("phrase", "phrase 2", "phrase 3", "phrase list", "word list"), "phrase"),
}
"""The group of each form that isn't a made-up word."""

_CERTAIN: Final = frozenset(("random", "long random", "product key"))
_OF_PROGRAMS: Final = frozenset(("hex", "commit", "uuid"))
"""Forms that ids and checksums have as well."""

_WEAK_DIGITS: Final = frozenset(("year", "round", "date", "time", "hashed"))
"""Digits that mean something else unless a word for a secret is close."""

_IDENTIFIERS: Final = frozenset(
    ("joined digits", "named", "camel digits", "numbered", "numbered once", "mixed", "odd")
)
_PLAIN: Final = frozenset(("word", "title", "foreign", "capitals"))

_LABELS: Final = ("password", "phrase", "recovery", "pin", "pass", "seed", "token", "code", "key", "saying")
_USES: Final = (
    "spare",
    "lock",
    "device",
    "wifi",
    "ssid",
    "login",
    "user",
    "service",
    "vault",
    "site",
    "say",
    "enter",
)
_OPENED: Final = tuple(name for name in _USES if name not in ("lock", "device"))
"""What words open; the number of a lock or device is of digits."""

WORDY: Final = frozenset(("word", "joined", "phrase"))
"""Groups of forms that ordinary words have; texts of ours have them everywhere."""
_PRIORITY: Final = {name: number for number, name in enumerate((*_LABELS, *_USES))}
_NEARNESS: Final = {
    name: number
    for number, name in enumerate(
        (
            "column",
            "cell",
            "tight",
            "field",
            "is",
            "beside",
            "far field",
            "far is",
            "as",
            "list",
            "item",
            "near",
            "before",
            "behind",
            "far",
        )
    )
}
FAMILIES: Final = {
    **dict.fromkeys(("password", "pass"), "word"),
    **dict.fromkeys(("login", "user", "wifi", "ssid", "site"), "use"),
    "vault": "vault",
    **dict.fromkeys(("phrase", "saying"), "phrase"),
    **dict.fromkeys(("token", "key", "service"), "key"),
    "code": "code",
    "enter": "enter",
    "say": "say",
    **dict.fromkeys(("pin", "lock", "device"), "pin"),
    **dict.fromkeys(("recovery", "spare"), "recovery"),
    "seed": "seed",
}
"""What kind of value the words for each concept have."""

_TOPICS: Final = {C.SSID: C.WIFI, C.SAYING: C.PHRASE, C.DEVICE: C.LOCK, C.USER: C.LOGIN, C.PASS: C.PASSWORD}
"""Concepts that count as another one where they only stand on the line or above it."""

_WAYS: Final = {
    "column": "column",
    "list": "list",
    "beside": "beside",
    **dict.fromkeys(("field", "tight", "is", "as", "far field", "far is"), "given"),
}
"""How a word gives a value, for evidence of word, way and group of forms at once: `pin column digits`."""

_OF_USER: Final = frozenset(("column", "cell", "field", "is", "tight", "beside"))
_TABLE: Final = frozenset(("column", "cell"))
_WEAK: Final = frozenset(("far", "before", "behind", "far field", "item"))
_PREPOSITIONS: Final = SMALL - ARTICLES


class Described(Struct, frozen=True):
    """A value, the names of what speaks for and against it, and its relation to the word that names it."""

    candidate: Candidate
    evidence: frozenset[str]
    relation: Relation | None


def group_of(form: str) -> str:
    """Return the group of a form: digits, long, groups, word, phrase, or made."""
    return _GROUPS.get(form, "made")


def describe(line: Judged, candidate: Candidate) -> Described | None:
    """Return what speaks for and against a value, or None if nothing speaks for it."""
    start, end, group = candidate.start, candidate.end, group_of(candidate.form)
    if _is_no_value(line, candidate, group):
        return None
    found = list(relations(line, start, end))
    named, used = _closest(found, _LABELS), _closest(found, _OPENED if group in WORDY else _USES)
    used = used or _closest(found, _USES)
    beside = _pair(line, candidate, group)
    if not _may_matter(line, candidate, named, used, beside):
        return None
    next_is = "end" if named and named.name == "tight" and not candidate.quote else following(line, end)
    if _is_aside(line, candidate, group, named, used, next_is):
        return None
    evidence = {f"{_family(named, used, beside)}: {candidate.form}"}
    for relation in (named, used):
        if relation:
            evidence |= {f"{relation.label} {relation.name}", f"{group} {relation.name}"}
            if way := _WAYS.get(relation.name):
                evidence.add(f"{relation.label} {way} {group}")
            evidence.update(_between(line, relation, start, group))
    if used:
        evidence |= {f"{used.label} {place}" for place in _places(line, start, end)}
    if beside:
        evidence |= {f"{group} in pair", *_pair_evidence(beside)}
    if next_is == "end" and len(WORD.findall(line.line.text, 0, start)) <= MOST_BEFORE:
        evidence.add(f"{group} ends note")
        if beside:
            evidence.add(f"pair {beside.separator} ends note")
    flags = (*_line_flags(line, group), *_topics(line), *_neighbours(line, candidate, next_is))
    evidence |= {f"{group} {flag}" for flag in (*flags, *_value_flags(line, candidate, group))}
    return Described(candidate, frozenset(evidence), named or used)


def _pair(line: Judged, candidate: Candidate, group: str) -> Pair | None:
    """Return how a value follows a name, or None for a plain word that only stands behind one."""
    if not line.prose and candidate.quote in STRING_QUOTES:
        return None
    beside = pair(line, candidate.start)
    if beside is None or group not in ("word", "joined") or beside.separator != "blank":
        return beside
    return beside if beside.kind == "name" or beside.owner else None


def _pair_evidence(beside: Pair) -> Iterator[str]:
    yield f"pair {beside.separator} {beside.kind}"
    if beside.owner:
        yield f"pair {beside.separator} of {beside.owner}"


def _topics(line: Judged) -> Iterator[str]:
    """Yield what the line and its surroundings speak of."""
    for topic in line.line.topics:
        yield f"on line with {_TOPICS.get(topic, topic).value}"
    context = line.line.context
    for topic in () if context.columns or (context.above and context.label) else context.topics:
        yield f"below {_TOPICS.get(topic, topic).value}"


def _neighbours(line: Judged, candidate: Candidate, next_is: str) -> Iterator[str]:
    """Yield what stands directly before and behind a value."""
    text, start, end = line.line.text, candidate.start, candidate.end
    lead = leading(text, start)
    if not line.line.context.columns:
        yield f"led by {lead}"
        yield "then quote" if candidate.quote and next_is != "end" else f"then {next_is}"
    if next_is in ("word", "label") and not candidate.quote:
        yield f"before {next_word(text, end)}"
    if lead == "bracket" and text[end : end + 1] in (")", "）", "]"):
        yield "in brackets"


def _is_no_value(line: Judged, candidate: Candidate, group: str) -> bool:
    """Return whether a value is a word about secrets, an id, a name in code, or a quoted word of a sentence."""
    text, start, end = line.line.text, candidate.start, candidate.end
    if line.line.context.others and group != "made" and column_at(text, start) in line.line.context.others:
        return True
    if group in ("word", "phrase", "joined"):
        if _is_talk(candidate.text) or _names_one(line, candidate) or _is_role(line, candidate):
            return True
    elif (
        (group != "made" and is_of_other(line, start))
        or text.startswith(("...", "…"), end)
        or (group == "digits" and _is_part_of_number(text, start, end))
    ):
        return True
    if line.line.text.lstrip(" \t>").startswith("#") and candidate.form in _PLAIN and not candidate.quote:
        hit = next((hit for hit in line.line.hits if hit.end < start), None)
        if hit is not None and hit.concept is C.KEY and not text[hit.end : start].strip():
            return True
    if group in ("made", "joined", "word") and compiled(_FORBIDDEN).search(text[max(0, start - 40) : start]):
        return True
    if group == "joined" and compiled(_ENTRY).search(text[max(0, start - 24) : start]):
        return True
    if candidate.quote:
        if text.startswith(('":', "':"), end):
            return True
        return text[end : end + 1] == " " and following(line, end) == "word"
    plain = group in ("word", "phrase", "joined") or candidate.form in _IDENTIFIERS
    return not line.prose and plain and text[start - 1 : start] not in ("=", "-", ":", ">")


_ENTRY: Final = r"(?i:\b(?:keychain|keyring)(?: (?:entry|item|name))?[ ]?[:=]?[ ]?[`\"']?)\Z"
"""What stands in a keychain is named there, not told."""
_FORBIDDEN: Final = (
    r"(?i:\b(?:never|not|don't|nie|niemals|nicht|jamais|nunca|mai|никогда|не|ніколи|nigdy|nooit|asla)[ ]"
    r"(?:say|says|use|call|mention|write|sag|sage|sagen|dis|dire|digas|decir|diga|dire|говори|кажи|mów|zeg|söyle)[ ]"
    r"[\"'`“„«]?|\A(?:say|says|use|mention|write|sag|dis|di|diga|скажи|говори|powiedz|zeg|söyle)[ ][\"'`“„«]?)\Z"
)
"""What a rule forbids to say is no value that it gives."""

_PHONE: Final = (
    r"\+\d[\d ()./-]{6,20}|\(\d{2,4}\)[ -]?\d[\d -]{4,12}|\d{3}-\d{3}-\d{4}|\b0\d{2,4}[ /-]\d{3}[\d -]{2,10}"
)
_MODES: Final = frozenset(("600", "640", "644", "660", "664", "700", "750", "755", "775", "777"))
"""Permissions of a file."""
_SIZE: Final = r"[`*]{0,2}[ ]?[x×✕][ ]?[`*]{0,2}\d|[ -]\*{4}"
_ARGUMENT: Final = (
    r"(?:\d[`*]{0,2}[ ]?[x×✕][ ]?[`*]{0,2}|\b(?:grep|allow|deny|tcpip|kill|chmod|mtu|sleep|head|tail|d?port)"
    r"(?:[ ]-\w{1,4})?[ ]['\"]?:?|\blsof[ ]-i[ ]?:|\*{4}[ -])\Z"
)
"""What stands before and behind the sides of a size and the digits of a card, and before the number of a command."""
_STOPS: Final = frozenset(",.")
COUNTERS: Final = frozenset("号號楼樓室호층階")
CODES: Final = frozenset("码碼")


def _is_port(text: str, start: int) -> bool:
    """Return whether digits stand behind the name of a host or a file: `localhost:8080`, `app.py:120`."""
    if text[start - 1 : start] != ":" or start < 2:
        return False
    name = text[max(0, start - 60) : start - 1].rpartition(" ")[2]
    return text[start - 2].isalnum() and not (name.isalpha() and hits(name))


def _is_part_of_number(text: str, start: int, end: int) -> bool:
    """Return whether digits belong to an amount, a time, an address of a card or a phone number."""
    if text[start - 1 : start] in _STOPS and text[max(0, start - 2) : start - 1].isdecimal():
        return True
    if _is_port(text, start) or text[end:].lstrip(" ")[:1] in COUNTERS:
        return text[end:].lstrip(" ")[1:2] not in CODES
    near = max(0, start - 18)
    if text[start:end] in _MODES and text[end : end + 1] == "`":
        return True
    if compiled(_SIZE).match(text, end) or compiled(_ARGUMENT).search(text, near, start):
        return True
    return any(
        match.start() + near < end and start < match.end() + near
        for match in compiled(_PHONE).finditer(text[near : end + 14])
    )


_ROLE: Final = r"\b(?P<user>[A-Za-z]{2,20})[ ]?(?P<sign>[/／+])[ ]?\Z"


def _is_role(line: Judged, candidate: Candidate) -> bool:
    """Return whether a plain word beside a user's name is another role or part: "Admin/Moderator", "root + tests"."""
    start = candidate.start
    before = compiled(_ROLE).search(line.line.text, max(0, start - 24), start)
    if before is None or candidate.form not in _PLAIN or before["user"].lower() not in USERS:
        return False
    return before["sign"] == "+" or (candidate.form == "title" and before["user"].istitle())


def _names_one(line: Judged, candidate: Candidate) -> bool:
    """Return whether words hold one for a secret, as texts of a program do: "Enter your password"."""
    start, end = candidate.start, candidate.end
    return " " in candidate.text and any(
        (start <= hit.start < end and hit.concept in _CLEAR)
        or (start == hit.start and hit.concept in NEGATIVE)
        for hit in line.hits_near(start, end)
    )


_CLEAR: Final = frozenset((C.PASSWORD, C.PIN, C.TOKEN, C.PHRASE))


def _is_talk(text: str) -> bool:
    """Return whether a value is a word or a sentence that speaks about a secret."""
    if is_solid(text):
        return any(mark in text for mark in SOLID_TALK)
    return all(word in TALK or word in SMALL or word in ADVERBS for word in map(lowered, WORD.findall(text)))


CLOSED: Final = frozenset(")）]】")


def _is_aside(
    line: Judged,
    candidate: Candidate,
    group: str,
    named: Relation | None,
    used: Relation | None,
    next_is: str,
) -> bool:
    """Return whether a value is the name of a user or network before its password, or the sentence goes on with it."""
    if candidate.form == "solid" and not _may_be_solid(candidate, named, used):
        return True
    if (
        used is not None
        and (named is None or named.name in ("far", "behind"))
        and (_is_address(line, candidate, used) or _is_account(line, candidate, used))
    ):
        return True
    if (
        used is not None
        and used.label in ("user", "ssid")
        and used.name in _OF_USER
        and (named is None or named.name in _WEAK)
    ):
        return True
    if group == "phrase" and not candidate.quote and named is None and _is_description(candidate.text):
        return True
    if (
        group == "phrase"
        and not candidate.quote
        and named is None
        and used is not None
        and used.label == "enter"
        and line.line.topics.isdisjoint(_TOLD)
    ):
        return True
    if named is None or named.name in ("far", "before", "behind", "near"):
        if next_is == "label" and used is not None and used.label in ("login", "user", "wifi", "ssid"):
            return used.name in DIRECT or (used.name == "near" and not used.between)
        if (named is None or named.label == "saying") and (
            candidate.form == "capitals" or (group == "phrase" and candidate.text[0].isdecimal())
        ):
            return True
        near = named is not None and named.name == "near" and group == "word"
        return near and not _PREPOSITIONS.isdisjoint(named.between if named else ())
    if candidate.quote or (group == "made" and line.line.text[candidate.end : candidate.end + 1] in CLOSED):
        return False
    if group == "phrase":
        return (
            named.name in ("is", "far is", "beside") and lowered(candidate.text).split()[0] in _PREPOSITIONS
        )
    return _goes_on(candidate, named.name, next_is)


def _is_description(text: str) -> bool:
    """Return whether words say what something is: "a folder on the disk", "AES-256-GCM for the notes"."""
    parts = text.split()
    return parts[0] in ("a", "an", "+", "as", "with") or any(map(is_known, parts))


_TOLD: Final = NAMING | {C.VAULT, C.SAYING, C.SAY, C.DEVICE, C.LOGIN, C.SITE, C.WIFI}
_OPENING: Final = NAMING | {C.ENTER}


def _is_address(line: Judged, candidate: Candidate, used: Relation) -> bool:
    """Return whether digits behind a word for a lock or box only say which one: "PO box 311", "gate 12"."""
    if used.label != "lock" or used.hit is None or not candidate.text.isdecimal():
        return False
    if used.name not in ("beside", "field") or (line.line.topics | line.around) & _OPENING:
        return False
    text, first = line.line.text, used.hit.start
    word = lowered(text[first : used.hit.end]).replace(" ", "_")
    short = len(candidate.text) <= LONGEST_PLACE
    counted = word.startswith(PLACES) and not text[max(0, first - 1) : first].isalpha()
    return (counted and (short or used.name == "beside")) or (short and word.startswith(ENTRIES))


def _is_account(line: Judged, candidate: Candidate, used: Relation) -> bool:
    """Return whether a value is the name of an account: "Account: otter88", "GitHub: otter88"."""
    if used.label not in ("login", "service") or used.name not in ("field", "beside") or used.hit is None:
        return False
    if any(map(str.isalnum, line.line.text[used.hit.end : candidate.start])):
        return False
    word = lowered(line.line.text[used.hit.start : used.hit.end])
    named = group_of(candidate.form) in ("made", "joined") and candidate.form not in ("strong", "marked")
    return word in ACCOUNTS or (named and word in HANDLES)


def _goes_on(candidate: Candidate, relation: str, next_is: str) -> bool:
    """Return whether a word without a mark belongs to the sentence: "password protection", "the password expires"."""
    if candidate.form == "capitals" and relation in ("far field", "far is"):
        return True
    if relation != "beside" or any(map(str.isdecimal, candidate.text)):
        return False
    if candidate.form in _PLAIN:
        state = len(candidate.text) > 5 and lowered(candidate.text).endswith(STATE_ENDINGS)
        return state or candidate.form == "capitals" or next_is not in ("end", "cell")
    return next_is == "word"


def _closest(found: Sequence[Relation], labels: Sequence[str]) -> Relation | None:
    """Return the closest relation to a word of some kinds."""
    fitting = [relation for relation in found if relation.label in labels]
    return min(fitting, key=lambda each: (_NEARNESS[each.name], _PRIORITY[each.label]), default=None)


_ADMITTING: Final = frozenset(set(C) - {C.OTHER, C.PUBLIC})


def found_on(line: Judged) -> bool:
    """Return whether a line has a word that speaks of secrets at all."""
    return not line.line.topics.isdisjoint(_ADMITTING)


_PROTECTED: Final = frozenset((C.VAULT, C.PHRASE, C.SAYING))
_GIVEN_BY: Final = frozenset(("sign", "with", "use", "type", "say", "wants", "opens"))


def _may_matter(
    line: Judged, candidate: Candidate, named: Relation | None, used: Relation | None, beside: Pair | None
) -> bool:
    """Return whether a word that is close enough, a pair, or a sibling speaks for a value at all."""
    form = candidate.form
    group = group_of(form)
    if form in _CERTAIN or (
        line.prose and (group in ("made", "long", "hex") or (group == "joined" and found_on(line)))
    ):
        return True
    if form == "uuid" and named is not None and named.label in ("code", "pin", "seed"):
        return False
    if form in _OF_PROGRAMS:
        return named is not None or group in line.like or _is_used(used, ("service", "spare"), DIRECT)
    if form == "date" and named is not None and named.label in ("key", "token"):
        return False
    if form == "digits9" and (named is None or named.name in _WEAK) and _is_used(used, ("device",), DIRECT):
        return False
    if form in _WEAK_DIGITS:
        return (named is not None and named.name in DIRECT | _TABLE) or _is_used(
            used,
            ("lock", "device", "enter"),
            DIRECT if form in ("year", "hashed") else DIRECT | {"near", "before"},
        )
    if form == "digits17":
        close = named is not None and named.name in DIRECT | _TABLE
        return close or not (line.line.topics | line.around).isdisjoint((C.WIFI, C.SSID))
    if form == "ticket" and (named is None or named.name not in DIRECT):
        return False
    if group in WORDY:
        use = used is not None and used.name not in ("far", "before", "behind") and used.label != "lock"
        close = (named is not None and named.name not in ("far", "behind")) or use
        if not close and group != "word" and line.line.topics & _PROTECTED:
            close = leading(line.line.text, candidate.start) in _GIVEN_BY
        return close or bool(beside and (beside.kind != "name" or (line.line.topics | line.around) & OWNERS))
    if named is not None or used is not None or beside is not None or group in line.like:
        return True
    return group not in ("long", "hex") and bool(line.around)


def _is_used(used: Relation | None, labels: Sequence[str], names: Collection[str]) -> bool:
    return used is not None and used.label in labels and used.name in names


def _may_be_solid(candidate: Candidate, named: Relation | None, used: Relation | None) -> bool:
    """Return whether words in a script without blanks can be a password: in quotes, or behind a sign."""
    if named is None:
        return bool(candidate.quote) and used is not None and used.label in ("say", "enter", "vault", "wifi")
    return bool(candidate.quote) or named.name == "field" or (named.label == "phrase" and named.name == "is")


def _family(named: Relation | None, used: Relation | None, beside: Pair | None) -> str:
    if named is not None and (named.name != "far" or used is None):
        return FAMILIES[named.label]
    if beside is not None and (beside.kind != "name" or beside.owner or beside.separator == "slash"):
        return "pair"
    return FAMILIES[used.label] if used is not None else "none"


def _between(line: Judged, relation: Relation, start: int, group: str) -> Iterator[str]:
    if any(word in TALK for word in relation.between):
        yield f"{group} after talk"
    hit = relation.hit
    if hit is not None and any(
        other.concept in NEGATIVE and hit.end <= other.start < start for other in line.hits_near(start, start)
    ):
        yield f"{group} after other"


def _line_flags(line: Judged, group: str) -> Iterator[str]:
    """Yield what the whole line says about its values."""
    if not line.prose:
        yield "in code"
    if line.talk:
        yield "in talk" if line.talk == 1 else "in much talk"
    if line.line.text.lstrip()[:1] == "|" and not line.line.context.columns:
        yield "in table"
    if len(line.line.text) > LONG_LINE:
        yield "on long line"
    if group in line.like and group != "word":
        yield "like others"
    if not line.line.topics and not line.line.context.columns:
        yield "without words"
    if line.line.context.asked:
        yield "asked for"


def _value_flags(line: Judged, candidate: Candidate, group: str) -> Iterator[str]:
    """Yield what a value and what stands directly beside it say."""
    text, start, end = line.line.text, candidate.start, candidate.end
    near = line.hits_near(start, end)
    yield from _places(line, start, end)
    if not text[end:].strip(_BARE) and not text[:start].strip(_BARE):
        yield "alone"
        if group in line.listed:
            yield "alone in list"
    if candidate.quote:
        yield "in ticks" if candidate.quote == "`" else "in quotes"
    yield from _others(near, start, end)
    if any(hit.concept in NAMING and start <= hit.start < end for hit in near):
        yield "with the word"
    if start and text[start - 1] in "/\\.@#$%&-_~" and text[start - 2 : start] != ":-":
        yield "glued"
    if candidate.text.lower() in USERS:
        yield "as user"
    if candidate.form not in ("solid", "foreign") and not 6 <= len(candidate.text) <= 11:
        yield "short" if len(candidate.text) < 6 else "wide"
    if group == "digits":
        if len(candidate.text) < 4 and any(
            hit.concept is C.LOCK and start - hit.end in (1, 2) for hit in near
        ):
            yield "of a lock"
        if text[max(0, start - 2) : start - 1] in _DIGITS or text[end + 1 : end + 2] in _DIGITS:
            yield "beside digits"
        before = text[max(0, start - 10) : start].lower().split(" ")
        if not before[-1] and before[-2:-1] and before[-2] in TIMES:
            yield "of time"
    elif group in ("word", "phrase", "joined"):
        yield from _word_flags(candidate.text, phrase=group == "phrase")


def _others(near: Sequence[Hit], start: int, end: int) -> Iterator[str]:
    """Yield how close a word stands for what is no secret."""
    others = [hit for hit in near if hit.concept in NEGATIVE]
    if any(hit.end <= start <= hit.end + OTHER_BESIDE for hit in others):
        yield "of other"
    elif any(
        hit.end <= start <= hit.end + OTHER_BEFORE or end <= hit.start <= end + OTHER_BEHIND for hit in others
    ):
        yield "near other"


OTHER_BESIDE: Final = 4
OTHER_BEFORE: Final = 20
OTHER_BEHIND: Final = 12
_BARE: Final = " \t*_`\"'-•·.,;:()[]0123456789☐☑✅>"
_DIGITS: Final = frozenset("0123456789)")


def _places(line: Judged, start: int, end: int) -> Iterator[str]:
    """Yield where a value stands among those of its line."""
    first_end, last_start = line.values
    if first_end <= start:
        yield "behind a value"
    if end <= last_start:
        yield "before a value"


def _word_flags(text: str, *, phrase: bool) -> Iterator[str]:
    words = [lowered(word) for word in WORD.findall(text)]
    if not words:
        return
    last = words[0] if phrase else words[-1]
    if len(last) > 4 and last.endswith(STATE_ENDINGS):
        yield "of state"
    talk = sum(word in TALK and word not in SMALL for word in words)
    if talk and len(words) > 1:
        yield "with talk" if talk < 2 else "with much talk"
    if not phrase:
        return
    if small := sum(word in SMALL for word in words):
        yield "with small words" if small * 2 < len(words) else "of small words"
    if words[0] in SMALL:
        yield "begins small"
    if any(map(str.isdecimal, text)):
        yield "with digits"
    if text != text.lower():
        yield "with capitals"
