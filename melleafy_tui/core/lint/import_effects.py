"""Holds what runs when a printed module is imported against the short list in `import_effects.toml`.

A call at the top level must be on the list. Of the package itself, only a function that does nothing but return such a
value may be called there. So no instance of its classes exists while it is imported, and neither the bodies of other
functions nor those of most methods need reading.
"""

import ast
from collections.abc import Iterator
from itertools import islice
from typing import Final

from melleafy_tui.core.language.python_syntax import children, parse_python
from melleafy_tui.core.lint.linted_package import Package
from melleafy_tui.core.lint.modules import (
    Function,
    Module,
    Problem,
    body_of,
    branches,
    defined_in,
    dotted,
    names_in,
    parameter_names,
    text_in,
)
from melleafy_tui.core.tables import table_beside

_LIST: Final[dict[str, list[str]]] = table_beside(__file__, "import_effects.toml")
_DEEPEST: Final = 8
"""Imports, and names of types, that are followed from one to the next."""


def _full_names(key: str) -> frozenset[str]:
    return frozenset(name if "." in name else f"builtins.{name}" for name in _LIST[key])


_CALLS: Final = _full_names("calls")
_DECORATORS: Final = _full_names("decorators")
_PLAIN_BASES: Final = _full_names("plain_bases")
_STATIC: Final = tuple(f".{name}." for name in _LIST["static_modules"])


def check_import_side_effects(package: Package, module: Module) -> Iterator[Problem]:
    """Yield what could run when a module is imported, other than definitions and plain values."""
    if module.name == "__main__.py":
        return
    importing = _Importing(package, module)
    yield from importing.statements(module.tree.body)
    for name, bound in module.bindings.items():
        if name == "__getattr__":
            yield module.problem(bound[0], "looking up a name in the module runs code")


def is_main_guard(test: ast.expr) -> bool:
    """Return whether a condition is `__name__ == "__main__"`."""
    match test:
        case ast.Compare(
            left=ast.Name(id="__name__"), ops=[ast.Eq()], comparators=[ast.Constant(value="__main__")]
        ):
            return True
    return False


