"""Decides whether a value is a secret or a look-alike: a placeholder, name, path, hash or word."""

import math
import re
from collections import Counter
from itertools import pairwise
from typing import Final

from melleafy_tui.core.lazy_regex import LazyRegex

LEAST_PASSWORD: Final = 6
LEAST_TOKEN: Final = 12
LEAST_PLAIN_PASSWORD: Final = 8
LEAST_BARE: Final = 24
LONG_BARE: Final = 40
LONGEST_BARE: Final = 256
LEAST_BARE_SEGMENT: Final = 16
LEAST_TOKEN_ENTROPY: Final = 2.8

_PLACEHOLDER: Final = re.compile(
    r"\$[{(]|\$[A-Z][A-Z0-9_]+\Z|%\w+%|[<{(]|\\?\[[a-z ]"  # ${VAR}, <token>, {{ token }}, (none), [your key]
    r"|.*(?:your[-_]|[-_]here|example|sample|dummy|placeholder|changeme|change[-_]me|redacted|x{4,}|\*{3,}|\.{3}|…)"
    r"|(?:env|op|vault|file|secret|secretref|keychain|keyring|aws|gcp|pass)(?::|//)"
    r"|(?:process\.env|os\.environ|import\.meta)",
    re.IGNORECASE,
)
_REFERENCE: Final = re.compile(
    r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+"  # a variable's name
    r"|(?:https?|wss?|ftp)://.*"
    r"|@?(?:~|\.{1,2})?/[\w./-]*:?"  # also as a label, and as an import
    r"|(?:[\w.-]*/)*[\w.-]*\.(?:md|json5?|ya?ml|toml|txt|py|ts|js|sh|env|pem|key|html?)(?::\d+(?:-\d+)?)?"
    r"|mcp__.*"  # a tool of an MCP server
    r"|[a-z]+(?:_[a-z0-9]+)*(?:\.[a-z]+(?:_[a-z0-9]+)*)+"  # an attribute, a row: config.password_policy_2
    r"|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
    r"|[\w.]+\([^)]*\)?;?",
)
_NAME_OF_A_SECRET: Final = re.compile(
    r"(?=\S*(?:^|(?<=[-_.]))(?:pass(?:wor[dt]|wd|phrase|code)s?|kennwort|wachtwoord|pwd|secrets?|tokens?|keys?|credentials?)(?:[-_.:]|\Z))"
    r"[a-z]+\d{0,2}(?:[-_.]+[a-z]+\d{0,2}|[-_.]+\d{1,2})*:?",
    re.IGNORECASE,
)
"""Hyphenated words with a telling part, such as the tool `reset-password` or `slots.password_2`."""

_PLAIN_WORD: Final = LazyRegex(
    r"access|account|admin|always|anything|automatically|available|bitwarden|blank|cannot|config"
    r"|configured|contact|default|disabled|empty|enabled|encrypted|environment|expired|expires|field"
    r"|forbidden|generated|hashed|hidden|internal|invalid|keepass|keychain|lastpass|managed|manager"
    r"|masked|missing|needed|never|nothing|null|optional|password|passwords|placeholder|policy"
    r"|private|protected|provided|public|random|refresh|required|requires|reset|revoked|rotate"
    r"|rotated|rotation|secret|secrets|secure|security|shared|sharing|stored|string|tokens"
    r"|undefined|unknown|unset|user|username|value|vault"
    r"|ändern|erforderlich|geheim|niemals|passwort|unbekannt|vergessen|verschlüsselt|vertraulich|weitergeben|zurücksetzen",
    re.IGNORECASE,
)
_UUID: Final = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_HEX: Final = re.compile(r"[0-9a-fA-F]+")
_METHOD: Final = re.compile(r"(?:sha|md|argon|bcrypt|scrypt|pbkdf|base|utf|totp|fido)-?\d", re.IGNORECASE)
_SOLID: Final = re.compile(r"[A-Za-z0-9_+/=-]*[A-Za-z0-9]{16,}[A-Za-z0-9_+/=-]*")
_NAME: Final = re.compile(r"(?:[a-z]{1,12}|\d{1,10})(?:[-_./](?:[a-z]{1,12}|\d{1,10}))+")
"""Consecutive words and numbers, such as `report-2026-47-de`."""

