"""What a tag that a person chose does to a package: nothing but the report, seen on the real Mellea."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mellea")

from melleafy_tui.core.decisions.commands import SetTag
from melleafy_tui.core.models.file_set import FileSet
from melleafy_tui.core.models.vocabulary import Category, Tag
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.smoke.fake_server import FakeModelServer
from melleafy_tui.core.smoke.scripted_model import Behaviour
from melleafy_tui.engine import open_conversion
from tests.generators.emitting import loaded_package
from tests.scripted import rules_in


def conversion_of(folder: Path, text: str) -> Conversion:
    """Return the conversion of a workspace with a rule."""
    workspace = folder / "desk"
    workspace.mkdir()
    (workspace / "SOUL.md").write_text("Warm and brief.\n")
    (workspace / "AGENTS.md").write_text(f"# Rules\n\n- Answer in English.\n- {text}\n")
    return open_conversion(workspace, as_of=date(2026, 1, 15), generated_at="2026-01-15T00:00:00Z")


def key_of(conversion: Conversion, text: str) -> str:
    (element,) = (each for each in conversion.inventory.elements if text in each.content_full)
    return conversion.keys[element.element_id]


def failures_of(conversion: Conversion) -> list[object]:
    return [finding for result in conversion.lints.results for finding in result.findings]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Any:
    with FakeModelServer() as started:
        monkeypatch.setenv("OLLAMA_HOST", started.url)
        yield started


def package_file(files: FileSet, name: str) -> str:
    return files.by_path[f"{files.package_name}/{name}"].text


@pytest.mark.parametrize("tag", [Tag.DECIDE, Tag.VALIDATE_OUTPUT, Tag.CLASSIFY, Tag.GENERATE])
def test_whether_a_rule_is_judged_is_its_decision_and_not_its_tag(
    tag: Tag, server: FakeModelServer, tmp_path: Path
) -> None:
    text = "Make sure that the order number belongs to the customer."
    conversion = conversion_of(tmp_path, text)
    key = key_of(conversion, text)
    conversion.act(SetTag((key,), tag, Category.C2))
    (element,) = (each for each in conversion.inventory.elements if text in each.content_full)
    mapping = conversion.mapping.by_element[element.element_id]
    assert (mapping.target_file, mapping.primitive) == ("requirements.py", "Requirement")
    for judged in (False, True):
        conversion.act(SetTag((key,), judged=judged))
        assert text in package_file(conversion.rendered, "requirements.py")
        server.calls.clear()
        (folder := tmp_path / str(judged)).mkdir()
        with loaded_package(conversion.rendered, folder) as pipeline:
            pipeline.run_pipeline("hello")
        assert text in server.calls[0].prompt
        verdicts = [call.prompt for call in server.calls if call.title == "Verdicts"]
        assert any(text in rule for prompt in verdicts for rule in rules_in(prompt)) == judged


@pytest.mark.parametrize(
    ("category", "hook"), [(Category.C4, "load_working_state"), (Category.C5, "recall_memory")]
)
def test_what_a_tool_brings_in_is_asked_of_its_hook(category: Category, hook: str, tmp_path: Path) -> None:
    text = "The tickets of today come from the queue."
    conversion = conversion_of(tmp_path, text)
    conversion.act(SetTag((key_of(conversion, text),), Tag.TOOL_INPUT, category))
    assert f"def {hook}(" in package_file(conversion.rendered, "constrained_slots.py")
    assert f"import {hook}\n" in package_file(conversion.rendered, "pipeline.py")
    assert text not in package_file(conversion.rendered, "requirements.py")
    assert failures_of(conversion) == []


def test_a_repair_is_asked_for_as_often_as_the_budget_says(server: FakeModelServer, tmp_path: Path) -> None:
    server.behaviour = Behaviour.JUDGE_SAYS_NO
    text = "Fix the reply and check it again."
    conversion = conversion_of(tmp_path, text)
    conversion.act(SetTag((key_of(conversion, text),), Tag.REMEDIATE, Category.C2, judged=True))
    with loaded_package(conversion.rendered, tmp_path) as pipeline:
        reply = pipeline.run_pipeline("hello")
        budget = pipeline.config.LOOP_BUDGET
    replies = [call.prompt for call in server.calls if call.title != "Verdicts"]
    assert len(replies) == budget > 1
    assert all(replies[0] != repair for repair in replies[1:])
    assert any(unmet.rule == text for unmet in reply.unmet)
