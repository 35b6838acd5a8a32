"""Plans what a write does to each file of the output folder, without writing anything.

One table determines the action from the file's state on disk and its content in the new emission.
"""

import os
from collections.abc import Collection, Iterator, Mapping
from enum import StrEnum
from hashlib import sha256
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from melleafy_tui.core.errors import OutputRefused
from melleafy_tui.core.models.file_set import RUNTIME_FOLDER, FileSet
from melleafy_tui.core.output.emitted import (
    EMITTED_NAME,
    EMITTED_TEXTS_NAME,
    EarlierEmission,
    is_record,
    is_static,
    read_earlier,
    record_folder,
)
from melleafy_tui.core.output.ownership import Known, known_emission
from melleafy_tui.core.output.paths import (
    DECISIONS_NAME,
    LARGEST_TEXT,
    digest_on_disk,
    is_control_name,
    read_without_links,
    refuse_link_on_the_way,
    stays_inside,
)
from melleafy_tui.core.output.target import (
    Target,
    TargetState,
    inspect_target,
    refuse_other_workspace,
    refuse_unusable,
)
from melleafy_tui.core.tables import table_beside

NEW_SUFFIX: Final = ".new"


class FileState(StrEnum):
    """The state of a file on disk, compared with the record of the earlier run."""

    UNCHANGED = "unchanged"
    """Unchanged since it was emitted; or not recorded, but equal to the new emission."""
    ABSENT = "absent"
    """Missing and not recorded."""
    DELETED = "deleted"
    """Recorded but missing: the user deleted it."""
    EDITED = "edited"
    """Recorded but different: the user edited it."""
    FOREIGN = "foreign"
    """Exists but isn't recorded: the user's own file."""


class Content(StrEnum):
    """The content of a file in the new emission, compared with the earlier one."""

    SAME = "same"
    CHANGED = "changed"
    GONE = "gone"
    NEW = "new"


class Action(StrEnum):
    """What a write does to a file (`write_plan.toml`)."""

    UNTOUCHED = "untouched"
    CREATE = "create"
    REPLACE = "replace"
    REMOVE = "remove"
    MERGE = "merge"
    CONFLICT = "conflict"
    KEEP_EDITS = "keep edits"
    STAY_DELETED = "stay deleted"
    FORGET = "forget"
    OVERWRITE = "overwrite"


_TABLE: Final = table_beside(__file__, "write_plan.toml")
WRITE_ORDER: Final = tuple(map(Action, _TABLE["order"]))
"""The actions of a write, those that need review first."""


_DIFFERENCES: Final = {FileState.UNCHANGED: "stale", FileState.ABSENT: "missing"}
"""How a file is called that differs from what is emitted, where that isn't its state.

A stale one is as its record says, but the emission is another now; a changed record looks the same.
"""
_ADDED: Final = "added"

ACTIONS: Final = {
    (FileState(state), Content(content)): Action(action)
    for state, row in _TABLE["actions"].items()
    for content, action in row.items()
}
"""The action for each possible combination; a file that isn't recorded can't be same, changed or gone."""

FORCED: Final = {Action(action): Action(forced) for action, forced in _TABLE["forced"].items()}
"""The actions that `--force` replaces; every overwritten file goes to the backup folder."""

_NOTES: Final[dict[Action, str]] = {
    Action.STAY_DELETED: "you deleted it; it is written again with --force",
    Action.CONFLICT: "a file of yours has the same name as an emitted one",
}

_CHANGES: Final = frozenset(
    {Action.CREATE, Action.REPLACE, Action.REMOVE, Action.MERGE, Action.CONFLICT, Action.OVERWRITE}
)

_REPLACING: Final = frozenset({Action.REPLACE, Action.REMOVE, Action.MERGE, Action.OVERWRITE})
"""The actions after which the text on disk is gone."""

_COPIED: Final = "no run of yours is known to have written it, so a copy goes to .melleafy-backup/"


