"""Telling cheaply where in a text a secret may stand, before any pattern of `secret_forms.py` is tried there.

Most lines hold no secret. What a secret needs (a label, an address, a long run of a token's characters) is looked for
in the whole text by searches for plain words, each of which costs a hundredth of a pattern.
"""

import re
from collections.abc import Iterator
from typing import Final

LONG_RUN: Final = 20
"""Characters without a space that a token needs; shorter ones have a label or an address before them."""

LABELS: Final = (
    "pass",
    "pwd",
    "contrasena",
    "senha",
    "kennwort",
    "wachtwoord",
    "key",
    "secret",
    "token",
    "credential",
    "bearer",
    "cookie",
)
LABELS_BEYOND_ASCII: Final = (
    *("contraseña", "hasło", "şifre", "비밀번호", "пароль", "密码", "密碼", "口令", "パスワード"),
    *("密钥", "密鑰", "令牌", "токен", "ключ"),
)
"""A part of each word that labels a password or token, in small letters; a test holds them against the forms."""

CODE_MARKS: Final = ("pin", "code", "digo")
"""A part of each word that labels the digits of a door or device; a test holds them against the form."""

OTHER_MARKS: Final = ("://", "authorization", "-u", "putty")

_MARKS: Final = tuple(word.encode() for word in (*LABELS, "authorization", "xox", "sq0csp", "aws"))
"""What stands, in small letters, on the line of each secret that is told by no long run."""

_RUN: Final = bytes(
    ord("a") if chr(byte).isascii() and (chr(byte).isalnum() or chr(byte) in "_?+/.:=-") else ord(" ")
    for byte in range(256)
)
"""The characters of tokens, and `?` for any that is not ASCII."""

_BLOCK: Final = 1 << 16
"""Characters, and the rest of a line, that are searched at a time: the search makes several copies of them."""

_TOKEN: Final = re.compile(
    rb"sk-(?<![A-Za-z0-9]sk-)[\w-]{20}|github_pat_|AIza|GOCSPX-|hf_[A-Za-z0-9]{20}|eyJ|npm_[A-Za-z0-9]{20}"
    rb"|ntn_[A-Za-z0-9]{20}|secret_[A-Za-z0-9]{20}|xapp-|rk_(?:live|test)_|sk_(?:live|test)_|whsec_|do[opr]_v1_"
    rb"|shp(?:at|ca|pa|ss|tka)_|hv[bsr]\.|tvly-|key-[0-9a-f]{20}|pat[A-Za-z0-9]{14}\.|lin_(?:api|oauth)_|dp\.|tskey-|r8_"
    rb"|pplx-|sb[ps]_|xai-|gsk_|AGE-SECRET|A3T|ABIA|ACCA|AKIA|ASIA|AccountKey=|gh[oprsu]_|gl[a-z]{2,5}-|GR1348941|pypi-"
    rb"|SG\.|AC[a-z0-9]{32}|SK[a-z0-9]{32}"
)
"""How tokens begin that have a beginning."""

_TOKEN_INSIDE: Final = (
    re.compile(rb"-us[0-9?]"),
    re.compile(rb":(?<=[0-9?]{8}:)"),
    re.compile(rb"\.[\w?-]{6}\.[\w?-]{27}"),
)
"""What tokens hold that begin with anything; each with a character in front by which it is found quickly."""

_DIGITS: Final = b"0123456789"
_HEX: Final = b"0123456789abcdef"
_BARE: Final = re.compile(rb"[A-Za-z0-9+/_-]{24,}")
_READ_AS: Final = (("ı", "i"), ("İ", "i"), ("ſ", "s"), ("\u212a", "k"))
"""Letters beyond ASCII that patterns without case take for others."""

_FOUR_DIGITS: Final = re.compile(rb"(?<![a-z0-9])[0-9]{4}")
"""How the digits of a code begin."""

_OF_LABELS: Final = re.compile("[ñÑłŁşŞ비пПкК密口令パ]")
"""A letter of each label beyond ASCII."""


def may_hold_label(text: str) -> bool:
    """Return whether a word that labels a secret may stand in a text; never False where one stands."""
    folded = text.casefold()
    return _holds_one(folded, LABELS) or (not text.isascii() and _holds_one(folded, LABELS_BEYOND_ASCII))


def may_hold_code(text: str) -> bool:
    """Return whether a word that labels the digits of a door or device may stand in a text."""
    return _holds_one((text if text.isascii() else _plainly(text)).casefold(), CODE_MARKS)


def may_hold_secret(text: str) -> bool:
    """Return whether a secret may stand in a text; never False where one stands."""
    long = longest_word(text) >= LONG_RUN
    return long or may_hold_label(text) or may_hold_code(text) or _holds_one(text.casefold(), OTHER_MARKS)


