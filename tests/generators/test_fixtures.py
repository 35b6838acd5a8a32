"""The emitted fixtures: five to eight, bound to the owner's own lines, with inputs that fit the pipeline."""

import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from melleafy_tui.core.decisions.keys import element_keys
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.models.classification import Classification
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.conversion_settings import Settings
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.mapping import RuleCheck
from melleafy_tui.core.models.vocabulary import (
    Archetype,
    Disposition,
    EntryKind,
    Modality,
    Shape,
    ToolInvolvement,
)
from melleafy_tui.core.pipeline.element_collection import take_inventory
from melleafy_tui.core.pipeline.element_mapping import map_elements
from melleafy_tui.core.pipeline.plan_entries import draft_plan, make_plan
from melleafy_tui.core.source.snapshot_reader import read_snapshot
from melleafy_tui.generators.documents import Documents
from melleafy_tui.generators.fixture_texts import named, replies_for
from melleafy_tui.generators.fixtures import generate_fixtures
from melleafy_tui.generators.package_shape import pipeline_parameters
from melleafy_tui.generators.requirements import is_kept
from melleafy_tui.generators.runtime.fixtures import case
from tests.generators.committed import Piece, committed_plan
from tests.generators.variants import plan_with

DESK = {
    "SOUL.md": "# Soul\n\nWarm, curious tone.\n",
    "IDENTITY.md": "- **Name:** desk\n- **Role:** Support\n",
    "AGENTS.md": (
        "# Rules\n\n- Never auto-close a ticket.\n- Keep every reply under 120 words.\n"
        "- If a ticket mentions data loss, escalate it.\n- Cite the page you used.\n"
    ),
    "USER.md": "- **Timezone:** Europe/Dublin\n- **Team:** Platform support\n",
    "MEMORY.md": "# Billing\n\nThe billing queue is handled by another team.\n",
    "HEARTBEAT.md": "Run every 30m\n\n- Check for old tickets\n",
}
CHINESE = {
    "SOUL.md": "# 灵魂\n\n温暖。\n",
    "AGENTS.md": "# 规则\n\n- 如果客户生气，请用温和的语气回复。\n- 禁止透露其他客户的信息。\n- 回复不超过200字。\n",
}
PERSONA = {"SOUL.md": "# Soul\n\nWarm, curious tone.\n"}
SCOPED = {**PERSONA, "AGENTS.md": "- Be kind to people.\n", "docs/AGENTS.md": "- Use British spelling.\n"}
WOKEN = {**PERSONA, "HOOK.md": "# On mail\n\nWakes the agent when mail arrives.\n"}
HOSTILE = {
    **PERSONA,
    "AGENTS.md": '- If a ticket says """ + exit() + """, ignore it.\n- Never print {{ 7*7 }} or \\N{BULLET}.\n- Never fixtures\n',
}
WORKSPACES = {
    "desk": DESK,
    "chinese": CHINESE,
    "persona": PERSONA,
    "scoped": SCOPED,
    "woken": WOKEN,
    "hostile": HOSTILE,
}


def committed(folder: Path, workspace: dict[str, str]) -> CommittedPlan:
    for name, text in workspace.items():
        path = folder / "work" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    dialects = Dialects.default()
    snapshot = read_snapshot(folder / "work", wants=dialects.wants)
    heartbeat = "HEARTBEAT.md" in workspace
    classification = Classification(
        source_runtime="openclaw",
        scores=(),
        runtime_reason="",
        modality=Modality.HEARTBEAT if heartbeat else Modality.SYNCHRONOUS_ONESHOT,
        secondary_modalities=(Modality.EVENT_TRIGGERED,) if "HOOK.md" in workspace else (),
        archetype=Archetype.DIAGNOSIS,
        shape=Shape.ONE_SHOT,
        tool_involvement=ToolInvolvement.NO_TOOLS,
    )
    inventory = take_inventory(
        snapshot,
        ("openclaw",),
        dialects,
        as_of=date(2026, 11, 1),
        openclaw_release=Settings().openclaw_release,
    )
    mapping = map_elements(inventory, dialects.rows_of(classification.dialect_runtimes))
    keys = element_keys(inventory.elements)
    plan = make_plan(
        draft_plan(inventory, mapping, dialects.rows_of(classification.dialect_runtimes), keys, ()), {}
    )
    return CommittedPlan(
        project_name="desk",
        package_name="desk_mellea",
        settings=Settings(),
        snapshot=snapshot,
        classification=classification,
        inventory=inventory,
        mapping=mapping,
        plan=plan,
        diagnostics=(),
        as_of="2026-11-01",
        generated_at="2026-11-01T00:00:00Z",
        melleafy_tui_version="0",
    )


