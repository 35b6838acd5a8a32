"""The secrets of one line, each with the name of the environment variable that can stand in its place.

Vendors' token forms come from detect-secrets' plugins, which are slow to import and are loaded only where a line holds
one of their marks. What they lack is here: fields such as `Password: …` in prose and JSON, connection strings, access
codes, and random strings without a label.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib import import_module
from typing import Final
from unicodedata import combining, normalize

from msgspec import Struct

from melleafy_tui.core.workspace.secret_candidates import (
    LONG_RUN,
    longest_word,
    may_hold_code,
    may_hold_label,
    may_hold_secret,
)
from melleafy_tui.core.workspace.secret_forms import (
    AUTHORIZATION,
    BARE,
    BEFORE_BARE,
    CODE,
    COMMAND_OPTION,
    CONNECTION,
    FIELD,
    IDENTIFIER,
    NO_SECRET_LABEL,
    OWN_FORMS,
    OWN_MARKS,
    PLUGIN_MARKS,
    PLUGINS,
    VERBS,
)
from melleafy_tui.core.workspace.secret_values import (
    is_credential,
    is_password,
    is_placeholder,
    is_random,
    is_solid,
    is_token,
    is_unmistakable_password,
)

LONGEST_LABEL: Final = 40
KEPT_LINES: Final = 4_096
LONGEST_KEPT: Final = 400
"""How many lines are remembered with their secrets, of those that may hold one, and how long they may be."""

_LABEL_BEFORE: Final = re.compile(r"[A-Za-z0-9 _.-]*\Z")
_FILLERS: Final = frozenset(
    (
        *("A", "AN", "AND", "AS", "IS", "MY", "OUR", "THE", "USE", "WITH", "YOUR"),
        *("DAS", "DER", "DIE", "EL", "LA", "LAS", "LE", "LES", "LOS", "O", "OS"),
    )
)
"""Words before a label that say nothing in a variable's name."""

_VERBS: Final = frozenset(VERBS.split("|"))
_CONNECTION_NAMES: Final = {
    "postgresql": "POSTGRES",
    "http": "BASIC_AUTH",
    "https": "BASIC_AUTH",
    "mongodb+srv": "MONGODB",
}


class SecretSpan(Struct, frozen=True):
    """One secret in a text.

    `start` and `end` are offsets, `kind` is what it is in words, `variable` the name of the environment variable that
    can stand in its place.
    """

    start: int
    end: int
    kind: str
    variable: str


def secrets_of_line(line: str) -> tuple[SecretSpan, ...]:
    """Return the secrets of a line, or of a window of a long one; they may overlap, and their names be the same."""
    if not may_hold_secret(line):
        return ()
    return _in_short(line) if len(line) <= LONGEST_KEPT else tuple(_in(line))


@lru_cache(maxsize=KEPT_LINES)
def _in_short(line: str) -> tuple[SecretSpan, ...]:
    return tuple(_in(line))


def _in(line: str) -> Iterator[SecretSpan]:
    if "://" in line and "@" in line:
        yield from _connections(line)
    long = longest_word(line) >= LONG_RUN
    if long or "xox" in line.lower():
        yield from _vendor_tokens(line)
    if not line.isascii() or "authorization" in line.lower():
        yield from _authorizations(line)
    if "-u" in line or "sshpass" in line:
        yield from _command_options(line)
    if may_hold_label(line):
        yield from _fields(line)
    if may_hold_code(line):
        yield from _codes(line)
    if long:
        yield from _bare(line)


def _connections(line: str) -> Iterator[SecretSpan]:
    for match in CONNECTION.finditer(line):
        if not is_placeholder(match.group("value")) and match.group("value").lower() not in (
            "password",
            "pass",
            "pwd",
        ):
            scheme = match.group("scheme").lower()
            name = _CONNECTION_NAMES.get(scheme, variable_name(scheme))
            yield SecretSpan(*match.span("value"), "password in a connection string", f"{name}_PASSWORD")


def _vendor_tokens(line: str) -> Iterator[SecretSpan]:
    if OWN_MARKS.search(line):
        for kind, variable, pattern in _own_patterns():
            for match in pattern.finditer(line):
                start, end = match.span("value" if "value" in pattern.groupindex else 0)
                if not is_placeholder(line[start:end]) and not line[: match.start()][-1:].isalnum():
                    yield SecretSpan(start, end, kind, _labelled(line, start) or variable)
    if not PLUGIN_MARKS.search(line):
        return
    for kind, variable, patterns in _plugin_patterns():
        for plugin_pattern in patterns:
            for match in plugin_pattern.finditer(line):
                # A group holds the secret where the pattern begins with its label, and a mere prefix elsewhere.
                group = 1 if plugin_pattern.groups and len(match.group(1) or "") >= 20 else 0
                start, end = match.span(group)
                if not is_placeholder(line[start:end]) and not line[:start][-1:].isalnum():
                    yield SecretSpan(start, end, kind, _labelled(line, start) or variable)


@cache
def _own_patterns() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    return tuple((kind, variable, re.compile(form)) for kind, variable, form in OWN_FORMS)


