"""Each workspace that a dialect is tested with becomes a package without lint findings."""

from pathlib import Path

import pytest

from melleafy_tui.cli.main import main
from tests.conftest import PROJECT

WORKSPACES = sorted(
    folder / "workspace" if folder.name == "config-above" else folder
    for folder in (PROJECT / "tests" / "dialects").glob("*/workspaces/*")
    if folder.is_dir()
)


@pytest.mark.slow
def test_each_dialect_workspace_passes_the_lints_of_its_package(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(WORKSPACES) > 50
    wrong = {}
    for folder in WORKSPACES:
        code = main([str(folder), "--dependencies=auto", "--dry-run", "--out", str(tmp_path / "out")])
        if code:
            wrong[folder.name] = (code, capsys.readouterr().err[-300:])
    assert wrong == {}


def test_text_inlined_into_a_rule_names_both_places(tmp_path: Path) -> None:
    [folder] = [folder for folder in WORKSPACES if folder.name == "bootstrap-inlined"]
    assert main([str(folder), "--dependencies=auto", "--out", str(tmp_path / "out")]) == 0
    [rules] = (tmp_path / "out").glob("*/requirements.py")
    assert '"AGENTS.md:1, BOOTSTRAP.md:1-9"' in rules.read_text()
