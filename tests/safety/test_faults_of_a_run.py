"""Faults of a run that are no fault of writing: Ctrl+C at each step, a clock that goes backwards (spec/safety.md)."""

import shutil
from functools import partial
from pathlib import Path
from types import ModuleType

import pytest

from melleafy_tui.core.lint import table
from melleafy_tui.core.output import writer
from melleafy_tui.core.pipeline import conversion
from tests.safety.chain import run, tree
from tests.safety.hostile_workspaces import put
from tests.unit.faults import FaultyOperations, in_child, kill

STEPS = (
    (conversion, "classify"),
    (conversion, "take_inventory"),
    (conversion, "map_elements"),
    (conversion, "make_plan"),
    (table, "lint_file_set"),
    (conversion, "with_reports"),
)
"""Each step where a conversion finds it; the lints are imported by the run that needs them."""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    put(tmp_path / "w", {"SOUL.md": "# Soul\n\n- Warm\n", "AGENTS.md": "- Never send mail\n"})
    return tmp_path / "w"


@pytest.mark.parametrize(("module", "step"), STEPS, ids=[step for _, step in STEPS])
def test_an_interrupt_at_any_step_writes_nothing(
    module: ModuleType, step: str, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    before = tree(workspace.parent)
    monkeypatch.setattr(module, step, interrupt)
    said = run(workspace, "--dependencies=auto")
    assert said.code == 130
    assert "Traceback" not in said.messages
    assert tree(workspace.parent) == before


@pytest.mark.slow
def test_a_clock_that_goes_backwards_loses_nothing(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = workspace.parent / "w_mellea"
    for epoch in ("1793523600", "1"):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
        said = run(workspace, "--dependencies=auto", "--as-of", "2026-11-01")
        assert said.code == 0, said.messages
        assert run("check", workspace, "--as-of", "2026-11-01").code == 0
    assert run("lint", out).code == 0
    (out / "w_mellea" / "config.py").write_text("# mine\n" + (out / "w_mellea" / "config.py").read_text())
    run(workspace, "--dependencies=auto", "--as-of", "2026-10-01")
    assert "# mine" in (out / "w_mellea" / "config.py").read_text()


def test_what_a_killed_write_leaves_in_the_workspace_is_no_source_of_the_next_run(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With `--in-place`, the half-written package and the work folder lie in the folder that is read."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1793523600")
    convert = partial(run, workspace, "--dependencies=auto", "--in-place", "--as-of", "2026-11-01")
    package = workspace / "w_mellea"
    assert convert().code == 0
    (workspace / "AGENTS.md").write_text("- Never send mail\n- Always greet the customer\n")

    def killed() -> None:
        monkeypatch.setattr(writer, "FileOperations", partial(FaultyOperations, 6, kill, ("move",)))
        convert()

    in_child(killed)
    assert (workspace / ".w_mellea.melleafy-work/journal.json").is_file()
    assert not (package / "melleafy.json").exists()
    (workspace / ".melleafy-decisions.json.123.draft").write_text("{}")
    assert convert().code == 0
    found = {path.relative_to(package): path.read_bytes() for path in package.rglob("*") if path.is_file()}
    shutil.rmtree(package)
    assert convert().code == 0
    assert found == {
        path.relative_to(package): path.read_bytes() for path in package.rglob("*") if path.is_file()
    }
