"""Environment files without their values: what is kept of a `.env` is the names (spec/safety.md 4).

The lines stay where they are, so that elements carry real line numbers.
"""

import re
from typing import Final

LEAST_ENCODED: Final = 16

_ASSIGNMENT: Final = re.compile(
    r"\s*(?:export\s+)?(?P<name>[A-Za-z_][A-Za-z0-9_.]*)\s*=(?P<value>.*)", re.DOTALL
)
_LINE: Final = re.compile(r"([^\r\n]*)(\r\n|\n|\r|\Z)")
_BLOCK_START: Final = "-----BEGIN"
_BLOCK_END: Final = "-----END"
_LONG_WORD: Final = re.compile(r"\S{16,}")


def is_environment_file(path: str) -> bool:
    """Return whether a path names a file of environment variables (`.env`, `.env.local`, `prod.env`)."""
    name = path.rpartition("/")[2].lower()
    return name == ".env" or name.startswith(".env.") or name.endswith(".env")


def without_values(text: str) -> str:
    """Return the text with every value dropped: `NAME=` stays, also in comments; what is no assignment goes."""
    kept: list[str] = []
    open_quote = ""
    in_block = False
    for match in _LINE.finditer(text):
        line, end = match.group(1), match.group(2)
        if not line and not end:
            break
        if open_quote:
            if open_quote in line:
                open_quote = ""
            kept.append(end)
            continue
        if in_block:
            in_block = _BLOCK_END not in line
            kept.append(end)
            continue
        in_block = _BLOCK_START in line and _BLOCK_END not in line
        name, open_quote = _name_only(line)
        if open_quote:
            in_block = False
        kept.append(name + end)
    return "".join(kept)


def _name_only(line: str) -> tuple[str, str]:
    """Return what is kept of a line, and the quote that a value leaves open for the next lines."""
    stripped = line.strip()
    if stripped.startswith("#"):
        before = re.split(r"[=:：]", stripped, maxsplit=1)[0] if re.search(r"[=:：]", stripped) else stripped
        return _LONG_WORD.sub("…", before), ""
    match = _ASSIGNMENT.fullmatch(line)
    if match is None:
        return "", ""
    value = match.group("value").strip()
    if not value.strip("=") and _is_encoded(match.group("name")):
        return "", ""
    quote = value[:1]
    unclosed = quote in ('"', "'", "`") and value.count(quote) == 1
    return f"{match.group('name')}=", quote if unclosed else ""


def _is_encoded(name: str) -> bool:
    """Return whether a name is rather the last line of an encoded value, whose padding looks like an assignment."""
    has_digit = any(character.isdigit() for character in name)
    return len(name) >= LEAST_ENCODED and has_digit and not name.isupper() and "_" not in name
