"""The emitted packages on the real Mellea against the stand-in server: what goes over the wire, and what comes of it."""

import importlib
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.scripted import Script

pytest.importorskip("mellea")

from melleafy_tui.core.lint.table import lint_file_set
from melleafy_tui.core.models.classification import Schedule, ScheduledTask
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.facts import Facts, ScheduleFact
from melleafy_tui.core.models.file_set import FileSet
from melleafy_tui.core.models.reports import FixtureStatus
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind, Modality, PersonaChannel
from melleafy_tui.core.smoke import fake_server as stand_in
from melleafy_tui.core.smoke.fake_server import FakeModelServer, ModelCall
from melleafy_tui.core.smoke.runner import SmokeRequest, run_smoke
from melleafy_tui.core.smoke.scripted_model import PLAIN_ANSWER, Behaviour, Schema, answer
from melleafy_tui.generators.render import render_package
from tests.generators.committed import (
    REFERENCE_FILES,
    REFERENCE_PIECES,
    REFERENCE_SCHEDULE,
    Piece,
    committed_plan,
    reference_plan,
)
from tests.generators.emitting import loaded_package, with_text, write_files
from tests.generators.variants import plan_with

Answering = Callable[[str, Schema | None, Behaviour], str]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeModelServer]:
    with FakeModelServer() as started:
        monkeypatch.setenv("OLLAMA_HOST", started.url)
        yield started


def ran(plan: CommittedPlan, folder: Path, *given: Any, **named: Any) -> Any:
    """Return the result of one run of the plan's package."""
    with loaded_package(render_package(plan), folder) as pipeline:
        return pipeline.run_pipeline(*given, **named)


def structured(**values: Any) -> Answering:
    """Return answers as the stand-in gives them, but with these values in structured ones that have such fields."""

    def answered(prompt: str, schema: Schema | None, behaviour: Behaviour) -> str:
        said = answer(prompt, schema, behaviour)
        if schema is None:
            return said
        fields = json.loads(said)
        return json.dumps({**fields, **{name: text for name, text in values.items() if name in fields}})

    return answered


def test_a_message_is_answered(server: FakeModelServer, tmp_path: Path) -> None:
    reply = ran(reference_plan(), tmp_path, "Is the order history lost?")
    assert reply.text
    assert (reply.skipped, reply.unmet) == (False, [])
    assert len(server.calls) == 2
    prompt = server.calls[0].prompt
    assert prompt.startswith(REFERENCE_FILES["SOUL.md"].rstrip("\n"))
    for words in (
        "Is the order history lost?",
        "ticket-triage",
        "Platform support",
        "Europe/Dublin",
        "look up past tickets",
    ):
        assert words in prompt


def test_a_memory_without_a_folder_is_one_note(server: FakeModelServer, tmp_path: Path) -> None:
    reply = ran(reference_plan(), tmp_path, "heartbeat")
    (note,) = reply.notes
    assert note.startswith("recall_memory: no memory folder is known; set TICKET_TRIAGE_MEMORY")


def test_the_agents_own_memory_is_searched_where_it_lies(
    server: FakeModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "MEMORY.md").write_text("# Memory\n\nAda handles the billing queue.\n", encoding="utf-8")
    monkeypatch.setenv("TICKET_TRIAGE_MEMORY", str(tmp_path))
    reply = ran(reference_plan(), tmp_path, "Who handles the billing queue?")
    assert reply.notes == []
    assert all("Ada handles the billing queue." in call.prompt for call in server.calls)


def test_a_written_memory_function_reaches_the_wire(server: FakeModelServer, tmp_path: Path) -> None:
    with loaded_package(render_package(reference_plan()), tmp_path) as pipeline:
        asked: list[str] = []

        def recall_memory(query: str) -> str:
            asked.append(query)
            return "the moon ticket was closed"

        vars(pipeline)["recall_memory"] = recall_memory
        reply = pipeline.run_pipeline("What about the moon?")
    assert asked == ["What about the moon?"]
    assert "the moon ticket was closed" in server.calls[0].prompt
    assert reply.notes == []