class PlannedFile(Struct, frozen=True):
    """One file of the plan.

    Attributes:
        path: Relative to the output folder.
        state: Its state on disk.
        content: Its content in the new emission, compared with the earlier one.
        action: What the write does to it.
        data: The bytes to write (to a `.new` file next to it on a conflict), or None.
        on_disk: SHA-256 of the file on disk, or None; the writer refuses to continue if it has changed meanwhile.
        note: A one-sentence explanation for the user, or `""`.
        copied: Whether what is on disk goes to the backup folder first: no run of this user is known to have written
            these bytes, whatever the records say that lie with them.
    """

    path: str
    state: FileState
    content: Content
    action: Action
    data: bytes | None = None
    on_disk: str | None = None
    note: str = ""
    copied: bool = False

    @property
    def changes(self) -> bool:
        """Return whether the write changes anything on the disk for this file."""
        return self.action in _CHANGES


class Settlement(Struct, frozen=True):
    """What the user chose for a file whose new text conflicts with their own.

    Attributes:
        emitted: SHA-256 of the emitted text that it was chosen for; it doesn't apply to another one.
        text: The bytes that the file gets, with a backup of the user's; None keeps the user's file alone.
    """

    emitted: str
    text: bytes | None = None


Settlements = Mapping[str, Settlement]
"""The settled conflicts by path."""

_KEPT: Final = "you keep your text"
_CHOSEN: Final = "the text that you chose takes its place"


class WritePlan(Struct, frozen=True):
    """Everything a write would do; `files` are sorted by path."""

    out: Path
    target: Target
    emission: FileSet
    files: tuple[PlannedFile, ...]
    force: bool = False
    restore: frozenset[str] = frozenset()
    settled: Settlements = field(default_factory=dict)
    stale_new_files: tuple[str, ...] = ()
    """`.new` files of an earlier conflict whose text is now in the file itself."""
    notes: tuple[str, ...] = ()
    known: Known = field(default_factory=dict)
    """What earlier runs of this user emitted to the folder."""

    @property
    def changes(self) -> tuple[PlannedFile, ...]:
        """Return the files that the write changes."""
        return tuple(file for file in self.files if file.changes)

    @property
    def differing(self) -> tuple[tuple[str, str], ...]:
        """Return each file that isn't byte for byte what is emitted, and the files that others put into the packages.

        The new emission is the measure, not the record on disk: whoever changes a file can change its record, too.
        """
        found = {
            file.path: _DIFFERENCES.get(file.state, file.state.value)
            for file in self.files
            if file.on_disk != (emitted.sha256 if (emitted := self.emission.by_path.get(file.path)) else None)
        }
        known = {file.path for file in self.files}
        folders = {*self.target.packages, record_folder(self.emission)}
        there = {path for folder in folders for path in _paths_in(self.out, folder)}
        added = {*there, *_modules_beside(self.out)} - known - {DECISIONS_NAME}
        found.update(dict.fromkeys(added, _ADDED))
        return tuple(sorted(found.items()))

    @property
    def conflicts(self) -> tuple[PlannedFile, ...]:
        """Return the files whose new text is written next to the user's."""
        return self.doing(Action.CONFLICT)

    @property
    def deleted(self) -> tuple[PlannedFile, ...]:
        """Return the files that the user deleted and that won't be written again."""
        return self.doing(Action.STAY_DELETED)

    def doing(self, action: Action) -> tuple[PlannedFile, ...]:
        """Return the files with this action."""
        return tuple(file for file in self.files if file.action is action)


