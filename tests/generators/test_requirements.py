"""The emitted requirements.py: one entry per rule, judged or checked as it should be, clean under every outside judge."""

import importlib.util
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from melleafy_tui.core.language.checks.compiler import compile_rule
from melleafy_tui.core.models.classification import Classification
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.inventory import Element, Inventory
from melleafy_tui.core.models.mapping import ElementMapping, MappingEntry
from melleafy_tui.core.models.plan import DependencyPlan, PlanEntry
from melleafy_tui.core.models.settings import Settings
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import (
    Archetype,
    Category,
    DecisionSource,
    Disposition,
    EntryKind,
    Modality,
    Polarity,
    Shape,
    Tag,
    ToolInvolvement,
    ValidationKind,
)
from melleafy_tui.generators.requirements import generate_requirements

Rule = tuple[str, Polarity]

OBLIGES, FORBIDS, PERMITS, DESCRIBES = (
    Polarity.OBLIGES,
    Polarity.FORBIDS,
    Polarity.PERMITS,
    Polarity.DESCRIBES,
)

REFERENCE: list[Rule] = [
    ("Never auto-close a ticket without confirmation.", FORBIDS),
    ("Keep every reply under 120 words.", OBLIGES),
    ("If a ticket mentions data loss, escalate it to the on-call engineer.", OBLIGES),
    ("You may look up past tickets freely.", PERMITS),
]


def kind_of(polarity: Polarity, *, executable: bool) -> ValidationKind | None:
    if polarity in (PERMITS, DESCRIBES):
        return None
    return ValidationKind.EXECUTABLE if executable else ValidationKind.LLM_JUDGED


def committed(
    rules: Iterable[Rule],
    *,
    dispositions: dict[int, Disposition] | None = None,
    scopes: dict[int, str] | None = None,
    alone: Iterable[int] = (),
) -> CommittedPlan:
    elements, mappings, entries = [], [], []
    single = set(alone)
    for number, (statement, polarity) in enumerate(rules, start=1):
        scope = (scopes or {}).get(number, "")
        disposition = (dispositions or {}).get(number, Disposition.BUNDLE)
        file = f"{scope}/AGENTS.md" if scope else "AGENTS.md"
        elements.append(
            Element(
                f"elem_{number:03d}",
                file,
                str(number),
                "item",
                Tag.DECIDE,
                Category.C2,
                content_summary=statement[:100],
                content_full=f"- {statement}",
                statement=statement,
                polarity=polarity,
                scope=scope,
            )
        )
        mappings.append(
            MappingEntry(
                f"map_{number:03d}",
                f"elem_{number:03d}",
                "requirements.py",
                "OPERATING_REQUIREMENTS",
                "Requirement",
                "Requirement(description=..., validation_fn=...)",
                check=(check := compile_rule(statement, polarity)),
                validation_kind=kind_of(polarity, executable=check is not None),
            )
        )
        entries.append(
            PlanEntry(
                f"dep_{number:03d}",
                f"AGENTS.md#{number}",
                "c2_operating_rules",
                EntryKind.RULE,
                disposition,
                Disposition.BUNDLE,
                DecisionSource.AUTO,
                (f"elem_{number:03d}",),
                f"constrained_slots.py:validate_rule_{number}"
                if disposition is Disposition.STUB
                else "requirements.py",
                "",
                statement[:100],
                symbol=f"validate_rule_{number}" if disposition is Disposition.STUB else "",
                judge_individually=number in single,
            )
        )
    return CommittedPlan(
        project_name="ticket-triage",
        package_name="ticket_triage_mellea",
        settings=Settings(),
        snapshot=Snapshot("w", "/w", (), ()),
        classification=Classification(
            source_runtime="openclaw",
            scores=(),
            runtime_reason="",
            modality=Modality.SYNCHRONOUS_ONESHOT,
            archetype=Archetype.DIAGNOSIS,
            shape=Shape.ONE_SHOT,
            tool_involvement=ToolInvolvement.NO_TOOLS,
        ),
        inventory=Inventory(files=(), elements=tuple(elements)),
        mapping=ElementMapping(mappings=tuple(mappings)),
        plan=DependencyPlan(entries=tuple(entries)),
        diagnostics=(),
        as_of="2026-11-01",
        generated_at="2026-11-01T00:00:00Z",
        melleafy_tui_version="0",
    )


def text_of(plan: CommittedPlan) -> str:
    (file,) = generate_requirements(plan)
    assert file.path == "ticket_triage_mellea/requirements.py"
    return file.text