@pytest.mark.parametrize("given", ["", None], ids=["empty", "none"])
def test_an_absent_parameter_stands_for_the_source_text(
    given: str | None, server: FakeModelServer, tmp_path: Path
) -> None:
    ran(reference_plan(), tmp_path, "hello", user_context=given)
    assert "**Timezone:** Europe/Dublin" in server.calls[0].prompt


def test_a_given_parameter_takes_the_place_of_the_source_text(
    server: FakeModelServer, tmp_path: Path
) -> None:
    ran(reference_plan(), tmp_path, "hello", user_context="Timezone: Asia/Tokyo")
    assert "Asia/Tokyo" in server.calls[0].prompt
    assert "Europe/Dublin" not in server.calls[0].prompt


@pytest.mark.parametrize("name", ["agents", "user", "soul", "message"])
def test_braces_are_never_rendered(name: str, server: FakeModelServer, tmp_path: Path) -> None:
    hostile = "{{ 7 * 7 }} {% raise %} {{ config.__class__ }} {0} %s"
    files = dict(REFERENCE_FILES)
    if name == "soul":
        files["SOUL.md"] = f"# Soul\n\n## Voice\n\n{hostile}\n\n## Boundaries\n\n- None.\n"
    if name == "user":
        files["USER.md"] = f"- **Timezone:** {hostile}\n- **Team:** x\n"
    if name == "agents":
        files["AGENTS.md"] = REFERENCE_FILES["AGENTS.md"].replace("If a ticket mentions data loss, ", hostile)
    pieces = [
        replace(piece, statement=hostile) if name == "user" and piece.file == "USER.md" else piece
        for piece in REFERENCE_PIECES
    ]
    plan = committed_plan(files, pieces, modality=Modality.HEARTBEAT, schedule=REFERENCE_SCHEDULE)
    ran(plan, tmp_path, hostile if name == "message" else "hello")
    assert hostile in server.calls[0].prompt
    assert "49" not in server.calls[0].prompt.replace("{{ 7 * 7 }}", "")


def test_a_heartbeat_decides_first(server: FakeModelServer, tmp_path: Path) -> None:
    reply = ran(reference_plan(), tmp_path, "heartbeat")
    assert not reply.skipped
    assert len(server.calls) == 3
    assert server.calls[0].schema is not None
    for call in server.calls[:2]:
        assert "Check for tickets that have waited" in call.prompt


def test_a_heartbeat_can_be_skipped(
    server: FakeModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stand_in, "answer", structured(decision="skip", reason="all quiet"))
    reply = ran(reference_plan(), tmp_path, "heartbeat")
    assert (reply.skipped, reply.reason, reply.text) == (True, "all quiet", "")
    assert len(server.calls) == 1


TO_THE_HOST = re.compile(
    r"When the heartbeat wakes you, run `(?P<command>[^`]+)`\.\n"
    r'If the result has "(?P<flag>\w+)": true, reply (?P<token>\w+)\. Else reply with its "(?P<said>\w+)"\.'
)
"""What SETUP.md has the host's workspace say about a wake-up."""


