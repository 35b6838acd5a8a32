"""Packages of workflows: what they look like, and what comes of a run on the real Mellea."""

import importlib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from types import ModuleType
from typing import Any

import pytest

from melleafy_tui.core.decisions.commands import SetTag
from melleafy_tui.core.lint.runner import lint_file_set
from melleafy_tui.core.models.vocabulary import Tag
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.smoke.fake_server import FakeModelServer
from melleafy_tui.core.smoke.scripted_model import Behaviour
from melleafy_tui.engine import open_conversion
from tests.converted import DAY
from tests.generators.emitting import imported, ruff_format_changes, write_files

SKILL = """---
name: claim-desk
description: Checks the claims of travellers against their bookings.
---

# Claim desk

You are the claim desk of a ferry line. You never promise money.

## Phase 1: Read the claim

1. Extract traveller name, booking number, ticket price, service fee and claimed amount.
2. Classify the letter as claim, praise or advertisement.

If the letter is an advertisement, stop here and say so.

## Phase 2: Check it

1. Get the booking from `https://ferry.example.org/api/bookings/{number}`; send `FERRY_KEY` as bearer token.
2. Compare the ticket price with the booking's ticket price. A difference of up to 0.50 euros is rounding.
3. Verify that the claimed amount equals the ticket price plus the service fee.

## Phase 3: Decide

- If every check passes, recommend `refund`.
- If a check fails, recommend `refuse`.
- If a check cannot be made, recommend `ask` and say what is missing.
- Never recommend `refund` for a claim without a booking number.

## Report

| Field | Type | Description |
|---|---|---|
| traveller | string | As signed |
| claimed_amount | number | In euros |
| checks | list of strings | One line for each check |
| recommendation | one of: refund, ask, refuse | What to do |
| reason | string | Why |

## Rules

- Keep the reason under 30 words.
- Do not use exclamation marks.
- Be kind to the traveller.
"""
LETTER = "Ana Reyes, booking 7712. Ticket 120.00, fee 4.50. I claim 124.50."
READ = {
    "traveller": "Ana Reyes",
    "booking": "7712",
    "ticket_price": 120.0,
    "service_fee": 4.5,
    "claimed_amount": 124.5,
    "kind": "claim",
}
BOOKING = {"https://ferry.example.org/api/bookings/7712": {"ticket_price": 120.3}}
DECIDED = {"recommendation": "refund", "reason": "Both checks pass."}


@cache
def conversion() -> Conversion:
    """Return the conversion of the skill."""
    folder = Path(mkdtemp(prefix="melleafy-tests-")) / "claim-desk"
    folder.mkdir()
    (folder / "SKILL.md").write_text(SKILL)
    return open_conversion(folder, as_of=DAY, generated_at="2026-08-01T00:00:00Z")


def text_of(name: str) -> str:
    """Return the text of a module of the package."""
    file = conversion().files.file(f"claim_desk_mellea/{name}")
    assert file is not None
    return file.data.decode()


def test_a_workflow_becomes_typed_code_and_no_slots() -> None:
    paths = {file.path for file in conversion().files.files}
    assert not {path for path in paths if path.endswith(("slots.py", "mobjects.py"))}
    schemas, tools, rules = text_of("schemas.py"), text_of("tools.py"), text_of("requirements.py")
    for words in (
        'ReadingKind = Literal["claim", "praise", "advertisement"]',
        "ticket_price: Money | None",
        "class Report(Decision):",
        'Stopped = Literal["", "advertisement"]',
    ):
        assert words in schemas
    for words in (
        "def get_booking(number: str) -> dict[str, object]:",
        "def compare_ticket_price(reading: Reading, booking: dict[str, object]) -> Outcome:",
        "amount=0.50",
        "[reading.ticket_price, reading.service_fee]",
    ):
        assert words in tools
    for words in (
        "def decision_rules(reading: Reading, outcomes: list[Outcome]) -> list[Rule]:",
        'field_is("recommendation", "refuse", when=failed)',
        'judged("If a check cannot be made, say what is missing.", "SKILL.md:27")',
        'field_is_not("recommendation", "refund", when=not reading.booking)',
        'in_field("reason", at_most_words(29))',
        'judged("Be kind to the traveller.", "SKILL.md:',
    ):
        assert words in rules
    assert "stop here" not in rules


def test_a_long_name_of_a_phase_breaks_its_line_as_ruff_does(tmp_path: Path) -> None:
    skill = tmp_path / "long"
    skill.mkdir()
    phases = ("Look at the whole letter before anything else", "Weigh the reasons of the traveller with care")
    steps = "".join(
        f"## Phase {n}: {name}\n\n1. Think about part {n}.\n\n"
        for n, name in enumerate((*phases, "Answer"), 1)
    )
    (skill / "SKILL.md").write_text(f"---\nname: long\ndescription: Answers letters.\n---\n\n{steps}")
    files = open_conversion(skill, as_of=DAY, generated_at="2026-08-01T00:00:00Z").files.files
    pipeline = next(file.data for file in files if file.path.endswith("/pipeline.py"))
    assert b"str(\n" in pipeline
    assert not ruff_format_changes([pipeline])


