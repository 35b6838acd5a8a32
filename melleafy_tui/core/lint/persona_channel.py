"""The persona travels on every call of the model, the way the settings say."""

import ast
from collections.abc import Iterator

from melleafy_tui.core.lint.artifacts import text_of
from melleafy_tui.core.lint.module import Problem
from melleafy_tui.core.lint.syntax import keyword, session_calls
from melleafy_tui.core.lint.view import NotValidatable, PackageView

DIRECTIVE = "intermediate/runtime_directive.json"
PREFIX, SYSTEM = "prefix", "system"
HINTS = {
    PREFIX: "Pass prefix=config.PREFIX_TEXT.",
    SYSTEM: "Pass model_options={ModelOption.SYSTEM_PROMPT: config.PREFIX_TEXT}.",
}


def check_persona_channel(view: PackageView) -> Iterator[Problem]:
    """Yield the calls that the persona does not reach."""
    config = view.module("config.py")
    if "PREFIX_TEXT" not in config.defined:
        return
    try:
        wanted = text_of(view.artifact(DIRECTIVE), "persona_channel")
    except NotValidatable:
        wanted = ""
    for module in view.modules.values():
        for call in session_calls(module):
            if getattr(call.func, "attr", "") not in ("instruct", "ainstruct"):
                continue
            channel = _channel(call)
            wanted = wanted or channel or PREFIX
            if channel != wanted:
                said = (
                    "the persona does not reach this call"
                    if not channel
                    else f"the persona goes by {channel}"
                )
                yield module.problem(call, f"{said}, the settings say {wanted}", HINTS.get(wanted, ""))


def _channel(call: ast.Call) -> str:
    options = keyword(call, "model_options")
    if options is not None and "SYSTEM_PROMPT" in ast.unparse(options):
        return SYSTEM
    prefix = keyword(call, "prefix")
    return PREFIX if prefix is not None and not isinstance(prefix, ast.Constant) else ""
