"""Decoding: encodings, byte order marks, bad bytes with their offset, binary files (spec/conversion.md 1)."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from melleafy_tui.core.source.snapshot_reader import decode


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        pytest.param("naïve 😀".encode(), "naïve 😀", "utf-8", id="UTF-8"),
        pytest.param(codecs.BOM_UTF8 + b"x", "x", "utf-8-sig", id="UTF-8 with mark"),
        pytest.param(codecs.BOM_UTF16_LE + "né".encode("utf-16-le"), "né", "utf-16", id="UTF-16 little"),
        pytest.param(codecs.BOM_UTF16_BE + "né".encode("utf-16-be"), "né", "utf-16", id="UTF-16 big"),
        pytest.param(b"", "", "utf-8", id="empty"),
        pytest.param(b"a\r\nb\rc\n", "a\r\nb\rc\n", "utf-8", id="line ends stay"),
    ],
)
def test_encodings(data: bytes, text: str, encoding: str) -> None:
    decoded = decode("x.md", data)
    assert (decoded.text, decoded.encoding, decoded.diagnostics) == (text, encoding, ())


@pytest.mark.parametrize(
    ("data", "offset", "line"),
    [
        pytest.param(b"ab\xffcd", 2, "1", id="first line"),
        pytest.param(b"a\r\nb\rc\n\xe9", 7, "4", id="lines counted as an editor does"),
        pytest.param(codecs.BOM_UTF8 + b"a\xff", 4, "1", id="offset in the file, mark counted"),
    ],
)
def test_bad_bytes(data: bytes, offset: int, line: str) -> None:
    decoded = decode("x.md", data)
    assert decoded.text is not None
    assert "\ufffd" in decoded.text
    (finding,) = decoded.diagnostics
    assert (finding.code, finding.lines) == ("undecodable-text", line)
    assert f"offset {offset}" in finding.message


def test_half_a_character_of_utf16() -> None:
    decoded = decode("x.md", codecs.BOM_UTF16_LE + "ab".encode("utf-16-le") + b"c")
    assert decoded.text == "ab\ufffd"
    assert "offset 6" in decoded.diagnostics[0].message


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"ab\0cd", id="NUL"),
        pytest.param(codecs.BOM_UTF32_LE + "x".encode("utf-32-le"), id="UTF-32"),
        pytest.param(codecs.BOM_UTF16_LE + b"\0\0", id="NUL in UTF-16"),
    ],
)
def test_binary(data: bytes) -> None:
    decoded = decode("x.md", data)
    assert decoded.text is None
    assert [finding.code for finding in decoded.diagnostics] == ["binary-file"]


@given(st.binary(max_size=200))
def test_any_bytes_give_text_that_can_be_written(data: bytes) -> None:
    decoded = decode("x.md", data)
    if decoded.text is not None:
        decoded.text.encode("utf-8")
