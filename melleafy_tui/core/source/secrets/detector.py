"""Finds the secrets in a text; every caller uses this module.

Some have a form of their own: tokens in a provider's format, private keys, seed phrases, passwords in an address or a
command. All others are values whose evidence adds up: their form, and the words around them (`judge`). Each secret gets
the name of an environment variable that can replace it.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b, sha256
from itertools import pairwise
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.source.secrets.connections import connections, placed_passwords
from melleafy_tui.core.source.secrets.forms import LEAST_RANDOM, form_of, is_ours, with_numbers_alike
from melleafy_tui.core.source.secrets.json_texts import json_texts
from melleafy_tui.core.source.secrets.judge import may_be_given, secrets_of_block
from melleafy_tui.core.source.secrets.providers import provider_tokens, webhooks
from melleafy_tui.core.source.secrets.reading import OVERLAP, Line, blocks
from melleafy_tui.core.source.secrets.seed_phrases import seed_phrases
from melleafy_tui.core.source.secrets.spans import SecretSpan, compiled, variable_name
from melleafy_tui.core.source.secrets.vocabulary import NAMING, NEGATIVE, Hit, hits
from melleafy_tui.core.source.secrets.words import Concept

KEY_BLOCK: Final = r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d"
KEY_BLOCK_END: Final = r"-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----|Private-MAC: {0,4}\S{1,200}"
PUBLIC_BLOCK: Final = (
    r"-----BEGIN (?P<name>[A-Z0-9 ]{0,20}(?:CERTIFICATE|PUBLIC KEY|MESSAGE|SIGNATURE)[A-Z0-9 ]{0,20})-----"
    r"[^-]{0,20000}-----END (?P=name)-----"
)
_BLANK_LINE: Final = r"(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)"
_NUMBERS: Final = r"\[[ ]?(?:\d{1,3},[ ]?){11,}\d{1,3}[ ]?\]"
"""The bytes of a key as a list of numbers."""

LONGEST_KEY_BLOCK: Final = 20_000
KEY_BLOCK_KIND: Final = "private key"
"""The kind that can't be released: nothing else looks like it, and a truncated block includes the lines after it."""

_CLEAN: Final[dict[bytes, int]] = {}
"""Digests of texts without a secret, and how they were searched; a conversion looks at most files more than once."""

_NEAR, _DIRECT = 1, 2
_NAME: Final = re.compile(r"[A-Za-z_]*\d*")
"""A name such as `elem_12`: there is no value beside a word in it."""

LINE_ENDS: Final = frozenset("\r\n")
"""A text of one line has no surroundings: without a secret `near` its words, it has none beside them."""

MOST_CLEAN: Final = 50_000

_FOUND: Final[dict[tuple[bytes, bool], tuple[SecretSpan, ...]]] = {}
"""The secrets of long texts by digest: a file with one is masked where it is read, laid out and copied."""

LONG_TEXT: Final = 2_000
MOST_FOUND: Final = 64


