"""Tells the words that only a password or a key looks like from names, versions, ids and other words with digits."""

import re
from typing import Final

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.source.secrets.fields import PASSWORD_LABEL
from melleafy_tui.core.source.secrets.providers import SERVICES
from melleafy_tui.core.source.secrets.values import (
    is_code_word,
    is_name_in_code,
    is_placeholder,
    is_reference,
    is_talk_word,
    is_uuid,
)

WORD: Final = re.compile(
    r"(?<![^\s\"'`“„«「『(（:：=,，、;；。>→|*~／])(?P<value>[^\s\"'`“”„«»「」『』|<>(){}\[\]（），。；、：／,;/\\]{5,64}+)"
    r"(?![/\\(\[{<>])"
)
"""A word as it stands in a sentence, between blanks, quotes or signs."""

_ENDING: Final = ".:!?…*_~’"
_KNOWN: Final = LazyRegex(
    r"(?:sha|md|argon|bcrypt|scrypt|pbkdf|base|utf|totp|fido|oauth|ipv|rsa|ecdsa|esp|aes|hs|rs|es|http|tls|ssl|web|mp"
    r"|k|x|arm|amd|win|log|u|p|b|iso|rfc|cve|wpa|ec|s|node|python|php|java|vue|react|postgres|mysql|redis|ubuntu"
    r"|debian|ios|android|iphone|ipad|pixel|macos|windows|office|auth|eip|erc|bip|usb|ddr|rtx|gtx|covid|y|e|i|l|a|o|v"
    r"|ed|curve|secp|step|test|user|page|line|item|row|col|day|week|phase|task|level|ch|no|nr|abs|pm|text|md)"
    r"[-_.]?\d[\w.+-]{0,3}"
    r"|(?:gpt|claude|llama|qwen|gemini|glm|kimi|deepseek|mistral|opus|sonnet|haiku|minimax|grok|gemma|codex"
    r"|whisper|flux"
    r"|sdxl|openai|anthropic|bge|text-embedding|curve|ed25519|x25519|secp256|1password|id_|ssh-|base\d\d|step\d|sha\d"
    r"|utf-?\d)[\w.:+-]{0,40}",
    re.IGNORECASE,
)
_LOOK_ALIKE: Final = LazyRegex(
    r"v?\d[\d.,:/_-]*[A-Za-z%€]{0,4}|v\d+\.\d[\w.-]*|0x\w+"  # versions, amounts, ranges
    r"|\d+(?:st|nd|rd|th|min|days?|hours?|weeks?|chars?|bits?|bytes?|px|kb|mb|gb|[-–]\w+)"
    r"|[A-Za-z]{1,12}[-_]?\d{1,2}"  # node18, step_2
    r"|[A-Z]{1,12}[-_]?\d{1,6}[A-Z]?|[A-Z\d]{1,8}(?:-[A-Z\d]+)+"  # tickets, rooms, orders
    r"|[a-z]+\d?(?:[-_][a-z]+\d?)+[-_]?v?\d{0,2}|\d?[a-z]+\d[a-z]?(?:-[a-z]+)+"  # names of files, hosts and tools
    r"|(?:19|20)\d\d[-_.]?(?:q[1-4]|h[12]|w?\d\d?)[-_\w.]{0,30}|[\w-]{1,30}[-_.](?:19|20)\d\d(?:[-_.]?\d\d){0,2}\w*"
    r"|\w[\w.+-]*@[\w-]+\.[\w.-]+|[@#$&~^+*=%-].*|[^=]*=.*|https?:?.*|[\w-]+(?:\.[\w-]+)*\.[a-z\d]{2,6}"
    r"|[\w.-]*[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af].*|[\w.-]+:[\w.:@-]+|\w+\?\w*|&\w+;|\\.*"
    r"|[A-Za-z]+\d?(?:\.[A-Za-z_]+\d?)+|[A-Z0-9]+(?:[_.][A-Z0-9]*)+|[A-Za-z]+__\w*|.*[-_](?:2\.4|5|6)G(?:Hz)?"
    r"|.*a-z.*|[0-9a-f]{7,8}|\w+@\d+"
    r"|(?:[A-Z][a-z]+){1,5}V?\d?|[a-z]+(?:[A-Z][a-z]*)+\d?"
)
_INNER_MARK: Final = LazyRegex(r"[^\W\d_]{2}[!#$%&*+?@^~]{1,2}[^\W\d_]{2}")
_JOINED: Final = LazyRegex(
    r"[^\W\d_]{2,20}(?:[-._&+!][^\W\d_]{1,20}){1,6}[-._]?\d{0,4}!?|[a-z]{3,20}(?:[A-Z][a-z]{0,14}){1,5}\d{0,4}!?"
)
_HOST: Final = LazyRegex(r"[a-z-]+(?:\.[a-z-]+)*\.[a-z]{2,3}")
_STRONG_MARK: Final = re.compile(r"[!#$%&*+=?@^~_.-]")
_MANY: Final = 4
"""Marks that a password has at most; code has more."""


