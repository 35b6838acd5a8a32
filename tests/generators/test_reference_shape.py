"""Two workspaces of the reference's form become packages of the reference's shape, and behave on the wire as it does.

The reference is two packages that were written by hand; their shape is kept here as data, in words of our own. Its own
tests pass on the packages of its workspaces, but for one line that asks for a fixture by the reference's name.
These differences stay, each for its reason:

- Fixtures are named after what happens in them (`breaks_...`), not after the story that a person made up.
- `config.MEMORY_FOLDER` isn't in a package that searches a copy of memory: the copy's place is in the hook.
- Of a workflow only the phases and the form of its report are typed until the step graph is: what is read, the stop,
  the sum and the request to the order's address are text of a phase, and so is what a phase says about the report.
- A person has the rules judged here that the reference judges; without a decision only those about a reply's form are.
- Typed errors of tools (`tools_common.py`) and rules that deny calls (`permissions.py`) are static modules.
- `NotJudged` is in `runtime.py`, which counts what nobody judged; `rule_panel.py` imports it.
- A workflow takes `history` as every agent does, and its agent has a name (`config.AGENT_NAME`, from the frontmatter) in
  the prompt; the reference's has neither.
- In the judge's prompt, facts about the user stand in paragraphs, since each may come from elsewhere.
"""

import ast
import inspect
import json
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

pytest.importorskip("mellea")

from melleafy_tui.core.decisions.commands import SetDisposition, SetTag
from melleafy_tui.core.models.file_set import FileSet
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.core.smoke.fake_server import FakeModelServer, ModelCall
from melleafy_tui.core.smoke.scripted_model import PLAIN_ANSWER, Behaviour
from melleafy_tui.engine import open_conversion
from melleafy_tui.generators.static_modules import DOOR
from tests.generators.emitting import imported, write_files
from tests.scripted import Script, rules_in

DESK = {
    "SOUL.md": "# Soul\n\n## Voice\n\nPatient, plain tone; likes short answers.\n\n## Boundaries\n\n- Readers' loans stay private.\n",
    "IDENTITY.md": "- **Name:** lending-desk\n- **Role:** Lending desk of the town library\n- **Emoji:** 📚\n",
    "AGENTS.md": "# Agents\n\n## Rules\n\n- Never waive a fee without approval.\n- Keep every reply under 90 words.\n"
    "- If a reader reports a damaged book, send them to the front desk.\n\nYou may look up earlier loans freely.\n",
    "USER.md": "- **Timezone:** Europe/Lisbon\n- **Team:** Lending, three people\n",
    "MEMORY.md": "# Memory\n\n- The inter-library loans are handled by Tove.\n",
    "HEARTBEAT.md": "Run every 45m during business hours\n\n- Check for reservations that have waited more than a day\n",
}
INTAKE = {
    "SKILL.md": """---
name: parcel-intake
description: Reads a delivery note for a warehouse, checks it against the order and writes an intake report.
---

# Parcel intake

You are the intake clerk of the warehouse. You prepare decisions; you never release a parcel yourself.

## The note

1. Extract sender name, note number, order number, net amount, VAT rate and gross amount.
2. Classify the document as delivery note, return note, reminder or advertisement.

If the document is a reminder or an advertisement, stop here and say so.

## The check

1. Get the order from `https://orders.example.com/api/orders/{number}`; send `ORDERS_TOKEN` as bearer token.
2. Compare the net amount with the order's net amount. A difference of up to 3 % is rounding.
3. Verify that the gross amount equals the net amount plus VAT.

## The decision

- If every check passes, recommend `accept`.
- If a check fails, recommend `return`.
- If a check cannot be made, recommend `wait` and name the missing piece.
- Never recommend `accept` for a note without an order number.

## Report

| Field | Type | Description |
|---|---|---|
| sender | string | Name as printed on the note |
| note_number | string | As printed, with leading zeros |
| gross_amount | number | In euros |
| checks | list of strings | One line for each check, with its outcome |
| recommendation | one of: accept, wait, return | What the warehouse should do |
| reason | string | Why, for a reader in the warehouse |

## Rules

- Keep the reason under 35 words.
- Do not use exclamation marks.
- Explain the reason in terms of the checks, not of your own impressions.
- A note of a private sender below 50 euros may leave out the VAT rate.
"""
}

REPORT = {
    "sender": "Rivera",
    "note_number": "0042",
    "gross_amount": 0.5,
    "checks": ["net amount: not made"],
    "recommendation": "wait",
    "reason": "The order is missing.",
}