def test_the_mapping_names_what_is_there_and_what_a_run_costs() -> None:
    manifest = text_of("melleafy.json")
    assert '"message": 3' in manifest
    targets = {entry.target for entry in conversion().committed.plan.entries}
    assert targets >= {
        "schemas.py:Reading",
        "pipeline.py:run_pipeline",
        "tools.py:get_booking",
        "tools.py:compare_ticket_price",
        "requirements.py:decision_rules",
    }
    assert lint_file_set(conversion().files).passed


def test_a_step_outside_the_phases_keeps_its_call() -> None:
    rule = next(e for e in conversion().inventory.elements if e.statement == "Be kind to the traveller.")
    entry = conversion().plan.by_element[rule.element_id]
    changed = conversion().copy()
    changed.act(SetTag((entry.key,), Tag.GENERATE))
    pipeline = changed.files.file("claim_desk_mellea/pipeline.py")
    assert pipeline is not None
    assert "config.GENERATION_STEPS[" in pipeline.text
    assert 'known["findings"]' in pipeline.text


# --- on Mellea ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    pytest.importorskip("mellea")
    folder = tmp_path_factory.mktemp("claims")
    write_files(conversion().files, folder)
    with imported("claim_desk_mellea", folder) as module:
        yield module


class Desk:
    """Runs the package against a fake server with scripted answers."""

    def __init__(self, pipeline: ModuleType, patch: pytest.MonkeyPatch) -> None:
        self._pipeline, self._patch = pipeline, patch
        self.titles: list[str] = []
        self.prompts: list[str] = []

    def run(
        self,
        read: Mapping[str, object] = READ,
        decided: Mapping[str, object] = DECIDED,
        *,
        web: Mapping[str, object] = BOOKING,
        behaviour: Behaviour = Behaviour.PLAIN,
    ) -> Any:
        """Return the result of a run."""
        web_tools = importlib.import_module("claim_desk_mellea.tools_common")
        script = [{"schema": "Reading", "reply": read}, {"schema": "Decision", "reply": decided}]
        with FakeModelServer(behaviour, script=script) as server, web_tools.canned(web):
            self._patch.setenv("OLLAMA_HOST", server.url)
            reply = self._pipeline.run_pipeline(LETTER)
        self.titles = [call.title for call in server.calls]
        self.prompts = [call.prompt for call in server.calls]
        return reply


@pytest.fixture
def desk(pipeline: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk(pipeline, monkeypatch)


@pytest.mark.slow
def test_a_run_without_faults_takes_three_calls_and_its_report_is_assembled(desk: Desk) -> None:
    reply = desk.run()
    assert desk.titles == ["Reading", "Decision", "Verdicts"]
    assert (reply.text, reply.unmet, reply.notes) == ("refund: Both checks pass.", [], [])
    assert reply.report.model_dump(mode="json") == {
        "traveller": "Ana Reyes",
        "claimed_amount": 124.5,
        "checks": [
            "ticket price against booking: passed, 120.00 against 120.30, 0.30 apart",
            "claimed amount is ticket price plus service fee: passed, the parts make 124.50, printed is 124.50",
        ],
        "recommendation": "refund",
        "reason": "Both checks pass.",
    }
    assert "0.30 apart" in desk.prompts[1]
    assert LETTER in desk.prompts[2]
    assert "0.30 apart" in desk.prompts[2]


@pytest.mark.slow
def test_a_judge_that_always_says_no_costs_five_calls(desk: Desk) -> None:
    reply = desk.run(behaviour=Behaviour.JUDGE_SAYS_NO)
    assert len(desk.titles) == 5
    assert {found.source for found in reply.unmet} == {"SKILL.md:27", "SKILL.md:44"}


@pytest.mark.slow
def test_the_report_itself_is_checked(desk: Desk) -> None:
    read = {**READ, "claimed_amount": 120.0}
    reply = desk.run(read, {"recommendation": "refund", "reason": "It is fine! " + "word " * 30})
    assert [found.source for found in reply.unmet] == ["SKILL.md:26", "SKILL.md:42", "SKILL.md:43"]
    assert reply.report.recommendation == "refund"
    assert "recommendation is not 'refuse'" in desk.prompts[desk.titles.index("Decision") + 2]


@pytest.mark.slow
def test_a_stop_ends_the_run_after_one_call(desk: Desk) -> None:
    reply = desk.run({**READ, "kind": "advertisement"})
    assert desk.titles == ["Reading"]
    assert (reply.skipped, reply.stopped, reply.report) == (True, "advertisement", None)
    assert "SKILL.md:15" in reply.reason


@pytest.mark.slow
def test_a_missing_record_leaves_its_check_not_made(desk: Desk) -> None:
    reply = desk.run(decided={"recommendation": "ask", "reason": "The booking is missing."}, web={})
    assert "not made" in reply.report.checks[0]
    assert reply.notes[0].startswith("get_booking: https://ferry.example.org")
    assert reply.unmet == []
    unnamed = desk.run({**READ, "booking": ""}, DECIDED)
    assert [found.source for found in unnamed.unmet] == ["SKILL.md:27", "SKILL.md:28"]
    assert unnamed.notes == []


@pytest.mark.slow
def test_an_amount_that_the_letter_does_not_print_is_named(desk: Desk) -> None:
    reply = desk.run({**READ, "ticket_price": 99.0}, {"recommendation": "refuse", "reason": "It differs."})
    assert reply.unmet[0].source == "SKILL.md:12"
