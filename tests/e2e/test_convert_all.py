"""`convert --all`: what is found below a folder, one table, refusals, and the bytes of single runs."""

import json
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from melleafy_tui.cli.commands import convert_all
from melleafy_tui.cli.main import main
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.source.sources_below import sources_below

TREE = {
    "agents/mill/SOUL.md": "# Soul\n\nYou grind grain.\n",
    "agents/mill/skills/sieve/SKILL.md": "---\nname: sieve\ndescription: Sieves.\n---\n",
    "agents/mill/helpers/boy/IDENTITY.md": "- **Name:** Boy\n",
    "agents/mill/node_modules/x/SOUL.md": "no",
    "agents/old_mellea/melleafy.json": "{}",
    "agents/old_mellea/SOUL.md": "made before",
    "shop/CLAUDE.md": "# Shop\n\n- Greet everybody.\n",
    "shop/back/CLAUDE.md": "- Keep the door shut.\n",
    "shop/.openclaw/workspace/SOUL.md": "# Soul\n\nYou sell bread.\n",
    "skills/count/SKILL.md": "---\nname: count\ndescription: Counts loaves. Use it when asked to count.\n---\n\nCount twice.\n",
    "skills/count/assets/SOUL.md": "a template",
    "notes/README.md": "# Nothing to convert\n",
    "crews/pyproject.toml": "[project]\nname = 'loaves'\n",
    "crews/src/loaves/config/agents.yaml": "baker:\n  role: Baker\n  goal: Bake\n  backstory: Up early.\n",
    "crews/src/loaves/config/tasks.yaml": "bake:\n  description: Bake a loaf.\n  expected_output: A loaf.\n  agent: baker\n",
    "graph/langgraph.json": '{"graphs": {"agent": "./agent.py:graph"}}',
    "graph/agent.py": "from langgraph.prebuilt import create_react_agent\n\n"
    "graph = create_react_agent('openai:x', [], prompt='Sell bread.')\n",
}
FOUND = [
    ("agents/mill", "openclaw"),
    ("agents/mill/helpers/boy", "openclaw"),
    ("crews", "crewai"),
    ("graph", "langgraph"),
    ("shop", "claude_code"),
    ("shop/.openclaw/workspace", "openclaw"),
    ("skills/count", "agent_skills_std"),
]
AS_OF = ("--as-of", "2026-11-01")


def put(root: Path, files: Mapping[str, str]) -> Path:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


def tree(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.fixture
def bakery(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1793500000")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return put(tmp_path / "bakery", TREE)


def test_a_folder_counts_by_its_main_file_and_parts_of_another_source_do_not(bakery: Path) -> None:
    (bakery / "linked").symlink_to(bakery / "agents")
    found = sources_below(bakery, Dialects.default().main_files)
    assert [(source.path, source.runtime) for source in found] == FOUND
    assert [source.path for source in sources_below(bakery / "shop", Dialects.default().main_files)] == [
        ".",
        ".openclaw/workspace",
    ]


@pytest.mark.usefixtures("here")
def test_every_source_is_converted_as_by_itself_and_either_may_follow_the_other(
    bakery: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    alone = put(tmp_path / "alone" / "bakery", TREE)
    assert main(["convert", "--all", str(bakery), *AS_OF]) == 0
    said = capsys.readouterr().out
    assert [line.split()[:2] for line in said.splitlines()[: len(FOUND)]] == [list(found) for found in FOUND]
    assert "7 sources: 7 converted, 0 failed" in said
    for path, _ in sorted(FOUND, reverse=True):
        for folder in (alone, bakery):
            assert main([str(folder / path), "--dependencies=auto", *AS_OF]) == 0
            assert ("Up to date" in capsys.readouterr().out) == (folder == bakery), path
    assert tree(alone) == tree(bakery)
    for folder in (alone, bakery):
        assert main(["convert", "--all", str(folder), *AS_OF]) == 0
        assert capsys.readouterr().out.count("up to date") == len(FOUND)


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_one_that_fails_is_in_the_table_and_gives_the_exit_code(
    bakery: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (bakery / "skills/count/SKILL.md").write_bytes(b"\0\0")
    assert main(["convert", "--all", str(bakery), "--json", *AS_OF]) == 2
    document = json.loads(capsys.readouterr().out)
    assert [result["exit_code"] for result in document["results"]] == [0, 0, 0, 0, 0, 0, 2]
    failed = document["results"][-1]
    assert failed["message"]
    assert not failed["written"]
    (bakery / "agents/mill/HEARTBEAT.md").write_text("Run every 30 minutes.\n\n- Look at the sieve.\n")
    assert main(["convert", "--all", str(bakery), "--dependencies=strict", *AS_OF]) == 10
    assert "exit 10" in capsys.readouterr().out


REFUSED = {
    "--in-place is about one": ["--in-place"],
    "--decisions is about one": ["--decisions", "x.json"],
    "--dependencies=ask": ["--dependencies=ask"],
    "--linear": ["--linear"],
    "no number of processes": ["--jobs", "0"],
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_does_not_go_with_all(case: str, bakery: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", "--all", str(bakery), *REFUSED[case]]) == 2
    assert "error: " in capsys.readouterr().err
    assert not list(bakery.rglob("*_mellea/*_mellea"))


def test_a_folder_without_a_source_and_options_without_all(
    bakery: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["convert", "--all", str(bakery / "notes")]) == 2
    assert "No workspace, skill or project was found" in capsys.readouterr().err
    assert main(["convert", "--all", str(bakery / "absent")]) == 2
    assert main([str(bakery / "shop"), "--jobs", "2"]) == 2
    assert "needs --all" in capsys.readouterr().err


def test_a_mere_folder_of_sources_is_not_made_one_package(
    bakery: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(bakery / "skills"), "--dependencies=auto", *AS_OF]) == 2
    said = capsys.readouterr().err
    assert "isn't a source itself; it holds 1 source." in said
    assert "skills/count --dependencies=auto" in said
    assert "convert --all" in said
    assert main([str(bakery / "skills"), "--dependencies=auto", "--source-runtime", "unknown", *AS_OF]) == 0


@pytest.mark.slow
def test_processes_give_the_same_bytes_and_a_killed_one_is_named(
    bakery: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["convert", "--all", str(bakery), "--jobs", "2", "--out", str(tmp_path / "t"), *AS_OF]) == 0
    capsys.readouterr()
    with_two = tree(tmp_path / "t")
    monkeypatch.setattr(convert_all, "_run", _dies_at_the_shop)
    assert (
        main(["convert", "--all", str(bakery), "--jobs", "2", "--out", str(tmp_path / "o"), "--json", *AS_OF])
        == 1
    )
    results = json.loads(capsys.readouterr().out)["results"]
    assert [result["exit_code"] for result in results] == [0, 0, 0, 0, 1, 0, 0]
    assert "was killed" in results[4]["message"]
    again = tree(tmp_path / "o")
    assert again == {path: data for path, data in with_two.items() if path in again}
    assert {path.partition("/")[0] for path in again} == {
        "agents--mill",
        "agents--mill--helpers--boy",
        "crews",
        "graph",
        "shop--.openclaw--workspace",
        "skills--count",
    }


def _dies_at_the_shop(words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    if Path(words[0]).name == "shop":
        return subprocess.CompletedProcess(words, -9, "", "")
    return _RUN(words)


_RUN = convert_all._run
