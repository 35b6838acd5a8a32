"""Turns workspace text into Python literals, names and comments, and values into JSON and TOML.

Every Python literal evaluates to exactly the original text, contains only visible characters (controls, bidirectional
marks, lone surrogates and other invisible characters are escaped), and is unchanged by `ruff format`. Only this module
may put quotes around workspace text.
"""

import json
import keyword
import re
from collections.abc import Iterable, Mapping
from math import isfinite
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.record import shown_in_documents

_NAMED_ESCAPES: Final = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}

_ENDS_IN_QUOTE: Final = LazyRegex(r'(?<!\\)(?:\\\\)*"\Z')
"""An unescaped double quote at the end."""

_NOT_A_WORD = re.compile(r"[^0-9a-z]+")


def _escaped(character: str) -> str:
    named = _NAMED_ESCAPES.get(character)
    if named is not None:
        return named
    if character.isprintable():
        return character
    return repr(character)[1:-1]


def string_literal(text: str) -> str:
    """Return `text` as a literal on one line, in the quotes that need fewer escapes."""
    quote = "'" if text.count('"') > text.count("'") else '"'
    if text.isprintable() and quote not in text and "\\" not in text:
        return f"{quote}{text}{quote}"
    body = "".join(f"\\{quote}" if character == quote else _escaped(character) for character in text)
    return f"{quote}{body}{quote}"


def block_lines(text: str) -> list[str]:
    r"""Return the lines between `\"\"\"\` and the closing quotes of a block literal; the last line ends at the quotes.

    Only LF starts a new line of the block; every other line end is escaped within its line.
    """
    lines = text.split("\n")
    return [_block_line(line, last=number == len(lines)) for number, line in enumerate(lines, start=1)]


def _block_line(line: str, *, last: bool) -> str:
    if last and line.endswith('"'):
        return _block_line(line[:-1], last=False) + '\\"'
    plain = line.isprintable() and "\\" not in line
    body = line if plain else "".join(_escaped(character) for character in line)
    return body.replace('"""', '\\"\\"\\"')


def block_literal(text: str) -> str:
    r"""Return `text` as a triple-quoted literal whose text starts on the line after the quotes."""
    return '"""\\\n' + "\n".join(block_lines(text)) + '"""'


def text_literal(text: str) -> str:
    """Return `text` as a block literal if it has several lines, else as a literal on one line."""
    return block_literal(text) if "\n" in text[:-1] else string_literal(text)


def docstring_literal(text: str) -> str:
    """Return `text` as a one-line docstring in the layout of `ruff format`; runs of white space become one space."""
    body = _block_line(" ".join(text.split()) or "As the source says.", last=False)
    before = " " if body.startswith('"') else ""
    after = " " if _ENDS_IN_QUOTE.search(body) else ""
    return f'"""{before}{body}{after}"""'


def literal(value: object) -> str:
    """Return a literal of None, a bool, a number or a text on one line.

    Raises:
        TypeError: The value is another.
    """
    if isinstance(value, str):
        return string_literal(value)
    if value is None or isinstance(value, bool | int) or (isinstance(value, float) and isfinite(value)):
        return repr(value)
    raise TypeError(f"no literal for {value!r}")


_NO_PLAIN_ASCII: Final = re.compile(r"[^ -~]")


def plain_words(text: str) -> str:
    """Return `text` for docstrings and comments: one line of visible characters without `"` and backslashes."""
    visible = _NO_PLAIN_ASCII.sub(lambda found: found[0] if found[0].isprintable() else " ", text)
    return " ".join(visible.replace("\\", "/").replace('"', "'").split())


def path_words(path: str) -> str:
    """Return a source path for comments and docstrings, with invisible characters escaped."""
    if path.isprintable() and "\\" not in path and '"' not in path:
        return path
    return "".join(_escaped(character) if character not in '\\"' else "_" for character in path)


def identifier(text: str, *, fallback: str) -> str:
    """Return a lower-case Python identifier from `text` that is no keyword, or `fallback`."""
    words = _NOT_A_WORD.sub("_", text.lower()).strip("_")
    if not words:
        return fallback
    if words[0].isdigit():
        words = f"n{words}"
    return f"{words}_" if keyword.iskeyword(words) or keyword.issoftkeyword(words) else words


LINE_LENGTH: Final = 88
INDENT: Final = "    "


class Group(Struct, frozen=True):
    """Items of code between brackets, such as a call; `opening` and `closing` hold what stands before and behind too.

    A tuple of one item closes with `,)`.
    """

    opening: str
    items: "tuple[str | Group, ...]"
    closing: str = ")"


def displayed(value: object, head: str = "") -> str | Group:
    """Return a literal of a plain value as code that may be broken; a text of several lines is a block.

    Args:
        value: The value.
        head: The code before it, such as `name=`.
    """
    if isinstance(value, dict):
        pairs = (displayed(item, f"{literal(key)}: ") for key, item in value.items())
        return Group(f"{head}{{", tuple(pairs), "}")
    if isinstance(value, list):
        return Group(f"{head}[", tuple(map(displayed, value)), "]")
    if isinstance(value, tuple):
        return Group(f"{head}(", tuple(map(displayed, value)), ",)" if len(value) == 1 else ")")
    return head + (text_literal(value) if isinstance(value, str) else literal(value))


