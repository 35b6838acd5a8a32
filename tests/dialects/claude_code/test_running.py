"""Permission rules, confirmations and arguments in the emitted package, on the real Mellea against the stand-in."""

import importlib
import inspect
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from io import StringIO
from pathlib import Path
from types import ModuleType

import pytest

from tests.scripted import Script

pytest.importorskip("mellea")

from melleafy_tui.core.models.conversion_settings import Settings
from melleafy_tui.core.smoke.fake_server import FakeModelServer
from melleafy_tui.engine import open_conversion
from tests.generators.emitting import loaded_package
from tests.rows import every_row

SETTINGS = {
    "permissions": {
        "allow": ["Bash(ls:*)", "Read"],
        "ask": ["Bash(git push:*)"],
        "deny": ["Bash(rm:*)", "Read(./.env)", "WebFetch(domain:evil.example.com)"],
    }
}


@pytest.fixture(scope="module")
def one_server() -> Iterator[FakeModelServer]:
    with FakeModelServer() as started:
        yield started


@pytest.fixture
def server(one_server: FakeModelServer, monkeypatch: pytest.MonkeyPatch) -> FakeModelServer:
    """The stand-in, which has heard no call yet."""
    monkeypatch.setenv("OLLAMA_HOST", one_server.url)
    one_server.calls.clear()
    return one_server


