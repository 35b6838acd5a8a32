"""Copies the static modules that a package needs into `_runtime/`, behind one door with the names that it uses."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Final

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import RUNTIME_FOLDER, SOURCE_FOLDERS, EmittedFile
from melleafy_tui.generators.code_layout import import_lines, isort_key, listing, statement, value
from melleafy_tui.generators.emitted_code import read_module, static_imports
from melleafy_tui.version import __version__

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
"""The static modules, by their path in the folder."""

HOST_MODULES: Final = ("langgraph_crons.py", "langgraph_host.py", "mcp_host.py")
"""The static modules that only an export to a host adds; they need the host's library."""

DOOR: Final = f"{RUNTIME_FOLDER}__init__.py"
"""The one module that a package's own files import from `_runtime/`."""

_DEFINITION: Final = re.compile(rb"^(?:def|class) ([A-Za-z]\w*)", re.MULTILINE)
"""A function or class that a static module offers; reading it costs a hundredth of parsing the module."""

_CASE: Final = "fixtures/case.py"
"""Published loaders import `fixtures/` alone, so its module stands there."""


def generate_static_modules(committed: CommittedPlan, emitted: Sequence[EmittedFile]) -> list[EmittedFile]:
    """Return the static modules that the printed modules use, and the door to them.

    Args:
        committed: The committed plan.
        emitted: The files emitted so far; all but Python files are ignored.
    """
    folder = f"{committed.package_name}/"
    printed = (file for file in emitted if file.path.startswith(folder) and file.path.endswith(".py"))
    # Carried files use no module of the package, and may be no valid Python.
    modules = [file for file in printed if not file.path.removeprefix(folder).startswith(SOURCE_FOLDERS)]
    imported = {
        name
        for file in modules
        for name in read_module(file.path.removeprefix(folder), file.data).imports.siblings
    }
    used = {PurePosixPath(name).stem for name in imported if name.startswith(RUNTIME_FOLDER)}
    homes = {name: home for home in STATIC_MODULES if home != _CASE for name in offered_by(home)}
    names = {home: sorted(name for name in used if homes.get(name) == home) for home in STATIC_MODULES}
    wanted = {home for home, found in names.items() if found} | ({_CASE} & imported)
    pending = [*wanted]
    while pending:
        name = pending.pop()
        fresh = static_imports(name, static_module(name)).siblings & set(STATIC_MODULES) - wanted
        wanted |= fresh
        pending += fresh
    static = [
        EmittedFile(folder + place_of(name), static_module(name), static=True) for name in sorted(wanted)
    ]
    return [EmittedFile(folder + DOOR, _door(names)), *static] if used else static


def _door(names: Mapping[str, Sequence[str]]) -> bytes:
    """Return the code that imports names from the modules beside it, for the package's own files."""
    imports = import_lines((), {f".{home.removesuffix('.py')}": found for home, found in names.items()})
    exported = sorted((name for found in names.values() for name in found), key=isort_key)
    lines = [
        '"""What this agent uses of the runtime that all packages share.',
        "",
        f"From melleafy-tui {__version__}, not to be edited: a re-run replaces it.",
        '"""',
        "",
        *imports,
        "",
        *statement("__all__ = ", listing(map(value, exported))),
    ]
    return ("\n".join(lines) + "\n").encode()


def place_of(name: str) -> str:
    """Return the path in a package of a static module."""
    return name if name == _CASE else RUNTIME_FOLDER + name


@cache  # the same bytes in every package
def static_module(name: str) -> bytes:
    """Return the bytes of a static module by its path in the folder."""
    return (RUNTIME / name).read_bytes()


@cache
def offered_by(name: str) -> frozenset[str]:
    """Return the public functions and classes of a static module; each stands in one module only."""
    return frozenset(found.decode() for found in _DEFINITION.findall(static_module(name)))


def own_modules() -> frozenset[str]:
    """Return the SHA-256 of the static modules of this release."""
    names = (*STATIC_MODULES, *HOST_MODULES)
    return frozenset(sha256(static_module(name)).hexdigest() for name in names)
