"""Python text as a syntax tree, parsed in one thread at a time.

Python 3.11 counts the depth of the tree it builds once for the whole process. Where the collector runs a finalizer
meanwhile and another thread gets its turn and parses too, both end with a `SystemError` (gh-106905). The wizard renders
and lints in threads, of which a newer one may begin while an older one still works. A literal is parsed the same way.
"""

import ast
from threading import Lock
from typing import Final

_ONE_AT_A_TIME: Final = Lock()


def parse_python(source: str | bytes) -> ast.Module:
    """Return the tree of a Python module.

    Args:
        source: Its text, or its bytes as UTF-8.

    Raises:
        SyntaxError: it is no Python.
        ValueError: it holds a null character.
        RecursionError: it is nested too deeply.
        MemoryError: it is nested too deeply, in the parser's own count.
    """
    with _ONE_AT_A_TIME:
        return ast.parse(source)


def read_literal(source: str) -> object:
    """Return the value of a Python literal.

    Args:
        source: Its code, as it stands in a module.

    Raises:
        SyntaxError: it is no Python.
        ValueError: it is Python, and no literal.
    """
    with _ONE_AT_A_TIME:
        value: object = ast.literal_eval(source)
        return value
