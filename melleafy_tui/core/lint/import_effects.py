"""Finds by syntax alone what could run when a module is imported: whatever isn't on the lists here is a finding.

Definitions, imports and assignments of values may stand at the top level. A value may call builtins and constructors of
libraries that are listed here, and functions and classes of the package, whose bodies are then read by the same rules.
A name counts as what an import or a definition binds it to, so that giving `open` another name hides nothing.
"""

# ruff: noqa: SIM905 - the tables are easier to read as words

import ast
import builtins
from collections.abc import Iterator
from itertools import chain
from typing import Final

from melleafy_tui.core.language.python_syntax import children, parse_python
from melleafy_tui.core.lint.modules import Module, Problem, branches, dotted, names_in
from melleafy_tui.core.lint.view import PackageView

HINT: Final = "Move it into a function that is called when it is needed."

EFFECTS: Final = {
    "start_session": "opens a session",
    "input": "waits for input",
    "open": "opens a file",
    "exec": "runs code",
    "eval": "runs code",
    "read_text": "reads a file",
    "read_bytes": "reads a file",
    "getenv": "reads the environment",
    "urlopen": "opens a connection",
}
"""What some calls do, by the last part of their name; only wording."""

BUILTINS: Final = frozenset(
    """abs all any bool bytes chr complex dict divmod enumerate float frozenset int isinstance issubclass len list max
    min object ord range repr reversed round set slice sorted str sum super tuple zip""".split()
) | {
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
}

LIBRARY: Final = frozenset(
    """collections.OrderedDict collections.deque collections.namedtuple contextvars.ContextVar dataclasses.field
    datetime.date datetime.datetime datetime.time datetime.timedelta datetime.timezone decimal.Decimal enum.auto
    fractions.Fraction logging.getLogger mellea.core.Requirement mellea.stdlib.requirements.Requirement
    mellea.stdlib.requirements.check mellea.stdlib.requirements.req mellea.stdlib.requirements.simple_validate
    pathlib.Path pathlib.PurePath pathlib.PurePosixPath re.compile re.escape string.Template types.MappingProxyType
    typing.NamedTuple typing.NewType typing.ParamSpec typing.TypeVar typing.cast zoneinfo.ZoneInfo
    pydantic.AfterValidator pydantic.BeforeValidator pydantic.ConfigDict pydantic.Discriminator pydantic.Field
    pydantic.PlainSerializer pydantic.PlainValidator pydantic.PrivateAttr pydantic.StringConstraints pydantic.Tag
    pydantic.TypeAdapter pydantic.WithJsonSchema pydantic.WrapValidator""".split()
)
"""Calls that only make a value."""

DECORATORS: Final = frozenset(
    """abc.abstractmethod contextlib.asynccontextmanager contextlib.contextmanager dataclasses.dataclass functools.cache
    functools.cached_property functools.lru_cache functools.wraps mellea.generative
    mellea.stdlib.components.genstub.generative mellea.stdlib.genslot.generative pydantic.computed_field
    pydantic.field_serializer pydantic.field_validator pydantic.model_serializer pydantic.model_validator typing.final
    typing.no_type_check typing.overload typing.override typing.runtime_checkable enum.unique""".split()
)
METHOD_DECORATORS: Final = frozenset({"classmethod", "property", "staticmethod"})
CLASS_OPTIONS: Final = frozenset({"frozen", "total", "extra", "slots", "boundary", "populate_by_name"})

VALUE_METHODS: Final = frozenset(
    """append capitalize casefold copy count difference encode endswith extend find format get index intersection items
    join joinpath keys lower lstrip partition quantize relative_to removeprefix removesuffix resolve rpartition rsplit
    rstrip setdefault split splitlines startswith strip title translate union update upper values with_name
    with_suffix""".split()
)
"""Methods of texts, collections and paths; a class of the package may not define one of these names.

`replace` isn't one of them: that of a path moves a file."""

