"""The one rule about what is said of a value: a label, a link, and a value that could be a secret.

`Wi-Fi password: Kx7!mTq2`, `API_KEY=…`, `Passwort für den Router ist …`, a column headed `Password`, `login: ana / …`.
A strong label with a strong value is a secret. Short numbers, words, and values of weak labels are doubtful.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from string import ascii_letters, digits
from typing import Final

from melleafy_tui.core.source.secrets.found_secret import (
    LONGEST_LINE,
    SecretSpan,
    any_label,
    label_before,
    lines_with,
    lowered,
    pattern,
    table,
    variable_name,
)
from melleafy_tui.core.source.secrets.values import Strength, strength

LONGEST_TAIL: Final = 40
MOST_WORDS: Final = 6
MOST_WORDS_OF_HEADER: Final = 3
FARTHEST: Final = 60
LEAST_KEY: Final = 8
LEAST_NUMBER: Final = 4
MARKS: Final = "*_`\"'“”„«»‘’ \t"

_CALLS: Final = ("(", "[", "{")
_OF_NAME: Final = f"{ascii_letters}{digits}_-"

_Found = tuple[int, int, bool]
"""Start and end of a value, and whether it is certainly a secret."""

_ASKED: Final = False


@cache
def _kinds() -> dict[str, str]:
    """Return the kind of secret of each table of labels."""
    return {name: row["kind"] for name, row in table("labelled_values").items() if "kind" in row}


@cache
def _labels() -> dict[str, tuple[tuple[str, str], ...]]:
    """Return the labels with their tables by a part that they share; a text without it has none of them."""
    words = [
        (word, name)
        for name in _kinds()
        for words in table("labelled_values")[name].values()
        for word in (words if isinstance(words, list) else ())
    ]
    found: dict[str, list[tuple[str, str]]] = {}
    for word, name in sorted(words, key=lambda row: len(row[0])):
        bare = word.lstrip("*")
        anchor = next((known for known in found if known in bare), max(bare.split(), key=len))
        found.setdefault(anchor, []).append((word, name))
    return {anchor: tuple(words) for anchor, words in found.items()}


def _labels_in(lower: str) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and kind of each label of a text in lower case, in order."""
    anchors = [(_label_form(words), anchor) for anchor, words in _labels().items() if anchor in lower]
    found = [
        (*match.span(), _kinds()[match.lastgroup or ""])
        for form, anchor in anchors
        for line in lines_with(lower, (anchor,))
        for match in form.finditer(lower, *line)
    ]
    last = -1
    for start, end, kind in sorted(found, key=lambda row: (row[0], -row[1])):
        if end > last:
            last = end
            yield start, end, kind


@cache
def _label_form(words: tuple[tuple[str, str], ...]) -> re.Pattern[str]:
    """Return a pattern of some labels, in a group for each table; no other word may follow."""
    names = dict.fromkeys(name for _, name in sorted(words, key=lambda row: -len(row[0])))
    groups = (f"(?P<{name}>{any_label(word for word, owner in words if owner == name)})" for name in names)
    return re.compile(
        rf"(?:{'|'.join(groups)})(?![^\W\d_\u2e80-\uffef]|@|[_-]\w|\d\w|(?<=[a-z])[\u2e80-\uffef])"
    )


def _outcome(kind: str, found: Strength, place: str = "prose") -> bool | None:
    """Return what a value behind a label is: surely a secret, doubtful, or (None) no secret."""
    outcomes: dict[str, dict[str, bool]] = table("labelled_values")["outcomes"][place]
    return outcomes.get(kind, {}).get(found)


