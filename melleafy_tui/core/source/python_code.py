"""Collects facts about Python source code with `ast`: imports, names, calls, strings. Nothing is executed."""

import ast
import warnings
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from msgspec import Struct, field

from melleafy_tui.core.language.python_syntax import all_nodes, parse_python

LARGEST_SOURCE: Final = 1_000_000
LONGEST_STRING: Final = 200


class PythonCall(Struct, frozen=True):
    """A call: the name as written (`Runner.run_sync`), its keywords, its line."""

    name: str
    keywords: frozenset[str]
    line: int


class PythonFacts(Struct, frozen=True):
    """Facts about a source file, with line numbers; `problem` says why there are none.

    `imports` maps modules and `module.name` pairs, and `names` every identifier and dotted name used, to their first
    lines; `strings` holds the short string constants.
    """

    imports: dict[str, int] = field(default_factory=dict)
    decorators: dict[str, int] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)
    strings: dict[str, int] = field(default_factory=dict)
    calls: tuple[PythonCall, ...] = ()
    problem: str = ""
    problem_line: int = 0


@lru_cache(maxsize=512)
def python_facts(text: str) -> PythonFacts:
    """Return the facts about a source text."""
    if len(text) > LARGEST_SOURCE:
        return PythonFacts(problem=f"it has more than {LARGEST_SOURCE} characters")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = parse_python(text)
    except SyntaxError as error:
        return PythonFacts(problem=error.msg.rstrip("."), problem_line=error.lineno or 0)
    except (ValueError, RecursionError, MemoryError):
        return PythonFacts(
            problem="it is nested too deeply or contains characters that Python does not allow"
        )
    return _collect(tree)


def _collect(tree: ast.Module) -> PythonFacts:
    facts = PythonFacts()
    calls: list[PythonCall] = []
    for node in all_nodes(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for name in _imported(node):
                facts.imports.setdefault(name, node.lineno)
        elif isinstance(node, ast.Call):
            calls.append(_call(node))
        elif isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            for decorator in node.decorator_list:
                facts.decorators.setdefault(_decorator_name(decorator), decorator.lineno)
        elif isinstance(node, ast.Name):
            facts.names.setdefault(node.id, node.lineno)
        elif isinstance(node, ast.Attribute):
            facts.names.setdefault(node.attr, node.lineno)
        elif isinstance(node, ast.Constant):
            _add_text(facts.strings, node)
    ordered = tuple(sorted(calls, key=lambda call: (call.line, call.name)))
    return PythonFacts(facts.imports, facts.decorators, facts.names, facts.strings, ordered)


def _add_text(strings: dict[str, int], node: ast.Constant) -> None:
    if isinstance(node.value, str) and len(node.value) <= LONGEST_STRING:
        strings.setdefault(node.value, node.lineno)


def _imported(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """Yield the modules and `module.name` pairs that a statement imports."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
        return
    module = node.module or ""
    yield module
    yield from (f"{module}.{alias.name}" for alias in node.names)


def _call(node: ast.Call) -> PythonCall:
    keywords = frozenset(keyword.arg for keyword in node.keywords if keyword.arg)
    return PythonCall(_dotted(node.func), keywords, node.lineno)


def _decorator_name(decorator: ast.expr) -> str:
    return _dotted(decorator.func if isinstance(decorator, ast.Call) else decorator)


def _dotted(node: ast.expr) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name):
        parts.append(node.id)
    return ".".join(reversed(parts))