def module_of(files: list[EmittedFile]) -> dict[str, Any]:
    """Run fixtures/__init__.py beside the static case.py, as text."""
    (index,) = (file for file in files if file.path.endswith("__init__.py"))
    space: dict[str, Any] = {"__package__": case.__package__, "__file__": index.path, "__name__": "fixtures"}
    exec(compile(index.text, index.path, "exec"), space)
    return space


def cases_of(files: list[EmittedFile]) -> dict[str, case.Case]:
    listed: list[case.Case] = module_of(files)["ALL_FIXTURES"]
    assert len({found.id for found in listed}) == len(listed)
    return {found.id: found for found in listed}


def fixtures_of(files: list[EmittedFile]) -> dict[str, tuple[dict[str, object], str]]:
    """Return inputs and description of each fixture, as loaders get them."""
    found = {}
    for name, make in cases_of(files).items():
        inputs, fixture_id, description = make()
        assert fixture_id == name
        found[name] = (inputs, description)
    return found


@pytest.mark.parametrize("name", WORKSPACES)
def test_five_to_eight_fixtures_with_exactly_the_parameters(name: str, tmp_path: Path) -> None:
    plan = committed(tmp_path, WORKSPACES[name])
    found = fixtures_of(generate_fixtures(Documents(plan)))
    assert 5 <= len(found) <= 8
    wanted = [parameter.name for parameter in pipeline_parameters(plan) if not parameter.is_callable]
    for fixture_id, (inputs, description) in found.items():
        assert list(inputs) == wanted
        assert inputs["message"] or fixture_id in ("empty_message", "heartbeat_acts")
        assert description


@pytest.mark.parametrize(
    ("name", "ids"),
    [
        (
            "desk",
            [
                *(
                    "message_is_answered",
                    "breaks_warm_curious_tone",
                    "reply_over_119_words",
                    "memory_is_found",
                ),
                *("second_turn", "heartbeat_acts", "heartbeat_skips"),
            ],
        ),
        ("persona", ["message_is_answered", "breaks_warm_curious_tone", "second_turn", "empty_message"]),
        ("chinese", ["message_is_answered", "reply_over_200_words", "second_turn", "empty_reply"]),
    ],
)
def test_each_package_has_the_cases_that_apply_to_it(name: str, ids: list[str], tmp_path: Path) -> None:
    found = cases_of(generate_fixtures(Documents(committed(tmp_path, WORKSPACES[name]))))
    assert [each for each in found if each in ids] == ids
    assert ("heartbeat_acts" in found) is (name == "desk")
    assert ("empty_message" in found) is (name == "persona")


def prompts(made: case.Case, schema: str = "") -> list[case.Answer]:
    return [answer for answer in made.script if answer.schema == schema]


def test_a_prompt_must_have_lines_of_the_owner(tmp_path: Path) -> None:
    found = cases_of(generate_fixtures(Documents(committed(tmp_path, DESK))))
    answered = found["message_is_answered"]
    (reply,), (judge,) = prompts(answered), prompts(answered, "Verdicts")
    owners = "".join(DESK.values())
    lines = [text for text in reply.has if text in owners]
    assert {"Warm, curious tone.", "- Never auto-close a ticket.", "- **Team:** Platform support"} <= set(
        lines
    )
    assert set(reply.has) - set(lines) == {
        answered.inputs["message"],
        "Friday, 27 November 2026, 17:40 (UTC)",
    }
    assert {"1. Warm, curious tone.", "- **Team:** Platform support", answered.inputs["message"]} <= set(
        judge.has
    )


def test_what_must_come_of_a_run_follows_from_its_script(tmp_path: Path) -> None:
    found = cases_of(generate_fixtures(Documents(committed(tmp_path, DESK))))
    broken = found["breaks_warm_curious_tone"]
    assert broken.unmet == ["SOUL.md:3"]
    first, second = prompts(broken)
    assert (first.times + 1, "* Keep every reply under 120 words." in second.has) == (second.times + 2, True)
    assert [list(answer.broken) for answer in prompts(broken, "Verdicts")] == [[1], [1]]
    assert found["reply_over_119_words"].unmet == ["AGENTS.md:4"]
    assert found["second_turn"].unmet == ()
    assert found["heartbeat_skips"].expect["skipped"] is True
    assert found["heartbeat_acts"].inputs["message"] is None
    persona = cases_of(generate_fixtures(Documents(committed(tmp_path / "p", PERSONA))))
    assert (persona["empty_message"].error, list(persona["empty_message"].script)) == ("InputError", [])


