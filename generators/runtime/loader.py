# Static module of melleafy-tui 0.2.0, not to be edited.
"""Texts, rules and facts in references/, so that they can be changed without the code."""

import re
from pathlib import Path

from .prompts import Piece
from .runtime import PipelineError

REFERENCES = Path(__file__).parents[1] / "references"
RULES_FILE = "operating_rules.md"
FACTS_FILE = "user_context.md"

_BULLET = re.compile(r"[-*+] +")
_MARK = re.compile(r"\s*<!--\s*(judged|guidance)?\s*(.*?)\s*-->\s*$")


class LoadError(PipelineError):
    """A text in references/ is missing or can't be read."""


def read_text(name: str) -> str:
    """Return a text of references/ without its last line breaks, or raise LoadError."""
    path = REFERENCES / name
    try:
        return path.read_text("utf-8").rstrip("\n")
    except (OSError, ValueError) as error:
        raise LoadError(f"{path} can't be read: {error}") from error


def read_rules() -> list[Piece]:
    """Return the rules of a Markdown list, one for each bullet; indented lines belong to it.

    A comment at the end says what a rule is and where it comes from, such as
    `<!-- guidance SOUL.md:7 -->`; a rule without one is judged.
    """
    bullets: list[str] = []
    for line in read_text(RULES_FILE).splitlines():
        bullet = _BULLET.match(line)
        if bullet:
            bullets.append(line[bullet.end() :])
        elif bullets and line[:1].isspace() and line.strip():
            bullets[-1] += f"\n{line.strip()}"
    return [_rule(bullet) for bullet in bullets if bullet.strip()]


def _rule(bullet: str) -> Piece:
    """Return the rule of one bullet."""
    mark = _MARK.search(bullet)
    text = (bullet[: mark.start()] if mark else bullet).strip()
    source = mark[2] if mark else ""
    asks = "" if mark and mark[1] == "guidance" else text
    return Piece(f"- {text}\n", source, asks)


def read_facts() -> str:
    """Return the facts about the user, or raise LoadError."""
    return read_text(FACTS_FILE)