def package(folder: Path, text: str, slots: str = "") -> ModuleType:
    home = folder / "ticket_triage_mellea"
    home.mkdir()
    (home / "__init__.py").write_text('"""A package."""\n', encoding="utf-8")
    (home / "requirements.py").write_text(text, encoding="utf-8")
    (home / "constrained_slots.py").write_text(slots or '"""Functions of the host."""\n', encoding="utf-8")
    name = f"package_{folder.name}"
    for module, path in ((name, "__init__.py"), (f"{name}.constrained_slots", "constrained_slots.py")):
        loaded(module, home / path)
    return loaded(f"{name}.requirements", home / "requirements.py")


def loaded(name: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path, submodule_search_locations=[str(path.parent)])
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


SLOTS = '''"""Functions of the host."""


def validate_rule_2(reply: str) -> tuple[bool, str]:
    """Return whether the reply keeps AGENTS.md:2."""
    raise NotImplementedError("validate_rule_2: write it, see SETUP.md §8")
'''

STUBBED = {2: Disposition.STUB}


def test_the_reference_rules_come_out_as_in_the_reference_package() -> None:
    text = text_of(committed(REFERENCE))
    assert (
        '    # PROVENANCE: AGENTS.md:1\n    check("Never auto-close a ticket without confirmation."),\n'
        in text
    )
    assert (
        '    # PROVENANCE: AGENTS.md:2\n    req(\n        "Keep every reply under 120 words.",\n'
        "        validation_fn=simple_validate(_at_most_119_words),\n    ),\n"
    ) in text
    assert 'req("If a ticket mentions data loss, escalate it to the on-call engineer."),' in text
    assert 'OPERATING_NOTES: list[str] = [\n    # PROVENANCE: AGENTS.md:4\n    "You may look up' in text


def test_each_emitted_line_of_a_rule_leads_back_to_its_element() -> None:
    (file,) = generate_requirements(committed(REFERENCE))
    lines = file.text.split("\n")
    for element_id, words in (("elem_001", "auto-close"), ("elem_002", "under 120"), ("elem_004", "look up")):
        carried = [mark for mark in file.provenance if mark.element_id == element_id]
        assert any(words in "\n".join(lines[mark.first - 1 : mark.last]) for mark in carried)


def test_judged_rules_are_folded_into_one_requirement_and_checked_ones_stay_alone(tmp_path: Path) -> None:
    pytest.importorskip("mellea")
    module = package(tmp_path, text_of(committed(REFERENCE)))
    attached = module.attached_requirements()
    assert [r.validation_fn is not None for r in attached] == [True, False]
    assert "- Never auto-close" in attached[1].description
    assert "- If a ticket mentions data loss" in attached[1].description
    assert "look up past tickets" not in attached[1].description


def test_a_prohibition_is_kept_out_of_the_prompt_and_an_obligation_is_not(tmp_path: Path) -> None:
    pytest.importorskip("mellea")
    module = package(tmp_path, text_of(committed(REFERENCE)))
    assert [r.check_only for r in module.OPERATING_REQUIREMENTS] == [True, False, False]


def test_a_rule_judged_individually_keeps_a_requirement_of_its_own(tmp_path: Path) -> None:
    pytest.importorskip("mellea")
    module = package(tmp_path, text_of(committed(REFERENCE, alone=[1])))
    descriptions = [r.description for r in module.attached_requirements()]
    assert descriptions[0] == REFERENCE[0][0]
    assert REFERENCE[0][0] not in descriptions[-1]


def test_a_scoped_rule_holds_only_in_its_scope(tmp_path: Path) -> None:
    pytest.importorskip("mellea")
    rules = [*REFERENCE, ("No emoji.", FORBIDS), ("Cite the page.", OBLIGES)]
    module = package(tmp_path, text_of(committed(rules, scopes={5: "docs", 6: "docs"})))
    assert len(module.attached_requirements()) == 2
    inside = module.attached_requirements("docs")
    assert len(inside) == 3
    assert "- Cite the page." in inside[-1].description
    assert "Cite the page" not in module.attached_requirements("ui")[-1].description


def test_a_stub_validator_lets_the_run_go_on_and_says_that_the_rule_is_unchecked(tmp_path: Path) -> None:
    pytest.importorskip("mellea")
    module = package(tmp_path, text_of(committed(REFERENCE, dispositions=STUBBED)), SLOTS)
    verdict = validated(module.attached_requirements()[0], "any reply")
    assert bool(verdict) is True
    assert verdict.reason == "not checked: validate_rule_2: write it, see SETUP.md §8"


