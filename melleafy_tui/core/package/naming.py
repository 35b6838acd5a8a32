"""Makes Python identifiers from untrusted text.

They are also safe as a path segment: ASCII letters, digits and `_` only.
"""

import builtins
import keyword
import re
import unicodedata
from collections.abc import Container, Sequence
from hashlib import sha256
from typing import Final

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.tables import table_beside

LONGEST_IDENTIFIER: Final = 44
"""Short enough that a parameter of `run_pipeline` with its type fits on one line."""

VARIABLE: Final = LazyRegex(r"[A-Za-z_][A-Za-z0-9_]*")
"""A valid name of an environment variable; sources use the word for other names too."""

_LETTERS_WITHOUT_PARTS: Final = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
)
"""Latin letters that Unicode doesn't decompose into a base letter and a mark."""

_SITE_BUILTINS: Final = frozenset({"copyright", "credits", "exit", "license", "quit", "help"})
_DEVICE_NAMES: Final = frozenset(
    {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(10))}
)
"""File names that Windows reserves for devices."""

_NAMES: Final = {
    kind: frozenset(words.split()) for kind, words in table_beside(__file__, "names.toml").items()
}
OWN_SUFFIX: Final = "agent"
"""Ends a name of a package that is another program's without it."""

RESERVED_NAMES: Final = (
    frozenset(name for name in dir(builtins) if name.islower())
    | frozenset(keyword.kwlist)
    | frozenset(keyword.softkwlist)
    | _SITE_BUILTINS
    | _DEVICE_NAMES
    | _NAMES["slot_parameters"]
    | _NAMES["package"]
)

IMPORTED_NAMES: Final = _NAMES["runtime"]
"""What the modules with a package's functions import: a function of that name would hide it."""

_GAP = re.compile(r"[^a-z0-9]+")


def python_identifier(text: str, taken: Container[str] = frozenset(), *, fallback: str = "item") -> str:
    """Return a lower-case identifier made from `text` that isn't a keyword, a builtin or one of `taken`.

    Args:
        text: Any text, not trusted.
        taken: Names that are in use; the caller adds the result.
        fallback: The identifier to use if `text` gives none.
    """
    name = stem = identifier_stem(text, fallback=fallback)
    number = 1
    while name in taken:
        number += 1
        name = f"{stem}_{number}"
    return name


def free_module_name(name: str) -> str:
    """Return the name of a package, with a suffix if importing it would hide another module."""
    return f"{name}_{OWN_SUFFIX}" if name in _NAMES["modules"] else name


def free_command_name(name: str) -> str:
    """Return the name of a command, with a suffix if it would hide another command."""
    return f"{name}-{OWN_SUFFIX}" if name in _NAMES["commands"] else name


def identifier_stem(text: str, *, fallback: str = "item") -> str:
    """Return a lower-case identifier made from `text` that isn't a keyword or builtin.

    The same text gives the same identifier. Diacritics are removed; text without any ASCII letter left is named after
    `fallback` and a digest, so that different texts get different names.

    Args:
        text: Any text, not trusted.
        fallback: The start of the identifier if `text` gives none.
    """
    stem = ascii_words(text)
    if not stem:
        stem = f"{fallback}_{_digest(text)}" if text.strip() else fallback
    if stem[0].isdigit():
        stem = f"{fallback}_{stem}"
    stem = shortened(stem, LONGEST_IDENTIFIER)
    if stem in RESERVED_NAMES:
        stem = f"{stem}_{fallback}" if f"{stem}_{fallback}" not in RESERVED_NAMES else f"{stem}_1"
    return stem


def ascii_words(text: str) -> str:
    """Return the words of `text` in lower-case ASCII joined by `_`; empty if it has no such letter or digit."""
    return _GAP.sub("_", without_marks(text).replace("'", "").replace("’", "")).strip("_")


def without_marks(text: str) -> str:
    """Return `text` in lower case without diacritics: `Gäste` becomes `gaste`."""
    if text.isascii():
        return text.lower()
    folded = text.casefold().translate(_LETTERS_WITHOUT_PARTS)
    apart = unicodedata.normalize("NFKD", folded)
    return "".join(letter for letter in apart if not unicodedata.combining(letter)).casefold()


def shortened(stem: str, longest: int) -> str:
    """Return `stem` with at most `longest` letters, cut between words if possible."""
    return stem if len(stem) <= longest else (stem[:longest].rpartition("_")[0] or stem[:longest])


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:6]


WHOLE_ARGUMENTS: Final = "<message>"
"""What stands for `$ARGUMENTS`: the message of the run."""

ARGUMENT_POSITION: Final = LazyRegex(r"\$ARGUMENTS\[(?P<index>\d{1,2})\]|\$(?P<number>\d)(?!\d|[.,]\d)")
_ALL: Final = LazyRegex(r"\$ARGUMENTS(?!\[)\b|\$\{ARGUMENTS\}")


def with_argument_names(text: str, names: Sequence[str], *, from_zero: bool) -> str:
    """Return text with `$1`, `$name` and `$ARGUMENTS` replaced by the names of arguments in brackets.

    Args:
        text: The text.
        names: The names, in order.
        from_zero: Whether `$0` is the first argument.
    """

    def named(match: re.Match[str]) -> str:
        index = int(match["index"]) if match["index"] else int(match["number"]) - (0 if from_zero else 1)
        return f"<{names[index]}>" if 0 <= index < len(names) else match[0]

    text = ARGUMENT_POSITION.sub(named, text)
    for name in names:
        text = re.sub(rf"\$\{{?{re.escape(name)}\b\}}?", f"<{name}>", text)
    return _ALL.sub(WHOLE_ARGUMENTS, text)
