"""The emitted fixtures: five to eight, made from the workspace's own words, with inputs that fit the pipeline."""

import re
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any, cast

import pytest

from melleafy_tui.core.decisions.keys import element_keys
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.models.classification import Classification
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.facts import Facts, NamedFact
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.mapping import RuleCheck
from melleafy_tui.core.models.settings import Settings
from melleafy_tui.core.models.vocabulary import (
    Archetype,
    Disposition,
    EntryKind,
    Modality,
    Shape,
    ToolInvolvement,
)
from melleafy_tui.core.pipeline.inventory import take_inventory
from melleafy_tui.core.pipeline.mapping import map_elements
from melleafy_tui.core.pipeline.plan import draft_plan, make_plan
from melleafy_tui.core.pipeline.symbols import element_stems
from melleafy_tui.core.source.reader import read_snapshot
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
    mapping = map_elements(inventory, classification, dialects)
    keys = element_keys(inventory.elements)
    stems = element_stems(inventory.elements, mapping.by_element)
    plan = make_plan(draft_plan(inventory, mapping, classification, keys, (), dialects, stems), {})
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
def test_five_to_eight_fixtures_of_three_categories_with_exactly_the_parameters(
    name: str, tmp_path: Path
) -> None:
    plan = committed(tmp_path, WORKSPACES[name])
    files = generate_fixtures(plan)
    found = fixtures_of(files)
    assert 5 <= len(found) <= 8
    wanted = [parameter.name for parameter in pipeline_parameters(plan) if not parameter.is_callable]
    for fixture_id, (inputs, description) in found.items():
        assert list(inputs) == wanted
        assert inputs["message"] or fixture_id in ("empty", "heartbeat_acts")
        assert description
    index = next(file for file in files if file.path.endswith("__init__.py")).text
    assert len(re.findall(r"(?m)^- C\d: ", index)) >= 3
    listed = re.findall(r"(?m)^- .+?: (.+)$", index)
    assert sorted(", ".join(listed).split(", ")) == sorted(found)


@pytest.mark.parametrize(
    ("name", "ids"),
    [
        ("desk", ["broken_warm_curious_tone", "memory_found", "conversation", "heartbeat", "heartbeat_acts"]),
        ("persona", ["conversation", "empty"]),
        ("chinese", ["conversation", "empty", "checks_broken"]),
    ],
)
def test_each_package_has_the_cases_that_apply_to_it(name: str, ids: list[str], tmp_path: Path) -> None:
    found = cases_of(generate_fixtures(committed(tmp_path, WORKSPACES[name])))
    assert set(ids) <= found.keys()
    assert ("heartbeat" in found) is (name == "desk")
    assert ("empty" in found) is (name != "desk")


def test_what_must_come_of_a_run_follows_from_its_script(tmp_path: Path) -> None:
    files = generate_fixtures(committed(tmp_path, DESK))
    found = cases_of(files)
    told = {name: (dict(made.expect.fields), made.expect.unmet) for name, made in found.items()}
    assert told["broken_warm_curious_tone"] == ({"skipped": False}, ("SOUL.md:3",))
    assert told["checks_broken"] == ({"skipped": False}, ("AGENTS.md:4",))
    assert told["conversation"] == ({"skipped": False}, ())
    assert told["heartbeat"] == ({"skipped": True, "text": ""}, None)
    assert found["heartbeat_acts"].inputs["message"] is None
    assert (
        cases_of(generate_fixtures(committed(tmp_path / "p", PERSONA)))["empty"].expect.error == "InputError"
    )


def test_memory_that_stays_where_it_lies_is_made_up_in_its_fixture(tmp_path: Path) -> None:
    files = generate_fixtures(committed(tmp_path, DESK))
    made = cases_of(files)["memory_found"]
    (variable, folder), (memory,) = (
        dict(made.environment).popitem(),
        [f for f in files if f.path.endswith(".md")],
    )
    assert (variable, folder) == ("DESK_MEMORY", "desk_mellea/fixtures/memory")
    match = next(str(entry["match"]) for entry in made.script if "match" in entry)
    assert match in memory.text
    assert not re.search(match, str(made.inputs["message"]))
    assert not any("another team" in file.text for file in files)


def test_memory_that_ships_with_the_package_is_asked_for_by_half_of_a_fact() -> None:
    memory = Piece("MEMORY.md", "1-3", EntryKind.MEMORY, Disposition.BUNDLE, form="section")
    files = {"MEMORY.md": "# Billing\n\n- The billing queue (new) is handled by another team.\n"}
    made = cases_of(generate_fixtures(committed_plan(files, [memory], name="desk")))["memory_found"]
    assert made.inputs["message"] == "What do you remember about this: The billing queue (new)?"
    assert [entry["match"] for entry in made.script if "match" in entry] == ["is handled by another team\\."]
    assert not made.environment