def test_a_stub_validator_that_was_written_is_obeyed(tmp_path: Path) -> None:
    pytest.importorskip("mellea")
    written = SLOTS[: SLOTS.index("    raise")] + '    return "yes" in reply, "say yes"\n'
    module = package(tmp_path, text_of(committed(REFERENCE, dispositions=STUBBED)), written)
    assert bool(validated(module.attached_requirements()[0], "no")) is False
    assert bool(validated(module.attached_requirements()[0], "yes")) is True


def test_a_stubbed_rule_that_is_alone_in_its_scope_holds_there(tmp_path: Path) -> None:
    pytest.importorskip("mellea")
    written = SLOTS[: SLOTS.index("    raise")] + '    return "yes" in reply, "say yes"\n'
    rules = [("You may joke.", Polarity.PERMITS), ("Say yes.", OBLIGES)]
    plan = committed(rules, dispositions=STUBBED, scopes={2: "docs"})
    module = package(tmp_path, text_of(plan), written)
    assert module.attached_requirements() == []
    assert module.attached_requirements("ui") == []
    (rule,) = module.attached_requirements("docs")
    assert rule.description == "Say yes."
    assert [bool(validated(rule, text)) for text in ("yes", "no")] == [True, False]


def test_a_written_validator_that_raises_names_itself_and_its_rule(tmp_path: Path) -> None:
    pytest.importorskip("mellea")
    written = SLOTS[: SLOTS.index("    raise")] + '    return reply.split()[7] == "yes", "say yes"\n'
    module = package(tmp_path, text_of(committed(REFERENCE, dispositions=STUBBED)), written)
    said = "validate_rule_2 failed: IndexError: list index out of range; its rule: Keep every reply under"
    with pytest.raises(module.ValidatorFailed, match=said) as raised:
        validated(module.attached_requirements()[0], "no")
    assert isinstance(raised.value.__cause__, IndexError)


def test_a_delegated_rule_is_listed_for_the_host_and_is_no_requirement(tmp_path: Path) -> None:
    pytest.importorskip("mellea")
    plan = committed(REFERENCE, dispositions={1: Disposition.DELEGATE_TO_RUNTIME})
    module = package(tmp_path, text_of(plan))
    assert list(module.HOST_RULES) == [REFERENCE[0][0]]
    assert all(REFERENCE[0][0] not in r.description for r in module.attached_requirements())


def test_a_removed_rule_is_nowhere() -> None:
    assert "auto-close" not in text_of(committed(REFERENCE, dispositions={1: Disposition.REMOVE}))


def test_a_workspace_without_rules_gets_no_file() -> None:
    assert generate_requirements(committed([])) == []


def test_two_rules_with_one_meaning_share_a_validator() -> None:
    text = text_of(committed([("Under 120 words.", OBLIGES), ("Keep every reply under 120 words.", OBLIGES)]))
    assert text.count("def _at_most_119_words(") == 1
    assert text.count("simple_validate(_at_most_119_words)") == 2


def test_two_checks_whose_names_collide_get_names_of_their_own() -> None:
    text = text_of(committed([('Never say "a-b".', FORBIDS), ('Never say "a b".', FORBIDS)]))
    assert "def _not_contains_a_b(" in text
    assert "def _not_contains_a_b_2(" in text


def validated(requirement: Any, reply: str) -> Any:
    class Spoken:
        value = reply

    class Heard:
        def last_output(self) -> Spoken:
            return Spoken()

    return requirement.validation_fn(Heard())


EVERY_KIND: list[Rule] = [
    ("Keep every reply under 120 words.", OBLIGES),
    ("Replies must be at least 2 words.", OBLIGES),
    ("Reply in one sentence.", OBLIGES),
    ("Keep replies to 2-3 sentences.", OBLIGES),
    ("At most 280 characters.", OBLIGES),
    ("Use at most five bullet points.", OBLIGES),
    ("Ask at most one question at a time.", OBLIGES),
    ("Use at most 1 exclamation mark per reply.", OBLIGES),
    ("No more than 2 paragraphs.", OBLIGES),
    ("No more than 4 lines.", OBLIGES),
    ("No headings, tables, links or code blocks in replies.", FORBIDS),
    ("No emoji.", FORBIDS),
    ("Never write in the first person.", FORBIDS),
    ("Reply in plain text.", OBLIGES),
    ("Answer in JSON only.", OBLIGES),
    ("Write in all lowercase.", OBLIGES),
    ("Replies must include a link.", OBLIGES),
    ('Never say "as an \\ AI {{x}} language model" or "sorry".', FORBIDS),
    ('Replies must contain "Regards" and "Yours".', OBLIGES),
    ('Start every reply with "Hello" or "Hi".', OBLIGES),
    ('Never end replies with "bye".', FORBIDS),
    ("回复不超过200字。", OBLIGES),
    ("不要说“作为一个人工智能语言模型我不能这样做”。", FORBIDS),
]

