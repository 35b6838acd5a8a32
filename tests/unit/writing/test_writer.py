"""The writer: what it leaves alone, what it keeps, what it refuses."""

import json
import os
import threading
import tracemalloc
from collections.abc import Callable
from errno import EACCES
from pathlib import Path

import pytest
from filelock import FileLock
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from melleafy_tui.core.errors import OutputRefused
from melleafy_tui.core.models.file_set import EmittedFile, FileSet
from melleafy_tui.core.output.emitted import package_only
from melleafy_tui.core.output.paths import LARGEST_TEXT, lock_file, read_without_links, work_folder
from melleafy_tui.core.output.write_plan import Action, plan_write
from melleafy_tui.core.output.writer import keep_partial, write
from melleafy_tui.engine import default_out

Emission = Callable[..., FileSet]
Tree = Callable[[Path], dict[str, bytes]]

TEXTS = {
    "pyproject.toml": "[project]\n",
    "agent/a.py": "A = 1\nB = 2\nC = 3\n",
    "agent/fixtures/b.py": "B = 1\n",
}


def test_a_new_folder_holds_the_file_set_and_nothing_else(out: Path, emission: Emission, tree: Tree) -> None:
    files = emission(TEXTS)
    write(plan_write(files, out))
    assert tree(out) == {file.path: file.data for file in files.files}
    assert [path.name for path in out.parent.iterdir()] == [out.name]


def test_a_second_run_touches_nothing_not_even_times(out: Path, emission: Emission) -> None:
    write(plan_write(emission(TEXTS), out))
    before = {path: path.stat() for path in [out, *out.rglob("*")]}
    result = write(plan_write(emission(TEXTS), out))
    assert not result.changed
    after = {path: path.stat() for path in [out, *out.rglob("*")]}
    assert {path: (info.st_mtime_ns, info.st_ino) for path, info in after.items()} == {
        path: (info.st_mtime_ns, info.st_ino) for path, info in before.items()
    }


def test_a_run_with_one_change_touches_only_that_file_and_the_records(out: Path, emission: Emission) -> None:
    write(plan_write(emission(TEXTS), out))
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*") if path.is_file()}
    write(plan_write(emission({**TEXTS, "agent/a.py": "A = 2\n"}), out))
    touched = {
        str(path.relative_to(out))
        for path in out.rglob("*")
        if path.is_file() and path.stat().st_mtime_ns != before.get(path)
    }
    assert touched == {
        "agent/a.py",
        "agent/intermediate/emitted.json",
        "agent/intermediate/emitted_texts.json",
    }