@pytest.mark.parametrize(
    ("decision", "replied"), [("skip", "HEARTBEAT_OK"), ("act", PLAIN_ANSWER)], ids=["skip", "act"]
)
def test_a_host_that_does_as_setup_says_replies_heartbeat_ok_when_nothing_is_due(
    decision: str,
    replied: str,
    server: FakeModelServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(stand_in, "answer", structured(decision=decision, reason="all quiet"))
    files = render_package(reference_plan())
    told = TO_THE_HOST.search(files.by_path[f"{files.package_name}/SETUP.md"].text)
    assert told is not None
    program, *arguments = shlex.split(told["command"])
    project = tomllib.loads(files.by_path["pyproject.toml"].text)["project"]
    assert project["scripts"] == {program: f"{files.package_name}.main:main"}
    assert called(reference_plan(), tmp_path, *arguments) == 0
    result = json.loads(capsys.readouterr().out)
    reply = told["token"] if result[told["flag"]] is True else result[told["said"]]
    assert reply == replied


def test_a_judge_that_says_no_is_reported(server: FakeModelServer, tmp_path: Path) -> None:
    server.behaviour = Behaviour.JUDGE_SAYS_NO
    reply = ran(reference_plan(), tmp_path, "hello")
    assert reply.text
    assert [(unmet.source, unmet.reason) for unmet in reply.unmet] == [
        ("AGENTS.md:3-5", "the judge was told to say so"),
        ("AGENTS.md:7", "the judge was told to say so"),
    ]


@pytest.mark.parametrize("message", ["heartbeat", "hello"])
def test_an_empty_answer_is_no_success(message: str, server: FakeModelServer, tmp_path: Path) -> None:
    server.behaviour = Behaviour.EMPTY
    with (
        loaded_package(render_package(reference_plan()), tmp_path) as pipeline,
        pytest.raises(RuntimeError) as raised,
    ):
        pipeline.run_pipeline(message)
    assert type(raised.value).__name__ == "PipelineError"
    assert len(server.calls) == 2


def test_broken_json_is_tried_again_and_then_raised(server: FakeModelServer, tmp_path: Path) -> None:
    server.behaviour = Behaviour.BROKEN_JSON
    with (
        loaded_package(render_package(reference_plan()), tmp_path) as pipeline,
        pytest.raises(RuntimeError, match="HeartbeatDecision") as raised,
    ):
        pipeline.run_pipeline("heartbeat")
    assert type(raised.value).__name__ == "PipelineError"
    assert len(server.calls) == 2


def test_the_system_channel_carries_the_persona(server: FakeModelServer, tmp_path: Path) -> None:
    ran(plan_with({}, channel=PersonaChannel.SYSTEM), tmp_path, "hello")
    roles = dict(server.calls[-2].messages)
    assert "Warm, curious tone." in roles["system"]
    (offering,) = (call for call in server.calls if call.tools)
    assert [role for role, text in offering.messages if "Warm, curious tone." in text] == ["system"]
    assert "Warm, curious tone." not in roles["user"]


def test_a_scoped_rule_holds_in_its_scope_only(server: FakeModelServer, tmp_path: Path) -> None:
    with loaded_package(render_package(plan_with({})), tmp_path) as pipeline:
        pipeline.run_pipeline("hello")
        general = "".join(call.prompt for call in server.calls)
        server.calls.clear()
        pipeline.run_pipeline("hello", scope="docs")
        scoped = "".join(call.prompt for call in server.calls)
    assert "British spelling" not in general
    assert "British spelling" in scoped


def stubbed_rule(body: str) -> FileSet:
    """Return a package whose user wrote the validator of its first rule."""
    files = render_package(plan_with({"rule": Disposition.STUB}))
    text = files.by_path[f"{files.package_name}/constrained_slots.py"].text
    start = text.index("def validate_")
    raised = text.index("    raise NotImplementedError(", start)
    end = text.find("\n\n\n", raised)
    return with_text(files, "constrained_slots.py", text[:raised] + body + (text[end:] if end > 0 else "\n"))


def test_a_validator_that_is_a_stub_is_noted(server: FakeModelServer, tmp_path: Path) -> None:
    reply = ran(plan_with({"rule": Disposition.STUB}), tmp_path, "hello")
    said = "1 rule was not judged: validate_never_close_a_ticket is not written yet (AGENTS.md:1)"
    assert said in reply.notes
    assert reply.unmet == []


def test_a_validator_that_raises_is_a_rule_error_and_no_backend_error(
    server: FakeModelServer, tmp_path: Path
) -> None:
    with loaded_package(stubbed_rule('    raise KeyError("queue")'), tmp_path) as pipeline:
        runtime = sys.modules["desk_mellea._runtime.runtime"]
        with pytest.raises(
            runtime.RuleError, match=r"'AGENTS.md:1 Never close a ticket.': KeyError"
        ) as raised:
            pipeline.run_pipeline("hello")
        assert isinstance(raised.value, runtime.PipelineError)
        assert not isinstance(raised.value, runtime.BackendError)
        assert isinstance(raised.value.__cause__, KeyError)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('    return ""', ["passes every reply"]),
        ('    return "no" * len("x")', ["does not look at the reply"]),
        ('    return "" if len(reply) < 3 else "too long"', []),
        ('    raise NotImplementedError("later")', []),
        ("    return bool(reply), 'no'", ["something other than a reason"]),
    ],
    ids=["always true", "blind", "sound", "stub", "a pair"],
)
def test_the_lints_look_at_a_validator_of_the_host(body: str, said: list[str]) -> None:
    report = lint_file_set(stubbed_rule(body))
    (result,) = (found for found in report.results if found.lint == "validator-soundness")
    assert [
        words for words, found in zip(said, result.findings, strict=True) if words in found.message
    ] == said


