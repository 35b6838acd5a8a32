"""`format=` is the name of a pydantic model whose fields are all annotated."""

import ast
from collections.abc import Iterator

from melleafy_tui.core.lint.module import Module, Problem
from melleafy_tui.core.lint.syntax import dotted, keyword, parameters, session_calls
from melleafy_tui.core.lint.view import PackageView

_FORMAT_ANNOTATION_HINT = "Define a pydantic BaseModel in schemas.py and pass the class."


def check_format_annotation(view: PackageView, module: Module) -> Iterator[Problem]:
    """Yield the formats that are no pydantic model."""
    for call in session_calls(module):
        given = keyword(call, "format")
        if given is None or (isinstance(given, ast.Constant) and given.value is None):
            continue
        if not isinstance(given, ast.Name):
            yield module.problem(given, "format is no class", _FORMAT_ANNOTATION_HINT)
            continue
        if any(
            argument.arg == given.id for function in module.functions for argument in parameters(function)
        ):
            continue
        found = _class(view, module, given.id)
        if found is None or not _is_model(view, found[0], found[1]):
            yield module.problem(
                given, f"{given.id} is no pydantic model of the package", _FORMAT_ANNOTATION_HINT
            )
        else:
            yield from _fields(*found)


def _class(view: PackageView, module: Module, name: str) -> tuple[Module, ast.ClassDef] | None:
    found = module.defined.get(name)
    if isinstance(found, ast.ImportFrom) and found.module:
        inner = found.module.removeprefix(f"{view.package}.").replace(".", "/")
        home = view.module_at(f"{inner}.py")
        if home is not None:
            module, found = home, home.defined.get(name)
    return (module, found) if isinstance(found, ast.ClassDef) else None


def _is_model(view: PackageView, module: Module, found: ast.ClassDef, depth: int = 0) -> bool:
    for base in found.bases:
        name = dotted(base)
        if name in ("BaseModel", "pydantic.BaseModel"):
            return True
        parent = _class(view, module, name)
        if parent is not None and depth < 8 and _is_model(view, *parent, depth + 1):
            return True
    return False


def _fields(module: Module, found: ast.ClassDef) -> Iterator[Problem]:
    for statement in found.body:
        if isinstance(statement, ast.Assign) and dotted(statement.targets[0]) != "model_config":
            yield module.problem(statement, f"a field of {found.name} has no type", "Annotate the field.")
