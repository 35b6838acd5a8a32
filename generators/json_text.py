"""JSON artifacts as bytes: stable key order, two spaces, a final line end, nothing hidden in the text."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from itertools import chain
from typing import Final

import msgspec
from pydantic_core import to_jsonable_python

HIDDEN: Final = re.compile(
    "[\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff"
    "\U000e0000-\U000e0fff]"
)
"""Characters that are allowed raw in JSON, TOML and YAML and mislead a reader; they only stand inside of strings."""

_HIDDEN_BYTES: Final = re.compile(
    rb"\x7f|\xc2[\x80-\x9f\xad]|\xd8\x9c|\xe1\xa0\x8e|\xe2\x80[\x8b\x8e\x8f\xa8-\xae]|\xe2\x81[\xa0-\xaf]"
    rb"|\xef\xbb\xbf|\xef\xbf[\xb9-\xbb]|\xf3\xa0"
)
"""The same characters in UTF-8, but for lone surrogates, which have none."""

_PLAIN: Final = bytes(range(0x7F))
"""What hides nothing and is no part of another character, as nearly all of a file."""

_INDENT: Final = b"  "
_STRETCH: Final = 64
"""Items of a long list that are written at a time, so that its text does not stand twice."""


def json_bytes(value: object) -> bytes:
    """Return a plain value, a model or a record as JSON; the text reads back as exactly the same strings."""
    return json_file((json_piece(value),))


def json_file(parts: Iterable[bytes]) -> bytes:
    """Return finished JSON as a file; of its parts, each is asked for when the one before it is written."""
    file = BytesIO()
    file.writelines(parts)
    file.write(b"\n")
    return file.getvalue()


def json_object(members: Mapping[str, Iterable[bytes]], depth: int = 0) -> Iterator[bytes]:
    """Yield a JSON object of finished members, as `json_piece` would write it.

    Args:
        members: The parts of a value for `depth + 1` under each name, which is one of ours.
        depth: How many objects and lists it stands in.
    """
    named = (chain((b'"%b": ' % name.encode(),), parts) for name, parts in members.items())
    return _bracketed(b"{", named, b"}", depth)


def json_list(items: Iterable[bytes], depth: int = 0) -> Iterator[bytes]:
    """Yield a JSON list of finished pieces for `depth + 1`, as `json_piece` would write it."""
    return _bracketed(b"[", ((item,) for item in items), b"]", depth)


def _bracketed(
    opening: bytes, items: Iterable[Iterable[bytes]], closing: bytes, depth: int
) -> Iterator[bytes]:
    yield opening
    margin = b"\n" + _INDENT * depth
    between = first = margin + _INDENT
    for item in items:
        yield between
        yield from item
        between = b"," + first
    yield closing if between is first else margin + closing


def json_value(value: object, depth: int) -> Iterator[bytes]:
    """Yield a value as `json_piece` would write it, the items of a long list some at a time."""
    if isinstance(value, list | tuple) and len(value) > _STRETCH:
        return json_list(_stretches(value, depth), depth)
    return iter((json_piece(value, depth),))


def _stretches(items: Sequence[object], depth: int) -> Iterator[bytes]:
    for start in range(0, len(items), _STRETCH):
        yield json_piece(items[start : start + _STRETCH], depth)[1:-1].strip()


def json_piece(value: object, depth: int = 0) -> bytes:
    """Return a plain value, a model or a record as JSON that stands in `depth` objects and lists."""
    try:
        shown = msgspec.json.format(
            msgspec.json.encode(value, enc_hook=to_jsonable_python), indent=len(_INDENT)
        )
    except (UnicodeEncodeError, OverflowError):
        # A lone surrogate, from a file name that is no UTF-8, or a number of over 64 bits, from a configuration.
        shown = _bare(json.dumps(_plain(value), indent=len(_INDENT), ensure_ascii=False))
    if _HIDDEN_BYTES.search(shown.translate(None, _PLAIN)) is not None:
        shown = _bare(shown.decode("utf-8"))
    return shown.replace(b"\n", b"\n" + _INDENT * depth) if depth else shown


def _bare(text: str) -> bytes:
    """Return JSON in which nothing is hidden."""
    return HIDDEN.sub(_escape, text).encode()


def _plain(value: object) -> object:
    """Return the value in dicts, lists and scalars; pydantic converts no key that holds a lone surrogate."""
    if isinstance(value, dict):
        return {
            key if isinstance(key, str) else to_jsonable_python(key): _plain(item)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value if isinstance(value, str) else to_jsonable_python(value, fallback=_plain)


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code <= 0xFFFF:
        return f"\\u{code:04x}"
    high, low = divmod(code - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"