VALUE_MODULES: Final = frozenset(
    """__future__ abc collections dataclasses datetime decimal enum fractions logging math mellea operator pathlib
    pydantic pydantic_core re string types typing typing_extensions zoneinfo""".split()
)
VALUE_NAMES: Final = frozenset(
    """http.client.HTTPException os.linesep os.name os.sep sys.executable sys.platform urllib.error.HTTPError
    urllib.error.URLError""".split()
)
"""What of other modules may be a value: a function of theirs could be called by what it is given to, and a module or
a table of theirs changed under another name."""

RUNNING_IMPORTS: Final = frozenset(
    """__hello__ __main__ __phello__ antigravity ctypes idlelib sitecustomize test this turtledemo
    usercustomize""".split()
)
"""Modules of Python that do something when they or their names are imported or named."""

ALWAYS_RUN: Final = frozenset(
    """__class_getitem__ __get_pydantic_core_schema__ __get_pydantic_json_schema__ __init_subclass__ __mro_entries__
    __prepare__ __pydantic_init_subclass__ __pydantic_on_complete__ __set_name__ __subclasshook__""".split()
)
"""Methods that run when another class is defined, or asked about."""

CALLBACKS: Final = frozenset(
    {"alias_generator", "default_factory", "field_title_generator", "key", "model_title_generator"}
)
"""Arguments that are functions, and are called at once or with the next instance."""

VALIDATORS: Final = frozenset(f"pydantic.{kind}Validator" for kind in ("After", "Before", "Plain", "Wrap"))

PLAIN_BASES: Final = frozenset(
    """abc.ABC enum.Enum enum.Flag enum.IntEnum enum.IntFlag enum.StrEnum object pydantic.BaseModel pydantic.RootModel
    typing.Generic typing.NamedTuple typing.Protocol typing.TypedDict typing_extensions.TypedDict""".split()
)
"""Classes of libraries that call no method of a class based on them but special ones and validators."""

RUN_LATER: Final = frozenset({"__call__", "__deepcopy__", "__enter__", "__exit__"})
"""Methods of an instance that nothing at import can reach by the rules here."""

PLAIN_METHODS: Final = frozenset(
    {"asynccontextmanager", "classmethod", "contextmanager", "lru_cache", "staticmethod"}
)
"""Decorators of methods that nothing calls unasked."""

