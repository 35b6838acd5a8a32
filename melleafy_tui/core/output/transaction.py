"""A write as a list of moves with a journal, so that a write interrupted at any point can be completed or undone.

All files are first staged in the work folder. Writing the journal commits the write; then the moves are made.
Meanwhile the package's manifest is in the work folder, so that a half-written package never looks finished; it returns
with the last move. A journal found later is completed, or rolled back if something it needs is missing.

    <work>/new/…          staged files, moved into the output folder one by one
    <work>/old/…          hard links to the files they replace
    <work>/journal.json   the moves and the run's token; while it exists the write is unfinished
    <work>/owner-…        the mark by which the next run knows that this user's run made the folder (`ownership.py`)
"""

import errno
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Final

import msgspec
from msgspec import Struct

from melleafy_tui.core.output.file_operations import FileOperations
from melleafy_tui.core.output.ownership import existing_token, mark, remove_marked
from melleafy_tui.core.output.paths import (
    BACKUP_FOLDER,
    digest_on_disk,
    free_place,
    is_control_name,
    read_without_links,
    refuse_link_on_the_way,
    stays_inside,
)

FINISHED: Final = "An earlier write was interrupted; it has been finished now."
TAKEN_BACK: Final = "An earlier write was interrupted; the package was put back as it was before it."
CLEANED: Final = (
    "An earlier run was interrupted; its temporary files were removed, the package itself was whole."
)


_IGNORE_ALL: Final = b"*\n"


class Move(Struct, frozen=True):
    """One change of one file: SHA-256 before and after, None if there is no file."""

    path: str
    before: str | None
    after: str | None


class Moves(Struct, frozen=True):
    """The moves of one write, in order; `manifest` is the manifest's move, which is made last.

    The digests in `manifest` are equal if the write doesn't change the manifest.
    """

    files: tuple[Move, ...]
    manifest: Move | None = None

    @property
    def all(self) -> tuple[Move, ...]:
        """Return all moves, the manifest's last."""
        return (*self.files, self.manifest) if self.manifest else self.files


class _Journal(Moves, frozen=True, kw_only=True):
    token: str


