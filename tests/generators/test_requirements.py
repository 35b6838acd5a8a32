"""The emitted requirements.py: one entry per rule, judged, checked or prompt text, clean under every outside judge."""

import importlib
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from pathlib import Path
from types import ModuleType

import pytest
from msgspec import structs

from melleafy_tui.core.language.orders import Polarity
from melleafy_tui.core.language.reply_checks import check_of
from melleafy_tui.core.models.classification import Classification
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.conversion_settings import Settings
from melleafy_tui.core.models.inventory import Element, Inventory
from melleafy_tui.core.models.mapping import ElementMapping, MappingEntry
from melleafy_tui.core.models.plan import DependencyPlan, PlanEntry
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.vocabulary import (
    Archetype,
    Category,
    DecisionSource,
    Disposition,
    EntryKind,
    Modality,
    Shape,
    Tag,
    ToolInvolvement,
    ValidationKind,
)
from melleafy_tui.generators.documents import Documents
from melleafy_tui.generators.requirements import generate_requirements
from melleafy_tui.generators.runtime.prompts import document
from melleafy_tui.generators.static_modules import static_module

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
    texts: dict[str, str] = {}
    for number, (statement, polarity) in enumerate(rules, start=1):
        scope = (scopes or {}).get(number, "")
        disposition = (dispositions or {}).get(number, Disposition.BUNDLE)
        file = f"{scope}/AGENTS.md" if scope else "AGENTS.md"
        first = texts.get(file, "").count("\n") + 1
        texts[file] = texts.get(file, "") + f"- {statement}\n"
        last = texts[file].count("\n")
        elements.append(
            Element(
                f"elem_{number:03d}",
                file,
                str(first) if first == last else f"{first}-{last}",
                "item",
                Tag.DECIDE,
                Category.C2,
                content_summary=statement[:100],
                content_full=f"- {statement}",
                statement=statement,
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
                check=(check := check_of(statement)),
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
        snapshot=Snapshot("w", "/w", tuple(SourceFile(path, None, text) for path, text in texts.items()), ()),
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
    (file,) = generate_requirements(Documents(plan))
    assert file.path == "ticket_triage_mellea/requirements.py"
    return file.text


def add_runtime(package: Path) -> None:
    """Add the static modules that requirements.py uses, and a door with all their names."""
    shared = package / "_runtime"
    shared.mkdir()
    offering = ("checks", "language_check", "permissions", "prompts")
    for name in (*offering, "rule_panel", "runtime", "tools_common"):
        (shared / f"{name}.py").write_bytes(static_module(f"{name}.py"))
    door = "".join(f"from .{name} import *\n" for name in offering)
    (shared / "__init__.py").write_text(door, encoding="utf-8")


@pytest.fixture
def module(tmp_path: Path) -> Iterator[Callable[[CommittedPlan], ModuleType]]:
    """Return a function that loads the requirements.py of a plan beside the static modules."""
    pytest.importorskip("mellea")
    name = "package_of_rules"

    def load(plan: CommittedPlan) -> ModuleType:
        add_runtime(tmp_path)
        (tmp_path / "requirements.py").write_text(text_of(plan), encoding="utf-8")
        (tmp_path / "constrained_slots.py").write_text(SLOTS, encoding="utf-8")
        package = ModuleType(name)
        package.__path__ = [str(tmp_path)]
        sys.modules[name] = package
        return importlib.import_module(f"{name}.requirements")

    yield load
    for known in [known for known in sys.modules if known == name or known.startswith(f"{name}.")]:
        del sys.modules[known]


Load = Callable[[CommittedPlan], ModuleType]

SLOTS = '''"""Functions of the host."""


def validate_rule_2(reply: str) -> str:
    """Return why the reply breaks AGENTS.md:2, or an empty text."""
    raise NotImplementedError("validate_rule_2: write it, see SETUP.md §8")


validate_rule_4 = validate_rule_2
'''

STUBBED = {2: Disposition.STUB}


def test_the_document_comes_out_in_pieces() -> None:
    assert (
        text_of(committed(REFERENCE))
        == '''"""The owner's rules as they stand, in order; beside them what is judged or checked."""

from ._runtime import Piece, at_most

OPERATING_REQUIREMENTS: list[Piece] = [
    Piece(
        "- Never auto-close a ticket without confirmation.\\n",
        "AGENTS.md:1",
        asks="Never auto-close a ticket without confirmation.",
    ),
    Piece(
        "- Keep every reply under 120 words.\\n",
        "AGENTS.md:2",
        asks="Keep every reply under 120 words.",
        check=at_most(119, "words"),
    ),
    Piece(
        "- If a ticket mentions data loss, escalate it to the on-call engineer.\\n",
        "AGENTS.md:3",
        asks="If a ticket mentions data loss, escalate it to the on-call engineer.",
    ),
    Piece(
        "- You may look up past tickets freely.\\n",
        "AGENTS.md:4",
    ),
]
'''
    )


def test_each_emitted_line_of_a_rule_leads_back_to_its_element() -> None:
    (file,) = generate_requirements(Documents(committed(REFERENCE)))
    lines = file.text.split("\n")
    for number, words in enumerate(("auto-close", "under 120", "data loss", "look up"), 1):
        marks = [mark for mark in file.provenance if mark.element_id == f"elem_{number:03}"]
        assert len(marks) == 1 + (number < 4)
        assert all(words in lines[mark.first - 1] for mark in marks)


def test_a_piece_is_judged_checked_or_text_and_all_of_them_are_the_document(module: Load) -> None:
    pieces = module(committed(REFERENCE)).OPERATING_REQUIREMENTS
    assert [(bool(piece.asks), piece.check is not None) for piece in pieces] == [
        (True, False),
        (True, True),
        (True, False),
        (False, False),
    ]
    assert document(pieces) == "".join(f"- {text}\n" for text, _ in REFERENCE)
    assert pieces[1].check("word " * 119) == ""
    assert "at most 119" in pieces[1].check("word " * 120)


def test_a_rule_judged_individually_has_a_call_of_its_own(module: Load) -> None:
    rules = module(committed(REFERENCE, alone=[1])).OPERATING_REQUIREMENTS
    assert [rule.own_call for rule in rules] == [True, False, False, False]


def test_a_scoped_rule_is_listed_by_its_scope(module: Load) -> None:
    rules = [*REFERENCE, ("No emoji.", FORBIDS), ("Cite the page.", OBLIGES)]
    found = module(committed(rules, scopes={5: "docs", 6: "docs"}))
    assert len(found.OPERATING_REQUIREMENTS) == len(REFERENCE)
    assert [(rule.asks, rule.source) for rule in found.SCOPED_REQUIREMENTS["docs"]] == [
        ("No emoji.", "docs/AGENTS.md:1"),
        ("Cite the page.", "docs/AGENTS.md:2"),
    ]


def test_a_stub_validator_is_the_check_of_its_rule(module: Load) -> None:
    found = module(committed(REFERENCE, dispositions=STUBBED))
    assert found.OPERATING_REQUIREMENTS[1].check == found.validate_rule_2


def test_a_delegated_rule_is_listed_for_the_host_alone(module: Load) -> None:
    found = module(committed(REFERENCE, dispositions={1: Disposition.DELEGATE_TO_RUNTIME}))
    assert [(rule.text, rule.asks) for rule in found.HOST_RULES] == [(REFERENCE[0][0], "")]
    assert REFERENCE[0][0] not in document(found.OPERATING_REQUIREMENTS)


def test_a_removed_rule_is_nowhere() -> None:
    assert "auto-close" not in text_of(committed(REFERENCE, dispositions={1: Disposition.REMOVE}))


def test_a_workspace_without_rules_gets_no_file() -> None:
    assert generate_requirements(Documents(committed([]))) == []


EVERY_KIND: list[Rule] = [
    ("Keep every reply under 120 words.", OBLIGES),
    ("Replies must be at least 2 words.", OBLIGES),
    ("Keep replies to 2-3 sentences.", OBLIGES),
    ("At most 280 characters.", OBLIGES),
    ("Use at most five bullet points.", OBLIGES),
    ("Ask at most one question at a time.", OBLIGES),
    ("Use at most 1 exclamation mark per reply.", OBLIGES),
    ("No more than 4 lines.", OBLIGES),
    ("No headings in replies.", FORBIDS),
    ("No emoji.", FORBIDS),
    ("Reply in plain text.", OBLIGES),
    ("Answer in JSON only.", OBLIGES),
    ("Every reply must include a link.", OBLIGES),
    ("Always answer in Portuguese.", OBLIGES),
    ('Never say "as an \\ AI language model" or "sorry".', FORBIDS),
    ('Replies must contain "Regards" and "Yours".', OBLIGES),
    ('Start every reply with "Hello".', OBLIGES),
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
    assert [text for text, _ in EVERY_KIND if check_of(text) is None] == []


@pytest.mark.parametrize("shape", SHAPES)
def test_the_document_comes_back_as_it_stood(shape: str, module: Load) -> None:
    plan = SHAPES[shape]()
    found = module(plan)
    scoped = getattr(found, "SCOPED_REQUIREMENTS", {})
    emitted = [
        *getattr(found, "OPERATING_REQUIREMENTS", ()),
        *(rule for rules in scoped.values() for rule in rules),
    ]
    kept = [
        item.element
        for item in plan.planned
        if item.entry.disposition in (Disposition.BUNDLE, Disposition.STUB)
    ]
    by_file = groupby(sorted(kept, key=lambda each: each.scope), key=lambda each: each.source_file)
    texts = {file: "".join(f"- {element.statement}\n" for element in elements) for file, elements in by_file}
    for file, text in texts.items():
        assert "".join(piece.text for piece in emitted if piece.source.startswith(f"{file}:")) == text
    required = {entry.element_id for entry in plan.mapping.mappings if entry.validation_kind is not None}
    binding = {element.statement for element in kept if element.element_id in required}
    assert {piece.asks for piece in emitted if piece.asks} == binding


@pytest.fixture(scope="module")
def all_shapes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shapes")
    for shape, build in SHAPES.items():
        home = folder / f"shape_{shape.replace('-', '_')}"
        home.mkdir()
        add_runtime(home)
        (home / "__init__.py").write_text('"""A package."""\n', encoding="utf-8")
        (home / "constrained_slots.py").write_text(SLOTS, encoding="utf-8")
        (home / "requirements.py").write_text(text_of(build()), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    "judge",
    [
        pytest.param(["ruff", "check", "--isolated"], id="ruff-check"),
        pytest.param(["ruff", "format", "--isolated", "--diff"], id="ruff-format"),
        pytest.param(["mypy", "--strict"], id="mypy", marks=pytest.mark.slow),
    ],
)
def test_an_outside_judge_has_no_finding(all_shapes: Path, judge: list[str]) -> None:
    program = Path(sys.executable).with_name(judge[0])
    if not program.is_file():
        pytest.skip(f"{judge[0]} is not installed beside this Python")
    files = ["."] if judge[0] == "mypy" else [str(path) for path in all_shapes.glob("*/requirements.py")]
    done = subprocess.run(
        [str(program), *judge[1:], *files],
        cwd=all_shapes,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_same_plan_gives_the_same_bytes() -> None:
    plan = committed(EVERY_KIND)
    assert generate_requirements(Documents(plan)) == generate_requirements(Documents(structs.replace(plan)))
