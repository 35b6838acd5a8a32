"""Paragraphs are cut into the statements that their lines are; wrapped prose stays whole."""

from melleafy_tui.core.models.snapshot import SourceFile
from melleafy_tui.core.source.segments import cut_segments
from tests.rows import every_row

PARAGRAPHS: dict[str, tuple[str, list[tuple[str, int, int]]]] = {
    "numbers that don't start with 1": (
        "With guests in:\n6. Read the order book\n7. Count\n",
        [("lead_in", 1, 1), ("item", 2, 2), ("item", 3, 3)],
    ),
    "bold labels": (
        "**Opens:** at five\n**Closes:** at noon, or when\nthe bread is gone.\n",
        [("paragraph", 1, 1), ("paragraph", 2, 3)],
    ),
    "sentences of their own": (
        "You bake bread.\nYou never burn it.\n",
        [("paragraph", 1, 1), ("paragraph", 2, 2)],
    ),
    "a sentence above a lead-in": (
        "Weigh every loaf.\nFor each light one:\n\n- Note it\n",
        [("paragraph", 1, 1), ("lead_in", 2, 2), ("item", 4, 4)],
    ),
    "cases of their own": (
        "If the oven is cold: light it\nIf it smokes: open the door\n",
        [("paragraph", 1, 1), ("paragraph", 2, 2)],
    ),
    "bold labels after emoji": (
        "🥐 **Opens**: at five\n🔒 **Closes**: at noon\n",
        [("paragraph", 1, 1), ("paragraph", 2, 2)],
    ),
    "wrapped prose": ("You bake bread and you\nnever burn it.\n", [("paragraph", 1, 2)]),
    "a year at the start of a wrapped line": (
        "The oven was built in\n1999. It is old.\n",
        [("paragraph", 1, 2)],
    ),
    "a number at the start of a wrapped line": ("Bake at most\n12. Not more.\n", [("paragraph", 1, 2)]),
    "a file that is one fence of Markdown": (
        "# Bakery\n\n```markdown\n# AGENTS.md\n- Weigh every loaf\n\nBake.\n```\n",
        [
            ("heading", 1, 1),
            ("comment", 3, 3),
            ("heading", 4, 4),
            ("item", 5, 5),
            ("paragraph", 7, 7),
            ("comment", 8, 8),
        ],
    ),
    "a file that is one fence and says which file it is": (
        "```\n# AGENTS.md - Bakery\nBake.\n```\n",
        [("comment", 1, 1), ("heading", 2, 2), ("paragraph", 3, 3), ("comment", 4, 4)],
    ),
    "a fence of commands alone": (
        "# Oven\n```\n# heat it\noven --on\n```\n",
        [("heading", 1, 1), ("fence", 2, 5)],
    ),
    "a fence among others": ("```md\n# Bread\n```\nBake.\n", [("fence", 1, 3), ("paragraph", 4, 4)]),
    "a fence with frontmatter": ("```md\n---\na: b\n---\nBake.\n```\n", [("fence", 1, 6)]),
    "a quote": ("> You bake bread.\n> You never burn it.\n", [("paragraph", 1, 2)]),
}


@every_row("name", PARAGRAPHS)
def test_lines_that_are_statements_stand_apart(name: str) -> None:
    text, expected = PARAGRAPHS[name]
    found = cut_segments(SourceFile("AGENTS.md", text.encode(), text))
    assert [(each.kind, each.first, each.last) for each in found] == expected


def test_a_number_in_a_paragraph_is_that_of_its_step() -> None:
    text = "With guests in:\n6. Read the order book\n7. Count\n"
    steps = [each for each in cut_segments(SourceFile("AGENTS.md", text.encode(), text)) if each.ordered]
    assert [(each.text, each.lead_in) for each in steps] == [
        ("Read the order book", "With guests in:"),
        ("Count", "With guests in:"),
    ]
    assert len({each.list_number for each in steps}) == 1
