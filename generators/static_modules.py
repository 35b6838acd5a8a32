"""Copies the static modules that a package needs: those that its printed code imports, and what these import."""

import ast
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Final

from melleafy_tui.core.language.python_syntax import parse_python
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import EmittedFile

RUNTIME: Final = "melleafy_tui.generators.runtime"

STATIC_MODULES: Final = (
    "calculations.py",
    "checks.py",
    "command_line.py",
    "fixtures/case.py",
    "http_tools.py",
    "loader.py",
    "memory_store.py",
    "offered_tools.py",
    "permissions.py",
    "rule_panel.py",
    "runtime.py",
    "schedule.py",
    "script_tools.py",
    "state_file.py",
    "tool_calls.py",
    "tools_common.py",
)
"""The static modules, by their path in the package."""

HOST_MODULES: Final = ("langgraph_crons.py", "langgraph_host.py", "mcp_host.py")
"""The static modules that only an export to a host adds; they need the host's library."""


def generate_static_modules(committed: CommittedPlan, emitted: Sequence[EmittedFile]) -> list[EmittedFile]:
    """Return the static modules that the printed modules use.

    Args:
        committed: The committed plan.
        emitted: The printed modules.
    """
    folder = f"{committed.package_name}/"
    wanted: set[str] = set()
    pending = [(file.path.removeprefix(folder), file.data) for file in emitted]
    while pending:
        path, code = pending.pop()
        fresh = _imported(path, code) & set(STATIC_MODULES) - wanted
        wanted |= fresh
        pending += [(name, static_module(name)) for name in fresh]
    return [EmittedFile(f"{folder}{name}", static_module(name), static=True) for name in sorted(wanted)]


@cache  # the same bytes in every package
def static_module(name: str) -> bytes:
    """Return the bytes of a static module by its path in the package."""
    return resources.files(RUNTIME).joinpath(*name.split("/")).read_bytes()


def _imported(path: str, code: bytes) -> set[str]:
    """Return the modules of the package that a module imports at its top level, by path."""
    here = path.split("/")[:-1]
    found: set[str] = set()
    for node in parse_python(code).body:
        if isinstance(node, ast.ImportFrom) and node.level:
            parent = here[: len(here) - node.level + 1]
            module = [*parent, *(node.module or "").split(".")] if node.module else parent
            found.add("/".join(module) + ".py")
            found |= {"/".join([*module, alias.name]) + ".py" for alias in node.names}
    return found