def calling(server: FakeModelServer, monkeypatch: pytest.MonkeyPatch, tool: str, request: str) -> None:
    """Let the model call this tool once, with this request."""
    call = {"name": tool, "arguments": {"request": request}}
    monkeypatch.setenv(
        "OLLAMA_HOST", server.url + server.open_case(request, Script([{"calls": [call], "times": 1}]))
    )


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The pipeline of a workspace with these settings, whose tools say what they were asked."""
    root = tmp_path_factory.mktemp("permissions") / "office"
    (root / ".claude").mkdir(parents=True)
    (root / "CLAUDE.md").write_text("- Answer in English.\n")
    (root / ".claude/settings.json").write_text(json.dumps(SETTINGS))
    conversion = open_conversion(root, as_of=date(2026, 8, 1), generated_at="2026-08-01T00:00:00Z")
    with loaded_package(conversion.files, root.parent / "out") as pipeline:
        tools = sys.modules["office_mellea.tools"]
        tools.TOOLS[:] = [replace(tool, function=did, name=tool.function.__name__) for tool in tools.TOOLS]
        yield pipeline


def did(request: str) -> str:
    """Stand for a tool of the host: say what it was asked."""
    return f"did {request}"


@every_row(
    ("tool", "request_text", "rule"),
    [
        ("run_bash", "ls && rm -rf build", "Bash(rm:*)"),
        ("run_bash", "cat .env", "Read(./.env)"),
        ("read_file", "./.env", "Read(./.env)"),
        ("run_bash", "curl https://evil.example.com", "WebFetch(domain:evil.example.com)"),
    ],
)
def test_a_denied_call_is_refused_and_noted(
    server: FakeModelServer,
    package: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    tool: str,
    request_text: str,
    rule: str,
) -> None:
    calling(server, monkeypatch, tool, request_text)
    reply = package.run_pipeline("Go ahead")
    assert reply.notes == [f'{tool}(request="{request_text}") was not called: {rule} denies it']
    assert not any(f"did {request_text}" in call.prompt for call in server.calls)


def test_an_allowed_call_is_made(
    server: FakeModelServer, package: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    calling(server, monkeypatch, "run_bash", "ls docs")
    reply = package.run_pipeline("Go ahead")
    assert reply.notes == []
    assert any("did ls docs" in call.prompt for call in server.calls)


@every_row(
    ("confirm", "made", "note"),
    [
        (None, False, "Bash(git push:*) wants it confirmed, and it was not"),
        (lambda _action: False, False, "Bash(git push:*) wants it confirmed, and it was not"),
        (lambda action: action == 'run_bash(request="git push origin main")', True, ""),
    ],
)
def test_a_call_that_is_asked_for_waits_for_confirm(
    server: FakeModelServer,
    package: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    confirm: Callable[[str], bool] | None,
    made: bool,
    note: str,
) -> None:
    server.calls.clear()
    calling(server, monkeypatch, "run_bash", "git push origin main")
    if confirm:
        monkeypatch.setattr(package, "confirm", confirm)
    reply = package.run_pipeline("Go ahead")
    assert any("did git push origin main" in call.prompt for call in server.calls) is made
    assert any(note in said for said in reply.notes) if note else reply.notes == []


@every_row(("typed", "made"), [("y\n", True), ("n\n", False), ("", False)])
def test_the_command_line_asks_before_such_a_call(
    server: FakeModelServer,
    package: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    typed: str,
    made: bool,
) -> None:
    server.calls.clear()
    calling(server, monkeypatch, "run_bash", "git push origin main")
    terminal = StringIO(typed)
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdin", terminal)
    main = importlib.import_module("office_mellea.main")
    assert main.main(["--message", "Go ahead", "--confirm"]) == 0
    assert any("did git push origin main" in call.prompt for call in server.calls) is made
    assert 'run_bash(request="git push origin main")' in capsys.readouterr().err


def test_instructions_are_one_document_of_rules_in_their_order(tmp_path: Path) -> None:
    (tmp_path / "CLAUDE.md").write_text(
        "# Desk\n\nYou are the clerk of a library.\n\n## Rules\n\n- Be brief.\n- Be kind.\n\n## Facts\n\n- It opens at nine.\n"
    )
    conversion = open_conversion(tmp_path, as_of=date(2026, 8, 1), generated_at="2026-08-01T00:00:00Z")
    config, rules = (
        next(file.text for file in conversion.files.files if file.path.endswith(name))
        for name in ("/config.py", "/requirements.py")
    )
    words = ("You are the clerk of a library.", "## Rules", "- Be brief.", "## Facts", "- It opens at nine.")
    assert [rules.count(each) for each in words] == [1] * len(words)
    assert sorted(words, key=rules.index) == list(words)
    assert not [each for each in words if each in config], "said once"


def test_a_fixture_shows_what_is_denied(tmp_path: Path) -> None:
    (tmp_path / ".claude").mkdir()
    (tmp_path / "CLAUDE.md").write_text("- Be brief.\n")
    (tmp_path / ".claude/settings.json").write_text(json.dumps(SETTINGS))
    conversion = open_conversion(tmp_path, as_of=date(2026, 8, 1), generated_at="2026-08-01T00:00:00Z")
    fixtures = "\n".join(file.text for file in conversion.files.files if "/fixtures/" in file.path)
    assert "Bash(rm x)" in fixtures


def test_a_reply_with_a_denied_call_is_unmet(
    server: FakeModelServer, package: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = {"match": "How do I clean up", "reply": "Run `rm -rf build` to clean up."}
    monkeypatch.setenv("OLLAMA_HOST", server.url + server.open_case("unmet", Script([said])))
    reply = package.run_pipeline("How do I clean up?")
    assert [unmet.rule for unmet in reply.unmet] == ["Never call: Bash(rm:*)"]


def test_real_tools_refuse_what_is_denied(
    server: FakeModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "skill"
    (root / "scripts").mkdir(parents=True)
    (root / ".claude").mkdir()
    (root / "SKILL.md").write_text(
        "---\nname: skill\ndescription: Shows files.\nmodel: x\n---\n- Be brief.\n\nRun `scripts/show.py`.\n"
    )
    (root / "scripts/show.py").write_text(
        '"""Shows."""\nimport sys\n\nif __name__ == "__main__":\n    print(sys.argv)\n'
    )
    (root / ".claude/settings.json").write_text(
        json.dumps({"permissions": {"deny": ["Read(./.env)", "Bash(other:*)"]}})
    )
    conversion = open_conversion(
        root,
        as_of=date(2026, 8, 1),
        generated_at="2026-08-01T00:00:00Z",
        settings=Settings(source_runtime="claude_code"),
    )
    with loaded_package(conversion.files, tmp_path / "out") as pipeline:
        assert "notes.txt" in sys.modules["skill_mellea.tools"].show("notes.txt")
        (name,) = inspect.signature(sys.modules["skill_mellea.tools"].show).parameters
        call = {"name": "show", "arguments": {name: ".env"}}
        script = [{"calls": [call], "times": 1}]
        monkeypatch.setenv("OLLAMA_HOST", server.url + server.open_case("denied", Script(script)))
        reply = pipeline.run_pipeline("Show me the settings")
    assert reply.notes == ['show(request=".env") was not called: Read(./.env) denies it']


def test_arguments_reach_the_model_by_name(
    server: FakeModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / ".claude/commands"
    root.mkdir(parents=True)
    (root / "fix.md").write_text(
        "---\nargument-hint: <issue> [limit] [--dry-run]\n---\n- Never close issue $1.\n"
    )
    conversion = open_conversion(root / "fix.md", as_of=date(2026, 8, 1), generated_at="2026-08-01T00:00:00Z")
    with loaded_package(conversion.files, tmp_path / "out") as pipeline:
        pipeline.run_pipeline("go", issue="A-7", limit=3, dry_run=True)
        pipeline.run_pipeline("go")
        first, last = server.calls[0].prompt, server.calls[-1].prompt
    assert all(words in first for words in ("issue: A-7", "limit: 3", "dry_run: yes", "close issue <issue>"))
    assert not any(words in last for words in ("issue: A-7", "limit:", "dry_run:"))
