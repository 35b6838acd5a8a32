"""Backend and model are the constants of config.py, equal to the runtime directive, and reach every session."""

import ast
from collections.abc import Iterator

from melleafy_tui.core.lint.artifacts import text_of
from melleafy_tui.core.lint.module import Module, Problem
from melleafy_tui.core.lint.syntax import called, defaults, function_named
from melleafy_tui.core.lint.view import NotValidatable, PackageView

DIRECTIVE = "intermediate/runtime_directive.json"
CONSTANTS = {"BACKEND": "backend", "MODEL_ID": "model_id"}


def check_runtime_defaults(view: PackageView) -> Iterator[Problem]:
    """Yield the defaults that are not bound."""
    config = view.module("config.py")
    try:
        directive = view.artifact(DIRECTIVE)
    except NotValidatable:
        directive = {}
    for name, key in CONSTANTS.items():
        value = _constant(config, name)
        if value is None:
            yield view.problem("config.py", f"there is no constant {name}", f'Write {name}: Final = "…".')
        elif directive and value != text_of(directive, key):
            said = f"{name} is {value!r}, the runtime directive says {text_of(directive, key)!r}"
            yield config.problem(config.defined[name], said, "Make the two agree.")
    for module in view.modules.values():
        yield from _sessions(module)
    yield from _entry(view)


def _constant(config: Module, name: str) -> str | None:
    found = config.defined.get(name)
    value = found.value if isinstance(found, ast.Assign | ast.AnnAssign) else None
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else None


def _sessions(module: Module) -> Iterator[Problem]:
    for call in module.calls:
        if called(call) != "start_session":
            continue
        given = [
            *call.args[:2],
            *(k.value for k in call.keywords if k.arg in ("backend_name", "model_id", None)),
        ]
        if len(given) < 2 and not any(isinstance(part, ast.Starred) for part in call.args):
            what = "a session is opened without backend and model"
            yield module.problem(call, what, "Pass config.BACKEND and config.MODEL_ID.")
        for part in given:
            if isinstance(part, ast.Constant):
                what = f"a session is opened with the literal {part.value!r}"
                yield module.problem(part, what, "Pass config.BACKEND and config.MODEL_ID.")


def _entry(view: PackageView) -> Iterator[Problem]:
    pipeline = view.module_at("pipeline.py")
    entry = function_named(pipeline, "run_pipeline") if pipeline else None
    if pipeline is None or entry is None:
        return
    for name, default in defaults(entry).items():
        if not isinstance(default, ast.Constant):
            yield pipeline.problem(
                default, f"the default of {name} is no literal", "Use a literal, and resolve it inside."
            )