def test_a_validator_that_says_no_is_unmet_with_its_reason(server: FakeModelServer, tmp_path: Path) -> None:
    with loaded_package(
        stubbed_rule('    return "" if len(reply) < 3 else "too long"'), tmp_path
    ) as pipeline:
        reply = pipeline.run_pipeline("hello")
    assert [(unmet.source, unmet.reason) for unmet in reply.unmet] == [("AGENTS.md:1", "too long")]
    assert not [note for note in reply.notes if note.startswith("validate_")]


def test_an_event_is_part_of_the_request(server: FakeModelServer, tmp_path: Path) -> None:
    plan = plan_with({}, modality=Modality.EVENT_TRIGGERED, without=("schedule", "checklist"))
    reply = ran(plan, tmp_path, "Look at it.", event="ticket 7 was opened")
    said = "An event woke you. Act on it and report:\n\n<message>\nticket 7 was opened\n\nLook at it.\n</message>"
    assert any(said in call.prompt for call in server.calls)
    assert reply.reason == "an event happened"


def test_a_run_by_the_schedule_does_what_the_source_asks_for(server: FakeModelServer, tmp_path: Path) -> None:
    with loaded_package(render_package(plan_with({}, modality=Modality.SCHEDULED)), tmp_path) as pipeline:
        reply = pipeline.run_pipeline(None)
        asked = [call.prompt for call in server.calls]
        server.calls.clear()
        other = pipeline.run_pipeline("hello")
    assert any(
        "You were woken; nobody wrote. Act on what needs it and report:\n\n<message>\nEvery 30m\n\n- Check the queue"
        in prompt
        for prompt in asked
    )
    assert not any("Check the queue" in call.prompt for call in server.calls)
    assert (reply.reason, other.reason) == ("the schedule asked for it", "a message was given")


MILK = ScheduleFact("at 06:00", kind="times", times=("06:00",), cron="0 6 * * *", title="Milk the goats")
BARN = ScheduleFact("every 3 days", 259_200, kind="interval", title="Barn")


def _task(fact: ScheduleFact, line: int, **timing: Any) -> ScheduledTask:
    schedule = Schedule(
        type="words", cadence=fact.cadence, file="HEARTBEAT.md", lines=f"{line}-{line}", **timing
    )
    return ScheduledTask(fact.title, schedule, line, line)


