"""The inputs of every fixture fit the signature of `run_pipeline`."""

import ast
from collections.abc import Iterator
from typing import Final

from melleafy_tui.core.lint.fixture_reading import fixtures
from melleafy_tui.core.lint.module import Problem
from melleafy_tui.core.lint.syntax import defaults, function_named, parameters
from melleafy_tui.core.lint.view import NotValidatable, PackageView

PLAIN: Final[dict[str, tuple[type, ...]]] = {
    "str": (str,),
    "int": (int,),
    "float": (int, float),
    "bool": (bool,),
}


def check_fixture_inputs(view: PackageView) -> Iterator[Problem]:
    """Yield the inputs that the pipeline does not take."""
    entry = function_named(view.module("pipeline.py"), "run_pipeline")
    if entry is None:
        raise NotValidatable("pipeline.py has no run_pipeline")
    declared = {argument.arg: argument for argument in parameters(entry)}
    required = [name for name in declared if name not in defaults(entry)]
    for fixture in fixtures(view):
        if fixture.inputs is None:
            continue
        given: dict[str, ast.expr] = {}
        for key, value in zip(fixture.inputs.keys, fixture.inputs.values, strict=True):
            if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
                yield fixture.module.problem(
                    key or fixture.inputs, "a key of the inputs is no text", "Name a parameter."
                )
                continue
            given[key.value] = value
            if key.value not in declared:
                hint = f"It takes: {', '.join(declared)}."
                yield fixture.module.problem(key, f"run_pipeline has no parameter {key.value}", hint)
            elif not _fits(declared[key.value], value):
                wanted = ast.unparse(declared[key.value].annotation or ast.Name("object"))
                what = f"{key.value} takes {wanted}"
                yield fixture.module.problem(value, what, "Give a plain value of that type, or leave it out.")
        for name in required:
            if name not in given:
                yield fixture.module.problem(fixture.inputs, f"the inputs lack {name}", f"Add {name!r}.")


def _fits(parameter: ast.arg, value: ast.expr) -> bool:
    options = ast.unparse(parameter.annotation).split(" | ") if parameter.annotation else []
    plain = [PLAIN[option] for option in options if option in PLAIN]
    if not isinstance(value, ast.Constant):
        return (
            bool(plain)
            or not options
            or any(option.startswith(("list", "dict", "object")) for option in options)
        )
    if value.value is None:
        return "None" in options
    if isinstance(value.value, bool):
        return (bool,) in plain or not plain
    return any(isinstance(value.value, kind) for kind in plain) or not options
