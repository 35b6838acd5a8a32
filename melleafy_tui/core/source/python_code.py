"""Collects facts about Python source code with `ast`: imports, names, calls, strings. Nothing is executed.

A file is parsed once, whoever asks and however often: `facts_of` keeps its facts as long as the file itself is kept.
Its tree isn't kept, since that takes fifty times the memory of the text.
"""

import ast
import warnings
from collections.abc import Iterator
from typing import Final
from weakref import WeakKeyDictionary

from msgspec import Struct, field

from melleafy_tui.core.language.python_syntax import all_nodes, parse_python, text_in
from melleafy_tui.core.models.snapshot import SourceFile

LARGEST_SOURCE: Final = 1_000_000
LONGEST_STRING: Final = 200


class PythonCall(Struct, frozen=True):
    """A call: the name as written (`Runner.run_sync`), its keywords, its line."""

    name: str
    keywords: frozenset[str]
    line: int


class PythonText(Struct, frozen=True):
    """A text that is given to a call by keyword (`instructions="..."`): the keyword, the text, its lines."""

    keyword: str
    text: str
    first: int
    last: int


class PythonFunction(Struct, frozen=True):
    """A decorated function: its name, its decorators without modules and arguments, its docstring, its lines."""

    name: str
    decorators: frozenset[str]
    docstring: str
    first: int
    last: int


class PythonFacts(Struct, frozen=True):
    """Facts about a source file, with line numbers; `problem` says why there are none.

    `imports` maps modules and `module.name` pairs, and `names` every identifier and dotted name used, to their first
    lines; `strings` holds the short string constants. `runs` says whether running the file has an effect: it has a
    `__main__` guard, or a call or a compound statement at its top level. `texts` and `functions` are in the order of
    the source. `optional` are the imports that the file does without if they are missing.
    """

    imports: dict[str, int] = field(default_factory=dict)
    decorators: dict[str, int] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)
    strings: dict[str, int] = field(default_factory=dict)
    calls: list[PythonCall] = field(default_factory=list)
    docstring: str = ""
    runs: bool = False
    texts: list[PythonText] = field(default_factory=list)
    functions: list[PythonFunction] = field(default_factory=list)
    optional: set[str] = field(default_factory=set)
    problem: str = ""
    problem_line: int = 0


_FACTS: "Final[WeakKeyDictionary[SourceFile, PythonFacts]]" = WeakKeyDictionary()


def facts_of(file: SourceFile) -> PythonFacts:
    """Return the facts about a file; it is parsed when they are first asked for."""
    facts = _FACTS.get(file)
    if facts is None:
        facts = _FACTS[file] = python_facts(file.text or "")
    return facts


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
    facts = PythonFacts(docstring=ast.get_docstring(tree) or "", runs=any(map(_has_effect, tree.body)))
    for node in all_nodes(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for name in _imported(node):
                facts.imports.setdefault(name, node.lineno)
        elif isinstance(node, ast.Try):
            facts.optional.update(_optional(node))
        elif isinstance(node, ast.Call):
            keywords = frozenset(keyword.arg for keyword in node.keywords if keyword.arg)
            facts.calls.append(PythonCall(_dotted(node.func), keywords, node.lineno))
            facts.texts.extend(_texts(node))
        elif isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            for decorator in node.decorator_list:
                facts.decorators.setdefault(_decorator_name(decorator), decorator.lineno)
            if node.decorator_list and not isinstance(node, ast.ClassDef):
                facts.functions.append(_function(node))
        elif isinstance(node, ast.Name):
            facts.names.setdefault(node.id, node.lineno)
        elif isinstance(node, ast.Attribute):
            facts.names.setdefault(node.attr, node.lineno)
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and len(node.value) <= LONGEST_STRING
        ):
            facts.strings.setdefault(node.value, node.lineno)
    facts.calls.sort(key=lambda call: (call.line, call.name))
    return facts


def _has_effect(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.If):
        return "__main__" in ast.dump(statement.test)
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Call)
    return isinstance(statement, ast.For | ast.While | ast.With | ast.Try)


def _texts(call: ast.Call) -> Iterator[PythonText]:
    for keyword in call.keywords:
        value = keyword.value
        if keyword.arg and (words := text_in(value)) is not None:
            yield PythonText(keyword.arg, words, keyword.lineno, value.end_lineno or value.lineno)


def _function(node: ast.FunctionDef | ast.AsyncFunctionDef) -> PythonFunction:
    names = (_decorator_name(decorator).rpartition(".")[2] for decorator in node.decorator_list)
    first = min(decorator.lineno for decorator in node.decorator_list)
    last = node.end_lineno or node.lineno
    return PythonFunction(node.name, frozenset(names), ast.get_docstring(node) or "", first, last)


def _imported(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """Yield the modules and `module.name` pairs that a statement imports."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
        return
    for dots in sorted(
        {"", "." * node.level}
    ):  # a relative import counts by its name, too: a runtime may be vendored
        module = dots + (node.module or "")
        yield module
        joined = module if not module or module.endswith(".") else f"{module}."
        yield from (f"{joined}{alias.name}" for alias in node.names)


def _optional(node: ast.Try) -> Iterator[str]:
    """Yield what a statement imports and does without if it is missing."""
    caught = {
        name.id
        for handler in node.handlers
        for name in (ast.walk(handler.type) if handler.type is not None else [ast.Name("ImportError")])
        if isinstance(name, ast.Name)
    }
    if caught.intersection(("ImportError", "ModuleNotFoundError", "Exception")):
        for inner in (found for statement in node.body for found in ast.walk(statement)):
            if isinstance(inner, ast.Import | ast.ImportFrom):
                yield from _imported(inner)


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