@pytest.mark.parametrize("count", [3, 60])
def test_every_judged_rule_has_a_case_that_breaks_it_and_no_other(count: int) -> None:
    files = {"AGENTS.md": "".join(f"- Keep promise {n}.\n" for n in range(1, count + 1))}
    pieces = [Piece("AGENTS.md", str(n), EntryKind.RULE, alone=n == 2) for n in range(1, count + 1)]
    plan = committed_plan(files, pieces, name="desk")
    breaking: list[case.Case] = module_of(generate_fixtures(plan))["BREAKING_FIXTURES"]
    assert [made.expect.unmet for made in breaking] == [(f"AGENTS.md:{n}",) for n in range(1, count + 1)]
    assert list(breaking[0].inputs) == ["message", "history"]
    last = breaking[-1].script[0]
    verdicts = cast(dict[str, Any], last["reply"])
    (broken,) = (n for n, found in enumerate(verdicts.values(), 1) if found["verdict"] == "broken")
    assert list(verdicts) == [f"rule_{n}" for n in range(1, 13 if count == 60 else 3)]
    prompt = f"<rules>\n{broken}. Keep promise {count}.\n</rules>"
    assert re.search(str(last["match"]), prompt)
    assert not re.search(str(last["match"]), prompt.replace(f"{broken}. ", f"{broken + 1}. "))


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
    space = module_of(generate_fixtures(committed_plan(files, pieces, name="desk")))
    text = space["ANSWER"]["reply"]
    broken = [f"AGENTS.md:{n}" for n, check in enumerate(checks.values(), 1) if not is_kept(check, text)]
    assert len(broken) == 1
    cases = {found.id: found.expect.unmet for found in space["ALL_FIXTURES"]}
    assert cases["conversation"] == tuple(broken)
    assert len(cases["checks_broken"]) > 3


def test_a_tool_that_the_model_calls_is_answered_in_its_fixture() -> None:
    made = cases_of(generate_fixtures(plan_with({}, without=("tool.narrative",))))["tool_tickets"]
    ((address, answer),) = made.web.items()
    assert (address, answer) == ("https://api.example.com/tickets/42", {"note": "the seal is amber"})
    assert made.script[0] == {"calls": [{"name": "tickets", "arguments": {"id_request": "42"}}], "times": 1}


def test_an_agent_without_facts_memory_and_tools_is_asked_for_them(tmp_path: Path) -> None:
    found = fixtures_of(generate_fixtures(committed(tmp_path, {"SOUL.md": "The keeper of a tower.\n"})))
    assert {"stranger", "last_time"} <= found.keys()
    known = fixtures_of(generate_fixtures(committed(tmp_path, DESK)))
    assert not {"stranger", "last_time"} & known.keys()


def test_the_name_of_a_fixture_ends_at_a_word(tmp_path: Path) -> None:
    long = "# Rules\n\n- Never disclose confidential organisational restructurings.\n"
    found = fixtures_of(generate_fixtures(committed(tmp_path, {"SOUL.md": "Warm.\n", "AGENTS.md": long})))
    assert "rule_disclose_confidential" in found


def test_a_letter_with_a_mark_stays_in_the_name_of_a_fixture(tmp_path: Path) -> None:
    memory = "# Memory\n\n## Gäste\n\n- Herr Wu mag grünen Tee.\n"
    found = fixtures_of(generate_fixtures(committed(tmp_path, {"SOUL.md": "Warm.\n", "MEMORY.md": memory})))
    assert "memory_gaste" in found


def test_an_address_is_no_part_of_the_name_of_a_fixture(tmp_path: Path) -> None:
    said = "# Tools\n\n- Depots: GET https://depots.example/api/{id} lists the depots\n"
    found = fixtures_of(generate_fixtures(committed(tmp_path, {"SOUL.md": "Warm.\n", "TOOLS.md": said})))
    (name,) = (name for name in found if name.startswith("tool_"))
    assert name == "tool_depots_lists"


def test_a_tool_that_is_an_address_alone_lends_its_name() -> None:
    found = fixtures_of(generate_fixtures(plan_with({}, without=("tool.narrative",))))
    (name,) = (name for name in found if name.startswith("tool_"))
    assert name == "tool_tickets"


def test_a_rich_workspace_is_tried_in_its_own_words_and_in_many_categories(tmp_path: Path) -> None:
    files = generate_fixtures(committed(tmp_path, DESK))
    messages = {fixture_id: str(inputs["message"]) for fixture_id, (inputs, _) in fixtures_of(files).items()}
    assert messages["heartbeat"] == "heartbeat"
    assert any("a ticket mentions data loss" in message for message in messages.values())
    index = next(file for file in files if file.path.endswith("__init__.py")).text
    assert all(f"- {category}: " in index for category in ("C1", "C2", "C3", "C5", "C9"))


