"""Parses JSON5 and keeps the line of every value, so that elements from configuration files have real line numbers.

No library fits: json-five 1.1.2 takes exponential time on an unclosed comment (14 s for 26 line ends), rejects an
escaped backslash before an x, and gives no position for an unexpected end; others keep no positions. Parsing takes
linear time, and nesting is limited.
"""

import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from threading import Lock
from types import MappingProxyType
from typing import Any, Final, TypeAlias, TypeVar

import msgspec
from msgspec import Struct

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile

RecordT = TypeVar("RecordT")

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"

DEEPEST_NESTING: Final = 100
LONGEST_INTEGER: Final = 300
"""The longest integer, in digits; longer ones become floats, since Python refuses to convert very long ones."""

LONGEST_SHOWN: Final = 12
"""The number of source characters that an error message quotes."""

_LINE_END: Final = re.compile(r"\r\n|\n|\r")
_TOKEN: Final = LazyRegex(
    r"""
    (?P<space>[\s\ufeff]+)
  | (?P<comment>//[^\n\r\u2028\u2029]*|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/)
  | (?P<mark>[{}\[\]:,])
  | (?P<string>"[^"\\\n\r]*(?:\\(?:\r\n|[\s\S])[^"\\\n\r]*)*"|'[^'\\\n\r]*(?:\\(?:\r\n|[\s\S])[^'\\\n\r]*)*')
  | (?P<number>[+-]?(?:0[xX][0-9a-fA-F]+|Infinity\b|NaN\b
        |(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)(?![\w$.]))
  | (?P<name>(?:[^\W\d]|[$]|\\u[0-9a-fA-F]{4})(?:[\w$\u200c\u200d]|\\u[0-9a-fA-F]{4})*)
    """,
    re.VERBOSE,
)
_ESCAPE: Final = LazyRegex(r"\\(?:\r\n|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[\s\S])")
_SURROGATE: Final = LazyRegex("[\ud800-\udfff]")
_WORDS: Final[dict[str, JsonValue]] = {"true": True, "false": False, "null": None}
_SIMPLE_ESCAPES: Final = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "0": "\0"}
_LINE_CONTINUATIONS: Final = frozenset({"\r\n", "\n", "\r", "\u2028", "\u2029"})


class Json5Error(ValueError):
    """The text isn't valid JSON5.

    Args:
        line: The line of the error, 1-based.
        column: The column of the error, 1-based.
        message: What is wrong, without a full stop.
    """

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(f"line {line}, column {column}: {message}")
        self.line = line
        self.column = column
        self.message = message


class JsonNode(Struct, frozen=True):
    """One value and its position.

    Attributes:
        value: The value as a Python object.
        line: Line of its first character.
        end_line: Line of its last character.
        column: Column of its first character, 1-based.
        key_line: Line of its key; its own line if it has no key.
        children: Its members by key, or its items by index.
    """

    value: JsonValue
    line: int
    end_line: int
    column: int
    key_line: int
    children: Mapping[str | int, "JsonNode"] = MappingProxyType({})

    def at(self, path: str) -> "JsonNode | None":
        """Return the node at a path of keys and indexes joined by dots, or None."""
        node: JsonNode | None = self
        for step in path.split(".") if path else ():
            if node is None:
                return None
            key: str | int = int(step) if isinstance(node.value, list) and step.isdecimal() else step
            node = node.children.get(key)
        return node

    def text(self, *paths: str) -> str:
        """Return the first text at one of some paths, `""` if none has one."""
        found = (node.value for path in paths if (node := self.at(path)) is not None)
        return next((value for value in found if isinstance(value, str) and value), "")

    @property
    def is_enabled(self) -> bool:
        """Return whether the node isn't switched off by its `enabled`."""
        switch = self.at("enabled")
        return switch is None or switch.value is not False

    def members(self) -> Iterator[tuple[str, "JsonNode"]]:
        """Yield the key and node of each member of an object in source order; nothing for other values."""
        for key, node in self.children.items():
            if isinstance(key, str):
                yield key, node

    def items(self) -> Iterator["JsonNode"]:
        """Yield the items of an array; nothing for other values."""
        for key, node in self.children.items():
            if isinstance(key, int):
                yield node


@lru_cache(maxsize=16)
def read_json5(text: str) -> JsonNode | Json5Error:
    """Return the tree of a text, or the error of one that isn't valid JSON5."""
    try:
        return parse_json5(text)
    except Json5Error as error:
        return error


