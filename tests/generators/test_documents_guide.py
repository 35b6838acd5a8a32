"""SETUP.md and README.md: numbers that never shift, rows that say what to write, commands that exist."""

import ast
import re
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from msgspec import structs
from msgspec.structs import replace

from melleafy_tui.core.models.classification import Schedule
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.conversion_settings import Settings, checked_settings
from melleafy_tui.core.models.vocabulary import (
    DecisionSource,
    Disposition,
    EntryKind,
    Modality,
)
from melleafy_tui.core.package.setup_sections import (
    SETUP_SECTIONS,
    delegates_by_category,
    setup_guide_needed,
    stubs_by_category,
    triggered_sections,
)
from melleafy_tui.engine import open_conversion
from melleafy_tui.generators.render import render_package
from melleafy_tui.generators.schedule_rows import openclaw_heartbeat, wake_up_lines
from tests.converted import files_of
from tests.generators.committed import (
    REFERENCE_FILES,
    REFERENCE_PIECES,
    Piece,
    committed_plan,
    reference_plan,
)
from tests.generators.variants import plan_with
from tests.rows import every_row

MARKDOWN = MarkdownIt("gfm-like")
PERSONA = Piece("SOUL.md", "3-5", EntryKind.IDENTITY, form="section")
FILES = {**REFERENCE_FILES, ".env": "DESK_KEY=\n", "memory/2026-01-15.md": "note\n", "TOOLS.md": "Camera\n"}
ALWAYS = ["§1", "§3", "§9", "Host adapter — OpenClaw"]


def text_of(committed: CommittedPlan, name: str) -> str:
    return render_package(committed).by_path[f"{committed.package_name}/{name}"].text


def headings(committed: CommittedPlan) -> list[str]:
    found = re.findall(
        r"^##+ (§[\d.]+|Host adapter — OpenClaw)", text_of(committed, "SETUP.md"), flags=re.MULTILINE
    )
    return [heading for heading in found if heading not in ALWAYS]


def with_piece(piece: Piece, **values: object) -> CommittedPlan:
    return committed_plan(FILES, [PERSONA, piece], **values)  # type: ignore[arg-type]


DELEGATE, STUB, EXTERNAL = Disposition.DELEGATE_TO_RUNTIME, Disposition.STUB, Disposition.EXTERNAL_INPUT

TRIGGERS = [
    pytest.param(
        with_piece(Piece(".env", "1", EntryKind.CREDENTIAL, EXTERNAL, label="DESK_KEY")), ["§2"], id="§2"
    ),
    pytest.param(
        with_piece(Piece("memory/2026-01-15.md", "1", EntryKind.STATE, STUB)), ["§4", "§8"], id="§4-stub"
    ),
    pytest.param(with_piece(Piece("memory/2026-01-15.md", "1", EntryKind.STATE, DELEGATE)), ["§4"], id="§4"),
    pytest.param(with_piece(Piece("MEMORY.md", "1-3", EntryKind.MEMORY, DELEGATE)), ["§5"], id="§5"),
    pytest.param(with_piece(Piece("MEMORY.md", "1-3", EntryKind.MEMORY, STUB)), ["§5", "§8"], id="§5-stub"),
    pytest.param(
        with_piece(Piece("HEARTBEAT.md", "3", EntryKind.SCHEDULE, DELEGATE), modality=Modality.HEARTBEAT),
        ["§6"],
        id="§6",
    ),
    pytest.param(
        with_piece(
            Piece("HEARTBEAT.md", "1", EntryKind.SCHEDULE, DELEGATE),
            modality=Modality.HEARTBEAT,
            schedule=Schedule(type="interval", cadence="30m", seconds=1800, active_hours="9-17"),
        ),
        ["§6", "§6.1"],
        id="§6.1",
    ),
    pytest.param(with_piece(PERSONA, modality=Modality.EVENT_TRIGGERED), ["§7"], id="§7-event"),
    pytest.param(with_piece(Piece("AGENTS.md", "7", EntryKind.RULE, DELEGATE)), ["§7"], id="§7-rule"),
    pytest.param(with_piece(Piece("TOOLS.md", "1", EntryKind.TOOL_ABSTRACT, STUB)), ["§8"], id="§8"),
]


