"""Writes a planned file set to disk: all files or none, without losing the user's edits.

A new output folder appears with a single rename. An existing one is changed file by file with a journal
(`transaction.py`), in an order that keeps it readable at every point: added and changed files first, then removals,
then records, the manifest last.
"""

from collections.abc import Callable, Collection
from contextlib import suppress
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Final

from msgspec import Struct

from melleafy_tui.core.errors import OutputRefused
from melleafy_tui.core.models.file_set import FileSet
from melleafy_tui.core.output.emitted import INTERMEDIATE, MANIFEST_NAME, record_folder
from melleafy_tui.core.output.file_operations import FileOperations
from melleafy_tui.core.output.ownership import (
    existing_token,
    mark,
    remember_emission,
    remove_marked,
    token_of,
)
from melleafy_tui.core.output.paths import (
    BACKUP_FOLDER,
    LOCK_PATIENCE,
    PARTIAL_FOLDER,
    digest_on_disk,
    locked,
    work_folder,
    writable,
)
from melleafy_tui.core.output.target import TargetState
from melleafy_tui.core.output.transaction import Move, Moves, Transaction
from melleafy_tui.core.output.write_plan import (
    NEW_SUFFIX,
    Action,
    FileState,
    PlannedFile,
    WritePlan,
    plan_write,
)
from melleafy_tui.core.source.secrets.detector import mask_secrets

_ENTRY_POINTS: Final = ("__main__.py", "__init__.py")


class WriteResult(Struct, frozen=True):
    """The result of a write.

    `plan` is the plan that was carried out, `recovered` describes in one sentence how an interrupted earlier write was
    recovered, `backups` and `new_files` are paths relative to the output folder.
    """

    out: Path
    plan: WritePlan
    recovered: str = ""
    backups: tuple[str, ...] = ()
    new_files: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        """Return whether the write changed anything on disk."""
        return bool(self.plan.changes or self.plan.stale_new_files)


def write(
    plan: WritePlan,
    *,
    operations: FileOperations | None = None,
    patience: float = LOCK_PATIENCE,
    progress: Callable[[str], None] | None = None,
) -> WriteResult:
    """Carry out a plan; a plan without changes touches no file.

    Args:
        plan: The plan as shown to the user.
        operations: The file operations; tests replace them.
        patience: Seconds to wait for another run on the same output.
        progress: Called with the path of each written file.

    Raises:
        OutputRefused: another run holds the output, it changed since the plan was made, or it can't be written.
    """
    operations = operations or FileOperations()
    with writable(plan.out), locked(plan.out, patience):
        recovered = _follow_up(plan.out, operations)
        fresh = plan_write(
            plan.emission, plan.out, force=plan.force, restore=plan.restore, settled=plan.settled
        )
        if not recovered:
            _refuse_surprises(plan, fresh)
        remember_emission(fresh.out, {file.path: file.sha256 for file in fresh.emission.files}, fresh.known)
        writing = _Writing(fresh, operations, progress)
        if fresh.changes or fresh.stale_new_files:
            writing.carry_out()
        _remove_partial(plan.out, operations)
        return WriteResult(plan.out, fresh, recovered, tuple(writing.backups), tuple(writing.new_files))


def finish_interrupted(
    out: Path, *, operations: FileOperations | None = None, patience: float = LOCK_PATIENCE
) -> str:
    """Complete or undo the write of a killed run, and return a sentence about what was done, or `""`.

    Raises:
        OutputRefused: another run holds the output, or it can't be written.
    """
    if existing_token(work_folder(out)) is None:
        return ""
    with writable(out), locked(out, patience):
        return _follow_up(out, operations or FileOperations())


def is_unfinished(out: Path) -> bool:
    """Return whether a killed run left outstanding moves, without changing anything."""
    return Transaction(out, work_folder(out), FileOperations()).interrupted


def keep_partial(
    files: FileSet, out: Path, released: Collection[str] = (), *, operations: FileOperations | None = None
) -> Path:
    """Keep the files of a failed run in `.melleafy-partial/`, and return that folder.

    Their secrets are masked, since a secret may be the reason for the failure; `released` are the digests of values
    that the user released.

    Raises:
        OutputRefused: the output folder can't be written.
    """
    operations = operations or FileOperations()
    with writable(out), locked(out, LOCK_PATIENCE):
        _follow_up(out, operations)
        transaction = Transaction(out, work_folder(out), operations)
        try:
            for file in files.files:
                transaction.stage(file.path, _without_secrets(file.data, released))
            partial = out / PARTIAL_FOLDER
            operations.make_folder(out)
            _remove_partial(out, operations)
            mark(transaction.new, operations)
            operations.move(transaction.new, partial)
        finally:
            transaction.discard()
    return partial


