"""Every emitted constant, rule, step and stub names source lines, and these hold the text it carries."""

import ast
import re
from collections.abc import Iterator
from typing import Final

from melleafy_tui.core.lint.source_words import Mark, Sources, words_of
from melleafy_tui.core.lint.view import Module, NotValidatable, PackageView, Problem

MARK: Final = re.compile(
    r"^\s*# PROVENANCE: (?P<file>.+?):(?P<first>\d{1,9})(?:-(?P<last>\d{1,9}))?(?P<note>\s.*)?$"
)
PLACE: Final = re.compile(r"[^\s:]+:\d+(?:-\d+)?")
RULE_LISTS: Final = ("OPERATING_REQUIREMENTS", "SCOPED_REQUIREMENTS", "OPERATING_NOTES", "HOST_RULES")
STEP_FILES: Final = ("slots.py", "mobjects.py")
"""Modules whose functions are steps before the reply, each with its comment."""

WITHOUT_SOURCE: Final = ("C8", "Run settings")
"""Sections of config.py whose constants are settings of the conversion, not text of the source."""

SETTINGS: Final = frozenset({"BACKEND", "MODEL_ID", "LOOP_BUDGET", "TOOL_BUDGET"})
ENOUGH: Final = 0.5
"""How much of a text's words its source lines must hold; formatting and lead-ins make up the rest."""

FRAME: Final = ("in",)
"""Words that emitted text may add before a scoped rule, beside the names in its path."""

HINT: Final = "Name the lines it comes from: # PROVENANCE: AGENTS.md:5"


def check(view: PackageView) -> Iterator[Problem]:
    """Yield what names no source, or the wrong one."""
    if not any("# PROVENANCE:" in module.text for module in view.modules.values()) and not view.has(
        "melleafy.json"
    ):
        raise NotValidatable("the package has no provenance comments")
    yield from _constants(view)
    yield from _rules(view)
    yield from _stubs(view)
    yield from _steps(view)
    yield from _places(view)


def marks(module: Module) -> Iterator[Mark]:
    """Yield the provenance comments of a module."""
    for number, line in enumerate(module.lines, start=1):
        if found := MARK.match(line):
            first = int(found["first"])
            yield Mark(number, found["file"], first, int(found["last"] or first))


def _constants(view: PackageView) -> Iterator[Problem]:
    config = view.module_at("config.py")
    if config is None:
        return
    marked = {mark.line for mark in marks(config)}
    for name, statement in config.defined.items():
        if not name.isupper() or not isinstance(statement, ast.Assign | ast.AnnAssign) or name in SETTINGS:
            continue
        if isinstance(statement.value, ast.Constant) and not statement.value.value:
            continue
        if (statement.end_lineno or 0) + 1 not in marked and not _section(
            config, statement.lineno
        ).startswith(WITHOUT_SOURCE):
            yield config.problem(statement, f"{name} does not say where it comes from", HINT)


def _section(module: Module, line: int) -> str:
    for number in range(line - 1, 0, -1):
        found = re.fullmatch(r"# === (.+) ===", module.lines[number - 1].strip())
        if found:
            return found[1]
    return ""


def _rules(view: PackageView) -> Iterator[Problem]:
    module = view.module_at("requirements.py")
    if module is None:
        return
    marked = {mark.line for mark in marks(module)}
    for item in _rule_items(module):
        if item.lineno - 1 not in marked:
            yield module.problem(item, "a rule does not say where it comes from", HINT)


def _rule_items(module: Module) -> Iterator[ast.expr]:
    for name in RULE_LISTS:
        statement = module.defined.get(name)
        value = statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None
        lists = value.values if isinstance(value, ast.Dict) else [value]
        for found in lists:
            if isinstance(found, ast.List | ast.Tuple):
                yield from found.elts


def _stubs(view: PackageView) -> Iterator[Problem]:
    module = view.module_at("constrained_slots.py")
    if module is None:
        return
    for name, function in module.defined.items():
        if not isinstance(function, ast.FunctionDef) or name.startswith("_"):
            continue
        if not PLACE.search(ast.get_docstring(function) or ""):
            hint = "Add to its docstring: Source: MEMORY.md:1-3."
            yield module.problem(function, f"{name} does not say where it comes from", hint)


