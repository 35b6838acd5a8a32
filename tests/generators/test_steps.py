"""Elements retagged EXTRACT, CLASSIFY, GENERATE, TRANSFORM or QUERY become calls of their own, seen on the real Mellea."""

import json
import sys
from datetime import date
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mellea")

from melleafy_tui.core.decisions.commands import ChangeSettings, SetDisposition, SetTag
from melleafy_tui.core.errors import DecisionsRefused
from melleafy_tui.core.lint.table import lint_file_set
from melleafy_tui.core.models.file_set import FileSet
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import Category, Disposition, EntryKind, Tag
from melleafy_tui.core.package.separate_steps import fields_of, labels_of
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.smoke.fake_server import Behaviour, FakeModelServer
from melleafy_tui.core.smoke.scripted_model import rules_in
from melleafy_tui.engine import open_conversion
from tests.generators.emitting import loaded_package, with_text

RULES = {
    "classify": ("Classify each ticket as bug, question or billing.", Tag.CLASSIFY),
    "extract": (
        "Extract the order number, the product and the customer's name from the message.",
        Tag.EXTRACT,
    ),
    "extract_text": ("Pull out what matters most.", Tag.EXTRACT),
    "generate": ("Write a short title for the ticket.", Tag.GENERATE),
    "transform": ("Rewrite the message in plain English {{ 7 * 7 }}.", Tag.TRANSFORM),
    "query": ("Which product is the message about?", Tag.QUERY),
}
CLASSIFY, EXTRACT, EXTRACT_TEXT, GENERATE, TRANSFORM, QUERY = RULES


def conversion_of(folder: Path, *names: str, extra: str = "") -> Conversion:
    """Return the conversion of a workspace whose rules of these names the user retagged."""
    workspace = folder / "desk"
    workspace.mkdir()
    (workspace / "SOUL.md").write_text("Warm and brief.\n")
    lines = [f"- {RULES[name][0]}\n" for name in names]
    (workspace / "AGENTS.md").write_text("# Rules\n\n" + "".join(lines) + "- Answer in English.\n" + extra)
    conversion = open_conversion(workspace, as_of=date(2026, 1, 15), generated_at="2026-01-15T00:00:00Z")
    for name in names:
        conversion.act(SetTag((key_of(conversion, RULES[name][0]),), RULES[name][1], Category.C2))
    return conversion


def key_of(conversion: Conversion, text: str) -> str:
    (element,) = (each for each in conversion.inventory.elements if text in each.content_full)
    return conversion.keys[element.element_id]


def entry_of(conversion: Conversion, name: str) -> PlanEntry:
    key = key_of(conversion, RULES[name][0])
    return next(entry for entry in conversion.plan.entries if entry.key == key)


def failures_of(conversion: Conversion) -> list[object]:
    return [finding for result in conversion.lints.results for finding in result.findings]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Any:
    with FakeModelServer() as started:
        monkeypatch.setenv("OLLAMA_HOST", started.url)
        yield started


def package_file(files: FileSet, name: str) -> str:
    return files.by_path[f"{files.package_name}/{name}"].text


@pytest.mark.parametrize(
    ("name", "file", "primitive"),
    [
        (CLASSIFY, "slots.py", "generative"),
        (EXTRACT, "slots.py", "generative"),
        (GENERATE, "config.py", "instruct"),
        (TRANSFORM, "mobjects.py", "transform"),
        (QUERY, "mobjects.py", "query"),
    ],
)
def test_a_retag_takes_the_rule_to_its_primitive(
    name: str, file: str, primitive: str, tmp_path: Path
) -> None:
    conversion = conversion_of(tmp_path, name)
    entry = entry_of(conversion, name)
    mapping = conversion.mapping.by_element[entry.source_elements[0]]
    assert (entry.kind, entry.disposition) == (EntryKind.STEP, Disposition.BUNDLE)
    assert mapping.target_file == entry.target.partition(":")[0] == file
    assert (mapping.primitive, mapping.validation_kind) == (primitive, None)
    assert RULES[name][0] in package_file(conversion.rendered, file)
    assert RULES[name][0] not in package_file(conversion.rendered, "requirements.py")
    assert failures_of(conversion) == []


