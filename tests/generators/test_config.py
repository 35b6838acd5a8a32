"""config.py carries the source's words exactly, and says where they stood."""

import ast
import importlib
import re
import subprocess
import sys
import sysconfig
import tempfile
from datetime import date
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import RunCost
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.engine import open_conversion
from melleafy_tui.generators.config import generate_config
from melleafy_tui.generators.documents import Documents
from tests.generators.committed import (
    REFERENCE_FILES,
    Piece,
    committed_plan,
    reference_plan,
)
from tests.generators.texts import AWKWARD, PLANES, texts_with

RUFF = Path(sysconfig.get_path("scripts")) / "ruff"

ANY_TEXT = st.text(
    st.characters(codec=None) | st.sampled_from("\"'\\\n\r\t\0{}#`\u2028\ud800🎫"), min_size=1, max_size=200
)


def config_of(plan: CommittedPlan) -> tuple[str, ModuleType]:
    """Return the text of config.py and what Python makes of it."""
    (file,) = generate_config(Documents(plan))
    module = ModuleType("config")
    exec(compile(file.data, "config.py", "exec"), module.__dict__)
    return file.text, module


def soul_piece(text: str) -> Piece:
    lines = max(1, len(text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n").split("\n")))
    return Piece("SOUL.md", f"1-{lines}" if lines > 1 else "1", EntryKind.IDENTITY, form="section")


def soul_plan(text: str) -> CommittedPlan:
    return committed_plan({"SOUL.md": text}, [soul_piece(text)])


def ended(text: str) -> str:
    """Return a text with a line end, as words without lines of their own get one."""
    return text if text.endswith("\n") else f"{text}\n"


@given(ANY_TEXT)
def test_the_persona_is_the_source_text(text: str) -> None:
    _, config = config_of(soul_plan(text))
    assert text == config.PREFIX_TEXT


@given(st.lists(ANY_TEXT, min_size=1, max_size=3))
def test_facts_and_fields_come_back(texts: list[str]) -> None:
    pieces = [
        Piece("USER.md", str(number), EntryKind.FACT_STABLE, statement=text)
        for number, text in enumerate(texts, 1)
    ]
    pieces += [
        Piece("IDENTITY.md", str(number), EntryKind.IDENTITY, label=f"label {number} {text}", value=text)
        for number, text in enumerate(texts, 1)
    ]
    _, config = config_of(committed_plan({}, pieces))
    assert "".join(map(ended, texts)) == config.USER_CONTEXT
    assert {f"label {number} {text}": text for number, text in enumerate(texts, 1)} == config.AGENT_METADATA


@settings(max_examples=30, deadline=None)
@given(st.lists(ANY_TEXT, min_size=1, max_size=4))
def test_config_is_formatted_whatever_it_holds(texts: list[str]) -> None:
    pieces = [
        Piece("USER.md", str(number), EntryKind.FACT_STABLE, statement=text)
        for number, text in enumerate(texts, 1)
    ]
    pieces += [
        Piece(
            "HEARTBEAT.md",
            str(number),
            EntryKind.SCHEDULE,
            Disposition.DELEGATE_TO_RUNTIME,
            symbol="HEARTBEAT_CHECKLIST",
            statement=text,
        )
        for number, text in enumerate(texts, 1)
    ]
    pieces.append(Piece("SOUL.md", "1", EntryKind.IDENTITY, form="section"))
    source = generate_config(Documents(committed_plan({"SOUL.md": texts[0]}, pieces)))[0].data
    done = subprocess.run([RUFF, "format", "--isolated", "-"], input=source, capture_output=True, check=False)
    assert done.stdout == source


def test_a_removed_section_leaves_the_persona_without_a_gap() -> None:
    text, config = config_of(reference_plan(changed={"SOUL.md:3-5": Disposition.REMOVE}))
    assert config.PREFIX_TEXT == "# Soul\n\n## Boundaries\n\n- Private things stay private.\n"
    assert "# PROVENANCE: SOUL.md:1-2\n# PROVENANCE: SOUL.md:7-9\n" in text


def test_a_heading_whose_section_went_elsewhere_leaves_the_persona_too() -> None:
    files = {"SOUL.md": "# Soul\n\nCalm.\n\n## When to ask\n\n- Money: ask Bo\n\n## Notes\n\nBows.\n"}
    pieces = [
        Piece("SOUL.md", "1-3", EntryKind.IDENTITY, form="section", section=("Soul",)),
        Piece("SOUL.md", "5", None, form="heading", section=("Soul",), statement="When to ask"),
        Piece("SOUL.md", "7", EntryKind.RULE, section=("Soul", "When to ask")),
        Piece("SOUL.md", "9-11", EntryKind.IDENTITY, form="section", section=("Soul", "Notes")),
    ]
    _, config = config_of(committed_plan(files, pieces))
    assert config.PREFIX_TEXT == "# Soul\n\nCalm.\n\n## Notes\n\nBows.\n"


def test_pieces_of_a_persona_keep_their_headings_lead_ins_and_table_headers() -> None:
    text = (
        "# Who\n\n- **Name:** Bo\n\n## Manners\n\n**Bow before:**\n- guests\n- goats\n\n"
        "| Guest | Bow |\n|---|---|\n| queen | deep |\n\nFields:\n- **Motto:** Slowly\n\n## Links\n\n- See x\n"
    )
    manners = ("Who", "Manners")
    pieces = [
        Piece("IDENTITY.md", "1", None, form="heading", statement="Who"),
        Piece(
            "IDENTITY.md",
            "3",
            EntryKind.IDENTITY,
            label="name",
            value="Bo",
            symbol="AGENT_NAME",
            section=("Who",),
        ),
        Piece("IDENTITY.md", "5", None, form="heading", section=("Who",), statement="Manners"),
        Piece("IDENTITY.md", "7", None, form="lead_in", section=manners, statement="Bow before:"),
        *(
            Piece("IDENTITY.md", line, EntryKind.IDENTITY, section=manners, context=("Bow before:",))
            for line in ("8", "9")
        ),
        Piece("IDENTITY.md", "11-12", None, form="table_header", section=manners),
        Piece("IDENTITY.md", "13", EntryKind.IDENTITY, form="table_row", section=manners),
        Piece("IDENTITY.md", "15", None, form="lead_in", section=manners, statement="Fields:"),
        Piece("IDENTITY.md", "16", EntryKind.IDENTITY, label="motto", value="Slowly", section=manners),
        Piece("IDENTITY.md", "18", None, form="heading", section=("Who",), statement="Links"),
        Piece("IDENTITY.md", "20", None, section=("Who", "Links")),
    ]
    _, config = config_of(committed_plan({"IDENTITY.md": text}, pieces))
    assert config.PREFIX_TEXT == (
        "# Who\n\n## Manners\n\n**Bow before:**\n- guests\n- goats\n\n"
        "| Guest | Bow |\n|---|---|\n| queen | deep |\n\n## Links\n\n- See x\n"
    )
    assert config.AGENT_METADATA == {"motto": "Slowly"}


def test_no_persona_is_an_empty_text() -> None:
    _, config = config_of(committed_plan({}, []))
    assert config.PREFIX_TEXT == ""


def test_prose_of_another_file_joins_the_persona_without_its_fields() -> None:
    files = {
        "IDENTITY.md": "- **Name:** Bo\n\n## Manners\n\nBows first.\n",
        "SOUL.md": "Calm.",
    }
    pieces = [
        Piece("IDENTITY.md", "1", EntryKind.IDENTITY, label="name", value="Bo"),
        Piece("IDENTITY.md", "3-5", EntryKind.IDENTITY, form="section"),
        Piece("SOUL.md", "1", EntryKind.IDENTITY, form="section"),
    ]
    text, config = config_of(committed_plan(files, pieces))
    assert config.PREFIX_TEXT == "## Manners\n\nBows first.\n\nCalm."
    assert "# PROVENANCE: IDENTITY.md:3-5\n# PROVENANCE: SOUL.md:1\n" in text


def test_a_masked_value_keeps_its_place_in_the_persona_and_in_a_field(tmp_path: Path) -> None:
    secret = "sk-proj-" + "q7Rt2Lm9Xc4Vb8Nk1Zs6" * 2
    (tmp_path / "SOUL.md").write_text(f"Calm.\nThe API key is {secret} today.\nBow first.\n")
    (tmp_path / "IDENTITY.md").write_text(f"- login: {secret}\n")
    conversion = open_conversion(tmp_path, as_of=date(2026, 1, 15), generated_at="2026-01-15T00:00:00Z")
    (text,) = (file.text for file in conversion.files.files if file.path.endswith("/config.py"))
    assert secret not in text
    assert re.search(r"Calm\.\nThe API key is \$\{\w+\} today\.\nBow first\.\n", text)
    assert re.search(r'"login": "\$\{\w+\}"', text)


def test_inlined_text_stands_after_its_element_with_its_own_provenance() -> None:
    piece = Piece("SOUL.md", "1", EntryKind.IDENTITY, form="section", inlined="Always bow.")
    text, config = config_of(committed_plan({"SOUL.md": "As in BOOTSTRAP.md.\n"}, [piece]))
    assert config.PREFIX_TEXT == (
        "As in BOOTSTRAP.md.\n[BOOTSTRAP.md:]\nAlways bow.\n[end of BOOTSTRAP.md]\n"
    )
    assert "# PROVENANCE: BOOTSTRAP.md:1 (inlined into SOUL.md:1)" in text


def test_lines_of_the_persona_lead_back_to_their_elements() -> None:
    (file,) = generate_config(Documents(reference_plan()))
    lines = file.text.split("\n")
    by_source = {
        mark.source_lines: lines[mark.first - 1 : mark.last]
        for mark in file.provenance
        if mark.source_file == "SOUL.md"
    }
    assert by_source["3-5"] == REFERENCE_FILES["SOUL.md"].split("\n")[2:5]
    assert by_source["7-9"] == REFERENCE_FILES["SOUL.md"].split("\n")[6:9]


def test_carriage_returns_survive_the_file() -> None:
    text = "# Soul\r\n\r\nWarm.\rOld\r\n"
    source, config = config_of(soul_plan(text))
    assert text == config.PREFIX_TEXT
    assert "\r" not in source


def imported(plan: CommittedPlan) -> ModuleType:
    """Write config.py to a folder of its own, import it from there, and forget it."""
    (file,) = generate_config(Documents(plan))
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "emitted_config.py").write_bytes(file.data)
        sys.path.insert(0, folder)
        importlib.invalidate_caches()
        try:
            return importlib.import_module("emitted_config")
        finally:
            sys.path.remove(folder)
            sys.modules.pop("emitted_config", None)


@pytest.mark.parametrize("plane", PLANES)
@settings(max_examples=6, deadline=None)
@given(data=st.data())
def test_any_text_survives_an_import_from_disk(plane: int, data: st.DataObject) -> None:
    text = data.draw(texts_with(plane))
    assert any(ord(character) >> 16 == plane for character in text)
    fact = Piece("USER.md", "1", EntryKind.FACT_STABLE, statement=text)
    field = Piece("IDENTITY.md", "1", EntryKind.IDENTITY, label="motto", value=text)
    config = imported(committed_plan({"SOUL.md": text}, [soul_piece(text), fact, field]))
    found = [config.PREFIX_TEXT, config.USER_CONTEXT, config.AGENT_METADATA["motto"]]
    assert found == [text, ended(text), text]


@pytest.mark.parametrize("part", AWKWARD, ids=ascii)
def test_each_awkward_part_survives_an_import_from_disk(part: str) -> None:
    for text in (part, f"a{part}", f"{part}b", f"a{part}{part}b\n{part}"):
        assert text == imported(soul_plan(text)).PREFIX_TEXT


def test_a_persona_over_the_limit_is_noted_by_each_run(tmp_path: Path) -> None:
    for file, paragraphs in (("SOUL.md", 500), ("USER.md", 500)):
        lines = (
            f"You guard lock number {number} and know its keeper well.\n\n" for number in range(paragraphs)
        )
        (tmp_path / file).write_text(f"# {file}\n\n{''.join(lines)}", encoding="utf-8")
    conversion = open_conversion(tmp_path, as_of=date(2026, 1, 15), generated_at="2026-01-15T00:00:00Z")
    assert conversion.lints.passed
    files = conversion.rendered
    code = {name: files.by_path[f"{files.package_name}/{name}"].text for name in ("config.py", "pipeline.py")}
    (notes,) = re.findall(r"^PERSONA_NOTES.*?^\)", code["config.py"], re.MULTILINE | re.DOTALL)
    assert "SOUL.md: The file has 26" in "".join(ast.literal_eval(notes.partition(" = ")[2]))
    assert "USER.md" not in notes
    assert "notes: list[str] = list(config.PERSONA_NOTES)" in code["pipeline.py"]


@pytest.mark.parametrize(("tokens", "window"), [(12_000, 32_768), (18_000, 65_536), (200_000, 131_072)])
def test_the_largest_window_has_room_for_the_fixed_text(tokens: int, window: int) -> None:
    """A workspace of 1,000 lines of rules gave a package that refused every message."""
    cost = RunCost(2, 2, 0, 2 * tokens, largest_prompt_tokens=tokens)
    (emitted,) = generate_config(Documents(replace(committed_plan({}, []), cost=cost)))
    assert f"LARGEST_CONTEXT: Final = {window}\n" in emitted.text


def test_the_largest_window_has_room_for_a_wake_up_with_a_long_checklist(tmp_path: Path) -> None:
    """A checklist in Chinese gave a package that answered messages and refused each of its wake-ups."""
    (tmp_path / "SOUL.md").write_text(f"# Soul\n\n{'守着闸门，爱说话。' * 1900}\n", encoding="utf-8")
    points = "".join(f"- 看第{number}道闸门的水位是否正常。\n" for number in range(600))
    (tmp_path / "HEARTBEAT.md").write_text(f"# Heartbeat\n\n{points}", encoding="utf-8")
    conversion = open_conversion(tmp_path, as_of=date(2026, 1, 15), generated_at="2026-01-15T00:00:00Z")
    files = conversion.rendered
    config = files.by_path[f"{files.package_name}/config.py"].text
    assert "LARGEST_CONTEXT: Final = 65536\n" in config


def test_a_run_asks_for_no_variable_that_no_code_reads(tmp_path: Path) -> None:
    """A workspace's .env.example is often another program's: each run named eight variables that nothing used."""
    (tmp_path / "SOUL.md").write_text("# Soul\n\nYou keep a lock.\n", encoding="utf-8")
    (tmp_path / ".env.example").write_text("LOCK_LOG_LEVEL=info\nLOCK_API_KEY=\n", encoding="utf-8")
    conversion = open_conversion(tmp_path, as_of=date(2026, 1, 15), generated_at="2026-01-15T00:00:00Z")
    files = conversion.rendered
    assert "variables=" not in files.by_path[f"{files.package_name}/main.py"].text