@pytest.mark.parametrize(("committed", "expected"), TRIGGERS)
def test_a_section_appears_only_when_triggered(committed: CommittedPlan, expected: list[str]) -> None:
    assert headings(committed) == expected


@pytest.mark.parametrize("disposition", [DELEGATE, STUB, Disposition.MOCK])
def test_the_section_of_a_credential_is_never_empty(disposition: Disposition) -> None:
    plan = with_piece(Piece(".env", "1", EntryKind.CREDENTIAL, disposition, label="DESK_KEY"))
    section = text_of(plan, "SETUP.md").partition("## §2 ")[2].partition("\n## ")[0]
    assert re.search(r"^- `.*desk_key", section, flags=re.MULTILINE), section


def test_the_suggested_command_plays_the_script_of_the_fixtures() -> None:
    readme = text_of(with_everything(), "README.md")
    assert "`melleafy-tui smoke . --all`" in readme
    assert "--fixture" not in readme


def test_a_readme_fits_one_screen_and_says_where_the_rest_is() -> None:
    long = "Weigh the goats before the gate is opened and write the figures down. " * 4
    tools = [
        Piece("TOOLS.md", str(n), EntryKind.TOOL_ABSTRACT, STUB, label=f"tool {n}") for n in range(1, 10)
    ]
    rules = [Piece("AGENTS.md", str(n), EntryKind.RULE, statement=f"{long}{n}") for n in range(1, 10)]
    readme = text_of(
        committed_plan({"TOOLS.md": "x\n" * 9, "AGENTS.md": "y\n" * 9}, [*tools, *rules]), "README.md"
    )
    assert len(re.findall(r"^- `.*\(`SETUP.md` §8\)$", readme, re.MULTILINE)) == 6
    assert "Write 9 functions in" in readme
    assert "- and 3 more functions that [SETUP.md](SETUP.md) lists" in readme
    assert "- and 3 more rules in `requirements.py`" in readme
    assert all(len(line) <= 170 for line in readme.splitlines() if line.startswith("- "))


def with_everything(timezone: str = "") -> CommittedPlan:
    return committed_plan(
        FILES,
        [
            *REFERENCE_PIECES,
            Piece(".env", "1", EntryKind.CREDENTIAL, EXTERNAL, label="DESK_KEY"),
            Piece("memory/2026-01-15.md", "1", EntryKind.STATE, DELEGATE),
            Piece("TOOLS.md", "1", EntryKind.TOOL_ABSTRACT, STUB),
        ],
        modality=Modality.HEARTBEAT,
        secondary=(Modality.EVENT_TRIGGERED,),
        schedule=Schedule(
            type="interval",
            cadence="30m",
            seconds=1800,
            active_hours="9-17",
            active_start="09:00",
            active_end="17:00",
            timezone=timezone,
        ),
    )


def test_numbers_never_shift() -> None:
    numbers = [section.number for section in SETUP_SECTIONS if section.number and section.number != "§5.1"]
    found = re.findall(r"^##+ (§[\d.]+) ", text_of(with_everything(), "SETUP.md"), flags=re.MULTILINE)
    assert found == numbers