def test_a_classification_yields_one_of_its_labels(tmp_path: Path) -> None:
    slots = package_file(conversion_of(tmp_path, CLASSIFY).rendered, "slots.py")
    assert 'Literal["bug", "question", "billing"]' in slots
    assert "from __future__" not in slots


def test_every_step_is_taken_and_its_answer_reaches_the_reply(
    server: FakeModelServer, tmp_path: Path
) -> None:
    conversion = conversion_of(tmp_path, *RULES)
    with loaded_package(conversion.rendered, tmp_path) as pipeline:
        reply = pipeline.run_pipeline("The {{ 1 + 1 }} lamp of order 7 is broken")
    assert reply.unmet == []
    assert conversion.cost.calls == len(server.calls)
    wire = [call.prompt for call in server.calls]
    for number, (text, _) in enumerate(RULES.values()):
        assert text in wire[number]
        assert "The {{ 1 + 1 }} lamp of order 7 is broken" in wire[number]
    said = wire[len(RULES)]
    for text in (": bug", '{"order_number":"stand-in","product":"stand-in"', ": stand-in", ": Understood."):
        assert text in said


def test_a_scoped_step_is_taken_in_its_scope_only(server: FakeModelServer, tmp_path: Path) -> None:
    workspace = tmp_path / "desk"
    (workspace / "docs").mkdir(parents=True)
    (workspace / "SOUL.md").write_text("Warm and brief.\n")
    (workspace / "AGENTS.md").write_text("- Answer in English.\n")
    (workspace / "docs" / "AGENTS.md").write_text("- Classify each page as guide, reference or news.\n")
    conversion = open_conversion(workspace, as_of=date(2026, 1, 15), generated_at="2026-01-15T00:00:00Z")
    scoped = next(
        each for each in conversion.inventory.elements if each.scope and each.category is Category.C2
    )
    conversion.act(SetTag((conversion.keys[scoped.element_id],), Tag.CLASSIFY, Category.C2))
    with loaded_package(conversion.rendered, tmp_path) as pipeline:
        pipeline.run_pipeline("hello")
        without = len(server.calls)
        pipeline.run_pipeline("hello", scope=scoped.scope)
    assert without == conversion.cost.calls
    assert len(server.calls) == 2 * without + 1


@pytest.mark.parametrize(
    ("name", "behaviour"),
    [
        *((name, Behaviour.BROKEN_JSON) for name in (CLASSIFY, EXTRACT, EXTRACT_TEXT)),
        *((name, Behaviour.EMPTY) for name in (CLASSIFY, EXTRACT, EXTRACT_TEXT, GENERATE)),
    ],
)
def test_an_unusable_answer_is_asked_for_again_and_then_an_error(
    name: str, behaviour: Behaviour, server: FakeModelServer, tmp_path: Path
) -> None:
    server.behaviour = behaviour
    conversion = conversion_of(tmp_path, name)
    with loaded_package(conversion.rendered, tmp_path) as pipeline:
        runtime = sys.modules["desk_mellea._runtime.runtime"]
        with pytest.raises(runtime.PipelineError) as raised:
            pipeline.run_pipeline("hello")
        assert not isinstance(raised.value, runtime.BackendError)
        assert len(server.calls) == pipeline.config.LOOP_BUDGET


@pytest.mark.parametrize("name", [TRANSFORM, QUERY])
def test_an_empty_transformation_or_answer_is_an_error(
    name: str, server: FakeModelServer, tmp_path: Path
) -> None:
    server.behaviour = Behaviour.EMPTY
    with (
        loaded_package(conversion_of(tmp_path, name).rendered, tmp_path) as pipeline,
        pytest.raises(RuntimeError, match="no usable answer"),
    ):
        pipeline.run_pipeline("hello")


