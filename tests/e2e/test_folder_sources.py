"""A folder that isn't a source itself: each command names its sources and the command for each, and reads none of them."""

import json
import shlex
from pathlib import Path

import pytest

from melleafy_tui import engine
from melleafy_tui.cli.console import MOST_COMMANDS
from melleafy_tui.cli.main import main
from tests.e2e.conftest import Answering
from tests.ui.conftest import TICKET_TRIAGE, write_workspace

SKILL = "---\nname: count\ndescription: Counts words.\n---\n\nCount the words.\n"
STATE_FOLDER = {
    "openclaw.json": "{}",
    **{f"workspace/{name}": text for name, text in TICKET_TRIAGE.items()},
    "workspace/skills/own/SKILL.md": SKILL,
    "workspace-ops team/SOUL.md": "# Soul\n\nWarm tone.\n",
    "skills/count/SKILL.md": SKILL,
    "skills/count/words.txt": "one two\n",
    "credentials/SOUL.md": "A private text.\n",
}
FOUND = [
    ("skills/count", "agent_skills_std", 2),
    ("workspace", "openclaw", len(TICKET_TRIAGE) + 1),
    ("workspace-ops team", "openclaw", 1),
]


@pytest.fixture
def state(own_world: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(own_world)
    write_workspace(own_world / "state", STATE_FOLDER)
    return Path("state")


@pytest.mark.parametrize("words", ["", "plan", "preview", "check"])
def test_what_makes_one_package_stops_and_gives_the_command_for_each(
    state: Path, words: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("a source was read")

    monkeypatch.setattr(engine, "read_snapshot", never)
    auto = [] if words else ["--dependencies=auto"]
    assert main([*words.split(), str(state), *auto, "--json"]) == 2
    error = json.loads(capsys.readouterr().out)["error"]
    assert error["hint"].endswith("`melleafy-tui convert --all state`.")
    named = [shlex.split(command) for command in error["commands"]]
    assert named == [["melleafy-tui", *words.split(), f"state/{path}", *auto] for path, _, _ in FOUND]
    assert main([*words.split(), str(state), *auto]) == 2
    said = capsys.readouterr().err
    for path, runtime, files in FOUND:
        assert f"{runtime}, {files} files" in said or f"{runtime}, 1 file" in said
        assert path in said


def test_each_command_that_is_named_works(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["detect", str(state), "--json"]) == 0
    sources = json.loads(capsys.readouterr().out)["sources"]
    assert [(each["path"], each["runtime"], each["files"]) for each in sources] == FOUND
    for each in sources:
        assert main([*shlex.split(each["command"])[1:], "--dependencies=auto", "--quiet"]) == 0
    assert main(["detect", str(state)]) == 0
    said = capsys.readouterr().out
    assert said.startswith("state: no source itself, but a folder of sources")
    assert "melleafy-tui 'state/workspace-ops team'" in said
    assert "melleafy-tui convert --all state" in said


def test_sources_that_only_reading_shows_are_named_too(
    own_world: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_workspace(own_world / "skills", {f"s{n:02}/SKILL.md": SKILL for n in range(30)})
    assert main([str(folder), "--dependencies=strict"]) == 2
    said = capsys.readouterr().err.splitlines()
    assert "holds 30 sources" in said[0]
    assert len(said) == MOST_COMMANDS + 2
    assert "and 10 more" in said[-1]
    assert main([str(folder), "--dependencies=strict", "--source-runtime", "unknown"]) in (0, 10)


def test_a_workspace_with_skills_and_settings_is_one_source(own_world: Path) -> None:
    files = {**TICKET_TRIAGE, "openclaw.json": "{}", "skills/a/SKILL.md": SKILL, "other/SOUL.md": "# Soul\n"}
    folder = write_workspace(own_world / "agent", files)
    assert main([str(folder), "--dependencies=auto", "--quiet"]) == 0


def test_a_name_that_would_break_a_shell_or_a_terminal_is_quoted(
    own_world: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_workspace(
        own_world / "state", {"openclaw.json": "{}", "a;$(x)\x1b[31m/SOUL.md": "# Soul\n"}
    )
    assert main([str(folder), "--dependencies=auto"]) == 2
    said = capsys.readouterr().err
    assert "\x1b" not in said
    assert f"'{folder}/a;$(x)" in said


def test_line_by_line_the_command_for_each_source_is_listed(answer: Answering, state: Path) -> None:
    done = answer(at=state)
    assert done.code == 2
    assert f"  melleafy-tui {state}/skills/count --linear" in done.messages


def test_a_project_of_several_specs_without_instructions_names_them(
    own_world: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {
        ".claude/agents/baker.md": "---\nname: baker\ndescription: Bakes.\n---\nYou bake.\n",
        ".claude/skills/count/SKILL.md": SKILL,
        "plugins/shop/skills/sell/SKILL.md": SKILL,
    }
    folder = write_workspace(own_world / "shop", files)
    assert main([str(folder), "--dependencies=auto", "--json"]) == 2
    error = json.loads(capsys.readouterr().out)["error"]
    named = [Path(shlex.split(command)[1]).relative_to(folder).as_posix() for command in error["commands"]]
    assert named == [".claude/agents/baker.md", ".claude/skills/count", "plugins/shop/skills/sell"]
    for command in error["commands"]:
        assert main([*shlex.split(command)[1:], "--quiet"]) == 0


def test_what_a_project_only_notes_is_named_with_its_commands(
    own_world: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {
        "CLAUDE.md": "- Never sell stale bread.\n",
        ".claude/agents/baker.md": "You bake.\n",
        ".claude/commands/sell.md": "Sell.\n",
        ".claude/skills/count/SKILL.md": SKILL,
        ".claude/skills/weigh/SKILL.md": SKILL,
        "lessons/bread/SKILL.md": SKILL,
    }
    folder = write_workspace(own_world / "shop", files)
    assert main([str(folder), "--dependencies=auto"]) == 0
    said = capsys.readouterr()
    assert "Skills noted and not expanded: 2 (.claude/skills/count, .claude/skills/weigh)" in said.out
    assert "Commands and subagents noted and not expanded: 2 (.claude/agents/baker.md" in said.out
    assert (
        "1 skill lies in folders that Claude Code doesn't load for this project: lessons/bread." in said.err
    )
    commands = [line.partition("#")[0] for line in said.out.splitlines() if "# convert" in line]
    assert len(commands) == 3
    for command in commands:
        assert main([*shlex.split(command)[1:], "--dependencies=auto", "--quiet"]) == 0
