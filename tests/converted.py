"""Test workspaces, read and converted once a session: a conversion is the dearest thing that tests repeat.

For folders that no test changes, such as `examples/` and `tests/dialects/*/workspaces/`. What is returned is shared by
all tests of a process, so none may change it; a test that carries out acts takes `conversion_of(...).copy()`.
"""

import atexit
import shutil
from copy import copy
from datetime import date
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final, NoReturn

from msgspec.structs import replace

from melleafy_tui.core.decisions.commands import Command
from melleafy_tui.core.decisions.state import Decisions, Override
from melleafy_tui.core.models.conversion_settings import Settings
from melleafy_tui.core.models.file_set import FileSet
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.engine import open_conversion

DAY: Final = date(2026, 8, 1)
"""The day that conversions are made for, where a test doesn't care."""

_CHANGES: Final = ("act", "undo", "redo", "mark_saved", "reread", "load", "take_over")


class JudgeAlone(Command, frozen=True):
    """What a decisions file says of rules that are judged individually; no screen has an act for it."""

    keys: tuple[str, ...]

    def _label(self) -> str:
        return "judge individually"

    def _changes(self, decisions: Decisions) -> dict[str, Any]:
        earlier = {key: decisions.overrides.get(key, Override()) for key in self.keys}
        alone = {key: replace(each, judge_individually=True) for key, each in earlier.items()}
        return {"overrides": {**decisions.overrides, **alone}}


def conversion_of(workspace: Path, *, day: date = DAY, settings: Settings | None = None) -> Conversion:
    """Return the shared conversion of a workspace.

    Args:
        workspace: The folder, or its main file.
        day: The day the conversion is made for; its stamp is midnight of that day.
        settings: The settings to start from.
    """
    return _converted(workspace.absolute(), day, settings or Settings())


def snapshot_of(workspace: Path) -> Snapshot:
    """Return the shared snapshot of a workspace, as the dialects of the product want it read."""
    return conversion_of(workspace).snapshot


def files_of(workspace: Path, *, day: date = DAY, settings: Settings | None = None) -> FileSet:
    """Return the shared file set of the package that a workspace becomes without any decision of a user."""
    return conversion_of(workspace, day=day, settings=settings).files


@cache
def repository_of(workspace: Path) -> Path:
    """Return a copy of a workspace that is a repository by itself.

    Claude Code reads up to the repository's root, and the folder of this project is one too.
    """
    root = _scratch() / str(sum(1 for _ in _scratch().iterdir())) / workspace.name
    shutil.copytree(workspace, root, symlinks=True)
    (root / ".git").mkdir()
    return root


@cache
def _converted(workspace: Path, day: date, settings: Settings) -> Conversion:
    conversion = open_conversion(
        workspace, as_of=day, generated_at=f"{day.isoformat()}T00:00:00Z", settings=settings
    )
    for name in _CHANGES:
        setattr(conversion, name, _refuse)
    setattr(conversion, "copy", lambda: _freed(conversion))  # noqa: B010 - of this one alone
    return conversion


def _freed(conversion: Conversion) -> Conversion:
    """Return a copy that a test may change."""
    other = copy(conversion)
    for name in (*_CHANGES, "copy"):
        delattr(other, name)
    return other


def _refuse(*_: object, **__: object) -> NoReturn:
    raise AssertionError("This conversion is shared by tests; take its copy() for acts")


@cache
def _scratch() -> Path:
    folder = Path(mkdtemp(prefix="melleafy-tests-"))
    atexit.register(remove_copies)
    return folder


def remove_copies() -> None:
    """Remove the copies of workspaces; `conftest.py` calls it too, since a worker of xdist runs nothing at exit."""
    if _scratch.cache_info().currsize:
        shutil.rmtree(_scratch(), ignore_errors=True)
