"""Reads values out of Python source with `ast`, for runtimes whose agents are written in it. Nothing is executed.

A value is only what the source says for certain: constants, joined texts, names that are bound once to such, and texts
with holes, which become placeholders.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
from inspect import cleandoc
from textwrap import dedent
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.dialects.element_factory import (
    ElementFactory,
    Home,
    SourceSpan,
    line_range,
    standing_alone,
)
from melleafy_tui.core.language.python_syntax import all_nodes, parse_python, text_in
from melleafy_tui.core.models.facts import Facts
from melleafy_tui.core.models.inventory import Decision, Element
from melleafy_tui.core.models.procedure import Returned
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.source.segments import cut_segments

DEEPEST: Final = 8
"""How many names a value is followed through."""

_CLEANING: Final = {"dedent": dedent, "cleandoc": cleandoc}
_STRIPPING: Final = ("strip", "rstrip", "lstrip")
_CLOCKS: Final = ("now", "today", "utcnow", "strftime", "isoformat", "get_current_date")
CLOCK: Final = "time_of_the_run"
"""The placeholder of a hole that a clock fills."""

_PLAIN_TYPES: Final = {"str": "str", "int": "int", "float": "float", "bool": "bool", "Any": "str"}


class Text(Struct, frozen=True):
    """A text in the source: its words, and the file and lines that it stands in."""

    words: str
    file: SourceFile
    first: int
    last: int

    @property
    def place(self) -> str:
        """Return file and lines."""
        return f"{self.file.path}:{line_range(self.first, self.last)}"


class PythonModule(Struct, frozen=True):
    """A module of the source.

    Attributes:
        file: Its file.
        tree: Its syntax tree.
        imported: The dotted origin of each imported name.
        bound: The value of each name that is bound once at the top level.
        functions: Its functions and methods by name.
        classes: Its classes by name.
    """

    file: SourceFile
    tree: ast.Module
    imported: dict[str, str]
    bound: dict[str, ast.expr]
    functions: dict[str, ast.FunctionDef | ast.AsyncFunctionDef]
    classes: dict[str, ast.ClassDef]


class PythonSource:
    """The Python modules of a snapshot.

    Args:
        snapshot: The workspace.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self.modules: Final[dict[str, PythonModule]] = {}
        self.broken: Final[list[tuple[SourceFile, int]]] = []
        for file in snapshot.files:
            if file.path.endswith(".py") and file.text is not None:
                try:
                    self.modules[file.path] = _module(file)
                except SyntaxError as error:
                    self.broken.append((file, error.lineno or 1))
                except (ValueError, RecursionError, MemoryError):
                    self.broken.append((file, 1))

    def found(self, module: PythonModule, name: str) -> tuple[PythonModule, str] | None:
        """Return the module and the name that an imported name stands for, or None if it isn't of this source."""
        holder, _, own = module.imported.get(name, "").rpartition(".")
        other = self._module_named(holder)
        return None if other is None else (other, own)

    def _module_named(self, dotted: str) -> PythonModule | None:
        for path, module in self.modules.items():
            known = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            if dotted.strip(".") and f".{known}".endswith(f".{dotted.strip('.')}"):
                return module
        return None

    def function(
        self, module: PythonModule, name: str
    ) -> tuple[PythonModule, ast.FunctionDef | ast.AsyncFunctionDef] | None:
        """Return the function that a name stands for."""
        if name in module.functions:
            return module, module.functions[name]
        found = self.found(module, name)
        return self.function(*found) if found is not None and found[0] is not module else None

    def class_of(self, module: PythonModule, name: str) -> tuple[PythonModule, ast.ClassDef] | None:
        """Return the class that a name stands for."""
        if name in module.classes:
            return module, module.classes[name]
        found = self.found(module, name)
        return self.class_of(*found) if found is not None and found[0] is not module else None

    def text(
        self,
        node: ast.expr | None,
        module: PythonModule,
        local: Mapping[str, ast.expr] | None = None,
        depth: int = DEEPEST,
    ) -> Text | None:
        """Return the text that an expression is, or None if the source doesn't say it.

        Args:
            node: The expression.
            module: Its module.
            local: The values of names in its function.
            depth: How many names may still be followed.
        """
        if node is None or not depth:
            return None
        if (words := text_in(node)) is not None:
            return Text(words, module.file, node.lineno, node.end_lineno or node.lineno)
        if isinstance(node, ast.JoinedStr):
            parts = [
                part.value if isinstance(part, ast.Constant) else f"{{{hole_name(part)}}}"
                for part in node.values
                if isinstance(part, ast.Constant | ast.FormattedValue)
            ]
            return Text("".join(map(str, parts)), module.file, node.lineno, node.end_lineno or node.lineno)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            left, right = (self.text(each, module, local, depth - 1) for each in (node.left, node.right))
            if left is None or right is None:
                return None
            last = right.last if right.file is left.file else left.last
            return Text(left.words + right.words, left.file, min(left.first, last), max(left.first, last))
        if isinstance(node, ast.Call):
            return self._cleaned(node, module, local, depth)
        if isinstance(node, ast.Name):
            value = (local or {}).get(node.id) or module.bound.get(node.id)
            if value is not None:
                return self.text(value, module, local, depth - 1)
            found = self.found(module, node.id)
            return self.text(found[0].bound.get(found[1]), found[0], None, depth - 1) if found else None
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            other = self._module_named(module.imported.get(node.value.id, ""))
            return self.text(other.bound.get(node.attr), other, None, depth - 1) if other else None
        return None

    def _cleaned(
        self, call: ast.Call, module: PythonModule, local: Mapping[str, ast.expr] | None, depth: int
    ) -> Text | None:
        name = last_name(call.func)
        if name in _CLEANING and call.args:
            found = self.text(call.args[0], module, local, depth - 1)
            return replace(found, words=_CLEANING[name](found.words)) if found else None
        if isinstance(call.func, ast.Attribute) and name in (*_STRIPPING, "format"):
            return self.text(call.func.value, module, local, depth - 1)
        return None

    def default_of(self, field: str) -> Text | None:
        """Return the text that a field of a class has if nobody gives another."""
        owners = ((module, owner) for module in self.modules.values() for owner in module.classes.values())
        for module, owner in owners:
            for statement in owner.body:
                if isinstance(statement, ast.AnnAssign) and last_name(statement.target) == field:
                    default = statement.value
                    if isinstance(default, ast.Call):
                        default = keywords(default).get("default")
                    if (text := self.text(default, module)) is not None:
                        return text
        return None

    def fields(self, module: PythonModule, name: str) -> tuple[Returned, ...] | None:
        """Return the fields of a class of this source, or None if one has a type that can't be taken over."""
        found = self.class_of(module, name)
        if found is None:
            return None
        owner, declared = found
        fields: list[Returned] = []
        for base in declared.bases:
            if self.class_of(owner, last_name(base)) is not None:
                above = self.fields(owner, last_name(base))
                if above is None:
                    return None
                fields += above
        for statement in declared.body:
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                field = _field(statement.target.id, statement.annotation, statement.value)
                if field is None:
                    return None
                fields.append(field)
        return tuple(fields) or None