def timed_tasks(*others: Piece, modality: Modality = Modality.SCHEDULED) -> FileSet:
    """Return a package that a schedule runs, with two tasks of their own cadence."""
    kept = Disposition.DELEGATE_TO_RUNTIME
    tasks = [
        Piece(
            "HEARTBEAT.md",
            str(line),
            EntryKind.SCHEDULE,
            kept,
            symbol="SCHEDULED_TASKS",
            statement=words,
            facts=Facts(fact),
        )
        for line, words, fact in ((1, "Milk them gently.", MILK), (2, "Sweep the barn.", BARN))
    ]
    files = {"HEARTBEAT.md": "Milk them gently.\n\n## One hour before sunset\nCount the goats.\n"}
    timed = Schedule(
        tasks=(_task(MILK, 1, cron="0 6 * * *", times=("06:00",)), _task(BARN, 2, seconds=259_200))
    )
    plan = committed_plan(files, [*tasks, *others], name="desk", modality=modality, schedule=timed)
    return render_package(plan)


def test_a_scheduled_run_does_the_task_that_the_message_names(
    server: FakeModelServer, tmp_path: Path
) -> None:
    with loaded_package(timed_tasks(), tmp_path) as pipeline:
        reply = pipeline.run_pipeline("milk the goats")
        named = [call.prompt for call in server.calls]
        server.calls.clear()
        first = pipeline.run_pipeline("heartbeat")
        due = [call.prompt for call in server.calls]
        server.calls.clear()
        at_once = pipeline.run_pipeline("heartbeat")
    assert reply.reason == "the schedule asked for it"
    assert any("report:\n\n<message>\nMilk them gently." in prompt for prompt in named)
    assert not any("Sweep" in prompt for prompt in named)
    assert any("Sweep the barn." in prompt for prompt in due), "an interval that never ran is due"
    assert not any("Milk" in prompt for prompt in due), "it ran a moment ago"
    assert not first.skipped
    assert (at_once.skipped, at_once.reason) == (True, "nothing on the schedule is due")
    assert server.calls == [], "no call is spent to hear that nothing is due"


def test_a_heartbeat_agent_does_a_named_task_without_deciding(
    server: FakeModelServer, tmp_path: Path
) -> None:
    with loaded_package(timed_tasks(modality=Modality.HEARTBEAT), tmp_path) as pipeline:
        reply = pipeline.run_pipeline("Milk the goats")
        named = [call.prompt for call in server.calls]
        server.calls.clear()
        pipeline.run_pipeline("heartbeat")
        woken = [call.prompt for call in server.calls]
    assert reply.reason == "the schedule asked for it"
    assert not any("You were woken. Act if" in prompt for prompt in named)
    decided = [prompt for prompt in woken if "You were woken. Act if" in prompt]
    assert decided
    assert all("Sweep" in prompt and "Milk" not in prompt for prompt in decided)


def test_what_has_no_time_of_its_own_is_done_at_each_run_below_its_heading(
    server: FakeModelServer, tmp_path: Path
) -> None:
    heading = Piece("HEARTBEAT.md", "3", None, form="heading", statement="One hour before sunset")
    always = Piece(
        "HEARTBEAT.md",
        "4",
        EntryKind.SCHEDULE,
        Disposition.DELEGATE_TO_RUNTIME,
        symbol="HEARTBEAT_CHECKLIST",
        statement="Count the goats.",
        section=("One hour before sunset",),
    )
    with loaded_package(timed_tasks(heading, always), tmp_path) as pipeline:
        pipeline.run_pipeline("Barn")
        named = [call.prompt for call in server.calls]
        server.calls.clear()
        pipeline.run_pipeline(None)
    assert not any("Count the goats" in prompt for prompt in named)
    asked = "report:\n\n<message>\n## One hour before sunset\nCount the goats."
    assert any(asked in call.prompt for call in server.calls)


def test_a_schedule_that_was_left_out_asks_for_nothing() -> None:
    gone = {"schedule": Disposition.REMOVE, "checklist": Disposition.REMOVE}
    files = render_package(plan_with(gone, modality=Modality.SCHEDULED))
    code = "".join(file.text for file in files.files if file.path.endswith(".py"))
    assert "SCHEDULED_REQUEST" not in code
    assert "SCHEDULED_RUN" not in code


