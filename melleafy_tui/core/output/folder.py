"""Writes exact files to a folder that isn't a package: an OpenClaw workspace, or a folder of surfaces.

It uses the same journal and moves as for a package (`transaction.py`), without records. A new folder appears with one
rename, an existing one gets all files or none, and replaced files are backed up.
"""

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from melleafy_tui.core.errors import OutputRefused
from melleafy_tui.core.output.file_operations import FileOperations
from melleafy_tui.core.output.paths import (
    digest_on_disk,
    locked,
    refuse_link_on_the_way,
    stays_inside,
    work_folder,
    writable,
)
from melleafy_tui.core.output.target import Target, TargetState, inspect_target, refuse_unusable
from melleafy_tui.core.output.transaction import Move, Moves, Transaction

if TYPE_CHECKING:  # its module loads pydantic
    from melleafy_tui.core.models.surfaces import ExactFile


class FolderResult(Struct, frozen=True):
    """The result of a write; all paths are relative to the folder.

    `written` are new or changed files, `unchanged` those that already had the same bytes, `backups` the copies of
    replaced files. `recovered` describes in one sentence how an interrupted earlier write was recovered.
    """

    written: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    backups: tuple[str, ...] = ()
    recovered: str = ""


def refuse_target(source: Path, out: Path, *, force: bool) -> Target:
    """Return the target folder if it can be written to.

    Args:
        source: The source folder; the target can't be inside it or contain it.
        out: The target folder.
        force: Whether to allow a target that isn't empty.

    Raises:
        OutputRefused: the target can't be used.
    """
    real_source, real_out = source.resolve(), out.resolve()
    if real_out == real_source or real_source in real_out.parents or real_out in real_source.parents:
        raise OutputRefused(
            f"The target {out} and the source {source} lie in one another",
            hint="Choose a target outside the source.",
        )
    target = inspect_target(out)
    if target.state in (TargetState.FOREIGN, TargetState.OURS) and not force:
        raise OutputRefused(
            f"The target {out} exists and is not empty",
            hint="Choose another folder, or use --force: its other files stay, and a text that is replaced is kept in "
            ".melleafy-backup/.",
        )
    refuse_unusable(target, force=True)
    return target


def write_folder(
    files: "Sequence[ExactFile]",
    source: Path,
    out: Path,
    *,
    force: bool = False,
    operations: FileOperations | None = None,
) -> FolderResult:
    """Write files into a folder, all of them or none.

    Args:
        files: The files.
        source: The folder they come from.
        out: The folder to write into.
        force: Whether to allow a folder that isn't empty; replaced files are kept in `.melleafy-backup/`.
        operations: The file operations; tests replace them.

    Raises:
        OutputRefused: the folder can't be used or written, or a path is outside it.
    """
    operations = operations or FileOperations()
    _refuse_paths(files)
    refuse_target(source, out, force=force)
    with writable(out), locked(out):
        transaction = Transaction(out, work_folder(out), operations)
        recovered = transaction.follow_up()
        target = refuse_target(source, out, force=force)
        try:
            return _write(files, target, transaction, operations, recovered)
        finally:
            if not transaction.interrupted:
                transaction.discard()


def _write(
    files: "Sequence[ExactFile]",
    target: Target,
    transaction: Transaction,
    operations: FileOperations,
    recovered: str,
) -> FolderResult:
    out = target.out
    moves: list[Move] = []
    written: list[str] = []
    unchanged: list[str] = []
    backups: list[str] = []
    for file in sorted(files, key=lambda item: item.path):
        refuse_link_on_the_way(out, file.path)
        before, after = digest_on_disk(out / file.path), sha256(file.data).hexdigest()
        if before == after:
            unchanged.append(file.path)
            continue
        if before is not None:
            moves.append(transaction.stage_backup(file.path, before))
            backups.append(moves[-1].path)
        transaction.stage(file.path, file.data)
        if file.executable:
            operations.make_executable(transaction.new / file.path)
        moves.append(Move(file.path, before, after))
        written.append(file.path)
    if target.state is TargetState.ABSENT:
        operations.make_folder(transaction.new)
        transaction.settle()
        operations.move(transaction.new, out)
    elif moves:
        transaction.carry_out(Moves(tuple(moves)))
    return FolderResult(tuple(written), tuple(unchanged), tuple(backups), recovered)


def _refuse_paths(files: "Sequence[ExactFile]") -> None:
    seen: set[str] = set()
    for file in files:
        if not stays_inside(file.path):
            raise OutputRefused(
                f"The name {file.path!r} cannot be written below the target on every system",
                hint="Rename the file; nothing was written.",
            )
        if file.path in seen:
            raise OutputRefused(f"{file.path!r} would be written twice", hint="Nothing was written.")
        seen.add(file.path)