def _module(file: SourceFile) -> PythonModule:
    tree = parse_python(file.text or "")
    imported: dict[str, str] = {}
    functions: dict[str, ast.FunctionDef | ast.AsyncFunctionDef] = {}
    classes: dict[str, ast.ClassDef] = {}
    for node in all_nodes(tree):
        if isinstance(node, ast.ImportFrom):
            imported |= {
                alias.asname or alias.name: f"{node.module or ''}.{alias.name}" for alias in node.names
            }
        elif isinstance(node, ast.Import):
            imported |= {alias.asname or alias.name: alias.name for alias in node.names}
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            functions.setdefault(node.name, node)
        elif isinstance(node, ast.ClassDef):
            classes.setdefault(node.name, node)
    return PythonModule(file, tree, imported, bindings(tree.body), functions, classes)


def assigned(node: ast.AST) -> tuple[list[ast.expr], ast.expr | None]:
    """Return the targets and the value of an assignment, none of any other node."""
    if isinstance(node, ast.Assign):
        return node.targets, node.value
    return ([node.target], node.value) if isinstance(node, ast.AnnAssign) else ([], None)


def bindings(body: Iterable[ast.AST]) -> dict[str, ast.expr]:
    """Return the value of each name that statements bind once; one that is bound twice has none."""
    found: dict[str, ast.expr] = {}
    twice: set[str] = set()
    for statement in body:
        targets, value = assigned(statement)
        for target in targets:
            if isinstance(target, ast.Name) and value is not None:
                twice |= {target.id} & found.keys()
                found[target.id] = value
    return {name: value for name, value in found.items() if name not in twice}


