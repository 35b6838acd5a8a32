"""Lints of the calls to Mellea: formats, slot parameters, grounding context, results, sessions and arguments."""

import ast
from collections.abc import Container, Iterable, Iterator, Mapping

from melleafy_tui.core.language.python_syntax import children
from melleafy_tui.core.lint.linted_package import Package
from melleafy_tui.core.lint.modules import (
    Function,
    Module,
    Problem,
    body_of,
    called,
    dotted,
    is_parameter,
    is_session,
    is_stub,
    keyword,
    parameters,
    session_calls,
)
from melleafy_tui.core.package.backends import Signature, mellea_table


def check_format_annotation(package: Package, module: Module) -> Iterator[Problem]:
    """Yield each `format=` that isn't a pydantic model with annotated fields."""
    for call in session_calls(module):
        given = keyword(call, "format")
        if given is None or (isinstance(given, ast.Constant) and given.value is None):
            continue
        if not isinstance(given, ast.Name):
            yield module.problem(given, "format is not a class")
            continue
        if is_parameter(module, given.id):
            continue
        found = _class(package, module, given.id)
        if found is None or not _is_model(package, found[0], found[1]):
            yield module.problem(given, f"{given.id} is not a pydantic model of the package")
        else:
            yield from _fields(*found)


def _class(package: Package, module: Module, name: str) -> tuple[Module, ast.ClassDef] | None:
    found = module.defined.get(name)
    if isinstance(found, ast.ImportFrom) and found.module:
        inner = found.module.removeprefix(f"{package.name}.").replace(".", "/")
        home = package.modules.get(f"{inner}.py")
        if home is not None:
            module, found = home, home.defined.get(name)
    return (module, found) if isinstance(found, ast.ClassDef) else None


def _is_model(package: Package, module: Module, found: ast.ClassDef, depth: int = 0) -> bool:
    for base in found.bases:
        name = dotted(base)
        if name in ("BaseModel", "pydantic.BaseModel"):
            return True
        parent = _class(package, module, name)
        if parent is not None and depth < 8 and _is_model(package, *parent, depth + 1):
            return True
    return False


def _fields(module: Module, found: ast.ClassDef) -> Iterator[Problem]:
    for statement in found.body:
        if isinstance(statement, ast.Assign) and dotted(statement.targets[0]) != "model_config":
            yield module.problem(statement, f"a field of {found.name} has no type", "Annotate the field.")


RESERVED = frozenset(
    {
        "m",
        "context",
        "backend",
        "model_options",
        "strategy",
        "precondition_requirements",
        "requirements",
        "f_args",
        "f_kwargs",
    }
)
"""Parameter names that Mellea reserves in a slot."""


def check_generative_parameters(module: Module) -> Iterator[Problem]:
    """Yield the slots whose parameters Mellea would refuse or misread."""
    slots = [function for function in module.functions if _is_slot(function)]
    for slot in slots:
        yield from _judged_generative_parameters(module, slot)
    if slots:
        for node in module.tree.body:
            if isinstance(node, ast.ImportFrom) and node.module == "__future__":
                what = "annotations become texts in a file with slots"
                yield module.problem(node, what, "Drop the import from __future__.")


def _is_slot(function: Function) -> bool:
    return any(
        dotted(found.func if isinstance(found, ast.Call) else found).rpartition(".")[2] == "generative"
        for found in function.decorator_list
    )


def _judged_generative_parameters(module: Module, slot: Function) -> Iterator[Problem]:
    for argument in parameters(slot):
        if argument.arg in RESERVED:
            what = f"{slot.name} has a parameter {argument.arg}, which Mellea keeps for itself"
            yield module.problem(argument, what, "Rename the parameter.")
        if argument.annotation is None:
            yield module.problem(argument, f"{argument.arg} of {slot.name} has no type", "Annotate it.")
    if slot.returns is None:
        yield module.problem(slot, f"{slot.name} has no return type", "Annotate what the slot returns.")
    body = body_of(slot)
    empty = not body or (
        len(body) == 1 and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
    )
    if not is_stub(slot) and not empty:
        yield module.problem(slot, f"{slot.name} has a body", "Let the slot raise NotImplementedError.")


def check_grounding_context(module: Module) -> Iterator[Problem]:
    """Yield each grounding context whose values aren't text."""
    for call in module.calls:
        given = keyword(call, "grounding_context")
        if given is not None:
            yield from _judged_grounding_context(module, given)


