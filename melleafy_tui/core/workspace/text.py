"""Text from bytes: which encoding a file has, and what of it could not be decoded (spec/conversion.md 1)."""

import codecs
from typing import Final

from msgspec import Struct

from melleafy_tui.core.diagnostics import diagnose
from melleafy_tui.core.models.diagnostics import Diagnostic

_UTF16_MARKS: Final = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_UTF32_MARKS: Final = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)


class DecodedText(Struct, frozen=True):
    """A file's text without its byte order mark; None for a binary file."""

    text: str | None
    encoding: str
    diagnostics: tuple[Diagnostic, ...] = ()


def decode(path: str, data: bytes) -> DecodedText:
    """Decode a file: UTF-8 with or without mark, UTF-16 with mark, else UTF-8 with replacement characters."""
    if data.startswith(_UTF32_MARKS):
        return DecodedText(None, "binary", (diagnose("binary-file", path),))
    for mark, encoding in _UTF16_MARKS.items():
        if data.startswith(mark):
            return _decode_utf16(path, data[len(mark) :], encoding, len(mark))
    if b"\0" in data:
        return DecodedText(None, "binary", (diagnose("binary-file", path),))
    mark_length = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
    encoding = "utf-8-sig" if mark_length else "utf-8"
    body = data[mark_length:]
    try:
        return DecodedText(body.decode("utf-8"), encoding)
    except UnicodeDecodeError as error:
        finding = _bad_bytes(path, body, error, mark_length, "UTF-8", _line_of(body, error.start))
        return DecodedText(body.decode("utf-8", "replace"), encoding, (finding,))


def _decode_utf16(path: str, body: bytes, encoding: str, mark_length: int) -> DecodedText:
    findings: tuple[Diagnostic, ...] = ()
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError as error:
        text = body.decode(encoding, "replace")
        line = body[: error.start].decode(encoding, "replace").count("\n") + 1
        findings = (_bad_bytes(path, body, error, mark_length, "UTF-16", line),)
    if "\0" in text:
        return DecodedText(None, "binary", (diagnose("binary-file", path),))
    return DecodedText(text, "utf-16", findings)


def _bad_bytes(
    path: str, body: bytes, error: UnicodeDecodeError, mark_length: int, encoding: str, line: int
) -> Diagnostic:
    offset = error.start + mark_length
    byte = f"0x{body[error.start]:02X}"
    return diagnose("undecodable-text", path, str(line), offset=offset, byte=byte, encoding=encoding)


def _line_of(body: bytes, offset: int) -> int:
    before = body[:offset]
    return before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n") + 1
