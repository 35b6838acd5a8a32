"""Wizard, save, headless run with the saved file: the package is the same, byte for byte (issue 6, "It must show" 2)."""

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from melleafy_tui.actions.session import Output, WizardSession, render
from melleafy_tui.cli.main import main
from melleafy_tui.core.decisions.commands import (
    Acknowledge,
    ChangeSettings,
    SetDisposition,
    SetRationale,
    SetTag,
)
from melleafy_tui.core.errors import DecisionsRefused
from melleafy_tui.core.models.vocabulary import DECISIONS_FILE, Category, EntryKind, Tag
from melleafy_tui.core.package.dispositions import allowed_for
from melleafy_tui.engine import open_conversion
from melleafy_tui.wizard.app import WizardApp
from tests.conftest import PROJECT
from tests.converted import JudgeAlone
from tests.ui.conftest import TICKET_TRIAGE, keys, rendered, wait_for, write_workspace

DAY = date(2026, 11, 1)
STAMP = "2026-11-01T09:00:00Z"
EXAMPLES = sorted(path.name for path in (PROJECT / "examples").iterdir() if path.is_dir())


@pytest.fixture(autouse=True)
def fixed_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    moment = datetime(2026, 11, 1, 9, 0, tzinfo=UTC)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(moment.timestamp())))


def tree(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def wizard_on(workspace: Path, out: Path) -> WizardSession:
    conversion = open_conversion(workspace, as_of=DAY, generated_at=STAMP, out=out)
    return WizardSession(conversion, Output(out))


def headless(workspace: Path, decisions: Path, out: Path) -> int:
    options = [f"--dependencies=config:{decisions}", "--out", str(out), "--as-of", DAY.isoformat(), "--quiet"]
    return main([str(workspace), *options])


def override_every_third(session: WizardSession) -> None:
    """Take every third entry to an allowed disposition that is not its default, a different one each time."""
    for number, entry in enumerate(session.conversion.plan.entries):
        others = [each for each in allowed_for(entry.kind) if each is not entry.default_disposition]
        if others and number % 3 == 0:
            with suppress(DecisionsRefused):  # a package of steps has fewer ways
                session.conversion.act(
                    SetDisposition((entry.key,), others[number // 3 % len(others)], f"reason {number}")
                )


def every_kind_of_act(session: WizardSession) -> None:
    rules = [entry.key for entry in session.conversion.plan.entries if entry.kind is EntryKind.RULE]
    override_every_third(session)
    session.conversion.act(JudgeAlone(tuple(rules[-1:])))
    session.conversion.act(
        SetRationale(next(iter(session.conversion.decisions.overrides)), "because – «said» so\n")
    )
    session.conversion.act(
        ChangeSettings({"model_id": "granite4.1:8b", "persona_channel": "system", "package_name": "mine"})
    )
    session.conversion.act(Acknowledge("budget-file:SOUL.md"))
    session.conversion.act(SetTag((rules[1],), Tag.VALIDATE_OUTPUT, Category.C2))
    session.conversion.act(SetTag((rules[0],), Tag.CONFIG, Category.C2))
    session.conversion.undo()


ACTS: dict[str, Callable[[WizardSession], None]] = {
    "nothing": lambda session: None,
    "every-third-entry": override_every_third,
    "every-kind-of-act": every_kind_of_act,
}


def written_by_the_wizard(session: WizardSession, decisions: Path) -> dict[str, bytes]:
    session.save(decisions)
    made = render(session.copy(), session.out, now="", force=False)
    assert made.plan is not None
    session.write(made.plan)
    return tree(session.out)


@pytest.mark.slow
@pytest.mark.parametrize("acts", ACTS)
def test_a_headless_run_with_the_saved_file_gives_the_same_bytes(tmp_path: Path, acts: str) -> None:
    workspace = write_workspace(tmp_path / "ticket-triage", TICKET_TRIAGE)
    session = wizard_on(workspace, tmp_path / "wizard")
    ACTS[acts](session)
    decisions = tmp_path / "d.json"
    first = written_by_the_wizard(session, decisions)
    assert headless(workspace, decisions, tmp_path / "headless") == 0
    assert tree(tmp_path / "headless") == first
    assert any(path.endswith("pipeline.py") for path in first)


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_makes_the_round_trip(tmp_path: Path, example: str) -> None:
    workspace = PROJECT / "examples" / example
    session = wizard_on(workspace, tmp_path / "wizard")
    override_every_third(session)
    decisions = tmp_path / "d.json"
    first = written_by_the_wizard(session, decisions)
    assert headless(workspace, decisions, tmp_path / "headless") == 0
    assert tree(tmp_path / "headless") == first


def test_the_saved_file_saves_as_itself_and_survives_a_second_wizard(tmp_path: Path) -> None:
    workspace = write_workspace(tmp_path / "ticket-triage", TICKET_TRIAGE)
    session = wizard_on(workspace, tmp_path / "wizard")
    every_kind_of_act(session)
    session.save(tmp_path / "first.json")
    again = wizard_on(workspace, tmp_path / "wizard")
    again.load(tmp_path / "first.json")
    assert not again.conversion.unsaved
    again.save(tmp_path / "second.json")
    assert (tmp_path / "second.json").read_bytes() == (tmp_path / "first.json").read_bytes()


@pytest.mark.slow
async def test_keys_pressed_in_the_wizard_and_the_file_it_saved_give_the_same_bytes(tmp_path: Path) -> None:
    workspace = write_workspace(tmp_path / "ticket-triage", TICKET_TRIAGE)
    session = wizard_on(workspace, tmp_path / "wizard")
    app = WizardApp(session)
    async with app.run_test(size=(120, 40)) as pilot:
        await keys(pilot, "3", "down", "down", "s", "down", "x", "down", "d", "u", "ctrl+s", "enter")
        await wait_for(pilot, lambda: (workspace / DECISIONS_FILE).is_file(), "the decisions are saved")
        assert session.conversion.decisions.overrides
        await keys(pilot, "5")
        await rendered(pilot)
        await keys(pilot, "w")
        await wait_for(pilot, lambda: session.is_written, "the package is written")
    assert headless(workspace, workspace / DECISIONS_FILE, tmp_path / "headless") == 0
    assert tree(tmp_path / "headless") == tree(tmp_path / "wizard")