@pytest.fixture
def unsearchable(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """Refuse to look at what lies in a folder, as the kernel does without its `x` bit; root is never refused."""
    look = Path.stat

    def close(folder: Path) -> None:
        def stat(path: Path, *, follow_symlinks: bool = True) -> os.stat_result:
            if folder in path.parents:
                raise PermissionError(EACCES, os.strerror(EACCES), str(path))
            return look(path, follow_symlinks=follow_symlinks)

        monkeypatch.setattr(Path, "stat", stat)

    return close


def test_a_folder_beside_the_package_that_may_not_be_searched_is_passed_over(
    out: Path, emission: Emission, unsearchable: Callable[[Path], None]
) -> None:
    write(plan_write(emission(TEXTS), out))
    (out / "private").mkdir()
    unsearchable(out / "private")
    assert plan_write(emission(TEXTS), out).changes == ()


def test_an_output_below_a_folder_that_may_not_be_searched_is_refused_in_one_sentence(
    out: Path, emission: Emission, unsearchable: Callable[[Path], None]
) -> None:
    unsearchable(out.parent)
    with pytest.raises(OutputRefused, match="cannot be read"):
        plan_write(emission(TEXTS), out)


def test_permissions_that_the_user_set_stay(out: Path, emission: Emission) -> None:
    write(plan_write(emission(TEXTS), out))
    (out / "agent/a.py").chmod(0o755)
    write(plan_write(emission({**TEXTS, "agent/a.py": "A = 2\n"}), out))
    assert (out / "agent/a.py").stat().st_mode & 0o777 == 0o755


def test_folders_that_a_removal_empties_go_and_others_stay(out: Path, emission: Emission) -> None:
    write(plan_write(emission({**TEXTS, "agent/scripts/c.py": ""}), out))
    (out / "agent/scripts/mine.txt").write_text("mine")
    write(plan_write(emission({"agent/a.py": "A = 1\n"}), out))
    assert not (out / "agent/fixtures").exists()
    assert (out / "agent/scripts/mine.txt").read_text() == "mine"


# --- conflicts and their end ----------------------------------------------------------------


@pytest.fixture
def conflict(out: Path, emission: Emission) -> FileSet:
    """Leave a conflict on agent/a.py, and return the emission that made it."""
    write(plan_write(emission(TEXTS), out))
    (out / "agent/a.py").write_text("A = 'mine'\nB = 2\nC = 3\n")
    files = emission({**TEXTS, "agent/a.py": "A = 'theirs'\nB = 2\nC = 3\n"})
    result = write(plan_write(files, out))
    assert result.new_files == ("agent/a.py.new",)
    return files


def test_a_conflict_stays_one_until_the_new_file_is_gone(out: Path, conflict: FileSet) -> None:
    again = plan_write(conflict, out)
    assert [file.path for file in again.conflicts] == ["agent/a.py"]
    (out / "agent/a.py").write_text("A = 'mine and theirs'\nB = 2\nC = 3\n")
    (out / "agent/a.py.new").unlink()
    merged = plan_write(conflict, out)
    assert merged.conflicts == ()
    assert write(merged).changed is False
    assert (out / "agent/a.py").read_text().startswith("A = 'mine and theirs'")


def test_a_later_emission_renews_the_new_file_and_merges_nothing_behind_the_users_back(
    out: Path, conflict: FileSet, emission: Emission
) -> None:
    later = emission({**TEXTS, "agent/a.py": "A = 'theirs'\nB = 2\nC = 4\n"})
    write(plan_write(later, out))
    assert (out / "agent/a.py").read_text() == "A = 'mine'\nB = 2\nC = 3\n"
    assert (out / "agent/a.py.new").read_text() == "A = 'theirs'\nB = 2\nC = 4\n"
    assert not (out / ".melleafy-backup").exists()


def test_a_new_file_that_the_user_worked_in_is_backed_up(
    out: Path, conflict: FileSet, emission: Emission
) -> None:
    (out / "agent/a.py.new").write_text("half merged\n")
    later = emission({**TEXTS, "agent/a.py": "A = 'theirs'\nB = 2\nC = 4\n"})
    result = write(plan_write(later, out))
    assert [(out / name).read_text() for name in result.backups] == ["half merged\n"]


def test_taking_the_new_text_over_ends_the_conflict_and_clears_the_new_file(
    out: Path, conflict: FileSet
) -> None:
    (out / "agent/a.py").write_bytes((out / "agent/a.py.new").read_bytes())
    plan = plan_write(conflict, out)
    assert plan.conflicts == ()
    write(plan)
    assert not (out / "agent/a.py.new").exists()


def test_backups_of_several_runs_stand_side_by_side(out: Path, emission: Emission) -> None:
    write(plan_write(emission(TEXTS), out))
    for text in ("first\n", "second\n", "first\n"):
        (out / "agent/a.py").write_text(text)
        write(plan_write(emission(TEXTS), out, force=True))
    backups = sorted((out / ".melleafy-backup/agent").iterdir())
    assert [backup.read_text() for backup in backups] == ["first\n", "second\n"]


def test_deleted_files_come_back_when_the_user_says_so(out: Path, emission: Emission) -> None:
    write(plan_write(emission(TEXTS), out))
    (out / "agent/a.py").unlink()
    plan = plan_write(emission(TEXTS), out, restore=["agent/a.py"])
    assert plan.deleted == ()
    write(plan)
    assert (out / "agent/a.py").read_text() == TEXTS["agent/a.py"]


@pytest.mark.parametrize(
    "record", [b"{}", b'{"agent/a.py": "A\xff"}', b'{"agent/a.py": 7}', b'{"agent/a.py": [["A"]]}']
)
def test_an_edit_without_a_recorded_text_is_never_merged_blindly(
    record: bytes, out: Path, emission: Emission
) -> None:
    write(plan_write(emission(TEXTS), out))
    (out / "agent/intermediate/emitted_texts.json").write_bytes(record)
    (out / "agent/a.py").write_text("A = 5\nB = 2\nC = 3\n")
    plan = plan_write(emission({**TEXTS, "agent/a.py": "A = 1\nB = 2\nC = 4\n"}), out)
    assert [file.note for file in plan.conflicts] == ["the text that was emitted before is not on record"]


def test_lost_records_turn_differing_files_into_conflicts_not_losses(out: Path, emission: Emission) -> None:
    write(plan_write(emission(TEXTS), out))
    (out / "agent/intermediate/emitted.json").write_text("{broken")
    (out / "agent/a.py").write_text("mine\n")
    plan = plan_write(emission(TEXTS), out)
    assert plan.notes == (
        "agent/intermediate/emitted.json could not be read; edits are told from the texts alone.",
    )
    write(plan)
    assert (out / "agent/a.py").read_text() == "mine\n"
    assert (out / "agent/a.py.new").read_text() == TEXTS["agent/a.py"]


def test_a_package_under_a_new_name_leaves_no_old_code_behind(out: Path, emission: Emission) -> None:
    write(plan_write(emission(TEXTS), out))
    (out / "agent/fixtures/b.py").write_text("B = 'mine'\n")
    renamed = emission({"pyproject.toml": "[project]\n", "other/a.py": "A = 1\n"}, package="other")
    write(plan_write(renamed, out))
    left = sorted(str(path.relative_to(out)) for path in (out / "agent").rglob("*") if path.is_file())
    assert left == ["agent/fixtures/b.py"]
    assert not plan_write(renamed, out).changes


# --- targets that are refused ---------------------------------------------------------------


def test_somebody_elses_folder_is_refused_and_untouched(out: Path, emission: Emission, tree: Tree) -> None:
    out.mkdir()
    (out / "thesis.tex").write_text("years of work")
    with pytest.raises(OutputRefused, match="was not made by melleafy-tui"):
        plan_write(emission(TEXTS), out)
    assert tree(out) == {"thesis.tex": b"years of work"}


def test_a_package_of_the_published_compiler_is_somebody_elses(out: Path, emission: Emission) -> None:
    out.mkdir()
    (out / "melleafy.json").write_text('{"manifest_version": "1.1.0"}')
    with pytest.raises(OutputRefused, match="was not made by melleafy-tui"):
        plan_write(emission(TEXTS), out)


def test_force_writes_into_a_foreign_folder_and_leaves_its_files(out: Path, emission: Emission) -> None:
    out.mkdir()
    (out / "thesis.tex").write_text("years of work")
    (out / "pyproject.toml").write_text("[project]\nname = 'thesis'\n")
    result = write(plan_write(emission(TEXTS), out, force=True))
    assert (out / "thesis.tex").read_text() == "years of work"
    assert [(out / name).read_text() for name in result.backups] == ["[project]\nname = 'thesis'\n"]


def test_a_folder_that_holds_only_saved_decisions_is_free(out: Path, emission: Emission) -> None:
    out.mkdir()
    (out / "melleafy-decisions.json").write_text("{}")
    write(plan_write(emission(TEXTS), out))
    assert (out / "melleafy-decisions.json").read_text() == "{}"
    assert (out / "agent/a.py").is_file()


@pytest.mark.parametrize("kind", ["link", "file"])
def test_an_output_that_is_no_folder_is_refused(out: Path, emission: Emission, kind: str) -> None:
    if kind == "link":
        elsewhere = out.parent / "elsewhere"
        elsewhere.mkdir()
        out.symlink_to(elsewhere)
    else:
        out.write_text("a file")
    with pytest.raises(OutputRefused, match="link" if kind == "link" else "not a folder"):
        plan_write(emission(TEXTS), out, force=True)


def test_a_linked_folder_inside_is_not_followed(out: Path, emission: Emission, tree: Tree) -> None:
    elsewhere = out.parent / "elsewhere"
    elsewhere.mkdir()
    write(plan_write(emission({"agent/a.py": "A = 1\n"}), out))
    (out / "agent/fixtures").symlink_to(elsewhere)
    with pytest.raises(OutputRefused, match="symbolic link"):
        plan_write(emission(TEXTS), out, force=True)
    assert tree(elsewhere) == {}


def test_a_linked_file_inside_is_not_written_through(out: Path, emission: Emission) -> None:
    precious = out.parent / "precious.py"
    precious.write_text("precious\n")
    write(plan_write(emission(TEXTS), out))
    (out / "agent/a.py").unlink()
    (out / "agent/a.py").symlink_to(precious)
    write(plan_write(emission({**TEXTS, "agent/a.py": "A = 2\n"}), out))
    assert precious.read_text() == "precious\n"
    assert (out / "agent/a.py").is_symlink()
    write(plan_write(emission({**TEXTS, "agent/a.py": "A = 2\n"}), out, force=True))
    assert precious.read_text() == "precious\n"
    assert (out / "agent/a.py").read_text() == "A = 2\n"
    assert not (out / "agent/a.py").is_symlink()


def test_a_folder_in_the_place_of_a_file_is_refused(out: Path, emission: Emission) -> None:
    write(plan_write(emission({"agent/b.py": ""}), out))
    (out / "agent/a.py").mkdir()
    with pytest.raises(OutputRefused, match="is a folder"):
        plan_write(emission(TEXTS), out, force=True)


def test_a_pipe_in_the_place_of_a_file_is_refused_without_waiting(out: Path, emission: Emission) -> None:
    write(plan_write(emission({"agent/b.py": ""}), out))
    os.mkfifo(out / "agent/a.py")
    with pytest.raises(OutputRefused, match="not a regular file"):
        plan_write(emission(TEXTS), out)


@pytest.mark.parametrize(
    "path",
    [
        "../escape.py",
        "/etc/escape",
        "agent/../../escape.py",
        "agent//a.py",
        ".melleafy-backup/a",
        "a\\..\\b",
        "a\0b",
        "",
    ],
)
def test_an_emitted_path_that_leaves_the_folder_is_refused(out: Path, path: str) -> None:
    with pytest.raises(OutputRefused, match="would leave the output folder"):
        plan_write(FileSet((EmittedFile(path, b""),), "agent"), out)


@pytest.mark.parametrize("path", ["../precious.txt", "agent/../../precious.txt", "{absolute}"])
def test_a_tampered_record_cannot_have_files_elsewhere_removed(
    out: Path, emission: Emission, path: str
) -> None:
    precious = out.parent / "precious.txt"
    precious.write_bytes(b"A = 1\n")
    write(plan_write(emission({"agent/a.py": "A = 1\n"}), out))
    record = out / "agent/intermediate/emitted.json"
    document = json.loads(record.read_text())
    document["files"][path.format(absolute=precious)] = document["files"]["agent/a.py"]
    record.write_text(json.dumps(document))
    write(plan_write(emission({"agent/b.py": ""}), out, force=True))
    assert precious.read_bytes() == b"A = 1\n"


# --- two at once ----------------------------------------------------------------------------


def test_a_second_run_on_the_same_output_is_refused_with_a_clear_message(
    out: Path, emission: Emission
) -> None:
    plan = plan_write(emission(TEXTS), out)
    with FileLock(lock_file(out)), pytest.raises(OutputRefused, match="Another run is writing"):
        write(plan, patience=0.05)
    assert not out.exists()


def test_a_run_that_waits_its_turn_finds_the_output_whole(out: Path, emission: Emission, tree: Tree) -> None:
    first, second = emission(TEXTS), emission({**TEXTS, "agent/a.py": "A = 2\n"}, stamp="2")
    plans = [plan_write(first, out), plan_write(second, out)]
    threads = [threading.Thread(target=write, args=(plan,)) for plan in plans]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = [{file.path: file.data for file in files.files} for files in (first, second)]
    assert tree(out) in expected
    assert [path.name for path in out.parent.iterdir()] == [out.name]


def test_an_edit_made_after_the_preview_stops_the_write(out: Path, emission: Emission) -> None:
    write(plan_write(emission(TEXTS), out))
    plan = plan_write(emission({**TEXTS, "agent/a.py": "A = 2\n"}), out)
    (out / "agent/a.py").write_text("A = 'just now'\n")
    with pytest.raises(OutputRefused, match="was changed on the disk since the preview"):
        write(plan)
    assert (out / "agent/a.py").read_text() == "A = 'just now'\n"


# --- in place, partial, mounts --------------------------------------------------------------


def test_in_place_adds_the_package_alone(tmp_path: Path, emission: Emission, tree: Tree) -> None:
    (tmp_path / "SOUL.md").write_text("soul")
    files = package_only(emission(TEXTS))
    write(plan_write(files, tmp_path / "agent"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["SOUL.md", "agent"]
    assert "a.py" in tree(tmp_path / "agent")
    assert "pyproject.toml" not in tree(tmp_path / "agent")
    assert not plan_write(files, tmp_path / "agent").changes


def test_a_failed_run_leaves_its_files_aside_and_the_next_good_one_clears_them(
    out: Path, emission: Emission, tree: Tree
) -> None:
    write(plan_write(emission(TEXTS), out))
    before = tree(out)
    partial = keep_partial(emission({"agent/bad.py": "("}), out)
    assert (partial / "agent/bad.py").read_text() == "("
    assert (partial / "agent/intermediate/step_7_report.json").is_file()
    assert {
        path: data for path, data in tree(out).items() if not path.startswith(".melleafy-partial")
    } == before
    write(plan_write(emission(TEXTS), out))
    assert tree(out) == before


def test_a_failed_first_run_does_not_make_the_folder_look_like_somebody_elses(
    out: Path, emission: Emission
) -> None:
    keep_partial(emission({"agent/bad.py": "("}), out)
    write(plan_write(emission(TEXTS), out))
    assert sorted(path.name for path in out.iterdir()) == ["agent", "pyproject.toml"]


def test_work_is_done_inside_where_the_parent_cannot_be_written(
    out: Path, emission: Emission, monkeypatch: pytest.MonkeyPatch, tree: Tree
) -> None:
    out.mkdir()
    real = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: path != out.parent and real(path, mode))
    assert work_folder(out).parent == out
    files = emission(TEXTS)
    write(plan_write(files, out))
    assert tree(out) == {file.path: file.data for file in files.files}


def test_a_record_for_programs_is_written_again_with_a_backup(out: Path, emission: Emission) -> None:
    record, text = "agent/intermediate/dependency_plan.json", '{"entries": [{"a": 1}], "note": ""}\n'
    files = emission({"agent/__init__.py": "", record: text})
    write(plan_write(files, out))
    for data in (b"", b"{", b"null", b"\xff", b"[" * 90_000, b'{"entries": [], "note": "mine"}'):
        (out / record).write_bytes(data)
        plan = plan_write(files, out)
        assert [file.path for file in plan.changes] == [record], data[:40]
        result = write(plan)
        assert (out / record).read_text() == text
        assert (out / result.backups[0]).read_bytes() == data


# --- what must always hold ------------------------------------------------------------------

WORDS = st.sampled_from(["A = 1\n", "B = 2\n", "C = 3\n", "# note\n", "\n"])
BODY = st.lists(WORDS, max_size=5).map("".join)
PATHS = ["agent/a.py", "agent/b.md", "notes.txt"]
TURN = st.tuples(
    st.dictionaries(st.sampled_from(PATHS), BODY),
    st.dictionaries(st.sampled_from(PATHS), st.one_of(st.none(), BODY)),
    st.booleans(),
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(turns=st.lists(TURN, min_size=1, max_size=4))
def test_no_line_that_the_user_wrote_is_ever_lost(
    turns: list[tuple[dict[str, str], dict[str, str | None], bool]],
    tmp_path_factory: pytest.TempPathFactory,
    emission: Emission,
    tree: Tree,
) -> None:
    """Random runs and edits: each text the user gave a file stands somewhere below the output, or was changed by the user."""
    out = tmp_path_factory.mktemp("sequence") / "out"
    mine: dict[str, str] = {}
    for number, (texts, edits, force) in enumerate(turns):
        files = emission(texts, stamp=str(number))
        write(plan_write(files, out, force=force))
        standing = b"".join(tree(out).values()).decode()
        for path, mark in mine.items():
            assert mark in standing, f"the user's edit of {path} is gone"
        again = plan_write(files, out, force=False)
        assert all(file.action is Action.CONFLICT for file in again.changes)
        for path, edit in edits.items():
            place = out / path
            if edit is None:
                place.unlink(missing_ok=True)
                mine.pop(path, None)
            else:
                mine[path] = f"# mine {number} {path}\n"
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_text(mine[path] + edit)


def test_a_name_as_long_as_the_disk_takes_is_written_and_locked(tmp_path: Path, emission: Emission) -> None:
    out = tmp_path / ("\u4e2d" * 85)
    for stamp in ("1", "2"):
        write(plan_write(emission({"agent/a.py": f"A = {stamp}\n"}, stamp=stamp), out))
    assert (out / "agent/a.py").read_text() == "A = 2\n"
    assert [place.name for place in tmp_path.iterdir()] == [out.name]
    assert len(os.fsencode(default_out(out).name)) <= 255
    assert default_out(out).parent == tmp_path


def test_a_huge_file_under_an_emitted_name_is_compared_without_being_held(
    out: Path, emission: Emission
) -> None:
    write(plan_write(emission(TEXTS), out))
    with (out / "agent/a.py").open("r+b") as file:
        file.truncate(LARGEST_TEXT + 1)
    tracemalloc.start()
    try:
        plan = plan_write(emission({**TEXTS, "agent/a.py": "A = 2\n"}, stamp="2"), out)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < LARGEST_TEXT / 8
    (conflict,) = plan.conflicts
    assert (conflict.path, conflict.note) == ("agent/a.py", "the file is too large to be merged")
    assert write(plan).new_files == ("agent/a.py.new",)
    with pytest.raises(OSError, match="larger than 64,000,000 bytes"):
        read_without_links(out / "agent/a.py")