class Transaction:
    """Stages a write in its work folder and carries it out.

    Args:
        out: The output folder.
        work: The work folder.
        operations: The file operations.
        progress: Called with the path after each move.
    """

    def __init__(
        self,
        out: Path,
        work: Path,
        operations: FileOperations,
        progress: Callable[[str], None] | None = None,
    ) -> None:
        self._out = out
        self._operations = operations
        self.progress = progress or (lambda _: None)
        self._work = work
        self.new = work / "new"
        self._old = work / "old"
        self._journal = work / "journal.json"
        self._token = ""
        operations.root = out.parent

    # --- forward --------------------------------------------------------------------------------

    def stage(self, path: str, data: bytes) -> None:
        """Write a new file to the work folder, with the permissions of the one it replaces."""
        place = self._staged(path)
        self._operations.write_file(place, data)
        standing = self._out / path
        if standing.is_file() and not standing.is_symlink():
            self._operations.take_mode(place, standing)

    def stage_backup(self, path: str, digest: str) -> Move:
        """Stage a copy of the file at `path` under the first free name in the backup folder."""
        self._begin()
        place = self._free_place(f"{BACKUP_FOLDER}/{path}", digest)
        name = place.relative_to(self._out).as_posix()
        self._operations.copy(self._out / path, self._staged(name))
        return Move(name, digest_on_disk(place), digest)

    def _free_place(self, path: str, digest: str) -> Path:
        refuse_link_on_the_way(self._out, path)
        return free_place(self._out / path, digest)

    def settle(self) -> None:
        """Flush all staged files to disk."""
        self._operations.settle(self.new)

    def carry_out(self, moves: Moves) -> None:
        """Write the journal and make the moves; if one fails, undo all of them and raise.

        Raises:
            OSError: a move failed.
        """
        moves = self._with_ignored_backups(moves)
        self._begin()
        self.settle()
        for move in moves.all:
            if move.before is not None:
                kept = self._old / move.path
                self._operations.make_folder(kept.parent)
                self._operations.keep(self._out / move.path, kept)
        journal = _Journal(moves.files, moves.manifest, token=self._token)
        draft = self._journal.with_suffix(".draft")
        self._operations.write_durably(draft, msgspec.json.encode(journal))
        self._operations.move(draft, self._journal)
        try:
            self._go_forward(moves)
        except BaseException:
            self._go_back(moves)
            self._end()
            raise
        self._end()

    def _with_ignored_backups(self, moves: Moves) -> Moves:
        """Return the moves with a `.gitignore` for backups, which may hold what isn't meant for a repository."""
        path = f"{BACKUP_FOLDER}/.gitignore"
        backs_up = any(move.path.startswith(f"{BACKUP_FOLDER}/") for move in moves.files)
        if not backs_up or digest_on_disk(self._out / path) is not None:
            return moves
        self.stage(path, _IGNORE_ALL)
        return Moves((Move(path, None, sha256(_IGNORE_ALL).hexdigest()), *moves.files), moves.manifest)

    # --- after an interruption ------------------------------------------------------------------

    @property
    def interrupted(self) -> bool:
        """Return whether a run of this user left a journal with outstanding moves.

        Raises:
            OutputRefused: the work folder is a link, or isn't this user's.
        """
        return bool(self._token or existing_token(self._work) is not None) and self._journal.is_file()

    def follow_up(self) -> str:
        """Complete or undo an interrupted write, and return a sentence about what was done, or `""`.

        Raises:
            OutputRefused: the work folder is a link, or isn't this user's.
        """
        token = existing_token(self._work)
        if token is None:
            return ""
        self._token = token
        moves = self._read_journal()
        if moves is None or not self._out.is_dir():
            self._end()
            return CLEANED
        if all(self._can_go_forward(move) for move in moves.files) and self._manifest_at_hand(moves.manifest):
            self._go_forward(moves)
            self._end()
            return FINISHED
        self._go_back(moves)
        self._end()
        return TAKEN_BACK

    # --- the moves ------------------------------------------------------------------------------

    def _go_forward(self, moves: Moves) -> None:
        if not self._out.is_dir():
            raise FileNotFoundError(errno.ENOENT, "it vanished during the run", str(self._out))
        manifest = moves.manifest
        if manifest is not None and manifest.before is not None:
            place = self._out / manifest.path
            outstanding = any(digest_on_disk(self._out / move.path) != move.after for move in moves.files)
            if outstanding and digest_on_disk(place) == manifest.before:
                self._operations.remove_file(place)
        for move in moves.files:
            self._make(move)
            self.progress(move.path)
        if manifest is not None and manifest.after is not None:
            self._return_manifest(manifest)
            self.progress(manifest.path)

    def _make(self, move: Move) -> None:
        refuse_link_on_the_way(self._out, move.path)
        place = self._out / move.path
        standing = digest_on_disk(place)
        if standing == move.after:
            return
        if standing != move.before:
            self._put_beside(move)
            return
        if move.after is None:
            self._operations.remove_file(place)
            self._remove_empty_parents(move.path)
            return
        self._operations.make_folder(place.parent)
        self._operations.move(self.new / move.path, place)

    def _put_beside(self, move: Move) -> None:
        """Keep a file that the user changed since the interruption, and write the new text next to it."""
        staged = self.new / move.path
        if move.after is not None and staged.is_file():
            beside = self._free_place(f"{move.path}.new", move.after)
            self._operations.make_folder(beside.parent)
            self._operations.move(staged, beside)

    def _return_manifest(self, manifest: Move) -> None:
        place = self._out / manifest.path
        if digest_on_disk(place) == manifest.after:
            return
        source = (self._old if manifest.before == manifest.after else self.new) / manifest.path
        self._operations.make_folder(place.parent)
        self._operations.move(source, place)

    def _go_back(self, moves: Moves) -> None:
        if not self._out.is_dir():
            return
        for move in reversed(moves.all):
            refuse_link_on_the_way(self._out, move.path)
            place, kept = self._out / move.path, self._old / move.path
            standing = digest_on_disk(place)
            if standing == move.before or standing not in (move.after, None):
                continue
            if move.before is None:
                self._operations.remove_file(place)
                self._remove_empty_parents(move.path)
            elif kept.is_symlink() or kept.is_file():
                self._operations.make_folder(place.parent)
                self._operations.move(kept, place)

    def _can_go_forward(self, move: Move) -> bool:
        standing = digest_on_disk(self._out / move.path)
        return (
            standing == move.after or move.after is None or digest_on_disk(self.new / move.path) == move.after
        )

    def _manifest_at_hand(self, manifest: Move | None) -> bool:
        if manifest is None or manifest.after is None:
            return True
        places = (self._out / manifest.path, self.new / manifest.path, self._old / manifest.path)
        return any(digest_on_disk(place) == manifest.after for place in places)

    # --- the work folder ------------------------------------------------------------------------

    def discard(self) -> None:
        """Remove the work folder, if this transaction made it."""
        if self._token:
            remove_marked(self._work, self._token, self._operations)
            self._token = ""

    def _begin(self) -> None:
        """Make the work folder and mark it as ours.

        Raises:
            OutputRefused: there is one that isn't ours.
        """
        if not self._token:
            existing_token(self._work)
            self._token = mark(self._work, self._operations)

    def _staged(self, path: str) -> Path:
        self._begin()
        place = self.new / path
        self._operations.make_folder(place.parent)
        return place

    def _end(self) -> None:
        self._operations.remove_file(self._journal)
        remove_marked(self._work, self._token, self._operations)
        self._token = ""

    def _remove_empty_parents(self, path: str) -> None:
        for parent in PurePosixPath(path).parents:
            if parent.parts and not is_control_name(parent.parts[0]):
                self._operations.remove_empty_folder(self._out / parent)

    def _read_journal(self) -> Moves | None:
        try:
            found = msgspec.json.decode(read_without_links(self._journal), type=_Journal)
        except (OSError, ValueError, RecursionError):
            return None
        inside = all(stays_inside(move.path, control=True) for move in found.all)
        return found if found.token == self._token and inside else None