def labelled_secrets(text: str) -> Iterator[SecretSpan]:
    """Yield the values of a text of prose that their labels give away; they may overlap."""
    lower, last = lowered(text), -1
    for start, end, kind in _labels_in(lower):
        if start < last or pattern("never").search(lower, max(0, start - LONGEST_TAIL), start):
            continue
        stop = text.find("\n", end)
        stop = min(len(text) if stop < 0 else stop, end + LONGEST_LINE)
        before = label_before(text, start)
        name = (
            f"{before} {text[start:end]}"
            if before and text[start - 1] == " "
            else f"{before}{text[start:end]}"
        )
        link = pattern("link").match(lower, end, stop)
        linked = link.group() if link else ""
        place = link or pattern("direct").match(text, end, stop)
        found = _value(text, place.end(), stop, kind, linked) if place else None
        found = found or _near(text, end, stop, kind) or _in_literal(text, start, end, kind)
        if found is not None:
            last = found[1]
            yield _span(*found, kind, name)
    yield from _columns(text)
    yield from _logins(text, lower)


def _span(start: int, end: int, sure: bool, kind: str, name: str) -> SecretSpan:
    variable = variable_name(name, "")
    return SecretSpan(start, end, kind, variable or kind.upper(), sure, named=sure and bool(variable))


def _value(text: str, start: int, stop: int, kind: str, link: str) -> _Found | None:
    """Return place and certainty of the value that begins at a place, or None; `link` is what joins it to its label."""
    linked, is_marked = bool(link), any(mark in link for mark in ":：=→>")
    quoted = pattern("quoted").match(text, start, stop)
    match = quoted or pattern("bare").match(text, start, stop)
    if match is None:
        return None
    first, last = match.span("value")
    if not quoted:
        first, last = _trimmed(text, first, last)
    if text[last : last + 1] in _CALLS or text.startswith("..", last):
        return None
    found = strength(text[first:last])
    outcome = _outcome(kind, found)
    is_short = kind in ("token", "key") and found is not Strength.RANDOM and last - first < LEAST_KEY
    if outcome is None or is_short:
        return None
    if found is Strength.WORDS and is_marked:
        most = MOST_WORDS if kind == "passphrase" or quoted else 1
        assigned = (first, last, _ASKED) if text[start - 1] == "=" else None
        return _words_at(text, start, stop, quoted, most) or assigned
    if (
        found is Strength.WORDS
    ):  # "the password is sunflower." but not "is stored in", "codeword "x"" but not "codeword x"
        said = link.strip().isalpha() and pattern("clause_ends").match(text, last, stop)
        is_quoted = quoted and (linked or (kind == "passphrase" and " " not in text[first:last]))
        return (first, last, _ASKED) if said or is_quoted else None
    if linked or quoted:
        return first, last, outcome
    if found is Strength.NUMBER and kind == "password" and last - first < LEAST_NUMBER:
        return None
    return first, last, outcome and found is not Strength.NUMBERED


def _trimmed(text: str, first: int, last: int) -> tuple[int, int]:
    """Return the place of a value without the marks of Markdown around it, and without the end of its sentence."""
    last = first + len(text[first:last].rstrip(".:…?"))
    if text[last - 2 : last] in ("**", "__") and text[first : first + 2] != text[last - 2 : last]:
        last -= 2
    last = first + len(text[first:last].rstrip(".:…?"))
    for mark in ("**", "__", "*", "_"):
        if text.startswith(mark, first) and text.endswith(mark, first + len(mark), last):
            return first + len(mark), last - len(mark)
    if text[last - 1] == "}" and "{" not in text[first:last]:
        last -= 1
    return first, last


def _near(text: str, start: int, stop: int, kind: str) -> _Found | None:
    """Return the value that stands a few words behind a label, in the same clause, if nothing else looks like it."""
    for match in pattern("near").finditer(text, start, stop):
        if match.start() > start + FARTHEST or pattern("clause_end").search(text, start, match.start()):
            return None
        value = match.group().rstrip(".:…")
        found = strength(value)
        outcome = _outcome(kind, found)
        if outcome is not None and found is Strength.RANDOM:
            return match.start(), match.start() + len(value), outcome
    return None


def _in_literal(text: str, start: int, end: int, kind: str) -> _Found | None:
    """Return the word that a key has in a literal such as `Api-Key: word`; elsewhere a word says what a key is."""
    match = pattern("literal").match(text, end) if kind in ("key", "token") else None
    if match is None or strength(match["value"]) is not Strength.WORDS:
        return None
    opening = text[max(0, start - LONGEST_TAIL) : start].rstrip(_OF_NAME)[-1:]
    return (*match.span("value"), _ASKED) if opening == match["quote"] else None