def _judged_grounding_context(module: Module, given: ast.expr) -> Iterator[Problem]:
    match given:
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
                    yield module.problem(key or given, "a key of grounding_context is not a string literal")
                if not _is_text(value):
                    yield module.problem(value, "a value of grounding_context is not made by str(…)")
        case ast.Constant(value=None):
            pass
        case ast.DictComp(value=value) if _is_text(value):
            pass
        case ast.Name(id=name) if _is_declared(module, name):
            pass
        case _:
            yield module.problem(given, "grounding_context is not a dict literal")


def _is_text(value: ast.expr) -> bool:
    if isinstance(value, ast.JoinedStr):
        return True
    if isinstance(value, ast.Constant):
        return isinstance(value.value, str)
    return isinstance(value, ast.Call) and dotted(value.func) == "str"


def _is_declared(module: Module, name: str) -> bool:
    """Return whether a name is annotated as `dict[str, str]` or assigned a dict of texts."""
    for node in module.nodes:
        if isinstance(node, ast.AnnAssign) and dotted(node.target) == name:
            return _is_text_mapping(node.annotation)
        if isinstance(node, ast.Assign) and any(dotted(target) == name for target in node.targets):
            return _holds_texts(node.value)
    return any(
        _is_text_mapping(argument.annotation)
        for function in module.functions
        for argument in parameters(function)
        if argument.arg == name
    )


def _is_text_mapping(annotation: ast.expr | None) -> bool:
    return annotation is not None and ast.unparse(annotation) == "dict[str, str]"


def _holds_texts(value: ast.expr) -> bool:
    """Return whether a value is a dict literal or comprehension whose values are texts."""
    if isinstance(value, ast.Dict):
        return all(map(_is_text, value.values))
    return isinstance(value, ast.DictComp) and _is_text(value.value)


SAMPLING_FIELDS = frozenset(
    {"success", "result", "result_index", "result_action", "result_ctx", "result_validations"}
    | {"sample_generations", "sample_validations", "sample_contexts", "sample_actions"}
)
"""Attributes of the result of `return_sampling_results=True`."""


def check_result_parse(module: Module) -> Iterator[Problem]:
    """Yield the code that reads a model's answer in a way that its result type does not support."""
    asked = {id(call): call for call in session_calls(module)}
    if not asked:
        return
    for node in module.nodes:
        if isinstance(node, ast.Attribute | ast.Subscript) and id(node.value) in asked:
            yield module.problem(node, "an answer is taken apart without str(…)")
    for scope in (module.tree, *module.functions):
        yield from _scope(module, scope, asked)


def _scope(module: Module, scope: ast.AST, asked: dict[int, ast.Call]) -> Iterator[Problem]:
    nodes = list(_own(scope))
    answers = _answers(nodes, asked)
    for node in nodes:
        for place, what in _misread(node, answers):
            yield module.problem(place, what)


def _misread(node: ast.AST, answers: Mapping[str, bool]) -> Iterator[tuple[ast.AST, str]]:
    """Yield where a node uses a model's answer as something other than text, and how."""
    if isinstance(node, ast.Call):
        parsed = node.args if called(node) in _PARSERS else ()
        yield from ((n, f"{dotted(n)} is parsed without str(…)") for n in parsed if dotted(n) in answers)
        return
    name = dotted(node.value) if isinstance(node, ast.Attribute | ast.Subscript) else ""
    if name in answers and isinstance(node, ast.Subscript):
        yield node, f"{name} is indexed as if it were text"
    elif name in answers and not (answers[name] and getattr(node, "attr", "") in SAMPLING_FIELDS):
        yield node, f"{dotted(node)} is read from an answer"


_PARSERS = ("loads", "model_validate_json", "model_validate")


def _answers(nodes: Iterable[ast.AST], asked: dict[int, ast.Call]) -> dict[str, bool]:
    """Return the names that hold a model's answer, and whether it is one with sampling results."""
    names: dict[str, bool] = {}
    for node in nodes:
        if not isinstance(node, ast.Assign | ast.AnnAssign) or id(node.value) not in asked:
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        given = keyword(asked[id(node.value)], "return_sampling_results")
        sampled = isinstance(given, ast.Constant) and given.value is True
        names |= {target.id: sampled for target in targets if isinstance(target, ast.Name)}
    return names


def _own(scope: ast.AST) -> Iterator[ast.AST]:
    pending = children(scope)
    while pending:
        node = pending.pop(0)
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            pending += children(node)