_MARKS: Final = frozenset("!@#$%^&*+=?~")
"""Marks that passwords contain and words don't."""

_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}\S*")


def is_placeholder(value: str) -> bool:
    """Return whether a value is a placeholder for a secret."""
    return bool(_PLACEHOLDER.match(value)) or len(set(value)) < 3


def is_reference(value: str) -> bool:
    """Return whether a value is a name, address, path or call that says where a secret is."""
    return bool(_REFERENCE.fullmatch(value) or _NAME_OF_A_SECRET.fullmatch(value))


def _is_ruled_out(value: str, least: int) -> bool:
    """Return whether a value is too short for a secret, a placeholder, or says where a secret is."""
    return len(value) < least or is_placeholder(value) or is_reference(value)


def _has_letter(value: str) -> bool:
    return any(character.isalpha() for character in value)


def _has_digit(value: str) -> bool:
    return any(character.isdecimal() for character in value)


def is_password(value: str, *, ends_line: bool, quoted: bool) -> bool:
    """Return whether the value of a password field is a real password, even if it is a plain word."""
    if _is_ruled_out(value, LEAST_PASSWORD) or _PLAIN_WORD.fullmatch(value):
        return False
    alone = ends_line or quoted
    if not _has_letter(value):
        return alone and _has_digit(value)
    if _has_digit(value) or not _MARKS.isdisjoint(value):
        return True
    return alone and len(value) >= LEAST_PLAIN_PASSWORD and value.isascii()


def is_unmistakable_password(value: str) -> bool:
    """Return whether a value can only be a password: mixed letters and digits, and not the name of a method."""
    return (
        len(value) >= LEAST_PLAIN_PASSWORD
        and _has_letter(value)
        and _has_digit(value)
        and not _METHOD.match(value)
    )


def is_credential(value: str) -> bool:
    """Return whether the text after `Authorization: Bearer` is a credential; any text of some length counts."""
    return not _is_ruled_out(value, LEAST_TOKEN)


def is_solid(value: str) -> bool:
    """Return whether a value is one long run of letters and digits, unlike any word or name."""
    return bool(_SOLID.fullmatch(value))


def is_token(value: str) -> bool:
    """Return whether the value of a token or key field is a real one: long, mixed and not a name or date."""
    if _is_ruled_out(value, LEAST_TOKEN) or _DATE.fullmatch(value) or _NAME.fullmatch(value):
        return False
    digits = sum(character.isdecimal() for character in value)
    if not _has_letter(value) or digits < 2 or not value.isascii():
        return False
    return entropy(value) >= LEAST_TOKEN_ENTROPY


def is_random(value: str) -> bool:
    """Return whether a value without a label is almost certainly a secret."""
    core = value.rstrip("=")
    if not LEAST_BARE <= len(core) <= LONGEST_BARE or is_placeholder(value) or is_reference(value):
        return False
    if _UUID.fullmatch(core) or _HEX.fullmatch(core):
        return False
    if max(len(part) for part in re.split(r"[-_/+]", core)) < LEAST_BARE_SEGMENT:
        return False
    return _mixes_kinds(core) and entropy(core) >= min(4.5, 0.86 * math.log2(len(core)))


def _mixes_kinds(core: str) -> bool:
    """Return whether a value alternates between letters of both cases and digits, as random text does."""
    kinds = [_kind(character) for character in core]
    counts = Counter(kinds)
    if counts["upper"] < 3 or counts["lower"] < 3 or counts["digit"] < (2 if len(core) >= LONG_BARE else 3):
        return False
    return sum((one == "digit") != (other == "digit") for one, other in pairwise(kinds)) >= 4


def entropy(value: str) -> float:
    """Return the Shannon entropy of a value in bits per character."""
    length = len(value)
    return -sum(count / length * math.log2(count / length) for count in Counter(value).values())


def _kind(character: str) -> str:
    if character.isdecimal():
        return "digit"
    if character.isupper():
        return "upper"
    return "lower" if character.islower() else "mark"
