"""Inspects the output folder before a write: absent, empty, ours, foreign, a link, or not a folder."""

from collections.abc import Callable, Set
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Final

from msgspec import Struct

from melleafy_tui.core.errors import OutputRefused
from melleafy_tui.core.models.file_set import FileSet
from melleafy_tui.core.models.vocabulary import Tag
from melleafy_tui.core.output.emitted import package_folders, read_recorded, record_folder
from melleafy_tui.core.output.paths import DECISIONS_NAME, is_control_name
from melleafy_tui.core.source.json5 import read_record


class TargetState(StrEnum):
    """What exists at the path of the output folder."""

    ABSENT = "absent"
    EMPTY = "empty"
    OURS = "ours"
    FOREIGN = "foreign"
    LINK = "link"
    NO_FOLDER = "no folder"


class Target(Struct, frozen=True):
    """The output folder's state; `packages` are the folders in it that contain our packages."""

    out: Path
    state: TargetState
    packages: tuple[str, ...] = ()


_REFUSALS: Final[dict[TargetState, tuple[str, str]]] = {
    TargetState.LINK: (
        "The output folder {out} is a symbolic link, and links are not followed",
        "Name the real folder.",
    ),
    TargetState.NO_FOLDER: (
        "The output {out} exists and is not a folder",
        "Choose another folder.",
    ),
    TargetState.FOREIGN: (
        "The output folder {out} exists, is not empty and was not made by melleafy-tui",
        "Choose another folder with --out, or use --force to write into it; its other files stay.",
    ),
}


def inspect_target(out: Path) -> Target:
    """Return what exists at `out`.

    Raises:
        OutputRefused: the folder can't be listed.
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
    """Check that the target can be written to.

    Raises:
        OutputRefused: it is a link, not a folder, or a foreign folder (unless `force`).
    """
    refusal = _REFUSALS.get(target.state)
    if refusal is None or (force and target.state is TargetState.FOREIGN):
        return
    message, hint = refusal
    raise OutputRefused(message.format(out=target.out), hint=hint)


INVENTORY_NAME: Final = "intermediate/inventory.json"
_ENOUGH_IN_COMMON: Final = 0.5
"""If at least this share of the texts is unchanged, it is the same workspace under another name."""

_ENOUGH_TEXTS: Final = 6
"""With fewer texts, all of them may have been rewritten, so only the package's name is compared."""

_NAME: Final = "name"


class _Element(Struct, frozen=True):
    content_full: str = ""
    tag: str = ""
    label: str = ""
    template: bool = False


class _Inventory(Struct, frozen=True):
    elements: tuple[_Element, ...] = ()


def _same_source(earlier: Set[str], now: Set[str], *, namesakes: bool) -> bool:
    """Return whether two packages may come from the same workspace, by the texts of their elements.

    With the same name, one unchanged text is enough; with different names, half of them must be unchanged. A package
    that records no text may come from any workspace.
    """
    common = len(earlier & now)
    if namesakes:
        return bool(common) or min(len(earlier), len(now)) < _ENOUGH_TEXTS
    return not earlier or not now or common >= _ENOUGH_IN_COMMON * len(earlier)


def refuse_other_workspace(files: FileSet, out: Path) -> None:
    """Check that the output folder doesn't contain the package of another workspace.

    Raises:
        OutputRefused: it does, and a write would remove that package.
    """
    folder = record_folder(files)
    emitted = files.by_path.get(folder + INVENTORY_NAME)
    now = _texts(lambda: emitted.data if emitted is not None else b"{}")
    for earlier_folder in package_folders(out):
        name = earlier_folder.rstrip("/") or out.name
        earlier = _texts(partial(read_recorded, out / earlier_folder / INVENTORY_NAME))
        if not _same_source(earlier, now, namesakes=name == files.package_name):
            fate = "replaced" if name == files.package_name else "removed"
            raise OutputRefused(
                f"{out} holds the package {name}, which was made from another workspace and would be {fate}",
                hint="Choose another folder with --out, or use --force to replace it; your edits in it are kept.",
            )


def _texts(inventory: Callable[[], bytes]) -> Set[str]:
    """Return the texts of the elements, without the agent's name and OpenClaw's template lines."""
    try:
        recorded = read_record(inventory(), _Inventory)
    except (OSError, ValueError, RecursionError):
        recorded = _Inventory()
    return {
        " ".join(element.content_full.split())
        for element in recorded.elements
        if element.content_full and not element.template
        if element.tag != Tag.NO_DECOMPOSE and element.label != _NAME
    }