def check_session_boundary(module: Module) -> Iterator[Problem]:
    """Yield the sessions that are not opened by `with … as m`, and the uses of `m` outside that block."""
    opened = {
        id(item.context_expr)
        for node in module.nodes
        if isinstance(node, ast.With | ast.AsyncWith)
        for item in node.items
    }
    for call in module.calls:
        if called(call) == "start_session" and id(call) not in opened:
            yield module.problem(call, "a session is opened outside a with statement")
    if any(_is_about_sessions(node) for node in module.nodes):
        yield from _walk(module, module.tree, inside=False, known=False)


def _is_about_sessions(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        return dotted(node.value) == "m"
    return isinstance(node, ast.With | ast.AsyncWith) and any(map(is_session, node.items))


def _walk(module: Module, node: ast.AST, *, inside: bool, known: bool) -> Iterator[Problem]:
    for child in children(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            takes = any(argument.arg == "m" for argument in parameters(child))
            yield from _walk(module, child, inside=False, known=takes)
        elif isinstance(child, ast.With | ast.AsyncWith) and any(map(is_session, child.items)):
            yield from _session(module, child, inside=inside)
            yield from _walk(module, child, inside=True, known=True)
        else:
            if not known and isinstance(child, ast.Attribute) and dotted(child.value) == "m":
                yield module.problem(child, "the session m is used outside its with statement")
            yield from _walk(module, child, inside=inside, known=known)


def _session(module: Module, node: ast.With | ast.AsyncWith, *, inside: bool) -> Iterator[Problem]:
    for item in node.items:
        if is_session(item) and (
            not isinstance(item.optional_vars, ast.Name) or item.optional_vars.id != "m"
        ):
            yield module.problem(item.context_expr, "the session is not named m")
    if inside or sum(map(is_session, node.items)) > 1:
        yield module.problem(
            node, "a session is opened inside another", "Close the first session before the second."
        )
    formats = _formats(node)
    if len(formats) > 1:
        named = " and ".join(sorted(formats))
        yield module.problem(
            node, f"one session has more than one format: {named}", "Open a session for each."
        )


def _formats(node: ast.With | ast.AsyncWith) -> set[str]:
    return {
        ast.unparse(chosen)
        for line in node.body
        for call in ast.walk(line)
        if isinstance(call, ast.Call) and (chosen := keyword(call, "format")) is not None
    }


def check_stdlib_arity(module: Module) -> Iterator[Problem]:
    """Yield the calls with too many, unknown or missing arguments."""
    imported = _imported_stdlib_arity(module)
    for call in module.calls:
        name = dotted(call.func)
        if name.startswith("m.") and name.count(".") == 1:
            method = name.partition(".")[2]
            signature = mellea_table().session_methods.get(method)
            if signature is None:
                yield module.problem(
                    call, f"a session has no method {method}", "See intermediate/mellea_api_ref.json."
                )
                continue
        else:
            known = imported.get(name)
            signature = mellea_table().calls.get(known) if known else None
        if signature is not None:
            yield from _judged_stdlib_arity(module, call, name, signature)


def _imported_stdlib_arity(module: Module) -> dict[str, str]:
    return {
        alias.asname or alias.name: alias.name
        for node in module.nodes
        if isinstance(node, ast.ImportFrom)
        and node.level == 0
        and (node.module or "").partition(".")[0] == "mellea"
        for alias in node.names
    }


def _judged_stdlib_arity(
    module: Module, call: ast.Call, name: str, signature: Signature
) -> Iterator[Problem]:
    starred = ast.Starred in map(type, call.args)
    named = {given.arg for given in call.keywords}  # None stands for unpacked ones
    positional = signature.positional or ()
    if signature.positional is not None and not starred and len(call.args) > len(positional):
        what = f"{name} takes at most {len(positional)} positional arguments"
        yield module.problem(call, what, "Pass the others by name.")
    for unknown in _unknown(named, signature):
        hint = f"It takes: {_accepted(signature)}."
        yield module.problem(call, f"{name} has no parameter {unknown}", hint)
    if not starred and None not in named:
        for missing in _missing(signature, named.union(positional[: len(call.args)])):
            yield module.problem(call, f"{name} needs {missing}", f"Pass {missing}.")


def _missing(signature: Signature, given: Container[str | None]) -> list[str]:
    return [wanted for wanted in signature.required if wanted not in given]


def _unknown(named: Iterable[str | None], signature: Signature) -> list[str]:
    """Return the keyword arguments that a signature doesn't have, sorted."""
    if signature.keywords is None:
        return []
    return sorted(name for name in named if name is not None and name not in signature.keywords)


def _accepted(signature: Signature) -> str:
    return ", ".join(sorted(signature.keywords or ())) or "none"
