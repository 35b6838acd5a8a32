"""Which lines of whole workspaces are judged or checked, written in our own words after kinds that owners expect."""

from pathlib import Path

import pytest

from melleafy_tui.core.models.inventory import PART
from melleafy_tui.core.models.vocabulary import DecisionKind
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.engine import open_conversion
from tests.converted import DAY

SOUL = "# SOUL.md\n\nThis desk belongs to the lake hotel.\n"


def converted(folder: Path, **files: str) -> Conversion:
    named = {"SOUL_md": SOUL, "IDENTITY_md": "# IDENTITY.md\n\n- **Name:** Vale\n", **files}
    for name, text in named.items():
        path = folder / name.replace("_md", ".md").replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return open_conversion(folder, as_of=DAY, generated_at=f"{DAY}T00:00:00Z")


def decided(conversion: Conversion) -> dict[str, str]:
    """Return what is judged or checked, by the line's first words."""
    kinds = (DecisionKind.JUDGED, DecisionKind.CHECKED)
    return {
        element.statement: found.kind.value
        for element in conversion.inventory.elements
        if (found := element.decided(*kinds))
    }


def rules(lines: str, *, heading: str = "Replies") -> str:
    return f"# AGENTS.md\n\n## {heading}\n\n{lines}\n"


NOTHING = {
    "a crossed-out example": rules(
        '- ❌ "The best lake ever"\n- ✅ "Twelve rooms, one jetty"', heading="Claims"
    ),
    "a lesson": rules("- ❌ Wrote a long reply\n- ✅ Short replies work", heading="Lessons of June"),
    "examples": rules("- ❌ never short", heading="Examples of tone"),
    "the form of a note": rules("**Format for MEMORY.md:**\n- Short lines, no emoji", heading="How to save"),
    "the form of a diary": rules("**Style of the log:**\n- Bullets, never tables", heading="Upkeep"),
    "the form of a template": rules("**Template:**\n- Short title in bold", heading="Notes"),
    "another agent": rules(
        "### Quill (blog writer)\n- **Work style:** warm, always cite sources", heading="The team"
    ),
    "a colleague": rules(
        "### Rook\n- **Tone:** short and formal, never jokes", heading="Agents in this house"
    ),
    "a group of agents": rules("- **Voice:** Rook speaks formally, never jokes", heading="Team voices"),
    "what a wake-up reminds of": rules("**At 21:00:**\n- tone of the day, never skipped", heading="Evenings"),
    "a reminder": rules("- Keep it short: water, sleep, mood", heading="Daily reminder"),
    "a checklist": rules("- [ ] replies short?", heading="Checklist"),
}


@pytest.mark.parametrize("kind", NOTHING)
def test_what_is_about_something_else_is_not_judged(kind: str, tmp_path: Path) -> None:
    conversion = converted(tmp_path, AGENTS_md=NOTHING[kind])
    assert decided(conversion) == {}


SAID = {
    "in English": (
        "- At most 80 words.\n- No emoji.\n- Never promise a room.",
        ["checked", "checked", "judged"],
    ),
    "in German": (
        "- Höchstens 80 Wörter.\n- Keine Emojis.\n- Antworte freundlich.",
        ["checked", "checked", "judged"],
    ),
    "in Chinese": ("- 回复不超过80字。\n- 不要用表情。\n- 语气要温和。", ["checked", "checked", "judged"]),
    "of a channel": ("- On Telegram, never use tables.", ["judged"]),
    "what a reply shows": (
        '- No "Great news!" openers, no filler.\n- Write `memory/today.md` daily.',
        ["judged"],
    ),
}


@pytest.mark.parametrize("kind", SAID)
def test_rules_about_the_reply_are_judged_or_checked(kind: str, tmp_path: Path) -> None:
    lines, expected = SAID[kind]
    assert list(decided(converted(tmp_path, AGENTS_md=rules(lines))).values()) == expected


def test_a_judged_line_of_the_persona_is_a_part_and_the_persona_stays_one_text(tmp_path: Path) -> None:
    soul = "# SOUL.md\n\n## Voice\n\nYou keep the desk.\n\n- Dry and short, never salesy.\n- No flattery.\n"
    conversion = converted(tmp_path, SOUL_md=soul)
    parts = [part for part in conversion.inventory.elements if part.kind == PART and part.decisions]
    assert [(part.statement, part.location) for part in parts] == [
        ("Dry and short, never salesy.", "SOUL.md:7"),
        ("No flattery.", "SOUL.md:8"),
    ]
    files = {file.path.rpartition("/")[2]: file.data.decode() for file in conversion.files.files}
    assert "- Dry and short, never salesy.\n- No flattery." in files["config.py"]
    piece = '    Piece(\n        "",\n        "SOUL.md:7",\n        asks="Dry and short, never salesy.",\n    ),\n'
    assert piece in files["requirements.py"].partition("PERSONA_RULES")[2]