def fitted(code: str | Group, margin: str = "", after: str = "", *, broken: bool = False) -> str:
    """Return code on one line if that surely fits, else one item a line, in the layout of `ruff format`.

    Args:
        code: The code.
        margin: What its lines begin with.
        after: What its last line ends with.
        broken: One item a line, even if it fits.
    """
    line = f"{margin}{_flat(code)}{after}"
    if isinstance(code, str) or not code.items or (fits(line) and not broken):
        return line
    # The comma of a tuple of one breaks no line, so it must be known whether that fits.
    alone = code.closing.startswith(",")
    if alone and isinstance(code.items[0], str) and "\n" not in line:
        code = replace(code, items=(code.items[0].encode("ascii", "backslashreplace").decode(),))
        line = f"{margin}{_flat(code)}{after}"
        if fits(line):
            return line
    items = [fitted(item, margin + INDENT, ",", broken=alone) for item in code.items]
    within = f"{margin}{INDENT}{', '.join(map(_flat, code.items))}"
    is_call = _CALL.search(code.opening) and not _ALONE.match(f"{code.opening}{len(items)}")
    if is_call and not broken and fits(within) and len(_NOT_ASCII.sub("", line)) > LINE_LENGTH:
        items = [within]
    return "\n".join((margin + code.opening, *items, f"{margin}{code.closing.removeprefix(',')}{after}"))


def fits(line: str) -> bool:
    """Return whether a line surely fits: some tables count a character that isn't ASCII as two columns."""
    return "\n" not in line and len(line) + len(_NOT_ASCII.findall(line)) <= LINE_LENGTH


def _flat(code: str | Group) -> str:
    if isinstance(code, str):
        return code
    return f"{code.opening}{', '.join(map(_flat, code.items))}{code.closing}"


_CALL: Final = re.compile(r"\w\($")
_ALONE: Final = re.compile(r"def \w+\(1$")
"""What takes its arguments on one line of their own, and the head of a function with one parameter, which doesn't."""

_NOT_ASCII: Final = re.compile(r"[^\x00-\x7f]")


def assigned(target: str, text: str) -> str:
    """Return the assignment of a text to a name, on one line or as a block."""
    line = f"{target} = {string_literal(text)}"
    return line if "\n" not in text[:-1] and fits(line) else f"{target} = {block_literal(text)}"


RUNTIME_DOOR: Final = "._runtime"
"""The module from which the package's own files import what all packages share."""

_OWN: Final = "."
_THIRD_PARTY: Final = ("mellea", "pydantic")

_TEXTS: Final = LazyRegex(
    r"#[^\n]*|(?<![fF])(?:\"\"\"[^\\\"]*+(?:(?:\\.|\"(?!\"\"))[^\\\"]*+)*+\"\"\"|\"[^\"\\\n]*+(?:\\.[^\"\\\n]*+)*+\""
    r"|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+')",
    re.DOTALL,
)
"""Comments and plain texts; a text with placeholders may use names."""


def used_names(code: str, names: Iterable[str]) -> list[str]:
    """Return those of the names that code uses, outside of its texts and comments.

    Args:
        code: Code that this package printed.
        names: The names to look for.
    """
    bare = set(_NAMES.findall(_TEXTS.sub("", code)))
    return [name for name in names if name in bare]


_NAMES: Final = re.compile(r"(?<![\w.])[A-Za-z_]\w*")


def imports(names: Mapping[str, Iterable[str]]) -> str:
    """Return an import block: standard library, third party, own modules, separated by blank lines.

    Args:
        names: The names to import from each module; modules without names are skipped.
    """
    groups: dict[int, list[str]] = {0: [], 1: [], 2: []}
    for module in sorted(names, key=lambda name: (name != _OWN, name)):
        if found := sorted(set(names[module]), key=isort_key):
            line = f"from {module} import {', '.join(found)}"
            listed = "".join(f"{INDENT}{name},\n" for name in found)
            groups[_group(module)].append(line if fits(line) else f"from {module} import (\n{listed})")
    return "\n\n".join("\n".join(lines) for lines in groups.values() if lines)


def _group(module: str) -> int:
    if module.startswith("."):
        return 2
    return 1 if module.partition(".")[0] in _THIRD_PARTY else 0


def isort_key(name: str) -> tuple[int, str]:
    """Return the sort key of isort: constants, classes, the rest."""
    kind = 0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2
    return kind, name


HIDDEN: Final = LazyRegex(
    "[\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff"
    "\U000e0000-\U000e0fff]"
)
"""Misleading characters that JSON, TOML and YAML allow unescaped; they only occur inside strings."""


def json_bytes(value: object) -> bytes:
    """Return a plain value, a model or a struct as a JSON file; strings survive the round trip exactly."""
    try:
        shown = msgspec.json.format(msgspec.json.encode(value, enc_hook=shown_in_documents), indent=2)
    except (UnicodeEncodeError, OverflowError):
        # A lone surrogate (from a file name that isn't UTF-8) or an integer of over 64 bits (from a configuration).
        plain = msgspec.to_builtins(value, str_keys=True, enc_hook=shown_in_documents)
        return HIDDEN.sub(_json_escape, json.dumps(plain, indent=2, ensure_ascii=False)).encode() + b"\n"
    if not shown.isascii() or b"\x7f" in shown:
        shown = HIDDEN.sub(_json_escape, shown.decode()).encode()
    return shown + b"\n"


def _json_escape(found: re.Match[str]) -> str:
    return json.dumps(found[0])[1:-1] if found[0] != "\x7f" else "\\u007f"


def toml_string(text: str) -> str:
    """Return the text as a basic string; a lone surrogate, which TOML cannot hold, becomes a replacement character."""
    sound = text.encode("utf-8", "replace").decode()
    return HIDDEN.sub(lambda found: f"\\U{ord(found[0]):08x}", json.dumps(sound, ensure_ascii=False))


def toml_array(items: list[str]) -> str:
    """Return a TOML array of strings, one a line if there are several."""
    if len(items) < 2:
        return f"[{', '.join(map(toml_string, items))}]"
    rows = "".join(f"    {toml_string(item)},\n" for item in items)
    return f"[\n{rows}]"
