"""Lints of the calls to Mellea: formats, slot parameters, grounding context, results, sessions and arguments."""

import ast
from collections.abc import Iterable, Iterator, Mapping

from melleafy_tui.core.language.python_syntax import text_in
from melleafy_tui.core.lint.linted_package import Package
from melleafy_tui.core.lint.modules import (
    NAMES,
    Function,
    Module,
    Problem,
    body_of,
    called,
    defined_in,
    dotted,
    is_parameter,
    is_session,
    is_stub,
    keyword,
    own_nodes,
    parameter_names,
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
    home, found = package.definition(module, name) or (module, None)
    return (home, found) if isinstance(found, ast.ClassDef) else None


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


RESERVED = frozenset(NAMES["reserved_parameters"])
"""Parameter names that Mellea reserves in a slot."""


def check_generative_parameters(module: Module) -> Iterator[Problem]:
    """Yield the slots whose parameters Mellea would refuse or misread."""
    slots = [function for function in module.functions if _is_slot(function)]
    for slot in slots:
        for argument in parameters(slot):
            if argument.arg in RESERVED:
                what = f"{slot.name} has a parameter {argument.arg}, which Mellea keeps for itself"
                yield module.problem(argument, what, "Rename the parameter.")
            if argument.annotation is None:
                yield module.problem(argument, f"{argument.arg} of {slot.name} has no type", "Annotate it.")
        if slot.returns is None:
            yield module.problem(slot, f"{slot.name} has no return type", "Annotate what the slot returns.")
        if not is_stub(slot) and not all(ast.unparse(line) in ("...", "pass") for line in body_of(slot)):
            what = f"{slot.name} has a body"
            yield module.problem(slot, what, "Let the slot raise NotImplementedError.")
    late = module.defined.get("annotations")
    if slots and isinstance(late, ast.ImportFrom) and late.module == "__future__":
        what = "annotations become texts in a file with slots"
        yield module.problem(late, what, "Drop the import from __future__.")


def _is_slot(function: Function) -> bool:
    names = (dotted(each.func if isinstance(each, ast.Call) else each) for each in function.decorator_list)
    return any(name.rpartition(".")[2] == "generative" for name in names)


def check_grounding_context(module: Module) -> Iterator[Problem]:
    """Yield each grounding context whose values aren't text."""
    for call in module.calls:
        given = keyword(call, "grounding_context")
        if isinstance(given, ast.Dict):
            for key, value in zip(given.keys, given.values, strict=True):
                if text_in(key) is None:
                    yield module.problem(key or given, "a key of grounding_context is not a string literal")
                if not _is_text(value):
                    yield module.problem(value, "a value of grounding_context is not made by str(…)")
        elif given is not None and not (isinstance(given, ast.Constant) and given.value is None):
            yield module.problem(given, "grounding_context is not a dict literal")


def _is_text(value: ast.expr) -> bool:
    is_made = isinstance(value, ast.Call) and dotted(value.func) == "str"
    return is_made or isinstance(value, ast.JoinedStr) or text_in(value) is not None


SAMPLING_FIELDS = frozenset(NAMES["sampling_fields"])
"""Attributes of the result of `return_sampling_results=True`."""


def check_result_parse(module: Module) -> Iterator[Problem]:
    """Yield the code that reads a model's answer in a way that its result type does not support."""
    asked = {id(call): call for call in session_calls(module)}
    for node in module.nodes if asked else ():
        if isinstance(node, ast.Attribute | ast.Subscript) and id(node.value) in asked:
            yield module.problem(node, "an answer is taken apart without str(…)")
    for scope in (module.tree, *module.functions) if asked else ():
        nodes = list(own_nodes(scope))
        answers = _answers(nodes, asked)
        for node in nodes:
            yield from _misread(module, node, answers)


def _misread(module: Module, node: ast.AST, answers: Mapping[str, bool]) -> Iterator[Problem]:
    """Yield where a node uses a model's answer as something other than text, and how."""
    if isinstance(node, ast.Call) and called(node) in _PARSERS:
        for parsed in node.args:
            if dotted(parsed) in answers:
                yield module.problem(parsed, f"{dotted(parsed)} is parsed without str(…)")
    name = dotted(node.value) if isinstance(node, ast.Attribute | ast.Subscript) else ""
    if name in answers and isinstance(node, ast.Subscript):
        yield module.problem(node, f"{name} is indexed as if it were text")
    elif name in answers and not (answers[name] and getattr(node, "attr", "") in SAMPLING_FIELDS):
        yield module.problem(node, f"{dotted(node)} is read from an answer")


_PARSERS = ("loads", "model_validate_json", "model_validate")


def _answers(nodes: Iterable[ast.AST], asked: Mapping[int, ast.Call]) -> dict[str, bool]:
    """Return the names that hold a model's answer, and whether it is one with sampling results."""
    names: dict[str, bool] = {}
    for node in nodes:
        if isinstance(node, ast.Assign | ast.AnnAssign) and id(node.value) in asked:
            given = keyword(asked[id(node.value)], "return_sampling_results")
            names |= dict.fromkeys(defined_in([node]), isinstance(given, ast.Constant) and bool(given.value))
    return names


def check_session_boundary(module: Module) -> Iterator[Problem]:
    """Yield the sessions that are not opened by `with … as m`, and the uses of `m` outside that block."""
    withs = (node for node in module.nodes if isinstance(node, ast.With | ast.AsyncWith))
    blocks = [node for node in withs if any(map(is_session, node.items))]
    opened = {id(item.context_expr): item for node in blocks for item in node.items}
    for call in module.calls:
        item = opened.get(id(call))
        if called(call) != "start_session":
            continue
        if item is None:
            yield module.problem(call, "a session is opened outside a with statement")
        elif not isinstance(item.optional_vars, ast.Name) or item.optional_vars.id != "m":
            yield module.problem(call, "the session is not named m")
    for node in blocks:
        if any(_is_inside(node, other) for other in blocks) or sum(map(is_session, node.items)) > 1:
            hint = "Close the first session before the second."
            yield module.problem(node, "a session is opened inside another", hint)
        formats = _formats(node)
        if len(formats) > 1:
            what = f"one session has more than one format: {' and '.join(sorted(formats))}"
            yield module.problem(node, what, "Open a session for each.")
    functions = (node for node in module.nodes if isinstance(node, Function | ast.Lambda))
    known = [*blocks, *(each for each in functions if "m" in parameter_names(each))]
    used = (node for node in module.nodes if isinstance(node, ast.Attribute) and dotted(node.value) == "m")
    for use in used:
        if not any(_is_inside(use, block) for block in known):
            yield module.problem(use, "the session m is used outside its with statement")


def _is_inside(node: ast.expr | ast.stmt, block: ast.expr | ast.stmt) -> bool:
    last = block.end_lineno or block.lineno
    return node is not block and block.lineno <= node.lineno <= last


def _formats(node: ast.With | ast.AsyncWith) -> set[str]:
    return {
        ast.unparse(chosen)
        for line in node.body
        for call in ast.walk(line)
        if isinstance(call, ast.Call) and (chosen := keyword(call, "format")) is not None
    }


def check_stdlib_arity(module: Module) -> Iterator[Problem]:
    """Yield the calls with too many, unknown or missing arguments."""
    imports = (node for node in module.nodes if isinstance(node, ast.ImportFrom) and node.level == 0)
    of_mellea = [node for node in imports if (node.module or "").partition(".")[0] == "mellea"]
    known = {alias.asname or alias.name: alias.name for node in of_mellea for alias in node.names}
    for call in module.calls:
        name = dotted(call.func)
        head, _, method = name.partition(".")
        signature = mellea_table().calls.get(known.get(name, ""))
        if head == "m" and method and "." not in method:
            signature = mellea_table().session_methods.get(method)
            if signature is None:
                what = f"a session has no method {method}"
                yield module.problem(call, what, "See intermediate/mellea_api_ref.json.")
        if signature is not None:
            yield from _misfits(module, call, name, signature)


def _misfits(module: Module, call: ast.Call, name: str, signature: Signature) -> Iterator[Problem]:
    """Yield what of a call its signature doesn't take, or lacks."""
    starred = ast.Starred in map(type, call.args)
    named = {given.arg for given in call.keywords}  # None stands for unpacked ones
    positional = signature.positional or ()
    if signature.positional is not None and not starred and len(call.args) > len(positional):
        what = f"{name} takes at most {len(positional)} positional arguments"
        yield module.problem(call, what, "Pass the others by name.")
    if signature.keywords is not None:
        for unknown in sorted(filter(None, named.difference(signature.keywords))):
            hint = f"It takes: {', '.join(sorted(signature.keywords)) or 'none'}."
            yield module.problem(call, f"{name} has no parameter {unknown}", hint)
    if not starred and None not in named:
        for missing in signature.required:
            if missing not in named.union(positional[: len(call.args)]):
                yield module.problem(call, f"{name} needs {missing}", f"Pass {missing}.")
