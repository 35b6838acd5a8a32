"""A numbered order of work stands in one place of the prompt, in its order, whatever its steps are besides."""

import ast
from datetime import date
from pathlib import Path

from melleafy_tui.engine import open_conversion
from tests.rows import every_row

HEAD = "---\nname: deploy-helper\ndescription: Helps with a deploy.\n---\n"
MIXED = """## Workflow

1. If the branch is dirty, run `scripts/clean.py` first.
2. Run `scripts/docs.py` to build the docs.
   - Skip drafts.
3. If the build is red, tell the user which page failed.
4. Return the address of the preview.
5. Ask the user before publishing.

- Be brief.
"""
TOOLS_ONLY = """## How it is done

1. Run `scripts/clean.py`.
2. Ask the user whether the docs may change.
3. Run `scripts/docs.py`.
"""
BULLETS = "## Tools\n\n- Run `scripts/docs.py`.\n- Ask the user whether the docs may change.\n"


def texts(root: Path, body: str) -> dict[str, str]:
    """Return the texts of config.py of the package of a skill, by name, and requirements.py."""
    skill = root / "deploy-helper"
    (skill / "scripts").mkdir(parents=True)
    for script in ("clean", "docs"):
        (skill / "scripts" / f"{script}.py").write_text("print('done')\n")
    (skill / "SKILL.md").write_text(HEAD + body)
    conversion = open_conversion(skill, as_of=date(2026, 1, 15), generated_at="2026-01-15T00:00:00Z")
    assert conversion.lints.passed
    files = conversion.rendered
    rules = files.by_path[f"{files.package_name}/requirements.py"].text
    return {"OPERATING_REQUIREMENTS": rules} | {
        ast.unparse(node.target): str(ast.literal_eval(node.value))
        for node in ast.parse(files.by_path[f"{files.package_name}/config.py"].text).body
        if isinstance(node, ast.AnnAssign) and node.value is not None
    }


def in_order(text: str, *words: str) -> bool:
    """Return whether a text has all of these words, in this order."""
    places = [text.find(word) for word in words]
    return -1 not in places and places == sorted(places)


@every_row(
    ("body", "constant", "words"),
    [
        (
            MIXED,
            "OPERATING_REQUIREMENTS",
            ("dirty", "docs.py", "drafts", "is red", "address", "before publishing"),
        ),
        (
            TOOLS_ONLY,
            "OPERATING_REQUIREMENTS",
            ("1. Run `scripts/clean.py`", "2. Ask", "3. Run `scripts/docs.py`"),
        ),
        (BULLETS, "OPERATING_REQUIREMENTS", ("## Tools", "- Run `scripts/docs.py`", "- Ask the user")),
    ],
)
def test_a_numbered_order_is_whole(tmp_path: Path, body: str, constant: str, words: tuple[str, ...]) -> None:
    found = texts(tmp_path, body)
    assert in_order(found[constant], *words), found