def last_name(node: ast.AST | None) -> str:
    """Return the last part of a dotted name; of a call, that of what is called."""
    if isinstance(node, ast.Call):
        return last_name(node.func)
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def hole_name(node: ast.FormattedValue) -> str:
    """Return the name for what fills a hole of a text: the last name or key in its expression, or `CLOCK`."""
    return CLOCK if reads_clock(node.value) else expression_name(node.value)


def reads_clock(node: ast.AST) -> bool:
    """Return whether an expression takes its value from a clock."""
    return bool(calls_in(node, *_CLOCKS))


def expression_name(node: ast.AST) -> str:
    """Return the last name or key in an expression, such as `topic` of `state["topic"]`."""
    if isinstance(node, ast.Subscript):
        return text_in(node.slice) or "value"
    if isinstance(node, ast.Call):
        is_get = last_name(node.func) == "get" and node.args and isinstance(node.args[0], ast.Constant)
        return str(node.args[0].value) if is_get else "value"  # type: ignore[attr-defined]
    return last_name(node) or "value"


def calls_in(node: ast.AST, *names: str) -> list[ast.Call]:
    """Return the calls inside a node, those of functions with these names if there are names."""
    calls = [each for each in all_nodes(node) if isinstance(each, ast.Call)]
    return [each for each in calls if not names or last_name(each.func) in names]


def keywords(call: ast.Call) -> dict[str, ast.expr]:
    """Return the keyword arguments of a call."""
    return {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}


def _field(name: str, annotation: ast.expr, default: ast.expr | None) -> Returned | None:
    words = ""
    if isinstance(default, ast.Call):
        words = text_in(keywords(default).get("description")) or ""
    optional = False
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        sides = (annotation.left, annotation.right)
        optional = any(isinstance(side, ast.Constant) and side.value is None for side in sides)
        annotation = annotation.left
    if isinstance(annotation, ast.Subscript):
        outer, inner = last_name(annotation.value), annotation.slice
        if outer == "Optional":
            optional, annotation = True, inner
        elif outer == "Annotated" and isinstance(inner, ast.Tuple):
            return _field(name, inner.elts[0], default)
        elif outer == "Literal":
            options = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            values = [option.value for option in options if isinstance(option, ast.Constant)]
            if len(values) == len(options) and all(isinstance(value, str) for value in values):
                return Returned(name, words, options=tuple(map(str, values)), optional=optional)
            return None
        elif outer in ("list", "List", "Sequence") and last_name(inner) == "str":
            return Returned(name, words, "list[str]", optional=optional)
    kind = _PLAIN_TYPES.get(last_name(annotation))
    return Returned(name, words, kind, optional=optional) if kind else None


def decided_branches(
    function: ast.AST, known: Mapping[str, str], ends: Mapping[str, str]
) -> tuple[str, dict[str, str]]:
    """Return the field that a function compares with texts, and what follows each of them.

    Args:
        function: The function.
        known: What follows each label that it may name.
        ends: The labels of names, such as that of the end.
    """
    field_name, branches = "", dict[str, str]()
    for node in all_nodes(function):
        match node:
            case ast.If(ast.Compare(left, [ast.Eq()], [ast.Constant(str(value))]), body):
                name, to = expression_name(left), _named_in(body, known, ends)
                if to and field_name in ("", name):
                    field_name = name
                    branches[value] = to
    return field_name, branches


