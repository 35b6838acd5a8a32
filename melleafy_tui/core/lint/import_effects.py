"""Holds what runs when a printed module is imported against the short list in `import_effects.toml`.

A call at the top level must be on the list, and nothing that the package itself defines may be called there. So no
instance of its classes exists while it is imported (but the members of an enum), and no body of its functions runs.
"""

import ast
from collections.abc import Iterator, Sequence
from typing import Final

from melleafy_tui.core.language.python_syntax import children, parse_python, text_in
from melleafy_tui.core.lint.linted_package import Package
from melleafy_tui.core.lint.modules import Function, Module, Problem, defined_in, dotted, names_in
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
_VALUES: Final = tuple(f"{name}." for name in ("", "builtins", *_LIST["value_modules"]))
_PLAIN: Final = tuple(getattr(ast, name) for name in _LIST["nodes"])
"""What the top level of a module may be made of."""


def check_import_side_effects(package: Package, module: Module) -> Iterator[Problem]:
    """Yield what could run when a module is imported, other than definitions and plain values."""
    if module.name != "__main__.py":
        yield from _Importing(package, module).all(module.tree.body)
        for bound in module.bindings.get("__getattr__", ()):
            yield module.problem(bound, "looking up a name in the module runs code")


def is_main_guard(test: ast.expr) -> bool:
    """Return whether a condition is `__name__ == "__main__"`."""
    return ast.unparse(test) == "__name__ == '__main__'"