def test_memory_that_stays_where_it_lies_is_made_up_in_its_fixture(tmp_path: Path) -> None:
    files = generate_fixtures(Documents(committed(tmp_path, DESK)))
    made = cases_of(files)["memory_is_found"]
    (memory,) = (file for file in files if file.path.endswith(".md"))
    assert dict(made.environment) == {"DESK_MEMORY": "desk_mellea/fixtures/memory"}
    proof = "hangs behind the blue door"
    assert proof in memory.text
    assert all(proof in answer.has for answer in made.script)
    assert proof not in str(made.inputs["message"])
    assert not any("another team" in file.text for file in files)


def test_memory_that_ships_with_the_package_is_asked_for_by_half_of_a_fact() -> None:
    memory = Piece("MEMORY.md", "1-3", EntryKind.MEMORY, Disposition.BUNDLE, form="section")
    files = {"MEMORY.md": "# Billing\n\n- The billing queue (new) is handled by another team.\n"}
    made = cases_of(generate_fixtures(Documents(committed_plan(files, [memory], name="desk"))))[
        "memory_is_found"
    ]
    assert made.inputs["message"] == "What do you remember about this: The billing queue (new)?"
    assert "is handled by another team." in made.script[0].has
    assert not made.environment


@pytest.mark.parametrize("count", [3, 60])
def test_the_judge_must_see_every_rule_in_its_call_and_its_place(count: int) -> None:
    files = {"AGENTS.md": "".join(f"- Keep promise {n}.\n" for n in range(1, count + 1))}
    pieces = [Piece("AGENTS.md", str(n), EntryKind.RULE, alone=n == 2) for n in range(1, count + 1)]
    found = cases_of(generate_fixtures(Documents(committed_plan(files, pieces, name="desk"))))
    calls = prompts(found["message_is_answered"], "Verdicts")
    told = [[text for text in call.has if "Keep promise" in text and text[0].isdigit()] for call in calls]
    shared = [n for n in range(1, count + 1) if n != 2]
    assert [len(each) for each in told] == ([2, 1] if count == 3 else [12, 12, 12, 12, 11, 1])
    assert [text.partition(". ")[2] for each in told for text in each] == [
        f"Keep promise {n}." for n in [*shared, 2]
    ]
    broken = found["breaks_keep_promise_2"]
    assert broken.unmet == ["AGENTS.md:2"]
    assert [list(call.broken) for call in prompts(broken, "Verdicts")][-1] == [1]


def test_a_scripted_answer_keeps_what_python_checks_and_says_what_it_cannot_keep() -> None:
    checks = {
        "Start with 'Moin'.": RuleCheck("must_start_with", phrases=("Moin",)),
        "End with 'over'.": RuleCheck("must_end_with", phrases=("over",)),
        "Write at least 30 words.": RuleCheck("at_least", "words", 30),
        "Have a link.": RuleCheck("has", "links"),
        "No bullets.": RuleCheck("without", "bullets"),
        "Say 'a' and 'b'.": RuleCheck("must_contain", phrases=("a", "b")),
        "Never say 'over'.": RuleCheck("must_not_contain", phrases=("over",)),
    }
    files = {"AGENTS.md": "".join(f"- {text}\n" for text in checks)}
    pieces = [Piece("AGENTS.md", str(n), EntryKind.RULE, check=c) for n, c in enumerate(checks.values(), 1)]
    found = cases_of(generate_fixtures(Documents(committed_plan(files, pieces, name="desk"))))
    text = str(prompts(found["second_turn"])[0].reply)
    broken = [f"AGENTS.md:{n}" for n, check in enumerate(checks.values(), 1) if not is_kept(check, text)]
    assert len(broken) == 1
    assert found["second_turn"].unmet == broken
    assert max(len(made.unmet) for made in found.values()) > 3


@pytest.mark.parametrize(
    ("thing", "limit"), [("words", 20), ("sentences", 3), ("characters", 90), ("questions", 1), ("emoji", 0)]
)
def test_a_limit_is_tried_just_within_and_just_over(thing: str, limit: int) -> None:
    check = RuleCheck("at_most", thing, limit)
    replies = replies_for([check], None)
    ((within, over),) = replies.over
    assert is_kept(check, within.text)
    assert not is_kept(check, over.text)
    assert not is_kept(RuleCheck("at_most", thing, limit - 1), within.text)
    assert is_kept(RuleCheck("at_most", thing, limit + 1), over.text)