@cache
def _plugin_patterns() -> tuple[tuple[str, str, tuple[re.Pattern[str], ...]], ...]:
    loaded = []
    for module, name, variable in PLUGINS:
        plugin = getattr(import_module(f"detect_secrets.plugins.{module}"), name)
        loaded.append((str(plugin.secret_type), variable, tuple(plugin.denylist)))
    return tuple(loaded)


def _authorizations(line: str) -> Iterator[SecretSpan]:
    for match in AUTHORIZATION.finditer(line):
        value, start = _trimmed(match.group("value"), match.start("value"))
        if is_credential(value):
            bearer = match.group("scheme").lower() == "bearer"
            variable = "BEARER_TOKEN" if bearer else "AUTHORIZATION_VALUE"
            yield SecretSpan(start, start + len(value), "token", variable)


def _command_options(line: str) -> Iterator[SecretSpan]:
    for match in COMMAND_OPTION.finditer(line):
        group = "ssh" if match.group("ssh") else "user"
        if is_password(match.group(group), ends_line=False, quoted=False):
            yield SecretSpan(*match.span(group), "password", "PASSWORD")


def _fields(line: str) -> Iterator[SecretSpan]:
    position = 0
    while match := FIELD.search(line, position):
        position = match.end("word")
        joint = match.group("joint")
        spaced = joint.strip(" \t\"'`*_)]")
        label = _label(line, match.start(), match.end("rest"))
        if NO_SECRET_LABEL.search(label):
            continue
        value, start = _trimmed(match.group("value"), match.start("value"))
        quoted = any(mark in "\"'`" for mark in match.group("open"))
        if match.group("password"):
            ends_line = match.end("after") == len(line) and bool(spaced)
            good = is_password(value, ends_line=ends_line, quoted=quoted)
            if spaced.lower() in _VERBS and value.isalpha():
                good = good and quoted
            if not spaced and not quoted:
                good = good and joint[-1:] in (" ", "\t") and is_unmistakable_password(value)
        else:
            good = is_token(value)
            if not spaced and match.group("word").lower() != "bearer":
                good = good and is_solid(value)
        if good:
            kind = "password" if match.group("password") else "token"
            yield SecretSpan(start, start + len(value), kind, variable_name(label, kind.upper()))
            position = start + len(value)


def _codes(line: str) -> Iterator[SecretSpan]:
    for match in CODE.finditer(line):
        if match.group("word") == "pin" and not match.group("joint"):
            continue  # a pin of a plug or a board
        label = _label(line, match.start(), match.end("word"))
        yield SecretSpan(*match.span("value"), "access code", variable_name(label, "ACCESS_CODE"))


def _trimmed(value: str, start: int) -> tuple[str, int]:
    # Closing marks that belong to the sentence or to Markdown, not to the value.
    return value.rstrip("*_,;.)]}") or value, start


def _bare(line: str) -> Iterator[SecretSpan]:
    for match in BARE.finditer(line):
        before = line[: match.start()]
        word_before = before.rpartition(" ")[2]
        if (
            IDENTIFIER.match(match.group())
            or "://" in word_before
            or BEFORE_BARE.search(before[-40:])
            or before[-1:] in (".", "@", "#", "\\")
        ):
            continue
        if is_random(match.group()):
            yield SecretSpan(*match.span(), "random string", _labelled(line, match.start()) or "SECRET_VALUE")


def _label(line: str, word_start: int, word_end: int) -> str:
    """Return the field's name: the word that was found with what stands before it, at most four words."""
    before = _LABEL_BEFORE.search(line, max(0, word_start - LONGEST_LABEL), word_start)
    words = (before.group() if before else "").split(" ")[-4:]
    return (" ".join(words) + line[word_start:word_end]).strip(" .-_")


def _labelled(line: str, start: int) -> str:
    """Return the variable name from a field name right before a value, or `""`."""
    head = line[max(0, start - 80) : start].rstrip(" \t\"'`*_(<")
    if head[-1:] not in ("=", ":", "：", "|"):
        return ""
    name = _LABEL_BEFORE.search(head.rstrip("=:：| \t\"'`*_"))
    label = " ".join((name.group() if name else "").split(" ")[-4:]).strip(" .-_")
    if not label or label.lower() in ("http", "https"):
        return ""
    return variable_name(label)


def variable_name(label: str, fallback: str = "SECRET_VALUE") -> str:
    """Return an environment variable's name for a field's name."""
    if " " not in label:
        label = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", label)
    plain = "".join(letter for letter in normalize("NFKD", label) if not combining(letter))
    words = [word for word in re.split(r"[^A-Za-z0-9]+", plain.upper()) if word]
    while len(words) > 1 and words[0] in _FILLERS:
        words.pop(0)
    name = "_".join(words).replace("GIT_HUB", "GITHUB")[:LONGEST_LABEL].strip("_")
    if not name:
        return fallback
    if name in ("BEARER", "AUTHORIZATION_BEARER"):
        return "BEARER_TOKEN"
    return name if not name[0].isdigit() else f"KEY_{name}"
