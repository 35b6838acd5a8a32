"""Finds what is a secret by its own form: tokens of providers, addresses, key blocks, passwords in connections."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final

from melleafy_tui.core.source.secrets.found_secret import (
    SecretSpan,
    lines_with,
    lowered,
    pattern,
    table,
    variable_before,
    variable_name,
)
from melleafy_tui.core.source.secrets.values import Strength, is_placeholder, strength

LEAST_LONG: Final = 20
"""Characters that the shortest token has."""

LONGEST_PART: Final = 400
"""Characters of a part of a token that a form reads, so that its time is linear in a word."""

KEY_BLOCK_KIND: Final = "private key"
"""The kind that can't be released: nothing else looks like it, and a cut block includes the lines after it."""

LONGEST_KEY_BLOCK: Final = 20_000

LONG_WITHOUT_DIGIT: Final = 24

_PLACES: Final = (
    (("://",), "connection", "password in a connection string"),
    (("authorization",), "authorization", "token"),
    (
        ("sshpass", "curl ", "--pass", "-pwd", "-pin", "-token", "-api", "-secret", "-auth"),
        "option",
        "password",
    ),
    ((";password", ";pwd", "accountkey=", "accesskey="), "in_strings", "password in a connection string"),
)
"""Passwords whose place says what they are: what a line with one holds, the place, the kind."""

_SCHEMES: Final = {
    "postgresql": "POSTGRES",
    "http": "BASIC_AUTH",
    "https": "BASIC_AUTH",
    "mongodb+srv": "MONGODB",
}
_USUAL: Final = {"token": "BEARER_TOKEN", "password": "PASSWORD"}


def formed_secrets(text: str) -> Iterator[SecretSpan]:
    """Yield the secrets of a text that have a form or a place of their own; they may overlap."""
    yield from _key_blocks(text)
    yield from provider_tokens(text)
    yield from _addresses(text)
    lower = lowered(text)
    for marks, form, kind in _PLACES:
        for line in lines_with(lower, marks):
            # Arguments of a list in JSON are on lines of their own.
            yield from _placed(
                text, (line[0], line[1] + (LONGEST_PART if form == "option" else 0)), form, kind
            )


def provider_tokens(text: str) -> Iterator[SecretSpan]:
    """Yield the tokens of a text that have a provider's form; they may overlap."""
    for word in pattern("long_word").finditer(text):
        if not pattern("digit").search(text, *word.span()) and len(word.group()) < LONG_WITHOUT_DIGIT:
            continue
        for kind, variable, form in _forms_for(word.group()):
            for match in form.finditer(text, *word.span()):
                yield from _token(text, match, kind, variable)


def without_tokens(name: str) -> str:
    """Return the name of a file or folder with tokens in it replaced by their variables."""
    for span in sorted(provider_tokens(name), key=lambda span: -span.start):
        name = f"{name[: span.start]}${{{span.variable}}}{name[span.end :]}"
    return name


def _token(text: str, match: re.Match[str], kind: str, variable: str) -> Iterator[SecretSpan]:
    start, end = match.span("value" if match.groupdict().get("value") else 0)
    if text[match.start() - 1 : match.start()].isalnum() or is_placeholder(text[start:end]):
        return
    if end - start > LONGEST_PART and (rest := pattern("rest").match(text, end)):
        end = rest.end()
    own = variable_before(text, start)
    yield SecretSpan(start, end, kind, own or variable, named=bool(own))


@cache
def _token_forms() -> tuple[tuple[tuple[str, ...], str, str, str], ...]:
    return tuple(
        (tuple(marks.split()), kind, variable, form)
        for kind, variable, marks, form in table("providers")["tokens"]
    )


@cache
def _marks() -> re.Pattern[str]:
    """Return a pattern of all marks; most long words hold none."""
    return re.compile("|".join({re.escape(mark) for marks, *_ in _token_forms() for mark in marks}))


@lru_cache(maxsize=4_096)  # paths and addresses repeat
def _forms_for(word: str) -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    """Return kind, variable and form of the tokens that a word may hold."""
    marked = _marks().search(word) is not None
    numbered = sum(map(str.isdecimal, word)) > 1
    return tuple(
        (kind, variable, _bounded(form))
        for marks, kind, variable, form in _token_forms()
        if (marked and any(mark in word for mark in marks)) or (numbered and not marks)
    )


@cache
def _bounded(form: str) -> re.Pattern[str]:
    return re.compile(form.replace(",}", f",{LONGEST_PART}}}"))


def _addresses(text: str) -> Iterator[SecretSpan]:
    """Yield the addresses that open a door by themselves, such as webhooks."""
    for address in pattern("address").finditer(text) if "://" in text else ():
        word = address.group()
        for _, marks, form in table("providers")["addresses"]:
            if not any(mark in word for mark in marks.split()):
                continue
            match = _bounded(form).match(text, address.start() + word.index("://") + 3, address.end())
            if match and not is_placeholder(match.group().rstrip("/").rpartition("/")[2]):
                variable = "SLACK_TOKEN" if "hooks.slack.com" in word else "WEBHOOK_URL"
                yield SecretSpan(address.start(), match.end(), "webhook address", variable)


def _placed(text: str, line: tuple[int, int], form: str, kind: str) -> Iterator[SecretSpan]:
    for match in pattern(form).finditer(text, *line):
        value = match["value"].rstrip("*_,.)]}")
        scheme = (match.groupdict().get("scheme") or "").lower()
        if form == "connection":
            before = pattern("scheme").search(text, max(0, match.start() - LEAST_LONG), match.start())
            scheme = before.group().lower() if before else ""
        found = strength(value)
        # Behind a scheme and a user stands a password, whatever it looks like; elsewhere it must look like one.
        certain = form in ("connection", "in_strings") or (
            form == "authorization" and scheme and len(value) > LEAST_LONG // 2
        )
        is_number = form == "option" and found is Strength.NUMBER
        if (
            is_placeholder(value)
            or pattern("pattern_signs").search(value)
            or not (certain or is_number or found in (Strength.RANDOM, Strength.STRONG))
        ):
            continue
        start = match.start("value")
        usual = _USUAL.get(kind) or f"{_SCHEMES.get(scheme, variable_name(scheme, 'DATABASE'))}_PASSWORD"
        yield SecretSpan(start, start + len(value), kind, usual, not is_number)


def _key_blocks(text: str) -> Iterator[SecretSpan]:
    if "-----BEGIN" not in text and "PuTTY" not in text:
        return
    position = 0
    while match := pattern("key_block").search(text, position):
        limit = min(len(text), match.start() + LONGEST_KEY_BLOCK)
        end = pattern("key_block_end").search(text, match.end(), limit)
        if end is not None:
            position = end.end()
        else:
            blank = pattern("blank_line").search(text, match.end(), limit)
            position = blank.start() if blank else limit
        yield SecretSpan(match.start(), position, KEY_BLOCK_KIND, "PRIVATE_KEY")