REACHING = {
    "given and loaded": (
        {
            "memory": Disposition.EXTERNAL_INPUT,
            "state": Disposition.EXTERNAL_INPUT,
            "identity.name": Disposition.EXTERNAL_INPUT,
            "soul.voice": Disposition.EXTERNAL_INPUT,
            "fact.stable": Disposition.LOAD_FROM_DISK,
            "rule": Disposition.LOAD_FROM_DISK,
            "tool.narrative": Disposition.BUNDLE,
        },
        {
            "memory_context": "the blue door",
            "working_state": "ticket 9 is open",
            "agent_name": "Bertha",
        },
        (
            "the blue door",
            "ticket 9 is open",
            "Bertha",
            "Warm, curious tone.",
            "Platform, four people",
            "Never close a ticket.",
            "opens issues",
        ),
    ),
    "bundled memory, loaded voice, state of a mock": (
        {
            "memory": Disposition.BUNDLE,
            "soul.voice": Disposition.LOAD_FROM_DISK,
            "state": Disposition.MOCK,
        },
        {},
        ("handled by another team", "Warm, curious tone.", "two requests were answered"),
    ),
    "loaded memory": ({"memory": Disposition.LOAD_FROM_DISK}, {}, ("handled by another team",)),
    "searched memory": ({"memory": Disposition.REAL_IMPL}, {}, ("handled by another team",)),
    "memory of a mock": ({"memory": Disposition.MOCK}, {}, ("made-up memory",)),
}


@pytest.mark.parametrize("case", REACHING)
def test_each_disposition_reaches_the_wire(case: str, server: FakeModelServer, tmp_path: Path) -> None:
    changes, named, words = REACHING[case]
    ran(plan_with(changes), tmp_path, "Who handles the billing queue?", **named)
    sent = "\0".join(call.prompt for call in server.calls)
    assert [said for said in words if said not in sent] == []


def test_what_is_removed_never_reaches_the_wire(server: FakeModelServer, tmp_path: Path) -> None:
    words = {
        "soul.voice": "Warm, curious tone.",
        "rule": "Never close a ticket.",
        "fact.stable": "four people",
        "fact.overridable": "Europe/Dublin",
        "tool.narrative": "opens issues",
        "checklist": "Check the queue",
    }
    ran(plan_with(dict.fromkeys(words, Disposition.REMOVE)), tmp_path, "heartbeat")
    sent = "\0".join(call.prompt for call in server.calls)
    assert sent
    assert [said for said in words.values() if said in sent] == []