class _Importing:
    """Reads one module as the import would run it.

    Args:
        package: The package.
        module: The module.
        types: Whether what is read is a type, whose texts are evaluated and whose names nothing calls.
        depth: How many names of types were followed.
        local: Names that mean something else in the class or comprehension that is read.
    """

    def __init__(
        self,
        package: Package,
        module: Module,
        *,
        types: bool = False,
        depth: int = 0,
        local: frozenset[str] = frozenset(),
    ) -> None:
        self._package, self._module, self._types, self._depth = package, module, types, depth
        self._local, self._problem = local, module.problem

    def _with(self, *, types: bool, local: frozenset[str] = frozenset()) -> "_Importing":
        return _Importing(
            self._package, self._module, types=types, depth=self._depth, local=self._local | local
        )

    def all(self, nodes: Sequence[ast.AST]) -> Iterator[Problem]:
        """Yield what nodes and all that they evaluate could run."""
        pending: list[ast.AST] = [*nodes]
        while pending:
            node = pending.pop()
            idle = isinstance(node, ast.Expr) and not isinstance(node.value, ast.Call | ast.Constant)
            if idle or not isinstance(node, _PLAIN):
                kind = "a statement runs" if isinstance(node, ast.stmt) else "an expression runs code"
                yield self._problem(node, f"{kind} at import")
                continue
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    yield from self._function(node)
                case ast.ClassDef():
                    yield from self._class(node)
                case ast.Import() | ast.ImportFrom():
                    yield from self._import(node)
                case ast.Lambda(args=given):
                    pending += [*given.defaults, *filter(None, given.kw_defaults)]
                case ast.If() if is_main_guard(node.test):
                    pending += node.orelse
                case ast.Assign() | ast.AnnAssign():
                    yield from self._assigned(node)
                case ast.Call():
                    yield from self._call(node)
                    receiver = children(node.func) if not dotted(node.func) else []
                    pending += [*receiver, *node.args, *(given.value for given in node.keywords)]
                case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                    stored = (each for each in ast.walk(node) if isinstance(each, ast.Name))
                    inner = frozenset(each.id for each in stored if isinstance(each.ctx, ast.Store))
                    yield from self._with(types=False, local=inner).all(children(node))
                case ast.Name() | ast.Attribute() if dotted(node):
                    yield from self._named(node)
                case ast.Subscript() if self._types and self._meaning(node.value).endswith(".Literal"):
                    yield from self._with(types=False).all([node.slice])
                case ast.Constant(value=str(text)) if self._types:
                    yield from self._quoted(node, text)
                case _:
                    pending += children(node)

    def _import(self, statement: ast.Import | ast.ImportFrom) -> Iterator[Problem]:
        names = [given.name for given in statement.names]
        if isinstance(statement, ast.ImportFrom):
            if "*" in names:
                yield self._problem(statement, "an import of all names hides what they are")
            names = [] if statement.level else [statement.module or ""]
        for name in names:
            if {name.partition(".")[0], name.rpartition(".")[2]} & {*_LIST["running_imports"]}:
                yield self._problem(statement, f"{name} does something when it is imported")

    def _function(self, function: Function) -> Iterator[Problem]:
        given = function.args
        every = (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg)
        yield from self._decorators(function.decorator_list)
        yield from self.all([*given.defaults, *filter(None, given.kw_defaults)])
        annotations = (*(each.annotation for each in every if each), function.returns)
        yield from self._with(types=True).all([each for each in annotations if each])

    def _decorators(self, decorators: list[ast.expr]) -> Iterator[Problem]:
        for decorator in decorators:
            named = decorator
            if isinstance(decorator, ast.Call):
                named = decorator.func
                yield from self.all([*decorator.args, *(given.value for given in decorator.keywords)])
            of_property = isinstance(named, ast.Attribute) and named.attr in ("setter", "getter", "deleter")
            own = dotted(named).partition(".")[0] in self._local
            if not (of_property and own) and self._meaning(named) not in _DECORATORS:
                yield self._problem(decorator, f"the decorator {ast.unparse(named)} runs at import")

    def _class(self, made: ast.ClassDef) -> Iterator[Problem]:
        yield from self._decorators(made.decorator_list)
        yield from self._with(types=True).all(made.bases)
        for option in made.keywords:
            if option.arg not in _LIST["class_options"]:
                yield self._problem(made, f"the class option {option.arg} runs code at import")
            yield from self.all([option.value])
        bound = frozenset(defined_in(made.body))
        yield from self._with(types=self._types, local=bound).all(made.body)
        is_plain = all(map(self._is_plain, made.bases))
        allowed = _LIST["special_methods" if is_plain else "methods_of_others"]
        if not is_plain and any(not self._meaning(base) for base in made.bases):
            yield self._problem(made, "a class of the package is mixed into one that may use it at import")
        for statement in made.body:
            if isinstance(statement, ast.Assign | ast.AnnAssign):
                yield from self._class_constant(statement)
            elif isinstance(statement, Function):
                name = statement.name
                if _is_special(name) and name not in allowed:
                    yield self._problem(statement, f"{name} runs when a class is defined")

    def _class_constant(self, statement: ast.Assign | ast.AnnAssign) -> Iterator[Problem]:
        """Yield special names of a class that aren't literals, and settings that a library could call."""
        names, value = names_in(statement), statement.value
        settings = isinstance(value, ast.Call) and self._meaning(value.func) == "pydantic.ConfigDict"
        if "model_config" in names and not settings:
            yield self._problem(statement, "model_config is no ConfigDict(…)", "Write it as ConfigDict(…).")
        elif value is not None and any(map(_is_special, names)):
            plain = (ast.Constant, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.expr_context)
            if not all(isinstance(node, plain) for node in ast.walk(value)):
                yield self._problem(statement, "a special method is assigned")

    def _assigned(self, statement: ast.Assign | ast.AnnAssign) -> Iterator[Problem]:
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        stored = (ast.Name, ast.Tuple, ast.List, ast.expr_context)
        if not all(isinstance(node, stored) for target in targets for node in ast.walk(target)):
            yield self._problem(statement, "a statement runs at import")
        if isinstance(statement, ast.AnnAssign):
            yield from self._with(types=True).all([statement.annotation])
        if statement.value is not None:
            yield from self._with(types=False).all([statement.value])

    def _is_plain(self, base: ast.expr) -> bool:
        """Return whether a base calls no method of a class when that is defined."""
        meaning, home, name = self._resolved(base.value if isinstance(base, ast.Subscript) else base)
        if meaning:
            is_error = meaning.startswith("builtins.") and meaning.endswith(("Error", "Exception"))
            return meaning in _PLAIN_BASES or meaning.startswith(".") or is_error
        own = home.defined.get(name)
        if not isinstance(own, ast.ClassDef) or self._depth > _DEEPEST:
            return False
        inner = _Importing(self._package, home, depth=self._depth + 1)
        return all(map(inner._is_plain, own.bases))

    def _quoted(self, node: ast.AST, text: str) -> Iterator[Problem]:
        """Yield what a type in quotation marks runs: pydantic evaluates it."""
        try:
            quoted = parse_python(f"({text.strip()})".encode()).body[0]
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return
        for problem in self.all([quoted.value if isinstance(quoted, ast.Expr) else quoted]):
            yield self._problem(node, problem.message)

    def _named(self, node: ast.expr) -> Iterator[Problem]:
        """Yield a finding for a name that is no plain value or type."""
        meaning, home, name = self._resolved(node)
        if name.partition(".")[0] in self._local and home is self._module:
            return
        if meaning.startswith("os.environ"):
            yield self._problem(node, "the environment is read at import")
        elif not self._types:
            inner = not meaning and name.count(".") > 1  # of a member of an enum, whose property runs
            if inner or not f"{meaning}.".startswith(_VALUES):
                yield self._problem(node, f"{dotted(node)} is no plain value")
        elif not meaning:
            bound = home.defined.get(name)
            value = bound.value if isinstance(bound, ast.Assign | ast.AnnAssign) else None
            if "." in name or self._depth > _DEEPEST:
                yield self._problem(node, f"{name} is no plain type")
            elif value is not None:  # it may be a text, which is evaluated, too
                inside = _Importing(self._package, home, types=True, depth=self._depth + 1)
                for problem in inside.all([value]):
                    yield self._problem(node, problem.message)

    def _call(self, call: ast.Call) -> Iterator[Problem]:
        meaning = self._meaning(call.func)
        if not (meaning in _CALLS or meaning.startswith(_STATIC) or self._is_method_of_value(call.func)):
            yield self._problem(call, f"{ast.unparse(call.func)} is called at import")
        for given in call.keywords:
            known = isinstance(given.value, ast.Constant) or self._meaning(given.value) in _CALLS
            if given.arg is None:
                yield self._problem(call, "arguments can't be read (**)")
            elif given.arg in _LIST["called_at_once"] and not known:
                yield self._problem(call, f"{given.arg} is a function that is called at import")

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

    def _meaning(self, node: ast.expr) -> str:
        """Return the full name of what a name means, such as `os.system`, `builtins.str`, or `.checks.judged`.

        Names in static modules begin with a dot. It is `""` for what the package defines, and `?` for what can't be
        told.
        """
        return self._resolved(node)[0]

    def _resolved(self, node: ast.expr) -> tuple[str, Module, str]:
        """Return what a name means, the module of the package where its meaning was found, and its name there."""
        module, name = self._module, dotted(node)
        if not name or name.partition(".")[0] in self._local:
            return "?", module, name
        for _ in range(_DEEPEST):
            head, _, rest = name.partition(".")
            bound = module.bindings.get(head, [])
            if module.static:
                return f".{module.name.removesuffix('.py').replace('/', '.')}.{name}", module, name
            statement = next((each for each in bound if isinstance(each, ast.Import | ast.ImportFrom)), None)
            if statement is None:
                return "" if bound else f"builtins.{name}", module, name
            if len(bound) > 1:
                return "?", module, name
            alias = next(
                each for each in statement.names if head in (each.asname, each.name.partition(".")[0])
            )
            inner = None
            if isinstance(statement, ast.ImportFrom):
                folder = module.name.rpartition("/")[0]
                inner = self._package.imported(folder, statement.level, statement.module or "")
            if inner is None:
                return _in_library(statement, alias, rest), module, name
            home = self._package.module_at(inner)
            submodule = self._package.module_at(f"{inner}/{alias.name}".lstrip("/"))
            if home is not None and alias.name in home.bindings:
                module, name = home, f"{alias.name}.{rest}".rstrip(".")
            elif submodule is not None and rest:
                module, name = submodule, rest
            else:
                break
        return "?", module, name


def _in_library(statement: ast.Import | ast.ImportFrom, alias: ast.alias, rest: str) -> str:
    """Return the full name of what an import of a library binds, with the attributes that are read of it."""
    if isinstance(statement, ast.ImportFrom):
        return f"{statement.module}.{alias.name}.{rest}".rstrip(".") if not statement.level else "?"
    return f"{alias.name if alias.asname else alias.name.partition('.')[0]}.{rest}".rstrip(".")


def _is_special(name: str) -> bool:
    """Return whether Python or its `enum` looks for a name unasked: `__init__`, `_missing_`."""
    return name.startswith("_") and name.endswith("_")
