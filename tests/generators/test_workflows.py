"""Packages whose reply fills a typed form, and a run on the real Mellea."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from types import ModuleType

import pytest

from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.smoke.fake_server import FakeModelServer
from melleafy_tui.core.smoke.scripted_model import Behaviour
from melleafy_tui.engine import open_conversion
from tests.converted import DAY
from tests.generators.emitting import imported, write_files
from tests.scripted import Script

SKILL = """---
name: claim-desk
description: Checks the claims of travellers against their bookings.
allowed-tools: mcp__ferry__get_booking
---

# Claim desk

You are the claim desk of a ferry line. You never promise money.

## Read the claim

1. Extract traveller name, booking number, ticket price, service fee and claimed amount.
2. Classify the letter as claim, praise or advertisement.

## Check it

1. Compare the ticket price with the booking's ticket price. A difference of up to 0.50 euros is rounding.
2. Verify that the claimed amount equals the ticket price plus the service fee.

## Weigh it

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


def test_a_form_is_typed_and_only_checks_that_fit_it_stay_in_python() -> None:
    assert 'ReportRecommendation = Literal["refund", "ask", "refuse"]' in text_of("schemas.py")
    rules = text_of("requirements.py")
    assert 'in_texts(without("exclamation marks"))' in rules
    assert 'asks="Verify that' not in rules  # a step is done, the reply isn't judged by it


# --- on Mellea ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    pytest.importorskip("mellea")
    folder = tmp_path_factory.mktemp("claims")
    write_files(conversion().files, folder)
    with imported("claim_desk_mellea", folder) as module:
        yield module


@pytest.mark.slow
def test_a_run_chooses_tools_and_fills_the_form(
    pipeline: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = [{"schema": "Report", "reply": REPORT}]
    with FakeModelServer(script=Script(script)) as server:
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        reply = pipeline.run_pipeline(LETTER)
    assert (reply.report.model_dump(mode="json"), reply.unmet) == (REPORT, [])
    assert conversion().cost is not None
    assert len(server.calls) == conversion().cost.calls
    _, report, verdicts = (call.prompt for call in server.calls)
    assert "Draft the answer" in report
    assert LETTER in verdicts


@pytest.mark.slow
def test_a_judge_that_always_says_no_costs_one_more_try(
    pipeline: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = [{"schema": "Report", "reply": {**REPORT, "reason": "It is fine!"}}]
    with FakeModelServer(Behaviour.JUDGE_SAYS_NO, script=Script(script)) as server:
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        reply = pipeline.run_pipeline(LETTER)
    assert [call.title for call in server.calls].count("Report") == 2
    assert {found.rule for found in reply.unmet} == {
        "You are the claim desk of a ferry line. You never promise money.",
        "Rules: Do not use exclamation marks.",
    }
