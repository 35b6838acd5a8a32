"""What packages keep: notes of the last runs and when tasks ran, written whole or not at all."""

import json
import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread

import pytest

from melleafy_tui.generators.runtime import run_notes
from melleafy_tui.generators.runtime.home import StateError, home_folder
from melleafy_tui.generators.runtime.run_notes import save_note, working_state
from melleafy_tui.generators.runtime.scheduled_tasks import due_or_named, note_runs

NOON = datetime(2026, 11, 22, 13, tzinfo=UTC)


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Callable[[datetime], None]:
    """Set the clock of packages."""
    return lambda now: monkeypatch.setenv("MELLEA_AGENT_NOW", now.isoformat())


def test_the_last_notes_are_kept_in_order(tmp_path: Path, at: Callable[[datetime], None]) -> None:
    path = tmp_path / "home" / "state.json"
    assert working_state(path) == ""
    for minute in range(24):
        at(NOON + timedelta(minutes=minute))
        save_note(path, f"ask {minute}", "übrig")
    kept = working_state(path).splitlines()
    assert (len(kept), kept[0], kept[-1]) == (
        20,
        "2026-11-22T13:04:00+00:00: ask 4 -> übrig",
        "2026-11-22T13:23:00+00:00: ask 23 -> übrig",
    )
    assert {file.name for file in path.parent.iterdir()} == {"state.json", "state.json.lock"}


def test_the_last_runs_of_tasks_are_kept(tmp_path: Path, at: Callable[[datetime], None]) -> None:
    path = tmp_path / "home" / "last_runs.json"
    mail, news = {"name": "mail"}, {"name": "nouvelles du été"}
    notes: list[str] = []
    at(NOON)
    note_runs(notes, [mail, news], path)
    at(NOON + timedelta(days=1))
    note_runs(notes, [news], path)
    assert notes == []
    runs = {"mail": "2026-11-22T13:00:00+00:00", "nouvelles du été": "2026-11-23T13:00:00+00:00"}
    assert json.loads(path.read_text("utf-8")) == runs
    assert [file.name for file in path.parent.iterdir()] == ["last_runs.json"]
    assert path.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"\xff", b"[" * 100_000])
def test_unreadable_last_runs_are_a_note_and_each_task_is_due(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "last_runs.json"
    path.write_bytes(content)
    notes: list[str] = []
    tasks = [{"name": "mail", "text": "Read mail.", "seconds": 60}]
    assert due_or_named(notes, tasks, path, "", woken=True) == tasks
    assert [note.partition(":")[0] for note in notes] == [f"{path} doesn't say when the tasks ran last"]
    note_runs(notes, tasks, path)
    assert list(json.loads(path.read_bytes())) == ["mail"]
    note_runs(notes, tasks, tmp_path / "last_runs.json" / "below")
    assert len(notes) == 2


def test_notes_always_fit_a_prompt_and_take_one_line(tmp_path: Path, at: Callable[[datetime], None]) -> None:
    """Twenty long messages would otherwise make every later run too long for its context."""
    path = tmp_path / "state.json"
    for hour in range(20):
        save_note(path, f"{hour} " + "x" * 100_000, "y" * 100_000)
    assert path.stat().st_size < 50_000
    said = working_state(path)
    assert len(said) <= run_notes.LONGEST_STATE
    assert said.count("[cut]") == 2 * len(said.splitlines()) > 2
    assert "19 xxx" in said.splitlines()[-1]
    at(NOON + timedelta(days=2))
    save_note(path, "a\n2026-01-01T00:00:00+00:00: forged -> note", "b\ud800")
    last = working_state(path).splitlines()[-1]
    assert last.startswith("2026-11-24T13:00:00+00:00: a 2026-01-01T00:00:00+00:00: forged -> note -> b")
    path.write_bytes(b" " * (run_notes.LARGEST_FILE + 1))
    with pytest.raises(StateError, match="too large"):
        working_state(path)


@pytest.mark.parametrize("content", [b"", b"[]", b'{"notes": [{"at": 1}]}', b"\xff"])
def test_a_file_of_another_kind_is_an_error_and_stays(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "state.json"
    path.write_bytes(content)
    for use in (lambda: working_state(path), lambda: save_note(path, "a", "b")):
        with pytest.raises(StateError, match="is not a state file"):
            use()
    assert path.read_bytes() == content


def test_a_failed_write_leaves_the_old_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "state.json"
    save_note(path, "first", "b")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(StateError, match="No space left"):
        save_note(path, "second", "b")
    assert "first" in working_state(path)
    assert "second" not in working_state(path)
    monkeypatch.undo()
    save_note(path, "third", "b")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["state.json", "state.json.lock"]
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_folder_that_cannot_be_used_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StateError, match="file"):
        save_note(tmp_path / "file" / "state.json", "a", "b")
    (tmp_path / "folder").mkdir()
    with pytest.raises(StateError, match="directory"):
        working_state(tmp_path / "folder")


def test_runs_at_once_lose_no_note(tmp_path: Path) -> None:
    path = tmp_path / "state.json"

    def add(number: int) -> None:
        for turn in range(5):
            save_note(path, f"{number}-{turn}", "")

    threads = [Thread(target=add, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(working_state(path).splitlines()) == 20


def test_systems_without_locks_write_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "fcntl", None)
    save_note(tmp_path / "state.json", "a", "b")
    assert "a -> b" in working_state(tmp_path / "state.json")


def test_where_a_package_keeps_things(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    assert home_folder("my_agent_mellea") == tmp_path / ".local/state/my_agent_mellea"
    monkeypatch.setenv("XDG_STATE_HOME", "/state")
    assert home_folder("my_agent_mellea") == Path("/state/my_agent_mellea")
    monkeypatch.setenv("MY_AGENT_MELLEA_HOME", "/elsewhere")
    assert home_folder("my_agent_mellea") == Path("/elsewhere")
    monkeypatch.delenv("MY_AGENT_MELLEA_HOME")
    monkeypatch.setenv("XDG_STATE_HOME", "state")
    assert home_folder("my_agent_mellea") == tmp_path / ".local/state/my_agent_mellea"
    save_note(home_folder("my_agent_mellea") / "state.json", "a", "b")
    assert home_folder("my_agent_mellea").stat().st_mode & 0o777 == 0o700
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # no HOME, and a user without a name
    with pytest.raises(StateError, match="there is no home folder; set MY_AGENT_MELLEA_HOME"):
        home_folder("my_agent_mellea")