@pytest.mark.parametrize("disposition", [Disposition.STUB, Disposition.DELEGATE_TO_RUNTIME])
def test_a_step_of_the_host_is_called_and_noted_until_it_is_written(
    disposition: Disposition, server: FakeModelServer, tmp_path: Path
) -> None:
    conversion = conversion_of(tmp_path, CLASSIFY)
    entry = entry_of(conversion, CLASSIFY)
    conversion.act(SetDisposition((entry.key,), disposition))
    symbol = entry_of(conversion, CLASSIFY).symbol
    with loaded_package(conversion.rendered, tmp_path) as pipeline:
        reply = pipeline.run_pipeline("hello")
        assert [note for note in reply.notes if note.startswith(symbol)] == reply.notes != []
        assert len(server.calls) == conversion.cost.calls
        setattr(pipeline.constrained_slots, symbol, lambda request: f"{request} is billing")
        assert pipeline.run_pipeline("hello").notes == []
    assert "hello is billing" in server.calls[-2].prompt


@pytest.mark.parametrize(
    "disposition",
    [Disposition.REAL_IMPL, Disposition.MOCK, Disposition.EXTERNAL_INPUT, Disposition.LOAD_FROM_DISK],
)
def test_what_a_step_cannot_be_is_refused(disposition: Disposition, tmp_path: Path) -> None:
    conversion = conversion_of(tmp_path, CLASSIFY)
    with pytest.raises(DecisionsRefused, match=disposition.value):
        conversion.act(SetDisposition((entry_of(conversion, CLASSIFY).key,), disposition))


@pytest.mark.parametrize("category", [Category.C1, Category.C3, Category.C5])
def test_a_tag_that_makes_no_step_is_said_in_the_report(category: Category, tmp_path: Path) -> None:
    conversion = conversion_of(tmp_path, CLASSIFY)
    conversion.act(SetTag((key_of(conversion, RULES[CLASSIFY][0]),), Tag.CLASSIFY, category))
    assert entry_of(conversion, CLASSIFY).kind is not EntryKind.STEP
    assert "CLASSIFY makes a step of its own only among the rules" in package_file(
        conversion.rendered, "mapping_report.md"
    )


def test_a_prohibition_stays_a_rule_whatever_its_tag(tmp_path: Path) -> None:
    text = "Never sort tickets into bug, question or billing."
    conversion = conversion_of(tmp_path, extra=f"- {text}\n")
    conversion.act(SetTag((key_of(conversion, text),), Tag.CLASSIFY, Category.C2))
    assert text in package_file(conversion.rendered, "requirements.py")
    assert "A text that forbids can't be a step" in package_file(conversion.rendered, "mapping_report.md")


@pytest.mark.parametrize("tag", [Tag.DECIDE, Tag.VALIDATE_OUTPUT, Tag.VALIDATE_DOMAIN, Tag.REMEDIATE])
def test_whether_a_rule_is_judged_is_its_decision_and_not_its_tag(
    tag: Tag, server: FakeModelServer, tmp_path: Path
) -> None:
    text = "Make sure that the order number belongs to the customer."
    conversion = conversion_of(tmp_path, extra=f"- {text}\n")
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
    conversion = conversion_of(tmp_path, extra=f"- {text}\n")
    conversion.act(SetTag((key_of(conversion, text),), Tag.TOOL_INPUT, category))
    assert f"def {hook}(" in package_file(conversion.rendered, "constrained_slots.py")
    assert f"import {hook}\n" in package_file(conversion.rendered, "pipeline.py")
    assert text not in package_file(conversion.rendered, "requirements.py")
    assert failures_of(conversion) == []


