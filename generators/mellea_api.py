"""The part of Mellea's interface that emitted code may use, as data: `intermediate/mellea_api_ref.json`.

The emitted table is the shipped one, so that a package does not depend on what is installed where it is made.
`introspect` makes it anew, and a test compares the two wherever Mellea is installed:

    python -m melleafy_tui.generators.mellea_api > generators/mellea_api_ref.json
"""

import importlib
import inspect
import sys
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Final

from melleafy_tui.generators.json_text import json_bytes

MODULES: Final = (
    "mellea",
    "mellea.backends",
    "mellea.core",
    "mellea.stdlib.requirements",
    "mellea.stdlib.sampling",
)
"""Modules that emitted code imports from."""

SESSION: Final = "MelleaSession"
"""The class whose methods emitted code calls."""

SHIPPED: Final = Path(__file__).with_name("mellea_api_ref.json")


@cache
def shipped_reference() -> bytes:
    """Return the shipped table as it is emitted."""
    return SHIPPED.read_bytes()


def introspect() -> bytes:
    """Return the table made from the Mellea that is installed.

    Raises:
        ImportError: Mellea is not installed.
    """
    modules = {name: _public_names(name) for name in MODULES}
    return json_bytes({"mellea_version": version("mellea"), "modules": modules})


def _public_names(module_name: str) -> dict[str, dict[str, object]]:
    module = importlib.import_module(module_name)
    names = getattr(module, "__all__", None) or [name for name in vars(module) if not name.startswith("_")]
    found = {name: getattr(module, name) for name in sorted(names) if hasattr(module, name)}
    return {
        name: _described(value)
        for name, value in found.items()
        if getattr(value, "__module__", "mellea").partition(".")[0] == "mellea"
        and not inspect.ismodule(value)
    }


def _described(value: object) -> dict[str, object]:
    kind = "class" if inspect.isclass(value) else "function" if callable(value) else "value"
    if kind == "value":
        return {"kind": kind}
    methods = {"methods": _methods(value)} if isinstance(value, type) and value.__name__ == SESSION else {}
    return {"kind": kind, **_parameters(value), **methods}


def _methods(owner: type) -> dict[str, dict[str, object]]:
    found = inspect.getmembers(owner, inspect.isfunction)
    return {name: _parameters(method) for name, method in found if not name.startswith("_")}


def _parameters(value: object) -> dict[str, object]:
    if not callable(value):
        return {}
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return {}
    parameters = [found for found in signature.parameters.values() if found.name != "self"]
    required = [
        found.name
        for found in parameters
        if found.default is found.empty and found.kind not in (found.VAR_POSITIONAL, found.VAR_KEYWORD)
    ]
    return {"parameters": [found.name for found in parameters], "required": required}


if __name__ == "__main__":
    sys.stdout.buffer.write(introspect())