def _named_in(body: list[ast.stmt], known: Mapping[str, str], ends: Mapping[str, str]) -> str:
    """Return what follows the first label that statements name."""
    for statement in body:
        for node in all_nodes(statement):
            if isinstance(node, ast.Constant | ast.Name):
                name = node.value if isinstance(node, ast.Constant) else ends.get(node.id, "")
                if isinstance(name, str) and name in known:
                    return known[name]
    return ""


def locals_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[str, ast.expr]:
    """Return the values of names that a function binds once."""
    return bindings(all_nodes(function))


def literals(annotation: ast.expr | None) -> list[ast.expr]:
    """Return the items of `Literal[...]` in an annotation, at any depth."""
    for node in all_nodes(annotation) if annotation is not None else ():
        if isinstance(node, ast.Subscript) and last_name(node.value) == "Literal":
            listed = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            return list(listed)
    return []


def fields_read(nodes: list[ast.AST], state: str) -> Iterator[str]:
    """Yield the fields that are taken out of the state, in order."""
    seen = {"", "value", "get"}
    for node in nodes:
        is_get = isinstance(node, ast.Call) and last_name(node.func) == "get"
        holder = getattr(node.func if is_get else node, "value", None)  # type: ignore[attr-defined]
        name = expression_name(node) if last_name(holder) == state else ""
        if name not in seen:
            seen.add(name)
            yield name


def keys_returned(nodes: list[ast.AST]) -> Iterator[str]:
    """Yield the fields that a node returns: keys of a returned dict, or of the `update` of a `Command`."""
    for node in nodes:
        value = node.value if isinstance(node, ast.Return) else None
        if isinstance(node, ast.Call) and last_name(node.func) == "Command":
            value = keywords(node).get("update")
        if isinstance(value, ast.Dict):
            yield from (name for key in value.keys if (name := text_in(key)) is not None)


def lines_of_node(module: PythonModule, node: ast.AST) -> str:
    """Return the file and lines of a node."""
    lines = line_range(getattr(node, "lineno", 1), getattr(node, "end_lineno", 1))
    return f"{module.file.path}:{lines}"


# --- elements ----------------------------------------------------------------------------------------


def text_elements(
    text: Text,
    rule_id: str,
    home: Home,
    facts: Facts,
    decisions: tuple[Decision, ...] = (),
) -> Iterator[Element]:
    """Yield an element for each paragraph and item of a text, with its lines where the source has them one to one."""
    words = dedent(text.words).strip("\n") if "\n" in text.words.strip() else text.words.strip()
    above = next((place for place, line in enumerate(text.words.split("\n")) if line.strip()), 0)
    lines = words.split("\n")
    first = text.first + above
    fits = len(lines) == 1 or (text.last - first + 1 >= len(lines) and _stands(text.file, lines, first))
    shown = SourceFile(text.file.path, None, "\n" * (first - 1) + words) if fits else None
    segments = cut_segments(shown) if shown is not None else ()
    factory = ElementFactory(text.file, rule_id)
    if shown is None or not segments or len(lines) == 1:
        yield factory.make(
            SourceSpan(text.first, text.last, "paragraph"),
            " ".join(words.split()),
            home,
            facts,
            value=words,
            decisions=decisions,
        ).said(words)
        return
    for place, segment in enumerate(segments):
        after = segments[place + 1].first - 1 if place + 1 < len(segments) else segment.last
        own = "\n".join(lines[segment.first - first : max(after, segment.last) - first + 1])
        statement = standing_alone(segment) or own.strip()
        element = factory.make(segment, statement, home, facts, value=own, decisions=decisions)
        yield element.said(own.strip())


def _stands(file: SourceFile, lines: list[str], first: int) -> bool:
    """Return whether the lines of a text stand in the file one below the other."""
    shown = file.lines[first - 1 : first - 1 + len(lines)]
    plain = str.maketrans("", "", "{}")  # an f-string doubles braces
    return all(
        line.strip().translate(plain) in own.translate(plain) for line, own in zip(lines, shown, strict=False)
    )