def test_a_repair_is_asked_for_as_often_as_the_budget_says(server: FakeModelServer, tmp_path: Path) -> None:
    server.behaviour = Behaviour.JUDGE_SAYS_NO
    text = "Fix the reply and check it again."
    conversion = conversion_of(tmp_path, extra=f"- {text}\n")
    conversion.act(SetTag((key_of(conversion, text),), Tag.REMEDIATE, Category.C2, judged=True))
    with loaded_package(conversion.rendered, tmp_path) as pipeline:
        reply = pipeline.run_pipeline("hello")
        budget = pipeline.config.LOOP_BUDGET
    replies = [call.prompt for call in server.calls if call.title != "Verdicts"]
    assert len(replies) == budget > 1
    assert all(replies[0] != repair for repair in replies[1:])
    assert any(unmet.rule == text for unmet in reply.unmet)


def test_the_persona_reaches_a_draft_by_either_channel(server: FakeModelServer, tmp_path: Path) -> None:
    conversion = conversion_of(tmp_path, GENERATE)
    conversion.act(ChangeSettings({"persona_channel": "system"}))
    assert failures_of(conversion) == []
    with loaded_package(conversion.rendered, tmp_path) as pipeline:
        pipeline.run_pipeline("hello")
    assert ("system", "Warm and brief.\n") in [
        (role, text) for role, text in server.calls[0].messages if role == "system"
    ] or server.calls[0].messages[0][0] == "system"


@pytest.mark.parametrize(
    ("name", "file", "before", "after", "said"),
    [
        (CLASSIFY, "slots.py", RULES[CLASSIFY][0], "Sing a merry tune", "its text is not in the lines"),
        (QUERY, "mobjects.py", RULES[QUERY][0], "Sing a merry tune", "its text is not in the lines"),
    ],
    ids=["slot", "object"],
)
def test_a_step_that_hides_its_source_fails_the_lint(
    name: str, file: str, before: str, after: str, said: str, tmp_path: Path
) -> None:
    files = conversion_of(tmp_path, name).rendered
    report = lint_file_set(with_text(files, file, package_file(files, file).replace(before, after)))
    (result,) = (each for each in report.results if each.lint == "provenance-complete")
    assert [said in finding.message for finding in result.findings] == [True]


def test_the_manifest_counts_the_steps(tmp_path: Path) -> None:
    conversion = conversion_of(tmp_path, *RULES)
    manifest = json.loads(package_file(conversion.rendered, "melleafy.json"))
    assert manifest["model_calls_per_run"]["message"] == len(RULES) + 2


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        pytest.param("Classify it as bug, question or billing", ("bug", "question", "billing"), id="as"),
        pytest.param("Sort mails into: urgent, normal, or later.", ("urgent", "normal", "later"), id="into"),
        pytest.param("Say whether it is one of `A`/`B`.", ("A", "B"), id="slash"),
        pytest.param("Label it as either a bug or a wish before you answer.", ("bug", "wish"), id="either"),
        pytest.param("将工单分类为：故障、咨询或账单。", ("故障", "咨询", "账单"), id="chinese"),
        pytest.param("Classify each ticket by urgency.", (), id="none-named"),
        pytest.param("Reply as soon as you can.", (), id="no-list"),
        pytest.param(
            "Treat it as something that was written at great length by us, or by them", (), id="prose"
        ),
    ],
)
def test_labels_are_read_where_the_text_names_them(text: str, labels: tuple[str, ...]) -> None:
    assert labels_of(text) == labels


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        pytest.param(
            "Extract the name, the date and the amount from it.", ("name", "date", "amount"), id="from"
        ),
        pytest.param("提取姓名、日期和金额。", ("姓名", "日期", "金额"), id="chinese"),
        pytest.param("Extract what matters.", (), id="one"),
    ],
)
def test_fields_are_read_where_the_text_names_them(text: str, fields: tuple[str, ...]) -> None:
    assert fields_of(text) == fields