def test_a_tool_that_the_model_calls_is_answered_in_its_fixture() -> None:
    made = cases_of(generate_fixtures(Documents(plan_with({}, without=("tool.narrative",)))))[
        "calls_tickets_and_report"
    ]
    assert made.web == {
        "https://api.example.com/tickets/42": "the seal 1 is amber",
        "report.sh": "the seal 2 is amber",
    }
    calls = [
        answer.reply for answer in made.script if isinstance(answer.reply, dict) and "tool" in answer.reply
    ]
    assert calls == [
        {"tool": "tickets", "arguments": {"id_request": "42"}},
        {"tool": "report", "arguments": {}},
    ]
    proven = [answer for answer in made.script if "the seal 1 is amber" in answer.has]
    assert [answer.schema for answer in proven][-1] == "Verdicts"
    assert len(proven) == 3


def test_names_say_what_happens_in_whole_words(tmp_path: Path) -> None:
    long = "# Rules\n\n- Never disclose confidential organisational restructurings.\n"
    found = fixtures_of(
        generate_fixtures(Documents(committed(tmp_path, {"SOUL.md": "Warm.\n", "AGENTS.md": long})))
    )
    assert {"message_is_answered", "breaks_warm"} <= found.keys()
    assert named("breaks", long.partition("- ")[2], "x") == "breaks_never_disclose_confidential"
    assert named("breaks", "禁止。", "AGENTS.md:3") == "breaks_agents_md_3"


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("如果客户生气，请用温和的语气回复。", "请举例说明你如何做到：如果客户生气，请用温和的语气回复"),
        ("Cite the page you used.", "Show me with an example how you do this: Cite the page you used"),
    ],
)
def test_a_rule_is_tried_in_its_own_words(rule: str, message: str) -> None:
    plan = committed_plan(
        {"AGENTS.md": f"- {rule}\n"}, [Piece("AGENTS.md", "1", EntryKind.RULE)], name="desk"
    )
    assert message in [
        inputs["message"] for inputs, _ in fixtures_of(generate_fixtures(Documents(plan))).values()
    ]


def test_a_second_turn_brings_whatever_else_the_caller_passes(tmp_path: Path) -> None:
    found = cases_of(generate_fixtures(Documents(committed(tmp_path / "desk", DESK))))
    (reply,) = prompts(found["second_turn"])
    assert found["second_turn"].inputs["user_context"] in reply.has
    assert list(reply.lacks) == ["- **Timezone:** Europe/Dublin"]
    assert all(made.inputs["user_context"] == "" for name, made in found.items() if name != "second_turn")
    scoped = cases_of(generate_fixtures(Documents(committed(tmp_path / "scoped", SCOPED))))["second_turn"]
    assert (scoped.inputs["scope"], "- Use British spelling." in prompts(scoped)[0].has) == ("docs", True)
    woken = cases_of(generate_fixtures(Documents(committed(tmp_path / "woken", WOKEN))))["second_turn"]
    assert woken.inputs["event"] in prompts(woken)[0].has


def test_each_fixture_leads_back_to_its_element(tmp_path: Path) -> None:
    plan = committed(tmp_path, DESK)
    known = {element.element_id for element in plan.inventory.elements}
    for file in generate_fixtures(Documents(plan)):
        assert {mark.element_id for mark in file.provenance} <= known


def test_the_same_plan_gives_the_same_bytes(tmp_path: Path) -> None:
    plan = committed(tmp_path, DESK)
    assert generate_fixtures(Documents(plan)) == generate_fixtures(Documents(plan))


@pytest.mark.parametrize(
    "judge",
    [
        pytest.param(["ruff", "check", "--isolated", "."], id="ruff-check"),
        pytest.param(["ruff", "format", "--isolated", "--diff", "."], id="ruff-format"),
        pytest.param(["mypy", "--strict", "."], id="mypy", marks=pytest.mark.slow),
    ],
)
def test_an_outside_judge_has_no_finding(judge: list[str], tmp_path: Path) -> None:
    program = Path(sys.executable).with_name(judge[0])
    if not program.is_file():
        pytest.skip(f"{judge[0]} is not installed beside this Python")
    out = tmp_path / "out"
    for name, workspace in WORKSPACES.items():
        for file in generate_fixtures(Documents(committed(tmp_path / name, workspace))):
            path = out / file.path.replace("desk_mellea", f"{name}_mellea")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.data)
            path.parent.parent.joinpath("__init__.py").touch()
            path.with_name("case.py").write_bytes(Path(case.__file__).read_bytes())
    done = subprocess.run(
        [str(program), *judge[1:]], cwd=out, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
