"""Finds what is a secret by its own form: tokens of providers, addresses, key blocks, passwords in connections."""

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Any, Final

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

LONGEST_PART: Final = 400
"""Characters of a part of a token that a form reads, so that its time is linear in a word."""

KEY_BLOCK_KIND: Final = "private key"
"""The kind that can't be released: nothing else looks like it, and a cut block includes the lines after it."""

LONG_WITHOUT_DIGIT: Final = 24


def formed_secrets(text: str) -> Iterator[SecretSpan]:
    """Yield the secrets of a text that have a form or a place of their own; they may overlap."""
    for block in pattern("key_block").finditer(text) if "-----BEGIN" in text or "PuTTY" in text else ():
        yield SecretSpan(*block.span(), KEY_BLOCK_KIND, "PRIVATE_KEY")
    yield from provider_tokens(text)
    yield from _addresses(text)
    lower = lowered(text)
    for form, row in table("providers")["places"].items():
        for start, end in lines_with(lower, row["marks"]):
            # Arguments of a list in JSON are on lines of their own.
            end += LONGEST_PART if form == "option" else 0
            yield from _placed(pattern(form).finditer(text, start, end), row)


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


def _placed(matches: Iterable[re.Match[str]], row: dict[str, Any]) -> Iterator[SecretSpan]:
    """Yield the passwords that their place gives away, by a row of the table of places."""
    for match in matches:
        value = match["value"].rstrip("*_,.)]}")
        found, scheme = strength(value), (match.groupdict().get("scheme") or "").lower()
        # Behind a scheme and a user stands a password, whatever it looks like; elsewhere it must look like one.
        least = row["least_behind_scheme" if scheme else "least"]
        is_number = found is Strength.NUMBER and row["numbers"]
        looks = is_number or found in (Strength.RANDOM, Strength.STRONG) or len(value) >= least
        if not looks or is_placeholder(value) or pattern("pattern_signs").search(value):
            continue
        start = match.start("value")
        service = table("providers")["schemes"].get(scheme) or variable_name(scheme, "DATABASE")
        usual = row["variable"] or f"{service}_PASSWORD"
        yield SecretSpan(start, start + len(value), row["kind"], usual, not is_number)
