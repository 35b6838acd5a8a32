"""Packages of workflows: a call a phase, the reply with the last one, a typed form, and a run on the real Mellea."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from types import ModuleType

import pytest

from melleafy_tui.core.decisions.commands import SetTag
from melleafy_tui.core.lint.table import lint_file_set
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
allowed-tools: mcp__ferry__get_booking
---

# Claim desk

You are the claim desk of a ferry line. You never promise money.

## Phase 1: Read the claim

1. Extract traveller name, booking number, ticket price, service fee and claimed amount.
2. Classify the letter as claim, praise or advertisement.

## Phase 2: Check it

1. Compare the ticket price with the booking's ticket price. A difference of up to 0.50 euros is rounding.
2. Verify that the claimed amount equals the ticket price plus the service fee.

## Phase 3: Weigh it

1. Work out who caused the delay.
2. Draft the answer to the traveller.

## Report

| Field | Type | Description |
|---|---|---|
| traveller | string | As signed |
| claimed_amount | number | In euros |
| recommendation | one of: refund, ask, refuse | What to do |
| reason | string | Why |

## Rules

- Keep the report under 90 words.
- Do not use exclamation marks.
- Be kind to the traveller.
"""
PHASES = ("phase_1_read_the_claim", "phase_2_check_it", "phase_3_weigh_it")
LETTER = "Ana Reyes, booking 7712. Ticket 120.00, fee 4.50. I claim 124.50."
REPORT = {"traveller": "Ana Reyes", "claimed_amount": 124.5, "recommendation": "refund", "reason": "It fits."}


def converted(skill: str, name: str) -> Conversion:
    """Return the conversion of a skill."""
    folder = Path(mkdtemp(prefix="melleafy-tests-")) / name
    folder.mkdir()
    (folder / "SKILL.md").write_text(skill)
    return open_conversion(folder, as_of=DAY, generated_at="2026-08-01T00:00:00Z")


@cache
def conversion() -> Conversion:
    return converted(SKILL, "claim-desk")


def text_of(name: str, made: Conversion | None = None) -> str:
    """Return the text of a module of the package."""
    file = (made or conversion()).files.file(f"claim_desk_mellea/{name}")
    assert file is not None
    return file.data.decode()


def test_each_phase_is_a_call_and_the_reply_takes_the_last_along() -> None:
    paths = {file.path.rpartition("/")[2] for file in conversion().files.files}
    assert not {"slots.py", "mobjects.py"} & paths
    pipeline = text_of("pipeline.py")
    first, second, last = (pipeline.index(f'WORKFLOW_PHASES["{phase}"]') for phase in PHASES)
    assert pipeline.count("start_session(") == 4  # with the call in which tools are chosen
    assert (
        pipeline.index("# Phase 1: Read the claim") < first < pipeline.index("# Phase 2: Check it") < second
    )
    assert pipeline.index("# Phase 3: Weigh it") < last < pipeline.index("sampling = ")
    assert lint_file_set(conversion().files).passed


def test_tools_are_chosen_before_the_phase_that_checks() -> None:
    pipeline = text_of("pipeline.py")
    first, second, _ = (pipeline.index(f'WORKFLOW_PHASES["{phase}"]') for phase in PHASES)
    assert first < pipeline.index("use_tools(\n") < pipeline.index('steps["tool_results"]') < second
    assert "listed(steps)" in pipeline[second:]


def test_a_form_is_typed_and_only_checks_that_fit_it_stay_in_python() -> None:
    assert 'ReportRecommendation = Literal["refund", "ask", "refuse"]' in text_of("schemas.py")
    rules = text_of("requirements.py")
    assert 'in_texts(without("exclamation marks"))' in rules
    assert (
        '"- Be kind to the traveller.\\n",\n        "SKILL.md:39",\n    ),' in rules
    )  # it doesn't speak of the reply
    assert "Verify that" not in rules  # a step is done, the reply isn't judged by it


def test_the_plan_names_the_phases_and_the_manifest_what_a_run_costs() -> None:
    targets = {entry.target for entry in conversion().committed.plan.entries}
    assert targets >= {f'config.py:WORKFLOW_PHASES["{phase}"]' for phase in PHASES}
    assert '"message": 5' in text_of("melleafy.json")


def test_long_names_of_phases_break_lines_as_ruff_does() -> None:
    phases = ("Look at the whole letter before anything else", "Weigh the reasons of the traveller with care")
    steps = "".join(
        f"## Phase {n}: {name}\n\n1. Think about part {n}.\n\n"
        for n, name in enumerate((*phases, "Answer"), 1)
    )
    made = converted(f"---\nname: claim-desk\ndescription: Answers letters.\n---\n\n{steps}", "claim-desk")
    assert not ruff_format_changes([text_of("pipeline.py", made).encode()])


def test_a_step_outside_the_phases_keeps_its_call() -> None:
    rule = next(e for e in conversion().inventory.elements if e.statement == "Be kind to the traveller.")
    changed = conversion().copy()
    changed.act(SetTag((conversion().plan.by_element[rule.element_id].key,), Tag.GENERATE))
    assert "config.GENERATION_STEPS[" in text_of("pipeline.py", changed)
    assert '"message": 6' in text_of("melleafy.json", changed)


# --- on Mellea ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    pytest.importorskip("mellea")
    folder = tmp_path_factory.mktemp("claims")
    write_files(conversion().files, folder)
    with imported("claim_desk_mellea", folder) as module:
        yield module


@pytest.mark.slow
def test_a_run_goes_through_the_phases_and_fills_the_form(
    pipeline: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = [{"schema": "Report", "reply": REPORT}]
    with FakeModelServer(script=script) as server:
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        reply = pipeline.run_pipeline(LETTER)
    assert (reply.report.model_dump(mode="json"), reply.unmet) == (REPORT, [])
    assert conversion().cost is not None
    assert len(server.calls) == conversion().cost.calls
    draft, _, checked, report, verdicts = (call.prompt for call in server.calls)
    assert "Extract traveller name" in draft
    assert "Compare the ticket price" in checked
    assert "Draft the answer" in report
    assert LETTER in verdicts
    assert all("phase_1_read_the_claim" in prompt for prompt in (checked, report, verdicts))


@pytest.mark.slow
def test_a_judge_that_always_says_no_costs_one_more_try(
    pipeline: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = [{"schema": "Report", "reply": {**REPORT, "reason": "It is fine!"}}]
    with FakeModelServer(Behaviour.JUDGE_SAYS_NO, script=script) as server:
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        reply = pipeline.run_pipeline(LETTER)
    assert [call.title for call in server.calls].count("Report") == 2
    assert {found.rule for found in reply.unmet} == {
        "You are the claim desk of a ferry line. You never promise money.",
        "Do not use exclamation marks.",
    }
