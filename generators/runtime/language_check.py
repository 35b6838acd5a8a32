# Static module of melleafy-tui 0.2.0, not to be edited.
"""The check that a reply is in a language, by its letters and its little words."""

import re

from .checks import Check, without_code

_FEW_LETTERS = 20
"""A text with fewer letters doesn't show its language."""

SCRIPTS = {
    "Japanese": (r"[\u3040-\u30ff]", 0.15),
    "Korean": (r"[\uac00-\ud7af]", 0.5),
    "Chinese": (r"[\u4e00-\u9fff]", 0.5),
    "Russian": (r"[\u0400-\u04ff]", 0.7),
}
"""Letters that a language has, and their least share; Japanese has Chinese ones too."""

LITTLE_WORDS = {
    "English": "the and is are you of with for that this not it",
    "German": "der die das und ist nicht sie mit ein eine auf zu",
    "Spanish": "el los las y es con por una del lo está más",
    "Portuguese": "o os uma não é com por do da em você mais",
    "French": "le les et est vous des une pas pour du dans il",
    "Italian": "il gli di è che non con della sono più per lo",
}
"""Frequent short words of languages in Latin letters."""

_FEW_WORDS = 4
"""So many more of one language's little words than of any other show the language."""


def in_language(language: str) -> Check:
    """Require a language of SCRIPTS or LITTLE_WORDS; a text that shows none passes."""

    def check(text: str) -> str:
        found = _language_of(text)
        return "" if found in ("", language) else f"it is in {found}, not in {language}"

    return check


def _language_of(text: str) -> str:
    """Return the language that a text clearly is in, or an empty string."""
    plain = without_code(text)
    letters = sum(map(str.isalpha, plain))
    if letters < _FEW_LETTERS:
        return ""
    for language, (script, share) in SCRIPTS.items():
        if len(re.findall(script, plain)) >= letters * share:
            return language
    words = re.findall(r"[^\W\d_]+", plain.lower())
    counts = {
        language: sum(word in little.split() for word in words)
        for language, little in LITTLE_WORDS.items()
    }
    first, second, *_ = sorted(counts, key=lambda name: -counts[name])
    return first if counts[first] >= counts[second] + _FEW_WORDS else ""