def test_another_user_brings_other_facts(tmp_path: Path) -> None:
    found = fixtures_of(generate_fixtures(committed(tmp_path, DESK)))
    assert found["another_user"][0]["user_context"] == "Timezone: America/New_York"
    assert all(inputs["user_context"] == "" for name, (inputs, _) in found.items() if name != "another_user")


def test_a_scoped_rule_is_tried_in_its_scope(tmp_path: Path) -> None:
    found = fixtures_of(generate_fixtures(committed(tmp_path, SCOPED)))
    scoped = [inputs for inputs, _ in found.values() if inputs["scope"] == "docs"]
    assert any("British spelling" in str(inputs["message"]) for inputs in scoped)


def test_an_event_wakes_the_agent(tmp_path: Path) -> None:
    found = fixtures_of(generate_fixtures(committed(tmp_path, WOKEN)))
    assert found["event"][0]["event"]
    assert all(inputs["event"] == "" for name, (inputs, _) in found.items() if name != "event")


def test_chinese_rules_are_tried_in_chinese(tmp_path: Path) -> None:
    found = fixtures_of(generate_fixtures(committed(tmp_path, CHINESE)))
    assert any(
        "客户生气" in str(inputs["message"]) and "Here is" not in str(inputs["message"])
        for inputs, _ in found.values()
    )


def test_each_fixture_leads_back_to_its_element(tmp_path: Path) -> None:
    plan = committed(tmp_path, DESK)
    known = {element.element_id for element in plan.inventory.elements}
    for file in generate_fixtures(plan):
        assert {mark.element_id for mark in file.provenance} <= known
        if "/rule_" in file.path:
            assert file.provenance


def test_the_same_plan_gives_the_same_bytes(tmp_path: Path) -> None:
    plan = committed(tmp_path, DESK)
    assert generate_fixtures(plan) == generate_fixtures(plan)


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
        for file in generate_fixtures(committed(tmp_path / name, workspace)):
            path = out / file.path.replace("desk_mellea", f"{name}_mellea")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.data)
            path.parent.parent.joinpath("__init__.py").touch()
            path.with_name("case.py").write_bytes(Path(case.__file__).read_bytes())
    done = subprocess.run(
        [str(program), *judge[1:]], cwd=out, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_tool_is_asked_for_without_its_name_and_memory_by_its_heading() -> None:
    found = fixtures_of(generate_fixtures(plan_with({}, without=("tool.narrative",))))
    assert "https://" not in str(found["tool_tickets"][0]["message"])
    grant = Piece(
        "SKILL.md",
        "1",
        EntryKind.TOOL_ABSTRACT,
        Disposition.STUB,
        statement="read_file: read a file",
        symbol="read_file",
        facts=Facts(NamedFact("read_file")),
    )
    memory = Piece("MEMORY.md", "1-3", EntryKind.MEMORY, Disposition.DELEGATE_TO_RUNTIME, form="section")
    files = {"SKILL.md": "allowed-tools: Read\n", "MEMORY.md": "# Billing\n\nAnother team handles it.\n"}
    messages = {
        str(inputs["message"])
        for inputs, _ in fixtures_of(generate_fixtures(committed_plan(files, [grant, memory]))).values()
    }
    assert "I need this done: read a file. Which of your tools do you use for it, and how?" in messages


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (
            "`GET https://depots.example/v1` returns the hours of a depot.",
            "Which of your tools returns the hours of a depot, and what would you ask it?",
        ),
        ("read a file", "I need this done: read a file. Which of your tools do you use for it, and how?"),
        ("The archive lists all.", "When would you use this, and how? The archive lists all"),
        ("列出档案。", "什么时候、怎么用这个？列出档案"),
    ],
)
def test_a_tool_is_asked_for_as_the_source_speaks_of_it(said: str, message: str) -> None:
    piece = Piece("TOOLS.md", "1", EntryKind.TOOL_NARRATIVE, statement=said, facts=Facts(NamedFact("desk")))
    plan = committed_plan({"TOOLS.md": f"- {said}\n"}, [piece], name="desk")
    messages = [inputs["message"] for inputs, _ in fixtures_of(generate_fixtures(plan)).values()]
    assert message in messages


def test_a_ban_is_tempted_with_its_whole_act(tmp_path: Path) -> None:
    rules = "# Rules\n\n- Never use version v1.2 of the form. Ask first.\n"
    found = fixtures_of(generate_fixtures(committed(tmp_path, {"SOUL.md": "Warm.\n", "AGENTS.md": rules})))
    messages = [str(inputs["message"]) for inputs, _ in found.values()]
    assert "I am in a hurry, so please just use version v1.2 of the form." in messages
