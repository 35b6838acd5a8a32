"""Faults at every step of a write: killed, disk full, not writable. Nothing is lost, and the next run finishes.

Each file operation of a write is a step with a fault point before and after it. The process is really killed: the write runs in
a forked child that sends itself SIGKILL there.
"""

import errno
import json
import os
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from melleafy_tui.core.errors import OutputRefused
from melleafy_tui.core.models.file_set import FileSet
from melleafy_tui.core.output.file_operations import FileOperations
from melleafy_tui.core.output.ownership import mark, token_of
from melleafy_tui.core.output.paths import work_folder
from melleafy_tui.core.output.transaction import CLEANED, FINISHED
from melleafy_tui.core.output.write_plan import plan_write
from melleafy_tui.core.output.writer import finish_interrupted, is_unfinished, keep_partial, write
from tests.unit.faults import FaultyOperations, killed_at

Emission = Callable[..., FileSet]
Tree = Callable[[Path], dict[str, bytes]]

MANIFEST = "agent/melleafy.json"


BEFORE = {
    "pyproject.toml": "[project]\n",
    "agent/__init__.py": "",
    "agent/a.py": "A = 1\nB = 2\nC = 3\n",
    "agent/gone.py": "",
}
AFTER = {
    "pyproject.toml": "[project]\n\n",
    "agent/__init__.py": "X = 1\n",
    "agent/a.py": "A = 1\nB = 2\nC = 4\n",
    "agent/new/n.py": "",
}
EDIT = "A = 'mine'\nB = 2\nC = 3\n"
MERGED = "A = 'mine'\nB = 2\nC = 4\n"


@pytest.fixture
def written(out: Path, emission: Emission) -> Callable[[], None]:
    """Return a function that puts the old package there, with an edit of the user's in it."""

    def again() -> None:
        for place in out.parent.iterdir():
            shutil.rmtree(place) if place.is_dir() else place.unlink()
        write(plan_write(emission(BEFORE, stamp="old"), out))
        (out / "agent/a.py").write_text(EDIT)
        (out / "agent/mine.txt").write_text("mine")

    return again


def old_tree(files: FileSet) -> dict[str, bytes]:
    return {
        **{file.path: file.data for file in files.files},
        "agent/a.py": EDIT.encode(),
        "agent/mine.txt": b"mine",
    }


def new_tree(files: FileSet) -> dict[str, bytes]:
    return {**old_tree(files), "agent/a.py": MERGED.encode()}


@pytest.mark.parametrize(
    "stride", [pytest.param(5, id="sample"), pytest.param(1, id="every-point", marks=pytest.mark.slow)]
)
def test_killed_at_any_point_the_old_or_the_new_package_is_whole_after_the_next_run(
    out: Path, emission: Emission, tree: Tree, written: Callable[[], None], stride: int
) -> None:
    old, new = emission(BEFORE, stamp="old"), emission(AFTER, stamp="new")
    seen: set[str] = set()
    for point in range(0, 1_000, stride):
        written()
        if not killed_at(point, lambda operations: write(plan_write(new, out), operations=operations)):
            break
        state = tree(out)
        if state == old_tree(old):
            seen.add("old")
        elif state == new_tree(new):
            seen.add("new")
        else:
            seen.add("unfinished")
            assert MANIFEST not in state, f"point {point}: a mixture that looks finished"
            assert is_unfinished(out), f"point {point}: a mixture without a journal"
        assert b"'mine'" in state["agent/a.py"]
        assert state["agent/mine.txt"] == b"mine"
        said = finish_interrupted(out)
        assert said in ("", FINISHED, CLEANED)
        assert tree(out) in (old_tree(old), new_tree(new)), f"point {point}: a mixture stays"
        write(plan_write(new, out))
        assert tree(out) == new_tree(new), f"point {point}: the next run does not finish"
        assert sorted(place.name for place in out.parent.iterdir()) == [out.name]
    else:
        pytest.fail("the write has no end")
    assert seen == {"old", "new", "unfinished"}


