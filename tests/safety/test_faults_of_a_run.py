"""Faults of a run that are no fault of writing: Ctrl+C at each step, a clock that goes backwards (spec/safety.md)."""

from pathlib import Path
from types import ModuleType

import pytest

from melleafy_tui.core.lint import runner
from melleafy_tui.core.pipeline import conversion
from tests.safety.chain import run, tree
from tests.safety.hostile_workspaces import put

STEPS = (
    (conversion, "classify"),
    (conversion, "take_inventory"),
    (conversion, "map_elements"),
    (conversion, "make_plan"),
    (runner, "lint_file_set"),
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
