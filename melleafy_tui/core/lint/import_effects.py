"""Holds what runs when a printed module is imported against the short list in `import_effects.toml`.

A call at the top level must be on the list, and nothing that the package itself defines may be called there. So no
instance of its classes exists while it is imported (but the members of an enum), and no body of its functions runs.
"""

import ast
from collections.abc import Iterator, Sequence
from typing import Final

from melleafy_tui.core.language.python_syntax import children, parse_python, text_in
from melleafy_tui.core.lint.linted_package import Package
from melleafy_tui.core.lint.modules import Function, Module, Problem, defined_in, dotted, names_in, parameters
from melleafy_tui.core.tables import table_beside

_LIST: Final[dict[str, list[str]]] = table_beside(__file__, "import_effects.toml")
_DEEPEST: Final = 8
"""Imports that are followed from one module of the package to the next."""


def _listed(key: str) -> frozenset[str]:
    return frozenset(name if "." in name else f"builtins.{name}" for name in _LIST[key])


_CALLS: Final = _listed("calls")
_DECORATORS: Final = _listed("decorators")
_PLAIN_BASES: Final = _listed("plain_bases")
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


class _Importing:
    """Reads one module as the import would run it.

    Args:
        package: The package.
        module: The module.
        local: Names that mean something else in the class, comprehension or alias that is read.
    """

    def __init__(self, package: Package, module: Module, local: frozenset[str] = frozenset()) -> None:
        self._package, self._module, self._local = package, module, local
        self._problem = module.problem

    def _within(self, *names: str) -> "_Importing":
        """Return a reader of what is inside of something that gives names another meaning."""
        return _Importing(self._package, self._module, self._local.union(names))

    def all(self, nodes: Sequence[ast.AST | None], *, types: bool = False) -> Iterator[Problem]:
        """Yield what nodes and all that they evaluate could run.

        Args:
            nodes: The nodes.
            types: Whether they are types, whose texts are evaluated and whose names nothing calls.
        """
        pending = [node for node in nodes if node is not None]
        while pending:
            node = pending.pop()
            idle = isinstance(node, ast.Expr) and not isinstance(node.value, ast.Call | ast.Constant)
            if idle or not isinstance(node, _PLAIN):
                kind = "a statement runs" if isinstance(node, ast.stmt) else "an expression runs code"
                yield self._problem(node, f"{kind} at import")
                continue
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    yield from self._decorators(node.decorator_list)
                    pending += [*node.args.defaults, *filter(None, node.args.kw_defaults)]
                    every = (*parameters(node), node.args.vararg, node.args.kwarg)
                    annotations = (*(each.annotation for each in every if each), node.returns)
                    yield from self.all(annotations, types=True)
                case ast.ClassDef():
                    yield from self._class(node)
                case ast.Import() | ast.ImportFrom():
                    yield from self._import(node)
                case ast.Lambda(args=given):
                    pending += [*given.defaults, *filter(None, given.kw_defaults)]
                case ast.If() if ast.unparse(node.test) == "__name__ == '__main__'":
                    pending += node.orelse
                case ast.Assign() | ast.AnnAssign():
                    yield from self._assigned(node)
                case ast.Call():
                    yield from self._call(node)
                    receiver = children(node.func) if not dotted(node.func) else []
                    pending += [*receiver, *node.args, *(given.value for given in node.keywords)]
                case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                    targets = (each.target for each in node.generators)
                    inner = self._within(*(name for target in targets for name in names_in(target)))
                    yield from inner.all(children(node))
                case ast.Name() | ast.Attribute() if dotted(node):
                    yield from self._named(node, types=types)
                case ast.Subscript() if types and self._meaning(node.value).endswith(".Literal"):
                    yield from self.all([node.slice])
                case ast.Constant(value=str(text)) if types:
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
        yield from self.all(made.bases, types=True)
        for option in made.keywords:
            if option.arg not in _LIST["class_options"]:
                yield self._problem(made, f"the class option {option.arg} runs code at import")
            yield from self.all([option.value])
        yield from self._within(*defined_in(made.body)).all(made.body)
        is_plain = self._has_plain_bases(made)
        allowed = _LIST["special_methods" if is_plain else "methods_of_others"]
        if not is_plain and any(not self._meaning(base) for base in made.bases):
            yield self._problem(made, "a class of the package is mixed into one that may use it at import")
        for statement in made.body:
            if isinstance(statement, ast.Assign | ast.AnnAssign):
                yield from self._class_constant(statement)
            elif (
                isinstance(statement, Function)
                and _is_special(statement.name)
                and statement.name not in allowed
            ):
                yield self._problem(statement, f"{statement.name} runs when a class is defined")

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

    def _has_plain_bases(self, made: ast.ClassDef) -> bool:
        """Return whether no base calls a method of a class when that is defined."""
        for base in made.bases:
            named = base.value if isinstance(base, ast.Subscript) else base
            meaning, own = self._meaning(named), self._module.defined.get(dotted(named))
            is_error = meaning.startswith("builtins.") and meaning.endswith(("Error", "Exception"))
            is_plain = meaning in _PLAIN_BASES or meaning.startswith(".") or is_error
            if not is_plain and (not isinstance(own, ast.ClassDef) or own.lineno >= made.lineno):
                return False
            if isinstance(own, ast.ClassDef) and not self._has_plain_bases(own):
                return False
        return True

    def _assigned(self, statement: ast.Assign | ast.AnnAssign) -> Iterator[Problem]:
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        stored = (ast.Name, ast.Tuple, ast.List, ast.expr_context)
        if not all(isinstance(node, stored) for target in targets for node in ast.walk(target)):
            yield self._problem(statement, "a statement runs at import")
        yield from self.all([getattr(statement, "annotation", None)], types=True)
        yield from self.all([statement.value])

    def _quoted(self, node: ast.AST, text: str) -> Iterator[Problem]:
        """Yield what a type in quotation marks runs: pydantic evaluates it."""
        try:
            quoted = parse_python(f"({text.strip()})".encode()).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return
        inside = [each.value if isinstance(each, ast.Expr) else each for each in quoted]
        for problem in self.all(inside, types=True):
            yield self._problem(node, problem.message)

    def _named(self, node: ast.expr, *, types: bool) -> Iterator[Problem]:
        """Yield a finding for a name that is no plain value or type."""
        meaning, name = self._meaning(node), dotted(node)
        head = name.partition(".")[0]
        if head in self._local:
            return
        if meaning.startswith("os.environ"):
            yield self._problem(node, "the environment is read at import")
        elif not types:
            inner = not meaning and name.count(".") > 1  # of a member of an enum, whose property runs
            if inner or not f"{meaning}.".startswith(_VALUES):
                yield self._problem(node, f"{name} is no plain value")
        elif not meaning:
            home, bound = self._package.definition(self._module, name) or (self._module, None)
            if isinstance(bound, ast.Assign | ast.AnnAssign) and bound.value is not None:
                inside = _Importing(self._package, home, self._local | {name})  # a text is evaluated, too
                for problem in inside.all([bound.value], types=True):
                    yield self._problem(node, problem.message)
            elif not isinstance(bound, ast.ClassDef):
                yield self._problem(node, f"{name} is no plain type")

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
        """Return the full name of what a name means here, as `_full_name` does; `?` for one that is no plain name."""
        name = dotted(node)
        is_known = name and name.partition(".")[0] not in self._local
        return _full_name(self._package, self._module, name) if is_known else "?"


