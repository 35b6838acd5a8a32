"""Autosave: whole after every act, resumed after a crash, told apart from other wizards (spec/decisions.md)."""

import json
import os
import signal
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from melleafy_tui.core.decisions.journal import Journal, discard, journal_folder, left_behind
from tests.unit.faults import FaultyOperations, full_disk, in_child, kill, read_only

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return journal_folder(tmp_path / "state", "/home/me/ticket-triage")


def test_a_crashed_wizard_leaves_its_last_act_with_time_and_count(folder: Path) -> None:
    def wizard() -> None:
        journal = Journal(folder, "1")
        journal.record("{}", acts=1, saved_at=NOON)
        journal.record('{"overrides": []}', acts=2, saved_at=NOON, workspace="/w", snapshot="abc")
        os.kill(os.getpid(), signal.SIGKILL)

    assert os.WIFSIGNALED(in_child(wizard))
    (entry,) = left_behind(folder)
    assert (entry.decisions, entry.acts, entry.workspace, entry.snapshot) == (
        '{"overrides": []}',
        2,
        "/w",
        "abc",
    )
    assert entry.saved_at == NOON


def test_the_journal_of_a_living_wizard_is_not_offered_to_another(folder: Path) -> None:
    mine = Journal(folder, "mine")
    mine.record("{}", acts=3, saved_at=NOON)
    assert left_behind(folder) == ()
    mine.close()
    assert [entry.acts for entry in left_behind(folder)] == [3]


def test_two_wizards_on_one_workspace_keep_journals_of_their_own(folder: Path) -> None:
    first, second = Journal(folder, "first"), Journal(folder, "second")
    first.record("first", acts=1, saved_at=NOON)
    second.record("second", acts=1, saved_at=NOON + timedelta(minutes=1))
    first.close()
    second.close()
    assert [entry.decisions for entry in left_behind(folder)] == ["second", "first"]


def test_only_the_user_can_read_a_journal(folder: Path) -> None:
    before = os.umask(0o022)
    try:
        Journal(folder, "1").record("{}", acts=1, saved_at=NOON)
    finally:
        os.umask(before)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {place.stat().st_mode & 0o777 for place in folder.iterdir()} == {0o600}


def test_saving_clears_the_journal(folder: Path) -> None:
    journal = Journal(folder, "1")
    journal.record("{}", acts=1, saved_at=NOON)
    journal.clear()
    journal.close()
    assert left_behind(folder) == ()
    assert list(folder.iterdir()) == []


def test_a_resumed_journal_is_not_offered_again(folder: Path) -> None:
    journal = Journal(folder, "1")
    journal.record("{}", acts=1, saved_at=NOON)
    journal.close()
    discard(left_behind(folder)[0])
    assert left_behind(folder) == ()


def test_workspaces_do_not_share_journals(tmp_path: Path) -> None:
    assert journal_folder(tmp_path, "/a/agent") != journal_folder(tmp_path, "/b/agent")
    assert journal_folder(tmp_path, "/a/\udcff").parent == tmp_path


@pytest.mark.parametrize(
    ("elapsed", "words"),
    [
        pytest.param(timedelta(seconds=5), "just now", id="seconds"),
        pytest.param(timedelta(minutes=1), "1 minute ago", id="minute"),
        pytest.param(timedelta(minutes=90), "1 hour ago", id="hour"),
        pytest.param(timedelta(days=3), "3 days ago", id="days"),
        pytest.param(-timedelta(days=3), "just now", id="clock-went-backwards"),
    ],
)
def test_a_journal_says_how_old_it_is(folder: Path, elapsed: timedelta, words: str) -> None:
    journal = Journal(folder, "1")
    journal.record("{}", acts=1, saved_at=NOON)
    journal.close()
    assert left_behind(folder)[0].age(NOON + elapsed) == words


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"saved_at": "yesterday", "acts": 1, "decisions": "", "workspace": "", "snapshot": ""}',
        '{"saved_at": "2026-01-01T00:00:00", "acts": 1, "decisions": "", "workspace": "", "snapshot": ""}',
        '{"saved_at": "2026-01-01T00:00:00+00:00", "acts": "1", "decisions": "", "workspace": "", "snapshot": ""}',
    ],
)
def test_a_damaged_journal_is_passed_over_and_not_removed(folder: Path, text: str) -> None:
    folder.mkdir(parents=True)
    (folder / "odd.json").write_text(text)
    assert left_behind(folder) == ()
    assert (folder / "odd.json").read_text() == text


@pytest.mark.parametrize("point", range(4))
def test_killed_at_any_point_of_an_autosave_the_journal_is_whole(folder: Path, point: int) -> None:
    def wizard() -> None:
        Journal(folder, "1").record("before", acts=1, saved_at=NOON)
        killed = FaultyOperations(point, kill)
        Journal(folder, "1", killed).record("after", acts=2, saved_at=NOON)

    assert os.WIFSIGNALED(in_child(wizard))
    (entry,) = left_behind(folder)
    assert (entry.decisions, entry.acts) in (("before", 1), ("after", 2))


def test_an_autosave_has_no_more_points_than_those_above(folder: Path) -> None:
    operations = FaultyOperations(-1, kill)
    Journal(folder, "1", operations).record("after", acts=2, saved_at=NOON)
    assert operations.passed == 4


@pytest.mark.parametrize("point", range(4))
def test_killed_at_any_point_of_clearing_the_journal_is_whole_or_gone(folder: Path, point: int) -> None:
    def wizard() -> None:
        Journal(folder, "1").record("before", acts=1, saved_at=NOON)
        Journal(folder, "1", FaultyOperations(point, kill)).clear()

    assert os.WIFSIGNALED(in_child(wizard))
    assert [entry.decisions for entry in left_behind(folder)] in (["before"], [])


@pytest.mark.parametrize("fault", [full_disk, read_only], ids=["disk-full", "read-only"])
@pytest.mark.parametrize("point", range(3))
def test_an_autosave_that_fails_keeps_the_journal_before(
    folder: Path, point: int, fault: Callable[[], None]
) -> None:
    Journal(folder, "1").record("before", acts=1, saved_at=NOON)
    with pytest.raises(OSError, match=r"No space left|Read-only"):
        Journal(folder, "1", FaultyOperations(point, fault)).record("after", acts=2, saved_at=NOON)
    assert json.loads((folder / "1.json").read_text())["decisions"] == "before"


def test_a_journal_that_could_not_be_written_once_is_written_by_the_next_act(folder: Path) -> None:
    operations = FaultyOperations(1, full_disk)
    journal = Journal(folder, "1", operations)
    with pytest.raises(OSError, match="No space left"):
        journal.record("first", acts=1, saved_at=NOON)
    journal.record("second", acts=2, saved_at=NOON)
    journal.close()
    assert [entry.decisions for entry in left_behind(folder)] == ["second"]