class _Writing:
    def __init__(
        self, plan: WritePlan, operations: FileOperations, progress: Callable[[str], None] | None
    ) -> None:
        self._plan = plan
        self._operations = operations
        self._transaction = Transaction(plan.out, work_folder(plan.out), operations, progress)
        self.backups: list[str] = []
        self.new_files: list[str] = []

    def carry_out(self) -> None:
        """Stage everything, then move it into place."""
        out = self._plan.out
        try:
            moves = self._staged_moves()
            if self._plan.target.state is TargetState.ABSENT:
                self._transaction.settle()
                self._operations.move(self._transaction.new, out)
                for file in self._plan.changes:
                    self._transaction.progress(file.path)
            else:
                self._transaction.carry_out(moves)
        finally:
            if not self._transaction.interrupted:
                with suppress(OSError):
                    self._transaction.discard()

    def _staged_moves(self) -> Moves:
        plan = self._plan
        folder = record_folder(plan.emission)
        manifest_path = folder + MANIFEST_NAME
        manifest: Move | None = None
        moves: list[Move] = []
        for file in plan.files:
            if file.path == manifest_path and file.on_disk is not None:
                manifest = Move(manifest_path, file.on_disk, file.on_disk)
            if not file.changes:
                continue
            if file.copied and file.on_disk is not None:
                moves.append(self._backup(file.path, file.on_disk))
            if file.data is None:
                moves.append(Move(file.path, file.on_disk, None))
                continue
            target, before = self._place_of(file)
            after = sha256(file.data).hexdigest()
            if before == after:
                continue
            ours = before in plan.known.get(file.path, ())
            if target != file.path and before is not None and not ours:
                moves.append(self._backup(target, before))
            self._transaction.stage(target, file.data)
            move = Move(target, before, after)
            if target == manifest_path:
                manifest = move
            else:
                moves.append(move)
        for path in plan.stale_new_files:
            moves.append(Move(path, digest_on_disk(plan.out / path), None))
        return Moves(tuple(sorted(moves, key=lambda move: _order(move, folder))), manifest)

    def _place_of(self, file: PlannedFile) -> tuple[str, str | None]:
        """Return where to write a file and the digest of what is there; on a conflict, next to the user's file."""
        if file.action is not Action.CONFLICT:
            return file.path, file.on_disk
        beside = file.path + NEW_SUFFIX
        self.new_files.append(beside)
        return beside, digest_on_disk(self._plan.out / beside)

    def _backup(self, path: str, digest: str) -> Move:
        move = self._transaction.stage_backup(path, digest)
        self.backups.append(move.path)
        return move


def _order(move: Move, folder: str) -> tuple[int, str]:
    """Return the sort key of a move: backups, files, entry points, removals (another manifest first), records."""
    if move.path.startswith(f"{BACKUP_FOLDER}/"):
        return 0, move.path
    if move.path.startswith(folder + INTERMEDIATE):
        return 5, move.path
    if move.after is None:
        return (3 if PurePosixPath(move.path).name == MANIFEST_NAME else 4), move.path
    return (2 if PurePosixPath(move.path).name in _ENTRY_POINTS else 1), move.path


def _refuse_surprises(plan: WritePlan, fresh: WritePlan) -> None:
    """Refuse to write if the user's files changed since the plan was shown."""
    shown = {file.path: (file.state, file.on_disk) for file in plan.files}
    harmless = (FileState.UNCHANGED, FileState.ABSENT)
    for file in fresh.files:
        if file.state in harmless or shown.get(file.path) == (file.state, file.on_disk):
            continue
        raise OutputRefused(
            f"{file.path} was changed on the disk since the preview was made, so nothing was written",
            hint="Look at the preview again, or run the command again.",
        )


def _follow_up(out: Path, operations: FileOperations) -> str:
    return Transaction(out, work_folder(out), operations).follow_up()


def _without_secrets(data: bytes, released: Collection[str]) -> bytes:
    try:
        return mask_secrets(data.decode("utf-8"), released).encode("utf-8")
    except UnicodeDecodeError:
        return data


def _remove_partial(out: Path, operations: FileOperations) -> None:
    """Remove the files of a failed run; a folder of that name which isn't ours is left alone."""
    with suppress(OSError):
        if token := token_of(out / PARTIAL_FOLDER):
            remove_marked(out / PARTIAL_FOLDER, token, operations)
