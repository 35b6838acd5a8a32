"""A misspelt runtime, value or name is answered with the one that was probably meant."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from melleafy_tui.core.errors import did_you_mean
from melleafy_tui.core.models.vocabulary import Runtime
from tests.safety.chain import run
from tests.ui.conftest import TICKET_TRIAGE, write_workspace


@pytest.fixture
def workspace(own_world: Path) -> Path:
    return write_workspace(own_world / "ticket-triage", TICKET_TRIAGE)


RUNTIMES = (
    ("claude-code", "claude_code"),
    ("Claude Code", "claude_code"),
    ("open-claw", "openclaw"),
    ("OpenClaw", "openclaw"),
    ("lang_graph", "langgraph"),
)


@pytest.mark.parametrize(("written", "meant"), RUNTIMES)
def test_a_runtime(workspace: Path, own_world: Path, written: str, meant: str) -> None:
    decisions = own_world / "my.json"
    decisions.write_text(json.dumps({"settings": {"source_runtime": written}}))
    for options in (
        ("--source-runtime", written),
        ("--source-runtime", "hybrid", "--contributing-runtimes", f"openclaw,{written}"),
        ("--decisions", decisions),
    ):
        said = run("detect", workspace, *options)
        assert (said.code, said.out) == (2, "")
        assert f"There is no runtime named {written!r}. Did you mean {meant}? Use one of: " in said.messages


def test_a_hybrid(workspace: Path) -> None:
    assert "Did you mean hybrid?" in run("detect", workspace, "--source-runtime", "hybird").messages


def test_a_runtime_that_is_like_none(workspace: Path) -> None:
    said = run("detect", workspace, "--source-runtime", "xyzzy")
    assert "There is no runtime named 'xyzzy'. Use one of: agent_skills_std, " in said.messages


VALUES = (
    (("plan", "{}", "--persona-channel", "sytem"), "--persona-channel is 'sytem'", "system"),
    (("detect", "{}", "--modality", "heart-beat"), "--modality is 'heart-beat'", "heartbeat"),
    (("context", "{}", "--session", "sub-agent"), "--session is 'sub-agent'", "subagent"),
    (("{}", "--dependencies=atuo"), "--dependencies is 'atuo'", "auto"),
    (("schema", "decision"), "NAME is 'decision'", "decisions"),
    (("completion", "bsh"), "SHELL is 'bsh'", "bash"),
    (("export", "{}", "x", "--host", "open-claw"), "--host is 'open-claw'", "openclaw"),
)


@pytest.mark.parametrize(("words", "message", "meant"), VALUES)
def test_a_value_of_an_option(workspace: Path, words: tuple[str, ...], message: str, meant: str) -> None:
    said = run(*(word.format(workspace) for word in words))
    assert (said.code, said.out) == (2, "")
    assert f"{message}, which is not one of " in said.messages
    assert f"Did you mean {meant}? See `melleafy-tui" in said.messages


ENVIRONMENT = (
    ("MELLEAFY_MODALITY", "heart-beat", "heartbeat"),
    ("MELLEAFY_PERSONA_CHANNEL", "prefixed", "prefix"),
    ("MELLEAFY_SOURCE_RUNTIME", "open-claw", "openclaw"),
)


@pytest.mark.parametrize(("variable", "value", "meant"), ENVIRONMENT)
def test_a_setting_of_the_environment(
    workspace: Path, monkeypatch: pytest.MonkeyPatch, variable: str, value: str, meant: str
) -> None:
    monkeypatch.setenv(variable, value)
    said = run("detect", workspace)
    assert (said.code, said.out) == (2, "")
    assert f"Did you mean {meant}?" in said.messages


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("model-id = 'x'", "model_id"),
        ("persona_chanel = 'system'", "persona_channel"),
        ("modality = 'Heartbeat'", "heartbeat"),
    ],
)
def test_a_name_or_value_in_the_configuration_file(
    workspace: Path, own_world: Path, monkeypatch: pytest.MonkeyPatch, line: str, meant: str
) -> None:
    config = own_world / "config" / "melleafy-tui" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(f"{line}\n")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(own_world / "config"))
    said = run("detect", workspace)
    assert (said.code, said.out) == (2, "")
    assert f"Did you mean {meant}?" in said.messages


ENTRY = {"entry_id": "dep_001"}
DOCUMENTS: tuple[tuple[Mapping[str, object], str], ...] = (
    ({"overides": []}, "overrides"),
    ({"released-secrets": []}, "released_secrets"),
    ({"settings": {"model": "x"}}, "model_id"),
    ({"settings": {"package-name": "x"}}, "package_name"),
    ({"workspace": {"snap_shot": "x"}}, "snapshot"),
    ({"overrides": [{**ENTRY, "dispositon": "stub"}]}, "disposition"),
    ({"overrides": [{**ENTRY, "disposition": "stub", "expects": {"lead-in": None}}]}, "lead_in"),
    ({"retags": [{**ENTRY, "categroy": "C1"}]}, "category"),
    ({"settings": {"modality": "heart-beat"}}, "heartbeat"),
    ({"overrides": [{**ENTRY, "disposition": "real-impl"}]}, "real_impl"),
    ({"retags": [{**ENTRY, "tag": "converse"}]}, "CONVERSE"),
    ({"conflicts": [{"key": "x", "resolution": "primry"}]}, "primary"),
)


@pytest.mark.parametrize(("document", "meant"), DOCUMENTS, ids=[meant for _, meant in DOCUMENTS])
def test_a_name_or_value_in_a_decisions_file(
    workspace: Path, own_world: Path, document: Mapping[str, object], meant: str
) -> None:
    decisions = own_world / "my.json"
    decisions.write_text(json.dumps(document))
    said = run("plan", workspace, "--decisions", decisions)
    assert (said.code, said.out) == (2, "")
    assert f" Did you mean {meant}? Correct the file;" in said.messages


def test_a_name_that_is_like_none_has_no_suggestion(workspace: Path, own_world: Path) -> None:
    decisions = own_world / "my.json"
    decisions.write_text('{"qqqqq": 1}')
    said = run("plan", workspace, "--decisions", decisions)
    assert "qqqqq: this name is not known. Correct the file;" in said.messages


def test_every_runtime_is_found_without_its_underscores() -> None:
    for runtime in Runtime:
        for written in (
            runtime.replace("_", "-"),
            runtime.replace("_", " ").title(),
            runtime.replace("_", ""),
        ):
            assert did_you_mean(written, Runtime) == f"Did you mean {runtime}?"
    assert did_you_mean("", Runtime) == ""