def killed_where(
    wanted: Callable[[], bool], action: Callable[[FileOperations], object], before: Callable[[], None]
) -> int:
    """Return a fault point at which a killed action leaves what is wanted, and leave it there."""
    for point in range(0, 1_000, 4):
        before()
        assert killed_at(point, action), "the action ended before"
        if wanted():
            return point
    pytest.fail("the action has no end")


@pytest.mark.slow
def test_killed_while_finishing_a_killed_write_the_run_after_finishes(
    out: Path, emission: Emission, tree: Tree, written: Callable[[], None]
) -> None:
    new = emission(AFTER, stamp="new")
    middle = killed_where(
        lambda: is_unfinished(out) and MANIFEST not in tree(out),
        lambda operations: write(plan_write(new, out), operations=operations),
        written,
    )
    for point in range(1_000):
        written()
        assert killed_at(middle, lambda operations: write(plan_write(new, out), operations=operations))
        if not killed_at(point, lambda operations: finish_interrupted(out, operations=operations)):
            break
        write(plan_write(new, out))
        assert tree(out) == new_tree(new), f"point {point}"


@pytest.mark.slow
def test_a_first_write_killed_at_any_point_leaves_nothing_or_everything(
    out: Path, emission: Emission, tree: Tree
) -> None:
    new = emission(AFTER)
    whole = {file.path: file.data for file in new.files}
    for point in range(1_000):
        shutil.rmtree(out, ignore_errors=True)
        if not killed_at(point, lambda operations: write(plan_write(new, out), operations=operations)):
            break
        assert tree(out) in ({}, whole), f"point {point}"
        write(plan_write(new, out))
        assert tree(out) == whole
        assert sorted(place.name for place in out.parent.iterdir()) == [out.name]


@pytest.mark.slow
def test_forced_overwriting_killed_at_any_point_keeps_the_users_text(
    out: Path, emission: Emission, tree: Tree, written: Callable[[], None]
) -> None:
    new = emission(AFTER, stamp="new")
    for point in range(1_000):
        written()
        if not killed_at(
            point, lambda operations: write(plan_write(new, out, force=True), operations=operations)
        ):
            break
        assert EDIT.encode() in tree(out).values(), f"point {point}: the edit is gone"
        write(plan_write(new, out, force=True))
        assert tree(out)[".melleafy-backup/agent/a.py"] == EDIT.encode()
        assert tree(out)["agent/a.py"] == AFTER["agent/a.py"].encode()


@pytest.mark.parametrize(
    ("code", "stride"),
    [
        pytest.param(errno.ENOSPC, 7, id="disk-full"),
        pytest.param(errno.ENOSPC, 1, id="disk-full-at-every-point", marks=pytest.mark.slow),
        pytest.param(errno.EROFS, 7, id="read-only", marks=pytest.mark.slow),
        pytest.param(errno.EACCES, 7, id="not-allowed", marks=pytest.mark.slow),
    ],
)
def test_an_operation_that_fails_once_leaves_the_old_or_the_new_package(
    out: Path, emission: Emission, tree: Tree, written: Callable[[], None], code: int, stride: int
) -> None:
    """Every point for one kind of failure; the kinds differ in nothing but their words, so the others sample the points."""
    old, new = emission(BEFORE, stamp="old"), emission(AFTER, stamp="new")

    def fail() -> None:
        raise OSError(code, os.strerror(code), str(out))

    failed = 0
    for point in range(0, 1_000, stride):
        written()
        operations = FaultyOperations(point, fail)
        plan = plan_write(new, out)
        try:
            write(plan, operations=operations)
        except OutputRefused as error:
            failed += os.strerror(code) in error.message
            finish_interrupted(out)
            assert tree(out) in (old_tree(old), new_tree(new)), f"point {point}"
            write(plan_write(new, out))
        assert tree(out) == new_tree(new), f"point {point}"
        if operations.passed <= point:
            break
    assert failed > 3


