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
from typing import Final, TypeAlias, TypeVar

import msgspec
from msgspec import Struct

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.record import read_from_document
from melleafy_tui.core.models.snapshot import LINE_END, Snapshot, SourceFile

RecordT = TypeVar("RecordT")

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"

DEEPEST_NESTING: Final = 100
LONGEST_INTEGER: Final = 300
"""The longest integer, in digits; longer ones become floats, since Python refuses to convert very long ones."""

LONGEST_SHOWN: Final = 12
"""The number of source characters that an error message quotes."""

_TOKEN: Final = LazyRegex(
    r"""
    (?P<space>[\s\ufeff]+)
  | (?P<comment>//[^\n\r\u2028\u2029]*|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/)
  | (?P<mark>[{}\[\]:,])
  | (?P<string>"[^"\\\n\r]*(?:\\(?:\r\n|[\s\S])[^"\\\n\r]*)*"|'[^'\\\n\r]*(?:\\(?:\r\n|[\s\S])[^'\\\n\r]*)*')
  | (?P<number>[+-]?(?:0[xX][0-9a-fA-F]+|Infinity\b|NaN\b
        |(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)(?![\w$.]))
  | (?P<name>(?:[^\W\d]|[$]|\\u[0-9a-fA-F]{4})(?:[\w$\u200c\u200d]|\\u[0-9a-fA-F]{4})*)
  | (?P<end>\Z)
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
        self.line, self.column, self.message = line, column, message


class JsonNode(Struct, frozen=True):
    """One value and its position.

    Attributes:
        value: The value as a Python object.
        start: Where it begins in the text.
        end: Where it ends.
        line: Line of its first character.
        end_line: Line of its last character.
        key_line: Line of its key; its own line if it has no key.
        children: Its members by key, or its items by index.
    """

    value: JsonValue
    start: int
    end: int
    line: int
    end_line: int
    key_line: int
    children: Mapping[str | int, "JsonNode"] = MappingProxyType({})

    @property
    def lines(self) -> str:
        """Return the lines of it and its key: `"12"` or `"15-22"`."""
        return str(self.key_line) if self.key_line == self.end_line else f"{self.key_line}-{self.end_line}"

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


_CLOSERS: Final = {"{": "}", "[": "]"}


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._line_starts = [0, *(match.end() for match in LINE_END.finditer(text))]
        self._next = self._read(0)

    def document(self) -> JsonNode:
        if self._next.lastgroup == "end":
            raise self._error(self._next.start(), "the file is empty")
        node = self._value(self._next.start(), 0)
        self._take(self._next.lastgroup == "end", "the end")
        return node

    def _value(self, key_start: int, depth: int) -> JsonNode:
        start, kind, text = self._next.start(), self._next.lastgroup, self._next.group()
        if depth > DEEPEST_NESTING:
            raise self._error(start, f"nested deeper than {DEEPEST_NESTING} levels")
        children: dict[str | int, JsonNode] = {}
        value: JsonValue = _WORDS.get(text)
        if text in _CLOSERS:
            children = self._children(depth)
            value = [child.value for child in children.values()]
            if text == "{":
                value = {str(key): child.value for key, child in children.items()}
        elif kind == "string":
            value = _unescape(text[1:-1])
        elif kind == "number":
            value = _number(text)
        end = self._take(text in _CLOSERS or kind in ("string", "number") or text in _WORDS, "a value").end()
        line, last, key_line = map(self._line_of, (start, end - 1, key_start))
        return JsonNode(value, start, end, line, last, key_line, MappingProxyType(children))

    def _children(self, depth: int) -> dict[str | int, JsonNode]:
        """Return the members or items up to the closing bracket, which comes next."""
        closer = _CLOSERS[self._take().group()]
        children: dict[str | int, JsonNode] = {}
        while self._next.group() != closer:
            start = self._next.start()
            key = self._key() if closer == "}" else len(children)
            children.pop(key, None)
            children[key] = self._value(start, depth + 1)
            if self._next.group() != closer:
                self._take(self._next.group() == ",", f"`,` or `{closer}`")
        return children

    def _key(self) -> str:
        is_name = self._next.lastgroup == "name" or self._next.group() in ("Infinity", "NaN")
        token = self._take(is_name or self._next.lastgroup == "string", "a key or `}`")
        self._take(self._next.group() == ":", "`:`")
        return _unescape(token.group() if is_name else token.group()[1:-1])

    def _take(self, is_right: bool = True, wanted: str = "") -> re.Match[str]:
        """Return the next token and go on behind it, or raise if it isn't what is wanted."""
        token = self._next
        if not is_right:
            raise self._error(token.start(), f"expected {wanted}, found {_shown(token)}")
        self._next = self._read(token.end())
        return token

    def _read(self, position: int) -> re.Match[str]:
        while match := _TOKEN.match(self._text, position):
            if match.lastgroup not in ("space", "comment"):
                return match
            position = match.end()
        raise self._error(position, _unreadable(self._text, position))

    def _line_of(self, offset: int) -> int:
        return bisect_right(self._line_starts, offset)

    def _error(self, offset: int, message: str) -> Json5Error:
        line = self._line_of(offset)
        return Json5Error(line, offset - self._line_starts[line - 1] + 1, message)


def _shown(token: re.Match[str]) -> str:
    kind, text = token.lastgroup, token.group()
    if kind == "name" and len(text) > LONGEST_SHOWN:
        return "a word"  # it may be a key or a token without quotes
    return {"end": "the end of the file", "string": "a string"}.get(kind or "", f"`{text[:LONGEST_SHOWN]}`")


def _unreadable(text: str, offset: int) -> str:
    if text.startswith("/*", offset):
        return "the comment is not closed"
    if text[offset] in "\"'":
        return "the string is not closed on its line"
    if text[offset].isdecimal() or text[offset] in "+-.":
        return "the number is not valid JSON5"
    is_shown = text[offset].isprintable()
    return f"unexpected character `{text[offset]}`" if is_shown else "unexpected control character"


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


def read_json(data: bytes) -> object:
    """Parse JSON and return its value.

    Args:
        data: The JSON.

    Raises:
        ValueError: the data isn't valid JSON.
        RecursionError: the data is nested too deeply.
    """
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):  # Python reads more of it, and gives the position
        found: object = json.loads(data)
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
        return msgspec.json.decode(data, type=prepared(kind), dec_hook=read_from_document)
    except (msgspec.DecodeError, UnicodeDecodeError):  # msgspec refuses lone surrogates
        return msgspec.convert(json.loads(data), kind, dec_hook=read_from_document)