_LITERAL: Final = ("typing.Literal", "typing_extensions.Literal")
_PLAIN: Final = (ast.Constant, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.expr_context)
_RUNNING_EXPRESSIONS: Final = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
_FUNCTION: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_IMPORT: Final = (ast.Import, ast.ImportFrom)
_NAMED: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_DEEPEST: Final = 40
"""Calls within calls that are followed; beyond, a call is a finding."""

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def check_import_side_effects(view: PackageView, module: Module) -> Iterator[Problem]:
    """Yield what could run when a module is imported, other than definitions and plain values."""
    if module.name != "__main__.py":
        importing = _Importing(view, module)
        yield from dict.fromkeys(chain(importing.statements(module.tree.body), importing.look_ups()))


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

    def __init__(self, view: PackageView, module: Module, open_calls: tuple[ast.AST, ...] = ()) -> None:
        self._view, self._module, self._open_calls = view, module, open_calls
        self._first_effects: dict[Definition, str] = {}

    # --- statements -----------------------------------------------------------------------------

    def look_ups(self) -> Iterator[Problem]:
        """Yield what looking up a name in the module runs."""
        for bound in self._module.bindings.get("__getattr__", ()):
            if isinstance(bound, _FUNCTION):
                yield from self._body(bound)
            else:
                yield self._module.problem(bound, "a special function is assigned", HINT)

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
            case ast.If() | ast.Try():
                yield from self._branches(statement)
            case ast.Expr(value=ast.Call() as call):
                name = ast.unparse(call.func)
                yield self._module.problem(call, f"{name} is called at import", HINT)
            case ast.Assign(targets=targets) if all(map(_is_name, targets)):
                yield from self.value(statement.value)
                yield from self._configuration(statement)
            case ast.AnnAssign(target=ast.Name()):
                yield from self._annotation(statement.annotation)
                yield from self.value(statement.value)
            case ast.Raise():
                yield from self.value(statement.exc)
                yield from self.value(statement.cause)
            case _:
                yield self._module.problem(statement, "a statement runs at import", HINT)

    def _branches(self, statement: ast.If | ast.Try) -> Iterator[Problem]:
        if isinstance(statement, ast.If) and is_main_guard(statement.test):
            yield from self.statements(statement.orelse)
            return
        if isinstance(statement, ast.If):
            yield from self.value(statement.test)
        else:
            for handler in statement.handlers:
                yield from self.value(handler.type)
        yield from self.statements(branches(statement))

    def _import(self, statement: ast.Import | ast.ImportFrom) -> Iterator[Problem]:
        inside = isinstance(statement, ast.ImportFrom) and statement.level
        named = [statement.module or ""] if isinstance(statement, ast.ImportFrom) else []
        for name in named or [given.name for given in statement.names]:
            parts = name.split(".")
            if not inside and (parts[0] in RUNNING_IMPORTS or parts[-1] == "__main__"):
                yield self._module.problem(statement, f"{name} does something when it is imported", HINT)

    def _configuration(self, statement: ast.Assign) -> Iterator[Problem]:
        """Yield what the functions in a dict of pydantic's settings run."""
        if isinstance(statement.value, ast.Dict) and _assigns(statement, "model_config"):
            for key, value in zip(statement.value.keys, statement.value.values, strict=True):
                if not isinstance(key, ast.Constant):
                    yield self._module.problem(statement, "a setting can't be read", HINT)
                elif key.value in CALLBACKS:
                    yield from self._given(value, frozenset())

    def _function(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Problem]:
        given = function.args
        for decorator in function.decorator_list:
            yield from self._decorator(decorator)
        for value in (*given.defaults, *given.kw_defaults):
            yield from self.value(value)
        every = (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg)
        for annotation in (*(each.annotation for each in every if each), function.returns):
            yield from self._annotation(annotation)
        if function.name in ALWAYS_RUN:
            yield from self._body(function)

    def _class(self, made: ast.ClassDef) -> Iterator[Problem]:
        for decorator in made.decorator_list:
            yield from self._decorator(decorator)
        for base in made.bases:
            yield from self.value(base, named=True)
        for option in made.keywords:
            if option.arg not in CLASS_OPTIONS:
                yield self._module.problem(made, f"the class option {option.arg} runs code at import", HINT)
            yield from self.value(option.value)
        yield from self.statements(made.body)
        for statement in made.body:
            if isinstance(statement, ast.Assign | ast.AnnAssign) and _assigns_a_method(statement):
                yield self._module.problem(statement, "a special method is assigned", HINT)
            elif isinstance(statement, _FUNCTION) and _is_special(statement.name) and self._is_enum(made):
                yield from self._body(statement)

    def _is_enum(self, made: ast.ClassDef) -> bool:
        """Return whether a class makes its instances when it is defined."""
        for base in made.bases:
            origin, defined = self._meaning(base)
            if origin.partition(".")[0] == "enum":
                return True
            if defined is not None and isinstance(defined[1], ast.ClassDef) and defined[1] is not made:
                inner = _Importing(self._view, defined[0], (*self._open_calls, made))
                if made in self._open_calls or inner._is_enum(defined[1]):
                    return True
        return False

    def _decorator(self, decorator: ast.expr) -> Iterator[Problem]:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        name, defined = self._meaning(called)
        if isinstance(decorator, ast.Call):
            for value in (*decorator.args, *decorator.keywords):
                yield from self.value(value)
        if defined is not None:
            yield from self._run(called, *defined)
        elif name not in DECORATORS | METHOD_DECORATORS and not (_is_accessor(called) and not name):
            yield self._module.problem(decorator, f"the decorator {ast.unparse(called)} runs at import", HINT)

    def _annotation(self, annotation: ast.expr | None) -> Iterator[Problem]:
        """Yield what an annotation runs, also one in quotation marks, which pydantic evaluates."""
        if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
            try:
                quoted = parse_python(f"({annotation.value.strip()})".encode())
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                return
            for problem in self._annotation(_expression(quoted)):
                yield self._module.problem(annotation, problem.message, problem.hint)
            return
        if isinstance(annotation, ast.Subscript) and self._meaning(annotation.value)[0] in _LITERAL:
            yield from self.value(annotation.slice)
        elif isinstance(annotation, ast.Subscript):
            yield from self.value(annotation.value, named=True)
            inner = annotation.slice.elts if isinstance(annotation.slice, ast.Tuple) else [annotation.slice]
            for part in inner:
                yield from self._annotation(part)
        else:
            yield from self.value(annotation, named=True)

    # --- values ---------------------------------------------------------------------------------

    def value(
        self, node: ast.AST | None, local: frozenset[str] = frozenset(), *, named: bool = False
    ) -> Iterator[Problem]:
        """Yield what evaluating a value runs.

        Args:
            node: The value.
            local: Names that mean something else inside it.
            named: Whether it is a type, which nothing calls.
        """
        pending = [node] if node is not None else []
        local |= _bound_in(node)
        types: set[int] = set()
        while pending:
            found = pending.pop()
            if isinstance(found, ast.Lambda):
                pending += [*found.args.defaults, *filter(None, found.args.kw_defaults)]
                continue
            if isinstance(found, ast.Name | ast.Attribute) and dotted(found):
                yield from self._named(found, local, named=named or id(found) in types)
                continue
            if isinstance(found, ast.Subscript) and _is_value(self._meaning(found.value)[0]):
                types |= {id(inner) for inner in ast.walk(found.slice)}
            inside = children(found)
            if isinstance(found, ast.Call):
                if dotted(found.func):
                    inside.remove(found.func)
                yield from self._call(found, local)
            elif isinstance(found, ast.Dict) and None in found.keys and self._is_method("keys"):
                yield self._module.problem(found, "a method of the package is called at import", HINT)
            elif isinstance(found, _RUNNING_EXPRESSIONS):
                yield self._module.problem(found, "an expression runs code at import", HINT)
            pending += inside

    def _named(
        self, found: ast.Name | ast.Attribute, local: frozenset[str], *, named: bool
    ) -> Iterator[Problem]:
        """Yield a finding for a name of another module that is no plain value."""
        name = dotted(found)
        meaning = self._meaning(found)[0]
        if name.partition(".")[0] in local or not self._module.bindings.get(name.partition(".")[0]):
            return
        if meaning == "os.environ" or meaning.startswith("os.environ."):
            yield self._module.problem(found, "the environment is read at import", HINT)
        elif not (named or not meaning or _is_value(meaning)):
            yield self._module.problem(found, f"{meaning} is no plain value", HINT)

    def _call(self, call: ast.Call, local: frozenset[str]) -> Iterator[Problem]:
        yield from self._callbacks(call, local)
        name, defined = self._meaning(call.func)
        hidden = isinstance(call.func, ast.Name) and call.func.id in local
        if not hidden and defined is not None:
            yield from self._run(call, *defined)
        elif hidden or not (name in LIBRARY or name in BUILTINS or self._is_value_method(call)):
            said = ast.unparse(call.func)
            effect = EFFECTS.get((name or said).rpartition(".")[2], "is called")
            yield self._module.problem(call, f"{said} {effect} at import", HINT)

    def _callbacks(self, call: ast.Call, local: frozenset[str]) -> Iterator[Problem]:
        """Yield what functions run that a call is given to call at once."""
        for keyword in call.keywords:
            if keyword.arg is None:
                yield self._module.problem(call, "arguments can't be read (**)", HINT)
            elif keyword.arg in CALLBACKS:
                yield from self._given(keyword.value, local)
        if self._meaning(call.func)[0] == "pydantic.TypeAdapter":  # which reads a text as a type
            for value in (*call.args, *(keyword.value for keyword in call.keywords)):
                yield from self._annotation(value)
        if self._meaning(call.func)[0] in VALIDATORS:
            for value in (*call.args, *(keyword.value for keyword in call.keywords)):
                yield from self._given(value, local)

    def _given(self, function: ast.expr, local: frozenset[str]) -> Iterator[Problem]:
        """Yield what a function runs that is given to something that calls it."""
        if isinstance(function, ast.Lambda):
            yield from self.value(function.body, local | _arguments(function.args))
        else:
            called = ast.Call(function, [], [])
            yield from self._call(ast.copy_location(called, function), local)

    def _is_value_method(self, call: ast.Call) -> bool:
        """Return whether a call is a method of a text, a collection or a path, and `super().__init__`."""
        match call.func:
            case ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr=name):
                return name.startswith("__")
            case ast.Attribute(attr=name):
                return name in VALUE_METHODS and not self._meaning(call.func)[0] and not self._is_method(name)
        return False

    def _is_method(self, name: str) -> bool:
        """Return whether a class of the package defines a method of this name."""
        return any(
            name in module.methods for module in self._view.modules.values() if module.may_define(name)
        )

    def _meaning(self, called: ast.expr) -> tuple[str, tuple[Module, Definition] | None]:
        """Return the full name of what is called, and its definition if that is in the package."""
        name = dotted(called)
        head, _, rest = name.partition(".")
        bound = self._module.bound(head)
        if not bound:
            return ("" if rest or "*" in self._module.bindings else name), None
        meanings = [self._bound(head, statement) for statement in bound]
        origin, defined = meanings[0]
        if any(meaning != meanings[0] for meaning in meanings):
            return "", None
        if rest:
            return (f"{origin}.{rest}" if origin else ""), None
        return origin, defined

    def _bound(self, name: str, statement: ast.AST) -> tuple[str, tuple[Module, Definition] | None]:
        """Return what a statement binds a name to, as `_meaning` does."""
        if isinstance(statement, _NAMED):
            return "", (self._module, statement)
        if not isinstance(statement, _IMPORT):
            return "", None
        given = next(each for each in statement.names if _binds(each, name))
        if isinstance(statement, ast.Import):
            return (given.name if given.asname else name), None
        home = _home(self._view, self._module, statement)
        if home is None:
            return ("" if statement.level else f"{statement.module}.{given.name}"), None
        match home.bound(given.name):
            case [ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() as defined]:
                return "", (home, defined)
        return "", None

    # --- what is called -------------------------------------------------------------------------

    def _run(self, call: ast.AST, home: Module, defined: Definition) -> Iterator[Problem]:
        """Yield a finding if a function or class of the package does more than make a value when it is called."""
        if defined in self._open_calls:
            return
        found = self._first_effects.get(defined)
        if found is None:  # a table of rules calls the same class hundreds of times
            found = self._first_effects[defined] = self._first_effect(home, defined)
        if found:
            yield self._module.problem(call, f"{defined.name} runs at import: {found}", HINT)

    def _first_effect(self, home: Module, defined: Definition) -> str:
        """Return what a call does first besides making a value, or `""`."""
        if len(self._open_calls) >= _DEEPEST:
            return "too many calls within calls"
        inner = _Importing(self._view, home, (*self._open_calls, defined))
        return next((problem.message for problem in inner.ran(defined)), "")

    def ran(self, defined: Definition) -> Iterator[Problem]:
        """Yield what calling a function, or making an instance of a class, runs."""
        if not isinstance(defined, ast.ClassDef):
            yield from self._body(defined)
            return
        everything = self._is_called_elsewhere(defined)
        for method in defined.body:
            if isinstance(method, _FUNCTION) and (everything or _runs_with_instance(method)):
                yield from self._body(method)
        for base in defined.bases:
            _, inherited = self._meaning(base)
            if inherited is not None:
                yield from self._run(base, *inherited)

    def _is_called_elsewhere(self, made: ast.ClassDef) -> bool:
        """Return whether a library may call any method of a class, as it calls `utcoffset` of a time zone."""
        for base in made.bases:
            name, defined = self._meaning(base.value if isinstance(base, ast.Subscript) else base)
            if defined is None:
                if name not in PLAIN_BASES and not name.endswith(("Error", "Exception")):
                    return True
            elif isinstance(defined[1], ast.ClassDef) and defined[1] not in (*self._open_calls, made):
                inner = _Importing(self._view, defined[0], (*self._open_calls, made))
                if inner._is_called_elsewhere(defined[1]):
                    return True
        return False

    def _body(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Problem]:
        local = _arguments(function.args)
        pending: list[ast.AST] = list(function.body)
        for node in pending:
            local |= _bound_in(node)
        while pending:
            node = pending.pop()
            if isinstance(
                node, ast.With | ast.AsyncWith | ast.Import | ast.ImportFrom | ast.Global | ast.Delete
            ):
                yield self._module.problem(node, "a statement runs", HINT)
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                yield from self._statement(node)
            elif isinstance(node, ast.expr):
                yield from self.value(node, local)
            else:
                pending += children(node)


