"""The manifest's figure is what the stand-in server counts (spec/package.md 3)."""

from pathlib import Path

import pytest

pytest.importorskip("mellea")

from melleafy_tui.core.cost import run_cost
from melleafy_tui.core.models.plan import CommittedPlan
from melleafy_tui.core.models.vocabulary import Disposition, PersonaChannel
from melleafy_tui.core.smoke.stand_in import StandInServer
from melleafy_tui.generators.render import render_package
from tests.generators.committed import reference_plan
from tests.generators.emitting import loaded_package
from tests.generators.variants import plan_with

PLANS: dict[str, CommittedPlan] = {
    "reference": reference_plan(),
    "tools": plan_with({}),
    "system": plan_with({}, channel=PersonaChannel.SYSTEM),
    "no tools": plan_with({}, without=("tool.http", "tool.script", "tool.skill")),
    "loaded rule": plan_with({"rule": Disposition.LOAD_FROM_DISK}),
    "all rules loaded": plan_with(
        {"rule": Disposition.LOAD_FROM_DISK, "rule.other": Disposition.LOAD_FROM_DISK}
    ),
    "rule stub": plan_with({"rule": Disposition.STUB}),
    "rule of the host": plan_with({"rule": Disposition.DELEGATE_TO_RUNTIME}),
    "no rules": plan_with({}, without=("rule", "rule.other", "rule.note", "rule.scoped")),
}


@pytest.mark.parametrize("name", PLANS)
def test_calls_are_counted_exactly(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = PLANS[name]
    cost = run_cost(plan)
    with StandInServer() as server, loaded_package(render_package(plan), tmp_path) as pipeline:
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        pipeline.run_pipeline("hello")
        assert len(server.calls) == cost.calls
        server.calls.clear()
        pipeline.run_pipeline("heartbeat")
        assert len(server.calls) == cost.calls_heartbeat