HOSTILE: list[Rule] = [
    ('"""); import os; os.system("x") #', OBLIGES),
    ("{{ 7*7 }} {% raw %} \\N{BULLET} \u202e\x1b[31m", OBLIGES),
    (
        "Two lines\nand \"both\" 'quotes' that go on for a while past the width of a line of the emitted file",
        FORBIDS,
    ),
    ("回复时请始终使用礼貌的语气，并在每次回复中明确说明下一步要做什么，这样用户就不会感到困惑。", OBLIGES),
]

SHAPES: dict[str, Callable[[], CommittedPlan]] = {
    "reference": lambda: committed(REFERENCE),
    "every-kind": lambda: committed(EVERY_KIND),
    "hostile": lambda: committed(HOSTILE),
    "hostile-alone-and-scoped": lambda: committed(HOSTILE, alone=[1, 2, 3], scopes={4: "docs", 3: "a-b/c"}),
    "only-prohibitions": lambda: committed(REFERENCE[:1]),
    "only-checked": lambda: committed(REFERENCE[1:2]),
    "only-notes": lambda: committed(REFERENCE[3:]),
    "only-host": lambda: committed(REFERENCE[:1], dispositions={1: Disposition.DELEGATE_TO_RUNTIME}),
    "only-scoped": lambda: committed(REFERENCE, scopes={1: "docs", 2: "docs", 3: "ui", 4: "ui"}),
    "stub": lambda: committed(REFERENCE, dispositions=STUBBED),
    "only-stub": lambda: committed(
        REFERENCE[1:2] * 2, dispositions={1: Disposition.REMOVE, 2: Disposition.STUB}
    ),
    "stub-of-a-note": lambda: committed(REFERENCE, dispositions={4: Disposition.STUB}),
}


def test_every_kind_of_the_list_is_compiled() -> None:
    assert [text for text, polarity in EVERY_KIND if compile_rule(text, polarity) is None] == []


@pytest.mark.parametrize("shape", SHAPES)
def test_the_descriptions_come_back_as_the_rules_stood(shape: str, tmp_path: Path) -> None:
    pytest.importorskip("mellea")
    plan = SHAPES[shape]()
    module = package(tmp_path, text_of(plan), SLOTS)
    scoped = getattr(module, "SCOPED_REQUIREMENTS", {})
    emitted = [
        r.description for r in (*module.OPERATING_REQUIREMENTS, *(r for rs in scoped.values() for r in rs))
    ]
    wanted = [
        item.element.statement
        for item in plan.planned
        if item.element.polarity in (OBLIGES, FORBIDS)
        and item.entry.disposition in (Disposition.BUNDLE, Disposition.STUB)
    ]
    assert sorted(emitted) == sorted(wanted)


@pytest.fixture(scope="module")
def all_shapes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shapes")
    for shape, build in SHAPES.items():
        home = folder / f"shape_{shape.replace('-', '_')}"
        home.mkdir()
        (home / "__init__.py").write_text('"""A package."""\n', encoding="utf-8")
        (home / "constrained_slots.py").write_text(SLOTS, encoding="utf-8")
        (home / "requirements.py").write_text(text_of(build()), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    "judge",
    [
        pytest.param(["ruff", "check", "--isolated", "."], id="ruff-check"),
        pytest.param(["ruff", "format", "--isolated", "--diff", "."], id="ruff-format"),
        pytest.param(["mypy", "--strict", "."], id="mypy", marks=pytest.mark.slow),
    ],
)
def test_an_outside_judge_has_no_finding(all_shapes: Path, judge: list[str]) -> None:
    program = Path(sys.executable).with_name(judge[0])
    if not program.is_file():
        pytest.skip(f"{judge[0]} is not installed beside this Python")
    done = subprocess.run(
        [str(program), *judge[1:]], cwd=all_shapes, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_same_plan_gives_the_same_bytes() -> None:
    plan = committed(EVERY_KIND)
    assert generate_requirements(plan) == generate_requirements(replace(plan))
