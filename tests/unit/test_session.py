"""The session of a wizard: the journal of its decisions, and the file that they are saved in."""

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from melleafy_tui.actions.session import DecisionsSource, Output, WizardSession
from melleafy_tui.actions.steps import Step
from melleafy_tui.core.decisions.commands import SetDisposition
from melleafy_tui.core.decisions.journal import Journal, left_behind
from melleafy_tui.core.models.vocabulary import Disposition
from melleafy_tui.engine import open_conversion
from tests.unit.faults import FaultyOperations, full_disk

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    root = tmp_path / "w"
    root.mkdir()
    (root / "AGENTS.md").write_text("- Never send mail.\n- Always greet the customer.\n")
    return root


def session_on(workspace: Path, journal: Journal | None = None) -> WizardSession:
    conversion = open_conversion(workspace, as_of=date(2026, 11, 21), generated_at="2026-11-21T12:00:00Z")
    return WizardSession(conversion, Output(workspace.with_name("out")), DecisionsSource(journal=journal))


def decide(session: WizardSession, number: int) -> None:
    keys = [entry.key for entry in session.conversion.plan.entries if entry.kind.value == "rule"]
    assert session.conversion.act(SetDisposition((keys[number],), Disposition.REMOVE, "not ours"))


def test_a_journal_that_fails_once_has_the_next_act_and_is_cleared_by_saving(workspace: Path) -> None:
    folder = workspace.with_name("state")
    session = session_on(workspace, Journal(folder, "1", FaultyOperations(3, full_disk)))
    decide(session, 0)
    kept = [(session.keep_journal(NOON), session.is_journaled)]
    decide(session, 1)
    kept.append((session.keep_journal(NOON), session.is_journaled))
    assert kept == [("No space left on device", False), ("", True)]
    session.save(workspace / "melleafy-decisions.json")
    assert session.journal is not None
    session.journal.close()
    assert left_behind(folder) == ()


def test_a_fault_of_the_journal_is_told_once(workspace: Path) -> None:
    folder = workspace.with_name("state")
    folder.touch()
    session = session_on(workspace, Journal(folder, "1"))
    decide(session, 0)
    told = [session.keep_journal(NOON) for _ in range(3)]
    assert [bool(fault) for fault in told] == [True, False, False]


def test_decisions_that_others_wrote_are_kept_when_the_session_saves_over_them(workspace: Path) -> None:
    place = workspace / "melleafy-decisions.json"
    first, second = session_on(workspace), session_on(workspace)
    decide(first, 0)
    decide(second, 1)
    assert first.save(place) is None
    edited = place.read_text().replace("not ours", "not ours, as agreed on Monday")
    assert not second.save_with_package(), "the package is written; the file is another session's"
    backup = second.save(place)
    assert backup is not None
    assert "Never send mail" in backup.read_text() or "never-send-mail" in backup.read_text()
    assert second.save(place) is None
    place.write_text(edited)
    second.load(place)
    decide(second, 1)
    assert second.save(place) is None, "it was loaded, so that nothing of it is lost"


def test_the_mark_of_step_3_counts_the_open_cards_also_with_nothing_overridden(workspace: Path) -> None:
    (workspace / "SOUL.md").write_text("# Soul\n\nYou speak in short sentences.\n")
    (workspace / "USER.md").write_text("- **Name:** Robin\n")
    session = session_on(workspace)

    def mark() -> int:
        return next(state.count for state in session.step_states if state.step is Step.DECIDE)

    assert mark() == len(session.cards) > 1
    while session.cards:
        session.conversion.act(session.cards[0].accept)
        assert mark() == len(session.cards)