RULES = {
    "AGENTS.md:5": "Never waive a fee without approval.",
    "AGENTS.md:6": "Keep every reply under 90 words.",
    "AGENTS.md:7": "If a reader reports a damaged book, send them to the front desk.",
}
VOICE = "Patient, plain tone; likes short answers."
INTAKE_RULES = (
    "Keep the reason under 35 words.",
    "Explain the reason in terms of the checks, not of your own impressions.",
)


def converted(files: dict[str, str], folder: Path, *judged: str) -> FileSet:
    """Return the package of a workspace; memory is copied into it, and a person has some lines judged."""
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    conversion = open_conversion(folder, as_of=date(2026, 1, 15), generated_at="2026-01-15T00:00:00Z")
    memory = tuple(entry.key for entry in conversion.plan.entries if entry.kind is EntryKind.MEMORY)
    if memory:
        conversion.act(SetDisposition(memory, Disposition.BUNDLE))
    chosen = tuple(
        conversion.keys[each.element_id] for each in conversion.inventory.elements if each.statement in judged
    )
    assert len(chosen) == len(judged)
    conversion.act(SetTag(chosen, judged=True))
    return conversion.rendered


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[FileSet, ModuleType]]:
    folder = tmp_path_factory.mktemp("desk")
    files = converted(DESK, folder / "desk", RULES["AGENTS.md:5"], RULES["AGENTS.md:7"])
    write_files(files, folder)
    with imported(files.package_name, folder) as pipeline:
        yield files, pipeline


@pytest.fixture(scope="module")
def intake(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[FileSet, ModuleType]]:
    folder = tmp_path_factory.mktemp("intake")
    files = converted(INTAKE, folder / "intake", *INTAKE_RULES)
    write_files(files, folder)
    with imported(files.package_name, folder) as pipeline:
        yield files, pipeline


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeModelServer]:
    monkeypatch.delenv("ORDERS_TOKEN", raising=False)
    with FakeModelServer(delay=1.0, script=Script([{"schema": "Report", "reply": REPORT}])) as started:
        monkeypatch.setenv("OLLAMA_HOST", started.url)
        yield started


def public_names(files: FileSet) -> tuple[dict[str, set[str]], set[str]]:
    """Return the public names of each printed module, and the static modules."""
    printed: dict[str, set[str]] = {}
    static = set()
    for path, file in files.by_path.items():
        name = path.removeprefix(f"{files.package_name}/")
        if file.static:
            static.add(name)
        elif name == DOOR:
            continue
        elif name.endswith(".py"):
            found = {
                ast.unparse(node.target) if isinstance(node, ast.AnnAssign) else node.name
                for node in ast.parse(file.text).body
                if isinstance(node, ast.FunctionDef | ast.ClassDef)
                or (isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name))
            }
            printed[name] = {each for each in found if not each.startswith("_")}
    return printed, static


COMMON = {
    "fixtures/case.py",
    *(f"_runtime/{name}.py" for name in ("checks", "command_line", "prompts", "rule_panel", "runtime")),
}
SETTINGS = {
    *("PREFIX_TEXT", "BACKEND", "MODEL_ID"),
    *("ANSWER_TOKENS", "LOOP_BUDGET", "REQUEST_TIMEOUT", "SMALLEST_CONTEXT", "LARGEST_CONTEXT"),
}


def test_an_agent_with_messages_a_heartbeat_and_memory(desk: tuple[FileSet, ModuleType]) -> None:
    files, pipeline = desk
    printed, static = public_names(files)
    fixtures = printed.pop("fixtures/__init__.py")
    assert static == COMMON | {"_runtime/memory.py", "_runtime/typed_answers.py"}
    assert "ALL_FIXTURES" in fixtures
    assert printed == {
        "__init__.py": set(),
        "__main__.py": set(),
        "config.py": SETTINGS
        | {"AGENT_NAME", "AGENT_ROLE", "AGENT_METADATA", "USER_CONTEXT", "STABLE_USER_CONTEXT", "TIME_ZONE"}
        | {"SCHEDULE_CONFIG", "HEARTBEAT_CHECKLIST"},
        "constrained_slots.py": {"recall_memory"},
        "main.py": {"main"},
        "pipeline.py": {"run_pipeline"},
        "requirements.py": {"OPERATING_REQUIREMENTS", "PERSONA_RULES"},
        "schemas.py": {"HeartbeatDecision"},
    }
    assert str(inspect.signature(pipeline.run_pipeline)) == (
        "(message: str | None, history: list[dict[str, str]] | str | None = None, user_context: str = '') "
        "-> lending_desk_mellea._runtime.runtime.AgentReply"
    )
    assert [(each.source, bool(each.asks)) for each in pipeline.OPERATING_REQUIREMENTS] == [
        ("AGENTS.md:1-4", False),
        ("AGENTS.md:5", True),
        ("AGENTS.md:6", True),
        ("AGENTS.md:7", True),
        ("AGENTS.md:8-9", False),
    ]
    assert [(each.source, each.text) for each in pipeline.PERSONA_RULES] == [("SOUL.md:5", "")]


