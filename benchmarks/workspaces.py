"""Makes workspaces of any size, the same every time: wiki pages with frontmatter, and rules in six forms."""

from pathlib import Path

SUBJECTS = ("boat", "berth", "ticket", "crane", "ledger", "lamp", "rope", "sluice", "letter", "map")
FORMS = (
    "Never move the {subject} of row {number} without its keeper.",
    "If the {subject} of row {number} is missing, ask the harbour master first.",
    "Check the number of the {subject} in row {number} before you answer.",
    "Keep answers about the {subject} of row {number} under 60 words.",
    "You may read the record of the {subject} in row {number}.",
    "Row {number} holds the {subject} of the north quay.",
)


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
