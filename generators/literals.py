"""Python literals for text of the workspace: the one way by which such text enters emitted code.

Every literal evaluates to exactly the text it was made from, holds only visible characters (controls,
bidirectional marks, lone surrogates and other invisibles are escaped), and has the form that `ruff format`
leaves as it is. Nothing else of this project may put quotation marks round a text (spec/safety.md 1).
"""

import keyword
import re
from typing import Final

_NAMED_ESCAPES: Final = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}

_ENDS_IN_QUOTE: Final = re.compile(r'(?<!\\)(?:\\\\)*"\Z')
"""A quotation mark at the end that no backslash takes."""

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
    body = "".join(_escaped(character) for character in line)
    return body.replace('"""', '\\"\\"\\"')


def block_literal(text: str) -> str:
    r"""Return `text` as a literal in triple quotes that opens with a continued line, as prose reads best."""
    return '"""\\\n' + "\n".join(block_lines(text)) + '"""'


def docstring_literal(text: str) -> str:
    """Return `text` as a docstring on one line that `ruff format` leaves as it is; white space is made even."""
    body = _block_line(" ".join(text.split()) or "As the source says.", last=False)
    before = " " if body.startswith('"') else ""
    after = " " if _ENDS_IN_QUOTE.search(body) else ""
    return f'"""{before}{body}{after}"""'


def literal(value: object) -> str:
    """Return a literal of a plain value on one line.

    Raises:
        TypeError: the value is none of None, bool, int, float, str, or a list, tuple or dict of such.
    """
    if value is None or isinstance(value, bool | int):
        return repr(value)
    if isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            raise TypeError("a literal of a float that is no finite number")
        return repr(value)
    if isinstance(value, str):
        return string_literal(value)
    if isinstance(value, list):
        return f"[{', '.join(literal(item) for item in value)}]"
    if isinstance(value, tuple):
        inner = ", ".join(literal(item) for item in value)
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{literal(key)}: {literal(item)}" for key, item in value.items()) + "}"
    raise TypeError(f"no literal for {type(value).__name__}")


def plain_words(text: str) -> str:
    """Return `text` for docstrings and comments: one line of visible characters without `"` and backslashes."""
    visible = "".join(character if character.isprintable() else " " for character in text)
    return " ".join(visible.replace("\\", "/").replace('"', "'").split())


def path_words(path: str) -> str:
    """Return a source path for comments and docstrings, with every character escaped that is not visible there."""
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
