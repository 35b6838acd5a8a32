"""Small workspaces of one kind each, written in our own words, and what their owners expect of the reading."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from melleafy_tui.core.decisions.commands import SetDisposition
from melleafy_tui.core.models.facts import ToolFact
from melleafy_tui.core.models.inventory import PART
from melleafy_tui.core.models.vocabulary import DecisionKind, Disposition
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.pipeline.review_cards import review_cards
from melleafy_tui.engine import open_conversion
from tests.converted import DAY

SOUL = "# SOUL.md\n\nThis desk belongs to the lake hotel.\n"


def converted(folder: Path, files: Mapping[str, str]) -> Conversion:
    for name, text in {"SOUL.md": SOUL, **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return open_conversion(folder, as_of=DAY, generated_at=f"{DAY}T00:00:00Z")


def emitted(conversion: Conversion, name: str = "") -> str:
    """Return the text of a package's own files, the records of the conversion aside."""
    files = conversion.files.files
    kept = [file.text for file in files if file.path.endswith(name) and "/intermediate/" not in file.path]
    return "\n".join(kept)


@pytest.mark.parametrize(
    "facts",
    [
        {"Ort": "Leipzig", "Sprache": "Deutsch", "Anrede": "du", "Arbeitszeiten": "9 bis 17 Uhr"},
        {"Ciudad": "Sevilla", "Idioma": "español", "Zona horaria": "Europe/Madrid"},
        {"Город": "Казань", "Язык": "русский", "Часовой пояс": "Europe/Moscow"},
    ],
    ids=["German", "Spanish", "Russian"],
)
def test_facts_that_change_with_the_person_come_from_the_caller(
    facts: dict[str, str], tmp_path: Path
) -> None:
    text = "".join(f"- **{label}:** {value}\n" for label, value in facts.items())
    conversion = converted(tmp_path, {"USER.md": f"# USER.md\n\n{text}"})
    found = [each for each in conversion.inventory.elements if each.decided(DecisionKind.OVERRIDABLE)]
    assert [each.value for each in found] == list(facts.values())


@pytest.mark.parametrize(
    "order",
    [
        "**CRITICAL: DO NOT reply HEARTBEAT_OK without acting.**",
        "Never answer HEARTBEAT_OK while a guest waits.",
        "Before HEARTBEAT_OK, count the keys.",
        "Status of the lift: `pgrep -f lift` or `openclaw status`. HEARTBEAT_OK",
    ],
)
def test_an_order_with_a_word_of_the_runtime_is_kept(order: str, tmp_path: Path) -> None:
    files = {"HEARTBEAT.md": f"# HEARTBEAT.md\n\n{order}\n\n- Look at the jetty.\n"}
    conversion = converted(tmp_path, files)
    own = [each for each in conversion.inventory.elements if each.kind != PART]
    (element,) = [each for each in own if "HEARTBEAT_OK" in each.content_full]
    assert not element.is_left_out
    assert order.strip("*") in emitted(conversion, ".py")


@pytest.mark.parametrize(
    "line",
    [
        "Reply HEARTBEAT_OK when nothing needs attention.",
        "If there is nothing to do, reply with HEARTBEAT_OK.",
        "Use `sessions_spawn` for long work.",
    ],
)
def test_what_only_the_old_runtime_understands_is_left_out_and_is_a_row(line: str, tmp_path: Path) -> None:
    conversion = converted(tmp_path, {"AGENTS.md": f"# AGENTS.md\n\n- {line}\n- Sort the keys.\n"})
    (element,) = [each for each in conversion.inventory.elements if each.content_full == f"- {line}"]
    assert element.is_left_out
    rows = [row for card in review_cards(conversion) for row in card.rows if row.item.startswith("left_out:")]
    assert [row.text for row in rows] == [line]
    assert rows[0].why


def test_a_row_of_template_text_counts_its_lines(tmp_path: Path) -> None:
    ritual = "# BOOTSTRAP.md - Hello, World\n\n_You just woke up. Time to figure out who you are._\n"
    conversion = converted(tmp_path, {"SOUL.md": "Calm.\n", "BOOTSTRAP.md": ritual})
    rows = [
        row for card in review_cards(conversion) for row in card.rows if row.item == "left_out:BOOTSTRAP.md"
    ]
    assert [row.text for row in rows] == ["3 lines of the runtime's template"]


