"""Telling cheaply which texts may hold a secret, before any pattern of `secret_forms.py` is tried on them.

Most lines hold no secret, and a search for plain words costs a tenth of the pattern that they stand for.
"""

from typing import Final

LONG_RUN: Final = 20
"""Characters without a space that a token needs; shorter ones have a label or an address before them."""

LABELS: Final = ("pass", "pwd", "senha", "key", "secret", "token", "credential", "bearer", "cookie")
LABELS_BEYOND_ASCII: Final = (
    *("contraseña", "пароль", "密码", "密碼", "口令", "パスワード"),
    *("密钥", "密鑰", "令牌", "токен", "ключ"),
)
"""A part of each word that labels a password or token, in small letters; a test holds them against the forms."""

OTHER_MARKS: Final = ("://", "authorization", "-u", "putty")


def may_hold_label(text: str) -> bool:
    """Return whether a word that labels a secret may stand in a text; never False where one stands."""
    folded = text.casefold()
    return any(mark in folded for mark in LABELS) or (
        not text.isascii() and any(mark in folded for mark in LABELS_BEYOND_ASCII)
    )


def may_hold_secret(text: str) -> bool:
    """Return whether a secret may stand in a text; never False where one stands."""
    if any(len(run) >= LONG_RUN for run in text.split()) or may_hold_label(text):
        return True
    folded = text.casefold()
    return any(mark in folded for mark in OTHER_MARKS)
