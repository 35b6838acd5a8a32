"""Make the table of Mellea's interface that the lints judge imports and calls by, from the Mellea that is installed.

    python scripts/build_mellea_api.py

writes `melleafy_tui/core/lint/mellea_api_0_8.json`. `tests/unit/lint/test_mellea_api.py` compares the two.
"""

import ast
import importlib
import importlib.util
import inspect
import json
import pkgutil
import sys
from importlib.metadata import version
from pathlib import Path

TABLE = Path(__file__).resolve().parents[1] / "melleafy_tui" / "core" / "lint" / "mellea_api_0_8.json"
CALLABLES = ("mellea", "mellea.stdlib.requirements", "mellea.stdlib.sampling", "mellea.core")
"""Modules whose functions and classes are listed with their parameters."""

SESSION = "MelleaSession"
FORWARDED = {"req": "Requirement", "check": "Requirement"}
"""Shorthands that hand their arguments on to a class."""


def table() -> dict[str, object]:
    """Return the table."""
    mellea = importlib.import_module("mellea")
    found = [module.name for module in pkgutil.walk_packages(mellea.__path__, "mellea.")]
    names = sorted(
        {"mellea", *(name for name in found if not any(p.startswith("_") for p in name.split(".")))}
    )
    modules = {name: public_names(name) for name in names}
    calls: dict[str, dict[str, object]] = {}
    for name in CALLABLES:
        module = importlib.import_module(name)
        for symbol in modules[name]:
            value = getattr(module, symbol, None)
            if callable(value) and str(getattr(value, "__module__", "")).startswith("mellea"):
                described = parameters(value)
                if described:
                    calls[symbol] = described
    for shorthand, owner in FORWARDED.items():
        calls[shorthand] = {
            **calls[owner],
            "keywords": [k for k in calls[owner]["keywords"] if k != "check_only"],
        }
    session = getattr(mellea, SESSION)
    methods = {
        name: parameters(method, bound=True)
        for name, method in inspect.getmembers(session, inspect.isfunction)
        if not name.startswith("_")
    }
    return {
        "mellea_version": version("mellea"),
        "modules": modules,
        "calls": dict(sorted(calls.items())),
        "session_methods": methods,
    }


def public_names(name: str) -> list[str]:
    """Return what can be imported from a module, from its source where an extra of Mellea is missing."""
    try:
        module = importlib.import_module(name)
    except ImportError:
        spec = importlib.util.find_spec(name)
        assert spec is not None
        assert spec.origin is not None
        return sorted(defined_names(ast.parse(Path(spec.origin).read_text(encoding="utf-8"))))
    return sorted(symbol for symbol in vars(module) if not symbol.startswith("_"))


def defined_names(tree: ast.Module) -> set[str]:
    """Return the public classes, functions and constants that a module defines itself."""
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return {name for name in names if not name.startswith("_")}


def parameters(value: object, *, bound: bool = False) -> dict[str, object]:
    """Return how many positional arguments a callable takes, its keywords, and which have no default."""
    try:
        declared = list(inspect.signature(value).parameters.values())  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return {}
    declared = declared[1:] if bound else declared
    kinds = {parameter.kind for parameter in declared}
    positional = [p for p in declared if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    named = [p for p in declared if p.kind in (p.KEYWORD_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return {
        "positional": None if inspect.Parameter.VAR_POSITIONAL in kinds else [p.name for p in positional],
        "keywords": None if inspect.Parameter.VAR_KEYWORD in kinds else [p.name for p in named],
        "required": [
            p.name
            for p in (*positional, *(n for n in named if n.kind is n.KEYWORD_ONLY))
            if p.default is p.empty
        ],
    }


def encoded() -> bytes:
    """Return the table as it is shipped: one line a module and a callable."""
    parts = []
    for key, value in table().items():
        if isinstance(value, dict):
            inner = ",\n".join(f"  {json.dumps(name)}: {json.dumps(item)}" for name, item in value.items())
            parts.append(f"{json.dumps(key)}: {{\n{inner}\n}}")
        else:
            parts.append(f"{json.dumps(key)}: {json.dumps(value)}")
    return ("{\n" + ",\n".join(parts) + "\n}\n").encode()


if __name__ == "__main__":
    TABLE.write_bytes(encoded())
    sys.stdout.write(f"{TABLE}\n")