def trimmed(value: str) -> str:
    """Return a word without the marks that end its sentence."""
    return value.rstrip(_ENDING) or value


def is_odd(value: str) -> bool:
    """Return whether a word can only be a password or key: letters with digits, or with a mark between them."""
    if len(value) < 6 or is_placeholder(value) or is_uuid(value) or not any(map(str.isalpha, value)):
        return False
    if (
        _INNER_MARK.search(value)
        and not value.lower().startswith("fritz!")
        and not re.search(r"=|\w@\w+\.\w|:", value)
    ):
        marks = sum(mark in "!#$%&*+?@^~" for mark in value)
        return len(value) >= 8 and marks <= _MANY
    if not re.search(r"\d", value) or is_reference(value) or is_name_in_code(value):
        return False
    return not (_KNOWN.fullmatch(value) or _LOOK_ALIKE.fullmatch(value))


def is_strong(value: str) -> bool:
    """Return whether an odd word has three kinds of characters, so that no word for passwords needs to be near it."""
    kinds = (any(map(str.islower, value)), any(map(str.isupper, value)), any(map(str.isdecimal, value)))
    return is_odd(value) and len(value) >= 8 and sum(kinds) + bool(_STRONG_MARK.search(value)) >= 3


_NUMBERED: Final = LazyRegex(
    r"[^\W\d_]{4,24}[-._]?(?:\d{1,6}[!?]?|!)|[^\W\d_]{2,20}(?:[-._][^\W\d_]{2,20}){1,4}[-._]\d{1,4}!?"
)
_CAMEL: Final = LazyRegex(r"(?:[A-Z][a-z]{2,14}){2,5}\d{0,4}!?")


def is_loose(value: str) -> bool:
    """Return whether a word can be a password where the sentence gives one: also `Quarry77`, `LazyCat`."""
    if is_odd(value) or is_joined(value):
        return True
    if len(value) < LEAST_LOOSE or is_placeholder(value) or _KNOWN.fullmatch(value):
        return False
    if not (_NUMBERED.fullmatch(value) or _CAMEL.fullmatch(value)):
        return False
    parts = re.findall(r"[^\W\d_A-Z]+|[A-Z][^\W\d_A-Z]*", value)
    return value.lower() not in SERVICE_NAMES and not any(map(is_talk_word, parts))


LEAST_LOOSE: Final = 6
SERVICE_NAMES: Final = frozenset(
    service.lower()
    for service in (
        *SERVICES,
        "openclaw",
        "lastpass",
        "keepass",
        "onepassword",
        "linkedin",
        "whatsapp",
        "macbook",
        "chatgpt",
        "tiktok",
    )
)


def is_joined(value: str) -> bool:
    """Return whether a word is made of several, as in `lazy_grey_cat` or `lazyGreyCat`, and none is a word of code."""
    if (
        not 8 <= len(value) <= 48
        or value.isupper()
        or PASSWORD_LABEL.search(value)
        or _HOST.fullmatch(value)
        or not _JOINED.fullmatch(value)
        or is_placeholder(value)
    ):
        return False
    parts = re.findall(r"[^\W\d_][^\W\d_A-Z]*|[A-Z]+", value)
    long = [part for part in parts[:-1] if len(part) > 2] + parts[-1:]
    return not any(is_talk_word(part) or is_code_word(part) for part in long)
