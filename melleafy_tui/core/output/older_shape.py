"""Packages of the older shape, in which each package had its own copy of what is now in static modules.

A re-run tells the user, for each file with edits, where the code that it had has moved.
"""

from collections.abc import Container, Iterable, Mapping
from pathlib import Path
from typing import Final

from melleafy_tui.core.models.file_set import FileSet
from melleafy_tui.core.output.emitted import MANIFEST_NAME, read_object, record_folder

_ALWAYS_STATIC: Final = "command_line.py"
"""A module that every package of the present shape has."""

_VERSION: Final = "melleafy_tui_version"

_MOVED: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    "main.py": (("command_line.py", "the options of the command line"),),
    "pipeline.py": (("runtime.py", "sessions, retries and errors"),),
    "requirements.py": (
        ("checks.py", "the checks made in Python"),
        ("rule_panel.py", "the model's judgement of the rules"),
    ),
    "tools.py": (
        ("http_tools.py", "web calls"),
        ("script_tools.py", "runs of scripts"),
        ("tool_calls.py", "the model's tool calls"),
        ("memory_store.py", "the memory store"),
        ("state_file.py", "the state file"),
        ("schedule.py", "the scheduler"),
    ),
    "constrained_slots.py": (("memory_store.py", "a default search of the memory files"),),
    "permissions.py": (("config.py", "the denied and confirmed calls"),),
    "loader.py": (("config.py", "the paths of the texts"),),
    "slots.py": (("pipeline.py", "questions to the model before the reply"),),
}
"""The modules that the code of an older one moved to, and what moved."""

_FIXTURES: Final = "fixtures/"


def is_older(files: FileSet, earlier: Iterable[str], out: Path) -> bool:
    """Return whether a package in the output folder was made by an older release.

    Args:
        files: The new emission.
        earlier: The folders of the packages in the output folder, as `EarlierEmission.packages` has them.
        out: The output folder.
    """
    folder = record_folder(files)
    if folder + _ALWAYS_STATIC not in files.by_path:
        return False
    manifest = files.by_path[folder + MANIFEST_NAME].data
    for package in earlier:
        if not (out / package / _ALWAYS_STATIC).is_file():
            return True
        version = (read_object(out / package / MANIFEST_NAME) or {}).get(_VERSION)
        if isinstance(version, str) and f'"{_VERSION}": "{version}"'.encode() not in manifest:
            return True
    return False


def what_moved(path: str, files: FileSet, earlier: Container[str]) -> str:
    """Return where the code of an edited file is now, as half a sentence, or `""` if none of it moved.

    Args:
        path: The edited file.
        files: The new emission.
        earlier: The paths of the earlier emission.
    """
    folder = record_folder(files)
    if folder + _ALWAYS_STATIC in earlier:
        return ""
    if path.startswith(folder + _FIXTURES) and path not in files.by_path:
        return "the sample inputs are now data in fixtures/__init__.py"
    moved = _MOVED.get(path.removeprefix(folder), ())
    told = [f"{what} in {place}" for place, what in moved if folder + place in files.by_path]
    return f"this release has {' and '.join(told)}" if told else ""
