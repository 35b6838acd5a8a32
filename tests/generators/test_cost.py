"""Stated calls are those that the stand-in server counts, stated characters within a tenth (spec/package.md 3)."""

import json
import shutil
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

pytest.importorskip("mellea")

from melleafy_tui.core.decisions.commands import SetTag
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.reports import FixtureStatus
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind, PersonaChannel, ValidationKind
from melleafy_tui.core.smoke.fake_server import FakeModelServer
from melleafy_tui.core.smoke.runner import SmokeRequest, run_smoke
from melleafy_tui.engine import open_conversion
from melleafy_tui.generators.first_turn import run_cost
from melleafy_tui.generators.render import render_package
from tests.converted import JudgeAlone
from tests.generators.committed import reference_plan
from tests.generators.emitting import loaded_package, write_files
from tests.generators.variants import FILES, plan_with
from tests.ui.conftest import write_workspace

PLANS: dict[str, Callable[[], CommittedPlan]] = {
    "reference": reference_plan,
    "tools": lambda: plan_with({}),
    "system": lambda: plan_with({}, channel=PersonaChannel.SYSTEM),
    "no tools": lambda: plan_with({}, without=("tool.http", "tool.script", "tool.skill")),
    "loaded rule": lambda: plan_with({"rule": Disposition.LOAD_FROM_DISK}),
    "all rules loaded": lambda: plan_with(
        {"rule": Disposition.LOAD_FROM_DISK, "rule.other": Disposition.LOAD_FROM_DISK}
    ),
    "rule stub": lambda: plan_with({"rule": Disposition.STUB}),
    "rule of the host": lambda: plan_with({"rule": Disposition.DELEGATE_TO_RUNTIME}),
    "no rules": lambda: plan_with({}, without=("rule", "rule.other", "rule.note", "rule.scoped")),
}
LEFT_TO_THE_SLOW_PART = ("system", "loaded rule", "rule of the host")


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow if name in LEFT_TO_THE_SLOW_PART else ()) for name in PLANS],
)
def test_calls_are_counted_exactly(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = PLANS[name]()
    cost = run_cost(plan)
    (tmp_path / "MEMORY.md").write_text(FILES["MEMORY.md"])
    monkeypatch.setenv(f"{plan.package_name.removesuffix('_mellea').upper()}_MEMORY", str(tmp_path))
    with FakeModelServer() as server, loaded_package(render_package(plan), tmp_path) as pipeline:
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        pipeline.run_pipeline("hello")
        assert len(server.calls) == cost.calls
        assert cost.prompt_characters == pytest.approx(sum(call.characters for call in server.calls), rel=0.1)
        server.calls.clear()
        pipeline.run_pipeline("heartbeat")
        assert len(server.calls) == cost.calls_heartbeat


GRAPHS = Path(__file__).resolve().parents[1] / "dialects" / "langgraph" / "workspaces"
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
NAMES = sorted(path.parent.name for path in EXAMPLES.glob("*/SOUL.md"))


JUDGED = ("none", "first", "all")


@pytest.mark.parametrize(
    ("example", "individually"),
    [
        pytest.param(name, judged, marks=() if number % 3 == JUDGED.index(judged) else pytest.mark.slow)
        for number, name in enumerate(NAMES)
        for judged in JUDGED
    ],
)
def test_calls_of_an_example_are_counted_exactly_whatever_is_judged_individually(
    example: str, individually: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = shutil.copytree(EXAMPLES / example, tmp_path / example)
    conversion = open_conversion(workspace, as_of=date(2026, 11, 1), generated_at="2026-11-01T00:00:00Z")
    judged = [
        item.entry.key
        for item in conversion.committed.planned
        if item.mapping.validation_kind is ValidationKind.LLM_JUDGED and item.entry.kind is EntryKind.RULE
    ]
    chosen = {"none": [], "first": judged[:1], "all": judged}[individually]
    if chosen:
        conversion.act(JudgeAlone(tuple(chosen)))
    files = conversion.rendered
    manifest = json.loads(files.by_path[f"{files.package_name}/melleafy.json"].text)
    counted: dict[str, int] = {}
    read = 0
    monkeypatch.setenv(f"{files.package_name.removesuffix('_mellea').upper()}_MEMORY", str(workspace))
    with FakeModelServer() as server, loaded_package(files, tmp_path) as pipeline:
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        for kind in manifest["model_calls_per_run"]:
            server.calls.clear()
            pipeline.run_pipeline("heartbeat" if kind == "heartbeat" else "hello")
            counted[kind] = len(server.calls)
            if kind == "message":
                read = sum(call.characters for call in server.calls)
    assert counted == manifest["model_calls_per_run"]
    assert conversion.cost.prompt_characters == pytest.approx(read, rel=0.1)
    assert conversion.cost.judged_rules <= len(judged)


@pytest.mark.parametrize("graph", ["ferries", "writer"])
def test_what_the_steps_of_a_graph_send_is_counted_with_the_tools_that_they_offer(
    graph: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    conversion = open_conversion(GRAPHS / graph, as_of=date(2026, 11, 1), generated_at="2026-11-01T00:00:00Z")
    with FakeModelServer() as server, loaded_package(conversion.rendered, tmp_path) as pipeline:
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        pipeline.run_pipeline("hello")
    assert conversion.cost.calls == len(server.calls)
    assert conversion.cost.prompt_characters == pytest.approx(
        sum(call.characters for call in server.calls), rel=0.1
    )


def test_the_notes_of_yesterday_and_today_and_the_whole_of_memory_reach_the_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = "# Memory\n\n" + "".join(f"- Plot {number} is let.\n" for number in range(400))
    notes = {"2026-11-25": "Frost.", "2026-11-26": "The tap was mended.", "2026-11-27": "Call the plumber."}
    workspace = write_workspace(
        tmp_path / "allotment",
        {"SOUL.md": "Kind.\n", "MEMORY.md": memory}
        | {f"memory/{day}.md": f"- {said}\n" for day, said in notes.items()},
    )
    conversion = open_conversion(workspace, as_of=date(2026, 11, 1), generated_at="2026-11-01T00:00:00Z")
    with FakeModelServer() as server, loaded_package(conversion.rendered, tmp_path / "out") as pipeline:
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        reply = pipeline.run_pipeline("hello")
    assert reply.notes == []
    for call in server.calls:
        assert memory.strip() in call.prompt
        assert "- The tap was mended.\n\n[2026-11-27.md]\n- Call the plumber." in call.prompt
        assert "Frost" not in call.prompt


def test_a_package_with_more_rules_than_a_call_of_the_judge_holds_passes_its_own_fixtures(
    tmp_path: Path,
) -> None:
    """Fixtures and panel shared the rules out differently, so that every case of such a package failed."""
    rules = [f"- Be kind to visitors of plot {number}.\n" for number in range(14)]
    workspace = write_workspace(
        tmp_path / "allotment", {"SOUL.md": "Kind.\n", "AGENTS.md": "# Rules\n\n" + "".join(rules)}
    )
    conversion = open_conversion(workspace, as_of=date(2026, 11, 1), generated_at="2026-11-01T00:00:00Z")
    keys = [item.entry.key for item in conversion.committed.planned if item.entry.kind is EntryKind.RULE]
    conversion.act(SetTag(tuple(keys), judged=True))
    assert conversion.cost.judged_rules == len(rules)
    report = run_smoke(SmokeRequest(write_files(conversion.files, tmp_path / "out")))
    assert {each.status for each in report.runs} == {FixtureStatus.PASSED, FixtureStatus.EXPECTED}
    assert max(each.calls or 0 for each in report.runs) == 2 * conversion.cost.calls
