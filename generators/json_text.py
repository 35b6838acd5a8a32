"""JSON artifacts as bytes: stable key order, two spaces, a final line end, nothing hidden in the text."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Final

from pydantic_core import PydanticSerializationError, to_json, to_jsonable_python

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

_INDENT: Final = "  "


def json_bytes(value: object) -> bytes:
    """Return a plain value, a model or a record as JSON; the text reads back as exactly the same strings."""
    data = _plainly_written(value)
    return json_file(json_piece(value)) if data is None else data + b"\n"


def json_file(text: str) -> bytes:
    """Return finished JSON as a file."""
    return f"{text}\n".encode()


def json_object(members: Mapping[str, str], depth: int = 0) -> str:
    """Return a JSON object of finished pieces, as `json_piece` would write it.

    Args:
        members: A piece for `depth + 1` under each name, which is one of ours.
        depth: How many objects and lists it stands in.
    """
    return _bracketed("{", [f'"{name}": {piece}' for name, piece in members.items()], "}", depth)


def json_list(items: Sequence[str], depth: int = 0) -> str:
    """Return a JSON list of finished pieces for `depth + 1`, as `json_piece` would write it."""
    return _bracketed("[", items, "]", depth)


def _bracketed(opening: str, items: Sequence[str], closing: str, depth: int) -> str:
    if not items:
        return opening + closing
    margin = f"\n{_INDENT * depth}"
    return f"{opening}{margin}{_INDENT}{f',{margin}{_INDENT}'.join(items)}{margin}{closing}"


def json_piece(value: object, depth: int = 0) -> str:
    """Return a plain value, a model or a record as JSON that stands in `depth` objects and lists."""
    data = _plainly_written(value)
    if data is not None:
        shown = data.decode("utf-8")
    else:
        try:
            text = to_json(value, indent=2).decode("utf-8")
        except PydanticSerializationError:
            # A lone surrogate, from a file name that is no UTF-8: only the standard library can write it.
            text = json.dumps(_plain(value), indent=2, ensure_ascii=False)
        shown = HIDDEN.sub(_escape, text)
    return shown.replace("\n", f"\n{_INDENT * depth}") if depth else shown


def _plainly_written(value: object) -> bytes | None:
    """Return a value as JSON that hides nothing, or None where something has to be escaped."""
    try:
        data = to_json(value, indent=2)
    except PydanticSerializationError:
        return None
    return data if (data.isascii() and b"\x7f" not in data) or _HIDDEN_BYTES.search(data) is None else None


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