def _steps(view: PackageView) -> Iterator[Problem]:
    for module in (view.module_at(file) for file in STEP_FILES):
        if module is None:
            continue
        marked = {mark.line for mark in marks(module)}
        for function in _functions(module):
            if not function.name.startswith("_") and first_line(function) - 1 not in marked:
                what = f"{function.name} does not say where it comes from"
                yield module.problem(function, what, HINT)


def _functions(module: Module) -> Iterator[ast.FunctionDef]:
    return (node for node in module.tree.body if isinstance(node, ast.FunctionDef))


def first_line(function: ast.FunctionDef) -> int:
    """Return the line of a function's first decorator, else of its `def`."""
    return min([function.lineno, *(found.lineno for found in function.decorator_list)])


def _places(view: PackageView) -> Iterator[Problem]:
    try:
        sources = Sources(view.artifact("intermediate/inventory.json"))
    except NotValidatable:
        return
    for module in view.modules.values():
        found = list(marks(module))
        for mark in found:
            count = sources.line_counts.get(mark.file)
            if count is None:
                yield module.problem(mark.line, f"{mark.file} is no file of the source", "Correct the path.")
            elif not 1 <= mark.first <= mark.last <= count:
                yield module.problem(mark.line, f"{mark.file} has only {count} lines", "Correct the lines.")
        yield from _carried(module, found, sources)


def _carried(module: Module, found: list[Mark], sources: Sources) -> Iterator[Problem]:
    grouped: dict[int, tuple[ast.AST, list[Mark]]] = {}
    marked_nodes = _MarkedNodes(module)
    for mark in found:
        node = marked_nodes.at(mark.line)
        if node is not None:
            grouped.setdefault(id(node), (node, []))[1].append(mark)
    for node, own in grouped.values():
        if any(mark.file not in sources.line_counts or sources.hidden(mark) for mark in own):
            continue
        known = frozenset(FRAME).union(*(sources.words(mark) | set(words_of(mark.file)) for mark in own))
        texts = [inner.value for inner in _values(node) if isinstance(inner.value, str)]
        if not _holds(texts, known, every=not _is_mapping(node)):
            places = ", ".join(f"{mark.file}:{mark.first}" for mark in own)
            hint = "Name the lines that hold the text, or restore the text."
            yield module.problem(node, f"its text is not in the lines it names ({places})", hint)


def _holds(texts: list[str], known: frozenset[str], *, every: bool) -> bool:
    words = [word for text in texts for word in words_of(text)]
    if not words:
        return True
    held = sum(word in known for word in words)
    return held / len(words) >= ENOUGH if every else held > 0


def _is_mapping(node: ast.AST) -> bool:
    return isinstance(getattr(node, "value", None), ast.Dict)


def _values(node: ast.AST) -> Iterator[ast.Constant]:
    value = getattr(node, "value", None)
    if isinstance(node, ast.FunctionDef):
        # A slot's docstring is its text; that of another function is ours.
        value = ast.Module(node.body[:1] if node.decorator_list else node.body[1:], [])
    parts: list[ast.AST] = (
        list(value.values) if isinstance(value, ast.Dict) else [value if isinstance(value, ast.AST) else node]
    )
    for part in parts:
        for inner in ast.walk(part):
            if isinstance(inner, ast.Constant):
                yield inner


class _MarkedNodes:
    """The nodes of a module that a comment can mark, by line."""

    def __init__(self, module: Module) -> None:
        self._lines = module.lines
        self._below: dict[int, ast.AST] = {first_line(found): found for found in _functions(module)}
        self._below |= {item.lineno: item for item in _rule_items(module)}
        self._above = {node.end_lineno: node for node in reversed(module.tree.body)}

    def at(self, line: int) -> ast.AST | None:
        """Return what a comment marks: the list item or function below it, else the statement that ends above it."""
        number = line
        while number <= len(self._lines) and self._is_comment(number):
            number += 1
        if number in self._below:
            return self._below[number]
        number = line
        while number > 0 and self._is_comment(number):
            number -= 1
        return self._above.get(number)

    def _is_comment(self, number: int) -> bool:
        return self._lines[number - 1].lstrip().startswith("#")