def _words_at(text: str, start: int, stop: int, quoted: re.Match[str] | None, most: int) -> _Found | None:
    """Return words as a doubtful value if they are quoted, or all that the line says."""
    match = quoted or pattern("rest_of_line").match(text, start, stop)
    if match is None:
        return None
    first, last = match.span("value")
    value = text[first:last].strip(MARKS)
    words = value.split()
    if (
        pattern("snake").fullmatch(value)
        or strength(value) is not Strength.WORDS
        or len(words) > most
        or any(_kind_of(word) for word in words)
    ):
        return None
    first += text[first:last].index(value)
    return first, first + len(value), _ASKED


def _columns(text: str) -> Iterator[SecretSpan]:
    """Yield the values in the columns of tables whose header is a label."""
    columns, end = dict[int, tuple[str, str]](), -1
    for row in pattern("row").finditer(text) if "|" in text else ():
        cells = row["cells"].split("|")
        if row.start() != end:  # the first row of a table
            columns = {number: kind for number, cell in enumerate(cells) if (kind := _header(cell))}
        end, place = row.end(), row.start("cells")
        for number, cell in enumerate(cells):
            if number in columns and (value := cell.strip(MARKS)):
                found = strength(value)
                outcome = _outcome(columns[number][0], found)
                if outcome is not None and (
                    found is not Strength.WORDS or columns[number][0] == "passphrase"
                ):
                    start = place + cell.index(value)
                    yield _span(start, start + len(value), outcome, *columns[number])
            place += len(cell) + 1


def _header(cell: str) -> tuple[str, str] | None:
    """Return kind and name of a column whose header ends in a label."""
    name = cell.strip(MARKS)
    kind = _kind_of(name)
    return (kind, name) if kind and len(name.split()) <= MOST_WORDS_OF_HEADER else None


@lru_cache(maxsize=4_096)
def _kind_of(name: str) -> str | None:
    """Return the kind of secret that the name of a field or column is for, or None."""
    lower = lowered(name)
    label = next((found for found in _labels_in(lower) if found[1] == len(name)), None)
    return label[2] if label and not pattern("never").search(lower, 0, label[0]) else None


def _logins(text: str, lower: str) -> Iterator[SecretSpan]:
    """Yield the passwords of lines such as `login: ana / Velvet.Tin4`."""
    for line in lines_with(text, (" / ",)):
        for match in pattern("login").finditer(text, *line):
            found = strength(match["value"])
            looks = found in (Strength.RANDOM, Strength.STRONG, Strength.NUMBERED)
            if looks and pattern("login_words").search(lower, line[0], match.start() + 1):
                sure = found is not Strength.NUMBERED
                yield SecretSpan(*match.span("value"), "password", "LOGIN_PASSWORD", sure)


def assigned_secrets(text: str, place: str) -> Iterator[SecretSpan]:
    """Yield the values that JSON or code gives to the name of a secret; `place` is `json` or `code`."""
    places = lines_with(lowered(text), _labels())
    forms = (pattern(form) for form in _ASSIGNMENTS[place])
    for match in (match for form in forms for line in places for match in form.finditer(text, *line)):
        group = "text" if match["text"] is not None else "number"
        kind, value = _kind_of(match["key"]), match[group]
        found = strength(value)
        sure = _outcome(kind, found, place) if kind else None
        is_sentence = found is Strength.WORDS and " " in value
        is_short = place == "code" and sure and len(value) < LEAST_KEY
        if kind and sure is not None and not (is_sentence or is_short):
            yield SecretSpan(*match.span(group), kind, variable_name(match["key"]), sure, named=True)


_ASSIGNMENTS: Final = {"json": ("json",), "code": ("assigned", "exported")}
"""Patterns of what gives a name its value."""


def names_secret(label: str) -> bool:
    """Return whether a label, such as the name of a header, marks its value as a secret."""
    return _kind_of(label.strip()) is not None or label.strip().lower() in ("authorization", "cookie")