def longest_word(text: str) -> int:
    """Return the length of the longest run without a space."""
    return max(map(len, text.split()), default=0)


def lines_to_search(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each line on which a secret may stand, in order.

    A secret stands on no other line, but for blocks of a private key, and cells of tables, whose header is among these.
    """
    start = 0
    while start < len(text):
        end = text.find("\n", start + _BLOCK) + 1 or len(text)
        for first, last in _lines_of_block(text[start:end]):
            yield start + first, start + last
        start = end


def _lines_of_block(text: str) -> Iterator[tuple[int, int]]:
    plain = text.encode("ascii", "replace")
    lines = plain.replace(b"\r", b"\n")
    if text.isascii():
        hits = [*_token_hits(plain), *_mark_hits(plain.lower(), lines)]
    else:
        small = _plainly(text).encode("ascii", "replace").lower()
        hits = [*_token_hits(plain), *_mark_hits(small, lines), *_label_hits(text)]
    end = -1
    for hit in sorted(hits):
        if hit > end:
            start = max(lines.rfind(b"\n", end + 1, hit), end) + 1
            end = _end(lines, hit)
            yield start, end


def _mark_hits(small: bytes, lines: bytes) -> Iterator[int]:
    for mark in _MARKS:
        hit = small.find(mark)
        while hit >= 0:
            yield hit
            hit = small.find(mark, _end(lines, hit))
    for mark, is_hit in _MARKS_OF_A_LINE:
        hit = small.find(mark)
        while hit >= 0:
            end = _end(lines, hit)
            if is_hit(small[max(lines.rfind(b"\n", 0, hit), 0) : end]):
                yield hit
            hit = small.find(mark, end)


def _is_code(line: bytes) -> bool:
    """Return whether a line with a word of a code has digits that may be one."""
    return _FOUR_DIGITS.search(line) is not None


def _is_address(line: bytes) -> bool:
    """Return whether a line with `://` may hold a password in an address."""
    return b"@" in line or b"hooks.slack" in line


def _is_option(line: bytes) -> bool:
    """Return whether a line with `-u` may hold a password as an option of a command."""
    return (b" -u" in line or b"\t-u" in line or b"--user" in line) and (
        b"curl" in line or b"wget" in line or b"http" in line
    )


_MARKS_OF_A_LINE: Final = (
    (b"://", _is_address),
    (b"-u", _is_option),
    *((mark.encode(), _is_code) for mark in CODE_MARKS),
)
"""What alone says little, with the test of the line that it stands on."""


def _label_hits(text: str) -> Iterator[int]:
    if _OF_LABELS.search(text) is None:
        return
    folded = _folded(_plainly(text))
    for label in LABELS_BEYOND_ASCII:
        hit = folded.find(label)
        while hit >= 0:
            yield hit
            hit = folded.find(label, hit + 1)


def _plainly(text: str) -> str:
    for letter, other in _READ_AS:
        text = text.replace(letter, other)
    return text


def _folded(text: str) -> str:
    """Return a text without its case, character by character."""
    folded = text.casefold()
    if len(folded) == len(text):
        return folded
    return "".join(small if len(small := letter.casefold()) == 1 else letter for letter in text)


def _token_hits(plain: bytes) -> list[int]:
    """Return where runs stand that begin as a token does or are as mixed as one."""
    runs = plain.translate(_RUN)
    places: dict[bytes, list[int]] = {}
    start = runs.find(b"a" * LONG_RUN)
    while start >= 0:
        end = runs.find(b" ", start)
        end = len(runs) if end < 0 else end
        run = plain[start:end]
        if run.strip(_HEX):
            places.setdefault(run, []).append(start)
        start = runs.find(b"a" * LONG_RUN, end)
    every = b" ".join(places)
    like_tokens = [found for found in (_TOKEN, *_TOKEN_INSIDE) if found.search(every)]
    return [
        place
        for run, found in places.items()
        if any(form.search(run) for form in like_tokens) or _is_mixed(run)
        for place in found
    ]


def _is_mixed(run: bytes) -> bool:
    """Return whether a run has large and small letters and digits, as a token without any mark has."""
    if run.islower() or run.isupper() or len(run.translate(None, _DIGITS)) == len(run):
        return False
    return _BARE.search(run) is not None


def _end(lines: bytes, position: int) -> int:
    end = lines.find(b"\n", position)
    return len(lines) if end < 0 else end


def _holds_one(text: str, marks: tuple[str, ...]) -> bool:
    for mark in marks:  # noqa: SIM110 - any() takes twice as long, and this is asked of every line
        if mark in text:
            return True
    return False