@pytest.mark.parametrize(
    "body",
    [
        "Warm and plain tone; you ask one question\nand you ask it kindly.",
        "- You like rain.\n- Dry and short, never salesy.\n- Say who knows it.\n- You like tea.",
        "Never flatter anyone.\n\nYou grew up on a boat.",
    ],
)
def test_the_persona_keeps_each_judged_and_offered_line_once(body: str, tmp_path: Path) -> None:
    soul = f"# SOUL.md\n\n## Voice\n\n{body}\n\n## Home\n\nYou keep the desk.\n"
    conversion = converted(tmp_path, SOUL_md=soul)
    assert [part for part in conversion.inventory.elements if part.kind == PART]
    files = {file.path.rpartition("/")[2]: file.data.decode() for file in conversion.files.files}
    assert f'PREFIX_TEXT: Final = """\\\n{soul}"""' in files["config.py"]
    assert "guidance" not in files["requirements.py"]


def test_a_wish_of_the_person_is_a_part_and_a_fact_that_a_caller_replaces_is_none(tmp_path: Path) -> None:
    user = "# USER.md\n\n- **Language:** Deutsch\n- **Notes:** Prefers short answers, no filler.\n"
    conversion = converted(tmp_path, USER_md=user)
    assert list(decided(conversion)) == ["**Notes:** Prefers short answers, no filler."]


EXCLUDE = {
    "bounds": ("Keep every reply under 50 words.", "Write at least 200 words in every reply."),
    "languages": ("Antworte auf Deutsch.", "Reply in English only."),
    "must and must not": ("Every reply must include a table.", "Keine Tabellen."),
}


@pytest.mark.parametrize("kind", EXCLUDE)
def test_checks_that_exclude_each_other_are_a_finding_and_neither_is_checked(
    kind: str, tmp_path: Path
) -> None:
    one, other = EXCLUDE[kind]
    conversion = converted(tmp_path, AGENTS_md=rules(f"- {one}\n- {other}\n- No links."))
    assert decided(conversion) == {"No links.": "checked"}
    (finding,) = [found for found in conversion.diagnostics if found.code == "checks-exclude-each-other"]
    assert finding.location == "AGENTS.md:6"
    assert "AGENTS.md:5" in finding.message
    fixtures = [file.data.decode() for file in conversion.files.files if "fixtures/" in file.path]
    assert not [text for text in fixtures if '"AGENTS.md:5"' in text or '"AGENTS.md:6"' in text]


def test_rules_of_two_folders_are_no_contradiction_but_a_folder_s_and_the_general_one_are(
    tmp_path: Path,
) -> None:
    two = {
        "docs__AGENTS_md": "# A\n\n- Reply in German only.\n",
        "ui__AGENTS_md": "# A\n\n- Reply in English only.\n",
    }
    conversion = converted(tmp_path, AGENTS_md="# A\n\n- No emoji.\n", **two)
    assert "checks-exclude-each-other" not in {found.code for found in conversion.diagnostics}


def offered(conversion: Conversion) -> set[str]:
    return {element.statement for element in conversion.inventory.elements if element.offered}


def test_orders_about_replies_in_memory_are_offered_and_never_ticked(tmp_path: Path) -> None:
    memory = """# Memory

## Lessons learned

- Always answer Quintessa in short sentences.
- Reply in at most 30 words.
- The billing queue is closed on Monday.
- Always run the backup before noon.

## Persönlich

- Antworte immer kurz und auf Deutsch.
"""
    conversion = converted(tmp_path, MEMORY_md=memory)
    assert not decided(conversion)
    assert offered(conversion) == {
        "Always answer Quintessa in short sentences.",
        "Reply in at most 30 words.",
        "Antworte immer kurz und auf Deutsch.",
    }
    assert not [file.path for file in conversion.files.files if "Quintessa" in file.text]


def test_what_an_owner_adds_behind_a_sentence_of_a_template_is_judged(tmp_path: Path) -> None:
    stock = "Be the assistant you'd actually want to talk to. Concise when needed, thorough when it matters."
    conversion = converted(
        tmp_path, SOUL_md=f"# SOUL.md\n\n## Vibe\n\n{stock} Use no hashtags in your answers.\n"
    )
    [part] = [each for each in conversion.inventory.elements if each.kind == PART]
    assert part.statement.endswith("Use no hashtags in your answers.")
    assert "Concise" not in part.statement
    again = converted(tmp_path / "stock", SOUL_md=f"# SOUL.md\n\n## Vibe\n\n{stock}\n")
    assert not [each for each in again.inventory.elements if each.kind == PART]