@pytest.mark.parametrize("timezone", ["", "Europe/Dublin", "America/Argentina/ComodRivadavia"])
def test_python_in_the_documents_is_formatted(timezone: str, tmp_path: Path) -> None:
    committed = with_everything(timezone)
    for name in ("SETUP.md", "README.md"):
        for number, block in enumerate(blocks(text_of(committed, name), "python")):
            (tmp_path / f"{name}_{number}.py").write_text(block, encoding="utf-8")
    ruff = Path(sys.executable).with_name("ruff")
    done = subprocess.run(
        [ruff, "format", "--isolated", "--diff", tmp_path], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_python_in_the_guide_fits_into_88_columns() -> None:
    examples = blocks(text_of(with_everything("America/Argentina/ComodRivadavia"), "SETUP.md"), "python")
    assert examples
    assert [line for example in examples for line in example.splitlines() if len(line) > 88] == []


@pytest.mark.parametrize(
    ("piece", "section"),
    [
        (Piece("memory/2026-01-15.md", "1", EntryKind.STATE, Disposition.REAL_IMPL), "§4"),
        (Piece("MEMORY.md", "1-3", EntryKind.MEMORY, Disposition.REAL_IMPL), "§5"),
    ],
    ids=["state", "memory"],
)
def test_what_is_kept_on_disk_says_where(piece: Piece, section: str) -> None:
    committed = with_piece(piece)
    (after,) = re.findall(
        rf"^## {section} .*?(?=^## )", text_of(committed, "SETUP.md"), re.MULTILINE | re.DOTALL
    )
    assert f"`~/.local/state/{committed.package_name}`" in after
    assert f"`{committed.package_name.upper()}_HOME`" in after
    assert f'home_folder("{committed.package_name}")' in text_of(committed, "tools.py")


def test_the_wiki_has_its_subsection() -> None:
    committed = with_piece(Piece("MEMORY.md", "1-3", EntryKind.MEMORY, DELEGATE))
    entries = tuple(
        replace(entry, setup_section="§5.1") if entry.kind is EntryKind.MEMORY else entry
        for entry in committed.plan.entries
    )
    wiki = structs.replace(committed, plan=replace(committed.plan, entries=entries))
    assert [section.number for section in triggered_sections(wiki)] == [
        "§1",
        "§3",
        "§5",
        "§5.1",
        "§9",
        "",
    ]
    assert "### §5.1 Wiki-structured memory" in text_of(wiki, "SETUP.md")


def test_a_package_that_needs_nothing_has_no_guide_and_no_link_to_one() -> None:
    committed = committed_plan(FILES, [PERSONA])
    assert not setup_guide_needed(committed)
    assert f"{committed.package_name}/SETUP.md" not in render_package(committed).by_path
    for name in ("README.md", "mapping_report.md"):
        assert "SETUP.md" not in text_of(committed, name)


@pytest.mark.parametrize("other", [{"model_id": "llama3.2"}, {"backend": "openai"}], ids=["model", "backend"])
def test_another_backend_calls_for_the_guide(other: dict[str, str]) -> None:
    committed = committed_plan(FILES, [PERSONA], settings=checked_settings(other))
    assert setup_guide_needed(committed)


def test_each_stub_row_names_symbol_signature_lines_and_what_to_write() -> None:
    committed = committed_plan(
        FILES,
        [
            *REFERENCE_PIECES,
            Piece("TOOLS.md", "1", EntryKind.TOOL_ABSTRACT, STUB),
            Piece("memory/2026-01-15.md", "1", EntryKind.STATE, STUB),
        ],
    )
    files = render_package(committed).by_path
    tree = ast.parse(files[f"{committed.package_name}/constrained_slots.py"].text)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    assert [function.name for function in functions if function.name == "recall_memory"]
    functions = [function for function in functions if function.name != "recall_memory"]
    guide = text_of(committed, "SETUP.md")
    table = guide[guide.index("## §8") : guide.index("## §9")]
    assert len(functions) == 2
    assert "recall_memory" not in table
    for function in functions:
        arguments = ", ".join(ast.unparse(argument) for argument in function.args.args)
        (row,) = [
            line
            for line in table.splitlines()
            if f"`{function.name}({arguments}) -> {ast.unparse(function.returns or ast.Constant(None))}`"
            in line
        ]
        assert re.search(r"`[\w./-]+:\d+", row)
        assert f"(constrained_slots.py#L{function.lineno})" in row
        assert row.split("|")[4].strip()


def test_active_hours_are_said_in_the_words_of_the_seed() -> None:
    guide = text_of(reference_plan(), "SETUP.md")
    assert (
        "declared `activeHours`: business hours. Mellea has no equivalent; the generated pipeline will run"
        in guide
    )
    assert "APScheduler, cron, OpenClaw itself" in guide


def test_a_hook_is_listed_with_its_events() -> None:
    workspace = Path(__file__).parents[1] / "dialects" / "openclaw" / "workspaces" / "hooks-folder"
    guide = next(file.text for file in files_of(workspace).files if file.path.endswith("/SETUP.md"))
    assert "(on `message:received`) | `hooks/arrival/HOOK.md:" in guide


def test_rules_left_to_the_host_are_listed() -> None:
    committed = reference_plan(changed={"AGENTS.md:7": DELEGATE})
    guide = text_of(committed, "SETUP.md")
    assert (
        "- If a ticket mentions data loss, escalate it to the on-call engineer." in guide[guide.index("§7") :]
    )


CRONS = [
    (Schedule(seconds=1800), ["*/30 * * * *"]),
    (Schedule(seconds=60), ["* * * * *"]),
    (Schedule(seconds=3600), ["0 * * * *"]),
    (Schedule(seconds=7200), ["0 */2 * * *"]),
    (Schedule(seconds=86400), ["0 9 * * *"]),
    (Schedule(seconds=604800), ["0 0 * * *"]),
    (Schedule(seconds=5400), ["0 */3 * * *", "30 1,4,7,10,13,16,19,22 * * *"]),
    (Schedule(seconds=90), ["* * * * *"]),
    (Schedule(seconds=30), ["* * * * *"]),
    (Schedule(cron="0 9 * * 1-5"), ["0 9 * * 1-5"]),
    (Schedule(cron="0 9 * * *; rm -rf /"), ["0 * * * *"]),
    (
        Schedule(seconds=1800, active_start="09:00", active_end="18:00", timezone="Europe/Dublin"),
        ["*/30 9-17 * * *"],
    ),
    (
        Schedule(seconds=1800, active_start="09:30", active_end="18:00"),
        ["30 9 * * *", "*/30 10-17 * * *"],
    ),
    (Schedule(seconds=14400, active_start="09:00", active_end="11:00"), ["0 9 * * *"]),
    (Schedule(seconds=3600, active_start="22:00", active_end="06:00"), ["0 0,1,2,3,4,5,22,23 * * *"]),
    (Schedule(seconds=1800, active_start="08:00", active_end="24:00"), ["*/30 8-23 * * *"]),
    (Schedule(cron="*/30 * * * *", active_start="08:00", active_end="10:00"), ["*/30 8,9 * * *"]),
]


@pytest.mark.parametrize(("schedule", "lines"), CRONS)
def test_a_schedule_in_the_words_of_cron(schedule: Schedule, lines: list[str]) -> None:
    found = wake_up_lines(committed_plan(FILES, [PERSONA], schedule=schedule))
    assert [each.line for each in found] == lines
    assert {each.message for each in found} == {"heartbeat"}


def test_the_way_back_to_openclaw_carries_interval_and_window() -> None:
    schedule = Schedule(seconds=5400, active_start="09:00", active_end="18:00", timezone="Europe/Dublin")
    text = openclaw_heartbeat(schedule)
    assert '"every": "90m"' in text
    assert '"start": "09:00"' in text
    assert openclaw_heartbeat(Schedule(cadence="when it rains")) == ""


def blocks(text: str, language: str) -> list[str]:
    return [
        token.content for token in MARKDOWN.parse(text) if token.type == "fence" and token.info == language
    ]


@pytest.mark.parametrize("name", ["SETUP.md", "README.md"])
@pytest.mark.parametrize(("committed", "_expected"), TRIGGERS)
def test_code_blocks_are_code(committed: CommittedPlan, _expected: list[str], name: str) -> None:
    text = text_of(committed, name)
    for block in blocks(text, "python"):
        compile(block, name, "exec")
    for block in blocks(text, "bash"):
        done = subprocess.run(["bash", "-n"], input=block, text=True, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr


def test_a_hostile_model_name_is_one_word_of_the_shell() -> None:
    settings = Settings(model_id="x'; rm -rf ~ #\n`id`")
    (block,) = [
        b
        for b in blocks(text_of(committed_plan(FILES, [PERSONA], settings=settings), "SETUP.md"), "bash")
        if "pull" in b
    ]
    shown = subprocess.run(
        ["bash", "-c", f"ollama() {{ printf '%s|' \"$@\"; }}; {block}"],
        text=True,
        capture_output=True,
        check=True,
    )
    assert shown.stdout == "pull|x'; rm -rf ~ # `id`|"


def test_the_readme_tells_what_the_user_decided() -> None:
    committed = reference_plan()
    entry = next(entry for entry in committed.plan.entries if entry.kind is EntryKind.MEMORY)
    chosen = replace(
        entry,
        source_of_decision=DecisionSource.USER,
        default_disposition=Disposition.BUNDLE,
        override_rationale="our *own* store",
    )
    entries = tuple(chosen if found is entry else found for found in committed.plan.entries)
    text = text_of(
        structs.replace(committed, plan=replace(committed.plan, entries=entries)),
        "README.md",
    )
    (row,) = [line for line in text.splitlines() if "our \\*own\\* store" in line]
    assert "`MEMORY.md:1-3`" in row
    assert "part of the package | left to the host" in row


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(st.text(min_size=1, max_size=40))
def test_hostile_words_never_change_the_structure(words: str) -> None:
    plain = reference_plan(changed={"AGENTS.md:7": DELEGATE})
    nasty = f"{words} <img src=x> ![a](b) | {words}"
    elements = tuple(
        replace(element, content_summary=nasty, statement=nasty, value=nasty if element.value else "")
        for element in plain.inventory.elements
    )
    hostile = structs.replace(
        plain, project_name=nasty, inventory=replace(plain.inventory, elements=elements)
    )
    for name in ("SETUP.md", "README.md"):
        assert shape_of(text_of(hostile, name)) == shape_of(text_of(plain, name))


def shape_of(text: str) -> list[tuple[str, str]]:
    shape = []
    for token in MARKDOWN.parse(text):
        shape.append((token.type, token.tag))
        for child in token.children or []:
            assert child.type not in ("html_inline", "image"), child.content
            if child.type == "link_open":
                href = str(child.attrs["href"])
                assert not href.startswith("http") or href in ("https://mellea.ai", "https://ollama.com"), (
                    href
                )
    return shape


def test_the_readme_lists_rules_and_no_notes() -> None:
    text = text_of(plan_with({}), "README.md")
    kept = text[text.index("## What is checked") : text.index("## What is yours to do")]
    assert "- Never close a ticket." in kept
    assert "You may joke" not in kept


def test_the_readme_names_the_error_of_a_validator_where_one_is_to_be_written() -> None:
    assert "`RuleError`" in text_of(plan_with({"rule": Disposition.STUB}), "README.md")
    assert "RuleError" not in text_of(plan_with({}), "README.md")


def test_the_documents_and_the_recap_count_stubs_by_one_rule() -> None:
    rows = [
        (Piece("MEMORY.md", "1-3", EntryKind.MEMORY, DELEGATE), 0, "§5"),
        (Piece("MEMORY.md", "1-3", EntryKind.MEMORY, STUB), 1, "§5"),
        (Piece("memory/2026-01-15.md", "1", EntryKind.STATE, DELEGATE), 0, "§4"),
        (Piece("memory/2026-01-15.md", "1", EntryKind.STATE, STUB), 1, "§4"),
    ]
    for piece, count, section in rows:
        committed = with_piece(piece)
        guide, readme = text_of(committed, "SETUP.md"), text_of(committed, "README.md")
        assert sum(stubs_by_category(committed.plan.entries, committed.inventory).values()) == count
        assert sum(delegates_by_category(committed.plan.entries).values()) == 1 - count
        assert ("## §8" in guide) == bool(count)
        assert ("Write 1 function in" if count else "No function is left to write.") in readme
        assert section in readme
        assert ("1 function is left to write" in text_of(committed, "mapping_report.md")) == bool(count)
    hook = with_piece(rows[0][0])
    variable = re.search(r"export (\w+_MEMORY)=", text_of(hook, "SETUP.md"))
    assert variable
    assert f'"{variable[1]}"' in text_of(hook, "constrained_slots.py")


def test_the_readme_says_what_is_not_checked_and_not_in_the_package(tmp_path: Path) -> None:
    notes = ("memory/2026-01-14.md", "ROUTES.md")
    for name in ("AGENTS.md", "SOUL.md", *notes, "plans/next.md", "plans/old/first.md", "photo.png"):
        (tmp_path / "desk" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "desk" / name).write_text("# Rules\n\nThe desk is by the door.\n", encoding="utf-8")
    made = open_conversion(tmp_path / "desk", as_of=date(2026, 1, 15), generated_at="2026-01-15T00:00:00Z")
    (readme,) = (each.text for each in made.files.files if each.path.endswith("_mellea/README.md"))
    assert "No rule of yours is checked" in readme
    assert "--strict" not in readme
    assert "they aren't copied: `ROUTES.md`, `photo.png`, `plans/`." in readme


@pytest.mark.parametrize(
    ("said", "described"),
    [
        ("Sorts tickets. Answers them.", "Sorts tickets. Answers them."),
        (f"Sorts {'very ' * 26}old tickets. {'It ' * 20}", f"Sorts {'very ' * 26}old tickets."),
        ("word " * 50, f"{('word ' * 31).strip()}…"),
    ],
    ids=["short", "whole sentences", "one long sentence"],
)
def test_a_description_ends_at_a_sentence_where_it_can(said: str, described: str) -> None:
    piece = Piece("IDENTITY.md", "1", EntryKind.IDENTITY, label="role", value=said.strip())
    text = text_of(committed_plan({"IDENTITY.md": "x\n"}, [piece]), "README.md")
    assert text.splitlines()[2] == described


@every_row(
    ("first", "second"),
    [
        ("You are not a chatbot.", "You are Ada, the night baker."),
        ("你不是聊天机器人。", "你是夜班面包师艾达。"),
        ("Du bist kein Chatbot.", "Du bist Ada, die Nachtbäckerin."),
        ("Speed is the law.", "Sou a Ada, padeira da noite."),
    ],
)
def test_a_description_says_who_the_agent_is_where_the_persona_does(
    first: str, second: str, tmp_path: Path
) -> None:
    (tmp_path / "SOUL.md").write_text(f"# Soul\n\n{first}\n\n## Identity\n\n{second}\n", encoding="utf-8")
    (readme,) = (file.text for file in files_of(tmp_path).files if file.path.endswith("/README.md"))
    assert readme.splitlines()[2] == second.rstrip(".。")


def test_a_copy_of_memory_is_told_once_whether_its_folder_can_be_chosen_or_not() -> None:
    pieces = [
        Piece("a.md", "1", EntryKind.MEMORY, Disposition.BUNDLE),
        Piece("b.md", "1", EntryKind.MEMORY, Disposition.LOAD_FROM_DISK),
    ]
    text = text_of(committed_plan({"a.md": "x\n", "b.md": "y\n"}, pieces), "SETUP.md")
    assert text.count("A copy of the memory lies in") == 1
    assert "`--memory-path` names another folder for a part of it" in text
    text = text_of(committed_plan({"b.md": "y\n"}, pieces[1:]), "SETUP.md")
    assert "`--memory-path` names another folder. **Look" in text
    text = text_of(committed_plan({"a.md": "x\n"}, pieces[:1]), "SETUP.md")
    assert "--memory-path" not in text


def test_a_second_name_does_not_take_the_place_of_the_first(tmp_path: Path) -> None:
    (tmp_path / "desk").mkdir()
    (tmp_path / "desk" / "SOUL.md").write_text("# Soul\n\nKind.\n", encoding="utf-8")
    names = "# Identity\n\n- **Name:** Ada\n- **name:** Lin\n"
    (tmp_path / "desk" / "IDENTITY.md").write_text(names, encoding="utf-8")
    made = open_conversion(tmp_path / "desk", as_of=date(2026, 1, 15), generated_at="2026-01-15T00:00:00Z")
    (config,) = (each.text for each in made.files.files if each.path.endswith("_mellea/config.py"))
    assert 'AGENT_NAME: Final = "Ada"' in config
    assert '{"name (2)": "Lin"}' in config