def test_a_skill_with_a_form(intake: tuple[FileSet, ModuleType]) -> None:
    files, pipeline = intake
    printed, static = public_names(files)
    fixtures = printed.pop("fixtures/__init__.py")
    assert static == COMMON | {"_runtime/typed_answers.py"}
    assert "ALL_FIXTURES" in fixtures
    assert printed["config.py"] == SETTINGS | {"AGENT_NAME"}
    assert printed["pipeline.py"] == {"run_pipeline"}
    assert printed["requirements.py"] == {"OPERATING_REQUIREMENTS"}
    assert printed["schemas.py"] == {"Report", "IntakeReply"}
    assert inspect.signature(pipeline.run_pipeline).return_annotation.__name__ == "IntakeReply"


def sections_of(judge: ModelCall) -> dict[str, str]:
    """Return the texts that a judge's call shows, by their tags; the answer's can't be guessed, so it can't close it."""
    found = re.findall(r"<(\w+)(-[0-9a-f]+|)>\n(.*?)\n</\1\2>", judge.prompt, re.DOTALL)
    return {name: text for name, _, text in found}


def test_the_judge_sees_what_the_agent_saw(desk: tuple[FileSet, ModuleType], server: FakeModelServer) -> None:
    turns = [{"role": "user", "text": "I am Rui."}, {"role": "assistant", "text": "Good morning, Rui."}]
    reply = desk[1].run_pipeline("Who handles the inter-library loans?", turns)
    assert (reply.text, reply.unmet, reply.notes) == (PLAIN_ANSWER, [], [])
    agent, judge = server.calls
    assert [role for role, _ in agent.messages][-3:] == ["user", "assistant", "user"]
    assert agent.messages[-3][1] == "I am Rui."
    sections = sections_of(judge)
    assert list(sections) == ["rules", "conversation", "message", "now", "user", "memory", "answer"]
    assert rules_in(judge.prompt) == [RULES["AGENTS.md:5"], RULES["AGENTS.md:7"], VOICE]
    assert sections["conversation"] == "user: I am Rui.\nassistant: Good morning, Rui."
    assert sections["message"] == "Who handles the inter-library loans?"
    assert "Europe/Lisbon" in sections["user"]
    assert "handled by Tove" in sections["memory"]
    assert sections["answer"] == PLAIN_ANSWER
    for words in (*RULES.values(), "You may look up earlier loans freely.", "handled by Tove"):
        assert words in agent.messages[-1][1]


def test_one_broken_rule_is_one_unmet_and_the_repair_names_only_it(
    desk: tuple[FileSet, ModuleType], server: FakeModelServer
) -> None:
    server.behaviour = Behaviour.JUDGE_SAYS_ONE
    reply = desk[1].run_pipeline("Please waive my fee.")
    (unmet,) = reply.unmet
    assert (unmet.rule, unmet.source) == (RULES["AGENTS.md:5"], "AGENTS.md:5")
    first, repair = (call.prompt for call in server.calls if call.title != "Verdicts")
    assert "It does not meet:" not in first
    broken = repair.partition("It does not meet:\n")[2]
    assert [rule for rule in RULES.values() if rule in broken] == [RULES["AGENTS.md:5"]]
    assert "the judge was told to say so" in broken