def parsed(file: SourceFile | None) -> JsonNode | None:
    """Return the tree of a file, None if it isn't there or isn't valid JSON5."""
    root = read_json5(file.text) if file is not None and file.text is not None else None
    return root if isinstance(root, JsonNode) else None


def syntax_findings(file: SourceFile | None) -> Iterator[Diagnostic]:
    """Yield a finding for a file that isn't valid JSON5."""
    error = read_json5(file.text) if file is not None and file.text is not None else None
    if file is not None and isinstance(error, Json5Error):
        line, column = error.line, error.column
        yield diagnose("json-syntax", file.path, str(line), problem=error.message, line=line, column=column)


def parsed_files(snapshot: Snapshot, names: Iterable[str]) -> Iterator[tuple[str, "JsonNode"]]:
    """Yield the name and root of each of the files that is there and valid JSON5."""
    for name in names:
        if (root := parsed(snapshot.file(name))) is not None:
            yield name, root


def parse_json5(text: str) -> JsonNode:
    """Parse JSON5 text.

    If a key appears twice, the last one wins.

    Raises:
        Json5Error: the text isn't valid JSON5, or is nested too deeply.
    """
    return _Parser(text).document()


class _Token(Struct, frozen=True):
    kind: str
    text: str
    start: int
    end: int


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._line_starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
        self._position = 0
        self._next = self._read()

    def document(self) -> JsonNode:
        if self._next.kind == "end":
            raise self._error(self._next, "the file is empty")
        node = self._value(self._next.start, 0)
        if self._next.kind != "end":
            raise self._error(self._next, f"expected the end, found {_shown(self._next)}")
        return node

    def _value(self, key_start: int, depth: int) -> JsonNode:
        token = self._next
        if depth > DEEPEST_NESTING:
            raise self._error(token, f"nested deeper than {DEEPEST_NESTING} levels")
        if token.text == "{":
            return self._object(key_start, depth)
        if token.text == "[":
            return self._array(key_start, depth)
        if token.kind == "string":
            return self._node(_unescape(token.text[1:-1]), key_start, token.start, self._advance().end)
        if token.kind == "number" or (token.kind == "name" and token.text in ("Infinity", "NaN")):
            return self._node(_number(token.text), key_start, token.start, self._advance().end)
        if token.kind == "name" and token.text in _WORDS:
            return self._node(_WORDS[token.text], key_start, token.start, self._advance().end)
        raise self._error(token, f"expected a value, found {_shown(token)}")

    def _object(self, key_start: int, depth: int) -> JsonNode:
        start = self._advance().start
        children: dict[str | int, JsonNode] = {}
        while self._next.text != "}":
            key_token = self._next
            if key_token.kind == "string":
                key = _unescape(key_token.text[1:-1])
            elif key_token.kind == "name" or key_token.text in ("Infinity", "NaN"):
                key = _unescape(key_token.text)
            else:
                raise self._error(key_token, f"expected a key or `}}`, found {_shown(key_token)}")
            self._advance()
            self._take(":")
            children.pop(key, None)
            children[key] = self._value(key_token.start, depth + 1)
            if self._next.text != "}":
                self._take(",", "}")
        end = self._advance().end
        value: dict[str, JsonValue] = {str(key): child.value for key, child in children.items()}
        return self._node(value, key_start, start, end, children)

    def _array(self, key_start: int, depth: int) -> JsonNode:
        start = self._advance().start
        children: dict[str | int, JsonNode] = {}
        while self._next.text != "]":
            children[len(children)] = self._value(self._next.start, depth + 1)
            if self._next.text != "]":
                self._take(",", "]")
        end = self._advance().end
        return self._node([child.value for child in children.values()], key_start, start, end, children)

    def _node(
        self,
        value: JsonValue,
        key_start: int,
        start: int,
        end: int,
        children: Mapping[str | int, JsonNode] | None = None,
    ) -> JsonNode:
        line, column = self._place(start)
        return JsonNode(
            value=value,
            line=line,
            end_line=self._place(end - 1)[0],
            column=column,
            key_line=self._place(key_start)[0],
            children=MappingProxyType(dict(children or {})),
        )

    def _take(self, mark: str, other: str = "") -> None:
        if self._next.text != mark or self._next.kind != "mark":
            expected = f"`{mark}` or `{other}`" if other else f"`{mark}`"
            raise self._error(self._next, f"expected {expected}, found {_shown(self._next)}")
        self._advance()

    def _advance(self) -> _Token:
        token = self._next
        self._next = self._read()
        return token

    def _read(self) -> _Token:
        while self._position < len(self._text):
            match = _TOKEN.match(self._text, self._position)
            if match is None:
                character = self._text[self._position]
                token = _Token("other", character, self._position, self._position + 1)
                raise self._error(token, _unreadable(self._text, self._position))
            self._position = match.end()
            kind = match.lastgroup or ""
            if kind not in ("space", "comment"):
                return _Token(kind, match.group(), match.start(), match.end())
        return _Token("end", "", len(self._text), len(self._text))

    def _place(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def _error(self, token: _Token, message: str) -> Json5Error:
        line, column = self._place(token.start)
        return Json5Error(line, column, message)


def _shown(token: _Token) -> str:
    if token.kind == "end":
        return "the end of the file"
    if token.kind == "string":
        return "a string"
    if token.kind == "name" and len(token.text) > LONGEST_SHOWN:
        # It may be a key or a token without quotes, so it isn't shown.
        return "a word"
    return f"`{token.text[:LONGEST_SHOWN]}`"


def _unreadable(text: str, offset: int) -> str:
    if text.startswith("/*", offset):
        return "the comment is not closed"
    if text[offset] in "\"'":
        return "the string is not closed on its line"
    if text[offset].isdecimal() or text[offset] in "+-.":
        return "the number is not valid JSON5"
    return (
        f"unexpected character `{text[offset]}`"
        if text[offset].isprintable()
        else "unexpected control character"
    )


def _number(text: str) -> int | float:
    sign = -1 if text.startswith("-") else 1
    digits = text.lstrip("+-")
    if digits.lower().startswith("0x"):
        return sign * int(digits, 16)
    if digits == "Infinity":
        return sign * float("inf")
    if digits == "NaN":
        return float("nan")
    if digits.isdecimal() and len(digits) <= LONGEST_INTEGER:
        return sign * int(digits)
    return sign * float(digits)


def _unescape(body: str) -> str:
    if "\\" not in body:
        return body
    plain = _ESCAPE.sub(_one_escape, body)
    if _SURROGATE.search(plain):
        # A surrogate pair written as two escapes becomes one character; a lone surrogate can't be written to a file.
        plain = plain.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return plain


def _one_escape(match: re.Match[str]) -> str:
    escape = match.group()[1:]
    if escape in _LINE_CONTINUATIONS:
        return ""
    if len(escape) > 1:
        return chr(int(escape[1:], 16))
    return _SIMPLE_ESCAPES.get(escape, escape)


def read_json(data: bytes, looked_at: object = Any) -> object:
    """Parse JSON and return its value.

    Args:
        data: The JSON.
        looked_at: The type of the wanted value, such as `dict[str, Raw]`. If the JSON has another form, the
            whole value is returned.

    Raises:
        ValueError: the data isn't valid JSON.
        RecursionError: the data is nested too deeply.
    """
    try:
        found: object = msgspec.json.decode(data, type=looked_at)
    except (
        msgspec.DecodeError,
        UnicodeDecodeError,
    ):  # another form, or invalid: Python's parser gives the position
        found = json.loads(data)
    return found


_FIRST_USE: Final = Lock()
_PREPARED: Final[set[type]] = set()


def prepared(kind: type[RecordT]) -> type[RecordT]:
    """Return a record type that several threads may read at once.

    msgspec 0.22 stores what it knows of a type before it is complete, so that a second thread that reads the type for
    the first time ends the process with a segmentation fault.
    """
    with _FIRST_USE:
        if kind not in _PREPARED:
            msgspec.json.Decoder(kind)
            _PREPARED.add(kind)
    return kind


def read_record(data: bytes, kind: type[RecordT]) -> RecordT:
    """Parse a JSON object and return its fields that a record declares.

    Args:
        data: The JSON.
        kind: The record; other fields of the object are ignored.

    Raises:
        ValueError: the data isn't valid JSON, or has another form.
        RecursionError: the data is nested too deeply.
    """
    try:
        return msgspec.json.decode(data, type=prepared(kind))
    except (msgspec.DecodeError, UnicodeDecodeError):  # msgspec refuses lone surrogates
        return msgspec.convert(json.loads(data), kind)