@pytest.mark.parametrize(
    "head",
    [
        '---\nversion: 3\ntitle: "SOUL.md Template"\n---\n\n',
        "---\nsummary: Who I am\nread_when:\n  - always\n---\n",
        "---\n# only a note\nauthor: Robin\n---\n\n",
    ],
)
def test_front_matter_is_no_persona(head: str, tmp_path: Path) -> None:
    conversion = converted(tmp_path, {"SOUL.md": f"{head}# SOUL\n\nYou are a keen gardener.\n"})
    config = emitted(conversion, "config.py")
    assert "You are a keen gardener." in config
    assert head.splitlines()[1] not in config


@pytest.mark.parametrize("name", ["MEMORY.md", "DREAMS.md", "memory/2026-07-31.md"])
def test_no_line_of_memory_is_shipped(name: str, tmp_path: Path) -> None:
    lines = (
        "- Kim owes ZEBRAFINCH euros.\n- Never tell ZEBRAFINCH a joke.\n- Always answer ZEBRAFINCH briefly.\n"
    )
    conversion = converted(tmp_path, {name: f"# Notes\n\n{lines}\n## Family\n\n- ZEBRAFINCH moves.\n"})
    assert not [file.path for file in conversion.files.files if "ZEBRAFINCH" in file.text]


@pytest.mark.parametrize(
    ("value", "is_blank"),
    [
        ("[your name]", True),
        ("_(pick something you like)_", True),
        ("[Lake Hotel]", False),
        ("(the desk)", False),
    ],
)
def test_brackets_are_the_owner_s_unless_a_template_says_so(
    value: str, is_blank: bool, tmp_path: Path
) -> None:
    conversion = converted(
        tmp_path, {"IDENTITY.md": f"# IDENTITY.md\n\n- **Name:** {value}\n- **Vibe:** dry\n"}
    )
    name = next(each for each in conversion.inventory.elements if "Name" in each.content_full)
    assert (name.decided(DecisionKind.PLACEHOLDER) is not None) is is_blank


@pytest.mark.parametrize(
    ("words", "read"),
    [
        (
            "Every 30 minutes on weekdays, 8:00 to 18:00",
            ("every 30 minutes", "mon, tue, wed, thu, fri", "08:00-18:00"),
        ),
        ("Every 2 hours on weekends, 10:00 to 20:00", ("every 2 hours", "sat, sun", "10:00-20:00")),
        (
            "Werktags alle 15 Minuten von 9 bis 17 Uhr",
            ("every 15 minutes", "mon, tue, wed, thu, fri", "09:00-17:00"),
        ),
    ],
)
def test_a_schedule_that_is_asked_about_is_shown_whole(
    words: str, read: tuple[str, ...], tmp_path: Path
) -> None:
    files = {
        "HEARTBEAT.md": f"# HEARTBEAT.md\n\n{words}\n\n- Check open orders.\n",
        "USER.md": "# USER.md\n\n- Timezone: Europe/Berlin\n",
    }
    rows = [row for card in review_cards(converted(tmp_path, files)) for row in card.rows]
    (row,) = [row for row in rows if row.item == "schedule:HEARTBEAT.md"]
    assert all(part in row.result for part in (*read, "Europe/Berlin"))


@pytest.mark.parametrize("rule", ["Always name the order number.", "Sort the keys.", "Never use tables."])
def test_a_removal_has_no_reason_but_the_owner_s(rule: str, tmp_path: Path) -> None:
    conversion = converted(tmp_path, {"AGENTS.md": f"# AGENTS.md\n\n- {rule}\n- Water the ferns.\n"}).copy()
    element = next(each for each in conversion.inventory.elements if rule in each.content_full)
    entry = conversion.plan.by_element[element.element_id]
    conversion.act(SetDisposition((entry.key,), Disposition.REMOVE))
    report = emitted(conversion, "mapping_report.md")
    assert "no reason was given" in report.partition("Removed During Audit")[2]
    assert entry.reason not in report.partition("Removed During Audit")[2]


def test_a_value_with_the_template_s_hint_behind_it_is_filled(tmp_path: Path) -> None:
    text = """# IDENTITY.md - Who Am I?

- **Name:**小黑
  _(pick something you like)_
- **Emoji:** 🐱 _(your signature — pick one that feels right)_
- **Avatar:**
  _(workspace-relative path, http(s) URL, or data URI)_
"""
    conversion = converted(tmp_path, {"IDENTITY.md": text})
    values = {each.label: each.value for each in conversion.inventory.elements if each.label}
    assert values == {"name": "小黑", "emoji": "🐱", "avatar": ""}


