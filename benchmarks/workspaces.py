"""Makes workspaces, the same every time: those like real ones, and extremes of wiki pages and rules.

    python -m benchmarks.workspaces SHAPE FOLDER

The shapes follow counts over 61 real workspaces: file sizes, forms of list items, what lies around the files. The words
are our own.
"""

import random
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

SUBJECTS = ("boat", "berth", "ticket", "crane", "ledger", "lamp", "rope", "sluice", "letter", "map")
FORMS = (
    "Never move the {subject} of row {number} without its keeper.",
    "If the {subject} of row {number} is missing, ask the harbour master first.",
    "Check the number of the {subject} in row {number} before you answer.",
    "Keep answers about the {subject} of row {number} under 60 words.",
    "You may read the record of the {subject} in row {number}.",
    "Row {number} holds the {subject} of the north quay.",
)


@dataclass(frozen=True)
class Shape:
    """What a workspace is made of.

    Args:
        name: The name in tables.
        rules: List items of `AGENTS.md`.
        facts: List items of `MEMORY.md`.
        skills: Folders with a `SKILL.md`.
        notes: Daily notes in `memory/`, of which the longest has `note_lines`.
        note_lines: Lines of the longest daily note; the others have a tenth of them.
        code: Python files around the workspace's own, in folders of a project.
        seed: What the choice of words starts from.
    """

    name: str
    rules: int = 40
    facts: int = 50
    skills: int = 0
    notes: int = 0
    note_lines: int = 0
    code: int = 0
    seed: int = 1


MEDIAN: Final = Shape("median", rules=128, facts=64)
LARGEST: Final = Shape(
    "largest", rules=515, facts=240, skills=24, notes=14, note_lines=1_700, code=8_000, seed=2
)
SHAPES: Final[Mapping[str, Shape]] = {shape.name: shape for shape in (MEDIAN, LARGEST)}

RULES: Final = (
    "**{Subject} first:** check the {subject} before you answer anything else",
    "Never send a {subject} outside the office without asking {who}",
    "Always say which {subject} you looked at, and when",
    "When a {subject} is late by more than {number} days, tell {who} at once",
    "If nobody answers within {number} hours, write a note in `memory/` and wait",
    "Keep replies under {words} words unless {who} asks for the long form",
    "Don't delete a {subject}; move it to `archive/` instead",
    "MUST: read the {subject} log before the first message of the day",
    "Ask before you spend more than {number} coins on a {subject}",
    "{Subject} questions → TOOLS.md",
    "Prefer short sentences, and use bullet points for lists of {subject}s",
    "Do not promise a date for a {subject} that isn't paid",
    "Use a table when you compare more than {number} {subject}s",
    "You can read every {subject} in `desk/`, but ask before you change one",
    "Remember what {who} said about the {subject}, and write it down",
)
FACTS: Final = (
    "{who} prefers the {subject} by the window",
    "**{Subject}:** row {number}, paid until spring",
    "The {subject} was moved on 2026-03-{day:02d} after the storm",
    "{Subject} {number} belongs to the north quay; its keeper is {who}",
    "Lesson: a {subject} without a label is found {number} days later",
    "- [[{subject}-{number}]] has the drawing",
)
PEOPLE: Final = ("Marta", "Oskar", "the harbour master", "the owner", "Ilse", "the night clerk")
CORE: Final[Mapping[str, str]] = {
    "SOUL.md": "# Soul\n\nYou are the clerk of a small harbour: calm, exact, a little dry.\n\n## Core truths\n\n"
    "- Be useful before you are polite.\n- Say what you don't know.\n- A short answer that is right is kind.\n\n"
    "## Boundaries\n\n- What one guest tells you stays with you.\n- Never pretend to be {who}.\n"
    "- When in doubt, ask before you act outside the office.\n\n## Voice\n\nPlain and warm. No exclamation marks.\n"
    "Write numbers as digits, and dates with the year.\n\n## Continuity\n\nYou start every day without yesterday in"
    " mind. These files are what you know; read them, and keep them right.\n",
    "IDENTITY.md": "# Identity\n\n- **Name:** Marta\n- **Creature:** harbour clerk\n- **Vibe:** calm and exact\n"
    "- **Emoji:** ⚓\n- **Role:** answers guests and keeps the berth list\n- **Reports to:** Oskar\n",
    "USER.md": "# User\n\n- **Name:** Oskar\n- **What to call them:** Oskar\n- **Timezone:** Europe/Berlin\n"
    "- **Notes:** runs the harbour, reads mail in the evening\n\n## Context\n\n- Prefers a summary before details.\n"
    "- Is away on Mondays.\n",
    "TOOLS.md": "# Tools\n\n## berths\n\n- Command: `python desk/berths.py --day <date>`\n- Lists free berths; never"
    " run it with `--write` on a Sunday.\n\n## mail\n\n- Command: `mailer draft <to> <subject>`\n- Drafts only;"
    " sending is done by Oskar.\n\n## Cameras\n\n- quay-north: the north quay\n- gate: the gate, 180 degrees\n",
    "HEARTBEAT.md": "# Heartbeat\n\n## Morning (every day at 08:00)\n\n1. Read the berth list.\n2. Tell Oskar about"
    " boats that are late.\n\n## Every 30 minutes\n\n- Check new mail; answer what the list answers.\n- If nothing"
    " needs attention, stay silent.\n",
}


