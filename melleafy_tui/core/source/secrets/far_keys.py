"""Finds keys, hex or base64, that stand further from their label, or after a name alone: `Name → 0f3a...`."""

import re
from collections.abc import Iterator
from typing import Final

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.source.secrets.fields import NO_SECRET_LABEL
from melleafy_tui.core.source.secrets.labels import TOKEN, pattern, words
from melleafy_tui.core.source.secrets.noted import LONG_VALUE, NO_KEY, is_key
from melleafy_tui.core.source.secrets.odd_words import is_odd
from melleafy_tui.core.source.secrets.spans import SecretSpan, variable_name
from melleafy_tui.core.source.secrets.values import is_prose, is_uuid

_KEY_WORDS: Final = words(TOKEN)
_LABEL: Final = LazyRegex(rf"(?:{pattern(_KEY_WORDS)})[^\W\d_]{{0,5}}", re.IGNORECASE)
_VALUE: Final = LazyRegex(r"(?<![\w/.=@#%-])(?P<value>[A-Za-z0-9+/_-]{20,200}={0,2})(?![\w.@/(%-])")
FARTHEST: Final = 110
LONGEST_NOTE: Final = 400
_NAME_LINE: Final = LazyRegex(
    r"[ \t>]*(?:[-*+][ ]|\d{1,2}[.)][ ])?[*_`]{0,2}(?P<name>[^\W\d_][\w .()&'’-]{1,40}?)[*_`]{0,2}[ ]?(?:→|->|=>"
    r"|[:：=]|[ ][–—-])[ ]{0,2}"
    r"[`\"']?(?P<value>[0-9a-f]{32,64}|[0-9A-F]{32,64}|[A-Za-z0-9_-]{24,80})[`\"']?[ .]*\Z"
)
_PUBLIC_NAME: Final = LazyRegex(
    r"wallet|address|solana|bitcoin|ethereum|\b(?:slug|task|owner|source|example|author)\b|地址|钱包|錢包|主人|示例|実行者|주소",
    re.IGNORECASE,
)
_HEADER: Final = LazyRegex(
    r"(?<![\w-])x-[\w-]{0,30}(?:key|token|secret|auth|signature"
    r"|password)[\"'`]{0,2}[ ]?[:=][ ]{0,2}[\"'`]?(?P<value>[A-Za-z0-9._+/-]{10,200}={0,2})",
    re.IGNORECASE,
)


def far_keys(line: str) -> Iterator[SecretSpan]:
    """Yield the keys of a note about a key, wherever they stand behind the word for it."""
    for match in _HEADER.finditer(line):
        if is_odd(match.group("value")):
            yield SecretSpan(*match.span("value"), "token", "API_KEY")
    if len(line) > LONGEST_NOTE or not is_prose(line):
        return
    for match in _VALUE.finditer(line):
        start, value = match.start("value"), match.group("value")
        label = _label_before(line, start)
        if label is None:
            continue
        between = line[label.start() : start]
        ends = not line[match.end() :].strip(" .!*_`\"')）」，,;；。")
        if "://" in between.rpartition(" ")[2] or NO_KEY.search(between) or NO_SECRET_LABEL.search(between):
            continue
        if value.startswith("AAAA"):  # a public key of SSH
            continue
        if is_key(value) or (is_uuid(value) and ends and re.search(r"\d", value)):
            yield SecretSpan(start, match.end("value"), "token", variable_name(label.group(), "KEY"))


def _label_before(line: str, start: int) -> re.Match[str] | None:
    """Return the last word for a key before a place."""
    return next(
        (match for match in reversed(list(_LABEL.finditer(line[:start]))) if start - match.end() <= FARTHEST),
        None,
    )


def named_keys(line: str) -> Iterator[SecretSpan]:
    """Yield the key of a line that is a name, a sign and a long hex or random word, and nothing else."""
    match = _NAME_LINE.match(line)
    if match is None or len(line) > LONGEST_NOTE:
        return
    name, value = match.group("name", "value")
    if _PUBLIC_NAME.search(name) or value.startswith("ou_"):
        return
    hex_of_commit = re.fullmatch(r"[0-9a-f]{40}", value)
    if hex_of_commit or NO_KEY.search(name) or NO_SECRET_LABEL.search(name) or re.search(r"[_.]\w+\Z", name):
        return
    if is_key(value) and not name.islower():
        yield SecretSpan(*match.span("value"), "token", variable_name(f"{name} key", "KEY"))


NAMED_VALUE: Final = LONG_VALUE