def find_secrets(
    text: str, released: Collection[str] = (), *, read_as: Callable[[str], str] = str, near: bool = True
) -> tuple[SecretSpan, ...]:
    """Return the secrets of a text in order, without overlaps; the same value always gets the same variable name.

    Args:
        text: The text.
        released: Digests of values that the user marked as not secret; the other secrets keep their variable names.
        read_as: Transforms the text before it is searched; a function of a module, and the length must stay the same.
        near: Whether values count that stand further from their label, or below or beside others. Not in text that we
            generate: it brings words and values together that the source keeps apart, and the source was masked before.
    """
    if not near and len(text) < LEAST_RANDOM and _NAME.fullmatch(text):
        return ()
    searched = read_as(text)
    is_long = len(text) >= LONG_TEXT
    alike = searched if is_long else with_numbers_alike(searched)
    is_kept = is_long and read_as is str
    digest = blake2b(alike.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    known = _CLEAN.get(digest, 0)
    if known & (_NEAR if near else _DIRECT):
        return ()
    spans = _FOUND.get((digest, near)) if is_kept else None
    if spans is None:
        spans = _named(text, _found(searched, near=near))
    if not spans:
        if len(_CLEAN) >= MOST_CLEAN:
            _CLEAN.clear()
        both = near and LINE_ENDS.isdisjoint(searched)
        _CLEAN[digest] = known | (_NEAR | _DIRECT if both else _NEAR if near else _DIRECT)
        return ()
    if is_kept:
        if len(_FOUND) >= MOST_FOUND:
            _FOUND.clear()
        _FOUND[digest, near] = spans
    if not released:
        return spans
    return tuple(
        span
        for span in spans
        if span.kind == KEY_BLOCK_KIND or not is_released(text[span.start : span.end], released)
    )


def formed_secrets(text: str, words: Sequence[Hit]) -> list[SecretSpan]:
    """Return the secrets of a text that have a form or a place of their own; they may overlap."""
    return [
        *_key_blocks(text),
        *seed_phrases(text, words),
        *provider_tokens(text),
        *webhooks(text),
        *connections(text),
        *placed_passwords(text),
    ]


def tokens_in(text: str) -> tuple[SecretSpan, ...]:
    """Return what is a secret wherever it stands: tokens of providers, webhooks, connection strings."""
    return tuple(_without_overlaps([*provider_tokens(text), *webhooks(text), *connections(text)]))


def _found(text: str, *, near: bool) -> list[SecretSpan]:
    """Return the secrets of a text that isn't masked and not public; they may overlap."""
    words = hits(text)
    formed = formed_secrets(text, words)
    public = [match.span() for match in compiled(PUBLIC_BLOCK).finditer(text)] if "-----BEGIN" in text else []
    found = [*formed, *_judged(text, words, formed, near=near)]
    if near:
        found = [_with_next_line(text, span) for span in (*found, *_in_json(text, words))]
    return [
        span
        for span in found
        if not is_ours(text[span.start : span.end])
        and not any(start <= span.start and span.end <= end for start, end in public)
    ]


_NEXT_LINE: Final = r"[ \t]*\r?\n[ \t>]*(?P<rest>[^\s\"'`,;()<>|]{3,200})(?P<alone>[ \t]*(?:\r?\n|\Z))?"
"""What stands on the next line."""


def _with_next_line(text: str, span: SecretSpan) -> SecretSpan:
    """Return a value with what is broken off it: the word below a hyphen, a random text that is alone on its line."""
    found = compiled(_NEXT_LINE).match(text, span.end)
    if found is None or span.kind == KEY_BLOCK_KIND:
        return span
    hyphenated = text[span.end - 1] == "-"
    random = found["alone"] is not None and form_of(found["rest"]) in _RANDOM
    return replace(span, end=found.end("rest")) if hyphenated or random else span


_RANDOM: Final = frozenset(("random", "long random", "scrambled"))


def _in_json(text: str, words: Sequence[Hit]) -> Iterator[SecretSpan]:
    """Yield what is a secret in the text of a string of JSON."""
    for said, places in json_texts(text, words):
        for span in _found(said, near=True):
            yield replace(span, start=places[span.start], end=places[span.end])


def _judged(
    text: str, words: Sequence[Hit], formed: Sequence[SecretSpan], *, near: bool
) -> Iterator[SecretSpan]:
    """Yield the secrets that the words around them give away."""
    if not near and not may_be_given(text, words):
        return
    known = sorted((span.start, span.end) for span in formed)
    longest = max((end - start for start, end in known), default=0)
    may_list = "[" in text
    for block in blocks(text, words, alone=not near):
        numbers = [span for line in block for span in _numbers(line)] if may_list else []
        yield from numbers
        first = bisect_left(known, (block[0].offset - longest, 0)) if known else 0
        inside = known[first : bisect_left(known, (block[-1].offset + len(block[-1].text), 0))]
        yield from secrets_of_block(
            block, [*inside, *((span.start, span.end) for span in numbers)], near=near
        )


def _numbers(line: Line) -> Iterator[SecretSpan]:
    if "[" in line.text and line.topics & NAMING and (numbers := compiled(_NUMBERS).search(line.text)):
        start, end = numbers.span()
        yield SecretSpan(line.offset + start, line.offset + end, "token", "KEY_BYTES")


def _key_blocks(text: str) -> Iterator[SecretSpan]:
    if "-----BEGIN" not in text and "PuTTY" not in text:
        return
    position = 0
    while match := compiled(KEY_BLOCK).search(text, position):
        limit = min(len(text), match.start() + LONGEST_KEY_BLOCK)
        end = compiled(KEY_BLOCK_END).search(text, match.end(), limit)
        if end is not None:
            position = end.end()
        else:
            blank = compiled(_BLANK_LINE).search(text, match.end(), limit)
            position = blank.start() if blank else limit
        yield SecretSpan(match.start(), position, KEY_BLOCK_KIND, "PRIVATE_KEY")


def secret_digest(value: str) -> str:
    """Return the digest under which a value is released; it is only stored for values that aren't secret.

    Punctuation around the value is ignored: whether a final `!` belongs to a password depends on what follows it.
    """
    inner = [place for place, letter in enumerate(value) if letter.isalnum()]
    bare = value[inner[0] : inner[-1] + 1] if inner else value
    return f"sha256:{sha256(bare.encode('utf-8', 'surrogatepass')).hexdigest()}"


def is_released(value: str, released: Collection[str]) -> bool:
    """Return whether a value was released, also in the escaped form of a string literal."""
    plain = re.sub(r"\\(?=[\\\"'])", "", value)
    return secret_digest(value) in released or secret_digest(plain) in released


@lru_cache(maxsize=4_096)  # the same few names stand beside thousands of values
def names_secret(label: str) -> bool:
    """Return whether a label, such as the name of a header, marks its value as a secret."""
    topics = {hit.concept for hit in hits(label)}
    return bool(topics & (NAMING - {Concept.CODE, Concept.SEED})) and topics.isdisjoint(NEGATIVE)


def _without_overlaps(spans: Iterable[SecretSpan]) -> list[SecretSpan]:
    """Return the spans in order; of two that overlap, keep the one that starts first, then the longer one."""
    kept: list[SecretSpan] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
        elif span.end > kept[-1].end:
            kept[-1] = SecretSpan(kept[-1].start, span.end, kept[-1].kind, kept[-1].variable)
    return kept


def _without_secret_names(text: str, spans: list[SecretSpan]) -> list[SecretSpan]:
    """Return the spans with secrets removed from variable names, which come from the words before the value."""
    result = spans[:1]
    for before, span in pairwise(spans):
        near = text[max(0, before.start, span.start - OVERLAP) : before.end].upper()
        if any(len(word) > 2 and word in near for word in span.variable.split("_")):
            words = re.findall(r"[A-Za-z0-9]+", text[before.end : span.start])[-4:]
            span = replace(span, variable=variable_name(" ".join(words)))
        result.append(span)
    return result


def _named(text: str, spans: Iterable[SecretSpan]) -> tuple[SecretSpan, ...]:
    return _with_unique_names(text, _without_secret_names(text, _without_overlaps(spans)))


def _with_unique_names(text: str, spans: list[SecretSpan]) -> tuple[SecretSpan, ...]:
    """Return the spans with a number behind the name of each other value of one name, from 2 on."""
    owners: dict[str, str] = {}
    names: dict[tuple[str, str], str] = {}
    reached: dict[str, int] = {}
    named = []
    for span in spans:
        base, value = span.variable, text[span.start : span.end]
        number = reached.get(base, 1)
        if (base, value) not in names:
            while owners.setdefault(variable := base if number == 1 else f"{base}_{number}", value) != value:
                number += 1
            names[base, value], reached[base] = variable, number
        named.append(SecretSpan(span.start, span.end, span.kind, names[base, value]))
    return tuple(named)