def make_shape(root: Path, shape: Shape) -> None:
    """Write a workspace like a real one; the same every time."""
    draw = random.Random(shape.seed)
    texts = {
        **{path: text.format(who=PEOPLE[shape.seed % len(PEOPLE)]) for path, text in CORE.items()},
        "AGENTS.md": _listed("Agents", RULES, shape.rules, draw),
        "MEMORY.md": _listed("Memory", FACTS, shape.facts, draw),
        **dict(_skills(shape, draw)),
        **dict(_notes(shape, draw)),
        **dict(_code(shape)),
    }
    for path, text in texts.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")


def _listed(title: str, forms: tuple[str, ...], count: int, draw: random.Random) -> str:
    lines = [f"# {title}", "", "How the office works, in the order in which it matters.", ""]
    for number in range(count):
        if number % 8 == 0:
            lines += [
                "",
                f"## {draw.choice(SUBJECTS).title()} and {draw.choice(SUBJECTS)} {number // 8 + 1}",
                "",
            ]
        lines.append(f"- {_sentence(forms, draw)}")
    return "\n".join(lines) + "\n"


def _sentence(forms: tuple[str, ...], draw: random.Random) -> str:
    subject = draw.choice(SUBJECTS)
    return draw.choice(forms).format(
        subject=subject,
        Subject=subject.title(),
        who=draw.choice(PEOPLE),
        number=draw.randrange(2, 60),
        words=draw.randrange(4, 30) * 10,
        day=draw.randrange(1, 29),
    )


def _skills(shape: Shape, draw: random.Random) -> Iterator[tuple[str, str]]:
    for number in range(shape.skills):
        subject = SUBJECTS[number % len(SUBJECTS)]
        name = f"{subject}-{number}"
        steps = "\n".join(f"{step + 1}. {_sentence(RULES, draw)}." for step in range(5))
        prose = "\n\n".join(" ".join(f"{_sentence(FACTS[:2], draw)}." for _ in range(6)) for _ in range(3))
        yield (
            f"skills/{name}/SKILL.md",
            f"---\nname: {name}\ndescription: Looks after every {subject}. Use it when a guest asks for one.\n---\n\n"
            f"# {name}\n\n{prose}\n\n## Steps\n\n{steps}\n",
        )


def _notes(shape: Shape, draw: random.Random) -> Iterator[tuple[str, str]]:
    for number in range(shape.notes):
        day = f"2026-{number // 28 + 1:02d}-{number % 28 + 1:02d}"
        count = shape.note_lines if number == 0 else shape.note_lines // 10
        lines = (f"- {line % 24:02d}:{line % 60:02d} {_sentence(FACTS, draw)}." for line in range(count))
        yield f"memory/{day}.md", f"# {day}\n\n" + "\n".join(lines) + "\n"


def _code(shape: Shape) -> Iterator[tuple[str, str]]:
    for number in range(shape.code):
        body = "".join(
            f"\n\ndef step_{part}(rows: list[int]) -> int:\n    return sum(row + {part} for row in rows)\n"
            for part in range(4)
        )
        yield f"desk/part_{number // 100}/piece_{number}.py", f"import json\nimport os\n{body}"


def make_workspace(root: Path, pages: int, rules: int) -> None:
    """Write a workspace with as many wiki pages and rules; the same every time."""
    root.mkdir(parents=True)
    (root / "SOUL.md").write_text("# Soul\n\nSteady.\n", encoding="utf-8")
    (root / "IDENTITY.md").write_text("- **Name:** Marta\n- **Role:** clerk\n", encoding="utf-8")
    lines = ["# Rules", ""]
    for number in range(rules):
        if number % 20 == 0:
            lines += [
                "",
                f"## Part {number // 20 + 1}",
                "",
                "Must never:" if number % 60 == 40 else "Rules:",
                "",
            ]
        subject, form = SUBJECTS[number % len(SUBJECTS)], FORMS[number % len(FORMS)]
        lines.append(f"- {form.format(subject=subject, number=number)}")
    (root / "AGENTS.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    folders = ("entities", "concepts", "syntheses", "sources")
    for number in range(pages):
        folder = root / "memory-wiki" / folders[number % len(folders)]
        folder.mkdir(parents=True, exist_ok=True)
        claims = "\n".join(
            f"  - id: c{claim}\n    text: Row {number} holds {claim} ropes." for claim in range(3)
        )
        body = "\n\n".join(
            f"Paragraph {part} of page {number}, see [[page-{(number + part) % pages}]]." for part in range(6)
        )
        text = f"---\ntitle: Page {number}\nclaims:\n{claims}\n---\n\n# Page {number}\n\n{body}\n"
        (folder / f"page-{number}.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    make_shape(Path(sys.argv[2]), SHAPES[sys.argv[1]])