def _expression(tree: ast.Module) -> ast.expr | None:
    return next((line.value for line in tree.body if isinstance(line, ast.Expr)), None)


def _is_name(target: ast.expr) -> bool:
    parts = target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
    return all(isinstance(part, ast.Name) for part in parts)


def _assigns(statement: ast.Assign, name: str) -> bool:
    return any(isinstance(target, ast.Name) and target.id == name for target in statement.targets)


def _is_special(name: str) -> bool:
    return name.startswith("_") and name.endswith("_")


def _assigns_a_method(statement: ast.Assign | ast.AnnAssign) -> bool:
    """Return whether a special name of a class is bound to what could be a function."""
    if statement.value is None:
        return False
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    special = any(
        name.startswith("__") and name.endswith("__") for target in targets for name in names_in(target)
    )
    return special and not all(isinstance(node, _PLAIN) for node in ast.walk(statement.value))


def _is_value(meaning: str) -> bool:
    return meaning.partition(".")[0] in VALUE_MODULES or meaning in VALUE_NAMES


def _is_accessor(called: ast.expr) -> bool:
    """Return whether a decorator is `x.setter` or the like of a property."""
    return isinstance(called, ast.Attribute) and called.attr in ("setter", "getter", "deleter")


def _binds(alias: ast.alias, name: str) -> bool:
    return (alias.asname or alias.name.partition(".")[0]) == name


