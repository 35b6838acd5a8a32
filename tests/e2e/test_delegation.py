"""Agents that may ask each other: packages that `convert --all` writes, and what one asks of the other."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mellea")

from melleafy_tui.cli.main import main
from melleafy_tui.core.models.facts import ToolFact
from melleafy_tui.core.models.reports import FixtureStatus
from melleafy_tui.core.models.vocabulary import Disposition
from melleafy_tui.core.pipeline.behaviour_rows import rows_of_tools
from melleafy_tui.core.smoke.fake_server import FakeModelServer
from melleafy_tui.core.smoke.runner import SmokeRequest, run_smoke
from tests.dialects.test_source_cases import converted
from tests.generators.emitting import imported
from tests.scripted import Script

AGENTS: dict[str, list[dict[str, Any]]] = {
    "list": [
        {"id": "main", "default": True, "subagents": {"allowAgents": ["scout"]}},
        {"id": "scout", "subagents": {"allowAgents": ["main", "clerk"]}},
        {"id": "clerk", "subagents": {"allowAgents": ["*"]}},
    ]
}
SOULS = {"workspace": "You sell.", "workspace-scout": "You know prices.", "workspace-clerk": "You file."}


def state(folder: Path, **configuration: object) -> Path:
    """Write a state folder with the workspaces of three agents that have the same name."""
    for name, soul in SOULS.items():
        (folder / name).mkdir(parents=True)
        (folder / name / "SOUL.md").write_text(f"# SOUL.md\n\n{soul}\n")
        (folder / name / "IDENTITY.md").write_text("- **Name:** Vale\n")
    (folder / "openclaw.json").write_text(json.dumps(configuration))
    return folder


def planned(folder: Path, **configuration: object) -> dict[str, tuple[Disposition, str]]:
    """Return what is planned for each tool that asks an agent, and why."""
    workspace = state(folder) / "workspace"
    (workspace / "openclaw.json").write_text(json.dumps(configuration))
    conversion = converted(workspace)
    entries = (each for each in conversion.plan.entries if each.summary.startswith("Ask the agent"))
    return {each.symbol: (each.disposition, each.reason) for each in entries}


def test_a_workspace_that_climbs_out_of_its_place_names_no_folder(tmp_path: Path) -> None:
    first, second, *_ = AGENTS["list"]
    source = state(tmp_path, agents={"list": [first, dict(second, workspace="/home/ana/.openclaw/..")]})
    elements = converted(source / "workspace").inventory.elements
    assert [agent for each in elements if (agent := each.facts[ToolFact].agent)] == ["workspace-scout"]


def test_an_agent_with_another_folder_is_not_this_one(tmp_path: Path) -> None:
    first, *others = AGENTS["list"]
    elsewhere = dict(first, workspace="/home/ana/.openclaw/workspace-main")
    source = state(tmp_path, agents={"list": [elsewhere, *others]})
    entries = converted(source / "workspace").plan.entries
    assert not [each for each in entries if each.summary.startswith("Ask the agent")]


@pytest.fixture
def out(tmp_path: Path, here: None) -> Path:
    """Convert the three workspaces at once."""
    source, out = state(tmp_path / "state", agents=AGENTS), tmp_path / "out"
    assert main(["convert", "--all", str(source), "--out", str(out), "--quiet"]) == 0
    return out


def ask(tool: str, match: str, question: str) -> dict[str, Any]:
    return {"match": match, "times": 1, "calls": [{"name": tool, "arguments": {"question": question}}]}


Played = Callable[..., tuple[Any, list[str]]]


@pytest.fixture
def played(out: Path, monkeypatch: pytest.MonkeyPatch) -> Played:
    """Return a function that runs the package of `workspace`, whose model is scripted: the reply and all prompts."""

    def run(*script: dict[str, Any]) -> tuple[Any, list[str]]:
        with FakeModelServer(script=Script([*script, {"reply": "no more"}])) as server:
            monkeypatch.setenv("OLLAMA_HOST", server.url)
            with imported("vale_mellea", out / "workspace") as pipeline:
                reply = pipeline.run_pipeline("What is a boat?")
            return reply, [call.prompt for call in server.calls]

    return run


def test_an_agent_asks_the_package_of_another_one(played: Played) -> None:
    reply, prompts = played(
        ask("ask_scout", "What is a boat", "Price of a boat?\n> none"),
        {"match": "Price of a boat", "reply": "It costs 42 crowns.", "times": 1},
    )
    of_scout = [prompt for prompt in prompts if "You know prices." in prompt]
    assert of_scout
    assert all("> Price of a boat?\n> > none" in prompt for prompt in of_scout)
    assert not any("You sell." in prompt or "What is a boat" in prompt for prompt in of_scout)
    assert any("You sell." in prompt and "It costs 42 crowns." in prompt for prompt in prompts)
    assert reply.notes == []


def test_an_agent_that_waits_is_not_asked(played: Played) -> None:
    _, prompts = played(
        ask("ask_scout", "What is a boat", "And a boat?"),
        ask("ask_main", "And a boat", "You tell me."),
    )
    assert not any("You tell me." in prompt for prompt in prompts if "You sell." in prompt)
    assert any("workspace waits for an answer itself" in prompt for prompt in prompts)


def test_a_run_asks_three_agents_at_most_those_included_whom_an_asked_one_asks(
    played: Played,
) -> None:
    reply, prompts = played(
        ask("ask_scout", "What is a boat", "First"),
        ask("ask_clerk", "First", "Second"),
        ask("ask_scout", "What is a boat", "Third"),
        ask("ask_scout", "What is a boat", "Fourth"),
    )
    asked = {
        word for word in ("First", "Second", "Third", "Fourth") if any(f"> {word}" in p for p in prompts)
    }
    assert asked == {"First", "Second", "Third"}
    assert [note for note in reply.notes if "3 agents were asked in this run" in note]


def test_without_the_other_package_the_tool_is_not_available(played: Played, out: Path) -> None:
    (out / "workspace-scout").rename(out / "elsewhere")
    reply, _ = played(ask("ask_scout", "What is a boat", "First"))
    assert "doesn't have the package of that agent" in reply.notes[0]


def test_the_fixtures_of_such_packages_run(out: Path) -> None:
    report = run_smoke(SmokeRequest(out / "workspace-clerk"))
    assert {each.status for each in report.runs} <= {FixtureStatus.PASSED, FixtureStatus.EXPECTED}
    assert any("ask" in each.fixture_id for each in report.runs)


SEND = {"enabled": True, "allow": ["main", "s*"]}
DENIED = "openclaw.json:1 denies it: tools.deny has sessions_spawn."


@pytest.mark.parametrize(
    ("tools", "agents", "real", "stubs"),
    [
        ({}, [], set(), {}),
        ({}, ["scout", "ghost"], {"ask_scout"}, {"ask_ghost": "openclaw.json declares no agent ghost"}),
        ({"deny": ["sessions_spawn"]}, ["scout"], set(), {"ask_scout": DENIED}),
        ({"profile": "coding"}, ["*"], {"ask_scout", "ask_clerk"}, {}),
        ({"agentToAgent": SEND}, [], {"ask_scout"}, {}),
        ({"agentToAgent": {**SEND, "allow": ["scout"]}}, [], set(), {}),
        ({"agentToAgent": {**SEND, "enabled": False}}, [], set(), {}),
        ({"agentToAgent": SEND, "deny": ["sessions_spawn"]}, ["scout"], {"ask_scout"}, {}),
    ],
)
def test_who_may_be_asked_is_said_in_the_configuration(
    tools: dict[str, object], agents: list[str], real: set[str], stubs: dict[str, str], tmp_path: Path
) -> None:
    main_agent = {"id": "main", "default": True, "subagents": {"allowAgents": agents}}
    listed = [main_agent, {"id": "scout"}, {"id": "clerk"}]
    found = planned(tmp_path, agents={"list": listed}, tools=tools)
    assert {name for name, (what, _) in found.items() if what is Disposition.REAL_IMPL} == real
    assert {name: why for name, (what, why) in found.items() if what is Disposition.STUB} == stubs


def test_the_review_says_who_may_be_asked(tmp_path: Path) -> None:
    workspace = state(tmp_path) / "workspace"
    (workspace / "openclaw.json").write_text(json.dumps({"agents": AGENTS}))
    (row,) = [row for row in rows_of_tools(converted(workspace)) if "scout" in row.text]
    assert row.ticked
    assert "may ask the agent of workspace-scout" in row.result
