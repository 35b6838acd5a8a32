"""The net over real sources: what two checkouts make of the same sources is compared by file and by figure."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
LIST = """
[[repository]]
name = "ours/agent"
commit = "0000000"
sources = [""]
subset = [""]

[[repository]]
name = "ours/skills"
commit = "0000000"
sources = ["skills/knots"]

[[repository]]
name = "ours/unread"
commit = "0000000"
held = true
sources = [""]
"""
AGENT = {
    "SOUL.md": "# Soul\n\nWarm and brief.\n",
    "IDENTITY.md": "- Name: Otter\n",
    "AGENTS.md": "# Rules\n\n- Keep every reply under 80 words.\n",
    "HEARTBEAT.md": "every 30m\n\n- Look at the river level\n",
}
SKILL = "---\nname: knots\ndescription: Explains knots. Use when someone asks how to tie one.\n---\n\n1. Name the knot.\n"


def _run(*options: str | Path) -> str:
    command = [sys.executable, str(ROOT / "scripts" / "corpus.py"), *map(str, options)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def test_compares_what_two_runs_make_of_the_listed_sources(tmp_path: Path) -> None:
    agent, skill = tmp_path / "ours__agent", tmp_path / "ours__skills" / "skills" / "knots"
    for folder, files in ((agent, AGENT), (skill, {"SKILL.md": SKILL})):
        folder.mkdir(parents=True)
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")
    (tmp_path / "list.toml").write_text(LIST, encoding="utf-8")
    before, after = tmp_path / "a.json", tmp_path / "b.json"
    every = ("--list", tmp_path / "list.toml", "--corpus", tmp_path, "--tree", ROOT)

    said = _run(*every, "--store", before, "--keep", tmp_path / "kept-a")
    assert said.startswith("2 sources in ")
    assert said.endswith("exit status: {0: 2}\n")
    summary = json.loads(before.read_text(encoding="utf-8"))["sources"]["ours/agent"]["summary"]
    assert (summary["runtime"], summary["checked"], summary["status"]) == ("openclaw", 1, 0)

    (agent / "AGENTS.md").write_text("# Rules\n\n- Be brief.\n", encoding="utf-8")
    _run(*every, "--store", after, "--keep", tmp_path / "kept-b", "--subset")
    both = ("--before", before, "--after", after)
    report = _run(*both)
    assert ": 1 sources, 1 packages differ; prompt 0 → 0, judged" in report
    assert "| requirements.py | 1 | 0 | 0 |" in report
    assert "checked 1 → 0" in next(line for line in report.splitlines() if line.startswith("| ours/agent |"))
    shown = _run(*both, "--show", "ours/agent", "requirements.py")
    assert "Keep every reply under 80 words." in shown
    assert "Be brief." in shown