def _full_name(package: Package, module: Module, name: str, depth: int = 0) -> str:
    """Return the full name of what a name means in a module, such as `os.system`, `builtins.str`, `.checks.judged`.

    Names in static modules begin with a dot. It is `""` for what the package defines, and `?` for what can't be told.
    """
    head, _, rest = name.partition(".")
    bound = module.bindings.get(head, [])
    if module.static:
        return f".{module.name.removesuffix('.py').replace('/', '.')}.{name}"
    statement = next((each for each in bound if isinstance(each, ast.Import | ast.ImportFrom)), None)
    if statement is None:
        return "" if bound else f"builtins.{name}"
    if len(bound) > 1 or depth > _DEEPEST:
        return "?"
    alias = next(each for each in statement.names if head in (each.asname, each.name.partition(".")[0]))
    if isinstance(statement, ast.Import):
        return f"{alias.name if alias.asname else head}.{rest}".rstrip(".")
    inner = package.imported(module.name.rpartition("/")[0], statement.level, statement.module or "")
    own = f"{alias.name}.{rest}".rstrip(".")
    if inner is None:
        return "?" if statement.level else f"{statement.module}.{own}"
    home, submodule = map(package.module_at, (inner, f"{inner}/{alias.name}".lstrip("/")))
    if home is not None and alias.name in home.bindings:
        return _full_name(package, home, own, depth + 1)
    return _full_name(package, submodule, rest, depth + 1) if submodule is not None and rest else "?"


def _is_special(name: str) -> bool:
    """Return whether Python or its `enum` looks for a name unasked: `__init__`, `_missing_`."""
    return name.startswith("_") and name.endswith("_")