def _arguments(given: ast.arguments) -> frozenset[str]:
    every = (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg)
    return frozenset(each.arg for each in every if each is not None)


def _bound_in(node: ast.AST | None) -> frozenset[str]:
    """Return the names that a value or statement binds inside itself, such as those of a comprehension."""
    if node is None:
        return frozenset()
    return frozenset(
        inner.id
        for inner in ast.walk(node)
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store)
    )


def _runs_with_instance(method: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether making or using an instance can run a method: constructors, operators, properties, validators."""
    decorators = {dotted(each.func if isinstance(each, ast.Call) else each) for each in method.decorator_list}
    if decorators - PLAIN_METHODS:
        return True
    return (method.name.startswith("__") or method.name == "model_post_init") and method.name not in RUN_LATER


def _home(view: PackageView, module: Module, statement: ast.ImportFrom) -> Module | None:
    """Return the module of the package that a `from` import reads, or None."""
    named = (statement.module or "").split(".") if statement.module else []
    if statement.level:
        folder = module.name.split("/")[:-1]
        parts = [*folder[: len(folder) - (statement.level - 1)], *named]
    elif named[:1] == [view.package]:
        parts = named[1:]
    else:
        return None
    inner = "/".join(parts)
    home = view.module_at(f"{inner}.py") or view.module_at(f"{inner}/__init__.py" if inner else "__init__.py")
    return home if home is not None and home.unreadable is None else None
