"""Parses Python text to a syntax tree, in one thread at a time.

Python 3.11 keeps one recursion counter for building trees in the whole process. If the garbage collector runs a
finalizer meanwhile and another thread then parses too, both fail with a `SystemError` (gh-106905). The wizard renders
and lints in threads, and a new one may start before an old one ends.
"""

import ast
from threading import Lock
from typing import Final

_ONE_AT_A_TIME: Final = Lock()


def parse_python(source: str | bytes) -> ast.Module:
    """Return the syntax tree of a Python module.

    Args:
        source: Its text, or its bytes as UTF-8.

    Raises:
        SyntaxError: the source isn't valid Python.
        ValueError: the source contains a null character.
        RecursionError: the source is nested too deeply.
        MemoryError: the source exceeds the parser's own nesting limit.
    """
    with _ONE_AT_A_TIME:
        return ast.parse(source)