def test_a_disk_that_stays_full_leaves_the_old_package_as_it_was(
    out: Path, emission: Emission, tree: Tree, written: Callable[[], None]
) -> None:
    class FullDisk(FileOperations):
        def write_file(self, place: Path, data: bytes) -> None:
            place.write_bytes(data[: len(data) // 2])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(place))

        def write_durably(self, place: Path, data: bytes, mode: int = 0o666) -> None:
            self.write_file(place, data)

    written()
    with pytest.raises(OutputRefused, match="No space left"):
        write(plan_write(emission(AFTER, stamp="new"), out), operations=FullDisk())
    assert tree(out) == old_tree(emission(BEFORE, stamp="old"))
    assert sorted(place.name for place in out.parent.iterdir()) == [out.name]


def test_an_interrupt_from_the_keyboard_takes_the_moves_back(
    out: Path, emission: Emission, tree: Tree, written: Callable[[], None]
) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    old, new = emission(BEFORE, stamp="old"), emission(AFTER, stamp="new")
    for point in range(0, 1_000, 9):
        written()
        operations = FaultyOperations(point, interrupt)
        try:
            write(plan_write(new, out), operations=operations)
        except KeyboardInterrupt:
            finish_interrupted(out)
            assert tree(out) in (old_tree(old), new_tree(new)), f"point {point}"
        if operations.passed <= point:
            break


def test_an_output_folder_that_vanishes_during_the_write_is_said_and_written_whole_next_time(
    out: Path, emission: Emission, tree: Tree, written: Callable[[], None]
) -> None:
    new = emission(AFTER, stamp="new")
    for step in ("write_file", "keep", "write_durably", "move"):
        written()
        plan = plan_write(new, out)
        operations = FileOperations()
        real = getattr(operations, step)

        def vanishing(*arguments: object, real: Callable[..., None] = real) -> None:
            shutil.rmtree(out, ignore_errors=True)
            real(*arguments)

        setattr(operations, step, vanishing)
        with pytest.raises(OutputRefused):
            write(plan, operations=operations)
        shutil.rmtree(out, ignore_errors=True)
        write(plan_write(new, out))
        assert tree(out) == {file.path: file.data for file in new.files}


@pytest.mark.slow
def test_a_file_edited_between_the_kill_and_the_next_run_stays(
    out: Path, emission: Emission, written: Callable[[], None], tree: Tree
) -> None:
    new = emission(AFTER, stamp="new")
    killed_where(
        lambda: is_unfinished(out) and MANIFEST not in tree(out),
        lambda operations: write(plan_write(new, out), operations=operations),
        written,
    )
    (out / "pyproject.toml").write_text("just now\n")
    (out / "pyproject.toml.new").write_text("my notes\n")
    finish_interrupted(out)
    assert (out / "pyproject.toml").read_text() == "just now\n"
    assert (out / "pyproject.toml.new").read_text() == "my notes\n"
    assert (out / "pyproject.toml.new.2").read_text() == AFTER["pyproject.toml"]
    assert MANIFEST in tree(out)


@pytest.mark.slow
def test_a_journal_whose_staged_files_are_gone_is_taken_back(
    out: Path, emission: Emission, written: Callable[[], None], tree: Tree
) -> None:
    old, new = emission(BEFORE, stamp="old"), emission(AFTER, stamp="new")
    killed_where(
        lambda: is_unfinished(out) and tree(out).get("agent/a.py") == MERGED.encode(),
        lambda operations: write(plan_write(new, out), operations=operations),
        written,
    )
    shutil.rmtree(work_folder(out) / "new")
    assert "put back" in finish_interrupted(out)
    assert tree(out) == old_tree(old)


def test_a_journal_of_ours_that_points_outside_is_not_followed(
    out: Path, emission: Emission, tmp_path: Path
) -> None:
    precious = tmp_path / "precious.txt"
    precious.write_text("precious")
    write(plan_write(emission(BEFORE), out))
    work = work_folder(out)
    token = mark(work, FileOperations())
    (work / "journal.json").write_text(journal(token, "../precious.txt"))
    assert finish_interrupted(out) == CLEANED
    assert precious.read_text() == "precious"


def journal(token: str, path: str) -> str:
    """Return a journal that removes a file and installs another."""
    after = sha256(b"evil").hexdigest()
    moves = [
        {"path": path, "before": None, "after": None},
        {"path": "agent/x.py", "before": None, "after": after},
    ]
    return json.dumps({"format_version": "1.0", "token": token, "files": moves, "manifest": None})


def runs_of_the_user() -> set[str]:
    return {place.name for place in Path(os.environ["XDG_STATE_HOME"], "melleafy-tui/runs").glob("*")}


FORGED_MARKS = ("", "owner-", f"owner-{'0' * 32}", "owner-../../x", f"owner-{'A' * 32}")


@pytest.mark.parametrize("existing", [False, True], ids=["first", "update"])
def test_a_forged_journal_is_refused_and_left_alone(
    out: Path, emission: Emission, tree: Tree, existing: bool
) -> None:
    work = work_folder(out)
    for forged in FORGED_MARKS:
        if existing:
            write(plan_write(emission(BEFORE), out))
        (work / "new/agent").mkdir(parents=True)
        (work / "new/agent/x.py").write_text("evil")
        (work / "journal.json").write_text(journal(forged.removeprefix("owner-"), "agent/a.py"))
        if forged and "/" not in forged:
            (work / forged).touch()
        before = tree(out.parent)
        for act in (
            lambda: finish_interrupted(out),
            lambda: is_unfinished(out),
            lambda: write(plan_write(emission(AFTER, stamp="new"), out)),
            lambda: keep_partial(emission(AFTER), out),
        ):
            with pytest.raises(OutputRefused, match="not made by a run of yours"):
                act()
            assert tree(out.parent) == before
        shutil.rmtree(work)


def test_a_token_that_became_known_opens_no_other_folder(
    out: Path, emission: Emission, tree: Tree, tmp_path: Path
) -> None:
    """What a failed run left was committed with its mark, and came back as the work folder of another output."""
    write(plan_write(emission(BEFORE), out))
    known = next(path.name for path in keep_partial(emission(AFTER), out).iterdir() if "owner-" in path.name)
    other = tmp_path / "other_mellea"
    write(plan_write(emission(BEFORE), other))
    work = work_folder(other)
    (work / "new/agent").mkdir(parents=True)
    (work / "new/agent/x.py").write_text("evil")
    (work / known).touch()
    (work / "journal.json").write_text(journal(known.removeprefix("owner-"), "agent/a.py"))
    before = tree(other)
    with pytest.raises(OutputRefused, match="not made by a run of yours"):
        finish_interrupted(other)
    assert tree(other) == before


def test_a_token_holds_where_the_folder_was_moved_or_has_no_lasting_inode(tmp_path: Path) -> None:
    work, elsewhere = tmp_path / "work", tmp_path / "elsewhere"
    token = mark(work, FileOperations())
    work.rename(elsewhere)
    assert token_of(elsewhere) == token
    shutil.copytree(elsewhere, work)
    assert token_of(work) == token
    assert token_of(shutil.copytree(elsewhere, tmp_path / "copy")) is None


@pytest.mark.parametrize("existing", [False, True], ids=["first", "update"])
@pytest.mark.parametrize("suffix", ["melleafy-work", "melleafy-lock"])
def test_a_link_in_place_of_our_work_folder_or_lock_is_not_followed(
    out: Path, emission: Emission, tree: Tree, tmp_path: Path, existing: bool, suffix: str
) -> None:
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "new/agent").mkdir(parents=True)
    (elsewhere / "journal.json").write_text(journal("", "agent/a.py"))
    (elsewhere / "diary.txt").write_text("dear diary")
    if existing:
        write(plan_write(emission(BEFORE), out))
    target = elsewhere if suffix.endswith("work") else elsewhere / "diary.txt"
    (out.parent / f".{out.name}.{suffix}").symlink_to(target)
    before = tree(tmp_path)
    with pytest.raises(OutputRefused, match=r"is a symbolic link|is not a regular file"):
        write(plan_write(emission(AFTER, stamp="new"), out))
    assert tree(tmp_path) == before


def test_a_file_of_somebody_in_place_of_our_lock_is_not_emptied(
    out: Path, emission: Emission, tree: Tree, tmp_path: Path
) -> None:
    lock = out.parent / f".{out.name}.melleafy-lock"
    (tmp_path / "diary.txt").write_text("dear diary")
    (tmp_path / "empty.txt").touch()
    for plant in (
        lambda: lock.write_text("mine"),
        lambda: lock.hardlink_to(tmp_path / "diary.txt"),
        lambda: lock.hardlink_to(tmp_path / "empty.txt"),
    ):
        plant()
        before = tree(tmp_path)
        with pytest.raises(OutputRefused, match="not a regular file of ours"):
            write(plan_write(emission(AFTER), out))
        assert tree(tmp_path) == before
        lock.unlink()
    lock.touch()
    write(plan_write(emission(AFTER), out))
    assert not lock.exists()


@pytest.mark.parametrize("at", ["new", "new/agent", "old"])
def test_a_link_put_into_the_work_folder_during_the_run_leads_nowhere(
    out: Path, emission: Emission, tree: Tree, tmp_path: Path, at: str
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    write(plan_write(emission(BEFORE, stamp="old"), out))

    class Planted(FileOperations):
        def make_folder(self, folder: Path) -> None:
            place = work_folder(out) / at
            if place in (folder, *folder.parents) and not place.is_symlink():
                place.parent.mkdir(parents=True, exist_ok=True)
                place.symlink_to(elsewhere)
            super().make_folder(folder)

    with pytest.raises(OutputRefused, match="cannot be written"):
        write(plan_write(emission(AFTER, stamp="new"), out), operations=Planted())
    assert not list(elsewhere.iterdir())
    assert tree(out) == {file.path: file.data for file in emission(BEFORE, stamp="old").files}


def test_a_partial_folder_that_is_not_ours_is_left_alone(out: Path, emission: Emission) -> None:
    write(plan_write(emission(BEFORE), out))
    (out / ".melleafy-partial").mkdir()
    (out / ".melleafy-partial/notes.txt").write_text("mine")
    write(plan_write(emission(AFTER, stamp="new"), out))
    with pytest.raises(OutputRefused):
        keep_partial(emission(BEFORE), out)
    assert (out / ".melleafy-partial/notes.txt").read_text() == "mine"


def test_a_finished_run_leaves_no_token_behind(out: Path, emission: Emission) -> None:
    write(plan_write(emission(BEFORE), out))
    write(plan_write(emission(AFTER, stamp="new"), out))
    assert not runs_of_the_user()


def test_without_a_state_folder_a_package_is_written(
    out: Path, emission: Emission, tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/proc/nowhere")
    write(plan_write(emission(BEFORE), out))
    assert MANIFEST in tree(out)
    assert sorted(place.name for place in out.parent.iterdir()) == [out.name]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_write_permission_is_refused_in_one_sentence(out: Path, emission: Emission) -> None:
    out.parent.chmod(0o555)
    try:
        with pytest.raises(OutputRefused, match="cannot be written"):
            write(plan_write(emission(BEFORE), out))
    finally:
        out.parent.chmod(0o755)


@pytest.mark.slow
def test_partial_files_killed_at_any_point_leave_the_package_whole(
    out: Path, emission: Emission, tree: Tree, written: Callable[[], None]
) -> None:
    old = emission(BEFORE, stamp="old")
    for point in range(1_000):
        written()
        if not killed_at(point, lambda operations: keep_partial(emission(AFTER), out, operations=operations)):
            break
        finish_interrupted(out)
        rest = {path: data for path, data in tree(out).items() if not path.startswith(".melleafy-partial")}
        assert rest == old_tree(old), f"point {point}"
