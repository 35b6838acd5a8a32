"""Copies the static modules that a package needs into `_runtime/`, behind one door with the names that it uses."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import RUNTIME_FOLDER, EmittedFile
from melleafy_tui.core.package import permissions
from melleafy_tui.generators.literals import isort_key
from melleafy_tui.generators.templates_environment import render_template
from melleafy_tui.version import __version__

RUNTIME: Final = Path(__file__).with_name("runtime")
"""The folder of the modules, which are read as text; the converter uses permissions.py itself."""

HOST_MODULES: Final = ("langgraph_crons.py", "langgraph_host.py", "mcp_host.py")
"""The static modules that only an export to a host adds; they need the host's library."""

STATIC_MODULES: Final = tuple(
    sorted(
        {path.relative_to(RUNTIME).as_posix() for path in RUNTIME.rglob("[a-z]*.py")} - {*HOST_MODULES}
        | {"permissions.py"}
    )
)
"""The static modules, by their path in the folder."""

DOOR: Final = f"{RUNTIME_FOLDER}__init__.py"
"""The one module that a package's own files import from `_runtime/`."""

_USED: Final = re.compile(rb"^from \._runtime import (\([^)]*\)|.+)$", re.MULTILINE)
_BESIDE: Final = re.compile(rb"^from \.(\w+) import ", re.MULTILINE)
_OFFERED: Final = re.compile(rb"^(?:def|class) ([A-Za-z]\w*)", re.MULTILINE)
"""What code imports from the door, and a static module from those beside it, and what it offers.

Reading that costs a hundredth of parsing the modules, and a text that looks alike adds a name that is there.
"""

_CASE: Final = "fixtures/case.py"
"""Published loaders import `fixtures/` alone, so its module stands there."""


def generate_static_modules(committed: CommittedPlan, emitted: Sequence[EmittedFile]) -> list[EmittedFile]:
    """Return the static modules that the printed modules use, and the door to them.

    Args:
        committed: The committed plan.
        emitted: The files emitted so far; the modules of the package that aren't in a folder import from the door.
    """
    folder = f"{committed.package_name}/"
    own = [file.data for file in emitted if re.fullmatch(rf"{folder}\w+\.py", file.path)]
    used = {
        name.decode() for data in own for found in _USED.findall(data) for name in re.findall(rb"\w+", found)
    }
    names = {module: sorted(used & offered_by(module)) for module in STATIC_MODULES if module != _CASE}
    wanted = {module for module, found in names.items() if found} | {_CASE}
    pending = [*wanted]
    while pending:
        beside = (f"{name.decode()}.py" for name in _BESIDE.findall(static_module(pending.pop())))
        fresh = {name for name in beside if name not in wanted}
        wanted |= fresh
        pending += fresh
    static = (
        EmittedFile(folder + place_of(name), static_module(name), static=True) for name in sorted(wanted)
    )
    return [EmittedFile(folder + DOOR, _door(names)), *static]


def _door(names: Mapping[str, Sequence[str]]) -> bytes:
    """Return the code that imports names from the modules beside it, for the package's own files."""
    offered = [
        f"from .{module.removesuffix('.py')} import {name} as {name}"
        for module in sorted(names)
        for name in sorted(names[module], key=isort_key)
    ]
    return render_template("runtime_door.py.j2", version=__version__, offered="\n".join(offered)).encode()


def place_of(name: str) -> str:
    """Return the path in a package of a static module."""
    return name if name == _CASE else RUNTIME_FOLDER + name


@cache  # the same bytes in every package
def static_module(name: str) -> bytes:
    """Return the bytes of a static module by its path in the folder."""
    return Path(permissions.__file__ if name == "permissions.py" else RUNTIME / name).read_bytes()


@cache
def offered_by(name: str) -> frozenset[str]:
    """Return the public functions and classes of a static module; each stands in one module only."""
    return frozenset(found.decode() for found in _OFFERED.findall(static_module(name)))


def own_modules() -> frozenset[str]:
    """Return the SHA-256 of the static modules of this release."""
    names = (*STATIC_MODULES, *HOST_MODULES)
    return frozenset(sha256(static_module(name)).hexdigest() for name in names)