def test_state_is_kept_between_runs(
    server: FakeModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DESK_MELLEA_HOME", str(tmp_path / "home"))
    with loaded_package(render_package(plan_with({"state": Disposition.REAL_IMPL})), tmp_path) as pipeline:
        pipeline.run_pipeline("first request")
        server.calls.clear()
        pipeline.run_pipeline("second request")
    assert any("first request ->" in call.prompt for call in server.calls)
    assert (
        json.loads((tmp_path / "home" / "state.json").read_text())["notes"][1]["request"] == "second request"
    )


def test_a_broken_state_file_is_noted(
    server: FakeModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DESK_MELLEA_HOME", str(tmp_path))
    (tmp_path / "state.json").write_text("{", encoding="utf-8")
    reply = ran(plan_with({"state": Disposition.REAL_IMPL}), tmp_path, "hello")
    assert any("is not a state file" in note for note in reply.notes)


def tool_call(tool: str, **arguments: str) -> FakeModelServer:
    """Return a server whose model calls a tool once."""
    calls = [{"name": tool, "arguments": arguments}]
    return FakeModelServer(script=Script([{"calls": calls, "times": 1}]))


def called_tool(
    plan: CommittedPlan, folder: Path, monkeypatch: pytest.MonkeyPatch, tool: str, **arguments: str
) -> tuple[Any, list[ModelCall]]:
    """Return the result of a run in which the model calls a tool, and the calls of the model."""
    with tool_call(tool, **arguments) as server:
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        return ran(plan, folder, "Do it"), server.calls


def test_memory_is_changed_where_the_model_calls_its_function(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    piece = Piece(
        "MEMORY.md", "1-3", EntryKind.MEMORY, Disposition.DELEGATE_TO_RUNTIME, symbol="update_memory"
    )
    plan = committed_plan({"MEMORY.md": REFERENCE_FILES["MEMORY.md"]}, [piece], name="writer")
    reply, calls = called_tool(plan, tmp_path, monkeypatch, "update_memory", entry="The door is blue.")
    assert reply.notes == ["update_memory: connect a long-term memory backend, see SETUP.md §5"]
    assert any("update_memory" in call.tools for call in calls)


def test_the_model_can_call_a_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reply, calls = called_tool(plan_with({}), tmp_path, monkeypatch, "report", request="June")
    offered = [call for call in calls if call.tools]
    assert len(offered) == 2
    assert set(offered[0].tools) == {"deploy", "report", "tickets"}
    form, judge = calls[-2:]
    assert (form.title, judge.title) == ("AnswerSheet", "Verdicts")
    assert all("report for June" in call.prompt for call in (form, judge))
    assert all("report" not in note for note in reply.notes)


def test_a_tool_that_is_a_stub_is_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reply, _ = called_tool(plan_with({}), tmp_path, monkeypatch, "deploy", request="now")
    (note,) = (note for note in reply.notes if "deploy" in note)
    assert note == "deploy: connect the tool, see SETUP.md §8"


def test_a_tool_that_fails_is_told_to_the_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TICKET_TOKEN", raising=False)
    reply, calls = called_tool(plan_with({}), tmp_path, monkeypatch, "tickets", id_request="7")
    assert any("TICKET_TOKEN is not set" in note for note in reply.notes)
    assert "TICKET_TOKEN is not set" in calls[-2].prompt


def test_a_tool_can_be_passed_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_with({"tool.skill": Disposition.EXTERNAL_INPUT})
    with (
        tool_call("deploy", request="api") as server,
        loaded_package(render_package(plan), tmp_path) as pipeline,
    ):
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        reply = pipeline.run_pipeline("Deploy it", deploy=lambda request: f"deployed {request}")
        without = pipeline.run_pipeline("Deploy it")
    assert any("deployed api" in call.prompt for call in server.calls)
    assert "deploy: no function was passed for it" in {*without.notes} - {*reply.notes}


def test_the_backend_can_be_chosen(server: FakeModelServer, tmp_path: Path) -> None:
    server.model_ids.append("another:1b")
    assert called(reference_plan(), tmp_path, "--message", "hello", "--model", "another:1b") == 0
    assert {call.model for call in server.calls} == {"another:1b"}


def called(plan: CommittedPlan, folder: Path, *arguments: str) -> int:
    """Call the command line of the plan's package in this process and return its exit code."""
    files = render_package(plan)
    with loaded_package(files, folder):
        code: int = importlib.import_module(f"{files.package_name}.main").main(list(arguments))
    return code


@pytest.mark.slow
def test_the_command_line_prints_one_json_document(server: FakeModelServer, tmp_path: Path) -> None:
    files = render_package(reference_plan())
    write_files(files, tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", files.package_name, "--json"],
        cwd=tmp_path,
        env={**os.environ, "OLLAMA_HOST": server.url},
        input="from standard input",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
    assert json.loads(done.stdout)["text"]
    assert "from standard input" in server.calls[0].prompt


def test_strict_makes_an_unmet_requirement_an_error(
    server: FakeModelServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.behaviour = Behaviour.JUDGE_SAYS_NO
    assert called(reference_plan(), tmp_path, "--strict", "--message", "hello") == 1
    assert "AGENTS.md:3-5" in capsys.readouterr().err


def test_the_environment_chooses_the_model(
    server: FakeModelServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    server.model_ids.append("from-environment:1b")
    monkeypatch.setenv("MELLEA_MODEL", "from-environment:1b")
    monkeypatch.setenv("TICKET_TOKEN", "")
    plan = plan_with({}, backend=Disposition.EXTERNAL_INPUT)
    assert called(plan, tmp_path, "--message", "hi") == 0
    assert {call.model for call in server.calls} == {"from-environment:1b"}
    assert "TICKET_TOKEN is not set (SETUP.md §2)" in capsys.readouterr().err


def test_a_refused_call_is_typed_and_keeps_its_cause(server: FakeModelServer, tmp_path: Path) -> None:
    server.behaviour = Behaviour.REFUSE
    with loaded_package(render_package(reference_plan()), tmp_path) as pipeline:
        runtime = sys.modules["ticket_triage_mellea._runtime.runtime"]
        with pytest.raises(runtime.BackendError, match="told to refuse") as raised:
            pipeline.run_pipeline("hi")
        assert isinstance(raised.value, runtime.PipelineError)
    assert type(raised.value.__cause__).__name__ == "ResponseError"


def test_an_unreachable_backend_is_typed_and_keeps_its_cause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "http://127.0.0.1:9")
    with loaded_package(render_package(reference_plan()), tmp_path) as pipeline:
        runtime = sys.modules["ticket_triage_mellea._runtime.runtime"]
        with pytest.raises(runtime.BackendError) as raised:
            pipeline.run_pipeline("hi")
    assert isinstance(raised.value.__cause__, ConnectionError)


@pytest.mark.slow
def test_a_live_run_without_a_backend_is_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "http://127.0.0.1:9")
    package = write_files(render_package(reference_plan()), tmp_path)
    report = run_smoke(SmokeRequest(package, fixture_ids=("message_is_answered",), live=True))
    assert {run.status for run in report.runs} == {FixtureStatus.ENVIRONMENT}
    assert all("BackendError" in run.error for run in report.runs)


def test_a_fault_of_a_written_function_is_a_note(server: FakeModelServer, tmp_path: Path) -> None:
    with loaded_package(render_package(reference_plan()), tmp_path) as pipeline:

        def recall_memory(query: str) -> str:
            raise ZeroDivisionError("mine")

        vars(pipeline)["recall_memory"] = recall_memory
        reply = pipeline.run_pipeline("hi")
    assert reply.notes == ["recall_memory: mine"]


def test_a_text_that_is_missing_ends_the_run_before_any_call(server: FakeModelServer, tmp_path: Path) -> None:
    plan = plan_with({"rule": Disposition.LOAD_FROM_DISK, "soul.voice": Disposition.LOAD_FROM_DISK})
    with loaded_package(render_package(plan), tmp_path) as pipeline:
        (tmp_path / "desk_mellea" / "references" / "operating_rules.md").unlink()
        runtime = sys.modules["desk_mellea._runtime.runtime"]
        with pytest.raises(runtime.PipelineError, match=r"operating_rules\.md can't be read"):
            pipeline.run_pipeline("hi")
    assert server.calls == []


def test_a_backend_that_refuses_is_one_line(
    server: FakeModelServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.behaviour = Behaviour.REFUSE
    assert called(reference_plan(), tmp_path, "--message", "hi") == 1
    said = capsys.readouterr()
    assert "told to refuse" in said.err
    assert "Traceback" not in said.err
    assert said.out == ""


def test_usage_errors_exit_2(
    server: FakeModelServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        called(reference_plan(), tmp_path, "--fixture", "no-such")
    assert "heartbeat" in capsys.readouterr().err