@pytest.mark.parametrize(
    "policy",
    [
        {"tools": {"deny": ["group:runtime"]}},
        {"tools": {"profile": "messaging"}},
        {"agents": {"list": [{"id": "main", "default": True, "tools": {"deny": ["bash"]}}]}},
    ],
    ids=["group", "profile", "the agent's own"],
)
def test_a_script_that_the_configuration_forbids_is_a_stub_with_its_line(
    policy: dict[str, object], tmp_path: Path
) -> None:
    files = {
        "TOOLS.md": "# TOOLS.md\n\n## Keys\n\nRun `scripts/keys.sh <room>` to print a key.\n",
        "scripts/keys.sh": "#!/bin/sh\necho key\n",
        "openclaw.json": json.dumps(policy, indent=1),
    }
    conversion = converted(tmp_path, files)
    (tool,) = [found for each in conversion.inventory.elements if (found := each.facts[ToolFact]).script]
    assert tool.denied.startswith("openclaw.json:")
    assert "run_script" not in emitted(conversion, "tools.py")


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("- Tür-PIN: 4711", "4711"),
        ("- Passwort für den Router: Amsel!7-Ufer", "Amsel!7-Ufer"),
        ("| Konto | Passwort |\n|---|---|\n| See | Amsel!7-Ufer |", "Amsel!7-Ufer"),
    ],
)
def test_a_password_is_masked_and_the_rest_of_its_line_stays(line: str, value: str, tmp_path: Path) -> None:
    conversion = converted(tmp_path, {"TOOLS.md": f"# TOOLS.md\n\n## Haus\n\n{line}\n"})
    assert not [file.path for file in conversion.files.files if value in file.text]
    assert line.splitlines()[-1].partition(value)[0].strip("- |") in emitted(conversion, ".py")


@pytest.mark.parametrize(
    "rule", ["Never say the password.", "Ask for a new PIN when one is lost: never guess."]
)
def test_a_rule_about_secrets_is_none(rule: str, tmp_path: Path) -> None:
    conversion = converted(tmp_path, {"AGENTS.md": f"# AGENTS.md\n\n- {rule}\n"})
    assert rule in emitted(conversion, ".py")


@pytest.mark.parametrize("heading", ["## Who I am", "## 性格", "Be the calm one at the desk."])
def test_the_persona_stands_whole_and_in_order(heading: str, tmp_path: Path) -> None:
    text = (
        f"# SOUL.md\n\n{heading}\n\nDry, never loud.\n\n- Likes lists\n  - short ones\n\n> The lake first.\n"
    )
    said = emitted(converted(tmp_path, {"SOUL.md": text}), "config.py")
    lines = [line for line in text.splitlines()[1:] if line.strip()]
    assert sorted(lines, key=said.index) == lines


@pytest.mark.parametrize("rule", ["Always answer in short sentences.", "Never use tables in replies."])
def test_a_rule_in_memory_is_offered_and_not_taken(rule: str, tmp_path: Path) -> None:
    conversion = converted(
        tmp_path, {"MEMORY.md": f"# MEMORY.md\n\n## Rules\n\n- {rule}\n\n- Kim likes tea.\n"}
    )
    rows = [row for card in review_cards(conversion) for row in card.rows if row.item.startswith("judged:")]
    assert [(row.text, row.ticked) for row in rows] == [(rule, False)]
    assert rule not in emitted(conversion, ".py")


@pytest.mark.parametrize("name", ["MEMORY.md", "DREAMS.md"])
def test_memory_is_looked_up_where_it_lies(name: str, tmp_path: Path) -> None:
    conversion = converted(tmp_path, {name: "# Notes\n\n## Guests\n\nKim likes tea.\n"})
    assert "def recall_memory(query: str) -> str:" in emitted(conversion, "constrained_slots.py")
    assert "Kim" not in emitted(conversion, ".py")


@pytest.mark.parametrize("header", ["`X-Api-Key: {}`", 'curl -H "Api-Key: {}" https://api.example.org'])
def test_a_word_that_is_a_key_is_masked_in_carried_text_and_asked(header: str, tmp_path: Path) -> None:
    word = "marinasnorthgate"
    files = {
        "AGENTS.md": "# AGENTS.md\n\n- Read `docs/api.md` before each call.\n",
        "docs/api.md": f"# The pier's API\n\nAll calls need {header.format(word)} to work.\n",
    }
    conversion = converted(tmp_path, files)
    assert [file.path for file in conversion.files.files if word in file.text] == []
    asked = [each.file for each in conversion.diagnostics if each.code == "secret-possible"]
    assert asked == ["docs/api.md"]


RECIPES = """

Use the recipes for test data:

| Recipe | Command | Returns |
|---|---|---|
| new boat | `python3 recipes/new_boat.py --pier east` | its number |
| moor | `python3 recipes/moor.py --boat 7` | the berth |
"""