class _Importing:
    """Reads one module as the import would run it."""

    def __init__(self, package: Package, module: Module, depth: int = 0) -> None:
        self._package, self._module, self._depth = package, module, depth
        self._problem = module.problem
        self._shadowed: frozenset[str] = frozenset()
        """Names of the class whose body is read, which may hide what a name means elsewhere."""

    # --- statements -----------------------------------------------------------------------------

    def statements(self, body: list[ast.stmt]) -> Iterator[Problem]:
        for statement in body:
            yield from self._statement(statement)

    def _statement(self, statement: ast.stmt) -> Iterator[Problem]:
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from self._function(statement)
            case ast.ClassDef():
                yield from self._class(statement)
            case ast.Import() | ast.ImportFrom():
                yield from self._import(statement)
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                pass
            case ast.If():
                guarded = is_main_guard(statement.test)
                yield from () if guarded else self._value(statement.test)
                yield from self.statements(statement.orelse if guarded else branches(statement))
            case ast.Try():
                for handler in statement.handlers:
                    yield from self._type(handler.type)
                yield from self.statements(branches(statement))
            case ast.Expr(value=ast.Call() as call):
                yield self._problem(call, f"{ast.unparse(call.func)} is called at import")
            case ast.Assign(targets=targets) if all(map(_is_name, targets)):
                yield from self._value(statement.value)
            case ast.AnnAssign(target=ast.Name()):
                yield from self._type(statement.annotation)
                yield from self._value(statement.value)
            case _:
                yield self._problem(statement, "a statement runs at import")

    def _import(self, statement: ast.Import | ast.ImportFrom) -> Iterator[Problem]:
        if isinstance(statement, ast.Import):
            names = [given.name for given in statement.names]
        else:
            names = [] if statement.level else [statement.module or ""]
            if statement.names[0].name == "*":
                yield self._problem(statement, "an import of all names hides what they are")
        for name in names:
            parts = name.split(".")
            if {parts[0], parts[-1]} & {*_LIST["running_imports"]}:
                yield self._problem(statement, f"{name} does something when it is imported")

    def _function(self, function: Function) -> Iterator[Problem]:
        given = function.args
        for decorator in function.decorator_list:
            yield from self._decorator(decorator)
        for value in (*given.defaults, *given.kw_defaults):
            yield from self._value(value)
        every = (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg)
        for annotation in (*(each.annotation for each in every if each), function.returns):
            yield from self._type(annotation)

    def _decorator(self, decorator: ast.expr) -> Iterator[Problem]:
        named = decorator
        if isinstance(decorator, ast.Call):
            named = decorator.func
            for value in (*decorator.args, *(given.value for given in decorator.keywords)):
                yield from self._value(value)
        known = False
        if isinstance(named, ast.Attribute) and named.attr in ("setter", "getter", "deleter"):
            known = isinstance(named.value, ast.Name) and named.value.id not in self._module.bindings
        if not known and self._meaning(named) not in _DECORATORS:
            yield self._problem(decorator, f"the decorator {ast.unparse(named)} runs at import")

    def _class(self, made: ast.ClassDef) -> Iterator[Problem]:
        for decorator in made.decorator_list:
            yield from self._decorator(decorator)
        for base in made.bases:
            yield from self._type(base)
        for option in made.keywords:
            if option.arg not in _LIST["class_options"]:
                yield self._problem(made, f"the class option {option.arg} runs code at import")
            yield from self._value(option.value)
        outside, self._shadowed = self._shadowed, self._shadowed | defined_in(made.body).keys()
        yield from self.statements(made.body)
        self._shadowed = outside
        is_plain = all(map(self._is_plain, made.bases))
        special = _LIST["special_methods" if is_plain else "methods_of_others"]
        if not is_plain and any(not self._meaning(base) for base in made.bases):
            yield self._problem(made, "a class of the package is mixed into one that may use it at import")
        for statement in made.body:
            if (
                isinstance(statement, Function)
                and _is_special(statement.name)
                and statement.name not in special
            ):
                yield self._problem(statement, f"{statement.name} runs when a class is defined")
            elif isinstance(statement, ast.Assign | ast.AnnAssign):
                yield from self._class_constant(statement)

    def _class_constant(self, statement: ast.Assign | ast.AnnAssign) -> Iterator[Problem]:
        """Yield special names of a class that aren't literals, and settings that a library could call."""
        value = statement.value
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        names = set().union(*map(names_in, targets))
        settings = isinstance(value, ast.Call) and self._meaning(value.func) == "pydantic.ConfigDict"
        if "model_config" in names and not settings:
            yield self._problem(statement, "model_config is no ConfigDict(…)", "Write it as ConfigDict(…).")
        elif value is not None and any(map(_is_special, names)) and not _is_literal(value):
            yield self._problem(statement, "a special method is assigned")

    def _is_plain(self, base: ast.expr) -> bool:
        """Return whether a base calls no method of a class when that is defined."""
        meaning, home, name = self._resolved(base.value if isinstance(base, ast.Subscript) else base)
        if meaning:
            is_error = meaning.startswith("builtins.") and meaning.endswith(("Error", "Exception"))
            return meaning in _PLAIN_BASES or meaning.startswith(".") or is_error
        own = home.defined.get(name)
        if not isinstance(own, ast.ClassDef) or self._depth > _DEEPEST:
            return False
        inner = _Importing(self._package, home, self._depth + 1)
        return all(map(inner._is_plain, own.bases))

    # --- values ---------------------------------------------------------------------------------

    def _type(self, node: ast.expr | None) -> Iterator[Problem]:
        """Yield what an annotation runs, also one in quotation marks, which pydantic evaluates."""
        match node:
            case ast.Constant(value=str(text)):
                try:
                    quoted = parse_python(f"({text.strip()})".encode()).body[0]
                except (SyntaxError, ValueError, RecursionError, MemoryError):
                    return
                for problem in self._type(quoted.value if isinstance(quoted, ast.Expr) else None):
                    yield self._problem(node, problem.message)
            case ast.Subscript():
                parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
                is_literal = self._meaning(node.value).endswith(".Literal")
                yield from self._type(node.value)
                for part in parts:
                    yield from self._value(part) if is_literal else self._type(part)
            case ast.BinOp(left=left, right=right):
                yield from self._type(left)
                yield from self._type(right)
            case ast.List(elts=parts):
                for part in parts:
                    yield from self._type(part)
            case ast.Name() | ast.Attribute():
                yield from self._value(node, is_type=True)
                yield from self._own_type(node)
            case _:
                yield from self._value(node)

    def _own_type(self, node: ast.expr) -> Iterator[Problem]:
        """Yield what a type runs that the package binds to a name: it may be a text, which is evaluated, too."""
        meaning, home, name = self._resolved(node)
        bound = home.defined.get(name) if not meaning else None
        value = bound.value if isinstance(bound, ast.Assign | ast.AnnAssign) else None
        kinds = (ast.Name, ast.Attribute, ast.Subscript, ast.BinOp, ast.Constant, ast.Call)
        if not meaning and (
            "." in name or self._depth > _DEEPEST or not isinstance(value, (*kinds, type(None)))
        ):
            yield self._problem(node, f"{name} is no plain type")
        elif value is not None:
            for problem in _Importing(self._package, home, self._depth + 1)._type(value):
                yield self._problem(node, problem.message)

    def _value(
        self, node: ast.expr | None, local: frozenset[str] = frozenset(), *, is_type: bool = False
    ) -> Iterator[Problem]:
        """Yield what evaluating a value runs.

        Args:
            node: The value.
            local: Names that mean something else inside it.
            is_type: Whether it is a type, whose names nothing calls.
        """
        local |= _bound_in(node)
        pending: list[ast.AST] = [node] if node is not None else []
        while pending:
            found = pending.pop()
            if isinstance(found, ast.Lambda):
                pending += [*found.args.defaults, *filter(None, found.args.kw_defaults)]
                continue
            if isinstance(found, ast.Call):
                yield from self._call(found, local)
                pending += [found.func.value] if isinstance(found.func, ast.Attribute) else []
                pending += [*found.args, *(given.value for given in found.keywords)]
                continue
            if isinstance(found, ast.Name | ast.Attribute) and dotted(found):
                yield from self._named(found, local, is_type=is_type)
                continue
            if isinstance(found, ast.NamedExpr | ast.Await | ast.Yield | ast.YieldFrom):
                yield self._problem(found, "an expression runs code at import")
            pending += children(found)

    def _named(self, found: ast.expr, local: frozenset[str], *, is_type: bool) -> Iterator[Problem]:
        """Yield a finding for a name of another module that is no plain value."""
        name = dotted(found)
        if name.partition(".")[0] in local:
            return
        meaning = self._meaning(found)
        if meaning.startswith("os.environ"):
            yield self._problem(found, "the environment is read at import")
        elif not (is_type or _is_value(meaning) or name.partition(".")[0] in self._shadowed):
            yield self._problem(found, f"{name} is no plain value")

    def _call(self, call: ast.Call, local: frozenset[str]) -> Iterator[Problem]:
        meaning, home, name = self._resolved(call.func)
        is_known = meaning in _CALLS or meaning.startswith(_STATIC) or self._is_method_of_value(call.func)
        own = home.defined.get(name) if not meaning and len(home.bindings.get(name, ())) == 1 else None
        if dotted(call.func).partition(".")[0] in local:
            yield self._problem(call, f"{ast.unparse(call.func)} is called at import")
        elif isinstance(own, ast.FunctionDef) and not own.decorator_list and self._depth < _DEEPEST:
            yield from self._returned(call, home, own)
        elif not is_known:
            yield self._problem(call, f"{ast.unparse(call.func)} is called at import")
        for given in call.keywords:
            if given.arg is None:
                yield self._problem(call, "arguments can't be read (**)")
            elif given.arg in _LIST["called_at_once"] and not (
                isinstance(given.value, ast.Constant) or self._meaning(given.value) in _CALLS
            ):
                yield self._problem(call, f"{given.arg} is a function that is called at import")

    def _returned(self, call: ast.Call, home: Module, function: ast.FunctionDef) -> Iterator[Problem]:
        """Yield a finding if a function of the package does more than return a value."""
        problem = home.problem(function, "it does more than return a value")
        body, local = body_of(function), frozenset(parameter_names(function))
        found: Iterator[Problem] = iter([problem])
        if len(body) == 1 and isinstance(body[0], ast.Return):
            found = _Importing(self._package, home, self._depth + 1)._value(body[0].value, local)
        for first in islice(found, 1):
            yield self._problem(call, f"{function.name} is called at import: {first.message}")

    def _is_method_of_value(self, called: ast.expr) -> bool:
        """Return whether a method of a literal text or a path is called."""
        if not isinstance(called, ast.Attribute) or called.attr not in _LIST["methods"]:
            return False
        receiver: ast.AST = called.value
        while isinstance(receiver, ast.Attribute | ast.Call):
            if isinstance(receiver, ast.Call) and self._meaning(receiver.func) == "pathlib.Path":
                return True
            receiver = receiver.value if isinstance(receiver, ast.Attribute) else receiver.func
        return text_in(receiver) is not None

    # --- names ----------------------------------------------------------------------------------

    def _meaning(self, node: ast.expr) -> str:
        """Return the full name of what a name means, such as `os.system`, `builtins.str`, or `.checks.judged`.

        Names in static modules begin with a dot. It is `""` for what the package defines, and `?` for what can't be
        told.
        """
        return self._resolved(node)[0]

    def _resolved(self, node: ast.expr) -> tuple[str, Module, str]:
        """Return what a name means, the module of the package where its meaning was found, and its name there."""
        module, name = self._module, dotted(node)
        if not name or name.partition(".")[0] in self._shadowed:
            return "?", module, name
        for _ in range(_DEEPEST):
            head, _, rest = name.partition(".")
            bound = module.bindings.get(head, [])
            imports = [each for each in bound if isinstance(each, ast.Import | ast.ImportFrom)]
            if module.static:
                return f".{module.name.removesuffix('.py').replace('/', '.')}.{name}", module, name
            if not imports:
                return "" if bound else f"builtins.{name}", module, name
            if len(bound) > 1:
                return "?", module, name
            statement = imports[0]
            alias = next(each for each in statement.names if _bound_by(each) == head)
            inner = self._imported(module, statement)
            if inner is None:
                return _in_library(statement, alias, rest), module, name
            home = self._package.module_at(inner)
            submodule = self._package.module_at(f"{inner}/{alias.name}".lstrip("/"))
            if home is not None and alias.name in home.bindings:
                module, name = home, f"{alias.name}.{rest}".rstrip(".")
            elif submodule is not None and rest:
                module, name = submodule, rest
            else:
                return "?", module, name
        return "?", module, name

    def _imported(self, module: Module, statement: ast.Import | ast.ImportFrom) -> str | None:
        """Return the path in the package that a `from` import names, or None."""
        if isinstance(statement, ast.Import):
            return None
        folder = module.name.rpartition("/")[0]
        return self._package.imported(folder, statement.level, statement.module or "")