FAULTS: list[tuple[Behaviour, str | None, int, str, int, int]] = [
    (Behaviour.PLAIN, "Hi", 2, "", 0, 0),
    (Behaviour.PLAIN, "heartbeat", 3, "", 0, 0),
    (Behaviour.PLAIN, None, 3, "", 0, 0),
    (Behaviour.JUDGE_SAYS_NO, "Hi", 4, "", 3, 0),
    (Behaviour.JUDGE_SAYS_NO, None, 5, "", 3, 0),
    (Behaviour.JUDGE_GARBAGE, "Hi", 2, "", 0, 3),
    (Behaviour.JUDGE_EMPTY, "Hi", 2, "", 0, 3),
    (Behaviour.BROKEN_JSON, "Hi", 2, "", 0, 3),
    (Behaviour.BROKEN_JSON, None, 2, "PipelineError: no valid HeartbeatDecision", 0, 0),
    (Behaviour.EMPTY, "Hi", 2, "PipelineError: the model returned an empty reply", 0, 0),
    (Behaviour.DECLINE, "Hi", 2, "", 0, 0),
    (Behaviour.REFUSE, "Hi", 2, "BackendError: .*told to refuse", 0, 0),
    (Behaviour.BUSY_ONCE, "Hi", 2, "", 0, 0),
    (Behaviour.RAMBLE, "Hi", 4, "", 1, 0),
    (Behaviour.TERSE, "Hi", 2, "", 0, 2),
    (Behaviour.CUT, "Hi", 2, "", 0, 2),
    (Behaviour.SLOW, "Hi", 0, r"BackendError: no answer within 0\.3 seconds", 0, 0),
]
"""How the server behaves, the message, and the calls, the error, the unmet rules and those not judged of the run."""


def outcome(pipeline: ModuleType, message: str | None) -> tuple[str, Any]:
    """Return the error of a run, or its result."""
    try:
        return "", pipeline.run_pipeline(message)
    except Exception as error:
        return f"{type(error).__name__}: {error}", None


def test_each_fault_ends_the_run_truthfully(
    desk: tuple[FileSet, ModuleType], server: FakeModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipeline = desk[1]
    for behaviour, message, calls, said, unmet, unjudged in FAULTS:
        server.calls.clear()
        server.behaviour = behaviour
        monkeypatch.setattr(pipeline.config, "REQUEST_TIMEOUT", 0.3 if behaviour is Behaviour.SLOW else 30.0)
        error, reply = outcome(pipeline, message)
        row = (behaviour, message, error)
        assert re.match(said, error) if said else not error, row
        if behaviour is not Behaviour.SLOW:
            assert len(server.calls) == calls, row
        if reply is not None:
            found = (re.match(r"(\d+) rules? w(as|ere) not judged: ", note) for note in reply.notes)
            notes = [int(note[1]) for note in found if note]
            assert (bool(reply.text), len(reply.unmet), sum(notes)) == (True, unmet, unjudged), row


def test_a_form_takes_two_calls(intake: tuple[FileSet, ModuleType], server: FakeModelServer) -> None:
    pipeline = intake[1]
    note = "Delivery note 0042. Net 0.5, VAT 0 %, gross 0.5."
    report = pipeline.run_pipeline(note).report
    assert [call.title for call in server.calls] == ["Report", "Verdicts"]
    assert report.model_dump() == REPORT
    filled, judge = server.calls
    assert "Extract sender name" in filled.prompt
    assert "If a check fails, recommend `return`." in filled.prompt
    assert note in filled.prompt
    assert "may leave out the VAT rate" in filled.prompt
    sections = sections_of(judge)
    assert list(sections) == ["rules", "message", "now", "answer"]
    assert tuple(rules_in(judge.prompt)) == INTAKE_RULES
    assert sections["message"] == note
    assert json.loads(sections["answer"])["recommendation"] == "wait"


INTAKE_FAULTS: list[tuple[Behaviour, int, str, int, int]] = [
    (Behaviour.JUDGE_SAYS_NO, 4, "", 2, 0),
    (Behaviour.JUDGE_SAYS_ONE, 4, "", 1, 0),
    (Behaviour.JUDGE_GARBAGE, 2, "", 0, 2),
    (Behaviour.BROKEN_JSON, 2, "PipelineError: no valid Report", 0, 0),
    (Behaviour.EMPTY, 2, "PipelineError: no valid Report", 0, 0),
    (Behaviour.REFUSE, 2, "BackendError: .*told to refuse", 0, 0),
]
"""As FAULTS, of the form."""


def test_each_fault_ends_the_form_truthfully(
    intake: tuple[FileSet, ModuleType], server: FakeModelServer
) -> None:
    for behaviour, calls, said, unmet, unjudged in INTAKE_FAULTS:
        server.calls.clear()
        server.behaviour = behaviour
        error, reply = outcome(intake[1], "Delivery note 0042. Net 0.5, VAT 0 %, gross 0.5.")
        assert re.match(said, error) if said else not error, (behaviour, error)
        assert len(server.calls) == calls, behaviour
        if reply is not None:
            found = (re.match(r"(\d+) rules? w(as|ere) not judged: ", note) for note in reply.notes)
            notes = [int(note[1]) for note in found if note]
            assert (len(reply.unmet), sum(notes)) == (unmet, unjudged), behaviour
