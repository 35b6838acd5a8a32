"""The table of a re-run: five states of a file on the disk, four things the new emission may have for it (issue 6)."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from melleafy_tui.core.models.file_set import FileSet
from melleafy_tui.core.output.write_plan import ACTIONS, Action, Content, FileState, PlannedFile, plan_write
from melleafy_tui.core.output.writer import write

PATH = "agent/slots.py"
OLD = "ONE = 1\nTWO = 2\nTHREE = 3\n"
NEW = "ONE = 1\nTWO = 2\nTHREE = 30\n"
EDITED = "ONE = 10\nTWO = 2\nTHREE = 3\n"
MERGED = "ONE = 10\nTWO = 2\nTHREE = 30\n"
MINE = "# my own file\n"

Emission = Callable[..., FileSet]
Tree = Callable[[Path], dict[str, bytes]]


@dataclass(frozen=True)
class Case:
    """How the state comes about, and what is there afterwards.

    `runs` are the texts that earlier runs emitted at the path (None: not emitted), `disk` what the user then makes
    of the file (None: deletes it, "": leaves it). `now` is emitted by the run under test.
    """

    runs: tuple[str | None, ...]
    disk: str | None
    now: str | None
    after: str | None
    new: str | None = None
    forced: str | None = None
    action: Action | None = None


LEAVE = ""

CASES = {
    ("unchanged", "same"): Case((OLD,), LEAVE, OLD, after=OLD, forced=OLD, action=Action.UNTOUCHED),
    ("unchanged", "changed"): Case((OLD,), LEAVE, NEW, after=NEW, forced=NEW, action=Action.REPLACE),
    ("unchanged", "gone"): Case((OLD,), LEAVE, None, after=None, forced=None, action=Action.REMOVE),
    # The user already wrote, byte for byte, what is emitted now for the first time.
    ("unchanged", "new"): Case((None,), NEW, NEW, after=NEW, forced=NEW, action=Action.UNTOUCHED),
    # The whole output folder was cleared, records included, so nothing is known of an earlier run.
    ("absent", "same"): Case((), LEAVE, OLD, after=OLD, forced=OLD, action=Action.CREATE),
    ("absent", "changed"): Case((), LEAVE, NEW, after=NEW, forced=NEW, action=Action.CREATE),
    ("absent", "gone"): Case((), LEAVE, None, after=None, forced=None, action=None),
    ("absent", "new"): Case((None,), LEAVE, NEW, after=NEW, forced=NEW, action=Action.CREATE),
    ("deleted", "same"): Case((OLD,), None, OLD, after=None, forced=OLD, action=Action.STAY_DELETED),
    ("deleted", "changed"): Case((OLD,), None, NEW, after=None, forced=NEW, action=Action.STAY_DELETED),
    ("deleted", "gone"): Case((OLD,), None, None, after=None, forced=None, action=Action.FORGET),
    # Deleted by the user, then not emitted for one run: the record of it has ended, it is a new file.
    ("deleted", "new"): Case((OLD, None), LEAVE, NEW, after=NEW, forced=NEW, action=Action.CREATE),
    ("edited", "same"): Case((OLD,), EDITED, OLD, after=EDITED, forced=OLD, action=Action.KEEP_EDITS),
    ("edited", "changed"): Case((OLD,), EDITED, NEW, after=MERGED, forced=NEW, action=Action.MERGE),
    ("edited", "gone"): Case((OLD,), EDITED, None, after=EDITED, forced=EDITED, action=Action.KEEP_EDITS),
    # Edited, then not emitted for one run (it stays), then emitted again: it has become the user's own.
    ("edited", "new"): Case(
        (OLD, None), EDITED, NEW, after=EDITED, new=NEW, forced=NEW, action=Action.CONFLICT
    ),
    # Never emitted, and not emitted now: nobody looks at it, whatever happens to the files beside it.
    ("foreign", "same"): Case((None,), MINE, None, after=MINE, forced=MINE, action=None),
    ("foreign", "changed"): Case((None, None), MINE, None, after=MINE, forced=MINE, action=None),
    ("foreign", "gone"): Case((None,), MINE, None, after=MINE, forced=MINE, action=None),
    ("foreign", "new"): Case((None,), MINE, NEW, after=MINE, new=NEW, forced=NEW, action=Action.CONFLICT),
}
IDS = [f"{state}-{content}" for state, content in CASES]


def prepare(case: Case, out: Path, emission: Emission) -> FileSet:
    """Make the runs before, then the user's own change; return the new emission."""
    others = {"agent/other.py": "X = 1\n"}
    for number, text in enumerate(case.runs):
        texts = {**others, **({PATH: text} if text is not None else {})}
        write(plan_write(emission(texts, stamp=str(number)), out))
        if number == 0 and len(case.runs) == 2:
            change(case, out)
    if len(case.runs) < 2:
        change(case, out)
    return emission({**others, **({PATH: case.now} if case.now is not None else {})}, stamp="now")


def change(case: Case, out: Path) -> None:
    if case.disk is None or (case.disk == LEAVE and len(case.runs) == 2):
        (out / PATH).unlink()
    elif case.disk:
        (out / PATH).parent.mkdir(parents=True, exist_ok=True)
        (out / PATH).write_text(case.disk)


def text(place: Path) -> str | None:
    return place.read_text() if place.is_file() else None


@pytest.mark.parametrize("case", CASES.values(), ids=IDS)
def test_a_rerun_treats_the_file_as_the_table_says(case: Case, out: Path, emission: Emission) -> None:
    files = prepare(case, out, emission)
    result = write(plan_write(files, out))
    planned: dict[str, PlannedFile] = {file.path: file for file in result.plan.files}
    assert (planned[PATH].action if PATH in planned else None) is case.action
    assert text(out / PATH) == case.after
    assert text(out / f"{PATH}.new") == case.new
    assert bool(result.plan.conflicts) is (case.new is not None)


@pytest.mark.parametrize("case", CASES.values(), ids=IDS)
def test_force_takes_the_new_text_and_keeps_the_old_one(
    case: Case, out: Path, emission: Emission, tree: Tree
) -> None:
    files = prepare(case, out, emission)
    before = text(out / PATH)
    write(plan_write(files, out, force=True))
    assert text(out / PATH) == case.forced
    mine = case.disk or before
    if mine in (EDITED, MINE):
        assert mine.encode() in tree(out).values(), "the user's text is nowhere any more"


@pytest.mark.parametrize("case", CASES.values(), ids=IDS)
def test_the_run_after_it_changes_nothing(case: Case, out: Path, emission: Emission) -> None:
    files = prepare(case, out, emission)
    write(plan_write(files, out))
    again = plan_write(files, out)
    assert [file.path for file in again.changes if file.action is not Action.CONFLICT] == []
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*")}
    write(again)
    assert {path: path.stat().st_mtime_ns for path in out.rglob("*")} == before


def test_the_table_has_every_pair_that_can_meet() -> None:
    cannot_meet: set[tuple[FileState, Content]] = {
        (FileState.ABSENT, content) for content in Content if content is not Content.NEW
    }
    cannot_meet |= {(FileState.FOREIGN, content) for content in Content if content is not Content.NEW}
    cannot_meet |= {(FileState.DELETED, Content.NEW), (FileState.EDITED, Content.NEW)}
    assert set(ACTIONS) == {(state, content) for state in FileState for content in Content} - cannot_meet
