"""The `context` command, and what the wizard says and does about what was never seen."""

import json
from pathlib import Path
from typing import Final

import pytest
from jsonschema import validate

from melleafy_tui.cli.main import main
from melleafy_tui.core.models.context import Visibility
from tests.context.workspaces import write_workspace

TOKEN: Final = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"


def _json(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    assert main([*words, "--json", "--quiet"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found, dict)
    return found


def test_the_document_has_its_schema(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = write_workspace("extra-files", tmp_path)
    document = _json(capsys, "context", str(root), "--openclaw-release", "2026.9.6")
    schema = _json(capsys, "schema", "context")
    validate(document, schema)
    files = document["files"]
    assert isinstance(files, list)
    assert "ships/one/SOUL.md" in [file["path"] for file in files if file["extra"]]
    loaded = document["not_loaded"]
    assert isinstance(loaded, list)
    assert {"docs/chart.md", "ships/one/NOTES.md", "memory/berths.md"} <= {each["path"] for each in loaded}


def test_secrets_are_masked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = write_workspace("small", tmp_path)
    (root / "TOOLS.md").write_text(f"### radio\n\ntoken: {TOKEN}\n", "utf-8")
    assert main(["context", str(root)]) == 0
    assert main(["context", str(root), "--json"]) == 0
    captured = capsys.readouterr()
    assert TOKEN not in captured.out + captured.err
    assert "TOOLS.md:3" in captured.out


def test_the_print_says_which_lines_are_gone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = write_workspace("own-limits", tmp_path)
    assert main(["context", str(root)]) == 0
    said = capsys.readouterr().out
    assert "✂ SOUL.md:13-75 is cut" in said
    assert "    SOUL.md:77 │ d of boats that wait." in said
    assert "a file 400 · in all 1,500" in said


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--agent", "nobody"), "no agent 'nobody'"),
        (("--openclaw-release", "2020.1.1"), "No limits are known"),
    ],
)
def test_what_is_not_there_is_refused(
    words: tuple[str, str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["context", str(write_workspace("small", tmp_path)), *words]) == 2
    assert message in capsys.readouterr().err


def test_each_sight_of_an_element(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = write_workspace("own-limits", tmp_path)
    (root / "skills" / "knots").mkdir(parents=True)
    (root / "skills" / "knots" / "SKILL.md").write_text(
        "---\nname: knots\ndescription: Tie.\n---\nTie.\n", "utf-8"
    )
    (root / "docs").mkdir()
    (root / "docs" / "AGENTS.md").write_text("- Never skip a page.\n", "utf-8")
    (root / ".env.example").write_text("API_KEY=\n", "utf-8")
    document = _json(capsys, "context", str(root))
    elements = document["elements"]
    assert isinstance(elements, list)
    sights = {(each["source_file"], each["visibility"]) for each in elements}
    assert {
        ("IDENTITY.md", Visibility.SEEN),
        ("SOUL.md", Visibility.PARTLY),
        ("AGENTS.md", Visibility.CUT),
        ("docs/AGENTS.md", Visibility.NOT_LOADED),
        ("skills/knots/SKILL.md", Visibility.LISTED),
        (".env.example", Visibility.CONFIGURATION),
    } <= sights
    cut = next(each for each in elements if each["visibility"] == Visibility.CUT)
    assert cut["characters"] > cut["characters_seen"] == 0


def test_what_was_never_seen_is_dropped_in_one_act(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = write_workspace("own-limits", tmp_path)
    saved = tmp_path / "decisions.json"
    before = _json(capsys, "context", str(root), "--drop-unseen", "--save", str(saved))
    removed = json.loads(saved.read_text("utf-8"))["overrides"]
    assert {each["disposition"] for each in removed} == {"remove"}
    elements = before["elements"]
    assert isinstance(elements, list)
    unseen = {each["key"] for each in elements if each["visibility"] == Visibility.CUT}
    assert unseen & {each["key"] for each in removed}
    assert not {each["key"] for each in removed} & {
        each["key"] for each in elements if each["visibility"] == Visibility.SEEN
    }