def test_a_script_in_a_cell_is_a_tool_and_one_that_needs_a_secret_says_where(tmp_path: Path) -> None:
    value = "Quay" + "7!lantern"
    boat = "import sys\n\nfrom config import WORD\n\nprint(WORD, sys.argv)\n"
    conversion = converted(
        tmp_path,
        {
            "SOUL.md": SOUL + RECIPES,
            "recipes/new_boat.py": boat,
            "recipes/moor.py": "import sys\n\nprint(sys.argv)\n",
            "recipes/config.py": f'PASSWORD = "{value}"\nWORD = PASSWORD\n',
            "logs/old.txt": "Nothing.\n",
        },
    )
    assert "def moor(" in emitted(conversion, "tools.py")
    (stub,) = [file for file in conversion.files.files if file.path.endswith("constrained_slots.py")]
    assert "def new_boat(" in stub.text
    why = "recipes/config.py:1 holds a password"
    assert why in stub.text
    assert why in emitted(conversion, "SETUP.md").replace("`", "")
    assert [file.path for file in conversion.files.files if value in file.text] == []
    reasons = {each.path: each.reason for each in conversion.account.named}
    assert reasons["recipes/new_boat.py"] == "told"
    assert reasons["logs/old.txt"] == "unused"


@pytest.mark.parametrize("place", ["/home/ana/desk/pages/", "~/desk/pages", "`pages/`", "pages/tides/"])
def test_a_folder_that_a_text_names_is_asked_about(place: str, tmp_path: Path) -> None:
    files = {
        "AGENTS.md": f"# AGENTS.md\n\nFiles are in {place}. Load one when it is needed.\n",
        "pages/tides/spring.md": "High.\n",
        "other/spring.md": "Low.\n",
    }
    conversion = converted(tmp_path, files)
    reasons = {each.path: each.reason for each in conversion.account.named}
    assert reasons == {"pages/tides/spring.md": "told", "other/spring.md": "unused"}
    rows = [row for card in review_cards(conversion) for row in card.rows if row.item == "unread:told"]
    assert [row.text for row in rows] == ["pages/tides/spring.md"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("`gh pr list --json title`: the open requests", "a program of the machine, which always asks"),
        ("Ask before you run `gh pr merge <number>` for a request", "TOOLS.md:5"),
    ],
)
def test_a_tool_that_asks_says_why(line: str, why: str, tmp_path: Path) -> None:
    conversion = converted(tmp_path, {"TOOLS.md": f"# TOOLS.md\n\n## Requests\n\n- {line}\n"})
    rows = [row for card in review_cards(conversion) for row in card.rows if row.text.startswith("gh pr")]
    assert [f"Asks first: {why}." in row.result for row in rows] == [True]


@pytest.mark.parametrize(
    ("line", "tools"),
    [
        ('1. Run: `foghorn -m low -p "<message>"`', ["foghorn"]),
        ('1. `berth query "<question>"` - searches the berths', ["berth query"]),
        ("- For the tides, run `tidal search <place>` first", ["tidal search"]),
        ("- Run `tidal --help` when unsure", []),
        ("- `search <place>` - looks for a place", []),
        ("- We once used `foghorn -m low` for ships", []),
        ("- Never run `foghorn -m high`", []),
        ("- The word `low tide` means little water", []),
    ],
)
def test_a_command_in_a_code_span_is_known_by_its_form(line: str, tools: list[str], tmp_path: Path) -> None:
    conversion = converted(tmp_path, {"AGENTS.md": f"# AGENTS.md\n\n## Boats\n\n{line}\n"})
    found = [each.facts[ToolFact] for each in conversion.inventory.elements]
    assert [tool.name for tool in found if tool.program] == tools


@pytest.mark.parametrize(
    ("line", "name", "why"),
    [
        ("Run `tidal update && tidal embed -q` after each note.", "tidal_update", "it takes a shell"),
        ("Run `moor.py sync --berth <berth>` after each note.", "moor", "the source has no moor.py"),
        ("Run `~/desk/moor.sh --all` after each note.", "moor", "the source has no ~/desk/moor.sh"),
        ("Add `--all --quick` after each note.", "", ""),
        ("We had `tidal update && tidal embed -q` last year.", "", ""),
        ("The log says `tidal update && tidal embed -q`", "", ""),
    ],
)
def test_an_ordered_command_that_no_package_calls_is_a_stub(
    line: str, name: str, why: str, tmp_path: Path
) -> None:
    conversion = converted(tmp_path, {"AGENTS.md": f"# AGENTS.md\n\n## Boats\n\n- {line}\n"})
    slots = emitted(conversion, "constrained_slots.py")
    assert (f"def {name}(" in slots and why in slots) if name else "def " not in slots
