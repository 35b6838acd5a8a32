"""`--assist` from the command line, with Mellea in its own process and the fake model server."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from melleafy_tui.core.smoke.fake_server import FakeModelServer
from melleafy_tui.wizard.loading import LoadedWorkspace, WorkspaceLoader
from tests.e2e.conftest import Answering, tree
from tests.safety.chain import run
from tests.scripted import Script

DAY: Final = "--as-of=2026-11-01"
ITEMS: Final = 3


def readings(count: int) -> dict[str, object]:
    return {
        "readings": [
            {"id": f"line{number}", "judged": "yes", "left_out": "no"} for number in range(1, count + 1)
        ]
    }


@pytest.fixture
def desk(own_world: Path) -> Path:
    folder = own_world / "desk"
    folder.mkdir()
    (folder / "SOUL.md").write_text("# Soul\nYou are a calm desk clerk.\n", encoding="utf-8")
    prose = "\n\n".join(f"Draft {number} {'x' * number}" for number in range(ITEMS))
    (folder / "AGENTS.md").write_text(f"# Desk\n\n## Rules\n\n{prose}\n", encoding="utf-8")
    return folder


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeModelServer]:
    script = [{"schema": "Readings", "match": "", "reply": readings(ITEMS)}]
    with FakeModelServer(script=Script(script)) as running:
        monkeypatch.setenv("OLLAMA_HOST", running.url)
        monkeypatch.setenv("SOURCE_DATE_EPOCH", "1780000000")
        yield running


@pytest.mark.slow
def test_the_answers_are_kept_and_the_next_run_makes_no_call(
    desk: Path, server: FakeModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (desk / "mellea.py").write_text("raise SystemExit('a module of the workspace ran')", encoding="utf-8")
    monkeypatch.chdir(desk)
    kept = tmp_path / "decisions.json"
    first = run(
        desk, "--dependencies=auto", "--assist", "--decisions", kept, "--out", tmp_path / "1", "--json", DAY
    )
    assert (first.code, len(server.calls)) == (0, 1)
    assert json.loads(first.out)["assist"] == {
        "model": "ollama/granite4.1:3b",
        "asked": ITEMS,
        "calls": 1,
        "answered": ITEMS,
        "problem": "",
    }
    assert f"the answers were saved to {kept}." in first.messages
    text = kept.read_text("utf-8")
    assert text.count('"assisted_by": "ollama/granite4.1:3b"') == ITEMS
    monkeypatch.setenv("OLLAMA_HOST", "http://127.0.0.1:9")
    for options in ((), ("--assist",)):
        again = run(desk, f"--dependencies=config:{kept}", "--out", tmp_path / "2", *options, DAY)
        assert again.code == 0, again.messages
        assert tree(tmp_path / "1") == tree(tmp_path / "2")
    assert kept.read_text("utf-8") == text
    assert run("check", desk, "--decisions", kept, "--out", tmp_path / "1", DAY).code == 0
    (desk / "AGENTS.md").write_text("# Desk\n\n- Be brief.\n", encoding="utf-8")
    orphaned = run("plan", desk, "--decisions", kept, "--strict-decisions", DAY)
    assert orphaned.code == 0, "nobody has accepted them, so nobody misses them"
    assert f"Decisions: {ITEMS} orphaned" in orphaned.out


def test_plan_saves_the_answers_and_linear_accepts_them(
    desk: Path, tmp_path: Path, answer: Answering, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("melleafy_tui.cli.assist_run.call_model", lambda *_: json.dumps(readings(ITEMS)))
    kept = tmp_path / "decisions.json"
    planned = run("plan", desk, "--assist", "--save", kept, DAY)
    assert planned.code == 0
    assert "Needs you: 3 rows" in planned.out
    done = answer("-", "", f"save {kept}", "q", at=desk, options=("--decisions", str(kept)))
    assert "Needs you: 3 rows." in done.out
    assert "accept the answer (judged; it counts as yours)" in done.out
    assert "assisted_by" not in kept.read_text("utf-8")
    assert kept.read_text("utf-8").count('"answer": "yes"') == ITEMS


def test_the_doors_that_ask_show_the_answers_and_keep_them_over_a_crash(
    desk: Path, answer: Answering, monkeypatch: pytest.MonkeyPatch, own_world: Path
) -> None:
    monkeypatch.setattr("melleafy_tui.cli.assist_run.call_model", lambda *_: json.dumps(readings(ITEMS)))
    kept = own_world / "new.json"
    done = answer("-", "1 r", "undo", "", f"save {kept}", "q", at=desk, options=("--assist",))
    assert "answered for all 3 in 1 call; accept its answers in the review." in done.messages
    assert "Row 1: reject it." in done.out
    assert kept.read_text("utf-8").count('"answer": "yes"') == ITEMS
    opened: list[LoadedWorkspace] = []

    def show(loader: WorkspaceLoader, **_: object) -> int:
        loaded = loader.read(lambda *_: None)
        assert isinstance(loaded, LoadedWorkspace)
        opened.append(loaded)
        return 0

    monkeypatch.setattr("melleafy_tui.cli.commands.wizard._on_screens", lambda *_: True)
    monkeypatch.setattr("melleafy_tui.wizard.app.run_wizard", show)
    assert run(desk, "--assist", DAY).code == 0
    session = opened[0].session
    assert [card.title for card in session.cards] == ["Checked on every reply", "Needs you"]
    assert session.conversion.unsaved
    journals = [path.read_text("utf-8") for path in own_world.rglob("melleafy-tui/*/*.json")]
    assert ["assisted_by" in text for text in journals] == [True]


REFUSED: Final = (
    ((), ("--dependencies=auto", "--assist"), "--assist needs a file for the answers. Add --decisions FILE"),
    (("plan",), ("--assist",), "--assist needs a file for the answers. Add --save FILE."),
    ((), ("--all", "--assist"), "--assist can't be used with --all"),
    (("detect",), ("--assist",), "Unrecognized arguments: --assist"),
    (
        (),
        ("--dependencies=auto", "--assist", "--decisions", "d.json"),
        "--assist needs Mellea, which is not installed. In the clone or archive of melleafy-tui, "
        "run `pip install '.[smoke]'`.",
    ),
)  # fmt: skip


def test_what_can_not_be_asked_is_refused(
    desk: Path, server: FakeModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("melleafy_tui.cli.assist_run.find_spec", lambda _: None)
    for command, options, message in REFUSED:
        said = run(*command, desk, *options, "--out", tmp_path / "out", DAY)
        assert (said.code, message in said.messages) == (2, True), said.messages
    dry = run(desk, "--dependencies=auto", "--assist", "--dry-run", "--out", tmp_path / "out", DAY)
    assert dry.code == 0
    assert (
        "would ask ollama/granite4.1:3b about 3 open decisions in 1 call; nothing was asked" in dry.messages
    )
    assert not server.calls
    assert not list(tmp_path.glob("*.json"))
    assert not (tmp_path / "out").exists()