def _bound_by(alias: ast.alias) -> str:
    return alias.asname or alias.name.partition(".")[0]


def _in_library(statement: ast.Import | ast.ImportFrom, alias: ast.alias, rest: str) -> str:
    """Return the full name of what an import of a library binds, with the attributes that are read of it."""
    if isinstance(statement, ast.ImportFrom):
        return f"{statement.module}.{alias.name}.{rest}".rstrip(".") if not statement.level else "?"
    return f"{alias.name if alias.asname else _bound_by(alias)}.{rest}".rstrip(".")


def _is_value(meaning: str) -> bool:
    """Return whether a meaning is of the package, a builtin, or of a module whose names may be values."""
    known = ("builtins", *_LIST["value_modules"])
    return (
        meaning[:1] in ("", ".")
        or meaning in known
        or meaning.startswith(tuple(f"{each}." for each in known))
    )


def _is_name(target: ast.expr) -> bool:
    parts = target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
    return all(isinstance(part, ast.Name) for part in parts)


def _is_special(name: str) -> bool:
    """Return whether Python or its `enum` looks for a name unasked: `__init__`, `_missing_`."""
    return name.startswith("_") and name.endswith("_")


def _is_literal(value: ast.expr) -> bool:
    plain = (ast.Constant, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.expr_context)
    return all(isinstance(node, plain) for node in ast.walk(value))


def _bound_in(node: ast.AST | None) -> frozenset[str]:
    """Return the names that a value binds inside itself, such as those of a comprehension."""
    inner = ast.walk(node) if node is not None else ()
    return frozenset(
        each.id for each in inner if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    )
