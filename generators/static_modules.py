"""Copies the static modules that a package needs: those that its printed code imports, and what these import."""

from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import SOURCE_FOLDERS, EmittedFile
from melleafy_tui.generators.emitted_code import read_module, static_imports

RUNTIME: Final = Path(__file__).with_name("runtime")
"""The folder of the modules, which are read as text."""

STATIC_MODULES: Final = (
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
        emitted: The files emitted so far; all but Python files are ignored.
    """
    folder = f"{committed.package_name}/"
    wanted: set[str] = set()
    printed = (file for file in emitted if file.path.startswith(folder) and file.path.endswith(".py"))
    # Carried files use no module of the package, and may be no valid Python.
    modules = [file for file in printed if not file.path.removeprefix(folder).startswith(SOURCE_FOLDERS)]
    pending = [read_module(file.path.removeprefix(folder), file.data).imports for file in modules]
    while pending:
        fresh = pending.pop().siblings & set(STATIC_MODULES) - wanted
        wanted |= fresh
        pending += [static_imports(name, static_module(name)) for name in fresh]
    return [EmittedFile(f"{folder}{name}", static_module(name), static=True) for name in sorted(wanted)]


@cache  # the same bytes in every package
def static_module(name: str) -> bytes:
    """Return the bytes of a static module by its path in the package."""
    return (RUNTIME / name).read_bytes()


def own_modules() -> frozenset[str]:
    """Return the SHA-256 of the static modules of this release."""
    names = (*STATIC_MODULES, *HOST_MODULES)
    return frozenset(sha256(static_module(name)).hexdigest() for name in names)