def plan_write(
    files: FileSet,
    out: Path,
    *,
    force: bool = False,
    restore: Collection[str] = (),
    settled: Settlements = MappingProxyType({}),
) -> WritePlan:
    """Return what writing the file set to `out` would do, without writing anything.

    Args:
        files: The complete file set, with its records.
        out: The output folder.
        force: Overwrite edited files (with a backup), restore deleted ones, and replace the package of another
            workspace.
        restore: Deleted files that the user agreed to restore.
        settled: What the user chose for files with a conflict.

    Raises:
        OutputRefused: the folder can't be used or contains the package of another workspace, or an emitted path is
            outside it.
    """
    for file in files.files:
        if not stays_inside(file.path):
            raise OutputRefused(
                f"The emitted path {file.path!r} would leave the output folder",
                hint="Nothing was written; please report this as a bug.",
            )
    target = inspect_target(out)
    refuse_unusable(target, force=force)
    if target.state is TargetState.OURS and not force:
        refuse_other_workspace(files, out)
    earlier = read_earlier(out) if target.state is not TargetState.ABSENT else EarlierEmission()
    planner = _Planner(files, out, earlier, known_emission(out), force, frozenset(restore), settled)
    planned = tuple(planner.planned())
    notes = tuple(
        f"{name} could not be read; edits are told from the texts alone." for name in earlier.damaged
    )
    return WritePlan(
        out=out,
        target=target,
        emission=files,
        files=planned,
        force=force,
        restore=planner.restore,
        settled=settled,
        stale_new_files=tuple(planner.stale_new_files(planned)),
        notes=notes,
        known=planner.known,
    )


class _Planner(Struct, frozen=True):
    """What a plan is made from, as in WritePlan."""

    files: FileSet
    out: Path
    earlier: EarlierEmission
    known: Known
    force: bool
    restore: frozenset[str]
    settled: Settlements

    def planned(self) -> Iterator[PlannedFile]:
        """Yield what happens to each file that is emitted, or was."""
        folders = (record_folder(self.files), *self.earlier.packages)
        records = {folder + name for folder in folders for name in (EMITTED_NAME, EMITTED_TEXTS_NAME)}
        for path in sorted({*self.files.by_path, *self.earlier.hashes, *records}):
            refuse_link_on_the_way(self.out, path)
            entry = self._file(path, own_record=path in records)
            if entry is not None:
                yield self._with_copy(entry)

    def _with_copy(self, file: PlannedFile) -> PlannedFile:
        """Return a file with the copy that is made of it; nothing but the user's state folder says what is ours."""
        lost = self.earlier.hashes.get(file.path) if file.action is Action.MERGE else file.on_disk
        ours = file.action is not Action.OVERWRITE and lost in self.known.get(file.path, ())
        if file.on_disk is None or file.action not in _REPLACING or ours:
            return file
        copied = replace(file, copied=True)
        return (
            copied if file.action is Action.OVERWRITE else replace(copied, note=_joined(file.note, _COPIED))
        )

    def stale_new_files(self, planned: tuple[PlannedFile, ...]) -> Iterator[str]:
        """Yield the `.new` files of earlier conflicts whose text is now in the file itself."""
        for file in planned:
            beside = file.path + NEW_SUFFIX
            if file.action is Action.CONFLICT or file.path not in self.files.by_path:
                continue
            pending = digest_on_disk(self.out / beside)
            if pending is not None and pending in (file.on_disk, self.files.by_path[file.path].sha256):
                yield beside

    def _file(self, path: str, *, own_record: bool) -> PlannedFile | None:
        emitted = self.files.by_path.get(path)
        now = emitted.sha256 if emitted is not None else None
        on_disk = digest_on_disk(self.out / path)
        before = on_disk if own_record else self.earlier.hashes.get(path)
        if (now, before, on_disk) == (None, None, None):
            return None
        state, content = _state(before, on_disk, now), _content(before, now)
        action, data, note = ACTIONS[(state, content)], emitted.data if emitted is not None else None, ""
        if on_disk is not None and on_disk == now:
            action = Action.UNTOUCHED
        elif data is not None and self._overrules(action, path):
            action = FORCED[action]
        elif state is FileState.EDITED:
            action, data, note = self._edited(path, data)
        else:
            note = _NOTES.get(action, "")
        if action is Action.CONFLICT and now is not None:
            action, data, note = self._settle(path, now, data, note)
        place = PurePosixPath(path)
        moved = str(place.parent / RUNTIME_FOLDER / place.name)
        if now is None and moved in self.files.by_path:
            note = _joined(note, f"the package reads {moved} instead")
        written = data if action in _CHANGES - {Action.REMOVE} else None
        return PlannedFile(path, state, content, action, written, on_disk, note)

    def _settle(self, path: str, now: str, data: bytes | None, note: str) -> tuple[Action, bytes | None, str]:
        """Return what happens to a file with a conflict: what the user chose for this text, if anything."""
        chosen = self.settled.get(path)
        if chosen is None or chosen.emitted != now or (self.out / path).is_symlink():
            return Action.CONFLICT, data, note
        if chosen.text is None:
            return Action.KEEP_EDITS, None, _KEPT
        return Action.OVERWRITE, chosen.text, _CHOSEN

    def _overrules(self, action: Action, path: str) -> bool:
        """Return whether the user asks to write a file in spite of what was done to it on disk."""
        return action in FORCED and (self.force or (action is Action.STAY_DELETED and path in self.restore))

    def _edited(self, path: str, now: bytes | None) -> tuple[Action, bytes | None, str]:
        if now is None:
            return Action.KEEP_EDITS, None, "you edited it, and it is no longer emitted; it stays as it is"
        place = self.out / path
        if place.is_symlink():
            return Action.CONFLICT, now, "it is a symbolic link, and links are not followed"
        if (self.out / (path + NEW_SUFFIX)).is_file():
            return Action.CONFLICT, now, f"not merged yet; delete {path}{NEW_SUFFIX} when you have merged it"
        if is_record(path):
            return Action.OVERWRITE, now, "it is a record of ours; your text goes to .melleafy-backup/"
        if sha256(now).hexdigest() == self.earlier.hashes[path]:
            return Action.KEEP_EDITS, None, ""
        if place.stat().st_size > LARGEST_TEXT:
            return Action.CONFLICT, now, "the file is too large to be merged"
        if is_static(path, now):
            return Action.CONFLICT, now, "it is the same in every package, and this release has another text"
        before = self.earlier.texts.get(path, "").encode("utf-8", "surrogatepass")
        if sha256(before).hexdigest() != self.earlier.hashes[path]:
            return Action.CONFLICT, now, "the text that was emitted before is not on record"
        from melleafy_tui.core.output.merge import merge_three  # most outputs are not edited

        user = read_without_links(place)
        merged = merge_three(path, before=before, user=user, now=now)
        if merged.data is None:
            return Action.CONFLICT, now, merged.reason
        if merged.data == user:
            return Action.KEEP_EDITS, None, ""
        return Action.MERGE, merged.data, "your edits and the new text were merged"


