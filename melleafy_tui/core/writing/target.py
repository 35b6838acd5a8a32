"""What the output folder is before anything is written: absent, empty, ours, foreign, a link, no folder."""

from enum import StrEnum
from pathlib import Path
from typing import Final

from msgspec import Struct

from melleafy_tui.core.errors import OutputRefused
from melleafy_tui.core.writing.places import DECISIONS_NAME, is_control_name
from melleafy_tui.core.writing.record import package_folders


class TargetState(StrEnum):
    """What stands at the place of the output folder."""

    ABSENT = "absent"
    EMPTY = "empty"
    OURS = "ours"
    FOREIGN = "foreign"
    LINK = "link"
    NO_FOLDER = "no folder"


class Target(Struct, frozen=True):
    """The output folder as it was found; `packages` are the folders in it that hold packages of ours."""

    out: Path
    state: TargetState
    packages: tuple[str, ...] = ()


_REFUSALS: Final[dict[TargetState, tuple[str, str]]] = {
    TargetState.LINK: (
        "The output folder {out} is a symbolic link, and links are not followed",
        "Name the real folder with --out.",
    ),
    TargetState.NO_FOLDER: (
        "The output {out} exists and is not a folder",
        "Choose another folder with --out.",
    ),
    TargetState.FOREIGN: (
        "The output folder {out} exists, is not empty and was not made by melleafy-tui",
        "Choose another folder with --out, or use --force to write into it; its other files stay.",
    ),
}


def inspect_target(out: Path) -> Target:
    """Return what stands at `out`.

    Raises:
        OutputRefused: the folder cannot be looked into.
    """
    try:
        if out.is_symlink():
            return Target(out, TargetState.LINK)
        if not out.exists():
            return Target(out, TargetState.ABSENT)
        if not out.is_dir():
            return Target(out, TargetState.NO_FOLDER)
        names = [child.name for child in out.iterdir()]
    except OSError as error:
        raise OutputRefused(
            f"The output folder {out} cannot be read ({error.strerror})",
            hint="Check its permissions, or choose another folder with --out.",
        ) from error
    if all(is_control_name(name) or name == DECISIONS_NAME for name in names):
        return Target(out, TargetState.EMPTY)
    packages = package_folders(out)
    return Target(out, TargetState.OURS if packages else TargetState.FOREIGN, packages)


def refuse_unusable(target: Target, *, force: bool) -> None:
    """Raise where nothing may be written to the target.

    Raises:
        OutputRefused: it is a link, no folder, or somebody else's folder (unless `force`).
    """
    refusal = _REFUSALS.get(target.state)
    if refusal is None or (force and target.state is TargetState.FOREIGN):
        return
    message, hint = refusal
    raise OutputRefused(message.format(out=target.out), hint=hint)
