"""Telling cheaply which texts may hold a secret, before any pattern of `secret_forms.py` is tried on them.

Most lines hold no secret, and a search for plain words costs a tenth of the pattern that they stand for.
"""

from typing import Final

LONG_RUN: Final = 20
"""Characters without a space that a token needs; shorter ones have a label or an address before them."""

LABELS: Final = (
    "pass",
    "pwd",
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

OTHER_MARKS: Final = ("://", "authorization", "-u", "putty")


def may_hold_label(text: str) -> bool:
    """Return whether a word that labels a secret may stand in a text; never False where one stands."""
    folded = text.casefold()
    return _holds_one(folded, LABELS) or (not text.isascii() and _holds_one(folded, LABELS_BEYOND_ASCII))


def may_hold_secret(text: str) -> bool:
    """Return whether a secret may stand in a text; never False where one stands."""
    long = max(map(len, text.split()), default=0) >= LONG_RUN
    return long or may_hold_label(text) or _holds_one(text.casefold(), OTHER_MARKS)


def _holds_one(text: str, marks: tuple[str, ...]) -> bool:
    for mark in marks:  # noqa: SIM110 - any() takes twice as long, and this is asked of every line
        if mark in text:
            return True
    return False