def _paths_in(out: Path, folder: str) -> Iterator[str]:
    """Yield the files and links in a package's folder, without those that a writer keeps.

    Compiled code in a cache counts: Python runs it instead of the module beside it.
    """
    for parent, folders, names in os.walk(out / folder):
        links = [name for name in folders if Path(parent, name).is_symlink()]
        folders[:] = [name for name in folders if not is_control_name(name)]
        for name in (*names, *links):
            yield Path(parent, name).relative_to(out).as_posix()


def _modules_beside(out: Path) -> Iterator[str]:
    """Yield the modules in an output folder itself, which Python may import instead of a library."""
    for place in sorted(out.iterdir()) if out.is_dir() else ():
        if place.name.endswith(_CODE):
            yield place.name
        elif not is_control_name(place.name):
            yield from (
                f"{place.name}/__init__{ending}" for ending in _CODE if (place / f"__init__{ending}").exists()
            )


_CODE: Final = (".py", ".pyc", ".pyd", ".so")


def _state(before: str | None, on_disk: str | None, now: str | None) -> FileState:
    if on_disk is None:
        return FileState.ABSENT if before is None else FileState.DELETED
    if before is None:
        return FileState.UNCHANGED if on_disk == now else FileState.FOREIGN
    return FileState.UNCHANGED if on_disk == before else FileState.EDITED


def _content(before: str | None, now: str | None) -> Content:
    if now is None:
        return Content.GONE
    if before is None:
        return Content.NEW
    return Content.SAME if now == before else Content.CHANGED


def _joined(*notes: str) -> str:
    return "; ".join(filter(None, notes))
